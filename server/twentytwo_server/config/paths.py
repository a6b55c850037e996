"""Where a server keeps its things if nobody says so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .reading import file_of, read

HERE = Path("data")
"""The folder of `make serve`, below the one that it is started in."""


def data_of(configured: str, environment: Mapping[str, str]) -> str:
    """The folder or URL where everything is kept, with what the setting `store.data` says."""
    if configured:
        return configured
    if (HERE / "twentytwo.db").exists():
        return str(HERE)
    state = environment.get("XDG_STATE_HOME", "")
    # The specification has relative paths ignored.
    base = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return str(base / "twentytwo")


def data_by_environment(environment: Mapping[str, str]) -> str:
    """The same for commands beside a server, with what its environment and file say.

    Raises `BadConfig`.
    """
    found = read(file_of(environment, None), environment, {})
    return data_of(found.settings.store.data, environment)
