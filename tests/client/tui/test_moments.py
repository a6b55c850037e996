"""What stays on the table for a moment: the end of a trick, and of a hand."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from tests.client.kit import ENDING, SEATING, TRICKS, named
from tests.client.tui.tables import Seen, playing
from twentytwo_client.display.look import Look
from twentytwo_client.tui.canvas import Faces
from twentytwo_client.tui.moments import HAND_STAYS, TRICK_STAYS, Moments
from twentytwo_client.tui.painting import painted
from twentytwo_protocol.voice import plain_cards


class Watched:
    """Somebody who looks at table t7 while its events come."""

    def __init__(self, *, hurried: bool = False) -> None:
        self.time = 0.0
        self.moments = Moments(lambda: self.time, hurried=hurried)
        self.talk = named()
        ask = self.talk.say("join t7")
        self.hear(f"@{ask.id} OK on=t7 seat=2 seq=2")

    def hear(self, *lines: str) -> None:
        """These events come all at once."""
        self.talk.receive("".join(f"{line}\r\n" for line in lines).encode())
        for _ in self.talk.updates():
            if table := self.talk.streams.tables.get("t7"):
                self.moments.see(table, plain_cards)

    def seen(self, columns: int = 80, rows: int = 12) -> str:
        """What is kept on the table now; empty if the table is seen as it is."""
        moment = self.moments.now()
        faces = Faces.of(Look())
        return "\n".join(painted(moment, faces, columns, rows).lines()) if moment else ""


def test_a_full_trick_stays_a_moment_and_says_who_took_it() -> None:
    watched = Watched()
    watched.hear(*SEATING, *TRICKS[:10])
    assert not watched.seen()
    watched.hear(*TRICKS[10:12])  # the trick is taken, and the next one begins
    assert "~cat takes trick 1 with AC." in watched.seen()
    assert all(card in watched.seen() for card in ("AH", "2C", "AC"))
    assert watched.moments.left == pytest.approx(TRICK_STAYS)
    watched.time = TRICK_STAYS
    assert not watched.seen()


@pytest.mark.parametrize("size", [(80, 14), (40, 9)])
def test_how_a_hand_ended_stays_after_its_last_trick(size: tuple[int, int]) -> None:
    watched = Watched()
    watched.hear(*SEATING, *TRICKS, *ENDING[:4])
    assert watched.moments.pass_on() and not watched.seen()
    watched.hear(*ENDING[4:])
    assert "You take trick 3" in watched.seen()
    watched.time = TRICK_STAYS
    last = watched.seen(*size)
    assert "QS" not in last and all(card in last for card in ("5C", "KC", "KH"))
    assert "~cat loses" in last and "~ann loses" in last and "22" in last
    watched.time += HAND_STAYS
    assert not watched.seen()


def test_a_question_with_a_clock_is_not_kept_from_view_for_longer_than_the_end_of_a_hand() -> None:
    watched = Watched()
    watched.hear(*SEATING, *TRICKS, *ENDING[:18])
    watched.hear(
        "HAND on=t7 seq=47 no=2 dealer=1 size=7 stock=31",
        "TURN on=t7 seq=48 turn=20 seat=2 act=play ms=20000 choose=one legal=5 default=5",
    )
    assert watched.seen()
    watched.time = HAND_STAYS
    assert not watched.seen()


def test_where_nothing_is_to_stay_nothing_does() -> None:
    watched = Watched(hurried=True)
    watched.hear(*SEATING, *TRICKS, *ENDING)
    assert not watched.seen()


async def test_a_key_goes_on_and_does_nothing_else(server: str, tmp_path: Path) -> None:
    async with playing(
        server, tmp_path, name="calm", do="practice twentytwo seed=1", slow=True
    ) as seen:
        await seen.turn()
        await seen.enter("keep")
        await seen.turn()
        await seen.press("down", "enter")
        await seen.until(lambda: "trick 1 with" in seen.table)
        await seen.until(lambda: seen.turn_number is not None)
        assert "YOUR TURN" not in seen.title and not seen.choices.choices
        turn = seen.turn_number
        await seen.press("space")
        await seen.turn()
        assert seen.turn_number == turn and not seen.hand.hand.chosen


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_how_a_hand_ended_stands_where_its_cards_lay(
    size: tuple[int, int], server: str, tmp_path: Path
) -> None:
    begin = "practice whist22 seed=1"
    name = f"late{size[0]}"
    async with playing(server, tmp_path, name=name, do=begin, size=size, slow=True) as seen:
        while not seen.hand.words:
            await seen.until(lambda: seen.choices.choices or seen.hand.words)
            if seen.choices.choices:
                before = seen.turn_number
                await seen.press("down", "enter")
                await seen.until(partial(_otherwise, seen, before))
        shown = " ".join(f"{seen.table} {' '.join(seen.hand.shown())}".split())
        for who in ("You", "steady", "steady2", "steady3"):
            assert f"{who} bid" in shown
        assert len(re.findall(r"\d+ left\.", shown)) == 4


def _otherwise(seen: Seen, before: int | None) -> bool:
    """Whether something else can be done now, or nothing for a moment."""
    return seen.turn_number != before
