"""The replay of a finished game, made from its record: its events, decisions and hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twentytwo_protocol import record as records
from twentytwo_protocol.record import NotARecord, Record
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Dealt, Game_, Hand_, Handover, Turn, forced

from ..games.game import HOUSE, AnyGame, deed_of
from ..records import telling
from ..records.replay import NotReplayable, begun
from ..records.turning import answered


class NotReviewable(ValueError):
    """A record cannot be reviewed; the message is the reason, in one sentence."""


class Choice(Value):
    """A question and its answer. `move` is its number in the record, from 1, counting shuffles.

    `told` is the number of the game's events before the question; `turn` is redacted for the seat.
    `trick` is 0 before the first trick of the hand. `auto`: the clock or a stand-in answered.
    """

    move: int
    hand: int
    trick: int
    told: int
    turn: Turn
    played: str
    auto: bool

    @property
    def seat(self) -> int:
        """The seat that was asked."""
        return self.turn.seat

    @property
    def forced(self) -> bool:
        """True if only one move was legal."""
        return forced(self.turn) is not None


class Hand(Value):
    """A hand of a game: the state at its first question, and the events up to then.

    The events are GAME and those of this hand, not redacted. `last` is the number of the move that
    ended the hand, `over` the state after it, and `ending` the events of that move. `over` is None
    if the game was cut short. `seats` were dealt cards; `losers` lost the hand.
    """

    no: int
    state: object
    known: tuple[Event, ...]
    seats: tuple[int, ...]
    last: int = 0
    over: object = None
    ending: tuple[Event, ...] = ()
    losers: tuple[int, ...] = ()


class PlayedAgain(Value):
    """A replayed game; `views` has the events as each seat saw them."""

    record: Record
    game: AnyGame
    rules: object
    events: tuple[Event, ...]
    views: Mapping[int, tuple[Event, ...]]
    decisions: tuple[Choice, ...]
    hands: tuple[Hand, ...]

    def seen(self, decision: Choice) -> Sequence[Event]:
        """The events of the game that the deciding seat saw before the question."""
        return self.views[decision.seat][: decision.told]


def read_record(text: str) -> Record:
    """Parses a record. Raises `NotReviewable`."""
    try:
        return records.read(text)
    except NotARecord as wrong:
        raise NotReviewable(f"That is not a record: {wrong}.") from None


def played_again(record: Record, games: Mapping[str, AnyGame]) -> PlayedAgain:
    """The replay of a recorded game. Raises `NotReviewable`."""
    if not record.end:
        raise NotReviewable("This game is not over.")
    try:
        events = tuple(telling.told(record, games))
        if not any(isinstance(event, Game_) for event in events):
            raise NotReviewable("No card of this game was dealt.")
        game = games[record.game]
        if game.search is None:
            raise NotReviewable(f"Nobody reviews games of {game.title} yet.")
        decisions = _decisions(record, events)
        return PlayedAgain(
            record,
            game,
            game.rules(record.rules, record.options),
            events,
            {seat: _view(events, seat) for seat in range(1, record.seats + 1)},
            decisions,
            tuple(_hands(record, game, events)),
        )
    except NotReplayable as wrong:
        raise NotReviewable(f"This record cannot be played again: {wrong}.") from None


def _view(events: Sequence[Event], seat: int) -> tuple[Event, ...]:
    return tuple([redact(event, seat) for event in events])


def people(played: PlayedAgain) -> tuple[int, ...]:
    """The seats of people; all seats if only bots played."""
    every = range(1, played.record.seats + 1)
    return tuple(seat for seat in every if seat not in played.record.bots) or tuple(every)


def _decisions(record: Record, events: Sequence[Event]) -> tuple[Choice, ...]:
    found: list[Choice] = []
    for each in answered(record, events):
        turn = redact(each.turn, each.turn.seat)
        assert isinstance(turn, Turn)
        made = each.made
        found.append(
            Choice(each.move, each.hand, each.trick, each.told, turn, made.token, made.auto)
        )
    return tuple(found)


def _hands(record: Record, game: AnyGame, events: Sequence[Event]) -> list[Hand]:
    """The hands, replayed state by state."""
    announced = next(event for event in events if isinstance(event, Game_))
    state = begun(record, game)
    since: list[Event] = [announced]
    hands: dict[int, Hand] = {}
    for move, made in enumerate(record.moves, 1):
        state, happened = game.play(state, deed_of(game, made.seat, made.act, made.token))
        closed = next((event for event in happened if isinstance(event, Handover)), None)
        if closed is not None:
            began = hands[closed.no]
            hands[closed.no] = Hand(
                began.no,
                began.state,
                began.known,
                began.seats,
                move,
                state,
                tuple(happened),
                closed.losers,
            )
            at = happened.index(closed) + 1
            since = [announced, *happened[at:]]
        else:
            since += happened
        dealt = next((event for event in reversed(since) if isinstance(event, Hand_)), None)
        if made.seat == HOUSE and dealt is not None and game.turn(state):
            seats = {event.seat: None for event in since if isinstance(event, Dealt)}
            hands[dealt.no] = Hand(dealt.no, state, tuple(since), tuple(sorted(seats)))
    return list(hands.values())
