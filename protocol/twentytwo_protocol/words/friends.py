"""Friends: players whose arrival is announced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..schema import Command, Flag, Name, Row, Stream, Token, command, row
from ..vocabulary import vocabulary
from .paging import After, AtMost

if TYPE_CHECKING:
    from ..voice import Voice


@command("lobby", example="friend bob")
class Friend(Command):
    """Get a notice when a player with an account arrives; the player does not learn of it. You need
    an account.
    """

    name: Name


@command("lobby", example="unfriend bob")
class Unfriend(Command):
    """Get no more notices about a player."""

    name: Name


@command("lobby", again=True)
class Friends(Command):
    """Your friends: which are here, and where they play."""

    n: AtMost = None
    after: After = None


def _friend(said: FriendRow, _: Voice) -> str:
    if not said.here:
        return f"  {said.name} is not here."
    if said.on is None or said.game is None:
        return f"  {said.name} is here."
    return f"  {said.name} is here, at {said.on} ({vocabulary(said.game).title})."


@row(say=_friend, word="FRIEND")
class FriendRow(Row):
    """A friend of yours."""

    name: Name
    here: Annotated[Flag, "whether they are connected"]
    on: Annotated[Stream | None, "the table where they sit, if you may see it"] = None
    game: Annotated[Token | None, "its game"] = None
