"""Sessions: greeting, names, help, settings, leaving."""

from __future__ import annotations

from typing import Annotated, ClassVar

from ..schema import (
    KEY,
    Command,
    Flag,
    Int,
    Ints,
    Name,
    Row,
    Stage,
    Str,
    Stream,
    Text,
    Token,
    Tokens,
    Words,
    command,
    row,
)

HERE = Stage.CONNECTED


@command("programs", stage=HERE, example="hello 1 client=mybot/1.0 bot=1")
class Hello(Command):
    """Switch to the format for programs. Arguments that the server does not know are ignored."""

    lenient: ClassVar[bool] = True
    versions: Annotated[Ints | None, "the versions of the protocol that you speak: 1"] = None
    client: Annotated[Token | None, "your program's name", KEY] = None
    caps: Annotated[Tokens | None, "the capabilities to turn on, as with `caps`", KEY] = None
    bot: Annotated[Flag | None, "1: a program plays, not a person", KEY] = None


@command("programs", stage=HERE, example="caps json,text")
class Caps(Command):
    """Turn on these capabilities and turn off all others; alone, list the active ones."""

    caps: Annotated[Tokens | None, "a list, - for none; `describe caps` lists them all"] = None


@command("session", stage=HERE, example="guest ann", cost=2)
class Guest(Command):
    """Take a name, without an account."""

    name: Annotated[Name, "2 to 16 letters, digits, - and _"]


@command("session", stage=HERE, example="resume Zk81 t7:93 me:0 boot=k3f9", cost=2, secret=True)
class Resume(Command):
    """Take your place back on a new connection, and get the events that you missed."""

    token: Annotated[Token, "from the last guest or resume"]
    streams: Annotated[Words, "the last number that you have seen on each stream: t7:93"] = ()
    boot: Annotated[Token | None, "the boot= of the hello after which you saw them", KEY] = None


@command("session", again=True)
class Whoami(Command):
    """Your name and state here."""


@command("session", asks=True)
class Logout(Command):
    """Give up your name and your seats, and stay connected."""


@command("session", stage=HERE, short="?", example="help play", again=True)
class Help(Command):
    """Explain a command, a game or an option; alone, list the topics."""

    topic: Annotated[Token | None, "a command, a game, a topic"] = None
    option: Annotated[Token | None, "an option of the game"] = None


@command("programs", stage=HERE, example="describe verbs move", again=True)
class Describe(Command):
    """The protocol itself, as rows."""

    what: Annotated[Token, "verbs, events, errors, byes, warns, notes, caps or games"]
    name: Annotated[Token | None, "the name of one of them"] = None


@command("programs", stage=HERE, again=True)
class Ping(Command):
    """Ask for a sign of life. The reply comes in order with all other output."""

    x: Annotated[Token | None, "a word that the reply repeats as pong="] = None


@command("programs", stage=HERE, cost=0)
class Pong(Command):
    """Answers a PING. The only verb without a reply."""

    no: Annotated[Int | None, "the number of the PING"] = None


@command("session", stage=HERE, example="set width 60")
class Set(Command):
    """Change how this connection shows things; alone, list the settings."""

    key: Annotated[
        Token | None, "width, charset, suits, colour, bell, terse, forced or remarks"
    ] = None
    value: Annotated[Token | None, "its new value"] = None


@command("session", stage=HERE, again=True)
class Info(Command):
    """Facts about the server."""


@command("session", stage=HERE, again=True)
class Motd(Command):
    """The message of the day."""


@command("session", stage=HERE, again=True)
class Time(Command):
    """The server's clock, in UTC."""


@command("session", stage=HERE)
class Quit(Command):
    """Leave. A seat in a running game is kept for the grace period."""


@row(say="  {text}", word="HELP")
class HelpRow(Row):
    """One line of help."""

    text: Text | None = None


@row(say="  {key} = {value}")
class Setting(Row):
    """A setting of this connection."""

    key: Token
    value: Str


@row(say="  {key}: {value}", word="INFO")
class InfoRow(Row):
    """A fact about the server."""

    key: Token
    value: Str


@row(say="  {usage} - {text}")
class Verb(Row):
    """A verb, from its declaration."""

    name: Token
    usage: Str
    group: Token
    needs: Annotated[Token, "the earliest stage of a connection: connected or named"]
    example: Str
    once: Annotated[Flag, "whether a key, once=KEY, prevents a second execution"]
    short: Annotated[Str | None, "the short form for people"] = None
    cost: Annotated[Int | None, "its cost for the rate limit, in commands"] = None
    text: Text | None = None


@row(say="  {name} ({stream}) - {text}", word="EVENT")
class EventRow(Row):
    """An event, from its declaration."""

    name: Token
    stream: Token
    scope: Token | None = None
    text: Text | None = None


@row(say="    {name}: {type} - {text}", word="FIELD")
class FieldRow(Row):
    """A field of a verb (of=move) or an event (of=TURN)."""

    of: Token
    name: Token
    type: Token
    vis: Annotated[Token, "who sees it: all; owner: only the seat; others: all but the seat"]
    always: Annotated[Flag, "whether it is always present"]
    since: Annotated[Int, "the version of the protocol that added it"]
    until: Annotated[
        Token | None, "owner: the field of the event that, if 1, shows this one to all"
    ] = None
    text: Text | None = None


@row(say="  {name} ({class_}) - {text}", word="CODE")
class CodeRow(Row):
    """A code of an ERR, a BYE, a WARN or a NOTE, or a reason."""

    name: Token
    class_: Annotated[Token, "the class of an error; or reason, bye, warn or note"]
    text: Text | None = None


@row(say="  {name} - {text}", word="CAP")
class CapRow(Row):
    """A capability."""

    name: Token
    active: Annotated[Flag, "whether it is on, on this connection"]
    text: Text | None = None


@row(say="")
class At(Row):
    """The position of a stream: you have its events up to seq. With a code: why you do not have
    them.
    """

    on: Stream
    seq: Annotated[Int | None, "its last number"] = None
    from_: Annotated[Int | None, "resume: the number after which the missed events begin"] = None
    talk: Annotated[Stream | None, "for a table: the stream of its watchers' talk"] = None
    code: Annotated[Token | None, "resume: an error code; no event of the stream was sent"] = None
    have: Annotated[Ints | None, "BAD_SEQ: the last number of the stream"] = None
    oldest: Annotated[Int | None, "GONE: the first number that the server still has"] = None
