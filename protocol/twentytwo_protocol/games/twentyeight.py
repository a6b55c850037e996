"""Twenty-Eight: choosing and calling for the trump, redeals, and the sentences of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec.structs import force_setattr

from ..cards import PIQUET, SUIT_NAMES, as_held
from ..counting import counted, voids
from ..glance import GLANCES, Glance, SideGlance, bids_of, contract_of
from ..schema import (
    REASONS,
    CardToken,
    Deed,
    Event,
    Flag,
    Malformed,
    Owner,
    Seat,
    Token,
    Words,
    command,
    event,
)
from ..vocabulary import Vocabulary
from ..voice import GAME_SCORES, Voice, listed, plural, saying
from ..words.cardplay import (
    LESSON_ENDS,
    Bid,
    Bid_,
    Contract,
    Dealt,
    Game_,
    Gameover,
    Hand_,
    Handover,
    Scored,
    Took,
    Turn,
    score_decides,
    time_for,
    what_next,
    which_hand,
)

if TYPE_CHECKING:
    from ..folding import Fold
    from ..knowledge import Knowledge

GAME_KEY = "twentyeight"
RANKINGS = {
    "denexa": "78TQKA9J",  # J, 9, A, K, Q, 10, 8, 7
    "pagat": "78QKTA9J",  # pagat: J, 9, A, 10, K, Q, 8, 7
}
"""The ranking of the cards of a suit, low to high, for each value of the option `order`."""
VOCABULARY = Vocabulary(
    GAME_KEY,
    "Twenty-Eight",
    short=("28",),
    help="""\
Twenty-Eight: two against two, partners opposite. There are 28 card points:
jacks 3, nines 2, aces and tens 1.
In every suit, high to low: J 9 A K Q 10 8 7; by pagat J 9 A 10 K Q 8 7.
1. Everybody gets four cards, and four more once the trump is chosen.
2. Bid how many card points your side will take: type 16, or pass. The
   lowest bid is 14, over your partner 20. The first bidder must bid.
3. The highest bidder lays a card face down, trump 7h: its suit is trump.
4. Follow suit if you can. The highest card of the suit led takes the
   trick. While the trump is hidden it has no power, and the bidder may not
   lead it with any other card in hand. If you cannot follow suit, you
   call for the trump: the card is shown, and you must trump if you can (by
   pagat you may throw any card instead). Once the trump is shown, the
   highest trump takes the trick, and everybody may lead trumps.
5. If the bidders make their bid they score 1, for a bid from 20 on 2, from
   25 on 3; if not, they lose one more than that. 5 points win the game, 5
   below zero lose it. By denexa and pagat 10 win, and no score loses.
Your turn lists the legal moves: type one. why jh explains a refusal.""",
    typing="In Twenty-Eight suits matter: 9h is not 9c.",
    deck=PIQUET,
    partners=((1, 3), (2, 4)),
    best="best",
    orders=RANKINGS,
    exact=False,
    counting="suits that players are known to lack",
    examples={"play": "play jh", "why": "why jh"},
    doing={"trump": "choose the trump", "declare": "call or say no"},
)

REASONS.update(
    MUST_BID="the first bidder may not pass",
    TOO_LOW="a bid must be higher than the highest bid, and at least 14",
    ONLY_28="there are only 28 points",
    PARTNER_20="to outbid your partner you must bid at least 20",
    NO_REDEAL="only the first bidder, without a card that counts, may ask for a new deal",
    FOLLOW_SUIT="a player with a card of the suit led must play one",
    TRUMP_LEAD="the bidder may not lead the hidden trump suit while holding other cards",
    TRUMP_CARD_DOWN="the face-down trump card cannot be played before it is shown",
    MUST_TRUMP="a player who cannot follow suit must trump, after a call or by the rules",
    WHICH_SUIT="you hold several cards of that rank: name the suit too",
)


# ------------------------------------------------------------------------------- deeds


@command("playing", example="trump 7h")
class Trump(Deed):
    """Choose the trump: lay one of your cards face down, and its suit is trump."""

    cards: Annotated[Words, "one card of your hand"]
    act: ClassVar[str] = "trump"

    def __post_init__(self) -> None:
        """Converts the name of a suit to its letter. Any other word has to be a card."""
        names = (SUIT_NAMES.get(word.upper(), word) for word in self.cards)
        force_setattr(self, "cards", tuple(names))

    @property
    def token(self) -> str:
        """The token of the card."""
        return "+".join(self.cards)

    @classmethod
    def of(cls, token: str) -> Trump:
        """The choice with this token."""
        return cls(tuple(token.split("+")))


@command("playing", short="yes")
class Call(Deed):
    """Call for the trump, when you cannot follow suit and it is still hidden."""

    act: ClassVar[str] = "declare"

    @property
    def token(self) -> str:
        """The token `call`."""
        return "call"

    @classmethod
    def of(cls, token: str) -> Deed:
        """The answer with this token: `call` or `no`. Raises `Malformed`."""
        match token.lower():
            case "call":
                return Call()
            case "no":
                return No()
        raise Malformed("the answer is call or no")


@command("playing")
class No(Deed):
    """Do not call for the trump: you may throw any card instead."""

    act: ClassVar[str] = "declare"

    @property
    def token(self) -> str:
        """The token `no`."""
        return "no"

    @classmethod
    def of(cls, token: str) -> Deed:
        """The answer with this token: `call` or `no`. Raises `Malformed`."""
        return Call.of(token)


@command("playing")
class Redeal(Deed):
    """Ask for a new deal, instead of the first bid, when none of your cards counts."""

    act: ClassVar[str] = "bid"
    late: ClassVar[str] = "A new deal can be asked for only instead of the first bid."

    @property
    def token(self) -> str:
        """The token `redeal`."""
        return "redeal"

    @classmethod
    def of(cls, token: str) -> Deed:
        """The bid with this token, or `Redeal`. Raises `Malformed`."""
        if token.lower() == "redeal":
            return Redeal()
        try:
            return Bid.of(token)
        except Malformed:
            raise Malformed("a bid is a number or pass", "bid") from None


# ------------------------------------------------------------------------------- events


def _redealt(said: Redealt, voice: Voice) -> str:
    asks = "ask" if said.seat == voice.me else "asks"
    return f"{voice.does(said.seat, 'has')} no card that counts, and {asks} for a new deal."


@event("table", scope="hand", ends="turn", say=_redealt)
class Redealt(Event):
    """The cards are thrown in before the first bid, and the same dealer deals again."""

    seat: Annotated[Seat, "the seat that asked for it"]
    auto: Annotated[Flag | None, "1: the clock or a stand-in asked"] = None

    def fold(self, table: Knowledge) -> None:
        """Empties the hands and the stock."""
        table.holding, table.stock = (), None
        for seat in table.seats.values():
            seat.cards = 0


def _declared(said: Declared, voice: Voice) -> str:
    if said.what == "call":
        return ""  # the event with the face-up card says it
    does = "do" if said.seat == voice.me else "does"
    return f"{voice.does(said.seat, 'cannot')} follow suit, and {does} not call."


@event("table", scope="trick", ends="turn", say=_declared)
class Declared(Event):
    """A seat that cannot follow suit has said whether it calls for the trump."""

    seat: Seat
    what: Annotated[Token, "call or no"]
    auto: Annotated[Flag | None, "1: the clock or a stand-in answered"] = None


def _trump(said: Trump_, voice: Voice) -> str:
    if said.card is None or said.suit is None:
        return f"{voice.does(said.seat, 'lays')} a card face down: its suit is the trump."
    trumps = f"{SUIT_NAMES[said.suit]} are trump"
    card = voice.show((said.card,))
    if not said.shown:
        return f"You lay {card} face down: {trumps}, and only you know it."
    turns = voice.does(said.seat, "turns")
    if said.caller is None:
        return f"{turns} up {card}: {trumps}."
    cannot = f"{voice.does(said.caller, 'cannot')} follow suit"
    if said.caller == said.seat:
        return f"{cannot}, and {turns.rpartition(' ')[2]} up {card}: {trumps}."
    return f"{cannot}: {_does(said.seat, 'turns', voice)} up {card}, {trumps}."


@event("table", scope="hand", ends="turn", say=_trump)
class Trump_(Event):  # TRUMP
    """The trump is chosen, face down; or, `shown`, it is turned up and goes back to the hand."""

    seat: Annotated[Seat, "the seat of the bidder"]
    shown: Annotated[Flag, "0: it lies face down; 1: it is turned up"]
    suit: Annotated[Token | None, "C, D, H or S", Owner("seat", until="shown")] = None
    card: Annotated[CardToken | None, "the card", Owner("seat", until="shown")] = None
    caller: Annotated[
        Seat | None,
        "the seat that called; absent if it is shown as it is played",
    ] = None
    auto: Annotated[Flag | None, "1: the clock or a stand-in chose"] = None


# ----------------------------------------------------------------------------- sentences


def partner(seat: int) -> int:
    """The seat of the partner, which is the seat opposite."""
    return (seat + 1) % 4 + 1


def _side(seats: Collection[int], voice: Voice, *, first: bool = True) -> str:
    """The two partners: `You and ann`, `ann and cat`. `first`: the text begins a sentence."""
    you = ["You" if first else "you"] if voice.me in seats else []
    return listed([*you, *(voice.name(seat) for seat in seats if seat != voice.me)])


def _sides(first: int = 1) -> tuple[tuple[int, int], tuple[int, int]]:
    """The side of a seat, and the other side."""
    even, odd = (2, 4), (1, 3)
    return (odd, even) if first % 2 else (even, odd)


def _does(seat: int, verb: str, voice: Voice) -> str:
    """The player with the verb, inside a sentence."""
    said = voice.does(seat, verb)
    return said[0].lower() + said[1:] if seat == voice.me else said


def _high_to_low(order: str) -> str:
    return " ".join(RANKINGS[order][::-1]).replace("T", "10")


@saying("GAME", GAME_KEY)
def begins(said: Game_, voice: Voice) -> str:
    """The partners, the target, the card points and the ranking."""
    ours, theirs = (_side(side, voice) for side in _sides(voice.me or 1))
    # Options are sent before the game begins, so the model of the table has them.
    table = voice.known if voice.known and voice.known.game == said else None
    order = table.options.get("order") if table else None
    either = f"{_high_to_low('denexa')} (rules=pagat: {_high_to_low('pagat')})"
    ranks = _high_to_low(order) if order in RANKINGS else either
    limit = table.options.get("loss_limit", "0") if table else "0"
    loses = f", {limit} below zero {'loses' if limit == '1' else 'lose'}" if limit != "0" else ""
    wins = f"{plural(said.target or 0, 'point')} {'wins' if said.target == 1 else 'win'}{loses}."
    ends = f"{wins} {score_decides(said, voice)}".rstrip()
    return (
        f"*** A game of Twenty-Eight begins. {ours} play against {theirs}. {ends}\n"
        "A jack counts 3, a nine 2, an ace or a ten 1.\n"
        f"In every suit, high to low: {ranks}."
    )


@saying("HAND", GAME_KEY)
def deals(said: Hand_, voice: Voice) -> str:
    """The dealer."""
    deals = _does(said.dealer, "deals", voice)
    return f"--- {which_hand(said, voice)}: {deals} {plural(said.size, 'card')} each, to bid from."


@saying("DEALT", GAME_KEY)
def gets(said: Dealt, voice: Voice) -> str:
    """The viewer's cards in this round of the deal."""
    return f"You get {voice.show(voice.in_hand(said.cards))}." if said.cards else ""


@saying("CONTRACT", GAME_KEY)
def plays_for(said: Contract, voice: Voice) -> str:
    """The contract, the bidder, and who chooses the trump."""
    side = _side(said.side or (said.seat,), voice)
    return f"{side} play for {said.bid}; {_does(said.seat, 'chooses', voice)} the trump."


@saying("TOOK", GAME_KEY)
def takes(said: Took, voice: Voice) -> str:
    """The winner of the trick, and its card points."""
    worth = plural(said.points, "point") if said.points else "no points"
    takes = voice.does(said.seat, "takes")
    last = "the last trick" if said.trick == TRICKS else f"trick {said.trick}"
    return f"{takes} {last} with {voice.show(said.cards)}: {worth}."


TRICKS = 8
"""The number of tricks in a hand."""


@saying("SCORED", GAME_KEY)
def scores(said: Scored, voice: Voice) -> str:
    """The bidders' card points against their bid. The other side scores nothing."""
    if said.bid is None or said.side is None:
        return ""
    side, they = _side(said.side, voice), "you" if voice.me in said.side else "they"
    what = f"score {said.points}" if said.points > 0 else f"lose {-said.points}"
    return f"{side} bid {said.bid} and took {said.won}: {they} {what}."


@saying("HANDOVER", GAME_KEY)
def stands(said: Handover, voice: Voice) -> str:
    """The scores of both sides."""
    sides = _sides(voice.me or 1)
    scores = (f"{_side(side, voice, first=False)} {said.totals[side[0] - 1]}" for side in sides)
    return f"Scores: {', '.join(scores)}."


def _made(side: tuple[int, int], table: Fold) -> str:
    """The card points of a side in this hand, with its contract if any: `5 of 14 points`, `3
    points`.
    """
    contract = next((found for found in table.standing if isinstance(found, Contract)), None)
    if contract is None or not table.trick:
        return ""
    taken = _taken(side, table)
    if contract.seat in side:
        return f"{taken} of {contract.bid} points"
    return plural(taken, "point")


def tell_scores(table: Fold, voice: Voice) -> list[str]:
    """The scores of both sides, the viewer's first, with their card points in a running hand."""
    lines = []
    for side in _sides(voice.me or 1):
        total = table.seats[side[0]].total if side[0] in table.seats else 0
        made = _made(side, table) if table.phase == "playing" else ""
        lines.append(f"{_side(side, voice)}: {total}{made and f', {made} in this hand'}.")
    return lines


GAME_SCORES[GAME_KEY] = tell_scores


def at_a_glance(table: Fold, voice: Voice) -> Glance:
    """The trump if known, the partner, the bids, and the scores of both sides."""
    contract = contract_of(table)
    turned = [said for said in table.standing if isinstance(said, Trump_)]
    down = turned[-1].card if turned and not turned[-1].shown else None
    if contract is None:
        bids = bids_of(table).items()
        notes = {seat: bid if bid == "pass" else f"bid {bid}" for seat, bid in bids}
    else:
        notes = {}
    trump = _trump_now(turned, voice) if contract else ""
    opposite = partner(table.me) if table.me else None
    sides = tuple(_sides_now(contract, table, voice))
    return Glance((trump,) if trump else (), notes, opposite, down, sides)


def _trump_now(turned: Sequence[Trump_], voice: Voice) -> str:
    """`trump hearts`, or that the trump is hidden; empty before a trump is chosen."""
    if not turned:
        return ""
    last = turned[-1]
    if last.shown:
        return f"trump {SUIT_NAMES[last.suit or 'C']}"
    if last.suit:
        return f"trump {SUIT_NAMES[last.suit]}, hidden"
    return f"trump hidden ({voice.name(last.seat)})"


def _sides_now(contract: Contract | None, table: Fold, voice: Voice) -> Iterator[SideGlance]:
    """The sides, the viewer's or the bidder's first, with the card points of the bidders."""
    for side in _sides(voice.me or (contract.seat if contract else 1)):
        of = f" of {contract.bid}" if contract and contract.seat in side else ""
        them = "we" if voice.me in side else "they"
        who = them if voice.me else _side(side, voice)
        score = table.seats[side[0]].total if side[0] in table.seats else 0
        yield SideGlance(who, score, f"{_taken(side, table)}{of}" if contract else "")


def _taken(side: tuple[int, int], table: Fold) -> int:
    return sum(table.seats[seat].points for seat in side if seat in table.seats)


GLANCES[GAME_KEY] = at_a_glance


@saying("GAMEOVER", GAME_KEY)
def ends(said: Gameover, voice: Voice) -> str:
    """The winners."""
    if voice.known is not None and voice.known.lesson:
        return f"*** {_side(said.winners, voice)} win. {LESSON_ENDS}"
    return f"*** Game over. {_side(said.winners, voice)} win.{what_next(voice)}"


@saying("TURN", GAME_KEY)
def asks(said: Turn, voice: Voice) -> str:
    """The possible answers to a question, in the words that a person types."""
    if said.default is None:
        return ""
    question = {"bid": _asks_bid, "trump": _asks_trump, "declare": _asks_call}.get(
        said.act, _asks_play
    )
    return "\n".join(filter(None, (_hand(said, voice), question(said, voice))))


def _hand(said: Turn, voice: Voice) -> str:
    """The viewer's cards, the trump if known, and the card points of the sides."""
    held = voice.show(c for c in voice.in_hand(said.hand or ()) if c != said.down)
    parts = [f"Your cards: {held}."] if said.hand else []
    if said.down:
        parts.append(f"Face down: {voice.show((said.down,))}.")
    elif said.trump:
        parts.append(f"Trumps: {SUIT_NAMES[said.trump]}.")
    table = voice.beside(said)
    # A client that keeps the table in view has no events of the hand here: it shows them by itself.
    whole = table is not None and bool(table.so_far())
    if whole and said.won is not None and not said.down and not said.trump:
        parts.append("The trump is hidden.")
    if said.won is None:
        bids = _bids(table, voice) if table and whole and said.act == "bid" else ""
        return f"{bids}{'  '.join(parts)}"
    if table is not None:
        return "\n".join(["  ".join(parts), _around(table, voice, _sides(said.seat), whole)])
    of = f"{said.won} of {said.bid}" if said.bid else plural(said.won, "point")
    return "  ".join([*parts, f"Your side: {of}."])


def _bids(table: Fold, voice: Voice) -> str:
    """One line with the last bid of each player, and the viewer's partner."""
    last = {each.seat: each.bid for each in table.standing if isinstance(each, Bid_)}
    ours = partner(voice.me or 1)
    said = (
        f"{voice.name(seat)}{' (your partner)' if seat == ours else ''} {bid}"
        for seat, bid in last.items()
    )
    return f"Bids: {', '.join(said)}.\n" if last else ""


def _around(table: Fold, voice: Voice, sides: Iterable[tuple[int, int]], whole: bool) -> str:
    """The card points of both sides, the bidder, and the suits that players lack."""
    contract = next((each for each in table.standing if isinstance(each, Contract)), None)
    parts = []
    for side in sides:
        bid = whole and contract is not None and contract.seat in side
        by = f", bid by {voice.name(contract.seat)}" if contract is not None and bid else ""
        parts.append(f"{_side(side, voice)}: {_made(side, table)}{by}.")
    none: dict[str, list[str]] = {}
    for seat, suits in sorted(voids(table).items() if counted(table) else ()):
        for suit in suits if seat != voice.me else ():
            none.setdefault(SUIT_NAMES[suit], []).append(voice.name(seat))
    parts += [f"No {suit}: {listed(names)}." for suit, names in none.items()]
    return " ".join(parts)


def _asks_bid(said: Turn, voice: Voice) -> str:
    numbers = [move for move in said.legal or () if move.isdigit()]
    span = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else numbers[0]
    if said.holder is None:
        redeal = " redeal asks for a new deal." if "redeal" in (said.legal or ()) else ""
        return (
            f"Your bid{time_for(said, voice)}: {span}. You speak first, and may not pass.{redeal}"
        )
    holder = voice.name(said.holder)
    if said.holder == partner(said.seat):
        holder = f"over your partner {holder}, who"
    at = (said.bids or ("?",))[-1]
    return f"Your bid{time_for(said, voice)}: pass, or {span} ({holder} holds it at {at})."


def _asks_trump(said: Turn, voice: Voice) -> str:
    return (
        "The card lies face down, and cannot be played before it is shown.\n"
        f"Choose the trump{time_for(said, voice)}: {_choices(said, voice)}"
    )


def _asks_call(said: Turn, voice: Voice) -> str:
    if said.down:
        means = (
            f"Your {voice.show((said.down,))} lies face down: call turns it up (then you must "
            "trump), no leaves it there and you throw any other card."
        )
    else:
        means = 'After "call" you must trump if you can; after "no" you may throw any card.'
    return (
        f"{means}\nYou cannot follow suit{time_for(said, voice)}: call, or no?{_best(said, voice)}"
    )


def _asks_play(said: Turn, voice: Voice) -> str:
    what = "Your turn" if said.beat else "Your lead"
    best = _best(said, voice)
    if said.nlegal == 1:
        return f"{what}{time_for(said, voice)}:{best} All you may play is {_choices(said, voice)}."
    return f"{what}{time_for(said, voice)}:{best and best + ' '} {_choices(said, voice)}"


def _best(said: Turn, voice: Voice) -> str:
    """The best card in the trick so far, and its player."""
    if not said.beat or said.holder is None:
        return ""
    ours = said.holder == partner(said.seat)
    whose = "your partner's" if ours else voice.possessive(said.holder)
    return f" {whose} {voice.show(said.beat)} is best so far."


def _choices(said: Turn, voice: Voice) -> str:
    """The legal cards, in the order of the hand."""
    return " | ".join(
        voice.show((card,)) for card in as_held(said.legal or (), voice.in_hand(said.hand or ()))
    )
