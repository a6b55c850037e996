"""Questions whose answers are not shown on the terminal: passwords."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from .schema import Command, Refused
from .value import Value


class Hidden(Value):
    """What a person is asked for line by line, and nobody is shown, to complete a command.

    `steps` are its fields, each with the question; one that is asked for twice is chosen: `judge`
    refuses what will not do, and it has to be the same twice. `told` is what was answered so far,
    `wrong` what is to be said about the last answer.
    """

    said: Command
    steps: tuple[tuple[str, str], ...]
    judge: Callable[[str], None] = lambda chosen: None
    told: tuple[str, ...] = ()
    wrong: str = ""

    def __repr__(self) -> str:
        """Shows no field: the answers are secret."""
        return "Hidden(...)"

    @property
    def complaint(self) -> str:
        """What was wrong with the last answer; empty if nothing was."""
        return f"{self.wrong} Once more; an empty line gives up." if self.wrong else ""

    @property
    def question(self) -> str:
        """What is asked now."""
        return self.steps[len(self.told)][1]

    @property
    def complete(self) -> bool:
        """Whether all is answered."""
        return len(self.told) == len(self.steps)

    def answered(self, line: str) -> Hidden:
        """The same with one answer more, or asking again. Raises `Refused` for an empty line."""
        keys, at = [key for key, _ in self.steps], len(self.told)
        if not line.strip():
            raise Refused("BAD_ARG", "Nothing was typed, and nothing is done.", arg=keys[at])
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
        """The command with all that was answered."""
        keys = (key for key, _ in self.steps)
        return replace(self.said, **dict(zip(keys, self.told, strict=True)))
