"""The metrics of a server for Prometheus, made from its counters and its current state."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from twentytwo_protocol import __version__
from twentytwo_protocol.schema import BYES, CODES

from ..host.host import Host
from ..limits.addresses import Full
from ..metrics import Histogram
from ..net.channel import Channels
from ..session.recipient import Mode
from ..table.table import Phase
from .heartbeat import Heartbeat

if TYPE_CHECKING:
    from ..net.certificates import Certificate

LIMITS = ("commands", "talk", "logins", "registrations", "quotas")
"""The names of all limits. Each has a metric from the start, so that its first refusal is visible.
"""


class Writing(Protocol):
    """The store, as seen by monitoring."""

    @property
    def commits(self) -> Histogram:
        """Durations of commits, in seconds."""

    @property
    def queued(self) -> int:
        """Number of facts that wait for the next commit."""

    @property
    def last_backup(self) -> float | None:
        """The time of the last backup, in seconds since 1970; None if none is known."""

    @property
    def lease_age(self) -> float | None:
        """Seconds since the last renewal of the lease; None without a lease."""

    @property
    def standbys(self) -> int | None:
        """Number of servers that stand by; None if none is to do so for this one."""

    @property
    def peers(self) -> int | None:
        """Number of other active servers; None if this server is not active among others."""


class Searching(Protocol):
    """The processes for bots or reviews, as seen by monitoring."""

    @property
    def searching(self) -> int:
        """Number of busy processes."""

    @property
    def waiting(self) -> int:
        """Number of jobs that wait for a free process."""


class Exposition:
    """The metrics for Prometheus. Call `families` in the reactor's thread."""

    def __init__(  # noqa: PLR0913  # the parts of a server that are watched
        self,
        host: Host,
        channels: Channels,
        store: Writing,
        bots: Searching,
        reviews: Searching,
        heartbeat: Heartbeat,
        certificates: Callable[[], Sequence[Certificate]] = tuple,
        bus_connected: Callable[[], bool | None] = lambda: None,
    ) -> None:
        self._host = host
        self._channels = channels
        self._store = store
        self._bots = bots
        self._reviews = reviews
        self._heartbeat = heartbeat
        self._certificates = certificates
        self._bus_connected = bus_connected

    def families(self) -> list[Metric]:
        """All metrics at this moment."""
        return [
            *self._connections(),
            *self._tables(),
            *self._work(),
            *self._storage(),
            *self._cluster(),
            *self._process(),
        ]

    def _connections(self) -> Iterator[Metric]:
        channels, metrics = self._channels, self._host.metrics
        modes = Counter(channel.session.mode for channel in channels.all)
        kinds = {mode.value: modes[mode] for mode in Mode}
        yield _gauge("connections", "Open connections, by who is there.", "kind", kinds)
        yield GaugeMetricFamily(
            "twentytwo_connections_limit",
            "Connections that may be open.",
            channels.addresses.limits.connections,
        )
        yield _counter("connections_opened", "Connections that were let in.", metrics.opened)
        yield _counters(
            "connections_turned_away",
            "Connections over a limit, by whose.",
            "limit",
            dict.fromkeys((full.name.lower() for full in Full), 0) | metrics.turned_away,
        )
        yield _counters(
            "connections_ended",
            "Connections that the server ended, by code.",
            "code",
            dict.fromkeys(BYES, 0) | metrics.cut_off,
        )
        unread = [channel.unread for channel in channels.all]
        yield GaugeMetricFamily(
            "twentytwo_send_queue_bytes", "Sent, and not read by the peer, in all.", sum(unread)
        )
        yield GaugeMetricFamily(
            "twentytwo_send_queue_max_bytes", "The same of the worst peer.", max(unread, default=0)
        )
        yield _counter("lines", "Lines that were answered.", metrics.lines)
        yield _counters(
            "refusals",
            "Refused commands, by code.",
            "code",
            dict.fromkeys(CODES, 0) | metrics.refusals,
        )
        yield _counters(
            "limited",
            "Refused because of a limit, by limit.",
            "limit",
            dict.fromkeys(LIMITS, 0) | metrics.limited,
        )

    def _tables(self) -> Iterator[Metric]:
        host, metrics = self._host, self._host.metrics
        yield GaugeMetricFamily("twentytwo_people", "Names in use.", len(host.people))
        tables = Counter(room.table.game.key for room in host.rooms.own.values())
        playing = Counter(
            room.table.game.key
            for room in host.rooms.own.values()
            if room.table.phase is Phase.PLAYING
        )
        none = dict.fromkeys(host.games, 0)
        yield _gauge("tables", "Open tables, by game.", "game", none | tables)
        yield GaugeMetricFamily(
            "twentytwo_tables_limit", "Tables that may be open.", host.config.now.most_tables
        )
        yield _gauge("games_running", "Games that are played, by game.", "game", none | playing)
        yield _counters("games", "Games that ended, by game.", "game", none | metrics.games)
        yield _counters(
            "moves", "Moves of people, programs and bots, by game.", "game", none | metrics.moves
        )
        yield _histogram(
            "move_answered_seconds",
            "From reading somebody's move until it is kept and answered.",
            metrics.move_answered,
        )
        yield _histogram(
            "move_told_seconds",
            "From reading somebody's move until the last who sees it is sent it.",
            metrics.move_told,
        )

    def _work(self) -> Iterator[Metric]:
        yield _histogram("loop_lag_seconds", "How late the event loop is.", self._heartbeat.lag)
        yield _histogram("commit_seconds", "How long commits take.", self._store.commits)
        yield GaugeMetricFamily(
            "twentytwo_commit_queue", "Orders that wait for the next commit.", self._store.queued
        )
        yield GaugeMetricFamily(
            "twentytwo_bots_searching", "Bots that search for a move.", self._bots.searching
        )
        yield GaugeMetricFamily(
            "twentytwo_bots_waiting", "Searches that wait for a free process.", self._bots.waiting
        )
        yield GaugeMetricFamily(
            "twentytwo_reviews_running",
            "Parts of reviews that are worked on.",
            self._reviews.searching,
        )
        yield GaugeMetricFamily(
            "twentytwo_reviews_waiting", "Parts of reviews that wait.", self._reviews.waiting
        )

    def _storage(self) -> Iterator[Metric]:
        ends = {str(each.file): each.ends.timestamp() for each in self._certificates()}
        yield _gauge(
            "certificate_expiry_timestamp_seconds", "The end of a certificate.", "file", ends
        )
        last = self._store.last_backup
        yield from _optional(
            "last_backup_timestamp_seconds", "When the last backup was made.", last
        )
        yield from _optional(
            "lease_age_seconds", "Time since the lease was renewed.", self._store.lease_age
        )
        yield from _optional(
            "standbys", "Servers that stand by for this one.", self._store.standbys
        )
        yield _histogram(
            "takeover_seconds",
            "From the last sign of the server before until this one served.",
            self._host.metrics.takeover,
        )

    def _cluster(self) -> Iterator[Metric]:
        """The metrics of a server among other active ones."""
        host, metrics = self._host, self._host.metrics
        yield from _optional(
            "peers", "Other active servers that share the database.", self._store.peers
        )
        yield from _optional(
            "bus_connected", "1 while this server reaches NATS, else 0.", self._bus_connected()
        )
        if not host.config.now.clustered:
            return
        others = len(host.rooms) - len(host.rooms.own)
        yield GaugeMetricFamily(
            "twentytwo_tables_followed", "Followed tables of other servers.", others
        )
        yield _histogram(
            "follow_lag_seconds",
            "From hearing of a change at a table of another server until it is shown.",
            metrics.follow_lag,
        )
        yield _histogram(
            "order_answered_seconds",
            "From sending an order to the server of its table until it is answered.",
            metrics.order_answered,
        )
        yield _counter(
            "orders_given_up",
            "Orders for other servers without an answer.",
            metrics.orders_given_up,
        )
        yield _counters(
            "tables_moved",
            "Tables that passed from one server to another.",
            "direction",
            {"given": metrics.tables_given, "taken": metrics.tables_taken},
        )

    def _process(self) -> Iterator[Metric]:
        host = self._host
        yield GaugeMetricFamily("twentytwo_memory_bytes", "Resident memory.", _memory())
        yield _counter(
            "faults", "Errors of the server, each with a traceback in the log.", host.faults.count
        )
        yield GaugeMetricFamily(
            "twentytwo_ready",
            "1 if /readyz says so, else 0.",
            float(host.availability.unready is None),
        )
        yield GaugeMetricFamily(
            "twentytwo_storing", "0 while nothing can be stored.", float(host.availability.storing)
        )
        yield from _of_every_server(standby=False)


def of_standby() -> list[Metric]:
    """The metrics of a server that stands by."""
    ready = GaugeMetricFamily("twentytwo_ready", "1 if /readyz says so, else 0.", 0.0)
    return [ready, *_of_every_server(standby=True)]


def _of_every_server(*, standby: bool) -> Iterator[Metric]:
    info = GaugeMetricFamily("twentytwo_info", "1, with the version.", labels=["version"])
    info.add_metric([__version__], 1)
    yield info
    yield GaugeMetricFamily(
        "twentytwo_standby", "1 while this server stands by for another, else 0.", float(standby)
    )


def in_text(families: Iterable[Metric]) -> bytes:
    """The metrics in `families` and those of the process, in the text format of Prometheus."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Found(families))
    return generate_latest(registry)


def _optional(name: str, about: str, value: float | None) -> Iterator[Metric]:
    """A metric that may have no value."""
    found = GaugeMetricFamily(f"twentytwo_{name}", about, labels=())
    if value is not None:
        found.add_metric((), value)
    yield found


class _Found:
    """A Prometheus collector for metrics that are already collected."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterable[Metric]:
        return self._families


def _memory() -> float:
    """The resident memory of this process in bytes; 0 if the system does not report it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _counter(name: str, about: str, value: float) -> Metric:
    return CounterMetricFamily(f"twentytwo_{name}", about, value)


def _counters(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    found = CounterMetricFamily(f"twentytwo_{name}", about, labels=[label])
    for key, value in values.items():
        found.add_metric([key], value)
    return found


def _gauge(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    found = GaugeMetricFamily(f"twentytwo_{name}", about, labels=[label])
    for key, value in values.items():
        found.add_metric([key], value)
    return found


def _histogram(name: str, about: str, values: Histogram) -> Metric:
    buckets = [("+Inf" if le == float("inf") else str(le), n) for le, n in values.buckets()]
    return HistogramMetricFamily(f"twentytwo_{name}", about, buckets=buckets, sum_value=values.sum)
