"""The figures of "How to play it well" in docs/rules: what came of cards kept and of bids made.

    make bench ARGS="strategy --game twentytwo --games 400 --seed 1"

Bots play each other, and what they did is counted against what became of it. With `--records
FOLDER` it is counted in records that are there already, as `twentytwo match --records` writes them.
With `--write` the figures replace those on the pages, below the line with this command.
Intervals are 95 %, taking the hands as independent.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path

from twentytwo_protocol import record as records
from twentytwo_protocol.cards import JOKER, RANKS
from twentytwo_protocol.games.twentyeight import Trump_
from twentytwo_protocol.record import Record
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import (
    Bid_,
    Contract,
    Dealt,
    Exchanged,
    Hand_,
    Handover,
    Scored,
    Shown,
)
from twentytwo_server.games.registry import games
from twentytwo_server.operator.bot_matches import MatchPlan, play_game
from twentytwo_server.records.telling import telling

WORLDS = {"twentytwo": 40, "twentysix": 24, "whist22": 24, "twentyeight": 8}
LEVELS = "steady,steady,steady,steady"
GAMES = 400
PAGES = Path(__file__).parents[2] / "docs" / "rules"
FIGURES = r"^ {4}\$ make bench ARGS=.strategy.*\n(?:^ {4}.*\n)*"
"""The figures on a page: the line of the command, and all that is indented below it."""
LEAST = 30
"""Of how many cases a row is told at least."""
GROUPS = {"2 to 4": "234", "5 to 7": "567", "8 to 10": "89T", "J to K": "JQK", "ace, joker": "AX"}
"""Ranks that are told together."""


@dataclass(slots=True)
class Count:
    """How often something was, and how often it came off."""

    n: int = 0
    so: int = 0

    def add(self, so: bool) -> None:
        """One case more."""
        self.n += 1
        self.so += so

    def __str__(self) -> str:
        share = self.so / self.n
        half = 1.96 * sqrt(share * (1 - share) / self.n)
        return f"{100 * share:5.1f} +- {100 * half:.1f} %"


Table = dict[str, Count]


@dataclass(slots=True)
class Tables:
    """The tables of a game by their headings, each with a row for each case."""

    of: dict[str, Table] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Count)))

    def add(self, heading: str, row: str, so: bool) -> None:
        """One case more in a row."""
        self.of[heading][row].add(so)


def hands(events: Iterable[Event]) -> Iterator[list[Event]]:
    """The events of a game, hand by hand; a hand that was not played to its end is left out."""
    found: list[Event] = []
    for happened in events:
        if isinstance(happened, Hand_):
            found = []
        found.append(happened)
        if isinstance(happened, Handover):
            yield found


# --------------------------------------------------------------- Twenty-Two and Twenty-Six


def last_cards(hand: Sequence[Event], tables: Tables) -> None:
    """Loses the hand, by the last card, and by what was thrown in the exchange."""
    losers = _losers(hand)
    held: dict[int, tuple[str, ...]] = {}
    for happened in hand:
        match happened:
            case Dealt(seat=seat, cards=cards) if cards:
                held[seat] = cards
            case Exchanged(seat=seat, gave=gave) if gave is not None and seat in held:
                lost = seat in losers
                tables.add("thrown in the exchange", _thrown(len(gave), len(held[seat])), lost)
                thrown = [card[0] for card in gave]
                kept = [card[0] for card in held[seat]]
                for rank in thrown:
                    kept.remove(rank)
                for name, group in GROUPS.items():
                    for rank in group:
                        for _ in range(kept.count(rank)):
                            tables.add("a dealt card was kept", name, lost)
                        for _ in range(thrown.count(rank)):
                            tables.add("a dealt card was thrown", name, lost)
            case Shown(seat=seat, card=card):
                tables.add("last card", card[0], seat in losers)


def _thrown(thrown: int, of: int) -> str:
    if thrown in (0, of):
        return "none" if not thrown else "all"
    return f"{'less' if 2 * thrown < of else 'more'} than half" if 2 * thrown != of else "half"


# --------------------------------------------------------------------------------- bids


def tricks_bid(hand: Sequence[Event], tables: Tables) -> None:
    """Whist 22: made exactly, by the bid, and by the bid and the cards dealt."""
    losers = _losers(hand)
    size = next(e.size for e in hand if isinstance(e, Hand_))
    for happened in hand:
        if isinstance(happened, Bid_):
            made = happened.seat not in losers
            tables.add("made exactly, by the bid", happened.bid, made)
            tables.add("made exactly, by the cards dealt", f"{size} cards", made)


def points_bid(hand: Sequence[Event], tables: Tables) -> None:
    """Twenty-Eight: made, by the bid, by the bidder's trumps, and by the bidder's jacks."""
    contract = next(e for e in hand if isinstance(e, Contract))
    made = next(e.points > 0 for e in hand if isinstance(e, Scored) and e.bid is not None)
    trump = next(e.suit for e in hand if isinstance(e, Trump_) and e.suit)
    dealt = (e for e in hand if isinstance(e, Dealt) and e.seat == contract.seat and e.cards)
    four = next(dealt).cards or ()
    trumps = [card[0] for card in four if card[1] == trump]
    jack = "with" if "J" in trumps else "without"
    tables.add("made, by the bid", _bids(contract.bid), made)
    tables.add("made, by the trumps among the first four", f"{len(trumps)} {jack} the jack", made)
    jacks = sum(card[0] == "J" for card in four)
    tables.add("made, by the jacks among the first four", str(jacks), made)


def _bids(bid: int) -> str:
    for low, high in ((14, 14), (15, 16), (17, 19), (20, 24)):
        if bid <= high:
            return f"{low} to {high}" if low != high else str(low)
    return "25 to 28"


def _losers(hand: Sequence[Event]) -> Sequence[int]:
    return next(e.losers for e in hand if isinstance(e, Handover))


COUNTED: dict[str, Callable[[Sequence[Event], Tables], None]] = {
    "twentytwo": last_cards,
    "twentysix": last_cards,
    "whist22": tricks_bid,
    "twentyeight": points_bid,
}


def counted(key: str, played: Iterable[Record]) -> Tables:
    """The tables of a game from its records."""
    tables = Tables()
    for one in played:
        if one.game == key:
            for hand in hands(telling(one, games())):
                COUNTED[key](hand, tables)
    return tables


def _order(row: str) -> tuple[int, str]:
    """Numbers and ranks in their order, and all else as it is spelled."""
    if row.isdigit():
        return int(row), ""
    order = RANKS + JOKER
    return (2 + order.index(row), "") if len(row) == 1 and row in order else (99, row)


def lines(key: str, tables: Tables, of: str) -> list[str]:
    """The tables of a game as lines of text."""
    found = [f"{key}: {of}"]
    for heading, table in tables.of.items():
        whole = sum(count.n for count in table.values())
        found.append(f"  {heading}")
        for row in sorted(table, key=_order):
            if table[row].n >= LEAST:
                share = 100 * table[row].n / whole
                found.append(f"    {row:20} {share:5.1f} % of {whole:6}   {table[row]}")
    return found


def write(key: str, found: Sequence[str], command: str) -> None:
    """Puts the figures on the game's page, in place of those that are there."""
    page = PAGES / f"{key}.md"
    said = "".join(f"    {line}\n" for line in [f'$ make bench ARGS="{command}"', *found])
    text = page.read_text(encoding="utf-8")
    text, times = re.subn(FIGURES, lambda _: said, text, count=1, flags=re.MULTILINE)
    assert times, f"{page} has no figures to replace"
    page.write_text(text, encoding="utf-8")


def report(arguments: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
    """Prints the tables of one game, or of all."""
    parser = argparse.ArgumentParser(prog="strategy")
    parser.add_argument("--game", choices=list(COUNTED), action="append")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", default=LEVELS)
    parser.add_argument("--records", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(arguments)
    for key in asked.game or COUNTED:
        tables = counted(key, _records(key, asked))
        of = f"{asked.games} games of {asked.levels}, seed {asked.seed}"
        found = lines(key, tables, str(asked.records or of))
        for line in found:
            say(line)
        if asked.write:
            levels = f" --levels {asked.levels}" if asked.levels != LEVELS else ""
            given = f"--games {asked.games}{levels} --seed {asked.seed} --write"
            write(key, found, f"strategy --game {key} {given}")


def _records(key: str, asked: argparse.Namespace) -> Iterator[Record]:
    if asked.records is not None:
        for path in sorted(asked.records.iterdir()):
            yield records.read(path.read_text(encoding="utf-8"))
        return
    levels = tuple(asked.levels.split(","))
    plan = MatchPlan(key, next(iter(games()[key].presets)), {}, levels, asked.seed, WORLDS[key])
    for deal in range(asked.games):
        yield play_game(plan, deal, 0).record


if __name__ == "__main__":
    import sys

    report(sys.argv[1:])
