"""This version's bots against those of another checkout.

    make bench ARGS="versions --before FOLDER --game twentytwo --deals 200 --worlds 40"

FOLDER is a checkout of the other version, as `git worktree add FOLDER COMMIT` makes one. Its bots
are seated by its own modules, in a process of its own (of its `.venv`, if it has one), and are told
in lines of the protocol what their seats see; this version is the referee. One bot of this version
plays against others of the version before, in every seat of every deal, or a pair in every pair of
seats. All get the same number of worlds; what a move costs in CPU is told too. The same seed gives
the same games. Intervals are 95 %, over deals.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from tests.benchmarks.checkouts import start
from twentytwo_protocol.fair import picker
from twentytwo_protocol.schema import Event
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.wire import write
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.games import players
from twentytwo_server.games.game import Bot
from twentytwo_server.games.registry import games
from twentytwo_server.games.search.hard import worlds
from twentytwo_server.operator.bot_matches import MatchGame, MatchPlan, play_deal
from twentytwo_server.operator.match_command import told

PLAYER = Path(__file__).with_name("versions_before.py")
LEVEL = "hard"
DEALS = 100
WORLDS = 40
NOW, BEFORE = "now", "before"
"""How the two versions are called in the table."""


@dataclass(slots=True)
class Cost:
    """What the moves of a version cost: how many there were, and their seconds of CPU."""

    moves: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{1000 * self.seconds / max(1, self.moves):.1f} ms a move"


class Timed:
    """A bot of this version, its CPU counted."""

    def __init__(self, bot: Bot, cost: Cost) -> None:
        self._bot, self._cost = bot, cost

    def see(self, happened: Event) -> None:
        """Passes it on."""
        self._bot.see(happened)

    def choose(self, turn: Turn) -> str:
        """The bot's token."""
        begun = process_time()
        token = self._bot.choose(turn)
        self._cost.moves += 1
        self._cost.seconds += process_time() - begun
        return token


class Before:
    """The process of the other version, in which its bots sit."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def tell(self, line: str) -> None:
        """Says something that has no answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")

    def ask(self, line: str) -> str:
        """Says something and returns the answer. Raises `EOFError` if there is none."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self.tell(line)
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise EOFError("the other version's bots are gone: see what they wrote above")
        return answer.rstrip("\n")

    def cost(self) -> Cost:
        """What its bots' moves cost so far."""
        moves, seconds = self.ask("cost").split()
        return Cost(int(moves), float(seconds))


class Seated:
    """A bot of the other version."""

    def __init__(self, before: Before, seat: int) -> None:
        self._before, self._seat = before, seat

    def see(self, happened: Event) -> None:
        """Tells it what its seat is shown."""
        self._before.tell(f"see {self._seat} {write(happened)}")

    def choose(self, turn: Turn) -> str:
        """Its token."""
        return self._before.ask(f"ask {self._seat} {write(turn)}")


@contextmanager
def bots_of(folder: Path) -> Iterator[Before]:
    """The bots of a checkout, as long as they are wanted."""
    process = start(folder, PLAYER)
    with process:
        try:
            yield Before(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


def levels(game: str) -> tuple[str, ...]:
    """Who sits where: one of this version and three others, or pair against pair."""
    return (NOW, BEFORE) * 2 if vocabulary(game).partners else (NOW, *(BEFORE,) * 3)


def matched(
    plan: MatchPlan, level: str, before: Before, ours: Cost, deals: range
) -> Iterator[list[MatchGame]]:
    """The games of each deal. What the moves of this version cost is added to `ours`."""

    def now(plan: MatchPlan, seat: int, secret: str) -> Bot:
        game = games()[plan.game]
        rules = game.rules(plan.preset, plan.options)
        budget = worlds(plan.worlds)
        bot = players.player(game, level, rules, seat, picker(secret), lambda: budget)
        return Timed(bot, ours)

    def then(plan: MatchPlan, seat: int, secret: str) -> Bot:
        asked = {
            "game": plan.game,
            "preset": plan.preset,
            "options": dict(plan.options),
            "level": level,
            "seat": seat,
            "worlds": plan.worlds,
            "secret": secret,
        }
        before.tell(f"new {json.dumps(asked)}")
        return Seated(before, seat)

    for deal in deals:
        yield play_deal(plan, deal, {NOW: now, BEFORE: then})


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Plays a match and prints its table; stopped by Ctrl-C, that of what was played."""
    parser = argparse.ArgumentParser(prog="versions")
    parser.add_argument("--before", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--game", choices=list(games()), default="twentytwo")
    parser.add_argument("--preset")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--level", default=LEVEL)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    preset = asked.preset or next(iter(games()[asked.game].presets))
    options: Mapping[str, str] = dict(option.split("=", 1) for option in asked.option)
    plan = MatchPlan(asked.game, preset, options, levels(asked.game), asked.seed, asked.worlds)
    played: list[MatchGame] = []
    ours, theirs = Cost(), "not counted"
    with bots_of(asked.before) as before:
        try:
            deals = range(asked.first, asked.first + asked.deals)
            for games_ in matched(plan, asked.level, before, ours, deals):
                played += games_
        except KeyboardInterrupt:
            say("\nStopped early.")
        else:
            theirs = str(before.cost())
    if not played:
        return
    for line in told(plan, played):
        say(line)
    say(f"{asked.level}, {asked.worlds} worlds; CPU of {NOW}: {ours}; of {BEFORE}: {theirs}")


if __name__ == "__main__":
    report(sys.argv[1:])
