"""The settings of the operator, and the sources of random values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from ..games.chance import RandomBelow
from ..limits.logins import LoginQuota
from ..limits.quotas import AddressQuota
from ..setting import Unit, setting
from ..table.decision import GRACE


class Registration(Enum):
    """Whether new accounts may be made."""

    OPEN = "open"
    INVITE = "invite"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Config:
    """The operator's settings of the host; times in milliseconds.

    `boot` identifies this run of the server. `dev` turns limits off, for developing bots.
    `clustered`: other servers follow the tables of this one. The other fields are settings;
    `logins` and `quotas` are sections of their own.
    """

    name: str = setting(
        "twentytwo",
        "Server name shown in the greeting. A long name is cut.",
        flag="--name",
    )
    names: tuple[str, ...] = setting(
        (),
        "Host names under which browsers reach this server, for example cards.example.org. "
        "localhost and the hosts of listen.endpoints need no entry, nor do IP addresses. Under "
        "any other name a browser gets no page, no metrics and no WebSocket: a foreign page "
        "could point its own name at this server (DNS rebinding). Other programs are not "
        "affected.",
        flag="--server-name",
        metavar="HOST",
        restart=True,
    )
    dev: bool = False
    motd: str = setting(
        "",
        "Message of the day in the greeting. If it is empty, the greeting wishes good cards.",
        flag="--motd",
    )
    grace: int = setting(
        GRACE,
        "How long a player's seat is kept after the connection is lost. The default lasts while "
        "a router restarts.",
        unit=Unit.SECONDS,
        least=1_000,
        most=86_400_000,
        flag="--grace",
    )
    pause: int = setting(
        400,
        "Pause before each move of a bot at a table with people, so that they can follow.",
        unit=Unit.MILLISECONDS,
        least=0,
        most=10_000,
        flag="--bot-pause",
    )
    think: int = setting(
        300,
        "Thinking time of a hard bot for each move, in a separate process. A longer time makes "
        "the bot play better.",
        unit=Unit.MILLISECONDS,
        least=10,
        most=5_000,
        flag="--think",
        restart=True,
    )
    boot: str = "boot"
    node: str = ""
    clustered: bool = False
    most_tables: int = setting(
        2000,
        "Maximum number of open tables. Further tables are refused (BUSY), because each takes "
        "memory.",
    )
    tables_each: int = setting(
        10,
        "Maximum number of tables at which one person may sit. Further tables are refused (QUOTA).",
    )
    plaintext_login: bool = setting(
        False,
        "Accept passwords from other machines without TLS. Others on the network can read such "
        "passwords.",
        flag="--allow-plaintext-login",
    )
    registration: Registration = setting(
        Registration.OPEN,
        "Who may make an account: everybody, people with a code of `admin invite`, or nobody. "
        "Existing accounts keep working, and guests may play with any value.",
        flag="--registration",
        metavar="open|invite|closed",
    )
    drain: int = setting(
        0,
        "How long the server waits for running games to end when it is told to stop (SIGTERM). "
        "The default is not to wait, because games continue after the next start.",
        unit=Unit.SECONDS,
        least=0,
        most=86_400_000,
        flag="--drain",
    )
    logins: LoginQuota = LoginQuota()
    quotas: AddressQuota = AddressQuota()


class LiveConfig:
    """The settings in use: `now`, which a reload replaces."""

    def __init__(self, config: Config) -> None:
        self.now = config

    def change(self, config: Config) -> None:
        """Takes other settings. `dev`, `boot` and `clustered` are those of the whole run."""
        run = self.now
        self.now = replace(config, dev=run.dev, boot=run.boot, clustered=run.clustered)


@dataclass(frozen=True, slots=True)
class Randomness:
    """The sources of random values. Tests replace them.

    `secret` makes the secret of a game in hex, `token` a login or resume token: both must be
    unpredictable. `pick` makes random numbers for a bot, repeatable if it is given a seed.
    """

    secret: Callable[[], str]
    token: Callable[[], str]
    pick: Callable[[int | None], RandomBelow]
