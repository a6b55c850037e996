"""Lines in everyday words, such as `i play the 2`, `throw 6 10`, `two`, translated into commands.

Other lines are returned unchanged. A line that could have another meaning is not translated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .cards import Deck
from .schema import COMMANDS
from .typed_cards import read
from .words.cardplay import Turn

__all__ = ["PHRASES", "plain"]

PHRASES: Mapping[str, str] = {
    "who am i": "whoami",
    "who is winning": "score",
    "who's winning": "score",
    "whos winning": "score",
    "whose turn is it": "score",
    "whose turn": "score",
    "partner": "state",
    "who is my partner": "state",
    "who's my partner": "state",
    "last trick": "last",
    "hint please": "hint",
    "help me": "help",
    "help please": "help",
    "repeat": "hand",
    "say again": "hand",
    "what now": "hand",
    "new game": "rematch",
    "next game": "rematch",
    "another game": "rematch",
    "play again": "rematch",
}
"""Phrases, each with the command that it asks for."""

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_NUMBERS = {word: str(number) for number, word in enumerate(_SMALL)} | {
    f"twenty{gap}{word}": str(20 + number)
    for number, word in enumerate(_SMALL[1:10], 1)
    for gap in "- "
}
_I = re.compile(
    r"(?:i|i'll|i will|let me) (?=(?:play|lead|throw|discard|exchange|keep|bid|pass)\b)"
)
_WHAT_IF = re.compile(r"what if((?: (?:g?[0-9.]+|last|[a-z]+=[0-9.]+))*)")
_THROW = re.compile(r"(throw|discard|lead|ex)\b *(.*)")
_ALL = re.compile(r"(?:all|everything)(?: (?:of them|cards|my cards))?|my hand")
_NONE = re.compile(r"none|nothing|no cards?")
_KEEP = re.compile(r"keep (?:all|everything|them|it)(?: (?:all|of them|cards|my cards))?")


def plain(line: str, deck: Deck | None, asked: Turn | None) -> str:
    """The line in terms of commands and cards.

    `deck` is the pack of the running game at the person's table, or None. `asked` is the open
    question to the person, or None.
    """
    said = " ".join(line.lower().split())
    phrase = said.rstrip(" ?!.")
    if phrase in PHRASES:
        return PHRASES[phrase]
    if found := _WHAT_IF.fullmatch(phrase):
        return f"whatif{found[1]}"
    if said.endswith("?") and phrase in COMMANDS:
        return phrase
    if deck is None:
        return line
    spoken = _I.sub("", said, count=1)
    answer = _answer(spoken, asked) or _thrown(spoken, deck, asked)
    return answer or (line if spoken == said else spoken)


def _answer(said: str, asked: Turn | None) -> str | None:
    """The answer to the open question in words; None if the line is not such an answer."""
    match asked.act if asked else "":
        case "declare":
            return {"y": "call", "c": "call", "yes": "call", "n": "no"}.get(said)
        case "bid":
            return _NUMBERS.get(said.removeprefix("bid "))
        case "exchange" if _KEEP.fullmatch(said):
            return "keep"
    return None


def _thrown(said: str, deck: Deck, asked: Turn | None) -> str | None:
    """Cards after `throw`, `discard` or `lead`: an exchange if that is asked for, else a play."""
    found = _THROW.fullmatch(said)
    exchanges = asked is not None and asked.act == "exchange"
    if exchanges and asked is not None and (named := re.fullmatch(r"(?:exchange|x) (.*)", said)):
        return _exchanged(named[1], asked)
    if found is None or (found[1] == "ex") > exchanges:
        return None
    if exchanges and asked is not None and found[1] != "lead":
        return _exchanged(found[2], asked) or f"exchange {found[2]}".rstrip()
    if read(found[2], deck) or (asked is not None and asked.act == "play" and not found[2]):
        return f"play {found[2]}".rstrip()
    return None


def _exchanged(cards: str, asked: Turn) -> str | None:
    """The exchange of all cards or of none; None if the cards are named."""
    if _NONE.fullmatch(cards):
        return "keep"
    return f"exchange {' '.join(asked.cards or ())}" if _ALL.fullmatch(cards) else None
