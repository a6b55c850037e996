"""Pairs of worlds: a viewer who cannot know the difference must get the same bytes at the same
times.

    python -m tests.secrets --pairs 100000 --seed 1

A pair is a script in two worlds, and a party that must not be able to distinguish them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.laws.laws import every_preset
from tests.secrets.scripts import Case, Script, script
from tests.secrets.stage import Heard, Stage
from tests.secrets.worlds import Other, other_world

WORLDS = 5
"""Number of other worlds in which a script is played."""


class Leak(AssertionError):
    """A party could distinguish two worlds."""


@dataclass(slots=True)
class Count:
    """Statistics of the comparisons."""

    scripts: int = 0
    worlds: int = 0
    pairs: int = 0
    bytes: int = 0
    impossible: int = 0

    def __iadd__(self, other: Count) -> Count:
        self.scripts += other.scripts
        self.worlds += other.worlds
        self.pairs += other.pairs
        self.bytes += other.bytes
        self.impossible += other.impossible
        return self


def cases(game: str, first: int = 0) -> Iterator[Case]:
    """Yields endless cases of a game, cycling through its presets."""
    presets = [preset for key, preset in every_preset() if key == game]
    number = first
    while True:
        for preset in presets:
            yield Case(game, preset, number)
        number += 1


def compare(case: Case) -> Count:
    """Plays a case in its worlds. Raises `Leak` if a party could distinguish them."""
    dice = random.Random(f"worlds of {case}")
    found, count = script(case), Count(scripts=1)
    others = [other_world(found, dice) for _ in range(WORLDS)]
    worlds = [other for other in others if other is not None]
    count.impossible = len(others) - len(worlds)
    if not worlds:
        return count
    first = Stage(found, found.steps).play()
    for other in worlds:
        second = Stage(found, other.steps).play()
        count.worlds += 1
        _compare(found, other, first, second, count)
    return count


def _compare(
    found: Script, other: Other, first: Sequence[Heard], second: Sequence[Heard], count: Count
) -> None:
    for party, here, there in zip(found.parties, first, second, strict=True):
        if party.viewer not in other.blind:
            continue
        count.pairs += 1
        count.bytes += sum(len(data) for _, data in here)
        if here != there:
            raise Leak(f"{found.case}: {party} {dict(other.change)}\n{_difference(here, there)}")


def _difference(here: Heard, there: Heard) -> str:
    """The first lines that differ."""
    for one, other in zip(here, there, strict=False):
        if one != other:
            lines = zip(_lines(one), _lines(other), strict=False)
            return next((f"{a}\n{b}" for a, b in lines if a != b), f"{one}\n{other}")
    return f"{len(here)} writes, and {len(there)}"


def _lines(write: tuple[int, bytes]) -> list[str]:
    at, data = write
    return [f"{at} ms {line}" for line in data.decode(errors="replace").splitlines()]


@dataclass(slots=True)
class Found:
    """The results of many cases: the comparisons, and the leaks with their messages."""

    count: Count = field(default_factory=Count)
    leaks: list[str] = field(default_factory=list)


def run(game: str, pairs: int, first: int = 0, most_leaks: int = 1) -> Found:
    """Compares up to `pairs` pairs of a game; stops after `most_leaks` leaks."""
    found = Found()
    for case in cases(game, first):
        try:
            found.count += compare(case)
        except Leak as leak:
            found.leaks.append(str(leak))
            if len(found.leaks) == most_leaks:
                break
        if found.count.pairs >= pairs:
            break
    return found
