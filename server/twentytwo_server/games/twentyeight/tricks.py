"""The tricks of a hand: cards played, the trump called for, the score."""

from __future__ import annotations

from msgspec.structs import replace

from twentytwo_protocol.cards import Card
from twentytwo_protocol.games.twentyeight import Call, Declared, Trump_
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Handover, Played, Scored, Took, Trick

from ..game import ending
from .auction import to_deal
from .plays import best_so_far, must_call, player
from .ranking import points_of
from .rules import PLAYERS, stakes
from .states import SIDES, Over, Playing, Standing, Step, added, after, side_of, without


def played(state: Playing, card: Card) -> Step:
    """The state after the seat on turn has played a legal card."""
    events: list[Event] = []
    if card == state.down:
        # E26: in the eighth trick; it counts as a trump from now on
        state, event = _shown(state, None)
        events.append(event)
    seat = state.seat
    hands = without(state.hands, seat, card)
    kind = _kind(card, state.plays, "" if state.down else state.trump)
    events.append(Played(seat, (card,), kind, len(hands[seat - 1])))
    plays = (*state.plays, card)
    state = replace(state, hands=hands, plays=plays, seat=after(seat), asked=False)
    if len(plays) == PLAYERS:
        return _taken(state, events)
    return on_turn(state, events) if state.down else (state, events)


def _kind(card: Card, plays: tuple[Card, ...], trump: str) -> str:
    """The kind of a play; a card of the hidden trump is a discard."""
    if not plays:
        return "lead"
    if card[1] == plays[0][1]:
        return "follow"
    return "trump" if card[1] == trump else "discard"


# ---------------------------------------------------------------------------------- the trump


def declared(state: Playing, deed: Deed) -> Step:
    """The state after the seat on turn has called for the trump, or not."""
    events: list[Event] = [Declared(state.seat, deed.token)]
    state = replace(state, asked=False)
    if isinstance(deed, Call):
        state, event = _shown(state, state.seat)
        events.append(event)
    return state, events


def on_turn(state: Playing, events: list[Event]) -> Step:
    """Asks the seat on turn; if it cannot follow and must call, shows the trump."""
    if not must_call(state):
        return state, events
    if state.standing.rules.call == "optional":
        return replace(state, asked=True), events
    state, event = _shown(state, state.seat)
    return state, [*events, event]


def _shown(state: Playing, by: int | None) -> tuple[Playing, Event]:
    """Shows the trump; the caller must trump in this trick (E18)."""
    event = Trump_(state.bidder, True, state.trump, state.down, by)
    return replace(state, down="", shown_after=len(state.plays), caller=by or 0), event


# ---------------------------------------------------------------------------------- the score


def _taken(state: Playing, events: list[Event]) -> Step:
    best = best_so_far(state)
    winner, points = player(state, best), points_of(state.plays)
    events.append(Took(winner, state.trick, (state.plays[best],), points))
    won = added(state.won, side_of(winner), points)
    if not state.hands[0]:
        return _hand_over(state, won, events)
    state = state.next_trick(winner, won)
    events.append(Trick(state.trick, winner))
    return state, events


def _hand_over(state: Playing, points_won: tuple[int, int], events: list[Event]) -> Step:
    """Ends the hand: the bidders score or lose; the other side scores nothing."""
    ours = side_of(state.bidder)
    won = points_won[ours]
    score, loss = stakes(state.bid)
    made = won >= state.bid  # E28: exactly the bid is enough
    points = score if made else -loss
    before = state.standing
    totals = added(before.totals, ours, points)
    standing = before.then(totals, before.hand, before.dealer)
    events += [
        Scored(None, points, totals[ours], side=SIDES[ours], bid=state.bid, won=won),
        Scored(None, 0, totals[1 - ours], side=SIDES[1 - ours]),
        Handover(standing.hand, SIDES[1 - ours if made else ours], standing.by_seat),
    ]
    rules = standing.rules
    if totals[ours] >= rules.target:
        return _over(standing, ours, "target", events)
    if rules.loss_limit and totals[ours] <= -rules.loss_limit:
        return _over(standing, 1 - ours, "loss", events)
    return to_deal(standing, after(standing.dealer)), events


def _over(standing: Standing, winners: int, why: str, events: list[Event]) -> Step:
    """Ends the game; partners share their place."""
    places = [1 if side_of(seat) == winners else 3 for seat in range(1, PLAYERS + 1)]
    return Over(standing, SIDES[winners]), [*events, *ending(places, standing.by_seat, why)]
