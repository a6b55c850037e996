"""Confirmation: a person is told the cost of a command first, a program in the answer."""

from __future__ import annotations

from collections.abc import Iterable

from twentytwo_protocol.schema import COMMANDS
from twentytwo_protocol.voice import listed

from ...session.session import Session
from ...table.table import Phase
from ..tables.pausable_clock import PausableClock
from ..tables.rooms import AnyRoom
from .call import Call

CONFIRM_WITHIN = 60_000
"""Milliseconds within which the same command again confirms it."""


def lost_at(call: Call, rooms: Iterable[AnyRoom]) -> tuple[str, ...] | None:
    """The `lost=` for leaving these tables: `seat`, `game` if one is running, `rating`; or None."""
    seats = [(room, seat) for room in rooms if (seat := room.seat_number(call.me)) is not None]
    running = [room.table for room, seat in seats if _plays(room, seat)]
    lost = {
        "seat": bool(seats),
        "game": bool(running),
        "rating": any(table.kind.rated for table in running),
    }
    return tuple(what for what, is_lost in lost.items() if is_lost) or None


def _plays(room: AnyRoom, seat: int) -> bool:
    """True if the person in that seat is in a game that could be lost.

    A lesson can be continued later. Where other people play on, somebody who is out loses nothing.
    """
    running = room.table.phase is Phase.PLAYING and not room.table.kind.taught
    others = len(room.table.people) > 1
    return running and not (others and room.model(seat).at(seat).out)


def asks_first(call: Call, clock: PausableClock, costs: str, on: str = "") -> bool:
    """Tells a person the cost of a command and ends the command; False to carry it out.

    It is False for programs, for a command without `asks`, if `costs` is empty, and if the person
    repeats the command within `CONFIRM_WITHIN` and has made no move since. `on` is the table, or
    the whole line.
    """
    now, key = clock.now(), f"{call.verb} {on}"
    told, until, _ = call.session.confirmation
    call.session.confirmation = ("", 0, "")
    asks = call.people and COMMANDS[call.verb].asks
    if not costs or not asks or (told == key and now < until):
        return False
    typed = call.typed or call.verb
    call.session.confirmation = (key, now + CONFIRM_WITHIN, typed)
    call.ok(text=f"{costs} Type {typed} again to do it.")
    return True


def answered_by_move(session: Session) -> None:
    """Drops the question for confirmation: the person has made a move instead."""
    session.confirmation = ("", 0, "")


def asked_again(session: Session, now: int) -> str:
    """The reminder of an open question for confirmation, or empty."""
    _, until, typed = session.confirmation
    return f"Type {typed} again to do it; else nothing happens." if now < until else ""


def cost_of_leaving(lost: tuple[str, ...] | None, rooms: Iterable[AnyRoom]) -> str:
    """The cost of leaving these tables; empty if no game is lost."""
    if lost is None:
        return ""
    if "rating" in lost:
        return "This game is rated. If you leave, a bot finishes it, and its result is yours."
    if "game" in lost:
        running = [room for room in rooms if room.table.phase is Phase.PLAYING]
        if all(len(room.table.people) == 1 for room in running):
            return f"{cost_of_practising(running).rstrip('.')}; quit keeps it for you."
        return "A game is running: a bot would take your seat. quit keeps it for you."
    return ""


def cost_of_resigning(call: Call, room: AnyRoom, lost: tuple[str, ...] | None) -> str:
    """The cost of resigning; empty if the person plays no game there."""
    if lost is None or "game" not in lost:
        return ""
    others = [seat.name for seat in room.table.seats if seat.name != call.me.name]
    alone = len(others) == 1
    what = f"{others[0]} would win" if alone else "A bot would play your cards to the end"
    return f"{what}{', and this game counts' if 'rating' in lost else ''}."


def cost_of_closing(call: Call, room: AnyRoom) -> str:
    """The cost of closing a table; empty if nobody else loses a seat."""
    others = [seat.name for seat in room.table.people if seat.name != call.me.name]
    return f"{listed(others)} would lose the seat, too." if others else ""


def cost_of_aborting(room: AnyRoom) -> str:
    """The cost of aborting a game; empty if others have to agree."""
    return cost_of_practising([room]) if len(room.table.people) == 1 else ""


def cost_of_practising(tables: Iterable[AnyRoom]) -> str:
    """The cost of leaving these tables for a new practice table."""
    games = [room.table for room in tables if not room.table.kind.taught]
    left = [table for table in games if table.phase is Phase.PLAYING]
    if not left:
        return ""
    daily = any(table.kind.once for table in left)
    once = ", and your one attempt at the daily deal would be gone" if daily else ""
    return f"Your game at {listed(t.id for t in left)} would end without a result{once}."
