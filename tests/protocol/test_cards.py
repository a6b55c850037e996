"""Cards and packs."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.quoting import quotes
from tests.kit.cases import together
from twentytwo_protocol.cards import (
    RANK_ORDER,
    RANKS,
    STANDARD,
    SUIT_SIGNS,
    NotACard,
    as_held,
    pack,
)

CARDS = st.lists(st.sampled_from(pack(1, 1)), max_size=14)


def test_a_pack_is_in_canonical_order() -> None:
    one = pack()
    assert len(one) == len(set(one)) == 52
    assert (one[0], one[12], one[13], one[-1]) == ("2C", "AC", "2D", "AS")
    assert pack(2, 4) == one * 2 + ("X",) * 4


@quotes("it also reads 10, and small letters", "D1")
@given(CARDS)
def test_cards_are_read_in_every_spelling(cards: list[str]) -> None:
    wanted = tuple(cards)
    assert STANDARD.read(cards) == wanted
    assert STANDARD.read([card.lower() for card in cards]) == wanted
    assert STANDARD.read([card.replace("T", "10") for card in cards]) == wanted
    signs = str.maketrans(dict(SUIT_SIGNS))
    assert STANDARD.read([card.translate(signs) for card in cards]) == wanted
    if "X" not in cards:
        assert STANDARD.read(["".join(cards)]) == wanted


@given(CARDS)
def test_sorting_keeps_the_cards_and_orders_their_ranks(cards: list[str]) -> None:
    low, high = STANDARD.sort(cards), STANDARD.sort(cards, high_first=True)
    assert Counter(low) == Counter(high) == Counter(cards)
    ranks = [RANK_ORDER[card[0]] for card in low]
    assert ranks == sorted(ranks)
    assert [card[0] for card in high] == [card[0] for card in low][::-1]


@given(st.text(max_size=6))
def test_whatever_is_written_is_cards_or_refused(word: str) -> None:
    try:
        found = STANDARD.read([word])
    except NotACard as wrong:
        assert wrong.word == word
    else:
        assert all(card[0] in RANKS + "X" for card in found)


@together("word", ["1", "h", "qhh", "jester", "2 3", "\u00bd"])
def test_what_is_no_card_is_named(word: str) -> None:
    with pytest.raises(NotACard, match="is not a card"):
        STANDARD.read(["Q", word])


def test_moves_of_one_card_are_shown_in_the_order_of_the_hand() -> None:
    hand = ("9C", "JD", "7H")
    assert as_held(("7H", "JD"), hand) == ["JD", "7H"]
    assert as_held(("J", "7", "J+J"), hand) == ["J", "7", "J+J"]
