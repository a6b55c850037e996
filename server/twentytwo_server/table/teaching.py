"""Lessons at a table: what is said at the learner's turns, and which moves the lesson takes.

Where a lesson stands follows from the deal that the table was opened with and the number of the
turn; it is stored nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from twentytwo_protocol.cards import SUITS
from twentytwo_protocol.schema import Deed, Refused
from twentytwo_protocol.voice import plain_cards
from twentytwo_protocol.words import lessons as said

from ..games.lesson import LEARNER, Deal, Lesson, LessonStep
from .table import Table

AGAIN = "tutorial"
"""What is typed to go on with a lesson."""
ASK = "hint"
"""What is typed to be told the answer of an exercise."""
OR = " or "
NEW_LINE = "\n"
END = ".:!?"
"""What sentences end with; a list of moves does not, and what to type goes below it."""
LINE = 76
"""How many characters of a refusal and what to type go on one line, without what parts them."""


def lesson_of(table: Table) -> tuple[Lesson, Deal] | None:
    """The lesson that is given at a table and the deal of it, or None."""
    lesson, number = table.game.lesson, table.settings.lesson
    if not number or lesson is None or number > len(lesson.deals):
        return None
    return lesson, lesson.deals[number - 1]


def turn_of(table: Table) -> int:
    """The number of the turn that a lesson is at; one more than there are when the deal is over."""
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
    """The move that a bot is to make now, or None: nobody's, the lesson is over or has none."""
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
    """The number of the step that comes next in the lesson; 0 where there is none any more."""
    found = lesson_of(table)
    if found is None:
        return 0
    lesson, deal = found
    turn = turn_of(table)
    before = lesson.before(table.settings.lesson)
    step = before + 1 + len([place for place in deal.places() if place < turn])
    return step if step <= lesson.steps else 0


def typed(act: str, token: str) -> str:
    """What a person types for a move: `exchange 6 10`, `3 3`, `bid 2`, `pass`."""
    words = plain_cards(token.split("+"))
    return words if act in ("play", "declare") or token == "pass" else f"{act} {words}"


def ways(table: Table, step: LessonStep) -> str:
    """What to type at a step: all moves that go on."""
    assert table.match is not None and table.match.question is not None
    act = table.match.question.act
    return OR.join(typed(act, token) for token in step.moves)


def now(table: Table) -> said.Lesson | None:
    """What the lesson says at this moment; None while a bot is on turn, and without a lesson."""
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
            typed=None if last else AGAIN,
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
        ASK if step.answer else ways(table, step),
        text=step.say,
    )


def reminded(table: Table, text: str) -> str:
    """A text with what to type, on a line of its own where one does not hold both."""
    step = step_of(table)
    if "Type: " in text or not (step or next_line(table)):
        return text
    wanted = f"Type: {AGAIN if step is None else ASK if step.answer else ways(table, step)}"
    return _together(text, wanted)


_OTHER_ADVICE = re.compile(
    r", for example\b[^.]*(?=\.$)| (?:Type|Play|Lead|You may lead|Bid|Pass)\b[^.!?]*\.$"
)
"""The end of a refusal that names moves; the lesson names one."""


def corrected(table: Table, refusal: str) -> str:
    """A refusal with what to type instead, and no other advice."""
    if reminded(table, "") == "":
        return refusal
    return reminded(table, _OTHER_ADVICE.sub("", refusal))


def next_line(table: Table) -> str:
    """What goes on with the lesson at another table, since this one has no step now; or empty."""
    if not reached(table) or step_of(table) is not None:
        return ""
    seat = table.on_turn
    waits_for_bot = seat is not None and seat.played_by_bot and not is_over(table)
    return "" if waits_for_bot else AGAIN


def suggests(table: Table, word: str) -> bool:
    """True if a command is what the lesson has told the learner to type."""
    said = now(table)
    return said is not None and said.typed == word


def _together(refusal: str, wanted: str) -> str:
    fits = refusal[-1:] in END and len(refusal) + len(wanted) <= LINE
    return f"{refusal}{' ' if fits else NEW_LINE}{wanted}" if refusal else wanted


def answer(table: Table, step: LessonStep) -> str:
    """What a hint says in a lesson: why, and what to type.

    Where the step has told the move, it says why no other is as good.
    """
    why = step.answer or _why_no_other(table, step) or step.say
    return f"{why}\nType: {ways(table, step)}"


def _why_no_other(table: Table, step: LessonStep) -> str:
    assert table.match is not None and table.match.question is not None
    act = table.match.question.act
    named = {"-": "keep", "else": "Anything else"}
    return " ".join(
        f"{named.get(token) or typed(act, token)}? {why}" for token, why in step.wrong.items()
    )


def check_not_over(table: Table) -> None:
    """Raises `Refused` for any move in a game that goes on behind the last step of a lesson."""
    if not is_over(table):
        return
    text = f"The exercise is over. practice {table.game.key} plays a whole game."
    if reached(table):
        text = reminded(table, "The exercise is over.")
    raise Refused("FORBIDDEN", text)


def check(table: Table, seat: int, lawful: Deed) -> None:
    """Raises `Refused` for a lawful move that the lesson does not go on with."""
    if lesson_of(table) is None or seat != LEARNER:
        return
    step = step_of(table)
    if step is None:
        raise Refused("FORBIDDEN", reminded(table, "The lesson waits elsewhere."))
    if any(_same(lawful.token, token) for token in step.moves):
        return
    why = next((text for token, text in step.wrong.items() if _same(lawful.token, token)), None)
    why = why or step.wrong.get("else", "Lawful, but not what this step is about.")
    raise Refused("FORBIDDEN", _together(why, f"Type: {ways(table, step)}"))


def _same(made: str, wanted: str) -> bool:
    """True if a lawful move is the wanted one; in either, cards may be named without their suits.

    A rank alone is lawful only where it can mean one card.
    """
    cards, others = made.split("+"), wanted.split("+")
    if _without_suits(cards) == cards or _without_suits(others) == others:
        cards, others = _without_suits(cards), _without_suits(others)
    return sorted(cards) == sorted(others)


def _without_suits(cards: Sequence[str]) -> list[str]:
    return [card[:-1] if len(card) > 1 and card[-1] in SUITS else card for card in cards]
