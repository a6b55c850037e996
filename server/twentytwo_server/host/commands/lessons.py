"""Lessons: opening the next deal of a lesson at a table of its own."""

from __future__ import annotations

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words import lessons as words

from ...games import players
from ...games.game import AnyGame, Games
from ...games.lesson import LEARNER, Lesson
from ...table import guiding, teaching
from ...table.table import Phase, Settings
from ..lessons import Lessons
from ..new_table import NewTable
from ..tables.rooms import AnyRoom, Rooms
from .call import Call, Handlers
from .games import game_of, rules_of
from .seating.opening import TableOpening


async def tutorial(
    call: Call,
    command: words.Tutorial,
    games: Games,
    rooms: Rooms,
    lessons: Lessons,
    opening: TableOpening,
) -> None:
    """Opens the next deal of a lesson, or repeats the current step of a running one."""
    room = _running(call, rooms)
    game = (
        room.table.game
        if room is not None and not command.game
        else _wanted(call, games, command.game)
    )
    lesson = game.lesson
    if lesson is None:
        taught = ", ".join(key for key, each in games.items() if each.lesson is not None)
        text = f"There is no lesson of {game.title} yet; help {game.key} explains it. "
        raise Refused("UNSUPPORTED", f"{text}Lessons: {taught}.", arg="game")
    if room is not None and room.table.game is game and command.step is None and _goes_on(room):
        call.go_to(room)
        call.ok(on=room.id, seat=LEARNER, talk=room.kibitz.name)
        lessons.teach(room)
        return
    await _open(call, opening, game, lesson, command.step or call.me.lessons.get(game.key) or 1)


def _goes_on(room: AnyRoom) -> bool:
    """True if the deal waits for a bot, or for the learner's answer to a step."""
    seat = room.table.on_turn
    if room.table.phase is not Phase.PLAYING or teaching.is_over(room.table):
        return False
    return seat is None or seat.number != LEARNER or teaching.step_of(room.table) is not None


def _running(call: Call, rooms: Rooms) -> AnyRoom | None:
    """The table where the person has a lesson."""
    mine = rooms.of(call.me)
    return next((room for room in mine if room.table.kind.taught), None)


def _wanted(call: Call, games: Games, key: str | None) -> AnyGame:
    """The game with that key; without a key the game of the lesson begun last."""
    begun = [each for each, step in call.me.lessons.items() if step and each in games]
    return game_of(games, key or (begun or [DEFAULT_GAME])[-1])


async def _open(
    call: Call, opening: TableOpening, game: AnyGame, lesson: Lesson, step: int
) -> None:
    try:
        number, turn = lesson.find(step)
    except KeyError:
        text = f"The steps of this lesson are 1 to {lesson.steps}."
        raise Refused("BAD_ARG", text, arg="step") from None
    deal, preset = lesson.deals[number - 1], next(iter(game.presets))
    settings = Settings(
        deal.bots + 1,
        preset,
        watch=False,
        practice=True,
        level=players.usual(game),
        seed=deal.seed,
        lesson=number,
        counting=False,  # played cards are not explained yet
    )
    wanted = NewTable(
        game,
        rules_of(game, preset, dict(deal.options)),
        settings,
        most_hands=1,
        guided=guiding.DEFAULT if call.in_words else guiding.MOVES,
        played=deal.played(turn if turn > min(deal.learner_turns()) else deal.begun + 1),
    )
    await opening.practise(call, wanted, text=deal.about)


HANDLERS: Handlers = {words.Tutorial: tutorial}
