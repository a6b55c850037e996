"""What Tab offers."""

from __future__ import annotations

import pytest

from tests.client.kit import SEATING, TRICKS, seated
from twentytwo_client.terminal.completion import completions
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
    assert offered("s", table) == [verb for verb in people if verb.startswith("s")]
    assert offered("des", table) == []  # describe is for programs
    assert offered("", table) == []
    assert offered("who a", table) == []
    assert offered("/pl", table) == ["/plain"]


def test_commands_are_offered_on_your_turn_too() -> None:
    assert offered("han", FOLLOW) == ["hand"]


def test_tens_are_typed_as_people_type_them() -> None:
    turn = "TURN on=t7 seq=28 turn=9 seat=2 act=play choose=one legal=T+T default=T+T hand=TC,TD"
    assert offered("", table_after(*SEATING, *TRICKS[:-1], turn)) == ["10 10"]
