"""A server with TLS, as a process: certificates, what goes wrong with them, and reloading."""

from __future__ import annotations

import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.certificates import Files, certificate
from tests.kit.ports import free_port
from tests.kit.processes import LONG, Plain, Server, plain


@contextmanager
def secure(where: tuple[str, int], context: ssl.SSLContext) -> Iterator[Plain]:
    """A socket that speaks lines over TLS."""
    raw = socket.create_connection(where, timeout=LONG)
    found = Plain(context.wrap_socket(raw, server_hostname=where[0]))
    try:
        yield found
    finally:
        found.close()


def tls_address(line: str) -> tuple[str, int]:
    assert line.startswith("listening on tls:")
    host, _, port = line.removeprefix("listening on tls:").rpartition(":")
    return host, int(port)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return certificate(tmp_path_factory.mktemp("tls"))


def test_each_listener_says_its_line_and_games_are_played_over_tls(files: Files) -> None:
    options = ("--port", "0", "--listen", "tls:127.0.0.1:0", "--bot-pause", "0")
    with Server(*options, *files.options) as server:
        open_to_all = server.address()
        with (
            secure(tls_address(server.first_line()), files.client) as person,
            plain(open_to_all) as other,
        ):
            assert person.line() == other.line()
            person.send("ann\npractice level=easy\n")
            person.until("Your cards:")
        status, _, _ = server.stop()
    assert status == 0


def test_there_is_no_version_before_1_2(files: Files) -> None:
    with Server("--listen", "tls:127.0.0.1:0", *files.options) as server:
        where = tls_address(server.first_line())
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = files.client
            context.minimum_version = context.maximum_version = version
            with secure(where, context) as anybody:
                assert anybody.line().startswith("# cardline/1")
        old = files.client
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.warns(DeprecationWarning):
            old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises(OSError), secure(where, old):
            pass


def test_a_hangup_has_a_renewed_certificate_read_and_drops_nobody(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    with Server("--listen", "tls:127.0.0.1:0", *files.options) as server:
        where = tls_address(server.first_line())

        def valid_until() -> str:
            with (
                socket.create_connection(where, timeout=LONG) as raw,
                files.client.wrap_socket(raw, server_hostname=where[0]) as found,
            ):
                peer = found.getpeercert()
                assert peer is not None
                return str(peer["notAfter"])

        def hang_up(until: str) -> None:
            server.process.send_signal(signal.SIGHUP)
            while until not in server.log():
                valid_until()

        with secure(where, files.client) as seated:
            seated.send("hello 1 client=t\nguest ann\npractice\n")
            seated.until("@* OK on=")
            before = valid_until()
            certificate(tmp_path, days=7)
            hang_up("SIGHUP: changed the certificate, valid until ")
            renewed = valid_until()
            assert renewed != before
            files.key.write_text("nonsense")
            hang_up("no private key in PEM form")
            assert valid_until() == renewed
            seated.send("ping still\n")
            seated.until("@* OK pong=still")
        assert "renew it, then SIGHUP" in server.log()


@pytest.mark.skipif(
    not shutil.which("systemd-socket-activate"), reason="no systemd-socket-activate here"
)
def test_a_socket_of_systemd_is_listened_on() -> None:
    port = free_port()
    activate = ["systemd-socket-activate", "-l", f"127.0.0.1:{port}", "--fdname=game"]
    server = [sys.executable, "-m", "twentytwo_server", "run", "--memory"]
    process = subprocess.Popen(
        [*activate, *server, "--listen", "systemd:game"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        assert process.stderr.readline().startswith("Listening on ")
        with plain(("127.0.0.1", port)) as anybody:
            assert anybody.line().startswith("# cardline/1")
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=LONG)
    assert out.startswith(f"listening on 127.0.0.1:{port}\n")


def test_what_is_wrong_is_one_line_and_status_1() -> None:
    with Server("--port", "0", "--listen", "tls:127.0.0.1:0", "--tls-cert", "/none.pem") as server:
        status, out, err = server.wait()
    assert (status, out) == (1, "")
    assert err.splitlines()[-1] == "twentytwo-server: /none.pem: No such file or directory"
