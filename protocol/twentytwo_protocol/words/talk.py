"""Talk at the table, in the lobby, among watchers and in private."""

from __future__ import annotations

from typing import Annotated

from ..schema import Command, Event, Name, Stream, Text, command, event


@command("talk", short="'", example="say well played")
class Say(Command):
    """Say something to your table."""

    text: Text


@command("talk", example="tell bob shall we play?")
class Tell(Command):
    """Say something to one person, wherever they are."""

    name: Name
    text: Text


@command("talk", example="shout anyone for a game?")
class Shout(Command):
    """Say something to everybody who follows the lobby."""

    text: Text


@command("talk", example="kibitz she must have the ace")
class Kibitz(Command):
    """Say something to those who watch the same table; players do not hear it."""

    text: Text


@command("talk", example="block bob")
class Block(Command):
    """Hear nothing more from somebody; alone, whom you have blocked."""

    name: Name | None = None


@command("talk", example="unblock bob")
class Unblock(Command):
    """Hear somebody again."""

    name: Name


@command("talk", example="report mallory foul language")
class Report(Command):
    """Tell the operator about somebody."""

    name: Name
    text: Text


@event("table", say="{from_}: {text}")
class Said(Event):
    """Somebody at the table said something. The text is left out if you blocked them."""

    from_: Name
    text: Text | None = None


@event("talk", say="[watchers] {from_}: {text}")
class Kibitzed(Event):
    """A watcher said something to the watchers."""

    from_: Name
    text: Text | None = None


@event("me", say="{from_} tells {to}: {text}")
class Told(Event):
    """Somebody told you something, or you told them."""

    from_: Name
    to: Name
    text: Text | None = None


@event("me", say="* {from_} invites you to {table} ({game}). join {table} sits down.")
class Invited(Event):
    """Somebody would like you at a table; table is absent if they have none yet."""

    from_: Name
    table: Annotated[Stream, "the table"]
    game: Annotated[Name, "its game"]


@event("lobby", say="[lobby] {from_}: {text}")
class Shouted(Event):
    """Somebody spoke in the lobby."""

    from_: Name
    text: Text | None = None
