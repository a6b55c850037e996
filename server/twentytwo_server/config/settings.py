"""All settings of a server, in the sections of the configuration file.

Each is declared where it is used (`setting`); this is the list of those places.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from ..accounts.login_limits import LoginQuota
from ..host.config import Config
from ..host.quotas import AddressQuota
from ..net.limits import Limits
from ..net.listeners import ListenSettings
from ..setting import Setting, setting, settings_of

T = TypeVar("T")


def section(kind: type[T], about: str) -> T:
    """A field that is a section of the file: a dataclass of settings, and a sentence about it."""
    found: T = dataclasses.field(default=kind(), metadata={"about": about})
    return found


class Level(Enum):
    """From which importance on a line goes into the log."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(Enum):
    """For whom the lines of the log are."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """What is kept, and where."""

    data: str = setting(
        "",
        "Where everything is kept: a folder, or postgresql://... for a database. Without it the "
        "folder data, if a server has kept something there, else $XDG_STATE_HOME/twentytwo "
        "(~/.local/state/twentytwo).",
        flag="--data",
        metavar="FOLDER|URL",
        restart=True,
    )
    admin_socket: str = setting(
        "",
        "Where `twentytwo-server admin` and `backup` reach this server: a path for a Unix socket. "
        "Without it admin.sock in the data folder; where there is no folder, nowhere.",
        flag="--admin-socket",
        metavar="PATH",
        restart=True,
    )


@dataclass(frozen=True, slots=True)
class LogSettings:
    """What is logged, to standard error."""

    level: Level = setting(
        Level.INFO,
        "The least important lines that are logged.",
        flag="--log-level",
        metavar="LEVEL",
    )
    format: LogFormat = setting(
        LogFormat.TEXT,
        "Lines for people, or JSON, an object a line.",
        flag="--log-format",
        metavar="FORMAT",
    )


def _is_place(where: str) -> None:
    host, _, port = where.rpartition(":")
    if where and not where.startswith("unix:") and not (host and port.isdigit()):
        raise ValueError("must be HOST:PORT, unix:PATH, or empty")


@dataclass(frozen=True, slots=True)
class AdminSettings:
    """How it can be watched."""

    http: str = setting(
        "",
        "HOST:PORT or unix:PATH that answers /healthz, /readyz and /metrics; without it none does. "
        "Whoever reaches it may read them: let it be this machine, or a network of your own.",
        flag="--admin",
        metavar="HOST:PORT",
        restart=True,
        check=_is_place,
    )


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Everything that an operator may set; each field is a section."""

    server: Config = section(Config, "The server as its players meet it.")
    listen: ListenSettings = section(ListenSettings, "Where it listens.")
    store: StoreSettings = section(StoreSettings, "What is kept.")
    admin: AdminSettings = section(AdminSettings, "How it is watched.")
    log: LogSettings = section(LogSettings, "The log, on standard error.")
    limits: Limits = section(
        Limits,
        "What one connection, and one address, may do. New values are for connections made from "
        "then on; one that is open keeps its own.",
    )
    quotas: AddressQuota = section(
        AddressQuota,
        "What all who come from one address (IPv6: from one /64) may hold together; an address of "
        "this machine limits.local_times as much.",
    )
    logins: LoginQuota = section(LoginQuota, "Wrong passwords, and new accounts.")


@cache
def settings() -> dict[str, Setting]:
    """Every setting by its path, in the order of the file."""
    return {each.path: each for name, kind in _sections() for each in settings_of(name, kind)}


def sections() -> Iterator[tuple[str, str]]:
    """The sections: their names, and what they are about."""
    for field in dataclasses.fields(ServerSettings):
        yield field.name, field.metadata["about"]


def made_of(values: dict[str, Any]) -> ServerSettings:
    """The settings with these values by path, and the defaults of all others."""
    made = {}
    for name, kind in _sections():
        own = {s.path: values[s.path] for s in settings_of(name, kind) if s.path in values}
        made[name] = kind(**{path.partition(".")[2]: value for path, value in own.items()})
    return ServerSettings(**made)


def value_of(found: ServerSettings, path: str) -> Any:
    """What a setting is set to."""
    section, _, name = path.partition(".")
    return getattr(getattr(found, section), name)


def _sections() -> Iterator[tuple[str, type[Any]]]:
    for field in dataclasses.fields(ServerSettings):
        yield field.name, type(field.default)
