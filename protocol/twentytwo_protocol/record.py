"""The record of a game as text: the save file, the replay, the bug report, the golden test.

    twentytwo-record 1
    game twentytwo
    version 1
    rules pagat
    option limit 22
    seats 3
    name 1 ann

    0 shuffle 2C+3C+4C
    1 exchange 9D+JC
    2 play Q+Q

First what was played and by which rules, every option of them, so that a rule corrected later
does not re-judge an old game unnoticed. After an empty line the moves, one a line: the seat (0
is the house), what was asked, the token of the answer. Header lines of other kinds are kept as
they are. `#` begins a comment line, which is not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

FORMAT = "twentytwo-record"
VERSION = 1


class NotARecord(ValueError):
    """A text that is no record; `line` is the number of the line that is wrong, from 1."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was made: the seat, 0 for the house; what was asked; the token."""

    seat: int
    act: str
    token: str


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its first shuffle on.

    `version` is that of the game's laws, `rules` the preset, `options` every option, `names` by
    seat where they are known, `other` further lines of the header as they are written.
    """

    game: str
    version: int
    rules: str
    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    other: tuple[str, ...] = ()
    moves: tuple[Made, ...] = ()


def write(record: Record) -> str:
    """The record as text, its last line ended."""
    return "\n".join([*_header(record), "", *map(_move, record.moves)]) + "\n"


def _header(record: Record) -> Iterator[str]:
    yield f"{FORMAT} {VERSION}"
    yield f"game {record.game}"
    yield f"version {record.version}"
    yield f"rules {record.rules}"
    yield from (f"option {name} {value}" for name, value in record.options.items())
    yield f"seats {record.seats}"
    yield from (f"name {seat} {name}" for seat, name in sorted(record.names.items()))
    yield from record.other


def _move(made: Made) -> str:
    return f"{made.seat} {made.act} {made.token}"


def read(text: str) -> Record:
    """The record that a text is. Raises `NotARecord`."""
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.splitlines(), 1)
        if not line.startswith("#")
    ]
    if not lines or lines[0][1] != f"{FORMAT} {VERSION}":
        raise NotARecord(f"a record begins with '{FORMAT} {VERSION}'", lines[0][0] if lines else 1)
    end = next((i for i, (_, line) in enumerate(lines) if not line), len(lines))
    header = _Header()
    for number, line in lines[1:end]:
        header.take(number, line)
    moves = tuple(_read_move(number, line) for number, line in lines[end:] if line)
    return header.record(moves, lines[end - 1][0])


class _Header:
    """The header as far as it has been read."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}
        self._options: dict[str, str] = {}
        self._names: dict[int, str] = {}
        self._other: list[str] = []

    def take(self, number: int, line: str) -> None:
        """Takes in a line."""
        key, _, value = line.partition(" ")
        name, _, rest = value.partition(" ")
        if key in ("game", "rules", "version", "seats"):
            if key in self._words:
                raise NotARecord(f"{key} is there twice", number)
            if not value or (key in ("version", "seats") and not _is_number(value)):
                raise NotARecord(f"{key} of what?", number)
            self._words[key] = value
        elif key == "option":
            self._options[name] = rest
        elif key == "name" and _is_number(name):
            self._names[int(name)] = rest
        else:
            self._other.append(line)

    def record(self, moves: Iterable[Made], last: int) -> Record:
        """The record with these moves. Raises `NotARecord` where a line is missing."""
        for key in ("game", "version", "rules", "seats"):
            if key not in self._words:
                raise NotARecord(f"the header has no line '{key}'", last)
        return Record(
            self._words["game"],
            int(self._words["version"]),
            self._words["rules"],
            int(self._words["seats"]),
            MappingProxyType(self._options),
            MappingProxyType(self._names),
            tuple(self._other),
            tuple(moves),
        )


def _read_move(number: int, line: str) -> Made:
    words = line.split(" ")
    if len(words) != 3 or not _is_number(words[0]) or not all(words):
        raise NotARecord("a move is a seat, what was asked, and a token", number)
    return Made(int(words[0]), words[1], words[2])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9
