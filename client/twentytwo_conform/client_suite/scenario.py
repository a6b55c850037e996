"""A scenario: a function that plays with a client on a scripted server, to check some duties."""

from __future__ import annotations

from collections.abc import Callable

from ..case import Case
from ..check import Quote, Skipped, Wrong
from ..report import Result, Verdict
from .duties import DUTIES
from .scripted_server import ScriptedServer
from .verdicts import HungUp, Left, Silent, Stays

Act = Callable[[ScriptedServer], None]

LOOKS_ON = 0.5
"""Seconds after the last line in which a client that only watches can still fail."""


def scenario(name: str, *duties: str) -> Callable[[Act], Act]:
    """Declares a function as the scenario with this name for these duties."""

    def declare(act: Act) -> Act:
        quoted = [Quote(DUTIES[duty], (duty,)) for duty in duties]
        act.__dict__.update(title=name, quoted=quoted)
        return act

    return declare


def results(case: Case, command: str, patience: float) -> list[Result]:
    """Starts the client and plays a scenario with it. Returns a result for each duty.

    `patience` is the timeout in seconds for a client that has to send something.
    """
    with ScriptedServer(command, case.name, tuple(case.ids), patience) as server:
        try:
            case.run({"server": server})
            if server.watching and server.table is not None:
                server.table.look_on(LOOKS_ON)
        except Skipped as why:
            server.note_rest(Verdict.NOT_NEEDED, str(why))
        except (Wrong, HungUp, Left, Silent, Stays) as error:
            wrong = _wrong(server, error)
            # A client that breaks another duty here, which the first scenario has tried, does so
            # because of this scenario.
            left = [each for each in case.ids if each not in server.found] or case.ids
            duty = wrong.duty if wrong.duty in case.ids else left[0]
            server.note(duty, Verdict.FAIL, wrong.came, wrong.wants, wrong.lure)
            server.note_rest(Verdict.SKIP, "the client did not come to this")
        else:
            server.note_rest(Verdict.PASS)
        return list(server.found.values())


def _wrong(server: ScriptedServer, error: Exception) -> Wrong:
    goes_on = "looks on" if server.watching else "plays on"
    match error:
        case Wrong():
            return error
        case HungUp():
            return Wrong(server.process.end(within=1) or "it hung up", f"it stays, and {goes_on}")
        case Left():
            return Wrong("it said quit", f"it stays, and {goes_on}")
        case Silent():
            return Wrong("it said nothing more", f"it {goes_on}")
        case _:
            return Wrong(str(error), "it connects")
