"""The login: with the password or a login token of an account, or as a guest."""

from __future__ import annotations

from collections.abc import Callable

from .scram import SASL_MECHANISM, ScramFailed, ScramProof


class WayIn:
    """One person's login. `secret` makes the nonces that prove a `password`."""

    def __init__(
        self, password: str = "", login_token: str = "", secret: Callable[[], str] | None = None
    ) -> None:
        self._password, self._login_token = password, login_token
        self._secret = secret
        self._proof: ScramProof | None = None

    def command(self, name: str) -> str:
        """The command that logs a name in, or that begins the proof of their password."""
        name = name.lstrip("~")
        if self._password:
            nonce = self._secret() if self._secret is not None else None
            self._proof = ScramProof(name, self._password, nonce)
            return f"auth {SASL_MECHANISM} {self._proof.first}"
        return f"login {name} token={self._login_token}" if self._login_token else f"guest {name}"

    def answer(self, data: str, *, last: bool) -> str:
        """The command that answers the server's message; empty after the `last` one, which is
        verified.

        Raises `ScramFailed` if the server does not know the password.
        """
        if self._proof is None:
            raise ScramFailed("no proof is under way")
        if not last:
            return f"auth {SASL_MECHANISM} {self._proof.final(data)}"
        self._proof.check(data)
        self._proof = None
        return ""
