"""Whether what `hint` says comes true: games of bots, hints beside them, and what became of it.

    make bench ARGS="calibration --game twentyeight --hints 1500 --seed 1"

Bots play each other: one that plays as the hints say, and three as at a practice table, unless
`--levels` names others. At some decisions of the hard ones a hint is asked for in their place, and
its figure for the move that was then made is noted, beside what happened: whether the seat lost the
hand, its side did, or it missed its bid. A slope of 1 and a difference of 0 are honest: with a
slope above 1 what is said is too near to an even chance, below 1 too far from it. Intervals are
95 %, with the decisions of one game taken as related. The same seed gives the same table on any
machine.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby, pairwise
from math import exp, log, sqrt
from operator import attrgetter

from twentytwo_protocol.record import Record, RecordedMove
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.words.cardplay import Handover, Turn
from twentytwo_server.games.game import AnyGame
from twentytwo_server.games.registry import games
from twentytwo_server.games.search.hard import WORLDS_FOR_FIGURES, Hard, worlds
from twentytwo_server.operator.bot_matches import MatchPlan, play_game, seatings
from twentytwo_server.records.telling import telling

HINTS = 1500
EVERY = {"play": 8}
"""One decision of so many is noted, so that those of one hand are not too many; of others, one of
two."""
WORLDS = {"twentytwo": 40, "twentysix": 24, "whist22": 24, "twentyeight": 8}
"""How many worlds the players look at for each move: as in the matches of docs/bots.md."""


@dataclass(frozen=True, slots=True)
class Said:
    """A hint's figure in the game of number `deal`: the chance `said`, and what `happened`."""

    deal: int
    act: str
    token: str
    said: float
    happened: bool


def noted(game: AnyGame, deal: int, record: Record, chance: random.Random) -> Iterator[Said]:
    """What hints would have said at some of the decisions of a game."""
    assert game.search is not None
    rules = game.rules(record.rules, record.options)
    bots = {
        seat: Hard(
            game, game.search, rules, seat, chance.randrange, lambda: worlds(WORLDS_FOR_FIGURES)
        )
        for seat in range(1, record.seats + 1)
    }
    made = (move for move in record.moves if isinstance(move, RecordedMove) and move.seat)
    waiting: list[tuple[int, str, str, float]] = []
    for happened in telling(record, {game.key: game}):
        if isinstance(happened, Turn):
            token = next(made).token
            if (
                record.bots[happened.seat].startswith("hard")
                and not chance.randrange(EVERY.get(happened.act, 2))
                and not game.search.fact(happened)
            ):
                loss = _said(bots[happened.seat], happened, token)
                if loss is not None:
                    waiting.append((happened.seat, happened.act, token, loss))
        elif isinstance(happened, Handover):
            for seat, act, token, loss in waiting:
                yield Said(deal, act, token, loss, seat in happened.losers)
            waiting.clear()
        _tell(bots, happened)


def _said(bot: Hard[object, object], asked: Turn, token: str) -> float | None:
    """The figure that a hint names for the move; None if it does not name the move."""
    found = bot.weigh(redact(asked, asked.seat), worlds(WORLDS_FOR_FIGURES))
    return next((line.loss for line in found if line.deed.token == token), None)


def _tell(bots: dict[int, Hard[object, object]], happened: Event) -> None:
    for seat, bot in bots.items():
        bot.see(redact(happened, seat))


def measured(key: str, hints: int, seed: int, levels: Sequence[str]) -> list[Said]:
    """So many hints, or a few more."""
    game = games()[key]
    plan = MatchPlan(key, next(iter(game.presets)), {}, tuple(levels), seed, WORLDS[key])
    turns = seatings(plan)
    found: list[Said] = []
    for deal in count():
        chance = random.Random(f"{seed} {deal}")
        found += noted(game, deal, play_game(plan, deal, deal % turns).record, chance)
        if len(found) >= hints:
            break
    return found


# ------------------------------------------------------------------------------- figures


@dataclass(frozen=True, slots=True)
class Honesty:
    """What was said against what happened, each a share from 0 to 1, and the slope between them.

    The slope is that of the logistic regression of what happened on the log odds of what was said;
    `half` and `slope_half` are half the widths of the intervals.
    """

    n: int
    said: float
    happened: float
    half: float
    slope: float
    slope_half: float


def honesty(found: Sequence[Said]) -> Honesty:
    """The figures for at least one hint."""
    n = len(found)
    said = sum(each.said for each in found) / n
    happened = sum(each.happened for each in found) / n
    by_deal = [list(each) for _, each in groupby(found, key=attrgetter("deal"))]
    off = happened - said
    half = 1.96 * sqrt(sum(sum(e.happened - e.said - off for e in each) ** 2 for each in by_deal))
    slope, slope_half = _slope(by_deal)
    return Honesty(n, said, happened, half / n, slope, slope_half)


def _slope(by_deal: Sequence[Sequence[Said]]) -> tuple[float, float]:
    """The slope by Newton's method, and half its interval by a sandwich over the deals."""
    a, b = 0.0, 1.0
    inverse = ((0.0, 0.0), (0.0, 0.0))
    for _ in range(25):
        grad, info = [0.0, 0.0], [0.0, 0.0, 0.0]
        for each in by_deal:
            for one in each:
                x = _log_odds(one.said)
                p = 1 / (1 + _exp(-(a + b * x)))
                grad[0] += one.happened - p
                grad[1] += (one.happened - p) * x
                for place, power in enumerate((1.0, x, x * x)):
                    info[place] += p * (1 - p) * power
        whole = info[0] * info[2] - info[1] ** 2
        if whole < 1e-9:
            return 0.0, float("inf")
        inverse = (info[2] / whole, -info[1] / whole), (-info[1] / whole, info[0] / whole)
        a += inverse[0][0] * grad[0] + inverse[0][1] * grad[1]
        b += inverse[1][0] * grad[0] + inverse[1][1] * grad[1]
    variance = 0.0
    for each in by_deal:
        pulls = [(o.happened - 1 / (1 + _exp(-(a + b * _log_odds(o.said)))), o) for o in each]
        pull = sum(off for off, _ in pulls), sum(off * _log_odds(o.said) for off, o in pulls)
        variance += (inverse[1][0] * pull[0] + inverse[1][1] * pull[1]) ** 2
    return b, 1.96 * sqrt(variance)


def _exp(power: float) -> float:
    return exp(min(30.0, max(-30.0, power)))


def _log_odds(chance: float) -> float:
    inside = min(0.99, max(0.01, chance))  # a hint says 1 to 99 %
    return log(inside / (1 - inside))


TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Prints a table for each game: all decisions, those of each kind, and by what was said."""
    parser = argparse.ArgumentParser(prog="calibration")
    parser.add_argument("--game", choices=list(WORLDS), action="append")
    parser.add_argument("--hints", type=int, default=HINTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", default="hard,steady,steady,steady")
    asked = parser.parse_args(arguments)
    for key in asked.game or WORLDS:
        found = measured(key, asked.hints, asked.seed, asked.levels.split(","))
        say(f"{key}, {asked.levels}, seed {asked.seed}: {found[-1].deal + 1} games")
        say("                    hints   said  happened   difference           slope")
        for name, some in _kinds(found):
            say(_row(name, honesty(some)))
        for low, high in pairwise(TENTHS):
            some = [each for each in found if low <= each.said < high]
            if len(some) >= 20:
                say(_row(f"said {100 * low:.0f} to {100 * min(high, 1):.0f} %", honesty(some), ""))


def _kinds(found: Sequence[Said]) -> Iterator[tuple[str, list[Said]]]:
    yield "all", list(found)
    for act in dict.fromkeys(each.act for each in found):
        some = [each for each in found if each.act == act]
        if len(some) >= 20:
            yield act, some


def _row(name: str, it: Honesty, slope: str | None = None) -> str:
    if slope is None:
        slope = f"{it.slope:6.2f} +- {it.slope_half:.2f}"
    off = it.happened - it.said
    return (
        f"{name:18} {it.n:6} {100 * it.said:5.1f} % {100 * it.happened:6.1f} % "
        f"{100 * off:+6.1f} +- {100 * it.half:4.1f}   {slope}"
    ).rstrip()


if __name__ == "__main__":
    import sys

    report(sys.argv[1:])
