"""Playing on from a game in a file: `twentytwo whatif`, and the key `w` in `twentytwo replay`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.client.screen import Terminal
from tests.kit import forked
from tests.walls.source import ROOT
from twentytwo_client.cli import read
from twentytwo_client.display.look import LookOptions
from twentytwo_client.options import Practice, WhatIf
from twentytwo_client.replay import going_on
from twentytwo_client.replay.sources import NoGame, record_of
from twentytwo_protocol import record_link

GAME = ROOT / "docs" / "games" / "three.txt"
RECORD = GAME.read_text("utf-8")


def test_the_command_begins_where_the_record_stood(tmp_path: Path) -> None:
    arguments = ("whatif", str(GAME), "--at", "1.4", "--seat", "2", "--level", "easy")
    with Terminal(*arguments, state=tmp_path) as terminal:
        terminal.see("Your turn: K to beat.")
        terminal.see("you: [4♠ A♦]")  # which are bob's
        terminal.enter("a")  # which would have saved bob
        terminal.see("You play A♦")
        terminal.see("You show 4♠")


def test_the_key_goes_on_from_what_is_shown_with_the_eyes_that_one_has(tmp_path: Path) -> None:
    with Terminal("replay", str(GAME), "--from", "1.3", state=tmp_path) as terminal:
        terminal.see("w: play on from here")
        terminal.type("v")  # a spectator's eyes, then seat 1's
        terminal.see("As ann saw it, in seat 1")
        terminal.type("w")
        terminal.see("YOUR TURN")
        terminal.see("trick 3")
        terminal.see("you: [9♣ Q♣ Q♦ K♣]")  # which are ann's
        terminal.enter("/quit")
        assert terminal.ended() == 0


def test_what_is_asked_of_the_server() -> None:
    asked = read(["whatif", str(GAME), "--at", "3"])
    assert asked == WhatIf(str(GAME), (3, 0))
    assert going_on.main(asked) == Practice("whatif g0 at=3", history=False, record=RECORD)
    begun = going_on.going_on(RECORD, (0, 0), None, LookOptions())
    assert begun.line == "whatif g0 at=1"  # before the first hand is its beginning


def test_what_cannot_be_played_on_from_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*arguments: str) -> tuple[object, str]:
        asked = read(["whatif", *arguments])
        assert isinstance(asked, WhatIf)
        return going_on.main(asked), capsys.readouterr().err

    (tmp_path / "bad").write_text("twentytwo-record 1\n")
    code, err = told(str(tmp_path / "bad"))
    assert code == 1
    assert err.startswith("twentytwo whatif: that record will not do; line 1: ")
    assert err.count("\n") == 1
    assert told(str(GAME), "--at", "99") == (
        2,
        "twentytwo whatif: there is no hand 99; they are 1 to 4\n",
    )


def test_a_link_is_a_record_and_a_log_is_none(tmp_path: Path) -> None:
    link = record_link.pack(RECORD)
    (tmp_path / "link").write_text(link)
    assert record_of(link) == record_of(str(tmp_path / "link")) == RECORD
    (tmp_path / "log").write_text("# a log\nGAME on=t1\n")
    for what in (tmp_path / "log", tmp_path / "none", f"{link[:-5]}"):
        with pytest.raises(NoGame):
            record_of(str(what))
    done = going_on.main(WhatIf(str(tmp_path / "log")))
    assert done == 1


def started(*options: str) -> subprocess.CompletedProcess[str]:
    """A server that does not start."""
    return forked.run("-m", "twentytwo_server", "run", "--port", "0", *options)


def test_a_server_takes_a_game_only_into_memory_and_only_a_record(tmp_path: Path) -> None:
    kept = started("--game", str(GAME), "--data", str(tmp_path / "data"))
    assert kept.returncode == 2 and "--memory" in kept.stderr
    assert not (tmp_path / "data").exists()
    (tmp_path / "no.txt").write_text("no record")
    wrong = started("--game", str(tmp_path / "no.txt"), "--memory")
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr
    missing = started("--game", str(tmp_path / "none.txt"), "--memory")
    assert missing.returncode == 2 and "none.txt" in missing.stderr
    assert "awaited" not in wrong.stderr + missing.stderr
