"""What the review of a seat costs, in seconds of a processor: at most `MOST`, as we want it.

    make bench ARGS="reviewing --game twentytwo twentysix --games 3 --worlds 40"

Two hard and two steady bots play; of each game the moves of seat 1 are reviewed, as
`twentytwo review FILE --seat 1` does. The same seed gives the same games.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import fmean

from twentytwo_server.games.registry import games
from twentytwo_server.operator.bot_matches import MatchPlan, play_game
from twentytwo_server.review.played_again import PlayedAgain, played_again
from twentytwo_server.review.review import Review, hand_review, hands_of, put_together

MOST = 10.0
"""Seconds that the review of a seat should take at most."""
LEVELS = ("hard", "steady", "hard", "steady")
SEAT = 1


def reviewed(played: PlayedAgain) -> tuple[Review, float]:
    """The review of a game for one seat, and the seconds of a processor that it took."""
    began = time.process_time()
    hands = [hand_review(played, no, [SEAT]) for no in hands_of(played)]
    found = put_together(played, hands, [SEAT])
    return found, time.process_time() - began


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Prints what each review took, and their mean against what we want."""
    parser = argparse.ArgumentParser(prog="reviewing")
    parser.add_argument("--game", nargs="+", choices=list(games()), default=list(games()))
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--worlds", type=int, default=40, help="of the hard bots, for each move")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    for key in asked.game:
        game = games()[key]
        plan = MatchPlan(key, next(iter(game.presets)), {}, LEVELS, asked.seed, asked.worlds)
        took: list[float] = []
        for deal in range(asked.games):
            found, seconds = reviewed(played_again(play_game(plan, deal, 0).record, games()))
            took.append(seconds)
            hands = len(found.played.hands)
            say(f"{key}, game {deal + 1}: {hands} hands, {len(found.moves)} moves: {seconds:.1f} s")
        say(f"{key}: a review takes {fmean(took):.1f} s, {fmean(took) / MOST:.2f} of {MOST:.0f} s")
