"""Cards as people type and say them: `q q`, `10`, `queen of hearts`, `joker as king`."""

from __future__ import annotations

import re

from .cards import RANK_NAMES, STANDARD, SUIT_NAMES, Card, Deck, NotACard
from .schema import Refused
from .words.cardplay import Turn

_NAMES = {name: rank.replace("T", "10").lower() for rank, name in RANK_NAMES.items()}
_SUITS = "|".join((*SUIT_NAMES.values(), *(name[:-1] for name in SUIT_NAMES.values())))
_SAID = re.compile(rf"\b({'|'.join(_NAMES)})\b(?: of ({_SUITS})\b)?")
_OF = re.compile(rf"\b(10|[2-9tjqka]) of ({_SUITS})\b")
_BETWEEN = re.compile(r"[,+]| and ")
_AS = re.compile(r"[()]| as ")
_FOOL = re.compile(r"\b(?:the )?fool ?(0|22)?\b")
_LOWEST = re.compile(r"(?:(?:p|play|throw) )?(?:my )?\(?low(?:est)?\)?")


def spelled(text: str) -> str:
    """A text in lower case in which cards that are said in words are written as they are played.

    `Queen of hearts and 8` is `qh 8`, `joker as king` is `xk`; all other words are as they were.
    """
    text = _OF.sub(lambda said: said[1] + said[2][0], _BETWEEN.sub(" ", text.lower()))
    text = _SAID.sub(lambda said: _NAMES[said[1]] + (said[2] or "")[:1], text)
    return _FOOL.sub(lambda said: f"f{said[1] or ''}", _AS.sub("", text))


def lowest(line: str, asked: Turn) -> tuple[Card, ...] | None:
    """The lowest cards, where a typed answer to a question calls them so; None for other answers.

    Raises `Refused` where they may not be thrown.
    """
    if asked.act != "play" or not _LOWEST.fullmatch(line.strip().lower()):
        return None
    if asked.low is None:
        why = "you must beat it" if asked.beat else "you lead, so there is nothing to be under"
        raise Refused("BAD_ARG", f"Nothing is marked (lowest) now: {why}.", arg="cards")
    return asked.low


def read(text: str, deck: Deck = STANDARD) -> tuple[Card, ...]:
    """The cards that a text names, and nothing but cards; empty if it does not."""
    try:
        return deck.read(spelled(text).split())
    except NotACard:
        return ()
