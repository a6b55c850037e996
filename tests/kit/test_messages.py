"""A wait that fails reports what it waited for, and the lines received before."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.kit.processes import Plain, Server, plain
from twentytwo_conform.connections import Client


@pytest.fixture
def peer() -> Iterator[tuple[tuple[str, int], socket.socket]]:
    """The address of a listening peer that sends nothing, and its socket."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname(), listening


def silent(client: Client | Plain, listening: socket.socket) -> socket.socket:
    client.socket.settimeout(0.01)
    other, _ = listening.accept()
    other.sendall(b"hello\n")
    return other


def test_a_wait_for_a_line_that_fails_reports_the_lines_before_it(
    peer: tuple[tuple[str, int], socket.socket],
) -> None:
    address, listening = peer
    with plain(address) as client, silent(client, listening):
        assert client.line() == "hello"
        with pytest.raises(TimeoutError) as late:
            client.until("TURN")
    (note,) = late.value.__notes__
    assert "a line that begins with TURN" in note and "hello" in note


def test_a_wait_for_a_reply_that_fails_reports_the_command_and_the_lines(
    peer: tuple[tuple[str, int], socket.socket],
) -> None:
    address, listening = peer
    with Client(address, greeting=False) as client, silent(client, listening):
        client.send("ping")
        client.expect("hello")
        with pytest.raises(TimeoutError) as late:
            client.expect("pong")
    (note,) = late.value.__notes__
    assert "ping" in note and "hello" in note


def test_a_server_that_fails_to_start_reports_its_errors() -> None:
    with Server("--port", "nonsense") as server, pytest.raises(AssertionError, match="nonsense"):
        server.address()
