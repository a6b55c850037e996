"""Duplicate tables: two tables play the same deals and are compared at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..schema import Event, Ints, Stream, Tokens, event
from .daily import times

if TYPE_CHECKING:
    from ..voice import Voice


def _against(points: int) -> str:
    if not points:
        return "level with"
    return f"{times(abs(points), 'point')} {'better' if points > 0 else 'worse'} than"


def _is_bot(name: str) -> bool:
    return name.startswith("bot:")


def _here(seat: int, verb: str, voice: Voice) -> str:
    """A player at this table. A bot is named with its seat, because the other table may have its
    namesake.
    """
    at = " here" if _is_bot(voice.name(seat)) else ""
    return f"{voice.name(seat)}{at} {verb}".rstrip() if at or not verb else voice.does(seat, verb)


def _next(voice: Voice) -> str:
    """The commands that a player may type next; empty for spectators and in past games."""
    return "\nrematch plays another, leave gets up." if voice.live and voice.me is not None else ""


def _compared(said: Compared, voice: Voice) -> str:
    if said.ahead is None or said.names is None:
        broken = f"*** {said.table} and this table are not compared: a game was broken off."
        return f"{broken}{_next(voice)}"
    named = [f"{name} at {said.table}" if _is_bot(name) else name for name in said.names]
    pairs = list(enumerate(zip(said.ahead, named, strict=False), 1))
    lines = [f"  {_here(seat, 'is', voice)} {_against(p)} {name}" for seat, (p, name) in pairs]
    best = max((abs(points) for _, (points, _) in pairs), default=0)
    here = [_here(seat, "", voice) for seat, (points, _) in pairs if points == best]
    there = [name for _, (points, name) in pairs if points == -best]
    if not best:
        end = "Level in every seat: nobody made more of their cards."
    else:
        who = " and ".join([*here, *there])
        end = f"Best with the same cards: {who}, by {times(best, 'point')}."
    head = f"*** The same cards here and at {said.table}, seat for seat:"
    return "\n".join([head, *lines, f"{end}{_next(voice)}"])


@event("table", say=_compared)
class Compared(Event):
    """Both tables of a pair are done: each seat is compared with the same seat at the other
    table.
    """

    table: Annotated[Stream, "the other table"]
    names: Annotated[
        Tokens | None,
        "the players with the same cards there, by seat; absent if a game was broken off",
    ] = None
    ahead: Annotated[
        Ints | None,
        "the lead of each seat, less that of the player with its cards at the other table",
    ] = None
