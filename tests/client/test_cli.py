"""The command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.kit import forked
from tests.kit.cases import together
from twentytwo_client import cli
from twentytwo_client.address import Address, parse
from twentytwo_client.display.look import LookOptions
from twentytwo_client.options import Menu, Options, Play, Practice, Replay, ServerCommand
from twentytwo_protocol import __version__


@together(
    ("text", "address", "shown"),
    [
        ("localhost", Address("localhost", 2222), "localhost:2222"),
        ("cards.example.org:4001", Address("cards.example.org", 4001), "cards.example.org:4001"),
        ("192.0.2.7", Address("192.0.2.7", 2222), "192.0.2.7:2222"),
        ("::1", Address("::1", 2222), "[::1]:2222"),
        ("[2001:db8::7]", Address("2001:db8::7", 2222), "[2001:db8::7]:2222"),
        ("[::1]:4001", Address("::1", 4001), "[::1]:4001"),
        ("unix:/run/x.sock", Address(path="/run/x.sock"), "unix:/run/x.sock"),
        ("my_server", Address("my_server", 2222), "my_server:2222"),
        ("b\u00fccher.example:9", Address("b\u00fccher.example", 9), "b\u00fccher.example:9"),
        ("fe80::1%eth0", Address("fe80::1%eth0", 2222), "[fe80::1%eth0]:2222"),
        ("[fe80::1%wg-0.1]:9", Address("fe80::1%wg-0.1", 9), "[fe80::1%wg-0.1]:9"),
    ],
)
def test_addresses(text: str, address: Address, shown: str) -> None:
    assert parse(text) == address
    assert str(address) == shown
    assert parse(shown) == address


@together(
    "text",
    [
        "",
        "a b",
        "host:port",
        "host:0",
        "host:70000",
        "http://x/",
        ":1",
        ":::",
        "a:b:c",
        "[:]:5",
        "unix:",
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text)


@together(
    ("arguments", "options"),
    [
        ([], Menu()),
        (["play"], Play(Address())),
        (
            ["play", "h:9", "--table", "kiwi-fox", "--name", "ann", "--plain", "--bell"],
            Play(Address("h", 9), "kiwi-fox", "ann", LookOptions(plain=True, bell=True)),
        ),
        (
            ["play", "--color", "never", "--suits", "letters", "--four-color"],
            Play(Address(), look=LookOptions(color="never", suits="letters", four=True)),
        ),
        (["practice"], Practice("practice")),
        (
            [
                "practice",
                "twentysix",
                "--bots",
                "2",
                "--level",
                "easy",
                "--seed",
                "7",
                "exchange=off",
            ],
            Practice("practice twentysix bots=2 level=easy seed=7 options=exchange:off"),
        ),
        (
            ["practice", "bots=2", "--rules", "tvtropes", "--plain"],
            Practice("practice rules=tvtropes bots=2", LookOptions(plain=True)),
        ),
        (["practice", "--seed", "0"], Practice("practice seed=0")),
        (
            ["practice", "--bots", "1", "whist22", "--plain", "clock=0"],
            Practice("practice whist22 bots=1 options=clock:0", LookOptions(plain=True)),
        ),
        (["play", "--login", "ann", "--name", "bob"], Play(Address(), name="ann", login=True)),
        (["replay", "-"], Replay("-")),
        (
            ["replay", "g51", "--server", "h:9", "--seat", "2", "--from", "3.1", "--log"],
            Replay("g51", Address("h", 9), seat=2, start=(3, 1), log=True),
        ),
        (
            ["replay", "--open", "--from", "3", "game.txt"],
            Replay("game.txt", opened=True, start=(3, 0)),
        ),
        (
            ["match", "--seats", "hard,easy", "-n", "3"],
            ServerCommand(("match", "--seats", "hard,easy", "-n", "3")),
        ),
        (["record", "--help"], ServerCommand(("record", "--help"))),
    ],
)
def test_what_the_arguments_ask_for(arguments: list[str], options: Options) -> None:
    assert cli.read(arguments) == options


def test_who_wants_plain_and_tui_is_told_so_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.read(["practice", "--tui", "--plain"])
    assert len(capsys.readouterr().err) < 80


@pytest.mark.parametrize(
    "arguments",
    [
        ["dance"],
        ["practise"],
        ["play", "host:port"],
        ["play", "a", "b"],
        ["play", "--table", "two words"],
        ["play", "--name", "a\nwho"],
        ["play", "--color", "red"],
        ["practice", "--bots", "many"],
        ["practice", "twentytwo", "twentysix"],
        ["practice", "twenty\ntwo"],
        ["practice", "--level", "easy\nquit"],
        ["practice", "--levels", "easy"],
        ["replay"],
        ["replay", "game.txt", "--from", "the end"],
        ["--dance"],
    ],
)
def test_what_makes_no_sense_ends_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.read(arguments)
    assert ended.value.code == 2
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith("twentytwo")
    assert line.endswith(" --help") and "?;" not in line
    assert captured.out == ""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["play", "--help"], ["practice", "--help"], ["replay", "-h"]]
)
def test_help_has_examples_and_fits(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        cli.read(arguments)
    text = capsys.readouterr().out
    assert ended.value.code == 0
    assert "example" in text
    assert max(map(len, text.splitlines())) <= 80
    assert not any(line.startswith("  ") and line.endswith("...") for line in text.splitlines())


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return forked.run("-m", "twentytwo_client", *arguments)


def test_the_version() -> None:
    assert _run("--version").stdout == f"twentytwo {__version__}\n"


def test_alone_where_nobody_types_it_says_how_it_is_used() -> None:
    done = _run()
    assert (done.returncode, done.stdout) == (2, "")
    assert "twentytwo practice" in done.stderr
    assert done.stderr.startswith("Usage: twentytwo ")
    assert max(map(len, done.stderr.splitlines())) < 80


def test_no_part_of_the_client_needs_twisted() -> None:
    code = "import sys, twentytwo_client.{}; print('twisted' in sys.modules)"
    for part in ("sdk", "terminal.commands", "tui.screen"):
        words = [sys.executable, "-c", code.format(part)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        assert done.stdout == "False\n", part
