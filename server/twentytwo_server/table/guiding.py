"""The moves that a lesson accepts at a turn of the learner, instead of all legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from twentytwo_protocol.cards import SUITS, Card
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.value import Value
from twentytwo_protocol.voice import plain_cards

from ..games.chance import RandomBelow
from ..games.game import Further, Illegal, Moves
from ..games.lesson import LEARNER, LessonStep

DEFAULT = "default"
"""Questions list all legal moves, with a move of the lesson as default. This is for people, who are
told why another move is worse.
"""
MOVES = "moves"
"""Questions list only the moves of the lesson. This is for programs."""
OR = " or "
NEW_LINE = "\n"
END = ".:!?"
"""The punctuation marks that end a sentence. A list of moves ends without one; then the advice goes
on a line below it.
"""
LINE = 76
"""Maximum length of a refusal with advice on one line, in characters, without the space between
them.
"""


class Guide(Value):
    """The turns of a lesson's deal in order, and the form of their questions.

    `asks` is `DEFAULT` or `MOVES`.
    """

    turns: tuple[LessonStep | str, ...]
    asks: str

    def step(self, turn: int, seat: int) -> LessonStep | None:
        """The step of a turn, or None if it is not a turn of the learner."""
        entry = self.turns[turn - 1] if 0 < turn <= len(self.turns) else None
        return entry if isinstance(entry, LessonStep) and seat == LEARNER else None

    def asks_no_more(self, turn: int) -> bool:
        """True if a turn comes after the last of the deal: nobody has to answer it."""
        return turn > len(self.turns)


class StepMoves:
    """The moves at a step of a lesson: `law` has the legal ones, `taken` the accepted ones."""

    __slots__ = ("_guide", "_law", "_step", "_taken")

    def __init__(self, law: Moves, step: LessonStep, taken: Sequence[Deed], guide: Guide) -> None:
        self._law = law
        self._step = step
        self._taken = taken
        self._guide = guide

    @property
    def _alone(self) -> bool:
        return self._guide.asks == MOVES

    @property
    def act(self) -> str:
        """The kind of question."""
        return self._law.act

    @property
    def subset(self) -> bool:
        """False if only the moves of the lesson are listed."""
        return self._law.subset and not self._alone

    @property
    def min(self) -> int:
        """The minimum number of cards of a subset."""
        return self._law.min

    @property
    def max(self) -> int:
        """The maximum number of cards of a subset."""
        return self._law.max

    @property
    def hand(self) -> tuple[Card, ...]:
        """The learner's cards."""
        return self._law.hand

    @property
    def beat(self) -> tuple[Card, ...] | None:
        """The play to beat, or None."""
        return self._law.beat

    @property
    def low(self) -> tuple[Card, ...] | None:
        """The lowest play, if it is listed."""
        low = self._law.low
        return low if not self._alone or (low and self._takes("+".join(low))) else None

    @property
    def also(self) -> Further:
        """Further fields of the question; usually empty."""
        return self._law.also

    @property
    def default(self) -> Deed:
        """The first move of the lesson."""
        return self._taken[0]

    def __iter__(self) -> Iterator[Deed]:
        return iter(self._taken if self._alone else self._law)

    def tokens(self) -> Iterator[str]:
        """The tokens of the listed moves."""
        return (deed.token for deed in self)

    def __len__(self) -> int:
        return len(self._taken if self._alone else self._law)

    def __contains__(self, deed: object) -> bool:
        return isinstance(deed, Deed) and self.why(deed) is None

    def why(self, deed: Deed) -> Illegal | None:
        """The lesson's objection to a deed; None if the lesson accepts it."""
        wrong = self._law.why(deed)
        if wrong is not None or self._takes(deed.token):
            return wrong
        told = self._step.wrong
        why = next((text for token, text in told.items() if same(deed.token, token)), None)
        why = why or told.get("else", "Legal, but not the point of this step.")
        return Illegal("LESSON", with_advice(why, f"Type: {ways(self.act, self._step)}"))

    def any(self, pick: RandomBelow) -> Deed:
        """A random move of the lesson."""
        return self._taken[pick(len(self._taken))]

    def _takes(self, token: str) -> bool:
        return any(same(token, taken) for taken in self._step.moves)


def typed(act: str, token: str) -> str:
    """The line to type for a move: `exchange 6 10`, `3 3`, `bid 2`, `pass`."""
    words = plain_cards(token.split("+"))
    return words if act in ("play", "declare") or token == "pass" else f"{act} {words}"


def ways(act: str, step: LessonStep) -> str:
    """The lines to type at a step, one for each accepted move."""
    return OR.join(typed(act, token) for token in step.moves)


def with_advice(refusal: str, wanted: str) -> str:
    """A refusal followed by the line to type, on one line if there is room."""
    fits = refusal[-1:] in END and len(refusal) + len(wanted) <= LINE
    return f"{refusal}{' ' if fits else NEW_LINE}{wanted}" if refusal else wanted


def same(made: str, wanted: str) -> bool:
    """True if a legal move is the wanted one; either may name cards without suits.

    A rank alone is legal only if it identifies one card.
    """
    cards, others = made.split("+"), wanted.split("+")
    if _without_suits(cards) == cards or _without_suits(others) == others:
        cards, others = _without_suits(cards), _without_suits(others)
    return sorted(cards) == sorted(others)


def _without_suits(cards: Sequence[str]) -> list[str]:
    return [card[:-1] if len(card) > 1 and card[-1] in SUITS else card for card in cards]
