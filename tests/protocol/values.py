"""Hypothesis strategies for every word of the protocol, from the declarations themselves."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from tests.kit.length import times
from twentytwo_protocol import games, words
from twentytwo_protocol.cards import pack
from twentytwo_protocol.schema import EVENTS, ROWS, TEXT, Event, Field, Message, Row

VOCABULARY = (games, words)
"""Importing them declares every word."""

FEW = settings(max_examples=times(8, long=50))
"""For properties that are checked for every single word."""
MANY = settings(max_examples=times(60, long=300))

HOSTILE = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=40)
"""Any text that can be on a line: spaces, colons, equals signs, percents, anything but controls."""

TRICKY = st.sampled_from(
    [
        "",
        " ",
        ":",
        " :",
        " :x",
        "=",
        "%",
        "%20",
        "%zz",
        ",",
        ",,",
        "a b",
        "@1 OK",
        "#",
        "\u2028",
        "x ",
    ]
)
TEXTS = st.one_of(TRICKY, HOSTILE)
PLAIN = st.text("abcXYZ019-_.~:/", min_size=1, max_size=12)
"""What a word without spaces or commas is made of."""
NUMBERS = st.integers(-(10**17), 10**17)
SEATS = st.integers(1, 12)
CARDS = st.sampled_from([*pack(1, 1), "XK", "F0", "21"])

KINDS: dict[str, st.SearchStrategy[Any]] = {
    "int": NUMBERS,
    "ms": NUMBERS,
    "seat": SEATS,
    "seats": st.lists(SEATS, max_size=5).map(tuple),
    "ints": st.lists(NUMBERS, max_size=5).map(tuple),
    "bool": st.booleans(),
    "token": PLAIN,
    "base64": PLAIN,
    "tokens": st.lists(PLAIN, max_size=5).map(tuple),
    "name": PLAIN,
    "stream": st.sampled_from(["t1", "k1", "me", "lobby", "tables"]),
    "card": CARDS,
    "cards": st.lists(CARDS, max_size=13).map(tuple),
    "moves": st.lists(st.sampled_from(["-", "Q+Q", "pass", "12", "XK+K"]), max_size=9).map(tuple),
    "str": TEXTS,
    "options": st.dictionaries(st.text("abcxyz019_", min_size=1), TEXTS, max_size=3),
    "text": TEXTS.filter(bool),
}
"""Values of every type."""


KNOWN: dict[str, st.SearchStrategy[Any]] = {
    "suit": st.sampled_from("CDHS"),
    "size": SEATS,
    "players": SEATS,
    "game": st.sampled_from(["twentytwo", "twentysix", "whist22", "twentyeight"]),
}
"""Fields that are only ever one of a few values."""


def value(field: Field) -> st.SearchStrategy[Any]:
    """Values of a field; often absent where it may be."""
    found = KNOWN.get(field.key, KINDS[field.kind.name])
    return st.none() | found if field.optional or field.kind is TEXT else found


def messages(cls: type[Message]) -> st.SearchStrategy[Any]:
    """Messages of one word."""
    return st.builds(cls, **{field.attr: value(field) for field in cls.word.fields})


def every_event() -> list[type[Event]]:
    """Every event there is."""
    return list(EVENTS.values())


def every_row() -> list[type[Row]]:
    """Every row there is."""
    return list(ROWS.values())
