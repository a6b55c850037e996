"""Long lists come in pages: what stays there is told once, whatever comes and goes meanwhile."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_protocol.schema import COMMANDS, Refused
from twentytwo_server.host.commands.paging import MOST, page, position


def tables(world: World, count: int) -> Peer:
    """Somebody with so many tables, each with a watcher."""
    ann = world.program("ann")
    for _ in range(count):
        ann.ok("open twentytwo")
    return ann


@together("n", [1, 2, 3, 6, 7, 8])
@together(
    ("command", "key"),
    [("tables", "on"), ("who", "name"), ("seeks", "seek"), ("watchers t1", "name")],
)
def test_the_pages_of_a_list_are_the_list(command: str, key: str, n: int) -> None:
    world = World(tables_each=9)
    ann = tables(world, 7)
    for name in ("Dee", "bob", "Cat", "eve", "fay", "gus", "hal"):
        peer = world.program(name)
        peer.ok("watch t1")
        peer.ok("seek twentytwo players=9")
    whole = [row.fields[key] for row in ann.rows(command)]
    assert len(whole) >= 7
    pages = ann.pages(f"{command} n={n}")
    assert [row.fields[key] for page in pages for row in page] == whole
    assert all(len(page) == n for page in pages[:-1])
    assert pages[-1]


@pytest.mark.parametrize("command", ["games", "rules twentytwo"])
def test_games_and_rules_come_in_pages_too(command: str) -> None:
    ann = World().program("ann")
    whole = [row.fields for row in ann.rows(command)]
    assert [row.fields for page in ann.pages(f"{command} n=1") for row in page] == whole


def test_what_comes_and_goes_between_pages_moves_nothing_else() -> None:
    world = World(tables_each=9)
    ann = tables(world, 4)
    first = ann.ok("tables n=2")
    assert first.fields["next"] == "t2"
    ann.ok("close t2")
    ann.ok("open twentytwo")
    assert [row.fields["on"] for row in ann.rows("tables after=t2")] == ["t3", "t4", "t5"]


def test_the_games_of_somebody_come_in_pages_and_hidden_ones_do_not_count() -> None:
    world = World(tables_each=9)
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    for number in range(7):
        private = f" private=word{number}" if number % 3 == 0 else ""
        on = ann.ok(f"open twentytwo seats=2 clock=0{private}").fields["on"]
        bob.ok(f"join word{number}" if private else f"join {on}")
        bob.ok(f"ready {on}")
        ann.ok(f"start {on}")
        ann.ok(f"resign {on}")
        ann.ok(f"leave {on}")
        bob.ok(f"leave {on}")
    for peer, count in ((bob, 7), (cat, 4)):
        whole = [row.fields["id"] for row in peer.rows("history ann n=100")]
        assert len(whole) == count
        for n in (1, 2, 3, 4):
            pages = peer.pages(f"history ann n={n}")
            assert [row.fields["id"] for page in pages for row in page] == whole
            assert all(len(page) == n for page in pages[:-1])


@together(
    "command",
    ["tables", "who", "seeks", "watchers t1", "games", "rules", "history", "ranks", "results"],
)
@together("n", ["0", "-1", str(MOST + 1), "x"])
def test_a_page_has_a_row_at_least_and_so_many_at_most(command: str, n: str) -> None:
    ann = tables(World(), 1)
    assert ann.err(f"{command} n={n}") == "BAD_ARG"


@together("after", ["", "-1", "t", "x.y", "1" * 40, "\u0662", "t\u00b2"])
@together("command", ["tables", "seeks", "games", "rules", "history", "ranks"])
def test_a_cursor_that_never_was_one_is_refused(command: str, after: str) -> None:
    assert World().program("ann").err(f"{command} after={after}") == "BAD_ARG"


def test_people_are_told_how_to_go_on() -> None:
    world = World(tables_each=9)
    tables(world, 3)
    bob = world.person("bob")
    assert bob.say("tables n=2")[-1] == "tables after=t2 shows more."
    assert "more" not in " ".join(bob.say("tables after=t2"))


def test_a_page_that_ends_with_the_list_has_no_next() -> None:
    assert page([1, 2, 3], lambda each: each, 3, None).next is None
    assert page([1, 2, 3], lambda each: each, 2, None).next == "2"
    assert page([1, 2, 3], lambda each: each, 2, 2).items == [3]
    assert position("t511") == position("511") == 511
    with pytest.raises(Refused):
        position("tt")


UNCOUNTED = ("sync", "resume", "register", "login", "auth")
"""Verbs whose rows are no list."""


@together("verb", sorted(COMMANDS.keys() - {"pong", "quit", *UNCOUNTED}))
def test_an_answer_with_rows_has_their_number(verb: str) -> None:
    ann = World().program("ann")
    ann.ok("practice twentytwo bots=1 seed=1")
    for line in (verb, COMMANDS[verb].example, COMMANDS[verb].example.replace("t7", "t1")):
        reply = ann.ask(line)
        rows = [record for record in ann.records() if record.id == reply.id][:-1]
        if rows:
            assert reply.fields["n"] == str(len(rows)), line
