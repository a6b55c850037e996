"""Tables that an older version has opened go on under a newer one as they were."""

from __future__ import annotations

import dataclasses
import inspect
import logging
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import twentytwo_protocol
import twentytwo_server
from tests.kit.hosts import World, like
from tests.store.kit import Folder, opened
from tests.store.test_migrating import RELEASED, restored_from
from twentytwo_protocol.schema import EVENTS, fields_as_of
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.facts import InboxLine
from twentytwo_server.games.game import Game
from twentytwo_server.games.options import Option
from twentytwo_server.games.registry import games
from twentytwo_server.operator.dry_start import set_aside
from twentytwo_server.store.checking import read_data

ROOT = Path(__file__).parents[2]
SERVER = "twentytwo_server"
FIRST = Path(__file__).parent / "released" / "words.txt"
"""The fields that every event of a table has in the first edition, a line for each event."""

IGNORED = shutil.ignore_patterns("__pycache__")

ONE_MORE_FIELD = "    extra: Annotated[Int | None, Since(2)] = 7\n"
ONE_MORE_OPTION = '    extra: str = choice("no", "no", "yes", help="one more", source="a test")\n'

pytestmark = pytest.mark.deadline(240)

released = pytest.mark.parametrize("script", RELEASED, ids=lambda path: path.stem)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This version with one more field in TURN, always told, and one more option in every game."""
    folder = tmp_path_factory.mktemp("newer")
    for package in (twentytwo_protocol, twentytwo_server):
        (source,) = package.__path__
        shutil.copytree(source, folder / package.__name__, ignore=IGNORED)
    added: dict[type, tuple[str, str]] = {
        Turn: (ONE_MORE_FIELD, "from twentytwo_protocol.schema import Since\n")
    }
    for game in games().values():
        rules = type(next(iter(game.presets.values())))
        added[rules] = (ONE_MORE_OPTION, "")
    for cls, (line, imports) in added.items():
        copied = folder.joinpath(*cls.__module__.split(".")).with_suffix(".py")
        lines, first = inspect.getsourcelines(cls)
        text = copied.read_text().splitlines(keepends=True)
        text.insert(first - 1 + len(lines), line)
        head = next(n for n, each in enumerate(text) if each.startswith("from __future__")) + 1
        text.insert(head, imports)
        copied.write_text("".join(text))
    return folder


def run(version: Path, *words: str) -> str:
    """What a Python that has that version of the packages says."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        env={"PYTHONPATH": f"{version}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if done.returncode == 0 else done.stdout + done.stderr


@released
async def test_every_open_table_of_a_released_version_goes_on(script: Path, folder: Folder) -> None:
    restored_from(script.read_text(), folder)
    async with opened(folder):
        pass
    remembered = await read_data(folder.folder)
    assert {table.game for table in remembered.tables} == set(games())
    assert set_aside(remembered) == {}


@released
def test_so_it_does_under_a_version_with_one_more_option_and_one_more_field(
    script: Path, folder: Folder, newer: Path
) -> None:
    restored_from(script.read_text(), folder)
    assert "schema" in run(newer, SERVER, "migrate", "--data", str(folder.folder))
    assert run(newer, SERVER, "check", "--data", str(folder.folder)) == "ok\n"


async def test_tables_of_the_newer_version_are_told_of_both_and_are_set_aside_by_this_one(
    folder: Folder, newer: Path
) -> None:
    restored_from(run(newer, "tests.store.evening"), folder)
    assert run(newer, SERVER, "check", "--data", str(folder.folder)) == "ok\n"
    remembered = await read_data(folder.folder)
    assert all('"extra":"no"' in table.inputs[0].order for table in remembered.tables)
    assert set(set_aside(remembered)) == {table.table for table in remembered.tables}


def with_one_more_option() -> Game[Any, Any]:
    """Twenty-Two with one more option."""
    game = games()["twentytwo"]
    extra = Option("extra", "token", "no", "yes or no", "one more", "a test")

    def ask(name: str) -> Callable[..., Any]:
        return lambda rules, *about: getattr(game, name)(rules[0], *about)

    def rules(preset: str, changes: Mapping[str, str]) -> tuple[Any, str]:
        rest = {name: value for name, value in changes.items() if name != "extra"}
        return game.rules(preset, rest), changes.get("extra", "no")

    return like(
        game,
        rules=rules,
        presets={name: (rules, "no") for name, rules in game.presets.items()},
        options=lambda rules: [*game.options(rules[0]), dataclasses.replace(extra, value=rules[1])],
        players=ask("players"),
        target=ask("target"),
        new=ask("new"),
    )


def test_a_new_option_is_told_at_an_older_table_once_it_is_chosen() -> None:
    world = World(game=games()["twentytwo"])
    ann = world.program("ann")
    ann.ok("open twentytwo seats=2")
    before = world.room().table.digest
    later = World(world.store, clock=world.clock, run=1, game=with_one_more_option())
    table = later.room().table
    assert [option.value for option in table.options() if option.name == "extra"] == ["no"]
    assert table.digest == before
    again = later.program()
    again.ok(f"resume {ann.token}")
    again.ok("option extra yes t1")
    assert table.digest != later.room().table.digest
    once_more = later.restarted().room().table
    assert once_more.digest == later.room().table.digest


def test_a_table_waits_for_a_server_that_has_the_laws_by_which_it_is_played(
    caplog: pytest.LogCaptureFixture,
) -> None:
    first = games()["twentytwo"]
    second = like(first, version=2)
    world = World(game=first)
    ann = world.program("ann")
    ann.ok("practice bots=1")
    seq = world.room().stream.last
    with caplog.at_level(logging.ERROR):
        corrected = World(world.store, clock=world.clock, run=1, game=second)
    assert not corrected.host.rooms
    (line,) = caplog.messages
    assert line.endswith(
        "it is played by version 1 of the laws of Twenty-Two, and this server has version 2"
    )
    assert not caplog.records[0].exc_info
    bob = corrected.program("bob")
    on = bob.ok("practice bots=1").fields["on"]
    assert set(corrected.restarted().host.rooms) == {on}
    back = World(world.store, clock=world.clock, run=3, game=first)
    assert set(back.host.rooms) == {"t1"}
    assert back.room().stream.last >= seq


def test_every_field_that_came_later_is_marked_with_the_edition_that_brought_it() -> None:
    """Else open tables would be set aside: add `Since(...)` to the annotation."""
    first = dict(line.split(":") for line in FIRST.read_text().splitlines())
    for name, cls in EVENTS.items():
        if name in first:
            fields = " ".join(field.key for field in fields_as_of(1, cls.word))
            assert fields == first[name].strip(), name


def test_an_inbox_of_a_newer_version_is_read_without_what_it_brings() -> None:
    world = World()
    ann = world.program("ann")
    newer = "TOLD on=me seq=1 by=~bob to=~ann extra=7 :hello"
    world.store.keep([InboxLine(ann.name, 1, 0, newer)], lambda: None)
    again = world.restarted().program()
    again.ok(f"resume {ann.token} me:0")
    (told,) = again.events("me")
    assert (told.word, told.fields["by"], told.text) == ("TOLD", "~bob", "hello")
    assert "extra" not in told.fields
