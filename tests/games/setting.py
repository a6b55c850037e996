"""How the tests of Twenty-Two set a table: cards as the vectors write them, seats, states."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from twentytwo_protocol.cards import SUITS
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Play, Shuffle
from twentytwo_server.games.game import HOUSE
from twentytwo_server.games.options import read
from twentytwo_server.games.twentytwo import TWENTYSIX, TWENTYTWO, TwentyTwoRules
from twentytwo_server.games.twentytwo.engine import TwentyTwo
from twentytwo_server.games.twentytwo.hands import packed, sorted_hand
from twentytwo_server.games.twentytwo.states import Playing, Standing, State

HERE = Path(__file__).parent

GAME: Mapping[str, TwentyTwo] = {
    **dict.fromkeys(("pagat", "gamerules", "tvtropes", "rasmussen"), TWENTYTWO),
    "twentysix": TWENTYSIX,
}
"""The game of each preset."""


def vectors(name: str) -> Any:
    """A file of vectors."""
    return json.loads((HERE / "vectors" / name).read_text())


def rules_of(preset: str, options: Mapping[str, Any] | None = None) -> TwentyTwoRules:
    """The rules that a vector names."""
    preset = preset.replace("-", "")
    changes = {name: str(value) for name, value in (options or {}).items()}
    return read(GAME[preset].presets[preset], changes)


def words(text: str) -> tuple[str, ...]:
    """The cards of `10-7-Jk` as words of the protocol."""
    spelled = text.replace("10", "T").replace("Jk", "X")
    return tuple(spelled.split("-")) if spelled else ()


def suited(ranks: Iterable[str], skip: int = 0) -> list[str]:
    """Whole cards of these ranks, equal ranks in different suits as long as there are any."""
    seen: Counter[str] = Counter()
    cards = []
    for rank in ranks:
        suit = SUITS[(seen[rank] + skip) % 4]
        cards.append(rank if rank == "X" or len(rank) == 2 else rank + suit)
        seen[rank] += 1
    return cards


def hand(text: str) -> bytes:
    """A hand as the engine holds it."""
    return sorted_hand(packed(suited(words(text))))


def play(text: str) -> Play:
    """The deed of playing these cards, in any order."""
    return Play(words(text))


def rank_words(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards as ranks, highest first; what a joker counts as, if it says so."""
    order = "23456789TJQKAX"
    ranks = (card[-1] if card[0] == "X" else card[0] for card in cards)
    return tuple(sorted(ranks, key=order.index, reverse=True))


def standing(
    rules: TwentyTwoRules,
    seats: int,
    *,
    playing: Sequence[int] | None = None,
    totals: Sequence[int] | None = None,
    kept: Sequence[str] = (),
    wanted: int = 7,
    hand: int = 1,
    dealer: int = 1,
) -> Standing:
    """Between two hands; `kept` are cards that lie before seat 1."""
    everybody = tuple(range(1, seats + 1))
    playing = everybody if playing is None else tuple(playing)
    return Standing(
        rules,
        seats,
        playing,
        tuple(totals or (0,) * seats),
        (packed(kept), *[b""] * (seats - 1)),
        tuple(0 if seat in playing else 1 for seat in everybody),
        wanted,
        hand,
        dealer,
    )


def trick(rules: TwentyTwoRules, hands: Sequence[str], leader: int = 1) -> Playing:
    """The first trick, each seat holding these cards."""
    seats = len(hands)
    held = tuple(sorted_hand(packed(suited(words(text), i))) for i, text in enumerate(hands))
    after = (0, *range(2, seats + 1), 1)
    return Playing(standing(rules, seats), after, held, 1, leader, leader)


def shuffled(game: TwentyTwo, state: State, top: Iterable[str]) -> Shuffle:
    """The pack with these cards on top, then the rest in its order."""
    rest = list(game.pack(state))
    first = list(top)
    for card in first:
        rest.remove(card)
    return Shuffle((*first, *rest))


def until_player(game: TwentyTwo, state: State, rng: random.Random) -> tuple[State, list[Event]]:
    """The state after the house has shuffled as often as it had to."""
    events: list[Event] = []
    while game.turn(state) == HOUSE:
        pack = list(game.pack(state))
        rng.shuffle(pack)
        state, more = game.play(state, Shuffle(tuple(pack)))
        events += more
    return state, events
