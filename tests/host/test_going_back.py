"""`undo` and `again` over a connection: nothing comes between the two games."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from tests.kit.hosts import LateStore, Peer, World
from twentytwo_server.facts import GameEnded, Input, Promise
from twentytwo_server.table.table import Phase

CHANGES = (
    "remove bot:steady",
    "dropbot",
    "swap 2",
    "addbot",
    "option first_hand 3",
    "option decks 2",
    "option exchange off",
    "option jokers 4",
)
"""Commands after which the game could not go on, or not for the same person."""


def play(world: World, ann: Peer, decisions: int) -> None:
    """Plays the defaults until ann has answered so often, and is asked again, or it is over."""
    for _ in range(2000):
        world.advance(5_000)
        match = world.room().table.match
        assert match is not None
        if match.question is None or (decisions == 0 and match.question.seat == 1):
            return
        if match.question.seat == 1:
            ann.ok(f"move {match.question.default}")
            decisions -= 1
    raise AssertionError("it never ends")


def practising(store: LateStore | None = None, decisions: int = 4) -> tuple[World, Peer]:
    world = World(store)
    ann = world.program("ann")
    ann.ok("practice bots=1 seed=22 options=limit:10")
    play(world, ann, decisions)
    ann.take()
    return world, ann


@together("order", ["undo", "again"])
@together("decisions", [2, 2000])
@together("between", CHANGES)
def test_the_next_command_finds_the_game_that_goes_on(
    order: str, decisions: int, between: str
) -> None:
    world, ann = practising(decisions=decisions)
    seats = world.room().table.seats
    ann.hear(f"@a {order}")
    ann.hear(f"@b {between}")
    ann.hear("@c ping")
    told = [(record.id or record.word) for record in ann.records()]
    assert told.index("a") < told.index("CONTINUED") < told.index("b")
    assert told[told.index("b") - 1] == "TURN" and told[-1] == "c"
    assert next(r for r in ann.records() if r.id == "b").fields["code"] == "GAME_RUNNING"
    after = world.room().table
    assert after.phase is Phase.PLAYING and after.names == {s.number: s.name for s in seats}
    token = ann.token
    for _ in range(2):
        state, *_, asked = ann.rows("state t1")
        assert (state.fields["phase"], state.fields["id"]) == ("playing", "g3")
        assert asked.word == "TURN"
        world = world.restarted()
        ann = world.program()
        ann.ok(f"resume {token} t1:0")
    assert world.host.faults.count == 0


def test_both_games_and_what_goes_on_are_kept_in_one_transaction() -> None:
    store = LateStore()
    world, ann = practising(store)
    store.late = True
    ann.hear("@a undo")
    ((facts, _),) = store.waiting
    orders = [fact.order for fact in facts if isinstance(fact, Input)]
    assert [order.split(",")[0] for order in orders] == ['["undo"', '["!goon"']
    assert [fact.game for fact in facts if isinstance(fact, GameEnded)] == ["g1"]
    assert [fact.game for fact in facts if isinstance(fact, Promise)] == ["g2", "g3"]
    assert ann.take() == [] and world.room().table.match is not None
    store.release()
    assert ann.words()[-1] == "TURN"


def test_an_error_in_telling_the_first_order_does_not_drop_the_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, ann = practising()
    with monkeypatch.context() as patch:
        patch.setattr(world.room().audience, "tell_order", None)
        ann.hear("@a undo")
    assert world.host.faults.count == 2
    assert world.room().table.phase is Phase.PLAYING
    went_on = world.room().table.match
    world = world.restarted()
    again = world.room().table.match
    assert went_on is not None and again is not None and again.state == went_on.state


@together("change", [c for c in CHANGES if c not in ("swap 2", "addbot")])
@together("order", ["undo", "again"])
def test_a_game_does_not_go_on_by_other_rules_or_with_other_seats(change: str, order: str) -> None:
    world, ann = practising(decisions=2000)
    ann.ok(change)
    before = world.room().table
    assert ann.err(order) == "FORBIDDEN"
    assert world.room().table == before and world.host.faults.count == 0
    if len(before.seats) == 1:
        ann.ok("addbot")
    ann.ok("rematch")
    assert world.room().table.phase is Phase.PLAYING


@pytest.mark.parametrize("order", ["undo", "again"])
def test_nobody_takes_back_the_moves_of_another_seat(order: str) -> None:
    world, ann = practising(decisions=2000)
    ann.ok("swap 2")
    before = world.room().table
    refused = ann.ask(order)
    assert (refused.fields["code"], refused.text) == (
        "FORBIDDEN",
        "You played that game in seat 1: swap 1 takes you back there. rematch plays another game.",
    )
    assert world.room().table == before
    ann.ok("swap 1")
    ann.ok(order)
    asked = world.room().table.on_turn
    assert asked is not None and asked.name == ann.name


@pytest.mark.parametrize("order", ["undo", "again"])
def test_nobody_takes_back_the_moves_of_somebody_who_had_the_seat_before(order: str) -> None:
    world, ann = practising(decisions=2000)
    bob = world.program("bob")
    ann.ok("dropbot")
    ann.ok("invite bob")
    bob.ok("join t1")
    assert (bob.ask(order).text or "").startswith("Other people play here too")
    ann.ok("leave")
    bob.ok("swap 1")
    bob.ok("addbot")
    refused = bob.ask(order)
    assert (refused.fields["code"], refused.text) == (
        "FORBIDDEN",
        "Somebody else began this game in your seat. rematch plays another game.",
    )
    bob.ok("rematch")
    assert world.room().table.phase is Phase.PLAYING


@pytest.mark.parametrize("order", ["undo", "again"])
def test_whoever_registers_after_a_game_takes_back_their_own_moves(order: str) -> None:
    world, ann = practising(decisions=2000)
    ann.ok("register zoe :three blind mice")
    ann.ok(order)
    asked = world.room().table.on_turn
    assert asked is not None and asked.name == "zoe"
