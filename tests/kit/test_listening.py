from __future__ import annotations

import asyncio
import socket

import pytest

from tests.kit.listening import stop_listening


@pytest.mark.parametrize("turns", range(5))
async def test_a_connection_just_accepted_begins_before_its_listener_ends(turns: int) -> None:
    begun: list[asyncio.BaseTransport] = []

    class Noting(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            begun.append(transport)
            transport.close()

    server = await asyncio.get_running_loop().create_server(Noting, "127.0.0.1", 0)
    with socket.create_connection(server.sockets[0].getsockname()) as client:
        for _ in range(turns):
            await asyncio.sleep(0)
        await stop_listening(server)
        await asyncio.sleep(0)
        client.setblocking(False)
        ended = asyncio.get_running_loop().sock_recv(client, 1)
        if begun:
            assert await ended == b""
        else:  # nobody had accepted it
            with pytest.raises(ConnectionResetError):
                await ended
