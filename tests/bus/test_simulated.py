"""The faults of the simulated bus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.bus.kit import LONG
from tests.kit.clock import HandClock
from tests.kit.simulated_bus import BusFaults, SimulatedNats
from twentytwo_server.subjects import NEWS, orders

MANY = 300


def heard(seed: int, faults: BusFaults) -> list[int]:
    """The order in which numbered messages arrive."""
    clock = HandClock()
    nats = SimulatedNats(clock, seed, faults)
    a, b = nats.bus("a"), nats.bus("b")
    found: list[int] = []
    b.listen(NEWS, lambda data: found.append(int(data)))
    for number in range(MANY):
        a.tell(NEWS, b"%d" % number)
    clock.advance(LONG)
    return found


def test_messages_are_lost_and_doubled_as_often_as_wanted() -> None:
    assert heard(1, BusFaults()) == list(range(MANY))
    lost = Counter(heard(1, BusFaults(lost=0.2)))
    assert 210 < len(lost) < 270 and set(lost.values()) == {1}
    doubled = Counter(heard(1, BusFaults(doubled=0.2)))
    assert len(doubled) == MANY and 30 < [*doubled.values()].count(2) < 90


def test_messages_overtake_each_other() -> None:
    found = heard(1, BusFaults(delay=50))
    assert sorted(found) == list(range(MANY)) != found


def test_everything_follows_from_the_seed() -> None:
    faults = BusFaults(lost=0.1, doubled=0.1, delay=50)
    assert heard(7, faults) == heard(7, faults) != heard(8, faults)


def test_a_delay_is_time_of_the_clock() -> None:
    clock = HandClock()
    nats = SimulatedNats(clock, 3, BusFaults(delay=500))
    a, b = nats.bus("a"), nats.bus("b")
    at: list[int] = []
    b.listen(NEWS, lambda data: at.append(clock.now()))
    began = clock.now()
    for _ in range(100):
        a.tell(NEWS, b"")
    clock.advance(250)
    assert 20 < len(at) < 80
    clock.advance(250)
    assert len(at) == 100
    assert 400 < max(at) - began <= 500


def test_one_direction_between_two_servers_can_be_cut() -> None:
    clock = HandClock()
    nats = SimulatedNats(clock)
    buses = {name: nats.bus(name) for name in ("a", "b", "c")}
    served: list[str] = []
    for name, bus in buses.items():

        def serve(data: bytes, reply: Callable[[bytes], None], name: str = name) -> None:
            served.append(name)
            reply(data)

        bus.serve(orders(name), serve)

    def asked(asker: str, other: str) -> bytes | None:
        answers: list[bytes | None] = []
        served.clear()
        buses[asker].ask(orders(other), b"1", 500, answers.append)
        clock.advance(500)
        (answer,) = answers
        return answer

    nats.cut("a", "b")
    assert asked("a", "b") is None and served == []
    assert asked("b", "a") is None and served == ["a"]
    assert asked("a", "c") == asked("c", "a") == asked("c", "b") == asked("b", "c") == b"1"
    nats.heal()
    assert asked("a", "b") == asked("b", "a") == b"1"


def test_a_question_that_comes_twice_is_answered_once() -> None:
    clock = HandClock()
    nats = SimulatedNats(clock, 1, BusFaults(doubled=1.0))
    a, b = nats.bus("a"), nats.bus("b")
    asked: list[bytes] = []
    answers: list[bytes | None] = []

    def serve(data: bytes, reply: Callable[[bytes], None]) -> None:
        asked.append(data)
        reply(data)

    b.serve(orders("b"), serve)
    a.ask(orders("b"), b"1", LONG, answers.append)
    clock.advance(LONG)
    assert asked == [b"1", b"1"] and answers == [b"1"]


def test_an_outage_loses_what_is_on_its_way() -> None:
    clock = HandClock()
    nats = SimulatedNats(clock, 1, BusFaults(delay=100))
    a, b = nats.bus("a"), nats.bus("b")
    found: list[bytes] = []
    seen: list[bool] = []
    answers: list[bytes | None] = []
    b.listen(NEWS, found.append)
    a.watch(seen.append)
    b.serve(orders("b"), lambda data, reply: reply(data))
    for _ in range(100):
        a.tell(NEWS, b"on its way")
    a.ask(orders("b"), b"1", LONG, answers.append)
    nats.stop()
    assert answers == [None] and seen == [False] and not a.connected
    a.tell(NEWS, b"in vain")
    a.ask(orders("b"), b"1", LONG, answers.append)
    clock.settle()
    assert answers == [None, None]
    nats.start()
    clock.advance(100)
    assert found == [] and seen == [False, True]
    a.tell(NEWS, b"news")
    clock.advance(100)
    assert found == [b"news"] and not clock.waiting


def test_a_server_that_dies_hears_and_answers_nothing() -> None:
    clock = HandClock()
    nats = SimulatedNats(clock)
    a, b = nats.bus("a"), nats.bus("b")
    called: list[object] = []
    b.listen(NEWS, called.append)
    b.ask(orders("a"), b"1", 500, called.append)
    a.tell(NEWS, b"2")
    b.die()
    assert nats.buses == [a]
    clock.advance(LONG)
    assert called == []
    again = nats.bus("b")
    again.listen(NEWS, called.append)
    a.tell(NEWS, b"3")
    clock.settle()
    assert called == [b"3"]
