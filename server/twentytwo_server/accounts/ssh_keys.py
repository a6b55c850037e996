"""Public keys of SSH: reads a line of `id_ed25519.pub`; shows fingerprints as OpenSSH does."""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterator

from twentytwo_protocol.value import Value

SSH_KEY_TYPES = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ssh-rsa",
)
"""The types of keys that log in; those that begin with `sk-` are in a security key."""
RSA = range(2048, 8193)
"""The lengths of RSA keys in bits: shorter ones are weak, and longer ones take long to check."""


class BadKey(ValueError):
    """The text or bytes are no public key that can log in; the message is for its owner."""


class PublicKey(Value):
    """A public key: its type, the SHA-256 hash of its bytes, and its comment."""

    kind: str
    digest: bytes
    comment: str = ""

    @property
    def fingerprint(self) -> str:
        """The fingerprint as OpenSSH shows it: `SHA256:...`."""
        return fingerprint(self.digest)


def fingerprint(digest: bytes) -> str:
    """The SHA-256 hash of a public key as OpenSSH shows it."""
    return f"SHA256:{b64encode(digest).decode().rstrip('=')}"


def read_line(line: str) -> PublicKey:
    """Reads a public key as in a file `.pub`: type, base64, comment. Raises `BadKey`."""
    if "PRIVATE KEY" in line:
        raise BadKey("That is the private key, which you must show to nobody; type the .pub file.")
    kind, _, rest = line.strip().partition(" ")
    text, _, comment = rest.strip().partition(" ")
    if kind not in SSH_KEY_TYPES:
        raise BadKey(f"A public key begins with its type, such as {SSH_KEY_TYPES[0]}.")
    try:
        key = read_blob(b64decode(text, validate=True))
    except Error:
        raise BadKey("That public key is not complete.") from None
    if key.kind != kind:
        raise BadKey("That public key is of another type than it says.")
    return PublicKey(kind, key.digest, comment.strip())


def read_blob(blob: bytes) -> PublicKey:
    """Reads a public key as clients send it (RFC 4253, 6.6). Raises `BadKey`."""
    parts = list(_parts(blob))
    kind = parts[0].decode("ascii", "replace") if parts else ""
    if kind not in SSH_KEY_TYPES or len(parts) < 2:
        raise BadKey("Keys of that type cannot log in here.")
    if kind == "ssh-rsa" and 8 * len(parts[-1].lstrip(b"\0")) not in RSA:
        raise BadKey(f"An RSA key must have {RSA.start} to {RSA.stop - 1} bits.")
    return PublicKey(kind, hashlib.sha256(blob).digest())


def _parts(blob: bytes) -> Iterator[bytes]:
    """The strings that the bytes consist of. Raises `BadKey`."""
    while blob:
        size = int.from_bytes(blob[:4])
        part, blob = blob[4 : 4 + size], blob[4 + size :]
        if len(part) < size or not size:
            raise BadKey("That public key is not complete.")
        yield part
