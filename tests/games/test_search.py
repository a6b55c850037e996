"""The searching bot of Twenty-Two: the worlds it imagines, what it makes of plays, how it ends."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest
from msgspec.structs import astuple

from tests.games.setting import GAME, rules_of, standing, until_player
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.words.cardplay import (
    Dealt,
    Exchanged,
    Game_,
    Hand_,
    Played,
    Scored,
    Trick,
    Turn,
)
from twentytwo_server.games.players import player
from twentytwo_server.games.search.hard import Hard, worlds
from twentytwo_server.games.twentytwo import TwentyTwoRules
from twentytwo_server.games.twentytwo.following import follows
from twentytwo_server.games.twentytwo.hands import JOKERS, ONE, RANK_LETTERS, Ranks, X, packed
from twentytwo_server.games.twentytwo.policy import (
    FITTED,
    MOST,
    choose,
    choose_lead,
    left_over,
    worth_following,
    worth_leading,
)
from twentytwo_server.games.twentytwo.search.knowledge import Act, Knowledge
from twentytwo_server.games.twentytwo.search.likelihood import (
    CHOOSING,
    IMPOSSIBLE,
    TELLING,
    hand_likelihood,
    kept_likelihood,
    play_likelihood,
    thrown_likelihoods,
)
from twentytwo_server.games.twentytwo.search.search import SEARCH, Known, TwentyTwoSearch, exchanges
from twentytwo_server.games.twentytwo.showdown import showdown
from twentytwo_server.games.twentytwo.states import Drawing, Exchanging, Playing, State, full_pack
from twentytwo_server.table.match import question


def turns(
    preset: str, seats: int, seed: int
) -> Iterator[tuple[Turn, dict[int, list[Event]], State]]:
    """The turns of a game of steady players: the question, what each seat has seen, the truth."""
    chance = random.Random(seed)
    game, rules = GAME[preset], rules_of(preset)
    bots = [player(game, "steady", rules, seat, chance.randrange) for seat in range(1, seats + 1)]
    state, events = until_player(game, game.new(rules, seats), chance)
    begun: Event = Game_(game.key, "g1", seats, 1, "-", game.target(rules))
    seen: dict[int, list[Event]] = {seat: [begun] for seat in range(1, seats + 1)}
    while (seat := game.turn(state)) is not None:
        asked = question(game.moves(state), turn=1, seat=seat, ms=None, bank=None)
        for number, bot in enumerate(bots, 1):
            shown = [redact(event, number) for event in events]
            seen[number] += shown
            for event in shown:
                bot.see(event)
        yield redact(asked, seat), seen, state
        token = bots[seat - 1].choose(redact(asked, seat))
        state, events = game.play(state, game.deeds[asked.act].of(token))
        state, more = until_player(game, state, chance)
        events += more


def of(text: str) -> Ranks:
    """Ranks from letters, in their order."""
    return bytes(RANK_LETTERS.index(letter) for letter in text)


# ------------------------------------------------------------------------------- worlds


@pytest.mark.parametrize("preset", GAME)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_world_holds_what_the_seat_knows(preset: str, seats: int) -> None:
    chance = random.Random(1)
    for turn, seen, truth in turns(preset, seats, 5):
        assert isinstance(truth, Playing | Exchanging)
        known = SEARCH.known(rules_of(preset), turn.seat, seen[turn.seat])
        world = SEARCH.imagine(known, turn, chance.randrange)
        assert isinstance(world, Playing | Exchanging)
        assert type(world) is type(truth)
        assert world.hands[turn.seat - 1] == truth.hands[turn.seat - 1]
        assert [*map(len, world.hands)] == [*map(len, truth.hands)]
        held = Counter(b"".join(world.hands)) + Counter(b"".join(truth.standing.kept))
        assert held <= Counter(full_pack(rules_of(preset), seats))
        if isinstance(world, Playing) and isinstance(truth, Playing):
            assert astuple(world)[3:] == astuple(truth)[3:]
        if isinstance(world, Exchanging) and isinstance(truth, Exchanging):
            assert len(world.stock) == len(truth.stock)
            assert (world.waiting, world.leader) == (truth.waiting, truth.leader)


def test_the_cards_of_others_are_nearer_to_the_truth_than_chance_would_have_them() -> None:
    chance, found, fair = random.Random(2), 0.0, 0.0
    for turn, seen, truth in turns("pagat", 4, 9):
        if not isinstance(truth, Playing) or turn.seat != 1:
            continue
        known = SEARCH.known(rules_of("pagat"), 1, seen[1])
        others = [seat for seat in truth.standing.playing if seat != 1]
        hidden = known.seen.hidden(truth.standing)
        for _ in range(20):
            world = SEARCH.imagine(known, turn, chance.randrange)
            assert isinstance(world, Playing)
            for seat in others:
                mine, real = world.hands[seat - 1], truth.hands[seat - 1]
                found += sum((Counter(mine) & Counter(real)).values())
                fair += len(real) * len(real) / len(hidden)
    assert found > 1.15 * fair


# -------------------------------------------------------------------------------- policy


def leads_of(held: Ranks) -> set[Ranks]:
    """One card of a rank or as many as there are, with jokers or without, so that one is left."""
    alone = Counter(held)
    jokers = alone.pop(JOKERS, 0)
    if not alone:
        return {X * (jokers - 1)}
    return {
        X * used + ONE[rank] * n
        for rank, equal in alone.items()
        for n in range(1, equal + 1)
        for used in range(jokers + 1)
        if used + n < len(held)
    }


@pytest.mark.parametrize("must", [False, True])
@pytest.mark.parametrize("last", [False, True])
def test_the_policy_plays_what_is_worth_most_to_it(must: bool, last: bool) -> None:
    chance = random.Random(11)
    for _ in range(2000):
        held = bytes(sorted(chance.choices(range(14), k=chance.randint(2, 12))))
        bar = bytes(sorted(chance.choices(range(13), k=chance.randint(1, 2)), reverse=True))
        if len(bar) == len(held):
            continue
        weighed = islice(follows(held, bar, must), MOST)
        best = max(worth_following(held, bar, play, last) for play in weighed)
        found = choose(held, bar, must, last)
        assert worth_following(held, bar, found, last) == best
        led = max(worth_leading(held, play) for play in leads_of(held))
        assert worth_leading(held, choose_lead(held)) == led


def test_a_play_to_a_trick_is_worth_the_cards_left_and_a_little_for_the_trick() -> None:
    lowest = worth_following(of("3477K"), of("8"), of("3"), last=False)
    assert lowest == left_over(of("477K"))
    fitted, king, three = FITTED[4], 11, 1
    for last in (False, True):
        taking = worth_following(of("3477K"), of("8"), of("K"), last)
        more = fitted.take[last] + king * fitted.top[last] + three * fitted.keep[last]
        assert taking == left_over(of("3477")) + more


def test_the_worth_of_a_lead_is_that_of_the_cards_left_and_a_little_more() -> None:
    single, pair = worth_leading(of("4477K"), of("7")), worth_leading(of("4477K"), of("77"))
    seven = 5
    assert single == left_over(of("447K")) + FITTED[4].lead * seven
    assert pair == left_over(of("44K")) + FITTED[3].lead * seven + FITTED[3].many


def test_every_figure_of_the_policy_stands_where_it_belongs() -> None:
    one, two, ten = FITTED[1], FITTED[2], FITTED[10]
    assert (one.cards[0], one.cards[13], one.lowest) == (740_000, -1_300_000, -248_000)
    assert two.take == (-400_000, 1_470_000)
    assert (two.top, two.keep) == ((153_000, -20_000), (-19_000, 5_000))
    assert (two.second, two.highest) == (8_000, 8_000)
    assert (ten.lead, ten.many) == (11_000, 0)
    assert [FITTED[left].cards[0] for left in (10, 11, 26)] == [44_000, 40_000, 16_923]
    assert FITTED[11][1:] == ten[1:]


def test_who_plays_last_covers_with_less() -> None:
    """A trick that nobody can take any more is taken cheaply, so that the ace is left."""
    hand = of("25TKA")
    assert worth_following(hand, of("9"), of("T"), last=True) > worth_following(
        hand, of("9"), of("A"), last=True
    )


# --------------------------------------------------------------------------------- tells


def test_a_hand_that_the_rules_forbid_to_play_so_tells_least() -> None:
    threw_four: Act = (of("9"), of("4"), False)
    assert (
        play_likelihood(of("347K"), threw_four, must=False, keenness=TELLING) == IMPOSSIBLE
    )  # the three was lower
    assert play_likelihood(of("457K"), threw_four, must=False, keenness=TELLING) > IMPOSSIBLE
    assert (
        play_likelihood(of("457K"), threw_four, must=True, keenness=TELLING) == IMPOSSIBLE
    )  # the king had to beat
    assert play_likelihood(of("4578"), threw_four, must=True, keenness=TELLING) == 0


def test_a_hand_that_would_have_played_otherwise_is_less_likely() -> None:
    threw_four: Act = (of("9"), of("4"), False)
    likely = play_likelihood(of("4578"), threw_four, must=False, keenness=TELLING)
    assert (
        IMPOSSIBLE
        < play_likelihood(of("45TJ"), threw_four, must=False, keenness=TELLING)
        < likely
        == 0
    )


def test_where_chances_are_told_plays_tell_more_than_where_a_move_is_chosen() -> None:
    threw_four: Act = (of("9"), of("4"), False)
    chosen = play_likelihood(of("45TJ"), threw_four, must=False, keenness=CHOOSING)
    assert play_likelihood(of("45TJ"), threw_four, must=False, keenness=TELLING) < chosen < 0


def test_a_hint_takes_its_figures_from_what_is_known_for_figures() -> None:
    asked: list[bool] = []

    class Watched(TwentyTwoSearch):
        def known(
            self, rules: TwentyTwoRules, seat: int, seen: Sequence[Event], *, figures: bool = False
        ) -> Known:
            asked.append(figures)
            return super().known(rules, seat, seen, figures=figures)

    turn, seen, _ = next(each for each in turns("pagat", 4, 9) if each[0].act == "play")
    chance = random.Random(3).randrange
    game, rules, budget = GAME["pagat"], rules_of("pagat"), lambda: worlds(2)
    bot: Hard[State, TwentyTwoRules] = Hard(game, Watched(), rules, turn.seat, chance, budget)
    for event in seen[turn.seat]:
        bot.see(event)
    bot.choose(turn)
    assert asked == [False]
    bot.weigh(turn, worlds(2))
    assert asked[1:] == [True, True]  # for all moves, and for those that are tried again


def test_all_plays_of_a_hand_tell() -> None:
    threw, led = (of("9"), of("4"), False), (b"", of("5"), False)
    first = play_likelihood(of("45TJ"), threw, must=False, keenness=TELLING)
    second = play_likelihood(of("5TJ"), led, must=False, keenness=TELLING)
    assert first < 0 > second
    assert (
        hand_likelihood(of("TJ"), [threw, led], None, must=False, keenness=TELLING)
        == first + second
    )


def test_who_exchanged_few_cards_holds_high_and_low_ones() -> None:
    assert kept_likelihood(of("223QKAA"), 6) > kept_likelihood(of("2678QKA"), 6)
    assert kept_likelihood(of("223QKAA"), 0) == kept_likelihood(of("2678QKA"), 0) == 0
    assert hand_likelihood(of("223QKAA"), [], 6, must=False, keenness=TELLING) == kept_likelihood(
        of("223QKAA"), 6
    )
    five, nine, queen, ace = of("59QA")
    assert thrown_likelihoods(7)[nine] > thrown_likelihoods(7)[ace]
    assert thrown_likelihoods(3)[queen] > thrown_likelihoods(3)[five]


def test_who_took_the_last_of_the_stock_may_have_wanted_more() -> None:
    seen = Knowledge(rules_of("pagat"), 1)
    for event in (
        Game_("twentytwo", "g1", 2, 1, "-", 22),
        Hand_(1, 1, 7, 5),
        Dealt(1, 7),
        Dealt(2, 7),
    ):
        seen.take(event)
    seen.take(Exchanged(2, 3))
    seen.take(Exchanged(1, 2))
    assert seen.exchanged == {2: 3, 1: 2}
    assert seen.kept_by == {2: 4}


def test_the_cards_of_those_who_have_reached_the_limit_are_back_also_in_a_run_off() -> None:
    rules = rules_of("tvtropes", {"dead_cards": "back"})
    before = standing(rules, 3, totals=(15, 12, 12), kept=["AC", "QC", "QD"])
    state, told = showdown(before, tuple(packed([card]) for card in ("KC", "KD", "KH")), 1)
    assert isinstance(state, Drawing)
    seen = Knowledge(rules, 2)
    seen.take(Game_("twentytwo", "g1", 3, 1, "-", 22))
    cards = zip(before.totals, ("AC", "QC", "QD"), strict=True)
    for seat, (total, card) in enumerate(cards, 1):
        seen.take(Scored(seat, total, total, card))
    for event in told:
        seen.take(event)
    assert seen.kept == list(state.standing.kept) == [b"", b"", b""]


# ------------------------------------------------------------------------------- the bot


def hard(
    seen: list[Event], seat: int, most: int, preset: str = "pagat"
) -> Hard[State, TwentyTwoRules]:
    """A hard bot that has seen this."""
    found = player(
        GAME[preset],
        "hard",
        rules_of(preset),
        seat,
        random.Random(3).randrange,
        lambda: worlds(most),
    )
    assert isinstance(found, Hard)
    for event in seen:
        found.see(event)
    return found


def test_the_figures_of_a_move_are_chances_and_losing_is_worth_least() -> None:
    for turn, seen, truth in turns("pagat", 3, 4):
        assert isinstance(truth, Playing | Exchanging)
        two = len(truth.standing.playing) == 2  # who may lose the hand together, and one wins
        for line in hard(seen[turn.seat], turn.seat, 4).examine(turn, alone=True):
            assert line.loss is not None
            assert 0 <= line.loss <= 1
            assert 0 <= line.mean <= 1
            if line.loss == 1 and not two:
                assert line.mean < 0.9


def test_of_moves_that_may_be_equally_good_a_hint_names_the_one_that_loses_least() -> None:
    compared = 0
    for turn, seen, _ in turns("pagat", 3, 4):
        first, *others = hard(seen[turn.seat], turn.seat, 4).weigh(turn, worlds(40))
        for line in others:
            compared += line.loss < first.loss
            assert line.loss >= first.loss or line.mean < first.mean
    assert compared < 5


def test_the_last_play_of_a_hand_says_who_loses_it() -> None:
    """Two players, the last trick: whoever keeps the higher card loses, and the search knows."""
    ends = 0
    for turn, _, truth in turns("pagat", 2, 6):
        if not isinstance(truth, Playing) or not truth.bar or len(truth.hands[turn.seat - 1]) > 2:
            continue
        for deed in SEARCH.candidates(truth):
            after, happened = GAME["pagat"].play(truth, deed)
            lost = SEARCH.playout(after, happened, random.randrange).lost
            (other,) = {1, 2} - {turn.seat}
            left = bytes(sorted(truth.hands[turn.seat - 1]))
            mine = [c >> 2 for c in left if RANK_LETTERS[c >> 2] != deed.token[0]] or [left[0] >> 2]
            theirs = truth.hands[other - 1][0] >> 2
            assert lost[turn.seat - 1] == (mine[0] >= theirs)
            ends += 1
    assert ends > 5


def test_where_one_move_is_left_it_is_played_unexamined_unless_asked_for() -> None:
    for turn, seen, _ in turns("pagat", 4, 8):
        if turn.nlegal == 1 and turn.act == "play":
            bot = hard(seen[turn.seat], turn.seat, 5)
            assert [len(line.values) for line in bot.examine(turn)] == [0]
            assert [len(line.values) for line in bot.examine(turn, alone=True)] == [5]
            assert bot.choose(turn) == (turn.legal or ())[0]
            return
    raise AssertionError("no turn had but one move")


@pytest.mark.parametrize("preset", GAME)
def test_hard_answers_with_legal_moves_by_every_preset(preset: str) -> None:
    for number, (turn, seen, truth) in enumerate(turns(preset, 4, 10)):
        if number % 7 == 0:
            token = hard(seen[turn.seat], turn.seat, 2, preset).choose(turn)
            moves = GAME[preset].moves(truth)
            assert GAME[preset].deeds[turn.act].of(token) in moves


def deep_in_a_hand(hand: str, plays: list[str], sizes: int, legal: str) -> tuple[Turn, list[Event]]:
    """The fourth of four asked to play, with what it has seen: it holds `hand`."""
    cards = tuple(rank + "CDHS"[hand[:place].count(rank)] for place, rank in enumerate(hand))
    seen: list[Event] = [
        Game_("twentytwo", "g1", 4, 1, "-", 22),
        Hand_(1, 4, sizes, 52 - 4 * sizes),
    ]
    seen += [Dealt(seat, sizes, cards if seat == 4 else None) for seat in range(1, 5)]
    seen.append(Trick(1, 1))
    for seat, play in enumerate(plays, 1):
        kind = "lead" if seat == 1 else "beat"
        named = tuple(rank + suit for rank, suit in zip(play, "SH", strict=False))
        seen.append(Played(seat, named, kind, sizes - len(play)))
    turn = Turn(
        1,
        4,
        "play",
        beat=tuple(plays[-1]),
        choose="one",
        legal=tuple(legal.split()),
        default=legal.split()[0],
        hand=cards,
    )
    return turn, seen


@pytest.mark.parametrize(
    ("hand", "plays", "legal", "best"),
    [
        ("3JJA", ["4", "6", "9"], "3 J A", "A"),
        ("TTQ", ["66", "76", "T7"], "T+T Q+T", "Q+T"),
    ],
)
def test_hard_takes_the_trick_with_what_ends_the_hand_best(
    hand: str, plays: list[str], legal: str, best: str
) -> None:
    plays = [plays[0]] * (4 - len(plays)) + plays[1:] if len(plays) == 1 else plays
    turn, seen = deep_in_a_hand(hand, plays, len(hand), legal)
    lines = {line.deed.token: line for line in hard(seen, 4, 120).examine(turn)}
    assert max(lines.values(), key=lambda line: (len(line.values), line.mean)).deed.token == best


def test_small_hands_have_every_exchange_of_neighbours_looked_at() -> None:
    found = {*exchanges(of("2356"), 4)}
    assert {of("3"), of("35"), of("23"), of("2356"), b""} <= found
    assert len(found) == 11
    assert all(len(gone) <= 1 for gone in exchanges(of("2356"), 1))
    assert all(len(gone) <= 1 for gone in exchanges(of("23456789"), 1))
