"""The server's side of SASL SCRAM-SHA-256 (RFC 5802, RFC 7677), with the library `scramp`.

The client proves that it knows the password without sending it, and the server proves that it has
credentials made from that password. The order of messages, each in base64:

    client-first   client to server   name and nonce: `name_in`, then `Exchange(...)`
    server-first   server to client   salt, iteration count, nonce: `Exchange.challenge`
    client-final   client to server   the client's proof: `Exchange.finish` checks it
    server-final   server to client   the server's proof: what `finish` returns

Whoever steals the stored credentials can guess passwords offline, at `ITERATIONS` hashes a guess,
and can pretend to be this server; they cannot log in with them.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from typing import Any

from scramp import ScramException, ScramMechanism
from scramp.utils import saslprep

from twentytwo_protocol.value import Value

SCRAM_MECHANISM = "SCRAM-SHA-256"
ITERATIONS = 100_000
"""The iteration count: the number of hashes for a password, which makes each guess expensive."""


class BadProof(Exception):
    """The client does not know the password, or its message is not SCRAM."""


def prepared(password: str) -> str:
    """The password normalised by SASLprep for hashing (RFC 4013).

    Raises `ValueError` if it contains a character that SASLprep forbids.
    """
    try:
        return str(saslprep(password))
    except ScramException as wrong:
        raise ValueError(str(wrong)) from None


class ScramCredentials(Value):
    """The stored credentials of a password, in the terms of RFC 5802.

    `stored_key` is StoredKey, for checking the client's proof; `server_key` is ServerKey, for
    making the server's proof. `repr` hides both from logs.
    """

    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int

    def __repr__(self) -> str:
        return "ScramCredentials(...)"

    @property
    def text(self) -> str:
        """The stored form: `100000:SALT:STOREDKEY:SERVERKEY`, the last three in base64."""
        parts = (b64encode(part).decode() for part in (self.salt, self.stored_key, self.server_key))
        return ":".join([str(self.iterations), *parts])

    @classmethod
    def from_text(cls, text: str) -> ScramCredentials:
        """Parses the result of `text`."""
        iterations, *parts = text.split(":")
        salt, stored, server = map(b64decode, parts)
        return cls(salt, stored, server, int(iterations))


def secrets_of(password: str, salt: bytes | None = None) -> str:
    """The credentials of a password, as text for storing; `salt` is random unless given.

    It computes `ITERATIONS` hashes: never call it in the event loop.
    """
    info = ScramMechanism(SCRAM_MECHANISM).make_auth_info(password, ITERATIONS, salt)
    return ScramCredentials(*info).text


def dummy_credentials(name: str, secret: bytes) -> ScramCredentials:
    """Credentials for a name without an account; no password matches them.

    A name and a `secret` always give the same credentials, because an account's salt is constant
    too: a changing salt would reveal that there is no account.
    """

    def made(what: str) -> bytes:
        return hmac.digest(secret, f"{what} {name.lower()}".encode(), hashlib.sha256)

    return ScramCredentials(made("salt"), made("stored"), made("server"), ITERATIONS)


def is_first(data: str) -> bool:
    """True if this message of a client, in base64, is a client-first message."""
    try:
        return _text(data).startswith(("n,", "y,", "p="))
    except BadProof:
        return False


def name_in(data: str) -> str:
    """The account named in a client-first message, in base64. Raises `BadProof`."""
    for part in _text(data).split(",")[2:]:
        if part.startswith("n="):
            return part[2:].replace("=2C", ",").replace("=3D", "=")
    raise BadProof("no name")


class Exchange:
    """One login attempt by SCRAM, on the server's side; `finish` may be called once.

    `name` is the account, `credentials` are its stored credentials. `challenge` is the server-first
    message, in base64. `began` is the time of the attempt's beginning, in milliseconds.
    """

    def __init__(
        self, first: str, name: str, credentials: ScramCredentials, nonce: str, began: int = 0
    ) -> None:
        """Takes the client-first message, in base64. Raises `BadProof`.

        `nonce` is the server's part of the nonce: random, and never used twice.
        """
        self.name = name
        self.credentials = credentials
        self.began = began
        info = (
            credentials.salt,
            credentials.stored_key,
            credentials.server_key,
            credentials.iterations,
        )
        self._server: Any = ScramMechanism(SCRAM_MECHANISM).make_server(
            lambda _: info, s_nonce=nonce
        )
        try:
            self._server.set_client_first(_text(first))
            self.challenge = _base64(self._server.get_server_first())
        except ScramException as wrong:
            raise BadProof(str(wrong)) from None

    def finish(self, final: str) -> str:
        """Checks the client-final message, in base64, and returns the server-final message.

        Raises `BadProof` if the client's proof is wrong.
        """
        try:
            self._server.set_client_final(_text(final))
            return _base64(self._server.get_server_final())
        except ScramException as wrong:
            raise BadProof(str(wrong)) from None


def _text(data: str) -> str:
    try:
        return b64decode(data, validate=True).decode()
    except (NotBase64, UnicodeDecodeError, ValueError):
        raise BadProof("not base64 of text") from None


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()
