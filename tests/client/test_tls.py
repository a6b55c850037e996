"""The client over TLS: only a server that proves itself is spoken to, and one line says why not."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.kit import forked
from tests.kit.cases import together
from tests.kit.certificates import Files, certificate
from tests.kit.processes import Server
from twentytwo_client import connect
from twentytwo_client.address import Address, parse
from twentytwo_client.connection import open_streams
from twentytwo_client.trouble import trouble


@dataclass
class Served:
    """Servers with a good certificate, one that is not valid any more, and one without TLS."""

    good: Address
    old: Address
    plain: Address
    files: Files


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("tls")
    files = certificate(folder, "localhost")
    old = certificate(folder, days=-1, name="old")
    options = ("--port", "0", "--listen", "tls:127.0.0.1:0", "--bot-pause", "0")
    with Server(*options, *files.options) as one, Server(*options, *old.options) as other:
        plain, good = one.address(), _tls_port(one)
        other.address()
        yield Served(
            parse(f"tls://localhost:{good}"),
            parse(f"tls://127.0.0.1:{_tls_port(other)}"),
            parse(f"tls://localhost:{plain[1]}"),
            files,
        )


def _tls_port(server: Server) -> int:
    return int(server.first_line().removeprefix("listening on tls:").rpartition(":")[2])


@together(
    ("text", "address"),
    [
        ("tls://cards.example.org", Address("cards.example.org", 2223, tls=True)),
        ("tls://cards.example.org/", Address("cards.example.org", 2223, tls=True)),
        ("tls://h:5", Address("h", 5, tls=True)),
        ("tls://[::1]:5", Address("::1", 5, tls=True)),
        ("tls://::1", Address("::1", 2223, tls=True)),
    ],
)
def test_addresses_with_tls_are_read_and_written(text: str, address: Address) -> None:
    assert parse(text) == address
    assert parse(str(address)) == address


def test_who_is_sent_elsewhere_goes_there_no_less_secretly() -> None:
    here = Address("a", tls=True, ca="x")
    assert parse("b:5").sent_from(here) == Address("b", 5, tls=True, ca="x")
    assert parse("tls://b").sent_from(Address("a")) == Address("b", 2223, tls=True)
    assert parse("b:5").sent_from(Address("a")) == Address("b", 5)


def refusals(served: Served) -> list[tuple[Address, str]]:
    ca = str(served.files.ca)
    return [
        (served.good, "its certificate will not do: nobody who is trusted here has signed it"),
        (
            replace(served.good, host="127.0.0.1", ca=ca),
            "its certificate will not do: IP address mismatch",
        ),
        (replace(served.old, ca=ca), "its certificate will not do: certificate has expired"),
        (replace(served.plain, ca=ca), "it does not speak TLS there"),
    ]


async def test_a_server_that_does_not_prove_itself_is_not_spoken_to(served: Served) -> None:
    for address, why in refusals(served):
        with pytest.raises(OSError) as raised:
            async with connect(str(address), name="ann", ca=address.ca):
                pass
        assert trouble(raised.value).startswith(why)
        with pytest.raises(OSError) as raised:
            await open_streams(address)
        assert trouble(raised.value).startswith(why)


async def test_a_bot_plays_over_tls(served: Served) -> None:
    async with connect(str(served.good), name="ann", ca=str(served.files.ca)) as server:
        table = await server.practice()
        assert not table.gone


def _client(*options: str, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return forked.run("-m", "twentytwo_client", "play", *options, text=typed, env=os.environ | env)


def test_a_person_plays_with_an_authority_that_the_system_trusts(
    served: Served, tmp_path: Path
) -> None:
    env = {"XDG_STATE_HOME": str(tmp_path), "SSL_CERT_FILE": str(served.files.ca)}
    done = _client(str(served.good), "--name", "ann", typed="practice level=easy\n", **env)
    assert "*** A game of Twenty-Two begins" in done.stdout, done.stderr
    assert done.returncode == 0


def test_what_is_wrong_is_one_line(served: Served, tmp_path: Path) -> None:
    done = _client(str(served.good), "--name", "ann", XDG_STATE_HOME=str(tmp_path))
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"Could not connect to {served.good}: its certificate will not do")
    done = _client("tls://localhost", "--ca", str(served.files.key))
    assert f"{served.files.key}: no certificate in it" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_server_is_checked_over_tls_and_has_to_prove_itself_first(served: Served) -> None:
    def conform(*words: str) -> tuple[int, str]:
        done = forked.run("-m", "twentytwo_client", "conform", *words)
        return done.returncode, done.stdout + done.stderr

    trusting = ("--ca", str(served.files.ca))
    status, said = conform(str(served.good), *trusting, "--id", "M7", "--id", "S3")
    assert (status, "over TLS nobody closes only one half" in said) == (0, True), said
    assert conform(str(served.good), "--id", "M7")[0] == 3
    assert conform(str(served.plain), *trusting, "--id", "M7")[0] == 3
