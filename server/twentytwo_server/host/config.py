"""The settings of the operator, and the sources of random values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ..games.chance import RandomBelow
from ..table.decision import GRACE


class Registration(Enum):
    """Whether new accounts may be made."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of the operator; times in milliseconds.

    `grace` is how long a seat is kept for somebody who is away, `pause` the delay of a bot's answer
    where people play, `think` the time of a searching bot for a move. `boot` names this run of the
    server. `plaintext_login` accepts passwords and tokens on connections that others can read.
    `dev` takes away limits, for writing bots.
    """

    name: str = "twentytwo"
    dev: bool = False
    motd: str = ""
    grace: int = GRACE
    pause: int = 400
    think: int = 300
    boot: str = "boot"
    most_tables: int = 2000
    tables_each: int = 10
    plaintext_login: bool = False
    registration: Registration = Registration.OPEN


@dataclass(frozen=True, slots=True)
class Randomness:
    """The sources of random values. Tests replace them.

    `secret` makes the secret of a game in hex, `token` a login or resume token: both must be
    unpredictable. `pick` makes random numbers for a bot, repeatable if it is given a seed.
    """

    secret: Callable[[], str]
    token: Callable[[], str]
    pick: Callable[[int | None], RandomBelow]
