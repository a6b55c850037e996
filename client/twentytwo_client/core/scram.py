"""The client's side of SASL SCRAM-SHA-256 (RFC 5802): proves a password without sending it.

Send `first`, then `final(challenge)`, then `check` the server's proof. Trust the server only after
`check`: a server that has never seen the password fails there.
"""

from __future__ import annotations

from base64 import b64decode, b64encode

SASL_MECHANISM = "SCRAM-SHA-256"


class ScramFailed(ValueError):
    """The server could not prove itself, or its message is not SCRAM."""


class ScramProof:
    """The client's side of one exchange, in base64. `first` is the client-first message.

    `nonce` must be unguessable and used once; without it the library makes one.
    """

    def __init__(self, name: str, password: str, nonce: str | None = None) -> None:
        # A late import: it is slow, and few runs log in.
        from scramp import ScramClient

        self._client = ScramClient([SASL_MECHANISM], name, password, c_nonce=nonce)
        self.first = _base64(self._client.get_client_first())

    def final(self, challenge: str) -> str:
        """The client-final message, in answer to server-first. Raises `ScramFailed`."""
        try:
            self._client.set_server_first(b64decode(challenge).decode())
            return _base64(self._client.get_client_final())
        except Exception as wrong:  # the errors of the library and of base64
            raise ScramFailed(str(wrong)) from None

    def check(self, proof: str) -> None:
        """Checks the server-final message, the server's proof. Raises `ScramFailed`."""
        try:
            self._client.set_server_final(b64decode(proof).decode())
        except Exception as wrong:
            raise ScramFailed(str(wrong)) from None


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()
