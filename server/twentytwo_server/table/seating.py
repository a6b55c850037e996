"""Orders about seats: joining, leaving, watching, bots, options, the host."""

from __future__ import annotations

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import seating as said
from twentytwo_protocol.words.seating import Left, Option_, Watching

from ..games import players
from ..games.options import BadOption, no_such_option
from . import rated
from .decision import Decision
from .effects import ClosedByOperator
from .playing import settle
from .table import Phase, Table


def join(d: Decision, order: said.Join) -> None:
    """Seats a person in the named seat or the first free one; they stop watching.

    During a game only the seat of a player who left is available, in place of its bot.
    """
    table = d.table
    if table.seat_of(d.who.name):
        raise Refused("ALREADY_SEATED", f"You sit at {table.id} already.")
    if table.locked:
        raise Refused("TABLE_LOCKED", f"The host of {table.id} has locked the table.")
    rated.check_join(d)
    if table.phase is Phase.PLAYING:
        _take_over(d, order)
    else:
        _sit_down(d, order)
    unwatch(d, said.Unwatch())


def _how_to_watch(table: Table, typed: str) -> str:
    """A sentence for somebody who cannot join; empty if they may not watch either.

    `typed` is the table's number or its secret word, whichever they typed: the word is shown only
    to people who know it.
    """
    seen = table.settings
    known = seen.public or (seen.watch and seen.word and typed.lower() == seen.word.lower())
    return f" watch {typed if seen.word else table.id} looks on." if known else ""


def _sit_down(d: Decision, order: said.Join) -> None:
    table, wanted = d.table, order.seat
    free = list(table.free())
    if not free:
        text = f"{table.id} is full.{_how_to_watch(table, order.table)}"
        raise Refused("TABLE_FULL", text)
    number = wanted or free[0]
    if number not in free:
        if table.at(number):
            raise Refused("SEAT_TAKEN", f"Seat {number} is taken; free: {_numbers(free)}.")
        raise Refused("BAD_ARG", f"There is no seat {number}; free: {_numbers(free)}.", arg="seat")
    d.sit(number, d.who.name, program=d.who.program)
    if not table.host:
        d.hand_over_to(d.who.name)


def _take_over(d: Decision, order: said.Join) -> None:
    """Gives the seat of a player who left to the actor, in place of the bot.

    A player who left a seat in this game may take only that seat, because they know its cards.
    """
    table, wanted = d.table, order.seat
    own = [seat for seat in table.seats if d.who.name in seat.left]
    free = {seat.number: seat for seat in table.vacant if not own or seat in own}
    if not free:
        text = f"A game is running at {table.id}: nobody can sit down before it is over."
        raise Refused("GAME_RUNNING", text + _how_to_watch(table, order.table))
    number = wanted or min(free)
    if number not in free:
        raise Refused("SEAT_TAKEN", f"Seat {number} is taken; free: {_numbers(sorted(free))}.")
    seat = free[number]
    d.tell(Left(number, seat.name, "replaced"))
    d.sit(number, d.who.name, program=d.who.program, left=seat.left)
    asked = d.table.on_turn
    if asked is not None and (asked.number == number or table.deserted):
        d.ask()


def leave(d: Decision, _: said.Leave) -> None:
    """Frees the actor's seat; in a rated game this may decide the game."""
    settle(d, d.own_seat())
    d.get_up(d.own_seat(), "left")


def swap(d: Decision, order: said.Swap) -> None:
    """Moves a person to another seat; only the host may swap with its owner."""
    mine, table = d.own_seat(), d.table
    if not 1 <= order.seat <= table.settings.seats:
        raise Refused("BAD_ARG", f"Seats are 1 to {table.settings.seats}.", arg="seat")
    other = table.at(order.seat)
    if other and other.number == mine.number:
        raise Refused("ALREADY_SEATED", f"You sit in seat {order.seat} already.")
    if other and table.host != d.who.name:
        raise Refused("SEAT_TAKEN", f"Seat {order.seat} is taken.")
    d.remove_seat(mine)
    d.move_to(mine, order.seat)
    if other:
        d.move_to(other, mine.number)
    d.unready()


def option(d: Decision, order: said.Option) -> None:
    """Changes an option of the game; everybody must be ready again."""
    table = d.table
    rated.check_change(table)
    if table.kind.paired:
        raise Refused("FORBIDDEN", "The rules of a pair of tables cannot change.")
    key = order.key.lower()
    if key == "counting":
        _set_counting(d, order.value.lower())
        return
    now = {o.name: o.value for o in table.options()}
    if key not in now:
        raise Refused("NO_SUCH_OPTION", no_such_option(key, now, "rules"), arg=key)
    try:
        rules = table.game.rules(table.settings.preset, now | {key: order.value})
        table.game.new(rules, max(table.game.players(rules).start, len(table.seats)))
    except BadOption as wrong:
        raise Refused("BAD_ARG", wrong.text, arg=wrong.option) from None
    d.change(rules=rules)
    value = next(o.value for o in d.table.options() if o.name == key)
    d.tell(Option_(key, value, d.who.name))
    d.unready()


def read_counting(word: str | None) -> bool:
    """Parses the setting for showing the played cards; None is the default. Raises `Refused`."""
    if word not in (None, "on", "off"):
        raise Refused("BAD_ARG", "counting takes on or off.", arg="counting")
    return word != "off"


def _set_counting(d: Decision, word: str) -> None:
    d.change(settings=replace(d.table.settings, counting=read_counting(word)))
    d.tell(Option_("counting", word, d.who.name))
    d.unready()


def host(d: Decision, order: said.Host) -> None:
    """Makes another person with a seat the host."""
    seat = d.table.seat_called(order.name)
    if seat is None or not seat.owned:
        raise Refused("NO_SUCH_USER", f"{order.name} has no seat here.", arg="name")
    d.hand_over_to(seat.name)


def lock(d: Decision, _: said.Lock) -> None:
    """Locks the table: nobody else may join."""
    _set_lock(d, True)


def unlock(d: Decision, _: said.Unlock) -> None:
    """Unlocks the table."""
    _set_lock(d, False)


def _set_lock(d: Decision, locked: bool) -> None:
    d.change(locked=locked)
    d.tell(Option_("locked", "yes" if locked else "no", d.who.name))


def remove(d: Decision, order: said.Remove) -> None:
    """Frees the seat of a person whom the host removes."""
    rated.check_removal(d.table)
    seat = d.table.seat_called(order.name)
    if seat is None:
        raise Refused("NO_SUCH_USER", f"{order.name} has no seat here.", arg="name")
    if seat.name == d.who.name:
        raise Refused("FORBIDDEN", "You cannot remove yourself; leave gives up your seat.")
    if seat.level and d.table.phase is Phase.PLAYING:
        raise Refused("GAME_RUNNING", "A bot stays until the game is over.")
    d.get_up(seat, "kicked")


def addbot(d: Decision, order: said.Addbot) -> None:
    """Seats a bot in the first free seat, with the named level or the table's default."""
    rated.check_bot(d.table)
    if d.table.kind.paired:
        raise Refused(
            "FORBIDDEN", "When the game starts, bots take the empty seats at both tables."
        )
    game = d.table.game
    level = players.check(game, order.level or d.table.settings.level or players.usual(game))
    number = next(d.table.free(), None)
    if number is None:
        raise Refused("TABLE_FULL", "Every seat is taken.")
    d.sit(number, d.table.bot_name(level), level=level)


def dropbot(d: Decision, order: said.Dropbot) -> None:
    """Removes the bot in that seat, or the last bot."""
    bots = [seat for seat in d.table.seats if seat.level]
    if order.seat is not None:
        bots = [seat for seat in bots if seat.number == order.seat]
    if not bots:
        raise Refused("BAD_ARG", "There is no bot in that seat.", arg="seat")
    d.get_up(bots[-1], "left")


def close(d: Decision, _: said.Close) -> None:
    """Closes the table: everybody leaves."""
    for seat in d.table.people:
        d.remove_seat(seat)
        d.tell(Left(seat.number, seat.name, "closed"))
    d.shut()


def closed_by_operator(d: Decision, _: ClosedByOperator) -> None:
    """Closes the table in any phase; a running game ends without a result."""
    if d.table.phase is Phase.PLAYING:
        d.end_without_result("operator")
    elif d.table.phase is Phase.STARTING:
        d.call_off()
    close(d, said.Close())


def watch(d: Decision, _: said.Watch) -> None:
    """Makes somebody a watcher; does nothing if they have a seat or watch already."""
    if not d.table.settings.watch:
        raise Refused("FORBIDDEN", f"{d.table.id} is not open to watchers.")
    if d.who.name not in d.table.watchers and not d.table.seat_of(d.who.name):
        d.change(watchers=(*d.table.watchers, d.who.name))
        d.talk(Watching(d.who.name, True))


def unwatch(d: Decision, _: said.Unwatch) -> None:
    """Removes a watcher; does nothing for anybody else."""
    if d.who.name in d.table.watchers:
        d.change(watchers=tuple(name for name in d.table.watchers if name != d.who.name))
        d.talk(Watching(d.who.name, False))


def _numbers(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
