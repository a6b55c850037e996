"""The legal plays: any card that is held, the Fool with what it counts.

The Fool is `F0` or `F22`, said as it is played, whether led or not (W8). In a hand where nobody
sees their own card (W10) the play is `0` or `22`, whatever the card is: what it counts if it is
the Fool. Nothing about these moves depends on the card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from twentytwo_protocol.cards import FOOL, TAROT, Card
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words.cardplay import Play

from ..game import Illegal, Pick
from .states import Playing


def value(card: Card) -> int:
    """What a card counts in a trick, the Fool as it is declared."""
    return TAROT.order[card]


class Plays:
    """What the seat on turn may play, the lowest first."""

    act = "play"
    subset = False
    min = max = 0
    low = None

    def __init__(self, state: Playing) -> None:
        self._state = state
        self._cards = state.hands[state.seat - 1]
        self._values = state.standing.rules.fool_values

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards that the seat holds and sees, ascending."""
        return () if self._state.blind else self._cards

    @property
    def beat(self) -> tuple[Card, ...] | None:
        """The highest card of the trick so far; nobody has to beat it."""
        return (self._state.best,) if self._state.best else None

    @property
    def also(self) -> Mapping[str, Any]:
        """What the seat has bid and won."""
        index = self._state.seat - 1
        return {"bid": self._state.bids[index], "won": self._state.won[index]}

    @cached_property
    def _legal(self) -> tuple[Card, ...]:
        if self._state.blind:
            # W10: the higher is the default
            return self._values[::-1] if self._state.standing.rules.has_fool(1) else ("0",)
        played = [card for card in self._cards if card != FOOL]
        if FOOL in self._cards:
            played += [FOOL + value for value in self._values]
        return TAROT.sort(played)

    @property
    def default(self) -> Play:
        """The lowest card, or the unseen one."""
        return Play(self._legal[:1])

    def __iter__(self) -> Iterator[Play]:
        return (Play((card,)) for card in self._legal)

    def __len__(self) -> int:
        return len(self._legal)

    def __contains__(self, deed: object) -> bool:
        return isinstance(deed, Play) and self.why(deed) is None

    def why(self, deed: Deed) -> Illegal | None:
        """What is against the deed, or None."""
        found = self.judged(deed)
        return found if isinstance(found, Illegal) else None

    def any(self, pick: Pick) -> Play:
        """A play at random, every one possible."""
        return Play((self._legal[pick(len(self._legal))],))

    def judged(self, deed: Deed) -> Card | Illegal:
        """The card as it will lie on the table, or what is against it."""
        if not isinstance(deed, Play):
            return Illegal("", "Now is the time to play.")
        cards = _joined(deed.cards)
        if self._state.blind:
            return self._judged_unseen(cards)
        for card in cards:
            if card not in self._cards and not (card[:1] == FOOL and FOOL in self._cards):
                name = "the Fool" if card[0] == FOOL else card
                hand = " ".join(self._cards)
                return Illegal("", f"You do not hold {name}. Your hand: {hand}.")
        if len(cards) != 1:
            return Illegal("ONE_CARD", f"Play one card, {self._choices()}.")
        (card,) = cards
        if card == FOOL and len(self._values) == 1:
            card += self._values[0]
        if card not in self._legal:
            return Illegal("DECLARE_FOOL", self._declare())
        return card

    def _judged_unseen(self, cards: tuple[Card, ...]) -> Card | Illegal:
        if len(cards) != 1 or cards[0] not in self._legal:
            what = "what it counts if it is the Fool" if len(self._legal) > 1 else "to play it"
            return Illegal(
                "DECLARE_FOOL", f"You do not see your card. Say {self._choices()}: {what}."
            )
        (card,) = self._cards
        return card + cards[0] if card == FOOL else card

    def _declare(self) -> str:
        if len(self._values) == 1:
            return f"By these rules the Fool is always {self._values[0]}: play F{self._values[0]}."
        return "Say what the Fool counts: F0 loses to every card, F22 beats every card."

    def _choices(self) -> str:
        return listed(self._legal).replace(" and ", " or ")


def _joined(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards named; `F 22` is the Fool as 22, as people say it."""
    if len(cards) == 2 and cards[0] == FOOL and cards[1] in ("0", "22"):
        return ("".join(cards),)
    return cards
