"""What the searching bot needs of Twenty-Two: worlds, moves worth a look, and how hands end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from twentytwo_protocol.cards import Card
from twentytwo_protocol.games.twentytwo import Exchange, Exchanged
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import (
    Dealt,
    Game_,
    Hand_,
    Out,
    Played,
    Scored,
    Trick,
    Turn,
)

from ..game import Pick
from .following import covers, reading
from .hands import BYTES, LETTERS, Cards, Ranks, ranks, sorted_hand, without
from .leading import leads
from .legal import Plays, play_of
from .rollout import (
    Rollout,
    of_exchanging,
    of_playing,
    showdown_order,
    worth_following,
    worth_leading,
)
from .rules import TwentyTwoRules
from .seating import circle, left_of
from .showdown import highest, score
from .states import Exchanging, Over, Playing, Standing, State, full_pack
from .tricks import may_win

LOOKED_AT = 14
"""The most plays that are tried."""
RISK = 1.2
"""How much more a lead in the score is worth than it looks: the power in `chances`."""


# ------------------------------------------------------------------ what the seat has seen


@dataclass(slots=True)
class Seen:
    """A hand as one seat has seen it, folded from its events.

    `floors` are the lowest ranks that seats can still hold: whoever threw the lowest cards
    holds none below them. `gone` are all cards known to be in no other hand.
    """

    rules: TwentyTwoRules
    seat: int
    seats: int = 0
    totals: list[int] = field(default_factory=list)
    kept: list[Cards] = field(default_factory=list)
    fell: list[int] = field(default_factory=list)
    no: int = 0
    dealer: int = 0
    stock: int = 0
    hand: Cards = b""
    sizes: dict[int, int] = field(default_factory=dict)
    floors: dict[int, int] = field(default_factory=dict)
    gone: bytearray = field(default_factory=bytearray)
    exchanged: list[int] = field(default_factory=list)
    trick: int = 0
    leader: int = 0
    plays: list[tuple[int, Cards]] = field(default_factory=list)

    def take(self, happened: Event) -> None:
        """Takes in what the seat was shown."""
        match happened:
            case Game_(size=size):
                self.seats = size
                self.totals, self.fell = [0] * size, [0] * size
                self.kept = [b""] * size
            case Hand_():
                self.no, self.dealer, self.stock = happened.no, happened.dealer, happened.stock
                self.sizes, self.floors, self.exchanged = {}, {}, []
                self.gone, self.trick, self.plays = bytearray(), 0, []
            case Dealt(seat=seat, n=n, cards=cards):
                self.sizes[seat], self.floors[seat] = n, 0
                if cards is not None:
                    self.hand = _bytes(cards)
            case Exchanged():
                self._exchange(happened)
            case Trick(trick=trick, seat=seat):
                self.trick, self.leader, self.plays = trick, seat, []
            case Played():
                self._play(happened)
            case Scored(seat=seat, card=card) if seat and card:
                self.totals[seat - 1] = happened.total
                if self.rules.keep_cards == "yes":
                    self.kept[seat - 1] += _bytes((card,))
            case Out(seat=seat):
                self.fell[seat - 1] = self.no
                if self.rules.dead_cards == "back":
                    self.kept[seat - 1] = b""

    def _exchange(self, happened: Exchanged) -> None:
        self.stock -= happened.n
        self.exchanged.append(happened.seat)
        if happened.gave is not None and happened.got is not None:
            gave = _bytes(happened.gave)
            self.hand = sorted_hand(without(self.hand, gave) + _bytes(happened.got))
            self.gone += gave

    def _play(self, happened: Played) -> None:
        seat, cards = happened.seat, _bytes(happened.cards)
        self.sizes[seat] = happened.left
        self.plays.append((seat, cards))
        if seat == self.seat:
            self.hand = without(self.hand, cards)
        self.gone += cards
        if happened.kind == "low":
            self.floors[seat] = max(self.floors[seat], cards[0] >> 2)

    # ---------------------------------------------------------------------------- a world

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that were dealt cards in this hand."""
        return tuple(sorted(self.sizes))

    def standing(self) -> Standing:
        """What lasts from hand to hand, as far as it matters within one."""
        runoff = any(self.totals[seat - 1] >= self.rules.limit for seat in self.playing)
        return Standing(
            self.rules,
            self.seats,
            self.playing,
            tuple(self.totals),
            tuple(self.kept),
            tuple(self.fell),
            self.rules.first_hand,
            self.no,
            self.dealer,
            runoff,
        )

    def hidden(self, standing: Standing) -> bytearray:
        """The cards that may be in another hand, in the stock, or thrown away by others."""
        left = bytearray(full_pack(self.rules, self.seats))
        for card in (*b"".join(standing.kept), *self.hand, *self.gone):
            if card in left:
                left.remove(card)
        return left


def _bytes(cards: Sequence[Card]) -> Cards:
    return bytes(BYTES[card if card in BYTES else card[0]] for card in cards)


def imagined(seen: Seen, pick: Pick) -> State:
    """A state that fits what was seen, the seat on turn: hidden cards dealt at random."""
    standing = seen.standing()
    hidden = seen.hidden(standing)
    _shuffle(hidden, pick)
    hands = [b""] * seen.seats
    hands[seen.seat - 1] = seen.hand
    # Those of whom most is known are dealt first: they can hold the fewest of the cards.
    for seat in sorted(seen.playing, key=lambda seat: -seen.floors[seat]):
        if seat != seen.seat:
            hands[seat - 1] = _dealt(hidden, seen.sizes[seat], seen.floors[seat])
    if seen.trick:
        return _in_a_trick(seen, standing, tuple(hands))
    leader = left_of(seen.dealer, seen.playing, seen.seats, seen.rules)
    place = seen.playing.index(seen.seat)
    waiting = _from(seen.playing, place, leader)
    return Exchanging(standing, tuple(hands), bytes(hidden[: seen.stock]), waiting, leader)


def _from(playing: tuple[int, ...], place: int, leader: int) -> tuple[int, ...]:
    """The seats that still exchange: from the one at `place` to the last before the leader."""
    round_ = playing[place:] + playing[:place]
    return round_[: round_.index(leader)] if leader in round_[1:] else round_


def _dealt(hidden: bytearray, size: int, floor: int) -> Cards:
    fitting = [card for card in hidden if card >> 2 >= floor][:size]
    if len(fitting) < size:
        # Two that threw their lowest from the same few cards: take what there is.
        fitting += [card for card in hidden if card >> 2 < floor][: size - len(fitting)]
    for card in fitting:
        hidden.remove(card)
    return sorted_hand(fitting)


def _shuffle(cards: bytearray, pick: Pick) -> None:
    for last in range(len(cards) - 1, 0, -1):
        other = pick(last + 1)
        cards[last], cards[other] = cards[other], cards[last]


def _in_a_trick(seen: Seen, standing: Standing, hands: tuple[Cards, ...]) -> Playing:
    bar = best = b""
    winner, winning = 0, b""
    for seat, cards in seen.plays:
        counts_as = reading(ranks(cards))
        if not bar:
            bar, best, winner, winning = counts_as, counts_as, seat, cards
            continue
        if seen.rules.bar == "best" and covers(counts_as, bar):
            bar = counts_as
        if covers(counts_as, best) and may_win(counts_as, seen.rules):
            best, winner, winning = counts_as, seat, cards
    next_seat = circle(standing.playing, standing.seats)
    return Playing(
        standing,
        next_seat,
        hands,
        seen.trick,
        seen.leader,
        seen.seat,
        bar,
        best,
        winner,
        winning,
    )


# ------------------------------------------------------------------------ what it is worth


def chances(standing: Standing) -> list[float]:
    """About how likely each seat is to win the game from here, by how far it is from going out."""
    limit = standing.rules.limit
    weights = [
        float(1 + limit - total) ** RISK if seat in standing.playing else 0.0
        for seat, total in enumerate(standing.totals, 1)
    ]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def hand_over(rollout: Rollout, standing: Standing) -> list[float]:
    """What the end of a hand is worth to each seat."""
    rollout.last_cards()
    order = showdown_order(rollout, standing.playing)
    last = {seat: rollout.hands[seat][0] << 2 for seat in order}
    losers = highest(last)
    if standing.runoff:
        return _shared(standing, [seat for seat in order if seat not in losers] or list(order))
    points = standing.rules.points_of(LETTERS[last[losers[0]] >> 2])
    after = score(standing, dict.fromkeys(losers, 0), points)
    if after.playing:
        return chances(after)
    return _shared(standing, _best(standing, after))


def _best(before: Standing, after: Standing) -> list[int]:
    if after.rules.all_out == "shared":
        return list(before.playing)
    least = min(after.totals[seat - 1] for seat in before.playing)
    return [seat for seat in before.playing if after.totals[seat - 1] == least]


def _shared(standing: Standing, winners: Sequence[int]) -> list[float]:
    return [(seat in winners) / len(winners) for seat in range(1, standing.seats + 1)]


# ----------------------------------------------------------------------- moves worth a look


def exchanges(hand: Ranks, most: int) -> Iterator[Ranks]:
    """Exchanges worth a look: from the middle of the ranks outwards, and the highest."""
    tried = set()
    for low, high in ((3, 9), (2, 9), (3, 10), (4, 9), (1, 10), (3, 11), (5, 11), (0, 12)):
        middle = (low + high) / 2
        found = sorted(
            (rank for rank in hand if low <= rank <= high), key=lambda rank: abs(rank - middle)
        )
        for count in {len(found), len(found) - 1, len(found) - 2}:
            gone = bytes(sorted(found[: min(count, most)])) if count > 0 else b""
            if gone not in tried:
                tried.add(gone)
                yield gone


class TwentyTwoSearch:
    """Twenty-Two and Twenty-Six, searched hand by hand."""

    version = 1

    def known(self, rules: TwentyTwoRules, seat: int, seen: Sequence[Event]) -> Seen:
        """All that matters of what the seat has seen of this game."""
        known = Seen(rules, seat)
        for happened in seen:
            known.take(happened)
        return known

    def imagine(self, known: Seen, turn: Turn, pick: Pick) -> State:
        """A state that fits what is known, the seat on turn."""
        return imagined(known, pick)

    def candidates(self, state: State) -> Sequence[Deed]:
        """The moves worth a look for the seat on turn."""
        if isinstance(state, Exchanging):
            hand = ranks(state.hands[state.waiting[0] - 1])
            return [
                Exchange(tuple(LETTERS[rank] for rank in gone))
                for gone in exchanges(hand, len(state.stock))
            ]
        assert isinstance(state, Playing)
        return _plays(state)

    def playout(self, state: State, pick: Pick) -> Sequence[float]:
        """How the hand ends for each seat when everybody plays on by the policy."""
        if isinstance(state, Exchanging):
            return hand_over(of_exchanging(state), state.standing)
        if isinstance(state, Playing):
            return hand_over(of_playing(state), state.standing)
        if isinstance(state, Over):
            return _shared(state.standing, state.winners)
        return chances(state.standing)


def _plays(state: Playing) -> list[Deed]:
    hand, rules = state.hands[state.seat - 1], state.standing.rules
    held = ranks(hand)
    plays = Plays(hand, state.bar, rules)
    if len(plays) <= LOOKED_AT:
        return list(plays)
    if state.bar:
        found = [_ranks_of(deed.token) for deed in plays]
        found.sort(key=lambda play: -worth_following(held, state.bar, play))
    else:
        found = sorted(leads(hand, rules), key=lambda play: -worth_leading(held, play))
    return [play_of(play) for play in found[:LOOKED_AT]]


def _ranks_of(token: str) -> Ranks:
    return bytes(LETTERS.index(letter) for letter in token.split("+"))


SEARCH = TwentyTwoSearch()
