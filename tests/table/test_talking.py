"""Who is heard at a table."""

from __future__ import annotations

from tests.kit import tables
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.talk import Said, Say


def test_players_and_between_games_watchers_are_heard() -> None:
    run = tables.seated(2)
    run.order("zed", words.Watch("t1"))
    for name in ("bob", "zed"):
        assert run.order(name, Say("hello")) == [Said(name, "hello")]
    assert run.refused("cat", Say("hello")).code == "NOT_SEATED"


def test_watchers_say_nothing_to_the_players_of_a_game() -> None:
    run = tables.started(2)
    run.order("zed", words.Watch("t1"))
    assert run.refused("zed", Say("he has two queens")).code == "FORBIDDEN"
    assert run.order("bob", Say("hello")) == [Said("bob", "hello")]
