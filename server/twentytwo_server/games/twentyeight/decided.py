"""The turning point of a hand of Twenty-Eight: the deciding trick, or the costliest lost one."""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice, plural
from twentytwo_protocol.words.cardplay import Contract, Scored, Took


def decided(hand: Sequence[Event], voice: Voice) -> str:
    """One sentence about a finished hand, or empty."""
    contract = next((event for event in hand if isinstance(event, Contract)), None)
    scored = next((e for e in hand if isinstance(e, Scored) and e.bid is not None), None)
    took = [event for event in hand if isinstance(event, Took)]
    if contract is None or scored is None or scored.won is None or not took:
        return ""
    bidders = contract.side or (contract.seat,)
    if scored.won >= contract.bid:
        won = 0
        for event in took:
            won += (event.points or 0) if event.seat in bidders else 0
            if won >= contract.bid:
                whose = voice.possessive(event.seat)
                whose = whose if event.seat != voice.me else "your"
                return (
                    f"The bid of {contract.bid} was made in trick {event.trick}, with {whose} "
                    f"{voice.show(event.cards)} and {plural(event.points or 0, 'point')}."
                )
    lost = [event for event in took if event.seat not in bidders]
    dearest = max(lost, key=lambda event: event.points or 0, default=None)
    if dearest is None:
        return ""
    short = contract.bid - scored.won
    takes = voice.does(dearest.seat, "took") if dearest.seat != voice.me else "you took"
    return (
        f"The bid of {contract.bid} failed by {short}: the costliest trick was the "
        f"{_ORDINALS[dearest.trick - 1]}, which {takes} with {voice.show(dearest.cards)} for "
        f"{plural(dearest.points or 0, 'point')}."
    )


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last")
