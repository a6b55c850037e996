"""Passwords that are asked for in the client: what is asked, what is sent, what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.client.kit import HELLO, NAMED
from tests.client.test_console import Desk
from twentytwo_client.core.updates import Reconnecting
from twentytwo_client.terminal import passwords, prompt
from twentytwo_protocol.schema import COMMANDS
from twentytwo_protocol.wire import read_command, split_command
from twentytwo_protocol.words.accounts import Login, Password, Register

TYPED = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(
    lambda text: text.strip() == text
)


def arrived() -> Desk:
    desk = Desk()
    desk.hear(HELLO, NAMED)
    return desk


def sent(lines: list[str]) -> str:
    (line,) = lines
    return line.partition(" ")[2]


@given(TYPED, TYPED)
@example("0\xa0=", "0")
def test_any_password_arrives_as_it_was_typed(one: str, other: str) -> None:
    for said in (
        Register("ann", None, one),
        Register("ann", "I-bIYwU4", one),
        Login("ann", None, one),
        Password(one),
        Password(one, other),
    ):
        verb, rest = (split := split_command(passwords.line(said))).verb, split.rest
        assert read_command(COMMANDS[verb], rest) == said


def test_an_invite_code_goes_along_while_the_password_is_asked_for() -> None:
    desk = arrived()
    assert sent(desk.type("register ann code=I-bIYwU4")) == "register ann code=I-bIYwU4"
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=password :register needs a password.")
    desk.type("three blind mice")
    said = sent(desk.type("three blind mice"))
    assert said == "register ann code=I-bIYwU4 :three blind mice"


def test_a_new_account_is_asked_for_its_password_twice() -> None:
    desk = arrived()
    assert sent(desk.type("register ann")) == "register ann"
    assert (desk.console.undecided, desk.console.hidden) == (True, False)
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=password :register needs a password.")
    assert (desk.console.undecided, desk.console.hidden) == (False, True)
    assert desk.console.prompt == "password> "
    assert "Choose a password" in desk.paper.text
    assert desk.type("three blind mice") == []
    assert sent(desk.type("three blind mice")) == "register ann :three blind mice"
    assert not desk.console.hidden
    desk.hear("@4 OK name=ann token=Zk99 :Welcome, ann.")
    assert not desk.console.undecided
    assert "mice" not in desk.paper.text
    assert "needs a password" not in desk.paper.text


def test_what_else_is_against_a_name_is_said_before_a_password_is_typed() -> None:
    desk = arrived()
    desk.type("register ann")
    desk.hear("@3 ERR code=NAME_TAKEN class=auth arg=name :There is an account ann already.")
    assert desk.shown[-1] == "! There is an account ann already."
    assert not desk.console.hidden


def test_two_that_are_not_alike_are_asked_for_again() -> None:
    desk = arrived()
    desk.type("register ann")
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=password")
    desk.type("three blind mice")
    assert desk.type("four blind mice") == []
    assert "not alike" in desk.paper.text
    desk.type("five blind mice")
    assert sent(desk.type("five blind mice")) == "register ann :five blind mice"


def test_a_password_that_the_server_refuses_is_asked_for_again() -> None:
    desk = arrived()
    desk.type("register ann")
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=password")
    desk.type("short")
    desk.type("short")
    desk.hear("@4 ERR code=BAD_ARG class=syntax arg=password :A password has 10 to 256 bytes.")
    assert "A password has 10 to 256 bytes. Once more" in desk.paper.text.replace("\n  ", " ")
    desk.type("three blind mice")
    assert sent(desk.type("three blind mice")) == "register ann :three blind mice"


def test_an_empty_line_gives_up() -> None:
    desk = arrived()
    desk.type("login ann")
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=password")
    assert desk.type("") == []
    assert desk.shown[-1] == "! Nothing was typed, so nothing was done."
    assert sent(desk.type("who")) == "who"


def test_the_password_so_far_is_checked_before_another_is_asked_for() -> None:
    desk = arrived()
    assert sent(desk.type("password")) == "password"
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=old")
    assert sent(desk.type("three blind mice")) == "password three%20blind%20mice"
    desk.hear("@4 ERR code=BAD_ARG class=syntax arg=new :password needs a password.")
    desk.type("four blind rats")
    assert sent(desk.type("four blind rats")) == "password three%20blind%20mice :four blind rats"
    desk.hear("@5 OK token=Zk99 :Your password is another.")
    assert desk.shown[-1] == "Your password is another."
    assert desk.kept[-1].token == "Zk99"  # the one before opens nothing any more


def test_a_wrong_password_so_far_is_told_and_nothing_more_is_asked() -> None:
    desk = arrived()
    desk.type("password")
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=old")
    desk.type("nonsense")
    desk.hear("@4 ERR code=BAD_LOGIN class=auth :That is not your password.")
    assert not desk.console.hidden
    assert desk.shown[-1] == "! That is not your password."


@pytest.mark.parametrize(
    ("line", "as_sent"),
    [
        ("register ann three blind mice", "register ann :three blind mice"),
        ("login ann three blind mice", "login ann :three blind mice"),
        ("password old new", "password old :new"),
    ],
)
def test_a_password_on_the_line_is_taken_and_nothing_is_asked(line: str, as_sent: str) -> None:
    desk = arrived()
    assert sent(desk.type(line)) == as_sent
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=password :A password has 10 to 256 bytes.")
    assert not desk.console.hidden
    assert desk.shown[-1] == "! A password has 10 to 256 bytes."


def test_a_connection_that_is_lost_leaves_nothing_open_and_shows_no_password() -> None:
    desk = arrived()
    desk.type("register ann three blind mice")
    desk.talk.lost()
    for value in desk.talk.updates():
        desk.console.hear(value)
    desk.console.hear(Reconnecting(1, 0))
    assert not desk.console.undecided
    assert "register ..." in desk.paper.text and "mice" not in desk.paper.text


def test_where_nobody_types_nothing_is_asked() -> None:
    desk = Desk(types=False)
    desk.hear(HELLO, NAMED)
    desk.type("register ann")
    desk.hear("@3 ERR code=BAD_ARG class=syntax arg=password :register needs a password.")
    assert not desk.console.hidden
    assert desk.shown[-1] == "! register needs a password."


def test_what_is_asked_is_a_command_that_takes_a_password() -> None:
    assert {cls.__name__.lower() for cls, _ in passwords.STEPS} == set(passwords.TAKERS)


@pytest.mark.parametrize("writable", [True, False])
def test_no_password_is_remembered_for_the_next_line_or_the_next_time(
    tmp_path: Path, writable: bool
) -> None:
    if not writable:
        (tmp_path / "file").write_text("")
    history = prompt.typed_history(tmp_path / ("history" if writable else "file/history"))
    for line in ("who", "register ann three mice", "regi ann three mice", "regsiter ann mice"):
        history.append_string(line)
    assert history.get_strings() == ["who"]
    if writable:
        assert "mice" not in (tmp_path / "history").read_text()
