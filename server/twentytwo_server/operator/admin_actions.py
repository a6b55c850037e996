"""What the operator's commands do to a running server. Nothing here shows a running hand.

Every command is a line in the journal (`facts.AdminAction`). One that changes what is kept is
answered when that is safe, together with its line.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..store import Refused
from .actions import accounts, looking, reports, sanctions, upkeep
from .actions.context import Actions, AdminAnswer, AdminContext, Given

ACTIONS: Actions = {
    **accounts.ACTIONS,
    **looking.ACTIONS,
    **reports.ACTIONS,
    **sanctions.ACTIONS,
    **upkeep.ACTIONS,
}
"""Every admin command, by its name."""


class AdminActions(AdminContext):
    """Carries out admin commands on a host."""

    async def carry_out(self, uid: int, command: str, arguments: Mapping[str, str]) -> AdminAnswer:
        """Carries out a command of a user of this machine. Raises `Refused`, and `OSError`."""
        action = ACTIONS.get(command)
        if action is None:
            raise Refused(f"{command} is not a command here")
        return await action(self, Given(uid, command, arguments))
