"""Proving to a server that we know a password, without sending it: SASL SCRAM-SHA-256."""

from __future__ import annotations

from base64 import b64decode, b64encode

MECHANISM = "SCRAM-SHA-256"


class ScramFailed(ValueError):
    """The server did not prove that it knows the password, or does not speak SCRAM."""


class ScramProof:
    """The client's side of one exchange; every message is in base64.

    `nonce` is a word that nobody can guess, made for this exchange; without one the library draws
    it from the operating system.
    """

    def __init__(self, name: str, password: str, nonce: str | None = None) -> None:
        # Only who logs in waits for this library to be loaded.
        from scramp import ScramClient

        self._client = ScramClient([MECHANISM], name, password, c_nonce=nonce)
        self.first = _base64(self._client.get_client_first())

    def final(self, challenge: str) -> str:
        """The last message, in answer to the server's first. Raises `ScramFailed`."""
        try:
            self._client.set_server_first(b64decode(challenge).decode())
            return _base64(self._client.get_client_final())
        except Exception as wrong:  # the library's own, and what is not base64
            raise ScramFailed(str(wrong)) from None

    def check(self, proof: str) -> None:
        """Takes the server's own proof. Raises `ScramFailed`."""
        try:
            self._client.set_server_final(b64decode(proof).decode())
        except Exception as wrong:
            raise ScramFailed(str(wrong)) from None


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()
