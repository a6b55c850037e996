"""Tables whose games count for ratings: who may sit there, and what has to stay as it is.

Every seat is an account's; all of them are people's, or all are programs'. The rules are a
preset's, unchanged. Who leaves a game that counts leaves the result to the bot that takes the
seat, and it counts for them all the same: with two players the other wins, the others cannot call
the game off, and if the last of them leaves it is played out by the moves of the clock.
"""

from __future__ import annotations

from collections.abc import Collection

from twentytwo_protocol.schema import Refused

from .decision import Actor, Decision
from .table import Phase, Seat, Table


def check_founder(who: Actor) -> None:
    """Raises `Refused` unless they may open a table whose games count."""
    if who.name.startswith("~"):
        raise Refused("FORBIDDEN", "Rated games are for accounts; register NAME makes you one.")


def check_join(d: Decision) -> None:
    """Raises `Refused` unless whoever sits down here may be rated with the others."""
    table = d.table
    if not table.settings.rated:
        return
    check_founder(d.who)
    host = table.seat_of(table.host)
    if host is not None and host.program is not d.who.program:
        kind = "programs" if host.program else "people"
        raise Refused("FORBIDDEN", f"Games at {table.id} count, and are for {kind}.")


def check_bot(table: Table) -> None:
    """Raises `Refused` where bots have no seat."""
    if table.settings.rated:
        raise Refused("FORBIDDEN", f"Games at {table.id} count: bots have no seat there.")


def check_change(table: Table) -> None:
    """Raises `Refused` where the rules have to stay as they are."""
    if table.settings.rated:
        raise Refused("FORBIDDEN", f"Games at {table.id} count: the rules stay as they are.")


def check_removal(table: Table) -> None:
    """Raises `Refused` while nobody may be sent away: where it counts, and where a seek chose all.

    Such a host has only been the first to look for players, and the others are nobody's guests.
    """
    if table.phase is not Phase.PLAYING:
        return
    if table.settings.rated:
        raise Refused("GAME_RUNNING", "Nobody is sent away from a game that counts.")
    if table.sought:
        raise Refused("GAME_RUNNING", "Nobody is sent away from a game that seek has found.")


def who_must_agree(table: Table, what: str) -> Collection[Seat]:
    """Who has to agree to a pause or an abort: all who are here.

    Nobody calls off a game that counts while another is away, who may be about to win it, nor for
    one who has left it. Raises `Refused` then.
    """
    if what == "abort" and is_left(table):
        raise Refused("FORBIDDEN", "This game counts for one who has left: play it out, or resign.")
    return table.people if what == "abort" and table.settings.rated else table.present


def is_left(table: Table) -> bool:
    """Whether somebody has left a running game that counts: bots are at such tables for them."""
    playing = table.settings.rated and table.phase is Phase.PLAYING
    return playing and any(seat.level for seat in table.seats)


def check_begin(table: Table) -> None:
    """Raises `Refused` where bots still sit who came in for somebody in the game before."""
    if table.settings.rated and any(seat.level for seat in table.seats):
        raise Refused("NOT_READY", "Games here count; dropbot sends the bot away first.")
