"""The lines that were typed, gone through by keys."""

from __future__ import annotations

from twentytwo_client.tui.history import LineHistory


class Memory:
    """A history of typed lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def append_string(self, string: str) -> None:
        self.lines.append(string)


def test_lines_are_gone_through_to_both_ends_and_what_was_being_typed_comes_back() -> None:
    """The first step back is to the last line; at an end one stays there."""
    history = LineHistory(["who", "tables"], Memory())
    assert [history.older(text) for text in ("he", "tables", "who")] == ["tables", "who", "who"]
    assert [history.newer() for _ in range(3)] == ["tables", "he", "he"]
    assert history.older("hel") == "tables"
    assert history.newer() == "hel"


def test_a_new_line_is_the_last_one_and_secrets_are_none() -> None:
    """They are neither gone through nor kept."""
    memory = Memory()
    history = LineHistory([], memory)
    assert (history.older("he"), history.newer()) == ("he", "he")
    for line in ("who", "who", "login ann :three blind mice", "tables"):
        history.add(line)
    assert memory.lines == ["who", "tables"]
    assert [history.older("") for _ in range(3)] == ["tables", "who", "who"]
