"""Matches of bots: every seating once, the same deals in each, the same records every time."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from twentytwo_protocol import record
from twentytwo_server.games import players
from twentytwo_server.games.registry import games
from twentytwo_server.games.search import hard
from twentytwo_server.games.twentytwo.bots import BOTS
from twentytwo_server.games.twentytwo.search.search import SEARCH
from twentytwo_server.operator.bot_matches import (
    MatchGame,
    MatchPlan,
    play_deal,
    play_game,
    results,
    seatings,
)

PLAN = MatchPlan("twentytwo", "pagat", {}, ("steady", "easy", "easy"), 5, 2)


def of(*levels: str) -> MatchPlan:
    """A match of these."""
    return replace(PLAN, levels=levels)


@together(
    ("levels", "turns"),
    [
        ("hard,steady,steady,steady", 4),
        ("hard,steady,hard,steady", 2),
        ("hard,hard,steady,steady", 4),
        ("easy,steady,easy", 3),
        ("steady,steady", 1),
        ("hard,steady", 2),
    ],
)
def test_a_deal_is_played_once_for_every_seating_that_differs(levels: str, turns: int) -> None:
    assert seatings(of(*levels.split(","))) == turns


def seated(game: MatchGame) -> list[str]:
    """The levels in the order of the seats."""
    return [name for _, name in sorted(game.record.names.items())]


def test_every_level_sits_in_every_seat_as_often_as_there_are_of_it() -> None:
    for levels in ("steady", "easy", "easy"), ("steady", "easy", "steady", "easy"):
        played = play_deal(of(*levels), 0)
        seats = list(zip(*map(seated, played), strict=True))
        for seat in seats:
            shares = {level: seat.count(f"bot:{level}") / len(played) for level in levels}
            assert shares == {level: levels.count(level) / len(levels) for level in levels}


def test_the_first_deal_is_the_same_from_every_seat_and_another_for_another_number() -> None:
    dealt = {game.record.moves[0] for game in play_deal(PLAN, 0)}
    assert len(dealt) == 1
    assert dealt != {play_game(PLAN, 1, 0).record.moves[0]}


def test_the_same_seed_gives_the_same_records_byte_for_byte() -> None:
    plan = of("hard", "steady")
    once, again = (record.write(play_game(plan, 0, 1).record) for _ in range(2))
    assert once == again
    other = replace(plan, seed=6)
    assert record.write(play_game(other, 0, 1).record) != once


def test_the_record_says_what_plays_where_and_in_which_version() -> None:
    found = play_game(of("hard", "steady"), 0, 0).record
    assert found.names == {1: "bot:hard", 2: "bot:steady"}
    assert found.bots == {1: f"hard/{hard.VERSION + SEARCH.version}", 2: f"steady/{BOTS.version}"}


def test_every_level_of_every_game_has_a_version() -> None:
    for game in games().values():
        assert set(players.versions(game)) == set(players.levels(game))
        assert min(players.versions(game).values()) >= 1


def test_the_shares_of_the_levels_make_one_game() -> None:
    plan = of("steady", "easy", "easy")
    found = results(plan, [game for deal in range(4) for game in play_deal(plan, deal)])
    assert [result.level for result in found] == ["steady", "easy"]
    assert sum(result.won.mean * result.entrants for result in found) == pytest.approx(1)
