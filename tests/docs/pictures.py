"""Draws the pictures in the documents: `python -m tests.docs.pictures`, or some of them by name.

Each shows the real program: the client in a terminal, on a server of its own; the table that fills
the terminal; a page of a game, and the page of a server, in a browser; figures of games that were
played. Without chromium the pictures of pages stay as they are.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.client.screen import Terminal
from tests.docs import full_screen_pictures, page_pictures, statistics_pictures
from tests.docs.terminal_svg import picture
from tests.kit import forked
from tests.kit.browser import BROWSER, MISSING, photograph
from tests.walls.source import ROOT

FOLDER = ROOT / "docs" / "pictures"
LARGEST = 150_000
"""Bytes that a picture has at most."""
GAME = ROOT / "docs" / "games" / "three.txt"
SEAT = 2
"""Whose eyes a page has."""


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A practice game in a terminal of 80 columns, after these lines; it shows `words`."""

    game: str
    lines: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its file."""
        return f"table-{self.game}.svg"


TABLES = (
    TablePicture("twentytwo", ("x 8 8 j q", "a", "q"), ("out at 22", "to beat: J 5")),
    TablePicture("twentysix", ("x 7 8 10",), ("out at 26", "joker(A)")),
    TablePicture("whist22", ("1", "7"), ("of 5 tricks bid", "0 of 1")),
    TablePicture("twentyeight", ("pass", "k"), ("trump hidden", "partner")),
)
QUESTION = re.compile("^Your (turn|lead|bid)[,:]")


def table(wanted: TablePicture) -> str:
    """Plays that far, and draws what is on the screen."""
    command = ("practice", wanted.game, "seed=22")
    with tempfile.TemporaryDirectory() as folder:
        env = {"XDG_DATA_HOME": folder, "USER": "ann"}
        with Terminal(*command, state=Path(folder), env=env) as terminal:
            terminal.until(lambda _: asked(terminal, ""))
            for line in wanted.lines:
                terminal.enter(line)
                terminal.until(lambda _, line=line: asked(terminal, line))  # type: ignore[misc]
            return picture(terminal, " ".join(("twentytwo", *command)))


def asked(terminal: Terminal, line: str) -> bool:
    """Whether a question follows what was typed, and the cards under the prompt are those of it."""
    found = terminal.all()
    typed = [at for at, each in enumerate(found) if each == f"> {line}"] if line else [0]
    if not typed:
        return False
    since = found[typed[-1] :]
    refused = next((each for each in since if each.startswith("! ")), "")
    assert not refused, refused
    return (
        any(QUESTION.match(each) for each in since)
        and "YOUR TURN" in "\n".join(found[-6:])
        and any(each.startswith(">you") for each in found[-6:])
        and cards(found, "Your ") == cards(found, " you: ")
        and terminal.look() is terminal.look()
    )


def cards(lines: Sequence[str], start: str) -> str:
    """The cards of the last line that begins so, without brackets."""
    found = [
        line.partition(": ")[2]
        for line in lines
        if line.startswith(start) and not QUESTION.match(line) and ": " in line
    ]
    return re.sub(r"[\[\].]", "", found[-1]) if found else ""


# -------------------------------------------------------------------------------- pages


def page_of(
    game: Path, at: int, size: tuple[int, int], *, reviewed: bool
) -> Callable[[Path], None]:
    """Photographs the page of a game at a step, perhaps with a review of it."""

    def draw(picture: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            page, review = Path(folder) / "game.html", Path(folder) / "review.json"
            command = ["replay", str(game), "--html", str(page), "--seat", str(SEAT)]
            if reviewed:
                review.write_text(_printed("review", str(game), "--json"), "utf-8")
                command += ["--review", str(review)]
            _printed(*command)
            photograph(page, picture, size, at=str(at))

    return draw


def _printed(*arguments: str) -> str:
    done = forked.run("-m", "twentytwo_client", *arguments)
    done.check_returncode()
    return done.stdout


PAGES = {
    "replay.webp": page_of(GAME, 10, (900, 780), reviewed=False),
    "review.webp": page_of(GAME, 15, (900, 1180), reviewed=True),
}


# -------------------------------------------------------------------------------- all


def names() -> list[str]:
    """All pictures, by the names of their files."""
    return [
        *(each.name for each in TABLES),
        *full_screen_pictures.NAMES,
        statistics_pictures.NAME,
        *PAGES,
        *page_pictures.NAMES,
    ]


def draw(wanted: Sequence[str]) -> Iterator[str]:
    """Draws the pictures of these names, and says each that is drawn or is not."""
    FOLDER.mkdir(exist_ok=True)
    drawn = {each.name: table(each) for each in TABLES if each.name in wanted}
    if statistics_pictures.NAME in wanted:
        drawn[statistics_pictures.NAME] = statistics_pictures.draw()
    if any(name in wanted for name in full_screen_pictures.NAMES):
        drawn |= full_screen_pictures.draw(wanted)
    for name, text in drawn.items():
        (FOLDER / name).write_text(text, "utf-8")
        yield name
    for name, photographed in PAGES.items():
        if name in wanted and BROWSER is not None:
            photographed(FOLDER / name)
        if name in wanted:
            yield name if BROWSER is not None else f"{name}: not drawn, {MISSING}"
    of_the_page = [name for name in page_pictures.NAMES if name in wanted]
    if BROWSER is None:
        yield from (f"{name}: not drawn, {MISSING}" for name in of_the_page)
    elif of_the_page:
        yield from page_pictures.draw(of_the_page, FOLDER)


if __name__ == "__main__":
    for line in draw(sys.argv[1:] or names()):
        print(line, file=sys.stderr)
