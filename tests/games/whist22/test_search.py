"""The search of Whist 22: worlds fit what a seat has been shown, and hands end by the law."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import pytest
from msgspec.structs import replace

from tests.games.whist22.setting import Table, rules_of
from tests.kit.cases import together
from tests.kit.length import times
from twentytwo_protocol.cards import FOOL, Card
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.words.cardplay import Shuffle, Turn
from twentytwo_server.games import players
from twentytwo_server.games.game import HOUSE
from twentytwo_server.games.search.hard import TOLD, WORLDS_FOR_FIGURES, Hard, worlds
from twentytwo_server.games.whist22 import WHIST22, Whist22Rules
from twentytwo_server.games.whist22.policy import (
    best_bid,
    bid_costs,
    bits,
    numbers,
    pack_bits,
)
from twentytwo_server.games.whist22.search.knowledge import Imagined
from twentytwo_server.games.whist22.search.rollout import Rollout
from twentytwo_server.games.whist22.search.search import SEARCH, worth
from twentytwo_server.games.whist22.states import Bidding, Playing, State
from twentytwo_server.table.match import question

PLACES = [("gamerules", 3), ("gamerules", 4), ("bga", 2), ("bga", 4), ("bga", 7)]


class Told:
    """A game; `shown` is what each seat was shown of it."""

    def __init__(self, rules: Whist22Rules, seats: int) -> None:
        self.rules = rules
        self.state: State = WHIST22.new(rules, seats)
        self.shown: dict[int, list[Event]] = {seat: [] for seat in range(1, seats + 1)}

    def say(self, deed: object) -> None:
        """A move is made, and everybody is shown what their seat may see."""
        self.state, events = WHIST22.play(self.state, deed)  # type: ignore[arg-type]
        for seat, shown in self.shown.items():
            shown += [redact(event, seat) for event in events]

    def questions(self, chance: random.Random) -> Iterator[Turn]:
        """Every question of a game at random, as the seat on turn sees it."""
        while (seat := WHIST22.turn(self.state)) is not None:
            if seat == HOUSE:
                pack = list(WHIST22.pack(self.state))
                chance.shuffle(pack)
                self.say(Shuffle(tuple(pack)))
            else:
                yield asked(self.state)
                self.say(WHIST22.moves(self.state).any(chance.randrange))


def asked(state: State) -> Turn:
    """The question to the seat on turn, as that seat sees it."""
    seat = WHIST22.turn(state)
    assert seat
    return redact(question(WHIST22.moves(state), turn=1, seat=seat, ms=None, bank=None), seat)


def table(*hands: str, **options: str) -> tuple[Table, Callable[[int], list[Event]]]:
    """A table whose hands were dealt, and what a seat was shown of it so far."""
    found = Table(*hands, **options)  # type: ignore[arg-type]
    return found, lambda seat: [redact(event, seat) for event in found.events]


def imagined(state: State, rules: Whist22Rules, shown: Sequence[Event], seed: int) -> State:
    """A world of the seat on turn."""
    known = SEARCH.known(rules, asked(state).seat, shown)
    return SEARCH.imagine(known, asked(state), random.Random(seed).randrange)


def choice(state: State, rules: Whist22Rules, shown: Sequence[Event], tried: int = 40) -> str:
    """What the hard bot does on turn, having been shown this."""
    turn = asked(state)
    pick = random.Random(22).randrange
    bot = players.player(WHIST22, "hard", rules, turn.seat, pick, lambda: worlds(tried))
    for event in shown:
        bot.see(event)
    return bot.choose(turn)


def cards(state: Bidding | Playing) -> list[Card]:
    """All cards in hands."""
    return [card for hand in state.hands for card in hand]


# ------------------------------------------------------------------------------------ worlds


@pytest.mark.parametrize(("preset", "seats"), PLACES)
def test_a_world_differs_from_the_truth_only_in_the_cards_that_the_seat_has_not_seen(
    preset: str, seats: int
) -> None:
    game = Told(rules_of(preset, start_score=9), seats)
    for turn in game.questions(random.Random(preset)):
        truth, seat = game.state, turn.seat
        assert isinstance(truth, Bidding | Playing)
        world = imagined(truth, game.rules, game.shown[seat], len(game.shown[seat]))
        assert isinstance(world, Bidding | Playing)
        assert [*map(len, world.hands)] == [*map(len, truth.hands)]
        seen = {seat} if turn.hand else {*range(1, seats + 1)} - {seat}
        for other in seen:
            assert world.hands[other - 1] == truth.hands[other - 1]
        assert WHIST22.totals(world) == WHIST22.totals(truth)
        assert asked(world) == turn
        standing = truth.standing
        assert replace(world, standing=standing, hands=truth.hands) == truth


@together(("preset", "seats"), PLACES)
def test_no_card_is_in_two_places_and_none_is_lost(preset: str, seats: int) -> None:
    game = Told(rules_of(preset, start_score=5, fool="out-in-ones"), seats)
    for turn in game.questions(random.Random(preset)):
        known = SEARCH.known(game.rules, turn.seat, game.shown[turn.seat])
        world = imagined(game.state, game.rules, game.shown[turn.seat], 1)
        assert isinstance(world, Bidding | Playing)
        assert isinstance(world.standing, Imagined)
        of, gone = (
            numbers(game.rules),
            [card for played in known.played.values() for card in played],
        )
        placed = [of[card] for card in (*cards(world), *gone)]
        assert len(placed) == len(set(placed)) == known.size * seats
        assert bits(placed) & world.standing.stock == 0
        assert bits(placed) | world.standing.stock == pack_bits(game.rules, known.size)


def test_who_has_bid_3_of_3_is_given_better_cards_than_who_has_bid_0() -> None:
    played, shown = table("1 2 3", "4 5 6", "9 10 11")
    played.bid(0, 3)
    means = []
    for seat in (1, 2):
        found = 0
        for seed in range(60):
            world = imagined(played.state, rules_of(), shown(3), seed)
            assert isinstance(world, Bidding)
            found += sum(numbers(rules_of())[card] for card in world.hands[seat - 1])
        means.append(found / 180)
    assert means[1] > means[0] + 5


def test_a_card_that_is_not_seen_is_low_where_the_others_bid_a_trick_on_middling_ones() -> None:
    means = []
    for bid in (0, 1):
        played, shown = table("20", "11", "8", preset="bga")
        played.bid(bid, bid)
        found = 0
        for seed in range(60):
            world = imagined(played.state, rules_of("bga"), shown(3), seed)
            assert isinstance(world, Bidding)
            found += numbers(rules_of())[world.hands[2][0]]
        means.append(found / 60)
    assert means[1] < means[0]


# ------------------------------------------------------------------------------- the playout


@together(("preset", "seats"), PLACES)
def test_every_trick_of_a_playout_is_taken_by_somebody(preset: str, seats: int) -> None:
    chance, rules = random.Random(preset), rules_of(preset)
    of = numbers(rules)
    for size in range(1, rules.most_cards(seats) + 1):
        pack = list(of.values())
        chance.shuffle(pack)
        hands = [sorted(pack[place * size : (place + 1) * size]) for place in range(seats)]
        bids = [chance.randrange(size + 1) for _ in hands]
        rollout = Rollout(hands, [bits(hand) for hand in hands], list(bids), bits(pack))
        missed = rollout.to_the_end(chance.randrange(seats))
        assert sum(bids) - sum(rollout.needs) == size
        assert missed == [abs(need) for need in rollout.needs]
        assert not any(hands)


@pytest.mark.parametrize(
    ("hands", "bids", "lost"),
    [
        (("20", "5", "9"), (1, 0, 1), (0, 0, 1)),  # the 20 takes the trick
        (("20", "5", "F"), (1, 0, 1), (1, 0, 0)),  # the Fool is wanted to take it
        (("20", "5", "F"), (1, 1, 0), (0, 1, 0)),  # and is not
    ],
)
def test_the_last_trick_of_a_playout(
    hands: tuple[str, ...], bids: tuple[int, ...], lost: tuple[int, ...]
) -> None:
    played, shown = table(*hands, hook="no")
    played.bid(*bids)
    known = SEARCH.known(rules_of(), 1, shown(1))
    world = SEARCH.imagine(known, asked(played.state), random.Random(1).randrange)
    assert isinstance(world, Playing)
    world = replace(world, hands=played.playing.hands)
    totals = tuple(14 - points for points in lost)
    missed = [float(points > 0) for points in lost]
    assert SEARCH.playout(world, (), random.randrange)[:2] == (worth(totals), missed)


def test_a_bid_that_the_last_card_misses_is_missed() -> None:
    played, _ = table("20", "5", "9", hook="no")
    played.bid(1, 0, 1)
    happened = played.play("20", "5", "9")
    values, missed, _ = SEARCH.playout(played.state, happened, random.randrange)
    assert (values, missed) == (worth((14, 14, 13)), [0, 0, 1])


@together("hand", ["1 2 3 4 5", "17 18 19 20 21", "3 9 14 18 F", "11 F", "6"])
def test_bids_are_those_of_the_steady_bot(hand: str) -> None:
    held = hand.split()
    others = iter(card for card in numbers(rules_of()) if card not in held)
    played, shown = table(hand, *(" ".join(next(others) for _ in held) for _ in range(3)))
    bot = players.player(WHIST22, "steady", rules_of(), 1, random.randrange)
    for event in shown(1):
        bot.see(event)
    mine = tuple(numbers(rules_of())[card] for card in held)
    costs = bid_costs(mine, 3, pack_bits(rules_of(), len(held)))
    assert str(best_bid(costs, None)) == bot.choose(asked(played.state))


# --------------------------------------------------------------------------------- its worth


def test_a_point_lost_is_worth_less_and_a_point_that_another_loses_more() -> None:
    even = worth((9, 9, 9, 9))
    assert worth((8, 9, 9, 9))[0] < even[0] < worth((9, 8, 9, 9))[0]
    assert all(0 <= each <= 1 for each in (*worth((50, 50)), *worth((-9, 50, 1, 0))))


def test_the_longest_lead_is_still_worth_more_with_every_point() -> None:
    assert worth((49, 1, 1))[0] < worth((50, 1, 1))[0]
    assert worth((-8, 50, 50))[0] < worth((-7, 50, 50))[0]


def test_a_game_that_is_over_is_worth_the_score() -> None:
    assert worth((5, 0, 3))[0] - worth((4, 0, 3))[0] > 0
    assert worth((5, 0, 3))[0] > worth((5, 3, 3))[0]


# ------------------------------------------------------------------------------- the choices


def test_hard_does_the_same_whatever_is_hidden_from_it() -> None:
    choices = set()
    for second, third in (("1 2 3", "4 5 6"), ("18 19 20", "21 4 F")):
        played, shown = table("9 12 16", second, third, "7 8 10")
        bid = choice(played.state, rules_of(), shown(1))
        played.bid(1, 1, 1, 1)
        choices.add((bid, choice(played.state, rules_of(), shown(1))))
    assert len(choices) == 1


def test_hard_does_the_same_whatever_its_own_unseen_card_is() -> None:
    choices = set()
    for own in ("1", "21", "F"):
        played, shown = table(own, "11", "14", "9", preset="bga", max_players="4")
        choices.add(choice(played.state, rules_of("bga"), shown(1)))
    assert len(choices) == 1


@together(("hand", "bid"), [("19 20 21", "3"), ("1 2 3", "0"), ("1 2", "0"), ("21", "1")])
def test_hard_bids_what_it_will_take(hand: str, bid: str) -> None:
    others = iter(card for card in numbers(rules_of()) if card not in hand.split() and card != FOOL)
    played, shown = table(hand, *(" ".join(next(others) for _ in hand.split()) for _ in range(2)))
    assert choice(played.state, rules_of(), shown(1)) == bid


@pytest.mark.parametrize(("bid", "card"), [(0, "F0"), (1, "F22")])
def test_hard_says_what_the_fool_counts_after_what_it_needs(bid: int, card: str) -> None:
    played, shown = table("F", "5", "9", hook="no")
    played.bid(bid, 0, 0)
    assert choice(played.state, rules_of(), shown(1)) == card


@pytest.mark.parametrize(("bid", "token"), [(0, "0"), (1, "22")])
def test_hard_plays_an_unseen_card_as_what_it_needs_it_for(bid: int, token: str) -> None:
    played, shown = table("4", "5", "9", preset="bga", hook="no")
    played.bid(bid, 0, 0)
    assert choice(played.state, rules_of("bga"), shown(1)) == token


def test_of_cards_with_no_hidden_one_between_them_one_is_tried() -> None:
    played, shown = table("7 8 9", "1 2 3", "12 13 14")
    played.bid(0, 0, 0)
    world = imagined(played.state, rules_of(), shown(1), 1)
    assert [deed.token for deed in SEARCH.candidates(world)] == ["7"]
    played, shown = table("7 9 11", "1 8 3", "10 13 14")
    played.bid(0, 0, 0)
    world = imagined(played.state, rules_of(), shown(1), 1)
    assert [deed.token for deed in SEARCH.candidates(world)] == ["7", "9", "11"]


# --------------------------------------------------------------------------------- its games


def ends(rules: Whist22Rules, levels: Sequence[str], seed: int, tried: int) -> tuple[int, ...]:
    """The totals of a game between players of these levels."""
    game, chance = Told(rules, len(levels)), random.Random(seed)
    bots = {
        seat: players.player(WHIST22, level, rules, seat, chance.randrange, lambda: worlds(tried))
        for seat, level in enumerate(levels, 1)
    }
    told = dict.fromkeys(bots, 0)
    while (seat := WHIST22.turn(game.state)) is not None:
        if seat == HOUSE:
            pack = list(WHIST22.pack(game.state))
            chance.shuffle(pack)
            game.say(Shuffle(tuple(pack)))
            continue
        for event in game.shown[seat][told[seat] :]:
            bots[seat].see(event)
        told[seat] = len(game.shown[seat])
        turn = asked(game.state)
        game.say(WHIST22.deeds[turn.act].of(bots[seat].choose(turn)))
    return WHIST22.totals(game.state)


SEQUENCES = ["bounce", "bounce_repeat", "saw"]
FOOLS = ["choice", "low", "high", "out-in-ones"]
BLIND = ["yes", "no"]
SEATS = [2, 3, 7]


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("fool", FOOLS)
@pytest.mark.parametrize("blind", BLIND)
def test_hard_plays_by_every_rule(sequence: str, fool: str, blind: str) -> None:
    hook = "yes" if blind == "no" else "no"
    changes = {"sequence": sequence, "fool": fool, "blind_one": blind, "hook": hook}
    rules = rules_of("bga", start_score=4, **changes)
    # Every value of each rule meets every number of seats.
    first = SEQUENCES.index(sequence) + FOOLS.index(fool) + BLIND.index(blind)
    for seats in (SEATS * 2)[first % len(SEATS) :][: times(1, long=len(SEATS))]:
        assert min(ends(rules, ["hard"] * seats, seats, 2)) <= 0


def test_hard_keeps_more_points_than_steady() -> None:
    kept = {"hard": 0, "steady": 0}
    for seed in range(times(4, long=8)):
        levels = [("hard", "steady")[(seat + seed) % 2] for seat in range(4)]
        for level, total in zip(levels, ends(rules_of(), levels, seed, 16), strict=True):
            kept[level] += total
    assert kept["hard"] > kept["steady"]


def test_every_move_of_a_hint_is_tried_in_many_worlds() -> None:
    told = Told(rules_of("bga"), 3)
    turn = next(turn for turn in told.questions(random.Random(3)) if len(turn.legal or ()) > 5)
    bot = players.player(WHIST22, "hard", told.rules, turn.seat, random.Random(1).randrange)
    assert isinstance(bot, Hard)
    for event in told.shown[turn.seat]:
        bot.see(event)
    assert min(len(line.values) for line in bot.examine(turn)) < WORLDS_FOR_FIGURES
    lines = bot.weigh(turn, worlds(1000))
    assert [len(line.values) for line in lines] == [WORLDS_FOR_FIGURES] * TOLD
    assert lines[0].mean == max(line.mean for line in lines)


def test_a_bid_that_is_missed_already_needs_no_figure() -> None:
    missed = Turn(1, 1, "play", legal=("3", "9"), hand=("3", "9"), bid=1, won=2)
    assert SEARCH.fact(missed) == "you miss your bid, whatever you play"
    assert SEARCH.fact(replace(missed, bid=5)) == "you miss your bid, whatever you play"
    assert SEARCH.fact(replace(missed, bid=2)) == SEARCH.fact(replace(missed, bid=4)) == ""
