"""Samples worlds for a seat: the possible holders of the hidden cards, likelier worlds more often.

The holders are other hands, the cards exchanged by others, and the rest. The hidden cards are dealt
to them at random. Then pairs of cards are swapped repeatedly; a swap is accepted with a probability
that depends on how it changes the likelihood of the events (the Metropolis algorithm). So worlds
are sampled by their likelihood, given the plays of all seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from ...chance import RandomBelow, shuffle
from ..hands import JOKERS, RANK_OF, Cards, Ranks, sorted_hand
from ..seating import circle, left_of
from ..states import Exchanging, Playing, State
from .knowledge import Knowledge
from .likelihood import hand_likelihood, thrown_likelihoods

BURN_IN = 6
"""Swaps tried for each card of a group before the first world."""
BETWEEN = 1
"""Swaps tried between two worlds. So few leave the worlds correlated, which does no harm, because
every move is tried in all worlds.
"""
_ANY = -1_000_000
_DRAWS = 4096
_SPARED = [round(-100 * log((draw + 0.5) / _DRAWS)) for draw in range(_DRAWS)]
"""The maximum loss of likelihood for an accepted swap, by the random number drawn."""

_NOTHING = (0,) * (JOKERS + 1)


class Found:
    """Cached likelihoods of a hand: `exact` ones, and upper bounds of others."""

    __slots__ = ("at_most", "exact")

    def __init__(self) -> None:
        self.exact: dict[Ranks, int] = {}
        self.at_most: dict[Ranks, int] = {}


class Worlds:
    """Yields worlds for a seat on turn."""

    def __init__(
        self, seen: Knowledge, pick: RandomBelow, keenness: int, found: dict[int, Found]
    ) -> None:
        """`keenness` is the weight of plays: see `likelihood`.

        `found` is the shared cache of worlds with the same knowledge, by seat.
        """
        self._seen = seen
        self._keenness = keenness
        self._pick = pick
        self._standing = seen.standing()
        self._cards = seen.hidden(self._standing)
        self._groups: list[tuple[int, int, int]] = []
        self._group_of: list[int] = []
        self._adds: list[Sequence[int] | None] = []
        self._found = found
        self._deal()
        self._likelihoods = [self._first_likelihood(group) for group in range(len(self._adds))]
        self._mix(BURN_IN)

    def next(self) -> State:
        """The next world, with the seat on turn."""
        self._mix(BETWEEN)
        hands = [b""] * self._seen.seats
        hands[self._seen.seat - 1] = self._seen.hand
        for seat, first, end in self._groups:
            if seat:
                hands[seat - 1] = sorted_hand(self._cards[first:end])
        return self._state(tuple(hands))

    # ------------------------------------------------------------------------- the groups

    def _deal(self) -> None:
        """Deals the cards to groups; the most constrained groups come first."""
        seen = self._seen
        shuffle(self._cards, self._pick)
        rest, dealt = self._cards, bytearray()
        others = [seat for seat in seen.playing if seat != seen.seat]
        for seat in sorted(others, key=lambda seat: -seen.floors[seat]):
            cards = _dealt(rest, seen.sizes[seat], seen.floors[seat])
            self._add_group(seat, len(dealt), len(cards), None)
            dealt += cards
        for seat in others:
            exchanged = min(seen.exchanged.get(seat, 0), len(rest))
            if exchanged:
                size = seen.sizes[seat] + sum(len(play) for _, play, _ in seen.acts[seat])
                self._add_group(0, len(dealt), exchanged, thrown_likelihoods(size))
                dealt += rest[:exchanged]
                del rest[:exchanged]
        self._cards = dealt + rest
        self._group_of += [len(self._groups)] * len(rest)
        self._adds.append(_NOTHING)  # the rest does not affect the likelihood

    def _add_group(self, seat: int, first: int, size: int, adds: Sequence[int] | None) -> None:
        """Adds a group: a hand, or cards that each add to the likelihood by their rank."""
        self._group_of += [len(self._groups)] * size
        self._groups.append((seat, first, first + size))
        self._adds.append(adds)
        if adds is None:
            self._found.setdefault(seat, Found())

    def _first_likelihood(self, group: int) -> int:
        adds = self._adds[group]
        if adds is None:
            return self._hand_likelihood(group, _ANY)
        if adds is _NOTHING:
            return 0
        _, first, end = self._groups[group]
        return sum([adds[card >> 2] for card in self._cards[first:end]])

    # ------------------------------------------------------------------------- the trades

    def _hand_likelihood(self, group: int, least: int) -> int:
        """The likelihood of a seat's actions with this hand, if it is at least `least`."""
        seat, first, end = self._groups[group]
        held = bytes(sorted(self._cards[first:end])).translate(RANK_OF)
        before = self._found[seat]
        found = before.exact.get(held)
        if found is None:
            at_most = before.at_most.get(held, 0)
            if at_most < least:
                return at_most
            seen = self._seen
            must = seen.rules.heading == "mandatory"
            kept, acts = seen.kept_by.get(seat), seen.acts[seat]
            found = hand_likelihood(held, acts, kept, must, self._keenness, least)
            (before.exact if found >= least else before.at_most)[held] = found
        return found

    def _mix(self, rounds: int) -> None:
        """Tries `rounds` swaps for every card of a group."""
        cards, group_of = self._cards, self._group_of
        inside, every = self._groups[-1][2] if self._groups else 0, len(cards)
        for _ in range(rounds * inside):
            mine, other = divmod(self._pick(inside * every), every)
            if group_of[mine] != group_of[other] and cards[mine] >> 2 != cards[other] >> 2:
                self._trade(mine, other)

    def _trade(self, mine: int, other: int) -> None:
        cards, likely = self._cards, self._likelihoods
        here, there = self._group_of[mine], self._group_of[other]
        adds_here, adds_there = self._adds[here], self._adds[there]
        goes, comes = cards[mine] >> 2, cards[other] >> 2
        least = likely[here] + likely[there] - _SPARED[self._pick(_DRAWS)]
        # A hand comes last, because it is expensive: until then assume the highest likelihood.
        now_here = likely[here] + adds_here[comes] - adds_here[goes] if adds_here else 0
        now_there = likely[there] + adds_there[goes] - adds_there[comes] if adds_there else 0
        if now_here + now_there < least:
            return
        cards[mine], cards[other] = cards[other], cards[mine]
        if not adds_here:
            now_here = self._hand_likelihood(here, least - now_there)
        if not adds_there and now_here + now_there >= least:
            now_there = self._hand_likelihood(there, least - now_here)
        if now_here + now_there < least:
            cards[mine], cards[other] = cards[other], cards[mine]
        else:
            likely[here], likely[there] = now_here, now_there

    # -------------------------------------------------------------------------- the state

    def _state(self, hands: tuple[Cards, ...]) -> State:
        seen = self._seen
        if seen.trick:
            return Playing(
                self._standing,
                circle(seen.playing, seen.seats),
                hands,
                seen.trick,
                seen.leader,
                seen.seat,
                seen.bar,
                seen.best,
                seen.winner,
                seen.winning,
            )
        leader = left_of(seen.dealer, seen.playing, seen.seats, seen.rules)
        index = seen.playing.index(seen.seat)
        waiting = _from(seen.playing, index, leader)
        stock = self._cards[self._groups[-1][2] :]
        shuffle(stock, self._pick)
        return Exchanging(self._standing, hands, bytes(stock), waiting, leader)


def _from(playing: tuple[int, ...], index: int, leader: int) -> tuple[int, ...]:
    """The seats still to exchange: from the seat at `index` to the last before the leader."""
    round_ = playing[index:] + playing[:index]
    return round_[: round_.index(leader)] if leader in round_[1:] else round_


def _dealt(hidden: bytearray, size: int, floor: int) -> bytes:
    """Takes `size` hidden cards, none below the floor if there are enough."""
    fitting = [card for card in hidden if card >> 2 >= floor][:size]
    if len(fitting) < size:
        # Two seats threw their lowest cards from the same few: take the cards that remain.
        fitting += [card for card in hidden if card >> 2 < floor][: size - len(fitting)]
    for card in fitting:
        hidden.remove(card)
    return bytes(fitting)
