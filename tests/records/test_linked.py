"""The lines of a game in a link for browsers: all of it, and to each seat only its own."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.kit.cases import together
from tests.records.corpus import FOLDER
from twentytwo_client.replay.sources import of_text
from twentytwo_protocol import event_link
from twentytwo_protocol import record as records
from twentytwo_protocol.record import Record
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.wire import write
from twentytwo_protocol.words.cardplay import Dealt, Turn
from twentytwo_server.cli import main
from twentytwo_server.games.registry import games
from twentytwo_server.records import linked, telling

GAMES = [path for path in sorted(FOLDER.glob("v1/*.txt")) if path.name != "digests.txt"]
PAGE = "https://cards.example.org"
LENGTHS = {
    "twentytwo": (1_700, 4_600),
    "twentysix": (6_200, 7_700),
    "whist22": (2_400, 4_200),
    "twentyeight": (3_200, 22_900),
}
"""About the letters of the shortest and the longest link by game; docs/records.md tells them."""
CARD = re.compile(r"\b(?:10|[2-9JQKA])[CDHS]\b")


@cache
def told(path: Path) -> tuple[Record, list[Event]]:
    """A record, and all its events."""
    record = records.read(path.read_text("utf-8"))
    return record, [*telling.table(record, games()), *telling.told(record, games())]


@cache
def lines(path: Path) -> list[tuple[str, str]]:
    record, events = told(path)
    names = {seat: record.name(seat) for seat in range(1, record.seats + 1)}
    return list(linked.lines(events, names, record.game))


def in_links(events: list[Event]) -> list[Event]:
    """The events that a link has: those of the shuffle are left out, and questions are short."""
    return [
        Turn(each.turn, each.seat, each.act) if isinstance(each, Turn) else each
        for each in events
        if not isinstance(each, linked.OF_THE_SHUFFLE)
    ]


def sees_all(event: Event, seat: int) -> bool:
    """The rule of the page: this seat sees the event with all its cards, and others do not."""
    if not seat or not hasattr(event, "seat"):
        return False
    others = isinstance(event, Dealt) and event.seen
    return (event.seat != seat) if others else bool(event.seat == seat)


@together("path", GAMES)
def test_a_link_tells_the_game_and_each_seat_what_it_saw(path: Path) -> None:
    record, every = told(path)
    pairs, events = lines(path), in_links(every)
    assert event_link.unpack(event_link.pack(pairs)) == pairs
    for seat in range(record.seats + 1):
        for event, (whole, closed) in zip(events, pairs, strict=True):
            line = whole if sees_all(event, seat) else closed
            assert line.partition(" :")[0] == write(redact(event, seat or None)), seat
    for whole, closed in pairs:
        head, _, sentence = closed.partition(" :")
        if whole != closed:
            assert {card.replace("10", "T") for card in CARD.findall(sentence)} <= cards_in(head)
    assert of_text(event_link.pack(pairs)) == events


def cards_in(line: str) -> set[str]:
    return set(re.split("[ =,]", line))


@together("game", list(LENGTHS))
def test_links_are_as_long_as_the_documents_say(game: str) -> None:
    paths = (path for path in GAMES if told(path)[0].game == game)
    lengths = [len(event_link.pack(lines(path))) for path in paths]
    assert (min(lengths), max(lengths)) == pytest.approx(LENGTHS[game], rel=0.05)
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text("utf-8")
    assert all(f"{length:,}" in page for length in LENGTHS[game])


def said(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(words), prog_name="twentytwo-server")
    return done.exit_code, done.output


def test_the_command_makes_a_link_to_a_page() -> None:
    path = str(GAMES[0])
    for page, begins in (
        (PAGE, f"{PAGE}/"),
        (f"{PAGE}/cards/?server=a#x", f"{PAGE}/cards/?server=a"),
    ):
        status, link = said("record", "link", "--page", page, path)
        assert status == 0 and link.startswith(f"{begins}#game={event_link.PREFIX}")
        assert event_link.unpack(link) == lines(GAMES[0])


def test_a_game_that_is_not_over_has_no_link_for_browsers(tmp_path: Path) -> None:
    text = "".join(
        line for line in GAMES[0].read_text("utf-8").splitlines(keepends=True) if line[:4] != "end "
    )
    (tmp_path / "game.txt").write_text(text, "utf-8")
    status, why = said("record", "link", "--page", PAGE, str(tmp_path / "game.txt"))
    assert status == 1 and why.endswith(
        "a page shows games that are over, and this one has no end\n"
    )


@pytest.mark.parametrize("words", [("record", "unlink"), ("record", "check"), ("review",)])
def test_a_command_that_needs_the_moves_says_so(words: tuple[str, ...]) -> None:
    link = event_link.pack(lines(GAMES[0]))
    status, why = said(*words, link)
    assert (
        status and "it has the events of a game and not its moves; twentytwo replay shows it" in why
    )
