"""Twenty-Two and Twenty-Six: the exchange, and the sentences of both games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ..cards import JOKER, RANK_ORDER, RANKS, STANDARD, Card
from ..counting import counted, gone
from ..glance import GLANCES, Glance
from ..schema import REASONS, Deed, Words, command
from ..typed_cards import exchanges
from ..vocabulary import Vocabulary, vocabulary
from ..voice import Voice, listed, plural, saying
from ..words.cardplay import (
    Exchanged,
    Game_,
    Hand_,
    Scored,
    Shown,
    Turn,
    awaits,
    score_decides,
    some,
    time_for,
    which_hand,
)

if TYPE_CHECKING:
    from ..folding import Fold

VOCABULARY = Vocabulary(
    "twentytwo",
    "Twenty-Two",
    short=("22",),
    help="""\
Twenty-Two: the player with the highest last card loses. Suits do not matter.
1. The player who draws the highest card deals first.
2. Everybody gets 7 cards; in later hands as many as the loser scored.
3. You may exchange cards once: exchange 6 9 9. Or keep.
4. The leader plays one card, or several of one rank: q q. The leader must
   keep one. The others play as many cards: each equal to or above the best
   play so far, or else their lowest. The last player who equals or beats it
   takes the trick and leads the next.
5. When all have one card left, they show it. The highest loses the hand.
6. The loser scores that card: an ace 11, K Q J 10, others their number.
7. The loser of a hand deals the next.
8. With 22 points you are out. The last player who is not out wins.
Your turn lists the legal moves: type one. why q 3 explains a refusal.""",
    typing="""\
In Twenty-Two and Twenty-Six suits do not matter: the server picks one of
your equal cards.""",
    target="out at",
    counting="cards that have gone",
)
VOCABULARY_26 = Vocabulary(
    "twentysix",
    "Twenty-Six",
    short=("26",),
    help="""\
Twenty-Six: Twenty-Two with two packs and four jokers, to 26 points. The
player with the highest last card loses. Suits do not matter. help twentytwo
has rules 1 to 8: exchange, lead one card or several of one rank, equal or
beat or throw your lowest, and show the last card.
9. A joker, x, can only be played with an ordinary card. It counts as the
   highest one beside it: x k are two kings, x 6 6 three sixes. It is shown
   as joker(K). Among your lowest cards it comes last. As a last card it is
   higher than an ace: it loses, and counts 13.
Your turn lists the legal moves: type one. why x k explains a refusal.""",
    target="out at",
    counting="cards that have gone",
)
KEYS = (VOCABULARY.key, VOCABULARY_26.key)


def _points(jack: int, queen: int, king: int, ace: int) -> Mapping[str, int]:
    pips = {rank: RANK_ORDER[rank] + 2 for rank in RANKS}
    # In Twenty-Six a joker counts 13. No source combines jokers with sequential points.
    return pips | {"J": jack, "Q": queen, "K": king, "A": ace, JOKER: 13}


CARD_POINTS: Mapping[str, Mapping[str, int]] = {
    "11/10": _points(10, 10, 10, 11),  # pagat: aces 11, court cards 10
    "sequential": _points(11, 12, 13, 14),  # tvtropes: ace 14, king 13, queen 12, jack 11
}
"""The points of a last card by rank, for each value of the option `points`."""


def dearest(options: Mapping[str, str]) -> int:
    """The most points that one hand can cost with these options, which are as in OPTION events."""
    points = CARD_POINTS.get(options.get("points", ""), CARD_POINTS["11/10"])
    ranks = RANKS if options.get("jokers", "0") == "0" else RANKS + JOKER
    return max(points[rank] for rank in ranks)


REASONS.update(
    MUST_BEAT="you can equal or beat the play, and the option heading requires it",
    STRAIGHT_TOO_SHORT="a straight needs more cards",
    STRAIGHT_TOO_LONG="a straight may not have so many cards",
    JOKER_ALONE="a joker can only be played with at least one ordinary card",
    JOKER_RANK="a joker counts as the highest ordinary card beside it",
)


@command("playing", short="x", example="exchange 6 9 9")
class Exchange(Deed):
    """Throw cards away and draw as many; once, before the first trick."""

    cards: Annotated[Words, "cards or ranks; none to keep all"] = ()
    act: ClassVar[str] = "exchange"

    @property
    def token(self) -> str:
        """The cards joined with `+`; `-` for none."""
        return "+".join(self.cards) or "-"

    @classmethod
    def of(cls, token: str) -> Exchange:
        """The exchange with this token."""
        return cls(() if token == "-" else tuple(token.split("+")))


@command("playing", short="k")
class Keep(Deed):
    """Keep all your cards."""

    act: ClassVar[str] = "exchange"

    @property
    def token(self) -> str:
        """The token `-`, for no card."""
        return "-"

    @classmethod
    def of(cls, token: str) -> Exchange:
        """An exchange of no cards."""
        return Exchange.of(token)


# ----------------------------------------------------------------------------- sentences


def at_a_glance(table: Fold, voice: Voice) -> Glance:
    """The stock until the first trick, then the ranks that are gone."""
    if not table.trick:
        return Glance((f"{table.stock} left to draw from",) if table.stock else ())
    seen = _in_order(gone(table)) if counted(table) else ()
    ranks = " ".join(_together(list(equal), voice) for _, equal in groupby(seen))
    return Glance((f"gone: {ranks}",) if ranks else ())


def _together(equal: list[Card], voice: Voice) -> str:
    """Equal cards without spaces, to save room: `222`, `4 jokers`. Tens keep their spaces."""
    shown, one = voice.show(equal), voice.show(equal[:1])
    if len(equal) > 1 and len(one) > 2:
        return f"{len(equal)} {one}s"
    return shown if len(one) > 1 else shown.replace(" ", "")


GLANCES.update(dict.fromkeys(KEYS, at_a_glance))


@saying("GAME", *KEYS)
def begins(said: Game_, voice: Voice) -> str:
    """The players, and the score at which a player is out."""
    players = listed(voice.name(seat) for seat in range(1, said.players + 1))
    title = vocabulary(said.game).title
    ends = score_decides(said, voice)
    begins = f"*** A game of {title} begins: {players}. Reach {said.target} and you are out."
    return f"{begins}\n{ends}".rstrip()


@saying("HAND", *KEYS)
def deals(said: Hand_, voice: Voice) -> str:
    """The dealer and the size of the hand."""
    left = f"{said.stock} left to draw from" if said.stock else "none left to draw from"
    mine = said.dealer == voice.me
    dealer = "you deal" if mine else voice.does(said.dealer, "deals")
    return f"--- {which_hand(said, voice)}: {dealer} {plural(said.size, 'card')} each, {left}."


@saying("SCORED", *KEYS)
def loses(said: Scored, voice: Voice) -> str:
    """The loser of the hand, and the card that counts."""
    card = some((said.card,), voice) if said.card else "that"
    loser = voice.does(said.seat or 0, "loses")
    points = plural(said.points, "point")
    return f"{loser} the hand: {card} is {points}, {said.total} in all."


@saying("SHOWN", *KEYS)
def shows_card(said: Shown, voice: Voice) -> str:
    """A player's last card."""
    return f"{voice.does(said.seat, 'shows')} {some((said.card,), voice)}."


@saying("TURN", *KEYS)
def asks(said: Turn, voice: Voice) -> str:
    """The possible answers to a question, in the words that a person types."""
    if said.default is None:
        return awaits(said, voice)
    table = voice.beside(said)
    # A client that keeps the table in view has no events of the hand here: it shows them by itself.
    around = _around(table, voice, said) if table and table.so_far() else ""
    if said.act == "exchange":
        return f"{around}{_asks_exchange(said, voice)}"
    time = time_for(said, voice)
    hand = around + (f"Your cards: {voice.show(said.hand)}\n" if said.hand else "")
    moves = [_choice(move, said, voice) for move in (said.legal or ())[:SHOWN]]
    more = (said.nlegal or 0) - len(moves)
    shown = " | ".join(moves) + (f" | ... {more} more (moves lists them)" if more > 0 else "")
    if said.beat is None:
        return f"{hand}Your lead{time}: {shown}"
    beat = voice.show(_ranks(said.beat))
    if said.nlegal == 1:
        return f"{hand}Your turn{time}: {beat} to beat; all you may play is {_plain(moves[0])}."
    return f"{hand}Your turn{time}: {beat} to beat.  {shown}"


def _around(table: Fold, voice: Voice, said: Turn) -> str:
    """One line with the facts beside the viewer's cards: players close to being out, the number of
    cards, the cards that are gone.
    """
    parts = [_danger(table, voice)]
    if said.act == "exchange":
        if table.hand is not None and table.stock not in (None, table.hand.stock):
            parts.append(f"{plural(table.stock or 0, 'card')} left to draw from.")
    else:
        parts.append(_not_asked(table))
        parts.append(_held(table, voice))
        seen = gone(table) if counted(table) else ()
        parts.append(f"Gone: {voice.counted(_in_order(seen))}." if seen else "")
    line = " ".join(part for part in parts if part)
    return f"{line}\n" if line else ""


def _not_asked(table: Fold) -> str:
    """Why the viewer was not asked to exchange: earlier players have drawn the whole stock."""
    if table.trick != 1 or table.stock or not (table.hand and table.hand.stock):
        return ""
    asked = any(isinstance(each, Exchanged) and each.seat == table.me for each in table.standing)
    return "" if asked else "Nothing was left to draw, so you keep your cards."


def _danger(table: Fold, voice: Voice) -> str:
    target, most = table.game.target if table.game else None, dearest(table.options)
    near = [
        f"{voice.name(number)} {seat.total}"
        for number, seat in sorted(table.seats.items())
        if target and not seat.out and seat.total < target <= seat.total + most
    ]
    return f"In danger ({target} points is out): {', '.join(near)}." if near else ""


def _held(table: Fold, voice: Voice) -> str:
    """The number of cards that each player holds. At a lead all hold the same number."""
    held = {no: seat.cards for no, seat in sorted(table.seats.items()) if seat.cards}
    if len({*held.values()}) == 1:
        return f"{plural(held.popitem()[1], 'card')} each."
    if len(held) > MANY:
        return f"{min(held.values())} to {max(held.values())} cards each."
    return f"Cards: {', '.join(f'{voice.name(no)} {n}' for no, n in held.items())}."


MANY = 4
"""The number of players above which a sentence sums them up."""


def _in_order(cards: Iterable[Card]) -> list[Card]:
    """The ranks from low to high. A joker counts as a joker, whatever it was played as."""
    return sorted((card[0] for card in cards), key=STANDARD.position)


SHOWN = 16
"""The number of moves that a question lists; `moves` lists all."""


def _choice(move: str, said: Turn, voice: Voice) -> str:
    lowest = said.low is not None and move == "+".join(said.low) and said.beat is not None
    return voice.show(move.split("+")) + (" (lowest)" if lowest else "")


def _plain(choice: str) -> str:
    return choice.removesuffix(" (lowest)")


def _asks_exchange(said: Turn, voice: Voice) -> str:
    if not said.max:
        return "Nothing is left to draw; type keep."
    turn = f"Your turn{time_for(said, voice)}: exchange up to {plural(said.max, 'card')}"
    if voice.known is not None and voice.known.lesson:
        return f"{turn}, or keep."  # the lesson asks for the cards
    return f"{turn} ({', or '.join(exchanges(said))})."


def _ranks(cards: tuple[Card, ...]) -> list[Any]:
    return [card[1] if len(card) > 1 and card[0] == "X" else card[0] for card in cards]
