"""The legal moves during the tricks: calls for the trump, and plays.

A play is checked in this order: is the card held, is it a single card, does a rule forbid it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from twentytwo_protocol.cards import Card
from twentytwo_protocol.games.twentyeight import Call, No
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.words.cardplay import Play

from ..chance import RandomBelow
from ..game import Further, Illegal, JudgedMoves, wrong_act
from . import refusals
from .naming import card_meant
from .ranking import ascending, best, suit_of
from .states import Playing, side_of


def must_call(state: Playing) -> bool:
    """True if the seat on turn cannot follow suit while the trump is hidden.

    Then the seat calls, or is asked if calling is optional. A bidder with only the face-down card
    shows it by playing it (E26).
    """
    if not state.down or not state.plays:
        return False
    # E21: the face-down card does not count as held
    held = state.held
    return bool(held) and state.plays[0][1] not in [card[1] for card in held]


def fault(state: Playing, card: Card) -> str:
    """The reason why the seat on turn may not play a card of its hand; empty if it may."""
    suits = {suit_of(each) for each in state.held}
    if card == state.down:
        # denexa: it may not be used in a trick; it is shown and played to the eighth
        return "TRUMP_CARD_DOWN" if suits else ""
    if not state.plays:
        # denexa: the player who selected the trump may not lead it unless there is no other option
        leads_trump = state.down in state.hand and suit_of(card) == state.trump
        return "TRUMP_LEAD" if leads_trump and suits != {state.trump} else ""
    if suit_of(card) == state.led:
        return ""
    if state.led in suits:
        return "FOLLOW_SUIT"
    if _must_trump(state) and state.trump in suits and suit_of(card) != state.trump:
        return "MUST_TRUMP"
    return ""


def _must_trump(state: Playing) -> bool:
    """True if the seat on turn must trump when it cannot follow."""
    if state.down:
        return False
    # denexa: once it is shown everybody must; pagat: only the caller must, in that trick
    return state.standing.rules.must_trump == "always" or state.caller == state.seat


def legal_cards(state: Playing) -> list[Card]:
    """The cards that the seat on turn may play, the lowest first: those without a `fault`."""
    return ascending(playable(state), state.standing.rules.order)


def playable(state: Playing) -> Sequence[Card]:
    """The cards that the seat on turn may play, in the order of its hand."""
    held = state.held or state.hand
    if not state.plays:
        hides = state.down and state.down in state.hand
        return [card for card in held if card[1] != state.trump] or held if hides else held
    led = state.plays[0][1]
    same = [card for card in held if card[1] == led]
    if same or not _must_trump(state):
        return same or held
    return [card for card in held if card[1] == state.trump] or held


def judged_play(state: Playing, deed: Deed) -> Card | Illegal:
    """The card that the deed plays, or an `Illegal`."""
    if not isinstance(deed, Play):
        return wrong_act("play a card")
    words = deed.cards
    hand, plays, down = state.hand, state.plays, state.down
    if len(words) == 1 and words[0] in hand:
        one = words[0]
        # Fast path: most plays follow suit, or are leads by a hand without a face-down card.
        follows = plays and one[1] == plays[0][1] and one != down
        if follows or not (plays or down in hand) or one in playable(state):
            return one
    legal = legal_cards(state)
    card = card_meant(words, state.hand, legal, "play")
    if isinstance(card, Illegal) or card in legal:
        return card
    return refusals.play(fault(state, card), state, card, legal)


class _Asking(JudgedMoves):
    """The common part of all questions of a trick."""

    __slots__ = ("_state",)
    low = None

    def __init__(self, state: Playing) -> None:
        self._state = state

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the seat on turn, including the face-down card."""
        return self._state.hand

    @property
    def beat(self) -> tuple[Card, ...] | None:
        """The best card so far; None for a lead."""
        return (self._state.plays[best_so_far(self._state)],) if self._state.plays else None

    @property
    def also(self) -> Further:
        """The holder of the best card; the trump, if known; the points of the side."""
        state = self._state
        ours = side_of(state.seat)
        return {
            "holder": player(state, best_so_far(state)) if state.plays else None,
            "trump": None if state.down else state.trump,
            "down": state.down if state.down in state.hand else None,
            "bid": state.bid if ours == side_of(state.bidder) else None,
            "won": state.won[ours],
        }


@lru_cache(maxsize=64)
def play_of(card: Card) -> Play:
    """The deed that plays a card."""
    return Play((card,))


class Plays(_Asking):
    """The legal plays of the seat on turn."""

    __slots__ = ("legal",)
    act = "play"

    def __init__(self, state: Playing) -> None:
        self._state = state
        self.legal = legal_cards(state)
        """The legal cards, the lowest first."""

    @property
    def default(self) -> Play:
        """The lowest card."""
        return next(iter(self))

    def __iter__(self) -> Iterator[Play]:
        return map(play_of, self.legal)

    def __len__(self) -> int:
        return len(self.legal)

    def judged(self, deed: Deed) -> Card | Illegal:
        """The card that the deed plays, or an `Illegal`."""
        return judged_play(self._state, deed)

    def any(self, pick: RandomBelow) -> Play:
        """A random legal play."""
        return play_of(self.legal[pick(len(self.legal))])


class Calls(_Asking):
    """The choice whether to call for the trump."""

    __slots__ = ()
    act = "declare"

    @property
    def default(self) -> Deed:
        """Not to call."""
        return No()

    def __iter__(self) -> Iterator[Deed]:
        yield No()
        yield Call()

    def __len__(self) -> int:
        return 2

    def judged(self, deed: Deed) -> Illegal | None:
        """The reason why a move is illegal, or None."""
        return None if isinstance(deed, Call | No) else wrong_act("call for the trump, or say no")

    def any(self, pick: RandomBelow) -> Deed:
        """A random choice."""
        return Call() if pick(2) else No()


def best_so_far(state: Playing) -> int:
    """The index of the best play of the trick; 0 is the lead."""
    rules = state.standing.rules
    return best(
        state.plays, state.trump, state.shown_after, rules.order, rules.early_trump == "yes"
    )


def player(state: Playing, play: int) -> int:
    """The seat that made a play of the trick; 0 is the lead."""
    return (state.leader + play - 1) % 4 + 1
