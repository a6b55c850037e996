"""Whether a review finds mistakes: random moves in the place of those of hard bots.

    make bench ARGS="blunders --game twentytwo --games 4 --planted 100"

Hard bots play games. Some of their decisions are answered anew by a random legal move, and each is
judged twice: as a review does, and with many more worlds and other chance. What costs 20 points or
more by the second is a blunder, and the review should mark it. Of the moves that the bots made
themselves the review should call few a blunder.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from math import sqrt

from msgspec.structs import replace

from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.games.registry import games
from twentytwo_server.operator.bot_matches import MatchPlan, play_game
from twentytwo_server.review.judging import Effort, Judged, Mark, judged
from twentytwo_server.review.played_again import Choice, PlayedAgain, played_again
from twentytwo_server.review.review import chance

THOROUGH = Effort(400, 1_000, 4_000)
"""What decides whether a move is a blunder."""
CLEAR = 0.25
"""What a move costs, by the longer look, that is a blunder by a good way."""


def played(key: str, count: int, seed: int, worlds: int) -> Iterator[PlayedAgain]:
    """Games of hard bots."""
    game = games()[key]
    preset = next(iter(game.presets))
    seats = min(4, game.players(game.rules(preset, {}))[-1])
    plan = MatchPlan(key, preset, {}, ("hard",) * seats, seed, worlds)
    for deal in range(count):
        yield played_again(play_game(plan, deal, 0).record, games())


def another(turn: Turn, pick: random.Random) -> str:
    """A random legal move."""
    if turn.choose == "subset":
        cards = turn.cards or ()
        chosen = [card for card in cards if pick.random() < 0.5][: turn.max]
        return "+".join(chosen) or "-"
    return pick.choice(turn.legal or (turn.default or "",))


def decisions(found: Sequence[PlayedAgain]) -> list[tuple[PlayedAgain, Choice]]:
    """All decisions that are not forced."""
    return [(game, each) for game in found for each in game.decisions if not each.forced]


def interval(hits: int, of: int) -> str:
    """A share in percent with its 95 % interval (Wilson)."""
    if not of:
        return "none"
    z, p = 1.96, hits / of
    centre = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return f"{hits} of {of}: {100 * p:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def measure(key: str, count: int, planted: int, own: int, seed: int, worlds: int) -> list[str]:
    """The lines of the figures for a game."""
    pick = random.Random(f"blunders {seed}")
    every = decisions([*played(key, count, seed, worlds)])
    pick.shuffle(every)
    tried = [(game, replace(each, played=another(each.turn, pick))) for game, each in every]
    random_moves = _judged(tried[:planted], "planted")
    bad = [(said, truly) for said, truly in random_moves if truly.mark is Mark.BLUNDER]
    made = _judged(every[:own], "own", only=Mark.BLUNDER)
    called = [(said, truly) for said, truly in made if said.mark is Mark.BLUNDER]
    clear = [(said, truly) for said, truly in bad if truly.cost >= CLEAR]
    fine = [(said, truly) for said, truly in random_moves if truly.cost < Mark.INACCURACY.value]
    return [
        f"{key}: {count} games of hard bots, {worlds} worlds a move, seed {seed}",
        f"  planted blunders that are marked: {_called(bad, Mark.INACCURACY)}",
        f"  planted blunders that are called a mistake or worse: {_called(bad, Mark.MISTAKE)}",
        f"  planted blunders that are called one: {_called(bad, Mark.BLUNDER)}",
        f"  those of {100 * CLEAR:.0f} points or more: {_called(clear, Mark.BLUNDER)}",
        f"  harmless random moves called a blunder: {_called(fine, Mark.BLUNDER)}",
        f"  harmless random moves that are marked: {_called(fine, Mark.INACCURACY)}",
        f"  the bots' own moves called a blunder: {interval(len(called), len(made))}",
        "  of these it is one by the longer look: "
        + interval(sum(truly.mark is Mark.BLUNDER for _, truly in called), len(called)),
    ]


def _judged(
    some: Sequence[tuple[PlayedAgain, Choice]], name: str, only: Mark | None = None
) -> list[tuple[Judged, Judged]]:
    """Each as a review judges it and by the longer look; the latter only for some marks."""
    found: list[tuple[Judged, Judged]] = []
    for number, (game, each) in enumerate(some):
        said = judged(game, each, chance(f"{name} {number}"))
        if said is None:
            continue
        truly = said
        if only is None or said.mark is only:
            truly = judged(game, each, chance(f"{name} again {number}"), THOROUGH) or said
        found.append((said, truly))
    return found


def _called(pairs: Sequence[tuple[Judged, Judged]], least: Mark) -> str:
    """How many of them a review calls this or worse."""
    return interval(sum(said.mark.value >= least.value for said, _ in pairs), len(pairs))


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Measures, and prints the figures."""
    ask = argparse.ArgumentParser(prog="blunders")
    ask.add_argument("--game", choices=list(games()), default="twentytwo")
    ask.add_argument("--games", type=int, default=4, help="how many games are played")
    ask.add_argument("--planted", type=int, default=100, help="how many random moves")
    ask.add_argument("--own", type=int, default=100, help="how many of the bots' own moves")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--worlds", type=int, default=60, help="of the bots, for each move")
    said = ask.parse_args(arguments)
    for line in measure(said.game, said.games, said.planted, said.own, said.seed, said.worlds):
        say(line)
