"""A conversation with a server: bytes in, updates out; lines in, bytes out.

The module does no input or output and has no clock. The code that drives it (the terminal, the SDK,
or a test) does three things:

- it calls `connected()` and `lost()` when that happens;
- it passes received bytes to `receive()`, and then iterates over `updates()` to the end: while it
  handles an update, the models of the tables are as of that update;
- after every call it sends the result of `outgoing()`.

A conversation greets the server, takes its seat back with the token, answers PING, numbers commands
and matches their replies, and requests missed events. It repeats commands whose replies were lost,
under a key that prevents a second execution.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping

from twentytwo_protocol import __version__
from twentytwo_protocol.framing import Flaw, LineBuffer
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Malformed
from twentytwo_protocol.wire import (
    ParsedLine,
    declared_as,
    decode,
    parse,
)
from twentytwo_protocol.words.accounts import More
from twentytwo_protocol.words.cardplay import Clock, Turn
from twentytwo_protocol.words.connection import Bye, Gap, Note, Ping_
from twentytwo_protocol.words.fairness import Seed
from twentytwo_protocol.words.records import Export, RecordLine
from twentytwo_protocol.words.replies import Err, Ok
from twentytwo_protocol.words.seating import Watch
from twentytwo_protocol.words.session import At

from .catching_up import GapFiller
from .fairness import FairShuffles
from .requests import PendingRequests, SentCommand
from .scram import ScramFailed
from .shuffle_check import Finding, Verdict
from .states import OutOfOrder, State, Trigger, after
from .streams import Arrival, GameToldAgain, Streams
from .subscriptions import Subscriptions
from .updates import (
    Comment,
    EventReceived,
    Farewell,
    Greeted,
    Recorded,
    Replied,
    SessionLost,
    ShuffleChecked,
    SignedIn,
    Unanswered,
    UnknownEvent,
    UnreadableLine,
    Update,
)
from .way_in import WayIn

LONGEST_LINE = 64 * 1024
"""The maximum length of a received line, in bytes. No server needs longer ones."""

KEY_PREFIX_LENGTH = 16
"""The length of the common prefix of a conversation's command keys."""
FIRST = ("hello", "guest", "login", "auth")
"""The first commands of a conversation. If one is refused, the caller gets the reply too."""
STALE = ("sync", "missing", "syntax")
"""Classes of errors after which `resume` is repeated without positions of streams."""
LATER_PERHAPS = ("limit", "server")
"""Classes of errors after which the client disconnects and tries again later."""


class NotConnected(Exception):
    """No command can be sent now: there is no connection, or the login is not finished."""


class Conversation:
    """One person's conversation with one server, over any number of connections.

    With a `token` it takes a place back. With only a `name` it logs in as a guest, with a
    `password` or `login_token` to that account; with none of them it stays nameless. `streams` are
    the positions to resume from, a result of `bookmark`. The tables among them are requested as
    snapshots, because their models are gone. `secret` makes unguessable words for the shuffles;
    without it none are given.
    """

    def __init__(  # noqa: PLR0913  # ways to come in, by name
        self,
        *,
        name: str = "",
        token: str = "",
        streams: Mapping[str, int] | None = None,
        client: str = f"twentytwo/{__version__}",
        bot: bool = False,
        secret: Callable[[], str] | None = None,
        password: str = "",
        login_token: str = "",
    ) -> None:
        self.state = State.AWAY
        self.name = name
        self.token = token
        self.boot = ""
        self.grace = 0
        self._hello = f"hello 1 client={client} caps=text" + (" bot=1" if bot else "")
        self._way_in = WayIn(password, login_token, secret)
        self._shuffles = FairShuffles(secret)
        self._subscriptions = Subscriptions()
        self._asks = PendingRequests()
        self._buffer = LineBuffer(LONGEST_LINE)
        self._lines: deque[str | Flaw] = deque()
        self._ready: deque[Update] = deque()
        self._out: list[str] = []
        self._catching_up = GapFiller(streams or {}, self._ask, self._ready.append)

    @property
    def streams(self) -> Streams:
        """The streams of the person, and the models of their tables."""
        return self._catching_up.streams

    # ------------------------------------------------------------------------ the wire

    def connected(self) -> None:
        """Call when a connection is made: queues hello and the login together."""
        self._go(Trigger.CONNECTED)
        self._buffer = LineBuffer(LONGEST_LINE)
        self._ask(self._hello)
        if self.token:
            self._resume()
        elif self.name:
            self._ask(self._way_in.command(self.name))

    def lost(self) -> None:
        """Call when the connection is lost. Unanswered moves are kept and repeated later."""
        self._go(Trigger.LOST)
        self._lines.clear()
        self._out.clear()
        self._catching_up.lost()
        self._shuffles.lost()
        self._ready.extend(map(Unanswered, self._asks.lost()))

    def receive(self, data: bytes) -> None:
        """Takes received bytes, in chunks of any size. Iterate over `updates` next."""
        self._lines.extend(self._buffer.feed(data))

    def updates(self) -> Iterator[Update]:
        """The updates from the received bytes, one by one. Each line is parsed when it is
        reached.
        """
        while self._ready or self._lines:
            if self._ready:
                yield self._ready.popleft()
            else:
                self._hear(self._lines.popleft())

    def outgoing(self) -> bytes:
        """The bytes to send now."""
        if self.state is State.HERE:
            tables, behind = self.streams.tables, self.streams.behind
            for line in self._shuffles.due(tables[on] for on in tables if on not in behind):
                self._ask(line)
        out, self._out = self._out, []
        return "".join(f"{line}\r\n" for line in out).encode()

    # ----------------------------------------------------------------------- sending

    def say(self, line: str) -> SentCommand:
        """Queues a command, a line without an id. Raises `NotConnected`, `TooLong`, `Malformed`."""
        if self.state not in (State.NAMELESS, State.HERE):
            raise NotConnected(self.state.value)
        return self._ask(line, own=False)

    def probe(self) -> None:
        """Queues a ping, to find out whether the server still answers."""
        self._ask("ping")

    def move(self, table: TableModel, turn: Turn, token: str) -> SentCommand:
        """Queues a move that is valid for this question only. Raises the errors of `say`."""
        where = f" table={table.on}" if len(self.streams.tables) > 1 else ""
        return self.say(f"move {token} turn={turn.turn}{where}")

    def ask_record(self, game: str) -> None:
        """Queues a request for the record of a finished game. The reply is an update `Recorded`."""
        self._ask(f"export {game} form=record")

    @property
    def waiting(self) -> bool:
        """True while a command is unanswered, including the conversation's own commands."""
        return bool(self._asks)

    @property
    def bookmark(self) -> dict[str, int]:
        """The positions of the streams, to be saved with the token for the next run."""
        return self._catching_up.bookmark

    def _ask(self, line: str, *, own: bool = True) -> SentCommand:
        ask = self._asks.make(line, own=own)
        self._out.append(ask.written)
        self._note_sent(ask)
        return ask

    def _note_sent(self, ask: SentCommand) -> None:
        """Notes the effects of sending a command that do not depend on its reply."""
        match ask.command:
            case Seed(word_=word):
                self._shuffles.said(word)
            case Export(id=game):
                for on in (game, game.lower()):
                    self.streams.name_told_again(on)

    def _resume(self, *, with_streams: bool = True) -> None:
        words = [f"{on}:{seq}" for on, seq in self.streams.seqs.items() if self._resumes(on)]
        if words and self.boot:
            words.append(f"boot={self.boot}")
        self._ask(" ".join(["resume", self.token, *(words if with_streams else ())]))

    def _resumes(self, on: str) -> bool:
        return not self.streams.is_told_again(on) and self._subscriptions.resumes(on)

    def opens(self, table: TableModel) -> bool:
        """True if this client made our seat's sealed word, so that it can open it."""
        return self._shuffles.at(table.on).sealed(table)

    def _judged(self, verdict: Verdict | None, table: TableModel) -> None:
        # Spectators gave no word: tell them only if something is wrong.
        if verdict and (table.me is not None or verdict.found is Finding.WRONG):
            self._ready.append(ShuffleChecked(verdict, table))

    # ----------------------------------------------------------------------- receiving

    def _hear(self, line: str | Flaw) -> None:
        if self.state in (State.AWAY, State.OVER) or not line:
            return
        try:
            if isinstance(line, Flaw):
                raise Malformed(f"a line came that cannot be read ({line.value})")
            record = parse(line)
        except Malformed as wrong:
            self._garbled(str(line), str(wrong))
            return
        if record is None:
            self._ready.append(Comment(str(line)[1:].strip()))
        elif record.id is not None:
            self._reply(record)
        else:
            self._event(record)

    def _garbled(self, line: str, why: str) -> None:
        self._ready.append(UnreadableLine(line, why))
        if self.state is State.GREETING:
            # A server that refuses `hello` does not speak this protocol.
            self._go(Trigger.REFUSED)

    def _go(self, trigger: Trigger) -> None:
        try:
            self.state = after(self.state, trigger)
        except OutOfOrder as wrong:
            self._ready.append(UnreadableLine("", str(wrong)))

    # ------------------------------------------------------------------------- events

    def _event(self, record: ParsedLine) -> None:
        if not record.on or "seq" not in record.fields or record.word == Gap.word.word:
            self._notice(record)
            return
        kind = declared_as(record.word, reply=False)
        if kind is not None and issubclass(kind, Event) and kind.stream == "table":
            self.streams.meet(record.on, record.seq)
        match self.streams.arrival(record.on, record.seq):
            case Arrival.NEXT:
                self._next(record)
            case Arrival.AHEAD if record.on not in self.streams.behind:
                self._catching_up.catch_up(record.on)
            case Arrival.OLD if record.on in self.streams.recalling:
                with contextlib.suppress(Malformed):
                    found = decode(record)
                    if isinstance(found, Event):
                        self.streams.remind(record.on, record.seq, found)

    def _next(self, record: ParsedLine) -> None:
        try:
            found = decode(record)
            event = found if isinstance(found, Event) else None
            table = self.streams.take(record.on, record.seq, event, self.name)
        except Exception as wrong:  # any error in a model makes it unusable
            self._ready.append(UnreadableLine(record.word, f"{type(wrong).__name__}: {wrong}"))
            self._catching_up.distrust(record.on)
            return
        if event is None:
            self._ready.append(UnknownEvent(record, table))
        else:
            missed = self.state is not State.HERE
            self._ready.append(EventReceived(event, record.on, record.seq, table, missed))
            if table is not None and not isinstance(table, GameToldAgain):
                verdict = self._shuffles.at(record.on).see(event, table, missed=missed)
                self._judged(verdict, table)

    def _notice(self, record: ParsedLine) -> None:
        try:
            event = decode(record)
        except Malformed as wrong:
            self._ready.append(UnreadableLine(record.word, str(wrong)))
            return
        match event:
            case Ping_(n):
                self._ask(f"pong {n}")
            case Bye():
                # No reconnecting after quit.
                back = event.resume and event.code != "QUIT"
                self._go(Trigger.RETURN if back else Trigger.FAREWELL)
                self._ready.append(Farewell(event))
            case Gap(on, seq):
                if not self.streams.skip(on, seq):
                    self._catching_up.distrust(on)
            case Event():
                if isinstance(event, Note) and event.table is not None:
                    self._catching_up.name_table(event.table)  # a seek found players there
                self._ready.append(EventReceived(event, record.on, 0))
            case _:
                self._ready.append(UnknownEvent(record))

    # ------------------------------------------------------------------------ replies

    def _reply(self, record: ParsedLine) -> None:
        try:
            reply = self._asks.reply(record)
        except Malformed as wrong:
            self._ready.append(UnreadableLine(record.word, str(wrong)))
            return
        match reply:
            case None, final:
                self._ready.append(Replied(None, final))
            case ask, final:
                self._answered(ask, final)

    def _answered(self, ask: SentCommand, final: Ok | Err) -> None:
        if isinstance(final, Ok) and final.on is not None:
            self.streams.name_talk(final.on, final.talk)
        if ask.own:  # the time left comes in rows of the snapshot
            clocks = (row for row in ask.rows if isinstance(row, Clock))
            self._ready.extend(EventReceived(clock, clock.on, 0) for clock in clocks)
        match ask.verb, final:
            case "hello", Ok() if ask.own:
                self._greeted(final)
            case "hello", Err() if ask.own:
                self._go(Trigger.REFUSED)
            case "auth", Ok() if ask.own and not self._proved(ask, final):
                return
            case (("guest" | "resume" | "login" | "register" | "auth"), Ok(name=str())):
                self._named(ask, final)
                return
            case (("guest" | "resume" | "login" | "auth"), Err()) if ask.own and _put_off(final):
                self._go(Trigger.RETURN)
                self._ready.append(Replied(ask, final))
                return
            case "resume", Err() if ask.own and self.token:
                self._not_resumed(ask, final)
                return
            case "password", Ok(token=str() as token):
                self.token = token  # it replaces the previous token
            case "logout", Ok():
                self._unnamed()
            case (("follow" | "unfollow"), Ok()):
                self._followed(ask, final)
            case "unwatch", Ok():
                self._unwatched(ask)
            case "export", Ok(on=str() as on) if ask.own:
                lines = [row.text or "" for row in ask.rows if isinstance(row, RecordLine)]
                self._ready.append(Recorded(on, "".join(f"{line}\n" for line in lines)))
            case "leave", Ok(on=str() as on):
                self._left(on)
            case (("sync" | "state"), _):
                table = self._catching_up.answered(ask, final)
                if table is not None:
                    self._judged(self._shuffles.at(table.on).resumed(table), table)
            case _, Ok(seek=int()):
                self.streams.seeking = True
            case "move", Ok(on=str() as on):
                self.streams.answered(on, ask.turn)
            case _, Ok(on=str() as on):
                self._at_table(ask, on, final)
        if not ask.own or (ask.verb in FIRST and isinstance(final, Err)):
            self._ready.append(Replied(ask, final))

    def _greeted(self, ok: Ok) -> None:
        self._go(Trigger.GREETED)
        self._asks.limit = ok.maxin or self._asks.limit
        self.boot = ok.boot or ""
        self._ready.append(Greeted(ok))

    def _proved(self, ask: SentCommand, ok: Ok) -> bool:
        """Takes a step of the SCRAM exchange. True once the server's proof is verified."""
        data = next((row.data for row in ask.rows if isinstance(row, More)), "")
        try:
            answer = self._way_in.answer(data, last=ok.name is not None)
        except ScramFailed as wrong:
            self._garbled(data, f"the server does not know the password: {wrong}")
            self._go(Trigger.FAREWELL)
            return False
        if answer:
            self._ask(answer)
        return not answer

    def _named(self, ask: SentCommand, ok: Ok) -> None:
        resumed = ask.verb == "resume"
        self.name, self.token = ok.name or self.name, ok.token or self.token
        self.grace = ok.grace or 0
        if not resumed:
            self._catching_up.begin_anew(me=True)
            self._subscriptions.watches.clear()
            self._shuffles.forget()
        at = {row.on: row for row in ask.rows if isinstance(row, At)}
        for on in [on for on in self.streams.seqs if self.streams.is_table(on) and on not in at]:
            self.streams.forget(on)
        gone = [row.on for row in at.values() if not self._catching_up.stands(row)]
        for on in gone:
            self._subscriptions.lost(on)
        self._go(Trigger.NAMED)
        self._ready.append(SignedIn(self.name, self.token, resumed, ok.text or ""))
        if self.token and not self._asks.keys:
            # Each token is unique, so keys derived from it differ from those of earlier runs.
            self._asks.keys = hashlib.sha256(self.token.encode()).hexdigest()[:KEY_PREFIX_LENGTH]
        self._go_on(at.keys() - gone if resumed else (), same=ask.verb != "guest")

    def _go_on(self, resumed: Collection[str], *, same: bool) -> None:
        """Restores the state on a new connection: tables, the lobby, and unanswered commands.

        `resumed` are the streams that `resume` has restored. If we are the `same` person as before,
        unanswered commands are sent again. A server that knows their keys repeats its replies. A
        server without keys gets only moves again, which are valid for one question.
        """
        self._catching_up.go_on()
        for line in self._subscriptions.again(resumed):
            self._ask(line)
        open_turns = {turn.turn for _, turn in self.streams.questions()}
        for ask in self._asks.again():
            if same and (ask.once or ask.turn in open_turns):
                self._asks.sent(ask)
                self._out.append(ask.written)
            else:
                self._ready.append(Unanswered(ask))

    def _not_resumed(self, ask: SentCommand, err: Err) -> None:
        if err.class_ in STALE and " " in ask.line.removeprefix("resume "):
            self._catching_up.ask_for_all()
            self._resume(with_streams=False)
        elif err.class_ == "auth":
            self.token, seated = "", self._catching_up.seated
            self._catching_up.forget_all()
            self._ready.append(SessionLost(self.name, err, seated))
            if self.name:
                self._ask(self._way_in.command(self.name))
        else:
            self._ready.append(Replied(ask, err))

    def _unnamed(self) -> None:
        self._go(Trigger.UNNAMED)
        self.name = self.token = ""
        self._subscriptions = Subscriptions()
        self._catching_up.begin_anew()

    def _followed(self, ask: SentCommand, ok: Ok) -> None:
        """Notes the followed streams and their positions, from the reply."""
        self._subscriptions.changed(ask)
        at = [row for row in ask.rows if isinstance(row, At)]
        for name, seq in [(ok.on, ok.seq), *((row.on, row.seq) for row in at)]:
            if name is not None and seq is not None and name in self._subscriptions.follows:
                self.streams.seqs[name] = seq

    def _at_table(self, ask: SentCommand, on: str, ok: Ok) -> None:
        """Notes the stream of a table that we have joined: the reply precedes its events."""
        if ok.seat is None and ok.talk is None and ask.verb != "watch":
            if ask.verb == "replay":
                self.streams.name_told_again(on)
            return
        self._catching_up.name_table(on)
        table = self.streams.tables.get(on)
        if ok.seat is not None and table is None:
            self.streams.tables[on] = TableModel(on, me=ok.seat)
        elif ok.seat is not None and table is not None and table.me is None and table.hand:
            # A spectator who takes over a seat has not seen its cards yet (V2).
            self._catching_up.distrust(on)
        if isinstance(ask.command, Watch):
            self._subscriptions.watches[on] = ask.command.table
            if on not in self.streams.seqs and on not in self.streams.behind:
                self._catching_up.catch_up(on)

    def _left(self, on: str) -> None:
        """Forgets a table that we have stopped watching. For a player an event does that."""
        table = self.streams.tables.get(on)
        if table is not None and table.me is None:
            self._subscriptions.watches.pop(on, None)
            self.streams.forget(on)

    def _unwatched(self, ask: SentCommand) -> None:
        for on in self._subscriptions.unwatched(ask):
            self.streams.forget(on)


def _put_off(err: Err) -> bool:
    """True if the error may be temporary."""
    return err.class_ in LATER_PERHAPS
