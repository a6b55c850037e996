"""Certificates of a test authority, in certbot's layout: fullchain.pem, privkey.pem."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Authority:
    """A root authority with an intermediate one, like those of public authorities."""

    root: x509.Certificate
    intermediate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


@dataclass(frozen=True)
class Files:
    """The files of a server's certificate, and of its authority."""

    certificate: Path
    key: Path
    ca: Path

    @property
    def pair(self) -> tuple[Path, Path]:
        """The certificate and its key."""
        return self.certificate, self.key

    @property
    def options(self) -> tuple[str, ...]:
        """The server's options for these files."""
        return "--tls-cert", str(self.certificate), "--tls-key", str(self.key)

    @property
    def client(self) -> ssl.SSLContext:
        """The TLS context of a client that trusts only this authority."""
        return ssl.create_default_context(cafile=self.ca)


@cache
def authority() -> Authority:
    """The authority, cached because making its keys takes time."""
    root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root = _signed("Root", root_key, "Root", root_key, ca=True)
    return Authority(root, _signed("Between", key, "Root", root_key, ca=True), key)


def certificate(
    folder: Path, *names: str, days: float = 90, name: str = "", pass_phrase: bytes = b""
) -> Files:
    """Writes the files for a server with these names, by default `localhost` and its addresses."""
    own, ours = ec.generate_private_key(ec.SECP256R1()), authority()
    names = names or ("localhost", "127.0.0.1", "::1")
    leaf = _signed(names[0], own, "Between", ours.key, days=days, names=names)
    folder.mkdir(exist_ok=True)
    files = Files(
        folder / f"{name}fullchain.pem", folder / f"{name}privkey.pem", folder / "authority.pem"
    )
    files.certificate.write_bytes(_pem(leaf) + _pem(ours.intermediate))
    files.key.write_bytes(
        own.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(pass_phrase)
            if pass_phrase
            else serialization.NoEncryption(),
        )
    )
    files.ca.write_bytes(_pem(ours.root))
    return files


def _pem(found: x509.Certificate) -> bytes:
    return found.public_bytes(serialization.Encoding.PEM)


def _signed(
    subject: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: str,
    by: ec.EllipticCurvePrivateKey,
    *,
    ca: bool = False,
    days: float = 90,
    names: tuple[str, ...] = (),
) -> x509.Certificate:
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=100))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()), False)
    )
    if ca:
        usage = x509.KeyUsage(
            digital_signature=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=True,
            crl_sign=True,
            encipher_only=False,
            decipher_only=False,
        )
        builder = builder.add_extension(usage, critical=True)
    else:
        alternatives = x509.SubjectAlternativeName([_name(each) for each in names])
        builder = builder.add_extension(alternatives, critical=False)
    return builder.sign(by, hashes.SHA256())


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
