"""Seeks: a seek is open until enough people seek the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words import lobby as words
from twentytwo_protocol.words.connection import Note

from ....games.game import Games
from ....table.clocks import USUAL_CLOCK
from ....table.decision import Actor
from ....table.table import Settings
from ...config import LiveConfig
from ...holdings import Holdings
from ...lobby.seeks import Seeks, Wish
from ...new_table import NewTable, NewTables
from ...people.people import People
from ...tables.auto_start import AutoStart
from ...tables.order_queue import Answered, FurtherFacts
from ..call import Call, Handlers
from ..games import (
    game_of,
    preset_of,
    rules_of,
)
from ..paging import page, position, texts


@dataclass(slots=True)
class SeekMatching:
    """Brings people together who seek the same."""

    _games: Games
    _people: People
    _seeks: Seeks
    _holdings: Holdings
    _new_tables: NewTables
    _config: LiveConfig

    async def join(self, call: Call, number: int) -> None:
        """Seeks the same as the seek of that number."""
        wish = self._seeks.wish(number)
        if wish is None:
            raise Refused("NO_SUCH_SEEK", "There is no seek with that number (any more).")
        if wish.name == call.me.name:
            raise Refused("BAD_ARG", "That is your own seek; unseek ends it.", arg="seek")
        await self.look_for(call, replace(wish, name=call.me.name))

    async def look_for(self, call: Call, wanted: Wish) -> None:
        """Opens a table for those who seek the same if they are enough, else opens a seek."""
        game, players, seeks = self._games[wanted.game], wanted.players, self._seeks
        self._holdings.check_seek(call.me)
        number = seeks.next()
        others = [name for name in seeks.like(wanted, self._is_free) if name != call.me.name]
        if len(others) + 1 < players:
            more = "one more player" if players == 2 else f"{players - 1} more players"
            before = " instead of your earlier search" if seeks.seeking(call.me.name) else ""
            looking = f"Looking for {more} for {game.title}{before}; `unseek` stops."
            call.ok(seek=number, text=looking)
            seeks.withdraw(call.me.name)
            seeks.add(number, wanted)
            return
        names = [*others[: players - 1], call.me.name]
        # The note that follows tells people more.
        text = None if call.people else "Found!"
        await self._seat_together(call, names, wanted, {"seek": number, "text": text})

    def _is_free(self, name: str) -> bool:
        """True if the person is connected and may sit at one more table."""
        person = self._people.find(name)
        if person is None or person.session is None:
            return False
        return len(person.tables) < self._config.now.tables_each

    async def _seat_together(
        self, call: Call, names: list[str], wanted: Wish, found: Mapping[str, Any]
    ) -> None:
        """Opens a table for these people and seats them. Raises `Refused`.

        The command is answered with the fields `found`, before anybody is told.
        """
        game, preset = self._games[wanted.game], wanted.preset
        first, *others = [p for p in map(self._people.find, names) if p is not None]
        settings = Settings(wanted.players, preset, clock=USUAL_CLOCK)
        made = rules_of(game, preset, dict(wanted.options))
        who, *beside = (Actor(person.name, person.program) for person in (first, *others))
        together = NewTable(game, made, settings, sought=True, others=tuple(beside))
        opened = self._new_tables.prepare(who, together)

        def begin(answered: Answered, kept: FurtherFacts) -> None:
            opened.begin(answered, kept)
            for name in names:
                self._seeks.withdraw(name)

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


async def seek(call: Call, command: words.Seek, games: Games, matching: SeekMatching) -> None:
    """Opens a seek; if enough people now look for the same, opens a table for them instead."""
    game = game_of(games, command.game)
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
    await matching.look_for(call, Wish(call.me.name, game.key, players, preset, tuple(changed)))


def unseek(call: Call, _: words.Unseek, seeks: Seeks) -> None:
    """Ends the person's seek."""
    if not seeks.seeking(call.me.name):
        raise Refused("NO_SUCH_SEEK", "You are not looking for players.")
    call.ok(text="You no longer look for players.")
    seeks.withdraw(call.me.name)


def list_seeks(call: Call, command: words.Seeks, seeks: Seeks) -> None:
    """Lists the open seeks."""
    all_ = seeks.rows()
    found = page(all_, lambda row: row.seek, command.n, position(command.after))
    none = None if all_ else f"Nobody looks for players; seek {DEFAULT_GAME} does."
    text = texts(none, found.more("seeks")) if call.in_words else None
    call.ok(*found.items, n=len(found.items), next=found.next, text=text)


HANDLERS: Handlers = {
    words.Seek: seek,
    words.Unseek: unseek,
    words.Seeks: list_seeks,
}
