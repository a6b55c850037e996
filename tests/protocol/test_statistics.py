"""What is counted of a game, and of many."""

from __future__ import annotations

from tests.kit.cases import together
from twentytwo_protocol import statistics, summary
from twentytwo_protocol.sparkline import BLOCKS, sparkline
from twentytwo_protocol.statistics import PlayedGame, lead
from twentytwo_protocol.summary import GameSummary, SeatSummary
from twentytwo_protocol.words.cardplay import Contract, Handover, Scored, Shown


def folded() -> GameSummary:
    """Two hands with last cards, one with bids, one with a contract."""
    told = GameSummary()
    told.see_all([Shown(1, "KS"), Shown(2, "XK"), Handover(1, (2,), (0, 13))])
    told.see_all([Shown(1, "KH"), Shown(2, "2C"), Handover(2, (1,), (10, 13))])
    told.see_all([Scored(1, -1, 9, bid=2, won=3), Scored(2, 0, 10, bid=0, won=0)])
    told.see_all([Contract(2, 16, (2, 4)), Scored(None, 1, 1, side=(2, 4), bid=16, won=18)])
    return told


def test_what_is_written_is_read_again() -> None:
    told = folded()
    assert summary.read(told.written()) == told.seats
    assert told.seats[1].last == {("K", False): 1, ("K", True): 1}
    assert told.seats[2].bids == {(0, 0): 1, (16, 18): 1}
    assert GameSummary().written() == ""


@together("text", ["", "no", "[]", '{"1":3}', '{"x":{}}', '{"1":{"last":{"K":[1]}}}'])
def test_what_is_no_summary_counts_nothing(text: str) -> None:
    assert summary.read(text) == {}


def test_a_lead_is_counted_over_all_others_whatever_points_are_good_for() -> None:
    places, totals = (2, 1, 3), (9, 4, 22)
    leads = [lead(seat, places, totals) for seat in (1, 2, 3)]
    assert leads == [13 - 5, 5 + 18, -13 - 18]
    assert [lead(seat, places, [-each for each in totals]) for seat in (1, 2, 3)] == leads
    assert lead(1, (1, 1), (3, 9)) == 0


def test_the_best_game_is_that_in_which_one_was_furthest_ahead() -> None:
    games = [
        PlayedGame(f"g{no}", "whist22", 1, places, totals, SeatSummary())
        for no, (places, totals) in enumerate(
            [((1, 2), (9, 4)), ((2, 1), (1, 8)), ((0, 0), (9, 1))]
        )
    ]
    found = statistics.counted(games)["whist22"]
    assert found.best is games[0]
    assert found.worst is games[1]
    assert (found.played, found.won, found.by_place) == (2, 1, (1, 1))


def test_bids_are_told_with_what_came_of_them() -> None:
    one = SeatSummary()
    one.bids.update({(2, 2): 3, (2, 3): 1, (2, 0): 2, (0, 0): 1})
    assert [(b.bid, b.times, b.exact, b.more, b.less) for b in statistics.bid_outcomes(one)] == [
        (0, 1, 1, 0, 0),
        (2, 6, 3, 1, 2),
    ]


@together(
    ("values", "line"),
    [([], ""), ([1], "="), ([1, 1], "=="), ([1, 2, 8], "_.@"), (range(80), None)],
)
def test_a_sparkline_has_a_character_for_as_many_values(
    values: list[int], line: str | None
) -> None:
    found = sparkline(values)
    assert len(found) == min(40, len(values))
    assert line in (None, found)
    assert set(sparkline(values, BLOCKS)) <= set(BLOCKS)
