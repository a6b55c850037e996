"""Statistics of somebody's games: their own, and of others what one may see."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.host.test_accounts import account, logged_in, play_out, rated_game
from tests.host.test_daily import play_out as play_with_bots
from tests.kit.hosts import Peer, World
from twentytwo_client.statistics import picture, report
from twentytwo_protocol.statistics import PlayedGame
from twentytwo_protocol.summary import SeatSummary
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.statistics import BidsRow
from twentytwo_server.accounts.ratings import shown
from twentytwo_server.facts import Pool, Rated


def rows(peer: Peer, line: str = "stats") -> dict[str, list[ParsedLine]]:
    """The rows of an answer, by their word."""
    found: dict[str, list[ParsedLine]] = {}
    for each in peer.rows(line):
        found.setdefault(each.word, []).append(each)
    return found


def practised(peer: Peer, options: str) -> None:
    on = peer.ok(f"practice {options}").fields["on"]
    play_with_bots(peer.world, on)


def test_ones_games_are_counted_with_their_places_and_last_cards() -> None:
    world = World()
    ann = account(world)
    for seed in range(3):
        practised(ann, f"bots=2 seed={seed}")
    found = rows(ann)
    (stats,) = found["STATS"]
    assert (stats.fields["game"], stats.fields["played"]) == ("twentytwo", "3")
    assert sum(map(int, stats.fields["finishes"].split(","))) == 3
    cards = found["LASTCARD"]
    assert sum(int(each.fields["losses"]) for each in cards)
    ranks = [each.fields["card"] for each in cards]
    assert ranks == sorted(ranks, key="23456789TJQKA".index)
    assert all(int(each.fields["losses"]) <= int(each.fields["times"]) for each in cards)


def test_what_is_counted_is_what_was_seen_at_the_table() -> None:
    world = World()
    ann = account(world)
    on = ann.ok("practice bots=2 seed=5").fields["on"]
    play_with_bots(world, on)
    events = [entry.event for entry in world.room(on).stream.after(0)]
    shown = [each for each in events if each.word.word == "SHOWN" and getattr(each, "seat", 0) == 1]
    found = rows(ann)["LASTCARD"]
    assert sum(int(each.fields["times"]) for each in found) == len(shown)


@pytest.mark.parametrize("game", ["whist22", "twentyeight"])
def test_bids_are_counted_with_what_came_of_them(game: str) -> None:
    world = World()
    ann = account(world)
    for seed in range(3):
        practised(ann, f"{game} seed={seed}")
    found = rows(ann, f"stats game={game}")
    if game == "whist22":
        assert found["BIDS"]
    for each in found.get("BIDS", []):
        parts = [int(each.fields[key]) for key in ("exact", "above", "below")]
        assert sum(parts) == int(each.fields["times"])


def test_statistics_outlive_the_server() -> None:
    world = World()
    ann = account(world)
    practised(ann, "bots=2 seed=1")
    before = {word: [each.fields for each in found] for word, found in rows(ann).items()}
    world = world.restarted()
    ann = logged_in(world)
    assert {word: [each.fields for each in found] for word, found in rows(ann).items()} == before


def test_a_game_that_goes_on_over_a_start_is_counted_whole() -> None:
    whole, world = World(), World()
    for each in (whole, world):
        account(each).ok("practice bots=2 seed=3")
    on = "t1"
    play_with_bots(whole, on)
    world.clock.settle()
    for _ in range(12):
        match = world.room(on).table.match
        assert match is not None
        assert match.question is not None
        world.on_turn(on).ok(f"move {match.question.default} {on}")
        world.clock.settle()
    world = world.restarted()
    ann = logged_in(world)
    play_with_bots(world, on)
    other = next(peer for peer in whole.peers if peer.name == "ann" or peer.session.name == "ann")
    assert [each.fields for each in rows(ann)["LASTCARD"]] == [
        each.fields for each in rows(other)["LASTCARD"]
    ]


def test_the_course_of_a_rating_is_told() -> None:
    world = World()
    ann, bob = rated_game(world, "ann", "bob")
    play_out(world)
    for peer in (ann, bob):
        peer.ok("rematch")
    play_out(world)
    (trend,) = rows(ann)["TREND"]
    first, second = map(int, trend.fields["ratings"].split(","))
    assert first != second
    assert rows(bob, "stats ann")["TREND"][0].fields == trend.fields


def test_of_others_only_games_are_counted_that_one_may_see() -> None:
    world = World()
    ann, bob = account(world), account(world, "bob")
    practised(ann, "bots=2 seed=1")
    assert rows(bob, "stats ann") == {}
    assert rows(ann, "stats ann")["STATS"]
    assert rows(bob, "stats nobody") == {}
    assert ann.err("stats game=poker") == "NO_SUCH_GAME"


def test_a_guest_is_not_counted_the_games_of_the_one_before() -> None:
    world = World()
    bob = world.program("bob")
    practised(bob, "bots=2 seed=1")
    assert rows(bob)["STATS"]
    bob.drop()
    world.advance(200_000_000)
    assert rows(world.program("bob")) == {}


def test_nobody_counts_the_games_of_an_earlier_guest_as_those_of_a_guest_who_is_here() -> None:
    world = World()
    for played in ("1", "2"):
        bob, cat, dan = (world.program(name) for name in ("bob", "cat", "dan"))
        world.game(bob, cat)
        play_with_bots(world, f"t{played}")
        for peer in (dan, bob):
            (stats,) = rows(peer, "stats ~bob")["STATS"]
            assert stats.fields["played"] == "1"
        for peer in (bob, cat, dan):
            peer.ok("logout")
        world.advance(1_000)


def test_the_course_of_a_rating_is_that_of_its_last_games() -> None:
    world = World()
    ann = account(world)
    practised(ann, "bots=2 seed=1")
    at = world.host.clock.wall()
    ratings = [
        Rated(Pool.PEOPLE, "twentytwo", "pagat", "ann", 1.0 * n, 1.0, n, at) for n in range(1, 151)
    ]
    world.host.store.keep(ratings, lambda: None)
    (trend,) = rows(ann)["TREND"]
    assert trend.fields["ratings"].split(",") == [str(shown(1.0 * n)) for n in range(51, 151)]


def test_people_read_it_in_lines_that_fit() -> None:
    world = World()
    ann = world.person("ann")
    assert ann.say("stats") == ["You have not finished any game yet."]
    ann.say("practice whist22 bots=2 seed=3")
    play_with_people(world)
    lines = ann.say("stats")
    assert lines[0].startswith(
        (
            "  Whist 22: 1 game: first once.",
            "  Whist 22: 1 game: second once.",
            "  Whist 22: 1 game: third once.",
        )
    )
    assert any(line.startswith("    bid 0: ") for line in lines)
    assert all(len(line) <= 79 and line.isascii() for line in lines)


def play_with_people(world: World, on: str = "t1") -> None:
    """The same where a person plays."""
    world.clock.settle()
    while (match := world.room(on).table.match) and not match.over:
        assert match.question is not None
        world.on_turn(on).say(str(match.question.default))
        world.clock.settle()


@pytest.mark.parametrize(
    ("game", "came"),
    [
        ("twentyeight", "    bid 15: 6 times; made 4, missed 2"),
        ("whist22", "    bid 15: 6 times; just so 1, more 3, less 2"),
    ],
)
def test_a_bid_is_made_or_missed_where_more_is_as_good(game: str, came: str) -> None:
    assert Voice({}).sentence(BidsRow(game, 15, 6, 1, 3, 2)) == came
    seat = SeatSummary(bids=Counter({(15, 15): 1, (15, 16): 3, (15, 3): 2}))
    played = [PlayedGame("2026-01-02", game, 1, (1, 1, 2, 2), (5, 5, 0, 0), seat)]
    told = report.text(played, blocks=False)
    assert ("just so" in told) is ("just so" in came)
    assert ("missed" in picture.svg(played) or "made 4 of 6" in picture.svg(played)) is (
        "made" in came
    )
    assert "You came in first with 5 points" in told
