"""What is seen of the hand whose cards their owners do not see: on the wire, and in snapshots."""

from __future__ import annotations

import random
from functools import cache

from tests.kit import tables
from tests.kit.truth import snapshot
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import Bid, Dealt, Game_, Hand_, Play, Played, Turn
from twentytwo_protocol.words.seating import Ready_
from twentytwo_server.games.whist22 import WHIST22
from twentytwo_server.session.streams import Burst, Entry, Form, Stream, in_bytes

SEATS = (1, 2, 3)
VIEWERS = (None, *SEATS)


def started(**options: str) -> tables.Run:
    """A game of three with points enough to last."""
    return tables.started(3, game=WHIST22, options={"start_score": "50", **options})


@cache
def unseen() -> tables.Run:
    """A game up to the first play of a hand that nobody sees, for looking only."""
    run, chance = started(blind_one="yes"), random.Random(22)
    while not (run.asked.act == "play" and size(run) == 1):
        run.any_move(chance)
    return run


def size(run: tables.Run) -> int:
    """Cards for each in the hand."""
    return [e.event.size for e in run.stream.after(0) if isinstance(e.event, Hand_)][-1]


def deals(run: tables.Run) -> list[Entry]:
    """The entries of the last deal."""
    return [entry for entry in run.stream.after(0) if isinstance(entry.event, Dealt)][-3:]


def test_on_the_wire_a_seat_and_a_spectator_read_the_same_and_the_others_the_card() -> None:
    for entry in deals(unseen()):
        assert isinstance(entry.event, Dealt) and entry.event.seen
        (card,), seat = entry.event.seen, entry.event.seat
        for form in (Form(), Form(json=True)):
            lines = {viewer: entry.line(viewer, form) for viewer in VIEWERS}
            assert lines[seat] == lines[None]
            others = {lines[other] for other in SEATS if other != seat}
            assert len(others) == 1
            assert card in others.pop()
        assert entry.line(seat, Form()).endswith(f"DEALT on=t1 seq={entry.seq} seat={seat} n=1")


def test_a_line_is_written_once_for_all_who_see_the_same() -> None:
    for dealt in (Dealt(2, 1, seen=("21",)), Dealt(2, 1, ("21",))):
        stream = Stream("t1", after=7)
        burst = Burst.of([stream.append(dealt), stream.append(Ready_(3, True))])
        seen = {viewer: burst.lines(viewer, Form()) for viewer in VIEWERS}
        for viewer in VIEWERS:
            assert seen[viewer] == in_bytes([e.line(viewer, Form()) for e in burst.entries])
        others = {id(seen[viewer]) for viewer in SEATS if viewer != 2}
        assert len(others) == 1
        assert seen[2] != seen[1]


def test_the_sentences_tell_each_what_they_see() -> None:
    for entry in deals(unseen()):
        assert isinstance(entry.event, Dealt) and entry.event.seen
        seat = entry.event.seat
        for viewer in VIEWERS:
            said = entry.voice(viewer).sentence(entry.seen_by(viewer))
            if viewer == seat:
                assert said == "You do not see your own card; the others do."
            else:
                assert said == ""  # the question of each shows the cards of all the others


def test_a_snapshot_holds_the_others_cards_and_not_ones_own() -> None:
    run = unseen()
    dealt = {e.event.seat: e.event.seen for e in deals(run) if isinstance(e.event, Dealt)}
    for viewer in VIEWERS:
        model = run.model(viewer)
        assert snapshot(model) == model
        assert model.holding == ()
        assert [model.at(seat).cards for seat in SEATS] == [1, 1, 1]
        for seat in SEATS:
            seen = viewer not in (None, seat)
            assert model.at(seat).seen == (dealt[seat] if seen else ())


def test_the_question_is_the_same_whatever_the_card() -> None:
    run = unseen()
    asked = run.asked
    assert (asked.hand, asked.legal, asked.default, asked.nlegal) == ((), ("22", "0"), "22", 2)


def test_what_was_played_is_seen_by_all_and_is_shown_no_more() -> None:
    run, chance = started(blind_one="yes"), random.Random(22)
    while not (run.asked.act == "play" and size(run) == 1):
        run.any_move(chance)
    seat = run.asked.seat
    card = next(e.event.seen for e in deals(run) if e.event.seat == seat)  # type: ignore[attr-defined]
    events = run.order(run.mover, Play(("0",)))
    (played,) = [event for event in events if isinstance(event, Played)]
    assert played.cards == (("F0",) if card == ("F",) else card)
    for viewer in VIEWERS:
        assert redact(played, viewer) == played
        model = run.model(viewer)
        assert model.at(seat).seen == ()
        assert model.at(seat).cards == 0
        assert snapshot(model) == model


def test_the_fool_leaves_the_hand_whatever_it_was_played_as() -> None:
    run, chance = started(), random.Random(1)
    while not (run.asked.act == "play" and "F" in (run.asked.hand or ())):
        run.any_move(chance)
    seat = run.asked.seat
    run.order(run.mover, Play(("F22",)))
    assert "F" not in run.model(seat).holding
    assert len(run.model(seat).holding) == run.model(seat).at(seat).cards


def test_everybody_begins_with_their_points_on_the_table() -> None:
    run = started()
    (game,) = [e.event for e in run.stream.after(0) if isinstance(e.event, Game_)]
    assert (game.target, game.start) == (0, 50)
    for viewer in VIEWERS:
        model = run.model(viewer)
        assert [model.at(seat).total for seat in SEATS] == [50, 50, 50]
        assert snapshot(model) == model


def test_a_question_says_in_public_what_was_bid_and_won() -> None:
    run = started()
    first = run.asked
    assert (first.tricks, first.bids) == (7, ())
    run.order(run.mover, Bid("2"))
    seen = redact(run.asked, None)
    assert seen == Turn(2, run.asked.seat, "bid", tricks=7, bids=(2,))
    run.order(run.mover, Bid("3"))
    assert run.asked.bids == (2, 3)
    assert "2" not in (run.asked.legal or ())
    run.order(run.mover, Bid("0"))
    assert (run.asked.bid, run.asked.won) == (2, 0)
