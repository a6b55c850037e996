"""Runs the transcripts of a page against a server, line by line.

A block of code with the language `session` is what one client says (`C: `) and hears (`S: `).
Blocks of the same `game=` are played on one fresh server, each `client=` on a connection of its
own, and go first by their `order=`; `S:` lines have to come exactly as written. What differs from
run to run (tokens, the boot id, versions) is bound where it first appears, and put in where it is
sent back. `S: ...` stands for any number of lines. `--- ... ---` cuts the connection; what follows
is on a new one.

    python -m tests.docs.transcripts PAGE      writes down anew what the server says
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.conformance.servers import Server
from twentytwo_conform.connections import Address, Client, Closed, Program

_BLOCK = re.compile(r"^```session ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VARIABLE = re.compile(
    r"(?P<key>\b(?:token|boot|server|ruleshash|made|expires|hash)(?:=|\":\")|\bresume |\bsealed: )"
    r"(?P<value>[\w/.:-]{4,})"
)

ANY = "..."
"""Stands for any number of lines."""
ROUNDS = 100
"""How often to look again for what takes a moment: passwords are hashed in threads."""


@dataclass
class Step:
    """What happens next: lines from the server, a line to it, or the end of the connection."""

    kind: str
    lines: list[str]


@dataclass
class Part:
    """One client's part in a game: all its blocks, and its connection."""

    client: str
    order: int
    steps: list[Step] = field(default_factory=list)
    connection: Client | None = None
    came: list[str] = field(default_factory=list)
    bound: dict[str, str] = field(default_factory=dict)


def _variables(line: str) -> dict[str, str]:
    """What differs from run to run in a line."""
    return {match["key"]: match["value"] for match in _VARIABLE.finditer(line)}


class Different(AssertionError):
    """The server said something else than the page."""


def games(page: str) -> dict[str, list[Part]]:
    """The parts of every game on a page, in their order, or else that of the page."""
    found: dict[str, list[Part]] = {}
    for block in _BLOCK.finditer(page):
        settings = dict(word.split("=", 1) for word in block[1].split())
        parts = found.setdefault(settings["game"], [])
        part = next((p for p in parts if p.client == settings["client"]), None)
        if part is None:
            part = Part(settings["client"], int(settings.get("order", len(parts) + 1)))
            parts.append(part)
            parts.sort(key=lambda part: part.order)
        part.steps += _steps(block[2])
    return found


def _steps(block: str) -> Iterator[Step]:
    heard: list[str] = []
    for line in block.splitlines():
        if line.startswith("S: "):
            heard.append(line[3:])
            continue
        if heard:
            yield Step("S", heard)
            heard = []
        if line.startswith("C: "):
            yield Step("C", [line[3:]])
        elif line.startswith("---"):
            yield Step("cut", [line])
        else:
            raise ValueError(f"neither S: nor C: nor ---: {line!r}")
    if heard:
        yield Step("S", heard)


class Run:
    """A game of transcripts on a server. `heard` is what was really said, run by run."""

    def __init__(self, address: Address, parts: list[Part]) -> None:
        self.address = address
        self.parts = parts
        self.heard: dict[tuple[str, int], list[str]] = {}
        self._done = dict.fromkeys((part.client for part in parts), 0)

    def play(self, *, check: bool = True) -> None:
        """Goes through all parts; an earlier one goes first while it can."""
        try:
            with Program(self.address) as fence:
                fruitless = 0
                while any(self._next(part) for part in self.parts):
                    if any(self._advance(part, fence, check) for part in self.parts):
                        fruitless = 0
                    elif fruitless < ROUNDS:
                        fruitless += 1
                    else:
                        self._stuck(check)
        finally:
            for part in self.parts:
                if part.connection:
                    part.connection.close()

    def _next(self, part: Part) -> Step | None:
        done = self._done[part.client]
        return part.steps[done] if done < len(part.steps) else None

    def _advance(self, part: Part, fence: Program, check: bool) -> bool:
        step = self._next(part)
        if step is None:
            return False
        if part.connection is None:
            part.connection = Client(self.address, greeting=False)
        if step.kind == "C":
            try:
                part.connection.send(self._filled(part, step.lines[0]))
            except OSError:
                raise Different(f"{step}: hung up after {part.connection.heard}") from None
        elif step.kind == "cut":
            part.connection.close()
            part.connection = None
        else:
            self._listen(part, fence)
            if not (self._all_here if check else self._last_here)(part, step):
                return False
            self._take(part, step, check)
        self._done[part.client] += 1
        return True

    def _all_here(self, part: Part, step: Step) -> bool:
        if ANY in step.lines:
            return self._last_here(part, step)
        return len(part.came) >= len(step.lines)

    def _last_here(self, part: Part, step: Step) -> bool:
        return self._place(step, part.came) < len(part.came)

    def _place(self, step: Step, came: list[str]) -> int:
        """Where the last line of a step is in what came, by its first words; or behind the end."""
        last = _VARIABLE.sub("", " ".join(step.lines[-1].split(" ")[:3]))
        found = (n for n, line in enumerate(came) if _VARIABLE.sub("", line).startswith(last))
        return next(found, len(came))

    def _listen(self, part: Part, fence: Program) -> None:
        for _ in range(3):
            fence.ask("ping")
        assert part.connection is not None
        part.connection.socket.settimeout(0.01)
        try:
            while True:
                part.came.append(part.connection.line())
        except (TimeoutError, Closed):
            pass
        part.connection.socket.settimeout(60)

    def _take(self, part: Part, step: Step, check: bool) -> None:
        came, part.came = part.came, []
        last = self._done[part.client] + 1 == len(part.steps)
        if last:  # what else comes after the last line is another story
            came = came[: self._place(step, came) + 1]
        self.heard[part.client, self._done[part.client]] = came
        before, after = _around(step.lines)
        if check and not last and ANY not in step.lines and len(came) > len(before):
            raise Different(f"{part.client} also hears {came[len(before) :]}")
        heard = came[: len(before)] + came[len(came) - len(after) :] if after else came
        for wanted, line in zip([*before, *after], heard, strict=False):
            self._bind(part, wanted, line, check)

    def _bind(self, part: Part, wanted: str, line: str, check: bool) -> None:
        if check and _VARIABLE.sub(r"\g<key>?", wanted) != _VARIABLE.sub(r"\g<key>?", line):
            raise Different(f"{part.client}\n  page:   {wanted}\n  server: {line}")
        shown, real = _variables(wanted), _variables(line)
        part.bound |= {shown[key]: real[key] for key in shown if key in real}

    def _filled(self, part: Part, line: str) -> str:
        for shown, real in part.bound.items():
            line = line.replace(shown, real)
        return line

    def _stuck(self, check: bool) -> None:
        waiting = [(p, s) for p in self.parts if (s := self._next(p)) is not None]
        part, step = next(((p, s) for p, s in waiting if p.came), waiting[0])
        if check:
            raise Different(f"{part.client} waits for {step.lines}, has {part.came}")
        self._take(part, step, check)
        self._done[part.client] += 1


def play(page: str, game: str) -> Run:
    """Plays one game of a page on a fresh server. Raises `Different`."""
    server = Server("--dev", "--bot-pause", "0")
    try:
        run = Run(server.address, games(page)[game])
        run.play()
    finally:
        server.stop()
    return run


def rewritten(page: str) -> str:
    """The page with what the server says today."""
    said: dict[str, dict[tuple[str, int], list[str]]] = {}
    for game, parts in games(page).items():
        server = Server("--dev", "--bot-pause", "0")
        run = Run(server.address, parts)
        run.play(check=False)
        server.stop()
        said[game] = run.heard
    done: dict[tuple[str, str], int] = {}

    def block(match: re.Match[str]) -> str:
        settings = dict(word.split("=", 1) for word in match[1].split())
        key = settings["game"], settings["client"]
        lines = []
        for step in _steps(match[2]):
            number = done[key] = done.get(key, -1) + 1
            if step.kind == "S":
                heard = said[key[0]][key[1], number]
                lines += [f"S: {line}" for line in _kept(step.lines, heard)]
            else:
                lines += [f"C: {step.lines[0]}" if step.kind == "C" else step.lines[0]]
        return f"```session {match[1]}\n" + "".join(f"{line}\n" for line in lines) + "```"

    return _BLOCK.sub(block, page)


def _kept(before: list[str], now: list[str]) -> Iterator[str]:
    """What is said now, with the page's own tokens where it had any, as much as it showed."""
    head, tail = _around(before)
    if tail:
        yield from _kept(head, now[: len(head)])
        yield ANY
        yield from _kept(tail, now[-len(tail) :])
        return
    for number, line in enumerate(now):
        shown = _variables(before[number]) if number < len(before) else {}
        for key, value in _variables(line).items():
            line = line.replace(key + value, key + shown.get(key, value))
        yield line


def _around(lines: list[str]) -> tuple[list[str], list[str]]:
    """The lines before the `...`, and those after it; without one, all and none."""
    if ANY not in lines:
        return lines, []
    at = lines.index(ANY)
    return lines[:at], lines[at + 1 :]


def main() -> None:
    """Writes a page's transcripts down anew."""
    path = Path(sys.argv[1])
    page = rewritten(path.read_text(encoding="utf-8"))
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
