"""The sentence of a hint: what the hard bot would do, and why."""

from __future__ import annotations

from twentytwo_protocol.voice import plain_cards
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.looking import HintRow

from ..ports import MoveWeighed, Weighed

BESIDE = 2
"""How many other moves the sentence compares with."""


def hint_row(move: MoveWeighed) -> HintRow:
    """A move for a program."""
    return HintRow(
        move.token, _of_100(move.worth), None if move.loss is None else _of_100(move.loss)
    )


def hinted(found: Weighed, asked: Turn, stake: str) -> str:
    """The sentence for a person; `stake` is what may be lost, as it is said to them, or empty."""
    best, *others = found[: 1 + BESIDE]
    reckoned = best.loss is not None
    figure, *figures = [
        _of_100(move.worth if move.loss is None else move.loss) for move in (best, *others)
    ]
    beside = ", ".join(
        f"{_naming(move.token)}: {each} %" for move, each in zip(others, figures, strict=True)
    )
    why = f"{stake if reckoned else 'you win the game'} {figure} % of the time"
    # The cheaper loss of a hand may be worth a greater risk.
    but = ", but win the game more often" if reckoned and min(figures, default=100) < figure else ""
    return f"I would {_doing(best.token, asked)}: {why}{beside and f' (with {beside})'}{but}."


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
