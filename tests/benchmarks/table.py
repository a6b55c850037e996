"""What a move costs at the tables: parsing, rules, redaction, encoding and limits included.

Everything but the socket: sessions on a real host, over a clock that stands still. The limit
in the same run is the least a server could do: split the line and join as many lines out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.kit.lines import in_lines
from twentytwo_protocol.wire import parse
from twentytwo_server.games.chance import RandomBelow
from twentytwo_server.games.registry import games
from twentytwo_server.host.commands.dispatch import Dispatcher
from twentytwo_server.host.config import Config, Randomness
from twentytwo_server.host.start import open_host
from twentytwo_server.session.session import Session
from twentytwo_server.store.memory import MemoryStore


class StillTimer:
    """A call that never comes."""

    def active(self) -> bool:
        return False

    def cancel(self) -> None:
        pass


class StillClock:
    """Time stands still."""

    def now(self) -> int:
        return 0

    def wall(self) -> int:
        return 0

    def later(self, ms: int, call: Callable[[], None]) -> StillTimer:
        return StillTimer()


class NoLink:
    """A connection that is never limited and never hung up."""

    address = "127.0.0.1"
    private = writable = True

    def hang_up(self) -> None:
        pass

    def rate_wait(self, chat: bool) -> int:
        return 0

    def when_writable(self, call: Callable[[], None]) -> None:
        pass

    def count_held(self, size: int) -> None:
        pass


@dataclass
class Player:
    """A rule-blind program: it answers each of its turns with a random legal token."""

    host: Dispatcher
    chance: random.Random
    lines: int = 0
    answer: str = ""
    over: bool = False
    session: Session | None = None

    def take(self, data: bytes) -> None:
        lines = in_lines(data)
        self.lines += len(lines)
        for line in lines:
            if "default=" in line:
                self.answer = line
            elif line.startswith("GAMEOVER"):
                self.over = True

    def say(self, line: str) -> None:
        assert self.session is not None
        self.host.line(self.session, line, lambda: None)

    def token(self) -> str:
        record = parse(self.answer)
        assert record is not None
        self.answer = ""
        legal = record.fields.get("legal", record.fields["default"]).split(",")
        return f"move {self.chance.choice(legal)} turn={record.fields['turn']}"


def pick(seed: int | None) -> RandomBelow:
    return random.Random(seed).randrange


def new_host() -> Dispatcher:
    chance = Randomness(lambda: "0" * 128, lambda: f"{random.getrandbits(60):x}", pick)
    return open_host(StillClock(), MemoryStore(), games(), chance, Config(dev=True))


def seat_table(host: Dispatcher, number: int) -> list[Player]:
    """Four programs at a table of their own, about to play."""
    players = []
    for seat in range(4):
        player = Player(host, random.Random(number * 4 + seat))
        player.session = Session(player.take)
        host.attach(player.session, NoLink())
        player.say("hello 1 client=bench bot=1")
        player.say(f"guest p{number}x{seat}")
        word = f"open twentytwo clock=0 seed={number}" if seat == 0 else f"join t{number}"
        player.say(word)
        players.append(player)
    for player in players:
        player.say("ready")
    players[0].say("start")
    return players


def measure(tables: int, moves: int) -> tuple[float, float]:
    """CPU microseconds per move and per delivered line."""
    host = new_host()
    seated = [seat_table(host, number) for number in range(1, tables + 1)]
    everybody = [player for table in seated for player in table]
    lines = sum(player.lines for player in everybody)
    made, spent = 0, 0.0
    while made < moves:
        for table in seated:
            player = next((p for p in table if p.answer), None)
            if player is None:
                for each in table:
                    each.over = False
                    each.say("rematch")
                continue
            line = player.token()
            start = time.process_time()
            player.say(line)
            spent += time.process_time() - start
            made += 1
    delivered = sum(player.lines for player in everybody) - lines
    return spent / made * 1e6, spent / delivered * 1e6


def floor(lines: int) -> float:
    """CPU microseconds to split one line and to join and encode so many, per line."""
    line = "PLAYED on=t7 seq=37 seat=2 cards=6S,4H kind=beat left=4"
    start = time.process_time()
    for _ in range(20_000):
        line.split(" ")
        for _ in range(lines):
            (line + "\r\n").encode()
    return (time.process_time() - start) / (20_000 * lines) * 1e6


def report() -> None:
    """Prints the figures at 10 and at 500 tables beside the floor."""
    least = floor(12)
    few, per_line = measure(10, 20_000)
    many, _ = measure(500, 20_000)
    print(f"tables: {few:.0f} us a move, {per_line:.1f} us a delivered line (10 tables of four)")
    print(f"        {per_line / least:.0f} x the floor of {least:.2f} us a line")
    print(f"        at 500 tables {many:.0f} us a move, {many / few:.2f} x that at 10")
