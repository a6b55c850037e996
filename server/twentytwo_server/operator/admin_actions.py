"""Carries out the admin commands of a running server. No command shows the cards of a running game.

Every command adds an entry to the journal (`facts.AdminAction`). A command that changes stored data
is answered when the change and its entry are safe.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from ..host.cluster.other_servers import AdminQuestion, AdminReply, OtherServers
from ..host.host import Host
from ..store import Refused
from .actions import accounts, looking, reports, sanctions, upkeep
from .actions.context import Actions, AdminAnswer, AdminContext, Given, Stops
from .one_line import one_line

log = logging.getLogger("twentytwo.admin")

ACTIONS: Actions = {
    **accounts.ACTIONS,
    **looking.ACTIONS,
    **reports.ACTIONS,
    **sanctions.ACTIONS,
    **upkeep.ACTIONS,
}
"""All admin commands, by name."""

FOR_OTHERS = frozenset(
    ("announce", "ban", "close", "drain", "erase account", "export account", "kick")
)
"""The commands that other servers may ask for: those for people and tables, and for all servers.

Nobody shall get a code for an account over the bus.
"""


class AdminActions(AdminContext):
    """Carries out admin commands on a host, also those that other servers ask for."""

    def __init__(
        self,
        host: Host,
        stops: Stops,
        backup: Callable[[Path], Awaitable[None]] | None = None,
        reload: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(host, stops, backup, reload)
        host.parts.make(OtherServers).carry_out = self._carry_out_for_other

    async def carry_out(self, uid: int, command: str, arguments: Mapping[str, str]) -> AdminAnswer:
        """Carries out a command of an operating-system user. Raises `Refused`, and `OSError`."""
        return await self._carry_out(Given(uid, command, arguments))

    async def _carry_out(self, given: Given) -> AdminAnswer:
        action = ACTIONS.get(given.command)
        if action is None:
            raise Refused(f"{given.command} is not a command here")
        return await action(self, given)

    async def _carry_out_for_other(self, asked: AdminQuestion) -> AdminReply:
        if asked.command not in FOR_OTHERS:
            return AdminReply(False, f"{asked.command} is not for other servers")
        given = Given(asked.uid, asked.command, asked.arguments, True, asked.noted)
        try:
            answer = await self._carry_out(given)
        except (Refused, OSError) as wrong:
            return AdminReply(False, one_line(wrong))
        except Exception:
            log.exception("an admin command of another server failed")
            return AdminReply(False, "it stumbled; its log has why")
        return AdminReply(True, answer.text, answer.rows)
