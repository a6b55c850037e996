"""The tricks of a hand, up to the showdown of the last cards."""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import Card
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Played, Took, Trick

from ..game import Illegal
from .following import covers, reading
from .hands import CARD_TOKENS, JOKERS, RANK_LETTERS, RANK_OF, Cards, Ranks, ranks, tokens, without
from .legal import judged_play
from .rules import TwentyTwoRules
from .seating import circle
from .showdown import showdown
from .states import Playing, Standing, Step


def begin(standing: Standing, hands: tuple[Cards, ...], leader: int) -> Step:
    """The state before the first trick; with hands of one card, the state after the showdown."""
    if len(hands[leader - 1]) == 1:
        return showdown(standing, hands, leader)
    next_seat = circle(standing.playing, standing.seats)
    return Playing(standing, next_seat, hands, 1, leader, leader), [Trick(1, leader)]


def play(state: Playing, deed: Deed) -> Step:
    """The state after a play of the seat on turn. Raises `Illegal`."""
    standing, seat, bar = state.standing, state.seat, state.bar
    rules, hand = standing.rules, state.hands[seat - 1]
    cards = judged_play(deed, hand, bar, rules)
    if type(cards) is Illegal:
        raise cards
    alone = ALONE.get(cards)
    if alone is not None:
        hand = hand.replace(cards, b"", 1)
        counts_as, shown = alone
    else:
        hand = without(hand, cards[::-1])
        counts_as, shown = reading(cards.translate(RANK_OF)), written(cards)
    if not bar:
        kind, winner, winning = "lead", seat, cards
        bar = best = counts_as
    else:
        best, winner, winning = state.best, state.winner, state.winning
        covered = counts_as >= bar if alone else covers(counts_as, bar)
        beats = covered if best is bar else covers(counts_as, best)
        # If the play covers the bar, only its player may know that it is the lowest.
        kind = "follow" if covered else "low"
        if covered and rules.bar == "best":
            bar = counts_as
        if beats and (rules.winner == "bar" or may_win(counts_as, rules)):
            # pagat: the last of equal plays wins; and a lowest play that covers the bar is a best
            # play
            kind, best = "beat", counts_as
            winner, winning = seat, cards
    events: list[Event] = [Played(seat, shown, kind, len(hand))]
    after = [*state.hands]
    after[seat - 1] = hand
    hands, next_seat, trick = tuple(after), state.next_seat, state.trick
    seat, leader = next_seat[seat], state.leader
    if seat != leader:
        return Playing(
            standing, next_seat, hands, trick, leader, seat, bar, best, winner, winning
        ), events
    events.append(Took(winner, trick, written(winning)))
    if len(hands[winner - 1]) == 1:
        last, more = showdown(standing, hands, winner)
        return last, events + more
    events.append(Trick(trick + 1, winner))
    return Playing(standing, next_seat, hands, trick + 1, winner, winner), events


def may_win(counts_as: Ranks, rules: TwentyTwoRules) -> bool:
    """True if a play can win the trick."""
    # rasmussen: unmatched cards cannot win
    return rules.winner == "bar" or counts_as.count(counts_as[0]) == len(counts_as)


@lru_cache(maxsize=1 << 12)
def written(cards: Cards) -> tuple[Card, ...]:
    """The cards of a play as displayed, a joker with the rank that it takes."""
    if cards[0] >> 2 != JOKERS:
        return tokens(cards)
    joker = CARD_TOKENS[cards[0]] + RANK_LETTERS[reading(ranks(cards))[0]]
    return tuple(joker if card >> 2 == JOKERS else CARD_TOKENS[card] for card in cards)


ALONE = {
    card: (reading(ranks(card)), written(card)) for card in map(bytes, zip(range(len(CARD_TOKENS))))
}
"""The rank of every card played alone, and its displayed form."""
