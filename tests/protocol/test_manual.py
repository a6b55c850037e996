"""The manual, and the files generated from the declarations."""

from __future__ import annotations

import re
from collections.abc import Mapping

import jsonschema
import pytest

from tests.conformance.quoting import ROOT, quotes
from tests.kit.cases import together
from tests.protocol.values import VOCABULARY
from twentytwo_protocol import manual
from twentytwo_protocol.__main__ import files
from twentytwo_protocol.schema import (
    BYES,
    CAPABILITIES,
    CODES,
    COMMANDS,
    EVENTS,
    NOTES,
    REASONS,
    ROWS,
    WARNS,
)
from twentytwo_protocol.verbs import PROGRAMS
from twentytwo_protocol.vocabulary import VOCABULARIES, vocabulary
from twentytwo_protocol.wire import usage


@together("path", files())
def test_a_generated_file_is_up_to_date(path: str) -> None:
    found = (ROOT / path).read_text(encoding="utf-8")
    assert found == files()[path], "stale: run python -m twentytwo_protocol"


def test_nothing_else_lies_among_the_generated_files() -> None:
    schemas = "protocol/schema"
    here = {f"{schemas}/{path.name}" for path in (ROOT / schemas).iterdir()}
    assert here == {path for path in files() if path.startswith(schemas)}


@together("verb", COMMANDS)
def test_there_is_help_for_every_command(verb: str) -> None:
    assert VOCABULARY
    lines = manual.help(verb)
    assert lines and any(line.startswith(usage(COMMANDS[verb], typed=True)) for line in lines)


@together("topic", [*manual.TOPICS, *EVENTS, *CODES, *REASONS])
def test_there_is_help_for_every_topic_event_code_and_reason(topic: str) -> None:
    assert manual.help(topic)
    assert manual.help(topic.lower())


def words_of(topic: str | None) -> set[str]:
    """The words of the last lines of a help page, from the first chapter on."""
    lines = manual.help(topic) or []
    first = next(n for n, line in enumerate(lines) if line.startswith("  ") and ": " in line)
    return set(" ".join(lines[first:]).split())


def test_help_on_commands_names_every_command_that_people_need() -> None:
    programs = {verb for verb, cls in COMMANDS.items() if cls.group == PROGRAMS}
    assert set(COMMANDS) - programs <= words_of("commands")
    assert not programs & words_of("commands")
    assert programs <= words_of("bots")
    assert {"hello", "describe", "sync", "state", "ping", "pong", "auth"} <= programs
    assert {cls.group for cls in COMMANDS.values()} == set(manual.GROUPS)


def test_help_alone_names_every_topic() -> None:
    named = {line.split()[0] for line in manual.help(None) or () if line.startswith("  ")}
    assert named == set(manual.TOPICS)


def test_there_is_no_help_on_nonsense_but_a_hint() -> None:
    assert manual.help("nonsense") is None
    assert manual.nearest("practise") == "practice"
    assert manual.nearest("qqqqqq") is None


@together("topic", manual.TOPICS)
def test_no_line_of_a_topic_has_to_be_wrapped(topic: str) -> None:
    assert max(map(len, manual.topic_text(topic).split("\n"))) <= 79 - len("  ")


@together("game", VOCABULARIES)
def test_no_line_of_the_help_on_a_game_has_to_be_wrapped(game: str) -> None:
    assert max(map(len, vocabulary(game).help.split("\n"))) <= 79 - len("  ")


@together("other", manual.SYNONYMS)
def test_topics_are_found_by_other_names(other: str) -> None:
    assert manual.help(other) == manual.help(manual.SYNONYMS[other])
    assert manual.help(other) is not None


def test_short_forms_are_for_people_only() -> None:
    people, programs = manual.help("play"), manual.help("play", people=False)
    assert people and programs
    assert "short: p" in " ".join(people) and "short:" not in " ".join(programs)


@quotes("list the protocol as this server speaks it, as rows", "W3")
@together("what", ["verbs", "events", "errors", "byes", "warns", "notes", "caps"])
def test_describe_has_a_row_for_everything(what: str) -> None:
    fields = {
        "verbs": {verb: len(cls.word.fields) for verb, cls in COMMANDS.items()},
        "events": {word: len(cls.word.fields) for word, cls in EVENTS.items()},
        "errors": dict.fromkeys([*CODES, *REASONS], 0),
        "byes": dict.fromkeys(BYES, 0),
        "warns": dict.fromkeys(WARNS, 0),
        "notes": dict.fromkeys(NOTES, 0),
        "caps": dict.fromkeys(CAPABILITIES, 0),
    }[what]
    rows = manual.describe(what, None)
    assert rows is not None
    assert [getattr(row, "name", "") for row in rows] == list(fields)
    for name, count in fields.items():
        some = manual.describe(what, name.lower())
        assert some and getattr(some[0], "name", "") == name
        assert len(some) == 1 + count
    assert manual.describe("nonsense", None) is None
    assert manual.describe(what, "nonsense") == []


@pytest.mark.parametrize(
    ("sent", "declared"),
    [(r"(?:Bye|_say_bye)", BYES), (r"Warn", WARNS), (r"(?:Note|_notify_all)", NOTES)],
)
def test_every_code_that_the_server_says_on_its_own_is_declared(
    sent: str, declared: Mapping[str, str]
) -> None:
    sources = (ROOT / "server").rglob("*.py")
    codes = {
        code
        for path in sources
        for code in re.findall(rf'\b{sent}\(\s*"([A-Z_]+)"', path.read_text(encoding="utf-8"))
    }
    assert codes and codes <= set(declared)


def test_the_reference_has_every_word() -> None:
    text = manual.reference()
    for word in (*EVENTS, *ROWS, *CODES, *REASONS, *BYES, *WARNS, *NOTES):
        assert f"`{word}`" in text
    for cls in COMMANDS.values():
        assert f"`{usage(cls)}`" in text


def test_the_schemas_have_every_word_once() -> None:
    for schema in manual.schemas().values():
        jsonschema.Draft202012Validator.check_schema(schema)
        words = [
            part["properties"].get("ev", part["properties"].get("verb"))["const"]
            for part in schema["oneOf"]
        ]
        assert len(words) == len(set(words))
    events = manual.schemas()["events.json"]
    assert {part["properties"]["ev"]["const"] for part in events["oneOf"]} == set(EVENTS)


def test_a_command_as_an_object_fits_its_schema() -> None:
    commands = jsonschema.Draft202012Validator(manual.schemas()["commands.json"])
    assert commands.is_valid({"verb": "move", "re": "7", "token": "Q+Q", "turn": 9})
    assert commands.is_valid({"verb": "hello", "versions": [1], "later": "more"})
    for wrong in ({"turn": "9"}, {"token": None}, {"colour": "red"}, {"verb": "bake"}):
        assert not commands.is_valid({"verb": "move", "token": "Q"} | wrong)


def test_the_schemas_refuse_what_is_wrong() -> None:
    events = jsonschema.Draft202012Validator(manual.schemas()["events.json"])
    dealt = {"ev": "DEALT", "on": "t1", "seq": 3, "seat": 1, "n": 2, "cards": ["2H", "9H"]}
    assert events.is_valid(dealt)
    for wrong in ({"seat": "1"}, {"n": None}, {"cards": "2H,9H"}, {"seq": 0}, {"ev": "dealt"}):
        assert not events.is_valid(dealt | wrong)
    assert not events.is_valid({key: dealt[key] for key in ("ev", "on", "seq")})


@together(
    ("game", "said"),
    [
        ("whist22", "Everybody begins with 14 points (start_score)."),
        ("twentyeight", "The highest card of the suit led takes the trick."),
        ("twentyeight", "the bidder may not lead it with any other card in hand."),
        ("twentyeight", "Once the trump is shown, the highest trump takes the trick"),
    ],
)
def test_the_help_of_a_game_says_what_wins_and_what_may_not_be_led(game: str, said: str) -> None:
    assert said in " ".join(vocabulary(game).help.split())
