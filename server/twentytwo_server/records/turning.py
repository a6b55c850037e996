"""Where a player of a game that is over could have turned another way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from twentytwo_protocol.record import Record
from twentytwo_protocol.words.cardplay import Handover, Took

from ..games.game import HOUSE, AnyGame, Moves, deed_of
from .replay import NotReplayable, begun, check_turn


def decisions(
    record: Record, games: Mapping[str, AnyGame], seat: int
) -> Iterator[tuple[int, int, int]]:
    """Where a seat had a choice: the number of the moves before it, the hand, and the trick.

    Hands and tricks count from 1, a trick within its hand. Raises `NotReplayable`.
    """
    game = games.get(record.game)
    if game is None:
        raise NotReplayable(f"there is no game {record.game}")
    state, hand, trick = begun(record, game), 1, 1
    for number, made in enumerate(record.moves):
        check_turn(made, game.turn(state), number + 1)
        if made.seat == seat != HOUSE and _is_choice(game.moves(state)):
            yield number, hand, trick
        state, events = game.play(state, deed_of(game, made.seat, made.act, made.token))
        for event in events:
            if isinstance(event, Handover):
                hand, trick = hand + 1, 1
            trick += isinstance(event, Took)


def _is_choice(moves: Moves) -> bool:
    return moves.subset or len(moves) > 1
