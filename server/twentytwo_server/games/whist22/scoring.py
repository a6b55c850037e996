"""The score of a hand, the next dealer, and the end.

A player who misses the bid loses a point for every trick above or below it. The game ends after the
hand in which a player comes to 0 or below (W12, W13). The highest score wins, alone or shared
(W14), even if nobody is above 0 (W15). The deal passes to the left every hand (W4).
"""

from __future__ import annotations

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Handover, Scored

from ..game import ending, places_by
from .states import Dealing, Over, Standing, Step


def scored(standing: Standing, bids: tuple[int, ...], won: tuple[int, ...]) -> Step:
    """The state after a hand with these bids and tricks won, by seat."""
    points = tuple(-abs(bid - took) for bid, took in zip(bids, won, strict=True))
    totals = tuple(map(sum, zip(standing.totals, points, strict=True)))
    events: list[Event] = [
        Scored(seat, lost, total, bid=bid, won=took)
        for seat, (lost, total, bid, took) in enumerate(
            zip(points, totals, bids, won, strict=True), 1
        )
    ]
    losers = tuple(seat for seat, lost in enumerate(points, 1) if lost)
    events.append(Handover(standing.hand, losers, totals))
    after = Standing(standing.rules, totals, standing.hand, standing.dealer)
    if min(totals) <= 0:
        return over(after, events)
    return Dealing(after.dealt_by(after.after(after.dealer))), events


def over(standing: Standing, events: list[Event]) -> Step:
    """Ends the game."""
    places = places_by(standing.totals)
    winners = tuple(seat for seat, place in enumerate(places, 1) if place == 1)
    return Over(standing, winners, places), [*events, *ending(places, standing.totals, "zero")]
