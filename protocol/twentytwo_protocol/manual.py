"""The manual: help for people, `describe` for programs, and the reference.

All texts come from the declarations of the messages: the docstring of a command is its help.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import games, words
from .folding import STANDING
from .schema import (
    BYES,
    CAPABILITIES,
    CODES,
    COMMANDS,
    EVENTS,
    NOTES,
    OPTIONS,
    REASONS,
    ROWS,
    TEXT,
    WARNS,
    WORDS,
    Command,
    Event,
    Field,
    Message,
    Others,
    Owner,
    Row,
    Stage,
)
from .verbs import PROGRAMS
from .vocabulary import DEFAULT_GAME, VOCABULARIES, vocabulary
from .wire import typed_example, usage
from .words.session import CapRow, CodeRow, EventRow, FieldRow, Verb

__all__ = [
    "DECLARED",
    "GROUPS",
    "SYNONYMS",
    "TOLD",
    "TOPICS",
    "describe",
    "help",
    "how_to_play",
    "nearest",
    "paragraphs",
    "reference",
    "schemas",
    "topic_text",
]

DECLARED = (words, games)
"""The modules that declare every message when they are imported."""

GROUPS: Mapping[str, str] = {
    "session": "Sessions",
    "accounts": "Accounts",
    "lobby": "The lobby",
    "tables": "Tables",
    "daily": "Daily deals",
    "playing": "Playing",
    "looking": "Looking at the game",
    "watching": "Watching",
    "talk": "Talking",
    "ratings": "Ratings",
    PROGRAMS: "For programs",
}
"""The chapters of commands, in order. `help commands` lists all but the last, which is in `help
bots`.
"""

_START = """\
tutorial teaches a game in four minutes, and tutorial GAME another one.
practice plays against bots at once; tables shows who plays.
help TOPIC explains a command, a game, an option, or one of these topics:
  play      the rules of the game at your table; at no table, of {title}
  commands  all commands, by chapter
  cards     how to type cards
  people    playing with others
  away      clocks, lost connections, coming back
  names     accounts, which keep your name, and ratings
  fair      how the deck is sealed, and your part in the shuffle
  plain     width, colours, screen readers
  bots      writing a program that plays, and its commands
The games: {games}."""

TOPICS: Mapping[str, str] = {
    "play": "{play}",
    "commands": "All commands, by chapter; help NAME explains one:",
    "cards": """\
A card is a rank, or a rank and a suit: q, qh, 10, t, 10d. Upper and lower
case are the same. On your turn just type the cards: q q, or qq, or qh qs.
In an exchange: exchange 6 9 9 (or x 6 9 9), or keep.
{typing}
During a game, k q j a t are cards: type quit, kibitz, join, tell in full.""",
    "people": """\
tables lists the tables; join t7 sits down at one, watch t7 watches it.
open {default} seats=3 opens a table. private=WORD makes it private: your
friends type join WORD. addbot puts a bot in an empty seat.
ready says that you are ready; the host types start. say hello talks to
the table, tell bob hello to one person.""",
    "away": """\
If you lose the connection, your seat is kept for a while; after that a bot
plays for you. Connect again and type the resume line from your greeting.
After quit your seat is kept in the same way; leave gives it up.
A table with people has a clock: 60 seconds a move and 120 in reserve,
unless its host opened it with another: clock=30+60, clock=0 for none. When
the time is up, the server keeps your cards, or plays your lowest.
pause stops the game and the clock if all agree, unpause resumes both.""",
    "fair": """\
The deck of every game is sealed before you sit down: the server prints a
fingerprint of a secret. fair shows the whole fingerprint. Until the start
you may add a word of your own:
  seed kitten      everybody sees it, and it changes every shuffle
After the start nobody can change the deals, not even the server. After the
game the server reveals the secret. Its sha256 is the fingerprint, and it
gives every shuffle, together with the words: fair g1 shows all of this, and
docs/fair.md explains the check. It cannot prove that the server shows
nobody the hands, which it knows during the game.""",
    "names": """\
You can play as a guest, with a ~ before your name, without an account.
register ann makes an account with this name and asks for a password, twice.
login ann logs you in again. The account gets everything of the guest:
seats, messages, and past games.
open {default} rated=1 opens a table for rated games, for accounts only.
rating shows your ratings, ranks {default} the best players. logout gives
up your name and seats here.""",
    "plain": """\
The server sends only whole lines of plain text; nothing needs colour.
set width 60 wraps at 60 columns.     set terse on leaves out your hand.
set charset utf8 allows all letters.  set suits signs then shows suit signs.
set colour on marks red suits.        set bell turn rings on your turn.
An empty line shows your question again; with set forced on it plays the
only legal move, if there is just one.""",
    "bots": """\
Programs send hello 1 first, and get one line for each event.
A TURN with default= is a question to you: answer with move and one token
of legal=. describe events TURN explains the fields; protocol/SPEC.md is the
specification.""",
}
"""Help on topics that are not a command. Names in braces stand for texts of the games."""

SYNONYMS: Mapping[str, str] = {
    "account": "names",
    "ratings": "names",
    "clocks": "away",
    "talk": "people",
    "options": "rules",
    "programs": "bots",
    "verbs": "commands",
    "width": "plain",
    "colours": "plain",
}
"""Other names of topics."""


def help(topic: str | None, *, people: bool = True, game: str = "") -> list[str] | None:
    """The paragraphs of help on a topic; None if there is no such command or topic.

    `people` adds the short forms that only people may type. `game` is the key of the game that
    `play` explains.
    """
    if topic is None:
        return paragraphs(_filled(_START))
    key = SYNONYMS.get(topic.lower(), topic.lower())
    text = topic_text(key, game)
    if text and key not in COMMANDS:
        return [*paragraphs(text), *_chapters_on(key)]
    cls = COMMANDS.get(key) or next((c for c in COMMANDS.values() if c.short == key), None)
    if cls is not None:
        return [*(paragraphs(text) if text else ()), *_page(cls, people, game)]
    if key.upper() in EVENTS or key.upper() in CODES:
        return [_doc(key.upper())]
    if key.upper() in REASONS:
        return [f"{key.upper()}: {REASONS[key.upper()]}."]
    return None


def topic_text(key: str, game: str = "") -> str:
    """The lines on a topic; empty if there is no such topic. `game` is the key of the game that
    `play` explains.
    """
    return _filled(TOPICS.get(key, ""), game)


def _filled(text: str, game: str = "") -> str:
    default = vocabulary(DEFAULT_GAME)
    return text.format(
        play=how_to_play(game) or default.help,
        typing="\n".join(each.typing for each in VOCABULARIES.values() if each.typing),
        games=", ".join(VOCABULARIES),
        default=default.key,
        title=default.title,
    )


def how_to_play(game: str) -> str:
    """The rules of a game, for people; empty for an unknown game."""
    return vocabulary(game).help


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, with continued lines joined, ready to be wrapped to any width.

    A line continues the line before if that does not end a sentence, or if it is indented below a
    number.
    """
    found: list[str] = []
    for line in text.splitlines():
        if found and _goes_on(found[-1], line):
            found[-1] += f" {line.strip()}"
        else:
            found.append(line)
    return found


_NUMBERED = re.compile(r"[0-9]+\. ")


def _goes_on(before: str, line: str) -> bool:
    if line.startswith(" ") or before.startswith(" "):
        return bool(_NUMBERED.match(before)) and line.startswith("   ")
    return before[-1:] not in (".", "!", "?") and not _NUMBERED.match(line)


def nearest(topic: str) -> str | None:
    """The topic closest to a mistyped one; None if there is none. Words of two letters are too
    ambiguous.
    """
    if len(topic) < 3:
        return None
    known = [*COMMANDS, *TOPICS, *(event.lower() for event in EVENTS)]
    return next(iter(difflib.get_close_matches(topic.lower(), known, 1)), None)


def _chapters_on(topic: str) -> Iterator[str]:
    """One line for each chapter of commands that belongs to a topic."""
    for group, title in GROUPS.items():
        if topic == ("bots" if group == PROGRAMS else "commands"):
            verbs = [verb for verb, cls in COMMANDS.items() if cls.group == group]
            yield f"  {title}: {' '.join(verbs)}"


def _page(cls: type[Command], people: bool, game: str) -> Iterator[str]:
    short = f"   (short: {cls.short})" if people and cls.short else ""
    yield f"{usage(cls, typed=True)}{short}"
    yield _one_line(cls.word.doc.split("\n\n")[0])
    for field in cls.word.fields:
        if field.doc:
            name = f"{field.key}=" if field.named else field.key.upper()
            yield f"  {name} {field.doc}"
    example = vocabulary(game).examples.get(cls.word.word, typed_example(cls))
    if example != cls.word.word:
        yield f"Example: {example}"


def _doc(name: str) -> str:
    if name in CODES:
        return f"{name} ({CODES[name].kind.value}): {CODES[name].doc}."
    return f"{name}: {EVENTS[name].word.doc}"


# ------------------------------------------------------------------------------- describe


def describe(what: str, name: str | None, on: Sequence[str] = ()) -> list[Row] | None:
    """The rows of `describe`; None if there is nothing of that kind.

    `on` are the active capabilities. With grease, a list ends with a made-up entry.
    """
    found: Iterator[Row]
    match what:
        case "verbs":
            found = _verbs(name)
        case "events":
            found = _events(name)
        case "errors":
            found = _codes(name)
        case "byes" | "warns" | "notes":
            found = _told_codes(what, name)
        case "caps":
            found = _capabilities(name, on)
        case _:
            return None
    more = [_GREASE[what]] if "grease" in on and name is None else []
    return [*found, *more]


_NOTHING = "grease: there is no such thing"
_GREASE: Mapping[str, Row] = {
    "verbs": Verb("xgverb", "xgverb", PROGRAMS, "connected", "xgverb", False, text=_NOTHING),
    "events": EventRow("XGEVENT", "table", None, _NOTHING),
    "errors": CodeRow("XG_CODE", "xgclass", _NOTHING),
    "byes": CodeRow("XG_BYE", "bye", _NOTHING),
    "warns": CodeRow("XG_WARN", "warn", _NOTHING),
    "notes": CodeRow("XG_NOTE", "note", _NOTHING),
    "caps": CapRow("xgcap", False, _NOTHING),
}


def _verbs(name: str | None) -> Iterator[Row]:
    for verb, cls in COMMANDS.items():
        if name is None or name.lower() == verb:
            needs = "connected" if cls.stage is Stage.CONNECTED else "named"
            doc = _one_line(cls.word.doc)
            short = cls.short or None
            kept = cls.once
            yield Verb(verb, usage(cls), cls.group, needs, cls.example, kept, short, cls.cost, doc)
            if name is not None:
                yield from (_field_row(verb, field) for field in cls.word.fields)


def _events(name: str | None) -> Iterator[Row]:
    for word, cls in EVENTS.items():
        if name is None or name.upper() == word:
            yield EventRow(word, cls.stream, cls.scope or None, _one_line(cls.word.doc))
            if name is not None:
                yield from (_field_row(word, field) for field in cls.word.fields)


def _field_row(of: str, field: Field) -> FieldRow:
    visible, until = (field.owner.vis, field.owner.until) if field.owner else ("all", "")
    return FieldRow(
        of, field.key, field.kind.name, visible, not field.optional, 1, until or None, field.doc
    )


def _codes(name: str | None) -> Iterator[Row]:
    for code in CODES.values():
        if name is None or name.upper() == code.name:
            yield CodeRow(code.name, code.kind.word, code.doc)
    for reason, doc in REASONS.items():
        if name is None or name.upper() == reason:
            yield CodeRow(reason, "reason", doc)


TOLD: Mapping[str, Mapping[str, str]] = {"byes": BYES, "warns": WARNS, "notes": NOTES}
"""The codes of BYE, WARN and NOTE, by their names in `describe`."""


def _told_codes(what: str, name: str | None) -> Iterator[Row]:
    for code, doc in TOLD[what].items():
        if name is None or name.upper() == code:
            yield CodeRow(code, what.removesuffix("s"), doc)


def _capabilities(name: str | None, on: Sequence[str]) -> Iterator[Row]:
    for capability, doc in CAPABILITIES.items():
        if name is None or name.lower() == capability:
            yield CapRow(capability, capability in on, doc)


def _one_line(doc: str) -> str:
    return " ".join(doc.split())


# ------------------------------------------------------------------------ the reference


def reference() -> str:
    """The text of REFERENCE.md: every message of the protocol."""
    return "\n".join(
        [
            "# Reference: every word of cardline/1",
            "",
            "Generated from the declarations: `python -m twentytwo_protocol`. "
            "How the words fit together is in [SPEC.md](SPEC.md).",
            "",
            "## Commands",
            "",
            *_reference_commands(),
            "## Cost and repetition of each command",
            "",
            "*cost*: how many commands it counts as for the rate limit (SPEC L1); a move of "
            "somebody who is asked costs 0. *once=*: with a key the server carries it out once, "
            "however often it is sent (SPEC R8). *again*: it changes nothing the second time, so a "
            "client may send it again after a lost connection. *asks*: a person who would lose a "
            "seat or a game by it is asked first, and a program reads `lost=`.",
            "",
            "| command | cost | once= | again | asks |",
            "|---|---|---|---|---|",
            *map(_reference_properties, COMMANDS.values()),
            "",
            "## Events",
            "",
            "`owner`: only the seat that the event names sees the field; with `until`, everybody "
            "does where that field is 1. "
            "`others`: every other seat sees it, and no spectator. "
            "`scope=`: the event stands in `state` until that scope ends; "
            "`ends=`: the scope that is over once the event has happened (SPEC U2).",
            "",
            *_reference_messages(EVENTS),
            "## Rows of replies",
            "",
            *_reference_messages(ROWS),
            "## Errors",
            "",
            *_reference_codes(),
            "",
            "## What a server says on its own",
            "",
            "| word | code | meaning |",
            "|---|---|---|",
            *(
                f"| `{what.removesuffix('s').upper()}` | `{code}` | {doc} |"
                for what, declared in TOLD.items()
                for code, doc in declared.items()
            ),
            "",
            "## Capabilities",
            "",
            "| capability | meaning |",
            "|---|---|",
            *(f"| `{name}` | {doc} |" for name, doc in CAPABILITIES.items()),
        ]
    )


def _reference_commands() -> Iterator[str]:
    for group, title in GROUPS.items():
        yield f"### {title}"
        yield ""
        for cls in COMMANDS.values():
            if cls.group == group:
                yield from _reference_command(cls)


def _reference_command(cls: type[Command]) -> Iterator[str]:
    short = f" (people may type `{cls.short}`)" if cls.short else ""
    yield f"**`{usage(cls)}`**{short}: {_one_line(cls.word.doc)} Example: `{cls.example}`"
    yield ""
    yield from _table(cls)


def _reference_properties(cls: type[Command]) -> str:
    traits = ("yes" if each else "" for each in (cls.once, cls.again, cls.asks))
    return f"| `{cls.word.word}` | {cls.cost} | {' | '.join(traits)} |"


def _reference_messages(messages: Mapping[str, type[Message]]) -> Iterator[str]:
    for word, cls in messages.items():
        yield f"**`{word}`**{_stream_and_scopes(cls)}: {_one_line(cls.word.doc)}"
        yield ""
        yield from _table(cls)


def _stream_and_scopes(cls: type[Message]) -> str:
    """The stream of an event, its scope, and the scope that it ends."""
    if not issubclass(cls, Event):
        return ""
    scopes = {"scope": cls.scope, "ends": cls.ends}
    named = (f"{name}={scope}" for name, scope in scopes.items() if scope)
    return f" ({', '.join([cls.stream, *named])})"


def _table(cls: type[Message]) -> Iterator[str]:
    if not cls.word.fields:
        return
    yield "| field | type | | meaning |"
    yield "|---|---|---|---|"
    for field in cls.word.fields:
        marks = ["optional"] if field.optional else []
        marks += [_vis(field.owner)] if field.owner else []
        doc = (field.doc or field.kind.help).replace("|", "\\|")
        yield f"| `{field.key}` | {field.kind.name} | {', '.join(marks)} | {doc} |"
    yield ""


def _vis(owner: Owner | Others) -> str:
    return f"{owner.vis} until `{owner.until}`" if owner.until else owner.vis


def _reference_codes() -> Iterator[str]:
    yield "| code | class | meaning |"
    yield "|---|---|---|"
    for code in CODES.values():
        yield f"| `{code.name}` | {code.kind.word}: {code.kind.value} | {code.doc} |"
    yield ""
    yield "| reason | meaning |"
    yield "|---|---|"
    for reason, doc in REASONS.items():
        yield f"| `{reason}` | {doc} |"


# -------------------------------------------------------------------------- the schemas


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema files by name: commands, events and replies as objects (`caps=json`)."""
    return {
        "events.json": _union("Events of cardline/1", EVENTS, envelope=True),
        "commands.json": _document(
            "Commands of cardline/1", [_command_schema(cls) for cls in COMMANDS.values()]
        ),
        "replies.json": _union("Replies of cardline/1", {**ROWS, **_rows_too()}, envelope=False),
    }


def _rows_too() -> dict[str, type[Event]]:
    """The events that are also rows of a snapshot."""
    return {word: cls for word, cls in EVENTS.items() if cls.scope in ("table", *STANDING)}


def _union(title: str, messages: Mapping[str, type[Message]], *, envelope: bool) -> dict[str, Any]:
    return _document(title, [_schema(word, cls, envelope) for word, cls in messages.items()])


def _document(title: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    schema = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": schema, "title": title, "oneOf": parts}


def _command_schema(cls: type[Command]) -> dict[str, Any]:
    properties: dict[str, Any] = {"verb": {"const": cls.word.word}, "re": {"type": "string"}}
    properties["once"] = {"type": "string"}
    required = ["verb"]
    for field in cls.word.fields:
        key = "text" if field.kind is TEXT else field.key
        properties[key] = {**field.kind.schema, "description": field.doc}
        if not field.optional and field.kind is not OPTIONS:
            required.append(key)
    found = {"type": "object", "properties": properties, "required": required}
    return found if cls.lenient else found | {"additionalProperties": False}


def _schema(word: str, cls: type[Message], envelope: bool) -> dict[str, Any]:
    properties: dict[str, Any] = {"ev": {"const": word}}
    required = ["ev"]
    if not envelope:
        properties["re"] = {"type": "string"}
        required.append("re")
    elif issubclass(cls, Event) and cls.stream != "connection":
        properties |= {"on": {"type": "string"}, "seq": {"type": "integer", "minimum": 1}}
        properties["at"] = {"type": "string"}
        required += ["on", "seq"]
    for field in cls.word.fields:
        if field.kind is TEXT or field.kind in (WORDS, OPTIONS):
            continue
        properties[field.key] = {**field.kind.schema, "description": field.doc}
        if not field.optional:
            required.append(field.key)
    properties["text"] = {"type": "string"}
    return {"type": "object", "properties": properties, "required": required}
