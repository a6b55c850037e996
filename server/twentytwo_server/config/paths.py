"""Where a server keeps its things if nobody says so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..store import Refused
from .reading import file_of, read

HERE = Path("data")
"""The folder of `make serve`, below the one that it is started in."""


def data_of(configured: str, environment: Mapping[str, str]) -> str:
    """The folder or URL where everything is kept, with what the setting `store.data` says.

    Raises `Refused` if nothing is said and the user has no home folder.
    """
    if configured:
        return configured
    if (HERE / "twentytwo.db").exists():
        return str(HERE)
    state = environment.get("XDG_STATE_HOME", "")
    # The specification has relative paths ignored.
    base = Path(state) if Path(state).is_absolute() else _home() / ".local" / "state"
    return str(base / "twentytwo")


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # no HOME, and a user id without an account, as in a container
        raise Refused(
            "this user has no home folder: --data FOLDER names one for the data"
        ) from None


SOCKET = "admin.sock"
"""The socket in a data folder through which the operator commands its server."""


def admin_socket_of(configured: str, data: str | None) -> Path | None:
    """Where a server takes admin commands, with what the setting `store.admin_socket` says.

    `data` is its folder or URL, None if it keeps nothing. None if there is nowhere.
    """
    if configured:
        return Path(configured)
    return None if data is None or "://" in data else Path(data) / SOCKET


def admin_socket_by_environment(environment: Mapping[str, str]) -> Path | None:
    """The same for commands to a server. Raises `BadConfig`."""
    store = read(file_of(environment, None), environment, {}).settings.store
    return admin_socket_of(store.admin_socket, data_of(store.data, environment))


def data_by_environment(environment: Mapping[str, str]) -> str:
    """The same for commands beside a server, with what its environment and file say.

    Raises `BadConfig`.
    """
    found = read(file_of(environment, None), environment, {})
    return data_of(found.settings.store.data, environment)
