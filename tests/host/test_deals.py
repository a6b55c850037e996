"""The deals of a host: promised with the order that needs them, the same again after a restart."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.kit import tables
from tests.kit.cases import together
from tests.kit.hosts import counted_chance
from twentytwo_protocol.cards import pack
from twentytwo_protocol.fair import FairShuffle, commitment, entropy
from twentytwo_protocol.schema import Command, Event, Refused
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Move
from twentytwo_protocol.words.fairness import Seed
from twentytwo_server import facts
from twentytwo_server.host.numbers import NewNumbers
from twentytwo_server.host.tables.deals import Deals, ReplayedDeals
from twentytwo_server.host.tables.input_log import ReplayMismatch
from twentytwo_server.ports import Numbered
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table.deals import DealSource as TableDeals
from twentytwo_server.table.decision import Actor, Decision, Moment
from twentytwo_server.table.effects import Inner
from twentytwo_server.table.opening import Opening, bare_table, open_table
from twentytwo_server.table.orders import decide
from twentytwo_server.table.table import Phase, Settings


def deals() -> Deals:
    return Deals(counted_chance().secret, numbers())


def numbers() -> NewNumbers:
    return NewNumbers(Numbered.GAME, MemoryStore().reserve)


class Played:
    """A table on real deals, and what a store would have kept of it."""

    def __init__(self, deals: Deals, *, seed: int | None = None, id: str = "t1") -> None:
        self.deals, self.seed = deals, seed
        self.opening = Opening(Settings(3, "pagat", seed=seed))
        self.table = bare_table(id, tables.TWENTYTWO, self.opening, Actor("ann"))
        self.orders: list[tuple[str, Command | Inner]] = []
        self.facts: list[facts.Promise | facts.Frozen] = []
        self.packs: list[str] = []
        self.told: list[Event] = []
        self._take(open_table(self.table, self.opening, Actor("ann"), self._now()))

    def _now(self) -> Moment:
        return Moment(1000, self.deals.for_decision(self.table.id, self.seed, 7))

    def _take(self, decision: Decision) -> None:
        self.table = decision.table
        self.facts += self.deals.commit()
        self.packs += [move.token for move in decision.moves if move.seat == 0]
        self.told += decision.told

    def order(self, who: str, order: Command | Inner) -> None:
        decision = decide(self.table, Actor(who), order, self._now())
        self.orders.append((who, order))
        self._take(decision)

    def begin(self) -> None:
        self.order("bob", words.Join("t1"))
        if self.seed is None:
            self.order("bob", Seed("kitten"))
        self.order("bob", words.Ready())
        self.order("ann", words.Start())

    def play(self, moves: int = 10_000) -> None:
        chance = random.Random(1)
        for _ in range(moves):
            if self.table.phase is not Phase.PLAYING:
                return
            match = self.table.match
            assert match is not None
            assert match.question is not None
            token = match.moves().any(chance.randrange).token
            self.order(self.table.names[match.question.seat], Move(token))

    @property
    def promises(self) -> list[facts.Promise]:
        return [fact for fact in self.facts if isinstance(fact, facts.Promise)]

    def again(self, deals: TableDeals) -> list[Event]:
        """Everything once more with other deals: what is told."""
        table = bare_table("t1", tables.TWENTYTWO, self.opening, Actor("ann"))
        decision = open_table(table, self.opening, Actor("ann"), Moment(1000, deals))
        told = decision.told
        for who, order in self.orders:
            decision = decide(decision.table, Actor(who), order, Moment(1000, deals))
            told += decision.told
        return told


# ------------------------------------------------------------------------------- promising


def test_a_promise_is_handed_out_with_the_order_that_made_it_and_only_once() -> None:
    source = deals()
    table = Played(source)
    (promise,) = table.promises
    assert (promise.game, promise.no, promise.table, promise.alg) == ("g1", 1, "t1", "fd1")
    assert promise.digest == commitment(promise.seed)
    assert promise.wall == 7
    assert source.commit() == []


def test_an_order_that_is_refused_uses_up_no_promise() -> None:
    source = deals()
    table = Played(source)
    with pytest.raises(Refused):
        table.order("ann", words.Start())
    source.for_decision("t9", None, 0).promise()  # decided, and then something went wrong
    assert [p.game for p in Played(source, id="t2").promises] == ["g2"]


def test_promises_of_all_tables_are_numbered_in_one_row() -> None:
    source = deals()
    found = [Played(source, id=f"t{n}").promises[0] for n in range(1, 6)]
    assert [(p.game, p.no) for p in found] == [(f"g{n}", n) for n in range(1, 6)]
    assert len({p.seed for p in found}) == 5


def test_the_frozen_words_are_kept_with_the_order_that_starts_the_game() -> None:
    table = Played(deals())
    table.begin()
    assert table.facts[1:] == [facts.Frozen("g1", "1=-,2=kitten", 7)]


def test_a_game_that_is_over_makes_room_for_the_next() -> None:
    source = deals()
    table = Played(source)
    table.begin()
    table.play()
    assert [p.game for p in table.promises] == ["g1", "g2"]
    with pytest.raises(KeyError):
        source.promise_of("g1")
    assert source.promise_of("g2") == table.promises[1]
    source.forget("t1")
    with pytest.raises(KeyError):
        source.promise_of("g2")


def test_numbers_go_on_after_those_of_an_earlier_run() -> None:
    source = deals()
    source.continue_from(7, 9)
    (promise,) = Played(source).promises
    assert (promise.game, promise.no) == ("g8", 10)


def test_a_secret_is_128_hex_digits() -> None:
    (promise,) = Played(deals()).promises
    assert len(promise.seed) == 128


# -------------------------------------------------------------------------------- shuffling


def test_the_packs_are_those_of_the_fair_shuffle_with_the_words_of_the_players() -> None:
    table = Played(deals())
    table.begin()
    fair = FairShuffle(table.promises[0].seed, "g1", entropy([None, "kitten"]))
    wanted = ["+".join(fair.house(n, pack())) for n in (1, 2)]
    assert table.packs == wanted


def test_a_seed_deals_the_same_cards_whatever_the_game_is_called() -> None:
    source = deals()
    Played(source)
    table = Played(source, seed=27, id="t2")
    table.begin()
    (promise,) = table.promises
    assert (promise.game, promise.alg) == ("g2", "seed")
    assert promise.digest == commitment(FairShuffle.of_seed(27).seed)
    fair = FairShuffle.of_seed(27)
    assert table.packs == ["+".join(fair.house(n, pack())) for n in (1, 2)]
    assert not [fact for fact in table.facts if isinstance(fact, facts.Frozen)]


# --------------------------------------------------------------------------------- recovery


@together("seed", [None, 5])
@together("moves", [0, 1, 7, 10_000])
def test_a_table_that_is_built_anew_is_what_it_was(seed: int | None, moves: int) -> None:
    table = Played(deals(), seed=seed)
    table.begin()
    table.play(moves)
    assert table.again(ReplayedDeals(table.promises, table.packs)) == table.told


def test_a_table_that_was_built_anew_goes_on_with_the_same_secret() -> None:
    source = deals()
    table = Played(source)
    table.begin()
    table.play(3)
    later = Deals(lambda: "f" * 128, numbers())
    later.continue_from(1, 1)
    later.restore(table.promises)
    for number in (3, 4, 5):
        old = source.for_decision("t1", None, 0).house("g1", (None, "kitten"))
        new = later.for_decision("t1", None, 0).house("g1", (None, "kitten"))
        assert new(number, pack()) == old(number, pack())
    table.deals = later
    table.play()
    promise = table.promises[-1]
    assert (promise.game, promise.no, promise.seed) == ("g2", 2, "f" * 128)


def test_a_pack_that_is_not_the_one_promised_is_found() -> None:
    table = Played(deals())
    table.begin()
    cards = table.packs[1].split("+")
    cards[0], cards[-1] = cards[-1], cards[0]
    packs = [table.packs[0], "+".join(cards)]
    with pytest.raises(ReplayMismatch, match="shuffle 2 of g1"):
        table.again(ReplayedDeals(table.promises, packs))
    with pytest.raises(ReplayMismatch, match="shuffle 2 of g1"):
        table.again(ReplayedDeals(table.promises, table.packs[:1]))


def test_a_secret_that_is_not_the_one_promised_is_found() -> None:
    table = Played(deals())
    table.begin()
    (promise,) = table.promises
    other = replace(promise, seed="0" * 128)
    with pytest.raises(ReplayMismatch, match="secret of g1"):
        table.again(ReplayedDeals([other], table.packs))
    changed = replace(other, digest=commitment(other.seed))
    with pytest.raises(ReplayMismatch, match="shuffle 1 of g1"):
        table.again(ReplayedDeals([changed], table.packs))


def test_a_promise_that_was_never_made_is_found() -> None:
    table = Played(deals())
    table.begin()
    with pytest.raises(ReplayMismatch, match="promised"):
        table.again(ReplayedDeals([], table.packs))


def test_the_next_promise_comes_after_those_that_are_known_already() -> None:
    first, second, third = (
        facts.Promise(f"g{no}", no, "t1", "fd1", seed := f"{no:0128x}", commitment(seed), 7)
        for no in (1, 2, 3)
    )
    deals = ReplayedDeals()
    deals.know([second])  # of the game that runs; the first one is over
    deals.add([first, second], ())
    deals.add([first, second, third], ())
    assert deals.promise().game == "g3"
