"""Every command is answered once and comes to an end, also where answering it fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from twisted.internet.defer import Deferred, succeed

from tests.kit.hosts import World
from twentytwo_protocol.words.session import Whoami
from twentytwo_server.answers import Pending, Running, run
from twentytwo_server.consequences import Consequence, Consequences, current
from twentytwo_server.host.commands.call import Call, Handler
from twentytwo_server.host.commands.dispatch import dispatcher


def nonsense(call: Call, _: Whoami) -> None:
    """Answers with what is no field of an answer."""
    call.ok(nonsense=1)


async def late_nonsense(call: Call, said: Whoami) -> None:
    """The same in a coroutine."""
    nonsense(call, said)


@pytest.mark.parametrize("handler", [nonsense, late_nonsense])
def test_an_answer_that_cannot_be_written_is_a_refusal(handler: Handler) -> None:
    world = World()
    ann = world.program("ann")
    world.commands = dispatcher(world.host.parts, {Whoami: handler})
    assert ann.err("whoami") == "INTERNAL"


def test_a_command_is_over_where_the_fault_of_its_coroutine_cannot_be_told() -> None:
    over: list[bool] = []

    async def fails() -> None:
        raise ValueError

    def fails_as_well(_: Exception) -> None:
        raise KeyError

    with Consequence(Consequences(lambda: over.append(True))):
        ended = run(fails(), fails_as_well)
    assert over == [True]
    assert ended.called


def test_what_is_ended_twice_counts_once() -> None:
    over: list[bool] = []
    command = Consequences(lambda: over.append(True))
    first, second = Consequence(command), Consequence(command)
    first.end()
    first.end()
    assert not over
    second.end()
    assert over == [True]


def test_a_pending_answer_continues_its_coroutine_inside_the_call_that_brings_it() -> None:
    told: list[str] = []

    def order(answered: Callable[[str], None]) -> None:
        answered("yes")
        told.append("events")

    async def command() -> None:
        told.append(await Pending(order))
        told.append(await Pending(order))

    Running(command(), lambda wrong: told.append(f"ended {wrong}"))
    assert told == ["yes", "yes", "ended None", "events", "events"]


def test_what_refuses_to_begin_is_raised_where_its_answer_is_awaited() -> None:
    told: list[str] = []

    def refuses(_: Callable[[str], None]) -> None:
        raise ValueError("no")

    async def command() -> None:
        try:
            await Pending(refuses)
        except ValueError as wrong:
            told.append(str(wrong))
        told.append(await Pending(lambda answered: answered("yes")))

    Running(command(), lambda wrong: told.append(f"ended {wrong}"))
    assert told == ["no", "yes", "ended None"]


def test_a_fault_after_the_answer_is_the_fault_of_the_one_who_answers() -> None:
    ended: list[Exception | None] = []

    def order(answered: Callable[[None], None]) -> None:
        answered(None)
        raise KeyError

    async def command() -> None:
        await Pending(order)

    with pytest.raises(KeyError):
        Running(command(), ended.append)
    assert ended == [None]


def test_a_coroutine_that_is_cancelled_takes_no_later_answer() -> None:
    callbacks: list[Callable[[str], None]] = []
    told: list[str] = []

    async def command(waits: Pending[str] | Deferred[str]) -> None:
        told.append(await waits)

    for waits in (Pending[str](callbacks.append), Deferred[str]()):
        running = Running(command(waits), lambda wrong: told.append(type(wrong).__name__))
        running.cancel()
        running.cancel()
        if isinstance(waits, Deferred):
            waits.callback("late")
    callbacks[0]("late")
    assert told == ["CancelledError", "CancelledError"]


def test_answers_that_come_at_once_do_not_pile_up_on_the_stack() -> None:
    ended: list[Exception | None] = []

    async def command() -> None:
        for _ in range(10_000):
            await succeed(None)

    Running(command(), ended.append)
    assert ended == [None]


def test_a_coroutine_belongs_to_its_command_after_every_wait() -> None:
    callbacks: list[Callable[[None], None]] = []
    over: list[str] = []
    inner = Consequences(lambda: over.append("inner"))

    async def command() -> None:
        for _ in range(2):
            await Pending[None](callbacks.append)
            assert current.get() is inner

    with Consequence(inner):
        work = Consequence()
        Running(command(), lambda wrong: work.end())
    with Consequence(Consequences(lambda: over.append("outer"))):
        callbacks.pop()(None)
        callbacks.pop()(None)
        assert over == ["inner"]
    assert over == ["inner", "outer"]
