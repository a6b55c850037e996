"""What Tab offers."""

from __future__ import annotations

import pytest

from tests.client.kit import SEATING, TRICKS, seated
from twentytwo_client.terminal.completion import MOST, completions, left_out
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import COMMANDS
from twentytwo_protocol.verbs import PROGRAMS


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
