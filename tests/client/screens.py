"""What a person sees of every game, in windows of several sizes.

`python -m tests.client.screens` writes the screens anew, to be looked at before they are kept. What
the server says stands in `golden/games`, up to a question in each part; what is on the screen when
that question is open, in `golden/screens`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.client.kit import Peer, scripted
from tests.client.screen import Terminal

GOLDEN = Path(__file__).parent / "golden"
GAMES = ("twentytwo", "twentysix", "whist22", "twentyeight")
SIZES = ((40, 15), (80, 24), (200, 60))


@dataclass(frozen=True, slots=True)
class Scene:
    """A game in windows of these columns and rows, one after the other in one run of the client.

    `env` is what is otherwise in the environment, `variant` how that is called.
    """

    game: str
    sizes: tuple[tuple[int, int], ...] = SIZES
    variant: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    def file(self, size: tuple[int, int]) -> Path:
        """Where its screens are kept."""
        columns, rows = size
        return GOLDEN / "screens" / f"{self.game}-{columns}x{rows}{self.variant}.txt"


SCENES = [
    *(Scene(game) for game in GAMES),
    Scene("twentyeight", ((40, 15),), "-ascii", {"LANG": "C", "NO_COLOR": "1"}),
    Scene("twentytwo", ((80, 24),), "-dumb", {"LANG": "de_DE.UTF-8", "TERM": "dumb"}),
]
Look = Callable[[Terminal, tuple[int, int], int], None]
"""Looks at a terminal that is so large, at the question of that number."""


def parts(game: str, table: str) -> list[list[str]]:
    """What the server says, up to each question."""
    text = (GOLDEN / "games" / f"{game}.txt").read_text("utf-8")
    return [part.splitlines() for part in text.replace("on=t1 ", f"on={table} ").split("\n\n")]


def played(scene: Scene, look: Look) -> Terminal:
    """Plays a scene to its end; `look` is called at each question."""
    tables = [parts(scene.game, f"t{number}") for number in range(1, len(scene.sizes) + 1)]

    def serve(peer: Peer) -> None:
        peer.greet()
        for number, told in enumerate(tables, 1):
            id = peer.expect(f" join t{number}")
            peer.send(f"{id} OK on=t{number} seat=1 seq=1", *told[0])
            for part in told[1:]:
                peer.expect(" motd")
                peer.send(*part)
            last = sum(map(len, told)) + 1
            id = peer.expect(" leave" if told is not tables[-1] else " quit")
            peer.send(
                f"LEFT on=t{number} seq={last} seat=1 name=~bob why=left", f"{id} OK :You leave."
            )
        peer.send("BYE code=QUIT resume=0 :Goodbye.")

    with tempfile.TemporaryDirectory() as state, scripted(serve) as server:
        options = ("play", server.address, "--name", "bob")
        terminal = Terminal(
            *options, state=Path(state), size=scene.sizes[0], env={"COLUMNS": ""} | dict(scene.env)
        )
        with terminal:
            terminal.until(lambda lines: any("the rest." in line for line in lines))
            for at, size in enumerate(scene.sizes):
                terminal.resize(*size)
                if not scene.variant:
                    terminal.type("\x0c")  # an empty screen
                terminal.enter(f"join t{at + 1}")
                for number in range(len(tables[at])):
                    look(terminal, size, number)
                    terminal.enter("motd" if number + 1 < len(tables[at]) else "/help")
                terminal.see("/help - ")
                if size != scene.sizes[-1]:
                    terminal.enter("leave")
                    terminal.enter("leave")
                    terminal.see("You leave.")
            terminal.enter("quit")
            assert terminal.ended() == 0
            return terminal


def screens(scene: Scene, size: tuple[int, int]) -> list[list[str]]:
    """The screens that are kept of a scene."""
    text = scene.file(size).read_text("utf-8")
    return [screen.splitlines() for screen in text.rstrip("\n").split("\n\f\n")]


def written(lines: list[str]) -> str:
    """A screen as it is kept: no empty lines at its end."""
    return "\n".join(lines).rstrip("\n")


def settled(terminal: Terminal) -> list[str]:
    """The screen, once it has been the same for half a second."""
    before: list[str] = []
    quiet = 0
    while quiet < 25:
        lines = terminal.look()
        quiet = quiet + 1 if lines == before else 0
        before = lines
    return before


def _anew(scene: Scene) -> Iterator[str]:
    found: dict[tuple[int, int], list[str]] = {}

    def keep(terminal: Terminal, size: tuple[int, int], number: int) -> None:
        found.setdefault(size, []).append(written(settled(terminal)))

    played(scene, keep)
    for size, screens in found.items():
        scene.file(size).parent.mkdir(exist_ok=True)
        scene.file(size).write_text("\n\f\n".join(screens) + "\n", "utf-8")
        yield f"{scene.file(size).name}: {len(screens)} screens"


if __name__ == "__main__":
    for scene in SCENES:
        for line in _anew(scene):
            print(line, file=sys.stderr)
