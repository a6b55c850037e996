"""Section 8: errors. Each reachable code is provoked, and the state is unchanged after it."""

from __future__ import annotations

import os
from collections.abc import Callable

from ..check import cases, fail, quotes
from ..connections import Program, Table
from ..fixtures import Connect, Open

NOT_REACHED = {
    "UNSUPPORTED": "needs a game or a server that lacks something",
    "TLS_REQUIRED": "needs a connection from another machine",
    "BUSY": "needs as many tables as the server can hold",
    "DRAINING": "needs a server that is about to stop",
    "INTERNAL": "needs a fault in the server",
    "AMBIGUOUS_VERB": "for people only, see people",
    "LINE_TOO_LONG": "see framing",
    "BAD_UTF8": "see framing",
    "BAD_VERSION": "see mode",
    "RATE": "see limits",
    "ILLEGAL": "see REASONS below",
    "GONE": "see streams.what_is_no_longer_kept_is_said_to_be_gone",
    "BANNED": "needs an operator",
    "MUTED": "needs an operator",
}
"""Codes without a case here, each with the reason."""


CLASSES = ("syntax", "auth", "missing", "state", "turn", "rule", "limit", "sync", "server")
"""The classes of errors: the client's options after each."""


IN_GAME: dict[str, tuple[str, set[str]]] = {
    "BAD_SYNTAX": ("mover ???", set()),
    "UNKNOWN_VERB": ("mover bake cake", set()),
    "BAD_ARG": ("mover move 1z", {"arg"}),
    "ONCE_USED": ("host say once=used :one; host say once=used :two", {"arg"}),
    "WRONG_MODE": ("mover hello 1", set()),
    "FORBIDDEN": ("mover guest other", set()),
    "BAD_NAME": ("other logout; other guest dealer", {"arg"}),
    "LOGIN_FIRST": ("other logout; other who", set()),
    "BAD_TOKEN": ("other logout; other resume x", set()),
    "NO_SUCH_USER": ("mover tell nobodyhere :x", {"arg"}),
    "NO_SUCH_TABLE": ("mover watch t99999", {"arg"}),
    "NO_SUCH_GAME": ("other open chess", {"arg"}),
    "NO_SUCH_OPTION": ("other open twentytwo options=colour:red", {"arg"}),
    "NO_SUCH_SEEK": ("other unseek", set()),
    "NOT_SEATED": ("other move - {on}", set()),
    "GAME_RUNNING": ("host start", set()),
    "NOT_YOUR_TURN": ("waiting move -", {"turn", "seat"}),
    "STALE_TURN": ("mover move - turn=99", {"turn"}),
    "WRONG_ACT": ("mover play 2", {"act"}),
    "NOT_HELD": ("mover move 2+2+2+2+2", set()),
    "NOT_HOST": ("guest lock", set()),
    "PAUSED": ("host pause; guest pause; mover move -", set()),
    "QUOTA": ("; ".join(["other open twentytwo seats=2"] * 11), set()),
    "BAD_SEQ": ("host sync {on} from=999999", {"have"}),
    "BAD_LOGIN": ("other login nobody-at-all :three blind mice", set()),
    "NAME_TAKEN": (
        "host register twice{pid} :three blind mice; other register TWICE{pid} :three blind mice",
        set(),
    ),
}
"""For each code, commands at a table of two, the last of which is refused with the code.

Each line begins with the name of its sender; `other` has no table. The fields are those of the
error.
"""

BEFORE: dict[str, tuple[str, set[str]]] = {
    "ALREADY_SEATED": ("guest join {on}", set()),
    "SEAT_TAKEN": ("other join {on} 1", set()),
    "TABLE_FULL": ("host addbot; other join {on}", set()),
    "TABLE_LOCKED": ("host lock; other join {on}", set()),
    "NO_GAME": ("host move -", set()),
    "NOT_READY": ("guest unready; host start", set()),
    "NOT_ENOUGH_PLAYERS": ("guest leave; host start", set()),
}
"""The same before a game, at a table with three seats."""


def _snapshot(client: Program, on: str) -> list[str]:
    return [row.line.partition(" ")[2] for row in client.must(f"state {on}").rows]


def _check(table: Table, other: Program, code: str, script: str, fields: set[str]) -> None:
    clients = {"host": table.host, "guest": table.seats[1], "other": other}
    for line in script.format(on=table.on, pid=os.getpid()).split("; "):
        name, _, command = line.partition(" ")
        if name in ("mover", "waiting"):
            mover, _ = table.asked()
            waiting = next(seat for seat in table.seats if seat is not mover)
            clients |= {"mover": mover, "waiting": waiting}
        refused = clients[name].ask(command)
    assert refused.code == code, refused.final.line
    assert fields <= set(refused.final.fields), refused.final.line
    assert refused["class"] in CLASSES, refused.final.line
    assert refused.final.text, "there is a sentence for people"


@quotes("Fields give the details of an error", "E2", "E3")
@cases("code", IN_GAME)
def a_code_is_reached_in_a_game(connect: Connect, table: Open, code: str) -> None:
    _check(table(), connect(), code, *IN_GAME[code])


@quotes("Fields give the details of an error", "E2", "E3")
@cases("code", BEFORE)
def a_code_is_reached_before_a_game(connect: Connect, table: Open, code: str) -> None:
    made = table(seats=3, start=False)
    made.seats[2].must("leave")
    _check(made, connect(), code, *BEFORE[code])


REFUSED = (
    *("move 2+2+2+2+2", "move - turn=0", "move - turn=2", "move 1z", "play Q"),
    *("exchange 1z", "exchange 2 2 2 2 2", "bake", "start", "option limit 30", "join t1 7"),
    *("swap 2", "addbot", "rematch", "remove nobody", "host nobody", "unpause"),
    *("guest other", "resume x", "close", "unready", "ready"),
)


@quotes("A refused command has no effect.", "E1")
@cases("command", REFUSED)
def a_refused_command_changes_nothing(table: Open, command: str) -> None:
    made = table(watchers=1)
    before = [_snapshot(client, made.on) for client in made.everybody]
    heard = [len(client.events) for client in made.everybody]
    for client in made.seats:
        assert not client.ask(command).ok
    made.catch_up()
    assert [_snapshot(client, made.on) for client in made.everybody] == before
    assert [len(client.events) for client in made.everybody] == heard
    assert made.play(turns=3) is False


@quotes("A code never changes its meaning, and each belongs to a class", "E2", "W3")
def every_code_is_described_and_has_a_case_here(connect: Connect) -> None:
    rows = connect().must("describe errors").rows
    kinds = {row["name"]: row["class"] for row in rows}
    refused = connect().ask("bake cake")
    assert refused["class"] == kinds[refused.code]
    codes = {name for name, kind in kinds.items() if kind != "reason"}
    assert codes - set(IN_GAME) - set(BEFORE) <= set(NOT_REACHED)
    assert kinds["STALE_TURN"] == "turn" and kinds["RATE"] == "limit"
    assert all(row.text for row in rows)


REASONS: dict[str, tuple[str, str, Callable[[dict[str, str]], str]]] = {
    "KEEP_ONE": (
        "seed=27 options=first_hand:2,exchange:off",
        "lead",
        lambda t: "+".join(t["hand"].split(",")),
    ),
    "SAME_RANK": ("seed=27 options=first_hand:5,exchange:off", "lead", lambda t: _two_ranks(t)),
    "WRONG_COUNT": ("seed=27 options=first_hand:5,exchange:off", "follow", lambda t: _two_ranks(t)),
    "TOO_MANY": (
        "seed=1 options=first_hand:13",
        "exchange",
        lambda t: t["cards"].replace(",", "+"),
    ),
    "EMPTY": ("seed=27 options=first_hand:5,exchange:off", "lead", lambda _: "-"),
    "BEAT_OR_LOWEST": ("seed=3 options=first_hand:7,exchange:off", "follow", lambda t: _neither(t)),
    "MUST_BEAT": (
        "seed=3 options=first_hand:7,exchange:off,heading:mandatory",
        "follow",
        lambda t: t["hand"][0],
    ),
    "STRAIGHT_TOO_SHORT": (
        "seed=4 options=first_hand:13,exchange:off,straights:on,straight_min:13",
        "lead",
        lambda t: _run(t, 3),
    ),
    "STRAIGHT_TOO_LONG": (
        "seed=4 options=first_hand:13,exchange:off,straights:on,straight_min:2,straight_max:2",
        "lead",
        lambda t: _run(t, 3),
    ),
    "JOKER_ALONE": ("", "joker", lambda _: "X"),
    "JOKER_RANK": ("", "joker", lambda t: f"{t['hand'][0]}+X2" if t["hand"][0] != "2" else "3+X2"),
}


def _ranks(turn: dict[str, str]) -> list[str]:
    return [card[0] for card in turn["hand"].split(",")]


def _two_ranks(turn: dict[str, str]) -> str:
    ranks = _ranks(turn)
    return f"{ranks[0]}+{ranks[-1]}"


def _neither(turn: dict[str, str]) -> str:
    """A move that is neither the lowest cards nor high enough to beat the lead."""
    order = "23456789TJQKA"
    for rank in _ranks(turn)[1:]:
        if rank != _ranks(turn)[0] and order.index(rank) < order.index(turn["beat"][0]):
            return rank
    return ""


def _run(turn: dict[str, str], size: int) -> str:
    order = "23456789TJQKA"
    held = set(_ranks(turn))
    for at in range(len(order) - size + 1):
        if set(order[at : at + size]) <= held:
            return "+".join(order[at : at + size])
    return ""


ABOUT: dict[str, Callable[[Table], str]] = {
    "a table that is named": lambda table: f"swap 2 {table.on}",
    "the table where they sit": lambda _: "move - turn=99",
    "a stream": lambda table: f"sync {table.on} from=99999",
    "no such table": lambda _: "state t99999",
}


@quotes("on= names the table or stream of the command", "E3")
@cases("about", ABOUT)
def a_refusal_names_the_table(table: Open, about: str) -> None:
    made = table()
    refused = made.host.ask(ABOUT[about](made))
    assert not refused.ok
    assert refused["on"] == ("t99999" if about == "no such table" else made.on)
    assert "on" not in made.host.ask("bake cake").final


@quotes("ILLEGAL has a reason=, which describe errors explains.", "E5", "E3", "T8")
@cases("reason", REASONS)
def a_reason_is_reached_and_why_agrees(table: Open, reason: str) -> None:
    options, when, spoiled = REASONS[reason]
    for seed in range(1, 60):
        seeded = options.replace(options.split()[0], f"seed={seed}") if options else f"seed={seed}"
        game = "twentysix" if when == "joker" else "twentytwo"
        seats = 5 if reason == "TOO_MANY" else 2
        if when == "joker":
            seeded += " options=first_hand:13,exchange:off"
        made = table(seats=seats, options=seeded, game=game)
        for _ in range(8):
            turn = made.turn()
            if turn is None:
                break
            mover = made.mover(turn)
            fits = {
                "lead": turn["act"] == "play" and "beat" not in turn,
                "follow": "beat" in turn and turn["beat"].count(",") == 0,
                "exchange": turn["act"] == "exchange"
                and turn["max"] != str(len(turn.items("cards"))),
                "joker": turn["act"] == "play" and "X" in turn.items("hand") and "beat" not in turn,
            }[when]
            token = spoiled(turn.fields) if fits else ""
            if token:
                why = mover.must(f"why {token}")
                refused = mover.ask(f"move {token}")
                if refused.code == "ILLEGAL" and refused["reason"] == reason:
                    assert (why["allowed"], why["reason"]) == ("0", reason)
                    return
                if refused.ok:
                    continue
            mover.must(f"move {turn['default']}")
        made.close()
    fail(f"no deal led to {reason}")


@quotes("The error names the first check that fails.", "E5")
def a_move_is_judged_in_one_order(table: Open) -> None:
    made = table(options="seed=27 options=first_hand:5,exchange:off", exactly=True)
    mover, turn = made.asked()
    waiting = made.seats[2 - turn.number("seat")]
    assert mover.ask("move 1z turn=99").code == "BAD_ARG"
    assert waiting.ask("move 2+2+2+2+2 turn=99").code == "STALE_TURN"
    assert waiting.ask("exchange 1z").code == "BAD_ARG"
    assert waiting.ask("exchange 2 2 2 2 2").code == "NOT_YOUR_TURN"
    assert mover.ask("exchange 2 2 2 2 2").code == "WRONG_ACT"
    mover.must(f"move {turn['default']}")
    mover, turn = made.asked()
    held = {card[0] for card in turn.items("hand")}
    absent = next(rank for rank in "23456789TJQKA" if rank not in held)
    assert mover.ask(f"move {absent}+{absent}").code == "NOT_HELD"
    refused = mover.ask("move " + "+".join(turn.items("hand")[:2]))
    assert (refused.code, refused["reason"]) == ("ILLEGAL", "WRONG_COUNT")


@quotes("When the server closes a connection by itself, its last line is BYE", "E6")
def quitting_ends_with_bye(connect: Connect) -> None:
    client = connect()
    client.must("quit")
    bye = client.until("BYE")
    assert bye["code"] == "QUIT"
    assert client.closed()


ODD = [
    "move " + "+".join("Q" * 300),
    "why " + "Q " * 400,
    "open " + "x=1 " * 200,
    "describe " + "x" * 900,
    "help " + "\u00fe" * 300,
    "rules twentytwo rules=" + "x" * 500,
    "resume " + "x" * 500 + " t1:1",
    "sync t" + "9" * 17 + " from=1",
    "join t" + "9" * 300,
    "open twentytwo seats=12 options=decks:1",
    "practice twentysix bots=7 options=jokers:9",
    "practice whist22 bots=99",
    "practice twentyeight bots=0",
    "swap -1",
    "resume x t1:1 t1:2",
    "sync t from=0",
    "sync k from=0",
    "state t",
    "watch t-1",
    "seek players=-3",
    "@",
    "@x " + "a" * 1000,
]


@quotes("It ends neither the connection nor any other table.", "E4")
@cases("line", ODD, ids=[f"odd{number}" for number in range(len(ODD))])
def odd_lines_are_refused_and_never_a_fault(connect: Connect, line: str) -> None:
    client = connect()
    client.send(line, "@z ping")
    assert client.record().fields.get("code") not in (None, "INTERNAL")
    assert client.reply("z").ok
