"""The words of older editions: how events were written then, and where they went."""

from __future__ import annotations

import pytest

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Malformed, edition, fields_as_of, stream_as_of
from twentytwo_protocol.words.cardplay import Game_
from twentytwo_protocol.words.seating import Option_, Ready_, Watching
from twentytwo_protocol.words.talk import Said

GAME = Game_("twentyeight", "g7", 4, 1, 2 * "0123456789abcdef", 10, sides=("1+3", "2+4"))


def test_an_event_is_written_as_it_was_in_an_edition() -> None:
    assert wire.write_as_of(1, GAME, on="t1", seq=9) == (
        "GAME on=t1 seq=9 game=twentyeight id=g7 size=4 rules=01234567 target=10"
    )
    assert wire.write_as_of(edition(), GAME) == wire.write(GAME)


def test_a_title_was_the_value_of_an_option() -> None:
    title = Option_.of("title", "Friday night")
    assert wire.write(title) == "OPTION key=title :Friday night"
    assert wire.write_as_of(1, title) == "OPTION key=title value=Friday%20night"
    assert wire.write_as_of(1, Option_.of("title", "")) == "OPTION key=title value="
    assert wire.write_as_of(1, Option_("limit", "10")) == "OPTION key=limit value=10"


def test_a_line_of_an_older_edition_is_read_in_its_words() -> None:
    line = wire.write_as_of(1, Said("~ann", "hello"))
    record = wire.parse(line)
    assert line == "SAID from=~ann :hello"
    assert record is not None
    assert wire.decode(record, 1) == Said("~ann", "hello")
    with pytest.raises(Malformed, match="by="):
        wire.decode(record)


def test_what_has_not_changed_is_written_from_the_same_fields() -> None:
    word = Ready_.word
    assert fields_as_of(1, word) is word.fields


def test_an_event_goes_to_the_tables_stream_up_to_the_edition_since_which_it_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Watching, "stream", "talk")
    monkeypatch.setattr(Watching, "moved", 3)
    found = [stream_as_of(number, Watching("~ann", True)) for number in (1, 2, 3, 4)]
    assert found == ["table", "table", "talk", "talk"]
    assert edition() == 3
