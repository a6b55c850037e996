"""The comparison of plays, against one that tries everything out."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.games import naive
from tests.games.setting import rules_of
from twentytwo_server.games.twentytwo import following, leading

RANKS = st.integers(0, naive.JOKER)
HANDS = st.lists(RANKS | st.integers(0, 4) | st.just(naive.JOKER), min_size=2, max_size=6)


@st.composite
def tricks(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A hand, ascending, and a bar of fewer cards, descending, jokers read."""
    hand = sorted(draw(HANDS))
    count = draw(st.integers(1, min(4, len(hand) - 1)))
    bar = draw(st.lists(st.integers(0, naive.ACE), min_size=count, max_size=count))
    return bytes(hand), bytes(sorted(bar, reverse=True))


@given(tricks(), st.booleans())
def test_the_legal_plays_are_those_found_by_trying_everything(
    trick: tuple[bytes, bytes], must_beat: bool
) -> None:
    held, bar = trick
    expected = naive.follows(tuple(held), tuple(bar), must_beat)
    found = [tuple(play) for play in following.follows(held, bar, must_beat)]
    assert sorted(found) == sorted(expected)
    assert following.count(held, bar, must_beat) == len(expected)
    for play in naive.plays(tuple(held), len(bar)):
        legal = not following.fault(held, bar, bytes(play), must_beat)
        assert legal is (play in expected), play


@given(tricks())
def test_the_highest_reading_of_jokers_covers_whatever_any_reading_does(
    trick: tuple[bytes, bytes],
) -> None:
    held, bar = trick
    for play in naive.plays(tuple(held), len(bar)):
        counts_as = following.reading(bytes(play))
        assert following.covers(counts_as, bar) is naive.covers(play, tuple(bar))


@given(tricks())
def test_whether_a_hand_can_cover_is_whether_a_play_of_it_does(trick: tuple[bytes, bytes]) -> None:
    held, bar = trick
    covering = list(following.covering(held, bar))
    assert following.can_cover(held, bar) is bool(covering)
    assert following.covering_count(held, bar) == len(covering)


@given(tricks(), st.booleans(), st.randoms(use_true_random=False))
def test_a_play_at_random_is_a_legal_one(
    trick: tuple[bytes, bytes], must_beat: bool, chance: random.Random
) -> None:
    held, bar = trick
    play = following.any_follow(held, bar, must_beat, chance.randrange)
    assert not following.fault(held, bar, play, must_beat)


@given(tricks(), st.booleans())
def test_plays_of_several_cards_come_at_random_by_their_number_in_the_list(
    trick: tuple[bytes, bytes], must_beat: bool
) -> None:
    held, bar = trick
    every = [*following.follows(held, bar, must_beat)]
    if len(bar) == 1 and held[-1] != naive.JOKER:
        return
    for number, play in enumerate(every):

        def pick(choices: int, number: int = number) -> int:
            assert choices == len(every)
            return number

        assert following.any_follow(held, bar, must_beat, pick) == play


def test_every_legal_play_can_come_at_random() -> None:
    held, bar = bytes([0, 1, 5, 5, 8, 11, 13]), bytes([7, 4])
    pick = random.Random(1).randrange
    seen = {following.any_follow(held, bar, False, pick) for _ in range(2000)}
    assert seen == set(following.follows(held, bar, False))


@given(HANDS, st.sampled_from([0, 2, 3]))
def test_the_legal_leads_are_those_found_by_trying_everything(
    ranks: list[int], straight_min: int
) -> None:
    hand = bytes(sorted(rank << 2 for rank in ranks))
    held = bytes(card >> 2 for card in hand)
    options = {"straights": "on", "straight_min": straight_min} if straight_min else {}
    rules = rules_of("pagat", options)
    expected = naive.leads(tuple(held), straight_min)
    found = list(leading.leads(hand, rules))
    assert sorted(tuple(play) for play in found) == sorted(expected)
    assert leading.count(hand, rules) == len(expected)
    for count in range(len(held) + 1):
        for play in naive.plays(tuple(held), count):
            legal = not leading.fault(held, bytes(play), rules)
            assert legal is (play in expected), play


def test_moves_are_listed_from_the_lowest_up() -> None:
    held, bar = bytes([2, 3, 4, 10, 10]), bytes([2, 2])
    listed = [tuple(play) for play in following.follows(held, bar, False)]
    assert listed == [(3, 2), (4, 2), (4, 3), (10, 2), (10, 3), (10, 4), (10, 10)]


def test_the_worst_case_is_counted_without_being_listed() -> None:
    # Every seven of thirteen ranks cover seven twos.
    held, bar = bytes(range(13)), bytes([0] * 7)
    assert following.count(held, bar, False) == 1716
