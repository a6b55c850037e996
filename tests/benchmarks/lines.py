"""What a line of each command takes the server: `make bench ARGS=lines`.

A server with many people, tables and games is sent each command in its dearest form, one line after
the other; the kernel is asked how long the process ran meanwhile, all its threads together. Printed
are the dearest, with their declared cost (`cost=` of `@command`). What is sent in slices holds
nobody up, however long it takes.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from tests.benchmarks.load import Load, Order, cpu, more_files
from tests.kit.processes import Plain, Server
from twentytwo_protocol import games, words
from twentytwo_protocol.schema import COMMANDS

DECLARED = (games, words)
PEOPLE, TABLES = 400, 40
DEAR, ASKS_FOR_MORE = 5.0, 1.0
"""Milliseconds above which a line that is not sent in slices is too dear, and above which it has
to count as several."""
SLICED = {"export", "replay", "sync", "resume", "score", "state", "hand"}
"""What is made and sent in slices, or folds a long past in slices the first time."""
OUTSIDE = {
    "hello",
    "quit",
    "logout",
    "pong",
    "hint",
    "auth",
    "register",
    "login",
    "password",
    "lab",
}
"""What ends or begins a connection, waits for other processes, or is for development."""

TABLE = ["open twentytwo seats=4", "addbot", "addbot"]
"""A table of one's own; with it lines that belong to one."""
LINES: dict[str, Sequence[str]] = {
    "token": ["token"],
    "profile": ["profile p1"],
    "rating": ["rating p1"],
    "ranks": ["ranks n=500"],
    "pause": ["pause"],
    "unpause": ["unpause"],
    "resign": ["resign"],
    "seed": ["seed luck"],
    "seedhash": [f"seedhash {'0' * 64}"],
    "fair": ["fair log n=500", "fair g1"],
    "who": ["who n=500"],
    "games": ["games"],
    "rules": ["rules twentytwo"],
    "tables": ["tables n=500"],
    "follow": ["follow"],
    "unfollow": ["unfollow"],
    "seek": ["seek twentytwo players=7"],
    "unseek": ["unseek"],
    "seeks": ["seeks"],
    "invite": ["invite p1"],
    "accept": ["accept p1"],
    "decline": ["decline p1"],
    "hand": ["hand"],
    "moves": ["moves n=500"],
    "why": ["why -"],
    "last": ["last t1"],
    "score": ["score t1"],
    "state": ["state t1"],
    "clock": ["clock t1"],
    "sync": ["sync t1 from=0"],
    "history": ["history n=500", "history l1x0 n=500"],
    "game": ["game g1"],
    "export": ["export g1", "export g1 form=record"],
    "replay": ["replay g1 speed=20"],
    "practice": ["practice bots=11", "practice bots=3 level=hard"],
    "open": ["open twentytwo seats=12"],
    "table": ["table t1"],
    "option": ["option target=30"],
    "join": ["join nowhere", "join t2"],
    "leave": ["leave"],
    "swap": ["swap 2"],
    "ready": ["ready"],
    "unready": ["unready"],
    "start": ["start"],
    "abort": ["abort"],
    "rematch": ["rematch"],
    "host": ["host p1"],
    "lock": ["lock"],
    "unlock": ["unlock"],
    "remove": ["remove p1"],
    "addbot": ["addbot"],
    "dropbot": ["dropbot"],
    "close": ["close"],
    "watch": ["watch t3"],
    "unwatch": ["unwatch t3"],
    "watchers": ["watchers t1 n=500"],
    "caps": ["caps text", "caps"],
    "guest": ["guest aa"],
    "resume": ["resume nothing"],
    "whoami": ["whoami"],
    "help": ["help", "help play", "help commands"],
    "describe": ["describe", "describe play"],
    "ping": ["ping"],
    "set": ["set"],
    "info": ["info"],
    "motd": ["motd"],
    "time": ["time"],
    "say": [f"say :{'x' * 300}"],
    "tell": [f"tell p1 :{'x' * 300}"],
    "shout": [f"shout :{'x' * 300}"],
    "kibitz": [f"kibitz t1 :{'x' * 300}"],
    "block": ["block p1"],
    "unblock": ["unblock p1"],
    "report": ["report p1 :rude"],
    "move": ["move 99"],
    "play": ["play 2H"],
    "bid": ["bid 1"],
    "pass": ["pass"],
    "trump": ["trump H"],
    "call": ["call H"],
    "no": ["no"],
    "redeal": ["redeal"],
    "exchange": ["exchange -"],
    "keep": ["keep"],
}


@dataclass
class Measured:
    """A line: what it takes in milliseconds, and how it was answered."""

    line: str
    ms: float
    answer: str

    @property
    def cost(self) -> int:
        """The declared cost of the command."""
        return COMMANDS[self.line.split()[0]].cost

    @property
    def complaint(self) -> str:
        """What is wrong with it, if anything is."""
        if self.line.split()[0] in SLICED:
            return ""
        if self.ms > DEAR:
            return "too dear"
        return "counts as one" if self.ms > ASKS_FOR_MORE and self.cost <= 1 else ""


def measure(times: int, games_for: float, people: int, tables: int) -> list[Measured]:
    """Every line, the dearest first."""
    found = []
    with (
        tempfile.TemporaryDirectory() as folder,
        Server("--dev", "--port", "0", "--bot-pause", "0", "--data", folder) as server,
    ):
        host, port = server.address()
        pid = server.process.pid
        old = Load(Order(host, port, pid, 4))
        old.ramp()
        old.play_on(games_for)
        others = Load(Order(host, port, pid, 4 * tables))
        others.ramp()
        idle = Load(Order(host, port, pid, people, seat=False))
        idle.ramp()
        for lines in LINES.values():
            for line in lines:
                found.append(_measure((host, port), pid, line, times))
    return sorted(found, key=lambda each: -each.ms)


def _measure(where: tuple[str, int], pid: int, line: str, times: int) -> Measured:
    one, other = Plain(where), Plain(where)
    try:
        for client, name in ((other, "p1"), (one, "probe")):
            client.send("hello 1\n")
            _ask(client, f"guest {name}")
        for each in ("watch t1", *TABLE, "ping"):
            _ask(one, each)
        began = cpu(pid)
        for _ in range(times):
            answer = _ask(one, line)
        took = cpu(pid) - began
    finally:
        one.close()
        other.close()
    code = answer.partition("code=")[2].partition(" ")[0] or "OK"
    return Measured(line if len(line) < 50 else line[:40], took / times * 1000, code)


def _ask(one: Plain, command: str) -> str:
    one.send(f"@a {command}\n")
    while not (line := one.until("@a ")).startswith(("@a OK", "@a ERR")):
        pass
    return line


def report(arguments: Sequence[str] = ()) -> None:
    """Prints what the dearest lines take."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=lines", description=__doc__)
    add = parser.add_argument
    add("--times", type=int, default=20, help="each line is sent [20]")
    add("--games", type=float, default=5.0, help="seconds of play behind table t1 [5]")
    add("--people", type=int, default=PEOPLE)
    add("--tables", type=int, default=TABLES)
    add("--show", type=int, default=20)
    wanted = parser.parse_args(arguments)
    forgotten = COMMANDS.keys() - LINES.keys() - OUTSIDE
    assert not forgotten, f"nobody measures {forgotten}"
    more_files()
    found = measure(wanted.times, wanted.games, wanted.people, wanted.tables)
    print(f"lines: {len(found)} lines, {wanted.people} people, {wanted.tables + 1} tables")
    print("      ms counts  answer         line")
    for each in found[: wanted.show]:
        print(f"{each.ms:8.2f} {each.cost:6d}  {each.answer:14} {each.line}  {each.complaint}")
