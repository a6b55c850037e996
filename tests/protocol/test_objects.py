"""Commands as JSON objects: the same commands as lines, and nothing that a line could not say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.quoting import quotes
from tests.kit.cases import together
from twentytwo_protocol import games, words
from twentytwo_protocol.objects import id_of_object, is_object, read_object, split_object
from twentytwo_protocol.schema import COMMANDS, Malformed
from twentytwo_protocol.verbs import without_secrets
from twentytwo_protocol.wire import read_command

DECLARED = (words, games)


@quotes("a line that begins with { is a command", "J7")
@together(
    ("found", "line"),
    [
        ({"verb": "move", "token": "Q+Q", "turn": 9}, "Q+Q turn=9"),
        ({"verb": "play", "cards": ["Q", "Q"]}, "Q Q"),
        ({"verb": "hello", "versions": [1, 2], "bot": True, "zip": None}, "1,2 bot=1"),
        ({"verb": "caps", "caps": ["json", "time"]}, "json,time"),
        ({"verb": "ping"}, ""),
        ({"verb": "game", "id": "g51", "re": "7"}, "g51"),
    ],
)
def test_an_object_is_the_command_that_a_line_is(found: dict[str, Any], line: str) -> None:
    said = split_object(json.dumps(found))
    cls = COMMANDS[said.verb]
    assert read_object(cls, said.arguments) == read_command(cls, line)


@quotes("A text has the key text, or its name in the reference", "J7")
@pytest.mark.parametrize("key", ["text", "title"])
def test_a_text_has_two_names(key: str) -> None:
    said = split_object(json.dumps({"verb": "open", "game": "whist22", key: "a: :b, c "}))
    found: Any = read_object(COMMANDS["open"], said.arguments)
    assert found.title == "a: :b, c"


def test_an_empty_list_is_an_empty_list() -> None:
    found: Any = read_object(COMMANDS["caps"], {"caps": []})
    assert found.caps == ()


def test_options_are_an_object_of_strings_and_numbers() -> None:
    said = split_object(
        '{"verb":"open","game":"twentytwo","options":{"limit":10,"exchange":"off"}}'
    )
    found: Any = read_object(COMMANDS["open"], said.arguments)
    assert found.options == {"limit": "10", "exchange": "off"}


@together(
    ("found", "arg"),
    [
        ({"verb": "move"}, "token"),
        ({"verb": "move", "token": 7}, "token"),
        ({"verb": "move", "token": "Q Q"}, "token"),
        ({"verb": "move", "token": ""}, "token"),
        ({"verb": "move", "token": "\ud800"}, "token"),
        ({"verb": "move", "token": "Q", "turn": "9"}, "turn"),
        ({"verb": "move", "token": "Q", "turn": 9.0}, "turn"),
        ({"verb": "move", "token": "Q", "turn": True}, "turn"),
        ({"verb": "move", "token": "Q", "turn": 10**18}, "turn"),
        ({"verb": "move", "token": "Q", "turn": None}, "turn"),
        ({"verb": "move", "token": "Q", "colour": "red"}, "colour"),
        ({"verb": "move", "token": "Q", "not a key": 1}, ""),
        ({"verb": "play", "cards": "Q Q"}, "cards"),
        ({"verb": "play", "cards": ["Q", 2]}, "cards"),
        ({"verb": "play", "cards": ["Q,Q"]}, "cards"),
        ({"verb": "hello", "versions": ["1"]}, "versions"),
        ({"verb": "hello", "versions": [1], "bot": 1}, "bot"),
        ({"verb": "open", "game": "whist22", "options": {"a": {}}}, "options"),
        ({"verb": "open", "game": "whist22", "options": {"a b": "c"}}, "options"),
        ({"verb": "open", "game": "whist22", "options": {"a": "b c"}}, "options"),
        ({"verb": "say"}, "text"),
        ({"verb": "say", "text": " "}, "text"),
    ],
)
def test_what_is_wrong_is_named(found: dict[str, Any], arg: str) -> None:
    said = split_object(json.dumps(found))
    with pytest.raises(Malformed) as wrong:
        read_object(COMMANDS[said.verb], said.arguments)
    assert wrong.value.field == arg


@together(
    ("line", "id"),
    [
        ("{", None),
        ("{}", None),
        ('{"re":"7"}', "7"),
        ('{"re":"7","verb":7}', "7"),
        ('{"re":"7","verb":"say hi"}', "7"),
        ('{"re":7,"verb":"ping"}', None),
        ('{"re":"a b","verb":"ping"}', None),
        ('{"verb":"ping"} x', None),
        ("{" * 900, None),
        ('{"a":' * 180, None),
        ('{"verb":' + "[" * 1000, None),
    ],
)
def test_what_is_no_command_is_refused_under_its_id(line: str, id: str | None) -> None:
    assert is_object(line)
    assert id_of_object(line) == id
    with pytest.raises(Malformed):
        split_object(line)


def test_no_escape_brings_in_a_control_character() -> None:
    said = split_object(r'{"verb":"say","text":"a\nb\u0000\u001b[2J\tc\u009b"}')
    found: Any = read_object(COMMANDS["say"], said.arguments)
    assert found.text == "ab[2J c"


@given(st.text(max_size=80))
def test_whatever_stands_behind_the_brace_is_a_command_or_malformed(text: str) -> None:
    try:
        said = split_object("{" + text)
        read_object(COMMANDS["move"], said.arguments)
    except Malformed:
        pass


def test_no_password_in_an_object_is_kept() -> None:
    for line in (
        '{"verb":"login","name":"ann","password":"three blind mice"}',
        '{"password":"three blind mice","verb":"LOGIN","name":"ann"}',
        '{"verb":"logni","password":"three blind mice"}',
        '{"password":"three blind mice","verb":"login"',
        '{"verb":"resume","token":"three"}',
    ):
        assert "three" not in without_secrets(line)
    assert without_secrets('{"verb":"ping","x":"soup"}') == '{"verb":"ping","x":"soup"}'
