"""The fair shuffle: the log of promises, and words for the shuffle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.fairness import Fair, FairRow, Seed, Seedhash

from ...facts import GameEnded, PromiseKept
from ..access import may_see_running, no_such_game
from ..tables.room import Room
from .call import Call, Handlers
from .finding import game_meant, may_see_ended
from .orders import order
from .paging import Page, length, no_cursor, position, texts
from .paired import is_held_back

ASIDE = "aside"
"""The outcome shown for a game whose table is set aside."""


async def fair(call: Call, command: Fair) -> None:
    """Shows a page of the log of promises, or the whole entry of one game."""
    what = command.what.lower()
    if what == "log":
        most, before = length(command.n), position(command.after)
        if before == 0:
            raise no_cursor("0")
        asked = partial(call.host.store.promises, before=before or 0)
        _log(call, most, await call.ask(asked, "", most + 1))
    elif command.after is not None or command.n is not None:
        raise Refused("BAD_ARG", "Only fair log comes in pages.", arg="after")
    else:
        game = await game_meant(call, what)
        await _one(call, game, await call.ask(call.host.store.promises, game, 1))


def _log(call: Call, most: int, kept: Sequence[PromiseKept]) -> None:
    rows = [replace(_row(call, each), words=None, seed=None) for each in kept[:most]]
    found = Page(rows, str(rows[-1].no) if len(kept) > most else None)
    text = texts(None if rows else "Nothing has been sealed yet.", found.more("fair log"))
    call.ok(*rows, n=len(rows), next=found.next, text=text if call.in_words else None)


async def _one(call: Call, game: str, kept: Sequence[PromiseKept]) -> None:
    ended = await call.ask(call.host.store.game, game)
    if not kept or not await _may_know(call, game, ended):
        text = no_such_game(call.host, call.person, game).text
        raise Refused("NO_SUCH_GAME", text, arg="what")
    waits = await is_held_back(call, game)
    row = _row(call, kept[0])
    if waits:
        row = replace(row, words=None, seed=None)
    if row.outcome == ASIDE:
        text = "Its table is set aside: its seed stays a secret."
    elif waits and row.outcome:
        text = "The other table still plays these cards: the seed is told when it is done."
    elif row.seed is None and row.outcome:
        text = "It was a daily deal: its seed is told when the day is over, in UTC."
    elif row.seed is None:
        text = "Its seed is told when the game is over."
    else:
        text = f"help fair explains it; to programs export {game} form=record gives the packs."
    call.ok(row, n=1, text=text)


async def _may_know(call: Call, game: str, ended: GameEnded | None) -> bool:
    """True if the person may know of the game: as `game` has it, and of one to come likewise."""
    set_aside = call.host.set_aside.game(game)
    if set_aside is not None:
        return set_aside.known_to(call.person)
    if ended is not None:
        return await may_see_ended(call, ended)
    rooms = call.host.rooms.values()
    room = next((room for room in rooms if game in _games_at(room)), None)
    # One that was never played, since its table is gone, is nobody's secret.
    return room is None or may_see_running(call.person, room)


def _games_at(room: Room) -> set[str]:
    """The games at a table that are sealed and not over."""
    table = room.table
    return {each.terms.id for each in (table.match,) if each} | (
        {table.promised.game} if table.promised else set()
    )


def _row(call: Call, kept: PromiseKept) -> FairRow:
    promise = kept.promise
    over = bool(kept.outcome) and not call.host.dailies.is_secret(promise.digest)
    set_aside = ASIDE if call.host.set_aside.game(promise.game) else None
    # Words and seed stay out until the game is over: those at the table were told the words.
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


HANDLERS: Handlers = {Seed: order, Seedhash: order, Fair: fair}
