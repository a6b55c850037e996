"""`twentytwo host`: a server for friends, with its first player."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from tests.client.screen import Terminal
from tests.client.test_end_to_end import Piped
from twentytwo_client import cli
from twentytwo_client.chance import table_word
from twentytwo_client.options import Host
from twentytwo_client.terminal.invitation import invitation, link, own_address, picture

HOST = ("host", "--address", "127.0.0.1", "--port", "0", "--web", "0")
"""On a free port of this machine; what stands behind it is preferred."""


def test_a_friend_comes_in_and_it_ends_for_both_after_a_question(tmp_path: Path) -> None:
    words = (*HOST, "--word", "kiwi-fox", "seats=2")
    with Terminal(*words, state=tmp_path / "a", size=(80, 24)) as t:
        t.see("your name? Enter = ")
        t.enter("zed")
        lines = t.see("You are the host.")
        t.see("Enter shows the link as a QR code.")
        assert any("Send this to your friends:" in line for line in t.look()), "on one screen"
        assert any(re.search(r"http://127.0.0.1:\d+/#join=kiwi-fox$", line) for line in lines)
        t.enter("")
        t.see("█")
        t.enter("table")
        t.see("private: others type join kiwi-fox")
        port = next(found[1] for line in lines if (found := re.search(r"nc 127.0.0.1 (\d+)", line)))
        friend = Piped(
            *("play", f"127.0.0.1:{port}", "--table", "kiwi-fox", "--name", "ann"),
            state=tmp_path / "b",
        )
        t.see("~ann sits down in seat 2.")
        friend.type("ready")
        t.see("~ann is ready")
        t.enter("start")
        t.see("Your cards: ")
        friend.until("Your cards: ")
        t.enter("quit")
        t.see("* ~ann would be cut off too. quit again ends it for all.")
        t.type("\x04")
        t.see("> ")
        t.enter("quit")
        assert t.ended() == 0
        assert not t.wrapped
    friend.kill()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(port)))


def test_a_port_that_is_taken_is_told_with_a_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with Terminal(*HOST, "--port", port, state=tmp_path) as t:
            assert t.ended() == 1
            shown = "\n".join(t.look())
    assert shown.strip().replace("\n", "") == (
        f"twentytwo host: 127.0.0.1:{port}: another program listens there;"
        " --port 0 takes a free one"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nosuch",), "! There is no game nosuch; there are "),
        (("seats=99",), "! seats takes 2 to 12 by these rules."),
        (("--name", "a.b"), "! a.b cannot be a name: "),
    ],
    ids=["game", "option", "name"],
)
def test_nobody_is_invited_to_a_table_that_cannot_be(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    with Terminal(*HOST, "--name", "zed", *words, state=tmp_path) as t:
        assert t.ended() == 2
        shown = "\n".join(t.all())
    assert told in shown
    assert "friends" not in shown


def test_who_hosts_goes_by_the_name_of_the_command_line(tmp_path: Path) -> None:
    where = ("--address", "::1", "--word", "kiwi", "--no-web")
    with Terminal(*HOST, "--name", "zed", *where, state=tmp_path) as t:
        t.see("Hello, ~zed.")
        lines = t.see("You are the host.")
        assert any(re.match(r"  twentytwo play \[::1\]:\d+ --table kiwi$", line) for line in lines)
        t.enter("quit")
        assert t.ended() == 0


def test_the_command_line() -> None:
    options = cli.read(["host", "whist22", "seats=3", "hook=no", "--word", "kiwi"])
    assert isinstance(options, Host)
    assert options.line == "open whist22 private=kiwi seats=3 options=hook:no"
    assert (options.address, options.port, options.web) == ("0.0.0.0", 2222, 8022)
    other = cli.read(["host", "--no-web"])
    assert isinstance(other, Host) and other.web is None
    assert isinstance(other, Host) and other.line == f"open private={other.word}"


def test_words_for_tables_can_be_said_on_the_telephone() -> None:
    assert all(re.fullmatch(r"[a-z]+-[a-z]+-\d\d", table_word()) for _ in range(50))


def test_what_is_sent_to_friends() -> None:
    lines = list(invitation("0.0.0.0:2222", "ws:0.0.0.0:8022", "kiwi-fox", "192.0.2.7"))
    assert lines[2] == "  http://192.0.2.7:8022/#join=kiwi-fox"
    assert "  twentytwo play 192.0.2.7 --table kiwi-fox" in lines
    assert "  nc 192.0.2.7 2222, then a name, then: join kiwi-fox" in lines
    assert all(len(line) < 80 for line in lines)
    alone = list(invitation("127.0.0.1:4000", "", "kiwi-fox", "192.0.2.7"))
    assert "Only 127.0.0.1 itself is listened on." in alone
    assert "  twentytwo play 127.0.0.1:4000 --table kiwi-fox" in alone
    assert not any("http" in line for line in alone)
    assert link("ws:127.0.0.1:80", "kiwi", "") == "http://127.0.0.1/#join=kiwi"


def test_the_address_of_this_machine_is_one() -> None:
    assert re.fullmatch(r"\d+(\.\d+){3}", own_address())


def test_a_picture_is_drawn_only_where_it_fits() -> None:
    drawn = picture("http://192.0.2.7:8022", 80)
    assert len(drawn.splitlines()) == 15
    assert not picture("http://192.0.2.7:8022", 20)
    assert not picture("http://192.0.2.7:8022", None)


@pytest.mark.parametrize("name", [(), ("--name", "zed")], ids=["asked", "named"])
def test_the_picture_is_not_for_whoever_listens(name: tuple[str, ...], tmp_path: Path) -> None:
    with Terminal(*HOST, "--plain", *name, state=tmp_path, size=(80, 50)) as t:
        if not name:
            t.see("your name? Enter = ")
            t.enter("")
        t.see("You are the host.")
        t.enter("")
        t.enter("table")
        t.see("private: others type join")
        shown = "\n".join(t.all())
        assert "█" not in shown and "QR" not in shown
        t.enter("quit")
        assert t.ended() == 0
