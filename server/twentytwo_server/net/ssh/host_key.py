"""The key by which clients of SSH recognize this server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from twisted.conch.ssh.keys import BadKeyError, EncryptedKeyError, Key

from ...accounts.ssh_keys import read_blob


def host_key(file: Path | None) -> Any:
    """The key in the file, made at the first start; without a file a new one for each start.

    Raises `ValueError` in one line.
    """
    if file is None:
        return _new()
    try:
        return _read(file)
    except FileNotFoundError:
        return _made(file)
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None


def _new() -> Any:
    return Key(Ed25519PrivateKey.generate())


def _read(file: Path) -> Any:
    text = file.read_bytes()
    try:
        found = Key.fromString(text)
    except EncryptedKeyError:
        raise ValueError(f"{file}: must be a key without a passphrase") from None
    except (BadKeyError, ValueError, TypeError):
        raise ValueError(f"{file}: must be a private key of SSH, as ssh-keygen makes it") from None
    if found.isPublic():
        raise ValueError(f"{file}: is the public key; the server needs the private one")
    return found


def _made(file: Path) -> Any:
    """Makes a key and its file, which only this user can read; the file is whole or not there."""
    key = _new()
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(key.toString("openssh", subtype="v1"))
            out.flush()
            os.fsync(out.fileno())
        partial.rename(file)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise ValueError(f"{file}: {error.strerror}") from None
    return key


def shown(key: Any) -> str:
    """The fingerprint of a key as OpenSSH shows it."""
    return read_blob(key.public().blob()).fingerprint
