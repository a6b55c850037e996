"""Finding games and rules by the names in commands, and rows that list them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME, key_of, vocabulary
from twentytwo_protocol.words.lobby import Game as GameRow
from twentytwo_protocol.words.lobby import Preset, RuleRow

from ...games.game import AnyGame, Games
from ...games.options import BadOption, Option, no_such_option
from ..tables.rooms import AnyRoom


def game_called(games: Games, name: str) -> AnyGame | None:
    """The game with that key or common name (`whist`, `22`), or None."""
    return games.get(name.lower()) or games.get(key_of(name) or "")


def game_of(games: Games, key: str | None) -> AnyGame:
    """The game of that key or name, or the default game for None.

    Raises `Refused` (NO_SUCH_GAME).
    """
    game = game_called(games, key or DEFAULT_GAME)
    if game is None:
        raise Refused(
            "NO_SUCH_GAME",
            f"There is no game {key}; there are {', '.join(games)}.",
            arg="game",
        )
    return game


def preset_of(game: AnyGame, name: str | None) -> str:
    """The name of a preset; the default preset for None."""
    return name.lower() if name else next(iter(game.presets))


def rules_of(game: AnyGame, preset: str, options: dict[str, str]) -> Any:
    """The rules of a preset with these options changed, as text. Raises `Refused`."""
    if preset not in game.presets:
        known = ", ".join(game.presets)
        raise Refused(
            "BAD_ARG", f"There are no rules {preset}; the presets are {known}.", arg="rules"
        )
    known_options = [o.name for o in game.options(game.presets[preset])]
    for name in options:
        if name not in known_options:
            text = no_such_option(name, known_options, f"rules {game.key}")
            raise Refused("NO_SUCH_OPTION", text, arg=name)
    try:
        return game.rules(preset, options)
    except BadOption as wrong:
        raise Refused("BAD_ARG", wrong.text, arg=wrong.option) from None


def game_rows(games: Iterable[AnyGame]) -> Iterator[GameRow]:
    """Yields a row for each game, with the numbers of players in its default preset."""
    for game in games:
        players = game.players(next(iter(game.presets.values())))
        sides = ["+".join(map(str, side)) for side in vocabulary(game.key).partners]
        yield GameRow(
            game.key,
            players.start,
            players.stop - 1,
            tuple(game.presets),
            tuple(sides) or None,
            game.title,
        )


def preset_row(game: AnyGame, preset: str, rules: Any) -> Preset:
    """The row of a preset, or of a table with this preset: players and ranks."""
    usual = game.options(next(iter(game.presets.values())))
    pairs = zip(game.options(rules), usual, strict=True)
    other = ", ".join(f"{o.name} {o.value}" for o, u in pairs if o.value != u.value)
    players, worth = game.players(rules), game.worth(rules)
    scores = tuple(worth.values()) if any(worth.values()) else None
    return Preset(
        game.key, preset, players.start, players.stop - 1, tuple(worth), scores, other or "as usual"
    )


def rule_rows(game: AnyGame, preset: str, options: Iterable[Option]) -> Iterator[RuleRow]:
    """Yields a row for each option of a preset, or of a table with this preset."""
    for o in options:
        low, high = (o.span.start, o.span.stop - 1) if o.span else (None, None)
        yield RuleRow(game.key, preset, o.name, o.type, o.value, o.words or None, low, high, o.help)


def rules_in_words(game: AnyGame) -> str:
    """The help topic with the rules of a game."""
    return game.key if game.key != DEFAULT_GAME and vocabulary(game.key).help else "play"


def rules_at(room: AnyRoom) -> str:
    """The rules of a table in words: the preset, and the options that differ from it."""
    table = room.table
    default = table.game.options(table.game.presets[table.settings.preset])
    other = [o for o, d in zip(table.options(), default, strict=True) if o.value != d.value]
    counting = [] if table.settings.counting else ["counting off"]
    changed = ", ".join([*(f"{o.name} {o.value}" for o in other), *counting])
    but = f" but {changed}" if changed else ""
    return f"{room.id}: {table.game.title}, {table.settings.preset} rules{but}"
