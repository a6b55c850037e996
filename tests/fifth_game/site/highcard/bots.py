"""The bot of High Card."""

from __future__ import annotations

from tests.fifth_game.site.highcard.rules import HighCardRules
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.games.chance import RandomBelow
from twentytwo_server.games.game import QuickBots


class FirstCard:
    """A bot that plays its first card."""

    def __init__(self, rules: HighCardRules, seat: int, pick: RandomBelow) -> None:
        pass

    def see(self, happened: Event) -> None:
        pass

    def choose(self, turn: Turn) -> str:
        return turn.default or "-"


BOTS: QuickBots[HighCardRules] = QuickBots({"easy": FirstCard})
