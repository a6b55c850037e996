"""Whist 22: the sentences of the game. It uses the shared moves and events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..cards import FOOL, TAROT, Card
from ..glance import GLANCES, Glance, bids_of
from ..schema import REASONS
from ..vocabulary import Vocabulary
from ..voice import GAME_SCORES, Voice, listed, plural, saying
from ..words.cardplay import (
    Bid_,
    Dealt,
    Game_,
    Hand_,
    Handover,
    Played,
    Scored,
    Took,
    Turn,
    awaits,
    open_cards,
    score_decides,
    time_for,
    which_hand,
)

if TYPE_CHECKING:
    from ..folding import Fold

GAME_KEY = "whist22"
VOCABULARY = Vocabulary(
    GAME_KEY,
    "Whist 22",
    help="""\
Whist 22: bid how many tricks you will take, and take exactly so many.
There are 22 cards: 1 to 21, and the Fool, F.
1. Hands get smaller down to one card, then larger again; with rules=bga
   they start again with the largest.
2. Everybody bids once, in turn; 0 is allowed: type 2, or bid 2. The dealer
   bids last and may not make the bids add up to the number of tricks.
3. Everybody may play any card. The highest card takes the trick, and its
   player leads the next. The Fool counts 0 or 22, as you declare when you
   play it: f0 loses to every card, f22 beats every card.
4. With rules=bga, in hands of one card you see everybody's card but your
   own. Play it as 22 or 0: its value if it is the Fool.
5. Everybody begins with 14 points (start_score). Each trick above or below
   your bid costs one. When a player has none left, the player with most
   points wins.
Your turn lists the legal moves: type one. why 3 explains a refusal.""",
    typing="""\
In Whist 22 a card is its number: 14. The Fool is f0 or f22. A bid is also
just a number: 2.""",
    deck=TAROT,
    best="highest",
    examples={"play": "play 14", "why": "why 14", "bid": "bid 2"},
)

REASONS.update(
    HOOK="the last bidder may not make the bids add up to the number of tricks",
    TOO_HIGH="a bid may not exceed the number of tricks",
    NO_PASS="everybody must bid a number; 0 is allowed",
    ONE_CARD="you must play one card",
    DECLARE_FOOL="the player of the Fool declares its value: F0 or F22",
)


@saying("GAME", GAME_KEY)
def begins(said: Game_, voice: Voice) -> str:
    """The players and the aim of the game."""
    players = listed(voice.name(seat) for seat in range(1, said.players + 1))
    decides = score_decides(said, voice)
    ends = "The game ends when somebody has none left"
    ends += f", or sooner: {decides[0].lower()}{decides[1:]}" if decides else "."
    return (
        f"*** A game of {VOCABULARY.title} begins: {players}.\n"
        f"Everybody has {plural(said.start or 0, 'point')}. Bid how many tricks you will take: "
        f"each trick more or less costs a point. {ends}"
    )


@saying("HAND", GAME_KEY)
def deals(said: Hand_, voice: Voice) -> str:
    """The dealer and the size of the hand."""
    dealer = "you deal" if said.dealer == voice.me else voice.does(said.dealer, "deals")
    left = f"{plural(said.stock, 'card')} left out" if said.stock else "none left out"
    return f"--- {which_hand(said, voice)}: {dealer} {plural(said.size, 'card')} each, {left}."


@saying("DEALT", GAME_KEY)
def has_cards(said: Dealt, voice: Voice) -> str:
    """The viewer's cards, or another player's card that only its owner may not see."""
    if said.seen is not None:
        if voice.live and voice.me is not None:
            return ""  # the question lists all of them together
        return f"{voice.does(said.seat, 'holds')} {voice.show(said.seen)}."
    if said.cards is not None:
        return f"Your cards: {voice.show(said.cards)}"
    return "You do not see your own card; the others do." if said.seat == voice.me else ""


@saying("BID", GAME_KEY)
def bids(said: Bid_, voice: Voice) -> str:
    """A player's bid."""
    return f"{voice.does(said.seat, 'bids')} {said.bid}."


@saying("PLAYED", GAME_KEY)
def plays(said: Played, voice: Voice) -> str:
    """A player's card. The Fool is written with the value that it counts as."""
    verb = "leads" if said.kind == "lead" else "plays"
    return f"{voice.does(said.seat, verb)} {_card(said.cards, voice)}."


@saying("TOOK", GAME_KEY)
def takes(said: Took, voice: Voice) -> str:
    """The winner of a trick and the winning card."""
    return f"{voice.does(said.seat, 'takes')} trick {said.trick} with {_card(said.cards, voice)}."


@saying("SCORED", GAME_KEY)
def counts(said: Scored, voice: Voice) -> str:
    """A seat's bid, its tricks, the points it loses, and the points it has left."""
    name = "You" if said.seat == voice.me else voice.name(said.seat or 0)
    cost = f"{said.points}" if said.points else "nothing lost"
    return f"{name} bid {said.bid}, won {said.won}: {cost}, {said.total} left."


@saying("HANDOVER", GAME_KEY)
def is_over(said: Handover, voice: Voice) -> str:
    """Empty: SCORED has told the score of every seat."""
    return ""


def _card(cards: Iterable[Card], voice: Voice) -> str:
    (card,) = cards
    if card[0] == FOOL and len(card) > 1:
        return f"the Fool as {card[1:]}"
    return voice.show((card,))


# ------------------------------------------------------------------------------- the scores


def tell_scores(table: Fold, voice: Voice) -> list[str]:
    """Every player's points. In a running hand also their bid and tricks."""
    bids = {said.seat: f", bid {said.bid}" for said in table.standing if isinstance(said, Bid_)}
    if table.phase != "playing":
        bids = {}
    lines = []
    for number, seat in sorted(table.seats.items()):
        won = f", won {seat.tricks}" if table.trick and number in bids else ""
        lines.append(f"{voice.name(number)}: {seat.total}{bids.get(number, '')}{won}")
    return lines


GAME_SCORES[GAME_KEY] = tell_scores


def at_a_glance(table: Fold, voice: Voice) -> Glance:
    """Every player's bid and tricks, and the sum of the bids against the number of tricks."""
    bids = bids_of(table)
    won = {seat: f"{table.seats[seat].tricks} of {bid}" for seat, bid in bids.items()}
    notes = won if table.trick else {seat: f"bid {bid}" for seat, bid in bids.items()}
    for seat, each in table.seats.items():
        if each.seen:
            said = (notes.get(seat), f"holds {voice.show(each.seen)}")
            notes[seat] = " ".join(filter(None, said))
    tricks = table.hand.size if table.hand else 0
    total = sum(int(bid) for bid in bids.values() if bid.isdigit())
    if not tricks:
        return Glance(notes=notes)
    left = f" ({abs(total - tricks)} {'over' if total > tricks else 'under'})"
    over = left if len(bids) == len(table.seats) and total != tricks else ""
    return Glance((f"{total} of {plural(tricks, 'trick')} bid{over}",), notes)


GLANCES[GAME_KEY] = at_a_glance


# ------------------------------------------------------------------------------ the question


@saying("TURN", GAME_KEY)
def asks(said: Turn, voice: Voice) -> str:
    """The possible bids or cards. The last line is enough to answer."""
    if said.default is None:
        return awaits(said, voice)
    hand = f"Your cards: {voice.show(said.hand)}{_fool(said)}" if said.hand else ""
    question = _asks_bid(said, voice) if said.act == "bid" else _asks_play(said, voice)
    table = voice.beside(said)
    others = open_cards(table, voice) if table else ""
    around = _bid_so_far(table, voice, said) if table and table.so_far() else ""
    return "\n".join(part for part in (around, hand, others, question) if part)


def _bid_so_far(table: Fold, voice: Voice, said: Turn) -> str:
    """Every player's bid and tricks, and the sum of the bids against the number of tricks."""
    bids = {each.seat: each.bid for each in table.standing if isinstance(each, Bid_)}
    if not bids:
        return ""
    if said.act == "bid":
        return f"Bids: {', '.join(f'{voice.name(seat)} {bid}' for seat, bid in bids.items())}."
    won = ", ".join(
        f"{voice.name(seat)} {table.at(seat).tricks} of {bids[seat]}" for seat in sorted(bids)
    )
    tricks = table.hand.size if table.hand else 0
    total = sum(int(bid) for bid in bids.values())
    return f"Won of bid: {won}; {total} bid for {plural(tricks, 'trick')}."


def _fool(said: Turn) -> str:
    if said.act == "bid" or FOOL not in (said.hand or ()):
        return ""
    means = {"F0": "F0: the Fool loses to all", "F22": "F22: it beats all"}
    return f"   ({'; '.join(means[move] for move in said.legal or () if move in means)})"


def _asks_bid(said: Turn, voice: Voice) -> str:
    tricks, bids, legal = said.tricks or 0, said.bids or (), said.legal or ()
    head = f"Your bid{time_for(said, voice)}, {_allowed(legal, tricks)}"
    if not bids:
        return f"{head}: you are the first, and there {_are(tricks)}."
    if len(legal) > tricks:
        return f"{head}: {sum(bids)} of {plural(tricks, 'trick')} bid so far."
    return f"{head}: {sum(bids)} bid so far; you may not make it {tricks}."


def _allowed(legal: Sequence[str], tricks: int) -> str:
    """The allowed bids: `0 to 5`, `1 to 5`, `0 to 5 but not 2`, `only 0`."""
    if len(legal) == 1:
        return f"only {legal[0]}"
    left_out = [str(bid) for bid in range(tricks + 1) if str(bid) not in legal]
    inside = [bid for bid in left_out if int(legal[0]) < int(bid) < int(legal[-1])]
    return f"{legal[0]} to {legal[-1]}{''.join(f' but not {bid}' for bid in inside)}"


def _are(tricks: int) -> str:
    return f"{'is' if tricks == 1 else 'are'} {plural(tricks, 'trick')}"


def _asks_play(said: Turn, voice: Voice) -> str:
    legal = said.legal or ()
    choices = " | ".join(legal) if len(legal) > 1 else f"All you may play is {legal[0]}."
    made = f"Bid {said.bid}, won {said.won}."
    best = f" Highest is {_card(said.beat, voice)}." if said.beat else ""
    if not said.hand:
        return f"{made}{best}\n{_asks_unseen(said, voice)}"
    whose = "Your turn" if said.beat else "Your lead"
    return f"{whose}{time_for(said, voice)}: {made.lower()}{best} {' ' * (len(legal) > 1)}{choices}"


def _asks_unseen(said: Turn, voice: Voice) -> str:
    legal = said.legal or ()
    head = f"Your card, unseen{time_for(said, voice)}"
    if len(legal) == 1:
        return f"{head}: type {legal[0]} to play it."
    return f"{head}: type {' or '.join(legal)} to play it (it counts that if it is the Fool)."
