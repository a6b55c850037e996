"""A command with a key, with the server killed between storing and answering it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.processes import Server
from twentytwo_conform.connections import Address, Closed, Program

KILLED = """
import os, signal, sys
from pathlib import Path
from tests.crash.server import serve

def at(reached):
    if reached == "committed" and Path({flag!r}).exists():
        os.kill(os.getpid(), signal.SIGKILL)

serve(["run", *sys.argv[1:]], at)
"""

COMMANDS = {
    "move {default} turn={turn} once=key": "EXCHANGED",
    "say once=key :hello": "SAID",
    "tell {name} once=key :hello": "TOLD",
    "open twentytwo seats=2 clock=0 once=key :tea": "",
    "resign once=key": "",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_stored_command_without_an_answer_is_answered_later_and_done_once(
    tmp_path: Path, command: str
) -> None:
    flag = tmp_path / "now"

    def server() -> Server:
        program = ("-c", KILLED.format(flag=str(flag)))
        return Server("--port", "0", "--dev", "--data", str(tmp_path / "data"), program=program)

    with server() as first:
        ann = Program(first.address(), "ann")
        ann.must("practice bots=1 seed=5")
        turn = ann.until("TURN")
        line = command.format(name=ann.name, **turn.fields)
        flag.touch()
        ann.send(f"@k {line}")
        with pytest.raises(Closed):
            ann.reply("k")
    flag.unlink()
    with server() as second:
        address: Address = second.address()
        with Program(address) as again:
            again.must(f"resume {ann.token} me:0 t1:0")
            before = len(again.must("tables").rows)
            assert again.must(line)["again"] == "1"
            assert len(again.must("tables").rows) == before == (2 if "open" in line else 1)
            word = COMMANDS[command]
            told = [event for event in again.events if event.word == word]
            mine = [event for event in told if event.fields.get("seat", "1") == "1"]
            assert len(mine) == (1 if word else 0)
            if "resign" not in line:
                assert again.ask(line.replace("key", "other")).code in ("", "STALE_TURN")
