"""Orders during a game: moves, timeouts, pauses, aborts, resignations."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from twentytwo_protocol.schema import Deed, Event, Refused
from twentytwo_protocol.words import cardplay as said
from twentytwo_protocol.words.cardplay import Gameover, Paused, Result, Timeout, Unpaused, Vote
from twentytwo_protocol.words.seating import Presence

from ..games.game import HOUSE
from . import rated, teaching
from .decision import Decision
from .effects import Fault, TurnOver
from .match import Match, Step, marked
from .table import Phase, Seat

LATE = 2
"""Number of consecutive turns played by the clock after which a bot plays the seat."""


# ------------------------------------------------------------------------------ the moves


def move(d: Decision, order: said.Move) -> None:
    """Plays a move given by its token."""
    match = running(d)
    _play(d, match, match.read(order.token), order.turn)


def deed(d: Decision, order: Deed) -> None:
    """Plays a move given in its readable form, such as `play` with cards."""
    _play(d, running(d), order, None, spelled=False)


def _play(
    d: Decision, match: Match, wanted: Deed, turn: int | None, *, spelled: bool = True
) -> None:
    seat = d.own_seat()
    if d.table.paused:
        raise Refused("PAUSED", "The game is paused; unpause goes on.")
    if d.who.standin and not seat.standin:
        raise Refused("FORBIDDEN", f"{seat.name} is back.")
    if d.table.kind.taught:
        teaching.check(d.table, seat.number)
    wanted = wanted if spelled else match.deed(wanted)
    match.check(seat.number, wanted, turn, d.table.name_of)
    carry_out(d, seat, match, wanted, auto=d.who.standin)


def carry_out(d: Decision, seat: Seat, match: Match, deed: Deed, *, auto: bool) -> None:
    """Plays the answer of a seat to the open question; `auto`: its owner did not give it.

    Raises `Refused` if the rules of the game forbid the deed.
    """
    after, events = match.play(deed, d.now.at, d.house)
    d.keep(seat.number, deed, auto=auto)
    if d.table.kind.practice:
        d.remember(match.step(deed, events))
    if auto:
        events = marked(events)
    elif seat.standin:
        # The owner plays again, and the stand-in stops.
        events[1:1] = [Presence(seat.number, True)]
    if not auto and (seat.late or seat.standin):
        d.put_seat(replace(seat, late=0, standin=False))
    d.table = replace(d.table, match=after)  # for every move: a third of the time of `change`
    happen(d, after, events)


def happen(d: Decision, match: Match, events: list[Event]) -> None:
    """Records the shuffles of a step, sends its events, then asks the next question or ends the
    game.

    The seed is revealed directly before the events that end the game.
    """
    for shuffle in match.house:
        d.keep(HOUSE, shuffle)
        if d.table.kind.practice:
            d.remember(Step(HOUSE, shuffle))
    if match.question is not None:
        d.told += events
        d.ask()
        return
    kinds = list(map(type, events))
    ends = min(kinds.index(kind) if kind in kinds else len(kinds) for kind in (Result, Gameover))
    d.tell(*events[:ends])
    d.reveal()
    for happened in events[ends:]:
        d.tell(_tally(d, happened) if isinstance(happened, Result) else happened)
    d.finish()


def _tally(d: Decision, result: Result) -> Result:
    """The result with `won`: the games won at this table so far, including this one."""
    seat = d.table.at(result.seat)
    assert seat is not None
    wins = dict(d.table.wins)
    if result.place == 1:
        wins[seat.name] = wins.get(seat.name, 0) + 1
        d.change(wins=tuple(wins.items()))
    return replace(result, wins=wins.get(seat.name, 0))


def turn_over(d: Decision, order: TurnOver) -> None:
    """Plays the default move if the time for this turn is up; ignores an outdated wake."""
    match, seat = d.table.match, d.table.on_turn
    if match is None or seat is None or match.turn != order.turn or seat.played_by_bot:
        return
    if match.terms.clock is None or match.stopped is not None:
        return
    left = match.left(d.now.at)
    if left > 0:  # the clock stood still meanwhile
        d.wake(left, order)
        return
    d.tell(Timeout(order.turn, seat.number))
    seat = replace(seat, late=seat.late + 1)
    d.put_seat(seat)
    if seat.late >= LATE:
        d.stand_in(seat)
    carry_out(d, seat, match, match.moves().default, auto=True)


# ------------------------------------------------------------------------- by agreement


def pause(d: Decision, _: said.Pause) -> None:
    """Votes for a pause; the game is paused when everybody connected has voted."""
    if d.table.paused:
        raise Refused("PAUSED", "The game is paused already; unpause goes on.")
    if _agreed(d, "pause"):
        d.change(paused=True)
        d.tell(Paused(d.who.name))
        d.ask()


def unpause(d: Decision, _: said.Unpause) -> None:
    """Ends a pause; one player is enough."""
    if not d.table.paused:
        raise Refused("NO_GAME", "The game is not paused.")
    d.change(paused=False)
    d.tell(Unpaused(d.who.name))
    d.ask()


def abort(d: Decision, _: said.Abort) -> None:
    """Votes to abort the game; it ends when all seats of `rated.who_must_agree` have voted."""
    if _agreed(d, "abort"):
        d.end_without_result("agreed")


def _agreed(d: Decision, what: str) -> bool:
    """Counts a vote and announces it unless it is the last; True if all have agreed."""
    mine = d.own_seat()
    votes = d.table.votes | {(what, mine.name)}
    asked = {seat.name for seat in rated.who_must_agree(d.table, what)}
    yes = len(asked & {name for voted, name in votes if voted == what})
    done = yes >= len(asked)
    d.change(votes=frozenset(v for v in votes if v[0] != what) if done else votes)
    if not done:
        d.tell(Vote(mine.name, what, yes, 0, len(asked)))
    return done


def resign(d: Decision, _: said.Resign) -> None:
    """Resigns: with two players the other wins, with more a bot takes the seat."""
    seat = d.own_seat()
    if len(d.table.seats) == 2:
        _concede(d, seat)
    else:
        settle(d, seat)
        d.get_up(seat, "resigned")


def settle(d: Decision, seat: Seat) -> None:
    """Ends a rated game that would have no result after this seat's departure. Call it before the
    departure.

    With two players the other wins. When the last person leaves, the game is played to its end at
    once.
    """
    table = d.table
    if not (table.kind.rated and table.phase is Phase.PLAYING):
        return
    if len(table.seats) == 2:
        _concede(d, seat)
    elif len(table.people) == 1:
        _play_out(d)


def _play_out(d: Decision) -> None:
    """Plays the game to its end at once, with the default moves."""
    while (seat := d.table.on_turn) is not None:
        match = running(d)
        carry_out(d, seat, match, match.moves().default, auto=True)
    d.drop_wakes()


def play_on(d: Decision, tokens: Sequence[str]) -> None:
    """Plays these moves at once, each for the seat on turn."""
    for token in tokens:
        seat, match = d.table.on_turn, running(d)
        assert seat is not None
        deed = match.read(token)
        match.check(seat.number, deed, None, d.table.name_of)
        carry_out(d, seat, match, deed, auto=False)
    if tokens:
        d.drop_wakes()
        d.ask()


def _concede(d: Decision, seat: Seat) -> None:
    match = running(d)
    other = next(s for s in d.table.seats if s.number != seat.number)
    totals = match.terms.game.totals(match.state)
    d.reveal()
    d.tell(
        _tally(d, Result(other.number, 1, totals[other.number - 1])),
        _tally(d, Result(seat.number, 2, totals[seat.number - 1])),
        Gameover((other.number,), "resigned"),
    )
    d.finish()


def fault(d: Decision, order: Fault) -> None:
    """Ends the game after an error of the server; players get a number to quote."""
    if d.table.phase is Phase.PLAYING:
        d.end_without_result("fault", order.ref)


def running(d: Decision) -> Match:
    """The running game. Every order that is allowed only `DURING` a game has one."""
    assert d.table.match is not None
    return d.table.match
