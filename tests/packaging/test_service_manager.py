"""What the service manager is told, over a socket as it has them."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.processes import LONG, Server
from twentytwo_server.operator.service_manager import ServiceManager


class Manager:
    """The manager's end: what it is told."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.settimeout(LONG)
        self.socket.bind(address.replace("@", "\0"))

    def told(self) -> list[str]:
        """The lines of the next message."""
        return self.socket.recv(4096).decode().splitlines()

    def told_but(self, often: str) -> list[str]:
        """The lines of the next message that is another."""
        while (lines := self.told()) == [often]:
            pass
        return lines


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    named = {"path": str(tmp_path / "notify"), "abstract": f"@twentytwo-{os.getpid()}-notify"}
    found = Manager(named[request.param])
    yield found
    found.socket.close()


def test_it_is_told_how_the_server_is(manager: Manager) -> None:
    service = ServiceManager(manager.address)
    service.ready("listening on 127.0.0.1:2222")
    assert manager.told() == ["READY=1", "STATUS=listening on 127.0.0.1:2222"]
    service.reloading(12.5)
    assert manager.told() == ["RELOADING=1", "MONOTONIC_USEC=12500000"]
    service.stopping(15)
    assert manager.told() == ["STOPPING=1", "EXTEND_TIMEOUT_USEC=15000000"]


def test_it_hears_twice_as_often_as_it_wants_that_the_loop_comes_round(manager: Manager) -> None:
    calls: list[tuple[float, Callable[[], None]]] = []
    ServiceManager(manager.address, 30.0).keep_alive(lambda s, call: calls.append((s, call)))
    assert manager.told() == ["WATCHDOG=1"]
    seconds, again = calls.pop()
    again()
    assert seconds == 15.0 and manager.told() == ["WATCHDOG=1"] and calls


def test_the_environment_says_whom_to_tell_and_is_not_passed_on() -> None:
    environment = {"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "30000000", "HOME": "/"}
    assert ServiceManager.of(environment) == ServiceManager("/run/x", 30.0)
    assert environment == {"HOME": "/"}


@pytest.mark.parametrize(
    "environment",
    [{}, {"WATCHDOG_USEC": "30000000"}, {"NOTIFY_SOCKET": "/x", "WATCHDOG_PID": "1"}],
)
def test_nobody_is_kept_informed_who_does_not_watch_this_process(
    environment: dict[str, str],
) -> None:
    service = ServiceManager.of({"WATCHDOG_USEC": "1"} | environment if environment else {})
    service.keep_alive(lambda seconds, call: pytest.fail("it waits"))
    assert service.watchdog is None


def test_a_manager_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    ServiceManager(str(tmp_path / "nobody")).ready("well")
    ServiceManager().ready("well")


def test_a_server_is_ready_reads_anew_is_alive_and_stops(tmp_path: Path) -> None:
    manager = Manager(str(tmp_path / "notify"))
    env = os.environ | {"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "200000"}
    with Server("--port", "0", env=env) as server:
        host, port = server.address()
        assert manager.told() == ["READY=1", f"STATUS=listening on {host}:{port}"]
        assert manager.told() == manager.told() == ["WATCHDOG=1"]
        server.process.send_signal(signal.SIGHUP)
        assert manager.told_but("WATCHDOG=1")[0] == "RELOADING=1"
        assert manager.told_but("WATCHDOG=1")[0] == "READY=1"
        server.process.send_signal(signal.SIGTERM)
        assert manager.told_but("WATCHDOG=1")[0] == "STOPPING=1"
        assert server.wait()[0] == 0
    manager.socket.close()
