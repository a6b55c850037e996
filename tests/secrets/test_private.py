"""A person who does not know a private table's word cannot detect the table."""

from __future__ import annotations

import re

import pytest

from tests.kit.hosts import Peer, World
from twentytwo_protocol.schema import COMMANDS

LINES = (
    *("{verb} {it}", "{verb} table={it}", "{verb} x table={it}", "{verb} 1 table={it} :hi"),
    *("{verb} {it}:0", "{verb} {it} from=0", "{verb} - {it}", "{verb} ann {it}", "{verb} {it} :hi"),
)
ELSEWHERE = ("hello", "quit", "logout", "login", "auth", "caps")
"""Commands that end or change the conversation."""


def world() -> tuple[World, Peer]:
    """A world with a private table t1 playing g1, and a person with a table of her own."""
    world = World()
    ann, bob, eve = (world.program(name) for name in ("ann", "bob", "eve"))
    ann.ok("open twentytwo seats=2 clock=0 private=owl")
    bob.ok("join owl")
    bob.ok("ready")
    ann.ok("start")
    eve.ok("open twentytwo seats=2")
    return world, eve


def answer(world: World, eve: Peer, line: str, it: str) -> list[str]:
    """The answer to a line, with table and game numbers made equal."""
    eve.take()
    eve.hear(line.format(it=it))
    world.advance(10_000)
    return [re.sub(r"\b([a-z]?)\d+", r"\1N", said.replace(it, "it")) for said in eve.take()]


@pytest.mark.parametrize("kind", "tkgr")
def test_no_command_distinguishes_a_private_table_from_no_table(kind: str) -> None:
    here, eve = world()
    for verb in sorted(set(COMMANDS) - set(ELSEWHERE)):
        for line in LINES:
            asked = line.replace("{verb}", verb)
            there = answer(here, eve, asked, f"{kind}1")
            assert there == answer(here, eve, asked, f"{kind}999"), asked
