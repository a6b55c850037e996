"""The certificates of a server: PEM files that may change at run time, as certbot's do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from OpenSSL import SSL
from twisted.internet.interfaces import IOpenSSLServerConnectionCreator
from twisted.internet.ssl import CertificateOptions, TLSVersion
from twisted.protocols.tls import TLSMemoryBIOProtocol
from zope.interface import implementer

from twentytwo_protocol.value import Value

from .listeners import LowestTls

SOON = timedelta(days=14)
"""Time before the expiry from which to warn: certbot renews 30 days before."""


_TWISTED = {LowestTls.TLS_1_2: TLSVersion.TLSv1_2, LowestTls.TLS_1_3: TLSVersion.TLSv1_3}


@implementer(IOpenSSLServerConnectionCreator)
class Certificates:
    """The certificates of a server, each a pair of files: with its chain, and its key.

    A client that sends a server name (SNI) gets the first certificate with that name; any other
    client gets the first of all. `wall` is the wall clock, in ms. The constructor and `reload`
    raise `ValueError` in one line if files cannot be read or used; after a failed `reload` all old
    certificates stay.
    """

    def __init__(
        self,
        files: Sequence[tuple[Path, Path]],
        wall: Callable[[], int],
        lowest: LowestTls = LowestTls.TLS_1_2,
    ) -> None:
        self._files = files
        self._wall = wall
        self._lowest = lowest
        self.all: tuple[Certificate, ...] = ()
        self._read()

    def serverConnectionForTLS(self, protocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        """Twisted: the TLS side of a new connection."""
        return SSL.Connection(self.all[0].context, None)

    def reload(self) -> str | None:
        """Reads the files again, for new connections; None if nothing has changed."""
        before = [each.content for each in self.all]
        self._read()
        new = [each for each in self.all if each.content not in before]
        if not new:
            return None
        return "the certificate, valid " + ", ".join(each.validity for each in new)

    def warnings(self) -> Iterator[str]:
        """A log line for each certificate that expires soon or has expired."""
        for each in self.all:
            left = each.ends - datetime.fromtimestamp(self._wall() / 1000, UTC)
            if left <= SOON:
                now = "is valid" if left > timedelta() else "is not valid any more, only"
                yield f"The certificate {each.file} {now} {each.validity}; renew it, then SIGHUP."

    def _read(self) -> None:
        found = tuple(_read(*files, self._lowest) for files in self._files)
        for each in found:
            each.context.set_tlsext_servername_callback(self._choose)
        self.all = found

    def _choose(self, connection: SSL.Connection) -> None:
        named = connection.get_servername()
        if named is None:
            return
        name = named.decode("ascii", "replace").lower()
        found = next((each for each in self.all if each.is_for(name)), None)
        if found is not None:
            connection.set_context(found.context)


class Certificate(Value):
    """A loaded certificate with its DNS names and its expiry time."""

    file: Path
    content: tuple[bytes, bytes]
    context: SSL.Context
    names: frozenset[str]
    ends: datetime

    @property
    def validity(self) -> str:
        """Its last day: `until 2026-03-01`."""
        return f"until {self.ends:%Y-%m-%d}"

    def is_for(self, name: str) -> bool:
        """True if it has that name, or a `*` in the place of its first label (RFC 9525, 6.3)."""
        _, dot, rest = name.partition(".")
        return name in self.names or f"*{dot}{rest}" in self.names


def _read(file: Path, key: Path, lowest: LowestTls) -> Certificate:
    content = _content(file), _content(key)
    try:
        chain = x509.load_pem_x509_certificates(content[0])
    except ValueError:
        raise ValueError(f"{file} is no certificate in PEM form") from None
    try:
        private = load_pem_private_key(content[1], None)
    except (TypeError, ValueError, UnsupportedAlgorithm):
        raise ValueError(f"{key} is no private key in PEM form without a pass phrase") from None
    if private.public_key() != chain[0].public_key():
        raise ValueError(f"{key} is not the key of {file}")
    context = CertificateOptions(raiseMinimumTo=_TWISTED[lowest]).getContext()
    context.set_options(SSL.OP_NO_RENEGOTIATION)
    try:
        context.use_certificate(chain[0])
        for each in chain[1:]:
            context.add_extra_chain_cert(each)
        context.use_privatekey(private)  # type: ignore[arg-type]  # others raise TypeError
    except (SSL.Error, TypeError) as error:
        if "key too small" in str(error):
            raise ValueError(f"{key} is too short for TLS: make one of 2048 bits") from None
        raise ValueError(f"{key} is of a kind that TLS does not use") from None
    return Certificate(file, content, context, _names(chain[0]), chain[0].not_valid_after_utc)


def _names(certificate: x509.Certificate) -> frozenset[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (x509.ExtensionNotFound, ValueError):
        return frozenset()
    return frozenset(name.lower() for name in found.value.get_values_for_type(x509.DNSName))


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None
