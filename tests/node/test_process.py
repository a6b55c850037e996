"""The process: how it begins, how it ends, where it listens, which clock it has."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kit.cases import together
from tests.kit.processes import LONG, Server, plain, troubles
from twentytwo_protocol import __version__
from twentytwo_server.node import greeting

STOPS = 5.0
"""Seconds that a server may take to end: a fifth of what the searches that wait would."""


def test_it_says_first_where_it_listens_and_then_how_to_connect_in_a_few_lines() -> None:
    with Server("--port", "0") as server:
        first = server.first_line()
        host, _, port = first.removeprefix("listening on ").rpartition(":")
        assert (host, int(port) > 0) == ("127.0.0.1", True)
        status, out, err = server.stop()
    lines = out.splitlines()
    assert 1 + len(lines) <= 6
    assert any(f"nc 127.0.0.1 {port}" in line for line in lines)
    assert (status, troubles(err)) == (0, [])


def test_it_serves_people_and_programs() -> None:
    with Server("--port", "0", "--bot-pause", "0") as server:
        where = server.address()
        with plain(where) as person, plain(where) as program:
            assert person.line().startswith("# cardline/1 ")
            person.send("ann\npractice level=easy\n")
            person.until("Your cards:")
            program.send("@1 hello 1 client=t\n@2 guest py\n@3 practice level=easy seed=1\n")
            program.until("@3 OK on=t2 seat=1")
            program.until("TURN")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_well_and_everybody_hears_of_it(how: signal.Signals) -> None:
    with Server("--port", "0") as server:
        where = server.address()
        with plain(where) as program, plain(where) as person, plain(where) as silent:
            program.send("hello 1 client=t\nguest py\npractice\n")
            program.until("OPTION")
            person.send("ann\nping\n")
            person.until("pong")
            assert silent.line().startswith("# cardline/1")
            status, _, err = server.stop(how)
            assert (status, troubles(err)) == (0, [])
            # SIGTERM comes from whoever looks after services, and is likely to start it again.
            again = how is signal.SIGTERM
            code, text = ("RESTART", "restarts") if again else ("SHUTDOWN", "stops")
            assert program.rest()[-1].startswith(f"BYE code={code} resume=1 wait=1")
            assert person.rest()[-1].startswith(f"The server {text}.")
            assert silent.rest()[-1].startswith(f"BYE code={code} resume=1 wait=1")


def test_a_hangup_of_its_terminal_is_a_line_in_the_log_and_nothing_else() -> None:
    with Server("--port", "0") as server:
        where = server.address()
        with plain(where) as program:
            program.send("hello 1 client=t\nping 1\n")
            program.until("@* OK pong=1")
            server.process.send_signal(signal.SIGHUP)
            program.send("ping 2\n")
            program.until("@* OK pong=2")
            status, _, err = server.stop()
    assert status == 0
    assert "SIGHUP: nothing has changed" in err


def test_a_peer_that_does_not_read_keeps_no_server_from_ending() -> None:
    with Server("--port", "0") as server:
        where = server.address()
        with plain(where) as stuck, plain(where) as other:
            stuck.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stuck.send("hello 1 client=t\n" + "describe events\n" * 40)
            other.send("hello 1 client=t\nping\n")
            other.until("@* OK pong")
            status, _, err = server.stop()
            assert (status, troubles(err)) == (0, [])


def test_tables_of_hard_bots_that_were_left_keep_no_server_from_ending_and_no_process_stays() -> (
    None
):
    with Server("--port", "0", "--dev", "--bot-pause", "0", "--think", "1000") as server:
        with plain(server.address()) as program:
            program.send("hello 1 client=t\nguest py\n")
            for _ in range(100):  # the practice table before is left with it
                program.send("practice bots=3 level=hard\n")
                program.until("@* OK on=")
            program.send("leave\nping left\n")
            program.until("@* OK pong=left")
        workers = server.children()
        assert workers
        before = time.monotonic()
        status, _, _ = server.stop()
        assert status == 0
        assert time.monotonic() - before < STOPS
        assert all(each.ended(LONG) for each in workers)


def test_an_interrupt_ends_it_also_where_its_shell_had_it_ignored() -> None:
    with Server("--port", "0", ignoring_sigint=True) as server:
        server.address()
        status, _, err = server.stop(signal.SIGINT)
    assert (status, troubles(err)) == (0, [])


@pytest.mark.parametrize("more", [("--port", "{0}"), ("--port", "0", "--admin", "127.0.0.1:{0}")])
def test_a_port_that_is_taken_is_one_clear_line_and_status_1(more: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with Server(*(each.format(port) for each in more)) as server:
            status, out, err = server.wait()
    assert (status, out) == (1, "")
    assert err == (
        f"twentytwo-server: 127.0.0.1:{port}: another program listens there; choose another port, "
        "or 0 for any free one\n"
    )


def test_it_ends_with_its_standard_input_where_it_is_told_to() -> None:
    with Server("--port", "0", "--while-stdin") as server:
        where = server.address()
        with plain(where) as program:
            program.send("hello 1 client=t\nping\n")
            program.until("@* OK pong")
            server.close_input()
            assert program.until("BYE").startswith("BYE code=SHUTDOWN")
        status, _, err = server.wait()
    assert (status, troubles(err)) == (0, [])


def test_it_goes_on_without_a_standard_input_where_it_is_not() -> None:
    with Server("--port", "0") as server:
        where = server.address()
        server.close_input()
        with plain(where) as program:
            program.send("hello 1 client=t\nping\n")
            program.until("@* OK pong")


def test_it_listens_on_a_unix_socket(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with Server("--listen", f"unix:{path}") as server:
        assert server.first_line() == f"listening on unix:{path}"
        with plain(path) as program:
            program.send("hello 1 client=t\nguest py\n")
            program.until("@* OK name=~py")
        status, _, err = server.stop()
    assert (status, troubles(err)) == (0, [])


def test_it_listens_in_several_places(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with Server("--listen", "127.0.0.1:0", "--listen", f"unix:{path}") as server:
        where = server.address()
        assert server.first_line() == f"listening on unix:{path}"
        with plain(where) as one, plain(path) as other:
            assert one.line() == other.line()


@pytest.mark.parametrize(
    "where", ["0.0.0.0:0", "tcp:0", "tcp:0:interface=0.0.0.0", "tcp:0:interface=192.0.2.1"]
)
def test_a_development_server_listens_on_this_machine_only(where: str) -> None:
    with Server("--dev", "--listen", where) as server:
        status, out, err = server.wait()
    assert (status, out) == (2, "")
    assert "this machine only" in err


def test_only_a_server_that_is_asked_to_logs_the_lines_that_are_exchanged() -> None:
    for options, traced in ((("--dev",), False), (("--trace",), True)):
        with Server("--port", "0", *options) as server:
            with plain(server.address()) as program:
                program.send("hello 1 client=t\nping canary\n")
                program.until("@* OK pong=canary")
            _, _, err = server.stop()
        assert ("canary" in err) == traced


LIMITED = """import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (SOFT, HARD))
from twentytwo_server.cli import main
main(["run", *sys.argv[1:]])
"""


def with_files(soft: int, hard: int, *options: str, connections: int = 100_000) -> Server:
    """A server that may have so many files open."""
    program = LIMITED.replace("SOFT", str(soft)).replace("HARD", str(hard))
    env = {**os.environ, "TWENTYTWO_LIMITS_CONNECTIONS": str(connections)}
    return Server("--port", "0", *options, program=("-c", program), env=env)


@pytest.mark.parametrize("options", [[], ["--dev"]])
def test_a_server_that_may_have_hardly_any_files_open_does_not_start(options: list[str]) -> None:
    with with_files(64, 64, *options) as server:
        status, out, err = server.wait()
    assert (status, out) == (1, "")
    assert "only 64 files open, and needs 256 or more: `ulimit -n 4096`" in err


def test_a_server_that_may_have_few_files_open_says_how_many_connections_that_are() -> None:
    with with_files(64, 300) as server, plain(server.address()) as one:
        assert one.line().startswith("# cardline/1")
        _, _, err = server.stop()
    assert "172 connections at most: this process may have 300 files open (ulimit -n)" in err


def test_a_server_takes_as_many_files_as_it_may_have() -> None:
    with with_files(64, 2000, connections=1800) as server:
        server.address()
        _, _, err = server.stop()
    assert "at most" not in err


@pytest.mark.parametrize(
    "options", [["--port", "99999"], ["--port", "x"], ["--bot-pause", "-1"], ["--nothing"]]
)
def test_options_that_will_not_do_are_a_usage_error(options: list[str]) -> None:
    with Server(*options) as server:
        status, _, err = server.wait()
    assert status == 2
    assert "Usage:" in err


@together(
    "name",
    [
        "",
        "cards.example.org",
        "x" * 300,
        "two\r\nlines",
        "gr\u00fc\u00dfe \u2665",
        "%s {} \x1b[31m",
    ],
)
def test_the_greeting_is_one_line_of_79_columns_whatever_the_servers_name(name: str) -> None:
    line = greeting(name)
    assert len(f"# {line}") <= 79
    assert line.isascii()
    assert line.isprintable()
    assert line.startswith("cardline/1 ")
    assert "ype a name, or help" in line
    assert line.endswith("rograms: hello 1")


def test_the_greeting_names_the_server() -> None:
    with (
        Server("--port", "0", "--name", "cards.example.org") as server,
        plain(server.address()) as anybody,
    ):
        assert anybody.line() == f"# {greeting('cards.example.org')}"
    assert "cards.example.org" in greeting("cards.example.org")


def test_its_timers_run_on_the_monotonic_clock() -> None:
    """A wall clock that is set forward must not end anybody's turn."""
    program = """
import time
from twentytwo_server import cli
from twentytwo_server.reactor_clock import ReactorClock
reactor = cli.install_reactor()
assert type(reactor).seconds is time.monotonic
real, wall = time.monotonic(), time.time
time.time = lambda: wall() + 3600
assert abs(reactor.seconds() - time.monotonic()) < 1
assert abs(ReactorClock(reactor).now() / 1000 - time.monotonic()) < 1
fired = []
reactor.callLater(0.05, lambda: (fired.append(time.monotonic() - real), reactor.stop()))
reactor.run()
assert 0.04 < fired[0] < 10, fired
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=LONG,
        env=os.environ,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_server_that_keeps_nothing_loads_no_database() -> None:
    """It would double the time of its start, for which `practice` waits."""
    program = "import sys, twentytwo_server.node; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_it_ends_although_something_never_stops() -> None:
    program = """
import os, signal
from types import SimpleNamespace
from twentytwo_server import cli
from twentytwo_server.config.settings import LogSettings
cli.STOPPED = 0.2
reactor = cli.install_reactor()
from twisted.internet.defer import Deferred
async def opening(told):
    os.kill(os.getpid(), signal.SIGTERM)
    parts = dict(addresses=["unix:x"], listeners=None, monitor=None, reloads=[], membership=None)
    return SimpleNamespace(stop=Deferred, **parts)
cli.serve(reactor, opening, False, SimpleNamespace(hooks=[]), LogSettings(), "begun")
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=LONG,
        env=os.environ,
        check=False,
    )
    assert (done.returncode, done.stdout) == (70, "listening on unix:x\n")
    assert "did not stop within" in done.stderr


@pytest.mark.parametrize(("how", "why"), [(signal.SIGTERM, "SIGTERM"), (signal.SIGINT, "SIGINT")])
def test_the_log_tells_the_life_of_the_server_in_the_form_that_is_set(
    tmp_path: Path, how: signal.Signals, why: str
) -> None:
    options = ("--port", "0", "--data", str(tmp_path), "--log-format", "json")
    for life in range(2):
        with Server(*options) as server:
            where = server.address()
            with plain(where) as program:
                program.send("hello 1 client=t\nguest ann\nopen twentytwo\nping\n")
                program.until("@* OK pong")
            status, out, err = server.stop(how)
        told = [json.loads(line)["text"] for line in err.splitlines()]
        assert (status, out) == (0, "")
        assert told[bool(life)] == f"twentytwo-server {__version__} serves; data: {tmp_path}"
        assert not life or told[0].startswith("tables restored: 1 of 1, in ")
        assert "comes in from 127.0.0.1" in told[-4]
        assert told[-3:] == [
            f"told to stop by {why}",
            "the server stops",
            "the server has stopped",
        ]
