"""The work that a line makes for the server, as a number of calls: no clock can blur it."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import twentytwo_server
from tests.laws.laws import Step
from tests.secrets.pairs import Leak
from tests.secrets.scripts import Case, Say, Script, script
from tests.secrets.stage import Stage
from tests.secrets.worlds import other_world

SERVER = str(Path(twentytwo_server.__file__).parent)


class Worked(Stage):
    """A stage that counts the server's calls for every line of the script: `work`, in order."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.work: list[tuple[Say, int]] = []

    def _say(self, who: int, said: Say) -> None:
        self._said: Say | None = said
        super()._say(who, said)
        self._said = None

    def _tell(self, who: int, *lines: str) -> None:
        said, calls = getattr(self, "_said", None), 0

        def count(frame: FrameType, event: str, argument: object) -> None:
            nonlocal calls
            calls += event == "call" and frame.f_code.co_filename.startswith(SERVER)

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            super()._tell(who, *lines)
        finally:
            sys.setprofile(before)
        if said is not None:
            self.work.append((said, calls))


def work_of(found: Script, steps: Sequence[Step]) -> list[tuple[Say, int]]:
    """The lines of a script in one of its worlds, each with its work once all caches are full."""
    Worked(found, steps).play()
    stage = Worked(found, steps)
    stage.play()
    return stage.work


def compare_work(case: Case) -> int:
    """Compares the work for the lines of whoever cannot tell two worlds apart; their number.

    Raises `Leak` where it differs.
    """
    found = script(case)
    other = other_world(found, random.Random(f"worlds of {case}"))
    if other is None:
        return 0
    compared = 0
    first, second = work_of(found, found.steps), work_of(found, other.steps)
    for (said, here), (also, there) in zip(first, second, strict=True):
        assert said == also
        if found.parties[said.who].viewer in other.blind:
            compared += 1
            if here != there:
                raise Leak(f"{case}: {said.line!r} makes {here} calls, and {there}")
    return compared
