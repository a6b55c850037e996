"""The client and the real server, as they are used."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from subprocess import PIPE

import pytest

import twentytwo_client
from tests.client.screen import Terminal
from tests.client.test_piped import CLIENT, client
from tests.kit import forked
from tests.kit.forked import Forked
from twentytwo_client import connect
from twentytwo_client.terminal import practice_server

HASTY = """
import sys
from twentytwo_client import __main__
from twentytwo_client.terminal import practice_server
usual = practice_server.command
practice_server.command = lambda path: [*usual(path), "--bot-pause", "0"]
sys.exit(__main__.main())
"""
"""The client, with bots in its practice server that do not stop to think."""


class Piped:
    """A client without a terminal, to talk with."""

    def __init__(self, *arguments: str, state: Path, program: Sequence[str] = CLIENT) -> None:
        self.process = client(*arguments, state=state, program=program)
        self.lines: list[str] = []
        self.plays = False
        self._read = 0
        self._ended = False
        self._came = threading.Condition()
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._came:
                self.lines.append(line.rstrip("\n"))
                self._came.notify()
            answer = first_choice(line.strip()) if self.plays else ""
            if answer:
                with contextlib.suppress(OSError, ValueError):  # its input is closed: it ends
                    self.type(answer)
        with self._came:
            self._ended = True
            self._came.notify()

    def until(self, pattern: str) -> str:
        """Reads on to a line that matches."""

        with self._came:
            while True:
                while self._read < len(self.lines):
                    self._read += 1
                    if re.search(pattern, self.lines[self._read - 1]):
                        return self.lines[self._read - 1]
                assert not self._ended, self._told(pattern)
                assert self._came.wait(60), self._told(pattern)

    def _told(self, pattern: str) -> str:
        assert self.process.stderr is not None
        errors = self.process.stderr.read() if self._ended else ""
        return "\n".join([f"no {pattern!r} in", *self.lines, errors])

    def type(self, text: str) -> None:
        """Types a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def play(self) -> None:
        """Answers every question from now on, the last one included, with its first move."""
        self.plays = True
        answer = next(filter(None, map(first_choice, reversed(self.lines))), "")
        if answer:
            self.type(answer)

    def end(self) -> int:
        """Closes its input; the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)
        return self._close()

    def kill(self) -> None:
        """Ends it as no program can prevent."""
        self.process.kill()
        self.process.wait(30)
        self._close()

    def _close(self) -> int:
        self._thread.join(30)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        return self.process.wait()


def first_choice(line: str) -> str:
    """The first move that a question offers; empty if the line is none."""
    if "exchange up to" in line:
        return "keep"
    if found := re.search(r"all you may play is ([^.]*)\.$", line):
        return found[1]
    if found := re.search(r"Your (?:turn: .* to beat[.]|lead:) +(.*)", line):
        return re.split(r" \| |, or |\.$", found[1])[0].removesuffix(" (lowest)")
    return ""


def running(folder: Path) -> list[str]:
    """The working folders, below this one, of running processes: servers work in theirs."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            found.append(os.readlink(process / "cwd"))
    return [each for each in found if each.startswith(f"{folder}/")]


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty place for temporary files."""
    folder = Path(tempfile.mkdtemp(prefix="tt-", dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    for path in folder.iterdir():
        assert path.name.startswith(practice_server.PREFIX), path
    practice_server.sweep(str(folder))
    folder.rmdir()


# ------------------------------------------------------------------------------ practice


@pytest.mark.parametrize("options", [[], ["--plain"]], ids=["usual", "plain"])
def test_a_whole_practice_game_by_pipe(options: list[str], tmp_path: Path, temporary: Path) -> None:
    arguments = ("practice", "--bots", "2", "--seed", "11", *options)
    piped = Piped(*arguments, state=tmp_path, program=["-c", HASTY])
    piped.until("Your turn: exchange")
    assert running(temporary)
    piped.play()
    piped.until("Game over")
    assert piped.end() == 0
    assert not [line for line in piped.lines if line.startswith("!")]
    assert list(temporary.iterdir()) == []
    assert running(temporary) == []
    if options:
        assert not [char for line in piped.lines for char in line if ord(char) < 32 or char in "|*"]


def test_a_whole_practice_game_in_a_terminal(tmp_path: Path, temporary: Path) -> None:
    size = (40, 15)
    hasty = ("-c", HASTY)
    arguments = ("practice", "bots=1", "--seed", "3")
    env = {"TMPDIR": str(temporary)}
    with Terminal(*arguments, state=tmp_path, size=size, env=env, program=hasty) as t:
        t.see("YOUR TURN")
        answered = 0
        while not over(t):
            # The question mark says what can be typed; type that.
            t.enter("?")
            lines = t.until(more(t, examples, answered))
            assert max(map(len, lines)) <= size[0]
            t.enter(_example(t.all()))
            answered += 1
            # What is asked is told once, and once more by the question mark.
            t.until(more(t, questions, 2 * answered))
        assert answered > 10
        t.enter("/quit")
        assert t.ended() == 0
    assert list(temporary.iterdir()) == []
    assert running(temporary) == []


def over(t: Terminal) -> bool:
    """Whether the game has ended."""
    return b"Game over" in t.bytes


def questions(t: Terminal) -> int:
    """How many questions have been shown."""
    return len(re.findall(rb"Your (?:turn|lead): ", t.bytes))


def more(t: Terminal, count: Callable[[Terminal], int], than: int) -> Callable[[object], bool]:
    """Whether there are more of something than that, or the game is over."""
    return lambda _: count(t) > than or over(t)


def examples(t: Terminal) -> int:
    """How many examples have been shown."""
    return t.bytes.count(b"Typed like this: ")


def _example(lines: list[str]) -> str:
    line = next(line for line in reversed(lines) if "Typed like this: " in line)
    return line.partition("Typed like this: ")[2].partition("   ")[0]


def test_a_killed_practice_leaves_no_process_and_the_next_one_no_folder(
    tmp_path: Path, temporary: Path
) -> None:
    piped = Piped("practice", state=tmp_path)
    piped.until("Your turn")
    assert running(temporary)
    (folder,) = temporary.iterdir()
    with open(folder / practice_server.LOG_FILE) as log:
        piped.kill()
        fcntl.flock(log, fcntl.LOCK_EX)  # which the server holds for as long as it runs
    assert running(temporary) == []
    piped = Piped("practice", state=tmp_path)
    piped.until("Your turn")
    assert len(list(temporary.iterdir())) == 1
    assert piped.end() == 0
    assert list(temporary.iterdir()) == []


def test_two_can_practise_at_the_same_time(tmp_path: Path, temporary: Path) -> None:
    first, second = Piped("practice", state=tmp_path), Piped("practice", state=tmp_path)
    first.until("Your turn")
    second.until("Your turn")
    assert (first.end(), second.end()) == (0, 0)
    assert list(temporary.iterdir()) == []


def test_a_game_that_there_is_not_is_refused_in_one_line(tmp_path: Path, temporary: Path) -> None:
    piped = Piped("practice", "tiddlywinks", state=tmp_path)
    assert piped.end() == 2
    assert [line for line in piped.lines if line.startswith("! There is no game tiddlywinks")]
    assert list(temporary.iterdir()) == []


# -------------------------------------------------------------------------- on a server


PLAY = re.compile(r"(You|~\w+|bot:\w+) (lead|play|throw)s? ")


def in_trick(lines: list[str]) -> list[str]:
    """What has been played to the trick that is running."""
    last = max((n for n, line in enumerate(lines) if " trick 1 with " in line), default=0)
    return [line for line in lines[last:] if PLAY.match(line)]


def test_a_client_killed_in_the_middle_of_a_trick_comes_back(server: str, tmp_path: Path) -> None:
    ann = Piped("play", server, "--name", "abe", state=tmp_path / "ann")
    ann.type("open seats=3 bots=1 clock=0")
    table = ann.until("You open t").split("You open ")[1].partition(":")[0]
    bob = Piped("play", server, "--name", "ben", "--table", table, state=tmp_path / "bob")
    assert "~abe" in bob.until("^There: ")
    bob.until("Type ready")
    bob.type("ready")
    ann.until("~ben is ready")
    ann.type("start")
    ann.play()
    bob.until("exchange up to")
    bob.type("keep")
    hand = bob.until("^Your cards: ")
    bob.until("^Your (turn|lead): ")
    shown = in_trick(bob.lines)
    bob.kill()
    ann.until("~ben is away")
    bob = Piped("play", server, state=tmp_path / "bob")
    assert bob.until("^Your cards: ") == hand
    bob.until("^Your (turn|lead): ")
    assert in_trick(bob.lines) == shown
    ann.until("~ben is back")
    assert not [line for line in ann.lines if "bot plays for" in line]
    bob.play()
    bob.until("takes? trick")
    assert (ann.end(), bob.end()) == (0, 0)


async def test_a_bot_of_the_sdk_plays_a_whole_game(server: str) -> None:
    async with connect(server, name="robo") as robo:
        assert robo.name == "~robo"
        table = await robo.practice(bots=3, seed=42)
        turns = 0
        async for question in table.questions():
            turns += 1
            assert question.default and question.hand
            await question.play(question.default)
        assert sorted(table.places) == ["bot:steady", "bot:steady2", "bot:steady3", "~robo"]
        assert turns > 5


def test_people_and_a_bot_at_one_table(server: str, tmp_path: Path) -> None:
    ann = Piped("play", server, "--name", "gus", state=tmp_path)
    ann.type("open seats=2 clock=0 private=kiwi-fox")
    ann.until("You open t")
    bot = f"""
from twentytwo_client import connect
with connect({server!r}, name="mate") as mate:
    table = mate.join("kiwi-fox")
    table.ready()
    for question in table.questions():
        question.play(question.default)
    print(table.places)
"""
    program = Forked("-c", bot, stdout=PIPE, stderr=PIPE)
    ann.until("~mate is ready")
    ann.type("start")
    ann.play()
    ann.until("Game over")
    out, err = program.communicate(timeout=100)
    assert err == ""
    assert set(eval(out)) == {"~gus", "~mate"}
    assert ann.end() == 0


def test_two_clients_of_one_person_are_two_people(server: str, tmp_path: Path) -> None:
    first = Piped("play", server, "--name", "hal", state=tmp_path)
    first.until("Hello, ~hal")
    second = Piped("play", server, state=tmp_path)
    second.until("Hello, ~")
    first.type("whoami")
    first.until("You are ~hal,")
    assert (first.end(), second.end()) == (0, 0)


README = Path(twentytwo_client.__file__).parents[1] / "README.md"


def test_the_bot_of_the_readme_plays_a_whole_game(server: str) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    program = example.replace("localhost:2222", server)
    done = forked.run("-c", program)
    assert done.stderr == ""
    assert "~botty" in done.stdout


def test_the_script_of_the_readme_does_what_it_says(server: str, tmp_path: Path) -> None:
    (script,) = re.findall(r"printf '(.*)' \| twentytwo play", README.read_text("utf-8"))
    piped = Piped("play", server, state=tmp_path)
    piped.type(script.replace("\\n", "\n").strip())
    piped.until("You keep all cards")
    assert piped.end() == 0
    assert not [line for line in piped.lines if line.startswith("!")]
