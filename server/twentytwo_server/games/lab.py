"""The practice ground for client authors: tables at which rare events happen soon.

An author can see each event and each form of a question without playing for hours. A table is data
in the folder of its game; the tables for events of all games are in `host.commands.lab`. A test
plays all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from twentytwo_protocol.value import Value


class LabTable(Value):
    """A practice table, and the events that are certain to happen there.

    `promised` lists events with fields: `TURN beat` is a TURN with that field, `TURN choose=one` a
    TURN with that value, `TURN legal~F22` a TURN with `F22` among the values of the field. They
    happen if every question is answered by its default; with `waits`, if no question is answered.
    `say` has the commands to send, one after the other, as soon as the table is open. A line that
    begins with `bob: ` is for a second client of that name. TABLE is the table, ME the player who
    opened it; NAME and PASSWORD are arbitrary. `most_hands`: the game ends by score after this
    number of hands. `pair`: it is the first of two tables with the same deals; OTHER is the second.
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
        """The description of the table, with the commands to send."""
        return " ".join((self.about, f"Say: {'; '.join(self.say)}." if self.say else "")).rstrip()

    @property
    def events(self) -> tuple[str, ...]:
        """The words of the events, without duplicates."""
        return tuple(dict.fromkeys(shown.split(" ")[0] for shown in self.promised))
