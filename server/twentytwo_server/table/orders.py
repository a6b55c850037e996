"""Which order a table takes, in which phase, from whom, and what carries it out.

The table of orders is the machine: a pair of order and phase is in it, or it is refused with
a code. `decide` changes nothing but what it returns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from twentytwo_protocol.schema import Command, Deed, Refused
from twentytwo_protocol.words import cardplay, fairness, talk
from twentytwo_protocol.words import seating as words

from . import playing, seating, starting, talking
from .decision import Actor, Decision, Moment
from .effects import (
    Abandoned,
    Away,
    Back,
    Effect,
    Fault,
    GraceOver,
    Inner,
    Renamed,
    Restarted,
    TurnOver,
    WordsDue,
)
from .fairness import seal_word, words_due
from .table import Phase, Table


class By(Enum):
    """From whom an order is taken."""

    ANYBODY = "anybody"
    SEATED = "somebody with a seat"
    HOST = "the host"
    SERVER = "the server itself"


@dataclass(frozen=True, slots=True)
class Order:
    """An order: who may give it, in which phases, and what it does."""

    by: By
    phases: frozenset[Phase]
    carry_out: Callable[[Decision, Any], None]


ALWAYS = frozenset(Phase)
BETWEEN = frozenset({Phase.OPEN, Phase.OVER})
DURING = frozenset({Phase.PLAYING})
BEFORE = BETWEEN | {Phase.STARTING}

ORDERS: dict[type, Order] = {
    words.Join: Order(By.ANYBODY, BETWEEN, seating.join),
    words.Watch: Order(By.ANYBODY, ALWAYS, seating.watch),
    words.Unwatch: Order(By.ANYBODY, ALWAYS, seating.unwatch),
    words.Leave: Order(By.SEATED, ALWAYS, seating.leave),
    words.Swap: Order(By.SEATED, BETWEEN, seating.swap),
    words.Ready: Order(By.SEATED, BETWEEN, starting.ready),
    words.Unready: Order(By.SEATED, BETWEEN, starting.unready),
    words.Rematch: Order(By.SEATED, BETWEEN, starting.rematch),
    words.Option: Order(By.HOST, BETWEEN, seating.option),
    fairness.Seed: Order(By.SEATED, BEFORE, starting.seed),
    fairness.Seedhash: Order(By.SEATED, BEFORE, seal_word),
    words.Start: Order(By.HOST, BETWEEN, starting.start),
    words.Host: Order(By.HOST, ALWAYS, seating.host),
    words.Lock: Order(By.HOST, ALWAYS, seating.lock),
    words.Unlock: Order(By.HOST, ALWAYS, seating.unlock),
    words.Remove: Order(By.HOST, ALWAYS, seating.remove),
    words.Addbot: Order(By.HOST, BETWEEN, seating.addbot),
    words.Dropbot: Order(By.HOST, BETWEEN, seating.dropbot),
    words.Close: Order(By.HOST, BETWEEN, seating.close),
    cardplay.Move: Order(By.SEATED, DURING, playing.move),
    Deed: Order(By.SEATED, DURING, playing.deed),
    cardplay.Pause: Order(By.SEATED, DURING, playing.pause),
    cardplay.Unpause: Order(By.SEATED, DURING, playing.unpause),
    cardplay.Abort: Order(By.SEATED, DURING, playing.abort),
    cardplay.Resign: Order(By.SEATED, DURING, playing.resign),
    talk.Say: Order(By.ANYBODY, ALWAYS, talking.say),
    TurnOver: Order(By.SERVER, ALWAYS, playing.turn_over),
    WordsDue: Order(By.SERVER, ALWAYS, words_due),
    GraceOver: Order(By.SERVER, ALWAYS, seating.grace_over),
    Abandoned: Order(By.SERVER, ALWAYS, seating.abandoned),
    Away: Order(By.SERVER, ALWAYS, seating.away),
    Back: Order(By.SERVER, ALWAYS, seating.back),
    Renamed: Order(By.SERVER, ALWAYS, seating.renamed),
    Fault: Order(By.SERVER, ALWAYS, playing.fault),
    Restarted: Order(By.SERVER, ALWAYS, seating.restarted),
}


def order_for(kind: type) -> Order | None:
    """The order that a command is, or None where it is not one for a table."""
    return ORDERS.get(Deed if issubclass(kind, Deed) else kind)


def decide(
    table: Table, who: Actor, command: Command | Inner, now: Moment
) -> tuple[Table, tuple[Effect, ...]]:
    """The table after an order, and what is to be done. Raises `Refused`: nothing has changed."""
    order = order_for(type(command))
    if order is None:
        raise Refused("BAD_SYNTAX", "That is no order for a table.")
    _check(order, table, who)
    decision = Decision(table, who, now)
    order.carry_out(decision, command)
    return decision.table, tuple(decision.effects)


def _check(order: Order, table: Table, who: Actor) -> None:
    if order.by in (By.SEATED, By.HOST) and table.seat_of(who.name) is None:
        raise Refused("NOT_SEATED", f"You have no seat at {table.id}.")
    if table.phase not in order.phases:
        if table.phase is Phase.PLAYING:
            raise Refused("GAME_RUNNING", "Not while a game is running.")
        if table.phase is Phase.STARTING and order.phases != DURING:
            raise Refused("GAME_RUNNING", "Not now: the game is about to start.")
        raise Refused("NO_GAME", f"No game is running at {table.id}.")
    if order.by is By.HOST and table.host != who.name:
        raise Refused("NOT_HOST", f"Only the host, {table.host}, may do that.")
