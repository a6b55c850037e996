"""Statistics as text for a terminal, as JSON, and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from twentytwo_protocol.sparkline import ASCII, BLOCKS, sparkline
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
from twentytwo_protocol.words.statistics import ordinal

RANKS = "23456789TJQKAX"
"""The ranks of last cards, lowest first."""
BAR = 20
"""How many characters a bar has at most."""


def of_100(part: int, whole: int) -> int:
    """How many of a hundred that is."""
    return round(100 * part / whole) if whole else 0


# ------------------------------------------------------------------------------------ text


def text(games: Sequence[PlayedGame], *, blocks: bool) -> str:
    """The statistics in lines of at most 79 columns; with `blocks` sparklines need UTF-8."""
    if not games:
        return (
            "No practice games are kept on this machine yet: twentytwo practice plays one.\n"
            "On a server, stats counts the games there."
        )
    first, last = games[0].id[:10], games[-1].id[:10]
    lines = [f"Practice games on this machine, {first} to {last}: {len(games)}."]
    for key, found in counted(games).items():
        lines += ["", *_of_game(key, found, [g for g in games if g.game == key], blocks=blocks)]
    return "\n".join(lines)


def _of_game(
    key: str, found: GameStatistics, games: Sequence[PlayedGame], *, blocks: bool
) -> Iterator[str]:
    won = of_100(found.won, found.played)
    count = "1 game" if found.played == 1 else f"{found.played} games"
    yield f"{vocabulary(key).title}: {count}, {found.won} won ({won} %)"
    places = ", ".join(f"{ordinal(place)} {n}" for place, n in enumerate(found.by_place, 1))
    yield f"  places  {places}"
    leads = [game.lead for game in games if game.place]
    yield f"  course  {sparkline(leads, BLOCKS if blocks else ASCII)}  (ahead or behind)"
    for what, game in (("best", found.best), ("worst", found.worst)):
        if game is not None:
            how = "ahead" if game.lead >= 0 else "behind"
            when = game.id[:16].replace("T", " ")
            yield f"  {what:6}  {when} UTC: came in {ordinal(game.place)}, {abs(game.lead)} {how}"
    cards = last_cards(found.summary, RANKS)
    if cards:
        yield "  last card  times  lost"
        yield from (_card(card) for card in cards)
    bids = bid_outcomes(found.summary)
    if bids:
        yield f"  bid  times  {'  '.join(what for what, _ in _came(key, bids[0]))}"
        for bid in bids:
            came = "  ".join(f"{times:{len(what)}}" for what, times in _came(key, bid))
            yield f"  {bid.bid:3}  {bid.times:5}  {came}"


def _card(card: LastCard) -> str:
    lost = of_100(card.losses, card.times)
    bar = "#" * round(BAR * card.losses / card.times)
    rank = card.rank.replace("T", "10").replace("X", "joker")
    return f"  {rank:>9}  {card.times:5}  {lost:3} %  {bar}".rstrip()


# ------------------------------------------------------------------------------------ JSON


def figures(games: Sequence[PlayedGame]) -> Mapping[str, Any]:
    """The same figures, as they are written as JSON."""
    return {
        "played": len(games),
        "games": {key: _figures(found) for key, found in counted(games).items()},
    }


def _figures(found: GameStatistics) -> Mapping[str, Any]:
    return {
        "played": found.played,
        "won": found.won,
        "places": list(found.by_place),
        "best": _one(found.best),
        "worst": _one(found.worst),
        "last_cards": [
            {"rank": card.rank, "times": card.times, "losses": card.losses}
            for card in last_cards(found.summary, RANKS)
        ],
        "bids": [
            {"bid": b.bid, "times": b.times, "exact": b.exact, "more": b.more, "less": b.less}
            for b in bid_outcomes(found.summary)
        ],
    }


def _one(game: PlayedGame | None) -> Mapping[str, Any] | None:
    return {"ended": game.id, "place": game.place, "lead": game.lead} if game else None


# ------------------------------------------------------------------------------------- SVG

WIDE, ROW, LEFT, FULL = 640, 18, 110, 380
"""Widths and heights in the picture: all of it, a row, what is before a bar, a whole bar."""
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1c2733}.t{font-weight:600;font-size:16px}"
    ".q{fill:#5b6b7a}.g{fill:#2f7d5b}.r{fill:#b5484a}.b{fill:#e7ecf0}"
    "polyline{fill:none;stroke:#2f6fb0;stroke-width:1.5}"
    "@media(prefers-color-scheme:dark){text{fill:#e8edf2}.q{fill:#9aa9b7}.b{fill:#2b3641}"
    ".p{fill:#151c23}}.p{fill:#fff}@media(prefers-color-scheme:dark){.p{fill:#151c23}}"
)


class _Picture:
    """Draws rows from the top to the bottom."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = 12

    def line(self, text: str, kind: str = "") -> None:
        self.y += ROW + (8 if kind == "t" else 0)
        self.put(16, text, kind)

    def put(self, x: int, text: str, kind: str = "") -> None:
        style = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{x}" y="{self.y}"{style}>{escape(text)}</text>')

    def bar(self, label: str, share: float, told: str, kind: str) -> None:
        self.y += ROW
        self.put(24, label)
        for width, style in ((FULL, "b"), (round(FULL * share), kind)):
            self.parts.append(
                f'<rect x="{LEFT}" y="{self.y - 11}" width="{width}" height="12" rx="2" '
                f'class="{style}"/>'
            )
        self.put(LEFT + FULL + 10, told, "q")

    def gap(self) -> None:
        self.y += ROW // 3

    def curve(self, values: Sequence[int]) -> None:
        height, low = 48, min(values)
        span, last = max(values) - low or 1, max(1, len(values) - 1)
        self.y += 10
        points = " ".join(
            f"{LEFT + FULL * at / last:.1f},{self.y + height * (1 - (value - low) / span):.1f}"
            for at, value in enumerate(values)
        )
        self.parts.append(f'<polyline points="{points}"/>')
        for label in (f"{max(values):+}", "ahead or behind", f"{low:+}"):
            self.y += height // 3 - 4
            self.put(LEFT + FULL + 10, label, "q")
        self.put(24, "course", "q")
        self.y += 12

    def drawn(self) -> str:
        high = self.y + 20
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" width="{WIDE}" '
            f'height="{high}" role="img"><title>Practice games</title><style>{STYLE}</style>'
            f'<rect class="p" width="{WIDE}" height="{high}"/>{"".join(self.parts)}</svg>\n'
        )


def svg(games: Sequence[PlayedGame]) -> str:
    """The statistics as a picture that needs nothing else: no fonts, no network."""
    picture = _Picture()
    if not games:
        picture.line("No practice games are kept yet.", "t")
    for key, found in counted(games).items():
        won = of_100(found.won, found.played)
        picture.line(f"{vocabulary(key).title}: {found.played} played, {won} % won", "t")
        picture.curve([game.lead for game in games if game.game == key and game.place])
        for place, times in enumerate(found.by_place, 1):
            picture.bar(f"place {place}", times / found.played, f"{times}", "g")
        picture.gap()
        for card in last_cards(found.summary, RANKS):
            lost = f"lost {card.losses} of {card.times}"
            rank = card.rank.replace("T", "10").replace("X", "joker")
            picture.bar(f"last card {rank}", card.losses / card.times, lost, "r")
        for bid in bid_outcomes(found.summary):
            (what, times), *_ = _came(key, bid)
            picture.bar(f"bid {bid.bid}", times / bid.times, f"{what} {times} of {bid.times}", "g")
    return picture.drawn()


def _came(game: str, bid: BidOutcome) -> tuple[tuple[str, int], ...]:
    return vocabulary(game).came(bid.exact, bid.more, bid.less)
