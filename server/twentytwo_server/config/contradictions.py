"""Checks for settings that contradict each other, or that name unusable files."""

from __future__ import annotations

from collections.abc import Iterator

from ..store import Refused
from .settings import ServerSettings, settings, value_of

Complaint = tuple[str, str]
"""A section of the settings, and a message that begins with the path of a setting."""

_ORDERED = (
    ("limits.ping_after", "limits.gone_after", True),
    ("logins.shortest", "logins.longest", False),
)
"""Pairs of settings. The second must be at least the first; if True, more than the first."""


def contradictions(found: ServerSettings) -> Iterator[Complaint]:
    """Complaints about settings that contradict each other."""
    for less, more, strictly in _ORDERED:
        least, most = value_of(found, less), value_of(found, more)
        if most < least or (strictly and most == least):
            bound = "more than" if strictly else "at least"
            section, _, _ = more.partition(".")
            shown = settings()[less].written(least), settings()[more].written(most)
            yield section, f"{more}: must be {bound} {less} ({shown[0]}), not {shown[1]}"
    if found.nodes.name and "://" not in found.store.data:
        yield "nodes", "nodes.name: needs a PostgreSQL database, store.data"
    if found.bus.url and not found.nodes.name:
        yield "bus", "bus.url: needs a name for this server, nodes.name"


def all_that_run_refuses(found: ServerSettings) -> Iterator[Complaint]:
    """All mistakes for which `run` would refuse to start: contradictions, and certificates,
    listeners or data that cannot be opened.
    """
    from ..bus.opening import check_bus
    from ..host.moderation.blocklist import Blocklist
    from ..net.opening import refusals  # imported here, because `run` needs only `contradictions`
    from ..store.engines import database, engine

    yield from contradictions(found)
    for why in refusals(found.listen):
        yield "listen", f"listen: {why}"
    try:
        Blocklist(found.listen.blocklist)
    except ValueError as wrong:
        yield "listen", f"listen.blocklist: {wrong}"
    try:
        check_bus(found.bus)
    except ValueError as wrong:
        yield "bus", f"bus: {wrong}"
    if found.store.data:
        try:
            engine(database(found.store.data))
        except Refused as refused:
            yield "store", f"store.data: {refused}"
