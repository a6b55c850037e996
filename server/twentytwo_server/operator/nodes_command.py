"""The command `twentytwo-server nodes`: prints the servers of a PostgreSQL database."""

from __future__ import annotations

import asyncio

import click

from .data_commands import DATA


@click.command()
@DATA
def nodes(data: str) -> None:
    """Print the servers of a PostgreSQL database: the one that serves, and those that stand by.

    A server that has not renewed its row while this command looks, for a second and a half, is
    shown as silent: it is dead, frozen, or cut off.
    """
    from ..store.nodes import NodeState
    from ..store.standby import servers

    for row, alive in asyncio.run(servers(data)):
        silent = "" if alive or row.state is NodeState.STOPPED else "silent"
        shown = (row.node, row.state.value, row.version, row.address or "-", silent)
        print("  ".join(shown).rstrip())
