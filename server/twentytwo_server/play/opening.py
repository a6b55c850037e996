"""How a table comes to be: its options told, its first seats taken, perhaps its game begun."""

from __future__ import annotations

from typing import Any

from twentytwo_protocol.words.seating import Host_, Option_

from ..games.bots import players
from ..games.game import Game
from .decision import Decision, Now, Who
from .effects import Effect
from .starting import begin
from .table import Settings, Table


def open_table(
    id: str,
    game: Game[Any, Any],
    rules: Any,
    settings: Settings,
    who: Who,
    now: Now,
    *,
    bots: int = 0,
    start: bool = False,
) -> tuple[Table, tuple[Effect, ...]]:
    """A new table with its host in seat 1, and what is to be told. Raises `Refused`."""
    table = Table(id, game, rules, settings, who.name)
    d = Decision(table, who, now)
    for key, value in shown_settings(table).items():
        d.tell(Option_(key, value))
    d.sit(1, who.name, program=who.program)
    d.tell(Host_(who.name))
    for number in range(2, 2 + bots):
        level = settings.level or players.usual(game)
        d.sit(number, d.table.bot_name(level), level=level)
    if start:
        begin(d)
    return d.table, tuple(d.effects)


def shown_settings(table: Table) -> dict[str, str]:
    """Everything that is agreed at a table, its secret word excepted, as OPTION words."""
    settings = table.settings
    shown = {
        "game": table.game.key,
        "preset": settings.preset,
        "seats": str(settings.seats),
        "clock": settings.clock.spelled if settings.clock else "0",
        "watch": "open" if settings.watch else "none",
        "private": "yes" if settings.word else "no",
        "title": settings.title,
        "deals": f"seed {settings.seed}" if settings.seed is not None else "fair",
    }
    return shown | {option.name: option.value for option in table.options()}
