"""Pictures of the page that a server hands out: a table at a desk, on a phone, in the dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.kit.processes import Server
from tests.web.browser import browsing
from tests.web.playing import ASKED, DOORS, House, tap


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A practice game in a window of this size, after so many taps; without a game the lobby."""

    name: str
    size: tuple[int, int]
    game: str = ""
    taps: int = 0
    dark: bool = False


PICTURES = (
    PagePicture("page-twentytwo.webp", (1100, 700), "twentytwo", 5),
    PagePicture("page-phone.webp", (390, 780), "twentysix", 4),
    PagePicture("page-landscape.webp", (844, 390), "whist22", 6),
    PagePicture("page-dark.webp", (390, 780), dark=True),
)
NAMES = tuple(each.name for each in PICTURES)


def draw(wanted: Sequence[str], folder: Path) -> Iterator[str]:
    """Draws the pictures of these names into a folder, and gives the names."""
    with Server("--dev", *DOORS, "--bot-pause", "0") as server, browsing() as browser:
        house = House.of(server, browser)
        for each in PICTURES:
            if each.name in wanted:
                _draw(house, each, folder / each.name)
                browser.close_pages()
                yield each.name


def _draw(house: House, picture: PagePicture, file: Path) -> None:
    """Plays that far, and photographs the window."""
    if picture.game:
        page = house.seated("ann", f"practice {picture.game} seed=22")
    else:
        page = house.visitor("ann")
    page.size(*picture.size, touch=picture.size[0] < 1000, dark=picture.dark)
    for _ in range(picture.taps):
        tap(page, page.until(ASKED))
    if picture.game:
        page.until(ASKED)
    page.run("new Promise((resolve) => requestAnimationFrame(resolve))")
    page.picture(file)
