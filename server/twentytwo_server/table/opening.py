"""Opening a table: announces its options, seats the host and bots, and may begin the game."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from msgspec import field

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.seating import Host_, Option_

from ..games import players
from ..games.game import AnyGame, deed_of
from .decision import GRACE, Actor, Decision, Moment
from .playing import play_on
from .starting import begin, go_on
from .table import Settings, Table


class Taken(Value):
    """A finished game that the first game of a practice table continues.

    `moves` are its first moves: seat, act and token. `hand` is the hand in which the new game
    continues, and `seat` the seat of the table's host.
    """

    source: str
    hand: int
    seat: int
    moves: tuple[tuple[int, str, str], ...]


class Opening(Value):
    """The first order of a table: the way it is opened.

    - `options`: all options of its rules with their values, including defaults, so that a later
      version continues with the same rules.
    - `grace`: the time in ms for which an absent person's seat is kept.
    - `edition`: the edition of the words in which its events are written.
    - `most_hands`: games end after this number of hands; 0 is never.
    - `sought`: a seek brought its people together.
    - `protected`: the host may not remove people from a running game.
    - `version`: the version of the game's laws (`Game.version`). In another version the orders of
      the table would have other results.
    - `taken`: its first game continues another game.
    - `played`: moves made at once, each by the seat on turn, for a lesson that begins during a
      deal.
    - `empty`: it opens without people, as the second table of a pair.
    - `guided`: the form of a lesson's questions (`Guide.asks`).
    - `others`: the people seated beside the host: names, each with `Actor.program`.
    """

    settings: Settings
    options: Mapping[str, str] = field(default_factory=dict)
    bots: int = 0
    start: bool = False
    grace: int = GRACE
    edition: int = 1
    most_hands: int = 0
    sought: bool = False
    version: int = 1
    protected: bool = False
    taken: Taken | None = None
    played: tuple[str, ...] = ()
    empty: bool = False
    guided: str = ""
    others: tuple[tuple[str, bool], ...] = ()


def bare_table(id: str, game: AnyGame, opening: Opening, who: Actor) -> Table:
    """The empty table, for `open_table`. Raises `BadOption`."""
    rules = game.rules(opening.settings.preset, opening.options)
    return Table(
        id,
        game,
        rules,
        opening.settings,
        opening.settings.kind,
        "" if opening.empty else who.name,
        frozenset(opening.options),
        most_hands=opening.most_hands,
        sought=opening.sought,
        protected=opening.protected,
        guided=opening.guided,
    )


def open_table(table: Table, opening: Opening, who: Actor, now: Moment) -> Decision:
    """Seats the host and the bots at a bare table. Raises `Refused`."""
    game, settings = table.game, table.settings
    d = Decision(table, who, now)
    for key, value in shown_settings(table).items():
        d.tell(Option_.of(key, value))
    taken = opening.taken
    own = taken.seat if taken is not None else 1
    if not opening.empty:
        d.sit(own, who.name, program=who.program)
        d.tell(Host_(who.name))
    for number, (name, program) in enumerate(opening.others, 2):
        d.sit(number, name, program=program)
    for number in list(islice(d.table.free(), opening.bots)):
        level = settings.level or players.usual(game)
        d.sit(number, d.table.bot_name(level), level=level)
    d.promise(taken=taken is not None)
    if taken is not None:
        moves = [deed_of(game, *move) for move in taken.moves]
        go_on(d, moves, taken.source, taken.hand)
    elif opening.start:
        begin(d)
        play_on(d, opening.played)
    return d


def _deals(settings: Settings) -> str:
    if settings.twin:
        return "duplicate"
    if settings.day:
        return f"daily {settings.day}"
    return f"seed {settings.seed}" if settings.seed is not None else "fair"


def shown_settings(table: Table) -> dict[str, str]:
    """All settings and options of a table by name, as in OPTION events, without its secret word."""
    settings = table.settings
    shown = {
        "game": table.game.key,
        "preset": settings.preset,
        "seats": str(settings.seats),
        "clock": settings.clock.spelled if settings.clock else "0",
        "watch": "open" if settings.watch else "none",
        "private": "yes" if settings.word else "no",
        "title": settings.title,
        "deals": _deals(settings),
    }
    if settings.twin:
        shown["duplicate"] = settings.twin
    if settings.kind.rated:
        shown["rated"] = "yes"
    if not settings.counting:
        shown["counting"] = "off"
    if settings.lesson:
        shown["lesson"] = str(settings.lesson)
    return shown | {option.name: option.value for option in table.told_options()}
