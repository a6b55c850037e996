"""What holds for every game at a table, for every viewer, at every event."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest
from msgspec.structs import replace

from tests.kit import tables, truth
from tests.kit.tables import Run
from twentytwo_protocol import wire
from twentytwo_protocol.cards import Card
from twentytwo_protocol.fair import FairShuffle
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import EVENTS, Event, Refused, redact
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Dealt, Exchanged, Hand_, Played, Shown, Turn
from twentytwo_server.games.registry import games
from twentytwo_server.session.streams import Form
from twentytwo_server.table.clocks import TurnClock
from twentytwo_server.table.decision import Actor
from twentytwo_server.table.effects import Away, Back
from twentytwo_server.table.table import Phase

CLOCK = TurnClock(10_000, 20_000)
FORMS = [Form(json, text) for json in (False, True) for text in (False, True)]


def eventful(seed: int, game: str = "twentytwo") -> Run:
    """A whole evening: people and bots play, pause, leave, run out of time, come back."""
    chance = random.Random(seed)
    people, bots = chance.randint(1, 3), chance.randint(1, 2)
    run = tables.seated(people, bots=bots, seed=seed, clock=CLOCK, game=games()[game], level="easy")
    run.order("zed", words.Watch("t1"))
    run.order("ann", words.Start())
    for _ in range(2_000):
        if run.closed or run.table.phase is not Phase.PLAYING:
            break
        present = [seat.name for seat in run.table.present]
        people_here = [seat.name for seat in run.table.people]
        dice = chance.random()
        try:
            if dice < 0.02 and len(people_here) > 1:
                run.order(chance.choice(people_here), words.Leave())
            elif dice < 0.06:
                run.order("", Away(chance.choice(people_here)))
            elif dice < 0.10:
                run.order("", Back(chance.choice(people_here)))
            elif dice < 0.13 and present:
                run.order(chance.choice(present), cardplay.Pause())
            elif dice < 0.18 and present:
                run.order(chance.choice(present), cardplay.Unpause())
            elif dice < 0.22:
                run.wait(chance.choice([5_000, 31_000, 120_000]))
            elif not run.table.paused and not run.table.deserted:
                run.any_move(chance)
        except Refused as wrong:
            assert wrong.code in ("NO_GAME", "PAUSED"), wrong.text
    return run


SEEDS = [*((seed, "twentytwo") for seed in range(7)), (1, "twentysix")]


@lru_cache
def an_evening(seed: int, game: str) -> Run:
    return eventful(seed, game)


def evenings() -> list[Run]:
    return [an_evening(*which) for which in SEEDS]


@pytest.fixture(params=SEEDS, ids=str)
def evening(request: pytest.FixtureRequest) -> Run:
    return an_evening(*request.param)


def viewers(run: Run) -> tuple[int | None, ...]:
    return (None, *range(1, run.table.settings.seats + 1))


def test_evenings_are_eventful() -> None:
    """Between them they have everything that can happen in a game."""
    seen = {word for run in evenings() for word in run.words()}
    game = {"GAME", "DREW", "HAND", "DEALT", "TURN", "EXCHANGED", "TRICK", "PLAYED", "TOOK"}
    game |= {"SHOWN", "SCORED", "OUT", "HANDOVER", "RESULT", "GAMEOVER", "TIMEOUT", "PAUSED"}
    assert game | {"UNPAUSED", "PRESENCE", "LEFT", "JOINED", "WATCHING", "VOTE"} <= seen


def test_a_snapshot_is_the_fold_of_the_events_at_every_number(evening: Run) -> None:  # S1
    for viewer in (None, 1, 2):
        model = TableModel("t1", viewer)
        for entry in evening.stream.after(0):
            model.see(entry.seen_by(viewer), entry.seq)
            assert truth.snapshot(model) == model, entry


def test_whoever_goes_on_from_a_snapshot_knows_what_the_others_know(evening: Run) -> None:
    chance = random.Random(1)
    entries = [*evening.stream.after(0)]
    for viewer in viewers(evening):
        middle = chance.randrange(len(entries))
        late = truth.snapshot(evening.model(viewer, entries[middle].seq))
        for entry in entries[middle + 1 :]:
            late.see(entry.seen_by(viewer), entry.seq)
        assert late == evening.model(viewer)


def test_what_everybody_is_shown_is_true_all_along() -> None:
    run, chance = tables.started(3, bots=1, seed=6, clock=CLOCK), random.Random(6)
    while run.playing:
        for _ in range(3):
            run.play(chance, 1)
        truth.check(run)


def test_the_numbers_have_no_gaps(evening: Run) -> None:  # O3
    assert [e.seq for e in evening.stream.after(0)] == [*range(1, evening.stream.last + 1)]


def test_turns_count_up_by_one_and_nothing_follows_a_turn_until_somebody_acts(  # O4 O7
    evening: Run,
) -> None:
    turns = [e.event.turn for e in evening.stream.after(0) if isinstance(e.event, Turn)]
    assert turns == [*range(1, len(turns) + 1)]
    open_: Turn | None = None
    for entry in evening.stream.after(0):
        if isinstance(entry.event, Turn):
            assert open_ is None
            open_ = entry.event
        elif type(entry.event).ends in ("turn", "trick", "hand", "game", "table"):
            open_ = None
        elif open_ is not None:
            assert type(entry.event).scope in ("", "table"), entry.event
    if evening.table.phase is Phase.OVER:
        assert open_ is None


def test_a_turn_is_the_last_thing_that_an_order_brings() -> None:  # O4
    run, chance = tables.started(3, clock=CLOCK), random.Random(8)
    while run.playing:
        told = run.any_move(chance)
        assert not any(isinstance(event, Turn) for event in told[:-1])
        assert isinstance(told[-1], Turn) == run.playing


def test_every_event_survives_both_encodings_for_every_viewer(evening: Run) -> None:
    for entry in evening.stream.after(0):
        for viewer in viewers(evening):
            truth.same_both_ways(entry.seen_by(viewer))


def test_every_line_is_a_line_of_the_protocol_and_both_forms_say_the_same(evening: Run) -> None:
    for entry in evening.stream.after(0):
        for viewer in (None, 1, 2):
            for form in FORMS:
                line = entry.line(viewer, form)
                assert len(line.encode()) + 2 <= 8192
                assert line.isprintable(), line
                record = wire.parse_json(line) if form.json else wire.parse(line)
                assert record is not None
                assert (record.on, record.seq) == ("t1", entry.seq)
                assert wire.decode(record) == replace(entry.seen_by(viewer))


def test_what_is_not_for_a_viewer_is_left_out_and_nothing_else(evening: Run) -> None:
    for entry in evening.stream.after(0):
        for viewer in viewers(evening):
            seen = redact(entry.event, viewer)
            for field in entry.event.word.fields:
                whole, shown = getattr(entry.event, field.attr), getattr(seen, field.attr)
                owner = field.owner
                hidden = owner and getattr(entry.event, owner.seat) != viewer
                assert shown == (None if hidden else whole)


def test_no_card_is_shown_to_a_spectator_before_it_is_played() -> None:
    """Nothing but PLAYED, SHOWN and what follows from them names a card.

    A pack before it is shuffled is no secret: it is the same every time.
    """
    for run in evenings():
        for entry in run.stream.after(0):
            public = entry.seen_by(None)
            if public.word.word in ("DREW", "PLAYED", "SHOWN", "TOOK", "SCORED", "SHUFFLED"):
                continue
            named = [f.key for f in public.word.fields if f.kind.name in ("card", "cards")]
            named = [key for key in named if getattr(public, key)]
            assert named in ([], ["beat"]), public


def test_every_event_of_the_table_can_be_told_to_people() -> None:
    """Every sentence is one that a person can read: no braces, no None."""
    for run in evenings():
        for entry in run.stream.after(0):
            for viewer in (None, 1, 2):
                sentence = entry.voice(viewer).sentence(entry.seen_by(viewer))
                assert "{" not in sentence
                assert "None" not in sentence
    assert {"PLAYED", "TURN"} <= EVENTS.keys()


# -------------------------------------------------------------------------------- two worlds


def exposed(events: Iterator[Event], viewer: int | None) -> set[Card]:
    """The cards that a viewer may have seen since the last deal, by the rules of the game."""
    found: set[Card] = set()
    for event in events:
        match event:
            case Hand_():
                found.clear()
            case Played():
                found |= set(event.cards)
            case Shown():
                found.add(event.card)
            case Dealt() if event.seat == viewer:
                found |= set(event.cards or ())
            case Exchanged() if event.seat == viewer:
                found |= {*(event.gave or ()), *(event.got or ())}
            case _:
                pass
    return found


def shuffles(run: Run) -> list[tuple[Card, ...]]:
    return [tuple(k.token.split("+")) for k in run.kept if k.seat == 0]


def other_world(run: Run, seed: int, viewer: int | None, chance: random.Random) -> Run | None:
    """The same moves in a world that differs in two cards that the viewer has never seen.

    None where those cards would have made one of the moves illegal.
    """
    packs = shuffles(run)
    seen = exposed((entry.event for entry in run.stream.after(0)), viewer)
    hidden = [card for card in packs[-1] if card not in seen]
    if len(hidden) < 2:
        return None
    one, other = chance.sample(hidden, 2)
    swap = {one: other, other: one}
    changed = tuple(swap.get(card, card) for card in packs[-1])
    people = len(run.table.seats)
    again = tables.started(people, house=tables.stacked(seed, {len(packs): changed}))
    before = sum(k.seat != 0 for k in run.kept[: index_of_deal(run)])
    for number, kept in enumerate(k for k in run.kept if k.seat):
        token = kept.token
        if number >= before:
            token = "+".join(swap.get(card, card) for card in token.split("+"))
        try:
            again.order(again.table.names[kept.seat], cardplay.Move(token))
        except Refused:
            return None
    return again


def index_of_deal(run: Run) -> int:
    return max(n for n, kept in enumerate(run.kept) if kept.seat == 0)


def worlds(count: int) -> Iterator[tuple[Run, Run, int | None, random.Random]]:
    """Pairs of worlds that a viewer cannot tell apart, cut off at any moment of a game."""
    chance, found = random.Random(22), 0
    for seed in range(100_000):
        people = chance.choice([2, 3, 4])
        run = tables.started(people, seed=seed)
        for _ in range(chance.randrange(60)):
            if run.playing:
                whole_cards(run, chance)
        if not run.playing:
            continue
        viewer = chance.choice([None, *range(1, people + 1)])
        other = other_world(run, seed, viewer, chance)
        if other is not None:
            found += 1
            yield run, other, viewer, chance
        if found == count:
            return


def whole_cards(run: Run, chance: random.Random) -> None:
    """A random move, with its suits spelled out, so that it is the same one in both worlds."""
    assert run.table.match is not None
    deed: Any = run.table.match.moves().any(chance.randrange)
    left = [*run.table.match.moves().hand]
    cards = []
    for rank in deed.cards:
        card = chance.choice([card for card in left if card[0] == rank])
        left.remove(card)
        cards.append(card)
    run.order(run.mover, cardplay.Move("+".join(cards) or "-", run.asked.turn))


def test_two_worlds_that_a_viewer_cannot_tell_apart_give_them_the_same_bytes() -> None:
    differ = 0
    for one, other, viewer, chance in worlds(100):
        for form in FORMS:
            assert one.lines(viewer, form) == other.lines(viewer, form)
        differ += one.lines(viewer_of(one, other)) != other.lines(viewer_of(one, other))
        if viewer is not None:
            for token in tries(one, viewer, chance):
                assert answer(one, viewer, token) == answer(other, viewer, token)
    assert differ > 50  # the worlds are two: somebody else sees other cards


def viewer_of(one: Run, other: Run) -> int:
    """A seat whose lines differ, where there is one."""
    seats = [seat.number for seat in one.table.seats]
    return next((s for s in seats if one.lines(s) != other.lines(s)), 1)


def tries(run: Run, viewer: int, chance: random.Random) -> Iterator[cardplay.Move | cardplay.Play]:
    """Moves that somebody may try: held and not held, in turn and out of it."""
    holding = run.model(viewer).holding
    ranks = "23456789TJQKA"
    for _ in range(6):
        size = chance.randint(1, 4)
        yield cardplay.Move("+".join(chance.choices(ranks, k=size)))
        if holding:
            cards = chance.choices(holding, k=min(size, len(holding)))
            yield cardplay.Play(tuple(cards))
            yield cardplay.Move("+".join(cards), chance.randint(1, 9))
    yield cardplay.Move("-")
    yield cardplay.Move("nonsense")


def answer(run: Run, viewer: int, said: Any) -> tuple[Any, ...]:
    """How the table answers, as the one who tried it reads it."""
    name = run.table.names[viewer]
    table, last = run.table, run.stream.last
    again = Run(table, run.deals, run.at)
    try:
        events = again.order(Actor(name), said)
    except Refused as wrong:
        assert (run.table, run.stream.last) == (table, last)
        return wrong.code, wrong.text, wrong.fields
    return ("done", events[0].word.word)


def test_the_bytes_would_differ_if_a_card_of_the_viewers_own_were_another() -> None:
    """The comparison can fail: swapping a card that the viewer has seen shows."""
    run = tables.started(3, seed=4)
    pack = shuffles(run)[-1]
    mine, other = run.model(1).holding[0], run.model(2).holding[0]
    changed = tuple({mine: other, other: mine}.get(card, card) for card in pack)
    number = len(shuffles(run))
    again = tables.started(3, house=tables.stacked(4, {number: changed}))
    assert run.lines(1) != again.lines(1)
    assert run.lines(None) == again.lines(None)


def test_the_same_seed_deals_the_same_cards_and_the_same_game() -> None:
    first, again = tables.over(3, seed=9), tables.over(3, seed=9)
    assert first.lines(1) == again.lines(1)
    assert first.lines(1) != tables.over(3, seed=10).lines(1)
    assert "seed" not in repr(FairShuffle("secret", "g1"))
