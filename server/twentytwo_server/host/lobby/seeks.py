"""Seeks: who looks for how many to play what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from twentytwo_protocol.words.lobby import Sought, Unsought

from .lobby import Lobby


@dataclass(frozen=True, slots=True)
class Wish:
    """Somebody looks for so many players in all, for a game by these options."""

    name: str
    game: str
    players: int
    options: tuple[tuple[str, str], ...]

    def fits(self, other: Wish) -> bool:
        """Whether both look for the same."""
        mine, theirs = (self.game, self.players, self.options), (other.game, other.players)
        return mine == (*theirs, other.options)


class Seeks:
    """The open seeks, numbered from 1; everybody in the lobby hears of them."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._wishes: dict[int, Wish] = {}
        self._last = 0

    def __iter__(self) -> Iterator[tuple[int, Wish]]:
        return iter(self._wishes.items())

    def next(self) -> int:
        """The number of a new seek."""
        self._last += 1
        return self._last

    def seeking(self, name: str) -> bool:
        """Whether somebody looks for players."""
        return any(wish.name == name for wish in self._wishes.values())

    def like(self, wanted: Wish, may_play: Callable[[str], bool]) -> list[str]:
        """Who looks for the same and may play now, whoever has looked longest first."""
        same = [wish.name for wish in self._wishes.values() if wish.fits(wanted)]
        return [name for name in same if may_play(name)]

    def add(self, number: int, wish: Wish) -> None:
        """Somebody looks for players from now on."""
        self._wishes[number] = wish
        self._lobby.announce(Sought(number, wish.name, wish.game, wish.players))

    def withdraw(self, name: str) -> None:
        """Ends somebody's seek, if they have one."""
        for number, wish in list(self._wishes.items()):
            if wish.name == name:
                del self._wishes[number]
                self._lobby.announce(Unsought(number, name, wish.game, wish.players))
