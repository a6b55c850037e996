"""Measures the luck of the deal, independent of the play: simulated average players replay the same
hands.

An average player follows the rules of thumb of the game's best quick bot, with occasional random
moves. The cards of a seat are measured by the average losses of such players with these cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Handover, Shuffle, Turn

from ..games.chance import RandomBelow, shuffle
from ..games.game import HOUSE, AnyGame, Bot
from ..games.players import usual
from ..games.sums import added
from ..table.match import question
from .played_again import Hand, PlayedAgain

DUPLICATES = 48
"""Number of times that a hand is replayed."""
SLIP = 10
"""One of this number of moves is a random legal move."""
LONGEST = 1_000
"""Number of moves after which a replayed hand is abandoned: some hands are redealt many times."""


class HandLuck(Value):
    """The luck of a hand: its number, the `seats` of its players, and its `losers`.

    `expected` is, for each of `seats`, the fraction of replays in which the seat lost.
    """

    no: int
    seats: tuple[int, ...]
    expected: tuple[float, ...]
    losers: tuple[int, ...]


class Luck(Value):
    """The luck of a seat over a game, in hands.

    Average players would have lost `expected` of its `hands` with its cards. `share` is the mean of
    all seats. The seat itself lost `lost`.
    """

    seat: int
    hands: int
    expected: float
    share: float
    lost: int


def luck_of(played: PlayedAgain, hand: Hand, pick: RandomBelow) -> HandLuck | None:
    """The luck of a hand; None if the hand was not finished."""
    if hand.over is None:
        return None
    lost: Counter[int] = Counter()
    for _ in range(DUPLICATES):
        lost.update(_duplicate(played, hand, pick))
    expected = tuple(lost[seat] / DUPLICATES for seat in hand.seats)
    return HandLuck(hand.no, hand.seats, expected, hand.losers)


def lucks(hands: Sequence[HandLuck], seats: int) -> Iterator[Luck]:
    """The luck of every seat over these hands."""
    for seat in range(1, seats + 1):
        mine = [hand for hand in hands if seat in hand.seats]
        yield Luck(
            seat,
            len(mine),
            added(hand.expected[hand.seats.index(seat)] for hand in mine),
            added(added(hand.expected) / len(hand.seats) for hand in mine),
            sum(seat in hand.losers for hand in mine),
        )


def _duplicate(played: PlayedAgain, hand: Hand, pick: RandomBelow) -> tuple[int, ...]:
    """Replays a hand with average players; returns the losing seats."""
    game: AnyGame = played.game
    bots: dict[int, Bot] = {
        seat: game.bots.new(usual(game), played.rules, seat, pick) for seat in hand.seats
    }
    _show(bots, hand.known)
    state: Any = hand.state
    for _ in range(LONGEST):
        seat = game.turn(state)
        if seat is None:
            return ()
        if seat == HOUSE:
            pack = [*game.pack(state)]
            shuffle(pack, pick)
            state, happened = game.play(state, Shuffle(tuple(pack)))
        else:
            moves = game.moves(state)
            asked = question(moves, turn=0, seat=seat, ms=None, bank=None)
            if pick(SLIP) == 0:
                deed = moves.any(pick)
            else:
                told = redact(asked, seat)
                assert isinstance(told, Turn)
                deed = game.deeds[asked.act].of(bots[seat].choose(told))
            state, happened = game.play(state, deed)
        for event in happened:
            if isinstance(event, Handover):
                return event.losers
        _show(bots, tuple(happened))
    return ()


def _show(bots: Mapping[int, Bot], happened: Sequence[Event]) -> None:
    for seat, bot in bots.items():
        for event in happened:
            bot.see(redact(event, seat))
