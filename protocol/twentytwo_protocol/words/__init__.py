"""All that can be said: importing this package declares every word but the games' own."""

from . import cardplay, connection, lobby, replies, seating, session, talk

__all__ = ["cardplay", "connection", "lobby", "replies", "seating", "session", "talk"]
