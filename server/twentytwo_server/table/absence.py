"""Orders about absence: lost connections, returns, renaming, restarts, expired grace periods."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from twentytwo_protocol.words import seating as said
from twentytwo_protocol.words.seating import Presence, Watching

from .decision import Decision
from .effects import Abandoned, Away, Back, GraceOver, Inherited, Renamed, Restarted
from .fairness import wait_for_words
from .table import Phase, Seat

AFTER_A_RESTART = 30_000
"""Minimum time left for the open turn after a restart, in milliseconds."""


def away(d: Decision, order: Away) -> None:
    """Marks the owner of a seat as away; the seat is kept for the grace period."""
    seat = d.table.seat_of(order.name)
    if seat is None or seat.level or not seat.here:
        return
    d.put_seat(replace(seat, here=False, since=d.now.at))
    d.tell(_gone(d, seat))
    d.wake(d.now.grace, GraceOver(order.name))
    if d.table.deserted:
        d.ask()


def back(d: Decision, order: Back) -> None:
    """Marks the owner of a seat as connected; the owner plays again instead of a stand-in."""
    seat = d.table.seat_of(order.name)
    if seat is None or (seat.here and not seat.standin):
        return
    was_deserted = d.table.deserted
    d.put_seat(replace(seat, here=True, standin=False, late=0))
    d.tell(Presence(seat.number, True))
    asked = d.table.on_turn
    if asked and (was_deserted or asked.number == seat.number):
        d.ask()


def restarted(d: Decision, order: Restarted) -> None:
    """Handles a restart of the server: marks all people as away and starts their grace periods.

    People who were away before get a new grace period too, unless a bot already plays for them.
    """
    if order.backup:
        _deal_anew(d)
    if not order.shared:
        for name in d.table.watchers:
            d.talk(Watching(name, False))
        d.change(watchers=())
    for seat in d.table.people:
        # People who were away before could not return while the server was down.
        if seat.here or not seat.standin:
            d.put_seat(replace(seat, here=False, since=d.now.at))
            d.tell(_gone(d, seat))
    if d.table.match is not None:
        d.change(match=d.table.match.grant(AFTER_A_RESTART, d.now.at))
    _wait_anew(d)


def inherited(d: Decision, _: Inherited) -> None:
    """Handles the change of the server: people notice nothing, and timers and bots begin anew."""
    _wait_anew(d)


def _wait_anew(d: Decision) -> None:
    """Requests all wakes, and the move of a bot, that the table waits for."""
    for seat in d.table.people:
        if not seat.here:
            d.wake(max(0, _grace_left(d, seat)), GraceOver(seat.name))
    wait_for_words(d)
    d.ask()


def _deal_anew(d: Decision) -> None:
    """Drops the promised deals, which may have been revealed since the backup was made.

    A running game ends without a result, a start is cancelled, and new deals are promised.
    """
    if d.table.phase is Phase.PLAYING:
        d.end_without_result("restored")
        return
    if d.table.phase is Phase.STARTING:
        d.call_off()
    if d.table.kind.paired:  # the next deals are promised to both tables together
        if not d.table.dealt:
            d.change(promised=None)
    else:
        d.promise()
    d.unready()


def _grace_left(d: Decision, seat: Seat) -> int:
    """Remaining milliseconds of an absent person's grace period; may be negative."""
    return seat.since + d.now.grace - d.now.at


def _gone(d: Decision, seat: Seat) -> Presence:
    return Presence(seat.number, False, ms=d.now.grace, bot=True if seat.standin else None)


def renamed(d: Decision, order: Renamed) -> None:
    """Renames a person at the table; they keep their seat, wins, votes and role as host.

    A player or winner who has left the table is renamed too. If the new name is at the table
    already, the old name leaves its seat or stops watching instead: no name is at a table twice.
    """
    old, new = order.old, order.new
    seat = d.table.seat_of(old)
    if seat is not None and d.table.seat_of(new):
        d.get_up(seat, "left")
    elif seat is not None:
        if new in d.table.watchers:  # nobody both has a seat and watches
            d.change(watchers=tuple(name for name in d.table.watchers if name != new))
            d.talk(Watching(new, False))
        _rename_seat(d, seat, new)
        d.tell(said.Renamed(new, old, seat.number))
    if old in d.table.watchers:
        _rename_watcher(d, old, new)
    _rename_player(d, order)
    _rename_winner(d, old, new)


def _rename_seat(d: Decision, seat: Seat, new: str) -> None:
    old, table = seat.name, d.table
    d.put_seat(replace(seat, name=new))
    d.change(
        host=new if table.host == old else table.host,
        votes=frozenset((what, new if name == old else name) for what, name in table.votes),
    )
    if not seat.here:
        d.wake(max(0, _grace_left(d, seat)), GraceOver(new))


def _rename_watcher(d: Decision, old: str, new: str) -> None:
    watchers = d.table.watchers
    if new in watchers or d.table.seat_of(new):
        d.change(watchers=tuple(name for name in watchers if name != old))
        d.talk(Watching(old, False))
    else:
        d.change(watchers=tuple(new if name == old else name for name in watchers))
        d.talk(Watching(new, True, old))


def _rename_player(d: Decision, order: Renamed) -> None:
    """Renames a player of the running or last game, and in the seats that they left during it.

    If the account had a seat in that game too, its own result counts, and not the guest's.
    """
    old, new, table = order.old, order.new, d.table
    if old in table.players and new not in table.players and order.since <= table.began:
        d.change(players=tuple(new if name == old else name for name in table.players))
    for seat in table.seats:
        if old in seat.left:
            d.put_seat(replace(seat, left=tuple(new if n == old else n for n in seat.left)))


def _rename_winner(d: Decision, old: str, new: str) -> None:
    if any(name == old for name, _ in d.table.wins):
        wins = Counter[str]()
        for name, won in d.table.wins:
            wins[new if name == old else name] += won
        d.change(wins=tuple(wins.items()))


def grace_over(d: Decision, order: GraceOver) -> None:
    """Handles the end of an absent person's grace period: a bot plays, or, between games, the seat
    is freed.

    Ignores an outdated wake.
    """
    seat = d.table.seat_of(order.name)
    if seat is None or seat.here:
        return
    left = _grace_left(d, seat)
    if left > 0:  # they returned meanwhile, and left again
        d.wake(left, order)
    elif d.table.phase is Phase.PLAYING:
        if seat.standin:
            return
        d.stand_in(seat)
        asked = d.table.on_turn
        if asked and asked.number == seat.number:
            d.ask()
    else:
        d.get_up(seat, "gone")


def abandoned(d: Decision, order: Abandoned) -> None:
    """Aborts the game and closes the table if nobody has been connected for too long."""
    if not d.table.deserted or d.table.phase is not Phase.PLAYING:
        return
    left = d.time_to_wait()
    if left > 0:  # somebody returned meanwhile, or the clock stood still
        d.wake(left, order)
    else:
        d.end_without_result("abandoned")
        # the people of a pair leave their seats first; then both tables close
        if not d.table.kind.paired:
            d.shut()
