"""The pictures in the documents: linked, small, alone, and with the words that they are to show.

python -m tests.docs.pictures       draws them anew
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.docs import full_screen_pictures, pictures, statistics_pictures
from tests.docs.pictures import FOLDER, LARGEST, TABLES, TablePicture, cards
from tests.docs.test_links import PAGES, prose
from tests.kit.cases import together
from twentytwo_protocol.vocabulary import vocabulary

STORED = sorted(FOLDER.iterdir())
_SHOWN = re.compile(r"!\[([^\]]*)\]\(([^()\s]+)\)")
_LINKED = re.compile(r"\]\(([^()\s]+\.(?:svg|png|webp))\)")
LONG_ENOUGH = 40
"""Letters of a text that says what a picture shows."""


def lines(svg: str) -> list[str]:
    """What stands in a picture, row by row."""
    rows: dict[float, list[tuple[float, str]]] = defaultdict(list)
    for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        at = (float(text.get("x", 0)), "".join(text.itertext()).replace("\N{NO-BREAK SPACE}", " "))
        rows[float(text.get("y", 0))].append(at)
    return [_row(rows[y]) for y in sorted(rows)]


def _row(parts: list[tuple[float, str]]) -> str:
    return re.sub(" +", " ", " ".join(text for _, text in sorted(parts))).strip()


def drawn(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def test_every_picture_is_shown_or_linked_and_every_link_has_its_picture() -> None:
    texts = {page: prose(page.read_text("utf-8")) for page in PAGES}
    linked = {
        (page.parent / link).resolve()
        for page, text in texts.items()
        for link in _LINKED.findall(text)
    }
    assert linked == set(STORED) == {FOLDER / name for name in pictures.names()}
    for page, text in texts.items():
        for says, link in _SHOWN.findall(text):
            assert len(says) >= LONG_ENOUGH, f"{page.name}: {link} is not described"


@together("picture", STORED)
def test_a_picture_is_small_and_asks_for_nothing(picture: Path) -> None:
    assert 0 < picture.stat().st_size <= LARGEST
    if picture.suffix == ".svg":
        text = picture.read_text("utf-8")
        ElementTree.fromstring(text)
        assert not re.search(r"@import|@font-face|<script|<image|\bhref|url\((?!#)", text)


@pytest.mark.parametrize("picture", TABLES, ids=lambda each: each.name)
def test_a_table_is_seen_at_a_question_with_the_hand_of_it(picture: TablePicture) -> None:
    check(drawn(picture.name), picture)


def check(svg: str, wanted: TablePicture) -> None:
    seen = lines(svg)
    whole = "\n".join(seen)
    for words in (vocabulary(wanted.game).title, "YOUR TURN", *wanted.words):
        assert words in whole, words
    assert f"> {wanted.lines[-1]}" in seen
    told, status = (
        cards([row.replace("[ ", "[").replace(" ]", "]") for row in seen], start)
        for start in ("Your ", "you: ")
    )
    assert told.split() == status.split() != []


@together("game", full_screen_pictures.GAMES)
def test_a_full_screen_has_the_players_the_hand_and_what_to_do(game: str) -> None:
    whole = "\n".join(lines(drawn(f"tui-{game}.svg")))
    for words in (vocabulary(game).title, "YOUR TURN", "you", "steady2", "(enter)", "F1 help"):
        assert words in whole, words


def test_the_statistics_have_their_bars() -> None:
    whole = "\n".join(lines(drawn(statistics_pictures.NAME)))
    for words in ("Twenty-Two: 60 played", "last card A", "Whist 22: 24 played", "just so"):
        assert words in whole, words


def test_a_picture_is_drawn_of_what_the_client_shows_today() -> None:
    wanted = TABLES[1]
    check(pictures.table(wanted), wanted)
