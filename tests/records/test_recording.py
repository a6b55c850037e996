"""What is kept of a game when it is over."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from tests.kit.tables import with_settings
from tests.records.live import Live, played
from twentytwo_protocol import record as records
from twentytwo_server.accounts.ratings import rated_name
from twentytwo_server.facts import GameEnded, SeatResult
from twentytwo_server.records import recording


@pytest.fixture(scope="module")
def live() -> Live:
    return played("twentytwo", "pagat", 1, seats=3, bots=1, clever=True)


def kept(live: Live, **settings: object) -> GameEnded:
    """The same game at a table with other settings."""
    table = with_settings(live.table, **settings)
    return dataclasses.replace(live, table=table).ended


def test_the_record_names_those_with_whom_the_game_began(live: Live) -> None:
    record = records.read(live.ended.record)
    assert dict(record.names) == {1: "ann", 2: "bot:steady", 3: "bob"}
    assert dict(record.bots) == {2: "steady/1"}
    assert (record.began, record.ended) == (
        "2023-11-14T22:13:20.000Z",
        "2023-11-14T22:13:21.000Z",
    )


def test_several_bots_are_told_apart_by_the_names_that_the_table_gave_them() -> None:
    ended = played("twentytwo", "pagat", 1, seats=3, bots=2, most=10, clever=True).ended
    names = [seat.name for seat in ended.seats]
    assert names == ["ann", "bot:steady", "bot:steady2"]
    assert names == list(records.read(ended.record).names.values())


def test_a_bot_is_rated_by_its_level_and_version_whatever_the_table_called_it() -> None:
    assert rated_name(SeatResult(2, "bot:hard2", "3", 1, 0)) == "bot:hard/3"
    assert rated_name(SeatResult(2, "ann2", "", 1, 0)) == "ann2"


def test_every_seat_has_its_place_and_total_as_the_results_say(live: Live) -> None:
    ended = live.ended
    results = {each.seat: each for each in records.read(ended.record).results}
    assert [(s.place, s.total) for s in ended.seats] == [
        (results[seat].place, results[seat].total) for seat in (1, 2, 3)
    ]
    assert (ended.seats[1].name, ended.seats[1].version) == ("bot:steady", "1")
    assert (ended.why, ended.key, ended.rules) == ("last", "twentytwo", "pagat")


def test_without_a_result_there_are_totals_but_no_places() -> None:
    live = played("twentytwo", "pagat", 1, seats=2, most=10, clever=True)
    assert live.ended.why == "aborted"
    assert all(seat.place == 0 for seat in live.ended.seats)
    assert isinstance(live.ended.seats[0], SeatResult)


def test_a_bots_version_is_the_one_it_was_given(live: Live) -> None:
    ended = recording.ended(live.table, live.began, live.made, live.entries, {"steady": 7})
    assert ended.seats[1].version == "7"
    assert records.read(ended.record).bots[2] == "steady/7"


def test_it_is_kept_where_the_game_stands_on_the_stream_and_whether_it_counts(live: Live) -> None:
    began = replace(live.began, seq=5)
    ended = recording.ended(live.table, began, live.made, live.entries)
    assert (ended.events, ended.rated) == ((5, len(live.told)), False)
    assert kept(live, rated=True).rated


@pytest.mark.parametrize(
    ("settings", "public"),
    [
        ({}, True),
        ({"word": "kiwi"}, False),
        ({"watch": False}, False),
        ({"practice": True}, False),
    ],
)
def test_a_game_is_public_if_anybody_could_have_watched_it(
    live: Live, settings: dict[str, object], public: bool
) -> None:
    assert kept(live, **settings).public is public
