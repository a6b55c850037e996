"""What a table told of a game, its record tells again."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from tests.laws.laws import every_preset
from tests.records.live import LONG, Live, played
from twentytwo_protocol import record as records
from twentytwo_protocol import wire
from twentytwo_protocol.fair import FairShuffle, commitment
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import Aborted, Gameover, Played, Result, Turn
from twentytwo_protocol.words.seating import Option_
from twentytwo_server.games.registry import games
from twentytwo_server.records import telling
from twentytwo_server.records.replay import NotReplayable

CASES = [(key, preset, number) for key, preset in every_preset() for number in range(4)]


def lines(live_or_told: list, viewer: int | None) -> list[str]:  # type: ignore[type-arg]
    return [wire.write(redact(event, viewer)) for event in live_or_told]


@pytest.mark.parametrize(("key", "preset", "number"), CASES)
def test_a_record_tells_the_very_events_of_the_game_to_every_viewer(
    key: str, preset: str, number: int
) -> None:
    live = played(key, preset, number)
    record = records.read(live.ended.record)
    told = telling.told(record, games())
    assert told == live.game
    for viewer in (None, *range(1, record.seats + 1)):
        assert lines(told, viewer) == lines(live.game, viewer)


def test_an_option_that_came_after_a_record_is_not_told_of_it() -> None:
    record = records.read(played("whist22", "gamerules", 0).ended.record)
    older = replace(record, options={k: v for k, v in record.options.items() if k != "hook"})
    tables = [telling.table(each, games()) for each in (record, older)]
    keys = [[e.key for e in told if isinstance(e, Option_)] for told in tables]
    assert keys[1] == [key for key in keys[0] if key != "hook"]
    begins = [telling.told(each, games())[0] for each in (record, older)]
    assert begins[0].ruleshash != begins[1].ruleshash  # type: ignore[attr-defined]  # GAME


@together(("key", "preset", "number"), CASES[::3])
def test_what_is_told_can_be_followed_like_a_table(key: str, preset: str, number: int) -> None:
    record = records.read(played(key, preset, number).ended.record)
    model = TableModel("g1", 1)
    events = [*telling.table(record, games()), *telling.told(record, games())]
    for seq, event in enumerate(events, 1):
        model.see(redact(event, 1), seq)
    assert model.phase == "over"
    assert {seat: each.name for seat, each in model.seats.items()} == dict(record.names)


def some(wanted: type, *, key: str = "twentytwo", preset: str = "pagat", most: int = LONG) -> Live:
    """A game in which that happened."""
    for number in range(100):
        live = played(key, preset, number, most=most)
        if any(isinstance(event, wanted) for event in live.game):
            return live
    raise AssertionError(f"no game has {wanted.__name__}")


def test_moves_of_the_clock_and_of_stand_ins_are_marked() -> None:
    live = next(
        live
        for live in (played("twentytwo", "pagat", number) for number in range(50))
        if any(made.auto for made in live.made)
    )
    told = telling.told(records.read(live.ended.record), games())
    autos = [event for event in told if getattr(event, "auto", None)]
    assert len(autos) == sum(made.auto for made in live.made)
    assert any(isinstance(event, Played) for event in autos)


def test_a_game_that_was_aborted_is_told_up_to_there() -> None:
    live = some(Aborted, most=30)
    assert live.ended.why == "aborted"
    told = telling.told(records.read(live.ended.record), games())
    assert told[-1] == Aborted("agreed")
    assert not [seat for seat in live.ended.seats if seat.place]


def test_a_resignation_is_told_with_its_results() -> None:
    for number in range(400):
        live = played("twentytwo", "pagat", number, seats=2)
        if live.ended.why == "resigned":
            break
    else:
        raise AssertionError("nobody resigned")
    told = telling.told(records.read(live.ended.record), games())
    assert isinstance(told[-1], Gameover) and told[-1].why == "resigned"
    assert [event.place for event in told if isinstance(event, Result)] == [1, 2]


def test_the_shuffles_of_a_record_can_be_checked() -> None:
    live = next(
        live
        for live in (played("twentytwo", "pagat", number) for number in range(20))
        if records.read(live.ended.record).fair
        and "kitten"
        in (records.read(live.ended.record).fair or records.RecordedShuffle("", "")).words
    )
    record = records.read(live.ended.record)
    assert record.fair is not None
    assert commitment(record.fair.seed) == record.fair.commitment
    pairs = ",".join(f"{seat}={word}" for seat, word in enumerate(record.fair.words, 1))
    house = FairShuffle(record.fair.seed, record.id, pairs).house
    packs = [made.token.split("+") for made in record.moves if made.seat == 0]
    assert list(house(1, sorted_pack(packs[0]))) == packs[0]


def sorted_pack(pack: list[str]) -> list[str]:
    return sorted(pack, key=lambda card: ("CDHS".index(card[1]), "23456789TJQKA".index(card[0])))


def test_the_time_is_left_out_of_what_is_told_again() -> None:
    live = next(
        live
        for live in (played("twentytwo", "pagat", number) for number in range(20))
        if live.table.settings.clock
    )
    asked = [event for event in live.told if isinstance(event, Turn)]
    assert all(turn.ms is not None for turn in asked)
    again = telling.told(records.read(live.ended.record), games())
    assert not [event for event in again if isinstance(event, Turn) and event.ms is not None]


def test_a_record_that_breaks_off_before_a_shuffle_says_so() -> None:
    record = records.read(played("twentytwo", "pagat", 1).ended.record)
    second = [i for i, made in enumerate(record.moves) if made.seat == 0][2]
    from msgspec.structs import replace

    cut = replace(record, moves=record.moves[:second], end="", results=())
    with pytest.raises(NotReplayable, match="where the house has to shuffle"):
        telling.told(cut, games())


def test_a_running_game_is_told_as_far_as_it_goes() -> None:
    from msgspec.structs import replace

    record = records.read(played("twentytwo", "pagat", 1).ended.record)
    running = replace(record, moves=record.moves[:8], end="", results=())
    told = telling.told(running, games())
    assert isinstance(told[-1], Turn)
