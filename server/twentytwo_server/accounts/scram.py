"""The server's side of SASL SCRAM-SHA-256 (RFC 5802, RFC 7677), by the library `scramp`.

The client proves that it knows the password without sending it, and the server proves that it
knows it too. What is kept of a password for this is a salt, a number of rounds and two keys.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from typing import Any

from scramp import ScramException, ScramMechanism
from scramp.utils import saslprep

MECHANISM = "SCRAM-SHA-256"
ROUNDS = 100_000
"""How often a password is hashed: what somebody who stole the keys has to do for each guess."""


class BadProof(Exception):
    """The client does not know the password, or does not speak SCRAM."""


def prepared(password: str) -> str:
    """The password as it is hashed (RFC 4013). Raises `ValueError` where it cannot be."""
    try:
        return str(saslprep(password))
    except ScramException as wrong:
        raise ValueError(str(wrong)) from None


@dataclass(frozen=True, slots=True)
class Keys:
    """What is kept of a password."""

    salt: bytes
    stored: bytes
    server: bytes
    rounds: int

    def __repr__(self) -> str:
        return "Keys(...)"

    @property
    def text(self) -> str:
        """As text: `100000:SALT:STORED:SERVER`, in base64."""
        parts = (b64encode(part).decode() for part in (self.salt, self.stored, self.server))
        return ":".join([str(self.rounds), *parts])

    @classmethod
    def of(cls, text: str) -> Keys:
        """What `text` wrote."""
        rounds, *parts = text.split(":")
        salt, stored, server = map(b64decode, parts)
        return cls(salt, stored, server, int(rounds))


def secrets_of(password: str, salt: bytes | None = None) -> str:
    """What is kept of a password for SCRAM, as text; the salt is chance unless it is given."""
    info = ScramMechanism(MECHANISM).make_auth_info(password, ROUNDS, salt)
    return Keys(*info).text


def dummy_keys(name: str, secret: bytes) -> Keys:
    """Keys for a name that is no account's: always the same, and opened by no password."""

    def made(what: str) -> bytes:
        return hmac.digest(secret, f"{what} {name.lower()}".encode(), hashlib.sha256)

    return Keys(made("salt"), made("stored"), made("server"), ROUNDS)


def is_first(data: str) -> bool:
    """Whether a message of a client, in base64, begins an exchange."""
    try:
        return _text(data).startswith(("n,", "y,", "p="))
    except BadProof:
        return False


def name_in(data: str) -> str:
    """The account that a client's first message, in base64, names. Raises `BadProof`."""
    for part in _text(data).split(",")[2:]:
        if part.startswith("n="):
            return part[2:].replace("=2C", ",").replace("=3D", "=")
    raise BadProof("no name")


class Exchange:
    """One exchange, as the server sees it: for the account of that `name`, made from its `keys`.

    `began` is when, in milliseconds.
    """

    def __init__(self, first: str, name: str, keys: Keys, nonce: str, began: int = 0) -> None:
        """Takes the client's first message, in base64. Raises `BadProof`."""
        self.name = name
        self.keys = keys
        self.began = began
        info = (keys.salt, keys.stored, keys.server, keys.rounds)
        self._server: Any = ScramMechanism(MECHANISM).make_server(lambda _: info, s_nonce=nonce)
        try:
            self._server.set_client_first(_text(first))
            self.challenge = _base64(self._server.get_server_first())
        except ScramException as wrong:
            raise BadProof(str(wrong)) from None

    def finish(self, final: str) -> str:
        """Takes the client's last message; the server's own proof. Raises `BadProof`."""
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
