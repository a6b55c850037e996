"""The streams that the person follows and the tables they watch, to be requested again later."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from twentytwo_protocol.schema import FOLLOWED
from twentytwo_protocol.wire import read_command, split_command
from twentytwo_protocol.words.lobby import Follow

from .requests import SentCommand


class Subscriptions:
    """The followed streams, each with its filter by game if it has one, and the watched tables,
    each with the word by which it was named.
    """

    def __init__(self) -> None:
        self.follows: dict[str, str] = {}
        self.watches: dict[str, str] = {}

    def resumes(self, on: str) -> bool:
        """True if `resume` should name a stream: the server then restores the following or
        watching.
        """
        return on not in FOLLOWED or on in self.follows

    def again(self, resumed: Collection[str]) -> Iterator[str]:
        """The commands that restore all subscriptions.

        The server follows and watches the streams in `resumed` already, but without the filters by
        game.
        """
        for on, game in self.follows.items():
            if game:
                yield f"follow {on} game={game}"
            elif on not in resumed:
                yield f"follow {on}"
        for on, word in self.watches.items():
            if on not in resumed:
                yield f"watch {word}"

    def lost(self, on: str) -> None:
        """Notes that the server does not know a watched table by its number. A private one is known
        by its word.
        """
        if self.watches.get(on, "").lower() in (on, on.removeprefix("t")):
            del self.watches[on]

    def changed(self, ask: SentCommand) -> None:
        """Notes the effect of a successful `follow` or `unfollow`."""
        said = read_command(Follow, split_command(ask.line).rest)
        assert isinstance(said, Follow)
        for stream in (said.stream,) if said.stream else FOLLOWED:
            if ask.verb == "unfollow":
                self.follows.pop(stream, None)
            else:
                self.follows[stream] = said.game or ""

    def unwatched(self, ask: SentCommand) -> list[str]:
        """The tables that a successful `unwatch` has named, or all."""
        _, _, on = ask.line.partition(" ")
        left = [on.strip()] if on.strip() else [*self.watches]
        for on in left:
            self.watches.pop(on, None)
        return left
