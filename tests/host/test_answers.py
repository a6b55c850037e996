"""Every command is answered once and comes to an end, also where answering it fails."""

from __future__ import annotations

import pytest

from tests.kit.hosts import World
from twentytwo_protocol.words.session import Whoami
from twentytwo_server.answers import run
from twentytwo_server.consequences import Consequence, Consequences
from twentytwo_server.facts import Remembered
from twentytwo_server.host.commands.call import Call, Handler
from twentytwo_server.host.commands.dispatch import Dispatcher
from twentytwo_server.host.recovery.restoring import restore


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
    world.commands = Dispatcher(world.host, {Whoami: handler}, restore(world.host, Remembered()))
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
    ended.addErrback(lambda failure: failure.trap(KeyError) and None)


def test_what_is_ended_twice_counts_once() -> None:
    over: list[bool] = []
    command = Consequences(lambda: over.append(True))
    first, second = Consequence(command), Consequence(command)
    first.end()
    first.end()
    assert not over
    second.end()
    assert over == [True]
