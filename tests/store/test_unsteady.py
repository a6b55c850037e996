"""The store that tests put under a server to have it wait, fail and crash."""

from __future__ import annotations

from tests.kit.stores import Unsteady
from twentytwo_server.facts import PersonKept


def person(name: str) -> PersonKept:
    return PersonKept(name, False, b"", b"")


def names(store: Unsteady) -> list[str]:
    return [each.name for each in store.remembered().people]


def test_a_late_store_keeps_what_it_is_told_to_in_order() -> None:
    came: list[int] = []
    store = Unsteady(late=True)
    for number in (1, 2, 3):
        store.keep([person(f"~p{number}")], lambda number=number: came.append(number))  # type: ignore[misc]
    assert (came, names(store)) == ([], [])
    store.release(2)
    assert (came, names(store)) == ([1, 2], ["~p1", "~p2"])


def test_a_store_in_trouble_says_so_and_keeps_everything_when_it_is_mended() -> None:
    came: list[int] = []
    told: list[str | None] = []
    store = Unsteady()
    store.watch(told.append)
    store.fail("the disk is full")
    store.keep([person("~ann")], lambda: came.append(1))
    assert (came, names(store), told) == ([], [], ["the disk is full"])
    store.mend()
    assert (came, names(store), told) == ([1], ["~ann"], ["the disk is full", None])


def test_a_crash_loses_what_was_not_safe_and_may_lose_answers() -> None:
    came: list[int] = []
    store = Unsteady(late=True)
    for number in (1, 2):
        store.keep([person(f"~p{number}")], lambda number=number: came.append(number))  # type: ignore[misc]
    store.release(1, answering=False)
    assert [each.name for each in store.crash().people] == ["~p1"]
    store.release()
    assert (came, names(store)) == ([], ["~p1"])
