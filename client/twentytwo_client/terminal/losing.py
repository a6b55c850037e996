"""The cost of a command, of which a person is warned before it is sent.

The server warns people on netcat by itself. The client speaks to it as a program does, so the
client has to warn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words import daily

from ..display import escaping

ANEW = ("practice", "tutorial", "whatif")
"""Commands that open a practice table, for which the player leaves the one before."""


def lost_by(command: str, here: TableModel | None, tables: Mapping[str, TableModel]) -> str:
    """The sentence that tells the cost of a command; empty if the command costs nothing.

    `here` is the table on the screen, `tables` are all of the player's by their names.
    """
    verb, _, which = command.partition(" ")
    named = which.strip().removeprefix("table=")
    table = tables.get(named) if named else here
    meant = [table] if table is not None else []
    match verb:
        case "leave" | "resign" if _games(meant):
            return "A game of yours is running, and you would give it up."
        case "logout" if _games(tables.values()):
            return "A game of yours is running, and you would give it up."
        case "abort" if _games(meant) and not _others(meant):
            return _ends(meant)
        case "rematch" if not _others(meant):  # a player who is out has nothing left to lose
            return _ends(t for t in _games(meant) if not (_is_once(t) or _is_out(t)))
        case "close" if meant and _hosts(meant[0]) and _others(meant):
            return f"{listed(_others(meant))} would lose the seat, too."
        case _ if verb in ANEW:
            return _ends(table for table in _games(tables.values()) if _is_practice(table))
    return ""


def _games(tables: Iterable[TableModel]) -> list[TableModel]:
    """The tables of running games that would be lost; a lesson is taken up again where it was."""
    return [
        table
        for table in tables
        if table.phase == "playing" and table.me is not None and not table.lesson
    ]


def _others(tables: Iterable[TableModel]) -> list[str]:
    """The other people there."""
    return [
        escaping.visible(seat.name)
        for table in tables
        for number, seat in table.seats.items()
        if number != table.me and seat.name and not seat.bot
    ]


def _hosts(table: TableModel) -> bool:
    return table.me is not None and table.host == table.seats[table.me].name


def _is_practice(table: TableModel) -> bool:
    """True at a practice table, which its player leaves for the next one."""
    return table.options.get("watch") == "none" and not _others([table]) and not _is_once(table)


def _is_once(table: TableModel) -> bool:
    """True at the table of a daily deal, where one game is played and no other."""
    return table.promise is not None and table.promise.alg == daily.ALG


def _is_out(table: TableModel) -> bool:
    return table.me is not None and table.seats[table.me].out


def _ends(games: Iterable[TableModel]) -> str:
    names = [table.on for table in games]
    return f"Your game at {listed(names)} would end without a result." if names else ""
