"""Playing on from a point of a finished game, against bots."""

from __future__ import annotations

import re

from twentytwo_protocol import record as records
from twentytwo_protocol.record import NotARecord, Record
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.practising import Finish, Whatif

from ...games import players
from ...games.game import Games
from ...records.replay import NotReplayable
from ...records.turning import choices
from ...table.opening import Taken
from ...table.table import Phase, Settings
from ..access import seat_played
from ..new_table import NewTable
from ..tables.room import Room
from .call import Call, Handlers
from .finding import GameFinder
from .records.shown_games import GameViews
from .seating.opening import TableOpening

_HAND_TRICK = re.compile(r"([0-9]{1,4})(?:\.([0-9]{1,4}))?")


async def what_if(
    call: Call,
    command: Whatif,
    games: Games,
    finder: GameFinder,
    views: GameViews,
    opening: TableOpening,
) -> None:
    """Opens a practice table at a decision of a finished game."""
    meant = await finder.meant(call, command.id, over=True)
    found = await finder.find_ended(call, meant, "That game is still being played.")
    try:
        record = records.read(found.record)
        taken = _taken(games, record, command, seat_played(call.me, found))
    except (NotARecord, NotReplayable) as wrong:
        raise views.untellable(found.game, wrong) from None
    game = games[record.game]
    rules = game.rules(record.rules, record.options)
    level = players.check(game, command.level or players.usual(game))
    settings = Settings(record.seats, record.rules, watch=False, practice=True, level=level)
    who = f"in seat {taken.seat}" if command.seat is None else f"as {record.name(taken.seat)}"
    text = f"{record.id} as it was in hand {taken.hand}, with you {who}. undo takes you back here."
    wanted = NewTable(game, rules, settings, taken=taken)
    await opening.practise(call, wanted, text=text)


def _taken(games: Games, record: Record, command: Whatif, mine: int | None) -> Taken:
    """The game up to the first decision of a seat after the named point.

    The seat is the one in the command, else the sender's (`mine`), else the first.
    """
    seat = command.seat or mine or 1
    if seat not in range(1, record.seats + 1):
        raise Refused("BAD_ARG", f"seat takes 1 to {record.seats} here.", arg="seat")
    point = _HAND_TRICK.fullmatch(command.at or "1")
    if point is None:
        raise Refused("BAD_ARG", "at takes HAND or HAND.TRICK, as in at=3.2.", arg="at")
    wanted = (int(point[1]), int(point[2] or 0))
    for each in choices(record, games, seat):
        if (each.hand, each.trick) >= wanted:
            before = record.moves[: each.move - 1]
            moves = tuple((made.seat, made.act, made.token) for made in before)
            return Taken(record.id, each.hand, seat, moves)
    who = "You" if seat == mine else f"Seat {seat}"
    raise Refused("BAD_ARG", f"{who} had no decision after that point.", arg="at")


def finish(call: Call, command: Finish) -> None:
    """Skips the rest of a game for somebody who is out: a person sees only the result.

    Bots that play alone finish it at once.
    """
    room = call.room(command.table)
    seat = room.seat_number(call.me)
    if seat is None:
        raise Refused("NOT_SEATED", f"You have no seat at {room.id}.")
    if room.table.phase is not Phase.PLAYING:
        raise Refused("NO_GAME", f"No game is running at {room.id}.")
    if not room.model(seat).at(seat).out:
        raise Refused("FORBIDDEN", "You are still in this game: finish is for players who are out.")
    text: str | None = "The others play on, and you are told the result. practice, seek or join tN?"
    if len(room.table.people) == 1:
        if isinstance(room, Room):  # the bots of another server keep their pace
            room.hurry()
        text = "The bots play on; the result follows." if call.people else None
    if call.people:
        call.session.skipped.add(room.id)
    call.ok(on=room.id, text=text)


HANDLERS: Handlers = {Whatif: what_if, Finish: finish}
