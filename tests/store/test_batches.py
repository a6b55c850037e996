"""Facts of many tables are written with few statements."""

from __future__ import annotations

from tests.store.test_contract import ended, given_input
from twentytwo_server.facts import TableClosed
from twentytwo_server.store.nodes import Fence
from twentytwo_server.store.writing import Batch, Counters


def test_games_that_end_while_others_go_on_need_no_statements_of_their_own() -> None:
    batch = Batch(Counters(), Fence("main", 1))
    for number in range(1, 51):
        batch.add(given_input(f"t{number}", 1))
        batch.add(ended(number, "ann"))
        batch.add(TableClosed(f"t{number}", 0))
    rows = {name: len(of) for stage in batch.stages for name, of in stage.items()}
    assert len(batch.stages) == 1 and rows["input"] == rows["close"] == rows["game"] == 50
