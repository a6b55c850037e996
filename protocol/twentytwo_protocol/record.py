"""The record of a game as text: the save file, the replay, the bug report, the golden test.

    twentytwo-record 1
    id g51
    game twentytwo
    version 1
    rules pagat
    option limit 22
    seats 3
    name 1 ann
    name 2 bot:hard
    bot 2 hard/1
    began 2026-11-20T02:03:12.165Z
    ended 2026-11-20T02:09:40.002Z
    fair fd1 ff8bad1b81cdffe0adf2667d6e9f66975b79e8e124b5b50db187442d2c79d67a
    sealed 1041
    seed 11fc5cd2...
    words kitten,-,-
    end last
    result 2 1 0 1

    0 shuffle 2C+3C+4C
    1 exchange 9D+JC
    2 play Q+Q auto

The header has the game, its rules and all options, so that a later correction of the rules does not
change the verdict on an old game. After an empty line follow the moves, one a line: the seat (0 is
the house), the act, the token of the move, and `auto` if the clock or a stand-in made it. Unknown
header lines are kept unchanged, and further words after a move are ignored. `#` begins a comment,
which is dropped. docs/records.md has the whole format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec import field

from .value import Value

__all__ = [
    "AUTO",
    "FORMAT",
    "VERSION",
    "NotARecord",
    "Record",
    "RecordedMove",
    "RecordedResult",
    "RecordedShuffle",
    "header",
    "line_of",
    "read",
    "read_numbered",
    "write",
]

FORMAT = "twentytwo-record"
VERSION = 1
AUTO = "auto"
"""Marks a move that the clock or a stand-in bot made."""


class NotARecord(ValueError):
    """A text that is not a record. `line` is the number of the wrong line, from 1."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


class RecordedMove(Value):
    """A move of a record: the seat (0: the house), the act, the token.

    `auto`: the clock or a stand-in bot made the move.
    """

    seat: int
    act: str
    token: str
    auto: bool = False


class RecordedShuffle(Value):
    """The fair shuffle of a game: its algorithm, its commitment and its seed.

    `commitment` is the SHA-256 of `seed`. `words` are the players' words by seat, `-` for none;
    empty if the players were not asked for words. `seed` is empty while it is secret. `no` is the
    number of the commitment in the server's log; 0 if unknown.
    """

    alg: str
    commitment: str
    seed: str = ""
    words: tuple[str, ...] = ()
    no: int = 0


class RecordedResult(Value):
    """The result of a seat: its place, its total score, and its games won at this table, including
    this one.
    """

    seat: int
    place: int
    total: int
    won: int | None = None


class Record(Value):
    """A game from its first shuffle on.

    `version` is the version of the game's rules, `rules` the preset, `options` every option.
    `names` are by seat, where known. `other` are further header lines, unparsed. `id` is the game's
    id, `bots` the bots by seat, with level and version: `hard/1`. `began` and `ended` are UTC in
    the format of RFC 3339. `end` is the reason for the end: a word of GAMEOVER, or `aborted` and a
    word of ABORTED; empty for an unfinished game. `results` are in the order of the places. `hands`
    is the number of hands after which the score decides; 0 for none.
    """

    game: str
    version: int
    rules: str
    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    other: tuple[str, ...] = ()
    moves: tuple[RecordedMove, ...] = ()
    id: str = ""
    bots: Mapping[int, str] = field(default_factory=dict)
    began: str = ""
    ended: str = ""
    fair: RecordedShuffle | None = None
    end: str = ""
    results: tuple[RecordedResult, ...] = ()
    hands: int = 0

    def name(self, seat: int) -> str:
        """The name of the player in a seat; `seat2` if unknown."""
        return self.names.get(seat, f"seat{seat}")


# -------------------------------------------------------------------------------- writing


def write(record: Record) -> str:
    """The record as text, with a final line end."""
    return "\n".join([*header(record), "", *map(line_of, record.moves)]) + "\n"


def header(record: Record) -> Iterator[str]:
    """The lines before the moves."""
    yield f"{FORMAT} {VERSION}"
    yield from _given("id", record.id)
    yield f"game {record.game}"
    yield f"version {record.version}"
    yield f"rules {record.rules}"
    yield from (f"option {name} {value}" for name, value in record.options.items())
    yield f"seats {record.seats}"
    yield from _given("hands", str(record.hands or ""))
    yield from (f"name {seat} {name}" for seat, name in sorted(record.names.items()))
    yield from (f"bot {seat} {bot}" for seat, bot in sorted(record.bots.items()))
    yield from _given("began", record.began)
    yield from _given("ended", record.ended)
    if record.fair is not None:
        yield from _fair_lines(record.fair)
    yield from _given("end", record.end)
    yield from map(_result_line, record.results)
    yield from record.other


def _given(key: str, value: str) -> Iterator[str]:
    if value:
        yield f"{key} {value}"


def _fair_lines(fair: RecordedShuffle) -> Iterator[str]:
    yield f"fair {fair.alg} {fair.commitment}"
    yield from _given("sealed", str(fair.no or ""))
    yield from _given("seed", fair.seed)
    yield from _given("words", ",".join(fair.words))


def _result_line(result: RecordedResult) -> str:
    won = "" if result.won is None else f" {result.won}"
    return f"result {result.seat} {result.place} {result.total}{won}"


def line_of(made: RecordedMove) -> str:
    """A move as a line of a record."""
    return f"{made.seat} {made.act} {made.token}" + (f" {AUTO}" if made.auto else "")


# -------------------------------------------------------------------------------- reading


def read(text: str) -> Record:
    """The record in a text. Raises `NotARecord`."""
    record, _ = read_numbered(text)
    return record


def read_numbered(text: str) -> tuple[Record, tuple[int, ...]]:
    """The record, and the line number of each of its moves. Raises `NotARecord`."""
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.splitlines(), 1)
        if not line.startswith("#")
    ]
    if not lines or lines[0][1] != f"{FORMAT} {VERSION}":
        raise NotARecord(f"a record begins with '{FORMAT} {VERSION}'", lines[0][0] if lines else 1)
    end = next((i for i, (_, line) in enumerate(lines) if not line), len(lines))
    found = _Header()
    for number, line in lines[1:end]:
        found.take(number, line)
    moves = [(number, _read_move(number, line)) for number, line in lines[end:] if line]
    record = found.record((made for _, made in moves), lines[end - 1][0])
    return record, tuple(number for number, _ in moves)


_NUMBERS = ("version", "seats", "sealed", "hands")
_WORDS = ("game", "rules", "id", "began", "ended", "fair", "seed", "words", "end")


class _Header:
    """The header lines read so far."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}
        self._options: dict[str, str] = {}
        self._names: dict[int, str] = {}
        self._bots: dict[int, str] = {}
        self._results: list[RecordedResult] = []
        self._other: list[str] = []

    def take(self, number: int, line: str) -> None:
        """Reads a line."""
        key, _, value = line.partition(" ")
        name, _, rest = value.partition(" ")
        if key in _NUMBERS or key in _WORDS:
            self._take_word(number, key, value)
        elif key == "option":
            self._options[name] = rest
        elif key == "name" and _is_number(name):
            self._names[int(name)] = rest
        elif key == "bot" and _is_number(name):
            self._bots[int(name)] = rest
        elif key == "result":
            self._results.append(_read_result(number, value))
        elif _is_number(key):
            raise NotARecord("a move; an empty line has to stand before the first", number)
        else:
            self._other.append(line)

    def _take_word(self, number: int, key: str, value: str) -> None:
        if key in self._words:
            raise NotARecord(f"{key} is there twice", number)
        if not value or (key in _NUMBERS and not _is_number(value)):
            raise NotARecord(f"{key} of what?", number)
        self._words[key] = value

    def record(self, moves: Iterable[RecordedMove], last: int) -> Record:
        """The record with these moves. Raises `NotARecord` if a header line is missing."""
        words = self._words
        for key in ("game", "version", "rules", "seats"):
            if key not in words:
                raise NotARecord(f"the header has no line '{key}'", last)
        return Record(
            words["game"],
            int(words["version"]),
            words["rules"],
            int(words["seats"]),
            MappingProxyType(self._options),
            MappingProxyType(self._names),
            tuple(self._other),
            tuple(moves),
            words.get("id", ""),
            MappingProxyType(self._bots),
            words.get("began", ""),
            words.get("ended", ""),
            _read_fair(words),
            words.get("end", ""),
            tuple(self._results),
            int(words.get("hands", 0)),
        )


def _read_fair(words: Mapping[str, str]) -> RecordedShuffle | None:
    if "fair" not in words:
        return None
    alg, _, commitment = words["fair"].partition(" ")
    given = words.get("words", "")
    listed = tuple(given.split(",")) if given else ()
    return RecordedShuffle(
        alg, commitment, words.get("seed", ""), listed, int(words.get("sealed", 0))
    )


def _read_result(number: int, value: str) -> RecordedResult:
    words = value.split(" ")
    # Only a total can be negative.
    plain = [word.removeprefix("-") if i == 2 else word for i, word in enumerate(words)]
    if len(words) not in (3, 4) or not all(map(_is_number, plain)):
        raise NotARecord("a result is a seat, its place, its total, perhaps its games won", number)
    return RecordedResult(*map(int, words))


def _read_move(number: int, line: str) -> RecordedMove:
    words = line.split(" ")
    if len(words) < 3 or not _is_number(words[0]) or words != line.split():
        raise NotARecord("a move is a seat, what was asked, and a token", number)
    return RecordedMove(int(words[0]), words[1], words[2], AUTO in words[3:])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9
