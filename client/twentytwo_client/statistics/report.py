"""Statistics as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from twentytwo_protocol.sparkline import ASCII, BLOCKS, sparkline
from twentytwo_protocol.sparkline import SPARKLINE_WIDTH as LONGEST
from twentytwo_protocol.statistics import (
    BidOutcome,
    GameStatistics,
    LastCard,
    PlayedGame,
    bid_outcomes,
    counted,
    last_cards,
)
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words.statistics import ordinal, times

from .figures import LAST_CARD_RANKS, of_100

WIDTH = 79
"""The columns of a line if there is no terminal."""
BAR = 20
"""The maximum number of characters in a bar."""
COURSE = 3
"""The minimum number of games for showing a trend."""


def text(games: Sequence[PlayedGame], *, blocks: bool, width: int | None = None) -> str:
    """The statistics in lines of that many columns. `blocks`: sparklines in UTF-8."""
    lines = _lines([game for game in games if game.place], blocks, width or WIDTH)
    return "\n".join(lines)


def _lines(games: Sequence[PlayedGame], blocks: bool, width: int) -> Iterator[str]:
    if not games:
        yield from _wrapped(
            "No practice games are kept on this machine yet: twentytwo practice plays one.", width
        )
        yield from _wrapped("On a server, stats counts the games there.", width)
        return
    first, last = games[0].id[:10], games[-1].id[:10]
    when = f"on {first}" if first == last else f"from {first} to {last}"
    practice = "1 practice game" if len(games) == 1 else f"{len(games)} practice games"
    yield from _wrapped(f"{practice} on this machine, {when}.", width)
    for key, found in counted(games).items():
        yield ""
        own = [each for each in games if each.game == key]
        for sentence in _told(key, found, own, blocks, width):
            yield from _wrapped(sentence, width)
        yield from _tables(key, found, width)


def _wrapped(line: str, width: int) -> list[str]:
    indent = " " * (4 if line.startswith(" ") else 2)
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)


def _told(
    key: str, found: GameStatistics, games: Sequence[PlayedGame], blocks: bool, width: int
) -> Iterator[str]:
    """The lines about the games of one kind."""
    title = vocabulary(key).title
    if found.played == 1:
        yield f"{title}: 1 game."
        yield f"  You came in {_ended(games[0])}."
        return
    won = f"{found.won} won ({of_100(found.won, found.played)} %)" if found.won else "none won"
    yield f"{title}: {found.played} games, {won}."
    reached = (f"{ordinal(place)} {times(n)}" for place, n in enumerate(found.by_place, 1) if n)
    yield f"  You came in {listed(reached)}."
    leads = [game.lead for game in games]
    if len(leads) >= COURSE and len(set(leads)) > 1:
        steps = BLOCKS if blocks else ASCII
        course = sparkline(leads, steps, min(LONGEST, width - 2))
        yield f"  {course}  from the first to the last; {steps[-1]} is furthest ahead"
    for what, game in (("Best", found.best), ("Worst", found.worst)):
        if game is not None and found.best is not found.worst:
            yield f"  {what}: {_ended(game)}."


def _ended(game: PlayedGame) -> str:
    """The result of a game for its player."""
    total = game.totals[game.seat - 1]
    others = [str(each) for seat, each in enumerate(game.totals, 1) if seat != game.seat]
    points = "1 point" if total == 1 else f"{total} points"
    whose = "the other" if len(others) == 1 else "the others"
    return f"{ordinal(game.place)} with {points}, {whose} {listed(others)}, on {game.id[:10]}"


def _tables(key: str, found: GameStatistics, width: int) -> Iterator[str]:
    """The lines about last cards and bids."""
    cards = last_cards(found.summary, LAST_CARD_RANKS)
    if cards:
        yield "  last card  times  lost"
        yield from (_card(card, width) for card in cards)
    bids = bid_outcomes(found.summary)
    if bids:
        yield f"  bid  times  {'  '.join(what for what, _ in came(key, bids[0]))}"
        for bid in bids:
            outcome = "  ".join(f"{count:{len(what)}}" for what, count in came(key, bid))
            yield f"  {bid.bid:3}  {bid.times:5}  {outcome}"


def _card(card: LastCard, width: int) -> str:
    lost = of_100(card.losses, card.times)
    row = f"  {written(card.rank):>9}  {card.times:5}  {lost:3} %  "
    longest = min(BAR, max(0, width - len(row)))
    return f"{row}{'#' * round(longest * card.losses / card.times)}".rstrip()


def written(rank: str) -> str:
    """A rank as people write it."""
    return rank.replace("T", "10").replace("X", "joker")


def came(game: str, bid: BidOutcome) -> tuple[tuple[str, int], ...]:
    """The outcomes of a bid in the words of its game, each with its count."""
    return vocabulary(game).came(bid.exact, bid.more, bid.less)
