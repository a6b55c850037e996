"""A scenario: what the server of the script does, and which duties it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from twentytwo_protocol.value import Value

from .report import Finding, Outcome
from .scripted_server import ScriptedServer
from .verdicts import HungUp, Left, NotNeeded, Silent, Stays, Wrong

Act = Callable[[ScriptedServer], None]

LOOKS_ON = 0.5
"""Seconds in which a client that only watches may still fall over what it was shown last."""


class Scenario(Value):
    """What is played with a client that was just started."""

    name: str
    duties: tuple[str, ...]
    act: Act

    def findings(self, command: str, patience: float) -> list[Finding]:
        """Starts the client and plays; what was found about each duty.

        `patience` is for how many seconds the client may be silent where it has to speak.
        """
        with ScriptedServer(command, self.name, self.duties, patience) as server:
            try:
                self.act(server)
                if server.watching and server.table is not None:
                    server.table.look_on(LOOKS_ON)
            except NotNeeded as found:
                self._rest(server, Outcome.NOT_NEEDED, str(found))
            except Wrong as found:
                self._fail(server, found.did, found.expected, found.duty, found.lure)
            except HungUp:
                end = server.process.end(within=1) or "it hung up"
                self._fail(server, end, f"it stays, and {server.goes_on}")
            except Left:
                self._fail(server, "it said quit", f"it stays, and {server.goes_on}")
            except Silent:
                self._fail(server, "it said nothing more", f"it {server.goes_on}")
            except Stays as found:
                self._fail(server, str(found), "it connects")
            else:
                self._rest(server, Outcome.PASS)
            return list(server.found.values())

    def _fail(
        self, server: ScriptedServer, did: str, expected: str, duty: str = "", lure: str = ""
    ) -> None:
        # What a client does otherwise, as the first scenario has shown, it breaks because of this.
        left = [each for each in self.duties if each not in server.found] or self.duties
        server.note(duty if duty in self.duties else left[0], Outcome.FAIL, did, expected, lure)
        self._rest(server, Outcome.NOT_REACHED, f"{self.name}: it did not come to this")

    def _rest(self, server: ScriptedServer, outcome: Outcome, why: str = "") -> None:
        for duty in self.duties:
            if duty not in server.found:
                server.note(duty, outcome, why)


class Scenarios:
    """A list of scenarios, to which functions are added by decoration."""

    def __init__(self, *parts: Iterable[Scenario]) -> None:
        self._all = [scenario for part in parts for scenario in part]

    def __iter__(self) -> Iterator[Scenario]:
        return iter(self._all)

    def add(self, name: str, *duties: str) -> Callable[[Act], Act]:
        """Marks a function as what happens in a scenario about these duties."""

        def mark(act: Act) -> Act:
            self._all.append(Scenario(name, duties, act))
            return act

        return mark
