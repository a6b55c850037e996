"""Records of every version, kept for ever, each with the digest of its events.

`python -m tests.records.corpus NEW` writes the folder of a version that has none yet: two games by
every preset, and a few that did not end as games do. `GAME-PRESET...` after it writes the games of
these presets only. Nothing in a folder is ever written again.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.records.live import Live, played
from twentytwo_protocol import record as records
from twentytwo_protocol import wire
from twentytwo_protocol.record import Record
from twentytwo_server.games.registry import BUILT_IN, games
from twentytwo_server.records import telling

FOLDER = Path(__file__).parent
DIGESTS = "digests.txt"


def digest(record: Record) -> str:
    """A checksum of all events of a game, every card open, in the words of the first edition."""
    told = telling.told(record, games())
    lines = "".join(f"{wire.writer_as_of(1, type(event))(event)}\n" for event in told)
    return hashlib.sha256(lines.encode()).hexdigest()


def kept() -> Iterator[tuple[Path, str]]:
    """Every record that is kept, with the digest it has always had."""
    for listed in sorted(FOLDER.glob(f"v*/{DIGESTS}")):
        for line in listed.read_text().splitlines():
            name, _, found = line.partition(" ")
            yield listed.parent / name, found


def _games() -> Iterator[tuple[str, Live]]:
    for game in BUILT_IN:
        for preset in game.presets:
            for number in (1, 2):
                live = played(game.key, preset, number, most=5000, clever=True)
                yield f"{game.key}-{preset}-{number}.txt", live
    yield "aborted.txt", played("twentytwo", "pagat", 3, seats=3, most=20, clever=True)
    yield "clock.txt", _first(lambda live: any(made.auto for made in live.made), seats=3)
    yield "resigned.txt", _first(lambda live: live.ended.why == "resigned", seats=2)


def _first(wanted: object, *, seats: int) -> Live:
    assert callable(wanted)
    lives = (played("twentytwo", "pagat", number, seats=seats) for number in range(1000))
    return next(live for live in lives if wanted(live))


def main(version: str, *presets: str) -> None:
    """Writes the records of a version: all, or those of some presets."""
    folder = FOLDER / version
    folder.mkdir()
    lines = []
    for name, live in _games():
        if presets and name.rpartition("-")[0] not in presets:
            continue
        text = live.ended.record
        (folder / name).write_text(text)
        lines.append(f"{name} {digest(records.read(text))}\n")
    (folder / DIGESTS).write_text("".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
