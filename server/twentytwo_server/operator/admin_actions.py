"""Carries out the admin commands of a running server. No command shows the cards of a running game.

Every command adds an entry to the journal (`facts.AdminAction`). A command that changes stored data
is answered when the change and its entry are safe.
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
"""All admin commands, by name."""


class AdminActions(AdminContext):
    """Carries out admin commands on a host."""

    async def carry_out(self, uid: int, command: str, arguments: Mapping[str, str]) -> AdminAnswer:
        """Carries out a command of an operating-system user. Raises `Refused`, and `OSError`."""
        action = ACTIONS.get(command)
        if action is None:
            raise Refused(f"{command} is not a command here")
        return await action(self, Given(uid, command, arguments))
