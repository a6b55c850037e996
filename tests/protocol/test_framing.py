"""Bytes to lines, in every chunking."""

from __future__ import annotations

import re
import sys
import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.quoting import quotes
from twentytwo_protocol.framing import MAX_CLIENT_LINE, Flaw, LineBuffer, clean, visible

BYTES = st.lists(
    st.sampled_from(
        [b"a", b"b", b"\r", b"\n", b"\0", b"\r\n", b"\r\0", b"\xff", b"\xc3\xbe", b"\t"]
    ),
    max_size=60,
).map(b"".join)


def fed(data: bytes, cuts: list[int], limit: int = 16) -> list[str | Flaw]:
    """The lines of the bytes, cut at these places."""
    buffer = LineBuffer(limit)
    lines: list[str | Flaw] = []
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    for start, end in pairwise(places):
        lines += buffer.feed(data[start:end])
    return lines


@quotes("The division of bytes into packets means nothing.", "F7")
@given(BYTES | st.binary(max_size=120), st.lists(st.integers(0, 120), max_size=12))
def test_every_chunking_gives_the_same_lines(data: bytes, cuts: list[int]) -> None:
    assert fed(data, cuts) == fed(data, []) == fed(data, list(range(len(data))))


@quotes("It is never cut, and the connection stays open.", "F4")
@given(st.integers(0, 60), st.sampled_from([b"\n", b"\r\n", b"\r\0"]), st.integers(1, 20))
def test_a_line_is_whole_or_too_long(size: int, end: bytes, limit: int) -> None:
    (line,) = fed(b"a" * size + end, [], limit)
    assert line == ("a" * size if size + len(end) <= limit else Flaw.TOO_LONG)


@given(st.lists(st.binary(max_size=500), max_size=20))
def test_what_is_held_is_bounded(pieces: list[bytes]) -> None:
    buffer = LineBuffer(64)
    for piece in pieces:
        buffer.feed(piece)
        assert buffer.unfinished <= 64 + len(piece) and buffer.unfinished <= max(64, 1)


@given(st.text(st.characters(codec="utf-8"), max_size=200).filter(lambda text: "\n" not in text))
def test_any_text_comes_through_but_for_its_controls(text: str) -> None:
    buffer = LineBuffer(MAX_CLIENT_LINE * 4)
    _, *lines = buffer.feed(b"\n" + text.replace("\r", "").encode() + b"\n")
    assert lines == [clean(text.replace("\r", ""))]
    assert all(ord(char) >= 32 and not 127 <= ord(char) < 160 for char in str(lines[0]))


def test_controls_are_removed_and_nothing_else() -> None:
    assert clean("a\tb\x1b\x7f\x85c\u202ed") == "a bc\u202ed"


PRINT = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")
"""Formats, as Unicode calls them, that have a width: signs for numbers and abbreviations."""
HIEROGLYPHS = range(0x13430, 0x13440)
"""Formats that place other signs, and turn nothing."""


def test_what_nobody_sees_is_left_out() -> None:
    every = [*map(chr, range(sys.maxunicode + 1))]
    left = set(visible("a".join(every)))
    for char in every:
        match unicodedata.category(char):
            case "Zl" | "Zp" | "Co" | "Cs":
                assert char not in left, hex(ord(char))
            case "Cf" if not PRINT.match(char) and ord(char) not in HIEROGLYPHS:
                assert char not in left, hex(ord(char))
            case kind if kind[0] in "LNPS" and "FILLER" not in unicodedata.name(char, ""):
                assert char in left, hex(ord(char))
    assert not left & {"\ufffe", "\uffff"}
    assert visible("a\u2028b\u2029c") == "a b c"


def test_what_is_seen_is_left_as_it_is() -> None:
    text = "gr\u00fc\u00df \u05e9\u05dc\u05d5\u05dd \u4f60\u597d \U0001f0a1 \u2660 x\u0302\u0323"
    assert visible(text) == text
    assert visible("z\u0300\u0301\u0302\u0303!") == "z\u0300\u0301!"
    assert visible("\u2764\ufe0f") == "\u2764"
