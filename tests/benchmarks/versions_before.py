"""The bots of another version, for `versions`: a program that its checkout's own modules run.

It reads lines and answers some of them. `new` and an object of JSON seats a bot, `see` and a
seat's number goes before a line of the protocol that the seat is shown, `ask` before its question:
the answer is a token. `cost` answers how many questions there were and the seconds of CPU that
they took. It names nothing of the server that versions before have not.
"""

from __future__ import annotations

import json
import signal
import sys
from time import process_time

from twentytwo_protocol.fair import picker
from twentytwo_protocol.wire import decode, parse
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.games import players
from twentytwo_server.games.game import Bot
from twentytwo_server.games.registry import games
from twentytwo_server.games.search.hard import worlds


def seated(told: str) -> tuple[str, Bot]:
    """The seat and the bot that a line of JSON tells of."""
    asked = json.loads(told)
    game = games()[asked["game"]]
    rules = game.rules(asked["preset"], asked["options"])
    budget = worlds(asked["worlds"])
    chance = picker(asked["secret"])
    bot = players.player(game, asked["level"], rules, asked["seat"], chance, lambda: budget)
    return str(asked["seat"]), bot


def main() -> None:
    """Answers until its input ends; Ctrl-C is for the match, which then ends its input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bots: dict[str, Bot] = {}
    questions, cost = 0, 0.0
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "new":
            seat, bot = seated(rest)
            bots[seat] = bot
        elif word == "cost":
            print(questions, cost, flush=True)
        else:
            seat, _, told = rest.partition(" ")
            happened = parse(told)
            found = decode(happened) if happened is not None else None
            if word == "ask":
                assert isinstance(found, Turn)
                begun = process_time()
                token = bots[seat].choose(found)
                questions, cost = questions + 1, cost + process_time() - begun
                print(token, flush=True)
            elif found is not None:  # a word that this version does not know is not shown
                bots[seat].see(found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
