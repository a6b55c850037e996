"""Simultaneous orders to the two tables of a pair, stored in one transaction.

Each room finishes its earlier orders, and then stops until both orders are stored. So a killed
server has both orders, or neither.
"""

from __future__ import annotations

from collections.abc import Callable

from twentytwo_protocol.schema import Command, Refused

from ...consequences import keep_then
from ...failpoints import failpoint
from ...ports import Store
from ...table.decision import Actor, Moment
from ...table.effects import Inner
from ...table.opening import Opening
from .order_queue import FurtherFacts, OrderResult, QueuedOrder, ignore_answer
from .room import Room

Ordered = tuple[Actor, Command | Inner | Opening]
"""An order and its sender."""

Moments = Callable[[Room], Moment]
"""Returns the time and the deals for a room's order."""


def order_together(
    rooms: tuple[Room, Room],
    orders: Callable[[], tuple[Ordered, Ordered] | None],
    moment: Moments,
    store: Store,
    answered: Callable[[OrderResult], None],
    further: FurtherFacts = None,
) -> None:
    """Gives each room its order; `answered` is called with the result of the first.

    `orders` is called when both rooms have stopped; it may raise `Refused`, and may return None for
    no order. The facts that `further` returns are stored with the orders. If either order is
    refused, nothing has changed at either table.
    """
    first, second = sorted(rooms, key=lambda room: int(room.id[1:]))

    def gone() -> None:
        answered(OrderResult(refusal=Refused("NO_SUCH_TABLE", "The other table is closed.")))

    def first_gone_later() -> None:
        first.release()
        gone()

    def held() -> None:
        try:
            given = orders()
            if given is None:
                _release(first, second)
                return
            for room, (who, order) in zip(rooms, given, strict=True):
                room.try_out(who, order, moment(room))
        except Refused as wrong:
            _release(first, second)
            answered(OrderResult(refusal=wrong))
            return
        except Exception:
            _give_up(rooms, answered)
            return
        _carry_out(rooms, given, moment, store, answered, further)

    first.hold(lambda: second.hold(held, first_gone_later), gone)


def _carry_out(
    rooms: tuple[Room, Room],
    given: tuple[Ordered, Ordered],
    moment: Moments,
    store: Store,
    answered: Callable[[OrderResult], None],
    further: FurtherFacts,
) -> None:
    (one, other), ((who, order), (by, twin_order)) = rooms, given
    try:
        failpoint("decided")
        facts, then = one.prepared(QueuedOrder(who, order, answered, further), moment(one))
        more, and_then = other.prepared(QueuedOrder(by, twin_order, ignore_answer), moment(other))
    except Exception:
        _give_up(rooms, answered)
        return

    def stored() -> None:
        then()
        and_then()

    keep_then(store, [*facts, *more], stored)


def _give_up(rooms: tuple[Room, Room], answered: Callable[[OrderResult], None]) -> None:
    """Closes both rooms after an error, because the orders may be half done.

    Only in an except block. Nothing was stored, so both tables come back at the next start.
    """
    ref = rooms[0].host.faults.log(f"{rooms[0].id} and {rooms[1].id}, together")
    for room in rooms:
        room.close()
    answered(
        OrderResult(
            refusal=Refused("INTERNAL", f"An error happened in the server; quote {ref}.", ref=ref)
        )
    )


def _release(*rooms: Room) -> None:
    for room in rooms:
        room.release()
