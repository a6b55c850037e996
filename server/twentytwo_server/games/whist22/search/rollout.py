"""Plays a hand to its end by rules of thumb, without events, for the search.

Seats count from 0 here, as in the lists by seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twentytwo_protocol.cards import TAROT

from ..bidding import forbidden
from ..policy import WILD, best_bid, bid_costs, bits, blind_costs, choose, numbers, pack_bits
from ..states import Bidding, Playing


@dataclass(slots=True)
class Rollout:
    """A hand in a playout: `needs` is the number of tricks that each seat still needs."""

    hands: list[list[int]]
    held: list[int]
    needs: list[int]
    alive: int

    def to_the_end(self, leader: int) -> list[int]:
        """Plays all tricks; returns the distance of each seat from its bid."""
        while self.hands[leader]:
            leader = self.trick(leader, leader, -1, leader)
        return [abs(need) for need in self.needs]

    def trick(self, seat: int, leader: int, best: int, winner: int) -> int:
        """Plays a trick to its end from the seat on turn; returns its winner."""
        hands, needs, held = self.hands, self.needs, self.held
        seats = len(hands)
        coming = [(len(hands[s]), needs[s]) for s in self._to_come(seat, leader)]
        for index in range(len(coming)):
            hand = hands[seat]
            if len(hand) > 1:
                card, counts = choose(
                    hand,
                    needs[seat],
                    best,
                    seats - 1,
                    self.alive & ~held[seat],
                    tuple(coming[index + 1 :]),
                )
            else:
                card = counts = hand[0]
                if card == WILD:
                    counts = 22 if needs[seat] > 0 else 0
            hand.remove(card)
            held[seat] ^= 1 << card
            self.alive ^= 1 << card
            if counts > best:
                best, winner = counts, seat
            seat = seat + 1 if seat + 1 < seats else 0
        needs[winner] -= 1
        return winner

    def _to_come(self, seat: int, leader: int) -> Sequence[int]:
        """The seat on turn and those after it, to the end of the trick."""
        seats = len(self.hands)
        left = seats - (seat - leader) % seats
        return [(seat + index) % seats for index in range(left)]


def of_playing(state: Playing, stock: int) -> list[int]:
    """The final distance of each seat from its bid; `stock` are the cards left out."""
    of = numbers(state.standing.rules)
    hands = [sorted(of[card] for card in hand) for hand in state.hands]
    held = [bits(hand) for hand in hands]
    needs = [bid - won for bid, won in zip(state.bids, state.won, strict=True)]
    rollout = Rollout(hands, held, needs, sum(held) | stock)
    leader = state.leader - 1
    if state.best is not None:
        best = TAROT.order[state.best]
        leader = rollout.trick(state.seat - 1, leader, best, state.winner - 1)
    return rollout.to_the_end(leader)


def of_bidding(state: Bidding, stock: int) -> list[int]:
    """The final distance of each seat from its bid, after the other bids by the rule of thumb."""
    standing, size, seats = state.standing, state.size, state.standing.seats
    rules = standing.rules
    of = numbers(rules)
    hands = [sorted(of[card] for card in hand) for hand in state.hands]
    pack, blind = pack_bits(rules, size), rules.is_blind(size)
    bids = list(state.bids)
    first = standing.dealer % seats
    while len(bids) < seats:
        seat = (first + len(bids)) % seats
        if blind:
            shown = [hand[0] for s, hand in enumerate(hands) if s != seat]
            costs = blind_costs(shown, pack)
        else:
            costs = bid_costs(tuple(hands[seat]), seats - 1, pack)
        bids.append(best_bid(costs, forbidden(bids, size, seats, rules)))
    needs = [bids[(seat - first) % seats] for seat in range(seats)]
    held = [bits(hand) for hand in hands]
    return Rollout(hands, held, needs, sum(held) | stock).to_the_end(first)
