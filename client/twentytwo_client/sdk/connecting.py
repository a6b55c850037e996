"""The way in, for programs of both kinds."""

from __future__ import annotations

from types import TracebackType

from .. import address
from ..chance import new_word
from ..core.conversation import Conversation
from ..core.reconnecting import Timing
from .blocking import BlockingServer, Loop
from .server import Server


def connect(
    server: str = "localhost",
    *,
    name: str,
    bot: bool = True,
    token: str = "",
    password: str = "",
    login_token: str = "",
    timing: Timing = Timing(),  # noqa: B008  # it is frozen
) -> Connecting:
    """A way to a server (`HOST`, `HOST:PORT`, `unix:PATH`), for `async with` or for `with`.

    `bot` says that nobody types; people at a table are shown it. A `token` takes a place back. With
    a `password`, which is proved and not sent, or a `login_token` the name is your account.
    `timing` is how soon a connection counts as lost, and is made again. Raises `ValueError` for an
    address that is none.
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
    return Connecting(Server(address.parse(server), talk, timing))


class Connecting:
    """To be entered once. That raises `OSError` where nobody answers, or `Refused`.

    With `async with` it is a `Server`. With `with` it is a `BlockingServer`, for programs that
    know no asyncio: the connection is looked after in a thread.
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
