"""What a person sees of every game on the table that fills the terminal, in several sizes.

`python -m tests.client.tui.screens` writes the screens anew, to be looked at before they are kept.
What the server says is that of the usual client's screens, and one game of twelve.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.client.kit import Peer, scripted
from tests.client.screen import Terminal
from tests.client.screens import GAMES, GOLDEN, SIZES, parts, settled, written
from twentytwo_client.tui.moments import HURRIED

GAMES_HERE = (*GAMES, "twelve")
"""The games, and Twenty-Two for twelve."""
Look = Callable[[Terminal, tuple[int, int], int], None]
"""Looks at a terminal that is so large, at the question of that number."""


def file(game: str, size: tuple[int, int]) -> Path:
    """Where the screens of a game are kept."""
    return GOLDEN / "full-screens" / f"{game}-{size[0]}x{size[1]}.txt"


def kept(game: str, size: tuple[int, int]) -> list[list[str]]:
    """The screens that are kept of a game."""
    text = file(game, size).read_text("utf-8")
    return [screen.splitlines() for screen in text.rstrip("\n").split("\n\f\n")]


def played(game: str, look: Look) -> None:
    """Goes through a game; `look` is called at each question, in each size."""
    told = parts(game, "t1")

    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(" join t1")
        peer.send(f"{id} OK on=t1 seat=1 seq=1", *told[0])
        for part in told[1:]:
            peer.expect(" motd")
            peer.send(*part)
        peer.quit()

    with tempfile.TemporaryDirectory() as state, scripted(serve) as server:
        options = ("play", server.address, "--tui", "--name", "bob", "--table", "t1")
        env = {"COLUMNS": "", HURRIED: "1"}
        with Terminal(*options, state=Path(state), size=SIZES[0], env=env) as terminal:
            for number in range(len(told)):
                for size in SIZES:
                    terminal.resize(*size)
                    look(terminal, size, number)
                if number + 1 < len(told):
                    terminal.enter("motd")
            terminal.type("\x11")  # Ctrl-Q
            assert terminal.ended() == 0


def _anew(game: str) -> Iterator[str]:
    found: dict[tuple[int, int], list[str]] = {}

    def keep(terminal: Terminal, size: tuple[int, int], number: int) -> None:
        # Drawn anew for this size, and not what is left of another.
        end = min(size[0], 102) - 1
        terminal.until(lambda lines: lines[0].rstrip().endswith("YOUR TURN"))
        terminal.until(lambda lines: len(lines[0].rstrip()) == end)
        found.setdefault(size, []).append(written(settled(terminal)))

    played(game, keep)
    for size, screens in found.items():
        file(game, size).parent.mkdir(exist_ok=True)
        file(game, size).write_text("\n\f\n".join(screens) + "\n", "utf-8")
        yield f"{file(game, size).name}: {len(screens)} screens"


if __name__ == "__main__":
    for game in sys.argv[1:] or GAMES_HERE:
        for line in _anew(game):
            print(line, file=sys.stderr)
