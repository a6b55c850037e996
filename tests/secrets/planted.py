"""Leaks that a server might have, planted one at a time. The tests must find each of them.

python -m tests.secrets --planted
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from itertools import chain, islice
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from tests.laws.laws import every_preset
from tests.secrets.pairs import Leak, cases, compare
from twentytwo_protocol.schema import Others, Owner, Refused
from twentytwo_protocol.words.cardplay import Dealt
from twentytwo_server.games.twentytwo import dealing, engine
from twentytwo_server.games.twentytwo.hands import tokens
from twentytwo_server.host.commands.call import Call
from twentytwo_server.host.commands.records import shown_games
from twentytwo_server.host.room_services import RoomServices
from twentytwo_server.host.tables.bots import Bots
from twentytwo_server.host.tables.models import TableModels
from twentytwo_server.host.tables.room import Room
from twentytwo_server.table.match import Match

MOST = 60
"""Number of scripts of each game after which a leak counts as not found."""

SHOWN_BY = {
    "a bot thinks longer the more moves it has": 10,
    "the clock does not wait for the only move": 12,
    "a running game is exported as the first seat sees it": 8,
    "a hint is made of all hands": 176,
    "everybody is told what is hidden until later": 8,
    "whoever holds a card that they may not see is told it": 19,
    "a hand is told in the order of the deal": 9,
}
"""The first script that shows a leak, for leaks that few scripts show; tests begin there."""


def a_refusal_names_a_card_of_another_hand() -> Any:
    """A leak through the text of an error."""
    whole = Call.refuse

    def refuse(self: Call, wrong: Refused) -> None:
        for room in [self.room(None)] if wrong.code in ("ILLEGAL", "NOT_HELD") else []:
            dealt = [e.event for e in room.stream.after(0) if isinstance(e.event, Dealt)]
            others = [each for each in dealt if each.seat != room.seat_number(self.person)]
            cards = others[-1].cards or ("",)
            wrong = Refused(wrong.code, f"{wrong.text} (not {cards[0]})", **wrong.fields)
        whole(self, wrong)

    return patch.object(Call, "refuse", refuse)


def _a_bot_thinks_longer_the_more_moves_it_has() -> Any:
    def bot_delay(self: RoomServices, table: Any) -> int:
        return 400 + 10 * len(table.match.moves())

    return patch.object(RoomServices, "bot_delay", bot_delay)


def _the_clock_does_not_wait_for_the_only_move() -> Any:
    whole = Match.left

    def left(self: Match, at: int) -> int:
        return whole(self, at) - 5000 * (len(self.moves()) == 1)

    return patch.object(Match, "left", left)


def _the_state_of_a_table_is_that_of_whoever_is_on_turn() -> Any:
    whole = Room.model

    def model(self: Room, seat: int | None) -> Any:
        asked = self.table.on_turn
        return whole(self, asked.number if asked else seat)

    return patch.object(Room, "model", model)


def _a_running_game_is_exported_as_the_first_seat_sees_it() -> Any:
    whole = shown_games.running_log

    def running(call: Call, room: Room, seat: int | None) -> Any:
        with patch.object(Room, "seat_number", lambda *_: 1):
            return whole(call, room, seat)

    return patch.object(shown_games, "running_log", running)


def _a_hint_is_made_of_all_hands() -> Any:
    whole = Bots.job

    def job(self: Bots, *args: Any) -> Any:
        return replace(whole(self, *args), seen=tuple(e.event for e in self.room.game_entries()))

    return patch.object(Bots, "job", job)


def _everybody_is_told_what_is_hidden_until_later() -> Any:
    whole = Owner.is_visible_to

    def told(self: Owner, *args: Any) -> bool:
        return bool(self.until) or whole(self, *args)

    return patch.object(Owner, "is_visible_to", told)


def _whoever_sits_on_a_seat_is_told_what_it_was_told_before() -> Any:
    whole = TableModels.seat_then

    def seat_then(self: TableModels, name: str | None) -> Any:
        now = whole(self, name)(sys.maxsize)
        return lambda _: now

    return patch.object(TableModels, "seat_then", seat_then)


def _whoever_holds_a_card_that_they_may_not_see_is_told_it() -> Any:
    return patch.object(Others, "is_visible_to", lambda *_: True)


def _a_hand_is_told_in_the_order_of_the_deal() -> Any:
    whole = dealing.dealt

    def dealt(state: Any, shuffled: Any) -> Any:
        place = tokens(shuffled).index
        after, events = whole(state, shuffled)
        for number, event in enumerate(events):
            if isinstance(event, Dealt):
                cards = tuple(sorted(event.cards or (), key=place))
                events[number] = replace(event, cards=cards)
        return after, events

    return patch.object(engine, "dealt", dealt)


PLANTED: Mapping[str, Callable[[], Any]] = {
    planted.__name__.strip("_").replace("_", " "): planted
    for planted in (
        a_refusal_names_a_card_of_another_hand,
        _a_bot_thinks_longer_the_more_moves_it_has,
        _the_clock_does_not_wait_for_the_only_move,
        _the_state_of_a_table_is_that_of_whoever_is_on_turn,
        _a_running_game_is_exported_as_the_first_seat_sees_it,
        _a_hint_is_made_of_all_hands,
        _everybody_is_told_what_is_hidden_until_later,
        _whoever_sits_on_a_seat_is_told_what_it_was_told_before,
        _whoever_holds_a_card_that_they_may_not_see_is_told_it,
        _a_hand_is_told_in_the_order_of_the_deal,
    )
}
"""The planted leaks, by name."""


def found(name: str, begin: int = 1) -> tuple[int, str]:
    """The first script that shows a leak, 0 if there is none; and the message of the leak.

    The scripts from `begin` on are tried first, then those before it.
    """
    keys = dict.fromkeys(key for key, _ in every_preset())
    in_turn = zip(*(islice(cases(key), MOST) for key in keys), strict=True)
    scripts = [*enumerate(chain.from_iterable(in_turn), 1)]
    with PLANTED[name]():
        for number, case in scripts[begin - 1 :] + scripts[: begin - 1]:
            try:
                compare(case)
            except Leak as leak:
                return number, str(leak)
    return 0, ""
