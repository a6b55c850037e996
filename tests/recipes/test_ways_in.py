"""What stands in front of a server in docs/operating/ways-in.md, each tried end to end."""

from __future__ import annotations

import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Request, TextMessage

from tests.kit.certificates import Files, certificate
from tests.kit.ports import free_port
from tests.kit.processes import LONG, Plain, Server
from twentytwo_server.net.site import site_files

PAGE = Path(__file__).parents[2] / "docs" / "operating" / "ways-in.md"
STREAM = Path("/usr/lib/nginx/modules/ngx_stream_module.so")


def recipe(name: str) -> str:
    """The configuration on the page that begins with a comment of this name."""
    blocks = PAGE.read_text().split("```")[1::2]
    (found,) = [block for block in blocks if block.partition("\n")[2].startswith(f"# {name}")]
    return found.partition("\n")[2]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    files = certificate(tmp_path)
    both = files.certificate.read_bytes() + files.key.read_bytes()
    (tmp_path / "both.pem").write_bytes(both)
    return files


@contextmanager
def running(*command: str) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=LONG)


def over_tls(files: Files, port: int) -> Plain:
    """A connection over TLS to a proxy that may still be starting."""
    ends = time.monotonic() + LONG
    while True:
        with suppress(OSError):
            raw = socket.create_connection(("127.0.0.1", port), timeout=LONG)
            return Plain(files.client.wrap_socket(raw, server_hostname="127.0.0.1"))
        assert time.monotonic() < ends
        time.sleep(0.05)


def needs(program: str) -> str:
    found = shutil.which(program) or shutil.which(f"/usr/sbin/{program}")
    if found is None:
        pytest.skip(f"no {program} here")
    return found


@pytest.mark.parametrize("program", ["haproxy", "nginx", "stunnel"])
def test_a_proxy_that_ends_tls_says_who_is_behind_it(
    program: str, files: Files, tmp_path: Path
) -> None:
    command = needs(program)
    if program == "nginx" and not STREAM.exists():
        pytest.skip("no stream module of nginx here")
    listens = ("--listen", "proxy+tls:127.0.0.1:0", "--trusted-proxy", "127.0.0.1")
    with Server(*listens) as server:
        to = server.first_line().rpartition(":")[2]
        port = free_port()
        text = recipe(program)
        for old, new in (
            ("2223", str(port)),
            ("127.0.0.1:2221", f"127.0.0.1:{to}"),
            ("/etc/ssl/both.pem", str(tmp_path / "both.pem")),
            ("/etc/letsencrypt/live/cards.example.org/fullchain.pem", str(files.certificate)),
            ("/etc/letsencrypt/live/cards.example.org/privkey.pem", str(files.key)),
            ("/run/nginx.pid", str(tmp_path / "pid")),
        ):
            text = text.replace(old, new)
        config = tmp_path / "config"
        config.write_text(text)
        arguments = {
            "haproxy": ("-db", "-f", str(config)),
            "nginx": ("-g", "daemon off;", "-e", "/dev/null", "-c", str(config)),
            "stunnel": (str(config),),
        }[program]
        with running(command, *arguments):
            player = over_tls(files, port)
            assert player.line().startswith("# cardline/1")
            # A password is taken only where nobody on the way can read it.
            player.send("hello 1 client=t\n@2 register robin :correct horse battery\n")
            assert "ERR" not in player.until("@2 ")
            player.close()
        assert "proxy" not in server.log().replace("--trusted-proxy", "")


@pytest.fixture
def behind() -> Iterator[str]:
    """The port of a server for web servers."""
    with Server("--listen", "ws:127.0.0.1:0", "--trusted-proxy", "127.0.0.1") as server:
        yield server.first_line().rpartition(":")[2]


WEB_SERVERS = {
    "in a server of nginx": ("nginx", "/"),
    "in nginx, with the folder": ("nginx", "/cards/"),
    "Caddy": ("caddy", "/cards/"),
    "in haproxy": ("haproxy", "/cards/"),
}
"""The program of each recipe, and its path."""


@pytest.mark.parametrize("name", WEB_SERVERS)
def test_a_web_server_passes_page_and_websocket_on_and_says_who_is_behind_it(
    name: str, behind: str, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # Caddy keeps its configuration there
    program, path = WEB_SERVERS[name]
    command, port = needs(program), free_port()
    for file, content in site_files().items():
        (tmp_path / "cards" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "cards" / file).write_bytes(content)
    text = recipe(name)
    pair = f"{files.certificate} {files.key}"
    for old, new in (
        ("8022", behind),
        ("/var/www/cards/", f"{tmp_path}/cards/"),
        (":443", f"127.0.0.1:{port}"),
        ("/etc/ssl/both.pem", str(tmp_path / "both.pem")),
        ("cards.example.org {", f"https://127.0.0.1:{port} {{\ntls {pair}"),
    ):
        text = text.replace(old, new)
    before = {
        "nginx": f"user {getpass.getuser()}; pid {tmp_path}/pid; error_log /dev/null;"
        "events {} http { access_log off;"
        f"server {{ listen 127.0.0.1:{port} ssl; root {tmp_path}/nothing;"
        f"ssl_certificate {files.certificate}; ssl_certificate_key {files.key};\n",
        "caddy": "{\nadmin off\nauto_https disable_redirects\n}\n",
    }.get(program, "")
    config = tmp_path / "config"
    config.write_text(before + text + "}}" * (program == "nginx"))
    arguments = {
        "haproxy": ("-db", "-f", str(config)),
        "nginx": ("-g", "daemon off;", "-e", "/dev/null", "-c", str(config)),
        "caddy": ("run", "--adapter", "caddyfile", "--config", str(config)),
    }[program]
    host = f"127.0.0.1:{port}"
    with running(command, *arguments):
        for file, part in (("", "<title>"), ("sw.js", "const VERSION"), ("ways", "<h2>")):
            wire = over_tls(files, port)
            wire.send(f"GET {path}{file} HTTP/1.0\r\nHost: {host}\r\n\r\n")
            assert " 200 " in wire.line()
            wire.until(part)
            wire.close()
        wire = over_tls(files, port)
        frames = WSConnection(ConnectionType.CLIENT)
        origin = [(b"Origin", f"https://{host}".encode())]
        wire.socket.sendall(frames.send(Request(host, path, extra_headers=origin)))
        # A password is taken only where nobody on the way can read it.
        said = ["hello 1 client=t", "@2 register robin :correct horse battery"]
        talk = ""
        while "@2 OK" not in talk:
            data = wire.socket.recv(1 << 16)
            assert data, talk
            frames.receive_data(data)
            for event in frames.events():
                if isinstance(event, AcceptConnection):
                    for line in said:
                        wire.socket.sendall(frames.send(TextMessage(line)))
                elif isinstance(event, TextMessage):
                    talk += event.data + "\n"
                    assert "ERR" not in talk
        wire.close()


@pytest.mark.parametrize(
    "command",
    [
        "openssl s_client -quiet -verify_return_error -CAfile CA -connect localhost:PORT",
        "ncat --ssl --ssl-verify --ssl-trustfile CA localhost PORT",
    ],
)
def test_lines_are_typed_into_programs_that_speak_tls(command: str, files: Files) -> None:
    words = command.split()
    program = needs(words[0])
    with Server("--listen", "tls:127.0.0.1:0", *files.options) as server:
        port = server.first_line().rpartition(":")[2]
        words = [str(files.ca) if w == "CA" else w.replace("PORT", port) for w in words]
        process = subprocess.Popen(
            [program, *words[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("ann\nquit\n")
        process.stdin.flush()
        said = process.stdout.read()
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=LONG)
    assert "Welcome, ~ann." in said
