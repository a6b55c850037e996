"""Errors: section 8. Every code that can be reached, and that nothing has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from ..check import cases, fail, quotes
from ..connections import Program, Reply, Table
from ..fixtures import Connect, Open

NOT_REACHED = {
    "UNSUPPORTED": "needs a game or a server that lacks something",
    "TLS_REQUIRED": "needs a connection from another machine",
    "BUSY": "needs as many tables as the server can hold",
    "DRAINING": "needs a server that is about to stop",
    "INTERNAL": "needs a fault in the server",
    "AMBIGUOUS_VERB": "for people only, see test_people",
    "LINE_TOO_LONG": "see test_framing",
    "BAD_UTF8": "see test_framing",
    "BAD_VERSION": "see test_mode",
    "RATE": "see test_limits",
    "ILLEGAL": "see REASONS below",
    "BANNED": "needs an operator",
    "MUTED": "needs an operator",
}
"""Codes without a case here, and why."""


CLASSES = ("syntax", "auth", "missing", "state", "turn", "rule", "limit", "sync", "server")
"""What a client may do about an error."""


@dataclass
class Stage:
    """Two players at a table, before or in a game, and somebody else."""

    table: Table
    other: Program

    @property
    def on(self) -> str:
        """The table's number."""
        return self.table.on

    @property
    def host(self) -> Program:
        """Who opened the table."""
        return self.table.host

    @property
    def guest(self) -> Program:
        """The other player."""
        return self.table.seats[1]

    @property
    def mover(self) -> Program:
        """Whose turn it is."""
        return self.table.asked()[0]

    @property
    def waiting(self) -> Program:
        """Whose turn it is not."""
        return self.guest if self.mover is self.host else self.host


Do = Callable[[Stage], Reply]


def _tables(stage: Stage) -> Reply:
    for _ in range(10):
        stage.other.must("open twentytwo seats=2")
    return stage.other.ask("open twentytwo seats=2")


def _paused(stage: Stage) -> Reply:
    stage.host.must("pause")
    stage.guest.must("pause")
    return stage.mover.ask("move -")


def _gone(stage: Stage) -> Reply:
    for _ in range(201):
        stage.other.send(f"tell {stage.other.name} :hm")
    for _ in range(201):
        stage.other.reply("*")
    return stage.other.ask("sync me from=0")


def _locked(stage: Stage) -> Reply:
    stage.host.must("lock")
    return stage.other.ask(f"join {stage.on}")


def _registered_twice(stage: Stage) -> Reply:
    name = f"twice{os.getpid()}"
    stage.host.ask(f"register {name} :three blind mice")
    return stage.other.ask(f"register {name.upper()} :three blind mice")


def _used_twice(stage: Stage) -> Reply:
    stage.host.must("say once=used :one")
    return stage.host.ask("say once=used :two")


IN_GAME: dict[str, tuple[Do, set[str]]] = {
    "BAD_SYNTAX": (lambda s: s.mover.ask("???"), set()),
    "UNKNOWN_VERB": (lambda s: s.mover.ask("bake cake"), set()),
    "BAD_ARG": (lambda s: s.mover.ask("move 1z"), {"arg"}),
    "ONCE_USED": (_used_twice, {"arg"}),
    "WRONG_MODE": (lambda s: s.mover.ask("hello 1"), set()),
    "FORBIDDEN": (lambda s: s.mover.ask("guest other"), set()),
    "BAD_NAME": (lambda s: _nobody(s).ask("guest dealer"), {"arg"}),
    "LOGIN_FIRST": (lambda s: _nobody(s).ask("who"), set()),
    "BAD_TOKEN": (lambda s: _nobody(s).ask("resume x"), set()),
    "NO_SUCH_USER": (lambda s: s.mover.ask("tell nobodyhere :x"), {"arg"}),
    "NO_SUCH_TABLE": (lambda s: s.mover.ask("watch t99999"), {"arg"}),
    "NO_SUCH_GAME": (lambda s: s.other.ask("open chess"), {"arg"}),
    "NO_SUCH_OPTION": (lambda s: s.other.ask("open twentytwo options=colour:red"), {"arg"}),
    "NO_SUCH_SEEK": (lambda s: s.other.ask("unseek"), set()),
    "NOT_SEATED": (lambda s: s.other.ask(f"move - {s.on}"), set()),
    "GAME_RUNNING": (lambda s: s.host.ask("start"), set()),
    "NOT_YOUR_TURN": (lambda s: s.waiting.ask("move -"), {"turn", "seat"}),
    "STALE_TURN": (lambda s: s.mover.ask("move - turn=99"), {"turn"}),
    "WRONG_ACT": (lambda s: s.mover.ask("play 2"), {"act"}),
    "NOT_HELD": (lambda s: s.mover.ask("move 2+2+2+2+2"), set()),
    "NOT_HOST": (lambda s: s.guest.ask("lock"), set()),
    "PAUSED": (_paused, set()),
    "QUOTA": (_tables, set()),
    "BAD_SEQ": (lambda s: s.host.ask(f"sync {s.on} from=999999"), {"have"}),
    "GONE": (_gone, {"oldest"}),
    "BAD_LOGIN": (lambda s: s.other.ask("login nobody-at-all :three blind mice"), set()),
    "NAME_TAKEN": (_registered_twice, set()),
}

BEFORE: dict[str, tuple[Do, set[str]]] = {
    "ALREADY_SEATED": (lambda s: s.guest.ask(f"join {s.on}"), set()),
    "SEAT_TAKEN": (lambda s: s.other.ask(f"join {s.on} 1"), set()),
    "TABLE_FULL": (lambda s: _filled(s).ask(f"join {s.on}"), set()),
    "TABLE_LOCKED": (_locked, set()),
    "NO_GAME": (lambda s: s.host.ask("move -"), set()),
    "NOT_READY": (lambda s: _unready(s).ask("start"), set()),
    "NOT_ENOUGH_PLAYERS": (lambda s: _alone(s).ask("start"), set()),
}


def _nobody(stage: Stage) -> Program:
    stage.other.must("logout")
    return stage.other


def _filled(stage: Stage) -> Program:
    stage.host.must("addbot")
    return stage.other


def _unready(stage: Stage) -> Program:
    stage.guest.must("unready")
    return stage.host


def _alone(stage: Stage) -> Program:
    stage.guest.must("leave")
    return stage.host


def _snapshot(client: Program, on: str) -> list[str]:
    return [row.line.partition(" ")[2] for row in client.must(f"state {on}").rows]


def _check(stage: Stage, code: str, do: Do, fields: set[str]) -> None:
    refused = do(stage)
    assert refused.code == code, refused.final.line
    assert fields <= set(refused.final.fields), refused.final.line
    assert refused["class"] in CLASSES, refused.final.line
    assert refused.final.text, "there is a sentence for people"


@quotes("Fields give the details of an error", "E2", "E3")
@cases("code", IN_GAME)
def a_code_is_reached_in_a_game(connect: Connect, table: Open, code: str) -> None:
    made = table()
    _check(Stage(made, connect()), code, *IN_GAME[code])


@quotes("Fields give the details of an error", "E2", "E3")
@cases("code", BEFORE)
def a_code_is_reached_before_a_game(connect: Connect, table: Open, code: str) -> None:
    made = table(seats=3, start=False)
    made.seats[2].must("leave")
    _check(Stage(made, connect()), code, *BEFORE[code])


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
    """Neither the lowest nor enough to beat what is led."""
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
