"""Ratings: estimates of the players' skill, computed from finished games.

The model is Plackett-Luce, from the library `openskill`: a rating is a mean and a standard
deviation (the spread), and every game, of any size and with ties, changes both. Partners are one
team. A rating is for one preset of one game. People and bots are rated in separate pools.

A game is rated if its table was opened as rated, which requires fair deals; if it was played to its
end; and if it has no guests, and not both people and bots of the server. Results in other games
would say little about skill.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from openskill.models import PlackettLuce

from twentytwo_protocol.vocabulary import vocabulary

from ..facts import GameEnded, Pool, Rated, SeatResult

MODEL = PlackettLuce()
MEAN, SPREAD = 25.0, 25.0 / 3
"""The initial mean and spread of a player."""
SHOWN, SCALE = 1500, 40
"""The displayed scale: the initial mean is `SHOWN`, and a difference of 1 is shown as `SCALE`."""


def pool_of(ended: GameEnded, programs: Collection[int] = ()) -> Pool | None:
    """The pool in which a game is rated; None if it is not rated.

    `programs` are the seats of accounts controlled by programs.
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
    """The name under which a seat is rated; a bot's includes its version, `bot:hard/3`."""
    return f"{played.who}/{played.version}" if played.version else played.name


def rated(ended: GameEnded, pool: Pool, before: Mapping[str, Rated]) -> list[Rated]:
    """The new ratings of all players after a game, in the order of its seats.

    `before` maps rated names to their ratings so far, for this game, preset and pool. A missing
    name has no rating yet.
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
    """A mean on the displayed scale; a new player has 1500."""
    return round(SHOWN + SCALE * (mu - MEAN))


def shown_spread(sigma: float) -> int:
    """A spread on the displayed scale; a new player has 333."""
    return round(SCALE * sigma)
