"""Finds the game of a command, and checks whether the sender may see it.

A finished game is still secret, even for its players, while others play the same cards: the other
table of a pair, or the players of a daily deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from twentytwo_protocol.fair import DUPLICATE_ALG
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.duplicate import Compared
from twentytwo_protocol.words.records import LAST

from ...facts import GameEnded
from ...ports import Store
from ..access import Access, may_see_game, may_see_running
from ..dailies import Dailies
from ..pairs import compared
from ..tables.rooms import AnyRoom, Rooms
from ..tables.shown_table import ShownTable
from ..unknown_tables import UnknownTables
from .call import Call


class OtherGame(Value):
    """The game at the other table of a pair; `ended` is None before its end."""

    id: str
    outcome: str
    ended: GameEnded | None


@dataclass(slots=True)
class GameFinder:
    """Finds running and finished games for the sender of a command."""

    _rooms: Rooms
    _store: Store
    _dailies: Dailies
    _access: Access
    _unknown_tables: UnknownTables

    async def meant(self, call: Call, id: str, *, over: bool = False) -> str:
        """The id of a game, `g51`, for `g51`, `51` or `last`.

        `last` is the game at the person's table, running or finished, else the last game that they
        have finished; with `over` only the latter. Raises `Refused` if there is none.
        """
        word = id.lower()
        if word != LAST:
            return f"g{word}" if word.isdigit() else word
        room = self._rooms.meant(call.session)
        match = room.table.match if room is not None else None
        if match is not None and (match.over or not over):
            return match.terms.id
        past = partial(self._store.past, before=None)
        found: Sequence[GameEnded] = await call.ask(past, call.me.name, "", 1)
        if not found:
            raise Refused("NO_SUCH_GAME", "You have not finished any game yet.", arg="id")
        return found[0].game

    async def find(self, call: Call, id: str) -> AnyRoom | GameEnded:
        """The game of that id if the sender may see it: its room if it runs, else its end.

        Raises `Refused`, also if others still play the same cards.
        """
        room = self._room_of(id)
        game = await call.ask(self._store.game, id) if room is None else None
        if room is None and game is None:
            await self._unknown_tables.find_game(id)
            room = self._room_of(id)
        if room is not None:
            if not may_see_running(call.person, room):
                raise self._access.no_such_game(call.person, id)
            return room
        if game is None or not await self.may_see_ended(call, game):
            raise self._access.no_such_game(call.person, id)
        if not game.public and (why := await self.why_held_back(call, id)):
            raise Refused("GAME_RUNNING", why)
        return game

    def _room_of(self, game: str) -> AnyRoom | None:
        """The table at which a game runs."""
        return next((room for room in self._rooms.values() if _runs(room, game)), None)

    async def find_ended(self, call: Call, id: str, running: str) -> GameEnded:
        """A finished game. Raises `Refused`, with the text `running` for a running game."""
        found = await self.find(call, id)
        if isinstance(found, ShownTable):
            raise Refused("GAME_RUNNING", running)
        return found

    async def may_see_ended(self, call: Call, game: GameEnded) -> bool:
        """True if the sender may see a finished game: the players of a pair may see both games."""
        if may_see_game(call.me, game):
            return True
        other = await self._other(call, game.game)
        return other is not None and other.ended is not None and may_see_game(call.me, other.ended)

    async def why_held_back(self, call: Call, game: str) -> str:
        """The reason why a finished game is still secret; empty if it is not."""
        kept = await call.ask(self._store.promises, game, 1)
        if kept and self._dailies.is_secret(kept[0].promise.digest):
            return (
                f"Others still play this daily deal: {game} is open when its day is over, in UTC."
            )
        other = await self._other(call, game)
        if other is not None and not other.outcome:
            return f"The other table still plays these cards: {game} is open when it is done."
        return ""

    async def comparison(self, call: Call, game: GameEnded) -> Compared | None:
        """The comparison of a game with the other table's, or None."""
        other = await self._other(call, game.game)
        return None if other is None or other.ended is None else compared(game, other.ended)

    async def _other(self, call: Call, game: str) -> OtherGame | None:
        """The game with the same cards at the other table of a pair, or None.

        The promises of both games have consecutive numbers and the same hash. So each game leads to
        the other, as long as the store has them.
        """
        store = self._store
        mine = await call.ask(store.promises, game, 1)
        if not mine or mine[0].promise.alg != DUPLICATE_ALG:
            return None
        number = int(game[1:])
        for other in (f"g{number - 1}", f"g{number + 1}"):
            theirs = await call.ask(store.promises, other, 1)
            if theirs and theirs[0].promise.digest == mine[0].promise.digest:
                return OtherGame(other, theirs[0].outcome, await call.ask(store.game, other))
        return None


def _runs(room: AnyRoom, id: str) -> bool:
    match = room.table.match
    return match is not None and match.terms.id == id and not match.over
