"""Ratings: which games count, and what they do to whom."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.cases import together
from twentytwo_server.accounts import ratings
from twentytwo_server.accounts.ratings import pool_of, rated
from twentytwo_server.facts import GameEnded, Pool, Rated, SeatResult

GAME = GameEnded(
    game="g7",
    table="t1",
    key="twentytwo",
    rules="pagat",
    digest="ff145ffd",
    why="last",
    rated=True,
    public=True,
    began=1,
    ended=2,
    events=(1, 9),
    seats=(),
    record="",
)


def game(
    *places: int, names: str = "ann bob cat dan eve fox gus hal ida", key: str = ""
) -> GameEnded:
    seats = [
        SeatResult(seat, name, "", place, 0)
        for seat, (name, place) in enumerate(zip(names.split(), places, strict=False), 1)
    ]
    return replace(GAME, seats=tuple(seats), key=key or GAME.key)


def after(ended: GameEnded, before: dict[str, Rated] | None = None) -> dict[str, Rated]:
    return {each.name: each for each in rated(ended, Pool.PEOPLE, before or {})}


def test_a_game_of_accounts_counts_for_people() -> None:
    assert pool_of(game(1, 2, 3)) is Pool.PEOPLE


def test_a_game_of_accounts_programs_counts_for_bots() -> None:
    assert pool_of(game(1, 2, 3), {1, 2, 3}) is Pool.BOTS


def test_a_game_of_the_servers_bots_counts_for_bots() -> None:
    ended = game(1, 2, names="bot:hard bot:easy")
    seats = tuple(replace(seat, version="3") for seat in ended.seats)
    ended = replace(ended, seats=seats)
    assert pool_of(ended) is Pool.BOTS
    assert [each.name for each in rated(ended, Pool.BOTS, {})] == ["bot:hard/3", "bot:easy/3"]


@together(
    "ended",
    [
        replace(game(1, 2), rated=False),
        replace(game(1, 2), why="aborted"),
        game(1, 2, names="ann ~bob"),
        game(1, 2, names="ann bot:hard"),
        game(1, 2, names="~ann bot:hard"),
        game(1),
        game(0, 0),
    ],
)
def test_other_games_do_not_count(ended: GameEnded) -> None:
    assert pool_of(ended) is None


def test_a_game_of_somebodys_program_and_the_servers_bots_does_not_count() -> None:
    assert pool_of(game(1, 2, names="ann bot:hard"), {1}) is None


def test_the_winner_rises_the_loser_falls_and_both_are_known_better() -> None:
    found = after(game(1, 2))
    assert found["ann"].mu > ratings.MEAN > found["bob"].mu
    assert all(each.sigma < ratings.SPREAD for each in found.values())
    assert all((each.games, each.wall) == (1, 2) for each in found.values())


def test_everybody_is_rated_by_their_place() -> None:
    found = after(game(3, 1, 4, 2))
    means = [found[name].mu for name in ("bob", "dan", "ann", "cat")]
    assert means == sorted(means, reverse=True)
    assert len(set(means)) == 4


def test_who_shares_a_place_changes_alike() -> None:
    found = after(game(1, 1, 3, 3))
    assert found["ann"].mu == pytest.approx(found["bob"].mu)
    assert found["cat"].mu == pytest.approx(found["dan"].mu)
    assert found["ann"].mu > found["cat"].mu


def test_a_game_that_everybody_won_moves_nobody_apart() -> None:
    found = after(game(1, 1, 1))
    assert {round(each.mu, 9) for each in found.values()} == {ratings.MEAN}


def test_partners_rise_and_fall_together() -> None:
    found = after(game(1, 2, 1, 2, key="twentyeight"))
    assert found["ann"].mu == pytest.approx(found["cat"].mu)
    assert found["bob"].mu == pytest.approx(found["dan"].mu)
    assert found["ann"].mu > ratings.MEAN > found["bob"].mu
    alone = after(game(1, 2, 1, 2))
    assert found["ann"].mu != pytest.approx(alone["ann"].mu)


def test_a_win_over_somebody_stronger_says_more() -> None:
    strong = Rated(Pool.PEOPLE, "twentytwo", "pagat", "bob", 35, 2, 50, 0)
    weak = replace(strong, mu=15)
    gained = [after(game(1, 2), {"bob": each})["ann"].mu for each in (strong, weak)]
    assert gained[0] > gained[1] > ratings.MEAN


def test_ratings_go_on_from_where_they_were() -> None:
    found = after(game(1, 2))
    again = after(game(1, 2), found)
    assert again["ann"].mu > found["ann"].mu
    assert again["ann"].games == 2


def test_a_rating_is_for_the_game_and_its_rules() -> None:
    (first, *_) = rated(game(1, 2), Pool.PEOPLE, {})
    assert (first.pool, first.key, first.rules) == (Pool.PEOPLE, "twentytwo", "pagat")


def test_a_rating_is_shown_as_1500_at_first() -> None:
    assert ratings.shown(ratings.MEAN) == 1500
    assert ratings.shown_spread(ratings.SPREAD) == 333


@given(st.lists(st.integers(1, 8), min_size=2, max_size=9))
def test_the_order_of_the_seats_does_not_matter(places: list[int]) -> None:
    ended = game(*places)
    turned = replace(ended, seats=tuple(reversed(ended.seats)))
    one, other = after(ended), after(turned)
    for name in one:
        assert one[name].mu == pytest.approx(other[name].mu)
        assert one[name].sigma == pytest.approx(other[name].sigma)


@given(st.permutations(range(1, 7)))
def test_a_better_place_gives_more(places: list[int]) -> None:
    found = after(game(*places))
    by_place = sorted(zip(places, found.values(), strict=True), key=lambda each: each[0])
    means = [each.mu for _, each in by_place]
    assert all(better > worse for better, worse in pairwise(means))


def test_who_shares_a_place_shares_what_it_is_worth() -> None:
    assert after(game(1, 2, 3))["ann"].mu > after(game(1, 1, 3))["ann"].mu > ratings.MEAN
