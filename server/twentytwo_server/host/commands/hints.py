"""The text and rows of a hint: what the hard bot would do, and why."""

from __future__ import annotations

from twentytwo_protocol.voice import plain_cards
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.looking import HintRow

from ...games.search.hard import SURE
from ...ports import Evaluation, MoveEvaluation

BESIDE = 2
"""How many other moves the sentence compares the best one with."""


def hint_row(move: MoveEvaluation, *, fact: bool = False) -> HintRow:
    """The row of a move for a program; without the loss if a `fact` is told instead of figures."""
    loss = None if fact or move.loss is None else _of_100(move.loss)
    return HintRow(move.token, _of_100(move.worth), loss, move.worlds)


def hinted(found: Evaluation, asked: Turn, stake: str, fact: str = "") -> str:
    """The sentence for a person. `found` has the moves, best first, and at least one.

    `stake` names what may be lost, such as a hand, or is empty. If `fact` is not empty it is told
    instead of figures, which would mislead.
    """
    best, *others = found[: 1 + BESIDE]
    doing = f"I would {_doing(best.token, asked)}"
    if fact:
        return f"{doing}: {fact}."
    has_loss = best.loss is not None
    why = f"{stake if has_loss else 'you win the game'} {_about(best)}{_figure(best)} % of the time"
    beside = ", ".join(f"{_naming(m.token)}: {_about(m)}{_figure(m)} %" for m in others)
    # The cheaper loss of a hand may be worth a greater risk.
    risks = has_loss and min(map(_figure, others), default=100) < _figure(best)
    but = ", but win the game more often" if risks else ""
    return f"{doing}: {why}{beside and f' (with {beside})'}{but}."


def _figure(move: MoveEvaluation) -> int:
    """The chance in percent that is told of a move, 1 to 99: samples prove neither 0 nor 100."""
    return min(99, max(1, _of_100(move.worth if move.loss is None else move.loss)))


def _about(move: MoveEvaluation) -> str:
    """`about ` if the figure rests on few samples, or stands for 0 or 100; else empty."""
    chance = move.worth if move.loss is None else move.loss
    return "" if move.worlds >= SURE and 0 < _of_100(chance) < 100 else "about "


def _doing(token: str, asked: Turn) -> str:
    """The move as words that follow `I would`."""
    match asked.act, token:
        case "exchange", "-":
            return "keep all your cards"
        case "trump", _:
            return f"make {_naming(token)} the trump card"
        case "declare", "no":
            return "not call"
        case "bid" | "declare", word if not word.isdigit():
            return word
    return f"{asked.act} {_naming(token)}"


def _naming(token: str) -> str:
    """The cards of a move in a word or two."""
    if token == "-":
        return "nothing"
    return plain_cards(token.split("+"))


def _of_100(chance: float) -> int:
    return round(100 * chance)
