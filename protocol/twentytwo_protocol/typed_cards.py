"""Cards as people type and say them: `q q`, `10`, `queen of hearts`, `joker as king`."""

from __future__ import annotations

import re

from .cards import RANK_NAMES, STANDARD, SUIT_NAMES, Card, Deck, NotACard
from .schema import Refused
from .words.cardplay import Turn

__all__ = [
    "MIDDLE",
    "NAMED",
    "as_typed",
    "exchanges",
    "has_joker",
    "lowest",
    "of_suit",
    "read",
    "says_lowest",
    "spelled",
    "to_throw",
    "which_cards",
    "would_do",
]

_NAMES = {name: rank.replace("T", "10").lower() for rank, name in RANK_NAMES.items()}
_SUITS = "|".join((*SUIT_NAMES.values(), *(name[:-1] for name in SUIT_NAMES.values())))
_SAID = re.compile(rf"\b({'|'.join(_NAMES)})\b(?: of ({_SUITS})\b)?")
_OF = re.compile(rf"\b(10|[2-9tjqka]) of ({_SUITS})\b")
_BETWEEN = re.compile(r"[,+]| and |\b(?:the|my) ")
# Only a joker and the Fool are played as another card. After other cards `as` is the ace of spades.
_AS = re.compile(r"[()]|(?:(?<=\b[xf])|(?<=\bfool)) as ")
_FOOL = re.compile(r"\bfool ?(0|22)?\b")
_SUIT = re.compile(rf"(?:(?:p|play|trump|make) )?(?:a |the |my )?({_SUITS})(?: trumps?)?")
_LOWEST = re.compile(r"(?:(?:p|play|throw) )?(?:my )?\(?low(?:est)?\)?")


def spelled(text: str) -> str:
    """The text in lower case, with cards in words replaced by tokens.

    `Queen of hearts and 8` becomes `qh 8`, `joker as king` becomes `xk`. Other words are unchanged.
    """
    text = _OF.sub(lambda said: said[1] + said[2][0], _BETWEEN.sub(" ", text.lower()))
    text = _SAID.sub(lambda said: _NAMES[said[1]] + (said[2] or "")[:1], text)
    return _FOOL.sub(lambda said: f"f{said[1] or ''}", _AS.sub("", text))


def says_lowest(line: str) -> bool:
    """True if a line names the cards to play as `lowest`."""
    return _LOWEST.fullmatch(line.strip().lower()) is not None


def lowest(line: str, asked: Turn) -> tuple[Card, ...] | None:
    """The lowest cards of the hand, if the line asks for them; None for other answers.

    Raises `Refused` if these cards are not a legal move.
    """
    if not says_lowest(line):
        return None
    if asked.low is None:
        raise Refused("BAD_ARG", "Nothing is marked (lowest) now.", would_do(asked), arg="cards")
    return asked.low


def read(text: str, deck: Deck = STANDARD) -> tuple[Card, ...]:
    """The cards in a text; empty if it contains anything but cards."""
    try:
        return deck.read(spelled(text).split())
    except NotACard:
        return ()


def as_typed(move: str) -> str:
    """The token of a move as a person types it: `Q+Q` as `q q`."""
    return " ".join(part.lower().replace("t", "10") for part in move.split("+"))


NAMED = 3
"""The number of moves that a refusal lists."""


def would_do(asked: Turn) -> str:
    """A sentence with legal answers to a question: `Type 2, 7 or k.`

    If there are many, the sentence names only the first, as an example.
    """
    if asked.choose == "subset":
        return f"Type {', or '.join(exchanges(asked))}."
    moves = [_typed(move) for move in (asked.legal or ())[:NAMED]]
    if not moves:
        return ""
    *most, last = moves
    if (asked.nlegal or 0) > NAMED:
        return f"You may type {', '.join(moves)}, and more."
    return f"Type {', '.join(most)} or {last}." if most else f"Type {last}."


def _typed(move: str) -> str:
    """A move as a person types it. Words such as `pass` are unchanged."""
    return as_typed(move) if "+" in move or move != move.lower() else move


def which_cards(asked: Turn) -> Refused:
    """The refusal of a move without its cards."""
    return Refused("BAD_ARG", "Which cards?", would_do(asked), arg="cards")


def to_throw(asked: Turn) -> tuple[str, ...]:
    """The middle cards of the hand: neither low nor high.

    They are bad last cards and win few tricks. So discarding them is good advice, and so is
    discarding none of them.
    """
    middle = [card[0] for card in asked.cards or () if card[0] in MIDDLE]
    most = len(middle) if asked.max is None else asked.max
    return tuple(sorted(middle, key=STANDARD.position)[max(0, len(middle) - most) :])


MIDDLE = "56789T"
"""The ranks that are neither low nor high, the best to exchange."""


def exchanges(asked: Turn) -> list[str]:
    """Answers to an exchange question, in quotes, a good one first."""
    throw = to_throw(asked)
    if asked.max == 0:
        return ['"keep"']
    good = f'"{asked.act} {as_typed("+".join(throw))}"'
    return [good, '"keep"'] if throw else ['"keep"', f'"{asked.act}" and cards']


def of_suit(line: str, asked: Turn) -> str | None:
    """The meaning of a line that names only a suit, in a game where suits count; None for other
    lines.

    It is the only legal card of the suit, or else the name of the suit.
    """
    named = _SUIT.fullmatch(" ".join(line.lower().split()))
    moves = [move for move in asked.legal or () if move[1:] in SUIT_NAMES]
    if named is None or not moves:
        return None
    suit = named[1][0].upper()
    found = [move for move in moves if move[1:] == suit]
    return found[0] if len(found) == 1 else SUIT_NAMES[suit]


def has_joker(asked: Turn | None) -> bool:
    """True if `x` may mean a joker. Otherwise it is short for `exchange`."""
    return asked is not None and asked.act == "play" and "X" in (asked.hand or ())
