"""The questions of a table in the SDK, without a connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.client.kit import GAME, SEATING, seated
from twentytwo_client.sdk.feed import MOST, Feed, Reconnected
from twentytwo_client.sdk.table import Table
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Gameover
from twentytwo_protocol.words.talk import Said

SAID = Said("~ann", text="again?")


def told(*lines: str) -> TableModel:
    """The table as it stands after these events."""
    return seated(*lines).streams.tables["t7"]


class Told:
    """A session in which each next event is preceded by a change of the table."""

    def __init__(self, *events: tuple[Event, Callable[[], None]]) -> None:
        self._events = list(events)

    async def next_of(self, _: object) -> Event:
        if not self._events:
            raise StopAsyncIteration
        event, change = self._events.pop(0)
        change()
        return event


async def test_after_a_game_that_is_over_the_questions_are_those_of_the_next_one() -> None:
    over = told(*GAME)
    assert over.phase == "over"
    assert over.game is not None
    again = [line.replace(f"id={over.game.id}", "id=g999") for line in GAME]
    running, ended = told(*again[: len(SEATING)]), told(*again)
    assert running.game is not None
    assert running.game.id == "g999"
    event = Gameover((1,), "last")

    def begins() -> None:
        table.state = running

    def ends() -> None:
        table.state = ended

    session: Any = Told((SAID, lambda: None), (SAID, begins), (event, ends), (event, ends))
    table = Table(session, over)
    asked = [question.game async for question in table.questions()]
    assert asked == ["g999"]
    assert table.state is ended


async def test_events_that_nobody_reads_are_dropped_and_their_reader_is_told_so() -> None:
    feed = Feed()
    for _ in range(MOST + 2):
        feed.put(SAID)
    read = []
    while (event := feed.take()) is not None:
        read.append(event)
    assert read == [Reconnected(complete=False), SAID, SAID]


async def test_events_from_before_the_questions_are_dropped() -> None:
    session: Any = Told()
    table = Table(session, told(*GAME[: len(SEATING)]))
    table.feed.put(SAID)
    assert await anext(table.questions())
    assert table.feed.take() is None
