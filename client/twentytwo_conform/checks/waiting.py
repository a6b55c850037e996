"""Slow checks, which run last: the clock of a turn, the grace period, PING."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ..check import quotes, skip
from ..connections import Closed, Program, Record
from ..fixtures import Idlers

LONG = 40.0
"""Maximum time in seconds to wait for a PING, which comes after 30 s of silence."""


def events(client: Program) -> Iterator[Record]:
    """All events that the client has received, and then those that still arrive."""
    client.socket.settimeout(LONG)
    for number in count():
        while number >= len(client.events):
            client.record()
        yield client.events[number]


def first(client: Program, word: str, **fields: str) -> Record:
    """The first event of a word with these fields."""
    return next(e for e in events(client) if e.word == word and fields.items() <= e.fields.items())


@quotes(
    "When the time is up, TIMEOUT says so, and the default is played, marked auto=1.", "K1", "T1"
)
def when_the_time_is_up_the_default_is_played(idlers: Idlers) -> None:
    for client in (idlers.slow, idlers.friend):
        timeout = first(client, "TIMEOUT")
        played = first(client, "EXCHANGED")
        assert (played["seat"], played["n"], played["auto"]) == (timeout["seat"], "0", "1")
        assert played.number("seq") == timeout.number("seq") + 1


@quotes("After this grace period a bot plays the seat until its owner comes back.", "C5")
def after_the_time_of_grace_a_bot_plays(idlers: Idlers) -> None:
    away = first(idlers.quiet, "PRESENCE", here="0")
    if away.number("ms") > 5000:
        skip("the grace period of this server is long")
    assert first(idlers.quiet, "PRESENCE", here="0", bot="1")["seat"] == away["seat"]


@quotes("A program that has been silent for 30 s is sent PING no=.", "K2")
def a_silent_program_is_asked_whether_it_is_there(idlers: Idlers) -> None:
    ping = first(idlers.silent, "PING")
    assert set(ping.fields) == {"no"}
    try:
        idlers.silent.send(f"pong {ping['no']}")
        assert idlers.silent.must("ping").ok
    except (Closed, OSError):  # the tests took so long that the answer came too late
        bye = first(idlers.silent, "BYE")
        assert (bye["code"], bye["resume"]) == ("IDLE", "1")
