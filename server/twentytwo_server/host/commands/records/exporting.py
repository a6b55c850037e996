"""The export of a whole game: its events, its record, or a link."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace
from twisted.internet.defer import CancelledError

from twentytwo_protocol import record as records
from twentytwo_protocol import record_link
from twentytwo_protocol.fair import DAILY_ALG, DUPLICATE_ALG
from twentytwo_protocol.record import RecordedShuffle
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import records as words

from ....facts import GameEnded
from ....ports import Store
from ....session.session import Session
from ....session.streams import Entry
from ..call import Call, Handlers
from ..finding import GameFinder
from ..long_answers import LongAnswers
from .shown_games import GameViews, ShownGame, entries

PIECE = 7000
"""Characters of a link in one line."""


async def export(
    call: Call,
    command: words.Export,
    finder: GameFinder,
    views: GameViews,
    store: Store,
    long_answers: LongAnswers,
) -> None:
    """Sends all events of a game, its record, or its link."""
    match command.form and command.form.lower():
        case None | "events":
            log = await views.find(call, await finder.meant(call, command.id), command.seat)
            await long_answers.run(call, _tell_events(call, log, views, long_answers))
        case "record":
            if call.people:
                text = "Its lines are long: hello 1 first, then export, as a program."
                raise Refused("WRONG_MODE", text)
            _tell_record(call, await _recorded(call, command, finder, store))
        case "link":
            _tell_link(call, await _recorded(call, command, finder, store))
        case _:
            raise Refused("BAD_ARG", "form takes events, record or link.", arg="form")


async def _tell_events(
    call: Call, log: ShownGame, views: GameViews, long_answers: LongAnswers
) -> None:
    on = log.past.id
    try:
        count = await long_answers.send_all(call, _shown(call.session, entries(log, on)))
    except CancelledError:
        raise
    except Exception as wrong:
        raise views.untellable(on, wrong) from None
    text = f"replay {on} shows it slowly." if call.in_words else None
    call.ok(on=on, seq=count, text=text)


def _shown(session: Session, entries: Iterable[Entry]) -> Iterator[None]:
    for entry in entries:
        session.show(entry, None)
        yield


def _tell_record(call: Call, game: GameEnded) -> None:
    rows = [words.RecordLine(line or None) for line in game.record.splitlines()]
    call.ok(*rows, on=game.game, n=len(rows))


def _tell_link(call: Call, game: GameEnded) -> None:
    link = record_link.pack(game.record)
    rows = [words.LinkPiece(link[at : at + PIECE]) for at in range(0, len(link), PIECE)]
    text = (
        "The whole game in one word. twentytwo replay - takes it as it stands, lines and all."
        if call.people
        else None
    )
    call.ok(*rows, on=game.game, n=len(rows), text=text)


async def _recorded(
    call: Call, command: words.Export, finder: GameFinder, store: Store
) -> GameEnded:
    """The finished game. Raises `Refused` if the person cannot get its record."""
    if command.seat is not None:
        raise Refused(
            "BAD_ARG", "A record has all cards: seat= is not possible with it.", arg="seat"
        )
    id = await finder.meant(call, command.id, over=True)
    game = await finder.find_ended(call, id, "There is a record when the game is over.")
    return replace(game, record=await _with_seed(call, game, finder, store))


async def _with_seed(call: Call, game: GameEnded, finder: GameFinder, store: Store) -> str:
    """The record, with a seed that was published after the end of the game.

    This is so for a pair, when both tables are done, and for a daily deal, when its day is over.
    """
    found = records.read(game.record)
    kept = await call.ask(store.promises, game.game, 1) if found.fair is None else ()
    promise = kept[0].promise if kept else None
    if promise is None or promise.alg not in (DAILY_ALG, DUPLICATE_ALG) or not promise.seed:
        return game.record
    # A game that is held back was refused before; check again, because a seed is at stake.
    if await finder.why_held_back(call, game.game):
        return game.record
    words = kept[0].words_by_seat or ()
    fair = RecordedShuffle(promise.alg, promise.digest, promise.seed, words, promise.no)
    return records.write(replace(found, fair=fair))


HANDLERS: Handlers = {words.Export: export}
