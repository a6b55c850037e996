"""Bugs that a server might have, planted one at a time. The evenings must find each of them.

python -m tests.simulation --planted
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from tests.secrets.planted import a_refusal_names_a_card_of_another_hand
from tests.simulation.evening import run
from tests.simulation.player import Broken
from tests.simulation.storage import LateStore
from twentytwo_protocol.schema import Owner
from twentytwo_protocol.words.cardplay import Gameover, Timeout
from twentytwo_server.facts import Fact
from twentytwo_server.host.commands.session import catching_up, identity
from twentytwo_server.host.people import once, people
from twentytwo_server.host.tables import deals, input_log, pausable_clock, timers
from twentytwo_server.store import Conflict
from twentytwo_server.table import effects, match, orders, playing

MOST = 60
"""Number of evenings after which a bug counts as not found."""

SHOWN_BY = {
    "a command sent twice is done twice": 2,
    "a refusal names a card of another hand": 4,
    "a restart leaves no time": 11,
    "a token opens the wrong place": 2,
}
"""The first evening that shows a bug, for bugs that few evenings show; tests begin there."""


def _acknowledged_before_it_is_kept() -> Any:
    def keep(self: LateStore, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        done()
        whole(self, facts, lambda: None)

    whole = LateStore.keep
    return patch.object(LateStore, "keep", keep)


def _a_command_sent_twice_is_done_twice() -> Any:
    return patch.object(once.KeyedCommands, "answer", lambda *_: None)


def _everybody_sees_every_hand() -> Any:
    return patch.object(Owner, "is_visible_to", lambda *_: True)


def _the_wrong_one_wins() -> Any:
    whole = playing.happen

    def happen(d: Any, after: Any, events: list[Any]) -> None:
        count = len(d.table.seats)
        changed = [
            replace(event, winners=(event.winners[0] % count + 1,))
            if isinstance(event, Gameover)
            else event
            for event in events
        ]
        whole(d, after, changed)

    return patch.object(playing, "happen", happen)


@contextmanager
def _a_late_clock_plays_the_next_turn() -> Iterator[None]:
    def turn_over(d: Any, order: Any) -> None:
        running, seat = d.table.match, d.table.on_turn
        if running is None or seat is None or running.stopped is not None:
            return
        d.tell(Timeout(order.turn, seat.number))
        playing.carry_out(d, seat, running, running.moves().default, auto=True)

    order = replace(orders.ORDERS[effects.TurnOver], carry_out=turn_over)
    forgets_none = patch.object(timers.Timers, "at_end_of_turn", timers.Timers.later)
    with patch.dict(orders.ORDERS, {effects.TurnOver: order}), forgets_none:
        yield


def _a_resume_repeats_an_event() -> Any:
    whole = catching_up.read_positions

    def positions(words: Any) -> Any:
        return [(on, max(0, seq - 1)) for on, seq in whole(words)]

    return patch.object(identity, "read_positions", positions)


def _a_restart_deals_anew() -> Any:
    def house(self: Any, game: str, words: Any) -> Any:
        promise = replace(self.promised(game), seed="0" * 128)
        return deals.shuffler(promise, words).house

    return patch.object(deals.ReplayedDeals, "house", house)


def _a_restart_leaves_no_time() -> Any:
    return patch.object(match.Match, "grant", lambda self, *_: self)


def _a_token_opens_the_wrong_place() -> Any:
    return patch.object(people.People, "by_token", lambda self, _: next(iter(self)))


def _time_goes_on_while_the_disk_is_full() -> Any:
    return patch.object(pausable_clock.PausableClock, "stop", lambda self: None)


def _an_order_is_kept_under_a_number_that_is_taken() -> Any:
    whole = input_log.InputLog.append

    def entered(self: Any, *args: Any, **how: Any) -> Any:
        kept = whole(self, *args, **how)
        return replace(kept, seq=kept.seq + 1) if kept.seq % 50 == 49 else kept

    return patch.object(input_log.InputLog, "append", entered)


PLANTED: Mapping[str, Callable[[], Any]] = {
    planted.__name__.strip("_").replace("_", " "): planted
    for planted in (
        _acknowledged_before_it_is_kept,
        _a_command_sent_twice_is_done_twice,
        _everybody_sees_every_hand,
        a_refusal_names_a_card_of_another_hand,
        _the_wrong_one_wins,
        _a_late_clock_plays_the_next_turn,
        _a_resume_repeats_an_event,
        _a_restart_deals_anew,
        _a_restart_leaves_no_time,
        _a_token_opens_the_wrong_place,
        _time_goes_on_while_the_disk_is_full,
        _an_order_is_kept_under_a_number_that_is_taken,
    )
}
"""The planted bugs, by name."""


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Plants the bug during the block."""
    with PLANTED[name]():
        yield


def found(name: str, seeds: Sequence[int] = range(MOST)) -> tuple[int, str]:
    """The number of evenings needed to find the bug, 0 if it was not found; and the message."""
    with planted(name):
        for number, seed in enumerate(seeds, 1):
            try:
                run(seed)
            except Broken as broken:
                return number, str(broken).splitlines()[0]
            except Conflict as other:
                return number, f"the store refuses: {other}"
    return 0, ""
