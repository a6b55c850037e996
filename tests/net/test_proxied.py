"""Connections through proxies: who is believed, and what then counts as whose."""

from __future__ import annotations

import logging
from typing import cast

import pytest
from twisted.internet.address import IPv4Address, UNIXAddress
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Protocol

from tests.kit.cases import together
from tests.kit.pairs import GREETING, Doors, Echo, Line
from twentytwo_protocol.wire import write
from twentytwo_server.limits.addresses import Full, NotAdmitted
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.listeners import trusted_proxies
from twentytwo_server.net.proxied import IN_TIME, BehindProxy
from twentytwo_server.net.proxy_header import SIGNATURE
from twentytwo_server.net.transport import SocketTransport

PROXY = "127.0.0.1"


class Entrance:
    """A listener behind a proxy on this machine."""

    def __init__(
        self, *, ends_tls: bool = False, limits: Limits | None = None, trusted: str = PROXY
    ) -> None:
        self.echo = Echo()
        self.doors = Doors(self.echo, limits)
        self.factory = BehindProxy(
            self.doors.listener,
            trusted_proxies([trusted]),
            self.doors.clock,
            ends_tls=ends_tls,
        )

    def connect(self, address: str = PROXY) -> Line | None:
        where = IPv4Address("TCP", address, 4) if address else UNIXAddress(b"/s")
        protocol = self.factory.buildProtocol(cast(IAddress, where))
        return None if protocol is None else Line(self.doors.clock, protocol)

    def client(self, header: str, rest: str = "") -> Line:
        line = self.connect()
        assert line is not None
        line.send(header + "\r\n" + rest)
        line.protocol = cast(Protocol, line.transport.protocol)
        return line


def of(address: str) -> str:
    return f"PROXY TCP4 {address} 10.0.0.1 5000 2222"


@pytest.mark.parametrize("size", [0, 1])
def test_a_client_is_where_the_header_says_and_its_first_bytes_may_come_along(size: int) -> None:
    entrance = Entrance()
    line = entrance.connect()
    assert line is not None
    assert line.lines() == []
    said = of("192.0.2.7").encode() + b"\r\nhello 1\r\nping\r\n"
    for start in range(0, len(said), size or len(said)):
        line.transport.protocol.dataReceived(said[start : start + (size or len(said))])
    entrance.doors.clock.settle()
    (channel,) = entrance.doors.channels.all
    assert (channel.address, channel.private, channel.peer.local) == ("192.0.2.7", False, False)
    assert line.lines() == [f"# {GREETING}"]
    assert entrance.echo.lines == ["hello 1", "ping"]


def test_limits_count_the_clients_and_not_the_proxy() -> None:
    entrance = Entrance(limits=Limits(each_address=1))
    for number in range(1, 4):
        assert entrance.client(of(f"192.0.2.{number}")).lines() == [f"# {GREETING}"]
    assert entrance.client(of("192.0.2.1")).lines() == [write(NotAdmitted(Full.ADDRESS, 5000).bye)]


def test_a_proxy_that_has_ended_tls_makes_a_connection_private() -> None:
    assert Entrance(ends_tls=True).client(of("192.0.2.7")).channel.private
    assert not Entrance().client(of("192.0.2.7")).channel.private


def test_a_proxy_that_speaks_for_itself_is_itself() -> None:
    line = Entrance().client("PROXY UNKNOWN")
    assert line.channel.address == PROXY


LOCAL_HEADER = SIGNATURE + b"\x20\x00\x00\x00"
"""A header of version 2 that names nobody."""


@together("header", [b"PROXY UNKNOWN\r\n", LOCAL_HEADER])
@together("proxy", [PROXY, ""])
@together("ends_tls", [False, True])
def test_a_connection_that_names_nobody_is_private_over_tls_alone(
    header: bytes, proxy: str, ends_tls: bool
) -> None:
    entrance = Entrance(ends_tls=ends_tls)
    line = entrance.connect(proxy)
    assert line is not None
    line.send(header)
    (channel,) = entrance.doors.channels.all
    assert (channel.address, channel.private) == (proxy or "unix", ends_tls)


def test_a_client_on_the_machine_of_the_proxy_is_private_where_the_proxy_is_here() -> None:
    assert Entrance().client(of("127.0.0.1")).channel.private
    entrance = Entrance(trusted="10.0.0.2")
    line = entrance.connect("10.0.0.2")
    assert line is not None
    line.send(of("127.0.0.1") + "\r\n")
    (channel,) = entrance.doors.channels.all
    assert not channel.private


def test_the_zone_of_an_address_is_no_part_of_it() -> None:
    header = "PROXY TCP6 2001:db8::5%eth0 ::1 5000 2222"
    assert Entrance().client(header).channel.address == "2001:db8::5"


def test_the_fault_of_one_address_hides_no_other(caplog: pytest.LogCaptureFixture) -> None:
    entrance = Entrance()
    for sent in ("hello 1\r\n", "PROXY TCP4 x y 1 2\r\n") * 2:
        assert entrance.connect("192.0.2.66") is None
        assert entrance.connect("192.0.2.67") is None
        line = entrance.connect()
        assert line is not None
        line.send(sent)
    assert sorted(caplog.messages) == [
        "127.0.0.1, a proxy: a PROXY line with a wrong address",
        "127.0.0.1, a proxy: no PROXY header",
        "192.0.2.66 connects where proxies do, and is not a trusted one",
        "192.0.2.67 connects where proxies do, and is not a trusted one",
    ]


def test_who_is_no_proxy_is_closed_and_the_log_says_so_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    entrance = Entrance()
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            assert entrance.connect("192.0.2.66") is None
        assert len(caplog.records) == 1
        assert "192.0.2.66 connects where proxies do" in caplog.text
        entrance.doors.advance(60_000)
        assert entrance.connect("192.0.2.66") is None
        assert len(caplog.records) == 2
    assert entrance.connect("") is not None, "a Unix socket: its file says who may use it"


@pytest.mark.parametrize(
    "sent", ["hello 1\r\n", "GET / HTTP/1.1\r\n\r\n", "PROXY TCP4 x y 1 2\r\n"]
)
def test_a_proxy_without_a_header_is_cut_off_and_nothing_is_carried_out(
    sent: str, caplog: pytest.LogCaptureFixture
) -> None:
    entrance = Entrance()
    line = entrance.connect()
    assert line is not None
    line.send(sent)
    assert not line.connected
    assert entrance.echo.lines == []
    assert not entrance.doors.channels.all
    assert "127.0.0.1, a proxy: " in caplog.text


def test_a_header_has_to_come_in_time() -> None:
    entrance = Entrance()
    late, lost = entrance.connect(), entrance.connect()
    assert late is not None
    assert lost is not None
    late.send("PROXY TCP4 ")
    lost.lose()
    entrance.doors.advance(IN_TIME - 1)
    assert late.connected
    entrance.doors.advance(1)
    assert not late.connected


def test_who_hangs_up_is_gone() -> None:
    entrance = Entrance()
    line = entrance.client(of("192.0.2.7"))
    assert isinstance(line.protocol, SocketTransport)
    line.lose()
    assert not entrance.doors.channels.all
