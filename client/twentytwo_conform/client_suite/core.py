"""Scenarios that every client must pass, even one of six lines of awk."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from msgspec.structs import replace

from ..check import Wrong, alone
from ..report import Verdict
from .lines import Command, Fields, ServerLine
from .scenario import scenario
from .scripted_server import NAMES, ScriptedServer, ScriptedTable
from .verdicts import HungUp, Left, NotNeeded, Silent, Stays
from .visit import Pace, Visit

LURE = "act=play choose=one nlegal=1 legal=bait default=bait"
"""Text that looks like a question to a client that searches the wrong part of a line."""
WATCH = 2.5
"""Seconds for which connections of the client are counted."""
OFTEN = 4
"""This many connections within that time are too many; two or three are normal."""


def lured(table: ScriptedTable, duty: str, expected: str, *, ahead: int = 1) -> str:
    """A line that a careless client takes for a question.

    Its number is far ahead of the table's, so that it looks like the next question.
    """
    table.bait("bait", duty, expected)
    table.bait_turn(990, duty, expected)
    return f"TURN on={table.on} seq={table.seq + ahead} turn=990 seat={table.server.me} {LURE}"


@alone
@scenario("a whole game of Twenty-Two", "M1", "T1", "T2", "T3", "T4", "F1", "F4")
def whole_game(server: ScriptedServer) -> None:
    server.target = 22
    table = server.sit()
    server.note("M1", Verdict.PASS)
    while not table.over:
        table.play()


@scenario("a game that is over", "B3")
def over(server: ScriptedServer) -> None:
    server.target = 10
    table = server.sit()
    while not table.over:
        table.play()
    try:
        table.quiet(1.0)
    except Left:
        server.stays_away(1.5, "B3", "it has said quit: no connection")
    except HungUp:
        raise NotNeeded("it does not say quit, it hangs up") from None
    else:
        raise NotNeeded("it does not say quit")


@scenario("each byte in a packet of its own", "F7")
def bytes_apart(server: ScriptedServer) -> None:
    server.sit(pace=Pace.BYTES).play(3)


@scenario("many lines in one packet, and the end of one in the next", "F7")
def lines_together(server: ScriptedServer) -> None:
    server.sit(pace=Pace.TOGETHER).play(4)


@scenario("a line of which one half comes a second later", "F7")
def slow_line(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()
    asked = table.record("TURN", **table.question)
    table.visit.send_slowly(asked, 1.0)
    table.go_on(table.answer(asked))
    table.play()


@scenario("lines that end with LF alone", "F2")
def line_feeds(server: ScriptedServer) -> None:
    server.sit(end="\n").play(4)


@scenario("talk with a character that some libraries take for the end of a line", "F2")
def line_separators(server: ScriptedServer) -> None:
    table = server.sit()
    expected = "no answer: U+2028 is a character of the text, and no line end"
    lure = lured(table, "F2", expected, ahead=2)
    table.tell("SAID", f"one\u2028{lure}\u2029{lure}", by="~bob")
    table.play(2)


@scenario("comments between the lines", "G1")
def comments(server: ScriptedServer) -> None:
    table = server.sit()
    lure = lured(table, "G1", "no answer: the line is a comment")
    for text in ("", "the server is painted blue", lure, f"@1 OK :{lure}"):
        table.visit.comment(text)
    if not table.visit.json:
        table.visit.send_lines("#", f"#{lure}")
    table.play(2)


@scenario("lines of 8,192 bytes", "F4")
def long_lines(server: ScriptedServer) -> None:
    table = server.sit()
    for word in ("XGLONG", "SAID"):
        lure = lured(table, "F4", "no answer: it is in the middle of a longer line", ahead=2)
        fields: Fields = {"by": "~bob"} if word == "SAID" else {"xgn": 1}
        record = table.record(word, "", **fields)
        visit = table.visit
        length = 8192 - 2 - len((record.json if visit.json else record.plain).encode())
        length -= len(',"text":""') if visit.json else 0
        text = "."
        for at in (1024, 2048, 4096):
            text = text.ljust(at - (8190 - length), ".") + lure + " "
        visit.send(ServerLine(record.word, record.fields, text.ljust(length, ".")))
        table.play()


@scenario("empty lists and an empty hand", "G2")
def empty_lists(server: ScriptedServer) -> None:
    table = server.sit()
    table.tell("OPTION", key="deal", value="")
    table.tell("SAID", "", by="~bob")
    table.tell("DEALT", seat=server.me, n=0, cards=())
    choice: Fields = {"choose": "subset", "min": 0, "max": 0, "cards": ()}
    table.aside(act="exchange", **choice, default="-")
    one: Fields = {"choose": "one", "nlegal": 1, "legal": ("-",)}
    table.aside(act="play", beat=(), low=(), **one, default="-", hand=())
    table.play(2)


@scenario("fields in another order, and some of them twice", "G3")
def fields_shuffled(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()
    for twice in (False, True):
        asked = table.record("TURN", **table.question)
        fields = dict(reversed([*asked.fields.items()]))
        line = ServerLine("TURN", fields)
        if table.visit.json:
            table.visit.send(line)
        else:
            lured(table, "G3", "what the key says where it stands for the last time")
            first = "default=bait legal=bait turn=990 " if twice else ""
            table.visit.send_lines(line.plain.replace("TURN ", f"TURN {first}", 1))
        table.go_on(table.answer(asked))


@scenario("talk, and sentences behind events, that look like questions", "G4")
def chat_like_questions(server: ScriptedServer) -> None:
    table = server.sit()
    expected = "no answer to what stands in a text"

    def with_sentence(line: ServerLine) -> ServerLine:
        lure = lured(table, "G4", expected)
        sentence = f"It is your turn turn=990 seat={server.me} {LURE} :{lure}"
        return replace(line, text=sentence) if line.text is None else line

    for text in ("{}", ":{}", "default=bait :{}", "a=b :) %41 \\n", "@1 OK :{}"):
        lure = lured(table, "G4", expected, ahead=2)
        table.tell("SAID", text.format(lure), by="~bob")
    table.decorate = with_sentence
    table.play(4)


@scenario("questions to another seat", "T1")
def questions_to_others(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()
    for act in ("play", "exchange", "bid"):
        table.tell("TURN", seat=3 - server.me, act=act, ms=30000)
    table.quiet(0.4)
    table.play(2)


@scenario("several questions at once, to several seats", "O7")
def several_questions(server: ScriptedServer) -> None:
    table = server.sit()
    table.play()
    other = 3 - server.me
    cards = ("KH", "9D", "4C", "2S")
    choice: Fields = {"choose": "subset", "min": 3, "max": 3, "cards": cards}
    for first in (server.me, other):
        asked: dict[int, ServerLine] = {}
        for seat in (first, 3 - first):
            mine = {**choice, "default": "KH+9D+4C"} if seat == server.me else {}
            asked[seat] = table.record("TURN", seat=seat, act="pass", **mine)
            theirs = str(asked[seat].fields["turn"])
            if seat == other:
                table.bait_turn(int(theirs), "O7", "an answer to the other question, its own")
        table.visit.send(*(asked[seat] for seat in (first, 3 - first)))
        numbers = {seat: asked[seat].fields["turn"] for seat in asked}
        if first == other:
            table.tell("ANSWERED", turn=numbers[other], seat=other)
        command, _ = table.move(asked[server.me])
        server.ok(table.visit, command, on=table.on, seq=table.seq + 1)
        table.close(asked[server.me])
        table.tell("ANSWERED", turn=numbers[server.me], seat=server.me)
        if first == server.me:
            table.tell("ANSWERED", turn=numbers[other], seat=other)
        for seat in (server.me, other):
            table.tell("XGPASSED", seat=seat, n=3)
        table.quiet(0.2)
    table.play(2)


@scenario("a list of moves that is cut", "T5")
def cut_list(server: ScriptedServer) -> None:
    table = server.sit()
    ranks = "23456789TJQKA"
    moves = tuple(f"{a}+{b}+{c}" for a in ranks for b in ranks for c in ranks)[:600]
    table.unlisted.update(moves[256:])

    def rest(visit: Visit, command: Command) -> bool:
        server.row(visit, command, "MOVES", first=256, moves=moves[256:])
        server.ok(visit, command, n=1)
        return True

    server.hooks["moves"] = rest
    table.aside(
        act="play",
        choose="one",
        nlegal=len(moves),
        legal=moves[:256],
        truncated=1,
        low=moves[0],
        default=moves[0],
    )
    table.play()


@scenario("an act that nobody has heard of", "T6")
def unknown_act(server: ScriptedServer) -> None:
    table = server.sit()
    one: Fields = {"choose": "one", "nlegal": 2, "legal": ("up", "down")}
    table.aside(act="juggle", **one, default="up")
    table.aside(act="xgdance", stars=3, **one, default="down")
    table.play()


@scenario("a choose that nobody has heard of", "B1")
def unknown_choose(server: ScriptedServer) -> None:
    table = server.sit()
    table.aside(act="play", choose="order", stars=("3", "4"), default="s3")
    deck: tuple[str, ...] = ("KH", "9D")
    table.aside(act="claim", choose="split", min=1, max=2, cards=deck, default="KH.9D")
    table.play()


@scenario("events, fields and values that nobody has heard of", "W1")
def unknown_words(server: ScriptedServer) -> None:
    table = server.sit()
    lured(table, "W1", "no answer: only TURN asks")

    def greased(line: ServerLine) -> ServerLine:
        strange: Fields = {"xgempty": "", "xglist": ("1", "2"), "xg2": "a%20b=c"}
        if line.word == "PLAYED":
            strange["kind"] = "flourish"
        return replace(line, fields={**line.fields, **strange})

    table.play()
    table.decorate = greased
    for word in ("XGNOISE", "FIREWORKS", "TURN-AROUND"):
        table.tell(word, "what is this?", turn=990, default="bait", legal="bait")
        table.visit.send(ServerLine(f"{word}2", {"xgn": 1, "default": "bait"}))
    table.visit.send(ServerLine("NOTE", {"code": "XGWHIM"}, "A whim."))
    table.visit.send(ServerLine("WARN", {"code": "XGWHIM", "for": "all"}, "A whim."))
    table.visit.send(ServerLine("CLOCK", {"on": table.on, "seat": 1, "ms": 5000, "run": 1}))
    table.visit.send(ServerLine("XGEVENT", {"on": "x9", "seq": 1}))
    table.play(3)


@scenario("replies with rows and fields that nobody has heard of", "W2")
def unknown_in_replies(server: ScriptedServer) -> None:
    server.grease = True
    table = server.sit()
    table.bait("bait", "W2", "no answer: it is a row of a reply")
    table.play(3)


@scenario("a server that turns on less than was asked for", "J1")
def fewer_capabilities(server: ScriptedServer) -> None:
    asked: list[str] = []

    def hello(visit: Visit, command: Command) -> bool:
        asked.append(command.named.get("caps", ""))
        server.greet(visit, command, caps="", knows="")
        return True

    server.hooks["hello"] = hello
    server.sit().play(2)
    if not asked or not asked[0].strip("-"):
        raise NotNeeded("it asks for no capabilities")


@scenario("a server that speaks another version", "M2")
def other_version(server: ScriptedServer) -> None:
    visit = server.visit()
    command = server.watch_for(("hello",), visit, 5.0)
    server.err(visit, command, "BAD_VERSION", "syntax", have=9)
    visit.cut()
    _not_often(server, "M2")


@scenario("a server that hangs up at once", "B2")
def hangs_up(server: ScriptedServer) -> None:
    server.visit(greets=False).close()
    _not_often(server, "B2")


@scenario("a server that greets and hangs up", "B2")
def greets_and_hangs_up(server: ScriptedServer) -> None:
    server.visit().cut()
    _not_often(server, "B2", greets=True)


@scenario("a server that answers hello and hangs up", "B2")
def answers_hello_and_hangs_up(server: ScriptedServer) -> None:
    _without_a_name(server, server.visit())
    _not_often(server, "B2", greets=True, meets=_without_a_name)


def _without_a_name(server: ScriptedServer, visit: Visit) -> None:
    """Closes the connection when the client gives its name."""
    with contextlib.suppress(HungUp, Left, Silent):
        server.watch_for((*NAMES, "resume"), visit, 0.5)
    visit.cut()


@scenario("a server that does not answer", "B2")
def dead_server(server: ScriptedServer) -> None:
    visit = server.visit()
    deadline = time.monotonic() + WATCH
    said = 0
    try:
        while True:
            visit.command(max(0.0, deadline - time.monotonic()))
            said += 1
            if said > 20:
                raise Wrong(f"it sent {said} commands", "it waits for an answer", "B2")
    except HungUp:
        _not_often(server, "B2")
    except Silent:
        return


def _not_often(
    server: ScriptedServer,
    duty: str,
    *,
    greets: bool = False,
    meets: Callable[[ScriptedServer, Visit], None] = lambda _, visit: visit.cut(),
) -> None:
    """Closes each connection at once, and counts the connections."""
    deadline = time.monotonic() + WATCH
    came = 1
    while time.monotonic() < deadline:
        try:
            visit = server.visit(within=max(0.0, deadline - time.monotonic()), greets=greets)
        except Stays:
            return
        meets(server, visit)
        came += 1
        if came >= OFTEN:
            raise Wrong(
                f"it connected {came} times within {WATCH - deadline + time.monotonic():.1f} s",
                "a pause of a second before the next attempt, then of two, of four ..., or none",
                duty,
            )
