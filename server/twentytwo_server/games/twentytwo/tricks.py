"""The tricks of a hand, up to the showdown of the last cards."""

from __future__ import annotations

from twentytwo_protocol.cards import Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Played, Took, Trick

from .following import covers, reading
from .hands import JOKERS, LETTERS, TOKENS, Cards, Ranks, ranks, without
from .seating import circle
from .showdown import showdown
from .states import Playing, Standing, Step


def begin(
    standing: Standing, hands: tuple[Cards, ...], leader: int
) -> Step:
    """The first trick; or, with hands of one card, the showdown at once."""
    if len(hands[leader - 1]) == 1:
        return showdown(standing, hands, leader)
    next_seat = circle(standing.playing, standing.seats)
    return Playing(standing, next_seat, hands, 1, leader, leader), [Trick(1, leader)]


def played(state: Playing, cards: Cards) -> Step:
    """After the seat on turn has played these cards, highest first, which it may."""
    seat, rules = state.seat, state.standing.rules
    hand = without(state.hands[seat - 1], cards)
    hands = (*state.hands[: seat - 1], hand, *state.hands[seat:])
    counts_as = reading(ranks(cards))
    shown = written(cards, counts_as)
    bar, best, winner, winning = state.bar, state.best, state.winner, state.winning
    if not bar:
        kind = "lead"
        bar = counts_as
    else:
        kind = "low" if hand[0] >> 2 >= cards[0] >> 2 else "follow"
        if rules.bar == "best" and covers(counts_as, bar):
            bar = counts_as
    if kind == "lead" or _wins(counts_as, best, rules.winner):
        # pagat: the last of equal plays wins; a lowest play that covers, too
        kind = "lead" if kind == "lead" else "beat"
        best, winner, winning = counts_as, seat, shown
    events: list[Event] = [Played(seat, shown, kind, len(hand))]
    seat = state.next_seat[seat]
    if seat == state.leader:
        return _taken(state, hands, winner, winning, events)
    return (
        Playing(
            state.standing,
            state.next_seat,
            hands,
            state.trick,
            state.leader,
            seat,
            bar,
            best,
            winner,
            winning,
        ),
        events,
    )


def _wins(counts_as: Ranks, best: Ranks, winner: str) -> bool:
    """Whether a play is the best so far, given the one before."""
    if winner == "set" and counts_as.count(counts_as[0]) < len(counts_as):
        return False  # rasmussen: unmatched cards cannot win
    return covers(counts_as, best)


def written(cards: Cards, counts_as: Ranks) -> tuple[Card, ...]:
    """The cards of a play as it is shown, a joker with the rank that it takes."""
    if cards[0] >> 2 != JOKERS:
        return tuple([TOKENS[card] for card in cards])
    joker = TOKENS[cards[0]] + LETTERS[counts_as[0]]
    return tuple(joker if card >> 2 == JOKERS else TOKENS[card] for card in cards)


def _taken(
    state: Playing,
    hands: tuple[Cards, ...],
    winner: int,
    winning: tuple[Card, ...],
    events: list[Event],
) -> Step:
    events.append(Took(winner, state.trick, winning))
    if len(hands[winner - 1]) == 1:
        after, more = showdown(state.standing, hands, winner)
        return after, events + more
    trick = state.trick + 1
    events.append(Trick(trick, winner))
    return Playing(state.standing, state.next_seat, hands, trick, winner, winner), events
