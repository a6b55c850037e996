"""The search of Twenty-Two: worlds, candidate moves, and the ends of hands."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from math import exp

from twentytwo_protocol.games.twentytwo import Exchange
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Handover, Turn

from ...chance import RandomBelow
from ...searchable import Ends, Stake
from ...sums import added
from ..hands import RANK_LETTERS, Ranks, ranks
from ..leading import leads
from ..legal import Plays, play_of
from ..policy import worth_following, worth_leading
from ..rules import TwentyTwoRules
from ..states import Drawing, Exchanging, Over, Playing, Standing, State
from .knowledge import Knowledge
from .likelihood import CHOOSING, TELLING
from .reasons import reason
from .rollout import Rollout, of_exchanging, of_playing
from .worlds import Found, Worlds

LOOKED_AT = 14
"""Maximum number of plays that are tried."""
SMALL = 7
"""Maximum hand size with more candidate exchanges."""
MIDDLES = ((3, 9), (2, 9), (3, 10), (4, 9), (1, 10), (3, 11), (5, 11), (0, 12))
"""The lowest and highest ranks that are exchanged from a larger hand."""
STEEP = 3.0
"""The weight of the score: the advantage of 0 points over the limit is e to this power."""


# ------------------------------------------------------------------------ what it is worth


def chances(standing: Standing, totals: Sequence[int], playing: Container[int]) -> list[float]:
    """The approximate chance of each seat to win the game, by its score.

    Fitted to the hands of a thousand games of four steady players, for two to four players left.
    """
    limit = standing.rules.limit
    weights = [
        exp(-STEEP * total / limit) if seat in playing else 0.0
        for seat, total in enumerate(totals, 1)
    ]
    whole = added(weights)
    return [weight / whole for weight in weights]


def hand_over(rollout: Rollout, standing: Standing) -> Ends:
    """The worth of the end of a hand for each seat, and the losing seats."""
    hands, playing = rollout.last_cards(), standing.playing
    high = max(hands[seat] for seat in playing)
    losers = [seat for seat in playing if hands[seat] == high]
    lost = [float(seat in losers) for seat in range(1, standing.seats + 1)]
    if standing.runoff:
        return _ends(
            _shared(standing, [seat for seat in playing if seat not in losers] or playing), lost
        )
    points = standing.rules.points_of(RANK_LETTERS[high[0]])
    totals = [
        total + points if seat in losers else total for seat, total in enumerate(standing.totals, 1)
    ]
    left = [seat for seat in playing if totals[seat - 1] < standing.rules.limit]
    if left:
        return _ends(chances(standing, totals, left), lost)
    return _ends(_shared(standing, _best(standing, totals)), lost)


def _ends(win: list[float], lost: list[float]) -> Ends:
    """The ends of a hand, with the chance to win the game as worth."""
    return Ends(win, lost, win)


def _best(standing: Standing, totals: Sequence[int]) -> Sequence[int]:
    """The winners if all remaining players go out together."""
    if standing.rules.all_out == "shared":
        return standing.playing
    least = min(totals[seat - 1] for seat in standing.playing)
    return [seat for seat in standing.playing if totals[seat - 1] == least]


def _shared(standing: Standing, winners: Sequence[int]) -> list[float]:
    return [(seat in winners) / len(winners) for seat in range(1, standing.seats + 1)]


# ----------------------------------------------------------------------- moves worth a look


def exchanges(hand: Ranks, most: int) -> Iterator[Ranks]:
    """Candidate exchanges: from a small hand any cards adjacent in rank; from a larger hand, ranges
    around the middle ranks, and the highest cards.
    """
    tried = set()
    for gone in _neighbours(hand, most) if len(hand) <= SMALL else _middles(hand, most):
        if gone not in tried:
            tried.add(gone)
            yield gone


def _neighbours(hand: Ranks, most: int) -> Iterator[Ranks]:
    yield b""
    for first in range(len(hand)):
        for end in range(first + 1, min(first + most, len(hand)) + 1):
            yield hand[first:end]


def _middles(hand: Ranks, most: int) -> Iterator[Ranks]:
    for low, high in MIDDLES:
        middle = (low + high) / 2
        found = sorted(
            (rank for rank in hand if low <= rank <= high), key=lambda rank: abs(rank - middle)
        )
        for count in {len(found), len(found) - 1, len(found) - 2}:
            yield bytes(sorted(found[: min(count, most)])) if count > 0 else b""


ALIKE = 20
"""Number of worlds from one run for figures, limited because the worlds of a run are correlated."""


class Known:
    """The knowledge of a seat and its sampled worlds: for `figures`, or for choosing a move."""

    def __init__(self, seen: Knowledge, *, figures: bool) -> None:
        self.seen = seen
        self._keenness = TELLING if figures else CHOOSING
        self._alike = ALIKE if figures else 0
        self._found: dict[int, Found] = {}
        self._worlds: Worlds | None = None
        self._count = 0

    def world(self, pick: RandomBelow) -> State:
        """The next world; likelier worlds come more often."""
        if self._worlds is None or self._count == self._alike:
            self._worlds = Worlds(self.seen, pick, self._keenness, self._found)
            self._count = 0
        self._count += 1
        return self._worlds.next()


class TwentyTwoSearch:
    """Twenty-Two and Twenty-Six, searched hand by hand."""

    version = 5
    stake = Stake("you lose the hand", "lose the hand")

    def known(
        self, rules: TwentyTwoRules, seat: int, seen: Sequence[Event], *, figures: bool = False
    ) -> Known:
        """The knowledge of a seat about the current hand.

        For figures the plays of others have more weight.
        """
        known = Knowledge(rules, seat)
        for happened in seen:
            known.take(happened)
        return Known(known, figures=figures)

    def imagine(self, known: Known, turn: Turn, pick: RandomBelow) -> State:
        """A state that fits the knowledge, with the seat on turn."""
        return known.world(pick)

    def candidates(self, state: State) -> Sequence[Deed]:
        """The candidate moves for the seat on turn."""
        if isinstance(state, Exchanging):
            hand = ranks(state.hands[state.waiting[0] - 1])
            return [
                Exchange(tuple(RANK_LETTERS[rank] for rank in gone))
                for gone in exchanges(hand, len(state.stock))
            ]
        assert isinstance(state, Playing)
        return _plays(state)

    def playout(self, state: State, happened: Sequence[Event], pick: RandomBelow) -> Ends:
        """The end of the hand if everybody plays on by the policy, and the losing seats."""
        if isinstance(state, Exchanging):
            return hand_over(of_exchanging(state), state.standing)
        if isinstance(state, Playing):
            return hand_over(of_playing(state), state.standing)
        standing = state.standing
        lost = _lost(state, happened)
        if isinstance(state, Over):
            return _ends(_shared(standing, state.winners), lost)
        return _ends(chances(standing, standing.totals, standing.playing), lost)

    def reason(self, known: Known, turn: Turn, token: str) -> str:
        """The reason for a move, from what the seat sees."""
        return reason(known.seen, turn, token)

    def risks_alike(self, turn: Turn) -> bool:
        """Always True: a lost hand costs the same after any move."""
        return True

    def fact(self, turn: Turn) -> str:
        """Empty: figures never mislead in this game."""
        return ""


def _lost(state: State, happened: Sequence[Event]) -> list[float]:
    """The seats that lost the hand ended by this move."""
    closing = [state.closing] if isinstance(state, Drawing) else []
    losers = [
        seat
        for event in (*happened, *closing)
        if isinstance(event, Handover)
        for seat in event.losers
    ]
    return [float(seat in losers) for seat in range(1, state.standing.seats + 1)]


def _plays(state: Playing) -> list[Deed]:
    hand, rules = state.hands[state.seat - 1], state.standing.rules
    held = ranks(hand)
    plays = Plays(hand, state.bar, rules)
    if len(plays) <= LOOKED_AT:
        return list(plays)
    if state.bar:
        found = [_ranks_of(deed.token) for deed in plays]
        last = state.next_seat[state.seat] == state.leader
        found.sort(key=lambda play: -worth_following(held, state.bar, play, last))
    else:
        found = sorted(leads(hand, rules), key=lambda play: -worth_leading(held, play))
    return [play_of(play) for play in found[:LOOKED_AT]]


def _ranks_of(token: str) -> Ranks:
    return bytes(RANK_LETTERS.index(letter) for letter in token.split("+"))


SEARCH = TwentyTwoSearch()
