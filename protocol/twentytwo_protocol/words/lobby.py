"""The lobby: the people here, the games, the tables, and the search for players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..schema import (
    KEY,
    Command,
    Event,
    Flag,
    Int,
    Ints,
    Name,
    Options,
    Row,
    Stage,
    Stream,
    Text,
    Token,
    Tokens,
    command,
    event,
    row,
)
from ..vocabulary import DEFAULT_GAME, vocabulary
from .paging import After, AtMost

if TYPE_CHECKING:
    from ..voice import Voice


@command("lobby", cost=3, again=True)
class Who(Command):
    """Who is here."""

    filter: Annotated[Token | None, "a part of the name"] = None
    n: AtMost = None
    after: After = None


@command("lobby", stage=Stage.CONNECTED, again=True)
class Games(Command):
    """The games that are played here."""

    n: AtMost = None
    after: After = None


@command("lobby", stage=Stage.CONNECTED, example=f"rules {DEFAULT_GAME}", again=True)
class Rules(Command):
    """The options of a game: their values, and the default. help OPTION names the source of an
    option.
    """

    game: Annotated[Token | None, "a game; alone, the one at your table"] = None
    rules: Annotated[Token | None, "a preset, to see its values", KEY] = None
    n: AtMost = None
    after: After = None


@command("lobby", stage=Stage.CONNECTED, example="tables open=1", cost=3, again=True, waits=True)
class Tables(Command):
    """The public tables."""

    game: Annotated[Token | None, "only this game", KEY] = None
    open: Annotated[Flag | None, "1: only tables with a seat that you can take", KEY] = None
    n: AtMost = None
    after: After = None


@command("lobby", example=f"follow tables game={DEFAULT_GAME}", again=True)
class Follow(Command):
    """Follow the events on these streams; alone, on all three."""

    stream: Annotated[Stream | None, "lobby, tables or people"] = None
    game: Annotated[Token | None, "only tables and seeks of this game", KEY] = None


@command("lobby", example="unfollow people", again=True)
class Unfollow(Command):
    """Stop following these streams; alone, all three."""

    stream: Annotated[Stream | None, "lobby, tables or people"] = None


@command("lobby", example=f"seek {DEFAULT_GAME} players=3", once=True, begins=True)
class Seek(Command):
    """Look for people to play with. As soon as there are enough, a table is opened for all of
    you.
    """

    game: Annotated[Token | None, f"the game; default: {DEFAULT_GAME}"] = None
    players: Annotated[
        Int | None, "number of players in all; default: the fewest that can play", KEY
    ] = None
    rules: Annotated[Token | None, "a preset of the game's options", KEY] = None
    options: Options | None = None


@command("lobby", once=True)
class Unseek(Command):
    """Stop looking."""


@command("lobby", again=True)
class Seeks(Command):
    """Who looks for players."""

    n: AtMost = None
    after: After = None


@command("lobby", example="invite bob", once=True, heard=True)
class Invite(Command):
    """Invite a person to your table."""

    name: Name
    table: Annotated[Stream | None, "the table, if you have several"] = None


@command("lobby", example="accept ann", once=True)
class Accept(Command):
    """Sit down where you are invited, or look for the same game as a person who seeks players."""

    name: Annotated[
        Name | None,
        "the person who invited you, or else seeks players; not needed for a single invitation",
    ] = None
    table: Annotated[Stream | None, "the table of the invitation", KEY] = None
    seek: Annotated[Int | None, "the number of a seek, to play what it asks for", KEY] = None


@command("lobby", example="decline ann", once=True)
class Decline(Command):
    """Decline an invitation."""

    name: Name
    table: Annotated[Stream | None, "the table of the invitation", KEY] = None


def _span(low: int, high: int) -> str:
    return f"{low} to {high}" if high > low else f"{low}"


def _game(said: Game, _: Voice) -> str:
    span = _span(said.min, said.max)
    return f"  {said.title} ({said.game}), {span} players. rules {said.game} shows its options."


@row(say=_game)
class Game(Row):
    """A game that is played here."""

    game: Token
    min: Annotated[
        Int, "minimum number of players in the default preset; PRESET has those of the others"
    ]
    max: Annotated[Int, "maximum number of players in that preset"]
    presets: Annotated[Tokens, "the presets of its options, the default first"]
    sides: Annotated[Tokens | None, "the partners: 1+3,2+4; absent if each plays alone"] = None
    title: Text | None = None


@row(say="  rules={rules}: {text}")
class Preset(Row):
    """A preset of a game's options, or the options of a table, with their consequences."""

    game: Token
    rules: Annotated[Token, "its name"]
    min: Annotated[Int, "minimum number of players"]
    max: Annotated[Int, "maximum number of players"]
    ranks: Annotated[Tokens, "the ranks that decide a trick, the lowest first"]
    worth: Annotated[
        Ints | None, "the points for a card of each rank; absent if cards score nothing"
    ] = None
    text: Annotated[Text | None, "how it differs from the default preset"] = None


def _rule(said: RuleRow, _: Voice) -> str:
    *most, last = said.values or ("",)
    values = f"{', '.join(most)} or {last}" if most else last
    if said.max is not None:
        numbers = f"{said.min} to {said.max}"
        values = f"{numbers}, or {values} for none" if values else numbers
    return f"  {said.key} = {said.default}   ({values})  {said.text}"


@row(say=_rule, word="RULE")
class RuleRow(Row):
    """An option of a game, in a preset or at a table."""

    game: Token
    rules: Annotated[Token, "the preset"]
    key: Token
    type: Annotated[Token, "int or token"]
    default: Annotated[Token, "its value in the preset, or at the table"]
    values: Annotated[Tokens | None, "the allowed words, or 0 for none"] = None
    min: Annotated[Int | None, "the smallest allowed number"] = None
    max: Annotated[Int | None, "the largest allowed number"] = None
    text: Text | None = None


def _table(said: TableRow, _: Voice) -> str:
    title = vocabulary(said.game).title
    taken = f"{said.taken} of {said.seats} seats taken"
    host = f"host {said.host}" if said.host else ""
    twin = f"dealt the same as {said.twin}" if said.twin else ""
    vacant = f"join takes over {said.vacant} of the seats" if said.vacant else ""
    facts = ", ".join(filter(None, (title, taken, said.phase, vacant, host, twin)))
    return f"  {said.on}  {facts}." + (f"  {said.title}" if said.title else "")


@row(say=_table, word="TABLE")
class TableRow(Row):
    """A table."""

    on: Stream
    game: Token
    seats: Int
    taken: Int
    phase: Annotated[Token, "open, playing or over"]
    host: Name
    locked: Annotated[Flag, "1: nobody else may sit down"]
    title: Text | None = None
    nwatch: Annotated[Int | None, "number of watchers"] = None
    twin: Annotated[Stream | None, "the other table of a pair, with the same deals"] = None
    vacant: Annotated[Int | None, "number of seats in a running game that `join` can take over"] = (
        None
    )


def _user(said: User, _: object) -> str:
    kind = " (bot)" if said.bot else ""
    return f"  {said.name}{kind}" + (f" at {said.on}" if said.on else "")


@row(say=_user)
class User(Row):
    """A person who is here."""

    name: Name
    bot: Flag
    on: Annotated[Stream | None, "the table where they sit"] = None


def _sought(said: SeekRow | Sought, _: Voice) -> str:
    changed = "".join(f", {key} {value}" for key, value in (said.options or {}).items())
    what = f"{vocabulary(said.game).title} ({said.rules}{changed})"
    accept = f"accept {said.name.removeprefix('~')}"
    return f"{said.name} looks for {said.players} in all to play {what}: {accept}"


@row(say=lambda said, voice: f"  {_sought(said, voice)}", word="SEEK")
class SeekRow(Row):
    """A person who looks for players."""

    seek: Annotated[Int, "the number of the seek"]
    name: Name
    game: Token
    players: Annotated[Int, "number of players in all"]
    rules: Annotated[Token, "the preset"]
    options: Annotated[Options | None, "the options that differ from the preset"] = None


@row(say="  {name}")
class Watcher(Row):
    """A person who watches a table."""

    name: Name


@event("people", say="[lobby] {name} is here.")
class Online(Event):
    """A person has come."""

    name: Name
    bot: Flag


@event("people", say="[lobby] {name} has gone.")
class Offline(Event):
    """A person has gone."""

    name: Name


def _opened(said: Opened, _: Voice) -> str:
    what = f"{vocabulary(said.game).title}, {said.seats} seats."
    return f"[lobby] {said.host} opens {said.table}: {what}  {said.title or ''}"


@event("tables", say=_opened)
class Opened(Event):
    """A public table is opened."""

    table: Stream
    game: Token
    seats: Int
    taken: Int
    phase: Token
    host: Name
    locked: Annotated[Flag, "1: nobody else may sit down"]
    title: Text | None = None
    vacant: Annotated[Int | None, "number of seats in a running game that `join` can take over"] = (
        None
    )


@event("tables")
class Changed(Event):
    """A table has changed."""

    table: Stream
    game: Token
    seats: Int
    taken: Int
    phase: Token
    host: Name
    locked: Annotated[Flag, "1: nobody else may sit down"]
    title: Text | None = None
    vacant: Annotated[Int | None, "number of seats in a running game that `join` can take over"] = (
        None
    )


@event("tables", say="[lobby] {table} is closed.")
class Closed(Event):
    """A table is gone."""

    table: Stream


@event("lobby", say=lambda said, voice: f"[lobby] {_sought(said, voice)}")
class Sought(Event):
    """A person looks for players."""

    seek: Annotated[Int, "the number of the seek"]
    name: Name
    game: Token
    players: Annotated[Int, "number of players in all"]
    rules: Annotated[Token, "the preset"]
    options: Annotated[Options | None, "the options that differ from the preset"] = None


@event("lobby")
class Unsought(Event):
    """A person no longer looks for players."""

    seek: Annotated[Int, "the number of the seek"]
    name: Name
    game: Token
    players: Annotated[Int, "number of players in all"]
    rules: Annotated[Token, "the preset"]
    options: Annotated[Options | None, "the options that differ from the preset"] = None
