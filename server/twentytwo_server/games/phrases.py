"""Moves in words, for hints and reviews."""

from __future__ import annotations

from twentytwo_protocol.voice import plain_cards
from twentytwo_protocol.words.cardplay import Turn


def doing(asked: Turn, token: str) -> str:
    """A move as a verb phrase, to follow `I would`: `lead Q`, `exchange 9 J`."""
    match asked.act, token:
        case "exchange", "-":
            return "keep all cards"
        case "trump", _:
            return f"make {naming(token)} the trump card"
        case "declare", "no":
            return "not call"
        case "bid" | "declare", word if not word.isdigit():
            return word
    verb = "lead" if asked.act == "play" and asked.beat is None else asked.act
    return f"{verb} {naming(token)}"


def naming(token: str) -> str:
    """The cards of a move in a word or two."""
    return "nothing" if token == "-" else plain_cards(token.split("+"))
