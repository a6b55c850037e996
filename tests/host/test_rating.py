"""A rating is not lost by a crash after the end of the game, and not reckoned twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.host.test_accounts import PASSWORD, account, default, play_out, rated_game, told
from tests.kit.hosts import World
from tests.kit.stores import Unsteady
from twentytwo_server.accounts import ratings as reckoning
from twentytwo_server.facts import GameEnded, InboxLine, Rated, RatingDone, RatingDue
from twentytwo_server.store.memory import MemoryStore


def almost_over(store: Unsteady, *, bot: bool = False) -> World:
    """A rated game of ann and bob, one move before its end."""
    world = World(store)
    rated_game(world, "ann", "bob", bot=bot)
    trial = World(probe := Unsteady())
    rated_game(trial, "ann", "bob", bot=bot)
    play_out(trial)
    moves = sum('"move"' in fact.order for fact in probe.kept if hasattr(fact, "order"))
    for _ in range(moves - 1):
        world.on_turn().ok(f"move {default(world)}")
    return world


def end(world: World) -> None:
    """The last move, whose end the store may be late with."""
    world.on_turn().hear(f"@end move {default(world)}")


def ratings(world: World, name: str) -> list[tuple[str, int]]:
    """Somebody's ratings: in which pool, and after how many games."""
    found: list[tuple[str, int]] = []
    world.store.rating(name, lambda all_: found.extend((r.pool.value, r.games) for r in all_))
    return found


def mail(world: World, name: str) -> list[str]:
    """The events of somebody's inbox."""
    assert isinstance(world.store, Unsteady)
    lines = world.store.remembered().inboxes.get(name, ())
    return [line.line.partition(" ")[0] for line in lines]


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_game_that_was_over_when_the_server_was_killed_is_rated_once(kept: int) -> None:
    store = Unsteady()
    world = almost_over(store)
    store.late = True
    end(world)
    # First the end of the game is safe, then the ratings, each unless the server is killed before.
    for _ in range(kept):
        store.release(1)
    store.crash()
    store.late = False
    again = world.restarted()
    if not kept:
        assert ratings(again, "ann") == []
        return
    for name in ("ann", "bob"):
        assert ratings(again, name) == [("people", 1)]
        assert mail(again, name).count("RATED") == 1
    assert not store.remembered().unrated


def test_ratings_that_were_kept_and_not_acknowledged_are_not_reckoned_again() -> None:
    store = Unsteady()
    world = almost_over(store)
    store.late = True
    end(world)
    store.release(1)
    store.release(1, answering=False)
    store.crash()
    store.late = False
    again = world.restarted()
    assert ratings(again, "ann") == [("people", 1)]
    assert mail(again, "ann").count("RATED") == 1


def test_a_server_that_is_killed_while_it_reckons_the_rest_reckons_it_the_next_time() -> None:
    store = Unsteady()
    world = almost_over(store)
    store.late = True
    end(world)
    store.release(1)
    for _ in range(3):
        store.crash()
        world = world.restarted()
        assert ratings(world, "ann") == []
    store.crash()
    store.late = False
    world = world.restarted()
    assert ratings(world, "ann") == [("people", 1)]


def test_a_game_of_programs_is_rated_among_them_after_a_restart_as_well() -> None:
    store = Unsteady()
    world = almost_over(store, bot=True)
    store.late = True
    end(world)
    store.release(1)
    store.crash()
    store.late = False
    assert ratings(world.restarted(), "ann") == [("bots", 1)]


def test_a_game_is_due_with_its_end_and_done_with_its_ratings() -> None:
    store = Unsteady()
    world = almost_over(store)
    store.late = True
    end(world)
    ((facts, _),) = store.waiting
    assert [type(fact) for fact in facts][-2:] == [GameEnded, RatingDue]
    store.release(1)
    ((facts, _),) = store.waiting
    assert [type(fact) for fact in facts] == [Rated, Rated, RatingDone, InboxLine, InboxLine]


def test_who_comes_back_after_the_crash_reads_what_the_game_brought() -> None:
    store = Unsteady()
    world = almost_over(store)
    store.late = True
    end(world)
    store.release(1)
    store.crash()
    store.late = False
    again = world.restarted()
    ann = again.program()
    ann.ok("login ann :three blind mice")
    assert [event.word for event in told(ann)] == ["RATED"]


def test_a_game_that_cannot_be_reckoned_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Unsteady()
    world = almost_over(store)
    whole, calls = reckoning.rated, 0

    def rated(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise RuntimeError("it cannot be reckoned")
        return whole(*args)

    monkeypatch.setattr(reckoning, "rated", rated)
    end(world)
    assert ratings(world, "ann") == []
    for peer in world.peers:
        peer.ok("ready t1")
    play_out(world)
    assert ratings(world, "ann") == [("people", 1)]
    assert ratings(world.restarted(), "ann") == [("people", 2)]


def test_people_and_programs_are_rated_apart_even_under_one_name() -> None:
    store = MemoryStore()
    people = World(store)
    rated_game(people, "ann", "bob")
    play_out(people)
    programs = World(store, run=1)
    peers = [programs.program(bot=True) for _ in range(2)]
    for peer, name in zip(peers, ("ann", "bob"), strict=True):
        peer.ok(f"login {name} :{PASSWORD}")
        peer.name = name
        peer.take()
    on = programs.game(*peers, options="rated=1")
    play_out(programs, on)
    for peer in peers:
        (event,) = [e for e in told(peer) if e.word == "RATED" and e.fields["id"] != "g1"]
        # In its pool this is the first game.
        assert (event.fields["old"], event.fields["games"]) == ("1500", "1")
    assert ratings(programs, "ann") == ratings(programs, "bob") == [("bots", 1), ("people", 1)]


def test_whoever_ends_a_game_waits_for_its_ratings_and_for_no_others() -> None:
    store = Unsteady()
    world = World(store)
    ann, bob = rated_game(world, "ann", "bob")
    cat = account(world, "cat")
    world.game(cat, bob, options="rated=1")
    before = (ann.replies, cat.replies)
    store.late = True
    ann.hear("@r resign")
    cat.hear("@r resign")
    store.release(2)  # the ends of both games
    assert (ann.replies, cat.replies) == before
    store.release(1)
    assert (ann.replies, cat.replies) == (before[0] + 1, before[1])
    store.release(1)
    assert (ann.replies, cat.replies) == (before[0] + 1, before[1] + 1)
