"""A review as a JSON object, for programs. docs/review.md describes every key."""

from __future__ import annotations

from collections.abc import Mapping

from .judging import Judged
from .review import Review
from .sentences import stake_in, why

VERSION = 1
"""The version of the format. It increases when a key changes its meaning, but not for new keys."""


def document(review: Review) -> Mapping[str, object]:
    """The review as an object for `json.dumps`."""
    record, search = review.played.record, review.played.game.search
    assert search is not None
    stake = search.stake.lose
    return {
        "version": VERSION,
        "game": record.id,
        "plays": record.game,
        "rules": record.rules,
        "seats": [record.name(seat) for seat in range(1, record.seats + 1)],
        "reviewed": [*review.reviewed],
        "unjudged": review.unjudged,
        "stake": stake,
        "moves": [_move(each, stake) for each in review.moves],
        "dearest": [
            each.decision.move for seat in review.reviewed for each in review.dearest(seat)
        ],
        "curve": [
            {
                "move": point.move,
                "turn": point.turn,
                "hand": point.hand,
                "chance": [round(chance, 3) for chance in point.chances],
            }
            for point in review.curve
        ],
        "luck": [
            {
                "seat": luck.seat,
                "hands": luck.hands,
                "expected": round(luck.expected, 2),
                "share": round(luck.share, 2),
                "lost": luck.lost,
            }
            for luck in review.luck
        ],
    }


def _move(judged: Judged, stake: str) -> Mapping[str, object]:
    decision = judged.decision
    better = judged.best != judged.played
    return {
        "move": decision.move,
        "turn": decision.turn.turn,
        "hand": decision.hand,
        "trick": decision.trick,
        "seat": decision.seat,
        "act": decision.turn.act,
        "stake": stake_in(judged, stake),
        "played": decision.played,
        "best": judged.best if better else decision.played,
        "cost": round(judged.cost, 3),
        "error": round(judged.error, 3),
        "risk": round(judged.risk, 3),
        "win": round(judged.win, 3),
        "worlds": judged.worlds,
        "mark": judged.mark.word,
        "why": why(judged, stake),
    }
