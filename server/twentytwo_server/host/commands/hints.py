"""The text and rows of a hint: the hard bot's move, and the reason."""

from __future__ import annotations

from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.looking import HintRow

from ...games.phrases import doing, naming
from ...games.search.hard import WORLDS_FOR_FIGURES
from ...ports import Evaluation, MoveEvaluation

BESIDE = 2
"""Number of other moves that the sentence compares with the best move."""


def hint_row(move: MoveEvaluation, *, fact: bool = False) -> HintRow:
    """The row of a move for a program; with a `fact` it has no figures."""
    loss = None if fact or move.loss is None else _of_100(move.loss)
    why = f"{move.why}." if move.why and not fact else None
    return HintRow(move.token, _of_100(move.worth), loss, move.worlds, why)


def hinted(
    found: Evaluation, asked: Turn, stake: str, fact: str = "", *, alike: bool = True
) -> str:
    """The sentences for a person. `found` has the moves, best first, and at least one.

    `stake` names the possible loss, such as a hand, or is empty. If the moves do not risk the same
    (`alike` is false), the sentences compare the chances to win the game. A `fact` that is not
    empty replaces the figures, which would mislead.
    """
    best, *others = found[: 1 + BESIDE]
    said = f"I would {doing(asked, best.token)}"
    if fact:
        return f"{said}: {fact}."
    losing = alike and best.loss is not None
    what = stake if losing else "you win the game"
    # The cheaper loss of a hand may be worth a greater risk; the text says so only if it is sure.
    risked = [m for m in others if losing and _percent(m, losing) < _percent(best, losing)]
    surely = risked and not any(move.close for move in risked)
    but = ", but it is better for the whole game" if surely else ""
    figures = f"{what} {_often(best, losing)}{_beside(found, asked, losing)}{but}."
    if best.why:
        return f"{said}: {best.why}. {figures[0].upper()}{figures[1:]}"
    return f"{said}: {figures}"


def _often(move: MoveEvaluation, losing: bool) -> str:
    """The frequency as a phrase, because samples prove neither 0 nor 100 per cent."""
    match _percent(move, losing):
        case 0:
            return f"in none of {move.worlds} imagined deals"
        case 100:
            return f"in all of {move.worlds} imagined deals"
    return f"{_said(move, losing)} of the time"


def _beside(found: Evaluation, asked: Turn, losing: bool) -> str:
    """The comparison with the other moves, or that all moves are equal."""
    shown = {_percent(move, losing) for move in found}
    if len(found) > 1 and len(found) == asked.nlegal and (shown == {0} or shown == {100}):
        return f", whatever you {asked.act}"
    beside = ", ".join(f"{naming(m.token)}: {_said(m, losing)}" for m in found[1 : 1 + BESIDE])
    return beside and f" (with {beside})"


def _said(move: MoveEvaluation, losing: bool) -> str:
    """`18 %`, or `about 18 %` if it rests on few samples; `never` and `always` where all agree."""
    match _percent(move, losing):
        case 0:
            return "never"
        case 100:
            return "always"
        case percent:
            return f"{'' if move.worlds >= WORLDS_FOR_FIGURES else 'about '}{percent} %"


def _percent(move: MoveEvaluation, losing: bool) -> int:
    """The chance of a move in percent: 0 and 100 only if all deals agree."""
    chance = _chance(move, losing)
    if chance in (0, 1) and move.worlds >= WORLDS_FOR_FIGURES:
        return round(100 * chance)
    return min(99, max(1, _of_100(chance)))


def _chance(move: MoveEvaluation, losing: bool) -> float:
    """The chance to lose the hand, or to win the game."""
    return move.loss if losing and move.loss is not None else move.worth


def _of_100(chance: float) -> int:
    return round(100 * chance)
