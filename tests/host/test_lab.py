"""The practice ground: each table shows what it promises, and together they show everything."""

from __future__ import annotations

import re

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_protocol import games, words
from twentytwo_protocol.schema import COMMANDS, EVENTS, Deed
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.games.lab import LabTable
from twentytwo_server.games.registry import games as registered
from twentytwo_server.host.commands.lab import TABLES, tables

DECLARED = (games, words)

ENTRIES = {name: table for name, (_, table) in tables(registered()).items()}

UNSHOWN = {
    "ANSWERED": "no game asks several seats at once yet",
    "SHUT": "nobody has a seat any more who could be told",
}
"""Events of a table that no entry shows, and why."""

NEVER = {
    "ABORTED why=abandoned": "nobody has a seat any more who could be told",
    "ABORTED why=fault": "only an error in the server ends a game so",
    "ABORTED why=operator": "only the operator closes a table so",
    "ABORTED why=restored": "only a backup that is opened ends a game so",
}
"""Reasons that no entry shows, and why."""

MOST = 30
"""So many answers, or waits, are enough everywhere: what is promised happens soon."""
WAIT = 6_000
"""Milliseconds: longer than a move may take at any of these tables."""


def shows(event: ParsedLine, promise: str) -> bool:
    """True if an event is one that an entry promises; see `LabTable`."""
    word, *wanted = promise.split(" ")
    return event.word == word and all(_has(event, each) for each in wanted)


def _has(event: ParsedLine, wanted: str) -> bool:
    key, told, value = wanted.partition("=")
    if told:
        return event.fields.get(key) == value
    key, listed, value = wanted.partition("~")
    found = event.fields.get(key)
    return found is not None and (not listed or value in found.split(","))


def say(world: World, ann: Peer, bob: Peer, on: str, line: str) -> None:
    """One of the lines that an entry tells its reader to say."""
    line = line.replace("NAME", "nina").replace("PASSWORD", "cold kitten")
    other_table = f"t{int(on[1:]) + 1}"
    filled = line.replace("TABLE", on).replace("OTHER", other_table).replace("ME", "~ann")
    whose, other, rest = filled.partition("bob: ")
    peer, said = (bob, rest) if other and not whose else (ann, filled)
    id = f"@x{len(ann.lines)}"
    peer.hear(f"{id} {said}")
    world.advance(1)
    assert [each for each in peer.lines if each.startswith(f"{id} OK")], (said, peer.lines[-3:])
    if peer.hung_up:
        peer.drop()


def played(entry: LabTable, name: str) -> list[ParsedLine]:
    """What whoever opens the table sees, until all that is promised has come."""
    world = World(dev=True)
    ann, bob = world.program("ann"), world.program("bob")
    on = ann.ok(f"lab {name}").fields["on"]
    world.advance(1)
    for line in entry.say:
        say(world, ann, bob, on, line)
    for _ in range(MOST):
        seen = ann.events(on)
        if all(any(shows(event, each) for event in seen) for each in entry.promised):
            break
        asked = [event.fields for event in seen if event.word == "TURN"][-1:]
        if entry.waits or not (asked and "default" in asked[0]):
            world.advance(WAIT)
        else:
            ann.hear(f"move {asked[0]['default']} turn={asked[0]['turn']} {on}")
            world.advance(1)
    return ann.events(on)


@together("name", ENTRIES)
def test_a_table_of_the_practice_ground_shows_what_it_promises(name: str) -> None:
    entry = ENTRIES[name]
    seen = played(entry, name)
    missing = [each for each in entry.promised if not any(shows(event, each) for event in seen)]
    assert missing == [], [event.word for event in seen]


def test_together_they_show_every_event_of_a_table() -> None:
    promised = {word for entry in ENTRIES.values() for word in entry.events}
    declared = {word for word, cls in EVENTS.items() if cls.stream == "table"}
    assert declared - promised == set(UNSHOWN)
    assert promised <= declared


def reasons() -> set[str]:
    """Every `WORD why=VALUE` that an event of a table may have, as it is declared."""
    found = set()
    for word, cls in EVENTS.items():
        for field in cls.word.fields if cls.stream == "table" else ():
            if field.key == "why":
                named = re.split(r",? or |, ", field.doc.partition(":")[0])
                found |= {f"{word} why={value}" for value in named}
    return found


def test_together_they_show_every_reason_that_an_event_may_give() -> None:
    promised = {
        f"{word} {field}"
        for word, *fields in (each.split(" ") for e in ENTRIES.values() for each in e.promised)
        for field in fields
        if field.startswith("why=")
    }
    assert len(promised) > 12
    assert reasons() - promised == set(NEVER)
    assert promised <= reasons()


def test_no_name_is_given_twice() -> None:
    assert len(ENTRIES) == len(TABLES) + sum(len(game.lab) for game in registered().values())


def test_together_they_show_every_form_of_a_question() -> None:
    promised = [each for entry in ENTRIES.values() for each in entry.promised]
    fields = {
        re.split("[=~]", field)[0]
        for word, *fields in (each.split(" ") for each in promised)
        for field in fields
        if word == "TURN"
    }
    assert {field.key for field in Turn.word.fields} - fields == {"turn", "seat"}
    deeds = {cls.act for cls in COMMANDS.values() if issubclass(cls, Deed)}
    assert {act for act in deeds if not any(f"act={act}" in each for each in promised)} == set()


def test_the_listing_names_them_all_and_what_they_show() -> None:
    rows = World(dev=True).program("ann").rows("lab")
    assert {row.fields["name"]: row.fields["events"] for row in rows} == {
        name: ",".join(entry.events) for name, entry in ENTRIES.items()
    }
    assert all(row.text for row in rows)


def test_only_a_development_server_has_it() -> None:
    ann = World().program("ann")
    assert ann.err("lab") == ann.err("lab out") == "UNSUPPORTED"
    assert ann.err("state") == "NOT_SEATED"


def test_an_unknown_table_is_refused() -> None:
    ann = World(dev=True).program("ann")
    assert ann.err("lab nonsense") == "BAD_ARG"
    assert ann.err("state") == "NOT_SEATED"
