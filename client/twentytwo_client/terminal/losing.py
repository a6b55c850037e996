"""What somebody would lose by a command. A person is asked first: here, since the server asks only
people, and takes the client for a program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words import daily

from ..display import escaping

ANEW = ("practice", "tutorial", "whatif")
"""Commands that open a practice table; the one before is left for it."""


def lost_by(command: str, here: TableModel | None, tables: Mapping[str, TableModel]) -> str:
    """The sentence for what is lost by a command, empty if nothing is; `here` is the table that
    somebody looks at.
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
        case "rematch" if _plays_on(meant) and not _others(meant):
            return _ends(meant)
        case "rematch":  # whoever is out of a game loses nothing by another
            games = [table for table in _games(meant) if not (_is_once(table) or _is_out(table))]
            return _ends(games) if not _others(games) else ""
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


def _plays_on(tables: Iterable[TableModel]) -> bool:
    """Whether somebody is in a game that another may follow, and not out of it yet."""
    mine = [(table, table.seats[table.me]) for table in _games(tables) if table.me is not None]
    return any(not seat.out and not _once(table) for table, seat in mine)


def _once(table: TableModel) -> bool:
    return table.promise is not None and table.promise.alg == daily.ALG


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
    """Whether the table is left for the next one to practise at."""
    return table.options.get("watch") == "none" and not _others([table]) and not _is_once(table)


def _is_once(table: TableModel) -> bool:
    """Whether one game is played there, and no other after it: that of a daily deal."""
    return table.promise is not None and table.promise.alg == daily.ALG


def _is_out(table: TableModel) -> bool:
    return table.me is not None and table.seats[table.me].out


def _ends(games: Iterable[TableModel]) -> str:
    names = [table.on for table in games]
    return f"Your game at {listed(names)} would end without a result." if names else ""
