"""What the hard player looks ahead with: worlds that fit, plays by the rules, honest values."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.twentyeight.setting import of, playing, rules_of, words
from tests.kit.cases import together
from twentytwo_protocol.cards import pack32
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.words.cardplay import Bid, Handover, Play, Scored, Shuffle, Turn
from twentytwo_server.games.game import HOUSE
from twentytwo_server.games.search.hard import Hard, worlds
from twentytwo_server.games.twentyeight import TWENTYEIGHT
from twentytwo_server.games.twentyeight.ranking import suit_of
from twentytwo_server.games.twentyeight.search.evaluation import chance, foreseen
from twentytwo_server.games.twentyeight.search.knowledge import knowledge_of
from twentytwo_server.games.twentyeight.search.rollout import bidders_points
from twentytwo_server.games.twentyeight.search.search import SEARCH, unlike
from twentytwo_server.games.twentyeight.search.worlds import dealt
from twentytwo_server.games.twentyeight.states import (
    Bidding,
    Choosing,
    Dealing,
    Playing,
    Standing,
    State,
)
from twentytwo_server.table.match import question

OPTIONS: list[dict[str, Any]] = [
    {"preset": "denexa"},
    {"preset": "pagat"},
    {"preset": "denexa", "early_trump": "yes", "pass_out": "yes", "loss_limit": 6},
    {"preset": "pagat", "early_trump": "yes", "must_trump": "always"},
    {"preset": "denexa", "order": "pagat", "must_trump": "caller", "redeal_no_points": "yes"},
]


def asked(state: State) -> Turn:
    """The question to the seat on turn, as it sees it."""
    seat = TWENTYEIGHT.turn(state)
    assert seat
    return redact(question(TWENTYEIGHT.moves(state), turn=1, seat=seat, ms=None, bank=None), seat)


def hands(seed: int, **options: Any) -> Iterator[tuple[State, list[Event]]]:
    """Every state of some hands of random moves in which a seat is on turn, and what happened."""
    chance_ = random.Random(seed)
    state: State = TWENTYEIGHT.new(rules_of(**options), 4)
    happened: list[Event] = []
    for _ in range(120):
        if TWENTYEIGHT.turn(state) == HOUSE:
            pack = list(TWENTYEIGHT.pack(state))
            chance_.shuffle(pack)
            state, events = TWENTYEIGHT.play(state, Shuffle(tuple(pack)))
        elif TWENTYEIGHT.turn(state):
            yield state, happened
            moves = TWENTYEIGHT.moves(state)
            deed = moves.any(chance_.randrange)
            # Random bids would soon be at 28; most of the auctions end low.
            if moves.act == "bid" and chance_.randrange(4):
                deed = moves.default
            state, events = TWENTYEIGHT.play(state, deed)
        happened += events


def world(state: State, happened: Sequence[Event], chance_: random.Random) -> Any:
    """A world as the seat on turn imagines it."""
    seat = TWENTYEIGHT.turn(state)
    assert seat
    shown = [redact(event, seat) for event in happened]
    known = SEARCH.known(state.standing.rules, seat, shown)
    return SEARCH.imagine(known, asked(state), chance_.randrange)


@pytest.mark.parametrize("options", OPTIONS)
def test_a_world_is_the_state_but_for_hidden_cards(options: dict[str, Any]) -> None:
    chance_ = random.Random(1)
    for seed in range(6):
        for state, happened in hands(seed, **options):
            imagined = world(state, happened, chance_)
            kinds = type(imagined), type(state)
            assert kinds[0] is kinds[1]
            assert asked(imagined) == asked(state)
            assert isinstance(state, Bidding | Choosing | Playing)
            assert [*map(len, imagined.hands)] == [*map(len, state.hands)]
            whole = [card for hand in imagined.hands for card in hand]
            if isinstance(state, Playing):
                assert replace(imagined, hands=state.hands, trump="", down="") == replace(
                    state, trump="", down=""
                )
                assert sorted(whole) == sorted(card for hand in state.hands for card in hand)
                assert bool(imagined.down) == bool(state.down)
                assert not imagined.down or imagined.down in imagined.hands[state.bidder - 1]
                assert not imagined.down or suit_of(imagined.down) == imagined.trump
            else:
                assert sorted((*whole, *imagined.stock)) == sorted(pack32())


def test_who_did_not_follow_has_none_of_the_suit_in_any_world() -> None:
    chance_ = random.Random(2)
    found = 0
    for seed in range(12):
        for state, happened in hands(seed):
            if not isinstance(state, Playing):
                continue
            known = knowledge_of(state.standing.rules, state.seat, happened)
            imagined = world(state, happened, chance_)
            for seat in range(1, 5):
                held = {suit_of(c) for c in imagined.hands[seat - 1] if c != imagined.down}
                if seat != state.seat:
                    turned = {suit_of(known.turned)} if known.turned else set()
                    assert not known.void[seat - 1] & (held - turned)
                    found += bool(known.void[seat - 1])
    assert found > 100


def test_a_turned_up_trump_card_is_where_everybody_saw_it_go() -> None:
    chance_ = random.Random(3)
    found = 0
    for seed in range(20):
        for state, happened in hands(seed):
            if isinstance(state, Playing) and not state.down:
                known = knowledge_of(state.standing.rules, state.seat, happened)
                if known.turned not in known.gone:
                    imagined = world(state, happened, chance_)
                    assert known.turned in imagined.hands[state.bidder - 1]
                    found += 1
    assert found > 20


def test_a_suit_that_the_bidder_led_is_not_the_hidden_trump() -> None:
    state = playing(
        ("7C 8C KD QD", "9C TC AD 7D", "JC AC 7H 8H", "QC KC 9H TH"), trump="S", down="AS", leader=1
    )
    shown = [redact(event, 2) for event in TWENTYEIGHT.play(state, Play(("8C",)))[1]]
    known = knowledge_of(rules_of(), 2, [])
    known.bidder, known.hidden, known.sizes = 1, True, [5, 4, 4, 4]
    known.trick, known.leader = 1, 1
    for event in shown:
        known.take(event)
    after, _ = TWENTYEIGHT.play(state, Play(("8C",)))
    chance_ = random.Random(4)
    trumps = {SEARCH.imagine(known, asked(after), chance_.randrange).trump for _ in range(60)}  # type: ignore[union-attr]
    assert trumps == {"D", "H", "S"}


def test_cards_go_only_where_they_may_be() -> None:
    chance_ = random.Random(5)
    cards = [*words("7C 8C 9C 7D 8D 9D")]
    void = [{"C"}, {"D"}, set[str](), set[str]()]
    for _ in range(50):
        found = dealt(cards, [2, 2, 2, 0], void, chance_.randrange)
        if found is None:
            continue
        one, two, three, nobody = found
        assert {card[1] for card in one} == {"D"}
        assert {card[1] for card in two} == {"C"}
        assert (len(three), nobody) == (2, [])


# ------------------------------------------------------------------------------ playing on


def last_trick(state: State) -> int | None:
    """What the bidders have won in the end; None where somebody may choose whether to call."""
    while isinstance(state, Playing):
        if state.asked:
            return None
        state, events = TWENTYEIGHT.play(state, TWENTYEIGHT.moves(state).default)
    (won,) = [int(scored.won) for scored in of(events, Scored) if scored.bid]
    return won


@pytest.mark.parametrize("options", OPTIONS)
def test_a_trick_without_a_choice_is_played_on_as_the_rules_have_it(
    options: dict[str, Any],
) -> None:
    found = 0
    for seed in range(60):
        for state, _ in hands(seed, **options):
            if isinstance(state, Playing) and state.trick == 8 and not state.asked:
                won = last_trick(state)
                if won is not None:
                    assert bidders_points(state) == won
                    found += 1
    assert found > 50


@pytest.mark.parametrize("options", OPTIONS)
def test_all_the_points_there_are_go_to_one_side_or_the_other(options: dict[str, Any]) -> None:
    for seed in range(8):
        for state, _ in hands(seed, **options):
            if isinstance(state, Playing):
                assert 0 <= bidders_points(state) <= 28
                assert bidders_points(state) >= state.won[(state.bidder - 1) % 2]


@pytest.mark.parametrize("options", OPTIONS)
def test_partners_share_a_value_between_0_and_1(options: dict[str, Any]) -> None:
    chance_ = random.Random(6)
    for state, happened in hands(1, **options):
        imagined = world(state, happened, chance_)
        for deed in SEARCH.candidates(imagined):
            after, _ = TWENTYEIGHT.play(imagined, deed)
            one, two, three, four = SEARCH.playout(after, (), chance_.randrange).worth
            assert (one, two) == (three, four)
            assert 0 <= one <= 1
            assert one + two == pytest.approx(1)


@together("options", OPTIONS)
def test_what_is_looked_at_is_legal(options: dict[str, Any]) -> None:
    chance_ = random.Random(7)
    for state, happened in hands(2, **options):
        tokens = [deed.token for deed in SEARCH.candidates(world(state, happened, chance_))]
        assert tokens
        assert {*tokens} <= {deed.token for deed in TWENTYEIGHT.moves(state)}


# ------------------------------------------------------------------------------- judgement


def test_of_cards_that_stand_for_each_other_only_the_lowest_is_looked_at() -> None:
    hands_ = ("7C 8C KC QC", "TC AC JD 7D", "JC 9C 8D 9D", "7S 8S 9S TS")
    state = playing(hands_, trump="S", shown=True)
    assert unlike(state) == ["7C", "QC"]  # another holds the ten, between the eight and the queen


def test_a_side_near_the_target_is_likelier_to_win() -> None:
    rules = rules_of(target=10, loss_limit=6)
    assert chance(rules, (9, 0)) > chance(rules, (5, 0)) > chance(rules, (0, 0)) == 0.5
    assert chance(rules, (-5, 0)) < chance(rules, (-2, 0)) < 0.5
    assert (chance(rules, (10, 0)), chance(rules, (-6, 0))) == (1, 0)


def test_the_partners_cards_count_for_a_contract_and_the_others_against_it() -> None:
    mine, weak, strong = words("JH 9H 7C 8D"), words("7S 8S QD KD"), words("AH TH JS JC")
    alone = foreseen((mine, weak, weak, weak), 1)
    assert foreseen((mine, weak, strong, weak), 1) > alone > foreseen((mine, strong, weak, weak), 1)


def thinks(state: State, happened: Sequence[Event], most: int = 24) -> str:
    """The answer of a hard player to the seat on turn."""
    seat = TWENTYEIGHT.turn(state)
    assert seat
    chance_ = random.Random(9)
    bot = Hard(
        TWENTYEIGHT, SEARCH, state.standing.rules, seat, chance_.randrange, lambda: worlds(most)
    )
    for event in happened:
        bot.see(redact(event, seat))
    return bot.choose(asked(state))


def deal(fours: Sequence[str], totals: tuple[int, int] = (0, 0)) -> tuple[State, list[Event]]:
    """After the deal and an opening bid of 14; seat 2 is on turn."""
    first = [words(four) for four in fours]
    rest = [card for card in pack32() if all(card not in four for four in first)]
    pack = [first[seat][n] for n in range(4) for seat in range(4)] + rest
    state: State = Dealing(Standing(rules_of(target=10, loss_limit=0), totals, dealer=4))
    state, events = TWENTYEIGHT.play(state, Shuffle(tuple(pack)))
    state, more = TWENTYEIGHT.play(state, Bid("14"))
    return state, [*events, *more]


STRONG = "JH 9H AH JC"
WEAK = "7H 8S QD KC"


def test_strong_cards_bid_and_weak_cards_pass() -> None:
    assert thinks(*deal(("7S 8D TC KS", STRONG, "7D QH 9D KD", "7C AS TS QC"))) == "15"
    assert thinks(*deal(("7S 8D TC KS", WEAK, "7D QH 9D KD", "7C AS TS QC"))) == "pass"


def test_what_the_seat_cannot_see_does_not_change_its_answer() -> None:
    for four in (STRONG, WEAK, "JH 7H AC 8D"):
        one = deal(("7S 9D TC KS", four, "7D QH TD JD", "7C AS TS QC"))
        other = deal(("JD AS TD QC", four, "TS 7C 7S KS", "QH 9D TC 7D"))
        assert thinks(*one, most=3) == thinks(*other, most=3)


def test_the_longest_and_strongest_suit_becomes_the_trump() -> None:
    state, events = deal(("7S 8D TC KS", "JH 9H 7H 7C", "7D QH 9D KD", "8C AS TS QC"))
    for token in ("15", "pass", "pass", "pass"):
        state, more = TWENTYEIGHT.play(state, Bid(token))
        events += more
    assert isinstance(state, Choosing)
    assert thinks(state, events) == "7H"


@pytest.mark.parametrize(("won", "lost"), [((15, 3), 0.0), ((3, 14), 1.0)])
def test_a_bid_that_is_made_or_missed_already_is_certain(won: tuple[int, int], lost: float) -> None:
    state, _ = deal(("7S 8D TC KS", STRONG, "7D QH 9D KD", "7C AS TS QC"))
    for token in ("15", "pass", "pass", "pass"):
        state, _ = TWENTYEIGHT.play(state, Bid(token))
    assert isinstance(state, Choosing)
    state, _ = TWENTYEIGHT.play(state, next(iter(SEARCH.candidates(state))))
    while not isinstance(state, Playing):
        state, _ = TWENTYEIGHT.play(state, Shuffle(TWENTYEIGHT.pack(state)))
    bidders = won if state.bidder % 2 else won[::-1]
    ends = SEARCH.playout(replace(state, won=bidders), (), lambda n: 0)
    assert ends.lost[state.bidder - 1] == lost
    assert ends.lost[state.bidder % 4] == 1 - lost


def test_one_side_loses_the_hand_and_the_search_says_how_likely() -> None:
    state, events = deal(("7S 8D TC KS", STRONG, "7D QH 9D KD", "7C AS TS QC"))
    for token in ("15", "pass", "pass", "pass"):
        state, more = TWENTYEIGHT.play(state, Bid(token))
        events += more
    worth, lost, _ = SEARCH.playout(state, (), lambda n: 0)
    assert worth == SEARCH.playout(state, (), lambda n: 0).worth
    assert lost[0] == lost[2] and lost[1] == lost[3]
    assert lost[0] + lost[1] == pytest.approx(1)
    assert lost[1] < 0.5, "four strong cards make fifteen more often than not"
    over = Handover(1, (1, 3), (0, 1, 0, 1))
    assert SEARCH.playout(state, (over,), lambda n: 0).lost == (1.0, 0.0, 1.0, 0.0)
