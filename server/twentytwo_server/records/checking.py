"""Checks a record: its moves against the rules, its end, its results, its shuffles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from twentytwo_protocol.fair import (
    DUPLICATE_ALG,
    FAIR_ALG,
    TAKEN_ALG,
    FairShuffle,
    commitment,
    entropy,
)
from twentytwo_protocol.record import Record, RecordedShuffle
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Aborted, Gameover, Result
from twentytwo_protocol.words.fairness import Shuffled

from ..games.game import HOUSE, AnyGame
from .replay import NotReplayable
from .telling import told


class RecordFault(Value):
    """An error in a record. `move` is the number of the wrong move, from 1; 0 is the header."""

    why: str
    move: int = 0


def wrong(record: Record, games: Mapping[str, AnyGame]) -> RecordFault | None:
    """The first error in a record; None if the record is correct."""
    try:
        events = told(record, games)
    except NotReplayable as refused:
        return RecordFault(str(refused).removeprefix(f"move {refused.move}: "), refused.move)
    return next(_faults(record, events), None)


def are_pair(one: Record, other: Record) -> bool:
    """True if these are the games of a pair of tables: they have the same sealed seed."""
    fair, seal = one.fair, other.fair
    return bool(
        fair is not None
        and seal is not None
        and fair.alg == seal.alg == DUPLICATE_ALG
        and fair.commitment == seal.commitment
    )


def dealt_alike(one: Record, other: Record) -> bool:
    """True if two correct records of a pair have the same shuffles, as far as both games went."""
    here, there = ([m.token for m in each.moves if m.seat == HOUSE] for each in (one, other))
    least = min(len(here), len(there))
    return here[:least] == there[:least]


def _faults(record: Record, events: Sequence[Event]) -> Iterator[RecordFault]:
    end = next((event for event in events if isinstance(event, Gameover | Aborted)), None)
    if end is None and record.end:
        yield RecordFault(f"it says that it ended ({record.end}), but the game goes on")
    if isinstance(end, Gameover) and record.end not in ("", end.why):
        yield RecordFault(f"it says that it ended ({record.end}), but it ended ({end.why})")
    results = {e.seat: (e.place, e.total) for e in events if isinstance(e, Result)}
    for result in record.results:
        found = results.get(result.seat)
        if found != (result.place, result.total):
            yield RecordFault(f"the result of seat {result.seat} is another: {found}")
    if record.fair is not None and record.fair.seed:
        yield from _unfair(record, record.fair, events)


def _unfair(
    record: Record, fair: RecordedShuffle, events: Sequence[Event]
) -> Iterator[RecordFault]:
    if commitment(fair.seed) != fair.commitment:
        yield RecordFault("the seed is not the one that was promised")
    if fair.alg == TAKEN_ALG:
        return  # no record names the source of its first deals
    game = record.id if fair.alg == FAIR_ALG else fair.alg  # SPEC.md 21, X13, X15, X17
    try:
        words = entropy([None if w == "-" else w for w in fair.words]) if fair.words else ""
    except ValueError as bad:
        yield RecordFault(f"a player's word {bad}")
        return
    house = FairShuffle(fair.seed, game, words).house
    packs = [event.cards for event in events if isinstance(event, Shuffled)]
    shuffles = [(i, made) for i, made in enumerate(record.moves, 1) if made.seat == HOUSE]
    for n, (pack, (number, made)) in enumerate(zip(packs, shuffles, strict=True), 1):
        if "+".join(house(n, pack)) != made.token:
            yield RecordFault("the shuffle does not follow from the seed and the words", number)
