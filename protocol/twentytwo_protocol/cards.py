"""Cards and packs: how a card is written, read and ordered.

A card is a short string, the token that travels on the wire: `QH`, `TS`, `X` (a joker),
`XK` (a joker played as a king). Where only ranks matter a rank alone (`Q`) stands for any
card of that rank. A `Deck` is the alphabet of one kind of pack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .value import Value

Card = str
"""A card token, as on the wire."""

RANKS = "23456789TJQKA"
"""Standard ranks, low to high."""
SUITS = "CDHS"
"""Standard suits, in the order that packs are listed in."""
JOKER = "X"

RANK_ORDER: Mapping[str, int] = {r: i for i, r in enumerate(RANKS + JOKER)}
"""Position of a rank, `2` is 0, `A` is 12, a joker 13: it outranks the ace as a last card."""

_LOW = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_NAMES: Mapping[str, str] = dict(
    zip(RANKS + JOKER, (*_LOW, "jack", "queen", "king", "ace", "joker"), strict=True)
)
SUIT_NAMES: Mapping[str, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_SIGNS: Mapping[str, str] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class NotACard(ValueError):
    """A word that names no card of the deck; `word` is what was written."""

    def __init__(self, word: str) -> None:
        super().__init__(f"{word!r} is not a card")
        self.word = word


class Deck(Value):
    """The alphabet of one kind of pack: how a written word becomes a card.

    `pattern` matches one card at the start of an upper-case word; `aliases` are spellings
    read as another (`10` as `T`). `cards` has each card once, by itself: a server that plays a
    thousand games keeps no other texts of them.
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
            if card is not None:  # as programs write it
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
        """A sort key: by rank, then by suit; a joker after everything."""
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
"""52 cards a pack, jokers `X`."""


FOOL = "F"

TAROT = Deck(
    "tarot",
    re.compile(r"(?:F[0-9]{0,2}|2[0-2]|1[0-9]|[0-9])(?![0-9])"),
    {str(n): n for n in range(23)} | {"F0": 0, "F22": 22, FOOL: 23},
    {"FOOL": FOOL},
    _each([*map(str, range(23)), FOOL, "F0", "F22"]),
)
"""The trumps `1` to `21` and the Fool, `F` in the hand, `F0` or `F22` as played.

`0` and `22` are no cards: they play a card that its owner does not see, and say what it counts
if it is the Fool.
"""


def trumps22() -> tuple[Card, ...]:
    """The trumps of a tarot pack in canonical order: 1..21, F."""
    return (*map(str, range(1, 22)), FOOL)


PIQUET_RANKS = "789TJQKA"
"""The ranks of the short pack, low to high as they are listed; each game ranks them its own way."""


def pack32() -> tuple[Card, ...]:
    """The short pack in canonical order: 7C..AC 7D..AD 7H..AH 7S..AS."""
    return tuple(rank + suit for suit in SUITS for rank in PIQUET_RANKS)


PIQUET = Deck(
    "piquet",
    re.compile("[789TJQKA][CDHS]?"),
    {word: place for place, word in enumerate((*PIQUET_RANKS, *pack32()))},
    STANDARD.aliases,
    _each([*PIQUET_RANKS, *pack32()]),
)
"""32 cards, seven to ace. Hands are written suit by suit."""


def pack(packs: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """So many standard packs and jokers in canonical order: 2C..AC 2D..AD 2H..AH 2S..AS, X.

    fd1 fixes this order (docs/rules, the fair shuffle): a shuffle is checked against it.
    """
    one = tuple(rank + suit for suit in SUITS for rank in RANKS)
    return one * packs + (JOKER,) * jokers


def rank_of(card: Card) -> str:
    """What a card is where suits do not matter: its rank, or itself where it has no suit."""
    return card[0] if len(card) == 2 and card[1] in SUITS else card


def as_held(moves: Iterable[str], hand: Sequence[Card]) -> list[str]:
    """Moves in the order of the hand, where each is a card of it; any others as they are."""
    found = [*moves]
    return sorted(found, key=hand.index) if all(move in hand for move in found) else found
