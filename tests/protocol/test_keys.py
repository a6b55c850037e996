"""A key means one thing, and has one type, wherever it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from tests.kit.cases import together
from twentytwo_protocol import games, words
from twentytwo_protocol.schema import COMMANDS, EVENTS, ROWS, Message

DECLARED = (words, games)

TOLD: Mapping[str, str] = {
    "BYE to": "token: the address of a server; elsewhere it is whom something is told",
    "BID bid": "token: what is said in the bidding may also be pass; elsewhere a bid is a number",
    "EVENT stream": "token: a sort of stream; elsewhere it is the name of one",
    "VERB name": "token: of a word of the protocol, not of somebody",
    "EVENT name": "token: of a word of the protocol, not of somebody",
    "FIELD name": "token: of a word of the protocol, not of somebody",
    "CAP name": "token: of a word of the protocol, not of somebody",
    "CODE name": "token: of a word of the protocol, not of somebody",
    "LAB name": "token: of a table of the practice ground, not of somebody",
}
"""Fields of the server's words that are of another type than their key elsewhere, and why."""

SAID: Mapping[str, str] = {
    "play cards": "words: cards or ranks as they are typed",
    "exchange cards": "words: cards or ranks as they are typed",
    "trump cards": "words: cards or ranks as they are typed",
    "bid bid": "token: a number, or pass",
    "why move": "words: a move as it would be typed",
    "join table": "token: a table's name, or the word of a private one",
    "option value": "token: one value of an option, without spaces",
    "set value": "token: one value of a setting, without spaces",
    "describe name": "token: of a word of the protocol, not of somebody",
    "lab name": "token: of a table of the practice ground, not of somebody",
    "follow stream": "stream: one of them by its name",
    "unfollow stream": "stream: one of them by its name",
    "sync stream": "stream: one of them by its name",
    "practice seed": "int: deals that can be repeated are asked for by a number",
    "open seed": "int: deals that can be repeated are asked for by a number",
    "password old": "str: a password",
    "password new": "text: a password",
}
"""The same of the arguments of commands."""


def _types(messages: Mapping[str, type[Message]]) -> dict[str, dict[str, set[str]]]:
    """The types of every key, and for each the fields that have it."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for word, cls in messages.items():
        for field in cls.word.fields:
            found[field.key][field.kind.name].add(f"{word} {field.key}")
    return found


def _odd(types: dict[str, set[str]], usual: str) -> set[str]:
    return {each for kind, fields in types.items() if kind != usual for each in fields}


def _usual(types: Mapping[str, set[str]], allowed: Mapping[str, str]) -> str:
    """The type of a key: that of its fields which are no exceptions."""
    return max(types, key=lambda kind: (len(types[kind] - set(allowed)), len(types[kind])))


@together("key", sorted(_types(EVENTS) | _types(ROWS)))
def test_a_key_has_one_type_in_all_that_the_server_says(key: str) -> None:
    types: dict[str, set[str]] = defaultdict(set)
    for each in (EVENTS, ROWS):
        for kind, fields in _types(each).get(key, {}).items():
            types[kind] |= fields
    assert _odd(types, _usual(types, TOLD)) <= set(TOLD)


@together("key", sorted(_types(COMMANDS)))
def test_an_argument_has_the_type_that_its_key_has_elsewhere(key: str) -> None:
    said, told = _types(COMMANDS)[key], _types(EVENTS).get(key, {})
    for kind, fields in _types(ROWS).get(key, {}).items():
        told[kind] = told.get(kind, set()) | fields
    usual = _usual(told, TOLD) if told else _usual(said, SAID)
    assert _odd(said, usual) <= set(SAID)


def test_every_exception_is_declared() -> None:
    for exceptions, declared in (
        (TOLD, [*EVENTS.values(), *ROWS.values()]),
        (SAID, [*COMMANDS.values()]),
    ):
        there = {f"{cls.word.word} {field.key}" for cls in declared for field in cls.word.fields}
        assert set(exceptions) <= there
