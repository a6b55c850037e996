"""Where what hints say goes wrong: in the worlds that are imagined, or in how they are played out.

    make bench ARGS="imagined --game twentytwo --games 60 --seed 77"

Four steady bots play. At some of their decisions the hand is played out after the move that was
made, once from the cards as they lay and in some worlds as they are imagined for a hint, and both
are compared with how it ended. Where the true cards tell what happened and the imagined ones do
not, others are imagined to hold what they do not hold. Intervals are 95 %, of what happened less
what the imagined worlds said, with the decisions of one game taken as related. The same seed gives
the same table on any machine.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from tests.benchmarks.calibration import Said, honesty
from twentytwo_server.games.game import AnyGame, deed_of
from twentytwo_server.games.registry import games
from twentytwo_server.operator.bot_matches import MatchPlan, play_game
from twentytwo_server.records.replay import begun
from twentytwo_server.review.judging import Tried, Viewpoint, deed_made
from twentytwo_server.review.played_again import played_again

EVERY = 4
"""One decision of so many is taken."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A decision: what the imagined worlds said and what happened, and how the true one ended."""

    said: Said
    true: float


def compared(game: AnyGame, plan: MatchPlan, deal: int, worlds: int) -> Iterator[Compared]:
    """Some decisions of a game."""
    assert game.search is not None
    record = play_game(plan, deal, 0).record
    played = played_again(record, games())
    losers = {hand.no: hand.losers for hand in played.hands}
    decisions = {decision.move: decision for decision in played.decisions}
    which, chance = random.Random(f"{plan.seed} {deal}"), random.Random(f"{deal} {plan.seed}")
    state = begun(record, game)
    for move, made in enumerate(record.moves, 1):
        state, events = game.play(state, deed_of(game, made.seat, made.act, made.token))
        asked = decisions.get(move)
        if asked is None or asked.forced or which.randrange(EVERY) or not losers.get(asked.hand):
            continue
        true = game.search.playout(state, events, chance.randrange).lost[asked.seat - 1]
        tried = Tried(deed_made(played, asked))
        Viewpoint(played, asked, chance.randrange).attempt(worlds, [tried])
        lost = asked.seat in losers[asked.hand]
        said = Said(deal, asked.turn.act, asked.played, fmean(tried.losses), lost)
        yield Compared(said, true)


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Prints a table: all decisions, and those of each kind."""
    parser = argparse.ArgumentParser(prog="imagined")
    parser.add_argument("--game", choices=list(games()), default="twentytwo")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=77)
    asked = parser.parse_args(arguments)
    game = games()[asked.game]
    plan = MatchPlan(asked.game, next(iter(game.presets)), {}, ("steady",) * 4, asked.seed)
    found = [
        each for deal in range(asked.games) for each in compared(game, plan, deal, asked.worlds)
    ]
    say(f"{asked.game}, four steady, seed {asked.seed}: {asked.games} games")
    say("             decisions  imagined   true  happened   difference")
    for act in ("all", *dict.fromkeys(each.said.act for each in found)):
        some = [each for each in found if act in ("all", each.said.act)]
        it = honesty([each.said for each in some])
        say(
            f"{act:12} {it.n:10} {100 * it.said:7.1f} % {100 * fmean(e.true for e in some):4.1f} % "
            f"{100 * it.happened:7.1f} %  {100 * (it.happened - it.said):+6.1f} +- "
            f"{100 * it.half:4.1f}"
        )
