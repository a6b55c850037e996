"""The settings of servers that share a PostgreSQL database."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..setting import Unit, setting

DEFAULT_NODE = "main"
"""The name of a server that was given none."""


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9._-]{0,32}", name):
        raise ValueError("must be at most 32 letters, digits, '-', '_' or '.'")


def _check_address(address: str) -> None:
    host, _, port = address.rpartition(":")
    if address and not (host and port.isdigit()):
        raise ValueError("must be HOST:PORT, or empty")


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """This server's name and lease. Times in milliseconds."""

    name: str = setting(
        "",
        "Name of this server among those that share a PostgreSQL database. A server with a name "
        "stands by while another one serves, and takes over when that one stops or dies. A server "
        "without a name does not start then.",
        flag="--node",
        metavar="NAME",
        restart=True,
        check=_check_name,
    )
    address: str = setting(
        "",
        "HOST:PORT where clients reach this server. At a planned stop the other server sends its "
        "clients there. Empty if all servers are behind one address.",
        flag="--node-address",
        metavar="HOST:PORT",
        restart=True,
        check=_check_address,
    )
    lease: int = setting(
        10_000,
        "Time without a renewal after which a standby takes over. A server renews its lease every "
        "tenth of it, and after seven tenths without a renewal it says nothing to anybody until it "
        "can renew it. All servers of a database need the same value.",
        unit=Unit.SECONDS,
        least=1_000,
        restart=True,
    )

    active: bool = False
    """True if this server writes beside others. PostgreSQL only."""

    @property
    def node(self) -> str:
        """The name in the database."""
        return self.name or DEFAULT_NODE

    @property
    def stands_by(self) -> bool:
        """True if this server waits while another one serves."""
        return bool(self.name) and not self.active

    @property
    def takes_over_after(self) -> float:
        """Seconds without a renewal after which a standby takes over."""
        return self.lease / 1000

    @property
    def beat(self) -> float:
        """Seconds between two renewals."""
        return self.lease / 10_000

    @property
    def speaks_for(self) -> float:
        """Seconds after a renewal in which this server may speak."""
        return self.lease * 7 / 10_000

    @property
    def patience(self) -> float:
        """Seconds in which a renewal must be answered."""
        return self.lease * 3 / 10_000

    def dead_after(self, node: str) -> float:
        """Seconds without a renewal after which the server with this name counts as dead.

        Under this server's own name the time is shorter: a service manager starts a server again
        only when the old process has ended. A server with another name may speak for longer.
        """
        return self.patience if node == self.node else self.takes_over_after
