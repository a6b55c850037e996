"""Lines over WebSocket: the same as over a socket, within the same limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from twisted.internet.address import IPv4Address
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Message,
    Ping,
    Pong,
    RejectConnection,
    RejectData,
    Request,
    TextMessage,
)

from tests.kit.cases import together
from tests.kit.pairs import GREETING, Doors, Echo, Line
from twentytwo_protocol.framing import Flaw
from twentytwo_server.limits.addresses import Full
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.listeners import trusted_proxies
from twentytwo_server.net.page import page
from twentytwo_server.net.server_names import server_names
from twentytwo_server.net.site import SiteFile
from twentytwo_server.net.transport import HANDSHAKE
from twentytwo_server.net.websocket import (
    LARGEST,
    PING,
    WebSocketEntrance,
    WebSocketListener,
    text_frame,
)

ADDRESSES = ["127.0.0.1:2222", "tls:0.0.0.0:2223", "ws:0.0.0.0:8022", "unix:/run/s"]


class Entrance:
    """A port for WebSocket."""

    def __init__(
        self,
        handler: Any = None,
        *,
        limits: Limits | None = None,
        origins: tuple[str, ...] = (),
        names: tuple[str, ...] = ("cards.example.org",),
        proxies: tuple[str, ...] = (),
        tls: bool = False,
        files: Mapping[str, SiteFile] | None = None,
    ) -> None:
        self.tls = tls
        self.echo = Echo()
        self.doors = Doors(handler or self.echo, limits)
        self.listener = WebSocketListener(
            self.doors.channels,
            WebSocketEntrance(
                origins,
                server_names(names, ["ws:h:8022"]),
                trusted_proxies(proxies),
                lambda host, https, here: page("cards", ADDRESSES, host, https=https, here=here),
                files or {},
            ),
            tls=tls,
        )

    def line(self, address: str = "192.0.2.7") -> Line:
        where = IPv4Address("TCP", address, 4)
        return Line(self.doors.clock, self.listener.buildProtocol(where), tls=self.tls)

    def http(self, request: str, address: str = "192.0.2.7", *, chunk: int = 0) -> str:
        line = self.line(address)
        line.send(request.replace("\n", "\r\n"), chunk=chunk)
        assert not line.connected
        return line.read()

    def client(self, address: str = "192.0.2.7", **headers: str) -> Client:
        return Client(self.line(address), headers)


class Client:
    """The other end of a WebSocket."""

    def __init__(self, line: Line, headers: dict[str, str]) -> None:
        self.line = line
        self.frames = WSConnection(ConnectionType.CLIENT)
        extra = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
        self.send(Request("cards.example.org", "/", extra_headers=extra))
        self.first = self.events()

    def send(self, *events: Event, chunk: int = 0) -> None:
        self.line.send(b"".join(self.frames.send(event) for event in events), chunk=chunk)

    def say(self, *lines: str) -> None:
        self.send(*map(TextMessage, lines))

    def events(self) -> list[Event]:
        data = self.line.transport.value()
        self.line.transport.clear()
        self.frames.receive_data(data)
        return list(self.frames.events())

    def heard(self) -> list[str]:
        return [str(event.data) for event in self.events() if isinstance(event, TextMessage)]

    def closed(self) -> int | None:
        """With which code the server has closed, once it has."""
        codes = [int(each.code) for each in self.events() if isinstance(each, CloseConnection)]
        return codes[0] if codes else None


@pytest.mark.parametrize("chunk", [0, 1])
def test_each_line_is_a_message_and_each_message_a_line(chunk: int) -> None:
    entrance = Entrance()
    client = entrance.client()
    accepted, greeting = client.first
    assert isinstance(accepted, AcceptConnection)
    assert greeting == TextMessage(f"# {GREETING}")
    client.send(TextMessage("hello 1"), TextMessage("say caf\u00e9\n"), chunk=chunk)
    client.send(TextMessage("pi", message_finished=False), TextMessage("ng"), chunk=chunk)
    assert entrance.echo.lines == ["hello 1", "say caf\u00e9", "ping"]
    (channel,) = entrance.doors.channels.all
    channel.send(b"one\r\ntwo\r\n")
    entrance.doors.clock.settle()
    assert client.heard() == ["one", "two"]


@together("size", [0, 125, 126, 65_535, 65_536])
def test_a_frame_is_read_as_what_was_written(size: int) -> None:
    frames = Client(Entrance().line(), {})
    frames.frames.receive_data(text_frame(b"x" * size))
    assert [e.data for e in frames.frames.events() if isinstance(e, Message)] == ["x" * size]


def test_a_game_is_played_with_the_same_words() -> None:
    from tests.kit.hosts import World

    client = Entrance(World().commands).client()
    client.say("hello 1 client=t", "guest ann", "practice level=easy seed=1")
    heard = client.heard()
    assert any(line.startswith("@* OK on=t1 seat=1") for line in heard)
    assert any(line.startswith("TURN ") for line in heard)


def test_who_says_nothing_after_connecting_is_let_go() -> None:
    entrance = Entrance()
    silent, slow = entrance.line(), entrance.line()
    slow.send("GET / HTTP/1.1\r\nHost: h\r\n")
    entrance.doors.advance(HANDSHAKE - 1)
    assert [silent.connected, slow.connected] == [True, True]
    entrance.doors.advance(1)
    assert [silent.connected, slow.connected] == [False, False]
    assert entrance.line().connected, "they are not counted any more"


def test_what_is_no_text_or_too_much_of_it_closes_with_its_code() -> None:
    for sent, code in (
        ([BytesMessage(b"hello 1")], 1003),
        ([TextMessage("x" * (LARGEST + 1))], 1009),
        ([TextMessage("x" * 40_000, message_finished=False)] * 2, 1009),
    ):
        entrance = Entrance()
        client = entrance.client()
        client.send(*sent)
        assert client.closed() == code
        assert not client.line.connected
        assert not entrance.echo.lines or entrance.echo.lines == [Flaw.TOO_LONG]


def test_the_size_of_a_message_is_its_own_and_not_that_of_all_before_it() -> None:
    entrance = Entrance()
    client = entrance.client()
    whole, begun = TextMessage("x" * 800), TextMessage("x" * 400, message_finished=False)
    sent = 2 * LARGEST // 800
    for _ in range(sent // 2):
        client.send(whole, begun, TextMessage("x" * 400))
    assert client.closed() is None
    assert entrance.echo.lines == ["x" * 800] * (sent // 2 * 2)


@together(
    ("frame", "code"),
    [
        (b"\x81\x01a", 1002),  # without a mask
        (b"\x83\x80\0\0\0\0", 1002),  # an opcode that is none
        (b"\xc1\x80\0\0\0\0", 1002),  # compressed, which was not agreed
        (b"\x81\x81\0\0\0\0\xff", 1007),  # not UTF-8
        (b"\x80\x80\0\0\0\0", 1002),  # goes on with nothing
        (b"\x89\xfe\xff\xff", 1002),  # a ping of 65,535 bytes
    ],
)
def test_what_is_no_frame_closes_with_its_code(frame: bytes, code: int) -> None:
    client = Entrance().client()
    client.line.send(frame)
    assert client.closed() == code
    assert not client.line.connected


def test_a_line_that_is_too_long_is_refused_and_the_next_one_answered() -> None:
    entrance = Entrance()
    client = entrance.client()
    client.say("hello 1", "x" * 5000, "ping")
    assert entrance.echo.lines == ["hello 1", Flaw.TOO_LONG, "ping"]


def test_the_end_of_a_conversation_is_agreed() -> None:
    entrance = Entrance()
    leaves, stays = entrance.client(), entrance.client()
    leaves.send(TextMessage("bye"), CloseConnection(1000))
    assert entrance.echo.lines == ["bye"]
    assert leaves.closed() == 1000
    assert not leaves.line.connected
    entrance.doors.channels.stop()
    *_, bye, closed = stays.events()
    assert bye == TextMessage(
        "BYE code=SHUTDOWN resume=1 wait=1000 :The server stops. Come back soon."
    )
    assert isinstance(closed, CloseConnection)
    assert [stays.line.connected] == [True], "until the other end has agreed"
    stays.send(closed.response())
    assert [stays.line.connected] == [False]
    assert not entrance.doors.channels.all


def test_who_never_agrees_to_the_end_is_cut_off() -> None:
    entrance = Entrance()
    client = entrance.client()
    entrance.doors.channels.stop()
    assert client.line.connected
    entrance.doors.advance(5000)
    assert client.line.transport.aborting


def test_a_connection_is_kept_alive_and_one_that_died_is_noticed() -> None:
    entrance = Entrance()
    alive, dead = entrance.client(), entrance.client()
    for _ in range(3):
        entrance.doors.advance(PING)
        (ping,) = [each for each in alive.events() if isinstance(each, Ping)]
        if alive.line.connected:
            alive.send(ping.response())
    assert alive.line.connected
    assert not dead.line.connected
    alive.send(Ping(b"there?"))
    assert Pong(b"there?") in alive.events()


def test_who_pings_and_does_not_read_fills_nothing() -> None:
    client = Entrance().client()
    assert client.line.protocol.channel is not None  # type: ignore[attr-defined]
    client.line.protocol.pauseProducing()  # type: ignore[attr-defined]
    client.send(*[Ping(b"x" * 100)] * 1000)
    assert client.line.transport.value() == b""


# --------------------------------------------------------------------------- HTTP, and who may


def test_a_server_without_its_page_shows_how_to_connect() -> None:
    for chunk in (0, 1):
        answer = Entrance().http("GET / HTTP/1.1\nHost: cards.example.org:8022\n\n", chunk=chunk)
        head, _, body = answer.partition("\r\n\r\n")
        assert head.startswith("HTTP/1.1 200 \r\n")
        assert f"Content-Length: {len(body)}" in head
        assert "Connection: close" in head
        assert "<code>ws://cards.example.org:8022/</code>" in body
        assert "<code>twentytwo play tls://cards.example.org:2223</code>" in body
        assert "2222" not in body, "that one is for its own machine"
        assert '<html lang="en">' in body
    assert "nc h 2222" in Entrance().http("GET / HTTP/1.1\nHost: h\n\n", "127.0.0.1")


def test_what_a_browser_says_of_the_host_is_not_written_into_the_page() -> None:
    for host in ("192.0.2.7:<script>", "192.0.2.7:a b", "192.0.2.7:" + "x" * 300):
        answer = Entrance().http(f"GET / HTTP/1.1\nHost: {host}\n\n")
        assert host not in answer
        assert "ws://HOST/" in answer
    assert "<script>" not in Entrance().http("GET / HTTP/1.1\nHost: <script>\n\n")


@together(
    ("request_", "status"),
    [
        ("HEAD / HTTP/1.0\n\n", 200),
        ("GET /favicon.ico HTTP/1.1\nHost: h\n\n", 404),
        ("POST / HTTP/1.1\nHost: h\nContent-Length: 10\n\nguest ann\n", 405),
        ("OPTIONS / HTTP/1.1\nHost: h\n\n", 405),
        ("hello 1 client=t\n\n", 400),
        ("\x16\x03\x01\n\n", 400),
        ("GET / HTTP/1.1\nHost: h\nX: " + "x" * 20_000, 431),
        ("GET / HTTP/1.1\nHost: h\nUpgrade: websocket\n\n", 400),
        (
            "GET / HTTP/1.1\nHost: h\nUpgrade: websocket\nConnection: Upgrade\n"
            "Sec-WebSocket-Version: 8\nSec-WebSocket-Key: x\n\n",
            426,
        ),
        (
            "GET / HTTP/1.1\nHost: \u00ff..\nUpgrade: websocket\nConnection: Upgrade\n"
            "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: x\n\n",
            400,
        ),
    ],
)
def test_every_request_has_a_valid_answer_and_nothing_is_carried_out(
    request_: str, status: int
) -> None:
    entrance = Entrance()
    answer = entrance.http(request_)
    assert answer.startswith(f"HTTP/1.1 {status} ")
    assert "\r\n\r\n" in answer
    assert not entrance.echo.lines
    assert not entrance.doors.channels.all


@together(
    ("origin", "allowed", "welcome"),
    [
        ("", (), True),
        ("https://cards.example.org", (), True),
        ("https://elsewhere.example", (), False),
        ("https://elsewhere.example", ("https://elsewhere.example",), True),
        ("https://elsewhere.example", ("*",), True),
        ("null", (), False),
        ("null", ("null",), True),
        ("http://[", (), False),
    ],
)
def test_pages_from_elsewhere_may_not_connect_unless_they_are_listed(
    origin: str, allowed: tuple[str, ...], welcome: bool
) -> None:
    entrance = Entrance(origins=allowed)
    client = entrance.client(**({"Origin": origin} if origin else {}))
    first = client.first[0]
    assert isinstance(first, AcceptConnection if welcome else RejectConnection)
    assert len(entrance.doors.channels.all) == welcome
    if isinstance(first, RejectConnection):
        assert first.status_code == 403


REBINDING = "GET / HTTP/1.1\nHost: {0}\nOrigin: http://{0}\n{1}\n"
UPGRADE = (
    "Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n"
)


@together(
    ("host", "known"),
    [
        ("cards.example.org", True),
        ("Cards.Example.org.:8022", True),
        ("localhost:8022", True),
        ("h", True),
        ("192.0.2.7:8022", True),
        ("[2001:db8::5]:8022", True),
        ("evil.example:8022", False),
        ("cards.example.org.evil.example", False),
        ("evil.localhost", False),
    ],
)
def test_a_page_under_a_name_that_is_not_the_servers_gets_nothing(host: str, known: bool) -> None:
    page = Entrance().http(REBINDING.format(host, ""))
    assert page.startswith("HTTP/1.1 200 " if known else "HTTP/1.1 421 ")
    assert known or "server.names" in page
    entrance = Entrance()
    line = entrance.line()
    line.send(REBINDING.format(host, UPGRADE).replace("\n", "\r\n"))
    status = b"HTTP/1.1 101 " if known else b"HTTP/1.1 403 "
    assert line.transport.value().startswith(status)
    assert len(entrance.doors.channels.all) == known


def test_a_page_that_is_listed_and_a_program_may_come_under_any_name() -> None:
    for origins, origin in ((("http://a.example",), "Origin: http://a.example\n"), ((), "")):
        line = Entrance(origins=origins).line()
        request = f"GET / HTTP/1.1\nHost: alias.example\n{origin}{UPGRADE}\n"
        line.send(request.replace("\n", "\r\n"))
        assert line.transport.value().startswith(b"HTTP/1.1 101 ")


def test_what_a_trusted_proxy_forwards_counts_and_nobody_elses_word() -> None:
    entrance = Entrance(proxies=("127.0.0.1", "10.0.0.0/8"), limits=Limits(each_address=1))
    entrance.client("192.0.2.7", X_Forwarded_For="192.0.2.1", X_Forwarded_Proto="https")
    entrance.client("127.0.0.1", X_Forwarded_For="6.6.6.6, 192.0.2.8", X_Forwarded_Proto="https")
    entrance.client("127.0.0.1", X_Forwarded_For="192.0.2.9, 10.1.1.1")
    found = [(each.address, each.private) for each in entrance.doors.channels.all]
    assert found == [("192.0.2.7", False), ("192.0.2.8", True), ("192.0.2.9", False)]
    (refused, said, *_) = entrance.client("127.0.0.1", X_Forwarded_For="192.0.2.9").first
    assert isinstance(refused, RejectConnection)
    assert refused.status_code == 503
    assert isinstance(said, RejectData)
    assert Full.ADDRESS.text.encode() in said.data
    assert (b"retry-after", b"5") in refused.headers


@together(
    ("said", "address"),
    [
        ("203.0.113.51:4000", "203.0.113.51"),
        ("203.0.113.51:", "203.0.113.51"),
        ("[2001:db8::5]:4000", "2001:db8::5"),
        ("[2001:db8::5]", "2001:db8::5"),
        ("2001:DB8:0::5", "2001:db8::5"),
        ("fe80::5%eth0", "fe80::5"),
        ("::ffff:203.0.113.51", "203.0.113.51"),
        ("[::ffff:203.0.113.51]:1", "203.0.113.51"),
        ("203.0.113.51:4000, 10.1.1.1:80", "203.0.113.51"),
        ("10.1.1.2, 10.1.1.1", "10.1.1.2"),
    ],
)
def test_an_address_counts_as_itself_however_a_proxy_spells_it(said: str, address: str) -> None:
    entrance = Entrance(proxies=("127.0.0.1", "10.0.0.0/8"), limits=Limits(each_address=1))
    entrance.client("127.0.0.1", X_Forwarded_For=said)
    assert [each.address for each in entrance.doors.channels.all] == [address]
    (refused, *_) = entrance.client("127.0.0.1", X_Forwarded_For=f"{address}").first
    assert isinstance(refused, RejectConnection)


@pytest.mark.parametrize(
    "said", ["unknown", "unix", "_hidden", "", ",", "203.0.113.51, x", "999.1.1.1:4", "[x]:1"]
)
def test_a_word_that_is_no_address_leaves_the_client_with_the_proxy(
    said: str, caplog: pytest.LogCaptureFixture
) -> None:
    entrance = Entrance(proxies=("127.0.0.1",), limits=Limits(each_address=2))
    entrance.client("127.0.0.1", X_Forwarded_For=said)
    entrance.client("127.0.0.1", X_Forwarded_For=said, X_Forwarded_Proto="https")
    found = [(each.address, each.private) for each in entrance.doors.channels.all]
    assert found == [("127.0.0.1", False), ("127.0.0.1", True)]
    assert entrance.line("127.0.0.1").read().startswith("HTTP/1.1 503 ")
    assert [each.levelname for each in caplog.records if "X-Forwarded-For" in each.message] == [
        "WARNING"
    ]


def test_a_client_is_on_this_machine_only_where_the_proxy_is() -> None:
    entrance = Entrance(proxies=("127.0.0.1", "10.0.0.0/8"))
    for proxy in ("10.1.1.1", "127.0.0.1"):
        entrance.client(proxy, X_Forwarded_For="127.0.0.2")
    assert [each.private for each in entrance.doors.channels.all] == [False, True]


def test_several_headers_of_proxies_are_one_list() -> None:
    entrance = Entrance(proxies=("127.0.0.1", "10.0.0.0/8"))
    client = entrance.client("127.0.0.1", X_Forwarded_For="192.0.2.9", x_forwarded_for="10.1.1.1")
    assert isinstance(client.first[0], AcceptConnection)
    assert [each.address for each in entrance.doors.channels.all] == ["192.0.2.9"]


def test_a_page_names_one_origin() -> None:
    entrance = Entrance(origins=("*",))
    origin = "https://cards.example.org"
    (refused, *_) = entrance.client(Origin=origin, origin=origin).first
    assert isinstance(refused, RejectConnection)
    assert refused.status_code == 400


def test_too_many_connections_get_an_answer_in_http() -> None:
    entrance = Entrance(limits=Limits(each_address=1))
    entrance.client()
    answer = entrance.line().read()
    assert answer.startswith("HTTP/1.1 503 ")
    assert "\r\nRetry-After: 5\r\n" in answer


def test_over_tls_everybody_is_private() -> None:
    entrance = Entrance(tls=True)
    entrance.client()
    (channel,) = entrance.doors.channels.all
    assert channel.private
