"""What people may type for a verb, and what is said where it is none."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from twentytwo_protocol import verbs
from twentytwo_protocol.schema import COMMANDS, Refused


def test_a_verb_may_be_cut_short_but_not_to_one_of_a_program() -> None:
    assert verbs.meant("he") == "help"
    assert verbs.meant("hello") == "hello"
    assert verbs.meant("sy") is None


def test_several_that_begin_so_are_named() -> None:
    with pytest.raises(Refused, match="unblock or undo or unfollow"):
        verbs.meant("un")


@together("verb", COMMANDS)
def test_every_verb_in_full_means_itself(verb: str) -> None:
    assert verbs.meant(verb) == verbs.whole(verb) == verb


@together(
    ("typed", "hint"),
    [
        ("practise", "Did you mean practice?"),
        ("quitt", "Did you mean quit?"),
        ("helo", "Did you mean help?"),
        ("xyzzy", "help lists what there is."),
    ],
)
def test_a_misspelt_verb_brings_one_that_people_need(typed: str, hint: str) -> None:
    assert verbs.unknown(typed) == f"There is no command {typed}. {hint}"


@together(
    "line",
    [
        "register ann three blind mice",
        "  REGISTER ann three blind mice",
        "regi ann three blind mice",
        "regsiter ann three blind mice",
        "@7 login ann :three blind mice",
        "l ann three blind mice",
        "password three%20blind%20mice four",
        "resume mice",
    ],
)
def test_no_password_or_token_is_kept_however_its_verb_is_typed(line: str) -> None:
    assert "mice" not in verbs.without_secrets(line)


@together(
    "line", ["", "a", "r", "register", "practice bots=2", "p q q", "say register me", "ready t7"]
)
def test_a_line_without_secrets_is_kept_as_it_is(line: str) -> None:
    assert verbs.without_secrets(line) == line
