"""The record as text, and what replaying says when a record is wrong."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.games.golden import playthroughs
from tests.kit.cases import together
from twentytwo_protocol.record import (
    NotARecord,
    Record,
    RecordedMove,
    RecordedResult,
    RecordedShuffle,
    read,
    read_numbered,
    write,
)
from twentytwo_server.games.registry import games
from twentytwo_server.records.replay import NotReplayable, replay

TEXT = """\
twentytwo-record 1
game twentytwo
version 1
rules pagat
option limit 22
seats 3
name 1 ~ann
name 3 Cat O'Nine
date 2026-11-20

0 shuffle 2C+3C+4C
1 exchange -
2 play Q+Q
"""


def test_a_record_is_read_and_written() -> None:
    found = read(TEXT)
    assert found == Record(
        "twentytwo",
        1,
        "pagat",
        3,
        {"limit": "22"},
        {1: "~ann", 3: "Cat O'Nine"},
        ("date 2026-11-20",),
        (
            RecordedMove(0, "shuffle", "2C+3C+4C"),
            RecordedMove(1, "exchange", "-"),
            RecordedMove(2, "play", "Q+Q"),
        ),
    )
    assert write(found) == TEXT


FULL = """\
twentytwo-record 1
id g51
game whist22
version 1
rules gamerules
seats 3
name 1 ann
name 2 bot:hard
bot 2 hard/1
began 2026-11-20T02:03:12.165Z
ended 2026-11-20T02:09:40.002Z
fair fd1 ff8b
seed 11fc
words kitten,-,-
end zero
result 3 1 12 1
result 1 2 3 0
result 2 3 -4 0

0 shuffle 1+2+3
1 bid 1 auto
"""


def test_a_record_says_how_it_came_about_and_how_it_ended() -> None:
    found = read(FULL)
    assert (found.id, found.bots, found.end) == ("g51", {2: "hard/1"}, "zero")
    assert found.fair == RecordedShuffle("fd1", "ff8b", "11fc", ("kitten", "-", "-"))
    assert found.results == (
        RecordedResult(3, 1, 12, 1),
        RecordedResult(1, 2, 3, 0),
        RecordedResult(2, 3, -4, 0),
    )
    assert [made.auto for made in found.moves] == [False, True]
    assert write(found) == FULL


def test_further_words_of_a_move_are_passed_over() -> None:
    assert read(FULL.replace("1 bid 1 auto", "1 bid 1 slowly auto 12")) == read(FULL)


def test_what_a_record_does_not_say_is_left_out() -> None:
    found = read(TEXT)
    assert (found.id, found.end, found.fair, found.results) == ("", "", None, ())


def test_every_move_knows_its_line() -> None:
    commented = FULL.replace("1 bid", "# a comment\n1 bid")
    _, lines = read_numbered(commented)
    assert [commented.splitlines()[line - 1][:5] for line in lines] == ["0 shu", "1 bid"]


def test_header_lines_of_other_kinds_are_kept() -> None:
    assert read(TEXT).other == ("date 2026-11-20",)


def test_comments_are_left_out_wherever_they_stand() -> None:
    commented = "# a game\n" + TEXT.replace("1 exchange", "# bob keeps\n1 exchange")
    assert read(commented) == read(TEXT)


def test_a_record_may_have_no_moves_yet() -> None:
    assert read(TEXT.split("\n\n")[0]).moves == ()


@together(
    ("text", "line", "why"),
    [
        ("", 1, "begins with"),
        ("hello\n", 1, "begins with"),
        (TEXT.replace("record 1", "record 2"), 1, "begins with"),
        (TEXT.replace("game twentytwo\n", ""), 8, "no line 'game'"),
        (TEXT.replace("seats 3", "seats three"), 6, "seats of what"),
        (TEXT.replace("seats 3", "seats 3\nseats 3"), 7, "twice"),
        (TEXT.replace("seats 3", "seats 3\nid"), 7, "id of what"),
        (TEXT.replace("seats 3", "seats 3\nresult 1 first 2"), 7, "a result is"),
        (TEXT.replace("2 play Q+Q", "2 play"), 13, "a move is"),
        (TEXT.replace("2 play Q+Q", "two play Q"), 13, "a move is"),
        (TEXT.replace("2 play Q+Q", "2 play \t 3"), 13, "a move is"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(NotARecord, match=why) as refused:
        read(text)
    assert refused.value.line == line


def golden() -> Record:
    return next(record for path, record in playthroughs() if path.stem == "twentytwo-pagat")


def test_a_record_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(NotReplayable, match="there is no game chess"):
        replay(replace(golden(), game="chess"), games())


def test_a_record_of_other_laws_is_refused() -> None:
    with pytest.raises(NotReplayable, match="version 99"):
        replay(replace(golden(), version=99), games())


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (RecordedMove(0, "shuffle", "2C+3C"), "the shuffle is not of the pack"),
        (RecordedMove(1, "play", "2"), "it is the house's turn, not seat 1's"),
    ],
)
def test_a_wrong_first_move_is_told(wrong: RecordedMove, why: str) -> None:
    with pytest.raises(NotReplayable, match=f"move 1: .*{why}"):
        replay(replace(golden(), moves=(wrong,)), games())


def test_an_illegal_move_is_told_with_its_number_and_the_rule() -> None:
    record = golden()
    number = next(i for i, made in enumerate(record.moves) if made.act == "play")
    moves = list(record.moves)
    moves[number] = replace(moves[number], token="2+3+4+5+6+7+8+9+T+J+Q+K+A")
    with pytest.raises(NotReplayable, match="You ") as refused:
        replay(replace(record, moves=tuple(moves)), games())
    assert refused.value.move == number + 1


def test_a_move_after_the_end_is_told() -> None:
    record = golden()
    longer = replace(record, moves=(*record.moves, RecordedMove(1, "play", "2")))
    with pytest.raises(NotReplayable, match="it is nobody's turn"):
        replay(longer, games())


def test_a_deed_that_the_game_never_asks_for_is_told() -> None:
    record = golden()
    moves = (record.moves[0], record.moves[1], replace(record.moves[2], act="bid"))
    with pytest.raises(NotReplayable, match="Twenty-Two never asks to bid"):
        replay(replace(record, moves=moves), games())


def test_unknown_options_and_rules_are_told() -> None:
    with pytest.raises(NotReplayable, match="no option speed"):
        replay(replace(golden(), options={"speed": "1"}), games())
    with pytest.raises(NotReplayable, match="no rules hoyle"):
        replay(replace(golden(), rules="hoyle"), games())
