"""The client suite lets good clients pass and finds out the wrong ones, each by the right id."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.quoting import ROOT, spec_ids
from tests.docs.test_bots import CODE, missing, netcat
from tests.docs.test_sdk_page import examples
from tests.kit.forked import Forked
from tests.kit.length import LONG
from twentytwo_conform.client_suite import DUTIES, SCENARIOS, process, run
from twentytwo_conform.client_suite.lines import ServerLine
from twentytwo_conform.client_suite.scripted_server import OF_PLAYERS
from twentytwo_conform.client_suite.visit import Visit
from twentytwo_conform.report import Report, Verdict
from twentytwo_protocol.wire import declared_as, decode, parse

HERE = Path(__file__).parent


def python(*words: object) -> str:
    """The command of a client in Python; it needs nothing but the standard library."""
    return shlex.join([sys.executable, "-S", *map(str, words)])


def module(name: str, *words: str) -> str:
    """The command of a client that is a module here."""
    return f"env PYTHONPATH={ROOT} {python('-m', f'tests.client_suite.{name}', *words)}"


def mistakes() -> dict[str, list[str]]:
    """The wrong clients, each with the id of what it does wrong, and of what follows from it."""
    tree = ast.parse((HERE / "wrong.py").read_text(encoding="utf-8"))
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    return {each.name: (ast.get_docstring(each) or "").split() for each in classes}


def batched(names: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    """The names in groups, which are tried side by side: most of the time is waiting."""
    left = iter(names)
    while group := tuple(islice(left, size)):
        yield group


MISTAKES = mistakes()


def outcomes(report: Report, verdict: Verdict) -> set[str]:
    return {duty for duty, found in report.verdicts.items() if found is verdict}


@pytest.mark.parametrize("name", ["reference", "json_bot"])
def test_a_good_bot_does_every_duty(name: str) -> None:
    report = run(module(name))
    assert outcomes(report, Verdict.PASS) == set(DUTIES), str(report)


def test_a_bot_that_learns_the_games_from_the_server_is_told_of_one() -> None:
    report = run(module("learner"), only={"T1"})
    assert report.verdicts["T1"] is Verdict.PASS, str(report)


def test_a_client_that_only_watches_does_every_duty_but_those_of_players() -> None:
    report = run(module("watcher"))
    assert outcomes(report, Verdict.NOT_NEEDED) == OF_PLAYERS, str(report)
    assert outcomes(report, Verdict.PASS) == set(DUTIES) - OF_PLAYERS, str(report)
    assert "not needed: it only watches, and is asked nothing (" in str(report)


@pytest.fixture
def command(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """How a bot of the guide is started, with its files in a folder of its own."""
    name = str(request.param)
    if missing(name):
        pytest.skip(f"not on this machine: {', '.join(missing(name))}")
    for file, text in CODE.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    if name == "bot.py":
        return python(tmp_path / name, "{host}", "{port}", "practice")
    if name == "bot.sh":
        return shlex.join(["bash", str(tmp_path / name), "{host}", "{port}", "practice"])
    flag = "-W interactive " if shutil.which("mawk") else ""
    line = CODE["bot.awk.sh"].strip().replace("-W interactive ", flag)
    path = shlex.quote(f"{netcat(tmp_path)}{os.environ['PATH']}")
    start = f"PATH={path}; cd $(mktemp -d -p {tmp_path}); cp {tmp_path}/bot.awk ."
    return shlex.join(["bash", "-c", f"{start}; {line}"]).replace("localhost 2222", "{host} {port}")


@pytest.mark.parametrize("command", ["bot.py", "bot.sh", "bot.awk"], indirect=True)
def test_the_bots_of_the_guide_do_what_such_a_bot_needs_to(command: str) -> None:
    report = run(command)
    assert report.failed == (), str(report)
    passed = outcomes(report, Verdict.PASS)
    assert {"M1", "T1", "F7", "G4", "W1", "W2", "T6", "B1", "O7", "K2"} <= passed
    assert report.verdicts["C1"] is Verdict.NOT_NEEDED


def forked_python(words: Sequence[str], **options: Any) -> Forked:
    """`Popen` for the command `python FILE ARGUMENTS`; imports are most of such a client's work."""
    _, file, *arguments = words
    return Forked("-c", Path(file).read_text(encoding="utf-8"), *arguments, **options)


@pytest.mark.parametrize(
    ("number", "watching"),
    [(0, False), (1, False), (1, True)],
    ids=["asyncio", "blocking", "watch"],
)
def test_the_shortest_bots_of_the_sdk_do_every_duty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, watching: bool
) -> None:
    monkeypatch.setattr(process, "Popen", forked_python)
    _, program = examples()[number]
    if watching:
        program = program.replace("server.practice(bots=3)", 'server.watch("t7")')
    here = program.replace('"localhost:2222"', '":".join(sys.argv[1:])')
    assert here != program
    (tmp_path / "bot.py").write_text(f"import sys\n{here}", encoding="utf-8")
    report = run(shlex.join([sys.executable, str(tmp_path / "bot.py")]))
    less = {"B6"} | (OF_PLAYERS if watching else set())
    assert outcomes(report, Verdict.PASS) == set(DUTIES) - less, str(report)
    assert [found.why for found in report.by_id["B6"]] == ["it asks for no listing"]


def test_there_are_many_ways_to_be_wrong() -> None:
    assert len(MISTAKES) >= 25
    assert {duty for duty, *_ in MISTAKES.values()} == set(DUTIES)


@pytest.mark.parametrize("names", list(batched(MISTAKES, 7)), ids=lambda names: str(names[0]))
def test_a_mistake_is_found_by_the_right_id(names: tuple[str, ...]) -> None:
    def report(name: str) -> Report:
        return run(module("wrong", name), only=None if LONG else {MISTAKES[name][0]}, patience=2.5)

    with ThreadPoolExecutor(1 if LONG else len(names)) as threads:
        for name, found in zip(names, threads.map(report, names), strict=True):
            duty, *others = MISTAKES[name]
            assert duty in found.failed, f"{name}\n{found}"
            assert {*found.failed} <= ({duty, *others} if LONG else {duty}), f"{name}\n{found}"
            failures = [each for each in found.results if each.verdict is Verdict.FAIL]
            assert all(each.came and each.wants for each in failures), f"{name}\n{found}"


def test_a_client_that_does_not_start_is_said_so() -> None:
    with pytest.raises(OSError):
        run("./no-such-client")


def test_a_client_that_ends_at_once_fails_with_its_last_words() -> None:
    report = run(python("-c", "raise SystemExit('I want my options')"))
    assert report.failed == ("M1",)
    assert "I want my options" in str(report)


def test_a_client_that_does_not_come_to_a_table_is_told_how_to_start_it(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(CODE["bot.py"], encoding="utf-8")
    report = run(python(tmp_path / "bot.py"))
    assert report.failed == ("M1",)
    assert "practice" in str(report)


def test_every_duty_is_tried_and_in_the_specification_or_marked_as_without_an_id() -> None:
    assert {duty for each in SCENARIOS for duty in each.ids} == set(DUTIES)
    assert {duty for duty in DUTIES if not duty.startswith("B")} <= spec_ids()


def test_a_report_shows_what_a_client_was_taken_in_by() -> None:
    text = str(run(module("wrong", "SplitsLinesAsText"), only={"F2", "T1"}))
    assert "FAIL F2  talk with a character" in text
    assert "pass T1  " in text
    assert re.search(r"sent\s+SAID on=t7 seq=\d+ by=~bob :one\\u2028TURN on=t7", text)
    assert "move bait turn=990" in text
    assert all(line.isprintable() for line in text.split("\n"))


def test_the_scripted_server_speaks_the_words_of_the_protocol(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[ServerLine] = []
    send = Visit.send

    def noted(self: Visit, *records: ServerLine) -> None:
        sent.extend(records)
        send(self, *records)

    monkeypatch.setattr(Visit, "send", noted)
    run(python(HERE / "reference.py"), only={"T1", "C1", "S5", "T4"})
    run(module("watcher"), only={"B4"})
    assert {"TURN", "GAMEOVER", "AT", "STATE", "SEAT"} <= {each.word for each in sent}
    assert [each.plain for each in sent if undeclared(each)] == []
    for each in sent:
        found = parse(each.plain)
        assert found is not None
        decode(found)  # with all that it has to have


def undeclared(line: ServerLine) -> set[str]:
    """The fields that no declaration has, of a word that one has; grease is meant to have none."""
    cls = declared_as(line.word, reply=bool(line.re_))
    known = {field.key for field in cls.word.fields} if cls else {*line.fields}
    return {key for key in line.fields if not key.startswith("xg")} - known - {"on", "seq"}
