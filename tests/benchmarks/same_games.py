"""The games of `same`: a program that plays them on the modules of the checkout in PYTHONPATH.

Each game has a server of its own in this process, with simulated time and given randomness, and a
folder for its SQLite database. The number of the game determines everything that is sent, as long
as the answers are the same: the table and its rules, the parties, their moves, requests, mistakes
and lost connections. For each game the program prints a hash of all lines of all connections and a
hash of all rows of the database; with `--tell` it prints the lines and the rows.

It uses only parts of `tests.kit` that earlier versions have.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import hashlib
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.kit import hosts, pairs
from tests.kit.clock import HandClock
from tests.kit.pairs import Doors, Line
from twentytwo_server.facts import Fact
from twentytwo_server.games.game import AnyGame
from twentytwo_server.games.options import BadOption
from twentytwo_server.games.registry import games
from twentytwo_server.host.config import Randomness
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.store.sql import SqlStore, open_store

BOTH = (
    *("hand", "moves", "state", "last", "score", "clock", "table", "undo", "again", "hint"),
    *("pause", "unpause", "ready", "unready", "rematch", "finish", "tables", "who", "history"),
    *(
        "rules",
        "games",
        "seeks",
        "watchers",
        "whoami",
        "help play",
        "why 4",
        "why 2 2 2",
        "fair g1",
    ),
    *("fair log", "game g1", "export g1", "stats", "time", "info", "seed kitten", "block ~cat"),
    *("unblock ~cat", "block", "lock", "unlock", "addbot", "dropbot", "option exchange off"),
    *("swap 2", "invite ~cat", "accept", "decline ~ann", "seek", "unseek", "play 2 2", "bid 1"),
    *("pass", "keep", "exchange 2 3", "trump 7h", "call", "no", "redeal", "play 99", "bid x"),
    *("start", "join t1", "watch t1", "unwatch", "follow", "unfollow people", "practice bots=x"),
    *("frobnicate", "", "  ", "play", "host ~bob", "remove ~zoe", "guest other", "token list"),
    *("replay g1 speed=20", "review g1", "results", "daily", "ranks", "profile", "whatif g1"),
)
"""Requests and mistakes of people and programs."""
TALK = (
    "say :hello there",
    "say :{long}",
    "tell ~bob :psst",
    "kibitz :ace!",
    "shout :hey",
    "say :caf\xe9",
)
PROGRAMS = (
    *("move", "move 2 turn=1", "move ZZ", "move - turn=x", "@a/b ping", "@ ping", "@7", "ping x"),
    *("sync t1 from=0", "sync t1 from=5 n=3", "sync t1 from=99999", "sync t1", "sync me from=0"),
    *("state t99", "describe verbs move", "describe events TURN", "caps", "caps {caps}", "pong 3"),
    *("ready once=k1", "ready once=k1", "say once=k2 :twice", "say once=k2 :twice", "hello 1"),
    *("move 2 3", "say table=t1", "moves after=2", "export g1 form=record", "{{", '{{"verb":1}}'),
    *('{{"verb":"say","text":"x"}}', '{{"verb":"move","token":"2","turn":"x"}}', "sync k1 from=0"),
)
PEOPLE = (
    *("set width 50", "set charset utf8", "set suits signs", "set colour on", "set bell turn"),
    *("set terse on", "set forced on", "set remarks off", "set width 7", "set", "gg", "hi all"),
    *("who is winning", "lowest", "8 of hearts", "q", "x k", "keep all", "'hello", "? play", "m 2"),
    *("tell bob hello", "say hello", "resi", "moves", "why q q"),
)
CAPS = ("json", "text", "time", "json,text", "json,time", "grease", "text,time", "-")
BYTES = (
    b"\xff\xfe nonsense\n",
    b"x" * 2000 + b"\n",
    b"say :a\tb\x07c\r\n",
    b"ping 1\nping 2\nhand\n",
)
"""Bytes that are no proper lines, and several lines at once."""
FOLDERS = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""The place of the databases: in memory where possible, because each waits for its disk."""
NAMES = (
    *("ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal", "ida", "jon", "kim", "leo"),
    *("mia", "ned", "oda"),
)
"""Names for twelve players, two watchers and a follower of the lobby."""
STEP = 10_000
"""Milliseconds after which a program answers a PING at the latest."""
GIVEN_UP = 12
"""Questions in a row that stay open, after which a game is left alone."""


def nothing() -> None:
    """Does nothing."""


class Disk(MemoryStore):
    """A store in memory, with everything written to SQLite, too; `late` is how long each write
    takes in simulated milliseconds.
    """

    def __init__(self, disk: SqlStore, clock: HandClock, late: int) -> None:
        super().__init__()
        self._disk, self._clock, self._late = disk, clock, late

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        self._disk.keep(facts, nothing)
        if self._late:
            self._clock.later(self._late, lambda: MemoryStore.keep(self, facts, done))
        else:
            super().keep(facts, done)


def chance(clock: HandClock) -> Randomness:
    """Randomness that depends on the time only, and not on how often it is used."""

    def secret() -> str:
        return hashlib.sha512(str(clock.now()).encode()).hexdigest()

    def token() -> str:
        return f"token{clock.now()}"

    def pick(wanted: int | None) -> Any:
        return random.Random(clock.now() if wanted is None else wanted).randrange

    return Randomness(secret=secret, token=token, pick=pick)


@dataclass
class Asked:
    """An open question to a program."""

    turn: int
    tokens: Callable[[random.Random], str]


@dataclass
class Party:
    """A person or a program: `hello` are its first lines, and `caps` None for people."""

    name: str
    caps: str | None
    line: Line
    seated: bool
    token: str = ""
    asked: Asked | None = None
    question: str = ""
    example: str = ""
    pings: list[int] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    tried: int = 0

    @property
    def hello(self) -> str:
        if self.caps is None:
            return f"{self.name}\n"
        return f"hello 1 client=t caps={self.caps}\nguest {self.name}\n"

    def read(self) -> list[str]:
        """The lines since the last call; what they tell is noted."""
        data: bytes = self.line.transport.value()
        self.line.transport.clear()
        lines = data.decode(errors="backslashreplace").split("\r\n")
        for line in lines:
            if self.caps is None:
                self._hear(line)
            else:
                self._parse(line)
        return lines if lines[-1] else lines[:-1]

    def _hear(self, line: str) -> None:
        if found := re.search(r"resume (\S+) takes", line):
            self.token = found[1]
        if re.match(r"Your (turn|lead|bid|card,)|Choose the|You cannot follow", line):
            self.question, self.tried = line, 0
        elif self.question and line.startswith("    "):
            self.question += line[3:]
        if found := re.search(r"may (?:play|bid) (.+?),? for example", line):
            self.example = found[1]

    def _parse(self, line: str) -> None:
        if line.startswith("{"):
            said = json.loads(line)
            word = said["ev"]
        else:
            words = re.sub(r" :.*|^@\S+ ", "", line).split(" ")
            word, said = words[0], dict(each.split("=", 1) for each in words[1:] if "=" in each)
        if "on" in said and "seq" in said:
            self.seen[said["on"]] = int(said["seq"])
        if word == "PING":
            self.pings.append(int(said["no"]))
        elif word == "OK" and "token" in said:
            self.token = said["token"]
        elif word == "TURN" and "default" in said and said.get("on") == "t1":
            self.asked = Asked(int(said["turn"]), lambda dice: _token(said, dice))


def _token(turn: dict[str, Any], dice: random.Random) -> str:
    """A move that a TURN lists."""

    def of(key: str) -> list[str]:
        value = turn.get(key, [])
        return value.split(",") if isinstance(value, str) else value

    if turn["choose"] == "one":
        return dice.choice(of("legal"))
    number = dice.randint(int(turn["min"]), int(turn["max"]))
    return "+".join(dice.sample(of("cards"), number)) or "-"


def _spoken(party: Party, dice: random.Random) -> str:
    """An answer to the last question of a person, as far as its text shows one."""
    text = party.question
    if party.tried and party.example and dice.random() < 0.8:
        return party.example
    found = re.findall(r'"([^"]+)"', text) + re.findall(r"type (\S+)|play is (.+?)\.", text)
    found += [dice.choice(each) for each in re.findall(r"(\d+) to (\d+)", text)]
    if "|" in text:
        found += [re.sub(r".*(: |\. +)|\(.*\)", "", each).strip() for each in text.split(" | ")]
    if not found or party.tried > 3:
        found = ["keep", "moves", "pass", "call", "no", "0", "1", "14", ""]
    chosen = dice.choice(found)
    return chosen if isinstance(chosen, str) else "".join(chosen)


class Evening:
    """A game, everything around it, and `log`: all lines to and from the parties, in order."""

    def __init__(self, number: int, disk: SqlStore) -> None:
        self.dice = dice = random.Random(f"game {number}")
        self._disk = disk
        self.log: list[str] = []
        self.rows: list[str] = []
        self._clock = HandClock()
        self._late = dice.choice((0, 0, 0, 3))
        self._store = Disk(disk, self._clock, self._late)
        self.quick = dice.random() < 0.8
        self._config: dict[str, Any] = {
            "dev": dice.random() < 0.5,
            "pause": dice.choice((0, 0, 400)),
        }
        self._serve()
        kinds = [(game, preset) for game in games().values() for preset in game.presets]
        self.game, self.preset = kinds[number % len(kinds)]
        self.parties: list[Party] = []
        self.practice = False

    def _serve(self) -> None:
        """Starts a server on the store."""
        rates = ("burst", "rate", "chat_burst", "chat_rate") if self.quick else ()
        kit: Any = pairs  # where the limits are declared differs between versions
        limits = replace(kit.Limits(), **dict.fromkeys(rates, 1e9))
        clock = self._clock
        with (
            patch.object(hosts, "counted_chance", lambda **_: chance(clock)),
            patch.object(
                pairs, "World", lambda: hosts.World(self._store, clock=clock, **self._config)
            ),
        ):
            self.doors = Doors(limits=limits)

    # ------------------------------------------------------------------------- the parties

    def arrive(self, name: str, *, seated: bool, person: bool) -> Party:
        """Connects a party, which gives its name."""
        caps = None if person else self.dice.choice(("-", "-", *CAPS))
        party = Party(name, caps, self.doors.line(greeted=False), seated)
        self.parties.append(party)
        self.say(party, party.hello)
        return party

    def say(self, party: Party, text: str | bytes, ms: int | None = None) -> None:
        """Sends bytes, and lets time pass; notes the lines to all."""
        data = text.encode() if isinstance(text, str) else text
        self.log.append(f"{party.name} > {data!r}")
        if self.dice.random() < 0.1:
            party.line.send(data, chunk=self.dice.randint(1, 30), settle=False)
        else:
            party.line.send(data, settle=False)
        self.wait(self.dice.randint(1, 40 if self.quick else 600) if ms is None else ms)

    def wait(self, ms: int) -> None:
        """Lets time pass, and notes the lines to all."""
        while ms >= 0:
            self.doors.advance(min(ms, STEP))
            ms -= STEP
            for party in self.parties:
                self.log += (f"{party.name} < {line}" for line in party.read())
                while party.pings:
                    party.line.send(f"pong {party.pings.pop()}\n", settle=False)

    def cut(self, party: Party) -> None:
        """Breaks a connection; the party comes back, sooner or later."""
        self.log.append(f"{party.name} is cut off")
        if party.line.connected:
            party.line.lose()
        self.wait(self.dice.choice((1, 1, 500, 130_000)))
        self.come_back(party)

    def come_back(self, party: Party) -> None:
        """Connects a party again, and takes its seat back."""
        party.line = self.doors.line(greeted=False)
        known = " ".join(
            f"{on}:{max(0, seq - self.dice.choice((0, 0, 1, 7)))}"
            for on, seq in party.seen.items()
            if re.fullmatch("t[0-9]+|me", on)
        )
        hello = "" if party.caps is None else f"hello 1 client=t caps={party.caps}\n"
        begin = len(self.log)
        self.say(party, f"{hello}resume {party.token} {known if hello else ''}\n")
        if any("no longer valid" in line for line in self.log[begin:]):
            self.say(party, f"{party.hello.splitlines()[-1]}\njoin t1\n")

    def restart(self) -> None:
        """Kills the server; the next one builds the tables anew, and the parties come back."""
        self.log.append("the server is killed")
        for due in self._clock.waiting:
            due.cancel()
        self._serve()
        for party in self.parties:
            self.come_back(party)

    # ---------------------------------------------------------------------------- the game

    def open(self) -> None:
        """Seats the parties at a table, and starts the game."""
        dice = self.dice
        options, players = _rules(self.game, self.preset, dice)
        seats = min(dice.choices(players, k=2))
        wishes = f"rules={self.preset}" + (f" options={options}" if options else "")
        counting = dice.choice(("", "", " counting=off"))
        sitting = iter(NAMES)
        host = self.arrive(next(sitting), seated=True, person=dice.random() < 0.4)
        self.practice = dice.random() < 0.2
        if self.practice:
            bots = f"bots={seats - 1} level={dice.choice(('easy', 'steady', 'hard'))}"
            seed = dice.choice(("", "", " seed=7"))
            self.say(host, f"practice {self.game.key} {bots} {wishes}{seed}{counting}\n")
        else:
            bots_ = dice.choice((0, 0, 0, 1, 2)) if seats > 2 else 0
            bots_ = min(bots_, seats - 2)
            clock = dice.choice(("0", "20", "20+30"))
            extra = dice.choice(("", "", " private=kiwi", " watch=none"))
            where = "kiwi" if "kiwi" in extra else "t1"
            self.say(
                host,
                f"open {self.game.key} seats={seats} bots={bots_} clock={clock} {wishes}{counting}"
                f"{extra}\n",
            )
            for _ in range(seats - bots_ - 1):
                guest = self.arrive(next(sitting), seated=True, person=dice.random() < 0.4)
                self.say(guest, f"join {where}\n")
            for _ in range(dice.choice((0, 1, 1, 2))):
                watcher = self.arrive(next(sitting), seated=False, person=dice.random() < 0.3)
                self.say(watcher, f"watch {where}\n")
            if dice.random() < 0.5:
                self.say(host, "seed luck\n")
            for party in self.parties:
                if party.seated:
                    self.say(party, "ready\n")
            self.say(host, "start\n")
        if dice.random() < 0.3:
            self.say(self.arrive(next(sitting), seated=False, person=False), "follow\n")

    async def play(self) -> None:
        """The whole game, or as much of it as there is time for."""
        dice = self.dice
        self.open()
        given_up = 0
        killed = -1 if self._late else dice.randint(1, 250)
        for step in range(dice.choice((40, 150, 150, 400))):
            if step == killed:
                self.restart()
            party = dice.choice(self.parties)
            if not party.line.connected or dice.random() < 0.01:
                self.cut(party)
            elif dice.random() < 0.25:
                self.say(party, self._aside(party))
            moved = self._move()
            given_up = 0 if moved else given_up + 1
            if given_up > 3:
                self.wait(35_000)  # the clock plays
            if given_up > GIVEN_UP:
                break
            if step % 50 == 49:
                await self._note_rows()
        for party in self.parties:
            self.say(
                party, dice.choice(("game g1\n", "leave\n", "rematch\n", "fair g1\n", "quit\n"))
            )
        self.wait(3_000)
        await self._note_rows()

    def _aside(self, party: Party) -> str | bytes:
        """A line that is no move: a request, talk, or a mistake of some kind."""
        dice = self.dice
        if dice.random() < 0.05:
            return dice.choice(BYTES)
        own = PEOPLE if party.caps is None else PROGRAMS
        line = dice.choice(dice.choice((BOTH, BOTH, TALK, own, own)))
        if self.practice and dice.random() < 0.4:
            line = dice.choice(("undo", "undo", "again", "hint"))
        line = line.format(long="long " * 60, caps=party.caps)
        if party.caps is not None and dice.random() < 0.7 and line[:1] not in ("@", "{"):
            line = f"@{dice.randint(1, 99)} {line}"
        return f"{line}{dice.choice(chr(10) + chr(13))}\n".replace("\n\n", "\n")

    def _move(self) -> bool:
        """One of those who are asked answers; False if nobody is asked."""
        dice = self.dice
        asked = [p for p in self.parties if p.line.connected and p.asked is not None]
        people = [p for p in self.parties if p.line.connected and p.seated and p.question]
        if asked and (not people or dice.random() < 0.7):
            party = dice.choice(asked)
            assert party.asked is not None
            turn, token = party.asked.turn, party.asked.tokens(dice)
            if dice.random() < 0.1:
                token = dice.choice(("2", "A+A", "7H", "99", "pass", "-", "x", f"{token}+{token}"))
            else:
                party.asked = None
            self.say(party, _answer(party, token, turn, dice))
            return True
        if people:
            party = dice.choice(people)
            spoken, question = _spoken(party, dice), party.question
            party.tried += 1
            self.say(party, f"{spoken}\n")
            if party.question == question and party.tried > 8:
                party.question = ""  # the clock answers
            return party.tried < 4
        return False

    # ---------------------------------------------------------------------------- the rows

    async def _note_rows(self) -> None:
        """Notes all rows of the database, once everything is written."""
        written = asyncio.get_running_loop().create_future()
        self._disk.keep((), lambda: written.set_result(None))
        await written
        async with self._disk.engine.connect() as db:
            names = await db.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
            for (table,) in sorted(names):
                rows = await db.exec_driver_sql(f"SELECT * FROM {table}")
                self.rows += sorted(f"{table} {tuple(row)!r}" for row in rows)


def _rules(game: AnyGame, preset: str, dice: random.Random) -> tuple[str, range]:
    """Up to three other options for a preset, and the possible numbers of players."""
    while True:
        known = game.options(game.rules(preset, {}))
        chosen = {}
        for option in dice.sample(known, dice.choice((0, 0, 1, 2, 3))):
            words = [*option.words, *map(str, list(option.span or ())[:8])]
            chosen[option.name] = dice.choice(words)
        try:
            rules = game.rules(preset, chosen)
            players = game.players(rules)
            game.new(rules, min(players))
        except BadOption:
            continue
        return ",".join(f"{name}:{value}" for name, value in chosen.items()), players


def _answer(party: Party, token: str, turn: int, dice: random.Random) -> str:
    """A program's move, in one of the ways to say it."""
    form = dice.random()
    if party.caps is not None and "json" in party.caps and form < 0.7:
        said = {"verb": "move", "re": "7", "token": token, "turn": turn}
        return f"{json.dumps(said)}\n"
    if form < 0.8:
        return f"@{dice.randint(1, 99)} move {token} turn={turn} table=t1\n"
    return (
        f"move {token}\r\n"
        if form < 0.9
        else f"move {token} turn={turn}\nmove {token} turn={turn}\n"
    )


# --------------------------------------------------------------------------------- the program


async def played(number: int) -> Evening:
    """A game that has been played."""
    with tempfile.TemporaryDirectory(dir=FOLDERS) as folder:
        disk = await open_store(Path(folder), sys.exit)
        await disk.load()
        try:
            evening = Evening(number, disk)
            await evening.play()
        finally:
            await disk.close()
    return evening


def hashed(lines: Iterable[str]) -> str:
    """A hash of these lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def said(number: int, evening: Evening, tell: bool) -> Iterator[str]:
    """The output of the program for a game."""
    if tell:
        yield from evening.log
        yield from (f"row {row}" for row in evening.rows)
    else:
        lines = sum(" < " in line for line in evening.log)
        yield (
            f"{number} {hashed(evening.log)} {hashed(evening.rows)} {lines} {len(evening.rows)}"
            f" {evening.game.key}/{evening.preset}"
        )


def main() -> None:
    """Plays the games that are asked for."""
    parser = argparse.ArgumentParser(prog="same_games")
    parser.add_argument("numbers", type=int, nargs=2, metavar="NUMBER", help="the first; the end")
    parser.add_argument("--tell", action="store_true")
    asked = parser.parse_args()
    for number in range(*asked.numbers):
        evening = asyncio.run(played(number))
        for line in said(number, evening, asked.tell):
            print(line, flush=not asked.tell)
        gc.collect()


if __name__ == "__main__":
    main()
