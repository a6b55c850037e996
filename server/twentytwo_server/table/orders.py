"""All orders of a table: the people who may give them, the phases, and the functions.

`ORDERS` is the state machine of a table: an order without an entry for the table's phase is
refused. `decide` is the only way to change an open table; it returns the changed table.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from twentytwo_protocol.schema import Command, Deed, Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.words import cardplay, fairness, talk
from twentytwo_protocol.words import seating as words

from . import absence, going_back, pairing, playing, seating, starting, talking
from .decision import Actor, Decision, Moment
from .effects import (
    Abandoned,
    Away,
    Back,
    ClosedByOperator,
    Disband,
    Fault,
    GoOn,
    GraceOver,
    Inherited,
    Inner,
    Renamed,
    Restarted,
    Settle,
    StartTogether,
    TurnOver,
    WordsDue,
)
from .fairness import seal_word, words_due
from .opening import Opening, open_table
from .table import Phase, Table


class Role(Enum):
    """The people who may give an order."""

    ANYBODY = "anybody"
    SEATED = "somebody with a seat"
    HOST = "the host"
    SERVER = "the server itself"


OF_A_SEAT = (Role.SEATED, Role.HOST)
"""The roles that only somebody with a seat can have."""
HOST_ONLY = (Role.HOST,)


class Order(Value):
    """A kind of order: its role, its phases, and its function.

    `leads_to_a_game`: it prepares or begins a game. It is refused at a table that plays only one
    game (`TableKind.once`).
    """

    role: Role
    phases: tuple[Phase, ...]
    carry_out: Callable[[Decision, Any], None]
    leads_to_a_game: bool = False


ALWAYS = tuple(Phase)
BETWEEN = (Phase.OPEN, Phase.OVER)
DURING = (Phase.PLAYING,)
BEFORE = (*BETWEEN, Phase.STARTING)

ORDERS: dict[type, Order] = {
    words.Join: Order(Role.ANYBODY, BETWEEN + DURING, seating.join, leads_to_a_game=True),
    words.Watch: Order(Role.ANYBODY, ALWAYS, seating.watch),
    words.Unwatch: Order(Role.ANYBODY, ALWAYS, seating.unwatch),
    words.Leave: Order(Role.SEATED, ALWAYS, seating.leave),
    words.Swap: Order(Role.SEATED, BETWEEN, seating.swap, leads_to_a_game=True),
    words.Ready: Order(Role.SEATED, BETWEEN, starting.ready, leads_to_a_game=True),
    words.Unready: Order(Role.SEATED, BETWEEN, starting.unready, leads_to_a_game=True),
    words.Rematch: Order(Role.SEATED, BETWEEN + DURING, starting.rematch, leads_to_a_game=True),
    words.Option: Order(Role.HOST, BETWEEN, seating.option, leads_to_a_game=True),
    fairness.Seed: Order(Role.SEATED, BEFORE, starting.seed, leads_to_a_game=True),
    fairness.Seedhash: Order(Role.SEATED, BEFORE, seal_word, leads_to_a_game=True),
    words.Start: Order(Role.HOST, BETWEEN, starting.start, leads_to_a_game=True),
    words.Host: Order(Role.HOST, ALWAYS, seating.host),
    words.Lock: Order(Role.HOST, ALWAYS, seating.lock),
    words.Unlock: Order(Role.HOST, ALWAYS, seating.unlock),
    words.Remove: Order(Role.HOST, ALWAYS, seating.remove),
    words.Addbot: Order(Role.HOST, BETWEEN, seating.addbot, leads_to_a_game=True),
    words.Dropbot: Order(Role.HOST, BETWEEN, seating.dropbot, leads_to_a_game=True),
    words.Close: Order(Role.HOST, BETWEEN, seating.close),
    cardplay.Move: Order(Role.SEATED, DURING, playing.move),
    Deed: Order(Role.SEATED, DURING, playing.deed),
    cardplay.Pause: Order(Role.SEATED, DURING, playing.pause),
    cardplay.Unpause: Order(Role.SEATED, DURING, playing.unpause),
    cardplay.Abort: Order(Role.SEATED, DURING, playing.abort),
    cardplay.Resign: Order(Role.SEATED, DURING, playing.resign),
    cardplay.Undo: Order(Role.SEATED, (*DURING, Phase.OVER), going_back.undo),
    cardplay.Again: Order(Role.SEATED, (*DURING, Phase.OVER), going_back.again),
    talk.Say: Order(Role.ANYBODY, ALWAYS, talking.say),
    TurnOver: Order(Role.SERVER, ALWAYS, playing.turn_over),
    WordsDue: Order(Role.SERVER, ALWAYS, words_due),
    GraceOver: Order(Role.SERVER, ALWAYS, absence.grace_over),
    Abandoned: Order(Role.SERVER, ALWAYS, absence.abandoned),
    GoOn: Order(Role.SERVER, ALWAYS, going_back.carry_on),
    Away: Order(Role.SERVER, ALWAYS, absence.away),
    Back: Order(Role.SERVER, ALWAYS, absence.back),
    Renamed: Order(Role.SERVER, ALWAYS, absence.renamed),
    Fault: Order(Role.SERVER, ALWAYS, playing.fault),
    ClosedByOperator: Order(Role.SERVER, ALWAYS, seating.closed_by_operator),
    Restarted: Order(Role.SERVER, ALWAYS, absence.restarted),
    Inherited: Order(Role.SERVER, ALWAYS, absence.inherited),
    StartTogether: Order(Role.SERVER, BETWEEN, pairing.start_together, leads_to_a_game=True),
    Settle: Order(Role.SERVER, BETWEEN, pairing.settle, leads_to_a_game=True),
    Disband: Order(Role.SERVER, BETWEEN, pairing.disband),
}


def order_for(kind: type) -> Order | None:
    """The entry of `ORDERS` for a class of commands; None if such a command is not for a table."""
    return ORDERS.get(Deed if issubclass(kind, Deed) else kind)


def decide(table: Table, who: Actor, command: Command | Inner | Opening, now: Moment) -> Decision:
    """The table after an order, its events, moves and effects. Raises `Refused`.

    An `Opening` may only be the first order.
    """
    kind = type(command)
    order = ORDERS.get(kind) or order_for(kind)
    if order is None:
        if isinstance(command, Opening):
            return open_table(table, command, who, now)
        raise Refused("BAD_SYNTAX", "That is no order for a table.")
    seat = table.seat_of(who.name)
    if seat is None and order.role in OF_A_SEAT:
        raise Refused("NOT_SEATED", f"You have no seat at {table.id}.")
    if order.leads_to_a_game and table.kind.once:
        raise Refused("FORBIDDEN", "A daily deal is played once; daily lists those of today.")
    if table.phase not in order.phases:
        raise _wrong_phase(order, table)
    if table.host != who.name and order.role in HOST_ONLY:
        raise Refused("NOT_HOST", f"Only the host, {table.host}, may do that.")
    decision = Decision(table, who, now, seat)
    order.carry_out(decision, command)
    return decision


NOT_DURING_A_GAME = "Not while a game is running."


def _wrong_phase(order: Order, table: Table) -> Refused:
    if table.phase is Phase.PLAYING:
        begins = order.carry_out in (starting.start, starting.ready)
        return Refused("GAME_RUNNING", starting.ALREADY_RUNS if begins else NOT_DURING_A_GAME)
    if table.phase is Phase.STARTING and order.phases != DURING:
        return Refused("GAME_RUNNING", "Not now: the game is about to begin.")
    return Refused("NO_GAME", f"No game is running at {table.id}.")
