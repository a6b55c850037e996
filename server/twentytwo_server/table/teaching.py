"""Lessons at a table: their texts at the learner's turns, and the moves that they accept.

The position in a lesson follows from the deal that the table was opened with and the number of the
turn; it is not stored.
"""

from __future__ import annotations

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import lessons as said

from ..games.lesson import LEARNER, Deal, Lesson, LessonStep
from .guiding import Guide, typed, ways, with_advice
from .table import Table

TUTORIAL = "tutorial"
"""The command that continues a lesson."""
ASK = "hint"
"""The command that shows the answer of an exercise."""


def lesson_of(table: Table) -> tuple[Lesson, Deal] | None:
    """The lesson at a table and the current deal of it, or None."""
    lesson, number = table.game.lesson, table.settings.lesson
    if not number or lesson is None or number > len(lesson.deals):
        return None
    return lesson, lesson.deals[number - 1]


def guide(table: Table) -> Guide | None:
    """The guide of the lesson at a table, or None."""
    found = lesson_of(table)
    return Guide(found[1].turns, table.guided) if found is not None else None


def turn_of(table: Table) -> int:
    """The number of the current turn in a lesson; after the deal, one above the last."""
    found, match = lesson_of(table), table.match
    if found is None or match is None:
        return 0
    ended = match.over and match.turn >= len(found[1].turns)
    return match.turn + 1 if ended else match.turn


def _entry(table: Table) -> LessonStep | str | None:
    found = lesson_of(table)
    turns = found[1].turns if found is not None else ()
    turn = turn_of(table)
    return turns[turn - 1] if 0 < turn <= len(turns) else None


def scripted(table: Table) -> str | None:
    """The scripted move for a bot now, or None if the lesson is over or has no such move."""
    match _entry(table):
        case LessonStep(moves=moves):
            return moves[0]
        case move:
            return move


def step_of(table: Table) -> LessonStep | None:
    """The step that waits for the learner's move, or None."""
    entry = _entry(table)
    seat = table.on_turn
    return entry if isinstance(entry, LessonStep) and seat and seat.number == LEARNER else None


def is_over(table: Table) -> bool:
    """True if the deal of a lesson has been played to its end."""
    found = lesson_of(table)
    return found is not None and turn_of(table) > len(found[1].turns)


def reached(table: Table) -> int:
    """The number of the next step in the lesson; 0 if there is none."""
    found = lesson_of(table)
    if found is None:
        return 0
    lesson, deal = found
    turn = turn_of(table)
    before = lesson.before(table.settings.lesson)
    step = before + 1 + len([at for at in deal.learner_turns() if at < turn])
    return step if step <= lesson.steps else 0


def asked_act(table: Table) -> str:
    """The act required at a step."""
    assert table.match is not None and table.match.question is not None
    return table.match.question.act


def now(table: Table) -> said.Lesson | None:
    """The lesson's current text; None while a bot is on turn, and without a lesson."""
    found = lesson_of(table)
    if found is None or table.match is None:
        return None
    lesson, deal = found
    number = lesson.before(table.settings.lesson)
    if is_over(table):
        last = table.settings.lesson == len(lesson.deals)
        return said.Lesson(
            table.id,
            table.game.key,
            number + deal.steps,
            lesson.steps,
            typed=None if last else TUTORIAL,
            done=True,
            text=deal.over,
        )
    step = step_of(table)
    if step is None:
        return None
    return said.Lesson(
        table.id,
        table.game.key,
        reached(table),
        lesson.steps,
        step.rule,
        None if step.answer else step.moves,
        ASK if step.answer else ways(asked_act(table), step),
        text=step.say,
    )


def reminded(table: Table, text: str) -> str:
    """A text followed by the command to type, on a line of its own if one line is too short."""
    step = step_of(table)
    if "Type: " in text or not (step or next_line(table)):
        return text
    typed = ASK if step and step.answer else ways(asked_act(table), step) if step else TUTORIAL
    wanted = f"Type: {typed}"
    return with_advice(text, wanted)


def corrected(table: Table, refused: Refused) -> Refused:
    """The refusal with what the lesson wants typed, in place of all other advice."""
    if reminded(table, "") == "":
        return refused
    return Refused(refused.code, reminded(table, refused.why), **refused.fields)


def next_line(table: Table) -> str:
    """The command that continues the lesson at another table, if this one has no step; or empty."""
    if not reached(table) or step_of(table) is not None:
        return ""
    seat = table.on_turn
    waits_for_bot = seat is not None and seat.played_by_bot and not is_over(table)
    return "" if waits_for_bot else TUTORIAL


def suggests(table: Table, word: str) -> bool:
    """True if the lesson has told the learner to type this command."""
    said = now(table)
    return said is not None and said.typed == word


def answer(table: Table, step: LessonStep) -> str:
    """The text of a hint in a lesson: the reason, and the command to type.

    If the step has named the move, the hint explains why no other move is as good.
    """
    why = step.answer or _why_no_other(table, step) or step.say
    return f"{why}\nType: {ways(asked_act(table), step)}"


def _why_no_other(table: Table, step: LessonStep) -> str:
    act = asked_act(table)
    named = {"-": "keep", "else": "Anything else"}
    return " ".join(
        f"{named.get(token) or typed(act, token)}? {why}" for token, why in step.wrong.items()
    )


def check(table: Table, seat: int) -> None:
    """Raises `Refused` if the seat's turn comes after the end of the lesson and needs no answer."""
    if lesson_of(table) is None:
        return
    if is_over(table):
        text = f"The exercise is over. practice {table.game.key} plays a whole game."
        if reached(table):
            text = reminded(table, "The exercise is over.")
        raise Refused("FORBIDDEN", text)
    asked = table.on_turn
    if seat == LEARNER and asked and asked.number == LEARNER and step_of(table) is None:
        raise Refused("FORBIDDEN", reminded(table, "The lesson waits elsewhere."))
