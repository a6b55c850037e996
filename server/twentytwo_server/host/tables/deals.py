"""The secrets from which games are shuffled: a promise for each game that is not over.

The commitment of a secret is shown to the players before the game and the secret itself after it
(SPEC.md 21). A promise is made while an order is decided, and is valid only if the order succeeds.
So first call `for_decision`, decide the order with what it returns, then call `commit` and keep
the facts that it returns together with the order. If the order is refused or fails, do not call
`commit`: the next `for_decision` drops its promises.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from twentytwo_protocol.cards import Card
from twentytwo_protocol.fair import (
    DAILY_ALG,
    DUPLICATE_ALG,
    FAIR_ALG,
    REPEATABLE_ALG,
    TAKEN_ALG,
    FairShuffle,
    commitment,
    entropy,
)
from twentytwo_protocol.words.cardplay import Shuffle

from ... import facts
from ...table import deals as play
from ...table.deals import Pack, Promised
from ...table.match import House, Words
from ..numbers import NewNumbers
from .input_log import ReplayMismatch


class Deals:
    """The promises of a server for all games that are not over.

    `secret` makes a new secret: 128 random hex digits from a cryptographic source. `games` are the
    numbers of new games.
    """

    def __init__(self, secret: Callable[[], str], games: NewNumbers) -> None:
        self._secret = secret
        self._games = games
        self._no = 0
        self._promises: dict[str, facts.Promise] = {}
        self._pending = PendingDeals(self, "", None, 0, "", "")

    def new_secret(self) -> str:
        """A secret for the two promises of a pair of tables."""
        return self._secret()

    def for_decision(
        self, table: str, seed: int | None, wall: int, daily: str = "", pair: str = ""
    ) -> PendingDeals:
        """The deals for one decision about a table. Call `commit` if the order succeeds.

        `seed` is the number for repeatable deals, else None; `wall` is the wall time in ms. `daily`
        is the secret of the day if the table plays a daily deal. `pair` is the common secret while
        both tables of a pair are promised their next game. Both are empty otherwise.
        """
        self._pending = PendingDeals(self, table, seed, wall, daily, pair)
        return self._pending

    def commit(self) -> list[facts.Promise | facts.Frozen]:
        """Makes the last decision's promises valid; returns its facts, to keep with the order."""
        pending = self._pending
        if not (pending.promises or pending.frozen):
            return []
        for promise in pending.promises:
            # A table promises one game at a time: those before are over, and revealed.
            self.forget(promise.table)
            self._promises[promise.game] = promise
            self._games.take()
            self._no = promise.no
        kept: list[facts.Promise | facts.Frozen] = [*pending.promises, *pending.frozen]
        pending.promises, pending.frozen = [], []
        return kept

    def continue_from(self, game: int, no: int) -> None:
        """Continues the numbers of games and promises after the highest of an earlier run."""
        self._games.resume(game)
        self._no = no

    def restore(self, promises: Iterable[facts.Promise]) -> None:
        """Takes over promises of an earlier run, for games that are not over.

        Some may be of another server's log, so they change no numbers.
        """
        self._promises.update((promise.game, promise) for promise in promises)

    def forget(self, table: str) -> None:
        """Forgets the promises of a table, which is closed or has promised another game."""
        for promise in self.promises_of(table):
            del self._promises[promise.game]

    def promises_of(self, table: str) -> list[facts.Promise]:
        """The promises of a table."""
        return [promise for promise in self._promises.values() if promise.table == table]

    def promise_of(self, game: str) -> facts.Promise:
        """The promise of a game that is not over. Raises `KeyError` for another."""
        return self._promises[game]

    def new_promise(self, pending: PendingDeals, taken: bool) -> facts.Promise:
        """A new promise. Its number comes after those of `pending`, which are not valid yet.

        Raises `Refused` (BUSY) if there is no number for a game now.

        `taken`: the deals of the game begin with those of another game.
        """
        more = len(pending.promises) + 1
        game, no = f"g{self._games.upcoming(more)}", self._no + more
        if pending.pair:
            alg, seed = DUPLICATE_ALG, pending.pair
        elif pending.daily:
            alg, seed = DAILY_ALG, pending.daily
        elif taken or pending.seed_number is None:
            alg, seed = TAKEN_ALG if taken else FAIR_ALG, self._secret()
        else:
            alg, seed = REPEATABLE_ALG, FairShuffle.of_seed(pending.seed_number).seed
        return facts.Promise(game, no, pending.table, alg, seed, commitment(seed), pending.wall)


class PendingDeals(play.DealSource):
    """The deals of a table while one order is decided; `Deals.commit` makes them valid.

    The arguments are those of `Deals.for_decision`.
    """

    def __init__(
        self, deals: Deals, table: str, seed: int | None, wall: int, daily: str, pair: str
    ) -> None:
        self.table = table
        self.seed_number = seed
        self.wall = wall
        self.daily = daily
        self.pair = pair
        self.promises: list[facts.Promise] = []
        self.frozen: list[facts.Frozen] = []
        self._deals = deals

    def promise(self, *, taken: bool = False) -> Promised:
        """Makes the promise for a new game; returns its public part, without the secret."""
        self.promises.append(self._deals.new_promise(self, taken))
        return _public(self.promises[-1])

    def freeze(self, game: str, words: Words) -> None:
        """Fixes the players' words for a promised game."""
        self.frozen.append(facts.Frozen(game, entropy(words), self.wall))

    def house(self, game: str, words: Words | None, taken: Sequence[Pack] = ()) -> House:
        """The shuffling function of a promised game, after the packs that are taken from
        another.
        """
        return _after(taken, shuffler(self._find(game), words).house)

    def seed(self, game: str) -> str:
        """The secret of a game that is over."""
        return self._find(game).seed

    def _find(self, game: str) -> facts.Promise:
        fresh = next((promise for promise in self.promises if promise.game == game), None)
        return fresh or self._deals.promise_of(game)


class ReplayedDeals(play.DealSource):
    """The deals of a table that is being rebuilt: its stored promises and shuffled packs, in order.

    Each shuffle is made again and compared with the stored pack.
    """

    def __init__(self, promises: Iterable[facts.Promise] = (), packs: Iterable[str] = ()) -> None:
        self._promises: dict[str, facts.Promise] = {}
        self._unused: deque[facts.Promise] = deque()
        self._packs: deque[str] = deque()
        self.add(promises, packs)

    def add(self, promises: Iterable[facts.Promise], packs: Iterable[str]) -> None:
        """Adds the promises after those that are known, and further packs."""
        new: list[facts.Promise] = []
        for promise in promises:  # those before a known one are of games that are over
            new = [] if promise.game in self._promises else [*new, promise]
        self._promises.update((promise.game, promise) for promise in new)
        self._unused.extend(new)
        self._packs.extend(packs)

    @property
    def promises(self) -> Iterable[facts.Promise]:
        """All stored promises."""
        return self._promises.values()

    def know(self, promises: Iterable[facts.Promise]) -> None:
        """Adds promises that the table has made already."""
        self._promises.update((promise.game, promise) for promise in promises)

    def promise(self, *, taken: bool = False) -> Promised:
        """The next stored promise.

        Raises `ReplayMismatch` if there is none, or if its secret does not fit its commitment.
        """
        if not self._unused:
            raise ReplayMismatch("a game is promised that was not")
        promise = self._unused.popleft()
        if promise.digest != commitment(promise.seed):
            raise ReplayMismatch(f"the secret of {promise.game} is not the one that was promised")
        return _public(promise)

    def freeze(self, game: str, words: Words) -> None:
        """Does nothing: the words were stored when the game was first played."""

    def house(self, game: str, words: Words | None, taken: Sequence[Pack] = ()) -> House:
        """The shuffling function. It raises `ReplayMismatch` if a pack differs from the
        stored one.
        """

        def house(n: int, pack: Sequence[Card]) -> Pack:
            made = _after(taken, shuffler(self.promise_of(game), words).house)
            dealt = made(n, pack)
            stored = self._packs.popleft() if self._packs else None
            if stored is None or Shuffle.of(stored).cards != dealt:
                raise ReplayMismatch(f"shuffle {n} of {game} is not the one that was promised")
            return dealt

        return house

    def seed(self, game: str) -> str:
        """The secret of a game that is over."""
        return self.promise_of(game).seed

    def promise_of(self, game: str) -> facts.Promise:
        """The stored promise of a game."""
        return self._promises[game]


def shuffler(promise: facts.Promise, words: Words | None) -> FairShuffle:
    """The shuffling function of a promised game, from its secret and the players' words.

    For a game that continues another one, it makes the shuffles after the packs taken.
    """
    if promise.alg == DUPLICATE_ALG:
        # Both tables of a pair meet the same deals, so it is not the number of either's game.
        return FairShuffle(promise.seed, DUPLICATE_ALG, entropy(words or ()))
    if promise.alg in (REPEATABLE_ALG, DAILY_ALG):
        # The same seed gives the same deal at any table, so the number of the game is not used.
        return FairShuffle(promise.seed, promise.alg)
    return FairShuffle(promise.seed, promise.game, entropy(words or ()))


def _after(taken: Sequence[Pack], house: House) -> House:
    """A shuffling function whose first results are these packs."""
    return lambda n, pack: taken[n - 1] if n <= len(taken) else house(n, pack)


def _public(promise: facts.Promise) -> Promised:
    return Promised(promise.game, promise.no, promise.alg, promise.digest)
