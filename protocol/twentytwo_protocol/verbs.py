"""Finds the verb that a person means by the first word of a line: in full, short, or cut off.

A single letter is never taken as a verb cut off: `q` after a game is a queen that came too late.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from . import games, words
from .cards import RANK_NAMES, Card, Deck
from .objects import is_object, split_object
from .schema import COMMANDS, TOKEN, Command, Deed, Malformed, Refused
from .typed_cards import read, spelled, would_do
from .vocabulary import DEFAULT_GAME, key_of, with_key_of_game
from .words.cardplay import Turn
from .words.daily import Results
from .words.looking import Why
from .words.seating import Practice

DECLARED = (words, games)
"""Importing these declares every verb; nothing else is asked of them."""

ALIASES: Mapping[str, str] = {
    "cards": "hand",
    "scores": "score",
    "exit": "quit",
    "bye": "quit",
    "options": "rules",
    "sit": "join",
    "chat": "say",
    "msg": "tell",
    "discard": "exchange",
    "begin": "start",
    "deal": "start",
    "about": "info",
}
"""What else people may type for a verb, besides the short forms that verbs declare."""

CHAT = frozenset(
    (
        *("gg", "gl", "hf", "glhf", "ggwp", "wp", "gj", "nh", "ty", "thx", "thanks", "np", "lol"),
        *("hi", "hey", "hello", "brb", "gn"),
    )
)
"""What everybody types at any table in the world: it is said there, as is what follows it."""

GREETINGS = frozenset(("hi", "hey", "hello"))
"""Words with which people say hello, also where nobody hears it."""

YES_OR_NO = frozenset(("yes", "y", "no", "n"))
"""Answers to a question that is only sometimes asked."""

ANOTHER = frozenset(("next", "more", "another", "continue", "go on", "ok", "okay"))
"""What people type to go on: after a game to play another, in a lesson as if it were read only."""

GO_ON = frozenset(("", "ok", "yes", "next", "start", "ready", "rematch"))
"""What people type to go on, where only one thing comes next."""

ENDINGS = frozenset(
    (
        *("abort", "resign", "leave", "close", "logout", "remove", "dropbot"),
        *("unregister", "unfriend", "unready", "unseek", "decline"),
    )
)
"""Verbs that end or give up something: nobody who misspelt another is led to them."""

NAMING = frozenset(("name", "nick", "rename"))
"""Words before a name that somebody would like to have."""

LEVELS = ("easy", "steady", "hard")
"""How well bots play, from the weakest."""

PROGRAMS = "programs"
"""The group of the verbs that only programs need; people are not offered them."""

NO_COMMANDS: Mapping[str, str] = {
    "stop": "leave gets up from the table, quit keeps your seat for you, unwatch ends a replay.",
    "end": "leave gets up from the table, quit keeps your seat for you.",
    "skip": "Nothing is skipped in a game. A lesson goes to any step: tutorial twentytwo 7, say.",
}
"""Words that people expect to be commands, and what is there instead."""

QUESTIONS = frozenset(("what", "how", "where", "when"))
"""How a sentence begins by which somebody asks for help: no short forms of commands."""

NEAR = 0.7
"""How alike a word and the verb that may have been meant are; `low` is not far from `follow`."""

_TABLE = re.compile(r"t[0-9]+")
_DAY = re.compile(r"today\b|yesterday\b|[0-9]{4}-")
_LETTERS = frozenset("akqjt")
_INSTEAD: Mapping[str, str] = {"q": " quit leaves.", "j": " join tN sits down."}


def whole(typed: str) -> str | None:
    """The verb that is typed in full, or by a short form of its own; None if it is none."""
    if typed in COMMANDS:
        return typed
    short = (verb for verb, cls in COMMANDS.items() if cls.short == typed)
    return ALIASES.get(typed) or next(short, None)


def meant(typed: str) -> str | None:
    """The verb that a person means, also by its beginning; None if there is none.

    Raises `Refused` where several begin so, or where it is only a letter.
    """
    found = whole(typed)
    if found is not None:
        return found
    if typed == "i":
        return None  # somebody speaks of themselves
    cut = [verb for verb in _for_people() if verb.startswith(typed)]
    if len(cut) > 1:
        raise Refused("AMBIGUOUS_VERB", f"{typed} could be {' or '.join(sorted(cut))}.")
    if cut and len(typed) == 1:
        raise Refused("AMBIGUOUS_VERB", f"One letter is too little; did you mean {cut[0]}?")
    return cut[0] if cut else None


def _for_people() -> list[str]:
    return [verb for verb, cls in COMMANDS.items() if cls.group != PROGRAMS]


SAID = 40
"""A line up to so many characters is offered to be said."""


def unknown(typed: str, *, asked: bool = False, line: str = "") -> str:
    """The refusal of a word that is no verb, naming a verb that is similar.

    `asked`: a game waits for the answer of the person who typed it. `line` is all that they typed,
    if they are at a table, where others may hear it.
    """
    if typed.lower() in NO_COMMANDS:
        return NO_COMMANDS[typed.lower()]
    harmless = [verb for verb in _for_people() if verb not in ENDINGS]
    near = difflib.get_close_matches(typed, harmless, n=1, cutoff=NEAR)
    hint = f" Did you mean {near[0]}?" if near else where_to_look(asked)
    words = line if len(line) <= SAID else "before it"
    talk = f" say {words} tells the table." if line and not near else ""
    if typed == "i":  # somebody says what they would like
        return f"{where_help_is(asked)}{talk}"
    return f"There is no command {typed}.{hint}{talk}"


def no_answer(line: str, asked: Turn) -> str:
    """The refusal of a line that is neither a command nor an answer to an open question."""
    what = "no bid" if asked.act == "bid" else "no answer" if asked.act == "declare" else "no card"
    return f"{line} is {what} here. {would_do(asked)}"


def where_to_look(asked: bool) -> str:
    """The sentence that tells a person where to find help."""
    return " hand says what you are asked." if asked else " help lists what there is."


def where_help_is(asked: bool) -> str:
    """The answer to who asks for help in a sentence; `asked` as in `unknown`."""
    there = "tutorial teaches you, practice plays at once"
    return f"help play has the rules, {'hand says what you are asked' if asked else there}."


def is_chat(line: str) -> bool:
    """True for what is meant for others, whatever verb it may look like: `gg`, `thx bob`."""
    first, *more = line.lower().split() or [""]
    return first.rstrip("!.,") in CHAT and not any(re.search(r"[0-9=]", word) for word in more)


def greeted() -> str:
    """The answer to who says hello before they have a name."""
    return "Hello! What is your name? Type it alone, such as ann; help explains."


def unasked(line: str, playing: bool, asked: Turn | None, awaited: str = "") -> str | None:
    """The refusal of a yes, a no or a next that nobody has asked for; None for any other line.

    `playing`: a game runs; `asked` is the open question if it is theirs. `awaited` says how else
    they answer what they, or all at the table, have just been asked; empty if nothing.
    """
    said = line.lower().rstrip(" !.")
    if said not in YES_OR_NO | ANOTHER or (asked and asked.act == "declare" and said in YES_OR_NO):
        return None
    if awaited:
        return awaited
    if asked is not None:
        nothing = "The game waits for you" if said in ANOTHER else "You are not asked for yes or no"
        return f"{nothing}. {would_do(asked)}"
    if playing:
        return "It is not your turn."
    nothing = "" if said in ANOTHER else "You are asked nothing. "
    return f"{nothing}After a game rematch plays another; practice plays at once."


def game_alone(line: str) -> str | None:
    """The answer to who names a game, `26` or `play whist`, where none runs; None if it is none.

    So it is for `rules` alone, which mean those of no game there.
    """
    if line.lower() == "rules":
        return RULES
    named = re.fullmatch(r"(?:(?:p|play|start|begin) )?(.+)", " ".join(line.lower().split()))
    key = key_of(named[1]) if named else None
    return f"practice {key} plays it at once, help {key} explains it." if key else None


RULES = "help GAME has the rules of a game, rules GAME all its options; games lists the games."


def not_now(playing: bool, asked: Turn | None) -> str:
    """The refusal of a move without its cards that is not asked for, as `trump` to see the trump.

    How it is written helps nobody then. `playing`: a game runs; `asked`: what is asked instead.
    """
    if not playing:
        return "No game runs here: tutorial teaches you, practice plays at once."
    if asked is None:
        return "It is not your turn; hand shows what you know."
    return f"Not now. {would_do(asked)}".rstrip()


NAMES_A_GAME = ("game", "topic")
"""The first argument of the commands that take a game by its name."""


def takes_cards(deed: type[Deed]) -> bool:
    """True if a move is made of cards."""
    return any(field.attr == "cards" for field in deed.word.fields)


def as_written(kind: type[Command], rest: str) -> str:
    """Typed arguments as they are written: cards that were said in words, a game by its key."""
    if kind is Why and rest.strip().lower() == "keep":
        return "-"
    if kind is Why or (issubclass(kind, Deed) and takes_cards(kind)):
        return spelled(rest)
    if kind is Results and _DAY.match(rest.lower()):
        rest = f"{DEFAULT_GAME} {rest}"
    if kind is Practice:
        rest = " ".join(f"level={w}" if w.lower() in LEVELS else w for w in rest.split())
    first = next(iter(kind.word.fields), None)
    if first is not None and first.kind is TOKEN and first.attr in NAMES_A_GAME:
        return with_key_of_game(rest if kind.word.text is None else _before_title(rest))
    return rest


def _before_title(rest: str) -> str:
    """Arguments in which a title follows options, with the usual game named in front.

    Else its first word would be taken for the game. Where nothing stands before it, it may be a
    game that was misspelt.
    """
    head, *others = rest.split(maxsplit=1) or [""]
    bare = next((word for word in rest.split() if "=" not in word), None)
    if "=" not in head or not others or bare is None or key_of(bare) is not None:
        return rest
    named = any(word.lower().startswith("game=") for word in rest.split())
    return rest if named else f"game={DEFAULT_GAME} {rest}"


def late_cards(line: str, deck: Deck | None = None) -> str | None:
    """The refusal of cards that are not asked for; None for any other line.

    `deck` is that of the game that runs at the table, None without one: its own cards are asked
    for, or refused, by the game.
    """
    typed = line.lower().split()
    cards = read(line)
    if not cards or (typed[0] not in _LETTERS and whole(typed[0])):
        return None
    if deck is not None and (typed[0][0] not in _LETTERS or read(line, deck)):
        return None
    if _TABLE.fullmatch(typed[-1]):
        table, joins = typed[-1], typed[0] == "j"
        return None if joins else f"join {table} sits down there, watch {table} looks on."
    none = "no card is asked for now" if deck is None else "this game has no such card"
    return f"{_named(line.strip(), cards)}, and {none}.{_INSTEAD.get(line.strip().lower(), '')}"


def _named(typed: str, cards: tuple[Card, ...]) -> str:
    """The cards as the subject of a sentence: `q is a queen`."""
    if len(cards) > 1:
        return f"{typed} are cards"
    name = RANK_NAMES[cards[0]] if typed.lower() in _LETTERS else "card"
    return f"{typed} is {'an' if name[0] == 'a' else 'a'} {name}"


def without_secrets(line: str) -> str:
    """The line as it may be kept: without passwords and tokens, also where a verb is cut or
    misspelt.
    """
    if is_object(line):
        try:
            named = split_object(line).verb
        except Malformed:
            return "{ ..."
        return f'{{"verb":"{named}", ...' if _is_secret(named) else line
    words = line.split(maxsplit=2)
    head = words[:2] if line.lstrip().startswith("@") else words[:1]
    verb = head[-1].lower() if head else ""
    return f"{' '.join(head)} ..." if len(words) > len(head) and _is_secret(verb) else line


def _is_secret(verb: str) -> bool:
    found = whole(verb)
    if found is not None:
        return COMMANDS[found].secret
    near = difflib.get_close_matches(verb, COMMANDS, n=1)
    return any(
        cls.secret and (name.startswith(verb) or name in near) for name, cls in COMMANDS.items()
    )
