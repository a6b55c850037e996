"""A fault of a server for each check: a line that a right server says, spoiled on its way.

`python -m tests.conformance.faults` looks for faults and writes `faults.txt`: it notes what a right
server says in a check, and spoils its lines one by one, the last first, until the check fails. A
fault that any check would find, whatever it quotes, does not count. Faults that the file has stay:
to look for another one, delete the line.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Set
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import Lock

from tests.conformance.servers import Server
from tests.conformance.wrong_servers import STARTED, WRONG, Memory, Proxy, Wrong, word_of
from twentytwo_conform import connections, pool
from twentytwo_conform.case import Case
from twentytwo_conform.check import Skipped
from twentytwo_conform.checks import all_cases
from twentytwo_conform.connections import Address, Person, Program
from twentytwo_conform.pool import Pool, new_name

FILE = Path(__file__).with_name("faults.txt")
MOST = 400
"""Faults that are tried for a check."""
QUICK = 1.5
"""Seconds in which a fault is found that is kept."""
UNHEARD, REFUSED = "unheard", "refused"
TRIES, LONG = 30, 90.0
"""Faults of a case that may take longer than that, and the seconds for a check in all."""


@dataclass(frozen=True)
class Fault:
    """What is done to the lines of a word, from the `first` on that a connection is told.

    `doubled`: they come twice; `dropped`: they do not come; `textless`: without their text;
    `garbled`: as another line, which says nothing; `misspelt`: with other words behind the first;
    `without`: without a field; `changed`: with another value of it; `fewer`: without the last item
    of a list. Two are done to commands with that verb. `unheard`: the server answers OK, as to a
    ping, and does nothing, and where no id asks for an answer there is none; `refused`: the server
    finds an argument wrong.
    """

    kind: str
    word: str
    field: str
    first: int

    def spoil(self, line: str, memory: Memory) -> Iterable[str]:
        """The lines that a client is told instead of one."""
        spoiled = self.kind not in (UNHEARD, REFUSED) and self._is_due(line, memory)
        return self._spoiled(line) if spoiled else (line,)

    def hear(self, line: str, memory: Memory) -> str:
        """The line that the server hears instead of one."""
        if self.kind not in (UNHEARD, REFUSED) or not self._is_due(line, memory):
            return line
        id = line.partition(" ")[0] + " " if line.startswith("@") else ""
        if self.kind == REFUSED:
            return f"{id}ping an=argument"
        return f"{id}ping" if id else ""

    def _is_due(self, line: str, memory: Memory) -> bool:
        if _word_of(line) != self.word:
            return False
        count = int(memory.get("count", "0")) + 1
        memory["count"] = str(count)
        return count >= self.first

    def _spoiled(self, line: str) -> Iterable[str]:
        match self.kind:
            case "doubled":
                return line, line
            case "dropped":
                return ()
            case "textless":
                return (line.partition(" :")[0],)
            case "garbled":
                return ("...",)
            case "misspelt":
                first, space, rest = line.partition(" ")
                return (first + space + re.sub(r"(\w)(\w)", r"\2\1", rest),)
        head, colon, text = line.partition(" :")
        field = rf" {re.escape(self.field)}=(\S*)"
        if self.kind == "fewer":
            fewer = re.sub(rf"{field}", self._fewer, head, count=1)
            return (fewer + colon + text,)
        if self.kind == "without":
            return (re.sub(field, "", head, count=1) + colon + text,)
        return (re.sub(field, self._changed, head, count=1) + colon + text,)

    def _fewer(self, found: re.Match[str]) -> str:
        return f" {self.field}={found[1].rpartition(',')[0]}"

    def _changed(self, found: re.Match[str]) -> str:
        value = found[1]
        other = str(int(value) + 1) if value.isdecimal() else f"x{value}"
        return f" {self.field}={other}"


def _word_of(line: str) -> str:
    """The word of a line, with NAME for whatever a check makes up anew each time."""
    return re.sub(r"c\d+x\d+|zz\d+zz", "NAME", word_of(line))


def kept() -> Mapping[str, tuple[str, Fault]]:
    """The faults that are kept: of each check the name of a case, and what it finds."""
    found = {}
    for line in FILE.read_text("utf-8").splitlines():
        case, kind, word, field, first = line.split("\t")
        found[case.partition("[")[0]] = case, Fault(kind, word, field, int(first))
    return found


@cache
def checks() -> Mapping[str, list[Case]]:
    """All checks by name, each with its cases."""
    found: dict[str, list[Case]] = {}
    for case in all_cases():
        found.setdefault(case.name.partition("[")[0], []).append(case)
    return found


def with_own_fault() -> set[str]:
    """The checks that `wrong_servers` has a wrong server for."""
    known = [wrong.case for wrong in WRONG.values()] + [case for case, _ in STARTED.values()]
    return {
        name
        for name, cases in checks().items()
        if any(part in case.name for case in cases for part in known)
    }


class _NotIn(Exception):
    """A connection could not come in: what the check says has not been asked yet."""


class _Throwaway(Pool):
    """Connections of which each is used once: afterwards nobody knows what it has been told."""

    def take(self) -> Program:
        try:
            return super().take()
        except Exception as wrong:
            raise _NotIn from wrong

    def take_person(self) -> Person:
        try:
            return super().take_person()
        except Exception as wrong:
            raise _NotIn from wrong

    def give(self, client: Program) -> None:
        self.drop(client)

    def give_person(self, person: Person) -> None:
        person.close()


def finds(case: Case, address: Address, fault: Fault | None) -> bool:
    """True if a case fails where a server has this fault. Raises `Skipped`."""
    wrong = Wrong("", case.name, fault.spoil, fault.hear) if fault else None
    with Proxy(address, wrong) as proxy:
        names = _Throwaway(proxy.address)
        try:
            case.run({"address": proxy.address, "strict": proxy.address, "pool": names})
        except Skipped:
            raise
        except _NotIn:
            return False
        except Exception:  # what a check does not get through is a failure of the server
            return True
        finally:
            names.close()
    return False


def anybody_finds(address: Address, fault: Fault) -> bool:
    """True if a check finds the fault that only comes in and asks: it is no check of anything."""
    if fault.word not in _heard_by_anybody(address):
        return False
    return finds(Case("", _come_in_and_ask, {"times": fault.first + 1}), address, fault)


def _come_in_and_ask(address: Address, times: int) -> None:
    with Program(address, new_name()) as program, Person(address, new_name()) as person:
        for _ in range(times):
            program.must("ping")
            program.ask("soup")
            person.catch_up()


@cache
def _heard_by_anybody(address: Address) -> Set[str]:
    """The words of all lines, in both directions, when somebody only comes in and asks."""
    told, heard = _lines_of(Case("", _come_in_and_ask, {"times": 2}), address)
    return {_word_of(line) for line, _ in [*told, *heard]}


# ------------------------------------------------------------------------------- looking for them


Lines = list[tuple[str, int]]
"""Lines of all connections, each with its number among those with its word on its connection."""


def _lines_of(case: Case, address: Address) -> tuple[Lines, Lines]:
    """The lines that a right server sends in a case, and the lines that it receives."""
    told: Lines = []
    heard: Lines = []
    lock = Lock()

    def noted(lines: Lines, line: str, memory: Memory) -> str:
        word = _word_of(line)
        with lock:
            memory[word] = str(int(memory.get(word, "0")) + 1)
            lines.append((line, int(memory[word])))
        return line

    wrong = Wrong("", case.name, partial(noted, told), partial(noted, heard))
    with Proxy(address, wrong) as proxy:
        names = _Throwaway(proxy.address)
        try:
            case.run({"address": proxy.address, "strict": proxy.address, "pool": names})
        finally:
            names.close()
    return told, heard


def _candidates(case: Case, address: Address) -> Iterator[Fault]:
    """Faults in the lines of a right server, those in the last lines first."""
    told, heard = _lines_of(case, address)
    # A `ping` ends most checks: what is done to its answer tells nothing of them.
    told.sort(key=lambda each: "pong=" in each[0] and -1)
    for line, first in reversed(told):
        head, text, _ = line.partition(" :")
        word = _word_of(line)
        for field in re.findall(r" ([a-z_]+)=", head):
            if line.startswith("@") or field not in ("on", "seq"):
                yield Fault("changed", word, field, first)
                yield Fault("without", word, field, first)
        for field in re.findall(r" ([a-z_]+)=[^ ,]+,", head):
            yield Fault("fewer", word, field, first)
        if not line.startswith("@"):  # an answer would be waited for
            yield Fault("dropped", word, "", first)
        if text:
            yield Fault("textless", word, "", first)
        if "=" not in head:  # people read it, and no program waits for it
            yield Fault("garbled", word, "", first)
            yield Fault("misspelt", word, "", first)
        yield Fault("doubled", word, "", first)
    for line, first in reversed(heard):
        word = _word_of(line)
        if word not in ("ping", "hello", "guest", "NAME") and word.isprintable():
            yield Fault(UNHEARD, word, "", first)
            yield Fault(REFUSED, word, "", first)


def _found(cases: list[Case], address: Address) -> tuple[str, Fault] | None:
    """A case and a fault that it finds at once, without waiting for a line that does not come."""
    begun = time.monotonic()
    for case in cases[:3]:
        slow = 0
        try:
            for fault, _ in zip(
                dict.fromkeys(_candidates(case, address)), range(MOST), strict=False
            ):
                began = time.monotonic()
                found = finds(case, address, fault)
                slow += time.monotonic() - began > QUICK
                if slow > TRIES or time.monotonic() - begun > LONG:
                    return None
                quick = time.monotonic() - began < QUICK
                if found and quick and not anybody_finds(address, fault):
                    return case.name, fault
        except Exception:
            continue  # it needs a server of its own, or more than lines
    return None


def _written(case: str, fault: Fault) -> str:
    return "\t".join((case, fault.kind, fault.word, fault.field, str(fault.first)))


def main() -> None:
    """Writes the file, and tells for which checks there is no fault."""
    connections.PATIENCE = 2 * QUICK
    pool.PATIENCE = 2 * QUICK  # type: ignore[attr-defined]  # it is imported there
    server = Server("--dev", "--bot-pause", "0", "--data", tempfile.mkdtemp())
    good = {
        name: found for name, found in kept().items() if not anybody_finds(server.address, found[1])
    }
    have = good.keys() | with_own_fault()
    wanted = [each for each in checks().items() if each[0] not in have]
    lines = [_written(*found) for name, found in good.items() if name in checks()]
    with ThreadPoolExecutor(8) as threads:
        found = {threads.submit(_found, cases, server.address): name for name, cases in wanted}
        for done in as_completed(found):
            met = done.result()
            if met is None:
                print(f"none: {found[done]}", file=sys.stderr, flush=True)
                continue
            lines.append(_written(*met))
    server.stop()
    FILE.write_text("\n".join(sorted(lines)) + "\n", "utf-8")
    print(f"{len(lines)} of {len(checks()) - len(with_own_fault())}", file=sys.stderr)


if __name__ == "__main__":
    main()
