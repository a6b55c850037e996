"""The sentences of a review: what was done, what would have been better, and why."""

from __future__ import annotations

from twentytwo_protocol.cards import rank_of
from twentytwo_protocol.voice import plain_cards

from .judging import Judged, Mark


def stake_of(said: str) -> str:
    """What a seat may lose, as a hint says it (`you lose the hand`), as words after `to`."""
    phrase = said.removeprefix("you ").replace("your side loses", "lose")
    return phrase.replace("your ", "the ")


def percent(chance: float) -> int:
    """A chance as people read it, 1 to 99: samples prove neither 0 nor 100."""
    return min(99, max(1, round(100 * chance)))


def holding(judged: Judged) -> str:
    """The cards that the seat held, as ranks where only they matter; empty if it saw none."""
    turn = judged.decision.turn
    cards = turn.hand or turn.cards or ()
    words = {*judged.played.split("+"), *judged.best.split("+")} - {"-", *cards}
    ranks = [rank_of(card) for card in cards]
    return plain_cards(ranks if words and words <= {*ranks} else cards)


def doing(judged: Judged, token: str) -> str:
    """A move as words: `lead Q`, `exchange 9 J`, `bid 20`."""
    turn = judged.decision.turn
    match turn.act, token:
        case "exchange", "-":
            return "keep all cards"
        case "trump", _:
            return f"make {naming(token)} the trump card"
        case "declare", "no":
            return "not call"
        case "bid" | "declare", word if not word.isdigit():
            return word
    verb = "lead" if turn.act == "play" and turn.beat is None else turn.act
    return f"{verb} {naming(token)}"


def naming(token: str) -> str:
    """The cards of a move in a word or two."""
    return "nothing" if token == "-" else plain_cards(token.split("+"))


def why(judged: Judged, stake: str) -> str:
    """Why a move was marked or not, in one sentence. `stake` is what `stake_of` says."""
    what = stake_in(judged, stake)
    if judged.mark is Mark.NONE:
        if judged.best == judged.played:
            return f"Nothing better was found: the chance to {what} is {percent(judged.risk)} %."
        return f"About as good as {naming(judged.best)}."
    now, then = percent(judged.risk), percent(judged.risk - judged.cost)
    game = round(-100 * judged.win)
    beside = f", and to win the game {game} % higher" if judged.alike and game > 0 else ""
    figures = f"ith {naming(judged.best)} the chance to {what} is {then} % instead of {now} %"
    if not judged.reason:
        return f"W{figures}{beside}."
    return f"{judged.reason[0].upper()}{judged.reason[1:]}; w{figures}{beside}."


def stake_in(judged: Judged, stake: str) -> str:
    """What a move staked: the game where the moves of the turn do not stake the same."""
    return stake if judged.alike else "lose the game"
