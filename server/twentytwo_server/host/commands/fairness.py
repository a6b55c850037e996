"""The fair shuffle: the log of promises, and words for the shuffle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.voice import Voice, listed
from twentytwo_protocol.words.cardplay import Drew, Hand_
from twentytwo_protocol.words.fairness import Fair, FairRow, Seed, Seedhash
from twentytwo_protocol.words.records import LAST

from ...facts import GameEnded, PromiseEntry
from ...ports import Store
from ..access import Access, may_see_running
from ..dailies import Dailies
from ..tables.rooms import AnyRoom, Rooms
from ..tables.set_aside import SetAsideTables
from ..unknown_tables import UnknownTables
from .call import Call, Handlers
from .finding import GameFinder
from .orders import order
from .paging import Page, length, no_cursor, position, texts

ASIDE = "aside"
"""The outcome shown for a game whose table is set aside."""


async def fair(call: Call, command: Fair, promises: PromiseLog) -> None:
    """Shows a page of the log of promises, or the whole entry of one game."""
    await promises.show(call, command)


@dataclass(slots=True)
class PromiseLog:
    """The log of promises, as the sender of a command may see it."""

    _store: Store
    _rooms: Rooms
    _dailies: Dailies
    _set_aside: SetAsideTables
    _access: Access
    _finder: GameFinder
    _unknown_tables: UnknownTables

    async def show(self, call: Call, command: Fair) -> None:
        """Shows a page of the log, or the whole entry of one game."""
        what = command.what.lower()
        if what == "log":
            most, before = length(command.n), position(command.after)
            if before == 0:
                raise no_cursor("0")
            asked = partial(self._store.promises, before=before or 0)
            self._log(call, most, await call.ask(asked, "", most + 1))
        elif command.after is not None or command.n is not None:
            raise Refused("BAD_ARG", "Only fair log has pages.", arg="after")
        else:
            game = self._to_come(call, what) or await self._finder.meant(call, what)
            await self._one(call, game, await call.ask(self._store.promises, game, 1))

    def _log(self, call: Call, most: int, kept: Sequence[PromiseEntry]) -> None:
        rows = [replace(self._row(each), words=None, seed=None) for each in kept[:most]]
        found = Page(rows, str(rows[-1].no) if len(kept) > most else None)
        text = texts(None if rows else "Nothing has been sealed yet.", found.more("fair log"))
        call.ok(*rows, n=len(rows), next=found.next, text=text if call.in_words else None)

    def _to_come(self, call: Call, what: str) -> str:
        """The next game of the current table, if `last` is asked before its first; else empty."""
        room = self._rooms.meant(call.session)
        if what != LAST or room is None or room.table.match is not None:
            return ""
        return room.table.promised.game if room.table.promised is not None else ""

    async def _one(self, call: Call, game: str, kept: Sequence[PromiseEntry]) -> None:
        ended = await call.ask(self._store.game, game)
        if kept and ended is None and self._room_of(game) is None:
            await self._unknown_tables.find_game(game)
        room = self._room_of(game)
        if not kept or not await self._may_know(call, game, ended, room):
            text = self._access.no_such_game(call.person, game).text
            raise Refused("NO_SUCH_GAME", text, arg="what")
        why = await self._finder.why_held_back(call, game)
        row = self._row(kept[0])
        if why:
            row = replace(row, words=None, seed=None)
        told: tuple[FairRow, ...] = (row,)
        if row.outcome == ASIDE:
            text = "Its table is set aside: its seed stays a secret."
        elif why and row.outcome:
            text = why
        elif row.seed is None:
            known = _known_of(call, room, row) if room is not None else ()
            lines = [*known, "Its seed is told when the game is over."]
            told = () if call.people and room is not None else (row,)
            text = ("\n" if call.people else "  ").join(lines)
        else:
            text = f"help fair explains it; to programs export {game} form=record gives the packs."
        call.ok(*told, n=1, text=text)

    async def _may_know(
        self, call: Call, game: str, ended: GameEnded | None, room: AnyRoom | None
    ) -> bool:
        """True if the person may know of a finished, running or coming game."""
        set_aside = self._set_aside.game(game)
        if set_aside is not None:
            return set_aside.known_to(call.person)
        if ended is not None:
            return await self._finder.may_see_ended(call, ended)
        # A game that was never played, because its table is gone, is no secret.
        return room is None or may_see_running(call.person, room)

    def _room_of(self, game: str) -> AnyRoom | None:
        """The table of a coming or running game."""
        rooms = self._rooms.values()
        return next((room for room in rooms if game in _games_at(room)), None)

    def _row(self, kept: PromiseEntry) -> FairRow:
        promise = kept.promise
        over = bool(kept.outcome) and not self._dailies.is_secret(promise.digest)
        set_aside = ASIDE if self._set_aside.game(promise.game) else None
        # Without words and seed until the game is over: the people at the table know the words.
        return FairRow(
            promise.no,
            promise.game,
            promise.alg,
            promise.digest,
            kept.chain,
            kept.outcome or set_aside,
            kept.words_by_seat if over else None,
            promise.seed if over else None,
        )


def _known_of(call: Call, room: AnyRoom, row: FairRow) -> Iterator[str]:
    """The public facts of the table's next or running game: the whole seal, the words for the
    shuffle, and the cards drawn for the first deal.
    """
    voice, match = room.voice(room.seat_number(call.me)), room.table.match
    running = match is not None and match.terms.id == row.id
    if call.people:  # people do not read the row
        yield f"{row.id} {'is running' if running else 'is to come'}."
    yield f"Sealed as {row.hash}."
    if running:
        assert match is not None
        given = dict(enumerate(match.terms.words or (), 1))
    else:
        given = {seat.number: seat.word for seat in room.table.seats}
        for seat in room.table.seats:
            if seat.sealed:
                yield f"{voice.possessive(seat.number)} word is sealed: {seat.sealed}."
    for number, word in given.items():
        if word:
            yield f"{voice.possessive(number)} word for the shuffle: {word}."
    if running and (drawn := listed(_draws(room, voice))):
        yield f"Drawn for the first deal: {drawn}."


def _draws(room: AnyRoom, voice: Voice) -> Iterator[str]:
    for entry in room.game_entries():
        match entry.event:
            case Drew(seat, card, again):
                yield f"{voice.name(seat)} {voice.show((card,))}{' in a tie' if again else ''}"
            case Hand_():
                return


def _games_at(room: AnyRoom) -> set[str]:
    """The sealed games of a table that are not over."""
    table = room.table
    return {each.terms.id for each in (table.match,) if each} | (
        {table.promised.game} if table.promised else set()
    )


HANDLERS: Handlers = {Seed: order, Seedhash: order, Fair: fair}
