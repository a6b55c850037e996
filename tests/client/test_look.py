"""How things look: options, environment, terminal; and the commands that change it."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from twentytwo_client.display.cards import in_prose, shower, spoken
from twentytwo_client.display.look import Look, LookOptions, Suits, changed, look, speaks_utf8

UTF8 = {"TERM": "xterm-256color", "LANG": "de_DE.UTF-8"}


def _look(env: dict[str, str], *, tty: bool = True, **wishes: object) -> Look:
    return look(LookOptions(**wishes), env, typed=tty, seen=tty)  # type: ignore[arg-type]  # as given


@together(
    ("env", "colour"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": ""}, False),
        ({"CLICOLOR_FORCE": "1", "TERM": "dumb"}, True),
        ({"CLICOLOR_FORCE": "0", "TERM": "dumb"}, False),
        ({"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False),
    ],
)
@together("option", ["auto", "always", "never"])
def test_colour(env: dict[str, str], colour: bool, option: str) -> None:
    expected = {"auto": colour, "always": True, "never": False}[option]
    assert _look(UTF8 | env, color=option).colour is expected


def test_no_colour_where_nobody_sees_it_unless_it_is_asked_for() -> None:
    assert not _look(UTF8, tty=False).colour
    assert _look(UTF8, tty=False, color="always").colour
    assert _look(UTF8 | {"CLICOLOR_FORCE": "1"}, tty=False).colour
    assert not _look(UTF8, plain=True, color="always").colour


@together(
    ("env", "utf8"),
    [
        ({}, False),
        ({"LANG": "C"}, False),
        ({"LANG": "C.UTF-8"}, True),
        ({"LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "de_DE.utf8@euro"}, True),
        ({"LANG": "de_DE"}, False),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "C"}, False),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, True),
        ({"LANG": "C", "LC_CTYPE": "en_US.UTF-8"}, True),
        ({"LANG": "en_US.UTF-8", "LC_CTYPE": "de_DE.ISO-8859-1"}, False),
        # What Python itself puts there in the C locale.
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ({"LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "en_US.UTF-8", "LC_CTYPE": "C.UTF-8"}, True),
    ],
)
def test_the_locale(env: dict[str, str], utf8: bool) -> None:
    assert speaks_utf8(env) is utf8
    assert _look({"TERM": "xterm"} | env).suits is (Suits.SIGNS if utf8 else Suits.LETTERS)
    assert _look({"TERM": "xterm"} | env, suits="signs").suits is Suits.SIGNS
    assert _look({"TERM": "xterm"} | env, suits="letters").suits is Suits.LETTERS


def test_signs_are_for_those_who_see_them() -> None:
    assert _look(UTF8, tty=False).suits is Suits.LETTERS


@together(
    ("env", "wishes", "tty", "rich"),
    [
        (UTF8, {}, True, True),
        (UTF8, {"plain": True}, True, False),
        (UTF8 | {"TERM": "dumb"}, {}, True, False),
        ({"LANG": "C.UTF-8"}, {}, True, False),
        (UTF8, {}, False, False),
    ],
)
def test_the_prompt_needs_a_terminal(
    env: dict[str, str], wishes: dict[str, bool], tty: bool, rich: bool
) -> None:
    assert _look(env, tty=tty, **wishes).rich is rich


def test_plain_is_spoken() -> None:
    assert _look(UTF8, plain=True, suits="signs").suits is Suits.SPOKEN
    assert _look(UTF8, plain=True).plain


# --------------------------------------------------------------------------------- cards


@together(
    ("cards", "letters", "signs", "aloud"),
    [
        (("7H",), "7H", "7♥", "seven of hearts"),
        (("TD", "6S"), "10D 6S", "10♦ 6♠", "ten of diamonds and six of spades"),
        (
            ("2C", "7H", "2S"),
            "2C 7H 2S",
            "2♣ 7♥ 2♠",
            "two of clubs, seven of hearts and two of spades",
        ),
        (("Q", "Q", "T"), "Q Q 10", "Q Q 10", "queen queen ten"),
        (("X",), "joker", "joker", "joker"),
        (("XK", "KC"), "joker(K) KC", "joker(K) K♣", "joker as king and king of clubs"),
        ((), "", "", ""),
        (("F22",), "F22", "F22", "F22"),
    ],
)
def test_cards_in_each_look(cards: tuple[str, ...], letters: str, signs: str, aloud: str) -> None:
    assert shower(Look(Suits.LETTERS))(cards) == letters
    assert shower(Look(Suits.SIGNS))(cards) == signs
    assert spoken(cards) == aloud


def test_colour_is_never_alone() -> None:
    two = shower(Look(Suits.SIGNS, colour=True))
    four = shower(Look(Suits.LETTERS, colour=True, four=True))
    assert two(["7H", "7D", "7C", "7S"]) == "\x1b[31m7♥\x1b[39m \x1b[31m7♦\x1b[39m 7♣ 7♠"
    assert four(["7H", "7D", "7C", "7S"]) == (
        "\x1b[31m7H\x1b[39m \x1b[34m7D\x1b[39m \x1b[32m7C\x1b[39m 7S"
    )


@together(
    ("text", "shown"),
    [
        ("Your cards: 2C 10H", "Your cards: 2♣ 10♥"),
        ("You hold no 7H.", "You hold no 7♥."),
        ("You cannot play Q: A is the play to beat.", "You cannot play Q: A is the play to beat."),
        ("move QH+QS turn=2", "move QH+QS turn=2"),
        ("t2 and 22C3", "t2 and 22C3"),
    ],
)
def test_cards_in_what_the_server_says(text: str, shown: str) -> None:
    assert in_prose(text, shower(Look(Suits.SIGNS))) == shown


# ------------------------------------------------------------------------------- changes


def test_the_look_can_be_changed() -> None:
    first = Look(Suits.SIGNS, colour=True, unicode=True, usual=Suits.SIGNS)
    plain, said = changed(first, "plain", "")
    assert plain.plain and said
    assert changed(plain, "plain", "")[0].suits is Suits.SIGNS
    assert changed(first, "suits", "letters")[0].suits is Suits.LETTERS
    letters = changed(first, "suits", "letters")[0]
    for words in (("", ""), ("on", "off"), ("on", "")):
        again = letters
        for word in words:
            again = changed(again, "plain", word)[0]
        assert again.suits is Suits.LETTERS and not again.plain
    assert changed(first, "plain", "off")[0] == first
    while_plain = changed(changed(first, "plain", "on")[0], "suits", "letters")[0]
    assert while_plain.plain and changed(while_plain, "plain", "")[0].suits is Suits.LETTERS
    assert changed(first, "color", "OFF")[0].colour is False
    assert changed(first, "bell", "on")[0].bell is True


@pytest.mark.parametrize(("name", "value"), [("suits", "runes"), ("color", ""), ("bell", "loud")])
def test_what_makes_no_sense_changes_nothing_and_says_what_would(name: str, value: str) -> None:
    first = Look()
    after, said = changed(first, name, value)
    assert after == first
    assert f"/{name}" in said
