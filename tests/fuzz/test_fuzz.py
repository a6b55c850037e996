"""Inputs that nobody would send: those that are kept, some new ones, and faults that are found."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from tests.fuzz import corpus
from tests.fuzz.driver import Target, drive
from tests.fuzz.targets import SHARES, TARGETS
from tests.kit.length import times
from twentytwo_protocol import framing, typed
from twentytwo_server.config import reading
from twentytwo_server.net.telnet import TelnetFilter


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_kept_and_what_is_made_of_it_brings_out_no_error(name: str) -> None:
    kept = corpus.kept(name)
    assert kept, "python -m tests.fuzz --keep writes them"
    more = times(1, long=50) * SHARES[name] // 2
    report = drive(TARGETS[name], len(kept) + more, 22, kept)
    assert not report.failures, report.failures[0].error


def _without(end: bytes, kind: type[Any]) -> Any:
    """It loses a byte where the bytes were cut behind it."""
    feed = kind.feed
    return patch.object(kind, "feed", lambda self, data: feed(self, data.removesuffix(end)))


PLANTED = {
    "framing": patch.object(framing, "clean", str),
    "connection": _without(b"\r", framing.LineBuffer),
    "telnet": _without(b"\xff", TelnetFilter),
    "commands": patch.object(typed, "whole", lambda verb: verb),
    "config": patch.object(reading, "get_close_matches", lambda name, known, most: ["\n"]),
}
"""For each target a server that does wrong."""


@pytest.mark.parametrize("name", PLANTED)
def test_a_fault_is_found(name: str) -> None:
    with PLANTED[name]:
        report = drive(TARGETS[name], 20_000, 1, corpus.kept(name))
    assert report.failures


def _fails(data: bytes) -> int:
    assert data.count(b"b") < 2
    return data.count(b"a")


def test_an_input_that_fails_is_made_shorter_and_told_with_its_error() -> None:
    report = drive(Target("test", _fails, [b"ab", b"ccc"], [b"a"]), 100_000, 1)
    (failure,) = report.failures
    assert failure.data == b"bb" and "AssertionError" in failure.error


def test_a_seed_makes_the_same_inputs() -> None:
    seen: list[list[bytes]] = [[], []]
    for each in seen:
        drive(Target("test", each.append, [b"ab"], [b"c"]), 100, 3)
    assert seen[0] == seen[1] and len(set(seen[0])) > 50
