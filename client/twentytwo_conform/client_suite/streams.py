"""Scenarios about limits, and about gaps in numbers and lists."""

from __future__ import annotations

import time

from ..check import Wrong
from ..report import Verdict
from .lines import Command, ServerLine
from .scenario import scenario
from .scripted_server import COMES, NAMES, WATCHES, ScriptedServer, ScriptedTable, since
from .verdicts import HungUp, Left, NotNeeded, Silent, Stays
from .visit import Visit

WAIT = 700
"""The `wait=` of the server, in milliseconds."""
GOES_ON = 2.0
"""Seconds in which a client must continue after a partial answer."""
OTHER_NAMES = "café-3", "t12"
"""Names of a table and of its talk stream in an unusual form."""
EARLY = 0.9
"""The fraction of a `wait=` that a client must wait at least. It is below 1, because clocks
differ.
"""


@scenario("PING, after a silence", "K2")
def ping(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()
    moves = 0 if server.watching else 1
    heard = len(table.visit.heard) + moves
    table.visit.send(ServerLine("PING", {"no": 17}))
    # Who answers does so before it answers what came behind.
    table.play()
    answered = len(table.visit.heard) > heard
    if not answered:
        table.quiet(0.3)
        answered = len(table.visit.heard) > heard
    table.play()
    if not answered:
        kept = "sees no more until it comes back" if server.watching else "its seat is kept"
        raise NotNeeded(
            f"it does not answer PING; whoever is silent for 75 s is let go, and {kept}"
        )


@scenario("too fast: ERR code=RATE wait=", "L1")
def rate(server: ScriptedServer) -> None:
    _put_off(server, "RATE")


@scenario("refused for now, with an error code that nobody has heard of", "E2")
def unknown_limit(server: ScriptedServer) -> None:
    _put_off(server, "XGTIRED")


def _put_off(server: ScriptedServer, code: str) -> None:
    refused: list[tuple[float, str]] = []

    def put_off(visit: Visit, command: Command) -> bool:
        if not refused:
            refused.append((time.monotonic(), command.verb))
            server.err(visit, command, code, "limit", wait=WAIT)
            return True
        at, verb = refused[0]
        passed = round((time.monotonic() - at) * 1000)
        if verb == command.verb and passed < EARLY * WAIT:
            raise Wrong(
                f"it sent {command.line!r} again after {passed} ms", f"not before {WAIT} ms"
            )
        return False

    for verb in COMES:
        server.hooks[verb] = put_off
    try:
        table = server.sit()
    except (Wrong, HungUp, Left) as end:
        gave_up = not isinstance(end, Wrong) or (end.duty == "" and "nothing more" in end.came)
        if refused and gave_up:
            raise NotNeeded(f"it does not try again what was refused with {code}") from None
        raise
    table.play()


@scenario("a server that is full, and says for how long: ERR code=BUSY wait=", "L1")
def full(server: ScriptedServer) -> None:
    refused: list[float] = []

    def too_soon() -> None:
        passed = round((time.monotonic() - refused[0]) * 1000)
        if passed < EARLY * WAIT:
            raise Wrong(f"it tried again after {passed} ms", f"not before {WAIT} ms")

    def put_off(visit: Visit, command: Command) -> bool:
        if refused:
            too_soon()
            return False
        refused.append(time.monotonic())
        server.err(visit, command, "BUSY", "limit", wait=WAIT)
        return True

    for verb in NAMES:
        server.hooks[verb] = put_off
    try:
        table = server.sit()
    except HungUp:
        try:
            table = server.sit()
        except Stays:
            raise NotNeeded("it does not come back to a server that was full") from None
        too_soon()
    except Wrong as wrong:
        if refused and "nothing more" in wrong.came:
            raise NotNeeded("it does not try again what was refused with BUSY") from None
        raise
    table.play()


@scenario("an answer that comes too late: STALE_TURN", "T2")
def stale(server: ScriptedServer) -> None:
    _too_late(server, "STALE_TURN")


@scenario("an answer that is refused with an error code that nobody has heard of", "E2")
def unknown_turn_error(server: ScriptedServer) -> None:
    _too_late(server, "XGLATE")


def _too_late(server: ScriptedServer, code: str) -> None:
    table = server.sit()
    if server.watching:
        raise NotNeeded(WATCHES)
    table.play()
    asked = table.ask()
    command, _ = table.move(asked)
    turn = asked.fields["turn"]
    table.close(asked)
    table.tell("TIMEOUT", turn=turn, seat=server.me)
    table.go_on(str(asked.fields["default"]))
    server.err(table.visit, command, code, "turn", turn=table.turn + 1, on=table.on)
    table.quiet(0.3)
    table.play(2)


@scenario("a hole in the numbers, and then the same numbers again", "S5", "B5")
def hole(server: ScriptedServer) -> None:
    _hole(server, server.sit())


def _hole(server: ScriptedServer, table: ScriptedTable) -> None:
    table.play()
    seen = table.seq
    asked_from: list[int] = []
    stated: list[str] = []

    def sync(visit: Visit, command: Command) -> bool:
        if table.on not in (*command.words, *command.named.values()):
            return False
        number = since(command)
        if number > (seen if not asked_from else seen + 1):
            expected = f"sync {table.on} from={seen}, the last number that it has seen"
            raise command.wrong(expected, "S5")
        asked_from.append(number)
        if len(asked_from) > 1:
            return False
        visit.send(*(record for seq, record in table.missed(number) if seq <= seen + 1))
        server.ok(visit, command, on=table.on, seq=seen + 1, more=1)
        return True

    def state(visit: Visit, command: Command) -> bool:
        stated.append(command.line)
        return False

    server.hooks |= {"sync": sync, "state": state}
    for text in ("one", "two", "three"):
        table.record("SAID", text, by="~bob")
    table.tell("SAID", "four", by="~bob")
    deadline = time.monotonic() + GOES_ON
    table.quiet(0.4)
    while len(asked_from) == 1 and not stated and time.monotonic() < deadline:
        table.quiet(0.1)
    if len(asked_from) == 1 and not stated:
        server.note("S5", Verdict.PASS)
        expected = f"sync {table.on} from={seen + 1}: the answer said more=1"
        raise Wrong("it did not ask for the rest", expected, "B5", "more=1")
    asked = table.ask()
    table.go_on(table.answer(asked))
    if not asked_from:
        server.note("B5", Verdict.NOT_NEEDED, "it does not ask for what it has missed")
    _repetition(server, asked, counts=bool(asked_from or stated))


def _repetition(server: ScriptedServer, asked: ServerLine, *, counts: bool) -> None:
    """Sends earlier events again, with the question."""
    table = server.table
    assert table is not None
    number = int(str(asked.fields["seq"]))
    server.found.pop("S5", None)
    table.visit.send(*(record for seq, record in table.missed(number - 1)))
    table.quiet(0.3)
    repeats = table.repeats
    table.play(2)
    if repeats and counts:
        raise Wrong(
            f"it answered turn {asked.fields['turn']} again", "nothing: it has seen this number"
        )
    if repeats:
        harmless = "it does not look at seq; its second answer names turn=, and does no harm"
        server.note("S5", Verdict.NOT_NEEDED, harmless)
    elif not counts:
        server.note("S5", Verdict.NOT_NEEDED, "it does not ask for what it has missed")


@scenario("a hole at a table with a name of another form", "S5", "B5")
def hole_elsewhere(server: ScriptedServer) -> None:
    server.on, server.talk = OTHER_NAMES
    table = server.sit()
    table.visit.send(ServerLine("KIBITZED", {"on": server.talk, "seq": 9, "by": "~cat"}, "hm"))
    _hole(server, table)


@scenario("GAP: events that are left out on purpose", "B4")
def gap(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()

    def asks(visit: Visit, command: Command) -> bool:
        if table.on in (*command.words, *command.named.values()):
            raise command.wrong("nothing: GAP has said that they are left out")
        return False

    server.hooks |= {"sync": asks}
    table.seq += 3
    table.visit.send(ServerLine("GAP", {"on": table.on, "seq": table.seq}))
    table.play()
    table.quiet(0.2)
    table.play()


@scenario("a listing that goes on: next=", "B6")
def listing(server: ScriptedServer) -> None:
    pages: list[str] = []

    def page(visit: Visit, command: Command) -> bool:
        after = command.named.get("after", "")
        if after not in ("", "c1"):
            raise command.wrong(f"{command.verb} after=c1")
        pages.append(after)
        if not after:
            server.ok(visit, command, n=0, next="c1", seq=0)
        return not after

    def seat(visit: Visit, command: Command) -> bool:
        if pages and "c1" not in pages:
            _only_half(command.line)
        return False

    server.hooks |= dict.fromkeys(("tables", "who", "seeks"), page)
    server.hooks |= dict.fromkeys(COMES, seat)
    try:
        server.sit().play()
    except (Wrong, HungUp, Silent, Left):
        if pages and "c1" not in pages:
            _only_half("nothing more")
        raise
    if not pages:
        raise NotNeeded("it asks for no listing")


def _only_half(did: str) -> None:
    expected = "the listing with after=c1: the answer said next=c1"
    raise Wrong(f"it took the first page for all, and sent {did!r}", expected)
