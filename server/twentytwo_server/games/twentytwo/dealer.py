"""The choice of the dealer: by a draw, the loser of the hand, or a substitute."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Drew, Handover

from .hands import BYTES, Cards, ranks
from .seating import after, right_of
from .states import Dealing, Drawing, Standing, Step


def opening(standing: Standing) -> Drawing:
    """The state before the first hand: any seat may become the dealer."""
    return Drawing(standing, standing.playing, standing.rules.first_dealer == "random")


def choosing(
    standing: Standing, among: tuple[int, ...], by_lot: bool, closing: Handover
) -> Drawing:
    """The state in which the dealer is chosen among some seats, after a hand."""
    needed = max(len(among), len(standing.playing))
    return Drawing(gathered(standing, needed), among, by_lot, closing)


def to_deal(standing: Standing, dealer: int) -> Dealing:
    """The state before the deal."""
    return Dealing(replace(gathered(standing, len(standing.playing)), dealer=dealer))


def gathered(standing: Standing, needed: int) -> Standing:
    """The standing with a pack of at least `needed` cards, not all of one rank.

    If scoring cards leave too few, the cards of the eliminated players go back to the pack, and
    then all scoring cards if necessary; the written scores do not change.
    """
    if _suffices(standing.pack, needed):
        return standing
    of_playing = tuple(
        cards if seat in standing.playing else b"" for seat, cards in enumerate(standing.kept, 1)
    )
    standing = replace(standing, kept=of_playing)
    if _suffices(standing.pack, needed):
        return standing
    return replace(standing, kept=(b"",) * standing.seats)


def _suffices(pack: Cards, needed: int) -> bool:
    # A pack with a single rank could never decide the draw for the dealer.
    return len(pack) >= needed and ranks(pack).count(pack[0] >> 2) < len(pack)


# --------------------------------------------------------------------------------- the draw


def drawn(state: Drawing, shuffled: Sequence[str]) -> Step:
    """The state after the shuffle of the draw: the dealer is known, unless the pack ran out."""
    if state.by_lot:
        return dealer_chosen(state, int(shuffled[0]), [])
    tied, events = draws(state.among, shuffled, state.again)
    if len(tied) > 1:
        return replace(state, among=tied, again=True), events
    return dealer_chosen(state, tied[0], events)


def draws(
    among: tuple[int, ...], shuffled: Sequence[str], again: bool = False
) -> tuple[tuple[int, ...], list[Event]]:
    """The seats that may still deal after drawing from the pack: one seat, unless the pack ran out.

    `again`: these seats were tied in an earlier draw.
    """
    events: list[Event] = []
    while 1 < len(among) <= len(shuffled):
        cards, shuffled = shuffled[: len(among)], shuffled[len(among) :]
        told = again or None
        events += [Drew(seat, card, told) for seat, card in zip(among, cards, strict=True)]
        found = [BYTES[card] >> 2 for card in cards]
        # pagat: the highest deals, and ties are drawn again, only by the tied players
        high = max(found)
        among = tuple(seat for seat, rank in zip(among, found, strict=True) if rank == high)
        again = True
    return among, events


def dealer_chosen(state: Drawing, seat: int, events: list[Event]) -> Step:
    """The state in which this seat deals, or its substitute if it is out of the game."""
    closing = [state.closing] if state.closing else []
    return to_deal(state.standing, substitute(state.standing, seat)), [*events, *closing]


def substitute(standing: Standing, chosen: int) -> int:
    """The dealing seat, given the chosen one, which may be out of the game."""
    if chosen in standing.playing or standing.rules.eliminated_deals == "yes":
        return chosen  # pagat: eliminated after dealing the next hand
    # tvtropes: the player to their right becomes the dealer
    return right_of(chosen, standing.playing, standing.seats, standing.rules)


# ------------------------------------------------------------------------------ next dealer


def next_dealer(
    standing: Standing, losers: tuple[int, ...], closing: Handover, events: list[Event]
) -> Step:
    """Passes the deal; if several may deal, the house has to choose."""
    rules = standing.rules
    if rules.dealer == "rotate":
        seat = after(standing.dealer, standing.playing, standing.seats)
    elif len(losers) == 1 or rules.dealer_tie == "last_to_play":
        # tvtropes: the last player to match the bar took the trick
        seat = substitute(standing, losers[-1])
    else:
        by_lot = rules.dealer_tie == "random"
        return choosing(standing, losers, by_lot, closing), events
    return to_deal(standing, seat), [*events, closing]
