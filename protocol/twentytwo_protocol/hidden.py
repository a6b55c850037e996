"""Questions for passwords, whose answers a terminal does not show."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from .schema import Command, Refused
from .value import Value

__all__ = ["Hidden"]


class Hidden(Value):
    """A command that is completed by answers which are never shown, one line each.

    `steps` are fields of the command, each with its question. A field that occurs twice is a new
    password: `judge` raises `Refused` for a weak one, and both answers must be equal. `told` are
    the answers so far, `wrong` is the complaint about the last answer.
    """

    said: Command
    steps: tuple[tuple[str, str], ...]
    judge: Callable[[str], None] = lambda chosen: None
    told: tuple[str, ...] = ()
    wrong: str = ""

    def __repr__(self) -> str:
        """Hides all fields: the answers are secret."""
        return "Hidden(...)"

    @property
    def complaint(self) -> str:
        """The complaint about the last answer; empty if it was accepted."""
        return f"{self.wrong} Once more; an empty line gives up." if self.wrong else ""

    @property
    def question(self) -> str:
        """The current question."""
        return self.steps[len(self.told)][1]

    @property
    def complete(self) -> bool:
        """True if every question is answered."""
        return len(self.told) == len(self.steps)

    def answered(self, line: str) -> Hidden:
        """A copy with one more answer, or with a complaint. Raises `Refused` for an empty line."""
        keys, at = [key for key, _ in self.steps], len(self.told)
        if not line.strip():
            raise Refused("BAD_ARG", "Nothing was typed, so nothing was done.", arg=keys[at])
        first = keys.index(keys[at])
        if first < at and self.told[first] != line:
            return replace(self, told=self.told[:first], wrong="Those two are not alike.")
        try:
            if first == at and keys.count(keys[at]) > 1:
                self.judge(line)
        except Refused as wrong:
            return replace(self, wrong=wrong.text)
        return replace(self, told=(*self.told, line), wrong="")

    @property
    def command(self) -> Command:
        """The command with all answers filled in."""
        keys = (key for key, _ in self.steps)
        return replace(self.said, **dict(zip(keys, self.told, strict=True)))
