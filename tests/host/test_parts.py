"""The parts that handlers declare, and the clear end of a start where one is missing."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.kit.hosts import World
from twentytwo_protocol.words.session import Motd, Whoami
from twentytwo_server.host.commands.call import Call, Handler, Handlers
from twentytwo_server.host.commands.dispatch import Dispatcher, dispatcher
from twentytwo_server.host.parts import NoSuchPart
from twentytwo_server.host.people.people import People
from twentytwo_server.ports import Store


@dataclass
class Census:
    """A part that is made of parts."""

    people: People
    store: Store


class Sundial:
    """No part of a server."""


@dataclass
class Almanac:
    """Made of what is no part."""

    sundial: Sundial


def counts(call: Call, _: Whoami, census: Census, people: People) -> None:
    """Answers with what it is given."""
    assert census.people is people
    call.ok(n=len(people))


def looks(call: Call, _: Whoami, sundial: Sundial) -> None:
    """Wants what there is not."""


def reads(call: Call, _: Whoami, almanac: Almanac) -> None:
    """Wants what cannot be made."""


def commands(world: World, handlers: Handlers) -> Dispatcher:
    return dispatcher(world.host.parts, handlers)


def test_a_handler_gets_the_parts_that_it_declares_and_those_that_are_made_of_them() -> None:
    world = World()
    ann = world.program("ann")
    world.commands = commands(world, {Whoami: counts})
    assert ann.ok("whoami").fields["n"] == "1"


def test_a_part_is_made_once() -> None:
    seen = []

    def sees(call: Call, _: Whoami | Motd, census: Census) -> None:
        seen.append(census)
        call.ok()

    world = World()
    ann = world.program("ann")
    world.commands = commands(world, {Whoami: sees, Motd: sees})
    ann.ok("whoami")
    ann.ok("motd")
    assert seen[0] is seen[1]


@pytest.mark.parametrize(
    ("handler", "by"), [(looks, "test_parts.looks"), (reads, "test_parts.Almanac")]
)
def test_a_server_does_not_start_without_a_part_that_a_handler_declares(
    handler: Handler, by: str
) -> None:
    with pytest.raises(NoSuchPart, match=rf"{by} needs .*Sundial.*: no such part"):
        commands(World(), {Whoami: handler})
