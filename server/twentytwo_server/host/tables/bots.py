"""The bots of a room: each sees what its seat is shown, and answers its turns."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import proxy

from twentytwo_protocol.words.cardplay import Game_, Move, Turn

from ...games import players
from ...games.game import Bot
from ...ports import Job
from ...session.streams import Entry
from ...table.decision import Actor
from ...table.table import Seat

if TYPE_CHECKING:
    from .room import Room


class Bots:
    """Whoever plays without an owner at a table: bots in seats of their own, and stand-ins."""

    def __init__(self, room: Room) -> None:
        # The room has its bots, and goes with the last who holds it, without a search for garbage.
        self._room: Room = proxy(room)
        self._playing: dict[int, Bot] = {}

    def see(self, entry: Entry) -> None:
        """Shows an entry to those who play."""
        if isinstance(entry.event, Game_):
            self._playing.clear()
        for seat in list(self._playing):
            try:
                self._playing[seat].see(entry.seen_by(seat))
            except Exception:
                self._room.host.fault(f"{self._room.id}: the bot in seat {seat}")
                del self._playing[seat]

    def think(self, number: int, turn: int) -> None:
        """Has the bot in a seat answer a turn, if that is still open."""
        table = self._room.table
        seat, match = table.at(number), table.match
        if seat is None or not seat.played_by_bot or match is None or match.turn != turn:
            return
        asked = match.question
        if asked is None or table.paused or table.deserted:
            return
        who = Actor(seat.name, standin=seat.standin)
        level = self.level(seat)
        if players.slow(level):
            self._think_elsewhere(who, number, level, asked)
        else:
            self._answer(who, number, asked, self._choice(number, asked))

    def _answer(self, who: Actor, number: int, asked: Turn, token: str) -> None:
        """Gives a bot's answer to the table; the default instead where it is no legal move."""
        match = self._room.table.match
        if match is not None and match.question is asked:
            try:
                match.judge(number, match.read(token), asked.turn)
            except Exception:
                self._room.host.fault(f"{self._room.id}: the move of the bot in seat {number}")
                token = asked.default or token
        self._room.order(who, Move(token, asked.turn))

    def level(self, seat: Seat) -> str:
        """The level of a seat's bot; of whoever stands in for an owner, the table's."""
        table = self._room.table
        return seat.level or table.settings.level or players.usual(table.game)

    def _think_elsewhere(self, who: Actor, number: int, level: str, asked: Turn) -> None:
        """The bot's answer is played when it comes, or a quick bot's when that takes too long.

        An easy choice takes as long as any other: how soon it comes must tell nothing of the cards.
        """
        room, waiting = self._room, True
        at = room.host.clock.now() + room.host.think_time

        def answered(token: str | None) -> None:
            nonlocal waiting
            if waiting and not room.closed:
                waiting = False
                self._answer(who, number, asked, token or self._choice(number, asked))

        def thought(token: str | None) -> None:
            room.later(max(0, at - room.host.clock.now()), lambda: answered(token))

        room.later(room.host.patience, lambda: answered(None))
        room.host.think(self.job(number, level, asked), thought)

    def job(self, number: int, level: str, asked: Turn) -> Job:
        """A turn to think about, with what its seat has seen and nothing else."""
        table = self._room.table
        seen = tuple(entry.seen_by(number) for entry in self._room.since_game())
        return Job(table.game.key, level, table.rules, number, seen, asked, table.settings.seed)

    def _choice(self, number: int, asked: Turn) -> str:
        """The bot's move; the default where a bot fails, which is noted."""
        assert asked.default is not None
        try:
            bot = self._playing.get(number) or self._seat(number)
            return bot.choose(asked)
        except Exception:
            self._room.host.fault(f"{self._room.id}: the bot in seat {number}")
            return asked.default

    def _seat(self, number: int) -> Bot:
        """A bot that has seen what its seat was shown since the game began, and nothing else."""
        table = self._room.table
        seat = table.at(number)
        assert seat is not None
        # Where a bot that takes its time is not to be had, the best of the quick ones plays.
        level = self.level(seat)
        level = players.usual(table.game) if players.slow(level) else level
        pick = self._room.host.pick(table.settings.seed)
        bot = table.game.bots.new(level, table.rules, number, pick)
        for entry in self._room.since_game():
            bot.see(entry.seen_by(number))
        self._playing[number] = bot
        return bot
