"""The showdown of the last cards: the losers, their scores, and the end of the game.

Places: the winners are first. The others follow in reverse order of elimination; among players
eliminated in the same hand a lower score is better; equal players share a place.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Handover, Out, Scored, Shown

from ..game import ending, places_by
from .dealer import choosing, next_dealer
from .hands import CARD_TOKENS, RANK_LETTERS, Cards
from .seating import in_order
from .states import Over, Standing, Step


def showdown(standing: Standing, hands: tuple[Cards, ...], first: int) -> Step:
    """Shows all last cards, beginning with `first`; the highest rank loses."""
    last: dict[int, int] = {}
    events: list[Event] = []
    for seat in in_order(first, standing.playing):
        last[seat] = card = hands[seat - 1][0]
        events.append(Shown(seat, CARD_TOKENS[card]))
    high = max(last.values()) >> 2  # points do not matter
    lost = {seat: card for seat, card in last.items() if card >> 2 == high}
    if standing.runoff:
        return _runoff_lost(standing, tuple(lost), events)
    points = standing.rules.points_of(RANK_LETTERS[high])
    scored = score(standing, lost, points)
    for seat, card in lost.items():
        events.append(Scored(seat, points, scored.totals[seat - 1], CARD_TOKENS[card]))
    return _after(standing, scored, tuple(lost), events)


def score(standing: Standing, lost: dict[int, int], points: int) -> Standing:
    """The standing after these seats have lost with these cards."""
    rules = standing.rules
    totals, kept, fell = list(standing.totals), list(standing.kept), list(standing.fell)
    playing = list(standing.playing)
    for seat, card in lost.items():
        totals[seat - 1] += points
        if rules.keep_cards == "yes":
            kept[seat - 1] += bytes([card])  # pagat: face up, for the rest of the game
        if totals[seat - 1] >= rules.limit:
            playing.remove(seat)
            fell[seat - 1] = standing.hand
            if rules.dead_cards == "back":
                kept[seat - 1] = b""
    return Standing(
        rules,
        standing.seats,
        tuple(playing),
        tuple(totals),
        tuple(kept),
        tuple(fell),
        rules.wanted_after(points),
        standing.hand,
        standing.dealer,
        standing.runoff,
    )


def _after(before: Standing, now: Standing, losers: tuple[int, ...], events: list[Event]) -> Step:
    closing = Handover(now.hand, losers, now.totals)
    if not now.playing:
        return _all_out(before, now, closing, events)
    events += [Out(seat, now.totals[seat - 1]) for seat in losers if seat not in now.playing]
    if len(now.playing) == 1:
        return over(now, now.playing, "last", [*events, closing])
    return next_dealer(now, losers, closing, events)


# ------------------------------------------------------------------------- the last together


def _all_out(before: Standing, now: Standing, closing: Handover, events: list[Event]) -> Step:
    """All remaining players have reached the limit in the same hand."""
    together = before.playing
    least = min(now.totals[seat - 1] for seat in together)
    best = tuple(seat for seat in together if now.totals[seat - 1] == least)
    rule = now.rules.all_out
    if rule == "runoff" and len(best) > 1:
        events += _outs(now, (seat for seat in closing.losers if seat not in best))
        return _run_off(now, best, closing, events)
    events += [*_outs(now, closing.losers), closing]
    if rule == "shared":
        return over(now, together, "shared", events)
    return over(now, best, "lowest", events)


def _outs(standing: Standing, seats: Iterable[int]) -> list[Event]:
    return [Out(seat, standing.totals[seat - 1]) for seat in seats]


def _run_off(
    standing: Standing, among: tuple[int, ...], closing: Handover, events: list[Event]
) -> Step:
    """Begins a run-off among the tied players: a hand whose losers drop out."""
    standing = replace(standing, playing=among, runoff=True, wanted=standing.rules.first_hand)
    return choosing(standing, among, False, closing), events


def _runoff_lost(standing: Standing, losers: tuple[int, ...], events: list[Event]) -> Step:
    left = tuple(seat for seat in standing.playing if seat not in losers)
    closing = Handover(standing.hand, losers, standing.totals)
    if not left:
        # nobody is better: repeat the run-off
        return _run_off(standing, standing.playing, closing, events)
    fell = tuple(
        standing.hand if seat in losers else hand for seat, hand in enumerate(standing.fell, 1)
    )
    standing = replace(standing, fell=fell)
    events += _outs(standing, losers)
    if len(left) == 1:
        return over(standing, left, "runoff", [*events, closing])
    return _run_off(standing, left, closing, events)


# ----------------------------------------------------------------------------------- the end


def over(standing: Standing, winners: tuple[int, ...], why: str, events: list[Event]) -> Step:
    """Ends the game."""
    places = placing(standing, winners)
    return Over(standing, winners, places), [*events, *ending(places, standing.totals, why)]


def placing(standing: Standing, winners: tuple[int, ...]) -> tuple[int, ...]:
    """The place of every seat, from seat 1; see the module's docstring."""
    merits = [
        (True,) if seat in winners else (False, fell, -total)
        for seat, (fell, total) in enumerate(zip(standing.fell, standing.totals, strict=True), 1)
    ]
    return places_by(merits)


def places_so_far(standing: Standing) -> tuple[int, ...]:
    """The place of every seat during the game; eliminated players come behind the others."""
    merits = [
        (seat in standing.playing, 0 if seat in standing.playing else fell, -total)
        for seat, (fell, total) in enumerate(zip(standing.fell, standing.totals, strict=True), 1)
    ]
    return places_by(merits)
