"""The deals of a host: a secret for every game, promised before the game and kept till its end.

A promise is made while an order is decided, and counts once the order stands: `fresh` hands it
out, to be kept together with the order. What is refused, or fails, has promised nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from twentytwo_protocol.cards import Card
from twentytwo_protocol.fair import FairShuffle, commitment, entropy
from twentytwo_protocol.words.cardplay import Shuffle

from ... import facts
from ...table import deals as play
from ...table.deals import FAIR, Promised
from ...table.match import House, Words
from .ledger import ReplayMismatch

REPEATABLE = "seed"
"""What `alg` says of deals that anybody can repeat."""


@dataclass(frozen=True, slots=True)
class At:
    """For whom a decision is made: the table, its seed if its deals are repeatable, the time."""

    table: str
    seed: int | None
    wall: int


class Deals:
    """All promises of a server whose games are not over.

    `secret` gives 128 hex digits that nobody can guess.
    """

    def __init__(self, secret: Callable[[], str]) -> None:
        self._secret = secret
        self._game = 0
        self._no = 0
        self._promises: dict[str, facts.Promise] = {}
        self._draft = self.draft(At("", None, 0))

    def at(self, table: str, seed: int | None, wall: int) -> Draft:
        """The deals for one decision about a table; `fresh` says that the decision stands."""
        self._draft = self.draft(At(table, seed, wall))
        return self._draft

    def draft(self, at: At) -> Draft:
        """Deals that do not count yet."""
        return Draft(self, at)

    def fresh(self) -> list[facts.Promise | facts.Frozen]:
        """What the last decision promised and froze, to be kept with it; now it counts."""
        draft, self._draft = self._draft, self.draft(self._draft.at)
        for promise in draft.promises:
            # A table promises one game at a time: those before are over, and revealed.
            self.forget(promise.table)
            self._enter(promise)
        return [*draft.promises, *draft.frozen]

    def resume(self, game: int, no: int) -> None:
        """Goes on after the highest numbers of an earlier run: of a game, of a promise."""
        self._game, self._no = max(self._game, game), max(self._no, no)

    def restore(self, promises: Iterable[facts.Promise]) -> None:
        """Promises that were made in an earlier run, for games that are not over."""
        for promise in promises:
            self._enter(promise)

    def forget(self, table: str) -> None:
        """A table is gone, or has promised another game."""
        mine = [game for game, promise in self._promises.items() if promise.table == table]
        for game in mine:
            del self._promises[game]

    def promised(self, game: str) -> facts.Promise:
        """The promise of a game that is not over."""
        return self._promises[game]

    def next(self, at: At, more: int) -> facts.Promise:
        """A promise after so many others that do not count yet."""
        game, no = f"g{self._game + more + 1}", self._no + more + 1
        if at.seed is None:
            alg, seed = FAIR, self._secret()
        else:
            alg, seed = REPEATABLE, FairShuffle.of_seed(at.seed).seed
        return facts.Promise(game, no, at.table, alg, seed, commitment(seed), at.wall)

    def _enter(self, promise: facts.Promise) -> None:
        self._promises[promise.game] = promise
        self.resume(int(promise.game[1:]), promise.no)

    @staticmethod
    def of(promises: Sequence[facts.Promise], packs: Sequence[str]) -> Replayed:
        """The deals of a table that is built anew: what was promised and shuffled, in order."""
        return Replayed(promises, packs)


class Draft(play.DealSource):
    """The deals of a table while one order is decided."""

    def __init__(self, deals: Deals, at: At) -> None:
        self.at = at
        self.promises: list[facts.Promise] = []
        self.frozen: list[facts.Frozen] = []
        self._deals = deals

    def promise(self) -> Promised:
        """The promise for a new game."""
        self.promises.append(self._deals.next(self.at, len(self.promises)))
        return _public(self.promises[-1])

    def freeze(self, game: str, words: Words) -> None:
        """These are the words of a promised game."""
        self.frozen.append(facts.Frozen(game, entropy(words), self.at.wall))

    def house(self, game: str, words: Words | None) -> House:
        """What shuffles a promised game."""
        return shuffler(self._find(game), words).house

    def seed(self, game: str) -> str:
        """The secret of a game that is over."""
        return self._find(game).seed

    def _find(self, game: str) -> facts.Promise:
        fresh = next((promise for promise in self.promises if promise.game == game), None)
        return fresh or self._deals.promised(game)


class Replayed(play.DealSource):
    """The deals of a table that is built anew from what was kept."""

    def __init__(self, promises: Sequence[facts.Promise], packs: Sequence[str]) -> None:
        self._promises = {promise.game: promise for promise in promises}
        self._coming = iter(promises)
        self._packs = iter(packs)

    def promise(self) -> Promised:
        """The promise that was made. Raises `Differs` where there was none."""
        promise = next(self._coming, None)
        if promise is None:
            raise ReplayMismatch("a game is promised that was not")
        if promise.digest != commitment(promise.seed):
            raise ReplayMismatch(f"the secret of {promise.game} is not the one that was promised")
        return _public(promise)

    def freeze(self, game: str, words: Words) -> None:
        """The words were frozen before."""

    def house(self, game: str, words: Words | None) -> House:
        """Gives the packs that were dealt. Raises `Differs` where they are not those promised."""
        fair = shuffler(self.promised(game), words)

        def house(n: int, pack: Sequence[Card]) -> tuple[Card, ...]:
            dealt = fair.house(n, pack)
            kept = next(self._packs, None)
            if kept is None or Shuffle.of(kept).cards != dealt:
                raise ReplayMismatch(f"shuffle {n} of {game} is not the one that was promised")
            return dealt

        return house

    def seed(self, game: str) -> str:
        """The secret of a game that is over."""
        return self.promised(game).seed

    def promised(self, game: str) -> facts.Promise:
        """What was promised for a game."""
        return self._promises[game]


def shuffler(promise: facts.Promise, words: Words | None) -> FairShuffle:
    """What shuffles a promised game, with the players' words."""
    if promise.alg == REPEATABLE:
        # The same number is the same deal anywhere, whatever the game's own number is.
        return FairShuffle(promise.seed, REPEATABLE)
    return FairShuffle(promise.seed, promise.game, entropy(words or ()))


def _public(promise: facts.Promise) -> Promised:
    return Promised(promise.game, promise.no, promise.alg, promise.digest)
