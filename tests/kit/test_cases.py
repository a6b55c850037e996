"""All cases of a table are tried, and those that fail are named."""

from __future__ import annotations

import inspect

import pytest

from tests.kit.cases import together


def test_every_case_that_fails_is_reported_with_its_values() -> None:
    tried = []

    @together("suit", ["S", "H"])
    @together(("low", "high"), [(1, 2), (4, 3), (5, 6)])
    def test(low: int, high: int, suit: str) -> None:
        tried.append((suit, low))
        assert low < high

    with pytest.RaisesGroup(
        pytest.RaisesGroup(AssertionError), pytest.RaisesGroup(AssertionError)
    ) as failed:
        test()
    assert tried == [("S", 1), ("S", 4), ("S", 5), ("H", 1), ("H", 4), ("H", 5)]
    spades, hearts = failed.value.exceptions
    assert (spades.__notes__, hearts.__notes__) == (["suit='S'"], ["suit='H'"])
    assert spades.message == "1 of 3 cases fail\nlow=4, high=3"
    assert spades.exceptions[0].__notes__ == ["low=4, high=3"]


async def test_asynchronous_cases_are_awaited() -> None:
    @together("number", [1, 2])
    async def test(number: int, fixture: int) -> None:
        assert number == fixture

    assert [*inspect.signature(test).parameters] == ["fixture"]
    with pytest.RaisesGroup(AssertionError):
        await test(fixture=1)


def test_a_case_that_is_skipped_fails() -> None:
    @together("number", [1, 2])
    def test(number: int) -> None:
        if number == 2:
            pytest.skip("not today")

    with pytest.RaisesGroup(pytest.skip.Exception):
        test()
