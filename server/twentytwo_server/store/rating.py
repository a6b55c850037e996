"""Stores the ratings after a game: once for each game, and after those of all earlier ones.

Several servers may rate the same game, or games of the same people, at once. So this is a
transaction of its own, which changes a rating only if the new one was computed from it. Otherwise
the caller computes again. Any server may rate a game, and none depends on another one being alive.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, text, update

from ..facts import Rated
from .common import score, unversioned
from .schema import dues, rating_log, ratings


class Changed(Exception):
    """A rating is not the one from which the new one was computed."""


_FIRST = text(
    "INSERT INTO ratings (pool, key, rules, name, who, mu, sigma, games, wall, score) VALUES"
    " (:pool, :key, :rules, :name, :who, :mu, :sigma, :games, :wall, :score) ON CONFLICT DO NOTHING"
)


def rate(db: Connection, game: str, after: Sequence[Rated]) -> None:
    """Stores the ratings after a game, unless it is rated. Raises `Changed`; then roll back."""
    if not db.execute(delete(dues).where(dues.c.game == game)).rowcount:
        return
    latest = {each.name: each for each in after}  # several seats may be those of one bot
    for name in sorted(latest):  # in one order, so that no two transactions deadlock
        _put(db, latest[name])


def _put(db: Connection, rated: Rated) -> None:
    keys = {"pool": rated.pool.value, "key": rated.key, "rules": rated.rules, "name": rated.name}
    values = {name: getattr(rated, name) for name in ("mu", "sigma", "games", "wall")}
    who = {"who": unversioned(rated.name)}
    if rated.games == 1:
        put = db.execute(_FIRST, keys | values | who | {"score": score(rated)})
    else:
        its = update(ratings).where(*(ratings.c[name] == value for name, value in keys.items()))
        before = its.where(ratings.c.games == rated.games - 1)
        put = db.execute(before.values(**values, score=score(rated)))
    if not put.rowcount:
        raise Changed
    db.execute(rating_log.insert().values(**keys, **values, **who, untold=rated.untold))
