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
    """The end of a hand, by seat; all figures are from 0 to 1.

    `worth` is the value that the hard bot maximises, `lost` the chance to have lost the stake,
    `win` the chance to win the game, which may equal `worth`.
    """

    worth: Sequence[float]
    lost: Sequence[float]
    win: Sequence[float]


class Stake(NamedTuple):
    """The possible loss in a hand: as a sentence for the loser, and as words to follow `to`."""

    said: str
    lose: str


class Search(Protocol[K, S, R_contra]):
    """A searchable game. K is a seat's knowledge, S a state, R the rules."""

    @property
    def version(self) -> int:
        """Raise it whenever the search of this game plays differently."""

    @property
    def stake(self) -> Stake:
        """The possible loss of a seat in a hand."""

    def known(
        self, rules: R_contra, seat: int, seen: Sequence[Event], *, figures: bool = False
    ) -> K:
        """The knowledge of a seat, from the events shown to it since the game began.

        `figures`: the result is for figures in a text. The likelihoods of worlds may then differ
        from those for choosing a move.
        """

    def imagine(self, known: K, turn: Turn, pick: RandomBelow) -> S:
        """A possible state that fits what is known, with the seat on turn.

        Hidden cards are dealt at random among their possible holders.
        """

    def candidates(self, state: S) -> Sequence[Deed]:
        """The candidate moves for the seat on turn, at least one; cheap ones first."""

    def playout(self, state: S, happened: Sequence[Event], pick: RandomBelow) -> Ends:
        """The end of a hand that a quick policy plays on.

        `happened` are the events of the move under examination, which may have ended the hand.
        """

    def reason(self, known: K, turn: Turn, token: str) -> str:
        """A reason for a move, as a clause about the information of the seat; or empty.

        The clause makes no claim that would need figures as a proof.
        """

    def risks_alike(self, turn: Turn) -> bool:
        """True if every move of the turn risks the same, so that their losses can be compared.

        If not, a hint compares the chances to win the game.
        """

    def fact(self, turn: Turn) -> str:
        """The text of a hint for a turn where figures would mislead; else empty."""
