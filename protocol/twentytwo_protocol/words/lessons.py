"""Lessons: learning a game by playing it, one rule a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..schema import (
    Command,
    Event,
    Flag,
    Int,
    Moves,
    Str,
    Stream,
    Text,
    Token,
    command,
    event,
)
from ..vocabulary import DEFAULT_GAME

if TYPE_CHECKING:
    from ..voice import Voice

# ----------------------------------------------------------------------------- commands


@command("tables", short="learn", example="tutorial", cost=5, once=True, asks=True)
class Tutorial(Command):
    """Learn a game by playing it, one rule a step. Without a game it goes on where you were."""

    game: Annotated[Token | None, f"the game; default: your last lesson, or {DEFAULT_GAME}"] = None
    step: Annotated[Int | None, "the step to begin with; default: the one where you stopped"] = None


# ------------------------------------------------------------------------------- events


_NEXT = "Next: practice {}, a whole game. help play explains."


def _lesson(said: Lesson, voice: Voice) -> str:
    rule = f" (rule {said.rule})" if said.rule else ""
    head = "" if said.done else f"Step {said.step} of {said.steps}{rule}. "
    after = f"Type: {said.typed}" if said.typed else f"Lesson done. {_NEXT.format(said.game)}"
    return f"{head}{said.text}\n{after}"


@event("connection", say=_lesson)
class Lesson(Event):
    """The text of a lesson, on your turn and at the end of a deal. The event has no number."""

    on: Annotated[Stream, "the table"]
    game: Token
    step: Annotated[Int, "the step, or the last one if a deal is over"]
    steps: Annotated[Int, "number of steps in the lesson"]
    rule: Annotated[Token | None, "the section or ruling of docs/rules that the step is about"] = (
        None
    )
    moves: Annotated[Moves | None, "the moves that continue the lesson; absent in an exercise"] = (
        None
    )
    typed: Annotated[Str | None, "the line to type; several are separated by ' or '"] = None
    done: Annotated[Flag | None, "1: a deal is over; without typed= the whole lesson is over"] = (
        None
    )
    text: Text | None = None
