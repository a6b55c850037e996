"""Rated tables, whose games count for ratings: restrictions on people and changes.

Every seat belongs to an account; all accounts are people, or all are programs. The rules are those
of a preset. Leaving does not avoid a loss: a bot takes the seat, and its result counts for the
player who left. With two players the other wins at once. With more, the others cannot abort the
game. If the last person leaves, the game is played to its end with default moves.
"""

from __future__ import annotations

from collections.abc import Collection

from twentytwo_protocol.schema import Refused

from .decision import Actor, Decision
from .table import Phase, Seat, Table


def check_founder(who: Actor) -> None:
    """Raises `Refused` unless the actor may open a rated table: guests may not."""
    if who.name.startswith("~"):
        raise Refused("FORBIDDEN", "Rated games need an account; register NAME makes one.")


def check_join(d: Decision) -> None:
    """Raises `Refused` unless the actor may be rated together with the seated players."""
    table = d.table
    if not table.kind.rated:
        return
    check_founder(d.who)
    host = table.seat_of(table.host)
    if host is not None and host.program is not d.who.program:
        kind = "programs" if host.program else "people"
        raise Refused("FORBIDDEN", f"Games at {table.id} are rated, and only for {kind}.")


def check_bot(table: Table) -> None:
    """Raises `Refused` at a rated table, where bots may not be seated."""
    if table.kind.rated:
        raise Refused("FORBIDDEN", f"Games at {table.id} are rated: bots cannot play there.")


def check_change(table: Table) -> None:
    """Raises `Refused` at a rated table, where the rules may not change."""
    if table.kind.rated:
        raise Refused("FORBIDDEN", f"Games at {table.id} are rated: the rules cannot change.")


def check_removal(table: Table) -> None:
    """Raises `Refused` if the host may not remove players, as in most running games.

    Removal is allowed at a private table, because the host invited its people, and at a practice
    table. At other tables people are strangers: no stranger may take a game away from another.
    """
    if table.phase is not Phase.PLAYING:
        return
    if table.kind.rated:
        raise Refused("GAME_RUNNING", "Nobody can be removed from a rated game.")
    if table.sought:
        raise Refused("GAME_RUNNING", "Nobody can be removed from a game that a seek has started.")
    if table.protected:
        raise Refused(
            "GAME_RUNNING",
            "During a game, people can only be removed from private tables: abort ends it if all "
            "agree, block and report help against words.",
        )


def who_must_agree(table: Table, what: str) -> Collection[Seat]:
    """The seats that must agree to `what`, a pause or an abort: those of all connected people.

    An abort of a rated game also needs the absent, because they may be winning. Raises `Refused` if
    somebody has left the game: it counts for them and cannot be aborted.
    """
    if what == "abort" and is_left(table):
        raise Refused(
            "FORBIDDEN", "This game is rated, and a player has left: finish it, or resign."
        )
    return table.people if what == "abort" and table.kind.rated else table.present


def is_left(table: Table) -> bool:
    """True if somebody has left a running rated game: only then does it have a bot."""
    playing = table.kind.rated and table.phase is Phase.PLAYING
    return playing and any(seat.level for seat in table.seats)


def check_begin(table: Table) -> None:
    """Raises `Refused` if a rated table still has a bot in place of a player who left a game."""
    if table.kind.rated and any(seat.level for seat in table.seats):
        raise Refused("NOT_READY", "Games here are rated; first remove the bot with dropbot.")
