"""Cards and packs: how a card is written, read and sorted.

A card is a short string, the token that travels on the wire: `QH`, `TS`, `X` (a joker), `XK` (a
joker played as a king). A rank alone (`Q`) stands for any card of that rank, where suits do not
matter. A `Deck` reads and sorts the cards of one kind of pack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .value import Value

__all__ = [
    "FOOL",
    "JOKER",
    "PIQUET",
    "PIQUET_RANKS",
    "RANKS",
    "RANK_NAMES",
    "RANK_ORDER",
    "STANDARD",
    "SUITS",
    "SUIT_NAMES",
    "SUIT_SIGNS",
    "TAROT",
    "Card",
    "Deck",
    "NotACard",
    "as_held",
    "pack",
    "pack32",
    "rank_of",
    "trumps22",
]

Card = str
"""A card token, as it is written on the wire."""

RANKS = "23456789TJQKA"
"""Standard ranks, low to high."""
SUITS = "CDHS"
"""The standard suits, in the order of an unshuffled pack."""
JOKER = "X"

RANK_ORDER: Mapping[str, int] = {r: i for i, r in enumerate(RANKS + JOKER)}
"""The position of each rank: 0 for `2`, 12 for `A`, 13 for a joker. As a last card a joker outranks
an ace.
"""

_LOW = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_NAMES: Mapping[str, str] = dict(
    zip(RANKS + JOKER, (*_LOW, "jack", "queen", "king", "ace", "joker"), strict=True)
)
SUIT_NAMES: Mapping[str, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_SIGNS: Mapping[str, str] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class NotACard(ValueError):
    """A word that is not a card of the deck; `word` is the word as written."""

    def __init__(self, word: str) -> None:
        super().__init__(f"{word!r} is not a card")
        self.word = word


class Deck(Value, eq=False):
    """The cards of one kind of pack, and how they are written.

    `pattern` matches one card at the start of an upper-case word. `aliases` maps other spellings to
    tokens (`10` to `T`). `cards` maps each token to itself, so that all games of a server share one
    string for each card.
    """

    name: str
    pattern: re.Pattern[str]
    order: Mapping[str, int]
    aliases: Mapping[str, str]
    cards: Mapping[Card, Card]

    def read(self, words: Iterable[str]) -> tuple[Card, ...]:
        """The cards that the words name, in the order written.

        A word may hold one card (`qh`, `10`) or several run together (`qq7`).
        Raises `NotACard` with the offending word.
        """
        found: list[Card] = []
        for word in words:
            card = self.cards.get(word)
            if card is not None:  # the form that programs send
                found.append(card)
                continue
            rest = self._folded(word)
            while rest:
                match = self.pattern.match(rest)
                if match is None:
                    raise NotACard(word)
                found.append(self.cards.get(match[0], match[0]))
                rest = rest[match.end() :]
        return tuple(found)

    def sort(self, cards: Iterable[Card], *, high_first: bool = False) -> tuple[Card, ...]:
        """The cards in the order in which hands and plays are written."""
        return tuple(sorted(cards, key=self.position, reverse=high_first))

    def position(self, card: Card) -> tuple[int, str]:
        """The sort key of a card: its rank, then its suit. Jokers come last."""
        return self.order[card if card in self.order else card[0]], card[1:]

    def _folded(self, word: str) -> str:
        text = word.upper()
        for written, meant in self.aliases.items():
            text = text.replace(written, meant)
        return text


def _each(cards: Iterable[Card]) -> Mapping[Card, Card]:
    return {card: card for card in cards}


STANDARD = Deck(
    "standard",
    re.compile(r"X[2-9TJQKA]?|[2-9TJQKA][CDHS]?"),
    RANK_ORDER,
    {"JOKER": "X", "10": "T", **{sign: suit for suit, sign in SUIT_SIGNS.items()}},
    _each([*RANKS, *(r + s for r in RANKS for s in SUITS), JOKER, *(JOKER + r for r in RANKS)]),
)
"""The standard pack of 52 cards; `X` is a joker."""


FOOL = "F"

TAROT = Deck(
    "tarot",
    re.compile(r"(?:F[0-9]{0,2}|2[0-2]|1[0-9]|[0-9])(?![0-9])"),
    {str(n): n for n in range(23)} | {"F0": 0, "F22": 22, FOOL: 23},
    {"FOOL": FOOL},
    _each([*map(str, range(23)), FOOL, "F0", "F22"]),
)
"""The trumps of a tarot pack, `1` to `21`, and the Fool. The Fool is `F` in a hand, and `F0` or
`F22` once played.

The tokens `0` and `22` are not cards. They play a card that its owner cannot see, and tell whether
the Fool would count as 0 or 22.
"""


def trumps22() -> tuple[Card, ...]:
    """The trumps of a tarot pack in canonical order: 1 to 21, then F."""
    return (*map(str, range(1, 22)), FOOL)


PIQUET_RANKS = "789TJQKA"
"""The ranks of a piquet pack, in the order of an unshuffled pack. Each game has its own ranking."""


def pack32() -> tuple[Card, ...]:
    """The piquet pack in canonical order: 7C..AC 7D..AD 7H..AH 7S..AS."""
    return tuple(rank + suit for suit in SUITS for rank in PIQUET_RANKS)


PIQUET = Deck(
    "piquet",
    re.compile("[789TJQKA][CDHS]?"),
    {word: index for index, word in enumerate((*PIQUET_RANKS, *pack32()))},
    STANDARD.aliases,
    _each([*PIQUET_RANKS, *pack32()]),
)
"""A piquet pack: 32 cards, from seven to ace. Hands are sorted by suit."""


def pack(packs: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """The cards of this many standard packs and jokers, in canonical order: 2C..AC 2D..AD 2H..AH
    2S..AS, X.

    The fair shuffle fd1 defines this order (SPEC.md). The check of a shuffle depends on it.
    """
    one = tuple(rank + suit for suit in SUITS for rank in RANKS)
    return one * packs + (JOKER,) * jokers


def rank_of(card: Card) -> str:
    """The rank of a card; the card itself if it has no suit."""
    return card[0] if len(card) == 2 and card[1] in SUITS else card


def as_held(moves: Iterable[str], hand: Sequence[Card]) -> list[str]:
    """The moves in the order of the hand, if each is a single card of the hand; otherwise
    unchanged.
    """
    found = [*moves]
    return sorted(found, key=hand.index) if all(move in hand for move in found) else found
