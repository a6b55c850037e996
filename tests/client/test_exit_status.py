"""What the exit status of `twentytwo` says, command by command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.kit import Peer, scripted
from tests.client.test_piped import client
from tests.kit import forked
from twentytwo_client.exit_status import MEANINGS, Exit


def status(*arguments: str, state: Path, typed: str = "") -> int:
    process = client(*arguments, state=state)
    process.communicate(typed, timeout=100)
    return process.wait()


def _turns_away(peer: Peer) -> None:
    hello = peer.expect("hello 1")
    peer.send(f"{hello} OK proto=1 server=script boot=b1")
    guest = peer.expect("guest ")
    peer.send(f"{guest} ERR code=BUSY class=limit wait=5000 :The server is full.")
    peer.send("BYE code=FULL resume=1 :Come back later.")


def _turns_away_at_the_door(peer: Peer) -> None:
    peer.send("BYE code=RATE resume=1 wait=10 :Too many new connections.")


def _hangs_up(peer: Peer) -> None:
    pass


def _refuses(verb: str) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        if verb == "hello":
            peer.send(f"{peer.expect('hello 1')} ERR code=BAD_VERSION class=syntax :Too old.")
            peer.wait()
            return
        peer.greet()
        peer.send(
            f"{peer.expect(f' {verb}')} ERR code=NO_TABLE class=state :There is no such table."
        )
        peer.quit()

    return script


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--help",), Exit.OK),
        (("play", "a", "b"), Exit.USAGE),
        (("nosuch",), Exit.USAGE),
        (("practice", "one", "two"), Exit.USAGE),
        (("play", "127.0.0.1:1"), Exit.UNREACHABLE),
        (("conform", "127.0.0.1:1"), Exit.UNREACHABLE),
        (("replay", "g1", "--server", "127.0.0.1:1"), Exit.UNREACHABLE),
        (("replay", "nosuch"), Exit.FAILED),
        (("record", "check", "no.record"), Exit.MISMATCH),
        (("practice", "nosuch"), Exit.USAGE),
        (("host", "nosuch", "--port", "0", "--no-web"), Exit.USAGE),
        (("conform", "--client", "nosuch"), Exit.FAILED),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value.name,
)
def test_the_status_of_a_command(
    arguments: tuple[str, ...], expected: Exit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "no.record").write_text("twentytwo-record 1\n")
    assert status(*arguments, state=tmp_path) == expected


@pytest.mark.parametrize(
    ("verb", "options"), [("hello", ()), ("join t9", ("--table", "t9"))], ids=["hello", "join"]
)
def test_a_server_that_refuses(verb: str, options: tuple[str, ...], tmp_path: Path) -> None:
    with scripted(_refuses(verb)) as server:
        assert status("play", server.address, *options, state=tmp_path) == Exit.REFUSED


def test_whoever_has_typed_a_command_in_vain_has_read_why(tmp_path: Path) -> None:
    with scripted(_refuses("join t9")) as server:
        assert status("play", server.address, state=tmp_path, typed="join t9\n") == Exit.OK


@pytest.mark.parametrize("script", [_turns_away, _turns_away_at_the_door])
def test_a_server_that_is_full_may_be_tried_again(
    script: Callable[[Peer], None], tmp_path: Path
) -> None:
    with scripted(script, _hangs_up) as server:
        assert status("play", server.address, state=tmp_path) == Exit.TRY_AGAIN


def test_every_status_is_in_the_help() -> None:
    done = forked.run("-m", "twentytwo_client", "--help")
    words = " ".join(done.stdout.split())
    assert all(f"{code.value} {means}" in words for code, means in MEANINGS.items())
    assert set(MEANINGS) == set(Exit)
