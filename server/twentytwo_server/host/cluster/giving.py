"""Gives tables to other servers: before a planned stop, or because their people are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...consequences import Consequence
from ...facts import TableMoved
from ..tables.order_queue import Hold, OrderResult, QueuedOrder
from ..tables.remote_room import RemoteRoom
from ..tables.room import Room
from .following import Following
from .order_messages import GivenAway, SentKind
from .remote_tables import RemoteTables


@dataclass(frozen=True, slots=True)
class Giver:
    """Gives tables of this server to others.

    The change of owner is stored behind the last input of the table. The room becomes a followed
    table as it is. If the new owner has followed the table, nothing is read or replayed there
    either. Waiting orders go to the new owner. If the new owner has ended, this server finds that
    it still owns the table, and takes it back.
    """

    _services: RemoteTables
    _following: Following

    def give(self, room: Room, to: str, done: Callable[[], None] = lambda: None) -> None:
        """Gives a table to an active server, as soon as its earlier orders are done.

        Calls `done` after that, or when the table is closed. The tables of a pair stay, because
        both must always have the same owner.
        """
        if room.table.kind.paired:
            done()
            return

        def moved() -> None:
            self._moved(room, to)
            done()

        def held() -> None:
            self._services.store.keep([TableMoved(room.id, to)], moved)

        room.hold(held, done)

    def _moved(self, room: Room, to: str) -> None:
        services, deals = self._services, self._services.deals
        waiting = room.give_away()
        remote = RemoteRoom(services, room.id, *room.beginning)
        remote.go_on_with(room, room.last_input, deals.promises_of(room.id))
        remote.owner = to
        deals.forget(room.id)
        services.metrics.tables_given += 1
        services.rooms.follow(remote)
        services.table_list.gave(room.id, to)
        self._following.give(remote)
        _pass_on(waiting, remote)


def _pass_on(waiting: Sequence[tuple[QueuedOrder | Hold, Consequence]], remote: RemoteRoom) -> None:
    """Sends the orders of people to the new owner.

    The new owner begins its own timers and bots. Other servers send the orders of their people
    again.
    """
    for queued, consequence in waiting:
        with consequence:
            if isinstance(queued, Hold):
                queued.answered(OrderResult())
            elif queued.wanted is None and queued.who.name and isinstance(queued.order, SentKind):
                order = queued.order, queued.answered, queued.further
                remote.order(queued.who, *order, tag=queued.tag)
            else:
                queued.answered(OrderResult(refusal=GivenAway()))
