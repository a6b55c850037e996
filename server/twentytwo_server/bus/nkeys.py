"""Nkeys: the keys with which servers log in to NATS (Ed25519, written in base 32)."""

from __future__ import annotations

import base64
import binascii
import re

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from twentytwo_protocol.value import Value

_USER = 20 << 3
"""The first byte of a user's public key: as text it begins with U."""
_SEED = (18 << 3 | _USER >> 5, _USER << 3 & 0xFF)
"""The first two bytes of a user's seed: as text it begins with SU."""

_LINES = r"-+BEGIN {}-+\s+(\S+)\s+-+END {}-+"
_JWT = re.compile(_LINES.format(*["NATS USER JWT"] * 2))
_USER_SEED = re.compile(_LINES.format(*["USER NKEY SEED"] * 2))


class Nkey(Value):
    """The key of a user of NATS."""

    public: str
    private: Ed25519PrivateKey

    def sign(self, nonce: str) -> bytes:
        """The signature of what NATS asks for, in base 64."""
        return base64.b64encode(self.private.sign(nonce.encode()))


def read_seed(text: str) -> Nkey:
    """The key with this seed. Raises `ValueError`."""
    text = text.strip()
    raw = base64.b32decode(text + "=" * (-len(text) % 8))
    if len(raw) != 36 or tuple(raw[:2]) != _SEED or _checksum(raw[:-2]) != raw[-2:]:
        raise ValueError
    private = Ed25519PrivateKey.from_private_bytes(raw[2:-2])
    public = bytes((_USER,)) + private.public_key().public_bytes_raw()
    return Nkey(base64.b32encode(public + _checksum(public)).decode().rstrip("="), private)


def read_credentials(text: str) -> tuple[str, Nkey]:
    """The JWT and the key of a credentials file. Raises `ValueError`."""
    jwt, seed = _JWT.search(text), _USER_SEED.search(text)
    if jwt is None or seed is None:
        raise ValueError
    return jwt[1], read_seed(seed[1])


def _checksum(data: bytes) -> bytes:
    return binascii.crc_hqx(data, 0).to_bytes(2, "little")
