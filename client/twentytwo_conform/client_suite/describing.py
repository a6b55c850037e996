"""The scripted server's answers to `describe`, `games` and `rules`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from twentytwo_protocol import manual
from twentytwo_protocol.schema import Row
from twentytwo_protocol.words.lobby import Game, Preset, RuleRow

from .game import RANKS, SIZE, points
from .lines import Command

NAME = "twentytwo"
USUAL = "pagat"
PLAYERS = 2
LIMIT = 22
"""The score that ends a game, unless the scenario sets another."""

GAME = Game(NAME, PLAYERS, PLAYERS, (USUAL,), title="Twenty-Two")
PRESET = Preset(
    NAME, USUAL, PLAYERS, PLAYERS, tuple(RANKS), tuple(map(points, RANKS)), text="as usual"
)
RULES = (
    RuleRow(NAME, USUAL, "first_hand", "int", str(SIZE), min=1, max=SIZE),
    RuleRow(NAME, USUAL, "exchange", "token", "on", values=("on",)),
    RuleRow(NAME, USUAL, "limit", "int", str(LIMIT), min=10, max=1000),
)


def rows(command: Command) -> Sequence[Row]:
    """The rows of the reply to one of `VERBS`, as a real server sends them."""
    return VERBS[command.verb](command)


def _described(command: Command) -> Sequence[Row]:
    what, name, *_ = (*command.words, "", "")
    what, name = command.named.get("what", what).lower(), command.named.get("name", name)
    if what == "games":
        return (GAME, PRESET, *RULES)
    return manual.describe(what, name or None) or ()


VERBS: Mapping[str, Callable[[Command], Sequence[Row]]] = {
    "describe": _described,
    "games": lambda _: (GAME,),
    "rules": lambda _: (PRESET, *RULES),
}
"""The commands that request descriptions."""
