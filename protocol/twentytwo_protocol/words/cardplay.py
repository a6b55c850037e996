"""The course of a game: deals, turns, tricks, scores. All games share these messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, final

from ..cards import JOKER, STANDARD, Card
from ..schema import (
    KEY,
    Cards,
    CardToken,
    Command,
    Deed,
    Event,
    Flag,
    GameMove,
    Int,
    Ints,
    Malformed,
    Moves,
    Ms,
    Name,
    Others,
    Owner,
    Seat,
    Seats,
    Stream,
    Token,
    Tokens,
    Words,
    command,
    event,
)
from ..value import Value
from ..vocabulary import vocabulary
from ..voice import listed, plural

if TYPE_CHECKING:
    from ..knowledge import Knowledge
    from ..voice import Voice

# ------------------------------------------------------------------------------- deeds


@command("playing", short="p", example="play Q Q")
class Play(Deed):
    """Play cards; when it is your turn the cards alone will do."""

    cards: Annotated[Words, "cards or ranks"]
    act: ClassVar[str] = "play"

    @property
    def token(self) -> str:
        """The cards joined with `+`."""
        return "+".join(self.cards)

    @classmethod
    def of(cls, token: str) -> Play:
        """The play with this token."""
        return cls(tuple(token.split("+")) if token not in ("", "-") else ())


@command("playing", short="b", example="bid 3")
class Bid(Deed):
    """Bid a number of tricks or points. Where the game allows it, pass bids none."""

    bid: Annotated[Token, "a number, or pass"]
    act: ClassVar[str] = "bid"

    @property
    def token(self) -> str:
        """The number, or `pass`."""
        return self.bid.lower()

    @classmethod
    def of(cls, token: str) -> Bid:
        """The bid with this token. Raises `Malformed`."""
        word = token.lower()
        if word != "pass" and not (word.isascii() and word.isdigit() and len(word) <= 4):
            raise Malformed("a bid is a number", "bid")
        return cls(word if word == "pass" else str(int(word)))


@command("playing", word="pass")
class Pass(Deed):
    """Bid nothing, or nothing more."""

    act: ClassVar[str] = "bid"

    @property
    def token(self) -> str:
        """`pass`."""
        return "pass"

    @classmethod
    def of(cls, token: str) -> Bid:
        """A bid of `pass`."""
        return Bid.of(token)


@final
class Shuffle(Value):
    """The shuffled pack, top card first: a move of the house. All randomness of a game comes from
    it.
    """

    cards: tuple[str, ...]
    act: ClassVar[str] = "shuffle"

    @property
    def token(self) -> str:
        """The pack joined with `+`."""
        return "+".join(self.cards)

    @classmethod
    def of(cls, token: str) -> Shuffle:
        """The shuffled pack with this token."""
        return cls(tuple(token.split("+")))


# ----------------------------------------------------------------------------- commands


@command("programs", short="m", example="move Q+Q turn=9")
class Move(GameMove):
    """Make a move of any game: a token from `legal`, sent back."""

    token: Annotated[Token, "one of the tokens in legal="]
    turn: Annotated[Int | None, "the turn it answers; at any other turn it is refused", KEY] = None
    table: Stream | None = None


@command("playing", once=True)
class Pause(Command):
    """Stop the clock and the game, if everybody agrees."""

    table: Stream | None = None


@command("playing", once=True)
class Unpause(Command):
    """Resume a paused game."""

    table: Stream | None = None


@command("playing", once=True, asks=True)
class Abort(Command):
    """End the game without a result, if everybody agrees."""

    table: Stream | None = None


@command("playing", once=True, asks=True)
class Resign(Command):
    """Give up. With two players the other wins; with more a bot plays your cards to the end."""

    table: Stream | None = None


@command("playing", cost=5, once=True)
class Undo(Command):
    """Take back your last move and all later moves. At practice tables only."""

    table: Stream | None = None


@command("playing", cost=5, once=True)
class Again(Command):
    """Play this hand again from its deal, or the last hand if you have not begun this one.

    At practice tables only.
    """

    table: Stream | None = None


# ------------------------------------------------------------------------------- events


def _game(said: Game_, voice: Voice) -> str:
    title = vocabulary(said.game).title
    players = listed(voice.name(seat) for seat in range(1, said.players + 1))
    return f"*** A game of {title} begins: {players}."


@event("table", scope="game", ends="table", say=_game)
class Game_(Event):  # GAME
    """A game begins. Its options are the OPTION events before it."""

    game: Token
    id: Annotated[Token, "the game's own number, for records"]
    players: Annotated[Int, "the number of players"]
    version: Annotated[Int, "the version of the game's rules, from 1"]
    ruleshash: Annotated[
        Token,
        "32 hex digits, a hash of game, version and all options: equal hashes, equal rules",
    ]
    target: Annotated[Int | None, "the score that ends the game, if there is one"] = None
    start: Annotated[Int | None, "the score that everybody begins with, if it is not 0"] = None
    sides: Annotated[Tokens | None, "the partners: 1+3,2+4; absent if each plays alone"] = None
    hands: Annotated[
        Int | None, "the number of hands after which the score decides, if one was set"
    ] = None

    def fold(self, table: Knowledge) -> None:
        """Begins the game in the model."""
        table.begin(self)


def _continued(said: Continued, voice: Voice) -> str:
    game = voice.known.game if voice.known is not None else None
    now = f", played on as {game.id}" if game and game.id != said.id else ""
    return f"--- Back in hand {said.no} of {said.id}{now}."


@event("table", say=_continued)
class Continued(Event):
    """The game continues an earlier one: events up to the next TURN were played there.

    They are repeated as they were sent then. Only at practice tables.
    """

    id: Annotated[Token, "the other game"]
    no: Annotated[Int, "the number of the hand in which it continues"]


def _drew(said: Drew, voice: Voice) -> str:
    card = some((said.card,), voice)
    if not said.again:
        return f"{voice.does(said.seat, 'draws')} {card} for the deal."
    verb = "draw" if said.seat == voice.me else "draws"
    return f"Tied for highest, {voice.name(said.seat)} {verb} again: {card}."


@event("table", say=_drew)
class Drew(Event):
    """A card is drawn to decide who deals; those tied for highest draw again."""

    seat: Seat
    card: CardToken
    again: Annotated[Flag | None, "1: drawn again, by the players tied for the highest card"] = None


@event("table", ends="hand", say="--- Hand {no}: {dealer:deals} {size} each.")
class Hand_(Event):  # HAND
    """A hand begins."""

    no: Int
    dealer: Seat
    size: Annotated[Int, "cards for each player"]
    stock: Annotated[Int, "cards left over"]

    def fold(self, table: Knowledge) -> None:
        """Begins the hand in the model."""
        table.deal(self)


def _dealt(said: Dealt, voice: Voice) -> str:
    return f"Your cards: {voice.show(said.cards)}" if said.cards else ""


@event("table", say=_dealt)
class Dealt(Event):
    """A seat is dealt cards."""

    seat: Seat
    n: Int
    cards: Annotated[Cards | None, Owner("seat")] = None
    seen: Annotated[
        Cards | None,
        "cards dealt so that all others see them, in place of `cards`",
        Others("seat"),
    ] = None

    def fold(self, table: Knowledge) -> None:
        """Adds the cards to the seat. In a second round of the deal they come from the stock."""
        seat = table.at(self.seat)
        if seat.cards and table.stock is not None:
            table.stock -= self.n
        seat.cards += self.n
        if self.cards is not None:
            table.hold(*self.cards)
        if self.seen is not None:
            table.at(self.seat).seen += self.seen


def open_cards(table: Knowledge, voice: Voice) -> str:
    """A sentence with the cards that other players hold and cannot see; empty if there are none."""
    held = (
        f"{voice.does(seat, 'holds')} {voice.show(each.seen)}"
        for seat, each in sorted(table.seats.items())
        if each.seen
    )
    text = ", ".join(held)
    return f"{text}." if text else ""


def awaits(said: Turn, voice: Voice) -> str:
    """The player on turn and the time left; empty for bots, which answer at once.

    It is also empty for the viewer, who gets no question after the deal of a lesson.
    """
    name = voice.name(said.seat)
    if name.startswith("bot:") or said.seat == voice.me:
        return ""
    return f"Waiting for {name} to {said.act}{time_for(said, voice)}."


def time_for(said: Turn, voice: Voice) -> str:
    """The time to answer, ` (60 s)`; empty without a clock."""
    ms = said.ms if voice.left is None else voice.left
    return f" ({ms // 1000} s)" if ms else ""


def _turn(said: Turn, voice: Voice) -> str:
    if said.default is None:
        return awaits(said, voice)
    choices = " | ".join(said.legal or ())
    return f"Your turn to {said.act}: {choices}" if choices else f"Your turn to {said.act}."


@event("table", scope="turn", say=_turn)
class Turn(Event):
    """A question to one seat; `default` is there if and only if the seat is yours.

    Several seats may be asked at once: each question has its own number.
    """

    turn: Annotated[Int, "the number of the turn in its game"]
    seat: Seat
    act: Annotated[Token, "the kind of question: exchange, play, bid, trump or declare"]
    ms: Annotated[Ms | None, "time to answer; absent without a clock"] = None
    bank: Annotated[Ms | None, "the seat's reserve, which is used after ms"] = None
    beat: Annotated[Cards | None, "the play to equal or beat, if there is one"] = None
    choose: Annotated[
        Token | None, "one: a token of `legal`; subset: cards of `cards`, joined", Owner("seat")
    ] = None
    nlegal: Annotated[Int | None, "the number of legal moves", Owner("seat")] = None
    legal: Annotated[Moves | None, "the legal moves", Owner("seat")] = None
    low: Annotated[Cards | None, "the lowest play, if it is legal", Owner("seat")] = None
    min: Annotated[Int | None, "minimum number of cards of a subset", Owner("seat")] = None
    max: Annotated[Int | None, "maximum number of cards of a subset", Owner("seat")] = None
    cards: Annotated[Cards | None, "the cards from which to choose a subset", Owner("seat")] = None
    default: Annotated[
        Token | None, "a legal move, which is played when the time is up", Owner("seat")
    ] = None
    truncated: Annotated[
        Flag | None, "1: the list `legal` is cut; `moves` has all", Owner("seat")
    ] = None
    hand: Annotated[Cards | None, "the cards you hold", Owner("seat")] = None
    tricks: Annotated[
        Int | None, "the number of tricks in the hand, in games that bid for tricks"
    ] = None
    bids: Annotated[Ints | None, "the bids so far, in order"] = None
    bid: Annotated[Int | None, "the bid of the seat or its side"] = None
    won: Annotated[Int | None, "the tricks or points that the seat or its side has won so far"] = (
        None
    )
    holder: Annotated[Seat | None, "the seat of the highest bid, or of the play in `beat`"] = None
    trump: Annotated[Token | None, "the trump suit, once it is shown"] = None
    down: Annotated[CardToken | None, "a card of yours that lies face down", Owner("seat")] = None

    def fold(self, table: Knowledge) -> None:
        """Replaces the open question to the seat."""
        table.close_question(self.seat)


def forced(asked: Turn) -> str | None:
    """The token of the only legal move; None if there are several."""
    only = asked.nlegal == 1 if asked.choose == "one" else asked.max == 0
    return asked.default if only else None


@event("table", say="{seat:has} answered.")
class Answered(Event):
    """A seat has answered while other seats are still asked. The answers are sent when all are
    in.
    """

    turn: Annotated[Int, "the number of the question, which is closed now"]
    seat: Seat

    def fold(self, table: Knowledge) -> None:
        """Closes the question to this seat only."""
        table.close_question(self.seat)


def _clock(said: Clock, voice: Voice) -> str:
    bank = f", and {said.bank // 1000} s in reserve" if said.bank else ""
    still = "" if said.run else " The clock stands still."
    return f"{voice.does(said.seat, 'has')} {said.ms // 1000} s left{bank}.{still}"


@event("connection", say=_clock)
class Clock(Event):
    """The time left for an open question. The event has no number and is never repeated."""

    on: Annotated[Stream, "the table"]
    turn: Int
    seat: Seat
    ms: Ms
    bank: Annotated[Ms | None, "the seat's remaining reserve; absent without a reserve"] = None
    run: Annotated[Flag, "0: the clock stands still"] = True


def some(cards: tuple[Card, ...], voice: Voice) -> str:
    """Cards in a sentence; a single joker is `a joker`."""
    return f"a {voice.show(cards)}" if cards == (JOKER,) else voice.show(cards)


def _exchanged(said: Exchanged, voice: Voice) -> str:
    if not said.n:
        return voice.does(said.seat, "keeps") + " all cards."
    if said.gave is not None and said.got is not None:
        return f"You throw {some(said.gave, voice)} and draw {some(said.got, voice)}."
    return f"{voice.does(said.seat, 'exchanges')} {plural(said.n, 'card')}."


@event("table", scope="hand", ends="turn", say=_exchanged)
class Exchanged(Event):
    """A seat has exchanged cards."""

    seat: Seat
    n: Int
    gave: Annotated[Cards | None, Owner("seat")] = None
    got: Annotated[Cards | None, Owner("seat")] = None
    auto: Annotated[Flag | None, "1: the clock or a stand-in decided"] = None

    def fold(self, table: Knowledge) -> None:
        """Updates the stock and the hand."""
        table.stock = (table.stock or 0) - self.n
        if self.gave is not None and self.got is not None:
            table.drop(*self.gave)
            deck = vocabulary(table.game.game).deck if table.game else STANDARD
            table.holding = deck.sort((*table.holding, *self.got))


@event("table", scope="trick", ends="trick")
class Trick(Event):
    """A trick begins; `seat` leads."""

    trick: Int
    seat: Seat

    def fold(self, table: Knowledge) -> None:
        """Sets the leader of the trick."""
        table.trick, table.leader = self.trick, self.seat


def _bid(said: Bid_, voice: Voice) -> str:
    if said.bid == "pass":
        return voice.does(said.seat, "passes") + "."
    return f"{voice.does(said.seat, 'bids')} {said.bid}."


@event("table", scope="hand", ends="turn", say=_bid)
class Bid_(Event):  # BID
    """A seat has bid."""

    seat: Seat
    bid: Annotated[Token, "a number, or pass"]
    auto: Annotated[Flag | None, "1: the clock or a stand-in bid"] = None


@event("table", scope="hand", say="{seat:plays} for {bid}.")
class Contract(Event):
    """The bidding is over: the contract, and its bidder."""

    seat: Seat
    bid: Int
    side: Annotated[Seats | None, "the partners, if there are any"] = None


_PLAYED = {
    "lead": "{seat:leads} {cards}.",
    "beat": "{seat:plays} {cards} - that is the play to beat.",
    "low": "{seat:throws} {cards} (lowest).",
    "follow": "{seat:plays} {cards}.",
    "trump": "{seat:trumps} with {cards}.",
    "discard": "{seat:throws} {cards}.",
}


def _played(said: Played, voice: Voice) -> str:
    return voice.fill(_PLAYED.get(said.kind, _PLAYED["follow"]), said)


@event("table", scope="trick", ends="turn", say=_played)
class Played(Event):
    """A seat has played to the trick."""

    seat: Seat
    cards: Annotated[Cards, "the highest first; XK is a joker that counts as a king"]
    kind: Annotated[Token, "lead, beat, low, follow, trump or discard"]
    left: Annotated[Int, "number of cards left in the hand"]
    auto: Annotated[Flag | None, "1: the clock or a stand-in played"] = None

    def fold(self, table: Knowledge) -> None:
        """Removes the cards from the hand."""
        table.at(self.seat).cards = self.left
        table.at(self.seat).seen = ()
        if self.seat == table.me:
            table.drop(*self.cards)


@event("table", scope="trick", say="{seat:takes} trick {trick} with {cards}.")
class Took(Event):
    """A seat has won the trick."""

    seat: Seat
    trick: Int
    cards: Annotated[Cards, "the winning play"]
    points: Annotated[Int | None, "card points in the trick, if the game counts them"] = None

    def fold(self, table: Knowledge) -> None:
        """Adds the trick and its points to the seat."""
        table.at(self.seat).tricks += 1
        table.at(self.seat).points += self.points or 0


@event("table", scope="hand", ends="turn", say="{seat:shows} {card}.")
class Shown(Event):
    """A last card is shown."""

    seat: Seat
    card: CardToken

    def fold(self, table: Knowledge) -> None:
        """Empties the hand."""
        table.at(self.seat).cards = 0
        if self.seat == table.me:
            table.holding = ()


@event("table", scope="hand", say="{seat:scores} {points}, {total} in all.")
class Scored(Event):
    """A seat or a side gets points."""

    seat: Annotated[Seat | None, "the seat that gets the points; absent if a side gets them"]
    points: Int
    total: Int
    card: Annotated[CardToken | None, "the card that caused them"] = None
    side: Annotated[Seats | None, "the partners who get the points"] = None
    bid: Annotated[Int | None, "the bid"] = None
    won: Annotated[Int | None, "the tricks or points won"] = None

    def fold(self, table: Knowledge) -> None:
        """Sets the total score."""
        for seat in self.side or (self.seat,):
            if seat is not None:
                table.at(seat).total = self.total


@event("table", scope="game", say="{seat:is} out with {total}.")
class Out(Event):
    """A player has reached the limit and plays no more; in a run-off, the player who lost it."""

    seat: Seat
    total: Int

    def fold(self, table: Knowledge) -> None:
        """Marks the seat as out."""
        table.at(self.seat).out = True


def _handover(said: Handover, voice: Voice) -> str:
    scores = ", ".join(f"{voice.name(i)} {t}" for i, t in enumerate(said.totals, 1))
    return f"Scores: {scores}."


@event("table", scope="hand", ends="turn", say=_handover)
class Handover(Event):
    """A hand is over."""

    no: Int
    losers: Annotated[Seats, "the seats that lost the hand"]
    totals: Annotated[Ints, "every seat's score, from seat 1"]


def _result(said: Result, voice: Voice) -> str:
    won = f" ({said.wins} won at this table)" if said.wins else ""
    return f"  {said.place}. {voice.name(said.seat)}, {plural(said.total, 'point')}{won}"


@event("table", scope="game", say=_result)
class Result(Event):
    """The final place of a seat."""

    seat: Seat
    place: Annotated[Int, "1 for the winner; equal players share a place"]
    total: Int
    wins: Annotated[
        Int | None, "games that this player has won at this table, including this one"
    ] = None

    def fold(self, table: Knowledge) -> None:
        """Sets the place of the seat."""
        table.at(self.seat).place = self.place


_HOW_OVER = {
    "resigned": " by resignation",
    "hands": ": after so many hands the score decides",
}
"""Phrases for games that ended early."""


LESSON_ENDS = "The lesson's hand ends here; a game would go on."
"""The message to a learner at the end of a hand that belongs to a lesson."""


def _gameover(said: Gameover, voice: Voice) -> str:
    winners = [voice.name(seat) for seat in said.winners]
    if winners[:1] == ["you"]:
        winners[0] = "You"
    win = "win" if len(winners) > 1 else "wins"
    text = "You win!" if winners == ["You"] else f"{listed(winners)} {win}."
    if voice.known is not None and voice.known.lesson:
        return f"*** {text} {LESSON_ENDS}"
    how = _HOW_OVER.get(said.why, "")
    return f"*** Game over{how}. {text}{what_next(voice)}"


def score_decides(said: Game_, voice: Voice) -> str:
    """A sentence with the number of hands after which the score decides; empty if there is none.

    It is also empty in a lesson.
    """
    if said.hands is None or (voice.known is not None and voice.known.lesson):
        return ""
    return f"After {plural(said.hands, 'hand')} the score decides."


def what_next(voice: Voice) -> str:
    """A sentence that tells a player what to type after a game; empty for spectators."""
    if voice.me is None:
        return ""
    # The option `deals` tells how the game was dealt.
    deals = voice.known.options.get("deals", "") if voice.known is not None else ""
    if deals.startswith("daily "):
        return "\nresults lists how it went for everybody, leave gets up."
    if deals == "duplicate":  # the comparison with the other table tells the next step
        twin = voice.known.options.get("duplicate", "") if voice.known is not None else ""
        return f"\n{twin} has the same cards; when it is done, too, the two are compared."
    same = deals.startswith("seed ")
    return f"\nrematch plays {'the same deals again' if same else 'another'}, leave gets up."


def which_hand(said: Hand_, voice: Voice) -> str:
    """`Hand 3`; `Hand 3 of 8` if the number of hands is fixed and known."""
    game = voice.known.game if voice.known is not None else None
    hands = (game.hands or 0) if game is not None else 0
    return f"Hand {said.no} of {hands}" if hands > 1 else f"Hand {said.no}"


@event("table", scope="game", ends="turn", say=_gameover)
class Gameover(Event):
    """The game is over."""

    winners: Seats
    why: Annotated[Token, "last, lowest, shared, runoff, target, loss, zero, resigned or hands"]

    def fold(self, table: Knowledge) -> None:
        """Ends the game in the model."""
        table.finish()


@event("table", say="{seat:runs} out of time.")
class Timeout(Event):
    """The time for a turn is up, and the default move is played."""

    turn: Int
    seat: Seat


def _vote(said: Vote, voice: Voice) -> str:
    mine = voice.me is not None and voice.names.get(voice.me) == said.by
    if said.yes == said.need > 1:
        who = "You agree" if mine else f"{said.by} agrees"
        return f"{who} to {said.what}: {said.yes} of {said.need}."
    if not mine:
        wish = f"{said.by} would like to {said.what}: {said.yes} of {said.need}."
        return f'{wish} "{said.what}" agrees.'
    others = [name for name in voice.names.values() if name != said.by and name[:4] != "bot:"]
    if said.need - said.yes == len(others) > 0:
        return f"You would like to {said.what}; {listed(others)} must agree."
    return f"You would like to {said.what}: {said.yes} of {said.need}."


@event("table", say=_vote)
class Vote(Event):
    """A player votes for a pause, an abort or a rematch. It happens once all agree."""

    by: Name
    what: Annotated[Token, "pause, abort or rematch"]
    yes: Annotated[Int, "number of votes for it"]
    against: Annotated[Int, "number of votes against it"]
    need: Annotated[Int, "number of votes that it needs"]

    def fold(self, table: Knowledge) -> None:
        """Adds the open vote."""
        table.wishes.add((self.what, self.by))


@event(
    "table",
    say=lambda said, voice: f"* {voice.who_does(said.by, 'pauses')} the game. unpause goes on.",
)
class Paused(Event):
    """The game and its clocks are paused."""

    by: Name

    def fold(self, table: Knowledge) -> None:
        """Marks the game as paused."""
        table.paused = True
        table.forget_wishes(what="pause")


@event("table", say="* The game goes on.")
class Unpaused(Event):
    """The game is resumed."""

    by: Name

    def fold(self, table: Knowledge) -> None:
        """Marks the game as running."""
        table.paused = False


UNDONE = "undone"
"""The reason of an aborted game that continues in another."""


_WHY_ENDED = {
    "abandoned": "its players have gone",
    "fault": "something went wrong here",
    "operator": "the operator ended it",
    UNDONE: "another goes on from it",
    "restored": "the server is back from a backup",
}
"""Phrases for the reasons of an aborted game, where the players did not wish it."""


def _aborted(said: Aborted, voice: Voice) -> str:
    why = f": {_WHY_ENDED[said.why]}" if said.why in _WHY_ENDED else ""
    quote = f" Quote {said.ref} to the operator." if said.ref else ""
    return f"*** The game ends without a result{why}.{quote}"


@event("table", scope="game", ends="turn", say=_aborted)
class Aborted(Event):
    """The game has ended without a result."""

    why: Annotated[
        Token,
        "agreed, abandoned, fault, operator, undone or restored: another game goes on from it, or "
        "the server is back from a backup",
    ]
    ref: Annotated[Token | None, "fault: the number to quote to the operator"] = None

    def fold(self, table: Knowledge) -> None:
        """Ends the game in the model."""
        table.finish()


ENDS_OF_GAME = (Gameover, Aborted)
"""The events that end a game."""
RESULTS = (Result, *ENDS_OF_GAME)
"""The events that tell the result of a game."""
