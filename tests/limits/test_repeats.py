"""The same line, again and again."""

from __future__ import annotations

import pytest

from twentytwo_server.limits.repeats import (
    MOST_REPEATS,
    REMEMBERED,
    REPEAT_WINDOW,
    bare,
    repeats,
)


@pytest.mark.parametrize(("text", "line"), [("Hello  You ", "hello you"), ("STRASSE", "strasse")])
def test_a_line_is_the_same_in_any_case_and_with_any_spaces(text: str, line: str) -> None:
    assert bare(text) == line


def test_a_line_said_again_counts_however_much_was_said_before() -> None:
    said = repeats()
    for number in range(2 * REMEMBERED):
        said.fill(f"line {number}", number)
    assert len(said) == REMEMBERED
    assert [said.take("hello", 100) for _ in range(MOST_REPEATS)] == [0] * MOST_REPEATS
    assert said.wait("hello", 200) == 100 + REPEAT_WINDOW - 200
    assert not said.wait("hello!", 200)


def test_the_lines_of_a_guest_count_for_the_account() -> None:
    guest, account = repeats(), repeats()
    account.fill("hello", 50)
    guest.fill("hello", 100, MOST_REPEATS)
    account.merge(guest)
    assert account.wait("hello", 100) == REPEAT_WINDOW
