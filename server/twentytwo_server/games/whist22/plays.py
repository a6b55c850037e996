"""The legal plays: any held card, the Fool with its declared value.

The Fool is declared as `F0` or `F22` when it is played, whether led or not (W8). In a hand in which
nobody sees their own card (W10) the play is `0` or `22`, whatever the card is: it is the declared
value if the card is the Fool. These moves do not depend on the card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from twentytwo_protocol.cards import FOOL, SUIT_NAMES, SUIT_SIGNS, TAROT, Card
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.words.cardplay import Play

from ..chance import RandomBelow
from ..game import Further, Illegal, JudgedMoves, wrong_act
from . import refusals
from .rules import Whist22Rules
from .states import Playing

DECK = replace(
    TAROT,
    pattern=re.compile(rf"{TAROT.pattern.pattern}(?:[{''.join(SUIT_NAMES)}](?![0-9A-Z]))?"),
    aliases={**TAROT.aliases, **{sign: suit for suit, sign in SUIT_SIGNS.items()}},
)
"""The trumps, and trumps with a suit, so that a refusal can explain that trumps have none."""


value = TAROT.order.__getitem__
"""The value of a card in a trick; the Fool as declared."""


@lru_cache(maxsize=64)
def play_of(card: Card) -> Play:
    """The deed that plays a card."""
    return Play((card,))


def _declared(cards: tuple[Card, ...], blind: bool, rules: Whist22Rules) -> tuple[Card, ...]:
    """The legal plays of a hand with the Fool, or of a hand that its owner does not see."""
    if blind:
        # W10: the higher value is the default
        return rules.fool_values[::-1] if rules.has_fool(1) else ("0",)
    return TAROT.sort((*cards[:-1], *(FOOL + value for value in rules.fool_values)))


class Plays(JudgedMoves):
    """The legal plays of the seat on turn, the lowest first."""

    act = "play"
    subset = False
    min = max = 0
    low = None

    __slots__ = ("_cards", "_legal", "_state")

    def __init__(self, state: Playing) -> None:
        self._state = state
        self._cards = state.hands[state.seat - 1]
        if state.blind or self._cards[-1] == FOOL:
            self._legal = _declared(self._cards, state.blind, state.standing.rules)
        else:
            self._legal = self._cards

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards that the seat holds and sees, ascending."""
        return () if self._state.blind else self._cards

    @property
    def beat(self) -> tuple[Card, ...] | None:
        """The highest card of the trick so far; nobody has to beat it."""
        return (self._state.best,) if self._state.best else None

    @property
    def also(self) -> Further:
        """The bid of the seat, and the tricks that it has won."""
        index = self._state.seat - 1
        return {"bid": self._state.bids[index], "won": self._state.won[index]}

    @property
    def default(self) -> Play:
        """The lowest card, or the unseen one."""
        return play_of(self._legal[0])

    def __iter__(self) -> Iterator[Play]:
        return map(play_of, self._legal)

    def __len__(self) -> int:
        return len(self._legal)

    def any(self, pick: RandomBelow) -> Play:
        """A random play; every play is possible."""
        return play_of(self._legal[pick(len(self._legal))])

    def judged(self, deed: Deed) -> Card | Illegal:
        """The card as played, or an `Illegal`."""
        if not isinstance(deed, Play):
            return wrong_act("play")
        cards = deed.cards if len(deed.cards) == 1 and deed.cards[0] else _joined(deed.cards)
        if len(cards) == 1 and cards[0] in self._legal:
            return self._unseen(cards[0]) if self._state.blind else cards[0]
        suited = next((card for card in cards if card[-1:] in SUIT_NAMES), None)
        if suited is not None:
            return refusals.no_suits(suited)
        if self._state.blind:
            return refusals.unseen(self._legal)
        for card in cards:
            if card not in self._cards and not (card[:1] == FOOL and FOOL in self._cards):
                return refusals.not_held(card, self._cards)
        if len(cards) != 1:
            return refusals.one_card(self._legal)
        (card,) = cards
        rules = self._state.standing.rules
        if card == FOOL and len(rules.fool_values) == 1:
            return card + rules.fool_values[0]
        return refusals.declare_fool(rules)

    def _unseen(self, counts: Card) -> Card:
        (card,) = self._cards
        return card + counts if card == FOOL else card


def _joined(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The named cards; `F 22` is read as `F22`, because people type it so."""
    if len(cards) == 2 and cards[0] == FOOL and cards[1] in ("0", "22"):
        return ("".join(cards),)
    return tuple(filter(None, cards))  # a record may have an empty card name
