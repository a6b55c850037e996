"""A fault in what draws: a line in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from twentytwo_client.terminal import faults
from twentytwo_client.terminal.prompt import Prompt


class Faulty:
    """What cannot say how the table stands."""

    prompt, faded, kind = "> ", False, ""

    def status(self, columns: int, rows: int) -> list[str]:
        """Nothing, ever."""
        raise UnboundLocalError("no\nsuch thing")

    def completions(self, text: str) -> Iterator[tuple[str, str]]:
        """None."""
        return iter(())

    def left_out(self, text: str) -> int:
        """None."""
        return 0


async def test_a_fault_while_the_status_is_drawn_is_one_line_in_a_file(tmp_path: Path) -> None:
    with create_pipe_input() as keys, create_app_session(keys, DummyOutput()):
        prompt = Prompt(Faulty(), tmp_path / "history", colour=False)
        for line in ("keep", "2 2"):
            keys.send_text(f"{line}\r")
            assert await prompt.read() == line
    (line,) = (tmp_path / faults.FILE).read_text("utf-8").splitlines()
    assert line.startswith("test_faults.py:") and line.endswith("UnboundLocalError: no such thing")


def test_where_the_file_cannot_be_written_the_fault_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")
    with faults.noted(tmp_path / "state"):
        raise ValueError
