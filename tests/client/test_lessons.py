"""Lessons in the client: played in a real terminal, and taken up again by the next run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.screen import Terminal
from tests.client.test_end_to_end import HASTY
from twentytwo_client import cli
from twentytwo_client.display.look import LookOptions
from twentytwo_client.lessons import LessonFile
from twentytwo_client.options import Tutorial


def test_the_command_line() -> None:
    assert cli.read(["tutorial"]) == Tutorial()
    assert cli.read(["learn", "whist22", "--plain"]) == Tutorial(
        "whist22", look=LookOptions(plain=True)
    )
    assert cli.read(["tutorial", "twentysix", "--step", "4"]) == Tutorial("twentysix", 4)


def test_the_file_knows_how_far_one_is(tmp_path: Path) -> None:
    lessons = LessonFile(tmp_path / "state")
    assert lessons.next_line() == "tutorial"
    assert lessons.next_line("whist22") == "tutorial whist22"
    lessons.keep("twentytwo", 4)
    lessons.keep("whist22", 2)
    lessons.keep("twentytwo", 5)
    assert LessonFile(tmp_path / "state").next_line() == "tutorial twentytwo 5"
    assert lessons.next_line("Whist22") == "tutorial Whist22 2"
    assert lessons.next_line("whist22", 1) == "tutorial whist22 1"
    lessons.keep("twentytwo", 0)
    assert lessons.next_line() == "tutorial whist22 2"
    (tmp_path / "state" / "lessons.json").write_text("[", "utf-8")
    assert lessons.next_line() == "tutorial"


def played(terminal: Terminal, most: int) -> list[str]:
    """Types what is suggested, so many times or to the end; all that was to be seen."""
    for count in range(most):
        shown = terminal.until(lambda _: len(suggested(terminal)) > count)  # noqa: B023
        last = suggested(terminal)[-1]
        if last.startswith("Lesson done"):
            return terminal.all()
        assert shown
        terminal.enter(last.removeprefix("Type: ").split(" or ")[0])
    return terminal.all()


def suggested(terminal: Terminal) -> list[str]:
    return [line for line in terminal.all() if line.startswith(("Type: ", "Lesson done"))]


def test_behind_a_deal_of_a_lesson_start_goes_on_with_the_lesson(tmp_path: Path) -> None:
    with Terminal("tutorial", "twentytwo", "--step", "8", state=tmp_path) as terminal:
        for word in ("hint", "10", "tutorial"):
            terminal.see(f"Type: {word}")
            terminal.enter(word.replace("tutorial", "start"))
        terminal.see("Step 9 of ")
        assert not any("rematch" in line for line in terminal.all())


def test_a_lesson_is_finished_by_the_suggested_words_where_it_is_read_aloud(tmp_path: Path) -> None:
    arguments = ("tutorial", "twentysix", "--step", "6", "--plain")
    with Terminal(*arguments, state=tmp_path, program=("-c", HASTY)) as terminal:
        seen = played(terminal, 60)
        assert suggested(terminal)[-1].startswith("Lesson done")
        assert not any(line.startswith("! ") for line in seen)


@pytest.mark.parametrize(("game", "size"), [("twentytwo", (80, 24)), ("whist22", (40, 15))])
def test_a_lesson_is_finished_by_the_suggested_words_in_a_terminal(
    game: str, size: tuple[int, int], tmp_path: Path
) -> None:
    program = ("-c", HASTY)
    with Terminal("tutorial", game, state=tmp_path, size=size, program=program) as terminal:
        seen = played(terminal, 5)
        assert any(line.startswith("Step 3 of ") for line in seen)
        terminal.until(lambda _: len(suggested(terminal)) > 5)  # step 6 is told, and so kept
    with Terminal("learn", state=tmp_path, size=size, program=program) as terminal:
        seen = played(terminal, 60)
        steps = [line for line in seen if line.startswith("Step ")]
        assert steps[0].startswith("Step 6 of "), steps
        assert any("win." in line for line in seen)
        assert suggested(terminal)[-1].startswith("Lesson done")
        assert not any(line.startswith("! ") for line in seen)
    assert LessonFile(tmp_path / "twentytwo").next_line() == "tutorial"
