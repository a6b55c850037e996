"""The HTTP handshake of a WebSocket, and the page for other HTTP requests.

It takes bytes and returns answers: h11 reads HTTP, wsproto checks the handshake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import h11
from wsproto import ConnectionType
from wsproto.connection import Connection
from wsproto.events import AcceptConnection, Request
from wsproto.handshake import H11Handshake
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from twentytwo_protocol.value import Value

from .server_names import MISDIRECTED, UNKNOWN, ServerNames

LONGEST = 16_384
"""Maximum bytes of a request; browsers with many cookies send 8,000."""
SUBPROTOCOL = "cardline.1"
"""The optional `Sec-WebSocket-Protocol` of clients."""

_HOST = re.compile(r"[A-Za-z0-9.:\[\]_-]{1,255}")


class HttpAnswer(Value):
    """The answer to a client that gets no WebSocket, before its connection is closed."""

    data: bytes


class Upgraded(Value):
    """A successful handshake: the answer, the frame parser, and the frames received so far.

    `forwarded` are the addresses of X-Forwarded-For, the nearest last; `https` is True if
    X-Forwarded-Proto reports HTTPS. Any client can forge both.
    """

    data: bytes
    frames: Connection
    rest: bytes
    forwarded: tuple[str, ...]
    https: bool


class Handshake:
    """Reads one request.

    `origins` are the pages that may connect, `names` the names of the server. `page` makes the page
    for a host name, and for whether the request came by HTTPS.
    """

    def __init__(
        self, page: Callable[[str, bool], str], origins: Sequence[str], names: ServerNames
    ) -> None:
        self._page = page
        self._origins = origins
        self._names = names
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=LONGEST)
        self._data = b""

    def receive(self, data: bytes) -> HttpAnswer | Upgraded | None:
        """Takes bytes, cut anywhere; returns None until the request is complete."""
        self._data += data
        try:
            self._http.receive_data(data)
            event = self._http.next_event()
        except h11.RemoteProtocolError as error:
            return self._answer(error.error_status_hint, "This is no HTTP.")
        if not isinstance(event, h11.Request):
            return None
        fields = [(name.decode(), value.decode("latin-1")) for name, value in event.headers]
        headers = dict(fields)
        if "websocket" in headers.get("upgrade", "").lower():
            if len([name for name, _ in fields if name == "origin"]) > 1:
                return self._answer(400, "A page is from one place: one Origin.")
            forwarded = [value for name, value in fields if name == "x-forwarded-for"]
            return self._upgrade(headers, _listed(forwarded))
        if event.method not in (b"GET", b"HEAD"):
            return self._answer(405, "Only GET.", ("Allow", "GET, HEAD"))
        if event.target.partition(b"?")[0] != b"/":
            return self._answer(404, "Nothing is here; see /.")
        host = headers.get("host", "")
        if host and host not in self._names:
            return self._answer(MISDIRECTED, UNKNOWN, head=event.method == b"HEAD")
        https = headers.get("x-forwarded-proto", "") == "https"
        page = self._page(host if _HOST.fullmatch(host) else "", https)
        return self._answer(200, page, kind="text/html", head=event.method == b"HEAD")

    def _upgrade(
        self, headers: dict[str, str], forwarded: tuple[str, ...]
    ) -> HttpAnswer | Upgraded:
        if not self._welcome(headers.get("origin"), headers.get("host", "")):
            return self._answer(403, "This server does not let pages from elsewhere connect.")
        handshake = H11Handshake(ConnectionType.SERVER)
        try:
            handshake.receive_data(self._data)
            (request,) = handshake.events()
            assert isinstance(request, Request)
            offered = SUBPROTOCOL if SUBPROTOCOL in request.subprotocols else None
            data = handshake.send(AcceptConnection(subprotocol=offered))
        except (RemoteProtocolError, LocalProtocolError, UnicodeError) as error:
            hint = getattr(error, "event_hint", None)
            status = getattr(hint, "status_code", 400)
            version = ("Sec-WebSocket-Version", "13")
            return self._answer(status, "This is no handshake of WebSocket.", version)
        assert handshake.connection is not None
        return Upgraded(
            data,
            handshake.connection,
            self._http.trailing_data[0],
            forwarded,
            headers.get("x-forwarded-proto", "") == "https",
        )

    def _welcome(self, origin: str | None, host: str) -> bool:
        """True if a page may connect: a browser sends its origin, other programs send none.

        A page of this server comes from the host that the browser asks, under a name of the server.
        """
        if origin is None or origin in self._origins or "*" in self._origins:
            return True
        try:
            own = urlsplit(origin).netloc.lower() == host.lower()
            return own and host in self._names
        except ValueError:
            return False

    def _answer(
        self,
        status: int,
        text: str,
        *more: tuple[str, str],
        kind: str = "text/plain",
        head: bool = False,
    ) -> HttpAnswer:
        return answer(status, text, *more, kind=kind, http=self._http, head=head)


def _listed(values: Sequence[str]) -> tuple[str, ...]:
    """The parts of a list header; one empty part if the header is missing."""
    parts = [part.strip() for value in values for part in value.split(",")]
    return tuple(filter(None, parts)) or tuple(parts[:1])


def answer(
    status: int,
    text: str,
    *more: tuple[str, str],
    kind: str = "text/plain",
    http: h11.Connection | None = None,
    head: bool = False,
) -> HttpAnswer:
    """An answer after which the connection is closed, to the request that `http` has read.

    `head`: only the headers were asked for.
    """
    http = http or h11.Connection(h11.SERVER)
    body = text.encode() + (b"" if kind == "text/html" else b"\n")
    headers = [
        ("Content-Type", f"{kind}; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
        ("X-Content-Type-Options", "nosniff"),
        ("Connection", "close"),
        *more,
    ]
    parts = [http.send(h11.Response(status_code=status, headers=headers))]
    if not head:
        parts += [http.send(h11.Data(data=body)), http.send(h11.EndOfMessage())]
    return HttpAnswer(b"".join(part for part in parts if part))
