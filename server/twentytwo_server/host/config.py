"""The settings of the operator, and the sources of random values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ..accounts.login_limits import LoginQuota
from ..games.chance import RandomBelow
from ..setting import Unit, setting
from ..table.decision import GRACE
from .quotas import AddressQuota


class Registration(Enum):
    """Whether new accounts may be made."""

    OPEN = "open"
    INVITE = "invite"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of the operator for the world; times in milliseconds.

    `boot` names this run of the server. `dev` takes away limits, for writing bots. The others are
    settings, `logins` and `quotas` sections of their own.
    """

    name: str = setting(
        "twentytwo",
        "The server's name in its greeting; a long one is cut.",
        flag="--name",
    )
    names: tuple[str, ...] = setting(
        (),
        "Names under which browsers reach this server, beside localhost and the hosts of "
        "listen.endpoints: cards.example.org. Under other names the page and the metrics are "
        "refused, and so is a WebSocket to the page of that name: any page can have its own name "
        "lead here. Addresses need no entry, nor do programs that are no browser.",
        flag="--server-name",
        metavar="HOST",
        restart=True,
    )
    dev: bool = False
    motd: str = setting(
        "", "The message of the day; without one the server wishes good cards.", flag="--motd"
    )
    grace: int = setting(
        GRACE,
        "How long a seat is kept for a lost connection: as long as a router takes to restart.",
        unit=Unit.SECONDS,
        least=1_000,
        most=86_400_000,
        flag="--grace",
    )
    pause: int = setting(
        400,
        "How long a bot takes for a move where people play, so that they can follow.",
        unit=Unit.MILLISECONDS,
        least=0,
        most=10_000,
        flag="--bot-pause",
    )
    think: int = setting(
        300,
        "How long a hard bot thinks about a move, in a process of its own; longer plays better.",
        unit=Unit.MILLISECONDS,
        least=10,
        most=5_000,
        flag="--think",
        restart=True,
    )
    boot: str = "boot"
    most_tables: int = setting(
        2000, "Open tables in all; more are refused (BUSY): each takes memory."
    )
    tables_each: int = setting(10, "Tables at which one person may sit; more are refused (QUOTA).")
    plaintext_login: bool = setting(
        False,
        "Take passwords over the network without TLS, where others on the way can read them.",
        flag="--allow-plaintext-login",
    )
    registration: Registration = setting(
        Registration.OPEN,
        "Whether people make accounts here, or with a code of `admin invite`; those there are "
        "remain, and guests are welcome.",
        flag="--registration",
        metavar="open|invite|closed",
    )
    drain: int = setting(
        0,
        "How long games that run may go on when the server is told to stop (SIGTERM). The default "
        "is not at all, since they go on after the next start.",
        unit=Unit.SECONDS,
        least=0,
        most=86_400_000,
        flag="--drain",
    )
    logins: LoginQuota = LoginQuota()
    quotas: AddressQuota = AddressQuota()


@dataclass(frozen=True, slots=True)
class Randomness:
    """The sources of random values. Tests replace them.

    `secret` makes the secret of a game in hex, `token` a login or resume token: both must be
    unpredictable. `pick` makes random numbers for a bot, repeatable if it is given a seed.
    """

    secret: Callable[[], str]
    token: Callable[[], str]
    pick: Callable[[int | None], RandomBelow]
