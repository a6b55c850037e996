"""Our word in the shuffle, and the check at the end: against real games, and against cheats."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.kit import tables
from tests.kit.hosts import like
from tests.kit.tables import Run
from twentytwo_client.checking import Found, Verdict
from twentytwo_client.fairness import Witness
from twentytwo_protocol.fair import FairShuffle, commitment, entropy
from twentytwo_protocol.games.twentytwo import Exchanged
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Abort, Dealt, Drew, Hand_, Move, Played, Shown
from twentytwo_protocol.words.fairness import (
    Calledoff,
    Committed,
    Revealed,
    Seed,
    Seedhash,
    Shuffled,
)
from twentytwo_protocol.words.seating import Ready_
from twentytwo_server.games.registry import games
from twentytwo_server.play.match import House
from twentytwo_server.play.match import Words as Frozen
from twentytwo_server.play.table import Phase

WORD = "00112233445566778899aabbccddeeff"


class Fair(tables.Dealer):
    """Deals by the fair shuffle."""

    def house(self, game: str, words: Frozen | None) -> House:
        if words is None:
            return FairShuffle(self.seed(game), "seed").house
        return FairShuffle(self.seed(game), game, entropy(words)).house


def table(game: str = "twentytwo", people: int = 3, **options: str) -> Run:
    """A table on fair deals, ann alone there."""
    run = tables.opened(people, game=games()[game], options=options)
    run.deals = Fair(tables.seeded(1), games=2)
    return run


def begin(run: Run, people: int, *given: tuple[str, Seed | Seedhash]) -> None:
    """The others join, give these words, open those that are sealed, and the game begins."""
    for name in tables.NAMES[1:people]:
        run.order(name, words.Join("t1"))
    for name, order in given:
        run.order(name, order)
    for name in tables.NAMES[1:people]:
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    if run.table.phase is Phase.STARTING:
        run.order("bob", Seed(WORD))


SEALED = ("bob", Seedhash(commitment(WORD)))


def played(game: str = "twentytwo", people: int = 3, **options: str) -> Run:
    """A whole game, in which bob has sealed a word and cat has said one.

    By chance some would never end: they are broken off, by agreement.
    """
    run = table(game, people, **options)
    begin(run, people, SEALED, ("cat", Seed("kitten")))
    run.play(random.Random(1), 2000)
    for name in tables.NAMES[:people] if run.playing else ():
        run.order(name, Abort())
    return run


def seen(run: Run, seat: int | None = 2) -> list[Event]:
    """What a seat was shown, from the first event to REVEALED."""
    found = [entry.seen_by(seat) for entry in run.stream.after(0)]
    end = next(n for n, event in enumerate(found) if isinstance(event, Revealed))
    return found[: end + 1]


def judged(events: Sequence[Event], seat: int | None = 2) -> list[Verdict]:
    """All that a witness says who sees these events."""
    model, witness = TableModel("t1", seat), Witness()
    verdicts = []
    for number, event in enumerate(events, 1):
        model.see(event, number)
        verdict = witness.see(event, model)
        verdicts += [verdict] if verdict else []
    return verdicts


# ------------------------------------------------------------------------------ it is well


@pytest.mark.parametrize(
    ("game", "people", "options"),
    [
        ("twentytwo", 3, {}),
        ("twentytwo", 3, {"first_dealer": "random"}),
        ("twentytwo", 4, {"decks": "2", "jokers": "4"}),
        ("twentysix", 3, {}),
        ("whist22", 3, {}),
        ("twentyeight", 4, {}),
    ],
)
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_game_that_was_dealt_fairly_is_found_to_be(
    game: str, people: int, options: dict[str, str], seat: int
) -> None:
    if game not in games() or set(options) - {o.name for o in tables.opened(2).table.options()}:
        pytest.skip("no such game, or no such options")
    run = played(game, people, **options)
    (verdict,) = judged(seen(run, seat), seat)
    # ann gave no word: for her it is only sure that nothing was changed later.
    assert verdict == Verdict("g1", Found.COMMIT_ONLY if seat == 1 else Found.OK)


def test_what_is_well_is_said_in_a_line() -> None:
    assert str(Verdict("g1", Found.OK)) == "fair: OK"
    assert str(Verdict("g1", Found.COMMIT_ONLY)) == (
        "fair: unchanged after the start; without a word of yours it shows no more"
    )
    assert str(Verdict("g1", Found.WRONG, "g1: no")) == "fair: WRONG - g1: no"


def test_deals_that_can_be_repeated_are_called_that() -> None:
    run = table()
    run.deals.alg, run.deals.games = "seed", 1
    promised = run.deals.promise()
    run.table = replace(run.table, promised=promised)
    begin(run, 2)
    run.play(random.Random(1))
    events = seen(run)
    events[0:0] = [Committed("g1", 1, "seed", promised.digest)]
    events = [e for e in events if not (isinstance(e, Committed) and e.alg == "fd1")]
    assert judged(events) == [Verdict("g1", Found.REPEATABLE)]


# --------------------------------------------------------------------------------- cheating


def swapped(cards: Sequence[str]) -> tuple[str, ...]:
    """The cards with the first one last."""
    return (*cards[1:], cards[0])


def change(events: list[Event], kind: type[Event], **how: Callable[[Any], Any]) -> list[Event]:
    """The events with fields of the last one of a kind changed."""
    where = max(n for n, event in enumerate(events) if isinstance(event, kind))
    event = events[where]
    changed = {field: make(getattr(event, field)) for field, make in how.items()}
    return [*events[:where], replace(event, **changed), *events[where + 1 :]]


def test_another_seed_than_the_sealed_one_is_found() -> None:
    (verdict,) = judged(change(seen(played()), Revealed, seed=lambda s: s[:-1] + "e"))
    assert verdict.found is Found.WRONG
    assert "sealed" in verdict.why


def test_a_seal_that_changes_is_an_alarm_at_once_and_in_the_end() -> None:
    events = seen(played())
    again = Committed("g1", 2, "fd1", commitment("another seed"))
    where = next(n for n, event in enumerate(events) if isinstance(event, Dealt))
    first, second = judged([*events[:where], again, *events[where:]])
    assert first == second == Verdict("g1", Found.WRONG, "the seal of g1 has changed")


@pytest.mark.parametrize("word", ["-", "kitten", "another"])
def test_a_word_that_is_not_the_one_we_gave_is_found(word: str) -> None:
    events = change(seen(played()), Shuffled, words=lambda w: (w[0], word, *w[2:]))
    (verdict,) = judged(events)
    assert verdict.found is Found.WRONG
    assert WORD in verdict.why


def test_a_word_that_was_put_into_our_mouth_is_found() -> None:
    events = change(seen(played(), 1), Shuffled, words=lambda w: ("mine", *w[1:]))
    (verdict,) = judged(events, 1)
    assert verdict.found is Found.WRONG


@pytest.mark.parametrize("late", [False, True])
def test_a_pack_that_is_not_in_its_order_is_found(late: bool) -> None:
    # Whoever may order the pack before the shuffle chooses the deal after it, words or not.
    def pack(state: Any) -> tuple[str, ...]:
        cards = tables.TWENTYTWO.pack(state)
        return swapped(cards) if len(cards) < 52 or not late else cards

    run = tables.opened(3, game=like(tables.TWENTYTWO, pack=pack))
    run.deals = Fair(tables.seeded(1), games=2)
    begin(run, 3, SEALED)
    run.play(random.Random(1))
    (verdict,) = judged(seen(run))
    assert verdict.found is Found.WRONG
    assert "order" in verdict.why


def test_another_shuffle_of_the_same_game_is_found() -> None:
    (verdict,) = judged(change(seen(played()), Shuffled, n=lambda n: n + 1))
    assert verdict.found is Found.WRONG
    assert "came where" in verdict.why


def other(card: str) -> str:
    return card[0] + "Z"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Drew, {"card": other}),
        (Shown, {"card": other}),
        (Played, {"cards": lambda cards: ("2C", "2C", "2C")[: len(cards)] * 2}),
        (Dealt, {"n": lambda n: n + 1}),
    ],
)
def test_a_card_that_could_not_have_been_there_is_found(
    kind: type[Event], fields: dict[str, Callable[[Any], Any]]
) -> None:
    (verdict,) = judged(change(seen(played()), kind, **fields))
    assert verdict.found is Found.WRONG


@pytest.mark.parametrize("kind", [Dealt, Exchanged])
def test_a_card_of_ours_that_came_from_nowhere_is_found(kind: type[Event]) -> None:
    run = table()
    begin(run, 3, SEALED)
    while run.playing:
        # Everybody exchanges two cards, so that there is one to change.
        asked = run.asked
        token = "+".join((asked.from_ or ())[:2]) if asked.act == "exchange" else asked.default
        run.order(run.mover, Move(token or "-", asked.turn))
    events = seen(run)
    field = "cards" if kind is Dealt else "got"
    where = max(
        n for n, e in enumerate(events) if isinstance(e, kind) and getattr(e, field) is not None
    )
    cards = getattr(events[where], field)
    events[where] = replace(events[where], **{field: ("9C", *cards[1:])})
    if cards[0] == "9C":
        events[where] = replace(events[where], **{field: ("8C", *cards[1:])})
    assert judged(events)[0].found is Found.WRONG


def test_a_dealer_on_whom_the_lot_did_not_fall_is_found() -> None:
    run = played("whist22")
    events = seen(run)
    where = next(n for n, event in enumerate(events) if isinstance(event, Hand_))
    hand = events[where]
    assert isinstance(hand, Hand_)
    events[where] = replace(hand, dealer=hand.dealer % 3 + 1)
    assert judged(events)[0].found is Found.WRONG


def test_of_a_game_that_was_not_seen_from_its_beginning_nothing_is_said_but_that() -> None:
    run = played()
    model, witness = TableModel("t1", 2), Witness()
    verdict = None
    for number, event in enumerate(seen(run), 1):
        model.see(event, number)
        if number == 60:
            assert witness.resumed(model) is None
        verdict = witness.see(event, model) or verdict
    assert verdict is not None
    assert verdict.found is Found.UNSEEN


def test_a_seal_that_has_changed_while_we_were_away_is_found() -> None:
    run = table()
    begin(run, 2)
    model, witness = TableModel("t1", 2), Witness()
    for entry in run.stream.after(0):
        model.see(entry.seen_by(2), entry.seq)
        witness.see(entry.seen_by(2), model)
    model.promise = Committed("g1", 1, "fd1", "0" * 64)
    verdict = witness.resumed(model)
    assert verdict is not None
    assert verdict.found is Found.WRONG


# ------------------------------------------------------------------------------- our word


class Client:
    """Somebody at a table who says what a witness finds due."""

    def __init__(self, run: Run, name: str) -> None:
        self.run, self.name = run, name
        self.witness = Witness(lambda: WORD)
        self.model = TableModel("t1")
        self.said: list[str] = []

    def listen(self) -> list[str]:
        """Hears what has happened since, and says what is due."""
        for entry in self.run.stream.after(self.model.seq):
            event = entry.seen_by(None)
            if getattr(event, "name", "") == self.name and hasattr(event, "seat"):
                self.model.me = event.seat
            self.model.see(event, entry.seq)
            self.witness.see(event, self.model)
        due = self.witness.due(self.model)
        self.said += due
        for line in due:
            verb, *rest = line.split()
            kinds: dict[str, Any] = {"seed": Seed, "seedhash": Seedhash, "ready": words.Ready}
            self.run.order(self.name, kinds[verb](*rest))
        return due


def test_a_word_is_sealed_as_soon_as_we_sit_and_opened_when_that_is_asked() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    assert bob.listen() == [f"seedhash {commitment(WORD)} t1"]
    assert bob.listen() == []
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    assert bob.listen() == [f"seed {WORD} t1"]
    assert run.playing
    assert bob.listen() == []


def test_each_game_gets_a_word_of_its_own_and_no_word_goes_to_a_running_game() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    assert bob.listen() == []  # too late for this one
    run.play(random.Random(1))
    assert bob.listen() == [f"seedhash {commitment(WORD)} t1"]


def test_whoever_was_ready_when_somebody_gave_a_word_says_so_again() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    bob.listen()
    run.order("bob", words.Ready())
    bob.listen()
    run.order("ann", Seed("kitten"))
    assert bob.listen() == ["ready t1"]
    assert run.order("ann", Seed("puppy"))[-1] == Ready_(2, False)
    assert bob.listen() == ["ready t1"]
    run.order("bob", words.Unready())
    assert bob.listen() == []
    run.order("bob", words.Ready())
    bob.listen()
    run.order("ann", words.Option("limit", "30"))
    assert bob.listen() == []  # the rules are another matter


def test_a_word_that_was_typed_is_left_alone() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    run.order("bob", Seed("kitten"))
    bob = Client(run, "bob")
    assert bob.listen() == []


def test_a_start_that_is_called_off_gets_a_new_word() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    bob.listen()
    run.order("ann", Seedhash(commitment("x")))
    bob.listen()
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    bob.listen()
    assert isinstance(run.wait(30_000)[0], Calledoff)
    assert bob.listen() == [f"seedhash {commitment(WORD)} t1"]


def test_a_seal_of_an_earlier_run_of_ours_is_replaced_since_nobody_could_open_it() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    Client(run, "bob").listen()
    bob = Client(run, "bob")
    bob.witness = Witness(lambda: "another")
    assert bob.listen() == [f"seedhash {commitment('another')} t1"]


def test_what_was_said_into_a_broken_connection_is_said_again() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    bob.listen()
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    for entry in run.stream.after(bob.model.seq):
        bob.model.see(entry.seen_by(None), entry.seq)
    assert bob.witness.due(bob.model) == [f"seed {WORD} t1"]
    bob.witness.lost()
    assert bob.witness.due(bob.model) == [f"seed {WORD} t1"]


def test_without_a_source_of_words_nothing_is_said() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    bob.witness = Witness()
    assert bob.listen() == []
