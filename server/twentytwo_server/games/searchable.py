"""The interface that a game offers to the hard bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Turn

from .chance import RandomBelow

K = TypeVar("K")
K_contra = TypeVar("K_contra", contravariant=True)
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
R_contra = TypeVar("R_contra", contravariant=True)

Ends = tuple[Sequence[float], Sequence[float]]
"""How a hand ends, by seat: its worth, 0 to 1, and the chance that the seat loses the stake."""


class Search(Protocol[K, S, R_contra]):
    """A game that can be searched. K is what a seat knows, S a state, R the rules."""

    @property
    def version(self) -> int:
        """Raise it whenever the search of this game plays differently."""

    @property
    def stake(self) -> str:
        """What a seat may lose in a hand, as a hint says it to them: `you lose the hand`."""

    def known(self, rules: R_contra, seat: int, seen: Sequence[Event]) -> K:
        """What a seat knows, from the events it was shown since the game began."""

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

    def fact(self, turn: Turn) -> str:
        """What a hint says of a turn if figures would mislead; empty if they would not."""


@runtime_checkable
class Winning(Protocol[S_contra]):
    """What the search of a game offers besides where its worths are not chances to win the game."""

    def wins(
        self, state: S_contra, happened: Sequence[Event], pick: RandomBelow
    ) -> Sequence[float]:
        """Everybody's chance to win the game, the hand being played out as in `Search.playout`."""


@runtime_checkable
class Figuring(Protocol[K]):
    """What the search of a game offers besides where figures need other worlds than choices do."""

    def for_figures(self, known: K) -> K:
        """The same knowledge, from which likelier worlds are imagined for chances to be told."""


def known_for_figures(
    search: Search[Any, S, R_contra], rules: R_contra, seat: int, seen: Sequence[Event]
) -> Any:
    """What a seat knows, as it is used for a hint or a review: for chances that people are told."""
    known = search.known(rules, seat, seen)
    return search.for_figures(known) if isinstance(search, Figuring) else known


@runtime_checkable
class Explaining(Protocol[K_contra]):
    """What the search of a game offers besides where hints can say why, in a sentence of play."""

    def reason(self, known: K_contra, turn: Turn, token: str) -> str:
        """Why a move may be good: a clause that is true of what the seat sees, or empty.

        It claims nothing that the figures beside it would have to prove.
        """

    def risks_alike(self, turn: Turn) -> bool:
        """Whether every move of the turn stakes the same, so that their losses can be compared.

        Where not, a hint compares the chances to win the game.
        """
