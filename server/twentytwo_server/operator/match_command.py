"""The command `match`: plays a match on all cores, and shows progress, results and records."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

from twentytwo_protocol import record
from twentytwo_protocol.voice import plural

from ..games import players
from ..games.options import BadOption
from ..games.registry import games
from .bot_matches import MatchGame, MatchPlan, play_deal, results, seatings
from .given import command
from .one_line import INTERRUPTED

Refusal = str
"""The reason why a match cannot be played, in one line."""


def run_match(plan: MatchPlan, deals: int, records: Path | None, processes: int | None) -> int:
    """Plays a match and prints the results. Returns the exit status, 2 if it cannot be played.

    Ctrl-C ends the match early: the results so far are printed, and the status is 130.
    """
    wrong = _wrong(plan, deals)
    if wrong:
        print(f"{command()}: {wrong}", file=sys.stderr)
        return 2
    if records is not None:  # fail before hours of play, not after them
        records.mkdir(parents=True, exist_ok=True)
    played: list[MatchGame] = []
    try:
        with closing(_all(plan, deals, processes or os.cpu_count() or 1)) as finding:
            for found in finding:
                played += found
                _progress(len(played), deals * seatings(plan))
                if records is not None:
                    _write(records, found)
    except KeyboardInterrupt:
        print("\nStopped early." if played else "\nStopped before a deal was over.")
        if played:
            _print(plan, played)
        return INTERRUPTED
    _print(plan, played)
    return 0


def usual_rules(key: str) -> str:
    """The default preset of a game; empty if there is no such game."""
    game = games().get(key)
    return next(iter(game.presets)) if game is not None else ""


def _wrong(plan: MatchPlan, deals: int) -> Refusal | None:
    game = games().get(plan.game)
    if game is None:
        return f"there is no game {plan.game}; there are {', '.join(games())}"
    unknown = [level for level in plan.levels if level not in players.levels(game)]
    if unknown:
        return f"there is no bot {unknown[0]}; there are {', '.join(players.levels(game))}"
    if plan.preset not in game.presets:
        return f"there are no rules {plan.preset}; there are {', '.join(game.presets)}"
    if deals < 1:
        return "-n takes a number from 1"
    try:
        game.new(game.rules(plan.preset, plan.options), len(plan.levels))
    except BadOption as bad:
        return bad.text
    return None


def _all(plan: MatchPlan, deals: int, processes: int) -> Generator[list[MatchGame], None, None]:
    """Plays the deals in parallel, and yields their results in the order of the deals."""
    if processes == 1:
        yield from map(partial(play_deal, plan), range(deals))
        return
    pool, over = ProcessPoolExecutor(processes, initializer=_leave_ctrl_c_alone), False
    try:
        yield from pool.map(partial(play_deal, plan), range(deals), chunksize=1)
        over = True
    finally:
        # Without waiting for the pool, Python may print a traceback at its exit.
        pool.shutdown(wait=over, cancel_futures=True)


def _leave_ctrl_c_alone() -> None:
    """Makes a worker process ignore Ctrl-C: the main process stops it when its deal is over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _progress(done: int, whole: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {whole} games", end="" if done < whole else "\n", file=sys.stderr)


def _write(folder: Path, games_: Sequence[MatchGame]) -> None:
    for game in games_:
        path = folder / f"deal{game.deal:06d}-{game.turn + 1}.txt"
        path.write_text(record.write(game.record), encoding="utf-8")


def _print(plan: MatchPlan, played: Sequence[MatchGame]) -> None:
    for line in told(plan, played):
        print(line)


def told(plan: MatchPlan, played: Sequence[MatchGame]) -> Iterator[str]:
    """The results of a match as lines: share of games won, place and total for each level."""
    deals = len({game.deal for game in played})
    yield f"{plan.game} ({plan.preset}), {','.join(plan.levels)}, seed {plan.seed}:"
    games_ = plural(len(played), "game")
    yield f"{plural(deals, 'deal')} from every seat, {games_}; 95 % intervals over deals"
    yield f"{'level':<10}{'of':>3}  {'games won':>16}  {'place':>16}  {'result':>18}"
    for result in results(plan, played):
        yield (
            f"{result.level:<10}{result.entrants:>3}  {result.won!s:>16}  "
            f"{result.place!s:>16}  {result.total!s:>18}"
        )
