"""A node: combines host, listeners and clock. Uses the global reactor and randomness."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import secrets
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec.structs
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.interfaces import IListeningPort

from twentytwo_protocol.framing import clean
from twentytwo_protocol.value import Value
from twentytwo_protocol.voice import plural

from .accounts.names import skeleton
from .accounts.passwords import Hashing
from .bus.settings import BusSettings
from .facts import Remembered
from .failpoints import failpoint
from .games.chance import RandomBelow
from .games.registry import games
from .host.commands.dispatch import Dispatcher
from .host.config import Config, Randomness
from .host.host import Host
from .host.moderation.blocklist import Blocklist
from .host.start import open_host
from .host.surroundings import Surroundings
from .host.tables.remote_room import RemoteRoom
from .limits.addresses import Full
from .limits.connections import UNLIMITED, Limits
from .limits.quotas import NO_QUOTA
from .membership import Membership, join
from .metrics import Metrics
from .net.channel import RESTART, SHUTDOWN, Channel, Channels, Reception, Stop, moved
from .net.listeners import ListenSettings
from .net.no_listening import no_listening
from .net.open_files import connections, raise_limit
from .net.opening import Listeners, SshPlan, open_listeners
from .net.server_names import ServerNames, server_names
from .operator import admin
from .operator.admin_actions import AdminActions
from .operator.stopping import Stopping
from .process_clock import ProcessClock
from .reactor_clock import ReactorClock
from .session.session import Session
from .store.memory import MemoryStore
from .store.node_settings import NodeSettings
from .workers.pool import Workers

if TYPE_CHECKING:
    from .config.reloading import Reload
    from .config.settings import ServerSettings
    from .monitoring.listener import AdminListener
    from .store.sql import SqlStore

log = logging.getLogger("twentytwo.node")
lines = logging.getLogger("twentytwo.lines")

T = TypeVar("T")

Told = Callable[[str], None]
"""Called with the name of the server for which this one stands by."""

FATAL = 70
"""Exit status after a fatal error of the store: the server should be restarted."""

STORED = 5_000
"""Maximum time in milliseconds that a stopping server waits for its store before it sends BYE."""

ANSWERED = 10_000
"""Maximum time in milliseconds that a stopping member of a place waits for the answer to a line
before it sends BYE. Mail for people at other servers takes less."""

UNDER_WAY = 25_000
"""The same while an order is on its way to another server, which takes no longer than `LIMIT`."""

LOOK = 10
"""Milliseconds between two looks for connections whose line is answered."""

HOST_KEY = "ssh_host_ed25519_key"
"""The name of the file in a data folder with the key of SSH, as with OpenSSH."""

FEW = 10_000
"""If fewer connections than this are possible, the server logs the number at its start."""
GREETING = 77
"""Columns of the greeting without its `# `."""


def _pick(seed: int | None) -> RandomBelow:
    source = random.SystemRandom() if seed is None else random.Random(seed)
    return source.randrange


CHANCE = Randomness(
    secret=lambda: secrets.token_hex(64), token=lambda: secrets.token_urlsafe(15), pick=_pick
)
"""Randomness of the operating system."""


class ServerPlan(Value):
    """The configuration of a node.

    `where` is the folder or URL of the data; None stores nothing. `watched` is the address of the
    admin listener, or empty; `admin_socket` is the path of the admin socket, or None. With `trace`
    every line sent or received is logged. `reload` reloads the settings, and returns a report.
    `nodes` has this server's name among those that share its database, and `bus` the way to them,
    if several are active.
    """

    listen: ListenSettings
    config: Config
    limits: Limits
    where: str | Path | None = None
    admin_socket: Path | None = None
    watched: str = ""
    trace: bool = False
    reload: Callable[[], str] | None = None
    nodes: NodeSettings = NodeSettings()
    bus: BusSettings = BusSettings()


@dataclass(slots=True)
class HostForSsh:
    """The host, as far as listeners with SSH need it beside the lines (`net.ssh.transport`)."""

    _host: Host
    _dispatcher: Dispatcher

    def is_account(self, name: str) -> bool:
        """True if there is an account of that name, ignoring case."""
        found = self._host.people.skeletons.get(skeleton(name))
        return found is not None and found.lower() == name.lower()

    async def keys(self, name: str) -> Sequence[bytes]:
        """The SHA-256 hashes of the keys that log in to an account."""
        kept = await self._host.people.revocations.look_up(self._host.store.ssh_keys, name)
        return [each.digest for each in kept]

    def completions(self, session: Session, text: str) -> Iterator[tuple[str, str]]:
        """The completions of a half-typed line: the end to replace, and its replacement."""
        return self._dispatcher.completions(session, text)


def _ssh_plan(plan: ServerPlan, host: HostForSsh) -> SshPlan | None:
    """The parts for listeners with SSH; None if there is no place for their key."""
    if plan.listen.ssh_key:
        return SshPlan(host, Path(plan.listen.ssh_key))
    if plan.where is None:
        return SshPlan(host, None)
    return None if "://" in str(plan.where) else SshPlan(host, Path(plan.where) / HOST_KEY)


@dataclass(slots=True)
class Node:
    """A running server.

    `reloads` are the reloads on SIGHUP besides the settings, such as those of certificates.
    """

    host: Host
    channels: Channels
    bot_workers: Workers
    review_workers: Workers
    store: SqlStore | MemoryStore
    hasher: Hashing
    clock: ProcessClock
    listeners: Listeners | None = None
    admin: IListeningPort | None = None
    stopping: Stopping | None = None
    reloads: list[Reload] = field(default_factory=list)
    monitor: AdminListener | None = None
    ssh: SshPlan | None = None
    membership: Membership | None = None

    @property
    def addresses(self) -> list[str]:
        """The addresses of the listeners: `127.0.0.1:2222`, `tls:[::1]:2223`,
        `unix:/run/twentytwo.sock`.
        """
        return self.listeners.addresses if self.listeners else []

    def watch(self, monitor: AdminListener) -> None:
        """Shows this server on the admin listener."""
        from .monitoring.exposition import Exposition

        monitor.families = Exposition(
            self.host,
            self.channels,
            self.store,
            self.bot_workers,
            self.review_workers,
            monitor.heartbeat,
            lambda: self.listeners.certificates_now if self.listeners else (),
            lambda: self.membership.bus.connected if self.membership else None,
        ).families
        monitor.unready = lambda: self.host.availability.unready
        self.monitor = monitor

    def change(self, settings: ServerSettings) -> None:
        """Applies other settings, as far as they can change in a running server."""
        host = self.host
        host.config.change(settings.server)
        host.quotas.change(NO_QUOTA if host.config.now.dev else settings.quotas)
        limits = _limits(host.config.now, settings.limits)
        is_banned = self.channels.addresses.is_banned
        self.channels.change(Reception(limits, greeting(host.config.now.name), is_banned))

    def stop(self) -> Deferred[Any]:
        """Stops listening, stores all decided orders, and sends BYE.

        Commands being stored are answered before that, unless it takes longer than `STORED`. A
        member of a place gives its tables to the other servers before that, too, and answers all
        lines that it has begun with (`_part`).
        """
        self.channels.reading = False
        closed = [Deferred.fromCoroutine(_closed(self.admin))] if self.admin else []
        if self.listeners:
            closed.append(Deferred.fromCoroutine(self.listeners.close()))
        if self.membership is None:
            self.host.tables.halt()
        return gatherResults([*closed, Deferred.fromCoroutine(self._end())])

    async def _reason(self) -> Stop:
        """The reason for the stop that clients are told."""
        if not isinstance(self.store, MemoryStore):
            await _task(self.store.look())  # one of the others may have started a moment ago
            if others := self.store.others:
                return moved(tuple(row.address for row in others if row.address))
        return RESTART if self.stopping is not None and self.stopping.restart else SHUTDOWN

    async def _end(self) -> None:
        began = self.clock.now()
        reason = Deferred.fromCoroutine(self._reason())
        stored: Deferred[None] = Deferred()

        def go_on() -> None:
            if not stored.called:
                stored.callback(None)

        if self.membership is None:
            self.store.keep((), go_on)
        else:
            self.membership.give_tables(lambda: self.store.keep((), go_on))
        late = self.channels.clock.later(STORED, go_on)
        await stored
        if late.active():
            late.cancel()
        if self.membership is None:
            self.channels.stop(await reason)
        else:
            await self._part(await reason, began)
            self.host.tables.halt()
        self.bot_workers.stop()
        self.review_workers.stop()
        self.hasher.stop()
        if self.membership is not None:
            await _task(self.membership.end())
        self.clock.stop()
        await _task(self.store.close())

    async def _part(self, reason: Stop, began: int) -> None:
        """Sends BYE on every connection, as soon as its line is answered.

        So whoever comes back at another server sees what became of their last command: no order
        that is on its way to the owner of a table begins after its BYE. Orders of people without a
        connection are waited for, too.
        """
        rooms = [each for each in self.host.rooms.values() if isinstance(each, RemoteRoom)]
        sent = [each for room in rooms for each in room.unanswered]

        def passed() -> int:
            return self.clock.now() - began

        def is_awaited(channel: Channel) -> bool:
            if not channel.answering or passed() < ANSWERED:
                return channel.answering
            person = self.host.people.on(channel.session)
            under_way = person is not None and self.host.rooms.has_sent_orders(person)
            return under_way and passed() < UNDER_WAY

        while not self.channels.stop(reason, is_awaited) or (
            passed() < UNDER_WAY and not all(each.settled for each in sent)
        ):
            paused: Deferred[None] = Deferred()
            self.clock.later(LOOK, partial(paused.callback, None))
            await paused


async def _closed(port: IListeningPort) -> None:
    result = port.stopListening()
    if result is not None:
        await result


def greeting(name: str) -> str:
    """The greeting of a connection: with its `# ` one line of at most 79 columns."""
    name = clean(name).encode("ascii", "replace").decode()
    long = f"cardline/1 {name}  People: type a name, or help.  Programs: hello 1"
    if len(long) <= GREETING:
        return long
    rest = "  Type a name, or help.  Programs: hello 1"
    return f"cardline/1 {name}"[: GREETING - len(rest)] + rest


def _task(work: Coroutine[Any, Any, T]) -> Deferred[T]:
    """Wraps a coroutine of the store's libraries as a Deferred."""
    return Deferred.fromFuture(asyncio.ensure_future(work))


def _end(why: str) -> None:
    """Ends the process after a fatal error of the store; the next start reads the stored data."""
    log.critical("fatal error of the store: %s", why)
    logging.shutdown()
    os._exit(FATAL)


def _limits(config: Config, wanted: Limits) -> Limits:
    """The limits, with connections capped by the open-files limit. Raises `TooFewFiles`."""
    if config.dev:
        wanted = UNLIMITED
    files = raise_limit(wanted.connections)
    most = connections(wanted.connections, files)
    if most < min(wanted.connections, FEW):
        log.warning(
            "%d connections at most: this process may have %d files open (ulimit -n)", most, files
        )
    return replace(wanted, connections=most)


async def _open_store(where: str | Path, nodes: NodeSettings, told: Told) -> SqlStore:
    from .store.sql import open_store  # imported here, because it takes half of the time of a start

    return await _task(open_store(where, _end, nodes, told))


def _open_monitor(reactor: Any, where: str, names: ServerNames) -> AdminListener:
    """Opens the admin listener. Raises `ValueError` in one line if that fails."""
    # Imported here, because most servers have no admin listener.
    from .monitoring.heartbeat import Heartbeat
    from .monitoring.listener import AdminListener

    heartbeat = Heartbeat(reactor, time.monotonic)
    try:
        return AdminListener(where, heartbeat, reactor.callFromThread, names)
    except OSError as error:
        heartbeat.stop()
        raise no_listening(where, error) from None


def _put_together(
    reactor: Any,
    plan: ServerPlan,
    store: SqlStore | MemoryStore,
    remembered: Remembered,
    restored: Callable[[], None],
) -> Node:
    """Builds a server that is not listening yet."""
    config = plan.config
    clock = ProcessClock(ReactorClock(reactor))
    bot_workers = Workers(config.think / 1000, reactor.callFromThread)
    review_workers = Workers(0.5, reactor.callFromThread, processes=1, nice=19, patience=120.0)
    hasher = Hashing(reactor.callFromThread)
    metrics = Metrics(time.monotonic)
    outside = Surroundings(clock, store, CHANCE, hasher, bot_workers, review_workers, metrics)
    host, dispatcher = open_host(
        outside, games(), config, remembered, at_once=False, restored=restored
    )
    blocklist = Blocklist(plan.listen.blocklist)

    def is_banned(address: str) -> bool:
        return address in blocklist or host.sanctions.ban_of_address(address) is not None

    channels = Channels(
        dispatcher,
        clock,
        Reception(
            *(plan.limits, greeting(config.name), is_banned),
            None if isinstance(store, MemoryStore) else store.speaks,
        ),
        lines.info if plan.trace else None,
        host.scheduler,
        metrics,
    )
    host.dailies.keep_time()
    return Node(
        host,
        channels,
        bot_workers,
        review_workers,
        store,
        hasher,
        clock,
        stopping=Stopping(host, clock, reactor.stop),
        reloads=[partial(_block, host, blocklist)],
        ssh=_ssh_plan(plan, HostForSsh(host, dispatcher)),
    )


def _block(host: Host, blocklist: Blocklist) -> str | None:
    """Reloads the blocklist, and closes the blocked connections. Raises `ValueError`."""
    if not blocklist.reload():
        return None
    for session, link in host.connections:
        if link.address in blocklist:
            host.connections.dismiss(session, Full.BANNED.text)
    return f"the blocklist, with {plural(len(blocklist), 'network')}"


def _take_commands(
    reactor: Any, node: Node, socket: Path, reload: Callable[[], str] | None
) -> None:
    """Opens the admin socket of a server."""
    assert node.stopping is not None
    copy = None if isinstance(node.store, MemoryStore) else node.store.backup
    actions = AdminActions(
        node.host,
        node.stopping,
        backup=(lambda path: _task(copy(path))) if copy else None,
        reload=reload,
    )
    node.admin = admin.listen(reactor, socket, actions)


async def open_node(
    reactor: Any,
    plan: ServerPlan,
    restored: Callable[[], None] = lambda: None,
    told: Told = lambda node: None,
) -> Node:
    """Opens a node as planned. `restored` is called when all stored tables are rebuilt.

    A server that shares its database stands by while another one serves; then `told` is called
    with the name of that one.

    Raises `store.Refused`, `TooFewFiles`, and `ValueError` for an impossible listener.
    """
    plan = msgspec.structs.replace(plan, limits=_limits(plan.config, plan.limits))
    watched = [plan.watched] if plan.watched and not plan.watched.startswith("unix:") else []
    names = server_names((*plan.config.names, *watched), plan.listen.endpoints)
    monitor = _open_monitor(reactor, plan.watched, names) if plan.watched else None

    def stands_by(node: str) -> None:
        if monitor is not None:
            from .monitoring.exposition import of_standby

            monitor.families = of_standby
            monitor.unready = lambda: f"standing by for {node}"
        told(node)

    try:
        return await _opened(reactor, plan, names, monitor, restored, stands_by)
    except BaseException:
        if monitor is not None:
            monitor.stop()
        raise


async def _opened(
    reactor: Any,
    plan: ServerPlan,
    names: ServerNames,
    monitor: AdminListener | None,
    restored: Callable[[], None],
    stands_by: Told,
) -> Node:
    if plan.where is None:
        store: SqlStore | MemoryStore = MemoryStore()
    else:
        store = await _open_store(plan.where, plan.nodes, stands_by)
    failpoint("store opened")
    remembered = await _task(store.load())
    failpoint("all remembered")
    node = _put_together(reactor, plan, store, remembered, restored)
    if plan.admin_socket is not None:
        _take_commands(reactor, node, plan.admin_socket, plan.reload)
    try:
        if plan.nodes.active and not isinstance(store, MemoryStore):
            place = await _task(store.place())
            node.membership = join(node.host, node.clock, plan.bus, plan.nodes.node, place)
        if monitor is not None:
            node.watch(monitor)
        node.listeners = await open_listeners(
            reactor, plan.listen, node.channels, plan.config.name, names, node.ssh
        )
        node.reloads.append(node.listeners.reload)
    except Exception:
        await node.stop()
        raise
    if not isinstance(store, MemoryStore) and store.vacant_since is not None:
        node.host.metrics.takeover.observe(asyncio.get_running_loop().time() - store.vacant_since)
    node.host.earlier_games.count()
    failpoint("listening")
    return node
