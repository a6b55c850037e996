"""The command `record`: checks and shows records of games in files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import click

from twentytwo_protocol import event_link, logs, record_link
from twentytwo_protocol.folding import Fold
from twentytwo_protocol.record import NotARecord, Record, read, read_numbered
from twentytwo_protocol.record_link import BrokenLink
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.voice import OpenVoice, PastVoice, listed, plural

from ..games.registry import games
from ..records import checking, linked, telling
from ..records.replay import NotReplayable
from .given import called, command, text_of
from .one_line import FAILED, why

SEAT = click.option("--seat", type=int, help="Only the view of this seat; 0 is a spectator.")
FILE = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
UNREADABLE = (NotARecord, BrokenLink, OSError, UnicodeDecodeError)
"""The errors of an unreadable record."""
WRONG = 5
"""Exit status of `check` if a record is wrong."""


@click.group()
def record() -> None:
    """Check, show and convert records of games."""


@record.command()
@FILE
@SEAT
def events(file: Path, seat: int | None) -> None:
    """Print all events of the game, as lines of the protocol."""
    found = _read(file, seat)
    for line in event_lines(found, seat):
        click.echo(line)


@record.command()
@FILE
@SEAT
def view(file: Path, seat: int | None) -> None:
    """Print the game in sentences; with all cards open unless --seat names a seat."""
    found = _read(file, seat)
    names = {number: found.name(number) for number in _seats(found)}
    known = Fold("")
    voice = (
        OpenVoice(names, None, found.game, known=known)
        if seat is None
        else PastVoice(names, seat or None, found.game, known=known)
    )
    for event in _seen(_told(found), seat):
        telling.note(event, known)
        sentence = voice.sentence(event)
        if sentence:
            click.echo(sentence)


@record.command()
@FILE
def show(file: Path) -> None:
    """Print a summary: the game, its players, and its result."""
    for line in summary(_read(file)):
        click.echo(line)


@record.command()
@FILE
@click.option("--page", metavar="URL", help="Make a link to this page, for browsers.")
def link(file: Path, page: str | None) -> None:
    """Print the record as a link: one word that `twentytwo replay` opens.

    With --page it is a link to a page that a server or `twentytwo web` hands out. It has the
    events of the game in place of its moves, and is longer.
    """
    try:
        text = text_of(file)
        found = read(text)
    except UNREADABLE as wrong:
        _fail(f"{called(file)}: {why(wrong)}")
    if page is None:
        click.echo(record_link.pack(text))
        return
    if not found.end:
        _fail(f"{called(file)}: a page shows games that are over, and this one has no end")
    address = urlsplit(page)
    names = {seat: found.name(seat) for seat in _seats(found)}
    game = event_link.pack(linked.lines(_told(found), names, found.game))
    click.echo(address._replace(path=address.path or "/", fragment=f"game={game}").geturl())


@record.command()
@FILE
def unlink(file: Path) -> None:
    """Print the record in a link, unchanged."""
    try:
        click.echo(text_of(file), nl=False)
    except UNREADABLE as wrong:
        _fail(f"{called(file)}: {why(wrong)}")


@record.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
def check(files: Sequence[Path]) -> None:
    """Replay records by the rules. Print OK, or the wrong line and the reason (exit status 5).

    For the two games of a pair of tables it also prints whether both had the same cards.
    """
    right: list[tuple[Path, Record]] = []
    for file in files:
        said, found = verdict(file)
        click.echo(f"{called(file)}: {said}")
        right += [(file, found)] if found is not None else []
    pairs = [
        (f"{called(one)} and {called(other)}", checking.dealt_alike(first, second))
        for (one, first), (other, second) in combinations(right, 2)
        if checking.are_pair(first, second)
    ]
    for both, alike in pairs:
        click.echo(f"{both}: {'OK, dealt the same cards' if alike else 'not dealt the same cards'}")
    sys.exit(0 if len(right) == len(files) and all(alike for _, alike in pairs) else WRONG)


def verdict(file: Path) -> tuple[str, Record | None]:
    """The result of checking the record in a file: a sentence, and the record if it is correct."""
    try:
        found, lines = read_numbered(text_of(file))
    except UNREADABLE as unreadable:
        return why(unreadable), None
    wrong = checking.wrong(found, games())
    if wrong is not None:
        line = lines[wrong.move - 1] if wrong.move else 1
        return f"line {line}: {wrong.why}", None
    return f"OK, {plural(len(found.moves), 'move')}, {_ended(found)}{_shuffled(found)}", found


def event_lines(found: Record, seat: int | None) -> list[str]:
    """The events of a record as log lines: those that a seat saw, or all if `seat` is None."""
    on = found.id or telling.NUMBERLESS
    return list(logs.written(on, _title(found), _seen(_told(found), seat)))


def summary(found: Record) -> list[str]:
    """A summary of a record in words, as lines."""
    lines = [f"{found.id or 'A game'}: {_title(found)}, {plural(found.seats, 'player')}"]
    if found.began:
        lines.append(f"played from {found.began} to {found.ended or 'some time'}")
    lines += [f"  {name} = {value}" for name, value in found.options.items()]
    for result in sorted(found.results, key=lambda each: each.place):
        lines.append(
            f"{result.place}. {_player(found, result.seat)}, {plural(result.total, 'point')}"
        )
    if not found.results:
        lines.append(f"players: {listed(_player(found, seat) for seat in _seats(found))}")
    autos = sum(made.auto for made in found.moves)
    marked = f", {autos} of them by the clock or a stand-in" if autos else ""
    lines.append(f"{plural(len(found.moves), 'move')}{marked}; {_ended(found)}{_shuffled(found)}")
    return lines


def _title(found: Record) -> str:
    return f"{vocabulary(found.game).title} ({found.rules})"


def _player(found: Record, seat: int) -> str:
    bot = f" ({found.bots[seat]})" if seat in found.bots else ""
    return found.name(seat) + bot


def _ended(found: Record) -> str:
    return f"ended ({found.end})" if found.end else "no end told"


def _shuffled(found: Record) -> str:
    fair = found.fair
    if fair is None or not fair.seed:
        return ""
    return f", shuffles follow from the seed ({fair.alg})"


def _seats(found: Record) -> range:
    return range(1, found.seats + 1)


def _told(found: Record) -> list[Event]:
    try:
        return [*telling.table(found, games()), *telling.told(found, games())]
    except NotReplayable as wrong:
        _fail(str(wrong))


def _seen(told: Sequence[Event], seat: int | None) -> list[Event]:
    return list(told) if seat is None else [redact(event, seat or None) for event in told]


def _read(file: Path, seat: int | None = None) -> Record:
    """The record in a file. Exits with an error unless it is readable and has the seat."""
    try:
        found = read(text_of(file))
    except UNREADABLE as wrong:
        _fail(f"{called(file)}: {why(wrong)}")
    if seat is not None and not 0 <= seat <= found.seats:
        _fail(f"{called(file)}: --seat takes 1 to {found.seats} here, or 0 for a spectator")
    return found


def _fail(why: str) -> NoReturn:
    print(f"{command()}: {why}", file=sys.stderr)
    sys.exit(FAILED)
