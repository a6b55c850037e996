"""What the hard bot thinks of the answers of the lessons.

    python -m tests.games.lessons [WORLDS] [GAME]...

prints for each exercise how often each move loses its stake in so many imagined deals (400), the
answers marked with `*`. The figures in the lessons are from this.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from twentytwo_protocol.fair import FairShuffle
from twentytwo_protocol.schema import Event, redact
from twentytwo_server.games.game import AnyGame
from twentytwo_server.games.lesson import LEARNER, Deal, LessonStep
from twentytwo_server.games.registry import games
from twentytwo_server.table import match as matches
from twentytwo_server.table.guiding import typed
from twentytwo_server.table.match import Match

WORLDS = 400


@dataclass(frozen=True)
class Exercise:
    """A step whose answer is not told at once, and the game as it stands there."""

    game: AnyGame
    deal: Deal
    step: LessonStep
    match: Match
    seen: tuple[Event, ...]


def positions(game: AnyGame) -> Iterator[Exercise]:
    """The exercises of a game's lesson, played up to there by the real engine."""
    for deal in game.lesson.deals if game.lesson is not None else ():
        preset = next(iter(game.presets))
        rules = game.rules(preset, deal.options)
        house = FairShuffle.of_seed(deal.seed).house
        terms = matches.Terms(game, rules, "g1", deal.bots + 1, most_hands=1)
        match, events = matches.begin(terms, 0, house)
        seen = [matches.announced(match, ""), *events]
        for turn, entry in enumerate(deal.turns, 1):
            if isinstance(entry, LessonStep) and entry.answer:
                yield Exercise(game, deal, entry, match, tuple(seen))
            deed = match.read(deal.played(turn + 1)[-1])
            assert match.question is not None
            match, events = match.play(match.judge(match.question.seat, deed), 0, house)
            seen += events


def losses(exercise: Exercise, worlds: int, seed: int = 1) -> Mapping[str, float]:
    """How often each move that is worth a look, or is spoken of, loses the stake: 0 to 1."""
    game, match, asked = exercise.game, exercise.match, exercise.match.question
    assert game.search is not None
    assert asked is not None
    pick = random.Random(seed).randrange
    seen = [redact(event, LEARNER) for event in exercise.seen]
    known = game.search.known(match.terms.rules, LEARNER, seen, figures=True)
    turn = redact(asked, LEARNER)
    spoken = [t for t in (*exercise.step.moves, *exercise.step.wrong) if t != "else"]
    world = game.search.imagine(known, turn, pick)
    tokens = dict.fromkeys([*spoken, *(deed.token for deed in game.search.candidates(world))])
    lost = dict.fromkeys(tokens, 0.0)
    for _ in range(worlds):
        for token in lost:
            after, happened = game.play(world, match.judge(LEARNER, match.read(token)))
            lost[token] += game.search.playout(after, happened, pick).lost[LEARNER - 1] / worlds
        world = game.search.imagine(known, turn, pick)
    return lost


def main(arguments: list[str]) -> None:
    """Prints the figures of the games that are named, or of all."""
    worlds = int(arguments[0]) if arguments else WORLDS
    for key, game in games().items():
        if len(arguments) > 1 and key not in arguments[1:]:
            continue
        for exercise in positions(game):
            asked = exercise.match.question
            assert asked is not None
            print(f"{key}: {exercise.step.say[:70]}")
            found = losses(exercise, worlds)
            for token in sorted(found, key=lambda each: found[each]):
                mark = "*" if token in exercise.step.moves else " "
                print(f"  {mark} {100 * found[token]:5.1f} %  {typed(asked.act, token)}")


if __name__ == "__main__":
    main(sys.argv[1:])
