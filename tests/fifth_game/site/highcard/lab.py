"""The table at which a client writer sees AHEAD soon."""

from __future__ import annotations

from collections.abc import Mapping

from twentytwo_server.games.lab import LabTable

LAB: Mapping[str, LabTable] = {
    "ahead": LabTable("A hand whose winner is ahead of all others.", ("AHEAD",), bots=1)
}
"""The table, by name."""
