"""A bot that does all that the specification asks of a client, in the plainest way."""

from __future__ import annotations

import random
import socket
import sys
import time
from collections.abc import Iterator

Fields = dict[str, str]


class Bot:
    """Sits down at a table, or opens one, and plays one game with random legal moves."""

    def __init__(self, host: str, port: str) -> None:
        self.address, self.pause, self.done = (host, int(port)), 1.0, False
        self.token, self.boot, self.table = "", "", ""
        self.seqs: dict[str, int] = {}
        self.behind: set[str] = set()
        self.moves: dict[str, str] = {}  # the answers that are not acknowledged, by turn
        self.sent: dict[str, str] = {}  # the commands that are not answered, by id

    def run(self) -> None:
        while not self.done:
            try:
                with socket.create_connection(self.address, timeout=100) as wire:
                    self.stream = wire.makefile("rwb")
                    self.sent.clear()
                    self.begin()
                    for line in self.lines(wire):
                        self.hear(line)
            except OSError:
                pass
            if not self.done:
                self.wait()

    def wait(self) -> None:
        time.sleep(self.pause)
        self.pause = min(60.0, max(2.0, 2 * self.pause))

    def lines(self, wire: socket.socket) -> Iterator[str]:
        for line in self.stream:
            yield line.removesuffix(b"\n").removesuffix(b"\r").decode()

    def say(self, command: str) -> None:
        id = f"r{len(self.sent)}.{random.randrange(10**9)}"
        self.sent[id] = command
        self.stream.write(f"@{id} {command}\n".encode())
        self.stream.flush()

    def begin(self) -> None:
        self.say("hello 1,2 client=reference/1 bot=1 caps=text")
        if self.token:
            streams = " ".join(f"{on}:{seq}" for on, seq in self.seqs.items())
            self.say(f"resume {self.token} {streams} boot={self.boot}")
        else:
            self.say("guest ref")

    # hearing

    def hear(self, line: str) -> None:
        if line.startswith("#"):
            return
        id, word, fields = self.split(line)
        if id is None:
            self.event(word, fields)
        elif word in ("OK", "ERR") and id in self.sent:
            command = self.sent.pop(id)
            (self.ok if word == "OK" else self.err)(command.split(" ")[0], command, fields)
        elif word == "TABLE":
            self.table = self.table or fields["on"]

    def split(self, line: str) -> tuple[str | None, str, Fields]:
        words = line.partition(" :")[0].split(" ")
        id = words.pop(0)[1:] if words[0].startswith("@") else None
        return id, words[0], dict(word.partition("=")[::2] for word in words[1:])

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        self.token = fields.get("token", self.token)
        if verb == "hello":
            self.boot = fields["boot"]
        elif verb == "guest":
            self.seqs, self.moves = {}, {}
            self.say("tables game=twentytwo open=1")
        elif verb == "tables" and "next" in fields:
            self.say(f"tables game=twentytwo open=1 after={fields['next']}")
        elif verb == "tables":
            self.say(f"join {self.table}" if self.table else "practice twentytwo bots=1")
        elif verb == "join":
            self.say(f"ready table={fields['on']}")
        elif verb == "sync":
            if "more" in fields:
                self.say(f"sync {fields['on']} from={fields['seq']}")
            else:
                self.behind.discard(fields["on"])
        elif verb == "resume":
            self.pause = 1.0
            for move in self.moves.values():
                self.say(move)

    def err(self, verb: str, command: str, fields: Fields) -> None:
        if fields["class"] == "limit" and "wait" in fields:
            time.sleep(int(fields["wait"]) / 1000)
            self.say(command)
        elif verb == "hello":
            self.done = True
        elif verb == "resume" and fields["class"] == "auth":
            self.token = ""
            self.say("guest ref")

    def event(self, word: str, fields: Fields) -> None:
        on = fields.get("on", "")
        if word == "GAP":
            self.seqs[on] = int(fields["seq"])
        elif "seq" not in fields or self.follows(on, int(fields["seq"])):
            self.happened(word, fields)

    def follows(self, on: str, seq: int) -> bool:
        last = self.seqs.get(on, seq - 1)
        if seq > last + 1 and on not in self.behind:
            self.behind.add(on)
            self.say(f"sync {on} from={last}")
        if seq == last + 1:
            self.seqs[on] = seq
        return seq == last + 1

    def happened(self, word: str, fields: Fields) -> None:
        if word == "TURN" and "default" in fields:
            turn = fields["turn"]
            self.moves = {turn: f"move {self.choose(fields)} turn={turn} table={fields['on']}"}
            self.say(self.moves[turn])
        elif word == "PING":
            self.say(f"pong {fields['no']}")
        elif word == "BYE":
            self.bye(fields)
        elif word == "GAMEOVER":
            self.quit()

    def quit(self) -> None:
        self.done = True
        self.say("quit")

    def choose(self, fields: Fields) -> str:
        """The move to answer with."""
        if fields["choose"] == "one":
            return random.choice(fields["legal"].split(","))
        if fields["choose"] == "subset":
            cards = [card for card in fields["cards"].split(",") if card]
            n = random.randint(int(fields["min"]), int(fields["max"]))
            return "+".join(random.sample(cards, n)) or "-"
        return fields["default"]

    def bye(self, fields: Fields) -> None:
        self.done = self.done or fields["resume"] == "0"
        self.pause = int(fields.get("wait", 1000)) / 1000
        if "to" in fields:
            host, _, port = fields["to"].rpartition(":")
            self.address = host, int(port)


if __name__ == "__main__":
    Bot(*sys.argv[1:]).run()
