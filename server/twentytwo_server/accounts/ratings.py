"""Ratings: what a finished game says of how well its players play.

Plackett-Luce by the library `openskill`: each player has a mean and a spread, and a game of any
size, with ties, moves both. Partners are one team. A rating is for one game and one of its
presets, people and bots each among themselves.

A game counts if its table was opened for it, every seat is an account of one kind (all people, or
all programs), the deals were fair, and it was played to its end. What people win against bots, or
guests, says little that holds for others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from openskill.models import PlackettLuce

from twentytwo_protocol.vocabulary import vocabulary

from ..facts import GameEnded, Pool, Rated, SeatResult

MODEL = PlackettLuce()
MEAN, SPREAD = 25.0, 25.0 / 3
"""What everybody begins with."""
SHOWN, SCALE = 1500, 40
"""How ratings are shown: `SHOWN` is the mean at first, `SCALE` what one point of it is worth."""


def pool_of(ended: GameEnded, programs: Collection[int] = ()) -> Pool | None:
    """In which pool a game counts; None where it does not.

    `programs` are the seats where an account's program plays.
    """
    if not ended.rated or ended.why == "aborted" or len(ended.seats) < 2:
        return None
    if any(seat.place < 1 or seat.name.startswith("~") for seat in ended.seats):
        return None
    bots = {seat.name.startswith("bot:") for seat in ended.seats}
    if bots == {True} or (bots == {False} and programs):
        return Pool.BOTS
    return Pool.PEOPLE if bots == {False} else None


def rated_name(played: SeatResult) -> str:
    """Under which name somebody is rated: a bot's has its version."""
    return f"{played.who}/{played.version}" if played.version else played.name


def rated(ended: GameEnded, pool: Pool, before: Mapping[str, Rated]) -> list[Rated]:
    """Everybody's rating after a game that counts in a pool, by seat.

    `before` are the ratings for this game, rules and pool so far, by the name that is rated;
    whoever is missing has none yet.
    """
    seats = {seat.seat: seat for seat in ended.seats}
    sides = [[seats[number] for number in side] for side in _sides(ended.key, seats)]
    teams = [[_rating(before.get(rated_name(seat))) for seat in side] for side in sides]
    places = [float(min(seat.place for seat in side)) for side in sides]
    after: list[list[Any]] = MODEL.rate(teams, ranks=places)
    moved = {
        seat.seat: _after(ended, pool, rated_name(seat), before, rating)
        for side, ratings in zip(sides, after, strict=True)
        for seat, rating in zip(side, ratings, strict=True)
    }
    return [moved[seat.seat] for seat in ended.seats]


def _sides(key: str, seats: Mapping[int, SeatResult]) -> Sequence[Sequence[int]]:
    partners = vocabulary(key).partners
    if {seat for side in partners for seat in side} == set(seats):
        return partners
    return [[seat] for seat in seats]


def _rating(known: Rated | None) -> Any:
    if known is None:
        return MODEL.rating(mu=MEAN, sigma=SPREAD)
    return MODEL.rating(mu=known.mu, sigma=known.sigma)


def _after(
    ended: GameEnded, pool: Pool, name: str, before: Mapping[str, Rated], rating: Any
) -> Rated:
    known = before.get(name)
    games = known.games if known else 0
    return Rated(
        pool,
        ended.key,
        ended.rules,
        name,
        float(rating.mu),
        float(rating.sigma),
        games + 1,
        ended.ended,
    )


def shown(mu: float) -> int:
    """A mean as it is shown: 1500 at first."""
    return round(SHOWN + SCALE * (mu - MEAN))


def shown_spread(sigma: float) -> int:
    """A spread as it is shown, on the same scale: 333 at first."""
    return round(SCALE * sigma)
