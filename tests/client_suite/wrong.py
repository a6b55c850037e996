"""Clients that are right but for one thing: `python -m tests.client_suite.wrong NAME HOST PORT`.

Each is the reference bot with one mistake that somebody has made before, named by its class. The
docstring is the id of the sentence that it breaks, and of others that it breaks by that.
"""

from __future__ import annotations

import re
import socket
import sys
import time
from collections.abc import Iterator

from tests.client_suite.reference import Bot, Fields
from tests.client_suite.watcher import Watcher

WORDS = """
JOINED HOST READY GAME HAND DEALT TURN EXCHANGED TRICK PLAYED TOOK SHOWN SCORED OUT HANDOVER RESULT
GAMEOVER SAID OPTION PRESENCE TIMEOUT ANSWERED GAP PING BYE NOTE WARN
"""
EVENTS = frozenset(WORDS.split())


class ReadsPackets(Bot):
    """F7"""

    def lines(self, wire: socket.socket) -> Iterator[str]:
        while data := wire.recv(65536):
            yield from (line for line in data.decode().replace("\r", "").split("\n") if line)


class GivesUpOnHalfALine(Bot):
    """F7 K2"""

    def lines(self, wire: socket.socket) -> Iterator[str]:
        wire.settimeout(0.5)
        return super().lines(wire)


class WantsCarriageReturns(Bot):
    """F2"""

    def lines(self, wire: socket.socket) -> Iterator[str]:
        held = b""
        while data := wire.recv(65536):
            *whole, held = (held + data).split(b"\r\n")
            yield from (line.decode() for line in whole)


class SplitsLinesAsText(Bot):
    """F2"""

    def lines(self, wire: socket.socket) -> Iterator[str]:
        for line in super().lines(wire):
            yield from line.splitlines()


class TakesCommentsForEvents(Bot):
    """G1"""

    def hear(self, line: str) -> None:
        line = line.removeprefix("#").strip()
        if (line and line[0].isupper() and not line.startswith("cardline")) or line.startswith("@"):
            super().hear(line)


class ReadsSoManyBytes(Bot):
    """F4"""

    def lines(self, wire: socket.socket) -> Iterator[str]:
        while line := self.stream.readline(4096):
            yield line.rstrip(b"\r\n").decode()


class SendsLongLines(Bot):
    """F4"""

    def say(self, command: str) -> None:
        super().say(command.replace(" turn=", f"{' ' * 1100}turn="))


class SendsLatin1(Bot):
    """F1"""

    def say(self, command: str) -> None:
        super().say(command)
        if command.startswith("move"):
            self.stream.write("@x say :gr\u00fc\u00dfe\n".encode("latin-1"))
            self.stream.flush()


class SplitsBeforeTheText(Bot):
    """G4 F2"""

    def split(self, line: str) -> tuple[str | None, str, Fields]:
        words = line.split(" ")
        id = words.pop(0)[1:] if words[0].startswith("@") else None
        return id, words[0], dict(word.partition("=")[::2] for word in words[1:])


class AnswersTalk(Bot):
    """G4 F2 F4 S5"""

    def hear(self, line: str) -> None:
        found = re.search(r"\bTURN .*default=.*", line) if not line.startswith("#") else None
        super().hear(found[0] if found and not line.startswith("TURN") else line)

    def follows(self, on: str, seq: int) -> bool:
        super().follows(on, seq)
        return True


class CountsWords(Bot):
    """G3"""

    def happened(self, word: str, fields: Fields) -> None:
        if word == "TURN" and "default" in fields:
            keys = ("on", "seq", "turn", "seat", "act")
            fields |= dict(zip(keys, [*fields.values()], strict=False))
        super().happened(word, fields)


class TakesTheFirstOfTwo(Bot):
    """G3"""

    def split(self, line: str) -> tuple[str | None, str, Fields]:
        id, word, fields = super().split(line)
        for each in reversed(line.partition(" :")[0].split(" ")):
            key, equals, value = each.partition("=")
            fields |= {key: value} if equals else {}
        return id, word, fields


class TakesEmptyForAbsent(Bot):
    """G2"""

    def choose(self, fields: Fields) -> str:
        full = {key: value for key, value in fields.items() if value}
        return super().choose(full)


class AssumesItsCapabilities(Bot):
    """J1"""

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        if verb == "hello":
            assert fields["knows"].split(",")[0], "the server has no capabilities"
        super().ok(verb, command, fields)


class SaysNoVersion(Bot):
    """M1"""

    def say(self, command: str) -> None:
        super().say(command.replace("hello 1,2", "hello"))


class SaysNoHello(Bot):
    """M1"""

    def begin(self) -> None:
        self.say("guest ref")


class InsistsOnItsVersion(Bot):
    """M2 B2 B7"""

    def err(self, verb: str, command: str, fields: Fields) -> None:
        if verb != "hello":
            super().err(verb, command, fields)

    def wait(self) -> None:
        time.sleep(0.1)


class AnswersForOthers(Bot):
    """T1"""

    def happened(self, word: str, fields: Fields) -> None:
        if word == "TURN":
            fields = {"default": "pass", "choose": "", **fields}
        super().happened(word, fields)


class SendsOnlyOneCard(Bot):
    """T3"""

    def choose(self, fields: Fields) -> str:
        token = super().choose(fields)
        return f"{token}+{token}" if fields["act"] == "play" else token


class JoinsWithCommas(Bot):
    """T4"""

    def choose(self, fields: Fields) -> str:
        if fields["choose"] == "subset":
            return fields["cards"] or "-"
        return super().choose(fields)


class WantsTheWholeList(Bot):
    """T5"""

    def choose(self, fields: Fields) -> str:
        if fields["choose"] == "one":
            assert len(fields["legal"].split(",")) == int(fields["nlegal"]), "moves are missing"
        return super().choose(fields)


class KnowsTheActs(Bot):
    """T6"""

    def choose(self, fields: Fields) -> str:
        return {"exchange": super().choose, "play": super().choose, "pass": super().choose,
                "claim": super().choose}[fields["act"]](fields)  # fmt: skip


class KnowsTheChoices(Bot):
    """B1"""

    def choose(self, fields: Fields) -> str:
        if fields["choose"] not in ("one", "subset"):
            return fields.get("cards", fields.get("stars", "")).split(",")[0]
        return super().choose(fields)


class KnowsOneQuestion(Bot):
    """O7"""

    latest = ""

    def lines(self, wire: socket.socket) -> Iterator[str]:
        held = b""
        while data := wire.recv(65536):
            *whole, held = (held + data).split(b"\n")
            lines = [line.removesuffix(b"\r").decode() for line in whole]
            for line in lines:
                asked = re.match(r"TURN [^:]*\bturn=(\d+)", line)
                self.latest = asked[1] if asked else self.latest
            yield from lines

    def happened(self, word: str, fields: Fields) -> None:
        super().happened(word, fields | {"turn": self.latest} if word == "TURN" else fields)


class DiesOfEvents(Bot):
    """W1"""

    def event(self, word: str, fields: Fields) -> None:
        assert word in EVENTS or word.startswith("XG"), f"there is no event {word}"
        super().event(word, fields)


class DiesOfFields(Bot):
    """W1"""

    def happened(self, word: str, fields: Fields) -> None:
        if word == "PLAYED":
            seat, cards, kind, left = [fields.pop(key) for key in ("seat", "cards", "kind", "left")]
            assert set(fields) == {"on", "seq"}, f"{seat}, {cards}, {kind}, {left} and {fields}"
        super().happened(word, fields)


class TakesTheFirstLineForTheReply(Bot):
    """W2"""

    def hear(self, line: str) -> None:
        if line.startswith("@") and " TABLE " not in line and " AT " not in line:
            _, word, _ = self.split(line)
            assert word in ("OK", "ERR"), f"the answer is neither OK nor ERR: {line}"
        super().hear(line)


class ComesBackAtOnce(Bot):
    """B2 B7"""

    def wait(self) -> None:
        time.sleep(0.05)


class TakesAConnectionForSuccess(Bot):
    """B2"""

    def hear(self, line: str) -> None:
        self.pause = 0.05
        super().hear(line)


class TakesHelloForSuccess(Bot):
    """B2"""

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        super().ok(verb, command, fields)
        if verb == "hello":
            self.pause = 0.05


class DiesOfPing(Bot):
    """K2"""

    def happened(self, word: str, fields: Fields) -> None:
        super().happened(word, fields | {"no": fields["n"]} if word == "PING" else fields)


class IgnoresTheWait(Bot):
    """L1"""

    def err(self, verb: str, command: str, fields: Fields) -> None:
        if fields["code"] == "RATE":
            fields = fields | {"wait": "50"}
        super().err(verb, command, fields)


class HurriesIntoAFullServer(Bot):
    """L1"""

    def err(self, verb: str, command: str, fields: Fields) -> None:
        if fields["code"] == "BUSY":
            fields = fields | {"wait": "50"}
        super().err(verb, command, fields)


class LoopsOnStaleTurn(Bot):
    """T2"""

    def err(self, verb: str, command: str, fields: Fields) -> None:
        if fields["code"] == "STALE_TURN":
            self.say(command)
        super().err(verb, command, fields)


class KnowsTheCodes(Bot):
    """E2"""

    def err(self, verb: str, command: str, fields: Fields) -> None:
        {"RATE": None, "STALE_TURN": None, "BAD_TOKEN": None, "BAD_VERSION": None}[fields["code"]]
        super().err(verb, command, fields)


class ComesBackAfterQuit(Bot):
    """B3"""

    def quit(self) -> None:
        self.say("quit")


class TakesEverythingTwice(Bot):
    """S5"""

    def follows(self, on: str, seq: int) -> bool:
        return super().follows(on, seq) or seq < self.seqs[on]


class AsksFromTheWrongNumber(Bot):
    """S5"""

    def say(self, command: str) -> None:
        verb, _, start = command.partition(" from=")
        super().say(f"{verb} from={int(start) + 2}" if verb.startswith("sync") else command)


class AsksForWhatIsLeftOut(Bot):
    """B4"""

    def event(self, word: str, fields: Fields) -> None:
        if word != "GAP":
            super().event(word, fields)


class StopsAtTheFirstPart(Bot):
    """B5"""

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        fields.pop("more", None)
        super().ok(verb, command, fields)


class TakesAPageForAll(Bot):
    """B6"""

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        fields.pop("next", None)
        super().ok(verb, command, fields)


class NamesNumbersItHasNotSeen(Bot):
    """C1 B9"""

    def say(self, command: str) -> None:
        ahead = re.sub(r":(\d+)", lambda found: f":{int(found[1]) + 5}", command)
        super().say(ahead if command.startswith("resume") else command)


class ForgetsItsAnswer(Bot):
    """C1"""

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        if verb == "resume":
            self.moves = {}
        super().ok(verb, command, fields)


class KeepsTheFirstToken(Bot):
    """C3"""

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        if verb == "resume":
            fields.pop("token")
        super().ok(verb, command, fields)


class ComesBackAfterReplaced(Bot):
    """C4"""

    def bye(self, fields: Fields) -> None:
        super().bye(fields | {"resume": "1"})


class ComesBackTooSoon(Bot):
    """B7"""

    def bye(self, fields: Fields) -> None:
        super().bye(fields | {"wait": "0"})


class HearsNoByeBeforeHello(Bot):
    """B7"""

    def bye(self, fields: Fields) -> None:
        if self.boot:
            super().bye(fields)


class ComesBackToTheOldPlace(Bot):
    """B8"""

    def bye(self, fields: Fields) -> None:
        fields.pop("to", None)
        super().bye(fields)


class KeepsADeadToken(Bot):
    """B9"""

    def err(self, verb: str, command: str, fields: Fields) -> None:
        if verb == "resume":
            self.say(command)
        else:
            super().err(verb, command, fields)


class AnswersWhatItWatches(AnswersForOthers, Watcher):
    """T1"""


class PlaysTheBaitItWatches(AnswersTalk, Watcher):
    """G4 F2 F4 S5"""


class FallsOverWhatItWatches(DiesOfEvents, Watcher):
    """W1"""


class WatchesWithoutAPause(ComesBackAtOnce, Watcher):
    """B2 B7"""


class AsksForWhatItsWatchersAreNotShown(AsksForWhatIsLeftOut, Watcher):
    """B4"""


class WatchesFromNumbersItHasNotSeen(NamesNumbersItHasNotSeen, Watcher):
    """C1 B9"""


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:]).run()
