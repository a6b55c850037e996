"""The command `review`: the cost of the moves of a game.

A program waits for the rows of the review. A person can go on meanwhile, because a clock may be
running, and reads the review when it is done.
"""

from __future__ import annotations

from collections.abc import Sequence

from twisted.internet.defer import CancelledError

from twentytwo_protocol.schema import Refused, Row
from twentytwo_protocol.voice import plural
from twentytwo_protocol.words import reviewing as words
from twentytwo_protocol.words.connection import Note

from ...facts import GameEnded
from ...review.jobs import Summary
from ..access import seat_played
from ..faults import Faults
from ..reviews import Reviews
from .call import Call, Handlers
from .finding import GameFinder

TOLD = 4
"""Maximum number of progress messages for a person."""


async def review(
    call: Call, command: words.Review, finder: GameFinder, reviews: Reviews, faults: Faults
) -> None:
    """Reviews a finished game."""
    id = await finder.meant(call, command.id, over=True)
    game = await finder.find_ended(call, id, "There is a review when the game is over.")
    mine = seat_played(call.me, game)
    seats = _seats(command.seat, mine, len(game.seats))
    reviews.check(call.link().network)
    if not call.people:
        await reviews.tasks.run(call.session, _for_program(call, reviews, game, seats, mine))
        return
    begins = f"Reviewing {game.game}; it takes some seconds, and you can go on meanwhile."
    call.ok(on=game.game, text=begins)
    reviews.tasks.run(call.session, _for_person(call, reviews, faults, game, seats, mine))


def _seats(asked: int | None, mine: int | None, count: int) -> tuple[int, ...]:
    """The seats to review; empty for the people's seats, else all. Raises `Refused`."""
    if asked is None:
        return (mine,) if mine else ()
    if asked not in range(count + 1):
        raise Refused("BAD_ARG", f"seat takes 0 to {count} here.", arg="seat")
    return (asked,) if asked else tuple(range(1, count + 1))


async def _for_program(
    call: Call, reviews: Reviews, game: GameEnded, seats: tuple[int, ...], you: int | None
) -> None:
    def told(hand: int, of: int) -> None:
        if of:
            call.session.notice(Note("REVIEWING", text=f"{game.game}: hand {hand} of {of}"))

    made = reviews.make(game, seats, you, call.link().network, told)
    found = await made
    rows = _rows(found)
    marked = f"{len(found.marked)} marked" if found.marked else "no fault found"
    text = f"{plural(found.judged, 'move')} judged, {marked}."
    call.ok(*rows, on=game.game, n=len(rows), text=text)


def _rows(found: Summary) -> Sequence[Row]:
    """A review as rows."""
    marked = [
        words.Marked(
            each.decision.move,
            each.decision.turn.turn,
            each.decision.hand,
            each.decision.trick,
            each.decision.seat,
            each.decision.turn.act,
            each.decision.played,
            each.best,
            each.mark.word,
            round(100 * each.cost),
            round(100 * each.risk),
            round(100 * each.win),
            each.worlds,
            why,
        )
        for each, why in found.marked
    ]
    chances = [
        words.Chances(point.hand, tuple(round(100 * chance) for chance in point.chances))
        for point in found.curve
    ]
    luck = [
        words.Luck(
            each.seat, each.hands, each.lost, round(100 * each.expected), round(100 * each.share)
        )
        for each in found.luck
    ]
    return [*marked, *chances, *luck]


async def _for_person(
    call: Call,
    reviews: Reviews,
    faults: Faults,
    game: GameEnded,
    seats: tuple[int, ...],
    you: int | None,
) -> None:
    session, quarter = call.session, 0

    def told(hand: int, of: int) -> None:
        nonlocal quarter
        if of and TOLD * (hand - 1) // of > quarter:
            quarter = TOLD * (hand - 1) // of
            session.tell(f"* Reviewing {game.game}: hand {hand} of {of}.")

    try:
        found = await reviews.make(game, seats, you, call.link().network, told)
        session.tell("\n".join(found.lines))
    except CancelledError:
        return  # the connection is gone
    except Refused as wrong:
        session.tell(f"* No review of {game.game}: {wrong.text}")
    except Exception:
        ref = faults.log(f"reviewing {game.game}")
        session.tell(f"* No review of {game.game}: of an error in the server; quote {ref}.")


HANDLERS: Handlers = {words.Review: review}
