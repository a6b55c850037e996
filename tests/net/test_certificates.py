"""Several certificates: which one a client gets, when they are read anew, the lowest TLS."""

from __future__ import annotations

import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from OpenSSL import SSL

from tests.kit.certificates import certificate
from twentytwo_server.net.certificates import Certificates
from twentytwo_server.net.listeners import LowestTls

NAMES = {
    "cards": ("cards.example.org", "Play.example.org"),
    "wild": ("*.example.net",),
    "later": ("cards.example.org",),
}


def written(folder: Path, **days: float) -> list[tuple[Path, Path]]:
    """The files of a certificate for each of `NAMES`."""
    found = [
        certificate(folder, *names, name=name, days=days.get(name, 90))
        for name, names in NAMES.items()
    ]
    return [(each.certificate, each.key) for each in found]


def shaken(served: Certificates, name: str | None, **limits: Any) -> tuple[str, str]:
    """A handshake in memory: the first name in the certificate that came, and the version."""
    server = served.serverConnectionForTLS(None)  # type: ignore[arg-type]  # Twisted passes its own
    server.set_accept_state()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    for limit, value in limits.items():
        setattr(context, limit, value)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(incoming, outgoing, server_hostname=name)
    for _ in range(4):
        with suppress(ssl.SSLWantReadError):
            client.do_handshake()
        if said := outgoing.read():
            server.bio_write(said)
        with suppress(SSL.WantReadError):
            server.do_handshake()
        with suppress(SSL.WantReadError):
            incoming.write(server.bio_read(1 << 16))
    sent = client.getpeercert(binary_form=True)
    assert sent is not None
    found = x509.load_der_x509_certificate(sent).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    return found.value.get_values_for_type(x509.DNSName)[0], str(client.version())


@pytest.mark.parametrize(
    ("asked", "got"),
    [
        (None, "cards.example.org"),
        ("unknown.example.com", "cards.example.org"),
        ("play.EXAMPLE.org", "cards.example.org"),
        ("tables.example.net", "*.example.net"),
        ("a.tables.example.net", "cards.example.org"),
        ("example.net", "cards.example.org"),
    ],
)
def test_a_client_gets_the_certificate_with_the_name_that_it_asks_for(
    tmp_path: Path, asked: str | None, got: str
) -> None:
    served = Certificates(written(tmp_path), lambda: 0)
    assert shaken(served, asked)[0] == got


def test_all_are_read_anew_or_none(tmp_path: Path) -> None:
    files = written(tmp_path)
    served = Certificates(files, lambda: 0)
    assert served.reload() is None
    before = served.all
    written(tmp_path, wild=30)
    later = files[2][1].read_bytes()
    files[2][1].write_text("nonsense")
    with pytest.raises(ValueError, match=r"laterprivkey\.pem is no private key"):
        served.reload()
    assert served.all == before
    files[2][1].write_bytes(later)
    ends = f"{served.all[1].ends:%Y-%m-%d}"
    told = served.reload()
    assert told is not None and told.count("until") == 3 and ends not in told.split(", ")[2]
    assert shaken(served, "tables.example.net")[0] == "*.example.net"


def test_the_lowest_version_is_as_it_is_set(tmp_path: Path) -> None:
    files = written(tmp_path)
    older = {"maximum_version": ssl.TLSVersion.TLSv1_2}
    usual, strict = (Certificates(files, lambda: 0, lowest) for lowest in LowestTls)
    assert shaken(usual, "cards.example.org", **older)[1] == "TLSv1.2"
    assert shaken(usual, "cards.example.org")[1] == "TLSv1.3"
    assert shaken(strict, "cards.example.org")[1] == "TLSv1.3"
    with pytest.raises((ssl.SSLError, SSL.Error)):
        shaken(strict, "cards.example.org", **older)
