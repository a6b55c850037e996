"""The server of the script: it answers politely whatever the scenario is not about."""

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
"""Seconds in which a client that was started connects: it may be large, and others start, too."""
COMES_BACK = 5.0
"""Seconds in which a client comes back, if it does at all."""
SITS_DOWN = 3.0
"""Seconds of silence after which a client that has a name is not going to sit down."""
BEGINS = 0.4
"""Seconds in which a client that has sat down may still say `ready` or `start`."""
AGAIN = 3
"""How often an answer to a question that is over may be said again."""

LOOKS_ON = 0.05
"""Seconds for which a client that watches may do something wrong, after each question."""

SEATS = ("practice", "open", "join", "seek", "accept", "rematch")
"""Verbs that give a seat."""
COMES = (*SEATS, "watch")
"""Verbs that bring a client to a table."""
NAMES = ("guest", "login", "register")
"""Verbs that give a name."""
MOVES = tuple(verb for verb, cls in COMMANDS.items() if issubclass(cls, GameMove))
"""Verbs that answer a question."""
LISTS = ("who", "seeks", "watchers", "history", "ranks")
"""Verbs whose lists are empty here."""

WATCHES = "it only watches, and is asked nothing"
"""Why there is something that a client without a seat need not do."""
OF_PLAYERS = frozenset(("G3", "T2", "T3", "T4", "T5", "T6", "B1", "O7"))
"""Duties that only an answer to a question shows."""
SHOWN = {
    "TURN": ("turn", "seat", "act", "beat", "ms"),
    "DEALT": ("seat", "n"),
    "EXCHANGED": ("seat", "n"),
}
"""The fields that are shown to everybody, of events that have others, too."""

SAYS_NOTHING = "it did not answer"
"""What a client did that is waited for in vain."""

Hook = Callable[[Visit, Command], bool]
"""What a scenario does with a command instead; whether it has dealt with it."""
Decoration = Callable[[ServerLine], ServerLine]
"""Changes an event before it is sent."""


class ScriptedServer:
    """One scenario's server, its client, and what was found about it."""

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
        """Keeps a result about a duty. `came` is the reason where the verdict is not FAIL."""
        texts = {"why": came}
        if verdict is Verdict.FAIL:
            sent = self.visits[-1].last_sent(lure) if self.visits else ""
            texts = {"wants": short(wants), "sent": short(sent), "came": short(came)}
        self.found[duty] = Result(self.scenario, (duty,), (DUTIES[duty],), verdict, **texts)

    def note_rest(self, verdict: Verdict, why: str = "") -> None:
        """Keeps this result about each duty that has none yet."""
        for duty in self.duties:
            if duty not in self.found:
                self.note(duty, verdict, why)

    # ------------------------------------------------------------------------- visiting

    def visit(self, *, within: float | None = None, greets: bool = True) -> Visit:
        """The next connection of the client, greeted. Raises `Stays` if it does not come."""
        if within is None:
            within = COMES_BACK if self.visits else STARTS
        connection, _ = self.process.connection(*self.ports, within=within)
        visit = Visit(connection)
        self.visits.append(visit)
        if greets:
            visit.send_lines("# cardline/1 scripted  People: type a name.  Programs: hello 1")
        return visit

    def sit(self, *, pace: Pace = Pace.LINES, end: str = "\r\n") -> ScriptedTable:
        """Lets the client come in, gives it a seat and begins a game. Raises `Wrong`."""
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
        """Notes what a client that only watches need not do. Raises `NotNeeded` if that is all."""
        if OF_PLAYERS.issuperset(self.duties):
            raise NotNeeded(WATCHES)
        for duty in OF_PLAYERS.intersection(self.duties):
            self.note(duty, Verdict.NOT_NEEDED, WATCHES)

    def watch_for(self, verbs: tuple[str, ...], visit: Visit, patience: float) -> Command:
        """Answers politely up to a command with one of these verbs, which it leaves unanswered."""
        deadline = time.monotonic() + patience
        while True:
            command = visit.command(max(0.0, deadline - time.monotonic()))
            _after_hello(visit, command)
            if command.verb in verbs:
                return command
            self.politely(visit, command)

    def stays_away(self, seconds: float, duty: str, why: str) -> None:
        """Sees to it that the client does not come back so soon. Raises `Wrong`."""
        try:
            self.visit(within=seconds, greets=False)
        except Stays:
            return
        raise Wrong("it connected again", why, duty)

    # ------------------------------------------------------------------------ answering

    def ok(
        self, visit: Visit, command: Command, text: str | None = None, /, **fields: FieldValue
    ) -> None:
        """Ends a reply well."""
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
        """A row of a reply."""
        visit.send(ServerLine(word, fields, None, command.id))

    def politely(self, visit: Visit, command: Command) -> None:
        """Answers a command as a good server would."""
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
        """Answers hello; JSON is on where it was asked for."""
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
        """The next secret."""
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
    """The one table there is: its events, numbered, and the game."""

    def __init__(self, server: ScriptedServer, visit: Visit) -> None:
        self.on = server.on
        self.server, self.visit = server, visit
        self.seq, self.turn = 0, 0
        self.history: list[tuple[int, ServerLine]] = []
        self.answered = 0
        """The last question that the client was put and that is closed."""
        self.repeats = 0
        self.baits: dict[str, tuple[str, str]] = {}
        """Answers that show a client taken in: what it would send, the duty, what is expected."""
        self.over = False
        self.connected = True
        self.question: Question = {}
        self.unlisted: set[str] = set()
        """Moves that are legal and not listed, because the list was cut."""
        self.decorate: Decoration = lambda line: line
        self._game: Game | None = None

    # --------------------------------------------------------------------------- events

    def tell(self, word: str, text: str | None = None, /, **fields: FieldValue) -> ServerLine:
        """Something happens at the table: it is numbered, kept, and sent if the client is here."""
        record = self.record(word, text, **fields)
        if self.connected:
            self.visit.send(record)
        return record

    def record(self, word: str, text: str | None = None, /, **fields: FieldValue) -> ServerLine:
        """Something happens, and the client does not hear of it (yet)."""
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
        """Says what it shows that a client answers with this token."""
        self.baits[token] = duty, expected

    def bait_turn(self, turn: int, duty: str, expected: str) -> None:
        """Says what it shows that a client answers a question with this number."""
        self.baits[f"turn={turn}"] = duty, expected

    def seat_both(self, me: int, name: str) -> None:
        """The client and a bot sit down."""
        self.tell("JOINED", seat=me, name=name, bot=1)
        self.tell("HOST", name=name)
        self.tell("JOINED", seat=3 - me, name="~bob", bot=1)

    def begin(self, visit: Visit, me: int, target: int) -> None:
        """A game begins."""
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
        """The client is asked so many times what the game asks next, and answers."""
        for _ in range(turns):
            if self.over:
                return
            record = self.ask(**changes)
            self.go_on(self.answer(record))

    def ask(self, **changes: FieldValue) -> ServerLine:
        """Puts the game's question, perhaps with other fields."""
        return self.tell("TURN", **(self.question | changes))

    def go_on(self, token: str) -> None:
        """The answer is carried out, and the game goes on to the next question."""
        legal = self.question.get("legal")
        fits = not isinstance(legal, tuple) or token in legal
        self._advance(token if fits else str(self.question["default"]))

    def aside(self, **fields: FieldValue) -> str:
        """Puts a question that is none of the game's; the answer."""
        token = self.answer(self.tell("TURN", seat=self.server.me, **fields))
        self.tell("XGDONE", seat=self.server.me)
        return token

    def answer(self, asked: ServerLine, *, replies: bool = True) -> str:
        """The client's answer to a question, checked and acknowledged. Raises `Wrong`.

        Where it watches somebody else answers, and it must not.
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
        """Sees to it that a client that watches stays for so long, where it still does."""
        if self.connected and self.visit.open and not self.over:
            self.quiet(seconds)

    def close(self, asked: ServerLine) -> None:
        """The question is over: whatever else is said to it is repetition."""
        self.answered = int(str(asked.fields["turn"]))

    def move(self, asked: ServerLine) -> tuple[Command, str]:
        """The client's command that answers the question, and its token."""
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
        """Answers politely for so long; moves are for what is over, or wrong."""
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
        """The token as it was listed."""
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
        """Answers `sync`, whole."""
        if self._is_elsewhere(command):
            return
        self.visit.send(*(record for _, record in self.missed(since(command))))
        self.server.ok(self.visit, command, on=self.on, seq=self.seq)

    def state(self, command: Command) -> None:
        """Answers `state`: the fold of what happened, as the client was or would have been told."""
        table = TableModel(self.on, None if self.server.watching else self.server.me)
        for seq, record in self.history:
            _fold(table, seq, record)
        first, *others = table.rows()
        rows = [_row(first, command.id, nwatch=int(self.server.watching), talk=self.server.talk)]
        rows += [_row(each, command.id) for each in others if self._stands(each)]
        self.visit.send(*rows)
        self.server.ok(self.visit, command, on=self.on, n=len(rows))

    def _stands(self, row: Message) -> bool:
        """Whether a row is still so: no event says that a question aside is answered."""
        return not isinstance(row, Turn) or row.turn > self.answered

    def _is_elsewhere(self, command: Command) -> bool:
        if self.on in (*command.words, *command.named.values()) or not command.words:
            return False
        self.server.ok(self.visit, command, on=command.words[0], seq=0)
        return True


def _fold(table: TableModel, seq: int, record: ServerLine) -> None:
    """Takes in an event, but for one so odd that no model could hold it."""
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
    """Without a hello the server takes a client for a person."""
    if command.verb != "hello" and not visit.greeted:
        raise command.wrong("hello 1, before anything else", "M1")


def since(command: Command) -> int:
    """The number that a `sync` names."""
    with contextlib.suppress(ValueError):
        return int(command.named.get("from", "0"))
    raise command.wrong("sync STREAM from=NUMBER", "S5")


def _said(visit: Visit) -> str:
    return repr(visit.heard[-1]) if visit.heard else "the greeting"


def _token(command: Command, on: str) -> str:
    """The move in a command as a token: ranks and cards as the server writes them."""
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
