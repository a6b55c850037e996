"""Practice beside the usual game."""

from __future__ import annotations

from typing import Annotated, ClassVar

from ..schema import KEY, Command, Seat, Token, command
from .records import LAST


@command("watching", example="whatif g51 at=3.2", cost=10)
class Whatif(Command):
    """Play on from a point of a game that is over, against bots: a practice table."""

    id: Annotated[Token, "the game's number; last: your last"]
    alone: ClassVar[str] = LAST
    at: Annotated[Token | None, "HAND or HAND.TRICK; its first choice from there on", KEY] = None
    seat: Annotated[Seat | None, "whose place you take; your own if you say nothing", KEY] = None
    level: Annotated[Token | None, "the bots' level", KEY] = None
