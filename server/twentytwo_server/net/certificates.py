"""The certificate of a server: two PEM files that may change while it runs, as certbot has them."""

from __future__ import annotations

from collections.abc import Callable
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

SOON = timedelta(days=14)
"""A certificate that ends so soon should have been renewed: certbot does it 30 days before."""


@implementer(IOpenSSLServerConnectionCreator)
class Certificate:
    """A certificate with its chain and its key, read from files; for TLS 1.2 and above.

    `ends` is when it is no longer valid; `wall` is the wall clock, in ms. Raises `ValueError` in
    one line if the files cannot be read or used, when it is made and when it is reloaded; then it
    goes on with what it had.
    """

    def __init__(self, certificate: Path, key: Path, wall: Callable[[], int]) -> None:
        self._files = certificate, key
        self._wall = wall
        self._read()

    def serverConnectionForTLS(self, protocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        """Twisted: the TLS side of a new connection."""
        found: SSL.Connection = self._options.serverConnectionForTLS(protocol)
        return found

    def reload(self) -> str | None:
        """Reads the files anew, for connections made from now on; None if they are as before."""
        before = self._content
        self._read()
        return None if self._content == before else f"the certificate, valid {self.validity}"

    @property
    def validity(self) -> str:
        """Until when it is valid: `until 2026-03-01`."""
        return f"until {self.ends:%Y-%m-%d}"

    @property
    def warning(self) -> str | None:
        """What is to be said in the log of its end, if that is near or past."""
        left = self.ends - datetime.fromtimestamp(self._wall() / 1000, UTC)
        if left > SOON:
            return None
        if left < timedelta():
            return f"The certificate is not valid any more: {self.validity}."
        return f"The certificate is valid {self.validity} only; renew it, then SIGHUP."

    def _read(self) -> None:
        certificate, key = self._files
        content = _content(certificate), _content(key)
        try:
            chain = x509.load_pem_x509_certificates(content[0])
        except ValueError:
            raise ValueError(f"{certificate} is no certificate in PEM form") from None
        try:
            private = load_pem_private_key(content[1], None)
        except (TypeError, ValueError, UnsupportedAlgorithm):
            raise ValueError(f"{key} is no private key in PEM form without a pass phrase") from None
        if private.public_key() != chain[0].public_key():
            raise ValueError(f"{key} is not the key of {certificate}")
        options = CertificateOptions(raiseMinimumTo=TLSVersion.TLSv1_2)
        context = options.getContext()
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
        self._options, self._content, self.ends = options, content, chain[0].not_valid_after_utc


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None
