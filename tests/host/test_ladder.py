"""The ladder of a week: whom one has beaten in its rated games."""

from __future__ import annotations

from tests.host.test_accounts import logged_in, play_out, rated_game
from tests.kit.hosts import World

WEEK = 7 * 86_400_000


def test_the_ladder_of_this_week_has_the_rated_games_of_this_week() -> None:
    world = World()
    rated_game(world, "ann", "bob")
    play_out(world)
    rows = world.program("cat").rows("ranks week")
    assert [each.fields["rank"] for each in rows] == ["1", "2"]
    assert [each.fields["halves"] for each in rows] == ["2", "0"]
    assert {each.fields["week"] for each in rows} == {"2026-W01"}
    world.advance(WEEK)
    dan = world.program("dan")
    assert dan.rows("ranks week") == []
    assert len(dan.rows("ranks 2026-W01")) == len(dan.rows("ranks twentytwo 2026-w01")) == 2
    assert dan.rows("ranks whist22 2026-W01") == []
    pages = dan.pages("ranks twentytwo 2026-W01 n=1")
    assert [[row.fields["rank"] for row in page] for page in pages] == [["1"], ["2"]]
    assert len(dan.rows("ranks week 2026-W01")) == len(dan.rows("ranks 2026-W01 22")) == 2
    assert dan.rows("ranks week whist22") == []


def test_a_week_begins_on_monday_at_midnight() -> None:
    world = World()
    world.advance(3 * 86_400_000)  # from Friday to Monday
    rated_game(world, "ann", "bob")
    play_out(world)
    rows = logged_in(world).rows("ranks week")
    assert {each.fields["week"] for each in rows} == {"2026-W02"}


def test_what_is_no_week_is_refused() -> None:
    dan = World().program("dan")
    for line in ("ranks twentytwo month", "ranks twentytwo 2026-W54", "ranks 2026-w00"):
        assert dan.err(line) in ("BAD_ARG", "NO_SUCH_GAME")
    assert dan.err("ranks week pool=bots") == "BAD_ARG"


def test_people_read_points_and_games() -> None:
    world = World()
    rated_game(world, "ann", "bob")
    play_out(world)
    first, second = world.person("cat").say("ranks week")
    assert first.endswith(": 1 point in 1 game")
    assert second.endswith(": 0 points in 1 game")
