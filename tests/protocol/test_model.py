"""What a viewer knows: the fold of the events, and the same from a snapshot."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.conformance.quoting import ROOT, quotes
from tests.docs.transcripts import games
from tests.kit.cases import together
from tests.protocol.values import VOCABULARY
from twentytwo_protocol import wire
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Message, redact
from twentytwo_protocol.words.cardplay import Turn

START = (
    "OPTION key=game value=twentytwo",
    "JOINED seat=1 name=~ann bot=0",
    "HOST name=~ann",
    "JOINED seat=2 name=~bob bot=1",
    "READY seat=2 ready=1",
)
GAME = (
    "GAME game=twentytwo id=g1 players=2 version=1 ruleshash=ff145ffd target=10",
    "HAND no=1 dealer=1 size=2 stock=48",
    "DEALT seat=2 n=2 cards=4H,AC",
    "DEALT seat=1 n=2 cards=TH,TD",
    "TURN turn=1 seat=2 act=exchange choose=subset min=0 max=2 cards=4H,AC default=-",
    "EXCHANGED seat=2 n=1 gave=AC got=5C",
    "TURN turn=2 seat=1 act=exchange choose=subset min=0 max=2 cards=TD,TH default=-",
    "EXCHANGED seat=1 n=0 gave= got=",
    "TRICK trick=1 seat=2",
    "TURN turn=3 seat=2 act=play choose=one nlegal=2 legal=4,5 default=4 hand=4H,5C",
    "PLAYED seat=2 cards=4H kind=lead left=1",
    "TURN turn=4 seat=1 act=play beat=4 choose=one nlegal=1 legal=T default=T hand=TD,TH",
    "PLAYED seat=1 cards=TD kind=beat left=1",
    "TOOK seat=1 trick=1 cards=TD",
    "SHOWN seat=1 card=TH",
    "SHOWN seat=2 card=5C",
    "SCORED seat=1 points=10 total=10 card=TH",
    "OUT seat=1 total=10",
    "HANDOVER no=1 losers=1 totals=10,0",
    "RESULT seat=2 place=1 total=0",
    "RESULT seat=1 place=2 total=10",
    "GAMEOVER winners=2 why=last",
)
AFTER = (
    "SAID by=~ann :well played",
    "READY seat=1 ready=1",
    "OPTION key=limit value=30 by=~ann",
    "SWAPPED seat=3 name=~bob former=2 bot=1",
    "PRESENCE seat=1 here=0 ms=120000",
    "PRESENCE seat=1 here=1",
    "LEFT seat=3 name=~bob why=left",
    "HOST name=~ann",
)


def events(lines: Iterable[str]) -> list[Event]:
    """The events that the lines are."""
    found = []
    for line in lines:
        record = wire.parse(line)
        assert record is not None
        event = wire.decode(record)
        assert isinstance(event, Event), line
        found.append(event)
    return found


EVERYTHING = events(START + GAME + AFTER)


def model_at(seq: int, viewer: int | None) -> TableModel:
    """What the viewer knows after so many events."""
    model = TableModel("t1", viewer)
    for number, event in enumerate(EVERYTHING[:seq], 1):
        model.see(redact(event, viewer), number)
    return model


ASKED_AT_ONCE = (
    "TURN turn=1 seat=1 act=pass choose=cards min=3 max=3 cards=TD,TH default=TD",
    "TURN turn=2 seat=2 act=pass choose=cards default=4H",
    "ANSWERED turn=2 seat=2",
)


@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_several_seats_may_be_asked_at_once(viewer: int | None) -> None:
    model = TableModel("t1", viewer)
    asked = []
    for number, event in enumerate(events((*START, *ASKED_AT_ONCE)), 1):
        model.see(redact(event, viewer), number)
        asked.append([each.turn for each in model.standing if isinstance(each, Turn)])
        assert TableModel.from_rows(written_again(model.rows())) == model
    assert asked[-3:] == [[1], [1, 2], [1]]
    # Whatever tells the answers closes all questions.
    (bid,) = events(["EXCHANGED seat=1 n=0"])
    model.see(bid, number + 1)
    assert not [each for each in model.standing if isinstance(each, Turn)]


def written_again(rows: Iterable[Message]) -> list[Message]:
    """The rows after a journey over the wire."""
    found: list[Message] = []
    for row in rows:
        record = wire.parse(wire.write(row, re_="1"))
        assert record is not None
        message = wire.decode(record)
        assert message is not None
        found.append(message)
    return found


@quotes("The model built from state equals the model built from the events", "S4", "O6")
@together("viewer", [None, 1, 2])
@together("seq", range(1, len(EVERYTHING) + 1))
def test_the_model_from_its_rows_is_the_model(seq: int, viewer: int | None) -> None:
    assert VOCABULARY
    model = model_at(seq, viewer)
    assert TableModel.from_rows(written_again(model.rows())) == model


def test_the_model_knows_what_happened() -> None:
    model = model_at(len(START + GAME), 1)
    assert (model.phase, model.seats[2].place, model.seats[1].total) == ("over", 1, 10)
    assert model.seats[1].out and not model.seats[2].out
    assert model.holding == ()
    model = model_at(len(START) + 13, 1)
    assert model.holding == ("TH",)
    assert [type(event).word.word for event in model.standing][-2:] == ["PLAYED", "PLAYED"]
    assert model.stock == 47


def test_a_spectator_and_another_seat_never_hold_cards() -> None:
    for seq in range(len(EVERYTHING) + 1):
        assert model_at(seq, None).holding == ()
        assert not {"TH", "TD"} & set(model_at(seq, 2).holding)


def test_a_new_game_begins_with_nothing_left_over() -> None:
    model = model_at(len(START + GAME), 2)
    for number, event in enumerate(events(GAME[:1]), 100):
        model.see(event, number)
    assert model.phase == "playing"
    assert all(
        (seat.total, seat.out, seat.place) == (0, False, None) for seat in model.seats.values()
    )
    assert model.hand is None and not model.standing


def test_an_open_question_stands_until_it_is_answered() -> None:
    def questions(seq: int) -> list[str]:
        standing = model_at(seq, 2).standing
        return [type(event).word.word for event in standing if type(event).word.word == "TURN"]

    asked = len(START) + 5
    assert questions(asked) == ["TURN"]
    assert questions(asked + 1) == []


def test_the_transcript_of_the_specification_folds() -> None:
    page = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
    (bob,) = [part for part in games(page)["first"] if part.client == "bob"]
    model = TableModel("t1", 2)
    for seated in events(START[:4]):
        model.see(seated, 1)
    for step in bob.steps:
        for line in step.lines if step.kind == "S" else ():
            record = wire.parse(line)
            if record is not None and record.on == "t1" and record.id is None:
                event = wire.decode(record)
                assert isinstance(event, Event)
                model.see(event, record.seq)
    assert model.seats[2].place == 1 and model.seats[1].out
    assert model.seq == 78
