"""Statistics as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from twentytwo_protocol.statistics import PlayedGame, bid_outcomes, counted, last_cards
from twentytwo_protocol.vocabulary import vocabulary

from .figures import LAST_CARD_RANKS, of_100
from .report import came, written

WIDE, ROW, LEFT, FULL = 640, 18, 110, 380
"""The sizes in the picture: its width, the height of a row, the space left of a bar, a full bar."""
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1c2733}.t{font-weight:600;font-size:16px}"
    ".q{fill:#5b6b7a}.g{fill:#2f7d5b}.r{fill:#b5484a}.b{fill:#e7ecf0}"
    "polyline{fill:none;stroke:#2f6fb0;stroke-width:1.5}"
    "@media(prefers-color-scheme:dark){text{fill:#e8edf2}.q{fill:#9aa9b7}.b{fill:#2b3641}"
    ".p{fill:#151c23}}.p{fill:#fff}@media(prefers-color-scheme:dark){.p{fill:#151c23}}"
)


class _Picture:
    """Draws rows from top to bottom."""

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
    """The statistics as a self-contained picture, without fonts or network."""
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
        for card in last_cards(found.summary, LAST_CARD_RANKS):
            lost = f"lost {card.losses} of {card.times}"
            picture.bar(f"last card {written(card.rank)}", card.losses / card.times, lost, "r")
        for bid in bid_outcomes(found.summary):
            (what, times), *_ = came(key, bid)
            picture.bar(f"bid {bid.bid}", times / bid.times, f"{what} {times} of {bid.times}", "g")
    return picture.drawn()
