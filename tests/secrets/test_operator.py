"""An operator who constantly sends every query cannot distinguish two worlds either."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from unittest.mock import patch

import pytest
from twisted.internet.defer import Deferred

from tests.kit.length import times
from tests.laws.laws import Step
from tests.secrets.pairs import cases
from tests.secrets.scripts import Script, script
from tests.secrets.stage import Stage
from tests.secrets.worlds import other_world
from twentytwo_server.games.registry import games
from twentytwo_server.operator.actions.context import AdminAnswer, Given
from twentytwo_server.operator.admin_actions import ACTIONS, AdminActions
from twentytwo_server.operator.stopping import Stopping
from twentytwo_server.store import Refused

PAIRS = times(8, long=200)
LOOKS = ("who", "tables", "bans", "reports", "show report", "log")
"""All admin commands that show information."""

pytestmark = pytest.mark.usefixtures("quiet")


def seen(made: Script, steps: tuple[Step, ...]) -> list[str]:
    """All answers to an operator while a script is played; the script also reports a person."""
    stage = Stage(made, steps)
    actions = AdminActions(stage.host, Stopping(stage.host, stage.clock, lambda: None))
    heard: list[str] = []

    def answered(answer: AdminAnswer) -> None:
        heard.append(json.dumps([answer.text, list(answer.rows)]))

    def look() -> None:
        match = stage.room.table.match
        if match is None or match.over:
            return
        if not heard:
            game = match.terms.id
            filed = stage.host.reports.file("~ann", "~bob", "203.0.113.7", "slow", "t1", game)
            stage.host.store.keep([filed], lambda: None)
        for command in LOOKS:
            given = {"id": "1"} if command == "show report" else {}
            asked = Deferred.fromCoroutine(actions.carry_out(0, command, given))
            asked.addCallback(answered).addErrback(lambda failure: failure.trap(Refused))

    stage.after_each = look
    stage.play()
    return heard


def pairs(game: str) -> Iterator[tuple[list[str], list[str]]]:
    """The operator's view of a game in two worlds with different hidden cards."""
    for case in cases(game):
        made = script(case)
        other = other_world(made, random.Random(str(case)))
        if other is not None and None in other.blind and other.change:
            yield seen(made, tuple(made.steps)), seen(made, other.steps)


@pytest.mark.parametrize("game", list(games()))
def test_no_admin_command_shows_a_running_hand(game: str) -> None:
    for here, there in islice(pairs(game), PAIRS):
        assert len(here) > len(LOOKS)
        assert here == there


def test_a_planted_command_that_shows_a_hand_is_found() -> None:
    async def leaking(admin: AdminActions, given: Given) -> AdminAnswer:
        rooms = admin.host.rooms.values()
        seats = [(room, room.table.on_turn) for room in rooms]
        held = [room.model(seat.number).holding for room, seat in seats if seat is not None]
        return AdminAnswer("", [{"held": " ".join(cards)} for cards in held])

    with patch.dict(ACTIONS, {"tables": leaking}):
        assert any(here != there for here, there in islice(pairs("twentytwo"), PAIRS))
