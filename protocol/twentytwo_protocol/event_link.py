"""A finished game as one link for browsers: its events and their sentences, in one word.

    22e1_eNqd...

`record_link` has the moves of a game, and only its rules make events of them. Here are the events,
so that a page shows the game without rules and without a server. The price is a longer link.

The base64url text after the version is a zlib stream. It holds templates, an empty line, and a row
for each event; all lines are joined by newlines. A row begins with the number of its template, as
the character 48 + number; the values of the template follow, separated by spaces. In a template

    {0}     is the first value,
    {0:n}   the name of the player in that seat, as JOINED has told it,
    {0:c}   the cards as sentences show them: `TD,6S` is `10D 6S`,
    {#}     the number of such rows so far, this one included: rows that begin with the same word.

An expanded template is a line of the protocol without `on=` and `seq=`. A template may have a
second part, after a TAB: the same event as seats see it that may not see everything.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .record_link import TORN, BrokenLink, decoded, joined
from .voice import plain_cards

__all__ = ["LONGEST", "PREFIX", "is_link", "pack", "unpack"]

PREFIX = "22e1_"
"""The prefix of every link: the format and its version."""
LONGEST = 4_000_000
"""The maximum length of the decompressed text, and of all lines together, in characters."""

_LINK = re.compile(r"(?:\S*[#=])?(22e[0-9]+_[A-Za-z0-9_=-]*)")
_FIRST = ord("0")
_PLACE = re.compile(r"\{(?:#|([0-9]{1,4})(?::([nc]))?)\}")
_CONSTANT = re.compile(r"[a-z_]*")
_NUMBER = re.compile(r"[0-9]+")
_NUMBERS = re.compile(r"[0-9]+(,[0-9]+)+")
_JOINED = re.compile(r"JOINED seat=(\S+) name=(\S+)")
_SEATS = ("seat", "dealer")
"""The fields with a seat, which sentences show by its name."""


def is_link(text: str) -> bool:
    """True if a text begins like such a link, alone or in a URL, after `#` or `#game=`."""
    return _LINK.match(joined(text)) is not None


def pack(told: Iterable[tuple[str, str]]) -> str:
    """The link with these lines: each event with all its cards, and as a spectator sees it."""
    templates: dict[str, int] = {}
    rows: list[str] = []
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for line, closed in told:
        counts[_word(line)] += 1
        shape = _Shape(line, names, counts[_word(line)])
        template = shape.of(line) if closed == line else f"{shape.of(line)}\t{shape.of(closed)}"
        number = templates.setdefault(template, len(templates))
        rows.append(chr(_FIRST + number) + " ".join(shape.values))
        names |= _name_in(line)
    text = "\n".join([*templates, "", *rows])
    return PREFIX + urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(link: str) -> list[tuple[str, str]]:
    """The lines in a link, as `pack` got them. Raises `BrokenLink`."""
    found = _LINK.fullmatch(joined(link))
    if found is None or not found[1].startswith(PREFIX):
        raise BrokenLink(f"this link is broken or of another version; {PREFIX} is read here")
    try:
        return list(_expanded(_inflated(decoded(found[1].removeprefix(PREFIX))).decode()))
    except (IndexError, KeyError, EOFError, ValueError, zlib.error):
        raise BrokenLink(TORN) from None


def _inflated(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(packed, LONGEST)
    if not unpacker.eof or unpacker.unused_data:
        raise EOFError
    return data


def _expanded(text: str) -> Iterator[tuple[str, str]]:
    head, _, body = text.partition("\n\n")
    templates = [template.partition("\t") for template in head.split("\n")]
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    left = LONGEST
    for row in body.split("\n"):
        template, _, closed = templates[_index(row)]
        word, values = _word(template), row[1:].split(" ")
        counts[word] += 1
        line = _filled(template, values, names, counts[word])
        narrow = _filled(closed, values, names, counts[word]) if closed else line
        names |= _name_in(line)
        left -= len(line) + len(narrow)
        if left < 0:
            raise EOFError
        yield line, narrow


def _index(row: str) -> int:
    number = ord(row[0]) - _FIRST
    if number < 0:
        raise IndexError
    return number


def _filled(template: str, values: Sequence[str], names: Mapping[str, str], number: int) -> str:
    def value(place: re.Match[str]) -> str:
        if place[1] is None:
            return str(number)
        found = values[int(place[1])]
        return names[found] if place[2] == "n" else _shown(found) if place[2] else found

    return _PLACE.sub(value, template)


def _word(line: str) -> str:
    return line.partition(" ")[0]


def _name_in(line: str) -> dict[str, str]:
    """The name of a seat, by seat, if the line tells one."""
    found = _JOINED.match(line)
    return {found[1]: found[2]} if found else {}


def _shown(cards: str) -> str:
    return plain_cards(cards.split(","))


class _Shape:
    """The places of the values of an event, in its line and in its sentence."""

    def __init__(self, line: str, names: Mapping[str, str], number: int) -> None:
        self.values: list[str] = []
        self._fields: dict[str, str] = {}
        self._forms: dict[str, list[str]] = {}
        word, *fields = line.partition(" :")[0].split(" ")
        for field in fields:
            key, _, value = field.partition("=")
            if (word, key, value) == ("TURN", "turn", str(number)):
                self._fields[field] = "turn={#}"
            elif not _CONSTANT.fullmatch(value):
                items = value.split(",") if _NUMBERS.fullmatch(value) else [value]
                places = ",".join(self._place(key, item, names) for item in items)
                self._fields[field] = f"{key}={places}"

    def _place(self, key: str, value: str, names: Mapping[str, str]) -> str:
        at = len(self.values)
        self.values.append(value)
        if key not in _SEATS:
            number = _NUMBER.fullmatch(value)
            shown, place = (value, f"{{{at}}}") if number else (_shown(value), f"{{{at}:c}}")
            self._forms.setdefault(shown, []).append(place)
        elif value in names:
            self._forms.setdefault(names[value], []).append(f"{{{at}:n}}")
        return f"{{{at}}}"

    def of(self, line: str) -> str:
        """The template of a line of this event. Raises `ValueError` if it has none."""
        head, colon, text = line.partition(" :")
        if _PLACE.search(line):
            raise ValueError(f"a line has a place in it: {line}")
        fields = (self._fields.get(field, field) for field in head.split(" "))
        return f"{' '.join(fields)}{colon}{self._told(text)}"

    def _told(self, text: str) -> str:
        """The sentence with its places. Equal values take their places in turn."""
        forms = {form: list(places) for form, places in self._forms.items() if form}
        if not forms or not text:
            return text
        longest = sorted(forms, key=lambda form: (-len(form), form))
        any_form = re.compile(rf"(?<![\w~-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.A)

        def place(found: re.Match[str]) -> str:
            places = forms[found[0]]
            return places.pop(0) if len(places) > 1 else places[0]

        return any_form.sub(place, text)
