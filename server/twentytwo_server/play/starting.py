"""Getting ready, and how a game begins."""

from __future__ import annotations

from dataclasses import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Game_, Vote
from twentytwo_protocol.words.seating import Ready_, Swapped

from ..games.options import BadOption
from . import match as matches
from .decision import Decision
from .playing import happen
from .table import Phase, Seat


def ready(d: Decision, _: words.Ready) -> None:
    """Somebody is ready; after a game, it is their yes to a rematch."""
    if d.table.phase is Phase.OVER:
        return rematch(d, words.Rematch())
    _set_ready(d, d.mine(), True)
    return None


def unready(d: Decision, _: words.Unready) -> None:
    """Somebody is not ready after all."""
    _set_ready(d, d.mine(), False)


def _set_ready(d: Decision, seat: Seat, value: bool) -> None:
    d.seat(replace(seat, ready=value))
    d.tell(Ready_(seat.number, value))


def rematch(d: Decision, _: words.Rematch) -> None:
    """Somebody wants another game; it begins when everybody does."""
    seat = d.mine()
    if d.table.phase is Phase.OPEN:
        raise Refused("NO_GAME", "There has been no game yet; ready and start begin one.")
    if not seat.ready:
        _set_ready(d, seat, True)
    people = d.table.people
    yes = sum(seat.ready for seat in people)
    if yes < len(people):
        d.tell(Vote(d.who.name, "rematch", yes, 0, len(people)))
        return
    begin(d)


def start(d: Decision, _: words.Start) -> None:
    """The host starts the game; whoever starts is ready."""
    waiting = [s.name for s in d.table.people if not s.ready and s.name != d.who.name]
    if waiting:
        raise Refused("NOT_READY", f"Not ready yet: {', '.join(waiting)}.")
    begin(d)


def begin(d: Decision) -> None:
    """A game begins. Raises `Refused` where so few or so many cannot play."""
    table = d.table
    players = table.game.players(table.rules)
    if len(table.seats) < players.start:
        raise Refused(
            "NOT_ENOUGH_PLAYERS",
            f"{table.game.title} needs at least {players.start} players; addbot seats a bot.",
        )
    _close_gaps(d)
    table = d.table
    house = d.now.house(d.now.game)
    try:
        match, events = matches.begin(
            table.game,
            table.rules,
            d.now.game,
            len(table.seats),
            table.settings.clock,
            d.now.at,
            house,
        )
    except BadOption as wrong:
        raise Refused("BAD_ARG", wrong.text, arg=wrong.option) from None
    d.change(
        match=match,
        phase=Phase.PLAYING,
        votes=frozenset(),
        seats=tuple(replace(seat, ready=bool(seat.level), late=0) for seat in table.seats),
    )
    d.tell(
        Game_(
            table.game.key,
            match.id,
            len(table.seats),
            table.digest,
            table.game.target(table.rules),
            max(table.game.totals(match.state)) or None,
        )
    )
    happen(d, match, events)


def _close_gaps(d: Decision) -> None:
    for number, seat in enumerate(d.table.seats, 1):
        if seat.number != number:
            d.empty(seat)
            d.seat(replace(seat, number=number))
            d.tell(Swapped(number, seat.name, seat.number, bool(seat.level) or seat.program))
