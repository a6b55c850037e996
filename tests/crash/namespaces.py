"""Network namespaces: a router, and around it the players, PostgreSQL, NATS, and each server.

What the router loses is lost without a word to either side, in each direction by itself, and TCP
sends it again when the way is healed. Needs Linux, `ip` and root.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from ipaddress import IPv4Address
from pathlib import Path

from tests.crash.relay import STORE, Cut, End, Relays, Route, Routes
from tests.kit.nats import NatsServer
from tests.kit.postgres import Postgres

NEW_NETWORK = 0x40000000
"""Linux: CLONE_NEWNET."""
NETWORK = IPv4Address("198.18.0.0")
"""The first of the addresses for measurements (RFC 2544), which no network in use has."""

_libc = ctypes.CDLL(None, use_errno=True)


def available() -> bool:
    """True if this process may make network namespaces."""
    if shutil.which("ip") is None or os.geteuid():
        return False
    return subprocess.run(["unshare", "--net", "true"], check=False).returncode == 0


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextmanager
def inside(name: str) -> Iterator[None]:
    """Processes that are started within are in this namespace, and stay there."""
    with open("/proc/self/ns/net") as before, open(f"/run/netns/{name}") as there:
        _enter(there.fileno())
        try:
            yield
        finally:
            _enter(before.fileno())


def _enter(namespace: int) -> None:
    _checked(_libc.setns(namespace, NEW_NETWORK))


def _checked(result: int) -> None:
    if result:
        raise OSError(ctypes.get_errno(), "network namespaces need root")


class Network:
    """The router with its namespaces. See `Routes`.

    `addresses` are those of PostgreSQL and NATS, each in a namespace of its own. The process that
    makes it, which plays, moves into another one.
    """

    def __init__(self) -> None:
        _checked(_libc.unshare(NEW_NETWORK))
        self._prefix = f"tt{os.getpid()}"
        self._number = 0
        self._names: list[str] = []
        with ExitStack() as ends:
            ends.callback(self._remove_all)
            self._router = self._added("router")
            with inside(self._router):
                Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
            self._connected("players", [])
            store, bus = self._added("store"), self._added("bus")
            self.addresses: Mapping[End, str] = {
                "store": self._connected("store", ["-n", store]),
                "bus": self._connected("bus", ["-n", bus]),
            }
            self.postgres = Postgres(self.addresses["store"], lambda: inside(store))
            ends.callback(self.postgres.close)
            self.nats = NatsServer(host=self.addresses["bus"], within=lambda: inside(bus))
            ends.callback(self.nats.close)
            self._ends = ends.pop_all()

    def close(self) -> None:
        self._ends.close()

    def route(self) -> Route:
        interface = f"server{self._number}"
        name = self._added(interface)
        return _Namespace(self, name, interface, self._connected(interface, ["-n", name]))

    def _added(self, what: str) -> str:
        name = f"{self._prefix}{what}"
        _ip("netns", "add", name)
        self._names.append(name)
        _ip("-n", name, "link", "set", "lo", "up")
        return name

    def _connected(self, interface: str, there: Sequence[str]) -> str:
        """Connects a namespace, or without words this process's own, with the router.

        `interface` is the router's. Returns the address in the namespace.
        """
        self._number += 1
        theirs, ours = (str(NETWORK + 4 * self._number + last) for last in (1, 2))
        peer = ("peer", "name", interface, "netns", self._router)
        _ip(*there, "link", "add", "wire", "type", "veth", *peer)
        for where, end, address in (
            (there, "wire", ours),
            (["-n", self._router], interface, theirs),
        ):
            _ip(*where, "address", "add", f"{address}/30", "dev", end)
            _ip(*where, "link", "set", end, "up")
        _ip(*there, "route", "add", "default", "via", theirs)
        return ours

    def lose(self, interface: str, to: str, *, lost: bool) -> None:
        """Has the router lose what comes from there to this address, or no longer."""
        rule = ("iif", interface, "to", to, "blackhole")
        _ip("-n", self._router, "rule", "add" if lost else "delete", *rule)

    def remove(self, name: str) -> None:
        """Removes a namespace, whose processes have ended."""
        _ip("netns", "delete", name)
        self._names.remove(name)

    def _remove_all(self) -> None:
        for name in list(self._names):
            self.remove(name)


class _Namespace:
    """A namespace for a server, with its ways to the others."""

    def __init__(self, network: Network, name: str, interface: str, host: str) -> None:
        self.host = host
        self.bus = network.nats.url
        self._network, self._name, self._interface = network, name, interface
        self._lost: list[tuple[str, str]] = []

    def url(self, database: str) -> str:
        return f"postgresql://test@{self._network.addresses['store']}/{database}"

    def inside(self) -> AbstractContextManager[None]:
        return inside(self._name)

    def cut(self, how: Cut, ends: Sequence[End] = STORE) -> None:
        for end in ends:
            if how != "answers cut":
                self._lose(self._interface, self._network.addresses[end])
            if how != "requests cut":
                self._lose(end, self.host)

    def _lose(self, interface: str, to: str) -> None:
        self._network.lose(interface, to, lost=True)
        self._lost.append((interface, to))

    def heal(self) -> None:
        for interface, to in self._lost:
            self._network.lose(interface, to, lost=False)
        self._lost.clear()

    def close(self) -> None:
        self.heal()
        self._network.remove(self._name)


def opened(namespaces: bool | None) -> Routes:
    """PostgreSQL and NATS, with routes through network namespaces, or over relays.

    With None through namespaces, if this process may make any.
    """
    return Network() if namespaces or (namespaces is None and available()) else Relays()
