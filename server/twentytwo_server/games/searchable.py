"""The interface that a game offers to the hard bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Turn

from .chance import RandomBelow

K = TypeVar("K")
S = TypeVar("S")
R_contra = TypeVar("R_contra", contravariant=True)


class Ends(NamedTuple):
    """How a hand ends, by seat; all figures are from 0 to 1.

    `worth` is what the hard bot plays for, `lost` the chance to have lost the stake, `win` that to
    win the game: the same as `worth`, or not.
    """

    worth: Sequence[float]
    lost: Sequence[float]
    win: Sequence[float]


class Stake(NamedTuple):
    """What may be lost in a hand: said to whoever loses it, and as words that may follow `to`."""

    said: str
    lose: str


class Search(Protocol[K, S, R_contra]):
    """A game that can be searched. K is what a seat knows, S a state, R the rules."""

    @property
    def version(self) -> int:
        """Raise it whenever the search of this game plays differently."""

    @property
    def stake(self) -> Stake:
        """What a seat may lose in a hand."""

    def known(
        self, rules: R_contra, seat: int, seen: Sequence[Event], *, figures: bool = False
    ) -> K:
        """What a seat knows, from the events it was shown since the game began.

        `figures`: chances are told of it, for which other worlds may be likelier than for a choice.
        """

    def imagine(self, known: K, turn: Turn, pick: RandomBelow) -> S:
        """A possible state that fits what is known, with the seat on turn.

        Hidden cards are dealt at random among the places where they may be.
        """

    def candidates(self, state: S) -> Sequence[Deed]:
        """The moves worth trying for the seat on turn, at least one; cheap ones first."""

    def playout(self, state: S, happened: Sequence[Event], pick: RandomBelow) -> Ends:
        """How a hand ends if it is played on by a quick policy.

        `happened` are the events of the move under examination, which may have ended the hand.
        """

    def reason(self, known: K, turn: Turn, token: str) -> str:
        """Why a move may be good: a clause that is true of what the seat sees, or empty.

        It claims nothing that the figures beside it would have to prove.
        """

    def risks_alike(self, turn: Turn) -> bool:
        """Whether every move of the turn stakes the same, so that their losses can be compared.

        Where not, a hint compares the chances to win the game.
        """

    def fact(self, turn: Turn) -> str:
        """What a hint says of a turn if figures would mislead; empty if they would not."""
