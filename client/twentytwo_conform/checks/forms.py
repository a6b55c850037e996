"""Sections 5, 14 and 15: compatibility and capabilities."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from twentytwo_protocol import manual

from ..check import Wrong, cases, quotes
from ..connections import Address, Person, Program, Record, Reply, Table, answer
from ..fixtures import Connect, Open
from ..pool import new_name

SCHEMAS = manual.schemas()


def whole_game(played: Table) -> Table:
    """Plays a whole game in which all clients also send other commands."""
    for _ in range(6):
        turn = played.turn()
        if turn is None:
            break
        mover = played.mover(turn)
        for client in played.everybody:
            for command in ("state", "score", "last", "hand", "moves", "watchers", "table"):
                client.ask(command)
            client.ask("why 2")
            client.ask(f"sync {played.on} from=1")
        mover.must(answer(turn))
    assert played.play()
    host = played.host
    host.must("follow lobby")
    for command in (
        *("say :hm, 100% :)", f"tell {host.name} :hm", "shout :hm", "rules twentytwo"),
        *("describe verbs", "describe events TURN", "describe errors", "describe games"),
        *("help", "help play", "info", "who", "tables", "games", "seeks", "set", "time"),
    ):
        host.must(command)
    for command in ("bake", "move 1z", "sync me from=99", "seek", "seek twentytwo players=5"):
        host.ask(command)
    host.must("seeks")
    played.catch_up()
    host.must("quit")
    return played


@quotes("every line of the server is one JSON object, the same record in another form", "J2", "G2")
@cases("game", ["twentytwo", "twentysix"])
def every_line_in_json_fits_its_schema(table: Open, game: str) -> None:
    hello = "hello 1 client=jay caps=json,text,time"
    played = whole_game(table(3, "seed=13", watchers=1, game=game, hello=hello))
    checked = 0
    for client in played.everybody:
        for line in client.heard:
            if line.startswith("#"):
                continue
            found = json.loads(line)
            name = "replies" if "re" in found else "events"
            if not _fits(found, name):
                raise Wrong(line, f"what fits {name}.json")
            checked += 1
    assert checked > 1000


_TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def _fits(found: dict[str, object], name: str) -> bool:
    """True if exactly one part of a schema is for this word, and the value is valid for it."""
    mine = [
        part
        for part in SCHEMAS[f"{name}.json"]["oneOf"]
        if part["properties"]["ev"]["const"] == found["ev"]
    ]
    return len(mine) == 1 and _is(found, mine[0])


def _is(found: object, schema: Mapping[str, Any]) -> bool:
    """True if a value is valid for a schema; supports only the keywords that the protocol's schema
    has.
    """
    if "const" in schema:
        return bool(found == schema["const"])
    if not isinstance(found, _TYPES[schema["type"]]):
        return False
    match found:
        case bool():
            return bool(schema["type"] == "boolean")
        case int():
            return bool(found >= schema.get("minimum", found))
        case list():
            return all(_is(each, schema["items"]) for each in found)
        case dict():
            parts = schema["properties"]
            return all(key in found for key in schema["required"]) and all(
                _is(value, parts[key]) for key, value in found.items() if key in parts
            )
    return True


@quotes("Both forms have the same fields.", "J2", "G1", "G3")
@cases("caps", ["", "text"])
def both_forms_have_the_same_fields(address: Address, table: Open, caps: str) -> None:
    """Two successive connections with one name read the same stream in different forms."""
    played = table(options="seed=13 options=limit:12", watchers=1)
    played.play()
    flat: list[Record] = []
    both: list[list[Record]] = []
    for form in (caps, f"json,{caps}".rstrip(",")):
        with Program(address, hello=f"hello 1 client=x caps={form}") as client:
            token = client.must(f"resume {played.host.token} {played.on}:0 me:0")
            played.host.token = token["token"]
            last = len([e for e in client.on(played.on)])
            client.must(f"state {played.on}")
            flat = [e for e in client.on(played.on) if e.number("seq") <= last]
            both.append(flat)
    one, other = both
    for left, right in zip(one, other, strict=False):
        assert (left.word, left.fields, left.text) == (
            right.word,
            {k: v.replace(" ", "%20") for k, v in right.fields.items()},
            right.text,
        )
    assert len(one) > 40


@quotes("caps= in the reply lists the capabilities that are on from that reply on", "J1", "G2")
@cases(
    ("asked", "on"),
    [
        ("", ""),
        ("json", "json"),
        ("text,json", "json,text"),
        ("magic", ""),
        ("magic,time", "time"),
        ("json,text,time", "json,text,time"),
    ],
)
def hello_says_what_is_on(address: Address, asked: str, on: str) -> None:
    with Program(address, hello=f"hello 1 client=x caps={asked}") as client:
        assert client.hello["caps"] == on
        assert client.heard[-1].startswith("{" if "json" in on else "@")


@quotes("knows= lists the capabilities that the server has", "J1")
def hello_says_what_could_be_on(connect: Connect) -> None:
    client = connect()
    known = client.hello.final.items("knows")
    assert {"json", "text", "time", "grease"} <= set(known)
    told = client.must("describe caps").rows
    assert [row["name"] for row in told] == known
    assert all(row.word == "CAP" and row["active"] == "0" and row.text for row in told)


@quotes("turns these on and all others off, at any time after hello", "J6")
def capabilities_come_and_go(connect: Connect) -> None:
    client = connect()
    client.must("practice bots=1")
    known = client.hello.final.items("knows")
    for wanted, on in (
        ("json,time", ["json", "time"]),
        ("text,magic", ["text"]),
        ("json,text", ["json", "text"]),
        ("-", []),
        ("time", ["time"]),
    ):
        told = client.must(f"caps {wanted}")
        assert (told.final.items("caps"), told.final.items("knows")) == (on, known)
        assert client.heard[-1].startswith("{" if "json" in on else "@"), "in the new form already"
        client.take()
        client.must(f"tell {client.name} :hm")
        event = client.until("TOLD")  # what happens at the table may come before
        assert event.line.startswith("{") == ("json" in on)
        assert ("at" in event) == ("time" in on)
        active = [row["name"] for row in client.must("describe caps").rows if row["active"] == "1"]
        assert active == client.must("caps").final.items("caps") == on


@quotes("an event without a text of its own ends with the sentence that a person", "J3", "P6")
def text_is_what_a_person_reads(address: Address, connect: Connect) -> None:
    """A person, and a program with texts, play the same deal and get the same sentences."""
    program = connect(hello="hello 1 client=x caps=text")
    program.must("practice bots=1 seed=5 options=first_hand:3")
    program.catch_up()
    happened = [e for e in program.events if e.fields.get("on", "").startswith("t")]
    # People may be spared who sits down where a game begins at once: its beginning names all.
    # They may be spared, too, which cards decide who deals.
    begins = [event.word for event in happened].index("GAME")
    told = [event.text for event in happened[begins:] if event.text and event.word != "DREW"]
    assert "Your cards: 5H 8D 8S" in [text for text in told if text] or len(told) > 3
    with Person(address, new_name()) as person:
        shown = " ".join(person.tell("practice bots=1 seed=5 first_hand=3"))
    for text in told:
        assert text is not None
        sentence = text.replace(program.name, person.name)
        assert _words(sentence) in _words(shown)


def _words(text: str) -> str:
    """The text with single spaces, and with the number of the game removed."""
    return re.sub(r"\bg[0-9]+\b", "g1", " ".join(text.split()))


@quotes("events of a stream carry at=, the server's clock in UTC", "J4")
def time_is_on_every_event(connect: Connect) -> None:
    client = connect(hello="hello 1 client=x caps=time")
    client.must("practice bots=1")
    client.must(f"tell {client.name} :hm")
    events = client.catch_up()
    assert len(events) > 30
    for event in events:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["at"])


@quotes("While json is on, a line that begins with { is a command as one JSON object", "J7", "J8")
def commands_may_be_objects(connect: Connect) -> None:
    client = connect(hello="hello 1 client=x caps=json")

    def ask(found: dict[str, object]) -> Reply:
        client.send(json.dumps(found))
        return client.reply(str(found["re"]))

    opened = ask({"verb": "practice", "re": "o", "bots": 1, "seed": 5})
    assert opened.ok
    turn = client.until("TURN")
    while "default" not in turn:
        turn = client.until("TURN")
    moved = {"verb": "move", "token": turn["default"], "turn": turn.number("turn")}
    late = ask({**moved, "re": "l", "turn": 99})
    assert (late.code, late["class"]) == ("STALE_TURN", "turn")
    assert ask({**moved, "re": "m"}).ok
    assert ask({"verb": "PING", "re": "p.1", "x": "soup"})["pong"] == "soup"
    assert ask({"verb": "bake", "re": "b"}).code == "UNKNOWN_VERB"
    for wrong, arg in (
        ({"verb": "ping", "y": "soup"}, "y"),
        ({"verb": "ping", "x": 7}, "x"),
        ({"verb": "ping", "x": "pea soup"}, "x"),
        ({**moved, "turn": "9"}, "turn"),
        ({**moved, "turn": True}, "turn"),
        ({"verb": "move"}, "token"),
        ({"verb": "why", "move": "Q"}, "move"),
    ):
        refused = ask({**wrong, "re": "w"})
        assert (refused.code, refused["arg"]) == ("BAD_ARG", arg), refused.final.line
    keyed = {"verb": "tell", "name": client.name, "text": "hm", "once": "k1"}
    assert ask({**keyed, "re": "k"}).ok and "again" in ask({**keyed, "re": "a"}).final
    assert ask({**keyed, "re": "o", "text": "ah"}).code == "ONCE_USED"
    assert ask({**keyed, "re": "n", "once": 7})["arg"] == "once"
    client.send('{"re":"s","verb":7}', '{"verb":"ping"}', "{ping}", "[1]", '{"a":' * 100)
    assert client.reply("s").code == "BAD_SYNTAX"
    assert client.reply("*")["pong"] == "-"
    codes = [client.reply("*").code for _ in range(3)]
    assert codes == ["BAD_SYNTAX"] * 3
    assert client.must("ping soup")["pong"] == "soup", "plain lines go on working"
    assert ask({"verb": "caps", "re": "c", "caps": ["text"]}).final.items("caps") == ["text"]
    client.send('{"verb":"ping","re":"7"}')
    assert client.reply("*").code == "BAD_SYNTAX", "json is off"


@quotes("%XX does not occur: a string has the characters themselves", "J8", "F3")
def what_is_said_in_an_object_is_a_text_like_any_other(connect: Connect) -> None:
    client = connect(hello="hello 1 client=x caps=json")
    for text, told in (
        ("100% :)", "100% :)"),
        ("a,b%20c", "a,b%20c"),
        ("a\\tb\\u001b[1m\\nc", "a b[1mc"),
    ):
        line = f'{{"verb":"tell","re":"t","name":"{client.name}","text":"{text}"}}'
        client.send(line)
        assert client.reply("t").ok
        assert client.until("TOLD").text == told


# ------------------------------------------------------------------------------ growing


@quotes("clients that do not say who they are (hello 1 without client=)", "W2", "J5", "W1")
@cases("hello", ["hello 1", "hello 1 bot=1", "hello 1 client=x caps=grease", "hello 1 caps=json"])
def strangers_are_sent_grease(address: Address, hello: str) -> None:
    with Program(address, new_name(), hello=hello) as client:
        client.must("practice bots=1 seed=5")
        client.catch_up()
        strange = [event for event in client.events if event.word.startswith("XG")]
        assert strange and not any("on" in event or "seq" in event for event in strange)
        fields = [key for event in client.events for key in event.fields if key[:2] == "xg"]
        assert len(fields) > len(strange)


@quotes("their replies, and their lists of names", "W2")
@cases("hello", ["hello 1", "hello 1 client=x caps=grease", "hello 1 caps=json,grease"])
def strangers_are_sent_grease_in_replies(address: Address, hello: str) -> None:
    with Program(address, new_name(), hello=hello) as client:
        assert any(cap.startswith("xg") for cap in client.hello.final.items("knows"))
        assert "grease" in client.hello.final.items("caps")
        rows = 0
        for what in ("verbs", "events", "errors", "byes", "caps"):
            told = client.must(f"describe {what}")
            known = [row for row in told.rows if not row.word.startswith("XG")]
            assert any(row["name"].lower().startswith("xg") for row in known)
            assert told.final.number("n") == len(known)
            rows += len(told.rows) - len(known)
        assert rows
        finals = [client.must("ping soup").final for _ in range(9)]
        assert all(final["pong"] == "soup" for final in finals)
        assert any(key.startswith("xg") for final in finals for key in final.fields)
        client.must("caps -")
        assert not any("xg" in line for line in (row.line for row in client.must("caps").rows))
        assert client.must("describe caps").final["n"] == "4"


@quotes("These things mean nothing", "W2")
def without_the_grease_everything_is_there(address: Address, table: Open) -> None:
    played = table(options="seed=3 options=limit:10", hello="hello 1 client=x caps=grease")
    played.play()
    for client in played.seats:
        real = [event for event in client.events if not event.word.startswith("XG")]
        assert [event.number("seq") for event in real] == list(
            range(real[0].number("seq"), real[0].number("seq") + len(real))
        )


@quotes("clients that do not say who they are", "W2")
def a_client_that_says_who_it_is_gets_none(connect: Connect) -> None:
    client = connect()
    client.must("practice bots=1 seed=5")
    client.catch_up()
    # At the beginning of a word: a token may happen to have these letters in it.
    assert not [word for line in client.heard for word in line.split() if word[:2].lower() == "xg"]


@quotes("list the protocol as this server speaks it, as rows", "W3")
@cases("what", ["verbs", "events", "errors", "byes", "notes", "caps", "games"])
def the_server_describes_itself(connect: Connect, what: str) -> None:
    client = connect()
    rows = client.must(f"describe {what}").rows
    assert len(rows) > 3
    reference = manual.reference()
    if what != "games":
        for row in rows:
            assert row["name"] in reference


@quotes("describe verbs and describe verbs move", "W3")
def every_event_and_its_fields_are_described(connect: Connect) -> None:
    client = connect()
    for event in client.must("describe events").rows:
        rows = client.must(f"describe events {event['name']}").rows
        assert rows[0].word == "EVENT"
        assert all(row.word == "FIELD" and row["of"] == event["name"] for row in rows[1:])
    turn = {row["name"]: row for row in client.must("describe events TURN").rows[1:]}
    assert turn["default"]["vis"] == "owner" and turn["turn"]["vis"] == "all"
    trump = {row["name"]: row for row in client.must("describe events TRUMP").rows[1:]}
    assert trump["card"]["until"] == trump["suit"]["until"] == "shown"
    assert all("until" not in row for row in (*turn.values(), trump["seat"]))


@quotes("The order of fields has no meaning.", "G3")
def arguments_by_name_come_in_any_order(connect: Connect) -> None:
    client = connect()
    one = client.must("open twentytwo seats=3 watch=none clock=0 options=limit:30")["on"]
    other = client.must("open options=limit:30 clock=0 twentytwo watch=none seats=3")["on"]
    client.catch_up()
    options = [
        {e["key"]: e.fields.get("value", e.text) for e in client.on(on) if e.word == "OPTION"}
        for on in (one, other)
    ]
    assert options[0] == options[1]


@quotes("Every line that the server sends to a program follows the grammar.", "G1", "F4")
def every_line_of_a_game_follows_the_grammar(table: Open) -> None:
    played = whole_game(table(seats=3, options="seed=14", watchers=1))
    item = r"(?:[!-$&-+\--~\u00a0-\U0010ffff]|%[0-9A-F]{2})+"
    field = rf"[a-z][a-z0-9_]{{0,31}}=(?:{item})?(?:,{item})*"
    record = re.compile(
        rf"(@(\*|[A-Za-z0-9._-]{{1,32}}) )?[A-Z][A-Z0-9-]{{0,31}}( {field})*( :[^\x00-\x1f\x7f]*)?"
    )
    for client in played.everybody:
        for line in client.heard[1:]:
            assert record.fullmatch(line), line
            assert len(line.encode()) + 2 <= 8192, line
