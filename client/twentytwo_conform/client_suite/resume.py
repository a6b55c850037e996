"""Scenarios about lost connections: the client reconnects, or must not."""

from __future__ import annotations

import time

from ..check import Wrong
from ..report import Verdict
from .lines import Command, Fields, ServerLine
from .process import Port
from .scenario import scenario
from .scripted_server import (
    COMES_BACK,
    LOOKS_ON,
    NAMES,
    SAYS_NOTHING,
    ScriptedServer,
    ScriptedTable,
)
from .streams import OTHER_NAMES
from .verdicts import HungUp, Left, NotNeeded, Silent, Stays
from .visit import Visit

WAIT = 1500
"""Milliseconds after which the server tells the client to reconnect."""
AWAY = 3.0
"""Seconds for which a replaced client must not reconnect."""
DOWN = 1.2
"""Seconds for which a restarting server is unreachable."""


def back(server: ScriptedServer, table: ScriptedTable, boot: str) -> tuple[Visit, Command]:
    """Waits for the client to reconnect and send `resume`. The command is checked, but not answered
    yet.

    Raises `NotNeeded` if the client does neither.
    """
    try:
        visit = server.visit()
    except Stays as why:
        ends = "ends" if why.ended else "does not come back"
        raise NotNeeded(f"it {ends} when the connection drops") from None
    try:
        command = server.watch_for(("resume", *NAMES), visit, 5.0)
    except (HungUp, Left, Silent):
        raise Wrong("it came back and did not say who it is", "hello, then resume") from None
    if command.verb != "resume":
        left = "" if server.watching else ", and leaves its seat behind"
        raise NotNeeded(f"it comes back as somebody new{left}")
    words = command.words or tuple(command.named.get("token", "").split())
    token = words[0] if words else ""
    if token != server.tokens[-1]:
        expected = f"resume {server.tokens[-1]}, the last token that it was given"
        raise command.wrong(expected, "C3")
    if command.named.get("boot", boot) != boot:
        raise command.wrong(f"boot={boot}, which its numbers are of", "C1")
    number(table, command)
    return visit, command


def number(table: ScriptedTable, command: Command) -> int:
    """The table's event number in a `resume`; 0 if it has none."""
    pairs = (*command.words[1:], *command.named.get("streams", "").split())
    named = dict(pair.rpartition(":")[::2] for pair in pairs)
    said = named.get(table.on, "0")
    if not said.isdigit() or int(said) > table.seq:
        expected = f"{table.on}:{table.seq} at most, the last number that it was sent"
        raise command.wrong(expected, "C1")
    return int(said)


def let_in(
    server: ScriptedServer, table: ScriptedTable, visit: Visit, command: Command, *, odd: bool
) -> None:
    """Answers a `resume` with the missed events, a row for each stream, and a new token."""
    named = number(table, command)
    # Without a seat only what it names is shown to it again.
    table.visit, table.connected = visit, bool(named) or not server.watching
    if named:
        visit.send(*(record for _, record in table.missed(named)))
    if table.connected:
        server.row(visit, command, "AT", on=table.on, seq=table.seq, **({"from": named}))
    if odd:
        server.row(visit, command, "AT", on=f"{table.on}9", code="NO_SUCH_TABLE")
        server.row(visit, command, "AT", on=server.talk, code="XGLOST", xgn=1)
    server.row(visit, command, "AT", on="me", seq=0)
    name: Fields = {"name": server.name, "token": server.new_token(), "grace": 120000}
    server.ok(visit, command, "Welcome back.", **name)
    if not server.watching:
        table.tell("PRESENCE", seat=server.me, here=1)


def drop(server: ScriptedServer, table: ScriptedTable) -> None:
    """Drops the connection and tells the other players."""
    table.visit.cut()
    table.connected = False
    if not server.watching:
        table.record("PRESENCE", seat=server.me, here=0, ms=120000)


@scenario("the line drops in the middle of a hand, twice", "C1", "C3")
def dropped_line(server: ScriptedServer) -> None:
    table = server.sit()
    table.play(2)
    asked = table.ask()
    if server.watching:
        table.quiet(LOOKS_ON)
    else:
        table.move(asked)
    drop(server, table)
    visit, command = back(server, table, server.boot)
    let_in(server, table, visit, command, odd=False)
    _answers(table, asked)
    table.play()
    drop(server, table)
    table.record("TURN", **table.question)
    asked = table.history[-1][1]
    visit, command = back(server, table, server.boot)
    let_in(server, table, visit, command, odd=True)
    _answers(table, asked)
    table.play(2)


@scenario("the line drops at a table with a name of another form", "C1", "C3")
def dropped_elsewhere(server: ScriptedServer) -> None:
    server.on, server.talk = OTHER_NAMES
    dropped_line(server)


@scenario("the server is started anew: another boot=", "C1")
def restart(server: ScriptedServer) -> None:
    table = server.sit()
    table.play(2)
    drop(server, table)
    port = server.ports.pop()
    port.close()
    time.sleep(DOWN)
    server.ports.append(Port(port.port))
    boot, server.boot = server.boot, "m81c"
    table.record("TURN", **table.question)
    asked = table.history[-1][1]
    visit, command = back(server, table, boot)
    let_in(server, table, visit, command, odd=True)
    _answers(table, asked)
    table.play()


def _answers(table: ScriptedTable, asked: ServerLine) -> None:
    """Checks that the client answers the question that is still open."""
    try:
        token = table.answer(asked)
    except Wrong as wrong:
        if wrong.came != SAYS_NOTHING:
            raise
        expected = "an answer to the question that is still open"
        did = "it came back, and did not answer"
        raise Wrong(did, expected, "C1", f"turn={asked.fields['turn']}") from None
    table.go_on(token)


@scenario("the server has forgotten the client: BAD_TOKEN", "B9")
def forgotten(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()
    drop(server, table)
    visit, command = back(server, table, server.boot)
    token = server.tokens[-1]
    for _ in range(3):
        server.err(visit, command, "BAD_TOKEN", "auth")
        try:
            command = server.watch_for(("resume", *NAMES), visit, 3.0)
        except (HungUp, Left):
            try:
                visit = server.visit()
                command = server.watch_for(("resume", *NAMES), visit, 3.0)
            except (Stays, HungUp, Left, Silent):
                return
        except Silent:
            raise NotNeeded("it stays, and does nothing more") from None
        if command.verb in NAMES:
            return
    raise Wrong(f"it sent resume {token} again and again", "guest or login, as at first")


@scenario("somebody else has taken the place: BYE code=REPLACED", "C4")
def replaced(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()
    bye = ServerLine("BYE", {"code": "REPLACED", "resume": 0}, "You are here from somewhere else.")
    table.visit.send(bye)
    table.visit.cut()
    server.stays_away(AWAY, "C4", "no connection")


@scenario("a connection too many: BYE code=RATE wait= in place of the greeting", "B7")
def turned_away(server: ScriptedServer) -> None:
    visit = server.visit(greets=False)
    bye: Fields = {"code": "RATE", "resume": 1, "wait": WAIT}
    visit.send(ServerLine("BYE", bye, "Too many new connections from your address."))
    began = time.monotonic()
    visit.cut()
    try:
        connection, _ = server.process.connection(*server.ports, within=WAIT / 1000 + COMES_BACK)
    except Stays:
        raise NotNeeded("it does not come back after BYE") from None
    connection.close()
    passed = round((time.monotonic() - began) * 1000)
    if passed < 0.9 * WAIT:
        raise Wrong(f"it came back after {passed} ms", f"after {WAIT} ms")


@scenario("the server moves: BYE code=SHUTDOWN wait= to=", "B7", "B8")
def moved(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()
    server.ports.append(Port())
    elsewhere = server.ports[-1]
    bye: Fields = {
        "code": "SHUTDOWN",
        "resume": 1,
        "wait": WAIT,
        "to": f"127.0.0.1:{elsewhere.port}",
    }
    table.visit.send(ServerLine("BYE", bye, "Back soon."))
    began = time.monotonic()
    table.visit.cut()
    try:
        connection, port = server.process.connection(*server.ports, within=WAIT / 1000 + COMES_BACK)
    except Stays:
        raise NotNeeded("it does not come back after BYE") from None
    connection.close()
    passed = round((time.monotonic() - began) * 1000)
    if passed < 0.9 * WAIT:
        server.note("B7", Verdict.FAIL, f"it came back after {passed} ms", f"after {WAIT} ms")
    else:
        server.note("B7", Verdict.PASS)
    if port is not elsewhere:
        did = f"it came back to {port.host}:{port.port}"
        raise Wrong(did, f"to {elsewhere.host}:{elsewhere.port}, as BYE said", "B8")
