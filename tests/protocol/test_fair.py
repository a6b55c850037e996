"""The fair shuffle fd1 against its vectors."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.cases import together
from twentytwo_protocol import fair
from twentytwo_protocol.cards import pack, pack32
from twentytwo_protocol.fair import FairShuffle

TEXT = (Path(__file__).parent / "vectors" / "fair.txt").read_text(encoding="ascii")


def _tarot78() -> tuple[str, ...]:
    suits = (rank + suit for suit in "CDHS" for rank in "A23456789TJNQK")
    return (*suits, *(f"T{n:02}" for n in range(1, 22)), "FO")


DECKS: dict[str, Sequence[str]] = {
    "std52": pack(),
    "pack32": pack32(),
    "tarot78": _tarot78(),
    "double108": (*pack(2), *["JK"] * 4),
}


@dataclass(frozen=True)
class Vector:
    """One shuffle of the file."""

    seed: str
    commit: str
    game: str
    n: int
    words: str
    deck: str
    key: str
    block: str
    used: int
    order: tuple[str, ...]
    digest: str
    seats: tuple[tuple[str, ...], ...]

    def shuffled(self) -> tuple[str, ...]:
        """The pack as this library shuffles it."""
        return fair.shuffle(DECKS[self.deck], fair.stream(self.seed, self.game, self.n, self.words))


def _read(block: str) -> Vector:
    def found(pattern: str) -> str:
        match = re.search(pattern, block)
        assert match, pattern
        return match[1]

    return Vector(
        found(r"seed=(\w+)"),
        found(r"commit=(\w+)"),
        found(r"game=(\S+)"),
        int(found(r" n=(\d+)")),
        found(r"entropy=(\S+)"),
        found(r"deck=(\w+)"),
        found(r"key=(\w+)"),
        found(r"block0=(\w+)"),
        int(found(r"bytes_used=(\d+)")),
        tuple(found(r"order=(.*)").split()),
        found(r"order_sha256=(\w+)"),
        tuple(tuple(cards.split()) for cards in re.findall(r"seat\d+=(.*)", block)),
    )


VECTORS = [_read(block) for block in re.split(r"\n(?=TV)", TEXT.partition("\nbelow")[0])]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.deck}-{vector.n}")
def test_the_vector_holds(vector: Vector) -> None:
    assert fair.commitment(vector.seed) == vector.commit
    source = fair.stream(vector.seed, vector.game, vector.n, vector.words)
    assert bytes(next(source) for _ in range(64)).hex() == vector.block
    order = vector.shuffled()
    assert order == vector.order
    assert hashlib.sha256(" ".join(order).encode()).hexdigest() == vector.digest
    dealt = [order[seat :: len(vector.seats)] for seat in range(len(vector.seats))]
    for cards, seat in zip(dealt, vector.seats, strict=True):
        assert cards[: len(seat)] == seat


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.deck}-{vector.n}")
def test_as_many_bytes_are_used_as_the_vector_says(vector: Vector) -> None:
    used = 0

    def counted() -> object:
        nonlocal used
        for byte in fair.stream(vector.seed, vector.game, vector.n, vector.words):
            used += 1
            yield byte

    fair.shuffle(DECKS[vector.deck], counted())  # type: ignore[arg-type]
    assert used == vector.used


def test_there_are_seven_vectors() -> None:
    assert len(VECTORS) == 7


def test_the_vectors_of_below_hold() -> None:
    source = iter(bytes.fromhex("fffe00cfd033"))
    assert [fair.below(52, source) for _ in range(3)] == [0, 51, 51]


CHANGES = [
    replace(VECTORS[0], n=3),
    replace(VECTORS[0], game="g2"),
    replace(VECTORS[0], words=VECTORS[0].words.replace("kitten", "kittem")),
    replace(VECTORS[0], words=VECTORS[0].words.replace("3=-", "3=x")),
    replace(VECTORS[0], seed=VECTORS[0].seed[:-1] + "e"),
    replace(VECTORS[0], seed="0" + VECTORS[0].seed[1:]),
]


@together("changed", CHANGES)
def test_another_number_game_word_or_seed_is_another_order(changed: Vector) -> None:
    assert changed.shuffled() != VECTORS[0].order


@together("word", ["", "a b", "a,b", "1=2", "x" * 65, "\u00fe", "-", "a|b", "a\n"])
def test_a_word_that_will_not_do_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="will not do"):
        fair.entropy(["kitten", word])


def test_words_are_written_by_seat() -> None:
    assert fair.entropy(["kitten", "7f3a9c", None]) == VECTORS[0].words
    assert fair.entropy(["x" * 64, "-a", "_"]) == f"1={'x' * 64},2=-a,3=_"


@given(st.integers(1, 256), st.binary(min_size=300, max_size=300))
def test_a_number_below_m_is_below_m(m: int, source: bytes) -> None:
    assert 0 <= fair.below(m, iter(source + bytes(1))) < m


@given(st.integers(0, 10**6), st.integers(1, 9))
def test_a_seed_deals_the_same_cards_again_and_keeps_them(seed: int, n: int) -> None:
    one, other = FairShuffle.of_seed(seed), FairShuffle.of_seed(seed)
    assert one.house(n, pack()) == other.house(n, pack())
    assert Counter(one.house(n, pack(2, 4))) == Counter(pack(2, 4))
    assert one.house(n, pack()) != one.house(n + 1, pack())


def test_a_secret_is_not_printed() -> None:
    assert VECTORS[0].seed not in repr(FairShuffle(VECTORS[0].seed, "g1"))


def test_the_deals_of_a_seed_are_promised() -> None:
    assert FairShuffle.of_seed(0).house(1, pack())[:5] == ("5C", "JH", "TD", "3H", "9C")
    assert FairShuffle.of_seed(27).house(2, pack())[:5] == ("4H", "AH", "AD", "KD", "8D")
    assert FairShuffle.of_seed(27).house(1, pack())[:5] == ("TH", "6S", "JH", "AC", "7C")
