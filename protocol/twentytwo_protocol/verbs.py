"""Finds the verb of a typed line: in full, by a short form, or by its beginning.

A single letter is never the beginning of a verb: a `q` after a game is a queen that was typed too
late.
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

__all__ = [
    "ALIASES",
    "ANOTHER",
    "CHAT",
    "DECLARED",
    "ENDING_VERBS",
    "GO_ON",
    "GREETINGS",
    "LEVELS",
    "NAMES_A_GAME",
    "NAMING",
    "NEAR",
    "NO_COMMANDS",
    "PROGRAMS",
    "QUESTION_WORDS",
    "RULES",
    "SAID",
    "YES_OR_NO",
    "as_written",
    "game_alone",
    "greeted",
    "is_chat",
    "late_cards",
    "meant",
    "no_answer",
    "not_now",
    "takes_cards",
    "unasked",
    "unknown",
    "where_help_is",
    "where_to_look",
    "whole",
    "without_secrets",
]

DECLARED = (words, games)
"""The modules that declare every verb when they are imported."""

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
"""Synonyms of verbs, besides the short forms that the verbs declare."""

CHAT = frozenset(
    (
        *("gg", "gl", "hf", "glhf", "ggwp", "wp", "gj", "nh", "ty", "thx", "thanks", "np", "lol"),
        *("hi", "hey", "hello", "brb", "gn"),
    )
)
"""Common chat words. A line that begins with one is sent to the table as chat."""

GREETINGS = frozenset(("hi", "hey", "hello"))
"""Greetings, which are answered even if nobody else would read them."""

YES_OR_NO = frozenset(("yes", "y", "no", "n"))
"""Answers to a question that is only asked at times."""

ANOTHER = frozenset(("next", "more", "another", "continue", "go on", "ok", "okay"))
"""Words for continuing: another game after a game, the next step in a lesson."""

GO_ON = frozenset(("", "ok", "yes", "next", "start", "ready", "rematch"))
"""Words for continuing, at places with only one way to continue."""

ENDING_VERBS = frozenset(
    (
        *("abort", "resign", "leave", "close", "logout", "remove", "dropbot"),
        *("unregister", "unfriend", "unready", "unseek", "decline"),
    )
)
"""Verbs that end or give up something. A misspelt word is never corrected to one of them."""

NAMING = frozenset(("name", "nick", "rename"))
"""Words before the name that a person wants to have. They look like verbs, but are not commands."""

LEVELS = ("easy", "steady", "hard")
"""The levels of bots, weakest first."""

PROGRAMS = "programs"
"""The group of verbs that only programs need. Help for people omits it."""

NO_COMMANDS: Mapping[str, str] = {
    "stop": "leave gets up from the table, quit keeps your seat for you, unwatch ends a replay.",
    "end": "leave gets up from the table, quit keeps your seat for you.",
    "skip": "Nothing is skipped in a game. A lesson goes to any step: tutorial twentytwo 7, say.",
}
"""Words that people take for commands, and the commands to use instead."""

QUESTION_WORDS = frozenset(("what", "how", "where", "when"))
"""First words of questions in plain language, which ask for help. They are never short forms of
commands.
"""

NEAR = 0.7
"""The similarity above which a word counts as a misspelt verb. `low` and `follow` are just below
it.
"""

_TABLE = re.compile(r"t[0-9]+")
_DAY = re.compile(r"today\b|yesterday\b|[0-9]{4}-")
_LETTERS = frozenset("akqjt")
_INSTEAD: Mapping[str, str] = {"q": " quit leaves.", "j": " join tN sits down."}


def whole(typed: str) -> str | None:
    """The verb, if it is typed in full or by its short form; else None."""
    if typed in COMMANDS:
        return typed
    short = (verb for verb, cls in COMMANDS.items() if cls.short == typed)
    return ALIASES.get(typed) or next(short, None)


def meant(typed: str) -> str | None:
    """The verb that a word means, in full, short, or by its beginning; None if there is none.

    Raises `Refused` if several verbs match, or for an unknown single letter.
    """
    found = whole(typed)
    if found is not None:
        return found
    if typed == "i":
        return None  # the sentence begins with "I"
    cut = [verb for verb in _for_people() if verb.startswith(typed)]
    if len(cut) > 1:
        raise Refused("AMBIGUOUS_VERB", f"{typed} could be {' or '.join(sorted(cut))}.")
    if cut and len(typed) == 1:
        raise Refused("AMBIGUOUS_VERB", f"One letter is not enough; did you mean {cut[0]}?")
    return cut[0] if cut else None


def _for_people() -> list[str]:
    return [verb for verb, cls in COMMANDS.items() if cls.group != PROGRAMS]


SAID = 40
"""The maximum length of a line that the server offers to send as chat."""


def unknown(typed: str, *, asked: bool = False, line: str = "") -> str:
    """The error text for an unknown verb. It suggests a similar verb.

    `asked`: a game waits for this person's answer. `line` is the whole line if the person is at a
    table, where it could be meant as chat.
    """
    if typed.lower() in NO_COMMANDS:
        return NO_COMMANDS[typed.lower()]
    harmless = [verb for verb in _for_people() if verb not in ENDING_VERBS]
    near = difflib.get_close_matches(typed, harmless, n=1, cutoff=NEAR)
    hint = f" Did you mean {near[0]}?" if near else where_to_look(asked)
    words = line if len(line) <= SAID else "before it"
    talk = f" say {words} tells the table." if line and not near else ""
    if typed == "i":  # the beginning of "I would like"
        return f"{where_help_is(asked)}{talk}"
    return f"There is no command {typed}.{hint}{talk}"


def no_answer(line: str, asked: Turn) -> Refused:
    """The refusal of a line that is neither a command nor an answer to the open question."""
    what = "no bid" if asked.act == "bid" else "no answer" if asked.act == "declare" else "no card"
    return Refused("UNKNOWN_VERB", f"{line} is {what} here.", would_do(asked))


def where_to_look(asked: bool) -> str:
    """A sentence that says where to find help."""
    return " hand says what you are asked." if asked else " help lists what there is."


def where_help_is(asked: bool) -> str:
    """The reply to a question in plain language; `asked` as in `unknown`."""
    there = "tutorial teaches you, practice plays at once"
    return f"help play has the rules, {'hand says what you are asked' if asked else there}."


def is_chat(line: str) -> bool:
    """True for chat, even if it looks like a verb: `gg`, `thx bob`."""
    first, *more = line.lower().split() or [""]
    return first.rstrip("!.,") in CHAT and not any(re.search(r"[0-9=]", word) for word in more)


def greeted() -> str:
    """The reply to a greeting by a person without a name."""
    return "Hello! What is your name? Type it alone, such as ann; help explains."


def unasked(line: str, playing: bool, asked: Turn | None, awaited: str = "") -> Refused | None:
    """The refusal of a yes, no or next without a question; None for other lines.

    `playing`: a game runs. `asked` is the open question to the person. `awaited` are the words that
    answer another open request to them; empty if there is none.
    """
    said = line.lower().rstrip(" !.")
    if said not in YES_OR_NO | ANOTHER or (asked and asked.act == "declare" and said in YES_OR_NO):
        return None
    advice = ""
    if awaited:
        why = awaited
    elif asked is not None:
        goes_on = said in ANOTHER
        why = "The game waits for you." if goes_on else "You are not asked for yes or no."
        advice = would_do(asked)
    elif playing:
        why = "It is not your turn."
    else:
        nothing = "" if said in ANOTHER else "You are asked nothing. "
        why = f"{nothing}After a game rematch plays another; practice plays at once."
    return Refused("UNKNOWN_VERB", why, advice)


def game_alone(line: str) -> str | None:
    """The reply to the name of a game, such as `26` or `play whist`, where no game runs; None for
    other lines.

    It also answers `rules` without a game.
    """
    if line.lower() == "rules":
        return RULES
    named = re.fullmatch(r"(?:(?:p|play|start|begin) )?(.+)", " ".join(line.lower().split()))
    key = key_of(named[1]) if named else None
    return f"practice {key} plays it at once, help {key} explains it." if key else None


RULES = "help GAME has the rules of a game, rules GAME all its options; games lists the games."


def not_now(playing: bool, asked: Turn | None) -> Refused:
    """The refusal of a move without its cards at the wrong time, such as `trump` from a person
    who wants to see the trump.

    The syntax of the move would not help. `playing`: a game runs. `asked` is the question that is
    open instead.
    """
    if not playing:
        no_game = "No game runs here: tutorial teaches you, practice plays at once."
        return Refused("NO_GAME", no_game)
    if asked is None:
        return Refused("NOT_YOUR_TURN", "It is not your turn; hand shows what you know.")
    return Refused("WRONG_ACT", "Not now.", would_do(asked))


NAMES_A_GAME = ("game", "topic")
"""The arguments of commands that name a game."""


def takes_cards(deed: type[Deed]) -> bool:
    """True if a move consists of cards."""
    return any(field.attr == "cards" for field in deed.word.fields)


def as_written(kind: type[Command], rest: str) -> str:
    """Typed arguments in canonical form: cards in words as tokens, a game's title as its key."""
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
    """The arguments with the default game inserted before a title.

    Otherwise the first word of the title would be read as a game. If the title comes first, its
    first word may be a misspelt game, so nothing is inserted.
    """
    head, *others = rest.split(maxsplit=1) or [""]
    bare = next((word for word in rest.split() if "=" not in word), None)
    if "=" not in head or not others or bare is None or key_of(bare) is not None:
        return rest
    named = any(word.lower().startswith("game=") for word in rest.split())
    return rest if named else f"game={DEFAULT_GAME} {rest}"


def late_cards(line: str, deck: Deck | None = None) -> str | None:
    """The error text for cards at the wrong time; None for other lines.

    `deck` is the pack of the running game, or None. Cards of this pack are left to the game.
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
    """The line without passwords and tokens, to be kept in a history. The verb may be abbreviated
    or misspelt.
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
