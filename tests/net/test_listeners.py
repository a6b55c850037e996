"""Where a server listens, as it is written."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.cases import together
from twentytwo_server.net.listeners import (
    Endpoint,
    ListenAddress,
    Proxy,
    Speech,
    Systemd,
    Tcp,
    how_to_connect,
    in_a_browser,
    listen_address,
    trusted_proxies,
)


@together(
    ("text", "address"),
    [
        ("127.0.0.1:2222", ListenAddress(Tcp("127.0.0.1", 2222))),
        ("[::]:0", ListenAddress(Tcp("::", 0))),
        ("localhost:1", ListenAddress(Tcp("localhost", 1))),
        ("tls:0.0.0.0:2223", ListenAddress(Tcp("0.0.0.0", 2223), Speech.TLS)),
        ("ws:[::1]:80", ListenAddress(Tcp("::1", 80), Speech.WEBSOCKET)),
        ("wss:h:443", ListenAddress(Tcp("h", 443), Speech.WEBSOCKET_TLS)),
        ("unix:/run/s", ListenAddress(Endpoint("unix:/run/s"))),
        ("ssh:0.0.0.0:2223", ListenAddress(Tcp("0.0.0.0", 2223), Speech.SSH)),
        ("proxy:ssh:h:22", ListenAddress(Tcp("h", 22), Speech.SSH, Proxy.PROXY)),
        ("ws:unix:/run/s", ListenAddress(Endpoint("unix:/run/s"), Speech.WEBSOCKET)),
        ("systemd:game", ListenAddress(Systemd("game"))),
        ("tls:systemd:game", ListenAddress(Systemd("game"), Speech.TLS)),
        ("systemd:domain=INET:index=0", ListenAddress(Endpoint("systemd:domain=INET:index=0"))),
        ("tcp:2222", ListenAddress(Endpoint("tcp:2222"))),
        (
            "tcp:0:interface=127.0.0.1",
            ListenAddress(Endpoint("tcp:0:interface=127.0.0.1")),
        ),
        ("proxy:h:1", ListenAddress(Tcp("h", 1), Speech.LINES, Proxy.PROXY)),
        ("proxy+tls:h:1", ListenAddress(Tcp("h", 1), Speech.LINES, Proxy.ENDS_TLS)),
        ("proxy:tls:h:1", ListenAddress(Tcp("h", 1), Speech.TLS, Proxy.PROXY)),
    ],
)
def test_what_an_operator_writes_is_read(text: str, address: ListenAddress) -> None:
    assert listen_address(text) == address
    assert text.startswith(address.prefix)


@together(
    ("text", "why"),
    [
        (":2222", "say which address"),
        ("tls::2222", "say which address"),
        ("h:70000", "no port 70000"),
        ("2222", "must be HOST:PORT"),
        ("", "must be HOST:PORT"),
        ("tls:", "must be HOST:PORT"),
        ("tls:proxy:h:1", "must be HOST:PORT"),
        ("gopher://h", "must be HOST:PORT"),
        ("::1:2222", "must be HOST:PORT"),
    ],
)
def test_what_will_not_do_is_said_in_one_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as raised:
        listen_address(text)
    assert str(raised.value).startswith(f"{text}: ")
    assert "\n" not in str(raised.value)


@given(st.text(alphabet="tlswproxy+:[]=.1h/ \n"))
def test_nothing_else_is_raised(text: str) -> None:
    with contextlib.suppress(ValueError):
        listen_address(text)


@together(
    ("text", "here"),
    [
        ("127.0.0.1:0", True),
        ("tls:[::1]:0", True),
        ("localhost:0", True),
        ("unix:/run/s", True),
        ("tcp:0:interface=127.0.0.1", True),
        ("tcp:0", False),
        ("0.0.0.0:0", False),
        ("ws:[::]:0", False),
        ("systemd:game", False),
    ],
)
def test_it_is_known_what_this_machine_alone_can_reach(text: str, here: bool) -> None:
    assert listen_address(text).here_only is here


def test_proxies_are_trusted_by_address_and_network() -> None:
    trusted = trusted_proxies(["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"])
    for address in ("10.1.2.3", "192.0.2.1", "::ffff:10.0.0.1", "2001:db8::5", "unix"):
        assert address in trusted
    for address in ("11.0.0.1", "192.0.2.2", "127.0.0.1", "::1", "fe80::1%eth0", "nonsense", ""):
        assert address not in trusted
    assert "127.0.0.1" not in trusted_proxies([])
    with pytest.raises(ValueError, match="99: must be an address or a network"):
        trusted_proxies(["::1", "10.0.0.0/99"])


def test_how_to_connect_is_told_of_the_first_place_that_people_can_use() -> None:
    assert how_to_connect(["unix:/run/s", "ws:h:1"], "twentytwo") == []
    assert how_to_connect(["unix:/s", "[::1]:5"], "twentytwo")[0] == "netcat:  nc ::1 5"
    assert how_to_connect(["tls:h:5"], "bin/twentytwo")[:2] == [
        "client:  bin/twentytwo play tls://h:5",
        "openssl: openssl s_client -quiet -connect h:5",
    ]
    assert how_to_connect(["ssh:h:5"], "twentytwo")[0] == "ssh:     ssh -p 5 NAME@h"
    assert [line[:7] for line in how_to_connect(["h:5", "tls:h:6", "ssh:h:7"], "twentytwo")] == [
        *("ssh:   ", "netcat:", "telnet:", "client:", "then:  ")
    ]


def test_the_page_is_told_where_there_is_one() -> None:
    assert in_a_browser(["127.0.0.1:5", "ws:unix:/run/s", "tls:h:5"]) == []
    assert in_a_browser(["tls:h:5", "ws:[::1]:8"]) == ["browser: http://[::1]:8/"]
    assert in_a_browser(["wss:h:8", "ws:h:9"]) == ["browser: https://h:8/"]


@pytest.mark.parametrize("place", ["127.0.0.1:5", "tls:h:5", "ssh:h:5"])
def test_how_to_connect_ends_with_the_lesson_first_and_practice_second(place: str) -> None:
    first = how_to_connect([place], "twentytwo")[-1]
    assert 0 < first.index("type a name") < first.index("tutorial") < first.index("practice")
