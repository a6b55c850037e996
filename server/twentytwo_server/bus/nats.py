"""The bus over NATS: its core alone, which forgets a message as soon as it has passed it on.

A client of nats-py serves for one connection here. It could reconnect, but an error that NATS sends
(to a slow consumer, or because a key was taken back) ends it for ever.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import ParseResult

from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.aio.transport import TcpTransport

from ..ports import MESSAGE_LIMIT, Clock, MessageHandler, Unsubscribe
from ..subjects import Subject
from .common import OpenQuestions, fits, guarded, ignoring_reply
from .nkeys import read_credentials, read_seed
from .settings import BusSettings, servers

log = logging.getLogger("twentytwo.bus")

T = TypeVar("T")

UNSENT = 8 << 20
"""Bytes that may wait to be sent. More are lost."""

RETRY = 0.05, 2.0
"""Seconds between two attempts to connect: at first, and at most. They double."""

NOBODY = "503"
"""The status with which NATS answers a question that nobody serves."""


ALL = "twentytwo"
"""The first word of all subjects, for the permissions that NATS gives: `twentytwo.>`."""

PROBE = 0
"""The number of no question: a message by which a server asks itself what NATS has read."""


class _Transport(TcpTransport):
    """A connection that is cut when it is closed.

    The original waits until the other side has read everything, and after a failed handshake of
    TLS it waits for ever.
    """

    def __bool__(self) -> bool:
        return True  # otherwise the client makes a transport of its own

    async def connect_tls(
        self,
        uri: str | ParseResult,
        ssl_context: ssl.SSLContext,
        buffer_size: int,
        connect_timeout: float,
    ) -> None:
        """Begins TLS; `uri` is the name of the server."""
        assert self._io_writer is not None
        async with asyncio.timeout(connect_timeout):
            await self._io_writer.start_tls(ssl_context, server_hostname=str(uri))

    def close(self) -> None:
        """Cuts the connection."""
        if self._io_writer is not None:
            self._io_writer.transport.abort()

    async def wait_closed(self) -> None:
        """Does nothing: it is cut."""


class _Connection(Client):
    """A client for one connection. It logs in with this public nkey, if it signs with an nkey."""

    def __init__(self, nkey: str | None) -> None:
        super().__init__()
        self._public_nkey = nkey
        self._transport: _Transport = _Transport()  # type: ignore[no-untyped-call]  # nats-py's

    async def _close(self, status: int, do_cbs: bool = True) -> None:
        self._pending.clear()
        self._pending_data_size = 0
        self._transport.close()
        await super()._close(status, do_cbs)


class _Subscribed:
    """A subscription, which begins anew on each connection."""

    def __init__(self, subject: str, handler: Callable[[Msg], None]) -> None:
        self._subject = subject
        self._handler = handler
        self._made: Subscription | None = None
        self.over = False

    async def begin(self, client: Client) -> None:
        """Subscribes on a new connection."""
        self._made = await client.subscribe(self._subject, cb=self._came)

    async def end(self) -> None:
        """Ends the subscription on the connection of now."""
        if self._made is not None:
            await self._made.unsubscribe()

    async def _came(self, message: Msg) -> None:
        if not self.over:
            guarded(self._handler, message)


class NatsBus:
    """`ports.Bus` over NATS, from the start until `close`.

    `node` is the name of this server, for the list of connections of NATS. All subjects begin with
    `twentytwo` and the name of the place. The constructor raises
    `ValueError` in one line if the settings or their files cannot be used. It does not wait for
    NATS: the bus tries to connect until it succeeds.
    """

    def __init__(self, settings: BusSettings, clock: Clock, node: str, place: str) -> None:
        self._prefix = f"{ALL}.{place}"
        self._where = settings.url
        self._settings = settings
        self._options = _options(settings, f"{self._prefix}.answers") | {"name": node}
        _login(settings)
        self._questions = OpenQuestions(clock)
        self._subscribed: list[_Subscribed] = []
        self._watching: list[Callable[[bool], None]] = []
        self._connected = False
        self._client: Client | None = None
        self._inbox = ""
        self._outgoing: deque[tuple[int, Callable[[], Awaitable[object]]]] = deque()
        self._unsent = 0
        self._wake = asyncio.Event()
        self._arrived = asyncio.Event()
        self._closing = False
        self._error: Exception | None = None
        self._reported = ""
        self._retry = RETRY[0]
        self._task = asyncio.get_running_loop().create_task(self._run())

    @staticmethod
    def check(settings: BusSettings) -> None:
        """Raises `ValueError` in one line if the settings or their files cannot be used."""
        _options(settings, "")
        _login(settings)

    @property
    def connected(self) -> bool:
        """False while this server reaches no other."""
        return self._connected

    def watch(self, changed: Callable[[bool], None]) -> None:
        """Adds a callback for each change of `connected`."""
        self._watching.append(changed)

    # Sending -----------------------------------------------------------------------------

    def tell(self, subject: Subject, data: bytes) -> None:
        """Sends a message to all who listen to the subject."""
        self._publish(self._full(subject), data)

    def ask(
        self, subject: Subject, data: bytes, ms: int, answered: Callable[[bytes | None], None]
    ) -> None:
        """Asks the server that serves the subject."""
        number = self._questions.add(ms, answered)
        if not self._publish(self._full(subject), data, f"{self._inbox}.{number}"):
            self._questions.end_soon(number)

    def _full(self, subject: Subject) -> str:
        return f"{self._prefix}.{subject}"

    def _publish(self, subject: str, data: bytes, reply: str = "") -> bool:
        """Sends a message soon; False if it is lost already."""
        if not fits(data) or self._client is None or not self._connected:
            return False
        if self._unsent + self._client.pending_data_size + len(data) > UNSENT:
            self._report(f"NATS at {self._where} takes nothing more: messages are lost")
            return False
        self._unsent += len(data)
        self._send(partial(self._client.publish, subject, data, reply), len(data))
        return True

    def _send(self, call: Callable[[], Awaitable[object]], size: int = 0) -> None:
        self._outgoing.append((size, call))
        self._wake.set()

    # Hearing -----------------------------------------------------------------------------

    def listen(self, subject: Subject, heard: Callable[[bytes], None]) -> Unsubscribe:
        """Hears the messages of a subject, until the returned function is called."""
        return self.serve(subject, ignoring_reply(heard))

    def serve(self, subject: Subject, handler: MessageHandler) -> Unsubscribe:
        """Answers the questions of a subject, until the returned function is called."""

        def came(message: Msg) -> None:
            handler(message.data, partial(self._reply, message.reply))

        made = _Subscribed(self._full(subject), came)
        self._subscribed.append(made)
        if self._client is not None:
            self._send(partial(made.begin, self._client))
        return partial(self._unsubscribe, made)

    def _unsubscribe(self, made: _Subscribed) -> None:
        if not made.over:
            made.over = True
            self._subscribed.remove(made)
            if self._client is not None:
                self._send(made.end)

    def _reply(self, subject: str, data: bytes) -> None:
        if subject:
            self._publish(subject, data)

    def _answer(self, message: Msg) -> None:
        number = int(message.subject.rpartition(".")[2])
        if number == PROBE:
            self._arrived.set()
            return
        nobody = message.headers is not None and message.headers.get("Status") == NOBODY
        self._questions.end(number, None if nobody else message.data)

    # The connection ----------------------------------------------------------------------

    async def _run(self) -> None:
        """Connects, and connects again, until `close`."""
        while True:
            self._error = None
            try:
                await self._talk()
            except Exception as error:  # of nats-py, ssl, the files
                self._error = self._error or error
            if self._closing:
                return
            self._report(f"no connection to NATS at {self._where}: {_why(self._error)}")
            await asyncio.sleep(self._retry)
            self._retry = min(2 * self._retry, RETRY[1])

    async def _talk(self) -> None:
        """Connects, and sends until the connection is lost or the bus closed.

        If it cannot connect, it raises any exception. `_error` has the reason of the end.
        """

        async def closed() -> None:
            self._wake.set()
            self._arrived.set()

        nkey, login = _login(self._settings)
        client = _Connection(nkey)
        try:
            await client.connect(**self._options, **login, error_cb=self._failed, closed_cb=closed)
            self._client = client
            self._inbox = client.new_inbox()
            for each in (_Subscribed(f"{self._inbox}.*", self._answer), *self._subscribed):
                self._send(partial(each.begin, client))
            self._send(partial(self._begin, client))
            await self._send_all(client)
            self._error = client.last_error
        finally:
            self._lose()
            await client.close()

    async def _begin(self, client: Client) -> None:
        """Tells that the bus is connected, once NATS knows the subscriptions."""
        await self._probe(client)
        if client.is_closed:
            return
        log.info("connected to NATS at %s", self._where)
        self._reported, self._retry = "", RETRY[0]
        if client.max_payload < MESSAGE_LIMIT:
            self._report(f"max_payload of NATS at {self._where} must be {MESSAGE_LIMIT} or more")
        self._change(True)

    async def _probe(self, client: Client) -> None:
        """Waits until NATS has read all that was sent, or the connection is lost.

        The client's own `flush` is answered before what the client still holds back.
        """
        self._arrived.clear()
        await client.publish(f"{self._inbox}.{PROBE}")
        async with asyncio.timeout(self._options["connect_timeout"]):
            await self._arrived.wait()

    async def _send_all(self, client: Client) -> None:
        """Sends all that is to be sent, until the connection is lost or the bus closed."""
        while not client.is_closed:
            self._wake.clear()
            while self._outgoing:
                size, call = self._outgoing.popleft()
                self._unsent -= size
                try:
                    await call()
                except errors.ConnectionClosedError:
                    return
                except errors.Error as error:
                    await self._failed(error)
            if self._closing:
                with suppress(errors.Error, TimeoutError):
                    await self._probe(client)
                return
            await self._wake.wait()

    def _lose(self) -> None:
        self._client = None
        self._outgoing.clear()
        self._unsent = 0
        self._change(False)

    def _change(self, connected: bool) -> None:
        if connected != self._connected:
            self._connected = connected
            if not connected:
                self._questions.end_all()
            for changed in tuple(self._watching):
                guarded(changed, connected)

    async def _failed(self, error: Exception) -> None:
        """Notes an error of nats-py: why there is no connection, or what was lost on one."""
        self._error = self._error or error
        if self._connected and not isinstance(error, errors.UnexpectedEOF):
            self._report(f"an error of NATS at {self._where}: {_why(error)}")

    def _report(self, line: str) -> None:
        """Logs a line: of a connection the first one, without one each that is new."""
        again = line == self._reported or (self._connected and self._reported)
        log.log(logging.DEBUG if again else logging.WARNING, "%s", line)
        self._reported = self._reported if again else line

    async def close(self) -> None:
        """Sends what is still to be sent, unless NATS reads nothing."""
        self._closing = True
        self._wake.set()
        self._questions.drop()
        self._watching.clear()
        for each in self._subscribed:
            each.over = True
        if self._client is not None:
            await asyncio.wait({self._task}, timeout=self._options["connect_timeout"])
        self._task.cancel()
        await asyncio.wait({self._task})


def _options(settings: BusSettings, inbox: str) -> dict[str, Any]:
    """The arguments of `Client.connect`. Raises `ValueError` in one line."""
    patience = settings.patience / 1000
    tls = settings.url.startswith("tls:")
    options = {
        "servers": servers(settings.url),
        "inbox_prefix": inbox,
        # One attempt at each server. `NatsBus` makes the next.
        "allow_reconnect": False,
        "max_reconnect_attempts": 1,
        "reconnect_time_wait": 0,
        # It would wait where its buffer is full, also for a connection that has ended.
        "pending_size": 0,
        "connect_timeout": patience,
        "ping_interval": patience,
        "max_outstanding_pings": 1,
        # With `tls:` alone nats-py talks in the clear to a server that asks for no TLS.
        "tls_handshake_first": tls,
    }
    if tls or settings.ca:
        options["tls"] = _read(settings.ca, "certificate", _tls_context)
    return options


def _login(settings: BusSettings) -> tuple[str | None, dict[str, Any]]:
    """The public nkey, and the arguments of `Client.connect`. Raises `ValueError` in one line."""
    logins = (settings.user, settings.token, settings.nkey, settings.credentials)
    if len([each for each in logins if each]) > 1:
        raise ValueError("NATS takes one login: a user, a token, an nkey or credentials")
    if settings.nkey:
        key = _read(settings.nkey, "seed of an nkey", lambda file: read_seed(_text(file)))
        return key.public, {"signature_cb": key.sign}
    if settings.credentials:
        jwt, key = _read(
            settings.credentials, "credentials", lambda file: read_credentials(_text(file))
        )
        return None, {"user_jwt_cb": jwt.encode, "signature_cb": key.sign}
    if settings.user:
        return None, {"user": settings.user, "password": settings.password}
    return None, {"token": settings.token or None}


def _read(file: str, content: str, read: Callable[[str], T]) -> T:
    """Reads a file. Raises `ValueError` in one line."""
    try:
        return read(file)
    except (ssl.SSLError, ValueError):
        raise ValueError(f"{file} holds no {content}") from None
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None


def _text(file: str) -> str:
    return Path(file).read_text()


def _tls_context(ca: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca or None)


def _why(error: Exception | None) -> str:
    """The reason in one line."""
    text = " ".join(str(error or "").split()).removeprefix("nats: ").strip("'")
    if "authorization violation" in text.lower():
        return "it refuses the login of this server"
    if isinstance(error, TimeoutError) or not text:
        return "it does not answer"
    return text
