"""Forked processes end, and report their end, like processes started by `subprocess`."""

from __future__ import annotations

import os
import signal
import subprocess
from subprocess import PIPE

import pytest

from tests.kit.forked import Forked, run


def test_a_program_gets_its_input_and_arguments_and_returns_its_status() -> None:
    program = "import sys; print(sys.argv[1:], input()); sys.exit(3)"
    done = run("-c", program, "one", "two", text="typed\n")
    assert (done.returncode, done.stdout, done.stderr) == (3, "['one', 'two'] typed\n", "")


def test_a_program_that_raises_ends_with_a_traceback() -> None:
    done = run("-c", "raise ValueError('here')")
    assert done.returncode == 1
    assert done.stderr.endswith("ValueError: here\n")


def test_a_program_that_cannot_write_its_last_output_ends_as_python_does() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with Forked("-c", "print('for nobody')", stdout=writing) as process:
        os.close(writing)
        assert process.wait(20) == 120


def test_at_the_end_of_a_program_garbage_is_freed() -> None:
    program = (
        "class Circle:\n    def __del__(self): print('freed')\ncircle = Circle()\n"
        "circle.itself = circle\ndel circle"
    )
    assert run("-c", program).stdout == "freed\n"


def test_a_program_that_takes_too_long_is_ended() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run("-c", "import time; time.sleep(60)", timeout=0.1)


def test_a_signal_is_a_negative_status_and_ends_a_process_once() -> None:
    with Forked("-c", "input()", stdin=PIPE) as process:
        process.kill()
        assert process.wait(20) == -signal.SIGKILL
        process.kill()


def test_a_process_that_has_just_ended_may_be_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is gone a moment before its status is known."""
    with Forked("-c", "pass") as process:
        process.wait(20)
        monkeypatch.setattr(process, "poll", lambda: None)
        process.kill()


STARTS = """\
import subprocess, sys
print("unwritten", end="")
inner = "import sys; print(sys.argv[1:], 'twentytwo_server.node' in sys.modules); sys.exit('over')"
done = subprocess.run([sys.executable, "-c", inner, "one"], text=True, capture_output=True)
assert done.returncode == 1, done
sys.exit(f": {done.stdout}{done.stderr}")
"""


def test_a_python_that_a_forked_process_starts_is_forked_too() -> None:
    done = run("-c", STARTS)
    assert (done.stdout, done.stderr) == ("unwritten", ": ['one'] True\nover\n\n")


def test_variables_that_python_reads_at_its_start_need_a_start() -> None:
    with pytest.raises(AssertionError):
        run("-c", "pass", env=os.environ | {"PYTHONPATH": "/elsewhere"})
