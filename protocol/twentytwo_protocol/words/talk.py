"""Chat: at the table, in the lobby, among watchers and in private."""

from __future__ import annotations

from typing import Annotated

from ..schema import (
    KEY,
    Command,
    Event,
    Name,
    Stream,
    Text,
    Token,
    command,
    event,
)
from ..vocabulary import vocabulary


@command("talk", short="'", example="say :well played", once=True, heard=True)
class Say(Command):
    """Say something to your table."""

    text: Text
    table: Annotated[Stream | None, KEY] = None


@command("talk", example="tell bob :shall we play?", once=True, heard=True)
class Tell(Command):
    """Say something to one person, wherever they are."""

    name: Name
    text: Text


@command("talk", example="shout :anyone for a game?", once=True, heard=True)
class Shout(Command):
    """Say something to everybody who follows the lobby."""

    text: Text


@command("talk", example="kibitz :she must have the ace", once=True, heard=True)
class Kibitz(Command):
    """Say something to the other watchers of a table. Players do not hear it."""

    text: Text
    table: Annotated[Stream | None, KEY] = None


@command("talk", example="block bob")
class Block(Command):
    """Hear nothing more from a person; alone, list the people you have blocked."""

    name: Name | None = None


@command("talk", example="unblock bob")
class Unblock(Command):
    """Hear a blocked person again."""

    name: Name


@command("talk", example="report mallory :foul language", once=True)
class Report(Command):
    """Report a person to the operator."""

    name: Name
    text: Text


@event("table", say="{by}: {text}")
class Said(Event):
    """Chat of a player or watcher at the table. The text is left out if you have blocked them."""

    by: Annotated[Name, "the person"]
    text: Text | None = None


@event("talk", say="[watchers] {by}: {text}")
class Kibitzed(Event):
    """A watcher said something to the watchers."""

    by: Name
    text: Text | None = None


@event("me", say="{by} tells {to}: {text}")
class Told(Event):
    """A private message, to you or from you."""

    by: Annotated[Name, "the person"]
    to: Name
    text: Text | None = None


def _invited(said: Invited, _: object) -> str:
    title, table = vocabulary(said.game).title, said.table
    if table is None:
        return f"* {said.by} would like to play {title} with you."
    looks = f", watch {table} looks on" if said.watch else ""
    return f"* {said.by} invites you to {table}: {title}. join {table} sits down{looks}."


@event("me", say=_invited)
class Invited(Event):
    """An invitation to a table. The table is absent if the inviting player has none yet."""

    by: Annotated[Name, "the person"]
    table: Annotated[Stream | None, "the table"]
    game: Annotated[Token, "its game"]
    watch: Annotated[Token | None, "open: people who do not play may watch"] = None


@event("me", say="* {name} turns down your invitation to {table}.")
class Declined(Event):
    """A person has declined your invitation."""

    name: Annotated[Name, "the person"]
    table: Annotated[Stream, "the table"]


@event("lobby", say="[lobby] {by}: {text}")
class Shouted(Event):
    """Chat in the lobby."""

    by: Name
    text: Text | None = None


def speaker(happened: Event) -> str | None:
    """The author of chat or of an invitation, whom a viewer may have blocked; None for other
    events.
    """
    match happened:
        case Said() | Kibitzed() | Told() | Invited() | Shouted():
            return happened.by
    return None
