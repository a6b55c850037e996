"""The default paths of the data and of the admin socket."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..store import Refused
from .reading import file_of, read

HERE = Path("data")
"""The data folder of `make serve`, relative to the working directory."""


def data_of(configured: str, environment: Mapping[str, str]) -> str:
    """The folder or URL of the data. `configured` is the setting `store.data`.

    Raises `Refused` if the setting is empty and the user has no home folder.
    """
    if configured:
        return configured
    if (HERE / "twentytwo.db").exists():
        return str(HERE)
    state = environment.get("XDG_STATE_HOME", "")
    # The XDG specification says to ignore relative paths.
    base = Path(state) if Path(state).is_absolute() else _home() / ".local" / "state"
    return str(base / "twentytwo")


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # no HOME, and a user ID without an account, as in a container
        raise Refused(
            "this user has no home folder: --data FOLDER names one for the data"
        ) from None


ADMIN_SOCKET = "admin.sock"
"""The file name of the admin socket in a data folder."""


def admin_socket_of(configured: str, data: str | None) -> Path | None:
    """The path of a server's admin socket. `configured` is the setting `store.admin_socket`.

    `data` is the folder or URL of the data, or None with --memory. Returns None for no socket.
    """
    if configured:
        return Path(configured)
    return None if data is None or "://" in data else Path(data) / ADMIN_SOCKET


def admin_socket_by_environment(environment: Mapping[str, str]) -> Path | None:
    """The path of the admin socket for commands to a server. Raises `BadConfig`."""
    store = read(file_of(environment, None), environment, {}).settings.store
    return admin_socket_of(store.admin_socket, data_of(store.data, environment))


def data_by_environment(environment: Mapping[str, str]) -> str:
    """The folder or URL of the data for commands like `check`. Raises `BadConfig`."""
    found = read(file_of(environment, None), environment, {})
    return data_of(found.settings.store.data, environment)
