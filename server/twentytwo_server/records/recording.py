"""Makes the stored form of a finished game: its record, and the result of every seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol import record as records
from twentytwo_protocol.fair import FAIR_ALG, REPEATABLE_ALG, TAKEN_ALG, commitment
from twentytwo_protocol.record import Record, RecordedMove, RecordedResult, RecordedShuffle
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import UNDONE, Aborted, Gameover, Result
from twentytwo_protocol.words.fairness import Revealed

from ..facts import GameEnded, SeatResult
from ..session.streams import Entry, rfc3339
from ..table.match import Match
from ..table.table import Seat, Table


class Beginning(Value):
    """Data saved at the beginning of a game, for its record.

    `seats` are the seats at that time; their people may have other names at the end. `wall` is the
    time since 1970 in ms. `seq` is the number of GAME in the table's stream, `no` the number of the
    promise of its deals.
    """

    seats: Sequence[Seat] = ()
    wall: int = 0
    seq: int = 0
    no: int = 0


def ended(
    table: Table,
    began: Beginning,
    made: Iterable[RecordedMove],
    entries: Sequence[Entry],
    versions: Mapping[str, int] | None = None,
) -> GameEnded:
    """The fact that a game is over, with its record. Raises `ValueError` if no event ended the
    game.

    - `table`: the table after the game, with its match and the names of its players.
    - `made`: all moves in order, including shuffles.
    - `entries`: the events of the last order: REVEALED, RESULT, then GAMEOVER or ABORTED.
    - `versions`: the versions of the bots by level; 1 if missing.

    The game is public if its table was open to watchers, not private and not a practice table.
    """
    last = entries[-1]
    record = _record(table, began, tuple(made), entries, versions)
    return GameEnded(
        record.id,
        table.id,
        record.game,
        record.rules,
        table.digest,
        record.end.partition(" ")[0],
        table.kind.rated,
        table.settings.public,
        began.wall,
        last.at,
        (began.seq, last.seq),
        tuple(_played(table, seat, record, versions) for seat in began.seats),
        records.write(record),
        table.began,
        undone=record.end == f"aborted {UNDONE}",
    )


def from_elsewhere(record: Record, id: str) -> GameEnded:
    """Converts the record of a game played elsewhere into a public finished game of this server.

    The game has no table. `id` becomes its number, also in its record.
    """
    here = replace(record, id=id)
    results = {each.seat: (each.place, each.total) for each in record.results}
    seats = [
        SeatResult(seat, record.name(seat), "", *results.get(seat, (0, 0)))
        for seat in range(1, record.seats + 1)
    ]
    why = record.end.partition(" ")[0] or "aborted"
    return GameEnded(
        *(id, "", record.game, record.rules, "", why),
        rated=False,
        public=True,
        began=0,
        ended=0,
        events=(0, 0),
        seats=tuple(seats),
        record=records.write(here),
    )


def _record(
    table: Table,
    began: Beginning,
    made: tuple[RecordedMove, ...],
    entries: Sequence[Entry],
    versions: Mapping[str, int] | None,
) -> Record:
    assert table.match is not None
    seats, told = began.seats, [entry.event for entry in entries]
    results = (each for each in told if isinstance(each, Result))
    return Record(
        table.game.key,
        table.game.version,
        table.settings.preset,
        len(seats),
        {option.name: option.value for option in table.told_options()},
        dict(enumerate(table.players, 1)),
        moves=made,
        id=table.match.terms.id,
        bots={s.number: f"{s.level}/{_version(s.level, versions)}" for s in seats if s.level},
        began=rfc3339(began.wall),
        ended=rfc3339(entries[-1].at),
        fair=_fair(table.match, told, began.no),
        end=_end(told),
        results=tuple(
            RecordedResult(each.seat, each.place, each.total, each.wins) for each in results
        ),
        hands=table.match.terms.set_hands or 0,
    )


def _fair(match: Match, told: Iterable[Event], no: int) -> RecordedShuffle | None:
    """The commitment, seed and words of the shuffle; None if no event revealed the seed."""
    seed = next((event.seed for event in told if isinstance(event, Revealed)), None)
    if seed is None:
        return None
    words = None if match.terms.words is None else tuple(word or "-" for word in match.terms.words)
    alg = TAKEN_ALG if match.terms.taken else REPEATABLE_ALG if words is None else FAIR_ALG
    return RecordedShuffle(alg, commitment(seed), seed, words or (), no)


def _end(told: Iterable[Event]) -> str:
    """The reason for the end, as in records. Raises `ValueError` if no event ends the game."""
    for event in told:
        match event:
            case Gameover(why=why):
                return why
            case Aborted(why=why, ref=ref):
                return " ".join(["aborted", why, *([ref] if ref else [])])
    raise ValueError("none of these events ends a game")


def _played(
    table: Table, seat: Seat, record: Record, versions: Mapping[str, int] | None
) -> SeatResult:
    """The result of a seat; its place is 0 if the game ended without a result."""
    assert table.match is not None
    name = table.players[seat.number - 1]
    version = str(_version(seat.level, versions)) if seat.level else ""
    for result in record.results:
        if result.seat == seat.number:
            return SeatResult(seat.number, name, version, result.place, result.total)
    totals: Sequence[Any] = table.match.terms.game.totals(table.match.state)
    return SeatResult(seat.number, name, version, 0, totals[seat.number - 1])


def _version(level: str, versions: Mapping[str, int] | None) -> int:
    return (versions or {}).get(level, 1)
