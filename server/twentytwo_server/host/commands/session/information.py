"""Questions about the server and the protocol, and display settings."""

from __future__ import annotations

from dataclasses import dataclass

from twentytwo_protocol import __version__, manual
from twentytwo_protocol.schema import Refused, Row
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.session import HelpRow, InfoRow, Setting

from ....games.game import Games
from ....session.streams import rfc3339
from ...availability import Availability
from ...config import LiveConfig
from ...connections import Connections
from ...lobby.table_list import TableList
from ...people.elsewhere import Elsewhere
from ...people.people import People
from ...room_services import RoomServices
from ...tables.pausable_clock import PausableClock
from ...tables.rooms import Rooms
from ..call import Call, Handlers
from ..games import game_called, game_of, game_rows, preset_row, rule_rows
from ..standing import ask_again


def help(call: Call, command: words.Help, games: Games, rooms: Rooms) -> None:
    """Explains a command, a game, an option or a topic."""
    lines = manual.help(command.topic, people=call.people, game=_game_here(call))
    if lines is None and command.topic:
        lines = _game_help(games, command.topic, command.option)
    if lines is None:
        near = manual.nearest(command.topic or "")
        hint = f" Did you mean {near}?" if near else " help alone lists what there is."
        raise Refused("BAD_ARG", f"There is no help on {command.topic}.{hint}", arg="topic")
    call.inform(*(HelpRow(line or None) for line in lines), n=len(lines))
    ask_again(call, rooms)


def _game_here(call: Call) -> str:
    """The key of the game at the person's current table; empty if they are at none."""
    try:
        return call.room(None).table.game.key
    except Refused:
        return ""


def _game_help(games: Games, topic: str, option: str | None) -> list[str] | None:
    game = game_called(games, topic)
    if game is None:
        for each in games.values():
            found = [o for o in each.options(next(iter(each.presets.values()))) if o.name == topic]
            if found:
                o = found[0]
                return [f"{o.name}: {o.help}.", f"Values: {o.allowed}. From: {o.source}"]
        return None
    options = game.options(next(iter(game.presets.values())))
    if option is not None:
        found = [o for o in options if o.name == option]
        return [f"{o.name}: {o.help}. Values: {o.allowed}." for o in found] or None
    usual, *others = game.presets.items()
    different = [f"{name} ({preset_row(game, name, made).text})" for name, made in others]
    presets = ", ".join([usual[0], *different])
    return [
        *manual.paragraphs(manual.how_to_play(game.key)),
        f"open {game.key} opens a table, practice {game.key} plays against bots.",
        f"Presets (rules=): {presets}.",
        f"Options (rules {game.key} explains): {', '.join(o.name for o in options)}.",
    ]


def describe(call: Call, command: words.Describe, games: Games) -> None:
    """Describes the protocol, or the games and their options, as rows."""
    what = command.what.lower()
    if what == "games":
        wanted = [game_of(games, command.name)] if command.name else [*games.values()]
        rows: list[Row] = [*game_rows(wanted)]
        for game in wanted:
            rows += [preset_row(game, name, made) for name, made in game.presets.items()]
        for game in wanted:
            usual, made = next(iter(game.presets.items()))
            rows += rule_rows(game, usual, game.options(made))
        call.ok(*rows, n=len(rows))
        return
    found = manual.describe(what, command.name, call.session.capabilities)
    if found is None:
        raise Refused(
            "BAD_ARG",
            "describe verbs, events, errors, byes, warns, notes, caps or games.",
            arg="what",
        )
    call.ok(*found, n=len(found))


def ping(call: Call, command: words.Ping) -> None:
    """Answers with the same word, in order with other answers."""
    call.ok(pong=command.x or "-", text="pong" if call.people else None)


def pong(call: Call, _: words.Pong) -> None:
    """Takes the answer to a PING; the only command without a reply."""


def set_(call: Call, command: words.Set) -> None:
    """Shows or changes the display settings of this connection."""
    if command.key is not None:
        if command.value is None:
            raise Refused("BAD_ARG", "Usage: set KEY VALUE   e.g. set width 60", arg="value")
        call.session.display = call.session.display.with_(command.key.lower(), command.value)
    display = call.session.display
    names = [command.key.lower()] if command.key else list(display.__struct_fields__)
    names = ["colour" if name == "color" else name for name in names]
    call.inform(*(Setting(name, str(getattr(display, name))) for name in names), n=len(names))


@dataclass(slots=True)
class ServerFacts:
    """Facts about the server, including those for server directories."""

    _config: LiveConfig
    _people: People
    _elsewhere: Elsewhere
    _table_list: TableList
    _connections: Connections
    _tables: RoomServices
    _availability: Availability
    _games: Games

    def facts(self) -> dict[str, object]:
        """The facts by their names."""
        config = self._config.now
        return {
            "name": config.name,
            "players": len(self._people) + len([*self._elsewhere]),
            "connections": len(self._connections),
            "tables": self._tables.count + sum(self._table_list.counts.values()),
            "uptime": self._availability.uptime() // 1000,
            "codebase": f"twentytwo/{__version__}",
            "protocol": "cardline/1",
            "games": " ".join(self._games),
            "registration": config.registration.value,
            "state": self._availability.unready or "ready",
            **({"node": config.node} if config.node else {}),
        }


def info(call: Call, _: words.Info, server: ServerFacts) -> None:
    """Lists facts about the server, including those for server directories."""
    facts = server.facts()
    call.ok(*(InfoRow(key, str(value)) for key, value in facts.items()), n=len(facts))


def motd(call: Call, _: words.Motd, config: LiveConfig) -> None:
    """Shows the message of the day."""
    call.ok(text=config.now.motd or "Good cards to you.")


def time(call: Call, _: words.Time, clock: PausableClock) -> None:
    """Shows the time of the server in UTC."""
    wall = clock.wall()
    at = rfc3339(wall)
    call.ok(at=at, ms=wall, text=at if call.people else None)


HANDLERS: Handlers = {
    words.Help: help,
    words.Describe: describe,
    words.Ping: ping,
    words.Pong: pong,
    words.Set: set_,
    words.Info: info,
    words.Motd: motd,
    words.Time: time,
}
