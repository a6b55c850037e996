"""Authentication: the key of an account, or a guest (RFC 4252).

A client shows its keys first. Under the name of an account, a key of the account logs in. After all
other keys the client is let in as a guest, who may still type `login NAME`. Under another name the
first key suffices: `keys add` then knows it when the guest has registered. A client without keys
comes in by `keyboard-interactive` without a question. So no password ever passes here. `~ann` is a
guest's name, and comes in without showing anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from twisted.conch.ssh.common import NS
from twisted.conch.ssh.keys import BadKeyError, Key
from twisted.conch.ssh.service import SSHService
from twisted.conch.ssh.userauth import (
    MSG_USERAUTH_FAILURE,
    MSG_USERAUTH_PK_OK,
    MSG_USERAUTH_REQUEST,
    MSG_USERAUTH_SUCCESS,
)
from twisted.logger import Logger, LogPublisher

from ...accounts.ssh_keys import BadKey, read_blob
from ...answers import Running
from ...session.session import ClientKey
from .terminal import strings

TRIES = 20
"""Requests of a client after which its next unknown key lets it in as a guest."""
MOST = 30
"""Requests after which the connection is closed."""
SILENT = Logger(observer=LogPublisher())
"""A log for Conch, which would log each mistake of a client with a traceback."""
SIGNED = {"ssh-rsa": ("rsa-sha2-512", "rsa-sha2-256")}
"""The signatures of a type of keys, unless it is the one of the same name. SHA-1 is none."""
OPENSSH = b"SSH-2.0-OpenSSH"
PRESENT = 1
"""The flag of a security key: somebody has touched it."""


class Accounts(Protocol):
    """The accounts of the host."""

    def is_account(self, name: str) -> bool:
        """True if there is an account of that name, ignoring case."""

    async def keys(self, name: str) -> Sequence[bytes]:
        """The SHA-256 hashes of the keys that log in to an account."""


class BadRequest(ValueError):
    """The client breaks the protocol: its connection is closed."""


class Login(SSHService):
    """Lets a client in under a name; calls `entered` with the name and the key, if any."""

    name = b"ssh-userauth"
    transport: Any
    _log = SILENT

    def __init__(
        self, accounts: Accounts, entered: Callable[[str, ClientKey | None], None]
    ) -> None:
        self.protocolMessages = {MSG_USERAUTH_REQUEST: "MSG_USERAUTH_REQUEST"}
        self._accounts = accounts
        self._entered = entered
        self._tries = 0
        self._busy = False
        self._over = False
        self._offered: ClientKey | None = None
        self._strange_keys: set[bytes] = set()

    def serviceStopped(self) -> None:
        """Conch: another service follows, or the connection is closed."""
        self._over = True

    def ssh_USERAUTH_REQUEST(self, packet: bytes) -> None:
        """Conch: the client wants to come in. Raises `BadRequest` and `ValueError`."""
        (user, service, method), rest = strings(packet, 3)
        self._tries += 1
        if service != b"ssh-connection" or self._busy or self._tries > MOST:
            raise BadRequest("a login that will not do")
        name = user.decode("utf-8", "replace")
        if method == b"publickey":
            self._key(name, user, rest)
        elif method == b"keyboard-interactive" or (method == b"none" and name.startswith("~")):
            self._let_in(name, self._offered)
        else:
            self._refuse()

    def _refuse(self, *, again: bool = False) -> None:
        """Goes on to the client's next way in; `again`: after the last, its keys once more.

        OpenSSH gives up after its last key if it may ask nothing (`BatchMode`), and does not say
        which key is the last. After a partial success it shows all keys once more, so that the one
        behind the last is known. Other clients would not show their next key.
        """
        ways = NS(b"publickey,keyboard-interactive")
        partly = again and self.transport.otherVersionString.startswith(OPENSSH)
        self.transport.sendPacket(MSG_USERAUTH_FAILURE, ways + bytes((partly,)))

    def _let_in(self, name: str, key: ClientKey | None) -> None:
        self.transport.sendPacket(MSG_USERAUTH_SUCCESS, b"")
        self._entered(name, key)

    # ----------------------------------------------------------------------------- keys

    def _key(self, name: str, user: bytes, rest: bytes) -> None:
        """The client shows a public key, or has signed with it."""
        (algorithm, blob), signed = strings(rest[1:], 2)
        try:
            key = read_blob(blob)
        except BadKey:
            self._strange(name, algorithm, blob)
            return
        if algorithm.decode("ascii", "replace") not in SIGNED.get(key.kind, (key.kind,)):
            self._strange(name, algorithm, blob)
            return
        self._offered = self._offered or ClientKey(key.kind, key.digest)
        if not self._accounts.is_account(name):
            self._let_in(name, self._offered)
            return
        signature = strings(signed, 1)[0][0] if rest[0] else None
        self._busy = True

        async def look() -> None:
            known = key.digest in await self._accounts.keys(name)
            self._busy = False
            if self._over:
                return
            if not known:
                self._strange(name, algorithm, blob)
            elif signature is None:
                self.transport.sendPacket(MSG_USERAUTH_PK_OK, NS(algorithm) + NS(blob))
            elif is_signed(
                blob, key.kind, algorithm, signature, self._signed(user, algorithm, blob)
            ):
                self._let_in(name, ClientKey(key.kind, key.digest, proved=True))
            else:
                self._refuse()

        Running(look(), self.transport.failed)

    def _signed(self, user: bytes, algorithm: bytes, blob: bytes) -> bytes:
        """The text of a signature (RFC 4252, 7)."""
        parts = NS(user), NS(b"ssh-connection"), NS(b"publickey"), b"\1", NS(algorithm), NS(blob)
        return NS(self.transport.sessionID) + bytes((MSG_USERAUTH_REQUEST,)) + b"".join(parts)

    def _strange(self, name: str, algorithm: bytes, blob: bytes) -> None:
        """Goes on to the client's next key; lets the client in as a guest when it has shown all."""
        shown = _hash(NS(algorithm) + blob)
        if shown in self._strange_keys or self._tries >= TRIES:
            self._let_in(name, self._offered)
        else:
            self._strange_keys.add(shown)
            self._refuse(again=len(self._strange_keys) == 1)


def is_signed(blob: bytes, kind: str, algorithm: bytes, signature: bytes, said: bytes) -> bool:
    """True if `signature` is one of `said` by the owner of a public key."""
    try:
        (by, plain), rest = strings(signature, 2)
        key = Key.fromString(blob)
        if by != algorithm:
            return False
        if kind.startswith("sk-"):
            if len(rest) < 5 or not rest[0] & PRESENT:
                return False
            said = _hash(key.application) + rest[:5] + _hash(said)
        good: bool = key.verify(NS(by) + NS(plain), said)
        return good
    except (BadKeyError, InvalidSignature, UnsupportedAlgorithm, ValueError, IndexError, TypeError):
        return False


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
