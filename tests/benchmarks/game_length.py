"""How long a game of Twenty-Eight lasts, by the points that win it and those that lose it.

    make bench ARGS="length --preset pagat --levels hard,steady,hard,steady --hands 2000 --seed 1"

Bots play hands without an end; the games are then put together from these hands at random, since
what a hand brings depends little on the score. Minutes are the hands times the decisions of a hand
times `SECONDS` a decision of a person, or `BOT` of a bot, and `BETWEEN` to read the score.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from statistics import fmean, quantiles

from twentytwo_protocol.words.cardplay import Handover, Turn
from twentytwo_server.games.registry import games
from twentytwo_server.operator.bot_matches import MatchPlan, play_game
from twentytwo_server.records.telling import telling
from twentytwo_server.table.match import MOST_HANDS

TARGETS = (3, 4, 5, 6, 8, 10)
LIMITS = (0, 2, 3, 4, 5, 6, 8)
GAMES = 3000
SECONDS, BOT, BETWEEN = 4.0, 0.4, 5.0
"""Seconds for a decision of a person, for one of a bot (`--bot-pause`), and between hands."""

Change = tuple[int, int]
"""What a hand adds to the score of both sides."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Hands that were played: what each brought, and how many decisions it took on average."""

    changes: Sequence[Change]
    decisions: float


def played(preset: str, levels: Sequence[str], least: int, seed: int, worlds: int = 8) -> Hands:
    """So many hands, or a few more."""
    long = {"target": "50", "loss_limit": "0"}
    plan = MatchPlan("twentyeight", preset, long, tuple(levels), seed, worlds)
    changes: list[Change] = []
    decisions = 0
    for deal in count():
        before = (0, 0)
        for happened in telling(play_game(plan, deal, 0).record, games()):
            decisions += isinstance(happened, Turn)
            if isinstance(happened, Handover):
                first, second, *_ = happened.totals
                changes.append((first - before[0], second - before[1]))
                before = first, second
        if len(changes) >= least:
            return Hands(changes, decisions / len(changes))
    raise AssertionError("unreachable")


def lasts(hands: Hands, target: int, limit: int, chance: random.Random) -> tuple[int, bool]:
    """The hands of a game put together at random, and whether a side reached the target."""
    first = second = 0
    for number in range(1, MOST_HANDS + 1):
        one, other = chance.choice(hands.changes)
        first, second = first + one, second + other
        if max(first, second) >= target:
            return number, True
        if limit and min(first, second) <= -limit:
            return number, False
    return MOST_HANDS, False


def minutes(hands: Hands, people: int) -> float:
    """How long a hand takes so many people, the other seats being bots."""
    a_seat = hands.decisions / 4
    return (people * a_seat * SECONDS + (4 - people) * a_seat * BOT + BETWEEN) / 60


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Prints a table of targets and limits."""
    parser = argparse.ArgumentParser(prog="length")
    parser.add_argument("--preset", default=next(iter(games()["twentyeight"].presets)))
    parser.add_argument("--levels", default="steady,steady,steady,steady")
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    hands = played(asked.preset, asked.levels.split(","), asked.hands, asked.seed)
    each = ", ".join(f"{people}: {minutes(hands, people):.2f}" for people in (1, 2, 4))
    say(f"{asked.levels}, {asked.preset}: {len(hands.changes)} hands")
    say(f"{hands.decisions:.1f} decisions a hand; its minutes by the number of people: {each}")
    say("hands a game: mean, middle 90 %; how many games end by the target; minutes by people")
    chance = random.Random(asked.seed)
    for target in TARGETS:
        for limit in LIMITS:
            found = [lasts(hands, target, limit, chance) for _ in range(GAMES)]
            lengths = [length for length, _ in found]
            cuts = quantiles(lengths, n=20)
            mean, won = fmean(lengths), fmean(by_target for _, by_target in found)
            took = ", ".join(f"{mean * minutes(hands, people):3.0f}" for people in (1, 2, 4))
            say(
                f"target {target:2} limit {limit}: {mean:4.0f} ({cuts[0]:.0f} to {cuts[-1]:.0f})"
                f"  {100 * won:3.0f} %  {took} min"
            )


if __name__ == "__main__":
    import sys

    report(sys.argv[1:])
