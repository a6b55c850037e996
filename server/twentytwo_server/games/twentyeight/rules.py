"""The rules of Twenty-Eight as data: independent options, and the presets.

Sources: denexa is the description that the preset `denexa` follows exactly; pagat are the rules of
Pagat's page as far as they are quoted elsewhere. The preset `evening` is ours: denexa's rules with
a shorter game. docs/rules/twentyeight.md has the rulings (E1 and so on).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..options import BadOption, choice, number

PLAYERS = 4


@dataclass(frozen=True, slots=True)
class TwentyEightRules:
    """A choice of rules; the defaults are those of denexa."""

    order: str = choice(
        "denexa",
        "denexa",
        "pagat",
        help="how cards rank: J 9 A K Q 10 8 7 (denexa), or J 9 A 10 K Q 8 7 (pagat)",
        source="denexa: the ten below the queen; pagat: the ten next to the ace",
    )
    call: str = choice(
        "mandatory",
        "mandatory",
        "optional",
        help="whether who cannot follow suit must call for the hidden trump, or may throw a card",
        source="denexa: they call for it; pagat: they may",
    )
    must_trump: str = choice(
        "always",
        "always",
        "caller",
        help="who must trump when they cannot follow: everybody, or only the caller in that trick",
        source="denexa: any player who cannot follow; pagat: the one who called",
    )
    early_trump: str = choice(
        "no",
        "no",
        "yes",
        help="whether trumps count that were played to a trick before the trump was shown in it",
        source="pagat: they do not; pagat, of Twenty-Nine: they do",
    )
    pass_out: str = choice(
        "no",
        "no",
        "yes",
        help="whether who has passed is out of the bidding",
        source="denexa, pagat: it ends with three passes in succession; programs: a pass is final",
    )
    target: int = number(
        10,
        1,
        50,
        help="the side that has so many points wins",
        source="denexa, pagat: ten; here: five, for one evening (ruling E30)",
    )
    loss_limit: int = number(
        0,
        1,
        50,
        none=True,
        help="the side that is so far below zero loses",
        source="denexa, pagat: none; programs: six; here: five, for one evening (ruling E30)",
    )
    redeal_no_points: str = choice(
        "no",
        "no",
        "yes",
        help="whether the first to speak may ask for a new deal with no J, 9, A or 10",
        source="pagat",
    )


def check_seats(seats: int) -> None:
    """Raises `BadOption` for an impossible number of players."""
    if seats != PLAYERS:
        raise BadOption("seats", f"Twenty-Eight is for {PLAYERS} players, not {seats}.")


def stakes(bid: int) -> tuple[int, int]:
    """The bidding side's gain for making a bid, and its loss for failing."""
    # denexa: +1/-2 up to 19, +2/-3 from 20 to 24, +3/-4 from 25 on
    score = 1 if bid < 20 else 2 if bid < 25 else 3
    return score, score + 1


DENEXA = TwentyEightRules()

PRESETS: Mapping[str, TwentyEightRules] = {
    "evening": replace(DENEXA, target=5, loss_limit=5),
    "denexa": DENEXA,
    "pagat": replace(
        DENEXA, order="pagat", call="optional", must_trump="caller", redeal_no_points="yes"
    ),
}
"""The rule sets, the default first."""
