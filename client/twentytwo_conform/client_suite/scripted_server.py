"""The scripted server. It answers normally except where the scenario differs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import COMMANDS, Event, GameMove, Malformed, Message
from twentytwo_protocol.wire import decode, parse, write
from twentytwo_protocol.words.cardplay import Turn

from ..check import Wrong
from ..explaining import short
from ..report import Result, Verdict
from . import describing
from .duties import DUTIES
from .game import Game, Question, twenty_two
from .lines import Command, Fields, FieldValue, ServerLine
from .process import ClientProcess, Port
from .verdicts import Left, NotNeeded, Silent, Stays
from .visit import Pace, Visit

STARTS = 20.0
"""Timeout in seconds for the first connection of a started client: clients may start slowly, and
several start at once.
"""
COMES_BACK = 5.0
"""Timeout in seconds for a reconnection."""
SITS_DOWN = 3.0
"""Seconds of silence after which a client with a name is taken not to sit down."""
BEGINS = 0.4
"""Seconds in which a seated client may still send `ready` or `start`."""
AGAIN = 3
"""Allowed number of repeated answers to a closed question."""

LOOKS_ON = 0.05
"""Seconds after each question in which a watching client can make a mistake."""

SEATS = ("practice", "open", "join", "seek", "accept", "rematch")
"""Verbs that lead to a seat."""
COMES = (*SEATS, "watch")
"""Verbs that lead to a table."""
NAMES = ("guest", "login", "register")
"""Verbs that set the client's name."""
MOVES = tuple(verb for verb, cls in COMMANDS.items() if issubclass(cls, GameMove))
"""Verbs that answer a question."""
LISTS = ("who", "seeks", "watchers", "history", "ranks")
"""Verbs that this server answers with an empty list."""

WATCHES = "it only watches, and is asked nothing"
"""The reason why a duty does not apply to a client without a seat."""
OF_PLAYERS = frozenset(("G3", "T2", "T3", "T4", "T5", "T6", "B1", "O7"))
"""Duties that can only be checked with an answer to a question."""
SHOWN = {
    "TURN": ("turn", "seat", "act", "beat", "ms"),
    "DEALT": ("seat", "n"),
    "EXCHANGED": ("seat", "n"),
}
"""For events with hidden fields: the fields that everybody sees."""

SAYS_NOTHING = "it did not answer"
"""The description of a client that sends nothing although it has to."""

Hook = Callable[[Visit, Command], bool]
"""A scenario's own answer to a command; returns True if it has answered the command."""
Decoration = Callable[[ServerLine], ServerLine]
"""Changes an event before it is sent."""


class ScriptedServer:
    """The server of one scenario, its client, and the results so far."""

    def __init__(
        self, command: str, scenario: str, duties: tuple[str, ...], patience: float
    ) -> None:
        self.scenario, self.duties, self.patience = scenario, duties, patience
        self.found: dict[str, Result] = {}
        self.boot, self.tokens = "k3f9", ["Zk80"]
        self.on, self.talk = "t7", "k7"
        self.hooks: dict[str, Hook] = {}
        self.hello: Mapping[str, FieldValue] = {}
        self.table: ScriptedTable | None = None
        self.name = ""
        self.me, self.target = 1, 1000
        self.grease = False
        self.sits_down = self.watching = False
        self.visits: list[Visit] = []
        self.ports = [Port()]
        try:
            self.process = ClientProcess(command, self.ports[0])
        except OSError:
            self.ports[0].close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for visit in self.visits:
            visit.close()
        for port in self.ports:
            port.close()
        self.process.stop()

    # ------------------------------------------------------------------------- findings

    def note(
        self, duty: str, verdict: Verdict, came: str = "", wants: str = "", lure: str = ""
    ) -> None:
        """Records a result about a duty. `came` is the reason if the verdict is not FAIL."""
        texts = {"why": came}
        if verdict is Verdict.FAIL:
            sent = self.visits[-1].last_sent(lure) if self.visits else ""
            texts = {"wants": short(wants), "sent": short(sent), "came": short(came)}
        self.found[duty] = Result(self.scenario, (duty,), (DUTIES[duty],), verdict, **texts)

    def note_rest(self, verdict: Verdict, why: str = "") -> None:
        """Records this result for each duty that has none yet."""
        for duty in self.duties:
            if duty not in self.found:
                self.note(duty, verdict, why)

    # ------------------------------------------------------------------------- visiting

    def visit(self, *, within: float | None = None, greets: bool = True) -> Visit:
        """The client's next connection, after the greeting. Raises `Stays` if there is none."""
        if within is None:
            within = COMES_BACK if self.visits else STARTS
        connection, _ = self.process.connection(*self.ports, within=within)
        visit = Visit(connection)
        self.visits.append(visit)
        if greets:
            visit.send_lines("# cardline/1 scripted  People: type a name.  Programs: hello 1")
        return visit

    def sit(self, *, pace: Pace = Pace.LINES, end: str = "\r\n") -> ScriptedTable:
        """Logs the client in, gives it a seat and starts a game. Raises `Wrong`."""
        visit = self.visit()
        visit.pace, visit.end = pace, end
        patience = self.patience
        self.sits_down = False
        while True:
            try:
                command = visit.command(patience)
            except Silent:
                if self.sits_down:
                    break
                raise Wrong(
                    f"it said nothing more for {patience:.0f} s after {_said(visit)}",
                    "a command that brings it to a table: practice, open, join or watch. Where "
                    "the client is told what to do by arguments, give them: "
                    "--client 'mybot {host} {port} practice'",
                ) from None
            self.politely(visit, command)
            if self.name:
                patience = SITS_DOWN
            if self.sits_down:
                patience = BEGINS
                if command.verb in ("practice", "start", "ready"):
                    break
        assert self.table is not None
        if self.watching:
            self._excuse()
        self.table.begin(visit, self.me, self.target)
        return self.table

    def _excuse(self) -> None:
        """Records the duties that do not apply to a watching client. Raises `NotNeeded` if none is
        left.
        """
        if OF_PLAYERS.issuperset(self.duties):
            raise NotNeeded(WATCHES)
        for duty in OF_PLAYERS.intersection(self.duties):
            self.note(duty, Verdict.NOT_NEEDED, WATCHES)

    def watch_for(self, verbs: tuple[str, ...], visit: Visit, patience: float) -> Command:
        """Answers normally up to a command with one of these verbs, which is left unanswered."""
        deadline = time.monotonic() + patience
        while True:
            command = visit.command(max(0.0, deadline - time.monotonic()))
            _after_hello(visit, command)
            if command.verb in verbs:
                return command
            self.politely(visit, command)

    def stays_away(self, seconds: float, duty: str, why: str) -> None:
        """Checks that the client does not reconnect too early. Raises `Wrong`."""
        try:
            self.visit(within=seconds, greets=False)
        except Stays:
            return
        raise Wrong("it connected again", why, duty)

    # ------------------------------------------------------------------------ answering

    def ok(
        self, visit: Visit, command: Command, text: str | None = None, /, **fields: FieldValue
    ) -> None:
        """Ends a reply with OK."""
        if self.grease:
            fields |= {"xgok": "1%2C2", "xgempty": ""}
        visit.send(ServerLine("OK", fields, text, command.id))

    def err(
        self, visit: Visit, command: Command, code: str, kind: str, **fields: FieldValue
    ) -> None:
        """Refuses a command."""
        record = {"code": code, "class": kind, **fields}
        visit.send(ServerLine("ERR", record, "This was not done.", command.id))

    def row(self, visit: Visit, command: Command, word: str, **fields: FieldValue) -> None:
        """Sends a row of a reply."""
        visit.send(ServerLine(word, fields, None, command.id))

    def politely(self, visit: Visit, command: Command) -> None:
        """Answers a command as a correct server would."""
        _after_hello(visit, command)
        hook = self.hooks.get(command.verb)
        if hook is not None and hook(visit, command):
            return
        if self.grease and command.verb != "pong":
            self.row(visit, command, "XGROW", xgn=1, default="bait", on=self.on)
        table = self.table
        match command.verb:
            case "hello":
                self.greet(visit, command)
            case verb if verb in NAMES:
                self._name(visit, command)
            case verb if verb in SEATS:
                self._seat(visit, command)
            case "watch":
                self._watch(visit, command)
            case "auth":
                self.err(visit, command, "UNSUPPORTED", "server")
            case "quit":
                self.ok(visit, command)
                visit.send(ServerLine("BYE", {"code": "QUIT", "resume": 1}, "Goodbye."))
                visit.cut()
                raise Left
            case "pong":
                pass
            case "ping":
                self.ok(visit, command, pong=command.words[0] if command.words else "")
            case "caps":
                self.ok(visit, command, caps="json" if visit.json else "", knows="json")
            case "resume":
                self.err(visit, command, "BAD_TOKEN", "auth")
            case "sync" if table is not None:
                table.sync(command)
            case "state" if table is not None:
                table.state(command)
            case "whoami":
                self.ok(visit, command, name=self.name)
            case "tables":
                row: Fields = {"on": self.on, "game": "twentytwo", "seats": 2, "taken": 1}
                row |= {"phase": "open", "host": "~bob", "nwatch": 0, "locked": 0}
                self.row(visit, command, "TABLE", **row)
                self.ok(visit, command, n=1, seq=0)
            case verb if verb in describing.VERBS:
                found = describing.rows(command)
                visit.send(*(_row(each, command.id) for each in found))
                self.ok(visit, command, n=len(found))
            case verb if verb in LISTS:
                self.ok(visit, command, n=0)
            case verb if verb in MOVES:
                self.err(visit, command, "NO_GAME", "state", on=self.on)
            case _:
                seated: Fields = (
                    {"on": table.on, "seat": self.me, "seq": table.seq} if table else {}
                )
                self.ok(visit, command, None, **seated)

    def greet(self, visit: Visit, command: Command, **fields: FieldValue) -> None:
        """Answers `hello`; turns JSON on if the client has requested it."""
        versions = command.words[0].split(",") if command.words else []
        if "1" not in versions:
            raise command.wrong("hello 1", "M1")
        asked = command.named.get("caps", "").split(",")
        visit.greeted = True
        visit.json = "json" in asked and fields.get("caps") is None
        found: Fields = {"proto": 1, "server": "scripted/1", "boot": self.boot}
        found |= {"maxin": 1024, "maxout": 8192, "knows": "json,text,time,grease"}
        found |= {"caps": "json" if visit.json else "", **fields}
        if self.grease:
            found["knows"] = "json,xgnose,text,xg2"
        self.ok(visit, command, "Welcome.", **found)

    def new_token(self) -> str:
        """The next resume token."""
        self.tokens.append(f"Zk{80 + len(self.tokens)}")
        return self.tokens[-1]

    def _name(self, visit: Visit, command: Command) -> None:
        said = command.named.get("name") or " ".join(command.words[:1]) or "nobody"
        self.name = said if command.verb != "guest" else f"~{said.lstrip('~')}"
        if command.verb == "login":
            self.row(visit, command, "AT", on="me", seq=0)
        name: Fields = {"name": self.name, "token": self.new_token(), "grace": 120000}
        self.ok(visit, command, f"Hello, {self.name}.", **name)

    def _seat(self, visit: Visit, command: Command) -> None:
        watched, self.watching = self.watching, False
        self.sits_down = True
        self.me = 2 if command.verb in ("join", "accept") else 1
        if self.table is None:
            self.table = ScriptedTable(self, visit)
        table = self.table
        seq = table.seq + 2 if watched else 1
        fields: Fields = {"on": table.on, "seat": self.me, "talk": self.talk, "seq": seq}
        self.ok(visit, command, "You sit down.", **fields)
        if watched:
            table.tell("LEFT", seat=self.me, name="~ann" if self.me == 1 else "~bob", why="left")
            table.tell("JOINED", seat=self.me, name=self.name, bot=1)
        elif not table.seq:
            table.seat_both(self.me, self.name)

    def _watch(self, visit: Visit, command: Command) -> None:
        self.sits_down = self.watching = True
        if self.table is None:
            self.table = ScriptedTable(self, visit)
            self.table.connected = False  # it is told what happens from now on
            self.table.seat_both(self.me, "~ann")
        table = self.table
        table.visit, table.connected = visit, True
        self.ok(visit, command, "You watch.", on=table.on, seq=table.seq, talk=self.talk)


class ScriptedTable:
    """The only table of the server: its numbered events, and the game."""

    def __init__(self, server: ScriptedServer, visit: Visit) -> None:
        self.on = server.on
        self.server, self.visit = server, visit
        self.seq, self.turn = 0, 0
        self.history: list[tuple[int, ServerLine]] = []
        self.answered = 0
        """The last closed question to the client."""
        self.repeats = 0
        self.baits: dict[str, tuple[str, str]] = {}
        """Wrong answers that the scenario provokes: the token, the violated duty, the required
        behaviour.
        """
        self.over = False
        self.connected = True
        self.question: Question = {}
        self.unlisted: set[str] = set()
        """Legal moves that a truncated list lacks."""
        self.decorate: Decoration = lambda line: line
        self._game: Game | None = None

    # --------------------------------------------------------------------------- events

    def tell(self, word: str, text: str | None = None, /, **fields: FieldValue) -> ServerLine:
        """Adds an event to the table's stream, and sends it if the client is connected."""
        record = self.record(word, text, **fields)
        if self.connected:
            self.visit.send(record)
        return record

    def record(self, word: str, text: str | None = None, /, **fields: FieldValue) -> ServerLine:
        """Adds an event to the table's stream without sending it (yet)."""
        if self.server.watching and word in SHOWN:
            fields = {key: fields[key] for key in SHOWN[word] if key in fields}
        self.seq += 1
        head: Fields = {"on": self.on, "seq": self.seq}
        if word == "TURN" and "turn" not in fields:
            self.turn += 1
            head["turn"] = self.turn
            if "default" not in fields:
                self.bait_turn(self.turn, "T1", "no answer to a question to another seat")
        record = self.decorate(ServerLine(word, head | fields, text))
        self.history.append((self.seq, record))
        return record

    def bait(self, token: str, duty: str, expected: str) -> None:
        """Sets the duty that the client violates if it answers with this token."""
        self.baits[token] = duty, expected

    def bait_turn(self, turn: int, duty: str, expected: str) -> None:
        """Sets the duty that the client violates if it answers a question with this number."""
        self.baits[f"turn={turn}"] = duty, expected

    def seat_both(self, me: int, name: str) -> None:
        """Gives the client and a bot a seat."""
        self.tell("JOINED", seat=me, name=name, bot=1)
        self.tell("HOST", name=name)
        self.tell("JOINED", seat=3 - me, name="~bob", bot=1)

    def begin(self, visit: Visit, me: int, target: int) -> None:
        """Starts a game."""
        self.visit = visit
        for seat in (1, 2):
            self.tell("READY", seat=seat, ready=1)
        self._game = twenty_two(self.tell, me, target)
        self._advance(None)

    def _advance(self, token: str | None) -> None:
        assert self._game is not None
        try:
            self.question = next(self._game) if token is None else self._game.send(token)
        except StopIteration:
            self.over, self.question = True, {}

    # ------------------------------------------------------------------------ questions

    def play(self, turns: int = 1, **changes: FieldValue) -> None:
        """Asks the client the next `n` questions of the game, and plays its answers."""
        for _ in range(turns):
            if self.over:
                return
            record = self.ask(**changes)
            self.go_on(self.answer(record))

    def ask(self, **changes: FieldValue) -> ServerLine:
        """Asks the game's next question, with changed fields if given."""
        return self.tell("TURN", **(self.question | changes))

    def go_on(self, token: str) -> None:
        """Plays the answer, and continues to the game's next question."""
        legal = self.question.get("legal")
        fits = not isinstance(legal, tuple) or token in legal
        self._advance(token if fits else str(self.question["default"]))

    def aside(self, **fields: FieldValue) -> str:
        """Asks a question that does not belong to the game. Returns the answer."""
        token = self.answer(self.tell("TURN", seat=self.server.me, **fields))
        self.tell("XGDONE", seat=self.server.me)
        return token

    def answer(self, asked: ServerLine, *, replies: bool = True) -> str:
        """The client's answer to a question, checked and acknowledged. Raises `Wrong`.

        If the client watches, another player answers, and the client must not.
        """
        if self.server.watching:
            self.quiet(LOOKS_ON)
            return str(self.question["default"])
        command, token = self.move(asked)
        if replies:
            self.close(asked)
            self.server.ok(self.visit, command, on=self.on, seq=self.seq + 1)
        return token

    def look_on(self, seconds: float) -> None:
        """Checks that a watching client stays connected for this time. Does nothing if it has gone
        already.
        """
        if self.connected and self.visit.open and not self.over:
            self.quiet(seconds)

    def close(self, asked: ServerLine) -> None:
        """Closes the question: further answers to it are repetitions."""
        self.answered = int(str(asked.fields["turn"]))

    def move(self, asked: ServerLine) -> tuple[Command, str]:
        """The client's command that answers the question, with its token."""
        turn = int(str(asked.fields["turn"]))
        while True:
            try:
                command = self.server.watch_for(MOVES, self.visit, self.server.patience)
            except Silent:
                raise Wrong(SAYS_NOTHING, f"an answer to turn {turn}", "", f"turn={turn}") from None
            token = _token(command, self.on)
            named = command.named.get("turn")
            self._baited(command, token, named)
            where = command.named.get("table") or next(
                (word for word in command.words[1:] if word == self.on), self.on
            )
            if where != self.on:
                raise command.wrong(f"a move at {self.on}", "T1")
            if named is not None and named != str(turn):
                self._repeated(command, named, turn)
                continue
            return command, self._checked(asked, command, token)

    def _baited(self, command: Command, token: str, named: str | None) -> None:
        found = self.baits.get(token) or self.baits.get(f"turn={named}")
        if found is not None:
            duty, expected = found
            lure = "bait" if token in self.baits else f"turn={named}"
            raise command.wrong(expected, duty, lure)

    def _repeated(self, command: Command, named: str, turn: int) -> None:
        if not named.isdigit() or int(named) > self.answered:
            raise command.wrong(f"a move with turn={turn}", "T2")
        self.repeats += 1
        if self.repeats > AGAIN:
            raise Wrong(
                f"it sent {command.line!r}, the {self.repeats}th answer to a turn that is over",
                f"no more answers to turn {named}, and one to turn {turn}",
                "T2",
            )
        self.server.err(self.visit, command, "STALE_TURN", "turn", turn=turn, on=self.on)

    def quiet(self, seconds: float) -> None:
        """Answers normally for so long; a move in this time is a repetition or a mistake."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                command = self.server.watch_for(
                    MOVES, self.visit, max(0.0, deadline - time.monotonic())
                )
            except Silent:
                return
            named = command.named.get("turn")
            self._baited(command, _token(command, self.on), named)
            if named is None:
                raise command.wrong("no answer: there is no open question")
            self._repeated(command, named, self.answered)

    def _checked(self, asked: ServerLine, command: Command, token: str) -> str:
        """The token in the spelling of the list of legal moves."""
        fields = asked.fields
        default = str(fields["default"])
        if token == default or token in self.unlisted:
            return token
        match fields.get("choose"):
            case "one":
                found = fields.get("legal", ())
                legal = found if isinstance(found, tuple) else (str(found),)
                card = token.upper().replace("10", "T")
                held = fields.get("hand", ())
                rank = card[:1] if isinstance(held, tuple) and card in held else card
                for said in (token, card, rank):
                    if said in legal:
                        return said
                raise command.wrong("one of legal=", "T3")
            case "subset":
                held = fields["cards"]
                cards = [*held] if isinstance(held, tuple) else []
                for part in token.upper().replace("10", "T").split("+"):
                    fits = next((card for card in cards if card.startswith(part)), None)
                    if fits is None:
                        raise command.wrong("cards of from=, joined with +, or -", "T4")
                    cards.remove(fits)
                if not int(str(fields["min"])) <= token.count("+") + 1 <= int(str(fields["max"])):
                    raise command.wrong("min= to max= cards of from=", "T4")
                return token.upper().replace("10", "T")
            case _:
                raise command.wrong(f"move {default}, the default", "B1")

    # ------------------------------------------------------------------------ looking up

    def missed(self, since: int) -> list[tuple[int, ServerLine]]:
        """The events after a number."""
        return [(seq, record) for seq, record in self.history if seq > since]

    def sync(self, command: Command) -> None:
        """Answers `sync` completely."""
        if self._is_elsewhere(command):
            return
        self.visit.send(*(record for _, record in self.missed(since(command))))
        self.server.ok(self.visit, command, on=self.on, seq=self.seq)

    def state(self, command: Command) -> None:
        """Answers `state` with the fold of the events, including those that the client missed."""
        table = TableModel(self.on, None if self.server.watching else self.server.me)
        for seq, record in self.history:
            _fold(table, seq, record)
        first, *others = table.rows()
        rows = [_row(first, command.id, nwatch=int(self.server.watching), talk=self.server.talk)]
        rows += [_row(each, command.id) for each in others if self._stands(each)]
        self.visit.send(*rows)
        self.server.ok(self.visit, command, on=self.on, n=len(rows))

    def _stands(self, row: Message) -> bool:
        """True if a row is still valid; no event closes a question that was asked `aside`."""
        return not isinstance(row, Turn) or row.turn > self.answered

    def _is_elsewhere(self, command: Command) -> bool:
        if self.on in (*command.words, *command.named.values()) or not command.words:
            return False
        self.server.ok(self.visit, command, on=command.words[0], seq=0)
        return True


def _fold(table: TableModel, seq: int, record: ServerLine) -> None:
    """Folds an event, unless it is so unusual that a model cannot hold it."""
    table.seq = seq
    with contextlib.suppress(Malformed, LookupError, ValueError):
        line = parse(record.plain)
        event = decode(line) if line is not None else None
        if isinstance(event, Event):
            table.see(event, seq)


def _row(row: Message, id: str, **more: FieldValue) -> ServerLine:
    """A row of a reply."""
    line = parse(write(row))
    assert line is not None, "no comment"
    return ServerLine(line.word, {**line.fields, **more}, line.text, id)


def _after_hello(visit: Visit, command: Command) -> None:
    """Checks that the client sent `hello` first; otherwise a server would take it for a person."""
    if command.verb != "hello" and not visit.greeted:
        raise command.wrong("hello 1, before anything else", "M1")


def since(command: Command) -> int:
    """The number in a `sync` command."""
    with contextlib.suppress(ValueError):
        return int(command.named.get("from", "0"))
    raise command.wrong("sync STREAM from=NUMBER", "S5")


def _said(visit: Visit) -> str:
    return repr(visit.heard[-1]) if visit.heard else "the greeting"


def _token(command: Command, on: str) -> str:
    """The move in a command as a token, with ranks and cards in a server's spelling."""
    cards = command.words or tuple(
        command.named.get("token", command.named.get("cards", "")).split()
    )
    match command.verb:
        case "move" | "bid" | "trump":
            found = cards[0] if cards else ""
        case "keep":
            found = "-"
        case "pass":
            found = "pass"
        case _:
            found = "+".join(word for word in cards if word != on) or "-"
    return found
