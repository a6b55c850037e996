"""`twentytwo-server status`: one line, and an exit status that scripts can go by."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.kit.cases import together
from tests.kit.processes import Server
from twentytwo_server.cli import main
from twentytwo_server.operator import status

NO_TLS = "it does not speak TLS there"


def asked(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["status", *words])
    return result.exit_code, result.output


def test_it_says_in_one_line_how_a_server_is_and_that_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with Server("--port", "0", "--listen", f"unix:{path}") as server:
        host, port = server.address()
        code, said = asked(f"{host}:{port}")
        assert code == 0
        assert said.startswith("twentytwo/")
        assert said.endswith(" s  players 0  connections 1  tables 0  ready\n")
        assert asked(f"unix:{path}")[0] == 0
        code, said = asked(f"tls:{host}:{port}")
        assert (code, said) == (1, f"no answer from tls:{host}:{port}: {NO_TLS}\n")
        server.stop()
    code, said = asked(f"{host}:{port}")
    assert (code, "refused" in said) == (1, True)


@together("where", ["", "localhost", "localhost:", "localhost:x", "localhost:65536"])
def test_an_address_that_is_none_is_said_so(where: str) -> None:
    kinds = "HOST:PORT, tls:HOST:PORT or unix:PATH"
    assert asked(where) == (1, f"no answer from {where}: it must be {kinds}\n")


def test_why_there_is_no_answer_is_said_in_words(tmp_path: Path) -> None:
    none = f"unix:{tmp_path / 'none'}"
    assert asked(none) == (1, f"no answer from {none}: there is no such file or folder\n")
    assert asked("a..b:2222") == (1, "no answer from a..b:2222: there is no such host\n")


OTHERS = {
    b"@i INFO key=state value=not%20storing\r\n": "not storing",
    b"HTTP/1.0 400 Bad Request\r\n": "a line begins with a word in capitals",
    b"# who are you?\r\n": "it does not speak cardline/1",
    b"": "timed out",
}


@pytest.mark.parametrize("answer", OTHERS)
def test_what_is_not_ready_or_no_such_server_is_told(
    answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status, "PATIENCE", 5.0 if answer else 0.01)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def once() -> None:
            connection, _ = listening.accept()
            with connection:
                if answer:
                    connection.recv(4096)
                    connection.sendall(answer)
                else:
                    connection.recv(1 << 16)
                    connection.recv(1)  # until the other side gives up

        thread = threading.Thread(target=once)
        thread.start()
        code, said = asked(f"127.0.0.1:{listening.getsockname()[1]}")
        thread.join()
    assert (code, said.rstrip().endswith(OTHERS[answer])) == (1, True)
