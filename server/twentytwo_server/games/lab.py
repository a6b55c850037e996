"""The practice ground for writers of clients: tables at which rare things happen soon.

Whoever writes a client wants to see each event, and each form of a question, without playing all
night. A table is data, and stands in the folder of its game; those that show what every table may
do are in `host.commands.lab`. A test plays them all.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from twentytwo_protocol.value import Value


class LabTable(Value):
    """A table of the practice ground, and what whoever opens it is sure to see.

    `promised` are events, with fields that they have: `TURN beat` has that field, `TURN choose=one`
    has it with that value, `TURN legal~F22` has that among its values. They come if every question
    is answered by its default, or, where the entry `waits`, if none is answered. `say` is
    what is to be said, one after the other, as soon as the table is open; a line that begins with
    `bob: ` is for a second client of that name. TABLE is the table, ME who opened it; NAME and
    PASSWORD are anything. `most_hands`: the score decides after so many. `pair`: it is the first
    of two tables with the same deals; OTHER is the second.
    """

    about: str
    promised: tuple[str, ...]
    rules: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    bots: int = 3
    seed: int | None = 1
    clock: str = "0"
    waits: bool = False
    most_hands: int | None = None
    say: tuple[str, ...] = ()
    pair: bool = False

    @property
    def text(self) -> str:
        """What happens there, and what is to be said for it."""
        return " ".join((self.about, f"Say: {'; '.join(self.say)}." if self.say else "")).rstrip()

    @property
    def events(self) -> tuple[str, ...]:
        """The words of the events, each once."""
        return tuple(dict.fromkeys(shown.split(" ")[0] for shown in self.promised))
