"""The bus over NATS: lost connections, logins, TLS, and servers that misbehave."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import logging
import os
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.bus.kit import LONG, nats_place
from tests.kit.cases import together
from tests.kit.certificates import Files, certificate
from tests.kit.clock import HandClock
from tests.kit.nats import FakeNats, NatsServer
from twentytwo_server.bus.local import LocalBus
from twentytwo_server.bus.nats import UNSENT, NatsBus
from twentytwo_server.bus.nkeys import read_credentials, read_seed
from twentytwo_server.bus.opening import open_bus
from twentytwo_server.bus.settings import BusSettings
from twentytwo_server.ports import MESSAGE_LIMIT, Bus
from twentytwo_server.setting import settings_of
from twentytwo_server.subjects import NEWS, RINGS_FOR_ALL, orders

IMPATIENT = 100
"""Milliseconds after which a connection is given up, where a test waits for that."""


def seed(kind: int = 20 << 3) -> str:
    """The seed of a new nkey, of a user or of others."""
    raw = bytes((18 << 3 | kind >> 5, kind << 3 & 255)) + os.urandom(32)
    checksum = binascii.crc_hqx(raw, 0).to_bytes(2, "little")
    return base64.b32encode(raw + checksum).decode().rstrip("=")


@asynccontextmanager
async def faked(**info: object) -> AsyncGenerator[tuple[FakeNats, str]]:
    """A NATS that misbehaves, and its URL."""
    fake = FakeNats(**info)
    url = await fake.start()
    try:
        yield fake, url
    finally:
        await fake.close()


@asynccontextmanager
async def bus_at(url: str, place: str = "x", **settings: Any) -> AsyncGenerator[NatsBus]:
    """A bus, connected or not."""
    named: dict[str, Any] = {"url": url, "patience": 10_000} | settings
    bus = NatsBus(BusSettings(**named), HandClock(), "a", place)
    try:
        yield bus
    finally:
        await bus.close()


async def until(what: Any) -> None:
    """Turns of the loop until this is true."""
    while not what():
        await asyncio.sleep(0.001)


async def connected(bus: Bus) -> None:
    """Waits until the bus is connected."""
    await until(lambda: bus.connected)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The warnings that the operator reads, each once."""
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]


# Lost connections ------------------------------------------------------------------------


@pytest.fixture
def own() -> Generator[NatsServer]:
    """A NATS that is the test's own, to be stopped."""
    server = NatsServer()
    yield server
    server.close()


async def test_the_bus_comes_back_when_nats_does(
    own: NatsServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "twentytwo.bus")
    place = nats_place(own)
    async with place.buses("a", "b") as (a, b):
        seen: list[object] = []
        heard: list[bytes] = []
        answers: list[bytes | None] = []
        a.watch(seen.append)
        stop = b.listen(NEWS, heard.append)
        b.listen(NEWS, heard.append)
        b.serve(orders("b"), lambda data, reply: None)
        await place.known(b)
        a.ask(orders("b"), b"1", LONG, answers.append)
        await place.known(a)

        own.stop()
        await place.until(lambda: not (a.connected or b.connected))
        assert answers == [None] and seen == [False]
        assert await place.answer(a, orders("b"), b"2") is None
        a.tell(NEWS, b"told in vain")
        stop()
        b.serve(orders("new"), lambda data, reply: reply(b"answer"))
        assert not place.clock.waiting

        own.start()
        await place.until(lambda: a.connected and b.connected)
        a.tell(NEWS, b"news")
        await place.until(lambda: heard)
        await place.known(a)
        await place.known(b)
        assert heard == [b"news"]
        assert seen == [False, True] and answers == [None]
        assert await place.answer(a, orders("new"), b"3") == b"answer"
        lines = [each.getMessage() for each in caplog.records]
        assert lines[:2] == lines[-2:] == [f"connected to NATS at {own.url}"] * 2
        assert [each for each in lines if "EOF" in each] == [
            f"no connection to NATS at {own.url}: unexpected EOF"
        ] * 2


async def test_what_was_told_before_the_end_is_sent(nats: NatsServer) -> None:
    place = nats_place(nats)
    async with place.buses("a", "b") as (a, b):
        heard: list[bytes] = []
        b.listen(NEWS, heard.append)
        await place.known(b)
        a.tell(NEWS, b"the last word")
        await a.close()
        await place.until(lambda: heard)
        assert heard == [b"the last word"]


async def test_two_places_at_one_nats_hear_nothing_of_each_other(nats: NatsServer) -> None:
    one, other = nats_place(nats), nats_place(nats)
    async with one.buses("a") as (a,), other.buses("a") as (b,):
        heard: list[bytes] = []
        a.listen(NEWS, heard.append)
        b.listen(NEWS, heard.append)
        await one.known(a)
        await other.known(b)
        a.tell(NEWS, b"1")
        await one.known(a)
        await other.known(b)
        assert heard == [b"1"]


# Logins and TLS --------------------------------------------------------------------------

SEED, PASSWORD = seed(), "a good password"


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="session")
def locked(files: Files) -> Generator[NatsServer]:
    """A NATS with TLS that knows an nkey, and a user who may do less."""
    server = NatsServer(
        f'tls {{ cert_file: "{files.certificate}", key_file: "{files.key}",',
        "  handshake_first: true }",
        "authorization { users: [",
        f"  {{ nkey: {read_seed(SEED).public} }}",
        f'  {{ user: ann, password: "{PASSWORD}", permissions: {{',
        '      publish: ["twentytwo.x.answers.>", "twentytwo.x.orders.>"] } }',
        "] }",
    )
    yield server
    server.close()


async def test_a_server_logs_in_with_its_nkey_over_tls(
    locked: NatsServer, files: Files, tmp_path: Path
) -> None:
    key = tmp_path / "nkey"
    key.write_text(SEED + "\n")
    place = nats_place(locked, url=f"tls://{locked.address}", ca=str(files.ca), nkey=str(key))
    async with place.buses("a", "b") as (a, b):
        b.serve(orders("b"), lambda data, reply: reply(data))
        await place.known(b)
        assert await place.answer(a, orders("b"), b"1") == b"1"


async def test_a_wrong_key_is_refused_with_one_line(
    locked: NatsServer, files: Files, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key, url = tmp_path / "nkey", f"tls://{locked.address}"
    key.write_text(seed())
    caplog.set_level(logging.DEBUG, "twentytwo.bus")
    async with bus_at(url, ca=str(files.ca), nkey=str(key)) as bus:
        seen: list[bool] = []
        bus.watch(seen.append)
        await until(lambda: len(caplog.records) == 3)
        assert not bus.connected and seen == []
        assert warnings(caplog) == [
            f"no connection to NATS at {url}: it refuses the login of this server"
        ]
        key.write_text(SEED)
        await connected(bus)


async def test_a_certificate_of_another_authority_is_refused(
    locked: NatsServer, files: Files, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"tls://{locked.address}"
    async with bus_at(url) as bus:
        await until(lambda: caplog.records)
        (line,) = warnings(caplog)
        assert line.startswith(f"no connection to NATS at {url}: ")
        assert "certificate verify failed" in line and "\n" not in line
        assert not bus.connected


async def test_a_user_has_a_password_and_what_is_forbidden_is_one_line(
    locked: NatsServer, files: Files, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"tls://{locked.address}"
    login = {"user": "ann", "password": PASSWORD, "ca": str(files.ca)}
    async with bus_at(url, **login) as bus:
        answers: list[bytes | None] = []
        await connected(bus)
        bus.serve(orders("b"), lambda data, reply: reply(data))
        bus.tell(NEWS, b"1")
        bus.tell(RINGS_FOR_ALL, b"2")
        bus.ask(orders("b"), b"3", LONG, answers.append)
        await until(lambda: answers == [b"3"])
    async with bus_at(url, place="other", patience=IMPATIENT, **login) as bus:
        await until(lambda: len(warnings(caplog)) == 2)
        assert not bus.connected
    forbidden = "permissions violation for publish to"
    first, second = warnings(caplog)
    assert first == f'an error of NATS at {url}: {forbidden} "twentytwo.x.news"'
    assert second.startswith(
        f'no connection to NATS at {url}: {forbidden} "twentytwo.other.answers.'
    )


async def test_a_server_with_a_token_or_credentials_logs_in(tmp_path: Path) -> None:
    key, credentials = seed(), tmp_path / "a.creds"
    credentials.write_text(
        "-----BEGIN NATS USER JWT-----\nthe.user.jwt\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{key}\n------END USER NKEY SEED------\n"
    )
    sent = []
    for login in ({"token": "a secret"}, {"credentials": str(credentials)}):
        async with (
            faked(auth_required=True, nonce="nonce") as (fake, url),
            bus_at(url, **login) as bus,
        ):
            await connected(bus)
            line = next(each for each in fake.lines if each.startswith("CONNECT "))
            sent.append(json.loads(line.removeprefix("CONNECT ")))
    token, signed = sent
    assert token["auth_token"] == "a secret" and token["name"] == "a"
    assert signed["jwt"] == "the.user.jwt"
    verified = read_seed(key).private.public_key()
    verified.verify(base64.b64decode(signed["sig"]), b"nonce")


async def test_nothing_is_said_in_the_clear_to_a_server_without_tls(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with faked() as (fake, url):
        async with bus_at(url.replace("nats:", "tls:"), token="secret", patience=IMPATIENT) as bus:
            await until(lambda: caplog.records)
            assert not bus.connected
        assert fake.connections and not any("CONNECT" in line for line in fake.lines)


# Servers that misbehave ------------------------------------------------------------------


async def test_an_error_that_nats_sends_ends_one_connection_only() -> None:
    async with faked() as (fake, url), bus_at(url) as bus:
        seen: list[bool] = []
        bus.watch(seen.append)
        await until(lambda: seen == [True])
        fake.say("-ERR 'Slow Consumer'")
        await until(lambda: seen == [True, False, True])
        assert fake.connections == 2


async def test_a_server_that_answers_nothing_is_given_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with faked() as (fake, url), bus_at(url, patience=IMPATIENT) as bus:
        seen: list[bool] = []
        bus.watch(seen.append)
        await connected(bus)
        fake.answers_ping = False
        await until(
            lambda: f"no connection to NATS at {url}: it does not answer" in warnings(caplog)
        )
        assert seen[-1] is False
        assert f"no connection to NATS at {url}: stale connection" in warnings(caplog)
        fake.answers_ping = True
        await connected(bus)


async def test_a_connection_that_nats_does_not_read_is_cut_and_holds_no_more_than_so_much(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with faked() as (fake, url), bus_at(url, patience=IMPATIENT) as bus:
        await connected(bus)
        fake.read_nothing()
        for _ in range(2 * UNSENT // MESSAGE_LIMIT):
            bus.tell(NEWS, bytes(MESSAGE_LIMIT))
        assert warnings(caplog) == [f"NATS at {url} takes nothing more: messages are lost"]
        await until(lambda: fake.connections > 1 and bus.connected)


async def test_a_bus_is_closed_in_time_even_if_nats_reads_nothing() -> None:
    async with faked() as (fake, url), bus_at(url, patience=IMPATIENT) as bus:
        await connected(bus)
        fake.read_nothing()
        for _ in range(UNSENT // MESSAGE_LIMIT):
            bus.tell(NEWS, bytes(MESSAGE_LIMIT))
        await bus.close()
        assert not bus.connected


async def test_a_lower_limit_of_nats_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    async with faked(max_payload=1000) as (_, url), bus_at(url) as bus:
        await connected(bus)
        bus.tell(NEWS, bytes(1001))
        assert warnings(caplog) == [f"max_payload of NATS at {url} must be 1048576 or more"]


# Keys ------------------------------------------------------------------------------------

EXAMPLE = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"


def test_the_example_of_nats_has_its_public_key() -> None:
    """https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth"""
    assert read_seed(f"{EXAMPLE}\n").public == (
        "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
    )


@together("text", ["", "junk", EXAMPLE[:-1], EXAMPLE[:-1] + "A", seed(0), "ä" + EXAMPLE])
def test_what_is_no_seed_of_a_user_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_seed(text)
    with pytest.raises(ValueError):
        read_credentials(text)


# Settings --------------------------------------------------------------------------------


async def test_what_cannot_work_is_refused_in_one_line(tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    junk.write_text("junk")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"nkey": str(junk)}, f"{junk} holds no seed of an nkey"),
        ({"credentials": str(junk)}, f"{junk} holds no credentials"),
        ({"ca": str(junk)}, f"{junk} holds no certificate"),
        ({"nkey": "missing"}, "missing: No such file or directory"),
        (
            {"user": "ann", "token": "x"},
            "NATS takes one login: a user, a token, an nkey or credentials",
        ),
    ]
    for settings, line in wrong:
        with pytest.raises(ValueError) as refused:
            open_bus(BusSettings("nats://127.0.0.1:1", **settings), HandClock(), "a", "x")
        assert str(refused.value) == line


def test_without_a_url_the_bus_is_local() -> None:
    assert isinstance(open_bus(BusSettings(), HandClock(), "a", "x"), LocalBus)


async def test_the_settings_open_a_bus_over_nats(nats: NatsServer) -> None:
    bus = open_bus(BusSettings(f"{nats.url}, {nats.url}"), HandClock(), "a", "x")
    await connected(bus)
    assert isinstance(bus, NatsBus)
    await bus.close()


def test_without_nats_py_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "twentytwo_server.bus.nats")
    monkeypatch.setitem(sys.modules, "nats", None)
    with pytest.raises(ValueError, match=r'^NATS needs: pip install "twentytwo\[cluster\]"$'):
        open_bus(BusSettings("nats://127.0.0.1:4222"), HandClock(), "a", "x")


SETTINGS = {each.path: each for each in settings_of("bus", BusSettings)}


@together("url", ["", "nats://a", "tls://a:4222", "nats://[::1]:4222", "nats://a:1, nats://b:2"])
def test_a_url_of_nats_is_taken(url: str) -> None:
    assert SETTINGS["bus.url"].read(url) == url


@together(
    "url",
    ["a:4222", "http://a", "nats://", "nats://a:b", "nats://ann:pw@a", "nats://a,tls://b"],
)
def test_any_other_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="must"):
        SETTINGS["bus.url"].read(url)


def test_the_default_settings_are_allowed() -> None:
    for each in SETTINGS.values():
        assert each.read_text(each.written(each.default).strip('"')) == each.default
