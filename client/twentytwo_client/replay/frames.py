"""A game as frames: the view of the table after each play.

The frames are folded from the events by the protocol's models. So code that shows them needs no
rules, and the view of a seat contains only what that seat knew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from twentytwo_protocol.cards import Card
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Bid_,
    Contract,
    Exchanged,
    Game_,
    Gameover,
    Handover,
    Played,
    Shown,
    Took,
    Turn,
)

from ..core.streams import asked, told_again
from ..display.look import Look, Suits
from ..display.typed_cards import held
from .playback import Perspective

_ENDS = (Turn, Bid_, Exchanged, Shown, Took, Handover, Gameover, Aborted)
"""The events that complete a frame."""

LOOK = Look(Suits.SIGNS, unicode=True)

Eyes = int | None
"""A point of view: a seat, 0 for a spectator, or None for all cards."""


class SeatPicture(Value):
    """A seat: its cards left, score, tricks, bid, and whether it is on turn."""

    name: str
    cards: int
    total: int
    tricks: int
    out: bool
    bid: str
    moves: bool


class Frame(Value):
    """A frame: the hand and trick, 0 before the first, and the seats, seat 1 first.

    `plays` are the cards on the table. `takes` is the seat that took them, 0 if none. `turn` is the
    number of the answered question. `hands` and `told` are by point of view: the visible hands by
    seat, and the text.
    """

    hand: int
    trick: int
    turn: int
    seats: tuple[SeatPicture, ...]
    plays: tuple[tuple[int, tuple[Card, ...]], ...]
    takes: int
    hands: dict[int, tuple[Card, ...]]
    told: dict[Eyes, tuple[str, ...]]


def frames(events: Sequence[Event], eyes: Sequence[Eyes]) -> Iterator[Frame]:
    """The frames of a game, for these points of view. Raises `ValueError` without a game."""
    game = next((event for event in events if isinstance(event, Game_)), None)
    if game is None:
        raise ValueError("no game begins there")
    models = {seat: TableModel(game.id, seat or None) for seat in range(game.players + 1)}
    voices = {
        whose: Perspective(LOOK, lambda: None, whose or None, opened=whose is None)
        for whose in eyes
    }
    told: dict[Eyes, list[str]] = {whose: [] for whose in eyes}
    answered = 0
    for event in events:
        for seat, model in models.items():
            model.see(told_again(redact(event, seat or None)), model.seq + 1)
        for whose, voice in voices.items():
            text = voice.message(voice.sees(event), models[whose or 0])
            told[whose] += [text] if text else []
        if isinstance(event, _ENDS):
            if any(told.values()):
                lines = {whose: tuple(said) for whose, said in told.items()}
                yield _picture(models, eyes, event, answered, lines)
                told = {whose: [] for whose in eyes}
            if isinstance(event, Turn):
                answered = event.turn
            elif isinstance(event, Took | Handover):
                answered = 0


def _picture(
    models: dict[int, TableModel],
    eyes: Sequence[Eyes],
    event: Event,
    turn: int,
    told: dict[Eyes, tuple[str, ...]],
) -> Frame:
    table = models[0]
    whose = asked(table)
    bids = {each.seat: each.bid for each in table.standing if isinstance(each, Bid_ | Contract)}
    seats = tuple(
        SeatPicture(
            seat.name,
            seat.cards,
            seat.total,
            seat.tricks,
            seat.out,
            str(bids.get(number, "")),
            whose is not None and whose.seat == number,
        )
        for number, seat in sorted(table.seats.items())
    )
    return Frame(
        table.hand.no if table.hand else 0,
        table.trick or 0,
        turn,
        seats,
        tuple((each.seat, each.cards) for each in table.standing if isinstance(each, Played)),
        next((each.seat for each in table.standing if isinstance(each, Took)), 0),
        {
            seat: held(model)
            for seat, model in models.items()
            if seat and (None in eyes or seat in eyes) and not isinstance(event, Gameover)
        },
        told,
    )
