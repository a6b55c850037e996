"""The sentence of a hint: what the hard bot would do, and why."""

from __future__ import annotations

from twentytwo_protocol.voice import plain_cards
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.looking import HintRow

from ...games.search.hard import SURE
from ...ports import Evaluation, MoveEvaluation

BESIDE = 2
"""How many other moves the sentence compares with."""


def hint_row(move: MoveEvaluation, *, fact: bool = False) -> HintRow:
    """A move for a program; where a `fact` is told in place of figures, without its loss."""
    loss = None if fact or move.loss is None else _of_100(move.loss)
    return HintRow(move.token, _of_100(move.worth), loss, move.worlds)


def hinted(found: Evaluation, asked: Turn, stake: str, fact: str = "") -> str:
    """The sentence for a person; `stake` is what may be lost, as it is said to them, or empty.

    A `fact` is told in place of figures, which would mislead.
    """
    best, *others = found[: 1 + BESIDE]
    doing = f"I would {_doing(best.token, asked)}"
    if fact:
        return f"{doing}: {fact}."
    reckoned = best.loss is not None
    why = f"{stake if reckoned else 'you win the game'} {_about(best)}{_figure(best)} % of the time"
    beside = ", ".join(f"{_naming(m.token)}: {_about(m)}{_figure(m)} %" for m in others)
    # The cheaper loss of a hand may be worth a greater risk.
    risks = reckoned and min(map(_figure, others), default=100) < _figure(best)
    but = ", but win the game more often" if risks else ""
    return f"{doing}: {why}{beside and f' (with {beside})'}{but}."


def _figure(move: MoveEvaluation) -> int:
    """The chance of 100 that is told of a move. Worlds that were tried are no proof: never 0, or
    100.
    """
    return min(99, max(1, _of_100(move.worth if move.loss is None else move.loss)))


def _about(move: MoveEvaluation) -> str:
    """What is said before a figure that few worlds speak for, or that is never told as it is."""
    chance = move.worth if move.loss is None else move.loss
    return "" if move.worlds >= SURE and 0 < _of_100(chance) < 100 else "about "


def _doing(token: str, asked: Turn) -> str:
    """What to do, after `I would`."""
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
    """A move in a word or two."""
    if token == "-":
        return "nothing"
    return plain_cards(token.split("+"))


def _of_100(chance: float) -> int:
    return round(100 * chance)
