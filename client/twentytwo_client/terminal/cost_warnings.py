"""Warnings before a command that costs the person something.

The server warns people on netcat by itself. The client uses the format for programs, so it has to
warn by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from twentytwo_protocol.fair import DAILY_ALG
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.voice import listed

from ..display import escaping

ANEW = ("practice", "tutorial", "whatif")
"""Commands that open a practice table and close the player's previous one."""


def lost_by(command: str, here: TableModel | None, tables: Mapping[str, TableModel]) -> str:
    """The warning about the cost of a command; empty if it costs nothing.

    `here` is the current table, `tables` are all of the player's tables by name.
    """
    verb, _, which = command.partition(" ")
    named = which.strip().removeprefix("table=")
    table = tables.get(named) if named else here
    meant = [table] if table is not None else []
    match verb:
        case "leave" | "resign" if _given_up(meant):
            return "A game of yours is running, and you would give it up."
        case "logout" if _given_up(tables.values()):
            return "A game of yours is running, and you would give it up."
        case "abort" if _games(meant) and not _others(meant):
            return _ends(meant)
        case "rematch" if not _others(meant):  # a player who is out has nothing to lose
            return _ends(t for t in _games(meant) if not (_is_once(t) or _is_out(t)))
        case "close" if meant and _hosts(meant[0]) and _others(meant):
            return f"{listed(_others(meant))} would lose the seat, too."
        case _ if verb in ANEW:
            return _ends(table for table in _games(tables.values()) if _is_practice(table))
    return ""


def _games(tables: Iterable[TableModel]) -> list[TableModel]:
    """The tables whose running game would be lost. A lesson can be resumed."""
    return [
        table
        for table in tables
        if table.phase == "playing" and table.me is not None and not table.lesson
    ]


def _given_up(tables: Iterable[TableModel]) -> bool:
    """True if a player who gets up from these tables loses a game, and not only its end."""
    return any(not (_is_out(table) and _others([table])) for table in _games(tables))


def _others(tables: Iterable[TableModel]) -> list[str]:
    """The other people at these tables."""
    return [
        escaping.visible(seat.name)
        for table in tables
        for number, seat in table.seats.items()
        if number != table.me and seat.name and not seat.bot
    ]


def _hosts(table: TableModel) -> bool:
    return table.me is not None and table.host == table.seats[table.me].name


def _is_practice(table: TableModel) -> bool:
    """True for a practice table, which closes when its player opens another one."""
    return table.options.get("watch") == "none" and not _others([table]) and not _is_once(table)


def _is_once(table: TableModel) -> bool:
    """True for the table of a daily deal, which is played only once."""
    return table.promise is not None and table.promise.alg == DAILY_ALG


def _is_out(table: TableModel) -> bool:
    return table.me is not None and table.seats[table.me].out


def _ends(games: Iterable[TableModel]) -> str:
    names = [table.on for table in games]
    return f"Your game at {listed(names)} would end without a result." if names else ""
