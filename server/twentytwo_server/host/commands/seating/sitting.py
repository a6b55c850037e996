"""Sitting down, leaving, and changes by the host of a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from twentytwo_protocol.fair import DUPLICATE_ALG, FAIR_ALG
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.voice import listed, plural
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.looking import Line

from ....table import teaching
from ....table.table import Phase
from ...holdings import Holdings
from ...pairs import Pairs
from ...tables.order_queue import OrderResult
from ...tables.pausable_clock import PausableClock
from ...tables.room import Room
from ...tables.rooms import AnyRoom
from ..call import Call, Handlers
from ..confirmations import asks_first, cost_of_aborting, cost_of_closing, cost_of_leaving, lost_at
from ..games import rules_at
from ..orders import order, seat_fields, without_table
from ..standing import show_standing
from .naming import TableFinder


async def start(call: Call, command: words.Start, pairs: Pairs) -> None:
    """Starts the game; at a pair of tables, at both."""
    room = call.room(command.table)
    if not room.table.kind.paired or not isinstance(room, Room):
        await order(call, command)  # of a pair, its owner starts both
        return

    def fields(answer: OrderResult) -> dict[str, Any]:
        return seat_fields(call, room, answer)

    begin = partial(pairs.start, room, call.who)
    call.ok(**fields(await call.answer(begin, fields)))


def _check_twin(call: Call, pairs: Pairs, room: AnyRoom) -> None:
    """Raises `Refused` if the person sits at the other table of the pair."""
    twin = pairs.twin(room)
    if twin is not None and twin.seat_number(call.me) is not None:
        text = f"You sit at {twin.id}, which has the same cards; leave {twin.id} first."
        raise Refused("ALREADY_SEATED", text)


async def join(
    call: Call, command: words.Join, finder: TableFinder, holdings: Holdings, pairs: Pairs
) -> None:
    """Sits down at a table: see `TableFinder.meant` for how it is named."""
    instead = "open begins one, and invite {name} asks them there."
    room = finder.meant(call, command.table, instead=instead)
    holdings.check_seat(call.me)
    _check_twin(call, pairs, room)
    await sit_down(call, room, command)


async def sit_down(
    call: Call, room: AnyRoom, command: words.Join, then: Callable[[], None] = lambda: None
) -> None:
    """Seats the person at a table; the answer names the game and the other people.

    `then` is called when the person is seated.
    """

    def fields(answer: OrderResult) -> dict[str, Any]:
        text = _seated(room, call.me.name) if call.people else None
        return seat_fields(call, room, answer, talk=room.kibitz.name, text=text)

    answer = await call.order(room, command, fields)
    call.go_to(room)
    then()
    call.ok(**fields(answer))
    if room.table.phase is Phase.PLAYING:
        room.when_told(lambda: show_standing(call, room, room.seat_number(call.me)))


def _seated(room: AnyRoom, me: str) -> str:
    others = [name for name in room.table.names.values() if name != me]
    here = f"With you: {', '.join(others)}." if others else "Nobody else is here yet."
    promised = room.table.promised
    fair = promised is not None and promised.alg in (FAIR_ALG, DUPLICATE_ALG)
    luck = " seed and any word adds your luck to the shuffle." if fair else ""
    twin = room.table.settings.twin
    same = (
        f"\n{twin} is dealt the same cards, and compared with {room.id} after "
        f"{plural(room.table.most_hands, 'hand')}."
        if twin
        else ""
    )
    clock = room.table.settings.clock
    timed = f"There are {clock.said}.\n" if clock else ""
    begins = (
        "You take over a hand that is being played."
        if room.table.phase is Phase.PLAYING
        else f"Type ready when you are.{luck}"
    )
    return f"{rules_at(room)}. {here}{same}\n{timed}{begins}"


async def addbot(call: Call, command: words.Addbot, holdings: Holdings) -> None:
    """Adds a bot, if the address may have one more bot of this level."""
    holdings.check_addbot(call.me, call.room(command.table), command.level)
    await rearrange(call, command)


async def rearrange(
    call: Call,
    command: words.Option | words.Swap | words.Remove | words.Dropbot | words.Addbot,
) -> None:
    """Changes the rules or the seats, except those of a lesson."""
    table = call.room(command.table).table
    if table.kind.taught:
        text = f"A lesson keeps its rules and its seats; practice {table.game.key} has its own."
        raise Refused("FORBIDDEN", text)
    await order(call, command)


async def leave(call: Call, command: words.Leave, clock: PausableClock) -> None:
    """Leaves a seat, or stops watching."""
    room = call.room(command.table)
    lost = lost_at(call, [room])
    left = " tutorial goes on where you were." if teaching.reached(room.table) else ""
    if asks_first(call, clock, cost_of_leaving(lost, [room]), room.id):
        return
    alone = len(room.table.people) == 1 and not left
    over = " Its game ends without a result." if lost and "game" in lost and alone else ""

    def fields(answer: OrderResult) -> dict[str, Any]:
        text = f"You leave {room.id}.{over}{left}"
        return {"on": room.id, "seq": answer.seq, "lost": lost, "text": text}

    answer = await call.order(room, without_table(command), fields)
    call.go_from(room)
    call.ok(**fields(answer))


async def rematch(
    call: Call, command: words.Rematch | words.Ready, pairs: Pairs, clock: PausableClock
) -> None:
    """Votes for another game. The answer tells people whether the deals repeat, and at a pair of
    tables who else has to agree at the other one.
    """
    room = call.room(command.table)
    runs = isinstance(command, words.Rematch) and room.table.phase is Phase.PLAYING
    if runs and asks_first(call, clock, _cost_of_another(call, room), room.id):
        return
    over, seed = room.table.phase is Phase.OVER, room.table.settings.seed
    text = _who_else(pairs, room) if over and call.in_words else None
    if isinstance(command, words.Rematch) and call.in_words and seed is not None:
        text = f"The same deals again: seed={seed}."
    await order(call, command, text=text)


def _cost_of_another(call: Call, room: AnyRoom) -> str:
    """The cost of another game instead of the running one against bots.

    It is empty if the person is out of the game, or the table will refuse.
    """
    seat = room.seat_number(call.me)
    lost = seat is not None and not room.model(seat).at(seat).out
    return cost_of_aborting(room) if lost and not room.table.kind.once else ""


def _who_else(pairs: Pairs, room: AnyRoom) -> str | None:
    """The sentence with the people at the other table of a pair who must still agree, or None."""
    twin = pairs.twin(room)
    if twin is None or twin.table.dealt:
        return None
    people = twin.table.people
    if not people:
        return f"At {twin.id} somebody must sit down, and be ready, too."
    waiting = [seat.name for seat in people if not seat.ready]
    return f"At {twin.id} {listed(waiting)} must agree, too." if waiting else None


async def close(call: Call, command: words.Close, pairs: Pairs, clock: PausableClock) -> None:
    """Closes a table; only its host may."""
    room = call.room(command.table)
    if room.table.host != call.me.name or not asks_first(
        call, clock, cost_of_closing(call, room), room.id
    ):
        await close_now(call, room, command, pairs)


async def close_now(call: Call, room: AnyRoom, command: words.Close, pairs: Pairs) -> None:
    """Closes a table, or both tables of a pair."""
    lost = lost_at(call, [room])
    if pairs.twin(room) is None or not isinstance(room, Room):
        await order(call, command, lost=lost)
        return

    def fields(answer: OrderResult) -> dict[str, Any]:
        return seat_fields(call, room, answer, lost=lost)

    begin = partial(pairs.close, room, (call.who, without_table(command)))
    call.ok(**fields(await call.answer(begin, fields)))


def table(call: Call, command: words.Table) -> None:
    """Describes a table in words."""
    room = call.room(command.table)
    t = room.table
    head = f"{room.id}: {t.game.title} ({t.settings.preset}), {t.phase.value}"
    rows = [Line(f"{head}. {t.settings.title}".rstrip())]
    if t.settings.word and t.host == call.session.name:
        rows.append(Line(f"private: others type join {t.settings.word}"))
    for seat in t.seats:
        marks = ["host"] if seat.name == t.host else []
        marks += ["ready"] if seat.ready and t.match is None else []
        marks += [] if seat.here else ["away"]
        marks += ["join takes it over"] if seat in t.vacant else []
        marks += ["a bot plays"] if seat.standin else []
        marks += [f"word {seat.word}"] if seat.word else ["a sealed word"] if seat.sealed else []
        rows.append(
            Line(f"seat {seat.number}: {seat.name}" + (f" ({', '.join(marks)})" if marks else ""))
        )
    free = list(t.free())
    if free:
        rows.append(Line(f"free: {', '.join(map(str, free))}"))
    clock = t.settings.clock
    rows.append(Line(f"clock: {clock.spelled} s" if clock else "no clock"))
    if t.kind.paired:
        hands = plural(t.most_hands, "hand")
        rows.append(Line(f"dealt the same as {t.settings.twin}, compared after {hands}"))
    counts = vocabulary(t.game.key).counting
    if counts:
        rows.append(Line(f"counting {'on' if t.settings.counting else 'off'}: {counts}"))
    if t.promised is not None and t.promised.alg in (FAIR_ALG, DUPLICATE_ALG):
        rows.append(Line(f"deck of {t.promised.game} sealed as {t.promised.digest}"))
    call.ok(*rows, on=room.id, n=len(rows))


HANDLERS: Handlers = {
    words.Join: join,
    words.Table: table,
    words.Leave: leave,
    words.Close: close,
    words.Addbot: addbot,
    words.Ready: rematch,
    words.Rematch: rematch,
    words.Start: start,
    **dict.fromkeys((words.Option, words.Swap, words.Remove, words.Dropbot), rearrange),
    **dict.fromkeys((words.Unready, words.Host, words.Lock, words.Unlock), order),
}
