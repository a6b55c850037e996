"""Orders to the two tables of a pair at one moment: both are stored in one transaction, or neither.

Either room finishes what it has before, and then stands still until both orders are stored. So
there is nothing in between for a killed server to be found in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twentytwo_protocol.schema import Command, Refused

from ...consequences import keep_then
from ...facts import Fact
from ...failpoints import failpoint
from ...ports import Store
from ...table.decision import Actor, Moment
from ...table.effects import Inner
from ...table.opening import Opening
from .order_queue import Answer, QueuedOrder, ignore_answer
from .room import Room

Ordered = tuple[Actor, Command | Inner | Opening]
"""An order and who gives it."""

Moments = Callable[[Room], Moment]
"""The time and the deals for a room's part of it."""


def order_together(
    rooms: tuple[Room, Room],
    orders: Callable[[], tuple[Ordered, Ordered] | None],
    moment: Moments,
    store: Store,
    answered: Callable[[Answer], None],
    kept: Callable[[Answer], Sequence[Fact]] = lambda answer: (),
) -> None:
    """Gives each room its order; `answered` is called with how the first's ended.

    `orders` is called when both rooms stand still; it may raise `Refused`, and where it returns
    None nothing happens. What `kept` returns is stored with the orders. If either is refused,
    nothing has changed at either table.
    """
    first, second = sorted(rooms, key=lambda room: int(room.id[1:]))

    def gone() -> None:
        answered(Answer(refusal=Refused("NO_SUCH_TABLE", "The other table is closed.")))

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
            answered(Answer(refusal=wrong))
            return
        except Exception:
            _give_up(rooms, answered)
            return
        _carry_out(rooms, given, moment, store, answered, kept)

    first.hold(lambda: second.hold(held, first_gone_later), gone)


def _carry_out(
    rooms: tuple[Room, Room],
    given: tuple[Ordered, Ordered],
    moment: Moments,
    store: Store,
    answered: Callable[[Answer], None],
    kept: Callable[[Answer], Sequence[Fact]],
) -> None:
    (one, other), ((who, order), (by, twin_order)) = rooms, given
    try:
        failpoint("decided")
        facts, then = one.prepared(QueuedOrder(who, order, answered, kept), moment(one))
        more, and_then = other.prepared(QueuedOrder(by, twin_order, ignore_answer), moment(other))
    except Exception:
        _give_up(rooms, answered)
        return

    def stored() -> None:
        then()
        and_then()

    keep_then(store, [*facts, *more], stored)


def _give_up(rooms: tuple[Room, Room], answered: Callable[[Answer], None]) -> None:
    """Closes both after an error: what they were asked may be half done. Only in an except block.

    Nothing was stored, so that both are there again after the next start.
    """
    ref = rooms[0].host.fault(f"{rooms[0].id} and {rooms[1].id}, together")
    for room in rooms:
        room.close()
    answered(
        Answer(
            refusal=Refused(
                "INTERNAL", f"Something went wrong in the server; quote {ref}.", ref=ref
            )
        )
    )


def _release(*rooms: Room) -> None:
    for room in rooms:
        room.release()
