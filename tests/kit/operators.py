"""An operator who sends admin commands to a test's host, without a socket."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from tests.kit.hosts import World
from twentytwo_server.operator.actions.context import AdminAnswer
from twentytwo_server.operator.admin_actions import AdminActions
from twentytwo_server.operator.stopping import Stopping

UID = 1000
HOUR = 3_600_000


class Operator:
    """An operator of a world; `stopped` counts the stops of the server."""

    def __init__(self, world: World) -> None:
        self.stopped = 0
        self.stopping = Stopping(world.host, world.clock, self._stop)
        self._actions = AdminActions(world.host, self.stopping)

    def _stop(self) -> None:
        self.stopped += 1

    def asks(self, command: str, **given: object) -> Deferred[AdminAnswer]:
        """Sends a command that may take a while."""
        said = {key: str(value) for key, value in given.items()}
        return Deferred.fromCoroutine(self._actions.carry_out(UID, command, said))

    def does(self, command: str, **given: object) -> AdminAnswer:
        """Sends a command that is answered at once. Raises as the command does."""
        answers: list[AdminAnswer] = []
        wrong: list[BaseException] = []
        self.asks(command, **given).addCallbacks(
            answers.append, lambda failure: wrong.append(failure.value)
        )
        if wrong:
            raise wrong[0]
        (answer,) = answers
        return answer
