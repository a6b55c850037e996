"""The lines under the prompt."""

from __future__ import annotations

import re

import pytest
import wcwidth
from msgspec.structs import replace

from tests.client.kit import ENDING, GAME, SEATING, TRICKS, seated
from tests.kit.cases import together
from twentytwo_client.display.cards import shower
from twentytwo_client.display.look import Look, Suits
from twentytwo_client.display.overview import Presentation, bracketed, overview
from twentytwo_client.terminal import status as lines_of
from twentytwo_client.terminal.status import shortened
from twentytwo_client.tui.canvas import Faces
from twentytwo_client.tui.painting import Scene, painted
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.voice import plain_cards

SHOW = shower(Look(Suits.SIGNS, colour=True))


def status(
    table: TableModel, show: Presentation, columns: int, rows: int, clock: str = ""
) -> list[str]:
    return lines_of.status(overview(table, lambda turn: clock), show, columns, rows)


def table_after(*lines: str) -> TableModel:
    return seated(*lines).streams.tables["t7"]


def test_at_eighty_columns() -> None:
    table = table_after(*SEATING, *TRICKS)
    assert status(table, plain_cards, 80, 24, "0:42") == [
        "Twenty-Two t7  hand 1  trick 2  out at 22                         YOUR TURN 0:42",
        " ~ann 0 (4)  >you 0 (6)   ~cat 0 (4)",
        " gone: 2 444 6 9 JJ AA",
        " ~cat 4D 4C  ~ann 6H 4S  to beat: 6 4",
        " you: [4H 5C 6S QD QH QS]",
    ]


def test_at_forty_columns() -> None:
    lines = status(table_after(*SEATING, *TRICKS), plain_cards, 40, 15)
    assert lines == [
        "Twenty-Two  hand 1  trick 2    YOUR TURN",
        " ~ann 0 (4)  >you 0 (6)   ~cat 0 (4)",
        " gone: 2 444 6 9 JJ AA",
        " ~cat 4D 4C  ~ann 6H 4S  to beat: 6 4",
        " you: [4H 5C 6S QD QH QS]",
    ]


def test_a_table_may_do_without_what_has_gone() -> None:
    table = table_after("OPTION on=t7 seq=1 key=counting value=off", *_later(SEATING, TRICKS))
    assert table.trick == 2
    assert "gone" not in " ".join(status(table, plain_cards, 80, 24))


def _later(*parts: list[str]) -> list[str]:
    """The same events, each a number later."""
    lines = [line for part in parts for line in part]
    return [re.sub(r"(?<=seq=)\d+", lambda no: str(int(no[0]) + 1), line) for line in lines]


@together("columns", [34, 38, 44, 80])
def test_in_the_title_nothing_is_cut_where_it_waits_for_nobody(columns: int) -> None:
    whole = replace(overview(table_after(*SEATING, *GAME, *TRICKS)), state="", clock="")
    for state in ("", "YOUR TURN"):
        shown = lines_of.title(replace(whole, state=state), columns)
        said = re.split("  +", shown.removesuffix(state).strip())
        assert {*said} <= {"Twenty-Two t7", "Twenty-Two", "hand 1", "trick 3", "out at 22"}, shown


def test_in_a_low_window_one_line_has_to_do() -> None:
    assert len(status(table_after(*SEATING, *TRICKS), plain_cards, 80, 8)) == 1


@together("columns", [10, 16, 20, 40, 80, 200])
@together("count", range(1, len(GAME) + 1))
def test_no_line_is_ever_wider_than_the_window(columns: int, count: int) -> None:
    talk = seated(*GAME[:count])
    for table in talk.streams.tables.values():
        for line in status(table, SHOW, columns, 24, "12:34"):
            assert wcwidth.width(line) <= columns
            assert line.strip()


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 15), (80, 8)])
def test_a_table_at_which_nobody_has_been_named_yet_is_drawn_too(columns: int, rows: int) -> None:
    lines = status(TableModel("t7"), plain_cards, columns, rows)
    assert [*map(words, lines)] == (["t7"] if rows < 12 else ["Table t7 not started"])
    scene = Scene(overview(TableModel("t7")), words=("not started",))
    assert "not started" in "".join(painted(scene, Faces.of(Look()), columns, rows).lines())


def test_twelve_players_with_long_names_fit() -> None:
    lines = [f"JOINED on=t7 seq={n} seat={n} name=~abcdefghijklmno{n} bot=0" for n in range(1, 13)]
    for columns in (40, 80):
        for line in status(table_after(*lines), plain_cards, columns, 24):
            assert wcwidth.width(line) <= columns


def words(line: str) -> str:
    """A line without the columns in it."""
    return " ".join(line.split())


def test_before_and_after_the_game() -> None:
    option = "OPTION on=t7 seq=4 key=game value=twentytwo"
    ready = "READY on=t7 seq=5 seat=2 ready=1"
    lines = status(table_after(*SEATING[:3], option, ready), plain_cards, 80, 24)
    assert [*map(words, lines)] == ["Twenty-Two t7 not started", "~ann you ready ~cat"]
    without = status(table_after(*SEATING[:3]), plain_cards, 80, 24)
    assert words(without[0]) == "Table t7 not started"
    title, players = status(table_after(*SEATING, *TRICKS, *ENDING), plain_cards, 80, 24)
    assert title.endswith("game over")
    assert players == " ~ann 22 out   you 0   ~cat 22 out"


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
    assert words(lines[0]) == "Whist 22 t7 hand 1 YOUR TURN"
    assert words(lines[1]) == "~ann 0: bid 2 (7) >you 0: bid 0 (7) ~cat 0 (7)"
    # A bid of 5 has nothing to do with the five in the hand.
    assert "[" not in lines[3]
    other = [line.replace("whist22", "unknown") for line in WHIST]
    bids = status(table_after(*other[:8], *BIDS, turn), plain_cards, 80, 24)
    assert words(bids[1]) == "~ann 0: bid 2 (7) >you 0: bid 0 (7) ~cat 0 (7)"
    contract = "CONTRACT on=t7 seq=12 seat=1 bid=18 side=1,3"
    lines = status(table_after(*other[:8], *BIDS, turn, contract), plain_cards, 80, 24)
    assert lines[2] == " ~ann for 18"
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
    bid = "BID on=t7 seq=11 seat=3 bid=4"
    later = [line.replace(f"seq={n}", f"seq={n + 1}") for n, line in enumerate(tricks, 11)]
    table = table_after(*WHIST[:8], *BIDS, bid, *later)
    lines = status(table, plain_cards, 80, 24)
    assert words(lines[1]) == "~ann 0: 1 of 2 (5) >you 0: 0 of 0 (7) ~cat 0: 0 of 4 (7)"
    assert lines[2] == " 6 of 7 tricks bid (1 under)"
    assert lines[3] == " ~ann 9  highest: 9"


def test_who_sees_the_cards_of_others_sees_them_beside_their_names() -> None:
    seen = "DEALT on=t7 seq=6 seat=1 n=1 seen=14"
    table = table_after(*WHIST[:5], seen, "TURN on=t7 seq=7 turn=1 seat=1 act=bid")
    assert ">~ann 0: holds 14 (1)" in status(table, plain_cards, 80, 24)[1]


BIDDING = [
    *(f"JOINED on=t7 seq={n} seat={n} name={w} bot=0" for n, w in enumerate(("ann", "~bob"), 1)),
    "JOINED on=t7 seq=3 seat=3 name=bot:steady bot=1",
    "JOINED on=t7 seq=4 seat=4 name=steady bot=0",
    "GAME on=t7 seq=5 game=twentyeight id=g1 players=4 version=1 ruleshash=9c1f target=10 "
    "sides=1+3,2+4",
    "HAND on=t7 seq=6 no=1 dealer=1 size=4 stock=16",
    "DEALT on=t7 seq=7 seat=2 n=4 cards=7C,9C,JC,QD",
    "BID on=t7 seq=8 seat=2 bid=16",
    "BID on=t7 seq=9 seat=3 bid=pass",
]
CHOSEN = [
    "CONTRACT on=t7 seq=10 seat=2 bid=16 side=2,4",
    "TRUMP on=t7 seq=11 seat=2 shown=0 suit=C card=9C",
    "TRICK on=t7 seq=12 trick=1 seat=2",
    "PLAYED on=t7 seq=13 seat=2 cards=QD kind=lead left=3",
    "TOOK on=t7 seq=14 seat=2 trick=1 cards=QD points=5",
]


def test_partners_are_told_and_bids_and_a_bot_has_its_whole_name_where_another_goes_by_it() -> None:
    players = status(table_after(*BIDDING), plain_cards, 90, 24)[1]
    assert words(players) == (
        "ann 0 (0) you 0: bid 16 (4) bot:steady 0: pass (0) steady 0: partner (0)"
    )


def test_the_trump_the_contract_and_the_card_that_lies_face_down_are_shown() -> None:
    lines = status(table_after(*BIDDING, *CHOSEN), plain_cards, 80, 24)
    assert lines[2] == " trump clubs, hidden   we 5 of 16   they 0"
    assert lines[-1] == " you: 7C JC  face down: 9C"
    shown = "TRUMP on=t7 seq=15 seat=2 shown=1 suit=C card=9C caller=3"
    lines = status(table_after(*BIDDING, *CHOSEN, shown), plain_cards, 80, 24)
    assert lines[2].startswith(" trump clubs   we")
    assert lines[-1] == " you: 7C 9C JC"


@together("columns", range(14, 50))
def test_a_long_hand_is_there_in_full_with_the_card_that_lies_face_down(columns: int) -> None:
    whole = overview(table_after(*BIDDING, *CHOSEN))
    whole = replace(whole, cards=("9C", "10C", "KD", "9D", "AH", "9H", "QS"))
    lines = lines_of.hand(whole, plain_cards, columns)
    assert all(wcwidth.width(line) <= columns for line in lines)
    assert words(" ".join(lines)).endswith("10C KD 9D AH 9H QS face down: 9C")


def test_whoever_did_not_choose_the_trump_sees_that_it_is_hidden() -> None:
    theirs = ["CONTRACT on=t7 seq=10 seat=1 bid=16 side=1,3", "TRUMP on=t7 seq=11 seat=1 shown=0"]
    lines = status(table_after(*BIDDING, *theirs), plain_cards, 80, 24)
    assert lines[2] == " trump hidden (ann)   we 0   they 0 of 16"


def twelve(length: int) -> TableModel:
    names = [f"~{'abcdefghijkl'[n] * (length - 3)}{n:02}" for n in range(12)]
    lines = [f"JOINED on=t7 seq={n} seat={n} name={w} bot=0" for n, w in enumerate(names, 1)]
    game = "GAME on=t7 seq=13 game=twentytwo id=g1 players=12 version=1 ruleshash=9c1f target=22"
    return table_after(*lines, game)


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_names_and_scores_of_twelve_players_are_there_in_full(columns: int) -> None:
    table = twelve(12)
    table.seats[3].name = "~bob"
    shown = "\n".join(status(table, plain_cards, columns, 24))
    for number, seat in table.seats.items():
        seat.total = number
    shown = "\n".join(status(table, plain_cards, columns, 24))
    for number, seat in table.seats.items():
        assert f"{'you' if number == table.me else seat.name} {number}" in shown


def test_names_are_cut_only_where_the_window_would_be_full_of_them() -> None:
    table = twelve(18)
    assert len(status(table, plain_cards, 40, 15)) <= 8
    assert "~aaaaaaaaaaa.0 0" in "\n".join(status(table, plain_cards, 40, 15))
    assert "abcdefghijkl"[0] * 15 in "\n".join(status(table, plain_cards, 60, 24))


def test_while_the_line_is_down_all_stays_and_a_word_says_so() -> None:
    whole = overview(table_after(*SEATING, *TRICKS), lambda turn: "0:42", connected=False)
    lines = lines_of.status(whole, plain_cards, 80, 24)
    assert lines[0].endswith("no connection")
    assert lines[-1] == " you: 4H 5C 6S QD QH QS"
    assert "0:42" not in "".join(lines)


def test_everybody_who_is_asked_has_their_clock() -> None:
    timed = [line.replace("seat=3 act=exchange", "seat=3 act=exchange ms=60000") for line in TRICKS]
    table = table_after(*SEATING, *timed[:2])
    clock = {3: "0:59+2:00"}
    whole = overview(table, lambda turn: clock[turn.seat])
    lines = lines_of.status(whole, plain_cards, 80, 24)
    assert lines[0].endswith("~cat to exchange 0:59+2:00")
    assert ">~cat 0 (7) 0:59+2:00" in lines[1]


def test_a_long_hand_goes_on_below() -> None:
    table = table_after(*WHIST)
    table.holding = tuple(map(str, range(1, 22)))
    lines = status(table, plain_cards, 40, 24)
    assert lines[-2:] == [
        " you: 1 2 3 4 5 6 7 8 9 10 11 12 13 14",
        "      15 16 17 18 19 20 21",
    ]


def test_what_lies_on_the_table_is_shortened_to_what_counts() -> None:
    table = table_after(*SEATING, *TRICKS)
    assert " ~cat 4D 4C  ~ann 6H 4S" in status(table, plain_cards, 25, 24)
    assert " to beat: 6 4" in status(table, plain_cards, 16, 15)


def test_where_not_all_of_the_trick_is_seen_it_is_told_whose_cards_are_to_be_beaten() -> None:
    whole = overview(table_after(*SEATING, *TRICKS))
    more = (("~catherine", ("8C", "8D")), *whole.plays, ("~catherine", ("2C", "2D")))
    last = replace(whole, plays=more)
    assert lines_of.trick(last, plain_cards, 46, 1) == [" .. ~catherine 2C 2D  to beat: ~ann 6 4"]
    assert lines_of.trick(replace(whole, plays=more[:-1]), plain_cards, 40, 1) == [
        " .. ~ann 6H 4S  to beat: 6 4"
    ]


def test_only_legal_cards_are_in_brackets() -> None:
    assert bracketed(["2C", "7H", "7S", "KH"], {"7"}, plain_cards) == "2C [7H 7S] KH"
    assert bracketed(["2C", "7H", "KH"], {"2", "K"}, plain_cards) == "[2C] 7H [KH]"
    assert bracketed(["2C", "7H"], {"2C", "7H"}, plain_cards) == "[2C 7H]"
    assert bracketed(["2C"], set(), plain_cards) == "2C"
    assert bracketed([], {"2"}, plain_cards) == ""
    assert bracketed(["X", "KC"], {"XK", "K"}, plain_cards) == "[joker KC]"
    assert bracketed(["F", "15", "1"], {"F0", "1"}, plain_cards) == "[F] 15 [1]"


def test_a_name_cut_short_keeps_its_number() -> None:
    assert shortened("~abcdef2", 5) == "~ab.2"
    assert shortened("~abcdef", 5) == "~abc."
