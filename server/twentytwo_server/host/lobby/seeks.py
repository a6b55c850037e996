"""Seeks: people who look for other players."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.lobby import SeekRow, Sought, Unsought

from .lobby import Lobby


class Wish(Value):
    """The contents of a seek: game, preset, changed options, and the number of players."""

    name: str
    game: str
    players: int
    preset: str
    options: tuple[tuple[str, str], ...] = ()

    def fits(self, other: Wish) -> bool:
        """True if both want the same game, options and number of players."""
        return replace(other, name=self.name) == self


class Seeks:
    """The open seeks, numbered from 1. Each change is announced in the lobby."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._wishes: dict[int, Wish] = {}
        self._last = 0

    def next(self) -> int:
        """Reserves the number of a new seek."""
        self._last += 1
        return self._last

    def wish(self, number: int) -> Wish | None:
        """The contents of the open seek with that number, or None."""
        return self._wishes.get(number)

    def seeking(self, name: str) -> bool:
        """True if the person of that name has an open seek."""
        return any(wish.name == name for wish in self._wishes.values())

    def find(self, name: str) -> int | None:
        """The number of a person's open seek; a guest is found with or without the `~`."""
        numbers = {wish.name.lower(): number for number, wish in self._wishes.items()}
        return numbers.get(name.lower()) or numbers.get(f"~{name.lower()}")

    def told_to(self, name: str | None) -> str | None:
        """A line about the others who look for players; None if nobody does."""
        others = [each for each in self.names() if each != name]
        if not others:
            return None
        accept = f"accept {others[0].removeprefix('~')}"
        if len(others) == 1:
            return f"1 looks for players: {accept}"
        return f"{len(others)} look for players: {accept}, or seeks for all of them"

    def names(self) -> list[str]:
        """The names of the people with an open seek; each has at most one."""
        return [wish.name for wish in self._wishes.values()]

    def like(self, wanted: Wish, may_play: Callable[[str], bool]) -> list[str]:
        """The names of people who seek the same and may play now; the oldest seek first."""
        same = [wish.name for wish in self._wishes.values() if wish.fits(wanted)]
        return [name for name in same if may_play(name)]

    def add(self, number: int, wish: Wish) -> None:
        """Opens a seek under a number from `next`, and announces it."""
        self._wishes[number] = wish
        self._lobby.announce(Sought(*_told(number, wish)), wish.game)

    def withdraw(self, name: str) -> None:
        """Ends the seek of that person, if there is one, and announces it."""
        for number, wish in list(self._wishes.items()):
            if wish.name == name:
                del self._wishes[number]
                self._lobby.announce(Unsought(*_told(number, wish)), wish.game)

    def rows(self) -> list[SeekRow]:
        """A row for each open seek, by number."""
        return [SeekRow(*_told(number, wish)) for number, wish in self._wishes.items()]


def _told(number: int, wish: Wish) -> tuple[int, str, str, int, str, Mapping[str, str] | None]:
    options = dict(wish.options) or None
    return number, wish.name, wish.game, wish.players, wish.preset, options
