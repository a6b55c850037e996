"""Replays a record by the rules of its game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from twentytwo_protocol.record import Record, RecordedMove
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value

from ..games.game import AnyGame, Game, Illegal, deed_of
from ..games.options import BadOption

S = TypeVar("S")
R = TypeVar("R")


class NotReplayable(ValueError):
    """A record breaks the rules of its game, in move number `move` (0: in the header)."""

    def __init__(self, why: str, move: int = 0) -> None:
        super().__init__(f"move {move}: {why}" if move else why)
        self.move = move


class Replay(Value):
    """A replayed game: its state at the end of the record, and all its events."""

    game: AnyGame
    state: object
    events: tuple[Event, ...]


def replay(record: Record, games: Mapping[str, AnyGame]) -> Replay:
    """Plays all moves of a record. Raises `NotReplayable`."""
    game = games.get(record.game)
    if game is None:
        raise NotReplayable(f"there is no game {record.game}")
    state, events = begun(record, game), []
    for number, made in enumerate(record.moves, 1):
        state, happened = _step(game, state, made, number)
        events += happened
    return Replay(game, state, tuple(events))


def begun(record: Record, game: Game[S, R]) -> S:
    """The state before the first move of a record. Raises `NotReplayable`."""
    if record.version != game.version:
        raise NotReplayable(
            f"it was played by version {record.version} of {game.title}, this is {game.version}"
        )
    try:
        return game.new(game.rules(record.rules, record.options), record.seats)
    except BadOption as wrong:
        raise NotReplayable(wrong.text) from None


def _step(game: Game[S, R], state: S, made: RecordedMove, number: int) -> tuple[S, list[Event]]:
    check_turn(made, game.turn(state), number)
    try:
        return game.play(state, deed_of(game, made.seat, made.act, made.token))
    except (Illegal, ValueError) as wrong:
        raise refused(made, wrong, number) from None


def check_turn(made: RecordedMove, turn: int | None, number: int) -> None:
    """Raises `NotReplayable` unless it was the turn of the seat that made the move."""
    if turn != made.seat:
        raise NotReplayable(f"it is {_whose(turn)} turn, not {_whose(made.seat)}", number)


def refused(made: RecordedMove, wrong: Exception, number: int) -> NotReplayable:
    """The error for a move that breaks the rules of the game."""
    return NotReplayable(f"{_move(made)}: {wrong}", number)


def _whose(seat: int | None) -> str:
    if seat is None:
        return "nobody's"
    return f"seat {seat}'s" if seat else "the house's"


def _move(made: RecordedMove) -> str:
    return f"{made.act} {made.token}" if len(made.token) < 40 else made.act
