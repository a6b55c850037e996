"""Seeks: people who look for other players."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.lobby import SeekRow, Sought, Unsought

from .lobby import Lobby


class Wish(Value):
    """The contents of a seek: game, preset, changed options, and the number of players."""

    name: str
    game: str
    players: int
    preset: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def terms(self) -> tuple[str, int, str, tuple[tuple[str, str], ...]]:
        """All but the name."""
        return self.game, self.players, self.preset, self.options

    def fits(self, other: Wish) -> bool:
        """True if both want the same game, options and number of players."""
        return self.terms == other.terms


class Seeks:
    """The open seeks. Each change is announced in the lobby.

    Those of other servers are as these tell it. A server that is alone numbers its seeks from 1.
    `ended` is called with the number of a seek that ends here, if the store has the seeks, and
    `match_again` looks for matches of the seeks of this server. `asking` are the people whose seek
    is being stored, each with the tables to tell them of afterwards.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._wishes: dict[int, Wish] = {}
        self._own: set[int] = set()
        self._last = 0
        self.ended: Callable[[int], None] | None = None
        self.match_again: Callable[[], None] | None = None
        self.asking: dict[str, list[Callable[[], None]]] = {}

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

    def own(self) -> dict[int, Wish]:
        """The seeks of the people of this server, by number."""
        return {number: self._wishes[number] for number in sorted(self._own)}

    def number_here(self, name: str) -> int | None:
        """The number of a person's open seek at this server, or None."""
        return next((number for number, wish in self.own().items() if wish.name == name), None)

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

    def like(self, wanted: Wish) -> list[str]:
        """The names of others who seek the same, the oldest seek first."""
        same = [self._wishes[number] for number in sorted(self._wishes)]
        return [wish.name for wish in same if wish.fits(wanted) and wish.name != wanted.name]

    def add(self, number: int, wish: Wish) -> None:
        """Opens a seek of this server instead of the person's earlier one, and announces it."""
        if number not in self._own:
            self.close(wish.name)
            self._wishes[number] = wish
            self._own.add(number)
            self._lobby.announce(Sought(*_told(number, wish)), wish.game)

    def withdraw(self, name: str) -> None:
        """Ends the seek of that person of this server, if there is one, and announces it."""
        for number in self.close(name):
            if self.ended is not None:
                self.ended(number)

    def close(self, name: str) -> list[int]:
        """The same for a seek that is no more in the store; returns its number."""
        found = [number for number in self._own if self._wishes[number].name == name]
        for number in found:
            wish = self._wishes.pop(number)
            self._own.remove(number)
            self._lobby.announce(Unsought(*_told(number, wish)), wish.game)
        return found

    def heard(self, event: Sought | Unsought) -> None:
        """Opens or ends a seek of another server."""
        known = event.seek in self._wishes
        if isinstance(event, Unsought):
            self._wishes.pop(event.seek, None)
        else:
            options = tuple((event.options or {}).items())
            wish = Wish(event.name, event.game, event.players, event.rules, options)
            self._wishes[event.seek] = wish
        if known is isinstance(event, Unsought):
            self._lobby.show(event, event.game)

    def rows(self) -> list[SeekRow]:
        """A row for each open seek, by number."""
        return [SeekRow(*_told(number, self._wishes[number])) for number in sorted(self._wishes)]


def found(table: str, title: str) -> Note:
    """Tells a person that their seek has led to a table."""
    return Note("FOUND", table, f"Found! You play {title} at {table}; it begins in a moment.")


def unsought(sought: Sought) -> Unsought:
    """The end of a seek."""
    return Unsought(**{name: getattr(sought, name) for name in Unsought.__struct_fields__})


def _told(number: int, wish: Wish) -> tuple[int, str, str, int, str, Mapping[str, str] | None]:
    options = dict(wish.options) or None
    return number, wish.name, wish.game, wish.players, wish.preset, options
