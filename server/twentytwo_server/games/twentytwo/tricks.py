"""The tricks of a hand, up to the showdown of the last cards."""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Played, Took, Trick

from .following import covers, reading
from .hands import JOKERS, LETTERS, RANK_OF, TOKENS, Cards, Ranks, ranks, tokens, without
from .rules import TwentyTwoRules
from .seating import circle
from .showdown import showdown
from .states import Playing, Standing, Step, playing


def begin(standing: Standing, hands: tuple[Cards, ...], leader: int) -> Step:
    """The first trick; or, with hands of one card, the showdown at once."""
    if len(hands[leader - 1]) == 1:
        return showdown(standing, hands, leader)
    next_seat = circle(standing.playing, standing.seats)
    return Playing(standing, next_seat, hands, 1, leader, leader), [Trick(1, leader)]


def played(state: Playing, cards: Cards) -> Step:
    """After the seat on turn has played these cards, highest first, which it may."""
    standing, next_seat, before, trick, leader, seat, bar, best, winner, winning = state
    after = list(before)
    hand = after[seat - 1] = without(before[seat - 1], cards)
    hands = tuple(after)
    counts_as = cards.translate(RANK_OF)
    if counts_as[0] == JOKERS:
        counts_as = reading(counts_as)
    if not bar:
        kind = "lead"
        bar, best, winner, winning = counts_as, counts_as, seat, cards
    else:
        rules = standing.rules
        covered = covers(counts_as, bar)
        beats = covered if best is bar else covers(counts_as, best)
        # Whether it is really the lowest is the player's secret where it covers the bar.
        kind = "follow" if covered else "low"
        if covered and rules.bar == "best":
            bar = counts_as
        if beats and may_win(counts_as, rules):
            # pagat: the last of equal plays wins; and a lowest play that covers is a best play
            kind, best, winner, winning = "beat", counts_as, seat, cards
    happened = Played(seat, written(cards), kind, len(hand))
    seat = next_seat[seat]
    if seat == leader:
        return _taken(state, hands, winner, winning, happened)
    fields = standing, next_seat, hands, trick, leader, seat, bar, best, winner, winning
    return playing(Playing, fields), [happened]


def may_win(counts_as: Ranks, rules: TwentyTwoRules) -> bool:
    """Whether a play can win at all."""
    # rasmussen: unmatched cards cannot win
    return rules.winner == "bar" or counts_as.count(counts_as[0]) == len(counts_as)


_trick = lru_cache(maxsize=1 << 10)(Trick)


@lru_cache(maxsize=1 << 12)
def written(cards: Cards) -> tuple[Card, ...]:
    """The cards of a play as it is shown, a joker with the rank that it takes."""
    if cards[0] >> 2 != JOKERS:
        return tokens(cards)
    joker = TOKENS[cards[0]] + LETTERS[reading(ranks(cards))[0]]
    return tuple(joker if card >> 2 == JOKERS else TOKENS[card] for card in cards)


def _taken(
    state: Playing, hands: tuple[Cards, ...], winner: int, winning: Cards, happened: Played
) -> Step:
    standing, next_seat, _, trick, *_ = state
    events: list[Event] = [happened, Took(winner, trick, written(winning))]
    if len(hands[winner - 1]) == 1:
        after, more = showdown(standing, hands, winner)
        return after, events + more
    trick += 1
    events.append(_trick(trick, winner))
    fields = standing, next_seat, hands, trick, winner, winner, b"", b"", 0, b""
    return playing(Playing, fields), events
