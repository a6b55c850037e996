"""Authentication: the key of an account, or a guest (RFC 4252).

A name without an account is let in at once, as a guest. Under the name of an account a client shows
its keys first: a key of the account logs in. A client without one is let in as a guest afterwards,
who may still type `login NAME`. So no password ever passes here, and nobody is refused.
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

from ...accounts.ssh_keys import BadKey, PublicKey, read_blob
from ...answers import start
from ...session.session import ClientKey
from .terminal import strings

TRIES = 20
"""Keys that a client may show: after that many it has only the way in as a guest."""
MOST = 30
"""Requests after which the connection is closed."""
SILENT = Logger(observer=LogPublisher())
"""A log for Conch, which would log each mistake of a client with a traceback."""
SIGNED = {"ssh-rsa": ("rsa-sha2-512", "rsa-sha2-256")}
"""The signatures of a type of keys, unless it is the one of the same name. SHA-1 is none."""
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
        elif method == b"keyboard-interactive" or (
            method == b"none" and not self._accounts.is_account(name)
        ):
            self._let_in(name, self._offered)
        else:
            self._refuse()

    def _refuse(self) -> None:
        ways = [b"publickey"] if self._tries < TRIES else []
        ways.append(b"keyboard-interactive")
        self.transport.sendPacket(MSG_USERAUTH_FAILURE, NS(b",".join(ways)) + b"\0")

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
            self._refuse()
            return
        if algorithm.decode("ascii", "replace") not in SIGNED.get(key.kind, (key.kind,)):
            self._refuse()
            return
        self._offered = self._offered or ClientKey(key.kind, key.digest)
        self._busy = True
        if not rest[0]:
            self._then(name, key, lambda: self._take(algorithm, blob))
            return
        (signature,), _ = strings(signed, 1)
        said = b"".join((NS(self.transport.sessionID), bytes((MSG_USERAUTH_REQUEST,)), NS(user)))
        said += NS(b"ssh-connection") + NS(b"publickey") + b"\1" + NS(algorithm) + NS(blob)

        def check() -> None:
            if is_signed(blob, key.kind, algorithm, signature, said):
                self._let_in(name, ClientKey(key.kind, key.digest, proved=True))
            else:
                self._refuse()

        self._then(name, key, check)

    def _take(self, algorithm: bytes, blob: bytes) -> None:
        """Asks for a signature with a key of the account."""
        self.transport.sendPacket(MSG_USERAUTH_PK_OK, NS(algorithm) + NS(blob))

    def _then(self, name: str, key: PublicKey, go_on: Callable[[], None]) -> None:
        """Calls `go_on` if the key is one of the account's, and refuses it otherwise."""

        async def look() -> None:
            known = key.digest in await self._accounts.keys(name)
            self._busy = False
            if self._over:
                return
            if known:
                go_on()
            else:
                self._refuse()

        start(look(), self.transport.failed)


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
