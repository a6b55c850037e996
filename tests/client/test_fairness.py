"""Our word in the shuffle, and the check at the end: against real games, and against cheats."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from tests.client.kit import hear
from tests.kit import tables
from tests.kit.cases import together
from tests.kit.hosts import like
from tests.kit.tables import Run
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.fairness import FairnessAgent
from twentytwo_client.core.seed_words import SeatWord, TableWords
from twentytwo_client.core.shuffle_check import Finding, Verdict
from twentytwo_client.core.updates import ShuffleChecked
from twentytwo_protocol.fair import FairShuffle, commitment, entropy
from twentytwo_protocol.knowledge import SeatModel
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import (
    Abort,
    Dealt,
    Drew,
    Exchanged,
    Game_,
    Hand_,
    Move,
    Played,
    Shown,
)
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
from twentytwo_protocol.words.seating import Ready_, Swapped
from twentytwo_server.games.registry import games
from twentytwo_server.table.deals import Pack
from twentytwo_server.table.match import House
from twentytwo_server.table.match import Words as Frozen
from twentytwo_server.table.table import Phase

WORD = "00112233445566778899aabbccddeeff"


class Fair(tables.Dealer):
    """Deals by the fair shuffle."""

    def house(self, game: str, words: Frozen | None, taken: Sequence[Pack] = ()) -> House:
        if words is None:
            return FairShuffle(self.seed(game), "seed").house
        return FairShuffle(self.seed(game), game, entropy(words)).house


def table(game: str = "twentytwo", people: int = 3, **options: str) -> Run:
    """A table on fair deals, ann alone there."""
    run = tables.opened(people, game=games()[game], options=options)
    run.deals = Fair(tables.seeded(1), games=2)
    return run


def begin(run: Run, people: int, *given: tuple[str, Seed | Seedhash], opens: str = WORD) -> None:
    """The others join, give these words, open those that are sealed, and the game begins."""
    for name in tables.NAMES[1:people]:
        run.order(name, words.Join("t1"))
    for name, order in given:
        run.order(name, order)
    for name in tables.NAMES[1:people]:
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    for name in ("bob", "cat"):
        seat = run.table.seat_of(name)
        if run.table.phase is Phase.STARTING and seat is not None and seat.sealed:
            run.order(name, Seed(opens))


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
    """All that a witness of these events says: bob, who seals a word, or cat, who says one."""
    model = TableModel("t1", seat)
    witness = FairnessAgent((lambda: WORD) if seat == 2 else None)
    verdicts = []
    for number, event in enumerate(events, 1):
        model.see(event, number)
        verdict = witness.see(event, model)
        verdicts += [verdict] if verdict else []
        if isinstance(event, Committed) and seat == 3:
            witness.said("kitten")
        witness.due(model)
    return verdicts


# ------------------------------------------------------------------------------ it is well


@together(
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
@together("seat", [1, 2, 3])
def test_a_game_that_was_dealt_fairly_is_found_to_be(
    game: str, people: int, options: dict[str, str], seat: int
) -> None:
    run = played(game, people, **options)
    (verdict,) = judged(seen(run, seat), seat)
    # ann gave no word: for her it is only sure that nothing was changed later.
    assert verdict == Verdict("g1", Finding.COMMIT_ONLY if seat == 1 else Finding.OK)


def test_what_is_well_is_said_in_a_line() -> None:
    assert str(Verdict("g1", Finding.OK)) == "fair: OK"
    assert str(Verdict("g1", Finding.COMMIT_ONLY)) == (
        "fair: the deck was not changed after the start. Add a word with seed before a game to "
        "prove that it was not chosen beforehand"
    )
    assert str(Verdict("g1", Finding.WRONG, "g1: no")) == "fair: WRONG - g1: no"


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
    assert judged(events) == [Verdict("g1", Finding.REPEATABLE)]


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
    assert verdict.found is Finding.WRONG
    assert "sealed" in verdict.why


def test_a_seal_that_changes_is_an_alarm_at_once_and_in_the_end() -> None:
    events = seen(played())
    again = Committed("g1", 2, "fd1", commitment("another seed"))
    where = next(n for n, event in enumerate(events) if isinstance(event, Dealt))
    first, second = judged([*events[:where], again, *events[where:]])
    assert first == second == Verdict("g1", Finding.WRONG, "the seal of g1 has changed")


@pytest.mark.parametrize("word", ["-", "kitten", "another"])
def test_a_word_that_is_not_the_one_we_gave_is_found(word: str) -> None:
    events = change(seen(played()), Shuffled, words=lambda w: (w[0], word, *w[2:]))
    (verdict,) = judged(events)
    assert verdict.found is Finding.WRONG
    assert WORD in verdict.why


def test_a_word_that_was_put_into_our_mouth_is_found() -> None:
    events = change(seen(played(), 1), Shuffled, words=lambda w: ("mine", *w[1:]))
    (verdict,) = judged(events, 1)
    assert verdict.found is Finding.WRONG


def sealing(word: str, *others: tuple[str, Seed | Seedhash], people: int = 3) -> list[Event]:
    """What bob is shown of a game in which his seat seals and opens a word."""
    run = table(people=people)
    begin(run, people, ("bob", Seedhash(commitment(word))), *others, opens=word)
    return ended(run)


def ended(run: Run) -> list[Event]:
    """What bob is shown of a game that its players break off."""
    for name in tables.NAMES[: len(run.table.seats)]:
        run.order(name, Abort())
    return seen(run)


def first(events: Sequence[Event], kind: type[Event]) -> int:
    """Where the first event of a kind stands."""
    return next(n for n, event in enumerate(events) if isinstance(event, kind))


def test_a_word_that_is_told_in_place_of_the_one_we_sealed_is_found() -> None:
    events = [
        replace(event, hash=commitment(WORD)) if isinstance(event, Seeded) and event.hash else event
        for event in sealing("of-the-server")
    ]
    (verdict,) = judged(events)
    assert verdict.found is Finding.WRONG
    assert "seat 2 is not the one that it sealed" in verdict.why


def test_a_seal_that_is_told_in_place_of_ours_is_found() -> None:
    (verdict,) = judged(sealing("of-the-server"))
    assert verdict.found is Finding.WRONG
    assert "of-the-server, which you never gave" in verdict.why


def other_deck(events: list[Event]) -> Committed:
    """A promise that comes before the one of these events."""
    promised = events[first(events, Committed)]
    assert isinstance(promised, Committed)
    return replace(promised, id="g0", no=promised.no - 1, hash=commitment("another"))


def test_a_deck_that_is_sealed_after_our_word_was_opened_is_found() -> None:
    events = sealing(WORD)
    promise, asked, game = (first(events, kind) for kind in (Committed, Unseal, Game_))
    chosen = [events[promise], Seeded(2, word_=WORD)]
    before = [*events[:promise], other_deck(events), *events[promise + 1 : asked + 1]]
    (verdict,) = judged([*before, Seeded(2, word_=WORD), *chosen, *events[game:]])
    assert verdict.found is Finding.WRONG
    assert "sealed after words were asked for" in verdict.why


def test_a_deck_out_of_several_that_were_sealed_is_not_the_servers_to_choose() -> None:
    events = sealing(WORD)
    before = first(events, Committed)
    (verdict,) = judged([*events[: before + 1], other_deck(events), *events[before + 1 :]])
    assert verdict.found is Finding.WRONG
    assert "the deck of g0 was sealed for it" in verdict.why


@pytest.mark.parametrize("other", [False, True])
def test_a_word_that_went_to_a_start_which_was_called_off_proves_nothing_later(
    other: bool,
) -> None:
    events = sealing(WORD)
    promise, asked, game = (first(events, kind) for kind in (Committed, Unseal, Game_))
    earlier = other_deck(events) if other else events[promise]
    before = [*events[:promise], earlier, *events[promise + 1 : asked + 1]]
    chosen = [events[promise]] if other else []
    again = [Calledoff((1,)), *chosen, Seeded(2, word_=WORD)]
    (verdict,) = judged([*before, *again, *events[game:]])
    assert verdict.found is Finding.COMMIT_ONLY
    assert f"{WORD} was said before the seal" in verdict.why


class Cheat(Fair):
    """Deals from words of its own choice, from one shuffle to the next."""

    words: Callable[[int], Frozen]

    def house(self, game: str, words: Frozen | None, taken: Sequence[Pack] = ()) -> House:
        return lambda n, pack: FairShuffle(self.seed(game), game, entropy(self.words(n))).house(
            n, pack
        )


@together("seat", [2, None])
@together(
    "chosen",
    [
        lambda n: ("ground", WORD, None),
        lambda n: (f"x{n}" if n > 1 else None, WORD, None),
        lambda n: (None, WORD, "puppy"),
        lambda n: (None, WORD, None if n == 2 else "kitten"),
    ],
)
def test_words_of_others_that_are_not_those_that_were_told_are_found(
    chosen: Callable[[int], Frozen], seat: int | None
) -> None:
    run = table()
    run.deals = cheat = Cheat(tables.seeded(1), games=2)
    cheat.words = chosen
    begin(run, 3, SEALED, ("cat", Seed("kitten")))
    run.play(random.Random(1), 2000)
    if run.playing:
        ended(run)
    events = [
        replace(event, words=tuple(word or "-" for word in chosen(event.no)))
        if isinstance(event, Shuffled)
        else event
        for event in seen(run, seat)
    ]
    (verdict,) = judged(events, seat)
    assert verdict.found is Finding.WRONG
    assert "the word of seat" in verdict.why


def test_a_word_that_another_seat_gives_after_ours_was_opened_is_found() -> None:
    events = sealing(WORD, ("cat", Seed("late")))
    late = next(n for n, e in enumerate(events) if isinstance(e, Seeded) and e.word_ == "late")
    game = first(events, Game_)
    moved = [*events[:late], *events[late + 1 : game], events[late], *events[game:]]
    (verdict,) = judged(moved)
    assert verdict.found is Finding.WRONG
    assert "seat 3 is not the one that it sealed" in verdict.why


def test_a_word_of_another_that_does_not_fit_its_seal_is_found() -> None:
    events = [
        replace(event, hash=commitment("x")) if isinstance(event, Seeded) and event.hash else event
        for event in sealing(WORD, ("cat", Seedhash(commitment(WORD))))
    ]
    ours = next(n for n, e in enumerate(events) if isinstance(e, Seeded) and e.seat == 2)
    events[ours] = Seeded(2, hash=commitment(WORD))
    (verdict,) = judged(events)
    assert verdict.found is Finding.WRONG
    assert "seat 3 is not the one that it sealed" in verdict.why


def test_seats_that_change_after_our_word_was_opened_are_found() -> None:
    events = sealing(WORD, ("cat", Seed("kitten")))
    game = first(events, Game_)
    there = [Swapped(1, "cat", 3, False), Swapped(3, "ann", 1, False)]
    back = [Swapped(3, "cat", 1, False), Swapped(1, "ann", 3, False)]
    (verdict,) = judged([*events[:game], *there, *back, *events[game:]])
    assert verdict.found is Finding.WRONG
    assert "seats changed" in verdict.why


def test_a_word_that_we_gave_and_that_is_left_out_is_found() -> None:
    events = change(seen(played()), Shuffled, words=lambda w: (w[0], w[1]))
    (verdict,) = judged(events)
    assert verdict.found is Finding.WRONG
    assert "2 words for 3 seats" in verdict.why


def test_a_game_that_begins_without_our_sealed_word_is_found() -> None:
    events = seen(played())
    opened = next(n for n, e in enumerate(events) if isinstance(e, Seeded) and e.word_ == WORD)
    (verdict,) = judged([*events[:opened], *events[opened + 1 :]])
    assert verdict.found is Finding.WRONG
    assert "seat 2 was never opened" in verdict.why


def test_a_deck_that_is_dealt_twice_has_our_word_once() -> None:
    events = sealing(WORD)
    once = events[first(events, Game_) :]
    again = judged([*events[:-1], Seeded(2, word_=WORD), *once])
    assert [verdict.found for verdict in again] == [Finding.COMMIT_ONLY]


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
    assert verdict.found is Finding.WRONG
    assert "order" in verdict.why


def test_seats_that_are_not_in_their_order_before_a_lot_is_drawn_are_found() -> None:
    whist = games()["whist22"]

    def pack(state: Any) -> tuple[str, ...]:
        cards = whist.pack(state)
        return cards[::-1] if len(cards) == 3 else cards

    run = tables.opened(3, game=like(whist, pack=pack))
    run.deals = Fair(tables.seeded(1), games=2)
    begin(run, 3, SEALED)
    (verdict,) = judged(ended(run))
    assert verdict.found is Finding.WRONG
    assert "order" in verdict.why


def test_another_shuffle_of_the_same_game_is_found() -> None:
    (verdict,) = judged(change(seen(played()), Shuffled, no=lambda no: no + 1))
    assert verdict.found is Finding.WRONG
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
    assert verdict.found is Finding.WRONG


@pytest.mark.parametrize("kind", [Dealt, Exchanged])
def test_a_card_of_ours_that_came_from_nowhere_is_found(kind: type[Event]) -> None:
    run = table()
    begin(run, 3, SEALED)
    while run.playing:
        # Everybody exchanges two cards, so that there is one to change.
        asked = run.asked
        token = "+".join((asked.cards or ())[:2]) if asked.act == "exchange" else asked.default
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
    assert judged(events)[0].found is Finding.WRONG


def test_a_dealer_on_whom_the_lot_did_not_fall_is_found() -> None:
    run = played("whist22")
    events = seen(run)
    where = next(n for n, event in enumerate(events) if isinstance(event, Hand_))
    hand = events[where]
    assert isinstance(hand, Hand_)
    events[where] = replace(hand, dealer=hand.dealer % 3 + 1)
    assert judged(events)[0].found is Finding.WRONG


def test_of_a_game_that_was_not_seen_from_its_beginning_nothing_is_said_but_that() -> None:
    run = played()
    model, witness = TableModel("t1", 2), FairnessAgent()
    verdict = None
    for number, event in enumerate(seen(run), 1):
        model.see(event, number)
        if number == 60:
            assert witness.resumed(model) is None
        verdict = witness.see(event, model) or verdict
    assert verdict is not None
    assert verdict.found is Finding.UNSEEN


def test_a_seal_that_has_changed_while_we_were_away_is_found() -> None:
    run = table()
    begin(run, 2)
    model, witness = TableModel("t1", 2), FairnessAgent()
    for entry in run.stream.after(0):
        model.see(entry.seen_by(2), entry.seq)
        witness.see(entry.seen_by(2), model)
    model.promise = Committed("g1", 1, "fd1", "0" * 64)
    verdict = witness.resumed(model)
    assert verdict is not None
    assert verdict.found is Finding.WRONG


# ------------------------------------------------------------------------------- our word


class Client:
    """Somebody at a table who says what a witness finds due."""

    def __init__(self, run: Run, name: str) -> None:
        self.run, self.name = run, name
        self.witness = FairnessAgent(lambda: WORD)
        self.model = TableModel("t1")
        self.said: list[str] = []
        self.verdicts: list[Verdict] = []

    def types(self, word: str) -> None:
        """Says a word that a person typed."""
        self.witness.said(word)
        self.run.order(self.name, Seed(word))

    def comes_back(self) -> None:
        """Is told how everything stands, after a time away."""
        self.witness.lost()
        self.model = self.run.model(None)
        seat = self.run.table.seat_of(self.name)
        self.model.me = seat.number if seat else None
        self.witness.resumed(self.model)

    def listen(self, *, missed: bool = False) -> list[str]:
        """Hears what has happened since, and says what is due."""
        for entry in self.run.stream.after(self.model.seq):
            event = entry.seen_by(None)
            if getattr(event, "name", "") == self.name and hasattr(event, "seat"):
                self.model.me = event.seat
            self.model.see(event, entry.seq)
            verdict = self.witness.see(event, self.model, missed=missed)
            self.verdicts += [verdict] if verdict else []
        due = self.witness.due(self.model)
        self.said += due
        for line in due:
            verb, *rest = line.split()
            kinds: dict[str, Any] = {"seed": Seed, "seedhash": Seedhash, "ready": words.Ready}
            self.run.order(self.name, kinds[verb](*rest))
        return due

    def judges(self) -> Finding:
        """What it says of the game that runs, once that is broken off."""
        assert self.run.playing
        for name in [seat.name for seat in self.run.table.people]:
            self.run.order(name, Abort())
        self.listen()
        return self.verdicts[-1].found


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
    bob.witness = FairnessAgent(lambda: "another")
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
    bob.witness = FairnessAgent()
    assert bob.listen() == []


# ----------------------------------------------------------------- honest games are not wrong


def asked(*others: tuple[str, Seed | Seedhash]) -> tuple[Run, Client]:
    """A table of three at which bob's client, who has sealed a word, has not seen the start yet."""
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    bob.listen()
    run.order("cat", words.Join("t1"))
    for name, order in others:
        run.order(name, order)
    for name in ("bob", "cat"):
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    return run, bob


def test_every_game_at_a_table_is_found_fair() -> None:
    run, bob = asked()
    bob.listen()
    assert bob.judges() is Finding.OK
    for name in ("ann", "bob", "cat"):
        run.order(name, words.Rematch())
    bob.listen()
    assert bob.judges() is Finding.OK
    assert [verdict.game for verdict in bob.verdicts] == ["g1", "g2"]


def test_a_start_that_was_called_off_leaves_the_next_one_fair() -> None:
    run, bob = asked(("cat", Seedhash(commitment("x"))))
    bob.listen()
    run.wait(30_000)
    bob.listen()
    for name in ("bob", "cat"):
        run.order(name, words.Ready())
    run.order("ann", words.Start())
    bob.listen()
    assert bob.judges() is Finding.OK


def test_people_may_come_and_go_before_the_start() -> None:
    run = tables.opened(4, game=games()["twentytwo"])
    run.deals = Fair(tables.seeded(1), games=2)
    for name in tables.NAMES[1:4]:
        run.order(name, words.Join("t1"))
    cat = Client(run, "cat")
    cat.listen()
    run.order("bob", Seed("kitten"))
    run.order("ann", words.Swap(4))
    run.order("bob", words.Leave())
    run.order("ann", Seedhash(commitment("x")))
    for name in ("cat", tables.NAMES[3]):
        run.order(name, words.Ready())
    cat.listen()
    run.order("ann", words.Start())
    run.order("ann", Seed("x"))
    cat.listen()
    assert cat.judges() is Finding.OK


def test_a_bot_takes_over_a_seat_in_a_game_that_is_fair() -> None:
    run, bob = asked(("cat", Seed("kitten")))
    bob.listen()
    run.order("cat", words.Leave())
    bob.listen()
    assert bob.judges() is Finding.OK


@pytest.mark.parametrize("whole", [False, True])
def test_a_connection_that_is_lost_before_we_open_our_word_does_no_harm(whole: bool) -> None:
    run, bob = asked(("cat", Seedhash(commitment("x"))), ("ann", Seed("kitten")))
    if whole:
        bob.comes_back()
    else:
        bob.witness.lost()
    assert bob.listen(missed=True) == [f"seed {WORD} t1"]
    run.order("cat", Seed("x"))
    bob.listen()
    assert bob.judges() is Finding.OK


def test_a_connection_that_is_lost_after_we_opened_our_word_does_no_harm() -> None:
    run, bob = asked(("cat", Seedhash(commitment("x"))))
    bob.listen()
    bob.comes_back()
    run.order("cat", Seed("x"))
    bob.listen()
    assert bob.judges() is Finding.OK


SEALS = {1: SeatWord("kitten"), 2: SeatWord(sealed=commitment(WORD))}
"""What was told before sealed words were asked for."""


@together(
    ("changed", "phase", "goes_on"),
    [
        ({}, "starting", True),
        ({2: SeatWord(WORD)}, "starting", True),
        ({2: SeatWord("another")}, "starting", False),
        ({2: SeatWord(sealed=commitment("another"))}, "starting", False),
        ({1: SeatWord("late")}, "starting", False),
        ({3: SeatWord()}, "starting", False),
        ({}, "open", False),
        ({2: SeatWord(WORD)}, "open", False),
    ],
)
def test_a_snapshot_goes_on_with_a_start_if_it_has_nothing_new_but_openings(
    changed: dict[int, SeatWord], phase: str, goes_on: bool
) -> None:
    now = {**SEALS, **changed}
    model = TableModel("t1", phase=phase)
    for seat, given in now.items():
        model.seats[seat] = SeatModel("ann", False, word=given.word, sealed=given.sealed)
    assert TableWords(SEALS, opening=True).continued(model) == (
        TableWords(now, opening=True) if goes_on else None
    )


def test_what_a_snapshot_has_beyond_openings_leaves_our_word_without_proof() -> None:
    run, bob = asked(("cat", Seedhash(commitment("x"))))
    bob.listen()
    bob.comes_back()
    bob.model.seats[1].word = "late"
    bob.witness.resumed(bob.model)
    bob.comes_back()
    run.order("cat", Seed("x"))
    bob.listen()
    assert bob.judges() is Finding.COMMIT_ONLY


def test_a_word_that_was_typed_here_is_ours() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    bob.witness = FairnessAgent()
    bob.listen()
    bob.types("kitten")
    bob.types("puppy")
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    bob.listen()
    assert bob.judges() is Finding.OK


def test_a_word_that_was_out_before_we_saw_the_seal_proves_no_more_than_none() -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    bob = Client(run, "bob")
    bob.witness = FairnessAgent(early=["kitten"])
    run.order("bob", Seed("kitten"))
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    bob.listen()
    assert bob.judges() is Finding.COMMIT_ONLY
    assert "kitten was said before the seal" in bob.verdicts[-1].why


@pytest.mark.parametrize("whole", [False, True])
def test_a_word_that_our_seat_has_from_somewhere_else_proves_no_more_than_none(whole: bool) -> None:
    run = table()
    run.order("bob", words.Join("t1"))
    run.order("bob", Seed("kitten"))
    bob = Client(run, "bob")
    if whole:
        bob.comes_back()
    bob.listen(missed=True)
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    bob.listen()
    assert bob.judges() is Finding.COMMIT_ONLY
    assert "kitten was not given here" in bob.verdicts[-1].why


def test_who_comes_when_words_are_being_opened_sees_a_fair_game() -> None:
    run, bob = asked(("cat", Seedhash(commitment("x"))))
    dan = Client(run, "dan")
    dan.comes_back()
    bob.listen()
    run.order("cat", Seed("x"))
    dan.listen()
    assert dan.judges() is Finding.COMMIT_ONLY


# ----------------------------------------------------------------- words in a conversation


def talked(*, before: bool, typed: str) -> Verdict:
    """What a conversation says in which bob typed a line before the seal came, or after it."""
    run = table()
    begin(run, 3, ("bob", Seed("kitten")))
    ended(run)
    lines = run.lines(2)
    sealed = next(n for n, line in enumerate(lines) if line.startswith("COMMITTED ")) + 1
    talk = Conversation(name="bob")
    talk.connected()
    hear(talk, "@1 OK proto=1 boot=k3f9", "@2 OK name=bob token=Zk82", "NOTE code=FOUND table=t1")
    first = 0 if before else sealed
    hear(talk, *lines[:first])
    if typed:
        talk.say(typed)
    values = hear(talk, *lines[first:])
    (verdict,) = (value.verdict for value in values if isinstance(value, ShuffleChecked))
    return verdict


@pytest.mark.parametrize("line", ["seed kitten", "SEED kitten t1", "seed kitten t9"])
def test_a_word_that_was_typed_after_the_seal_is_ours(line: str) -> None:
    assert talked(before=False, typed=line).found is Finding.OK


@together("line", ["", "seed puppy", "say seed kitten", "seed"])
def test_a_word_that_nobody_typed_is_not_ours(line: str) -> None:
    assert talked(before=False, typed=line).found is Finding.WRONG


def test_a_word_that_was_typed_before_the_seal_came_shows_no_more_than_none() -> None:
    assert talked(before=True, typed="seed kitten").found is Finding.COMMIT_ONLY


def test_a_word_that_was_given_while_we_were_away_shows_no_more_than_none() -> None:
    run = table()
    begin(run, 3, ("bob", Seed("kitten")))
    ended(run)
    lines = run.lines(2)
    given = next(n for n, line in enumerate(lines) if line.startswith("SEEDED "))
    talk = Conversation(name="bob")
    talk.connected()
    hear(talk, "@1 OK proto=1 boot=k3f9", "@2 OK name=bob token=Zk82", "NOTE code=FOUND table=t1")
    hear(talk, *lines[:given])
    talk.lost()
    talk.connected()
    back = ["@4 AT on=me seq=0", "@4 AT on=t1 seq=9", "@4 OK name=bob token=Zk83 :Welcome back."]
    hear(talk, "@3 OK proto=1 boot=k3f9", lines[given], *back)
    values = hear(talk, *lines[given + 1 :])
    (verdict,) = (value.verdict for value in values if isinstance(value, ShuffleChecked))
    assert verdict.found is Finding.COMMIT_ONLY
    assert "not given here" in verdict.why
