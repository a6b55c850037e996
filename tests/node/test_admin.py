"""The operator's commands at a real server, as they are typed."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from twisted.internet import reactor

from tests.kit import forked
from tests.kit.cases import together
from tests.kit.processes import Server, plain
from twentytwo_server.cli import main
from twentytwo_server.operator.admin import listen, question
from twentytwo_server.operator.admin_command import duration, table
from twentytwo_server.store import Refused


def asked(data: Path, *words: str) -> Result:
    """What a command answers."""
    return CliRunner().invoke(main, ["admin", "--data", str(data), *words])


def test_what_an_operator_decides_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Server("--port", "0", "--data", str(data)) as server, plain(server.address()) as eve:
        eve.send("hello 1 client=t\n@1 register eve :three blind mice\n")
        eve.until("@1 OK")
        done = asked(data, "mute", "eve", "2h", "--why", "loud")
        assert (done.exit_code, done.output[:18]) == (0, "eve is muted until")
        assert eve.until("NOTE code=MUTED").endswith("UTC: loud")
        told = asked(data, "announce", "tea", "at", "five")
        assert told.output == "told on 1 connection\n"
        assert eve.until("NOTE code=ANNOUNCE").endswith(":The operator says: tea at five")
        refused = asked(data, "ban", "127.0.0.1")
        assert refused.exit_code == 1
        banned = asked(data, "ban", "eve", "2d", "--why", "very loud")
        assert banned.exit_code == 0, banned.output
        assert eve.until("BYE code=KICKED resume=0").endswith("UTC: very loud")
        server.process.send_signal(signal.SIGKILL)
        server.wait()
    none = asked(data, "who")
    assert none.exit_code == 1
    with Server("--port", "0", "--data", str(data)) as server, plain(server.address()) as eve:
        eve.send("hello 1 client=t\n@1 login eve :three blind mice\n")
        assert eve.until("@1 ERR code=FORBIDDEN").endswith("UTC: very loud")
        listed = asked(data, "--json", "bans")
        rows = json.loads(listed.output)["rows"]
        assert [(row["kind"], row["target"], row["why"]) for row in rows] == [
            ("ban", "eve", "very loud"),
            ("mute", "eve", "loud"),
        ]
        shown = asked(data, "log").output.splitlines()
        assert shown[0].split() == ["at", "uid", "command", "about", "why"]
        assert [line.split()[2] for line in shown[1:]] == ["bans", "ban", "announce", "mute"]
        assert {line.split()[1] for line in shown[1:]} == {str(os.getuid())}


@together(
    "line", ["[]", '["command"]', "{}", "1", "null", '"who"', "who", "", "\xff", "[" * 16_000]
)
def test_what_is_no_command_is_refused(line: str) -> None:
    with pytest.raises(Refused, match="that is no command"):
        question(line.encode("latin-1"))


def test_a_file_with_the_name_of_the_admin_socket_stays(tmp_path: Path) -> None:
    file = tmp_path / "admin"
    file.write_text("kept")
    actions: Any = None
    assert listen(reactor, file, actions) is None
    assert file.read_text() == "kept"


def test_a_drain_ends_the_server_when_the_last_game_is_over(tmp_path: Path) -> None:
    path = tmp_path / "control"
    options = ("--port", "0", "--drain", "60", "--admin-socket", str(path))
    with Server(*options) as server, plain(server.address()) as ann:
        ann.send("hello 1 client=t\nguest ann\n@1 practice bots=1 clock=0\n@2 ping\n")
        ann.send("@3 practice bots=1\n")
        ann.until("@3 OK")
        server.process.send_signal(signal.SIGTERM)
        ann.until("NOTE code=DRAINING")
        ann.send("@4 open twentytwo\n")
        ann.until("@4 ERR code=DRAINING class=server")
        who = forked.run("-m", "twentytwo_server", "admin", "--socket", str(path), "who")
        assert who.stdout.splitlines()[0].split() == ["name", "kind", "address", "tables"]
        ann.send("@5 leave\n")
        ann.until("@5 OK")
        assert ann.until("BYE").startswith("BYE code=RESTART resume=1 wait=1000")
        assert server.wait()[0] == 0


@together(
    ("typed", "ms"), [("90s", 90_000), ("30m", 1_800_000), ("2H", 7_200_000), ("1w", 604_800_000)]
)
def test_a_time_is_typed_as_people_write_it(typed: str, ms: int) -> None:
    assert duration(typed) == ms


@together("typed", ["", "2", "h", "0h", "-1h", "1.5h", "2 h", "9999w", "forever"])
def test_what_is_no_time_is_refused_with_examples(typed: str) -> None:
    result = CliRunner().invoke(main, ["admin", "mute", "eve", typed])
    assert result.exit_code == 2


def test_rows_are_shown_in_columns_and_cannot_move_the_cursor() -> None:
    rows = [{"name": "ann\x1b[2J", "n": 3, "no": ""}, {"name": "bobby", "n": 10, "no": False}]
    assert table(rows) == ["name     n", "ann?[2J  3", "bobby    10"]
