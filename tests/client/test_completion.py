"""What Tab offers."""

from __future__ import annotations

import pytest

from tests.client.kit import SEATING, TRICKS, seated
from twentytwo_client.terminal.completion import completions, left_out
from twentytwo_client.terminal.prompt import MENU, menu_room
from twentytwo_protocol.completion import MOST
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import COMMANDS
from twentytwo_protocol.verbs import PROGRAMS
from twentytwo_protocol.vocabulary import VOCABULARIES


def table_after(*lines: str) -> TableModel:
    return seated(*lines).streams.tables["t7"]


FOLLOW = table_after(*SEATING, *TRICKS)
EXCHANGE = table_after(*SEATING)
WAIT = table_after(*SEATING, *TRICKS[:2])


def offered(text: str, table: TableModel | None) -> list[str]:
    """The whole lines that Tab would make of a text."""
    found = completions(text, table)
    return [text[: len(text) - len(end)] + instead for end, instead in found]


def test_the_legal_moves_come_first() -> None:
    assert offered("", FOLLOW) == ["5 4", "6 4", "6 5", "q 4", "q 5", "q 6", "q q"]
    assert offered("play ", FOLLOW) == [f"play {move}" for move in offered("", FOLLOW)]


def test_then_the_cards_that_are_held() -> None:
    assert offered("q", FOLLOW)[:4] == ["q 4", "q 5", "q 6", "q q"]
    assert offered("q", FOLLOW)[4:7] == ["qd", "qh", "qs"]
    assert offered("q ", FOLLOW)[:4] == ["q 4", "q 5", "q 6", "q q"]
    assert offered("qd ", FOLLOW) == ["qd 4h", "qd 5c", "qd 6s", "qd qh", "qd qs"]


def test_no_card_is_offered_that_is_not_held() -> None:
    cards = {word for line in offered("play ", FOLLOW) for word in line.split()[1:]}
    assert cards == {"4", "5", "6", "q"}
    assert offered("play 9", FOLLOW) == []


def test_no_card_is_offered_that_no_legal_move_has() -> None:
    lead = "TURN on=t7 seq=28 turn=9 seat=2 act=play choose=one"
    lead += " nlegal=3 legal=Q,4,4+4 default=4 hand=4H,4S,5C,QD"
    table = table_after(*SEATING, *TRICKS[:-1], lead)
    assert offered("play ", table) == ["play q", "play 4", "play 4 4"]
    assert offered("4", table) == ["4", "4 4", "4h", "4s"]
    assert offered("4h ", table) == ["4h 4s"]
    assert offered("5", table) == offered("q ", table) == offered("4 4 ", table) == []
    more = table_after(*SEATING, *TRICKS[:-1], f"{lead} truncated=1")
    assert offered("4h ", more) == ["4h 4s", "4h 5c", "4h qd"]  # the legal one first


def test_trumps_of_whist_are_no_ranks() -> None:
    bid = "TURN on=t7 seq=28 turn=9 seat=2 act=play choose=one nlegal=3"
    table = table_after(*SEATING, *TRICKS[:-1], f"{bid} legal=1,12,F0 default=1 hand=1,12,2,F")
    assert offered("1", table) == ["1", "12"]
    assert offered("f", table)[:2] == ["f0", "f"]
    assert offered("2", table) == []


def test_keep_is_offered_where_no_card_need_be_exchanged() -> None:
    assert offered("", EXCHANGE)[:2] == ["keep", "5c"]
    assert offered("k", EXCHANGE) == ["keep", "keys", "kibitz"]
    must = SEATING[-1].replace(" min=0", " min=1")
    assert must != SEATING[-1]
    assert offered("", table_after(*SEATING[:-1], must))[0] == "5c"
    assert offered("", FOLLOW)[0] == "5 4"


def test_no_more_cards_are_offered_than_may_be_exchanged() -> None:
    two = table_after(*SEATING[:-1], SEATING[-1].replace(" max=7", " max=2"))
    assert offered("exchange 5 ", two)[0] == "exchange 5 9d"
    assert offered("exchange 5 9 ", two) == []


def test_as_many_are_offered_as_can_be_seen_and_that_there_are_more_is_said() -> None:
    moves = [f"q {n}" for n in range(10)] * 10
    assert menu_room(moves[:8], 0, 80) == 8
    room = menu_room(moves, 0, 80)
    assert room == MENU * 5 - 1  # five times "and 100 more" go into 80 columns
    assert menu_room(moves[:8], 20, 40) == MENU * 3 - 1 == 8
    assert menu_room(moves, 0, 10) == MENU - 1
    assert menu_room([], 0, 80) == menu_room([], 3, 80) == 0


def test_at_the_exchange_any_cards_that_are_left() -> None:
    assert offered("exchange ", EXCHANGE) == [
        f"exchange {card}" for card in ["5c", "9d", "jc", "jh", "qd", "qh", "qs"]
    ]
    assert "exchange jc jc" not in offered("exchange jc j", EXCHANGE)
    assert offered("exchange jc j", EXCHANGE) == ["exchange jc jh"]


@pytest.mark.parametrize("table", [None, WAIT])
def test_elsewhere_the_commands(table: TableModel | None) -> None:
    assert offered("pra", table) == ["practice"]
    people = [verb for verb, cls in COMMANDS.items() if cls.group != PROGRAMS]
    assert {*offered("s", table)} == {verb for verb in people if verb.startswith("s")}
    assert offered("des", table) == []  # describe is for programs
    assert offered("who a", table) == []
    assert offered("/pl", table) == ["/plain"]


def test_behind_a_command_the_games_and_behind_help_the_commands_too() -> None:
    assert offered("practice twentys", None) == ["practice twentysix"]
    assert offered("open ", WAIT) == [f"open {game}" for game in VOCABULARIES]
    assert offered("help tutor", FOLLOW) == ["help tutorial"]
    assert "help whist22" in offered("help w", None)
    assert offered("help describ", None) == offered("practice whist22 b", None) == []
    assert offered("nonsense w", None) == []


def test_commands_are_offered_on_your_turn_too() -> None:
    assert offered("han", FOLLOW) == ["hand"]


def test_tens_are_typed_as_people_type_them() -> None:
    turn = "TURN on=t7 seq=28 turn=9 seat=2 act=play choose=one legal=T+T default=T+T hand=TC,TD"
    assert offered("", table_after(*SEATING, *TRICKS[:-1], turn)) == ["10 10"]


def test_what_is_of_use_where_one_is_comes_first() -> None:
    assert offered("", None)[:2] == ["practice", "tables"]
    assert offered("", WAIT)[:3] == ["hand", "score", "last"]
    assert offered("s", WAIT)[:2] == ["score", "say"]
    assert offered("re", table_after(*SEATING[:3]))[0] == "ready"
    assert offered("", FOLLOW)[0] == "5 4"  # on one's turn the moves, and nothing else


def test_that_there_are_more_moves_than_are_offered_is_known() -> None:
    many = ",".join(f"{a}+{b}" for a in "23456789TJ" for b in "23456789TJ")
    turn = TRICKS[-1].replace("legal=5+4,6+4,6+5,Q+4,Q+5,Q+6,Q+Q", f"legal={many}")
    table = table_after(*SEATING, *TRICKS[:-1], turn.replace("nlegal=7", "nlegal=120"))
    assert len([line for line in offered("", table) if " " in line]) == MOST
    assert left_out("", table) == 100 - MOST + 20
    assert left_out("j ", table) == 10
    assert left_out("play j ", table) == 10
    assert left_out("2 ", table) == left_out("", FOLLOW) == left_out("", None) == 0
