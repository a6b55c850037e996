"""Seeks: a seek is open until enough people seek the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words import lobby as words
from twentytwo_protocol.words.connection import Note

from ....table.clocks import USUAL
from ....table.decision import Actor
from ....table.table import Settings
from ...holdings import check_seek
from ...host import Host
from ...lobby.seeks import Wish
from ...new_table import NewTable, new_table
from ...tables.auto_start import AutoStart
from ...tables.order_queue import Answered, Kept
from ..call import Call, Handlers
from ..games import (
    game_of,
    preset_of,
    rules_of,
)
from ..paging import page, position, texts


async def seek(call: Call, command: words.Seek) -> None:
    """Opens a seek; if enough people now look for the same, opens a table for them instead."""
    game = game_of(call.host, command.game)
    options = dict(command.options or {})
    preset = preset_of(game, command.rules)
    made = rules_of(game, preset, options)
    span = game.players(made)
    players = command.players or max(2, span.start)
    if players not in span:
        most = span.stop - 1
        takes = f"{span.start} to {most}" if most > span.start else f"{most}"
        raise Refused("BAD_ARG", f"{game.title} takes {takes} players.", arg="players")
    usual = {option.name: option.value for option in game.options(game.presets[preset])}
    changed = [(o.name, o.value) for o in game.options(made) if o.value != usual[o.name]]
    await look_for(call, Wish(call.me.name, game.key, players, preset, tuple(changed)))


async def look_for(call: Call, wanted: Wish) -> None:
    """Opens a table for the people who seek the same if they are enough, else opens a seek."""
    host, game, players = call.host, call.host.games[wanted.game], wanted.players
    check_seek(host, call.me)
    number = host.seeks.next()
    same = host.seeks.like(wanted, lambda name: _free(host, name))
    others = [name for name in same if name != call.me.name]
    if len(others) + 1 < players:
        more = "one more player" if players == 2 else f"{players - 1} more players"
        before = " instead of your earlier search" if host.seeks.seeking(call.me.name) else ""
        call.ok(seek=number, text=f"Looking for {more} for {game.title}{before}; `unseek` stops.")
        host.seeks.withdraw(call.me.name)
        host.seeks.add(number, wanted)
        return
    names = [*others[: players - 1], call.me.name]
    # The note that follows tells people more.
    text = None if call.people else "Found!"
    await _seat_together(call, names, wanted, {"seek": number, "text": text})


def _free(host: Host, name: str) -> bool:
    """True if the person is connected and may sit at one more table."""
    person = host.people.find(name)
    if person is None or person.session is None:
        return False
    return len(person.tables) < host.config.now.tables_each


async def _seat_together(
    call: Call, names: list[str], wanted: Wish, found: Mapping[str, Any]
) -> None:
    """Opens a table for these people and seats them. Raises `Refused`.

    The command is answered with the fields `found`, before anybody is told.
    """
    host = call.host
    game = host.games[wanted.game]
    preset = wanted.preset
    first, *others = [p for p in map(host.people.find, names) if p is not None]
    settings = Settings(wanted.players, preset, clock=USUAL)
    made = rules_of(game, preset, dict(wanted.options))
    who, *beside = (Actor(person.name, person.program) for person in (first, *others))

    together = NewTable(game, made, settings, sought=True, others=tuple(beside))
    opened = new_table(host, who, together)

    def begin(answered: Answered, kept: Kept) -> None:
        opened.begin(answered, kept)
        for name in names:
            host.seeks.withdraw(name)

    await call.answer(begin, lambda _: found)
    call.ok(**found)
    room = opened.room
    text = f"Found! You play {game.title} at {room.id}; it begins in a moment."
    told = Note("FOUND", room.id, text)
    for person in (first, *others):
        if person.session is not None:
            person.session.current = room.id
            person.session.notice(told)
    AutoStart(room, [first, *others]).check()


def unseek(call: Call, _: words.Unseek) -> None:
    """Ends the person's seek."""
    if not call.host.seeks.seeking(call.me.name):
        raise Refused("NO_SUCH_SEEK", "You are not looking for players.")
    call.ok(text="You no longer look for players.")
    call.host.seeks.withdraw(call.me.name)


def seeks(call: Call, command: words.Seeks) -> None:
    """Lists the open seeks."""
    all_ = call.host.seeks.rows()
    found = page(all_, lambda row: row.seek, command.n, position(command.after))
    none = None if all_ else f"Nobody looks for players; seek {DEFAULT_GAME} does."
    text = texts(none, found.more("seeks")) if call.in_words else None
    call.ok(*found.items, n=len(found.items), next=found.next, text=text)


HANDLERS: Handlers = {
    words.Seek: seek,
    words.Unseek: unseek,
    words.Seeks: seeks,
}
