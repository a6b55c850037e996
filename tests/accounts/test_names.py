"""Which names may be taken, and which look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.cases import together
from twentytwo_protocol.schema import COMMANDS, Refused
from twentytwo_server.accounts import names
from twentytwo_server.accounts.names import RESERVED, check_account, skeleton
from twentytwo_server.games.players import levels
from twentytwo_server.games.registry import games

SPELLED = st.from_regex(names.NAME, fullmatch=True)

CONFUSABLE = [
    ("0", "o"),
    ("O", "0"),
    ("1", "l"),
    ("I", "l"),
    ("i", "1"),
    ("L", "I"),
    ("5", "s"),
    ("S", "5"),
    ("rn", "m"),
    ("M", "rn"),
    ("vv", "w"),
    ("W", "VV"),
    ("A", "a"),
    ("a-", "a"),
    ("a_", "a"),
    ("_b", "b"),
    ("vw", "wv"),
    ("rnrn", "mm"),
    ("rrn", "rm"),
    ("c1-0_5", "cIoS"),
]


@together(("one", "other"), CONFUSABLE)
def test_what_looks_alike_has_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@given(SPELLED, st.sampled_from(CONFUSABLE), SPELLED)
def test_what_looks_alike_does_so_in_the_middle_of_a_name(
    before: str, pair: tuple[str, str], after: str
) -> None:
    one, other = pair
    assert skeleton(before + one + after) == skeleton(before + other + after)


@given(SPELLED, SPELLED)
def test_a_skeleton_is_made_letter_by_letter(one: str, other: str) -> None:
    assert skeleton(one + other) == skeleton(one) + skeleton(other)


@given(SPELLED)
def test_a_skeleton_is_its_own_skeleton(name: str) -> None:
    assert skeleton(skeleton(name)) == skeleton(name)
    assert not set(skeleton(name)) & set("015imw_-ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@together(("one", "other"), [("ann", "anna"), ("bob", "bab"), ("n", "m"), ("v", "w"), ("2", "z")])
def test_what_does_not_look_alike_is_told_apart(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@together(
    "name",
    [
        "a",
        "x" * 17,
        "1ann",
        "a b",
        "ann!",
        "änne",
        "аlice",  # noqa: RUF001  # Cyrillic
        "ann\u200b",
        "~ann",
        "",
    ],
)
def test_a_name_that_is_not_spelled_like_one_is_refused(name: str) -> None:
    with pytest.raises(Refused) as wrong:
        check_account(name)
    assert wrong.value.code == "BAD_NAME"


@together(
    "name",
    [
        *sorted(RESERVED),
        *sorted(verb for verb in COMMANDS if names.NAME.fullmatch(verb)),
        "Admin",
        "adm1n",
        "ad-min",
        "5erver",
        "dea1er",
        "rnod",
        "guest7",
        "Guestbook",
        "seat4",
        "5eat",
        "bot",
        "b0tty",
        "reg1ster",
    ],
)
def test_a_name_that_misleads_is_refused_to_an_account(name: str) -> None:
    with pytest.raises(Refused) as wrong:
        check_account(name)
    assert wrong.value.code == "BAD_NAME"


@together("name", ["ann", "Bob", "x2", "Cat-22", "the_mouse", "a" * 16])
def test_an_ordinary_name_will_do(name: str) -> None:
    check_account(name)


@together("name", ["botty", "seattle", "bot-ann", "mybot", "hardy", "youri", "p1ay"])
def test_a_guest_may_be_called_what_an_account_may_not(name: str) -> None:
    names.check(name)


@together("kind", ["{}", "{}2", "{}-22", "{}_", "{}007"])
@together("name", ["server", "bot", "hard", "y0u", "y-o_u", "ad-m1n", "stea-dy", "nob0dy", "seat"])
def test_nobody_is_called_like_what_the_server_speaks_of(name: str, kind: str) -> None:
    with pytest.raises(Refused) as wrong:
        names.check(kind.format(name))
    assert wrong.value.code == "BAD_NAME"
    assert wrong.value.text.endswith("choose another name.")


def test_every_level_of_a_bot_is_such_a_word() -> None:
    assert {level for game in games().values() for level in levels(game)} <= RESERVED


@given(SPELLED, st.integers(1, 10**6))
def test_a_guests_name_with_its_number_is_spelled_like_a_name(name: str, count: int) -> None:
    made = names.numbered(name, count)
    assert made.startswith("~")
    assert names.NAME.fullmatch(made[1:])
