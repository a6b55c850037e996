"""The HTTP before a WebSocket: the files of the page, and the handshake.

It takes bytes and returns answers: h11 reads HTTP, wsproto checks the handshake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import unquote, urlsplit

import h11
from wsproto import ConnectionType
from wsproto.connection import Connection
from wsproto.events import AcceptConnection, Request
from wsproto.handshake import H11Handshake
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from twentytwo_protocol.value import Value

from .server_names import MISDIRECTED, UNKNOWN, ServerNames
from .site import POLICY, Site, SiteFile

LARGEST_REQUEST = 16_384
"""Maximum bytes of a request; browsers with many cookies send 8,000. Requests that wait for the
answers before them may have as many together.
"""
MOST_REQUESTS = 100
"""Requests on a connection: a page with all its files takes fewer."""
SUBPROTOCOL = "cardline.1"
"""The optional `Sec-WebSocket-Protocol` of clients."""
WAYS_PATH = "/ways"
"""The path of the page that explains how to connect."""

_HOST = re.compile(r"[A-Za-z0-9.:\[\]_-]{1,255}")
_GZIP = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)", re.IGNORECASE)


class HttpAnswer(Value):
    """The answer to a request that is no handshake; the connection is closed after the `last`."""

    data: bytes
    last: bool = True


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


class Requests:
    """Reads the requests of a connection one by one, up to a successful handshake.

    `ways` makes the page that explains how to connect, for a host name, and for whether the request
    came by HTTPS. It stands at `/` if the `site` is empty. `origins` are the pages that may
    connect, `names` the names of the server.
    """

    def __init__(
        self,
        ways: Callable[[str, bool], str],
        site: Site,
        origins: Sequence[str],
        names: ServerNames,
    ) -> None:
        self._ways = ways
        self._site = site
        self._origins = origins
        self._names = names
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_REQUEST)
        self._data = b""
        self._left = MOST_REQUESTS
        self._head = False

    def receive(self, data: bytes) -> int:
        """Takes bytes, cut anywhere; returns how many are held."""
        self._data += data
        self._http.receive_data(data)
        return len(self._data)

    @property
    def idle(self) -> bool:
        """True if no part of a request is there."""
        return not self._data

    def next(self) -> HttpAnswer | Upgraded | None:
        """The answer to the next request; None until the request is complete."""
        try:
            event = self._http.next_event()
        except h11.RemoteProtocolError as error:
            return self._text(error.error_status_hint, "This is no HTTP.")
        if not isinstance(event, h11.Request):
            return None
        self._left -= 1
        self._head = event.method == b"HEAD"
        fields = [(name.decode(), value.decode("latin-1")) for name, value in event.headers]
        headers = dict(fields)
        if "websocket" in headers.get("upgrade", "").lower():
            if len([name for name, _ in fields if name == "origin"]) > 1:
                return self._text(400, "A page is from one place: one Origin.")
            forwarded = [value for name, value in fields if name == "x-forwarded-for"]
            return self._upgrade(headers, _listed(forwarded))
        if event.method not in (b"GET", b"HEAD"):
            return self._text(405, "Only GET.", ("Allow", "GET, HEAD"))
        host = headers.get("host", "")
        if host and host not in self._names:
            return self._text(MISDIRECTED, UNKNOWN)
        # A path is only looked up among the files of the start: none leads anywhere else.
        path = unquote(event.target.partition(b"?")[0].decode())
        if path in self._site:
            return self._file(self._site[path], headers)
        if path not in (WAYS_PATH, "/"):
            return self._text(404, "Nothing is here; see /.")
        https = headers.get("x-forwarded-proto", "") == "https"
        page = self._ways(host if _HOST.fullmatch(host) else "", https)
        return self._text(200, page, kind="text/html")

    def _file(self, file: SiteFile, headers: dict[str, str]) -> HttpAnswer:
        packed = file.packed if _GZIP.search(headers.get("accept-encoding", "")) else None
        tag = f'"{file.tag}"' if packed is None else f'"{file.tag}.gzip"'
        known = {
            each.strip().removeprefix("W/") for each in headers.get("if-none-match", "").split(",")
        }
        about = [
            ("ETag", tag),
            ("Cache-Control", "no-cache"),
            ("Vary", "Accept-Encoding"),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if not self._another():
            about.append(("Connection", "close"))
        if known.isdisjoint((tag, "*")):
            body = file.plain if packed is None else packed
            about += [("Content-Type", file.kind), ("Content-Length", str(len(body)))]
            about += [] if packed is None else [("Content-Encoding", "gzip")]
            found = _reply(self._http, 200, about, b"" if self._head else body)
        else:
            found = _reply(self._http, 304, about, b"")
        if not found.last:
            self._http.start_next_cycle()
            self._data = self._http.trailing_data[0]
        return found

    def _another(self) -> bool:
        """True if another request may follow. A request with a body is the last."""
        try:
            return isinstance(self._http.next_event(), h11.EndOfMessage) and self._left > 0
        except h11.RemoteProtocolError:
            return False

    def _upgrade(
        self, headers: dict[str, str], forwarded: tuple[str, ...]
    ) -> HttpAnswer | Upgraded:
        if not self._welcome(headers.get("origin"), headers.get("host", "")):
            return self._text(403, "This server does not let pages from elsewhere connect.")
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
            return self._text(status, "This is no handshake of WebSocket.", version)
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

    def _text(
        self, status: int, text: str, *more: tuple[str, str], kind: str = "text/plain"
    ) -> HttpAnswer:
        return answer(status, text, *more, kind=kind, http=self._http, head=self._head)


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
    """A text after which the connection is closed, to the request that `http` has read.

    `head`: only the headers were asked for.
    """
    body = text.encode() + (b"" if kind == "text/html" else b"\n")
    headers = [
        ("Content-Type", f"{kind}; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
        ("X-Content-Type-Options", "nosniff"),
        ("Connection", "close"),
        *more,
    ]
    return _reply(http or h11.Connection(h11.SERVER), status, headers, b"" if head else body)


def _reply(
    http: h11.Connection, status: int, headers: list[tuple[str, str]], body: bytes
) -> HttpAnswer:
    parts = [http.send(h11.Response(status_code=status, headers=headers))]
    parts += [http.send(h11.Data(data=body)), http.send(h11.EndOfMessage())]
    return HttpAnswer(b"".join(part for part in parts if part), http.our_state is not h11.DONE)
