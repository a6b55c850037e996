"""How a check is run: its cases, what it takes, what is closed."""

from __future__ import annotations

import pytest

from twentytwo_conform.case import Case
from twentytwo_conform.check import Skipped, quotes, skip
from twentytwo_conform.connections import Address
from twentytwo_conform.fixtures import Connect


@quotes("", "R1")
def does_not_suit(connect: Connect) -> None:
    connect()
    skip("it does not suit")


def test_what_a_check_has_opened_is_closed_when_it_is_skipped(address: Address) -> None:
    closed: list[str] = []

    class Noted:
        def __init__(self, name: str) -> None:
            self.name = name

        def close(self) -> None:
            closed.append(self.name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("twentytwo_conform.fixtures.Program", lambda address, name: Noted(name))
        with pytest.raises(Skipped, match="it does not suit"):
            Case("does_not_suit", does_not_suit, {}).run({"address": address})
    assert len(closed) == 1
