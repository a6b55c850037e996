"""The turning point of a hand of Twenty-Two or Twenty-Six: the last cards, and a better lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twentytwo_protocol.cards import RANK_NAMES, RANK_ORDER, Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice, listed
from twentytwo_protocol.words.cardplay import Handover, Played, Shown

from .hands import JOKERS, ONE, Ranks
from .rules import TwentyTwoRules
from .search.rollout import Rollout
from .seating import circle


def decided(rules: TwentyTwoRules, hand: Sequence[Event], voice: Voice) -> str:
    """One sentence about a finished hand, from its plays and shown cards; or empty."""
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
    lost_to = listed(_a(other) for other in others)
    said = f"{whose} last card, {_a(rank)}, lost to {lost_to}"
    if len(first) > 1:
        said = f"{whose} last cards, {_several(rank)}, lost to {lost_to}"
    seat = voice.me if voice.me in losers else losers[0]
    assert seat is not None
    missed = _missed(rules, hand, seat, shown)
    if missed is None:
        return f"{said}."
    trick, led = missed
    lead = f"{voice.name(seat)} led {voice.show(led)} in trick {trick}"
    return f"{said}; {lead}, but the {RANK_NAMES[rank]} might have saved the hand."


def _a(rank: str) -> str:
    """`a four`, `an ace`."""
    name = RANK_NAMES[rank]
    return f"{'an' if name[0] in 'ae' else 'a'} {name}"


def _several(rank: str) -> str:
    """`fours`, `sixes`."""
    name = RANK_NAMES[rank]
    return f"{name}{'es' if name.endswith('x') else 's'}"


def _missed(
    rules: TwentyTwoRules, hand: Sequence[Event], seat: int, shown: Mapping[int, Card]
) -> tuple[int, Sequence[Card]] | None:
    """The last trick that a seat led with cards lower than its last card, with those cards, if
    leading the last card instead would have saved the hand.

    Nobody draws a card after the exchange, so the last card was in the hand at every lead.
    """
    played = [event for event in hand if isinstance(event, Played)]
    rank = RANK_ORDER[shown[seat][0]]
    leads = [index for index, event in enumerate(played) if event.kind == "lead"]
    for trick, index in reversed([*enumerate(leads, 1)]):
        lead = played[index]
        if lead.seat != seat or any(RANK_ORDER[card[0]] >= rank for card in lead.cards):
            continue
        held = {each: [card] for each, card in shown.items()}
        for event in played[index:]:
            held[event.seat] += event.cards
        if _saved(rules, seat, rank, held):
            return trick, lead.cards
    return None


def _saved(rules: TwentyTwoRules, seat: int, rank: int, held: Mapping[int, Sequence[Card]]) -> bool:
    """True if leading one card of a rank saves the hand when everybody then plays as `steady`."""
    if rank == JOKERS:  # a joker is never led alone
        return False
    seats = max(held)
    hands = [_ranked(held.get(each, ())) for each in range(seats + 1)]
    hands[seat] = hands[seat].replace(ONE[rank], b"", 1)
    playing = tuple(sorted(held))
    rollout = Rollout(rules, hands, circle(playing, seats), seat)
    rollout.trick(rollout.next_seat[seat], ONE[rank], ONE[rank], seat)
    ended = rollout.last_cards()
    return ended[seat] < max(ended[each] for each in playing)


def _ranked(cards: Sequence[Card]) -> Ranks:
    """Cards as a hand of ranks."""
    return bytes(sorted(RANK_ORDER[card[0]] for card in cards))
