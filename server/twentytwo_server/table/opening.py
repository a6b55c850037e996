"""How a table comes to be: its options told, its first seats taken, perhaps its game begun."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from twentytwo_protocol.words.seating import Host_, Option_

from ..games import players
from ..games.game import AnyGame
from .decision import GRACE, Actor, Decision, Moment
from .effects import Effect
from .starting import begin
from .table import Settings, Table


@dataclass(frozen=True, slots=True)
class Opening:
    """The first order of a table: how it is to be.

    `options` are all options of its rules that there are now; `grace` is how long its seats are
    kept, in ms. `edition` is that of the words in which its events are told. Its games are ended
    after `most_hands`: 0, which is never, at tables opened before there was such an end. `sought`:
    a seek brings its people together.
    """

    settings: Settings
    options: Mapping[str, str] = field(default_factory=dict)
    bots: int = 0
    start: bool = False
    grace: int = GRACE
    edition: int = 1
    most_hands: int = 0
    sought: bool = False


def bare_table(id: str, game: AnyGame, opening: Opening, who: Actor) -> Table:
    """The table before anything has happened at it. Raises `BadOption`."""
    rules = game.rules(opening.settings.preset, opening.options)
    return Table(
        id,
        game,
        rules,
        opening.settings,
        who.name,
        frozenset(opening.options),
        most_hands=opening.most_hands,
        sought=opening.sought,
    )


def open_table(
    table: Table, opening: Opening, who: Actor, now: Moment
) -> tuple[Table, tuple[Effect, ...]]:
    """A bare table with its host in seat 1, and what is to be told. Raises `Refused`."""
    game, settings = table.game, table.settings
    d = Decision(table, who, now)
    for key, value in shown_settings(table).items():
        d.tell(Option_(key, value))
    d.sit(1, who.name, program=who.program)
    d.tell(Host_(who.name))
    for number in range(2, 2 + opening.bots):
        level = settings.level or players.usual(game)
        d.sit(number, d.table.bot_name(level), level=level)
    d.promise()
    if opening.start:
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
    if settings.rated:
        shown["rated"] = "yes"
    return shown | {option.name: option.value for option in table.told_options()}
