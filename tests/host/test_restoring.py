"""A server with many tables lets people in while it still builds them anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.kit import hosts
from tests.kit.hosts import Peer, World
from twentytwo_server.host.recovery import restoring
from twentytwo_server.host.start import open_host
from twentytwo_server.table.table import Phase

Restart = Callable[[World], World]


@pytest.fixture
def restart(monkeypatch: pytest.MonkeyPatch) -> Restart:
    """Starts a world's server anew; it has built one table, and builds one at each turn."""
    monkeypatch.setattr(restoring, "INPUTS_AT_ONCE", 0)

    def restarted(world: World) -> World:
        monkeypatch.setattr(hosts, "open_host", partial(open_host, at_once=False))
        return world.restarted()

    return restarted


def evening(tables: int, grace: int = 120_000) -> tuple[World, list[Peer]]:
    """Tables of two, t1 and so on, and who plays there: the host of tN at 2N - 2."""
    world = World(grace=grace)
    players = [world.program(f"p{n}x") for n in range(2 * tables)]
    for n in range(tables):
        world.game(players[2 * n], players[2 * n + 1])
    return world, players


def resumed(world: World, player: Peer, on: str) -> Peer:
    """Whoever was `player`, who has come back."""
    again = world.peer()
    again.say("hello 1 client=test")
    again.ok(f"resume {player.token} {on}:1")
    again.name = player.name
    return again


def test_whoever_comes_back_has_their_table_while_others_are_missing(restart: Restart) -> None:
    world, players = evening(5)
    world = restart(world)
    assert list(world.host.rooms) == ["t1"]
    host, guest = (resumed(world, player, "t4") for player in players[6:8])
    assert list(world.host.rooms) == ["t1", "t4"]
    mover = host if world.on_turn("t4") is host else guest
    match = world.room("t4").table.match
    assert match is not None
    assert match.question is not None
    mover.ok(f"move {match.question.default} turn={match.turn}")


def test_whoever_was_seated_by_a_seek_has_the_table_as_well(restart: Restart) -> None:
    world, _ = evening(3)
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("seek twentytwo players=2")
    bob.ok("seek twentytwo players=2")
    world = restart(world)
    for seeker in (bob, ann):
        again = world.peer()
        again.say("hello 1 client=test")
        again.ok(f"resume {seeker.token}")
        assert world.host.rooms["t4"].table.seat_of(seeker.name) is not None
        again.ok("seed kitten")


def test_a_move_names_a_table_that_is_missing(restart: Restart) -> None:
    world, players = evening(3)
    world = restart(world)
    again = world.peer()
    again.say("hello 1 client=test")
    again.ok(f"resume {players[4].token}")
    assert again.err("move 2 t2") == "NOT_SEATED"
    assert "t2" in world.host.rooms


def test_what_is_about_all_tables_waits_until_they_are_there(restart: Restart) -> None:
    world, _ = evening(4)
    world = restart(world)
    peer = world.program("new")
    peer.take()
    before = peer.replies
    peer.hear("@1 tables")
    assert peer.take() == []
    world.advance(10)
    assert peer.replies == before + 1
    assert len([line for line in peer.take() if line.startswith("@1 TABLE ")]) == 4


@pytest.mark.parametrize(
    "line",
    [
        "join t3",
        "watch t3",
        "watch 3",
        "watch p6x",
        "watch plum",
        "review g3",
        "whatif g3",
        "friend p5x",
        "stats p5x",
        "results twentytwo",
        "seeks",
        "join 3",
        "join p6x",
        "watch t3",
        "table t3",
        "watchers T3",
        "state t3",
        "sync t3 from=0",
        "sync k3 from=0",
        "say t3 :hello",
        "hand t3",
        "remove p5x t3",
        "open twentytwo",
        "open twentytwo private=plum",
        "practice twentytwo bots=1 level=easy",
        "tables",
        "who",
        "info",
        "profile p5x",
        "game g3",
        "replay g3",
        "fair g3",
        "export g3",
        "history",
        "tell p5x hello",
        "invite p5x",
        "games",
        "rules twentytwo",
        "login zoe three blind mice",
    ],
)
def test_every_command_is_answered_as_if_all_tables_were_there(line: str, restart: Restart) -> None:
    said = []
    for starts in (World.restarted, restart):
        world, _ = evening(4)
        world.program("zoe").ok("register zoe :three blind mice")
        world.program("eve").ok("open twentytwo private=plum")
        peer = starts(world).program("new")
        peer.take()
        peer.hear(f"@1 {line}")
        peer.world.advance(50)
        # That it restores is the one thing that it says.
        said.append([each for each in peer.take() if "INFO key=state " not in each])
    assert said[0]
    assert said[1] == said[0]


def test_who_logs_in_has_their_tables_while_others_are_missing(restart: Restart) -> None:
    world, players = evening(4)
    players[5].ok("register zoe :three blind mice")
    world = restart(world)
    again = world.peer()
    again.say("hello 1 client=test")
    rows = [row for row in again.rows("login ZOE :three blind mice") if row.word == "AT"]
    assert [row.fields["on"] for row in rows] == ["me", "t3"]
    assert list(world.host.rooms) == ["t1", "t3"]
    assert len(again.ok("hand t3").fields["cards"].split(",")) == 7


def test_a_guest_who_registers_is_renamed_at_tables_that_were_missing(restart: Restart) -> None:
    world, players = evening(4)
    watcher = world.program("eve")
    watcher.ok("watch t4")
    watcher.ok("kibitz :hello t4")
    world = restart(world)
    again = resumed(world, players[4], "t3")
    again.ok("register zoe :three blind mice")
    assert world.room("t3").table.seats[0].name == "zoe"
    world.advance(50)
    assert world.room("t3").table.seats[0].name == "zoe"
    assert world.host.tables.count == 4


def test_at_the_end_everything_is_as_if_it_had_come_at_once(restart: Restart) -> None:
    world, players = evening(4)
    at_once = world.restarted()
    now = restart(world)
    now.advance(10)
    assert not now.host.availability.restoring
    assert list(now.host.rooms) == list(at_once.host.rooms)
    for on, room in at_once.host.rooms.items():
        assert now.room(on).table.seats == room.table.seats
        assert now.room(on).table.phase is Phase.PLAYING
    for player in players:
        found = now.host.people.find(player.name)
        assert found is not None
        assert len(found.tables) == 1


def test_nobody_is_forgotten_before_their_table_is_there(restart: Restart) -> None:
    world, players = evening(4, grace=1)
    now = restart(world)
    now.advance(5)
    found = now.host.people.find(players[7].name)
    assert found is not None
    assert found.tables == ["t4"]


def test_a_server_that_stops_meanwhile_builds_no_more(restart: Restart) -> None:
    world, _ = evening(4)
    now = restart(world)
    now.host.tables.halt()
    now.advance(10)
    assert list(now.host.rooms) == ["t1"]
