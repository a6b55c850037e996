"""Listeners are opened, or one line says why not; the end of a certificate is seen coming."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from tests.kit import pairs
from tests.kit.certificates import certificate
from twentytwo_server.net.certificates import Certificates
from twentytwo_server.net.listeners import ListenSettings
from twentytwo_server.net.opening import DAY_MS, Listeners, open_listeners
from twentytwo_server.net.site import site

AT = ("tls:127.0.0.1:0",)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (ListenSettings(AT), "tls: needs --tls-cert FILE and --tls-key FILE"),
        (ListenSettings(AT, ("{0}/none.pem",)), "none.pem: No such file or directory"),
        (ListenSettings(AT, ("{0}",)), "Is a directory"),
        (ListenSettings(AT, ("{0}/fullchain.pem",)), "fullchain.pem is no private key in PEM form"),
        (ListenSettings(AT, ("{0}/privkey.pem",)), "privkey.pem is no certificate in PEM form"),
        (
            ListenSettings(AT, ("{0}/fullchain.pem",), ("{0}/otherprivkey.pem",)),
            "is not the key of",
        ),
        (ListenSettings(AT, ("{0}/fullchain.pem",), ("{0}/locked.pem",)), "without a pass phrase"),
        (ListenSettings(AT, ("a", "b"), ("c",)), "--tls-key names 1 files and --tls-cert 2"),
        (ListenSettings(("192.0.2.1:4000",)), "192.0.2.1:4000: this machine has no such address"),
        (ListenSettings(("unix:{0}/no/x",)), "/no/x: there is no such folder"),
        (ListenSettings(("unix:{0}",)), "there is a folder of that name"),
        (ListenSettings(("unix:{0}/privkey.pem",)), "privkey.pem: there is a file of that name"),
        (
            ListenSettings(("unix:{0}/s", "unix:{0}/s:mode=600")),
            "/s:mode=600: this server itself listens there already",
        ),
        (ListenSettings(("ssh:127.0.0.1:0",)), "ssh: needs --ssh-key FILE"),
        (ListenSettings(("proxy:127.0.0.1:0",)), "proxy: needs --trusted-proxy ADDRESS"),
        (
            ListenSettings(("127.0.0.1:0", "systemd:game")),
            "systemd:game: no such socket of systemd; there are: none",
        ),
    ],
)
async def test_what_cannot_be_opened_is_said_in_one_line(
    tmp_path: Path, settings: ListenSettings, why: str
) -> None:
    certificate(tmp_path)
    certificate(tmp_path, name="other")
    certificate(tmp_path, name="locked", pass_phrase=b"x").key.rename(tmp_path / "locked.pem")
    endpoints, files, keys = (
        tuple(each.format(tmp_path) for each in texts)
        for texts in (settings.endpoints, settings.tls_cert, settings.tls_key)
    )
    asked = ListenSettings(endpoints, files, keys)
    with pytest.raises(ValueError) as raised:
        opening = open_listeners(reactor, asked, pairs.Doors(pairs.Echo()).channels)
        await Deferred.fromCoroutine(opening).asFuture(asyncio.get_running_loop())
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


async def opened(*endpoints: str, web: bool = True) -> Listeners:
    settings = ListenSettings(endpoints, web=web)
    opening = open_listeners(reactor, settings, pairs.Doors(pairs.Echo()).channels)
    found: Listeners = await Deferred.fromCoroutine(opening).asFuture(asyncio.get_running_loop())
    return found


async def closed(listeners: Listeners) -> None:
    await Deferred.fromCoroutine(listeners.close()).asFuture(asyncio.get_running_loop())


@pytest.mark.parametrize("swapped", [False, True])
async def test_everybody_is_listened_to_by_both_kinds_of_address_on_one_port(
    swapped: bool,
) -> None:
    port = free_port()
    both = [f"127.0.0.1:{port}", f"[::]:{port}"]
    listeners = await opened(*(reversed(both) if swapped else both))
    assert sorted(listeners.addresses) == both
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        with socket.socket(family) as client:
            client.connect((host, port))
    await closed(listeners)


async def test_all_addresses_of_ipv6_take_in_ipv4_if_nobody_else_does() -> None:
    port = free_port()
    listeners = await opened(f"[::]:{port}")
    with socket.socket() as client:
        client.connect(("127.0.0.1", port))
    await closed(listeners)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::]"])
async def test_a_hundred_can_connect_before_the_server_takes_the_first_one(host: str) -> None:
    port = free_port()
    listeners = await opened(*{f"{host}:{port}", f"127.0.0.1:{port}"})
    with ExitStack() as clients:
        for _ in range(100):
            where = ("::1" if host == "[::]" else host, port)
            clients.enter_context(socket.create_connection(where, timeout=1))
    await closed(listeners)


async def test_the_servers_own_listener_is_not_taken_for_another_program() -> None:
    port = free_port()
    with pytest.raises(ValueError, match=f":{port}: this server itself listens"):
        await opened(f"127.0.0.1:{port}", f"0.0.0.0:{port}")
    other = pytest.raises(ValueError, match="another program listens there")
    with socket.create_server(("127.0.0.1", port)), other:
        await opened(f"127.0.0.1:{port}")


async def test_only_a_socket_that_nobody_listens_to_is_taken_away(tmp_path: Path) -> None:
    path, file = tmp_path / "s", tmp_path / "file"
    file.write_text("kept")
    for _ in range(2):
        with pytest.raises(ValueError, match="there is a file of that name"):
            await opened(f"unix:{file}")
    assert [each.name for each in tmp_path.iterdir()] == ["file"] and file.read_text() == "kept"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        for _ in range(2):
            with pytest.raises(ValueError, match="another program listens there"):
                await opened(f"unix:{path}")
    await closed(await opened(f"unix:{path}"))  # which the other program has left


def free_port() -> int:
    """A port on which nobody listens, of either kind of address."""
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as found:
        port: int = found.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("days", "said"), [(15.5, ""), (13.5, "renew it"), (-1, "not valid any more")]
)
def test_the_end_of_a_certificate_is_seen_coming(
    tmp_path: Path, days: float, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    files = certificate(tmp_path, days=days)
    doors = pairs.Doors(pairs.Echo())
    now = 0
    found = Certificates([(files.certificate, files.key)], lambda: now)
    listeners = Listeners(doors.channels, found)
    now = int(found.all[0].ends.timestamp() * 1000 - days * DAY_MS)
    with caplog.at_level(logging.WARNING):
        listeners.look_at_certificates()
        assert said in caplog.text
        assert bool(said) == bool(caplog.text)
        caplog.clear()
        now += 2 * DAY_MS
        doors.advance(DAY_MS)
        assert caplog.text


def test_a_key_that_is_too_short_is_called_so(tmp_path: Path) -> None:
    key = rsa.generate_private_key(65537, 1024)  # short on purpose
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, "cards")])
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin.replace(year=2030))
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file = tmp_path / "both.pem"
    file.write_bytes(
        made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, *form)
    )
    with pytest.raises(ValueError, match=r"both\.pem is too short for TLS: make one of 2048 bits"):
        Certificates([(file, file)], lambda: 0)


@pytest.mark.parametrize("web", [True, False])
async def test_the_page_stands_where_web_pages_connect_unless_it_is_switched_off(web: bool) -> None:
    listeners = await opened("ws:127.0.0.1:0", web=web)
    port = int(listeners.addresses[0].rpartition(":")[2])
    seen = []
    for path in ("/", "/ways"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        seen.append((await reader.read()).partition(b"\r\n\r\n")[2])
        writer.close()
        await writer.wait_closed()
    await closed(listeners)
    assert b"How to connect" in seen[1]
    assert seen[0] == (site()["/"].plain if web else seen[1])
