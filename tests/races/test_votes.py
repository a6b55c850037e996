"""The last vote and somebody who leaves at the same moment: the first of them counts."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.kit.cases import together
from tests.races.house import Caller, House
from twentytwo_server.table.table import Phase

pytestmark = pytest.mark.usefixtures("quiet")


def at_the_table(*names: str) -> tuple[House, list[Caller]]:
    house = House()
    callers = [house.guest(name) for name in names]
    house.game(*callers)
    for caller in callers:
        caller.heard.clear()
    return house, callers


def meet(house: House, lines: list[tuple[Caller, str]], *, late: bool) -> None:
    """All these come in at one moment, before anything of them is safe, if the store is late."""
    house.store.late = late
    for caller, line in lines:
        if line == "lost":
            caller.line.lose()
        else:
            caller.send(f"{line}\n")
    house.store.late = False
    house.store.release()
    house.clock.settle()


@together("late", [False, True])
@together("goes", ["@l leave", "lost"])
@together("order", list(permutations(range(3))))
def test_a_game_is_called_off_once_by_all_who_are_there(
    order: tuple[int, int, int], goes: str, late: bool
) -> None:
    house, (ann, bob, cat) = at_the_table("ann", "bob", "cat")
    lines = [(ann, "@a abort"), (bob, "@b abort"), (cat, goes)]
    meet(house, [lines[each] for each in order], late=late)
    # Only where she went before the last of them voted were all agreed who were there.
    agreed = order.index(2) < 2
    words = [event.word for event in ann.events()]
    assert words.count("ABORTED") == agreed
    assert words.count("VOTE") == (1 if agreed else 2)
    assert (house.room.table.phase is Phase.OVER) == agreed
    for id, caller in (("a", ann), ("b", bob)):
        answer = caller.answer(id)
        assert answer is not None
        assert answer.word == "OK"
    assert len(house.inputs("abort")) == 2
    # Where it was the other way round, one of them says it again.
    assert agreed or ann.ask("abort").word == "OK"
    assert [event.word for event in bob.events()].count("ABORTED") == 1


@together("late", [False, True])
@together("vote_first", [True, False])
def test_whoever_votes_and_leaves_has_done_one_after_the_other(
    vote_first: bool, late: bool
) -> None:
    house, (ann, bob) = at_the_table("ann", "bob")
    ann.ask("abort")
    lines = ["@v abort", "@l leave"]
    meet(house, [(bob, line) for line in (lines if vote_first else lines[::-1])], late=late)
    vote, left = bob.answer("v"), bob.answer("l")
    assert vote is not None
    assert left is not None
    assert left.word == "OK"
    assert (vote.word, vote.fields.get("code")) == (
        ("OK", None) if vote_first else ("ERR", "NOT_SEATED")
    )
    words = [event.word for event in ann.events() if event.word in ("ABORTED", "LEFT")]
    assert words == (["ABORTED", "LEFT"] if vote_first else ["LEFT"])


@together("late", [False, True])
@together("vote_first", [True, False])
def test_a_rematch_begins_with_whoever_has_not_left_before_the_last_vote(
    vote_first: bool, late: bool
) -> None:
    house, (ann, bob, cat) = at_the_table("ann", "bob", "cat")
    for caller in (ann, bob, cat):
        caller.ask("abort")
    ann.ask("rematch")
    cat.ask("rematch")
    lines = [(bob, "@v rematch"), (cat, "@l leave")]
    meet(house, lines if vote_first else lines[::-1], late=late)
    answer = bob.answer("v")
    assert answer is not None
    assert answer.word == "OK"
    games = [event.fields["players"] for event in ann.events() if event.word == "GAME"]
    assert games == (["3"] if vote_first else ["2"])
    bots = [seat.name for seat in house.room.table.seats if seat.level]
    assert len(bots) == vote_first
    assert house.room.table.phase is Phase.PLAYING
