"""What a game offers to be searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Turn

from .chance import RandomBelow

K = TypeVar("K")
S = TypeVar("S")
R_contra = TypeVar("R_contra", contravariant=True)

Ends = tuple[Sequence[float], Sequence[float]]
"""How a hand ends, by seat: its worth, 0 to 1, and the chance that the seat loses the stake."""


class Search(Protocol[K, S, R_contra]):
    """A game to be searched: K is what a seat knows, S a state, R the rules."""

    @property
    def version(self) -> int:
        """Rises whenever the search of this game plays otherwise than before."""

    @property
    def stake(self) -> str:
        """What a seat may lose in a hand, as a hint says it to them: `you lose the hand`."""

    def known(self, rules: R_contra, seat: int, seen: Sequence[Event]) -> K:
        """All that matters of what the seat has been shown since the game began."""

    def imagine(self, known: K, turn: Turn, pick: RandomBelow) -> S:
        """A state that fits what is known, the seat on turn.

        Hidden cards are dealt at random among the places where they may be.
        """

    def candidates(self, state: S) -> Sequence[Deed]:
        """The moves worth a look for the seat on turn, at least one; cheap ones first."""

    def playout(self, state: S, happened: Sequence[Event], pick: RandomBelow) -> Ends:
        """How a hand ends when it is played on by a quick policy.

        `happened` is what the move led to that is examined: it may have ended the hand.
        """

    def fact(self, turn: Turn) -> str:
        """What a hint says of a turn in place of figures, where they would mislead; else empty."""
