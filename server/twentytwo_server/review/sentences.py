"""The sentences of a review: the played move, a better move, and the reason."""

from __future__ import annotations

from twentytwo_protocol.cards import rank_of
from twentytwo_protocol.voice import plain_cards

from ..games.phrases import naming
from .judging import Judged, Mark


def percent(chance: float) -> int:
    """A chance in percent, from 1 to 99, because samples prove neither 0 nor 100."""
    return min(99, max(1, round(100 * chance)))


def holding(judged: Judged) -> str:
    """The cards of the seat, as ranks if suits do not matter; empty if it saw none."""
    turn = judged.decision.turn
    cards = turn.hand or turn.cards or ()
    words = {*judged.played.split("+"), *judged.best.split("+")} - {"-", *cards}
    ranks = [rank_of(card) for card in cards]
    return plain_cards(ranks if words and words <= {*ranks} else cards)


def why(judged: Judged, stake: str) -> str:
    """The reason for a move's mark, in one sentence. `stake` is `Stake.lose`."""
    what = stake_in(judged, stake)
    if judged.mark is Mark.NONE:
        if judged.best == judged.played:
            return f"Nothing better was found: the chance to {what} is {percent(judged.risk)} %."
        return f"About as good as {naming(judged.best)}."
    now, then = percent(judged.risk), percent(judged.risk - judged.cost)
    game = round(-100 * judged.win)
    beside = f", and to win the game {game} % higher" if judged.alike and game > 0 else ""
    figures = f"with {naming(judged.best)} the chance to {what} is {then} % instead of {now} %"
    told = f"{judged.reason}; {figures}{beside}." if judged.reason else f"{figures}{beside}."
    return told[0].upper() + told[1:]


def stake_in(judged: Judged, stake: str) -> str:
    """The stake of a move: the game, if the moves of the turn have different stakes."""
    return stake if judged.alike else "lose the game"
