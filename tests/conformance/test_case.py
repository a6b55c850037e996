"""How a check is run: its cases, what it takes, what is given back."""

from __future__ import annotations

import pytest

from twentytwo_conform.case import Case
from twentytwo_conform.check import Check, Skipped, quotes, skip
from twentytwo_conform.connections import Address, Closed
from twentytwo_conform.fixtures import Connect
from twentytwo_conform.pool import Pool


@quotes("", "R1")
def does_not_suit(connect: Connect) -> None:
    connect().must("ping")
    skip("it does not suit")


@quotes("", "R1")
def fails(connect: Connect) -> None:
    assert connect().must("ping soup")["pong"] == "pie"


@quotes("", "R1")
def leaves_a_trace(connect: Connect) -> None:
    connect().must("follow lobby")


def test_what_a_check_was_given_another_gets_when_it_is_skipped(address: Address) -> None:
    pool = Pool(address)
    with pytest.raises(Skipped, match="it does not suit"):
        Case("does_not_suit", does_not_suit, {}).run({"address": address, "pool": pool})
    again = pool.take()
    assert again.heard == [] and again.catch_up() == []
    other = pool.take()
    assert other.name != again.name
    pool.give(again)
    assert pool.take() is again
    for client in (again, other):
        client.close()


@pytest.mark.parametrize("check", [fails, leaves_a_trace], ids=["fails", "leaves a trace"])
def test_what_may_be_no_longer_as_new_is_closed(address: Address, check: Check) -> None:
    pool = Pool(address)
    client = pool.take()
    pool.give(client)
    case = Case("case", check, {})
    if check is fails:
        with pytest.raises(AssertionError):
            case.run({"address": address, "pool": pool})
    else:
        case.run({"address": address, "pool": pool})
    with pytest.raises((Closed, OSError)):
        client.ask("ping")


def test_who_is_given_back_has_left_the_table(address: Address) -> None:
    pool = Pool(address)
    client, watcher = pool.take(), pool.take()
    on = client.must("open twentytwo seats=2")["on"]
    watcher.must("follow tables")
    pool.give(client)
    closed = [watcher.until("CLOSED")["table"]]
    while closed[-1] != on and len(closed) < 100:  # other tests close tables, too
        closed.append(watcher.until("CLOSED")["table"])
    assert closed[-1] == on
    pool.close()
    watcher.close()
