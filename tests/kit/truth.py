"""Invariants that hold for every table at every moment, whatever the orders."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tests.kit.tables import Run
from twentytwo_protocol import wire
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Message, Row
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.table.table import Phase, Table


def snapshot(model: TableModel) -> TableModel:
    """The model read back from the rows of `state`."""
    return TableModel.from_rows(_read(wire.write(row)) for row in model.rows())


@lru_cache(maxsize=10_000)  # from one event to the next most rows stay as they are
def _read(line: str) -> Message:
    record = wire.parse(line)
    assert record is not None
    found = wire.decode(record)
    assert found is not None
    return found


def same_both_ways(happened: Event | Row) -> None:
    """Checks that an event survives both encodings."""
    record = wire.parse(wire.write(happened, on="t1", seq=3))
    assert record is not None
    assert wire.decode(record) == happened, wire.write(happened)
    assert wire.decode(wire.parse_json(wire.write_json(happened, on="t1", seq=3))) == happened


def seen(model: TableModel) -> dict[str, Any]:
    """The facts of a model that the table has too."""
    return {
        "phase": model.phase,
        "host": model.host,
        "paused": model.paused,
        "asked": [e.turn for e in model.standing if isinstance(e, Turn)],
        "seats": {
            number: (seat.name, seat.here, seat.standin)
            for number, seat in sorted(model.seats.items())
        },
        "ready": {n for n, seat in model.seats.items() if seat.ready},
        "words": {n: (s.word, s.sealed) for n, s in model.seats.items() if s.word or s.sealed},
        "promised": model.promise and model.promise.id,
    }


def true(table: Table) -> dict[str, Any]:
    """The same facts of the table."""
    asked = table.match.question if table.match else None
    return {
        "phase": table.phase.value,
        "host": table.host,
        "paused": table.paused,
        "asked": [asked.turn] if asked else [],
        "seats": {seat.number: (seat.name, seat.here, seat.standin) for seat in table.seats},
        "ready": {seat.number for seat in table.people if seat.ready},
        "words": {s.number: (s.word, s.sealed) for s in table.seats if s.word or s.sealed},
        "promised": table.promised and table.promised.game,
    }


def check(run: Run) -> None:
    """Checks that every viewer's model agrees with the table, and so does a snapshot."""
    for viewer in (None, *(seat.number for seat in run.table.seats)):
        model = run.model(viewer)
        assert seen(model) == true(run.table), viewer
        assert snapshot(model) == model
        if run.table.phase is Phase.PLAYING:
            check_cards(run, model)


def check_cards(run: Run, model: TableModel) -> None:
    """Checks that the model counts the cards correctly and holds the viewer's own cards."""
    match = run.table.match
    assert match is not None
    hands = [[*hand] for hand in match.state.hands]
    assert {n: seat.cards for n, seat in model.seats.items()} == {
        n: len(hand) for n, hand in enumerate(hands, 1)
    }
    totals = match.terms.game.totals(match.state)
    assert {n: seat.total for n, seat in model.seats.items()} == dict(enumerate(totals, 1))
    if hasattr(match.state, "trick"):
        assert (model.trick, model.leader) == (match.state.trick, match.state.leader)
    if hasattr(match.state, "stock"):
        assert model.stock == len(match.state.stock)
    if model.me is not None:
        assert len(model.holding) == len(hands[model.me - 1])
        if match.question and match.question.seat == model.me:
            assert tuple(sorted(model.holding)) == tuple(sorted(match.moves().hand))
