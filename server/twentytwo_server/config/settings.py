"""All settings of a server, in the sections of the configuration file.

Each setting is declared in the class that uses it (`setting`); this module lists those classes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from ..bus.settings import BusSettings
from ..host.config import Config
from ..limits.connections import Limits
from ..limits.logins import LoginQuota
from ..limits.quotas import AddressQuota
from ..net.listeners import ListenSettings
from ..setting import Setting, setting, settings_of
from ..store.node_settings import NodeSettings

T = TypeVar("T")


def section(kind: type[T], about: str) -> T:
    """A field for one section of the file: a dataclass of settings, and the section's heading."""
    found: T = dataclasses.field(default=kind(), metadata={"about": about})
    return found


class Level(Enum):
    """The lowest level of logged messages."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(Enum):
    """The format of the log."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """The location of the data."""

    data: str = setting(
        "",
        "Where all data is stored: a folder, or a PostgreSQL database (postgresql://...). The "
        "default is the folder data if a server has stored something there, else "
        "$XDG_STATE_HOME/twentytwo (~/.local/state/twentytwo).",
        flag="--data",
        metavar="FOLDER|URL",
        restart=True,
    )
    admin_socket: str = setting(
        "",
        "Path of the Unix socket through which `twentytwo-server admin` and `backup` reach this "
        "server. The default is admin.sock in the data folder. Without a data folder there is "
        "no default.",
        flag="--admin-socket",
        metavar="PATH",
        restart=True,
    )


@dataclass(frozen=True, slots=True)
class LogSettings:
    """The log, written to standard error."""

    level: Level = setting(
        Level.INFO,
        "Lowest level of the messages that are logged.",
        flag="--log-level",
        metavar="LEVEL",
    )
    format: LogFormat = setting(
        LogFormat.TEXT,
        "Format of the log: lines of text, or one JSON object per line.",
        flag="--log-format",
        metavar="FORMAT",
    )


def _check_admin_listener(where: str) -> None:
    host, _, port = where.rpartition(":")
    if where and not where.startswith("unix:") and not (host and port.isdigit()):
        raise ValueError("must be HOST:PORT, unix:PATH, or empty")


@dataclass(frozen=True, slots=True)
class AdminSettings:
    """Monitoring."""

    http: str = setting(
        "",
        "HOST:PORT or unix:PATH that answers /healthz, /readyz and /metrics. The default is no "
        "such listener. It asks for no password: choose an address that only this machine or "
        "your own network can reach.",
        flag="--admin",
        metavar="HOST:PORT",
        restart=True,
        check=_check_admin_listener,
    )


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All settings of the operator; each field is a section of the file."""

    server: Config = section(Config, "The server in general.")
    listen: ListenSettings = section(ListenSettings, "Where the server listens.")
    store: StoreSettings = section(StoreSettings, "Where data is stored.")
    nodes: NodeSettings = section(NodeSettings, "Servers that share a PostgreSQL database.")
    bus: BusSettings = section(BusSettings, "Messages between servers that are active together.")
    admin: AdminSettings = section(AdminSettings, "Monitoring.")
    log: LogSettings = section(LogSettings, "The log, written to standard error.")
    limits: Limits = section(
        Limits,
        "Limits for each connection and for each address. After a reload, new values apply to new "
        "connections only.",
    )
    quotas: AddressQuota = section(
        AddressQuota,
        "Maximum numbers for all people at one address (IPv6: at one /64) together. They are "
        "multiplied by limits.local_times for addresses of this machine.",
    )
    logins: LoginQuota = section(LoginQuota, "Limits on wrong passwords and on new accounts.")


@cache
def settings() -> dict[str, Setting]:
    """Every setting by its path, in the order of the file."""
    return {each.path: each for name, kind in _sections() for each in settings_of(name, kind)}


def sections() -> Iterator[tuple[str, str]]:
    """The sections: their names and headings."""
    for field in dataclasses.fields(ServerSettings):
        yield field.name, field.metadata["about"]


def made_of(values: dict[str, Any]) -> ServerSettings:
    """The settings with these values (by path), and with defaults for all others."""
    made = {}
    for name, kind in _sections():
        own = {s.path: values[s.path] for s in settings_of(name, kind) if s.path in values}
        made[name] = kind(**{path.partition(".")[2]: value for path, value in own.items()})
    return ServerSettings(**made)


def value_of(found: ServerSettings, path: str) -> Any:
    """The value of a setting."""
    section, _, name = path.partition(".")
    return getattr(getattr(found, section), name)


def _sections() -> Iterator[tuple[str, type[Any]]]:
    for field in dataclasses.fields(ServerSettings):
        yield field.name, type(field.default)
