"""The contract of every bus: within a process, simulated, over NATS."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.bus.kit import LONG, BusPlace
from tests.kit.cases import together
from twentytwo_server.answers import ask
from twentytwo_server.ports import MESSAGE_LIMIT
from twentytwo_server.subjects import NEWS, RINGS_FOR_ALL, orders, rings


def echo(data: bytes, reply: Callable[[bytes], None]) -> None:
    reply(b"echo of " + data)


async def test_a_message_reaches_all_who_listen_to_its_subject(place: BusPlace) -> None:
    async with place.buses("a", "b") as (a, b):
        heard: list[tuple[str, bytes]] = []

        def hear(who: str, data: bytes) -> None:
            heard.append((who, data))

        for name, bus in (("a", a), ("b", b)):
            bus.listen(NEWS, partial(hear, name))
            bus.listen(rings(name), partial(hear, f"to {name}"))
            bus.listen(RINGS_FOR_ALL, partial(hear, f"all {name}"))
            await place.known(bus)
        a.tell(NEWS, b"news")
        a.tell(rings("b"), b"ring")
        a.tell(RINGS_FOR_ALL, b"")
        assert not heard, "a callback within the call"
        await place.until(lambda: len(heard) == 5)
        await place.known(a)
        await place.known(b)
        assert sorted(heard) == [
            ("a", b"news"),
            ("all a", b""),
            ("all b", b""),
            ("b", b"news"),
            ("to b", b"ring"),
        ]


async def test_a_listener_that_has_stopped_hears_nothing(place: BusPlace) -> None:
    async with place.buses("a", "b") as (a, b):
        heard: list[bytes] = []

        def hear(data: bytes, _: Callable[[bytes], None]) -> None:
            heard.append(data)

        stop, _ = b.serve(NEWS, hear), b.serve(NEWS, hear)
        await place.known(b)
        stop()
        stop()
        await place.known(b)
        a.tell(NEWS, b"1")
        await place.until(lambda: heard)
        await place.known(b)
        assert heard == [b"1"]


async def test_a_question_is_answered_now_or_later(place: BusPlace) -> None:
    async with place.buses("a", "b") as (a, b):
        waiting: list[Callable[[bytes], None]] = []
        b.serve(orders("b"), echo)
        b.serve(orders("a.b"), lambda data, reply: waiting.append(reply))
        await place.known(b)
        assert await place.answer(a, orders("b"), b"1") == b"echo of 1"
        assert await place.answer(b, orders("b"), b"2") == b"echo of 2"
        answers: list[bytes | None] = []
        a.ask(orders("a.b"), b"3", LONG, answers.append)
        await place.until(lambda: waiting)
        assert not answers
        (reply,) = waiting
        reply(b"")
        reply(b"the second answer counts for nothing")
        await place.until(lambda: answers)
        await place.known(b)
        await place.known(a)
        assert answers == [b""]


async def test_each_of_many_questions_gets_its_own_answer(place: BusPlace) -> None:
    async with place.buses("a", "b") as (a, b):
        asked: list[tuple[bytes, Callable[[bytes], None]]] = []
        b.serve(orders("b"), lambda data, reply: asked.append((data, reply)))
        await place.known(b)
        answers: dict[int, bytes | None] = {}
        for number in range(50):
            a.ask(orders("b"), b"%d" % number, LONG, partial(answers.__setitem__, number))
        await place.until(lambda: len(asked) == 50)
        for data, reply in reversed(asked):
            echo(data, reply)
        await place.until(lambda: len(answers) == 50)
        assert answers == {number: b"echo of %d" % number for number in range(50)}


async def test_a_question_without_an_answer_ends_in_time_and_once(place: BusPlace) -> None:
    async with place.buses("a", "b") as (a, b):
        waiting: list[Callable[[bytes], None]] = []
        b.serve(orders("b"), lambda data, reply: waiting.append(reply))
        await place.known(b)
        answers: list[bytes | None] = []
        a.ask(orders("b"), b"1", 500, answers.append)
        await place.until(lambda: waiting)
        place.clock.advance(499)
        assert not answers
        place.clock.advance(1)
        assert answers == [None]
        waiting[0](b"late")
        await place.known(b)
        await place.known(a)
        assert answers == [None]


async def test_a_question_that_nobody_serves_ends_at_once(place: BusPlace) -> None:
    async with place.buses("a", "b") as (a, b):
        assert await place.answer(a, orders("b"), b"1") is None
        stop = b.serve(orders("b"), echo)
        await place.known(b)
        assert await place.answer(a, orders("b"), b"1") == b"echo of 1"
        stop()
        await place.known(b)
        assert await place.answer(a, orders("b"), b"1") is None


async def test_an_answer_can_be_awaited(place: BusPlace) -> None:
    async with place.buses("a", "b") as (a, b):
        b.serve(orders("b"), echo)
        await place.known(b)
        answer = ask(a.ask, orders("b"), b"1", LONG)
        await place.until(lambda: answer.called)
        assert await answer == b"echo of 1"


async def test_a_message_to_those_who_serve_wants_no_answer(
    place: BusPlace, caplog: pytest.LogCaptureFixture
) -> None:
    async with place.buses("a", "b") as (a, b):
        heard: list[bytes] = []

        def handle(data: bytes, reply: Callable[[bytes], None]) -> None:
            heard.append(data)
            reply(data)

        b.serve(orders("b"), handle)
        await place.known(b)
        a.tell(orders("b"), b"1")
        await place.until(lambda: heard)
        await place.known(b)
        assert heard == [b"1"] and not caplog.records


async def test_a_callback_that_fails_harms_no_other(
    place: BusPlace, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a mistake")

    async with place.buses("a", "b") as (a, b):
        heard: list[bytes] = []
        for bus in (a, b):
            bus.listen(NEWS, fail)
            bus.listen(NEWS, heard.append)
            await place.known(bus)
        b.serve(orders("x"), fail)
        b.serve(orders("b"), echo)
        await place.known(b)
        a.tell(NEWS, b"1")
        a.tell(NEWS, b"2")
        a.ask(orders("b"), b"3", LONG, fail)
        a.ask(orders("x"), b"4", LONG, fail)
        await place.until(lambda: len(heard) == 4 and len(caplog.records) == 6)
        place.clock.advance(LONG)
        assert {each.message for each in caplog.records} == {"a callback of the bus failed"}
        assert all(each.exc_info for each in caplog.records)
        assert len(caplog.records) == 7
        assert await place.answer(a, orders("b"), b"5") == b"echo of 5"


async def test_a_message_that_is_too_long_is_lost(
    place: BusPlace, caplog: pytest.LogCaptureFixture
) -> None:
    longest, longer = bytes(MESSAGE_LIMIT), bytes(MESSAGE_LIMIT + 1)
    async with place.buses("a", "b") as (a, b):
        heard: list[int] = []
        b.listen(NEWS, lambda data: heard.append(len(data)))
        b.serve(orders("b"), lambda data, reply: reply(longest + data))
        await place.known(b)
        a.tell(NEWS, longer)
        a.tell(NEWS, longest)
        await place.until(lambda: heard)
        assert heard == [MESSAGE_LIMIT]
        answer = await place.answer(a, orders("b"), b"")
        assert answer is not None and len(answer) == MESSAGE_LIMIT
        assert await place.answer(a, orders("b"), longer) is None
        answers: list[bytes | None] = []
        a.ask(orders("b"), b"1", 500, answers.append)
        await place.until(lambda: len(caplog.records) == 3)
        place.clock.advance(500)
        assert answers == [None]
        assert {each.message for each in caplog.records} == {
            f"a message of {MESSAGE_LIMIT + 1} bytes is too long for the bus: it is lost"
        }


async def test_after_the_end_there_are_no_callbacks(place: BusPlace) -> None:
    async with place.buses("a", "b") as (a, b):
        called: list[object] = []
        a.watch(called.append)
        a.listen(NEWS, called.append)
        stop = a.listen(NEWS, called.append)
        b.serve(orders("b"), lambda data, reply: None)
        await place.known(a)
        await place.known(b)
        a.ask(orders("b"), b"1", 500, called.append)
        b.tell(NEWS, b"2")
        await a.close()
        a.ask(orders("b"), b"3", 500, called.append)
        a.tell(NEWS, b"4")
        stop()
        if not place.joined:
            await place.known(b)
        place.clock.advance(1000)
        assert called == []


def test_the_subjects_of_two_servers_differ() -> None:
    names = ["ab", "a.b", "a-b", "a_b", "A.b", "a.b.", "main"]
    assert len({subject(name) for name in names for subject in (rings, orders)}) == 14
    assert all(rings(name).count(".") == 1 for name in names)


@together("name", ["", "a b", "a*", ">", "a~b", "ä", "a\n", "x" * 33])
def test_a_subject_has_no_free_text(name: str) -> None:
    for subject in (rings, orders):
        with pytest.raises(ValueError, match="is no name of a server"):
            subject(name)
