"""A node: host, listeners and clock put together. Knows the global reactor and chance."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import resource
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.endpoints import serverFromString
from twisted.internet.interfaces import IListeningPort

from twentytwo_protocol.framing import clean

from .accounts.passwords import Hashing
from .failpoints import failpoint
from .games.chance import RandomBelow
from .games.registry import games
from .host.config import Config, Randomness
from .host.host import Host
from .host.quotas import NO_QUOTA
from .host.start import open_host
from .net.channel import Channels
from .net.direct import send_directly
from .net.limits import UNLIMITED, Limits
from .net.transport import Listener
from .ports import Timer
from .store.memory import MemoryStore
from .workers import Workers

if TYPE_CHECKING:
    from .config.reloading import Reload
    from .config.settings import ServerSettings
    from .store.sql import SqlStore

log = logging.getLogger("twentytwo.node")
lines = logging.getLogger("twentytwo.lines")

T = TypeVar("T")

RESERVED = 128
"""Open files that connections leave to the store, to the workers and to those who look after it."""
FATAL = 70
"""The exit status of a server whose store cannot go on: it is to be started again."""

LIMITS = Limits()
GREETING = 77
"""Columns of the greeting, the `# ` before it not counted."""


class ReactorClock:
    """The reactor's time, which is monotonic (see cli), and the wall clock for showing."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor
        self._loop = asyncio.get_event_loop()

    def now(self) -> int:
        """Milliseconds since some moment; never goes back."""
        return int(self._reactor.seconds() * 1000)

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Calls after so long; after 0 ms in the next turn of the loop."""
        if not ms:  # at every line: the loop's own way is the cheaper one
            return _NextTurn(self._loop, call)
        found: Timer = self._reactor.callLater(ms / 1000, call)
        return found

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC."""
        return int(time.time() * 1000)


class _NextTurn:
    """A call in the next turn of the loop."""

    __slots__ = ("_call", "_handle")

    def __init__(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        self._call: Callable[[], None] | None = call
        self._handle = loop.call_soon(self._make)

    def _make(self) -> None:
        call, self._call = self._call, None
        if call is not None:
            call()

    def active(self) -> bool:
        """True if it was neither made nor cancelled yet."""
        return self._call is not None

    def cancel(self) -> None:
        """Prevents the call."""
        self._call = None
        self._handle.cancel()


def _pick(seed: int | None) -> RandomBelow:
    source = random.SystemRandom() if seed is None else random.Random(seed)
    return source.randrange


CHANCE = Randomness(
    secret=lambda: secrets.token_hex(64), token=lambda: secrets.token_urlsafe(15), pick=_pick
)
"""Chance from the operating system."""


@dataclass(slots=True)
class Node:
    """A running server: `addresses` are where it listens.

    `reloads` are what SIGHUP has read anew beside the settings, certificates perhaps.
    """

    host: Host
    channels: Channels
    bot_workers: Workers
    store: SqlStore | MemoryStore
    hasher: Hashing
    ports: list[IListeningPort]
    admin: IListeningPort | None = None
    reloads: list[Reload] = field(default_factory=list)

    @property
    def addresses(self) -> list[str]:
        """Where it listens: `127.0.0.1:2222`, `[::1]:2222`, `unix:/run/twentytwo.sock`."""
        return [_spelled(port.getHost()) for port in self.ports]

    def change(self, settings: ServerSettings) -> None:
        """Goes on with other settings, as far as they can be changed in a running server."""
        host = self.host
        host.config = replace(settings.server, dev=host.config.dev, boot=host.config.boot)
        host.quotas.quota = NO_QUOTA if host.config.dev else settings.quotas
        self.channels.change(_limits(host.config, settings.limits), greeting(host.config.name))

    def stop(self) -> Deferred[Any]:
        """Listens no more, says goodbye, and has everything written that was decided."""
        ports = [*self.ports, *([self.admin] if self.admin else [])]
        closed = [Deferred.fromCoroutine(_closed(port)) for port in ports]
        self.host.halt()
        self.channels.stop()
        self.bot_workers.stop()
        self.hasher.stop()
        return gatherResults([*closed, _task(self.store.close())])


async def _closed(port: IListeningPort) -> None:
    result = port.stopListening()
    if result is not None:
        await result


def _spelled(address: Any) -> str:
    path = getattr(address, "name", None)
    if path is not None:
        return f"unix:{path.decode() if isinstance(path, bytes) else path}"
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{host}:{address.port}"


def greeting(name: str) -> str:
    """What a connection is told first: with its `# ` one line of at most 79 columns."""
    name = clean(name).encode("ascii", "replace").decode()
    long = f"cardline/1 {name}  People: type a name, or help.  Programs: hello 1"
    if len(long) <= GREETING:
        return long
    rest = "  Type a name, or help.  Programs: hello 1"
    return f"cardline/1 {name}"[: GREETING - len(rest)] + rest


def _task(work: Coroutine[Any, Any, T]) -> Deferred[T]:
    """What the libraries of the store do, as Twisted waits for it."""
    return Deferred.fromFuture(asyncio.ensure_future(work))


def _end(why: str) -> None:
    """The store cannot go on: nobody may be told anything more. What is kept is read anew."""
    log.critical("the store cannot go on: %s", why)
    logging.shutdown()
    os._exit(FATAL)


def _limits(config: Config, wanted: Limits) -> Limits:
    """The limits, with no more connections than the process may have open.

    The store's files and the workers' pipes are left over.
    """
    if config.dev:
        return UNLIMITED
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY:
        return wanted
    return replace(wanted, connections=min(wanted.connections, max(1, most - RESERVED)))


async def _open_store(where: str | Path) -> SqlStore:
    from .store.sql import open_store  # imported here: it is half of the time that a start takes

    return await _task(open_store(where, _end))


async def open_node(
    reactor: Any,
    endpoints: Sequence[str],
    config: Config,
    where: str | Path | None = None,
    *,
    limits: Limits = LIMITS,
    trace: bool = False,
    restored: Callable[[], None] = lambda: None,
) -> Node:
    """Listens on endpoint strings and serves, with what is kept `where`: a folder or a URL.

    Nothing is kept where that is None. With `trace` every line that is exchanged is logged.
    `restored` is called when all tables that are kept have been built again.
    Raises `CannotListenError` and `store.Refused`.
    """
    clock = ReactorClock(reactor)
    store = MemoryStore() if where is None else await _open_store(where)
    failpoint("store opened")
    remembered = await _task(store.load())
    failpoint("all remembered")
    bot_workers = Workers(config.think / 1000, reactor.callFromThread)
    hasher = Hashing(reactor.callFromThread)
    dispatcher = open_host(
        clock,
        store,
        games(),
        CHANCE,
        config,
        bot_workers,
        remembered,
        hasher,
        at_once=False,
        restored=restored,
    )
    first = greeting(config.name)
    channels = Channels(
        dispatcher,
        clock,
        _limits(config, limits),
        first,
        lines.info if trace else None,
        dispatcher.host.scheduler,
    )
    node = Node(dispatcher.host, channels, bot_workers, store, hasher, [])
    if where is not None and not isinstance(store, MemoryStore) and "://" not in str(where):
        from .operator import admin

        node.admin = admin.listen(reactor, Path(where), store)
    try:
        for endpoint in endpoints:
            listener = Listener(channels, encrypted=endpoint.startswith("ssl:"))
            port = await serverFromString(reactor, endpoint).listen(listener)
            send_directly(port)
            node.ports.append(port)
    except Exception:
        await node.stop()
        raise
    failpoint("listening")
    return node
