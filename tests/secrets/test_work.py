"""The server works as much for a line, whichever cards lie where the sender may not look."""

from __future__ import annotations

from itertools import islice
from typing import Any
from unittest.mock import patch

import pytest

from tests.kit.length import times
from tests.secrets.pairs import Leak, cases
from tests.secrets.work import compare_work
from twentytwo_protocol.words.cardplay import Dealt
from twentytwo_server.games.registry import games
from twentytwo_server.host.tables.room import Room

SCRIPTS = times(3, long=12)

pytestmark = [pytest.mark.usefixtures("quiet"), pytest.mark.timeout(300)]


@pytest.mark.parametrize("game", list(games()))
def test_two_worlds_are_the_same_work_to_whoever_may_not_tell_them_apart(game: str) -> None:
    assert sum(map(compare_work, islice(cases(game), SCRIPTS))) >= 2 * SCRIPTS


def test_work_for_each_high_card_of_another_hand_is_noticed() -> None:
    whole = Room.seat_number

    def seat_number(self: Room, *person: Any) -> Any:
        for entry in self.stream.after(0):
            for card in (isinstance(entry.event, Dealt) and entry.event.cards) or ():
                if card[0] in "AKQ":
                    whole(self, *person)
        return whole(self, *person)

    with patch.object(Room, "seat_number", seat_number), pytest.raises(Leak, match=r"\d+ calls"):
        for case in islice(cases("twentytwo"), 20):
            compare_work(case)
