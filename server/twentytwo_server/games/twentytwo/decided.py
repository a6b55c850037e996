"""What decided a hand of Twenty-Two or Twenty-Six: the last cards, and a lead that was missed."""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.cards import RANK_NAMES, RANK_ORDER
from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice, listed
from twentytwo_protocol.words.cardplay import Handover, Played, Shown


def decided(hand: Sequence[Event], voice: Voice) -> str:
    """One sentence about a hand that is over, from what was played and shown; or empty."""
    shown = {event.seat: event.card for event in hand if isinstance(event, Shown)}
    losers = next((event.losers for event in hand if isinstance(event, Handover)), ())
    losers = tuple(seat for seat in losers if seat in shown)
    if not losers or len(losers) == len(shown):
        return ""
    rank = shown[losers[0]][0]
    first = sorted(losers, key=lambda seat: seat != voice.me)  # `Your and bob's last four`
    whose = listed(voice.possessive(seat) for seat in first)
    others = sorted(
        (card[0] for seat, card in shown.items() if seat not in losers), key=RANK_ORDER.__getitem__
    )
    ended = listed(RANK_NAMES[other] for other in others)
    said = f"{whose} last {RANK_NAMES[rank]} decided it, against {ended}"
    seat = voice.me if voice.me in losers else losers[0]
    assert seat is not None
    missed = _missed(hand, seat, rank)
    if missed is None:
        return f"{said}."
    trick, led = missed
    lead = f"{voice.name(seat)} led {voice.show(led)} in trick {trick}"
    return f"{said}; {lead}, and could have led the {RANK_NAMES[rank]}."


def _missed(hand: Sequence[Event], seat: int, rank: str) -> tuple[int, Sequence[str]] | None:
    """The last trick that a seat led with lower cards than the one it ended on, and the cards.

    Nobody draws a card after the exchange, so the last card was in the hand at every lead.
    """
    found, trick = None, 0
    for event in hand:
        if not isinstance(event, Played) or event.kind != "lead":
            continue
        trick += 1
        if event.seat == seat:
            lower = all(RANK_ORDER[card[0]] < RANK_ORDER[rank] for card in event.cards)
            found = (trick, event.cards) if lower and rank != "X" else found
    return found
