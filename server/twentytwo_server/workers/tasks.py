"""The functions that run in a worker process; their arguments and results are picklable values."""

from __future__ import annotations

import random
import time
from functools import lru_cache
from typing import TypeVar

from ..games import players
from ..games.game import Bot
from ..games.registry import games
from ..games.search.hard import Budget, Hard, close, until
from ..ports import Evaluation, Job, MoveEvaluation
from ..review.jobs import CACHED_GAMES, ReviewJob
from ..review.played_again import PlayedAgain, played_again, read_record

T = TypeVar("T")

HINT_EXTRA = 0.7
"""Seconds that a hint may take longer than a move, so that its figures are reliable."""


def answer(job: Job, seconds: float) -> str:
    """The move of a bot that saw these events."""
    return _bot(job, seconds).choose(job.turn)


def evaluate(job: Job, seconds: float) -> Evaluation:
    """A searching bot's evaluation of the moves, from the events it saw."""
    bot = _bot(job, seconds)
    assert isinstance(bot, Hard)
    lines = bot.weigh(job.turn, until(time.monotonic() + seconds + HINT_EXTRA, time.monotonic))
    best, *others = lines
    why = bot.reason(job.turn, best.deed.token)
    first = MoveEvaluation(best.deed.token, best.mean, best.loss, len(best.values), why=why)
    return [
        first,
        *(
            MoveEvaluation(m.deed.token, m.mean, m.loss, len(m.values), close(best, m))
            for m in others
        ),
    ]


@lru_cache(maxsize=CACHED_GAMES)
def _again(text: str) -> PlayedAgain:
    """The replay of a record, cached because each hand of a review needs it."""
    return played_again(read_record(text), games())


def review(job: ReviewJob[T], seconds: float) -> T:
    """Runs a job of a review, which has no time limit."""
    return job.do(_again)


def _bot(job: Job, seconds: float) -> Bot:
    chance = random.Random(job.seed)  # not secret: only simulated worlds depend on it

    def budget() -> Budget:
        return until(time.monotonic() + seconds, time.monotonic)

    bot = players.player(
        games()[job.game], job.level, job.rules, job.seat, chance.randrange, budget
    )
    for happened in job.seen:
        bot.see(happened)
    return bot
