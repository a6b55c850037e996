"""What is tried, and what must hold whatever comes in."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from tests.fuzz.doors import HANDSHAKE, NEXT, proxy_header, ssh, websocket
from tests.fuzz.driver import Target
from tests.fuzz.evenings import PHASES, evening
from twentytwo_protocol import record, wire
from twentytwo_protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE, Flaw, LineBuffer
from twentytwo_protocol.objects import is_object, split_object
from twentytwo_protocol.schema import COMMANDS, Command, Event, Malformed, Refused, Row
from twentytwo_protocol.typed import read_person
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.config.reading import BadConfig, read
from twentytwo_server.config.settings import settings
from twentytwo_server.games.registry import games
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.line_reader import LineReader
from twentytwo_server.net.telnet import TelnetFilter
from twentytwo_server.records.checking import wrong
from twentytwo_server.session.reading import read_arguments, read_program, take_once

RECORDS = Path(__file__).parents[1] / "records" / "v1"


def pieces(data: bytes) -> Iterator[bytes]:
    """The same bytes, cut at places that follow from them."""
    state = zlib.crc32(data)
    while data:
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        size = 1 + (state >> 16) % (6 if state & 1 else 48)
        yield data[:size]
        data = data[size:]


def framing(data: bytes) -> Hashable:
    """However it is cut, the same lines come out, and no more is held than a line may have."""
    limit = 32 if data[:1] < b"\x80" else MAX_CLIENT_LINE
    whole = LineBuffer(limit)
    lines = whole.feed(data)
    cut, found = LineBuffer(limit), list[str | Flaw]()
    for piece in pieces(data):
        found += cut.feed(piece)
        assert cut.unfinished <= limit
    assert found == lines
    assert cut.unfinished_line == whole.unfinished_line
    for line in lines:
        assert isinstance(line, Flaw) or not any(c < " " or "\x7f" <= c < "\xa0" for c in line)
    kinds = tuple(line if isinstance(line, Flaw) else bool(line) for line in lines[:3])
    return kinds, whole.unfinished_line, len(lines) > 3


def telnet(data: bytes) -> Hashable:
    """However it is cut, the same text and the same answers, each option answered once."""
    whole = TelnetFilter()
    echo = whole.echo(False) if data[:1] == b"\x01" else b""
    text, answer = whole.feed(data)
    cut = TelnetFilter()
    cut.echo(False) if echo else None
    found = [cut.feed(piece) for piece in pieces(data)]
    assert (b"".join(t for t, _ in found), b"".join(a for _, a in found)) == (text, answer)
    assert cut.width == whole.width
    assert cut.hidden == whole.hidden
    assert whole.width is None or 0 <= whole.width < 65536
    assert len(answer) <= 3 * 512
    assert len(text) <= len(data)
    return whole.width is None, whole.hidden, bool(text), answer[1::3][:3]


def connection(data: bytes) -> Hashable:
    """However it is cut, the same lines, the same answers, and the same end of it."""
    limits = Limits(waiting=8)
    seen = [_conversation(limits, parts) for parts in ([data], list(pieces(data)))]
    lines, _, rejected = seen[0]
    if rejected is None and len(lines) <= limits.waiting:  # a flood is one by how it comes
        assert seen[0] == seen[1]
    return tuple(map(_kind, lines[:4])), rejected


def _kind(line: str | Flaw) -> Hashable:
    return line if isinstance(line, Flaw) else (bool(line), line.isascii())


def _conversation(limits: Limits, parts: list[bytes]) -> tuple[list[str | Flaw], bytes, Any]:
    answers = list[bytes]()
    here = LineReader(limits, lambda: 0, answers.append)
    lines = list[str | Flaw]()
    for part in parts:
        here.receive(part)
        while (line := here.next_line()) is not None:
            if not lines:
                here.decide(people=line != "hello 1")
            lines.append(line)
    return lines, b"".join(answers), here.rejected


DECKS = [None, *(game.deck for game in games().values())]
QUESTIONS = (
    None,
    Turn(turn=3, seat=1, act="exchange", cards=("2H", "2S", "KH"), min=0, max=3),
    Turn(turn=4, seat=1, act="play", nlegal=3, legal=("2", "2+2", "X"), hand=("2H", "2S", "X")),
    Turn(turn=5, seat=1, act="bid", nlegal=3, legal=("0", "1", "7"), choose="one"),
)


def commands(data: bytes) -> Hashable:
    """A line is a command or is refused in a line, read as a person's and as a program's."""
    line = LineBuffer().feed(data[2:].replace(b"\n", b" ") + b"\n")[-1]
    if isinstance(line, Flaw):
        return line
    first, second = (*data[:2], 0, 0)[:2]
    deck, asked = DECKS[first % len(DECKS)], QUESTIONS[second % len(QUESTIONS)]
    person = _read(lambda: read_person(line, named=first < 128, deck=deck, asked=asked))
    program = _read(lambda: _program(line))
    return person, program


def _program(line: str) -> Command:
    if is_object(line):
        said = split_object(line)
        return read_arguments(said.verb, said.arguments)[0]
    parts = wire.split_command(line)
    rest, once = take_once(parts.rest)
    assert " " not in once
    return read_program(parts.verb, rest)


def _read(reading: Callable[[], Command]) -> Hashable:
    try:
        found = reading()
    except Refused as refused:
        assert refused.text
        assert "\n" not in refused.text
        return refused.code, str(refused.fields.get("arg"))[:1]
    except Malformed:
        return "malformed"
    return type(found).__name__


def events(data: bytes) -> Hashable:
    """A server's line is a message or is not; a message is written and read as the same one."""
    line = LineBuffer(MAX_SERVER_LINE).feed(data.replace(b"\n", b" ") + b"\n")[-1]
    if isinstance(line, Flaw):
        return line
    try:
        said = wire.parse_json(line) if line[:1] == "{" else wire.parse(line)
        message = None if said is None else wire.decode(said)
    except Malformed as malformed:
        return "malformed", malformed.field
    if said is None or message is None:
        return said is None
    # A text that is not there and an empty one are the same on the wire.
    again = wire.parse(written := wire.write(message, re_=said.id or ""))
    assert again is not None
    assert wire.write(_decoded(again), re_=said.id or "") == written
    return type(message), len(said.fields)


def _decoded(said: wire.ParsedLine) -> Event | Row:
    message = wire.decode(said)
    assert message is not None
    return message


def records(data: bytes) -> Hashable:
    """A text is no record, or one that is written and read as the same, and is right or wrong."""
    try:
        found = record.read(data.decode("utf-8", "replace"))
    except record.NotARecord as none:
        return str(none).partition(": ")[2][:12]
    assert record.read(record.write(found)) == found
    finding = wrong(found, games())
    return finding and (finding.why[:16], found.game)


class _Text:
    """A file's text that is in no file."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read_text(self, encoding: str) -> str:
        return self._data.decode(encoding)

    def __str__(self) -> str:
        return "twentytwo.toml"


def config(data: bytes) -> Hashable:
    """A file is a configuration, or each thing that is wrong with it is named in a line."""
    try:
        read(cast(Path, _Text(data)), {}, {})
    except BadConfig as bad:
        assert bad.complaints
        # Settings that contradict each other may come from two places: no file is named there.
        named = ("twentytwo.toml: ", *settings())
        assert all(each.startswith(named) for each in bad.complaints)
        assert not any("\n" in each for each in bad.complaints)
        return tuple(each[16:28] for each in bad.complaints[:3])
    return None


# ------------------------------------------------------------------------------ what is tried


@cache
def _vocabulary() -> tuple[bytes, ...]:
    """The verbs, arguments and examples of the protocol, cards and separators."""
    found = {"=", " ", "\n", "\r\n", "\r\0", " :", "@a1 ", "@* ", '{"verb":"', '","', "hello 1 "}
    found |= {"\u202e", "\u2028", "\u200b", "\ufeff", "\u0663", "\xb2", "-1", "0", "9" * 20}
    found |= {"2H", "kd qd", "Q+Q", "X", "10S", "-", "t1", "g1", "lobby", "~ann", "bot:hard", "ann"}
    found |= {"x" * 40, "\x01", "\x01\x01\x01", "[" * 900, '{"a":' * 150}
    for verb, kind in COMMANDS.items():
        found |= {verb, f" {verb} ", kind.example}
        found |= {f" {field.key}=" for field in kind.word.fields}
    return tuple(word.encode() for word in sorted(found))


def _examples() -> list[bytes]:
    return [kind.example.encode() for kind in COMMANDS.values()]


def _server_lines() -> list[bytes]:
    vectors = Path(__file__).parents[2] / "protocol" / "vectors" / "lines.jsonl"
    found = [json.loads(line) for line in vectors.read_text(encoding="utf-8").splitlines()]
    return [each["line"].encode() for each in found if "line" in each]


def _records() -> list[bytes]:
    """The beginnings of a record of each game and preset: short enough to be tried often."""
    return [path.read_bytes()[:2500] for path in sorted(RECORDS.glob("*-1.txt"))]


def _settings() -> list[bytes]:
    parts = (each.path.partition(".") for each in settings().values())
    return [f"[{section}]\n{name} = 1\n".encode() for section, _, name in parts]


BYTES = (
    *(b"\r", b"\n", b"\r\0", b"\0", b"\xff", b"\xff\xff", b"x" * 33),
    *(b"\xff\xfa\x1f\0P\0\x18\xff\xf0", b"\xff\xfb\x1f", b"\xff\xfd\x01", b"\xff\xfe\x01"),
    *(b"\xc3\xa9", b"\xe2\x80\xa8", b"\xf0\x9f\x82\xa1", b"hello 1\r\n", b"ann\n"),
    *(b"GET / HTTP/1.1\r\n", b"\x16\x03\x01"),
)
TOML = (b"[", b"]", b"\n", b" = ", b'"', b"'''", b"1e9", b"nan", b"[]", b"true", b"[[", b"{", b".")
RECORD = (b"\n", b" ", b"auto", b"1 play 2", b"0 shuffle ", b"seats 3", b"option limit 22", b"-1")

FRAMES = (
    *(b"\x81\x85\0\0\0\0hello", b"\x01\x82\0\0\0\0he", b"\x80\x83\0\0\0\0llo", b"\x89\x80\0\0\0\0"),
    *(
        b"\x88\x82\0\0\0\0\x03\xe8",
        b"\x82\x81\0\0\0\0x",
        b"\xfe\0\x80",
        b"\x81\xff",
        b"\x81\x05hello",
    ),
    *(
        b"Origin: http://h\r\n",
        b"X-Forwarded-For: 192.0.2.1\r\n",
        b"HEAD",
        b"POST",
        b" HTTP/1.1\r\n",
    ),
)
PROXY = (
    *(b"PROXY ", b"TCP4 ", b"TCP6 ", b"UNKNOWN", b"192.0.2.1 ", b"::1 ", b"\r\n", b"65535", b" 1"),
    *(
        b"\r\n\r\n\0\r\nQUIT\n",
        b"\x21\x11\0\x0c",
        b"\x21\x21\0\x24",
        b"\x20\0\0\0",
        b"\x20\0\x05\x01",
    ),
)

SSH = (
    *(b"SSH-2.0-x\r\n", b"\0\0\0\x0c\x0a", b"\0\0\0\7session", b"\0\0\0\0", b"\0\0\0\1", NEXT),
    *(b"\x14", b"\x15", b"\x1e", b"\x32", b"\x50", b"\x5a", b"\x5d", b"\x5e", b"\x60", b"\x61"),
    *(b"\x62\0\0\0\0\0\0\0\5shell\1", b"\x62\0\0\0\0\0\0\0\4exec\1\0\0\0\3who"),
    *(b"\x62\0\0\0\0\0\0\0\7pty-req\1\0\0\0\1x", b"\x5e\0\0\0\0\0\0\0\5ann\r\n", b"\xff" * 4),
)

TARGETS = {
    target.name: target
    for target in (
        Target("framing", framing, [b"a line\r\nand another\n", b"\x90 a line\r\0"], BYTES, 64),
        Target("telnet", telnet, [b"\xff\xfb\x1fann\r\n", b"\x01\xff\xfd\x01"], BYTES, 120),
        Target("connection", connection, [b"hello 1\nping\n", b"ann\r\nplay 2\r\n"], BYTES, 120),
        Target("commands", commands, [b"\0\0" + each for each in _examples()], _vocabulary(), 300),
        Target("events", events, _server_lines(), _vocabulary(), 400),
        Target("records", records, _records(), RECORD, 4000),
        Target("config", config, _settings(), TOML, 200),
        Target(
            "proxy",
            proxy_header,
            [
                b"PROXY TCP4 192.0.2.1 192.0.2.2 1000 2222\r\nann\r\n",
                b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\2\1\xc0\0\2\2\3\xe8\x08\xae ann",
            ],
            PROXY,
            120,
        ),
        Target(
            "websocket",
            websocket(pieces),
            [*(b"\1" + f for f in FRAMES[:6]), HANDSHAKE],
            FRAMES,
            400,
        ),
        Target(
            "ssh",
            ssh(pieces),
            [
                b"\0SSH-2.0-x\r\n\0\0\0\x0c\x0a\x14" + b"\0" * 10,
                *(bytes((stage,)) + NEXT.join(SSH[-6:]) for stage in (1, 3)),
            ],
            SSH,
            400,
        ),
        Target("evening", evening, [bytes([n]) for n in range(len(PHASES))], _vocabulary(), 600),
    )
}

SHARES = {
    "framing": 300,
    "telnet": 190,
    "connection": 98,
    "commands": 170,
    "events": 200,
    "config": 30,
    "proxy": 60,
    "websocket": 5,
    "ssh": 2,
    "records": 5,
    "evening": 5,
}
"""How many of a thousand inputs go to each: fewer where one takes longer."""
