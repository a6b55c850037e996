"""The players' part in the shuffle: the deck is sealed, words are given, the words are frozen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from tests.kit import tables, truth
from tests.kit.cases import together
from tests.kit.tables import Run
from twentytwo_protocol import fair
from twentytwo_protocol.cards import pack
from twentytwo_protocol.fair import FairShuffle, commitment, entropy
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Aborted, Dealt, Gameover, Hand_, Result
from twentytwo_protocol.words.fairness import (
    Calledoff,
    Committed,
    Revealed,
    Seed,
    Seeded,
    Seedhash,
    Shuffled,
    Unseal,
)
from twentytwo_protocol.words.seating import Left, Ready_
from twentytwo_server.table.deals import Pack
from twentytwo_server.table.effects import Away, Fault, Restarted
from twentytwo_server.table.fairness import CHANGES, TIME_TO_OPEN
from twentytwo_server.table.match import House, Words
from twentytwo_server.table.table import Phase


def sealed(word: str) -> Seedhash:
    return Seedhash(hashlib.sha256(word.encode()).hexdigest())


def found(run: Run, kind: type[Event]) -> list[Event]:
    """All events of a kind so far."""
    return [e.event for e in run.stream.after(0) if isinstance(e.event, kind)]


def phase(run: Run) -> Phase:
    return run.table.phase


def waiting(*, people: int = 3, seal: tuple[str, ...] = ("bob", "cat")) -> Run:
    """A table whose start waits for sealed words: `sealed-bob`, `sealed-cat`."""
    run = tables.seated(people)
    for name in seal:
        run.order(name, sealed(f"sealed-{name}"))
    for name in tables.NAMES[1:people]:
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    return run


# ------------------------------------------------------------------------ the deck is sealed


def test_the_deck_is_sealed_before_anybody_but_the_host_has_come() -> None:
    run = tables.opened(3)
    assert found(run, Committed) == [
        Committed("g1", 1, "fd1", commitment(run.deals.seed("g1"))),
    ]
    assert run.words()[-1] == "COMMITTED"


def test_the_game_has_the_number_that_was_promised() -> None:
    run = tables.over(2)
    games = [getattr(event, "id", None) for event in found(run, cardplay.Game_)]
    assert games == ["g1"]
    assert [getattr(event, "id", None) for event in found(run, Committed)] == ["g1", "g2"]


def test_at_the_end_the_seed_is_told_and_the_next_deck_is_sealed() -> None:
    run = tables.over(3)
    *_, revealed, first, second, third, over, committed = [e.event for e in run.stream.after(0)]
    assert revealed == Revealed("g1", run.deals.seed("g1"))
    assert [type(event) for event in (first, second, third, over)] == [*[Result] * 3, Gameover]
    assert isinstance(committed, Committed)
    assert committed.id == "g2"


def test_every_way_in_which_a_game_ends_tells_its_seed_once() -> None:
    def agreed(run: Run) -> None:
        run.order("ann", cardplay.Abort())
        run.order("bob", cardplay.Abort())

    def deserted(run: Run) -> None:
        for name in ("ann", "bob"):
            run.order("", Away(name))
        run.wait(25 * 3600 * 1000)

    def left(run: Run) -> None:
        run.order("ann", words.Leave())
        run.order("bob", words.Leave())

    ends: list[Callable[[Run], object]] = [
        agreed,
        deserted,
        left,
        lambda run: run.order("bob", cardplay.Resign()),
        lambda run: run.order("", Fault("boot-1")),
    ]
    for end in ends:
        run = tables.started(2)
        assert not found(run, Revealed)
        end(run)
        assert found(run, Revealed) == [Revealed("g1", run.deals.seed("g1"))]
        assert found(run, Aborted) or found(run, Gameover)


def test_a_table_that_closes_promises_no_other_game() -> None:
    run = tables.started(2)
    run.order("ann", words.Leave())
    run.order("bob", words.Leave())
    assert run.closed
    assert len(found(run, Committed)) == 1


def test_a_game_that_waits_for_its_players_keeps_its_secret() -> None:
    run = tables.started(2)
    run.order("", Away("ann"))
    run.order("", Away("bob"))
    run.wait(3600 * 1000)
    run.order("", Restarted())
    assert not found(run, Revealed)


def test_an_order_that_is_refused_promises_nothing() -> None:
    run = tables.over(2)
    run.refused("zed", words.Rematch())
    run.refused("ann", words.Start())
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    assert run.table.match is not None
    assert run.table.match.terms.id == "g2"


# -------------------------------------------------------------------------------- the words


def test_a_word_is_told_to_everybody_and_whoever_was_ready_says_so_again() -> None:
    run = tables.seated(2)
    told = run.order("ann", Seed("kitten"))
    assert told == [Seeded(1, word_="kitten"), Ready_(1, False), Ready_(2, False)]
    assert run.refused("ann", words.Start()).code == "NOT_READY"
    truth.check(run)


def test_the_same_word_again_changes_nothing() -> None:
    run = tables.seated(2)
    run.order("ann", Seed("kitten"))
    assert run.order("ann", Seed("kitten")) == []
    run.order("bob", sealed("x"))
    assert run.order("bob", sealed("x")) == []


def test_a_word_may_be_replaced_three_times() -> None:
    run = tables.seated(2)
    for number in range(CHANGES):
        run.order("bob", Seed(f"word{number}"))
    run.order("bob", sealed("last"))
    assert run.refused("bob", Seed("another")).code == "QUOTA"
    assert run.refused("bob", sealed("another")).code == "QUOTA"
    run.order("ann", Seed("mine"))
    truth.check(run)


@together("word", ["", "a b", "a,b", "1=2", "x" * 65, "\u00fe", "-", "a|b"])
def test_what_is_no_word_is_refused(word: str) -> None:
    run = tables.seated(2)
    assert run.refused("ann", Seed(word)).code == "BAD_ARG"


@together("digest", ["", "-", "ab", "g" * 64, "a" * 63, "a" * 65])
def test_what_is_no_hash_is_refused(digest: str) -> None:
    wrong = tables.seated(2).refused("ann", Seedhash(digest))
    assert (wrong.code, wrong.fields) == ("BAD_ARG", {"arg": "hash"})


def test_words_go_with_people_when_they_change_seats_and_leave() -> None:
    run = tables.seated(2, seats=4)
    run.order("ann", Seed("kitten"))
    run.order("bob", sealed("x"))
    run.order("ann", words.Swap(2))
    truth.check(run)
    assert {s.name: bool(s.word) for s in run.table.seats} == {"ann": True, "bob": False}
    run.order("bob", words.Leave())
    run.order("bob", words.Join("t1"))
    assert not any(seat.sealed for seat in run.table.seats)
    truth.check(run)


def test_the_words_are_frozen_at_the_start_and_told_by_seat() -> None:
    run = tables.seated(2, bots=1)
    run.order("bob", Seed("kitten"))
    for name in ("ann", "bob"):
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    # The bot sits in seat 2: nobody gave a word for it.
    frozen = run.deals.frozen["g1"]
    assert frozen == tuple("kitten" if n == "bob" else None for n in run.table.names.values())
    assert {getattr(e, "words", None) for e in found(run, Shuffled)} == {("-", "-", "kitten")}
    assert run.refused("ann", Seed("late")).code == "GAME_RUNNING"
    assert run.refused("ann", sealed("late")).code == "GAME_RUNNING"
    assert run.model(None).words == ("-", "-", "kitten")
    truth.check(run)


def test_words_count_for_one_game() -> None:
    run = tables.seated(2)
    run.order("bob", Seed("kitten"))
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    run.order("bob", cardplay.Resign())
    assert not any(seat.word for seat in run.table.seats)
    truth.check(run)
    run.order("bob", Seed("puppy"))
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    assert run.deals.frozen == {"g1": (None, "kitten"), "g2": (None, "puppy")}


def test_a_bot_that_takes_over_a_seat_changes_no_word() -> None:
    run = tables.seated(3)
    run.order("bob", Seed("kitten"))
    for name in ("bob", "cat"):
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    run.order("bob", words.Leave())
    assert run.table.match is not None
    assert run.table.match.terms.words == (None, "kitten", None)


def test_where_deals_can_be_repeated_words_add_nothing() -> None:
    run = tables.opened(2)
    run.deals.alg, run.deals.games = "seed", 1
    run.table = replace(run.table, promised=run.deals.promise())
    assert run.refused("ann", Seed("kitten")).code == "FORBIDDEN"
    assert run.refused("ann", sealed("kitten")).code == "FORBIDDEN"
    run.order("bob", words.Join("t1"))
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    assert not run.deals.frozen
    assert {getattr(e, "words", 0) for e in found(run, Shuffled)} == {None}


# ----------------------------------------------------------------------------- sealed words


def test_a_sealed_word_is_opened_once_everybody_is_ready_and_then_the_game_begins() -> None:
    run = waiting()
    assert phase(run) is Phase.STARTING
    assert found(run, Unseal) == [Unseal((2, 3), TIME_TO_OPEN)]
    truth.check(run)
    assert run.order("cat", Seed("sealed-cat")) == [Seeded(3, word_="sealed-cat")]
    truth.check(run)
    told = run.order("bob", Seed("sealed-bob"))
    assert told[0] == Seeded(2, word_="sealed-bob")
    assert told[1].word.word == "GAME"
    assert run.deals.frozen["g1"] == (None, "sealed-bob", "sealed-cat")
    truth.check(run)
    run.wait(TIME_TO_OPEN)
    assert run.playing


def test_a_sealed_word_is_shown_to_nobody_before_it_is_opened() -> None:
    run = waiting()
    for viewer in (None, 1, 2, 3):
        assert "sealed-" not in "\n".join(run.lines(viewer))


def test_another_word_than_the_sealed_one_opens_nothing() -> None:
    run = waiting()
    wrong = run.refused("bob", Seed("sealed-cat"))
    assert (wrong.code, wrong.fields["arg"]) == ("BAD_ARG", "word")


def test_while_words_are_opened_nobody_may_give_or_change_one() -> None:
    run = waiting()
    assert run.refused("ann", Seed("late")).code == "GAME_RUNNING"
    assert run.refused("ann", sealed("late")).code == "GAME_RUNNING"
    run.order("bob", Seed("sealed-bob"))
    assert run.refused("bob", Seed("another")).code == "GAME_RUNNING"
    for order in (words.Join("t1"), words.Addbot(), words.Start(), words.Option("limit", "9")):
        who = "zed" if isinstance(order, words.Join) else "ann"
        assert run.refused(who, order).code == "GAME_RUNNING"


def test_whoever_does_not_open_their_word_in_time_calls_the_start_off() -> None:
    run = waiting()
    run.order("cat", Seed("sealed-cat"))
    assert run.wait(TIME_TO_OPEN - 1) == []
    told = run.wait(1)
    assert told == [Calledoff((2,)), Ready_(2, False), Ready_(3, False)]
    assert phase(run) is Phase.OPEN
    truth.check(run)


def test_after_a_start_that_was_called_off_no_word_that_is_known_counts() -> None:
    run = waiting()
    run.order("cat", Seed("sealed-cat"))
    run.wait(TIME_TO_OPEN)
    assert not any(seat.word or seat.sealed or seat.given for seat in run.table.seats)
    # The promise stands: a refusal does not get anybody another deck.
    assert len(found(run, Committed)) == 1
    run.order("bob", Seed("another"))
    for name in ("bob", "cat"):
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    assert run.deals.frozen["g1"] == (None, "another", None)


def test_a_start_that_was_called_off_leaves_no_time_running_for_the_next() -> None:
    run = waiting(people=2, seal=("bob",))
    run.wait(TIME_TO_OPEN - 1000)
    run.order("", Away("ann"))
    run.wait(1000)
    assert phase(run) is Phase.OPEN
    run.order("bob", sealed("again"))
    for name in ("ann", "bob"):
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    run.wait(TIME_TO_OPEN - 1)
    assert phase(run) is Phase.STARTING
    run.wait(1)
    assert phase(run) is Phase.OPEN


def test_the_time_of_a_start_that_somebody_left_does_not_end_the_next() -> None:
    run = waiting()
    run.wait(TIME_TO_OPEN - 1000)
    run.order("cat", words.Leave())
    run.order("bob", sealed("again"))
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    assert run.wait(TIME_TO_OPEN - 1) == []
    assert phase(run) is Phase.STARTING


def test_whoever_leaves_while_words_are_opened_calls_the_start_off() -> None:
    run = waiting()
    told = run.order("ann", words.Leave())
    assert told[0] == Calledoff(())
    assert Left(1, "ann", "left") in told
    assert phase(run) is Phase.OPEN
    truth.check(run)


def test_whoever_leaves_instead_of_opening_their_word_is_one_who_did_not_open_it() -> None:
    run = waiting()
    told = run.order("cat", words.Leave())
    assert told[0] == Calledoff((3,))
    assert Left(3, "cat", "left") in told
    truth.check(run)


def test_after_a_game_a_start_that_is_called_off_leaves_the_table_over() -> None:
    run = tables.over(2)
    run.order("bob", sealed("x"))
    run.order("bob", words.Rematch())
    run.order("ann", words.Rematch())
    assert phase(run) is Phase.STARTING
    truth.check(run)
    run.wait(TIME_TO_OPEN)
    assert phase(run) is Phase.OVER
    truth.check(run)


def test_a_start_that_cannot_be_does_not_ask_for_words() -> None:
    run = tables.opened(4)
    run.order("ann", sealed("x"))
    assert run.refused("ann", words.Start()).code == "NOT_ENOUGH_PLAYERS"


def test_after_a_restart_the_words_are_still_waited_for() -> None:
    run = waiting()
    run.wakes.clear()
    run.order("", Restarted())
    run.wait(TIME_TO_OPEN)
    assert phase(run) is Phase.OPEN
    assert len(found(run, Calledoff)) == 1


def test_a_game_that_a_backup_brought_back_ends_without_a_result() -> None:
    run = tables.started(2)
    told = run.order("", Restarted(backup=True))
    assert told[:2] == [Revealed("g1", run.deals.seed("g1")), Aborted("restored")]
    assert found(run, Committed)[-1] == told[2]
    assert phase(run) is Phase.OVER
    truth.check(run)


def test_what_was_promised_before_a_backup_was_made_is_dealt_no_more() -> None:
    run = tables.seated(2)
    run.order("bob", Seed("kitten"))
    run.order("bob", words.Ready())
    told = run.order("", Restarted(backup=True))
    assert [type(event) for event in told[:2]] == [Committed, Ready_]
    assert run.table.promised is not None
    assert run.table.promised.game == "g2"
    assert not any(seat.word or seat.ready for seat in run.table.seats)
    truth.check(run)


def test_a_start_that_waits_for_words_is_called_off_by_a_backup() -> None:
    run = waiting()
    told = run.order("", Restarted(backup=True))
    assert told[0] == Calledoff(())
    assert phase(run) is Phase.OPEN
    assert run.table.promised is not None
    assert run.table.promised.game == "g2"
    truth.check(run)


# ------------------------------------------------------------------------------ the packs


class Fair(tables.Dealer):
    """Deals by the fair shuffle itself."""

    def house(self, game: str, words: Words | None, taken: Sequence[Pack] = ()) -> House:
        return FairShuffle(self.seed(game), game, entropy(words or ())).house


def test_before_each_deal_the_pack_is_told_in_the_order_it_had_and_the_deal_follows_from_it() -> (
    None
):
    run = tables.opened(3)
    run.deals = Fair(tables.seeded(1))
    run.deals.games = 2
    run.order("bob", words.Join("t1"))
    run.order("bob", Seed("kitten"))
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    _, deal = found(run, Shuffled)
    assert isinstance(deal, Shuffled)
    assert (deal.no, deal.cards) == (2, pack())
    source = fair.stream(run.deals.seed("g1"), "g1", 2, "1=-,2=kitten")
    cards = fair.shuffle(deal.cards, source)
    hand = found(run, Hand_)[0]
    dealt = found(run, Dealt)
    assert isinstance(hand, Hand_)
    for place, event in enumerate(dealt):
        assert isinstance(event, Dealt)
        assert set(event.cards or ()) == set(cards[place : 2 * hand.size : 2])


def test_the_packs_that_are_told_leave_out_the_cards_that_lie_on_the_table() -> None:
    run = tables.over(2, seed=3)
    assert run.table.match is not None
    sizes = [len(getattr(event, "cards", ())) for event in found(run, Shuffled)]
    assert sizes[:2] == [52, 52]
    assert min(sizes) < 52
