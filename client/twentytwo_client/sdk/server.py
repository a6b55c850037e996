"""A server, as a program sees it: tables, talk, and every command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Self

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event

from ..address import Address
from ..core.conversation import Conversation
from ..core.reconnecting import Timing
from ..core.updates import EventReceived, ShuffleChecked, SignedIn, Snapshot, Update
from .feed import Feed, Reconnected
from .session import R, Reply, Session
from .table import Table


class Server:
    """You on a server. What happens there apart from tables comes of `async for event in server`.

    `connect` makes it.
    """

    def __init__(self, server: Address, conversation: Conversation, timing: Timing) -> None:
        self._conversation = conversation
        self._session = Session(server, conversation, timing, self._heard)
        self._feed = Feed()
        self._tables: dict[str, Table] = {}
        self._exports: dict[str, list[Event]] = {}
        self._entered = False

    @property
    def name(self) -> str:
        """The name as the server gave it: `~robin`."""
        return self._conversation.name

    @property
    def token(self) -> str:
        """A secret that takes your place: `connect(..., token=...)`. It changes with every use."""
        return self._conversation.token

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables where you sit or watch: `tables["t7"]`."""
        return MappingProxyType(self._tables)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event | Reconnected:
        """What is told to you or in the lobby. Raises what ended the conversation.

        The iteration ends when you have left.
        """
        return await self._session.next_of(self._feed)

    async def enter(self) -> None:
        """Connects, and says who we are. Raises `OSError`, `Refused` or `Dismissed`."""
        await self._session.enter()

    async def leave(self) -> None:
        """Says goodbye, if anybody is there to hear it."""
        await self._session.leave()

    async def until(self, true: Callable[[], object]) -> None:
        """Waits for something to be true of what is known: `until(lambda: table.state.paused)`.

        Raises what ended the conversation, if that comes first.
        """
        await self._session.until(true)

    # ------------------------------------------------------------------------ commands

    async def command(self, line: str) -> Reply:
        """Says any command of the protocol, as a line without an id.

        Raises `Refused`, or `NoAnswer` where the connection was lost and the command is not known
        to do no harm the second time. Where the server asks to wait, it is said again, a few times.
        """
        return await self._session.command(line)

    async def listing(self, row: type[R], line: str) -> list[R]:
        """The rows of one kind of an answer: `listing(TableRow, "tables open=1")`."""
        return await self._session.listing(row, line)

    async def practice(self, game: str = "", **options: object) -> Table:
        """A table of one's own against bots: `practice(bots=3, level="steady", seed=42)`."""
        return await self._sit("practice", game, options)

    async def open(self, game: str = "", **options: object) -> Table:
        """A table for several, of which you are the host: `open("whist22", private="kiwi-fox")`."""
        return await self._sit("open", game, options)

    async def join(self, table: str) -> Table:
        """Sits down at a table, by its number or its word."""
        return await self._sit("join", table, {})

    async def watch(self, table: str) -> Table:
        """Looks on at a table: what everybody there sees."""
        return await self._sit("watch", table, {})

    async def seek(self, game: str = "", **options: object) -> Table:
        """Looks for others, and waits until there are enough: `seek(players=3)`."""
        before = set(self._tables)
        await self.command(_line("seek", game, options))
        await self.until(lambda: self._tables.keys() - before)
        return self._tables[max(self._tables.keys() - before)]

    async def tell(self, name: str, text: str) -> None:
        """Says something to somebody, wherever they are."""
        await self.command(f"tell {name} {text}")

    async def shout(self, text: str) -> None:
        """Says something to everybody who follows the lobby."""
        await self.command(f"shout {text}")

    async def export(self, game: str) -> list[Event]:
        """All events of a game that is over, every card open: `g51`. Raises `Refused`."""
        game = game.lower()
        self._exports[game] = []
        try:
            await self.command(f"export {game}")
            return self._exports[game]
        finally:
            del self._exports[game]

    async def _sit(self, verb: str, what: str, options: Mapping[str, object]) -> Table:
        ok = (await self.command(_line(verb, what, options))).ok
        on = ok.on or ""
        await self._session.caught_up(on)
        table = self._tables.get(on) or Table(self._session, TableModel(on), gone=True)
        await self.until(lambda: table.gone or table.state.seq >= (ok.seq or 0))
        return table

    # -------------------------------------------------------------------------- hearing

    def _heard(self, update: Update) -> None:
        match update:
            case EventReceived(event, on, seq):
                self._happened(event, on, seq)
            case SignedIn(resumed=resumed):
                self._signed_in(resumed)
            case Snapshot(table):
                self._taken_anew(table.on)
            case ShuffleChecked(verdict, table) if table.on in self._tables:
                self._tables[table.on].fair = verdict
        self._look_around()

    def _happened(self, event: Event, on: str, seq: int) -> None:
        self._adopt()
        table = self._tables.get(_table_of(on))
        if table is not None:
            table.feed.put(event)
        elif on in self._exports:
            # After a cut it is told from the beginning.
            self._exports[on][seq - 1 :] = [event]
        else:
            self._feed.put(event)

    def _signed_in(self, resumed: bool) -> None:
        if not self._entered:
            self._entered = True
            return
        self._feed.put(Reconnected(complete=resumed))
        for on, table in self._tables.items():
            if on in self._conversation.streams.tables:
                table.feed.put(Reconnected(complete=True))

    def _taken_anew(self, on: str) -> None:
        table = self._tables.get(on)
        if table is not None and table.state.seq:
            table.feed.put(Reconnected(complete=False))

    def _adopt(self) -> None:
        for on, model in self._conversation.streams.tables.items():
            if on in self._tables:
                self._tables[on].state = model
            else:
                self._tables[on] = Table(self._session, model)

    def _look_around(self) -> None:
        """Notes the tables that there are now, and those that are no more."""
        if not self._session.here:
            return
        self._adopt()
        streams = self._conversation.streams
        for on in self._tables.keys() - streams.tables.keys() - streams.behind:
            self._tables.pop(on).feed.closed = True


def _line(verb: str, what: str, options: Mapping[str, object]) -> str:
    """A command with options: `seed=42`, and `rated=True` as `rated=1`."""
    named = [f"{key.rstrip('_')}={_value(each)}" for key, each in options.items()]
    return " ".join(word for word in (verb, what, *named) if word)


def _value(option: object) -> str:
    return str(int(option) if isinstance(option, bool) else option)


def _table_of(on: str) -> str:
    """The table to which a stream belongs, its own or that of its talk."""
    return f"t{on[1:]}" if on[:1] == "k" else on
