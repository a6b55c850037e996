"""What takes its time: the clock of a turn, the time of grace, PING. These tests come last."""

from __future__ import annotations

import pytest

from .conftest import Idlers
from .kit import Program
from .quoting import quotes

LONG = 40.0
"""Seconds to wait for a PING at most; it comes after 30 s of silence."""


def _patiently(client: Program) -> Program:
    client.socket.settimeout(LONG)
    return client


@quotes("When the time is up TIMEOUT says so, and the default is played, marked auto=1.", "K1", "T1")
def test_when_the_time_is_up_the_default_is_played(idlers: Idlers) -> None:
    for client in (idlers.slow, idlers.friend):
        timeout = _patiently(client).until("TIMEOUT")
        played = client.until("EXCHANGED")
        assert (played["seat"], played["n"], played["auto"]) == (timeout["seat"], "0", "1")
        assert played.number("seq") == timeout.number("seq") + 1


@quotes("after that a bot plays it until the owner comes back.", "C5")
def test_after_the_time_of_grace_a_bot_plays(idlers: Idlers) -> None:
    quiet = _patiently(idlers.quiet)
    away = quiet.until("PRESENCE")
    if away.number("ms") > 5000:
        pytest.skip("the time of grace of this server is long")
    bot = quiet.until("PRESENCE")
    assert (bot["seat"], bot["here"], bot["bot"]) == (away["seat"], "0", "1")


@quotes("A program that has been silent for 30 s is sent PING n=.", "K2")
def test_a_silent_program_is_asked_whether_it_is_there(idlers: Idlers) -> None:
    quiet = _patiently(idlers.quiet)
    ping = quiet.until("PING")
    assert set(ping.fields) == {"n"}
    quiet.send(f"pong {ping['n']}")
    assert quiet.must("ping").ok
