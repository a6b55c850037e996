"""All that can be said: importing this package declares every word but the games' own."""

from . import (
    accounts,
    cardplay,
    connection,
    daily,
    fairness,
    friends,
    lab,
    lobby,
    looking,
    practising,
    records,
    replies,
    seating,
    session,
    statistics,
    talk,
)

__all__ = [
    "accounts",
    "cardplay",
    "connection",
    "daily",
    "fairness",
    "friends",
    "lab",
    "lobby",
    "looking",
    "practising",
    "records",
    "replies",
    "seating",
    "session",
    "statistics",
    "talk",
]
