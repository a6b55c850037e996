"""A server for programs: its tables, its messages, and every command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Self

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import COMMANDS, OPTIONS, TEXT, Event

from ..address import Address
from ..core.conversation import Conversation
from ..core.reconnecting import Timing
from ..core.updates import EventReceived, ShuffleChecked, SignedIn, Snapshot, Update
from .feed import Feed, Reconnected
from .session import ClientSession, R, Reply
from .table import Table

__all__ = ["Server"]


class Server:
    """Your session on a server; `connect` makes it.

    `async for event in server` yields the events outside your tables: messages to you, invitations,
    and the lobby if you follow it.
    """

    def __init__(self, server: Address, conversation: Conversation, timing: Timing) -> None:
        self._conversation = conversation
        self._session = ClientSession(server, conversation, timing, self._heard)
        self._feed = Feed()
        self._tables: dict[str, Table] = {}
        self._exports: dict[str, list[Event]] = {}
        self._entered = False

    @property
    def name(self) -> str:
        """The name that the server gave: `~robin`."""
        return self._conversation.name

    @property
    def token(self) -> str:
        """The secret that resumes your session: `connect(..., token=...)`. Each reconnect changes
        it.
        """
        return self._conversation.token

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables where you sit or watch, by name: `tables["t7"]`."""
        return MappingProxyType(self._tables)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event | Reconnected:
        """The next event. Raises `Dismissed` when the session has ended.

        The iteration stops when you leave by yourself.
        """
        return await self._session.next_of(self._feed)

    async def enter(self) -> None:
        """Connects and logs in. Raises `OSError`, `Refused` or `Dismissed`."""
        await self._session.enter()

    async def leave(self) -> None:
        """Sends `quit` if there is a connection, and closes it. Never raises."""
        await self._session.leave()

    async def until(self, true: Callable[[], object]) -> None:
        """Waits until a condition is true: `until(lambda: table.fair)`.

        The condition is checked after every line that changes anything. Raises the error that ends
        the session, if that comes first.
        """
        await self._session.until(true)

    # ------------------------------------------------------------------------ commands

    async def command(self, line: str) -> Reply:
        """Sends any command of the protocol, a line without an id, and returns the reply.

        Raises `Refused`. Raises `NoAnswer` if the connection was lost before the reply and
        repeating the command could do harm. If the server asks to wait, it waits and repeats the
        command.
        """
        return await self._session.command(line)

    async def listing(self, row: type[R], line: str) -> list[R]:
        """The rows of one class in the reply to a query: `listing(TableRow, "tables")`.

        All pages are fetched. With `n=` or `after=` in the line only that page is.
        """
        return await self._session.listing(row, line)

    async def practice(self, game: str = "", **options: object) -> Table:
        """Opens a table of your own against bots: `practice(bots=3, level="steady", seed=42)`."""
        return await self._sit("practice", game, options)

    async def open(self, game: str = "", **options: object) -> Table:
        """Opens a table with you as its host: `open(private="kiwi-fox")`."""
        return await self._sit("open", game, options)

    async def join(self, table: str) -> Table:
        """Sits down at a table, by its name or the word of a private one."""
        return await self._sit("join", table, {})

    async def watch(self, table: str) -> Table:
        """Watches a table. You see what every spectator sees."""
        return await self._sit("watch", table, {})

    async def seek(self, game: str = "", **options: object) -> Table:
        """Seeks other players, and waits until there are enough: `seek(players=3)`."""
        before = set(self._tables)
        await self.command(_line("seek", game, options))
        await self.until(lambda: self._tables.keys() - before)
        return self._tables[max(self._tables.keys() - before)]

    async def tell(self, name: str, text: str) -> None:
        """Sends a message to one person."""
        await self.command(f"tell {name} :{text}")

    async def shout(self, text: str) -> None:
        """Sends a message to everybody who follows the lobby."""
        await self.command(f"shout :{text}")

    async def export(self, game: str) -> list[Event]:
        """All events of a finished game such as `g51`, with every card. Raises `Refused`."""
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

    # ------------------------------------------------------------------------- receiving

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
        table = self._tables.get(self._conversation.streams.talks.get(on, on))
        if table is not None:
            table.feed.put(event)
        elif on in self._exports:
            # After a lost connection the export starts again.
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
        """Adds new tables, and closes those that we have left."""
        if not self._session.here:
            return
        self._adopt()
        streams = self._conversation.streams
        for on in self._tables.keys() - streams.tables.keys() - streams.behind:
            self._tables.pop(on).feed.closed = True


def _line(verb: str, what: str, options: Mapping[str, object]) -> str:
    """A command with named arguments. Arguments that the verb does not have are options of the
    game.
    """
    known = {field.key: field.kind for field in COMMANDS[verb].word.fields}
    given = {key.rstrip("_"): _value(value) for key, value in options.items()}
    words = [f"{key}={given[key]}" for key in given if known.get(key, TEXT) is not TEXT]
    game = {key: value for key, value in given.items() if key not in known}
    words += [f"options={OPTIONS.write(game)}"] if game else []
    text = [f":{given[key]}" for key in given if known.get(key) is TEXT]
    return " ".join(word for word in (verb, what, *words, *text) if word)


def _value(option: object) -> str:
    return str(int(option) if isinstance(option, bool) else option)
