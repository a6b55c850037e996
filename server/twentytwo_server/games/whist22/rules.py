"""The rules of Whist 22 as data: independent options, and the presets.

Sources are cited as gamerules (gamerules.com) and bga (Board Game Arena). The rulings W1 to W18, on
points that the sources leave open, are in docs/rules/whist22.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from ..options import BadOption, choice, number

TRUMPS = 22
"""The cards of the pack: the trumps 1 to 21 and the Fool."""
_FOOL_VALUES = {"low": ("0",), "high": ("22",)}
BGA_SIZES: Mapping[int, int] = MappingProxyType({2: 9, 3: 7, 4: 5, 5: 4, 6: 3, 7: 3})
"""Cards for each player in the first hand at Board Game Arena, by number of players."""


@dataclass(frozen=True, slots=True)
class Whist22Rules:
    """A choice of rules; the defaults are those of gamerules.com."""

    max_players: int = number(
        4,
        2,
        7,
        help="how many may play at most",
        source="gamerules: 3 or 4; bga: 2 to 7",
    )
    first_size: str = choice(
        "even",
        "even",
        "bga",
        help="the first hand: as many cards as go evenly; or 9, 7, 5, 4, 3, 3 for 2 to 7 players",
        source="gamerules: as many as possible evenly; bga: a table of sizes, nine for two",
    )
    sequence: str = choice(
        "bounce",
        "bounce",
        "bounce_repeat",
        "saw",
        help="hands shrink to one card, then: grow again; one again, then grow; or all anew",
        source="gamerules: shrink to one, then grow again; bga: begin again at the most",
    )
    blind_one: str = choice(
        "no",
        "no",
        "yes",
        help="whether in hands of one card you see everybody's card but your own",
        source="bga: yes",
    )
    start_score: int = number(
        14, 1, 50, help="the points that everybody begins with", source="gamerules: 14"
    )
    hook: str = choice(
        "yes",
        "yes",
        "no",
        help="whether the dealer may not make the bids add up to the number of tricks",
        source="gamerules: the dealer goes over or under",
    )
    fool: str = choice(
        "choice",
        "choice",
        "low",
        "high",
        "out-in-ones",
        help="the Fool: 0 or 22 as its player says; always 0; always 22; or not in one-card hands",
        source="gamerules: 0 or 22, said when it is played; other programs: the rest",
    )

    @property
    def fewest(self) -> int:
        """The minimum number of players."""
        # W1: two players need the smaller hands of bga; with eleven cards each nothing would be
        # hidden
        return 2 if self.first_size == "bga" else 3

    def most_cards(self, seats: int) -> int:
        """Number of cards for each player in the first hand."""
        return BGA_SIZES[seats] if self.first_size == "bga" else TRUMPS // seats

    def size_of(self, hand: int, seats: int) -> int:
        """Number of cards for each player in a hand; hands are numbered from 1."""
        cycle = _cycle(self.sequence, self.most_cards(seats))
        return cycle[(hand - 1) % len(cycle)]

    def is_blind(self, size: int) -> bool:
        """True if nobody sees their own cards in hands of this size."""
        return size == 1 and self.blind_one == "yes"

    def has_fool(self, size: int) -> bool:
        """True if the Fool is in the pack for hands of this size."""
        return size > 1 or self.fool != "out-in-ones"

    @property
    def fool_values(self) -> tuple[str, ...]:
        """The possible values of the Fool."""
        return _FOOL_VALUES.get(self.fool, ("0", "22"))


@lru_cache(maxsize=128)
def _cycle(sequence: str, most: int) -> tuple[int, ...]:
    """The sizes of the hands in one cycle."""
    shrinking = tuple(range(most, 0, -1))
    growing = tuple(range(1, most + 1))
    return {
        "saw": shrinking,
        "bounce": shrinking + growing[1:-1],  # W2: neither end comes twice in a row
        "bounce_repeat": shrinking + growing,
    }[sequence]


def checked(rules: Whist22Rules) -> Whist22Rules:
    """The rules, if they are consistent. Raises `BadOption` with the conflict and a remedy."""
    if rules.max_players < rules.fewest:
        raise BadOption(
            "max_players",
            "Two players need the hands of nine cards: choose first_size=bga, or max_players=3.",
        )
    return rules


def check_seats(rules: Whist22Rules, seats: int) -> None:
    """Raises `BadOption` if the rules do not allow this number of players."""
    if not rules.fewest <= seats <= rules.max_players:
        raise BadOption(
            "max_players",
            f"By these rules {rules.fewest} to {rules.max_players} can play, not {seats}.",
        )


GAMERULES = Whist22Rules()

PRESETS: Mapping[str, Whist22Rules] = {
    "gamerules": GAMERULES,
    "bga": replace(GAMERULES, max_players=7, first_size="bga", sequence="saw", blind_one="yes"),
}
"""The rule sets of Whist 22, the default first."""
