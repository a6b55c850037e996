"""Connections of the client: the resolver decides what a name is, and what fails is one line."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tests.kit.cases import together
from tests.kit.listening import stop_listening
from twentytwo_client import connect
from twentytwo_client.address import Address, parse
from twentytwo_client.connection import open_streams
from twentytwo_client.replay.sources import NoGame, of_socket
from twentytwo_client.trouble import trouble

HERE = "127.0.0.1"
UNHEARD_OF = ["a" * 64, f"{'a' * 64}.example", "a..b", f"tls://{'a' * 64}", "a." * 150]
"""Names that no host can have."""


@contextlib.asynccontextmanager
async def listening() -> AsyncIterator[int]:
    server = await asyncio.start_server(lambda reader, writer: writer.close(), HERE, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        await stop_listening(server)


@pytest.mark.parametrize(
    ("name", "asked_for"),
    [
        ("my_server", "my_server"),
        ("b\u00fccher.example", "xn--bcher-kva.example"),
        ("fe80::1%eth0", "fe80::1%eth0"),
    ],
)
async def test_whatever_the_system_resolves_is_a_host(
    name: str, asked_for: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve: Callable[..., Any] = socket.getaddrinfo

    def resolved(host: str, port: int, *how: Any, **more: Any) -> Any:
        assert host == asked_for
        return resolve(HERE, port, *how, **more)

    async with listening() as port:
        monkeypatch.setattr(socket, "getaddrinfo", resolved)
        _, writer = await open_streams(Address(name, port))
        writer.close()
        await writer.wait_closed()


@together("name", UNHEARD_OF)
async def test_a_name_that_no_host_can_have_is_one_line(name: str) -> None:
    with pytest.raises(OSError) as raised:
        await open_streams(parse(name))
    assert trouble(raised.value) == "there is no such host"
    with pytest.raises(OSError) as raised:
        async with connect(name, name="ann"):
            pass
    assert trouble(raised.value) == "there is no such host"
    with pytest.raises(NoGame, match=r": there is no such host$"):
        list(of_socket(parse(name)))


async def test_a_certificate_is_for_the_name_that_is_looked_up() -> None:
    assert Address("b\u00fccher.example", tls=True).certified == "xn--bcher-kva.example"
    assert Address("fe80::1%eth0", tls=True).certified == "fe80::1"
