"""A table in play while one address sends whatever it can: `make bench ARGS=hostile`.

A server process with the default limits, the attackers of one address in a second process, a table
of four programs from another address in this one, at 20 moves a second by the clock. Each attack
has its control: the same table on the same server just before it. For both the report tells how
long a move took to its last line at the last seat. For the attack it also tells how many of the
moves were made in their time, how long the server's process was running during a move (the same on
a machine that has other things to do), what the attacker was answered, and how much memory the
server had at most. `--before FOLDER` measures the server of another checkout.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.attacker import Answered, Attack
from tests.benchmarks.figures import quantile
from tests.benchmarks.load import Load, Order, cpu, more_files
from tests.benchmarks.sockets import environment
from tests.benchmarks.ssh_attacker import FLOODS
from tests.kit.certificates import certificate
from tests.kit.processes import Plain, Server

PAUSE = 0.05
"""Seconds between two moves of the table in play."""
ANY_PORT = "127.0.0.1:0"
PLAYERS, OLD_PLAYERS, ATTACKER = "127.0.0.2", "127.0.0.3", "127.0.0.4"
WATCHES = ["hello 1", "guest mallory{n}", "watch t1"]
COMES_IN = ["hello 1", "guest mallory{n}"]

ATTACKS: dict[str, Attack] = {
    "nothing": Attack("", 0, "", 0, connections=0),
    "local replay": Attack("", 0, "127.0.0.1", 0, first=COMES_IN, lines=["replay g1 speed=20"]),
    "whatif": Attack("", 0, "", 0, first=COMES_IN, lines=["whatif g1 at=1.1"]),
    "stats": Attack("", 0, "", 0, first=COMES_IN, lines=["stats mallory{n}", "stats"]),
    "guest": Attack("", 0, "", 0, first=["hello 1"], lines=["guest mallory{n}"]),
    "sync x 30": Attack("", 0, "", 0, 30, first=WATCHES, lines=["sync t1 from=0"]),
    "replay": Attack("", 0, "", 0, first=COMES_IN, lines=["replay g1 speed=20"]),
    "game": Attack("", 0, "", 0, first=COMES_IN, lines=["game g1"]),
    "export": Attack("", 0, "", 0, first=COMES_IN, lines=["export g1"]),
    "record": Attack("", 0, "", 0, first=COMES_IN, lines=["export g1 form=record"]),
    "sync": Attack("", 0, "", 0, 5, first=WATCHES, lines=["sync t1 from=0"]),
    "sync x 60": Attack("", 0, "", 0, first=WATCHES, lines=["sync t1 from=0"]),
    "hard bots": Attack(
        "", 0, "", 0, first=COMES_IN, lines=["practice bots=11 level=hard"], moves=True
    ),
    "bots": Attack("", 0, "", 0, first=COMES_IN, lines=["practice bots=11"], moves=True),
    "play bots": Attack(
        "", 0, "", 0, first=[*COMES_IN, "practice bots=11"], lines=["ping"], window=1, moves=True
    ),
    "fair log": Attack("", 0, "", 0, first=COMES_IN, lines=["fair log n=500"]),
    "guests": Attack("", 0, "", 0, lines=["hello 1", "guest aa"], window=2, turns=2),
    "tables": Attack(
        "", 0, "", 0, lines=["hello 1", "guest t{n}", *["open"] * 10], window=12, turns=12
    ),
    "words": Attack("", 0, "", 0, first=COMES_IN, lines=["join word{n}"]),
    "blank lines": Attack("", 0, "", 0, 10, raw="\n" * 65536),
    "garbage": Attack("", 0, "", 0, 10, first=["hello 1"], raw="x" * 65536 + "\n"),
    "unread": Attack("", 0, "", 0, first=WATCHES, lines=["sync t1 from=0"], reads=False),
    "slow lines": Attack("", 0, "", 0, raw="a", pause=0.2),
    "reconnecting": Attack("", 0, "", 0, lines=["hello 1"], window=1, turns=1),
    "who": Attack("", 0, "", 0, first=COMES_IN, lines=["who n=500", "tables n=500"]),
    "tokens": Attack("", 0, "", 0, first=["hello 1"], lines=["resume nothing{n}"]),
    "everything": Attack(
        "",
        0,
        "",
        0,
        first=WATCHES,
        lines=[
            "replay g1 speed=20",
            "game g1",
            "sync t1 from=0",
            "export g1",
            "fair log n=500",
            "who n=500",
            "state t1",
            "history n=500",
            "describe",
        ],
    ),
}

FRAME_OF_LINES = "\x81\xfe\x04\x00\0\0\0\0" + "\n" * 1024
"""A message of WebSocket, masked with zeros."""
ASKED = "HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
PING_FRAME = "\x89\x80\0\0\0\0"

BYTES: dict[str, Attack] = {
    "newlines": Attack("", 0, "", 0, raw="\n" * 65536),
    "telnet NOP": Attack("", 0, "", 0, raw="\xff\xf1" * 32768),
    "CR NUL": Attack("", 0, "", 0, raw="\r\0" * 32768),
    "CR": Attack("", 0, "", 0, raw="\r" * 65536),
    "controls": Attack("", 0, "", 0, first=["hello 1"], raw="\x01\n" * 32768),
    "no UTF-8": Attack("", 0, "", 0, first=["hello 1"], raw="\xff\n" * 100, pause=0.1),
    "TLS lines": Attack("", 0, "", 0, raw="\n" * 65536, entrance="tls"),
    "TLS records": Attack("", 0, "", 0, raw="\n", entrance="tls"),
    "WS lines": Attack("", 0, "", 0, raw=FRAME_OF_LINES * 64, entrance="ws"),
    "WS pings": Attack("", 0, "", 0, raw=PING_FRAME * 8192, entrance="ws"),
    "WS empty": Attack("", 0, "", 0, raw="\x81\x80\0\0\0\0" * 8192, entrance="ws"),
    "page": Attack("", 0, "", 0, raw=f"GET /table.js {ASKED}", entrance="http"),
    "unread page": Attack("", 0, "", 0, raw=f"GET /table.js {ASKED}", entrance="http", reads=False),
    "304s": Attack(
        "", 0, "", 0, raw=f"GET / {ASKED[:-2]}If-None-Match: *\r\n\r\n", entrance="http"
    ),
    "handshakes": Attack("", 0, "", 0, entrance="tls", leaves=True),
    "stalled": Attack("", 0, "", 0, 500, entrance="tls", silent=True),
}
"""Attacks with bytes rather than commands."""

SSH: dict[str, Attack] = {
    "ssh silent": Attack("", 0, "", 0, 500, entrance="ssh"),
    **{
        name: Attack("", 0, "", 0, 500, entrance="ssh", ssh=name)
        for name in ("ssh version", "ssh exchange", "ssh handshakes")
    },
    **{name: Attack("", 0, "", 0, entrance="ssh", ssh=name) for name in ("ssh rekey", *FLOODS)},
}
"""Attacks on the listener of SSH."""
EVERY = ATTACKS | BYTES | SSH


def memory(pid: int, what: str = "VmHWM:") -> float:
    """The most memory that a process has had, in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1024


@dataclass
class Shown:
    """What an attack did: quantiles in ms, memory in MiB."""

    made: int
    due: int
    p99: float
    own: float
    """How long the server was running while a move was on its way, p99."""
    before: float
    most: float
    let_in: bool


def run(
    name: str,
    seconds: float,
    games: float,
    options: Sequence[str] = (),
    before: str | None = None,
    *,
    disk: bool = False,
) -> Shown:
    """One attack on a server of its own; prints what came of it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        kinds = ("", "tls", "ws", "ssh")
        listens = [f"--listen={kind}{':' if kind else ''}{ANY_PORT}" for kind in kinds]
        options = [*listens, *certificate(folder).options, *options]
        if disk:
            options += ["--data", str(folder / "data")]
        server = stack.enter_context(
            Server(
                *options,
                env=environment("memory-before" if before else "", before),
                python=sys.executable,
            )
        )
        doors = {kind: server.address() for kind in kinds}
        doors["http"] = doors["ws"]
        host, port = doors[""]
        pid = server.process.pid
        old = Load(Order(host, port, pid, 4, source=OLD_PLAYERS))
        stack.callback(old.close)
        old.ramp()
        old.play_on(games)
        table = Load(Order(host, port, pid, 4, source=PLAYERS))
        stack.callback(table.close)
        table.ramp()
        if name == "ssh guesses":
            owner = stack.enter_context(closing(Plain((host, port))))
            owner.send("hello 1\n@r register owner :three blind mice\n")
            owner.until("@r OK")
        least = memory(pid, "VmRSS:")
        table.steadily(seconds, PAUSE)
        control = [each * 1000 for each in table.last]
        attack = EVERY[name]
        wanted = replace(
            attack,
            host=host,
            port=doors[attack.entrance][1],
            source=attack.source or ATTACKER,
            seconds=seconds + 1,
        )
        attacker = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.attacker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with attacker:
            assert attacker.stdin is not None and attacker.stdout is not None
            attacker.stdin.write(json.dumps(asdict(wanted)) + "\n")
            attacker.stdin.flush()
            began = cpu(pid)
            due = table.steadily(seconds, PAUSE)
            busy = (cpu(pid) - began) / seconds
            answered = Answered(**json.loads(attacker.stdout.readline()))
        taken = [each * 1000 for each in table.last]
        ran = [each * 1000 for each in table.took]
        p99 = quantile(taken, 0.99)
        told = " ".join(f"{code} {n}" for code, n in answered.answers.items())
        shown = Shown(
            len(taken), due, p99, quantile(ran, 0.99), least, memory(pid), let_in(host, port)
        )
        others = "let in" if shown.let_in else "TURNED AWAY"
        print(
            f"{name:12} {len(taken):4} of {due} moves, ms p50 {quantile(taken, 0.5):6.1f}"
            f" p99 {p99:6.1f} max {max(taken):6.1f}"
            f" (control {quantile(control, 0.5):4.1f} {quantile(control, 0.99):5.1f}),"
            f" of it the server's own p99 {quantile(ran, 0.99):5.1f}"
            f" max {max(ran):5.1f}; busy {busy:4.0%},"
            f" memory {least:4.0f} to {memory(pid):4.0f} MiB; others {others};"
            f" {answered.connections} connections, {answered.size >> 20} MiB: {told}",
            flush=True,
        )
        return shown


def let_in(host: str, port: int) -> bool:
    """Whether somebody else can come and open a table."""
    other = Plain((host, port))
    try:
        other.send("hello 1\n@g guest other\n@o open\n")
        return other.until("@o ").startswith("@o OK")
    except (AssertionError, OSError):
        return False
    finally:
        other.close()


def report(arguments: Sequence[str] = ()) -> None:
    """Prints what each attack does to a table in play."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=hostile", description=__doc__)
    add = parser.add_argument
    add("attacks", nargs="*", help=", ".join(EVERY))
    add("--seconds", type=float, default=5.0)
    add("--games", type=float, default=6.0, help="seconds of play behind table t1 [6]")
    add("--disk", action="store_true", help="what is acknowledged is stored, and synced")
    add("--before", metavar="FOLDER", help="a checkout whose server is measured instead")
    wanted = parser.parse_args(arguments)
    more_files()
    for name in wanted.attacks or EVERY:
        run(name, wanted.seconds, wanted.games, before=wanted.before, disk=wanted.disk)
