"""One of several servers that share a store: each owns tables, and its people sit at any table."""

from __future__ import annotations

from ...games.game import Games
from ...limits.logins import LoginLimits
from ...ports import Bus, Clock
from ..lobby.seeks import Seeks
from ..parts import Parts
from ..people.elsewhere import Elsewhere
from ..ratings import Ratings
from ..tables.watchers_talk import WatchersTalk
from ..unknown_tables import UnknownTables
from .directory import Directory
from .following import Following, Heir
from .giving import Giver
from .homes import Homes
from .kept_inputs import KeptInputs
from .known_guests import KnownGuests
from .news import News
from .other_servers import OtherServers
from .placement import Placement
from .post import Post
from .receiving import OrderReceiver
from .remote_tables import RemoteTables
from .rings import Bell
from .sending import Sender
from .shared_accounts import SharedAccounts
from .shared_logins import SharedLogins
from .shared_moderation import SharedModeration
from .shared_seeks import SharedSeeks
from .talking import TalkBetweenServers


class Cluster:
    """The part of a server in a cluster. `node` is its name; `clock` must never stand still.

    `heir` makes the rooms of tables that belong to this server now. Every run of a server needs a
    different `Config.boot`.
    """

    def __init__(
        self,
        parts: Parts,
        clock: Clock,
        bus: Bus,
        node: str,
        heir: Heir,
    ) -> None:
        tables = parts.make(RemoteTables)
        store, boot = tables.store, tables.config.now.boot
        run = f"{node}/{boot}"
        tables.sender = Sender(bus, tables.clock, run, self._look, self._find_owner)
        self._talk = TalkBetweenServers(tables.rooms, parts[WatchersTalk], bus, run)
        KeptInputs(store, tables.clock)
        store.after_taking(lambda _: parts[Ratings].rate_due())
        tables.results.expect([person.name for person in tables.people])
        news = parts.make(News)
        news.join(bus)
        parts.make(SharedModeration).join(news)
        parts.make(SharedAccounts).join(news)
        self._logins = SharedLogins(parts[LoginLimits], bus, run)
        self._guests = KnownGuests(tables.people, store, tables.clock, bus, run)
        self._bell = Bell(store, bus, clock, node)
        parts[Homes].join(bus, node, boot)
        self._seeks = SharedSeeks(parts[Seeks], store, clock)
        parts.make(Post).join(bus, node)
        self._directory = Directory(parts, bus, clock, node, boot)
        parts.make(OtherServers).join(bus, node, boot, self._directory.servers)
        self._receiver = OrderReceiver(parts, clock, bus, node, boot)
        self.following = Following(tables, parts[Games], store, bus, node, heir)
        unknown = parts[UnknownTables]
        unknown.look, unknown.is_behind = self.following.refresh, self.following.is_behind
        unknown.is_loading = self.following.is_loading
        tables.pairs.is_coming = self.following.is_coming
        self.giver = Giver(tables, self.following)
        at = tables.rooms, tables.people, parts[Elsewhere]
        self.placement = Placement(*at, self.giver, clock, tables.table_list.counts)

    def _look(self, table: str) -> None:
        self.following.look(table)

    def _find_owner(self, table: str) -> None:
        self.following.find_owner(table)

    def stop(self) -> None:
        """Stops following, answering and ringing."""
        self.placement.stop()
        self._bell.stop()
        self.following.stop()
        self._receiver.stop()
        self._talk.stop()
        self._logins.stop()
        self._guests.stop()
        self._directory.stop()
        self._seeks.stop()
