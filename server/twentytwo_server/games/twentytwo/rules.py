"""The rules of Twenty-Two and Twenty-Six as data: independent options, and the presets.

Every description of the game (Pagat's, Ben Rasmussen's and Roman Igumnov's there, gamerules.com, TV
Tropes) is one choice of values; any other reasonable choice is playable too. Sources are cited as
pagat, rasmussen, twentysix, gamerules and tvtropes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from twentytwo_protocol.games.twentytwo import CARD_POINTS

from ..options import BadOption, choice, number

AUTO_ONE_PACK = 6
"""Maximum number of players for which `decks=auto` takes one pack."""
PLAYERS_PER_PACK = 4
"""Number of players for each pack with `decks=auto`, if there are more than `AUTO_ONE_PACK`."""
MOST_PER_PACK = 9
"""Maximum number of players per pack: with more, scoring cards could leave too few to deal."""


@dataclass(frozen=True, slots=True)
class TwentyTwoRules:
    """A choice of rules; the defaults are Pagat's main rules."""

    max_players: int = number(
        12,
        2,
        12,
        help="how many may play at most",
        source="pagat: 2 to 6, more with more packs; gamerules: 2 to 6; tvtropes: any number",
    )
    decks: str = choice(
        "auto",
        "auto",
        "1",
        "2",
        "3",
        "4",
        help="how many packs; auto: one, and above six players one for every four",
        source="pagat: one pack for every four players when more than six; twentysix: two",
    )
    jokers: int = number(
        0, 0, 8, help="how many jokers are in the pack", source="twentysix: four jokers"
    )
    direction: str = choice(
        "cw",
        "cw",
        "ccw",
        help="cw: play goes to the left; ccw: to the right, and the dealer plays second",
        source="pagat: clockwise; tvtropes: from the dealer's left, then counterclockwise",
    )
    first_dealer: str = choice(
        "draw",
        "draw",
        "random",
        help="who deals first: the highest card drawn, or anybody",
        source="pagat, gamerules: each player draws a card and the highest deals",
    )
    first_hand: int = number(
        7, 1, 13, help="cards for each player in the first hand", source="all: seven"
    )
    hand_size: str = choice(
        "loser_card",
        "loser_card",
        "fixed",
        help="later hands: the points of the losing card, or always as the first",
        source="pagat, gamerules: the losing card's value; tvtropes: constant",
    )
    exchange: str = choice(
        "on",
        "on",
        "off",
        help="whether cards may be exchanged before the first trick",
        source="all: once; tvtropes, variation: skip the trades",
    )
    heading: str = choice(
        "optional",
        "optional",
        "mandatory",
        help="whether who can equal or beat the play must do so",
        source="pagat, gamerules: you may; rasmussen, tvtropes: you must",
    )
    bar: str = choice(
        "best",
        "best",
        "lead",
        help="what is to be equalled or beaten: the best play so far, or what was led",
        source="pagat: the highest play so far; rasmussen: what was led",
    )
    winner: str = choice(
        "bar",
        "bar",
        "set",
        help="what wins a trick: the best play, or the highest set of equal cards",
        source="pagat: the highest play; rasmussen: the highest set of equal cards",
    )
    straights: str = choice(
        "off",
        "off",
        "on",
        help="whether a run of cards may be led",
        source="tvtropes, variation: straights",
    )
    straight_min: int = number(
        3,
        2,
        13,
        help="the fewest cards of a straight",
        source="tvtropes: a minimum may be imposed, three is common",
    )
    straight_max: int = number(
        0,
        2,
        13,
        none=True,
        help="the most cards of a straight",
        source="tvtropes: a maximum may be imposed",
    )
    straight_suited: str = choice(
        "no",
        "no",
        "yes",
        help="whether a straight must be of one suit",
        source="tvtropes: matching suits may be required",
    )
    points: str = choice(
        "11/10",
        "11/10",
        "sequential",
        help="A 11, K Q J 10; or A 14, K 13, Q 12, J 11; a joker is 13",
        source="pagat: 11 and 10, a joker 13; tvtropes: 14 13 12 11",
    )
    keep_cards: str = choice(
        "yes",
        "yes",
        "no",
        help="whether losing cards stay on the table, out of the pack",
        source="pagat: kept face up; rasmussen: points on paper, a full pack",
    )
    dead_cards: str = choice(
        "out",
        "out",
        "back",
        help="whether the cards kept by whoever reaches the limit go back to the pack",
        source="pagat: kept for the rest of the game",
    )
    limit: int = number(
        22,
        10,
        100,
        help="whoever has so many points is out",
        source="pagat, gamerules, tvtropes: 22 or more; twentysix: 26 or more",
    )
    dealer: str = choice(
        "loser",
        "loser",
        "rotate",
        help="who deals next: the loser, or the next player in the order of play",
        source="pagat, gamerules, tvtropes: the loser; tvtropes, variation: the deal passes",
    )
    dealer_tie: str = choice(
        "draw",
        "draw",
        "last_to_play",
        "random",
        help="who of several losers deals: the highest card drawn, the last of them, or any",
        source="pagat: they draw; tvtropes: who took the trick, variation: random",
    )
    eliminated_deals: str = choice(
        "yes",
        "yes",
        "no",
        help="whether a loser who is out still deals; no: the next to the right does",
        source="pagat, gamerules: deals, then leaves; tvtropes: the player to the right",
    )
    all_out: str = choice(
        "shared",
        "shared",
        "lowest",
        "runoff",
        help="if the last players go out together: all win, the lowest score does, or a run-off",
        source="pagat: all, or the lowest total; gamerules: lowest; tvtropes: lowest, then run-off",
    )

    def __hash__(self) -> int:
        # Rules are part of keys that are looked up at every move; a few fields distinguish most
        # rules.
        return hash((self.limit, self.jokers, self.heading, self.bar))

    def wanted_after(self, points: int) -> int:
        """The number of cards for each player in the hand after a loss of this number of points."""
        # pagat: the points of the losing card, ten for a queen; tvtropes: always seven
        return points if self.hand_size == "loser_card" else self.first_hand

    def packs(self, seats: int) -> int:
        """The number of packs for a number of players; it stays the same when players drop out."""
        if self.decks != "auto":
            return int(self.decks)
        # pagat: above six players, about one pack for every four
        return 1 if seats <= AUTO_ONE_PACK else -(-seats // PLAYERS_PER_PACK)

    def points_of(self, rank: str) -> int:
        """The points for a last card of this rank."""
        return CARD_POINTS[self.points][rank]


def checked(rules: TwentyTwoRules) -> TwentyTwoRules:
    """The rules, if they are consistent. Raises `BadOption` with the conflict and a remedy."""
    if rules.straights == "on":
        if rules.winner == "set":
            raise BadOption(
                "straights",
                "A straight is no set of equal cards, so with winner=set nobody could win with it: "
                "choose winner=bar or straights=off.",
            )
        if 0 < rules.straight_max < rules.straight_min:
            raise BadOption(
                "straight_max",
                f"No straight has at least {rules.straight_min} and at most "
                f"{rules.straight_max} cards: choose straight_max={rules.straight_min} or more, "
                "or 0 for none.",
            )
    return rules


def check_seats(rules: TwentyTwoRules, seats: int) -> None:
    """Raises `BadOption` if the rules do not allow this number of players."""
    if not 2 <= seats <= rules.max_players:
        raise BadOption(
            "max_players", f"By these rules 2 to {rules.max_players} can play, not {seats}."
        )
    if seats > MOST_PER_PACK * rules.packs(seats):
        raise BadOption(
            "decks",
            f"decks={rules.decks} is too few cards for {seats} players: "
            f"one pack serves {MOST_PER_PACK}. Choose decks=auto or more.",
        )


PAGAT = TwentyTwoRules()

PRESETS: Mapping[str, TwentyTwoRules] = MappingProxyType(
    {
        "pagat": PAGAT,
        "gamerules": replace(PAGAT, max_players=6, decks="1", all_out="lowest"),
        "tvtropes": replace(
            PAGAT,
            direction="ccw",
            hand_size="fixed",
            heading="mandatory",
            points="sequential",
            dealer_tie="last_to_play",
            eliminated_deals="no",
            all_out="runoff",
        ),
        "rasmussen": replace(PAGAT, heading="mandatory", bar="lead", winner="set", keep_cards="no"),
    }
)
"""The rule sets of Twenty-Two, the default first."""

PRESETS_26: Mapping[str, TwentyTwoRules] = MappingProxyType(
    {"twentysix": replace(PAGAT, max_players=8, decks="2", jokers=4, limit=26)}
)
"""The rule set of Twenty-Six."""
