"""Undoing moves and replaying a hand, at a practice table with one person.

Past moves are not changed: the running game ends without a result, and another one begins with its
deals and the remaining moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.cardplay import UNDONE, Again, Undo

from ..games.game import HOUSE
from .decision import Decision
from .effects import GoOn
from .match import Step
from .starting import go_on
from .table import Phase, Table


def undo(d: Decision, _: Undo) -> None:
    """Goes back to the actor's last decision."""
    mine = _only_person(d, "Moves are taken back")
    none = "There is no decision of yours to take back."
    _go_back(d, before_decision(_standing(d.table), mine), none)


def again(d: Decision, _: Again) -> None:
    """Goes back to the deal of this hand, or of the last hand if this one has no decision yet."""
    mine = _only_person(d, "A hand is played once more")
    none = "You have made no decision in this hand yet."
    _go_back(d, after_deal(_standing(d.table), mine), none)


def _standing(table: Table) -> Sequence[Step]:
    """The moves of the game that are not undone yet."""
    return table.played[: table.going_on.steps] if table.going_on is not None else table.played


def before_decision(steps: Sequence[Step], seat: int) -> int | None:
    """The number of moves before a seat's last move with a choice; None without one."""
    made = (n for n in range(len(steps) - 1, -1, -1) if steps[n].seat == seat and steps[n].free)
    return next(made, None)


def after_deal(steps: Sequence[Step], seat: int) -> int | None:
    """The number of moves after the deal of the hand with that move; None if there is no such move.

    A hand that begins with a seat's shuffle begins after the last move that ended a hand.
    """
    last = before_decision(steps, seat)
    if last is None:
        return None
    ended = (n + 1 for n in range(last - 1, -1, -1) if steps[n].ended_hand)
    count = next(ended, 0)
    while steps[count].seat == HOUSE:
        count += 1
    return count


def _only_person(d: Decision, what: str) -> int:
    """The actor's seat. Raises `Refused`, with `what` as the refused action, unless all others are
    bots.
    """
    seat, table = d.own_seat(), d.table
    if table.kind.taught:
        raise Refused(
            "FORBIDDEN", "A lesson goes on step by step; undo and again are for practice."
        )
    if not table.kind.undoable:
        raise Refused("FORBIDDEN", f"{what} at practice tables only.{_another(table)}")
    if len(table.people) > 1:
        text = f"Other people play here too, so nothing can be taken back.{_another(table)}"
        raise Refused("FORBIDDEN", text)
    return seat.number


def _another(table: Table) -> str:
    """A hint how to continue after a game; empty while a game runs."""
    return " rematch plays another game." if table.phase is Phase.OVER else ""


def _go_back(d: Decision, steps: int | None, none: str) -> None:
    """Goes back to a number of moves. Raises `Refused` with the text `none` if `steps` is None."""
    if steps is None or d.table.match is None:
        raise Refused("NO_GAME", f"{none}{_another(d.table)}")
    game = d.table.match.terms.id
    if d.table.phase is Phase.PLAYING:
        d.end_without_result(UNDONE)
    # Each game needs an end of its own, so the next game begins with a separate order, given at
    # once.
    going_on = GoOn(game, steps)
    d.change(going_on=going_on)
    d.then(going_on)


def changed_since(table: Table) -> bool:
    """True if seats or rules have changed since the last game, so that it cannot be continued."""
    if table.match is None:
        return False
    terms = table.match.terms
    numbers = [seat.number for seat in table.seats]
    return table.rules != terms.rules or numbers != list(range(1, terms.seats + 1))


def check_unchanged(table: Table, name: str) -> None:
    """Raises `Refused` if the only person here cannot continue the last game.

    Its moves stay with the seats, so a person in another seat would take back moves of others. Call
    this before the order is given.
    """
    seat = table.seat_of(name)
    if seat is None or table.match is None or not table.kind.undoable or len(table.people) > 1:
        return
    if table.players[seat.number - 1 : seat.number] != (name,):
        raise Refused("FORBIDDEN", f"{_other_seat(table, name)} rematch plays another game.")
    if changed_since(table):
        text = "The seats or the rules have changed since that game. rematch plays another game."
        raise Refused("FORBIDDEN", text)


def _other_seat(table: Table, name: str) -> str:
    if name not in table.players:
        return "Somebody else began this game in your seat."
    number = table.players.index(name) + 1
    return f"You played that game in seat {number}: swap {number} takes you back there."


def carry_on(d: Decision, order: GoOn) -> None:
    """Begins the game that continues the last one; does nothing if none is to be continued."""
    table = d.table
    if table.phase is not Phase.OVER or table.going_on != order:
        return
    steps = table.played[: order.steps]
    # Repeatable deals need not be taken over.
    d.promise(taken=table.settings.seed is None)
    hand = 1 + sum(step.ended_hand for step in steps)
    go_on(d, [step.deed for step in steps], order.game, hand)
