"""Continuing finished games in practice, and the end of a game for a player who is out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from ..schema import KEY, Command, Seat, Stream, Token, command
from ..voice import ENDINGS
from .records import LAST

if TYPE_CHECKING:
    from ..voice import Voice
    from .cardplay import Hand_


@command("watching", example="whatif g51 at=3.2", cost=10, once=True, waits=True, asks=True)
class Whatif(Command):
    """Continue a finished game from any point, against bots, at a practice table."""

    id: Annotated[Token, "the game's id; last: your last game"]
    alone: ClassVar[str] = LAST
    at: Annotated[
        Token | None, "HAND or HAND.TRICK: you begin with the seat's first choice after it", KEY
    ] = None
    seat: Annotated[Seat | None, "the seat that you play; default: your own", KEY] = None
    level: Annotated[Token | None, "the bots' level", KEY] = None


@command("playing")
class Finish(Command):
    """Skip the rest of a game, once you are out of it: you are told the result, and nothing before.

    Where only bots play on, they finish it at once, and play as they would anyway. Among people it
    takes as long as they play; play elsewhere meanwhile.
    """

    table: Stream | None = None


def _while_out(said: Hand_, voice: Voice) -> str:
    """The advice to a player who is out of a game that others play on."""
    table = voice.known
    if not voice.live or table is None or voice.me not in table.seats:
        return ""
    if not table.at(voice.me).out:
        return ""
    if not voice.alone:
        return "\nYou are out: finish skips to the result, practice deals you another game."
    daily = table.options.get("deals", "").startswith("daily ")
    another = "" if daily else ", rematch deals a new game"
    return f"\nYou are out: finish tells the result at once{another}."


ENDINGS["HAND"] = _while_out
