"""A game in progress at a table: asks for moves, judges and plays them, and shuffles for the house.

Call `begin` first, then for each move `check` and `play`. A move is checked in this order: the
turn, the kind of move, the cards held, the number of cards, the rules. A refused move changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.cards import Card, Deck, NotACard
from twentytwo_protocol.schema import Deed, Event, Malformed, Refused, move_fields
from twentytwo_protocol.typed_cards import would_do
from twentytwo_protocol.value import Value
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.words.cardplay import (
    Game_,
    Handover,
    Play,
    Shuffle,
    Turn,
    forced,
)
from twentytwo_protocol.words.fairness import Shuffled

from ..games.game import HOUSE, AnyGame, Illegal, Moves, ending
from .clocks import LENIENCE, TurnClock
from .guiding import Guide, StepMoves

House = Callable[[int, Sequence[Card]], tuple[Card, ...]]
"""A shuffling function. Arguments: the number of the shuffle in this game, from 1, and the pack."""

Words = tuple[str | None, ...]
"""The players' words for the shuffles of a game, by seat from seat 1; None for no word."""

MOST_HANDS = 500
"""Number of hands after which a game ends by score; far above the length of real games."""
TOO_LONG = "hands"
"""The reason in GAMEOVER for a game that ends after `MOST_HANDS`."""


class Step(Value):
    """A played move of a game; `seat` is 0 for the house.

    `free`: the seat had a choice. `ended_hand`: the move ended a hand.
    """

    seat: int
    deed: Deed | Shuffle
    free: bool = False
    ended_hand: bool = False


LISTED = 256
"""Maximum number of legal moves listed in a TURN."""
LISTED_BYTES = 4096
"""Maximum size of the list of legal moves in bytes."""


class Terms(Value):
    """The fixed conditions of a game.

    `id` is its number, `g7`; `words` are the players' words in its shuffles. After `most_hands`
    hands it ends by score; 0 means no limit. `taken`: its first deals are those of another game.
    `guide` is the guide of its lesson.
    """

    game: AnyGame
    rules: Any
    id: str
    seats: int
    clock: TurnClock | None = None
    words: Words | None = None
    most_hands: int = 0
    taken: bool = False
    guide: Guide | None = None

    @property
    def set_hands(self) -> int | None:
        """The limit of hands chosen for this game; None if only the general limit applies."""
        return self.most_hands if 0 < self.most_hands < MOST_HANDS else None


class Match(Value):
    """A game in progress: its state, the open question, the clocks.

    `question` is the open TURN, None when the game is over. `asked` is the time of the question, in
    ms of the caller's clock. `stopped` is the time at which the turn clock was stopped, None while
    it runs. `banks` are the reserves in ms by seat, from seat 1. `turn` and `shuffles` count from
    1. `house` has the shuffles of the last move, for the record.
    """

    terms: Terms
    state: Any
    banks: tuple[int, ...]
    turn: int = 0
    shuffles: int = 0
    question: Turn | None = None
    asked: int = 0
    stopped: int | None = None
    house: tuple[Shuffle, ...] = ()

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self.question is None

    def moves(self) -> Moves:
        """The legal moves of the seat on turn; in a lesson, those that the lesson accepts."""
        asked = self.question
        assert asked is not None
        return self._moves(self.state, asked.turn, asked.seat)

    def _moves(self, state: Any, turn: int, seat: int) -> Moves:
        law, guide = self.terms.game.moves(state), self.terms.guide
        step = guide.step(turn, seat) if guide is not None else None
        if guide is None or step is None:
            return law
        taken = [self._of(law.act, token) for token in step.moves]
        return StepMoves(law, step, taken, guide)

    # --------------------------------------------------------------------- the clock

    def used(self, at: int) -> int:
        """Milliseconds for which the question has been open, without clock stops."""
        return (at if self.stopped is None else self.stopped) - self.asked

    def stop(self, at: int) -> Match:
        """The match with its clock stopped; unchanged if it is stopped already."""
        return self if self.stopped is not None else replace(self, stopped=at)

    def resume(self, at: int) -> Match:
        """The match with its clock running again from where it stopped."""
        if self.stopped is None:
            return self
        return replace(self, asked=at - self.used(at), stopped=None)

    def grant(self, least: int, at: int) -> Match:
        """The match with at least `least` milliseconds left for the open question."""
        missing = least - self.left(at) if self.terms.clock and self.question else 0
        return replace(self, asked=self.asked + max(0, missing))

    def left(self, at: int) -> int:
        """Milliseconds left for the open question, at most 0 if time is up. Requires a clock."""
        clock, asked = self.terms.clock, self.question
        assert clock is not None and asked is not None
        return clock.move + (asked.bank or 0) + LENIENCE - self.used(at)

    # ------------------------------------------------------------------------ a move

    def deed(self, said: Deed) -> Deed:
        """The deed with its cards in the game's spelling. Raises `Refused` (BAD_ARG)."""
        game = self.terms.game
        try:
            if hasattr(said, "cards") or said.act not in game.deeds:
                return _spelled(game.deck, said)
            return game.deeds[said.act].of(said.token)
        except (Malformed, NotACard) as wrong:
            arg = next((field.key for field in move_fields(type(said))), "")
            raise _not_a_move(said.token, wrong, arg) from None

    def read(self, token: str, arg: str = "token") -> Deed:
        """The deed of a token that answers the open question.

        Raises `Refused`, which names `arg` as the wrong argument.
        """
        assert self.question is not None
        # Some tokens fit several kinds of deeds ("-" is no card in each); the question decides the
        # kind.
        try:
            return self._of(self.question.act, token)
        except (Malformed, NotACard) as wrong:
            raise _not_a_move(token, wrong, arg) from None

    def _of(self, act: str, token: str) -> Deed:
        game = self.terms.game
        return _deed_of(game.deck, game.deeds.get(act, Play), token)

    def judge(self, seat: int, deed: Deed, turn: int | None = None) -> Deed:
        """Checks a seat's deed by all rules, without playing it; returns it in the form for `play`.

        Raises `Refused`. `turn` is as in `check`.
        """
        deed = self.deed(deed)
        self.check(seat, deed, turn, lambda _: None)
        wrong = self.moves().why(deed)
        if wrong is not None:
            raise refusal(wrong)
        return deed

    def check(
        self, seat: int, deed: Deed, turn: int | None, name: Callable[[int], str | None]
    ) -> None:
        """Checks that a deed, from `read` or `deed`, answers the open question. Raises `Refused`.

        The rules of the game are left to `play`, those of a lesson are not. `turn` is the number of
        the answered turn, if the player gave it. `name` finds the name of a seat.
        """
        asked = self.question
        assert asked is not None
        if turn is not None and turn != asked.turn:
            raise Refused(
                "STALE_TURN",
                f"That was for {'an earlier' if turn < asked.turn else 'a later'} turn; "
                f"it is turn {asked.turn} now.",
                turn=asked.turn,
            )
        if seat != asked.seat:
            raise not_your_turn(asked, name(asked.seat))
        if deed.act != asked.act:
            raise Refused("WRONG_ACT", self._not_asked(deed, asked), would_do(asked), act=asked.act)
        if self.terms.guide is not None and (wrong := self.moves().why(deed)):
            raise refusal(wrong)

    def _not_asked(self, deed: Deed, asked: Turn) -> str:
        """The reason why a deed does not answer the open question."""
        spoken = vocabulary(self.terms.game.key)
        now, late = (spoken.doing.get(act, act) for act in (asked.act, deed.act))
        text = deed.late or f"Now is the time to {now}, not to {late}."
        if deed.act not in self.terms.game.deeds:
            text = f"There is no {type(deed).word.word} in {spoken.title}."
            if deed.token == "pass":
                text = f"You cannot pass in {spoken.title}."
        return text

    def play(self, deed: Deed, at: int, house: House) -> tuple[Match, list[Event]]:
        """The match after a deed from `read` or `deed`, and the events, the next TURN last.

        Raises `Refused` if the rules of the game forbid the deed. `house` makes the shuffles that
        follow. `at` is the time in ms.
        """
        assert self.question is not None
        try:
            state, events = self.terms.game.play(self.state, deed)
        except Illegal as wrong:
            raise refusal(wrong) from None
        banks = self.banks
        clock = self.terms.clock
        if clock:
            seat = self.question.seat
            left = clock.left(banks[seat - 1], self.used(at))
            banks = (*banks[: seat - 1], left, *banks[seat:])
        return self._go_on(state, banks, events, at, house)

    def step(self, deed: Deed, events: Sequence[Event]) -> Step:
        """The step for a deed of the seat on turn that caused these events."""
        asked = self.question
        assert asked is not None
        return Step(asked.seat, deed, forced(asked) is None, Handover in map(type, events))

    def _go_on(
        self, state: Any, banks: tuple[int, ...], events: list[Event], at: int, house: House
    ) -> tuple[Match, list[Event]]:
        """Continues from a state: makes the next shuffles, then asks a question or ends."""
        game, shuffles, made = self.terms.game, self.shuffles, []
        seat, last = game.turn(state), self._last_hand(events)
        while seat == HOUSE and not last:
            shuffles += 1
            pack = game.pack(state)
            made.append(Shuffle(house(shuffles, pack)))
            state, more = game.play(state, made[-1])
            events += (Shuffled(shuffles, pack, _listed(self.terms.words)), *more)
            seat, last = game.turn(state), self._last_hand(events)
        asked = None
        if seat is not None and last:
            events[last:] = ending(game.places(state), game.totals(state), TOO_LONG)
        elif seat is not None:
            asked = self._ask(state, seat, banks[seat - 1])
            events.append(asked)
        turn = asked.turn if asked is not None else self.turn
        match = Match(self.terms, state, banks, turn, shuffles, asked, at, None, tuple(made))
        return match, events

    def _last_hand(self, events: Sequence[Event]) -> int:
        """The number of events up to the end by `most_hands`; 0 if the game goes on."""
        if self.terms.most_hands > 0 and Handover in map(type, events):
            for count, event in enumerate(events, 1):
                if isinstance(event, Handover) and self.terms.most_hands <= event.no:
                    return count
        return 0

    def _ask(self, state: Any, seat: int, bank: int) -> Turn:
        clock, guide, turn = self.terms.clock, self.terms.guide, self.turn + 1
        moves, default = self.terms.game.moves(state), None
        if guide is not None:
            if guide.asks_no_more(turn):
                return Turn(turn, seat, moves.act)
            moves = self._moves(state, turn, seat)
            default = moves.default.token
        if clock is None:
            return question(moves, turn, seat, None, None, default)
        return question(moves, turn, seat, clock.move, bank if clock.bank else None, default)


def begin(terms: Terms, at: int, house: House) -> tuple[Match, list[Event]]:
    """Begins a game: the match with its first question open, and the events so far.

    Raises `BadOption` if the rules do not allow this number of seats. `at` is the time in ms.
    """
    banks = (terms.clock.bank if terms.clock else 0,) * terms.seats
    match = Match(terms, terms.game.new(terms.rules, terms.seats), banks)
    return match._go_on(match.state, banks, [], at, house)


@lru_cache(maxsize=1 << 10)
def _deed_of(deck: Deck, kind: type[Deed], token: str) -> Deed:
    """The deed of a token. Raises `Malformed` or `NotACard`."""
    return _spelled(deck, kind.of(token))


def _spelled(deck: Deck, said: Deed) -> Deed:
    cards = getattr(said, "cards", None)
    spelled = cards and deck.read([word for word in cards if word != "-"])
    return said if spelled == cards else replace(said, cards=spelled)


def _not_a_move(token: str, wrong: Malformed | NotACard, arg: str) -> Refused:
    if isinstance(wrong, NotACard):
        return Refused("BAD_ARG", f"{wrong.word} is not a card.", arg=arg)
    return Refused("BAD_ARG", f"{token} is not a move: {wrong}.", arg=arg)


def _listed(words: Words | None) -> tuple[str, ...] | None:
    return None if words is None else tuple(word or "-" for word in words)


def announced(match: Match, ruleshash: str) -> Game_:
    """The GAME event of a match that has just begun; `ruleshash` is the hash of its options."""
    terms, game = match.terms, match.terms.game
    sides = vocabulary(game.key).partners
    return Game_(
        game.key,
        terms.id,
        terms.seats,
        game.version,
        ruleshash,
        game.target(terms.rules),
        max(game.totals(match.state)) or None,
        tuple("+".join(map(str, side)) for side in sides) or None,
        terms.set_hands,
    )


def marked(events: list[Event]) -> list[Event]:
    """The events of a move made by the clock or a stand-in, with the first marked `auto`."""
    first, *rest = events
    return [replace(first, **{"auto": True}), *rest] if hasattr(first, "auto") else events


def question(
    moves: Moves,
    turn: int,
    seat: int,
    ms: int | None,
    bank: int | None,
    default: str | None = None,
) -> Turn:
    """The TURN that asks a seat for one of these moves; `ms` and `bank` are its times.

    `default` is the token of the default, if it may be another than the first move.
    """
    if moves.subset:
        return Turn(
            turn,
            seat,
            moves.act,
            ms,
            bank,
            choose="subset",
            min=moves.min,
            max=moves.max,
            cards=moves.hand,
            default=moves.default.token,
        )
    first = [*islice(moves.tokens(), LISTED)]
    legal, count = _fitting(first), len(first) if len(first) < LISTED else len(moves)
    asked = Turn(
        turn,
        seat,
        moves.act,
        ms,
        bank,
        beat=moves.beat,
        choose="one",
        nlegal=count,
        legal=legal,
        low=moves.low,
        default=default or first[0],
        truncated=True if len(legal) < count else None,
        hand=moves.hand,
    )
    # In one call, `**` would cost more than all the other fields.
    return replace(asked, **moves.also) if moves.also else asked


def listing(moves: Moves, first: int = 0) -> tuple[str, ...]:
    """The tokens of the legal moves from index `first` on, as many as fit the limits."""
    return _fitting([*islice(moves.tokens(), first, first + LISTED)])


def _fitting(tokens: list[str]) -> tuple[str, ...]:
    """The first tokens, as many as fit the limit in bytes."""
    if len(",".join(tokens)) >= LISTED_BYTES:
        ends = accumulate(len(token) + 1 for token in tokens)
        tokens = [token for token, end in zip(tokens, ends, strict=True) if end <= LISTED_BYTES]
    return tuple(tokens)


def not_your_turn(asked: Turn, name: str | None) -> Refused:
    """The refusal of a deed from a seat that is not on turn; `name` is that of the seat on turn."""
    text = f"It is {name or 'somebody else'}'s turn, not yours."
    return Refused("NOT_YOUR_TURN", text, turn=asked.turn, seat=asked.seat)


def refusal(wrong: Illegal) -> Refused:
    """The refusal of an illegal move: NOT_HELD without a reason, else ILLEGAL with it."""
    if not wrong.reason:
        return Refused("NOT_HELD", wrong.why, wrong.advice)
    return Refused("ILLEGAL", wrong.why, wrong.advice, reason=wrong.reason)
