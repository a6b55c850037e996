"""The legal moves that a selection of cards makes. The question lists the moves, so no rules are
needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twentytwo_protocol.cards import SUIT_NAMES, Card
from twentytwo_protocol.typed_cards import as_typed
from twentytwo_protocol.words.cardplay import Turn

from ..display.overview import stands_for

KEEP = "keep"


def by_cards(turn: Turn, cards: Sequence[Card]) -> bool:
    """True if a question is answered with cards of the hand, rather than with a word or number."""
    if turn.choose == "subset":
        return True
    return turn.act != "bid" and any(made_of(move, cards) for move in turn.legal or ())


def made_of(move: str, cards: Sequence[Card], first: Sequence[int] = ()) -> tuple[int, ...]:
    """The positions in the hand of a move's cards, in its order; empty if cards are missing.

    Among equally suitable cards those at the positions `first` are preferred.
    """
    rest = (at for at in range(len(cards)) if at not in first)
    return _matched(move.split("+"), cards, (*first, *rest), ()) or ()


def _matched(
    parts: Sequence[str], cards: Sequence[Card], positions: Sequence[int], taken: tuple[int, ...]
) -> tuple[int, ...] | None:
    if not parts:
        return taken
    for at in positions:
        if at not in taken and stands_for(parts[0], cards[at]):
            found = _matched(parts[1:], cards, positions, (*taken, at))
            if found is not None:
                return found
    return None


def made_with(turn: Turn, cards: Sequence[Card], chosen: Sequence[int]) -> list[tuple[int, ...]]:
    """The legal moves that extend the selection, as positions in the hand."""
    made = (made_of(move, cards, chosen) for move in turn.legal or ())
    return list(dict.fromkeys(each for each in made if {*chosen} < {*each}))


def moves(turn: Turn, chosen: Sequence[Card]) -> list[str]:
    """The legal moves with exactly these cards; several if a card can be played in two ways."""
    listed = (move for move in turn.legal or () if len(move.split("+")) == len(chosen))
    return [move for move in listed if made_of(move, chosen)]


def goes_on(turn: Turn, chosen: Sequence[Card]) -> bool:
    """True if a legal move contains all these cards."""
    if turn.choose == "subset":
        return len(chosen) <= (turn.max or 0)
    if turn.truncated:
        return True
    return any(_holds(move.split("+"), chosen) for move in turn.legal or ())


def _holds(parts: Sequence[str], chosen: Sequence[Card]) -> bool:
    """True if each card can be matched with a different part of the move."""
    if not chosen:
        return True
    return any(
        stands_for(part, chosen[0]) and _holds([*parts[:at], *parts[at + 1 :]], chosen[1:])
        for at, part in enumerate(parts)
    )


def answers(turn: Turn, chosen: Sequence[Card]) -> list[str]:
    """The lines that answer a question with the selection; empty if there are none."""
    if turn.choose == "subset":
        if not chosen:
            return [KEEP] if not turn.min else []
        fits = (turn.min or 0) <= len(chosen) <= (turn.max or 0)
        return [f"{turn.act} {_typed(chosen)}"] if fits else []
    found = moves(turn, chosen) if chosen else []
    if not found and chosen and turn.truncated:
        return [_typed(chosen)]  # the list is incomplete: the server will check the move
    return [spelled(move, chosen) for move in found]


def spelled(move: str, cards: Sequence[Card]) -> str:
    """A move as a person types it, with the cards in full if suits matter."""
    parts = move.split("+")
    positions = made_of(move, cards)
    exact = (
        cards[at] if cards[at][1:] in SUIT_NAMES else part
        for part, at in zip(parts, positions, strict=False)
    )
    return _typed(exact) if positions else as_typed(move)


def words(turn: Turn, cards: Sequence[Card]) -> list[str]:
    """The legal moves without cards of the hand: bids, calls, blind plays."""
    if turn.choose == "subset":
        return []
    legal = turn.legal or ()
    return [move for move in legal if turn.act == "bid" or not made_of(move, cards)]


def _typed(cards: Iterable[Card]) -> str:
    return as_typed("+".join(cards))
