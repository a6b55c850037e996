"""A review as lines of text for people: ASCII, in whole sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from textwrap import wrap

from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.voice import listed, plain_cards, plural

from ..games.phrases import doing
from .judging import Judged, Mark
from .luck import Luck
from .review import Review
from .sentences import holding, why

WIDTH = 76
"""Maximum line width in columns; common terminals have 80."""
NAME_WIDTH = 14
"""Width of a name in columns, before its figures."""
A_ROW = 12
"""Number of hands in a row of the curve."""
EVEN = 0.5
"""Difference from the mean, in hands, up to which luck and play are called even."""

_PLURALS = {
    Mark.BLUNDER: "blunders",
    Mark.MISTAKE: "mistakes",
    Mark.INACCURACY: "inaccuracies",
}


def report(review: Review, you: int | None = None) -> list[str]:
    """The lines of the report. `you` is the reader's seat, if they played."""
    return [line for part in _parts(review, you) for line in _wrapped(part)]


def _wrapped(line: str) -> list[str]:
    """Wraps a line, keeping its indentation, and keeping a figure together with its %."""
    indent = " " * (len(line) - len(line.lstrip()))
    whole = line.replace(" %", "\0%")
    cut = wrap(whole, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return [each.replace("\0", " ") for each in cut]


def _parts(review: Review, you: int | None) -> Iterator[str]:
    record = review.played.record
    title = f"{vocabulary(record.game).title} ({record.rules})"
    id = f" of {record.id}" if record.id else ""
    yield f"Review{id}: {title}, {plural(len(review.played.hands), 'hand')}."
    for seat in review.reviewed:
        yield ""
        yield from _seat(review, seat, _name(review, seat, you))
    if review.unjudged:
        yield f"The first {plural(review.unjudged, 'move')} of this long game were not judged."
    yield ""
    yield "Chance to win the game in percent, at first and after each hand:"
    yield from _curve(review, you)
    yield ""
    if not any(luck.hands for luck in review.luck):
        yield "Luck of the deal: no hand was played to its end."
        return
    yield "Luck of the deal, from the same deals played again by average players:"
    for luck in review.luck:
        yield f"  {_name(review, luck.seat, you)}: {_luck(luck)}"


def _name(review: Review, seat: int, you: int | None) -> str:
    if seat == you:
        return "You"
    name = review.played.record.name(seat)
    same = [*review.played.record.names.values()].count(name) > 1
    return f"{name} ({seat})" if same else name


# ----------------------------------------------------------------------------- the moves


def _seat(review: Review, seat: int, name: str) -> Iterator[str]:
    mine = [each for each in review.moves if each.decision.seat == seat]
    if not mine:
        yield f"{name}: no move to judge."
        return
    marks = Counter(each.mark for each in mine)
    counted = [
        f"1 {mark.word}" if marks[mark] == 1 else f"{marks[mark]} {several}"
        for mark, several in _PLURALS.items()
        if marks[mark]
    ]
    yield f"{name}: {plural(len(mine), 'move')} judged, {listed(counted) or 'no fault found'}."
    for number, each in enumerate(review.dearest(seat), 1):
        yield from _dearest(number, each, review)


def _dearest(number: int, judged: Judged, review: Review) -> Iterator[str]:
    decision = judged.decision
    trick = f", trick {decision.trick}" if decision.trick else ""
    cards = holding(judged)
    held = f", holding {cards}" if cards else ""
    beat = decision.turn.beat
    best = vocabulary(review.played.record.game).best
    against = f", {best} {plain_cards(beat)}" if beat else ""
    made = doing(decision.turn, judged.played)
    yield f"  {number}. Hand {decision.hand}{trick}{held}{against}: {made}."
    search = review.played.game.search
    assert search is not None
    yield f"     {judged.mark.word.capitalize()}. Better: {doing(decision.turn, judged.best)}."
    yield f"     {why(judged, search.stake.lose)}"


# ----------------------------------------------------------------------------- the curve


def _curve(review: Review, you: int | None) -> Iterator[str]:
    shown = review.hand_ends()
    for first in range(0, len(shown), A_ROW):
        row = shown[first : first + A_ROW]
        yield f"  {'hand':<{NAME_WIDTH}}" + "".join(f"{point.hand or 'start':>5}" for point in row)
        for seat in range(1, review.played.record.seats + 1):
            figures = (f"{round(100 * point.chances[seat - 1]):5}" for point in row)
            yield f"  {_name(review, seat, you)[:NAME_WIDTH]:<{NAME_WIDTH}}" + "".join(figures)


# ------------------------------------------------------------------------------ the luck


def _luck(luck: Luck) -> str:
    cards = _compared(luck.share - luck.expected, "good cards", "bad cards", "even cards")
    played = _compared(luck.expected - luck.lost, "better than", "worse than", "about as well as")
    return (
        f"{cards}, with which an average player loses {luck.expected:.1f} of "
        f"{plural(luck.hands, 'hand')} ({luck.share:.1f} is even); "
        f"lost {luck.lost}, {played} average."
    )


def _compared(by: float, more: str, less: str, even: str) -> str:
    if abs(by) < EVEN:
        return even
    return more if by > 0 else less
