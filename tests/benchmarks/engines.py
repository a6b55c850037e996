"""How fast the games play at random: every move asked for, chosen, judged and played, one core.

Beside them, in the same run: the least that Python could do, a trick game on plain lists that
checks nothing; and engines of others, as far as they are installed (none of them is needed).
Everybody gets the same source of chance, and a figure is the best of a few short runs.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any

from twentytwo_protocol.schema import Deed, Event, redact
from twentytwo_protocol.words.cardplay import Game_, Play, Shuffle
from twentytwo_server.games.game import HOUSE, AnyGame
from twentytwo_server.games.registry import games
from twentytwo_server.games.twentytwo.hands import packed, ranks, sorted_hand
from twentytwo_server.games.twentytwo.legal import Plays, play_of
from twentytwo_server.games.twentytwo.rules import PAGAT
from twentytwo_server.table.match import question

SECONDS = 0.5
RUNS = 4
SEATS = 4

PLAYED: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("twentytwo", "pagat", {}),
    ("twentysix", "twentysix", {}),
    ("whist22", "gamerules", {}),
    # By the preset alone a random game goes on and on: whoever is six below zero loses.
    ("twentyeight", "denexa", {"loss_limit": "6"}),
)

_number = random.Random(22).random


def pick(choices: int) -> int:
    """A number below `choices`."""
    return int(_number() * choices)


@dataclass(frozen=True, slots=True)
class Rate:
    """Decisions and whole games a second."""

    decisions: float
    games: float

    def __str__(self) -> str:
        return f"{self.decisions:11,.0f} decisions/s {self.games:8,.1f} games/s"


def measured(play: Callable[[], int]) -> Rate:
    """How often `play` plays a whole game; it returns the decisions that players made."""
    found = [_run(play) for _ in range(RUNS)]
    return max(found, key=lambda rate: rate.decisions)


def _run(play: Callable[[], int]) -> Rate:
    decisions = count = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        decisions += play()
        count += 1
    return Rate(decisions / spent, count / spent)


# ------------------------------------------------------------------------------- our games


def shuffled(pack: tuple[str, ...]) -> Shuffle:
    """The house's move."""
    return Shuffle(tuple(sorted(pack, key=lambda _: _number())))


def random_game(game: AnyGame, rules: Any) -> int:
    """Plays a game through; every move is judged and every event made."""
    state, decisions = game.new(rules, SEATS), 0
    while (seat := game.turn(state)) is not None:
        if seat == HOUSE:
            state, _ = game.play(state, shuffled(game.pack(state)))
        else:
            state, _ = game.play(state, game.moves(state).any(pick))
            decisions += 1
    return decisions


def given(game: AnyGame, rules: Any) -> Rate:
    """The same moves once more, none of which has to be chosen: each is judged and played."""
    begun = [game.new(rules, SEATS) for _ in range(20)]
    moves = [[*_moves(game, state)] for state in begun]
    decisions = sum(not isinstance(deed, Shuffle) for deeds in moves for deed in deeds)

    def play() -> int:
        for state, deeds in zip(begun, moves, strict=True):
            for deed in deeds:
                state, _ = game.play(state, deed)
        return decisions

    rate = measured(play)
    return Rate(rate.decisions, rate.games * len(begun))


def _moves(game: AnyGame, state: Any) -> Iterator[Deed | Shuffle]:
    """The moves of a random game."""
    deed: Deed | Shuffle
    while (seat := game.turn(state)) is not None:
        deed = shuffled(game.pack(state)) if seat == HOUSE else game.moves(state).any(pick)
        yield deed
        state, _ = game.play(state, deed)


def searched(game: AnyGame, rules: Any) -> Rate | None:
    """The playouts of the hard bot, from the first question of every hand to its end."""
    search = game.search
    if search is None:
        return None
    starts = list(islice(_imagined(game, rules, search), 200))
    decisions = sum(_decisions(game, start) for start in starts) / len(starts)

    def playout() -> int:
        search.playout(starts[pick(len(starts))], (), pick)
        return 1

    rate = measured(playout)
    return Rate(rate.games * decisions, rate.games)


def _imagined(game: AnyGame, rules: Any, search: Any) -> Iterator[Any]:
    """Worlds as the bot imagines them at the first question of every hand."""
    while True:
        state, asked = game.new(rules, SEATS), False
        seen: list[Event] = [Game_(game.key, "bench", SEATS, 1, "")]
        deed: Deed | Shuffle
        while (seat := game.turn(state)) is not None:
            if seat == HOUSE:
                deed, asked = shuffled(game.pack(state)), False
            else:
                moves = game.moves(state)
                if not asked:
                    turn = question(moves, turn=1, seat=seat, ms=None, bank=None)
                    known = search.known(rules, seat, [redact(event, seat) for event in seen])
                    yield search.imagine(known, turn, pick)
                deed, asked = moves.any(pick), True
            state, events = game.play(state, deed)
            seen += events


def _decisions(game: AnyGame, state: Any) -> int:
    """How many decisions there are from a state to the end of the hand, at random."""
    decisions = 0
    while game.turn(state) not in (HOUSE, None):
        state, _ = game.play(state, game.moves(state).any(pick))
        decisions += 1
    return decisions


# ------------------------------------------------------------------------------- legality


def checks(hand: str, bar: str, play: str) -> float:
    """How many times a second it is told whether a play of the hand covers the bar."""
    moves = Plays(sorted_hand(packed(hand.split())), ranks(packed(bar.split())), PAGAT)
    deeds: list[Play] = [play_of(ranks(packed(play.split())))] * 1000
    best = 0.0
    for _ in range(RUNS * 4):
        begun = time.process_time()
        for deed in deeds:
            deed in moves  # noqa: B015  # asking is what is timed
        best = max(best, len(deeds) / (time.process_time() - begun))
    return best


WORST = {
    "one card of 7": ("2C 4D 6H 8S TC QD AH", "9C", "QD"),
    "one card of 20": (
        "2C 2D 3H 3S 4C 5D 6H 6S 7C 8D 8H 9S TC TD JH JS QC KD KH AS",
        "9C",
        "KD",
    ),
    "four cards of 14": ("2C 3D 4H 5S 6C 7D 8H 9S TC JD QH KS AC AD", "9C 8C 7C 6C", "AC QH 9S 7D"),
    "eight cards of 20": (
        "2C 2D 3H 3S 4C 5D 6H 6S 7C 8D 8H 9S TC TD JH JS QC KD KH AS",
        "9C 9D 8C 8S 5C 5S 4D 4H",
        "AS KD QC JH TC 8D 6H 5D",
    ),
}
"""A hand, the play to beat, and a play that covers it."""


# --------------------------------------------------------------------------- the least in Python


def plain_game() -> int:
    """A trick game on plain lists: thirteen cards each, follow suit, the highest takes it.

    Nothing is judged, no event is made and no state kept.
    """
    pack = sorted(range(52), key=lambda _: _number())
    hands = [pack[seat::4] for seat in range(4)]
    taken, leader = [0] * 4, 0
    for _ in range(13):
        led, best, winner = -1, -1, leader
        for place in range(4):
            seat = (leader + place) % 4
            hand = hands[seat]
            legal = [card for card in hand if card // 13 == led] or hand
            card = legal[int(_number() * len(legal))]
            hand.remove(card)
            if led < 0:
                led = card // 13
            if card // 13 == led and card > best:
                best, winner = card, seat
        taken[winner] += 1
        leader = winner
    return 52


# ------------------------------------------------------------------------------------ others


def spiel_game(name: str) -> Callable[[], int]:
    """A game of OpenSpiel through Python; its chance moves are no decisions."""
    spiel: Any = import_module("pyspiel")
    game = spiel.load_game(name)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            legal = state.legal_actions()
            state.apply_action(legal[int(_number() * len(legal))])
        return decisions

    return play


def rlcard_game(name: str) -> Callable[[], int]:
    """A game of RLCard through its own interface."""
    env: Any = import_module("rlcard").make(name)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            legal = [*state["legal_actions"]]
            state, _ = env.step(legal[pick(len(legal))])
            decisions += 1
        return decisions

    return play


def chess_game() -> int:
    """A game of python-chess, broken off after 300 moves."""
    board: Any = import_module("chess").Board()
    moves = 0
    while moves < 300 and not board.is_game_over():
        legal = [*board.legal_moves]
        board.push(legal[pick(len(legal))])
        moves += 1
    return moves


def holdem_game(name: str) -> Callable[[], int]:
    """A game of PettingZoo."""
    env: Any = import_module(f"pettingzoo.classic.{name}").env()

    def play() -> int:
        env.reset(seed=pick(1 << 30))
        decisions = 0
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            over = ended or cut
            legal = [] if over else [move for move, may in enumerate(seen["action_mask"]) if may]
            env.step(None if over else legal[pick(len(legal))])
            decisions += not over
        return decisions

    return play


def others() -> Iterator[tuple[str, Callable[[], int]]]:
    """The engines of others that are installed; says which are not."""
    for module, title, names, game in OTHERS:
        if find_spec(module) is None:
            print(f"  {title} is not installed")
            continue
        for name in names:
            try:
                yield f"{title} {name}", game(name)
            except ImportError as missing:
                print(f"  {title} {name} cannot be played: {missing}")


Opened = Callable[[str], Callable[[], int]]
"""A game by name: what plays it once."""

OTHERS: tuple[tuple[str, str, tuple[str, ...], Opened], ...] = (
    ("pyspiel", "OpenSpiel", ("hearts", "spades", "oh_hell"), spiel_game),
    ("rlcard", "RLCard", ("uno", "gin-rummy", "doudizhu"), rlcard_game),
    ("chess", "python-chess", ("chess",), lambda _: chess_game),
    ("pettingzoo", "PettingZoo", ("texas_holdem_v4",), holdem_game),
)
"""The module, its title, games, and how one is opened."""


# ------------------------------------------------------------------------------------ the report


def report() -> None:
    """Prints every figure, and how it compares with the plain loop of the same run."""
    print("engines: random play, four players, one core")
    plain = measured(plain_game)
    _line("plain lists, nothing checked", plain, plain)
    for key, preset, options in PLAYED:
        game = games()[key]
        rules = game.rules(preset, options)
        rate = measured(partial(random_game, game, rules))
        _line(f"{key}, judged, with events", rate, plain)
        _line(f"{key}, moves given", given(game, rules), plain)
        playouts = searched(game, rules)
        if playouts is not None:
            _line(f"{key}, playouts of the bot (hands)", playouts, plain)
    for title, play in others():
        _line(title, measured(play), plain)
    print("legality of a follow, checks/s:")
    for title, (hand, bar, covering) in WORST.items():
        print(f"  {title:34}{checks(hand, bar, covering):11,.0f}")


def _line(title: str, rate: Rate, plain: Rate) -> None:
    print(f"  {title:34}{rate}  {rate.decisions / plain.decisions:5.2f} x plain")
