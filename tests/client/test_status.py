"""The lines under the prompt."""

from __future__ import annotations

import pytest
import wcwidth

from tests.client.kit import ENDING, GAME, SEATING, TRICKS, seated
from twentytwo_client.display.cards import shower
from twentytwo_client.display.look import Look, Suits
from twentytwo_client.terminal.status import bracketed, shortened, status
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.voice import plain_cards

SHOW = shower(Look(Suits.SIGNS, colour=True))


def table_after(*lines: str) -> TableModel:
    return seated(*lines).streams.tables["t7"]


def test_at_eighty_columns() -> None:
    table = table_after(*SEATING, *TRICKS)
    assert status(table, plain_cards, 80, 24, "0:42") == [
        "Twenty-Two t7  hand 1  trick 2  out at 22  YOUR TURN 0:42",
        "~ann 0 (4)  >you 0 (6)  ~cat 0 (4)",
        "~cat 4D 4C  ~ann 6H 4S   to beat: 6 4",
        "you: [4H 5C 6S QD QH QS]",
    ]


def test_at_forty_columns() -> None:
    lines = status(table_after(*SEATING, *TRICKS), plain_cards, 40, 15)
    assert lines == [
        "t7  hand 1  trick 2  YOUR TURN",
        "~ann 0 (4)  >you 0 (6)  ~cat 0 (4)",
        "~cat 4D 4C  ~ann 6H 4S   to beat: 6 4",
        "you: [4H 5C 6S QD QH QS]",
    ]


def test_in_a_low_window_one_line_has_to_do() -> None:
    assert len(status(table_after(*SEATING, *TRICKS), plain_cards, 80, 8)) == 1


@pytest.mark.parametrize("columns", [10, 16, 20, 40, 80, 200])
@pytest.mark.parametrize("count", range(1, len(GAME) + 1))
def test_no_line_is_ever_wider_than_the_window(columns: int, count: int) -> None:
    talk = seated(*GAME[:count])
    for table in talk.streams.tables.values():
        for line in status(table, SHOW, columns, 24, "12:34"):
            assert wcwidth.width(line) <= columns
            assert line.strip()


def test_twelve_players_with_long_names_fit() -> None:
    lines = [f"JOINED on=t7 seq={n} seat={n} name=~abcdefghijklmno{n} bot=0" for n in range(1, 13)]
    for columns in (40, 80):
        for line in status(table_after(*lines), plain_cards, columns, 24):
            assert wcwidth.width(line) <= columns


def test_before_and_after_the_game() -> None:
    option = "OPTION on=t7 seq=4 key=game value=twentytwo"
    ready = "READY on=t7 seq=5 seat=2 ready=1"
    assert status(table_after(*SEATING[:3], option, ready), plain_cards, 80, 24) == [
        "Twenty-Two t7  not started",
        "~ann  you ready  ~cat",
    ]
    assert status(table_after(*SEATING[:3]), plain_cards, 80, 24)[0] == "Table t7  not started"
    title, players = status(table_after(*SEATING, *TRICKS, *ENDING), plain_cards, 80, 24)
    assert title.endswith("game over")
    assert players == "~ann 22 out  you 0  ~cat 22 out"


def test_whoever_is_away_is_marked() -> None:
    away = "PRESENCE on=t7 seq=29 seat=1 here=0 ms=120000"
    bot = "PRESENCE on=t7 seq=30 seat=1 here=0 bot=1"
    lines = [*SEATING, *TRICKS, away]
    assert "~ann 0 (4) (away)" in status(table_after(*lines), plain_cards, 80, 24)[1]
    assert "~ann 0 (4) (bot plays)" in status(table_after(*lines, bot), plain_cards, 80, 24)[1]


WHIST = [
    line.replace("game=twentytwo", "game=whist22").replace(" target=22", "") for line in SEATING
]
BIDS = ["BID on=t7 seq=9 seat=1 bid=2", "BID on=t7 seq=10 seat=2 bid=0"]


def test_bids_stand_beside_the_scores_until_there_is_a_contract() -> None:
    turn = "TURN on=t7 seq=11 turn=3 seat=2 act=bid choose=one legal=0,5,9 default=0"
    lines = status(table_after(*WHIST[:8], *BIDS, turn), plain_cards, 80, 24)
    assert lines[0] == "Whist 22 t7  hand 1  YOUR TURN"
    assert lines[1] == "~ann 0 bid 2 (7)  >you 0 bid 0 (7)  ~cat 0 (7)"
    # A bid of 5 has nothing to do with the five in the hand.
    assert "[" not in lines[2]
    contract = "CONTRACT on=t7 seq=12 seat=1 bid=18 side=1,3"
    lines = status(table_after(*WHIST[:8], *BIDS, turn, contract), plain_cards, 80, 24)
    assert lines[0] == "Whist 22 t7  hand 1  ~ann for 18  YOUR TURN"
    assert "bid" not in lines[1]


def test_with_tricks_the_bids_have_what_was_won_of_them() -> None:
    tricks = [
        "TRICK on=t7 seq=11 trick=1 seat=2",
        "PLAYED on=t7 seq=12 seat=1 cards=17 kind=lead left=6",
        "TOOK on=t7 seq=13 seat=1 trick=1 cards=17",
        "TRICK on=t7 seq=14 trick=2 seat=1",
        "PLAYED on=t7 seq=15 seat=1 cards=9 kind=lead left=5",
        "TURN on=t7 seq=16 turn=9 seat=2 act=play beat=9 choose=one legal=5,9 default=5",
    ]
    table = table_after(*WHIST[:8], *BIDS, *tricks)
    lines = status(table, plain_cards, 80, 24)
    assert lines[1] == "~ann 0 1/2 (5)  >you 0 0/0 (7)  ~cat 0 (7)"
    assert lines[2] == "~ann 9   highest: 9"


def test_names_are_cut_before_the_bids_are_left_out() -> None:
    table = table_after(*WHIST[:8], *BIDS)
    table.seats[1].name = "bot:steady2"
    narrow = status(table, plain_cards, 34, 24)[1]
    assert narrow == "bot:2 0 bid 2  you 0 bid 0  ~cat 0"


def test_what_lies_on_the_table_is_shortened_to_what_counts() -> None:
    table = table_after(*SEATING, *TRICKS)
    assert status(table, plain_cards, 25, 24)[2] == "~cat 4D 4C  ~ann 6H 4S"
    assert status(table, plain_cards, 16, 24)[2] == "to beat: 6 4"


def test_only_legal_cards_are_in_brackets() -> None:
    assert bracketed(["2C", "7H", "7S", "KH"], {"7"}, plain_cards) == "2C [7H 7S] KH"
    assert bracketed(["2C", "7H", "KH"], {"2", "K"}, plain_cards) == "[2C] 7H [KH]"
    assert bracketed(["2C", "7H"], {"2C", "7H"}, plain_cards) == "[2C 7H]"
    assert bracketed(["2C"], set(), plain_cards) == "2C"
    assert bracketed([], {"2"}, plain_cards) == ""
    assert bracketed(["X", "KC"], {"XK", "K"}, plain_cards) == "[joker KC]"
    assert bracketed(["F", "15", "1"], {"F0", "1"}, plain_cards) == "[F] 15 [1]"


def test_a_name_cut_short_keeps_its_number() -> None:
    assert shortened("bot:steady2", 5) == "bot:2"
    assert shortened("bot:steady", 5) == "bot:s"
    assert shortened("~ann", 5) == "~ann"
