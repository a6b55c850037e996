"""`connect`, for asyncio and for blocking programs."""

from __future__ import annotations

from types import TracebackType

from msgspec.structs import replace

from .. import address
from ..chance import new_word
from ..core.conversation import Conversation
from ..core.reconnecting import Timing
from .blocking import BlockingServer, Loop
from .server import Server

__all__ = ["Connecting", "connect"]


def connect(  # noqa: PLR0913  # for bots: one call, by name
    server: str = "localhost",
    *,
    name: str,
    bot: bool = True,
    token: str = "",
    password: str = "",
    login_token: str = "",
    ca: str = "",
    timing: Timing = Timing(),  # noqa: B008  # it is frozen
) -> Connecting:
    """A session on a server (`HOST`, `tls://HOST`, `unix:PATH`), for `async with` or `with`.

    With `tls://` the server's certificate has to be signed by an authority that this system trusts,
    or by one in the file `ca`. Otherwise entering raises `ssl.SSLCertVerificationError`, an
    `OSError`. `bot` tells people at a table that a program plays. A `token` resumes an earlier
    session. With a `password`, which is proved and not sent, or a `login_token`, `name` is an
    account. `timing` has the timeouts and pauses of the connection. Raises `ValueError` for an
    invalid address.
    """
    talk = Conversation(
        name=name,
        token=token,
        client="twentytwo-sdk/1",
        bot=bot,
        secret=new_word,
        password=password,
        login_token=login_token,
    )
    return Connecting(Server(replace(address.parse(server), ca=ca), talk, timing))


class Connecting:
    """A connection that `async with` or `with` makes once, and closes.

    `async with` returns a `Server`; `with` returns a `BlockingServer`, for programs without
    asyncio. Entering raises `OSError` if there is no connection, or `Refused`.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._blocking: BlockingServer | None = None

    async def __aenter__(self) -> Server:
        await self._server.enter()
        return self._server

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._server.leave()

    def __enter__(self) -> BlockingServer:
        self._blocking = BlockingServer(self._server, Loop())
        self._blocking.enter()
        return self._blocking

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._blocking is not None, "entered before"
        self._blocking.leave()
