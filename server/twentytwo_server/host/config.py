"""What an operator decides, and where chance comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ..games.chance import RandomBelow
from ..table.decision import GRACE


class Registration(Enum):
    """Whether new accounts are made."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Config:
    """What the operator decides; times in milliseconds."""

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
    """Where chance comes from: secrets as hex or tokens, and picks for bots."""

    secret: Callable[[], str]
    token: Callable[[], str]
    pick: Callable[[int | None], RandomBelow]
