"""Formats cards: as letters, with suit signs, in colour, or as words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from twentytwo_protocol.cards import FOOL, JOKER, RANK_NAMES, SUIT_NAMES, SUIT_SIGNS, Card
from twentytwo_protocol.voice import listed, plain_cards

from .look import Look, Suits

RED, GREEN, BLUE = "31", "32", "34"
TWO_COLOURS: Mapping[str, str] = {"D": RED, "H": RED}
FOUR_COLOURS: Mapping[str, str] = {"C": GREEN, "D": BLUE, "H": RED}
"""The colours of the suits. Suits without an entry have the colour of other text."""

_CARD = r"(?:10|[2-9JQKA])[CDHS]"
_IN_PROSE = re.compile(rf"(?<![\w+/-]){_CARD}(?: {_CARD})*(?![\w+/-])")


def shower(look: Look) -> Callable[[Iterable[Card]], str]:
    """The function that formats cards in that look."""
    if look.suits is Suits.SPOKEN:
        return spoken
    colours = (FOUR_COLOURS if look.four else TWO_COLOURS) if look.colour else {}
    signs = SUIT_SIGNS if look.suits is Suits.SIGNS else {}

    def show(cards: Iterable[Card]) -> str:
        return " ".join(_shown(card, signs, colours) for card in cards)

    return show


def _shown(card: Card, signs: Mapping[str, str], colours: Mapping[str, str]) -> str:
    text, suit = plain_cards([card]), card[1:]
    if suit in signs:
        text = text[:-1] + signs[suit]
    # Resets only the colour: the line around may be bold.
    return f"\x1b[{colours[suit]}m{text}\x1b[39m" if suit in colours else text


def spoken(cards: Iterable[Card]) -> str:
    """Cards in words: `seven of hearts and queen of clubs`. Ranks without suits: `queen queen`."""
    cards = list(cards)
    if all(len(card) == 1 for card in cards):
        return " ".join(map(_said, cards))
    return listed(map(_said, cards))


def spoken_counts(ranks: Iterable[Card]) -> str:
    """The number of each rank in words: `four twos, a five and two queens`."""
    return listed(_counted(rank, count) for rank, count in Counter(ranks).items())


def _counted(rank: Card, count: int) -> str:
    name = _said(rank)
    if count == 1:
        return f"{'an' if name[0] in 'ae' else 'a'} {name}"
    number = RANK_NAMES.get(str(count), str(count))
    return f"{number} {name}{'es' if name.endswith('x') else 's'}"


def spoken_trumps(cards: Iterable[Card]) -> str:
    """Trumps of a tarot pack, as numbers: `9, 12 and Fool`."""
    return listed("Fool" if card == FOOL else card for card in cards)


def _said(card: Card) -> str:
    if card[1:] in SUIT_NAMES:
        return f"{RANK_NAMES.get(card[0], card[0])} of {SUIT_NAMES[card[1:]]}"
    if card[:1] == JOKER and card[1:] in RANK_NAMES:
        return f"joker as {RANK_NAMES[card[1:]]}"
    return "Fool" if card == FOOL else RANK_NAMES.get(card, card)


_RANK = r"(?:10|[2-9JQKA])"
_RANKS = re.compile(rf"(?<![\w~:./+-]){_RANK}(?: {_RANK})+(?![\w/+%-])")
_COURT = re.compile(r"(?<![\w~:./+-])(?:[JQK](?![\w/+-])|A(?![\w/+-]| [a-z]))")


def ranks_in_prose(text: str) -> str:
    """A sentence of the server with its ranks, such as `J 9` or `with A:`, in words."""
    text = _RANKS.sub(lambda run: spoken(run[0].replace("10", "T").split()), text)
    return _COURT.sub(lambda rank: _said(rank[0]), text)


def in_prose(text: str, show: Callable[[Iterable[Card]], str]) -> str:
    """A sentence of the server with its cards (`10D 6S`) in the chosen look."""
    return _IN_PROSE.sub(lambda run: show(run[0].replace("10", "T").split()), text)
