"""What `twentytwo` alone asks a person."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.screen import Terminal
from tests.kit.cases import together
from twentytwo_client import cli, menu
from twentytwo_client.options import Host, Play, Practice, Replay

EVERYTHING = {"practice", "tutorial", "play", "host", "review", "replay"}


def asked(*typed: str, there: set[str] | None = None) -> tuple[list[str] | None, str]:
    """The command line that comes of these lines, and what was shown."""
    lines: Iterator[str] = iter(typed)
    shown: list[str] = []

    def read(prompt: str) -> str:
        shown.append(prompt)
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    found = menu.ask(EVERYTHING if there is None else there, 40, read, shown.append)
    return found, "\n".join(shown)


@together(
    ("typed", "words"),
    [
        (("", ""), ["tutorial"]),
        (("", "whist 22"), ["tutorial", "whist22"]),
        (("p", "whist 22"), ["practice", "whist22"]),
        (("practice", "Twenty-Eight"), ["practice", "twentyeight"]),
        (("learn", ""), ["tutorial"]),
        (("daily", ""), ["play", "--do", "daily"]),
        (("PLAY", "cards.example.org"), ["play", "cards.example.org"]),
        (("h", "twenty-six"), ["host", "twentysix"]),
        (("w", ""), ["play", "--do", "tables"]),
        (("rev", "", "game.txt"), ["review", "game.txt"]),
        (("rep", "game.txt"), ["replay", "game.txt"]),
        (("re", "review", "game.txt"), ["review", "game.txt"]),
        (("what?", "quit"), None),
        (("play",), None),
        ((), None),
    ],
)
def test_what_is_typed_becomes_a_command_line(
    typed: tuple[str, ...], words: list[str] | None
) -> None:
    assert asked(*typed)[0] == words


def test_the_menu_leads_to_the_lesson_first_and_to_practice_second() -> None:
    assert [each.word for each in menu.offered(EVERYTHING)][:2] == ["learn", "practice"]


def test_enter_alone_practises_for_somebody_who_has_practised_before() -> None:
    lines = iter(("", ""))
    assert menu.ask(EVERYTHING, 40, lambda _: next(lines), print, last="last") == ["practice"]


def test_enter_alone_practises_where_there_is_no_lesson() -> None:
    assert asked("", "", there=EVERYTHING - {"tutorial"})[0] == ["practice"]


@pytest.mark.parametrize("word", ["review", "replay"])
def test_where_a_practice_game_is_kept_enter_alone_looks_back_on_it(word: str) -> None:
    lines = iter((word, ""))
    found = menu.ask(EVERYTHING, 40, lambda _: next(lines), print, last="last")
    assert found == [word, "last"]
    assert "your last practice game" in menu.question(menu.ASK_FILE, "last")


def test_the_beginning_of_two_words_is_asked_about() -> None:
    assert "Did you mean review or replay?" in asked("re", "quit")[1]


def test_what_the_command_lines_mean() -> None:
    kinds = {"practice": Practice, "daily": Play, "watch": Play, "host": Host, "replay": Replay}
    for word, kind in kinds.items():
        found, _ = asked(word, "game.txt" if word == "replay" else "")
        assert found is not None and isinstance(cli.read(found), kind)


def test_only_what_there_is_a_command_for_is_offered() -> None:
    _, shown = asked("learn", "quit", there=EVERYTHING - {"tutorial"})
    assert "learn" not in shown
    assert "There is no such choice" in shown
    assert "learn" in asked("quit")[1]


def test_it_fits_into_a_narrow_window() -> None:
    for typed in (("what",), ("play",), ("review",), ("practice",)):
        assert max(len(line) for line in asked(*typed)[1].splitlines()) <= 40


def test_alone_in_a_terminal_it_asks_and_asks_again_where_that_fails(tmp_path: Path) -> None:
    with Terminal(state=tmp_path, size=(40, 15)) as t:
        t.see("(Enter = learn)>")
        t.enter("play")
        t.see("Which server?")
        t.enter("127.0.0.1:1")
        t.see("listens there.")
        t.until(lambda _: t.bytes.count(b"learn)>") == 2)
        t.enter("play")
        t.until(lambda _: t.bytes.count(b"server> ") == 2)
        t.enter("no such place")
        t.until(lambda _: t.bytes.count(b"learn)>") == 3)
        t.enter("quit")
        assert t.ended() == 0
        assert b"Traceback" not in t.bytes


def test_ctrl_c_leaves_the_menu(tmp_path: Path) -> None:
    with Terminal(state=tmp_path, size=(40, 15)) as t:
        t.see("(Enter = learn)>")
        t.type("\x03")
        assert t.ended() == 130
        assert "Traceback" not in "\n".join(t.look())
    assert not os.listdir(tmp_path)
