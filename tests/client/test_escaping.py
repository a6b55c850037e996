"""Nothing from the network acts on the terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.client.kit import hear, seated
from tests.kit.cases import together
from twentytwo_client.display import escaping
from twentytwo_client.display.look import Look, Suits
from twentytwo_client.display.rendering import Renderer
from twentytwo_client.terminal.narrator import Narrator
from twentytwo_protocol.words.seating import Joined, Option_
from twentytwo_protocol.words.talk import Said

LOOKS = [
    Look(Suits.LETTERS),
    Look(Suits.SIGNS, colour=True, unicode=True),
    Look(Suits.SPOKEN, unicode=True),
]


@together(
    ("text", "shown"),
    [
        ("hello", "hello"),
        ("", ""),
        ("Grüße, 世界", "Grüße, 世界"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("a\x07b", "a\\x07b"),
        ("a\nb", "a\\nb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2066b", "a\\u2066b"),
        ("a\u200bb", "a\\u200bb"),
        ("a\ufeffb", "a\\ufeffb"),
        ("a\u2028b", "a\\u2028b"),
        ("a\ue000b", "a\\ue000b"),
        ("\U000e0041", "\\U000e0041"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("e\u0301", "é"),
        ("z" + "\u0335" * 40 + "!", "z" + "\u0335" * 3 + "!"),
    ],
)
def test_what_is_not_text_is_written_out(text: str, shown: str) -> None:
    assert escaping.visible(text) == shown


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    shown = escaping.visible(text)
    assert not [c for c in shown if unicodedata.category(c) in escaping.HARMFUL - {"Cf"}]
    assert escaping.visible(shown) == shown


@given(st.text())
def test_the_last_gate_lets_nothing_through_but_colours(text: str) -> None:
    shown = escaping.finished(text)
    rest = escaping.COLOUR.sub("", shown)
    assert "\x1b" not in rest and "\x9b" not in rest and "\a" not in rest and "\r" not in rest


def test_messages_are_made_visible_in_every_field() -> None:
    assert escaping.message(Joined(1, "a\u202eb", False)) == Joined(1, "a\\u202eb", False)
    assert escaping.message(Option_.of("title", "\x1b[2J")) == Option_.of("title", "\\x1b[2J")
    same = Said("~ann", "hi")
    assert escaping.message(same) is same


class _Screen:
    def __init__(self) -> None:
        self.shown: list[str] = []

    def write(self, text: str) -> None:
        self.shown.append(text)

    def ring(self) -> None:
        self.shown.append("\a")


HOSTILE = [
    "SAID on=t7 seq=29 by=~ann :\x1b[2J\u202eevil\x9b0m\x07",
    "OPTION on=t7 seq=30 key=title value=%1B[2J%0D%07 by=~ann",
    "OPTION on=t7 seq=31 key=title value=x by=a%1Bb\u202e",
    "NOTE code=X :\x1b]0;title\x07",
    "XNEW on=t7 seq=32 :\x1b[31mred",
    "@* ERR code=X class=server :\x1b[1A",
    "JOINED on=t7 seq=33 seat=4 name=\u202e\u2066evil bot=0",
    "PLAYED on=t7 seq=34 seat=4 cards=\u202eQ,\u200b kind=lead left=3",
    "BYE code=KICKED resume=0 :\x1bc",
]


@pytest.mark.parametrize("look", LOOKS)
def test_what_a_hostile_server_says_is_harmless_in_every_look(look: Look) -> None:
    talk, screen = seated(), _Screen()
    teller = Narrator(talk, Renderer(look, lambda: 40), screen, lambda: 0.0)
    for value in hear(talk, *HOSTILE):
        teller.tell(value)
    text = (
        escaping.COLOUR.sub("", "\n".join(screen.shown)) if look.colour else "\n".join(screen.shown)
    )
    assert len(screen.shown) >= 8
    assert not set(text) & set("\x1b\x9b\a\r\u202e\u2066\u200b")
    assert "evil" in text
