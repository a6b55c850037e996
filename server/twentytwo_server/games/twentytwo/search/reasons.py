"""Reasons for a move of Twenty-Two or Twenty-Six, as clauses.

A reason favours this move over the others, or is empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from twentytwo_protocol.cards import RANK_NAMES
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words.cardplay import Turn

from ..following import covers, reading
from ..hands import ACE, RANK_LETTERS, Ranks, ranks, without
from ..last_cards import how_often
from ..seating import circle
from ..tricks import may_win
from .knowledge import Knowledge

LOW, HIGH = RANK_LETTERS.index("4"), RANK_LETTERS.index("Q")
"""The highest rank that is good as a last card, and the lowest that often takes a trick."""


def reason(seen: Knowledge, turn: Turn, token: str) -> str:
    """The clause for a move of the seat on turn."""
    played = _ranks(token)
    left = without(ranks(seen.hand), bytes(sorted(played)))
    if turn.act == "exchange":
        return _exchange(seen, played, left)
    if turn.nlegal == 1:
        return "it is all that you may play"
    if not seen.bar:
        return _lead(seen, played, left)
    return _follow(seen, played, left)


def _exchange(seen: Knowledge, thrown: Ranks, kept: Ranks) -> str:
    low = [rank for rank in kept if rank <= LOW]
    high = [rank for rank in kept if rank >= HIGH]
    keeping = [f"{_cards(low)} to end on"] if low else []
    keeping += [f"{_cards(high)} to take tricks with"] if high else []
    no_middle = len(low) + len(high) == len(kept)
    said = [f"you keep {listed(keeping)}"] if keeping and no_middle and thrown else []
    # Higher kept cards are for taking tricks.
    to_end_on = [rank for rank in kept if not (no_middle and rank >= HIGH > max(thrown, default=0))]
    if thrown and all(rank < min(thrown) for rank in to_end_on):
        said.append(_ends_on(seen, max(thrown)))
    return ", and ".join(said)


def _lead(seen: Knowledge, played: Ranks, left: Ranks) -> str:
    if len(left) == 1:
        return _last(seen, played, left)
    rank = played[0]
    if len(played) > 1:
        many = _number(len(played))
        if rank <= LOW:
            return ""
        return (
            f"it rids you of {many} cards at once, and whoever cannot match them throws their "
            f"{many} lowest"
        )
    if rank >= max(left) and rank > LOW:
        many = f"you hold {_cards(played + left, rank)}" if rank in left else ""
        return f"{many or 'it rids you of your highest card'}, and {_ends_on(seen, rank)}"
    keeps = [other for other in left if other >= HIGH]
    if keeps and (rank <= LOW or rank < min(left)):
        beaten = f"{_unseen(seen, rank)} beat or equal it, so somebody else is likely to take over"
        return f"{beaten}, and you keep {_cards(keeps)} to come back with"
    return ""


def _follow(seen: Knowledge, played: Ranks, left: Ranks) -> str:
    if len(left) == 1:
        return _last(seen, played, left)
    counts_as = reading(played)
    keeps = [rank for rank in left if rank >= HIGH]
    if not covers(counts_as, seen.bar):
        return f"you let the trick go and save {_cards(keeps)} for later" if keeps else ""
    what = _takes(seen, counts_as) if covers(counts_as, seen.best) else ""
    if max(played) >= max(left):
        shed = f"it rids you of {_cards(played)} ({_ends_on(seen, max(played))})"
        kept = shed if max(played) > LOW else ""
    else:
        kept = f"you keep {_cards(keeps)} for later" if keeps else ""
    return ", and ".join(filter(None, [what, kept]))


def _takes(seen: Knowledge, counts_as: Ranks) -> str:
    """The clause for a play that leads the trick so far."""
    if not may_win(counts_as, seen.rules):
        return ""
    if _is_last(seen):
        return "it takes the trick, since you play last"
    if len(counts_as) == 1 and not _higher(seen, counts_as[0], equal=True):
        return "it takes the trick, since nothing that you have not seen equals it"
    return "it is the best so far"


def _last(seen: Knowledge, played: Ranks, left: Ranks) -> str:
    """The reason to keep a card as the last; empty for the higher of two."""
    if left[0] > min(played):
        return ""
    name = RANK_NAMES[RANK_LETTERS[left[0]]]
    said = f"you end on your {name}"
    higher, unseen = _higher(seen, left[0]), len(_hidden(seen))
    are = "is" if higher == 1 else "are"
    return f"{said}, and {higher} of the {unseen} cards that you have not seen {are} higher"


def _unseen(seen: Knowledge, rank: int) -> str:
    return f"{_higher(seen, rank, equal=True)} of the {len(_hidden(seen))} cards you have not seen"


def _higher(seen: Knowledge, rank: int, *, equal: bool = False) -> int:
    """Number of unseen cards that are higher, jokers included."""
    return sum(other > rank or (equal and other == rank) for other in _hidden(seen))


def _hidden(seen: Knowledge) -> Ranks:
    return ranks(bytes(seen.hidden(seen.standing())))


def _is_last(seen: Knowledge) -> bool:
    return circle(seen.playing, seen.seats)[seen.seat] == seen.leader


def _ends_on(seen: Knowledge, rank: int) -> str:
    """The clause with the chance of losing with a last card of the rank."""
    often = how_often(RANK_LETTERS[rank], jokers=seen.rules.jokers > 0)
    return f"whoever ends on {_a(rank)} {often}"


# --------------------------------------------------------------------------------- words


def _ranks(token: str) -> Ranks:
    """The ranks of a move, in the order of a play; empty for an exchange of no card."""
    if token == "-":
        return b""
    return bytes(sorted((RANK_LETTERS.index(card[0]) for card in token.split("+")), reverse=True))


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _a(rank: int) -> str:
    name = RANK_NAMES[RANK_LETTERS[rank]]
    return f"{'an' if rank == ACE or name == 'eight' else 'a'} {name}"


def _cards(cards: Iterable[int], only: int | None = None) -> str:
    """Cards in words: `a two`, `two aces and a king`; with `only`, just those of this rank."""
    found = sorted((rank for rank in cards if only in (None, rank)), reverse=True)
    said = []
    for rank, group in groupby(found):
        count = len([*group])
        name = RANK_NAMES[RANK_LETTERS[rank]]
        many = f"{name}es" if name == "six" else f"{name}s"
        said.append(_a(rank) if count == 1 else f"{_number(count)} {many}")
    return listed(said)
