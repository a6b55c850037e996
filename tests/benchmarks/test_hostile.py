"""Whatever one address sends, a table goes on, others come in, and the memory is bounded."""

from __future__ import annotations

import pytest

from tests.benchmarks.hostile import run


@pytest.mark.parametrize("attack", ["everything", "tables", "unread page"])
def test_a_table_goes_on_while_one_address_sends_what_it_can(attack: str) -> None:
    shown = run(attack, seconds=1.0, games=0.3)
    assert shown.made
    assert shown.let_in
    assert shown.most < shown.before + 64
