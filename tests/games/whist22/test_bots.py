"""The players of Whist 22: they play by the rules, and `steady` is the stronger."""

from __future__ import annotations

import random

import pytest

from tests.games.whist22.setting import rules_of
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.words.cardplay import Bid_, Dealt, Hand_, Shuffle, Turn
from twentytwo_server.games.game import HOUSE, Bot
from twentytwo_server.games.whist22 import WHIST22, Whist22Rules
from twentytwo_server.games.whist22.states import State
from twentytwo_server.table.match import question


def totals(rules: Whist22Rules, levels: list[str], chance: random.Random) -> tuple[int, ...]:
    """How a game ends between players of these levels; they are shown what their seats are."""
    bots = {
        s: WHIST22.bots.new(level, rules, s, chance.randrange) for s, level in enumerate(levels, 1)
    }
    state = WHIST22.new(rules, len(levels))
    while (seat := WHIST22.turn(state)) is not None:
        if seat == HOUSE:
            pack = list(WHIST22.pack(state))
            chance.shuffle(pack)
            state, events = WHIST22.play(state, Shuffle(tuple(pack)))
        else:
            state, events = WHIST22.play(state, WHIST22.deeds[act(state)].of(ask(state, bots)))
        show(bots, events)
    return WHIST22.totals(state)


def act(state: State) -> str:
    """What is asked."""
    return WHIST22.moves(state).act


def ask(state: State, bots: dict[int, Bot]) -> str:
    """The answer of the bot on turn to what it may see of the question."""
    seat = WHIST22.turn(state)
    assert seat is not None
    asked = question(WHIST22.moves(state), turn=1, seat=seat, ms=None, bank=None)
    token = bots[seat].choose(redact(asked, seat))
    assert token in (asked.legal or ())
    return token


def show(bots: dict[int, Bot], events: list[Event]) -> None:
    """Everybody sees what their seat may."""
    for seat, bot in bots.items():
        for event in events:
            bot.see(redact(event, seat))


@pytest.mark.parametrize(
    ("preset", "seats"), [("gamerules", 3), ("gamerules", 4), ("bga", 2), ("bga", 7)]
)
def test_steady_players_keep_four_points_more_than_easy_ones(preset: str, seats: int) -> None:
    chance, rules = random.Random(22), rules_of(preset)
    kept: dict[str, list[int]] = {"easy": [], "steady": []}
    for number in range(24):
        levels = [("easy", "steady")[(seat + number) % 2] for seat in range(seats)]
        for level, total in zip(levels, totals(rules, levels, chance), strict=True):
            kept[level].append(total)
    mean = {level: sum(found) / len(found) for level, found in kept.items()}
    assert mean["steady"] > mean["easy"] + 4  # 6 to 11 more over thousands of games


@pytest.mark.parametrize("fool", ["choice", "low", "high", "out-in-ones"])
@pytest.mark.parametrize("level", WHIST22.bots.levels)
def test_every_level_plays_by_every_rule(level: str, fool: str) -> None:
    rules = rules_of("bga", fool=fool, hook="no")
    assert min(totals(rules, [level] * 5, random.Random(1))) <= 0


def steady(rules: Whist22Rules, *events: Event) -> Bot:
    """A steady player in seat 1 who was shown these events."""
    bot = WHIST22.bots.new("steady", rules, 1, lambda n: 0)
    for event in events:
        bot.see(redact(event, 1))
    return bot


def asked(legal: str, hand: str = "", kind: str = "bid") -> Turn:
    """A question with these tokens."""
    tokens = tuple(legal.split())
    return Turn(1, 1, kind, legal=tokens, default=tokens[0], hand=tuple(hand.split()))


@pytest.mark.parametrize(
    ("others", "bid"), [(("3", "5"), "1"), (("3", "20"), "0"), (("2", "F"), "0")]
)
def test_on_an_unseen_card_steady_bids_by_what_the_others_hold(
    others: tuple[str, str], bid: str
) -> None:
    deal = [Dealt(seat, 1, seen=(card,)) for seat, card in enumerate(("9", *others), 1)]
    bot = steady(rules_of("bga"), Hand_(7, 3, 1, 19), *deal)
    assert bot.choose(asked("0 1")) == bid


def test_steady_throws_a_losing_card_once_it_has_what_it_bid() -> None:
    hands = [Dealt(1, 2, ("12", "20")), Dealt(2, 2, ("1", "2")), Dealt(3, 2, ("3", "4"))]
    bids = [Bid_(1, "0"), Bid_(2, "1"), Bid_(3, "2")]
    bot = steady(rules_of(), Hand_(6, 3, 2, 16), *hands, *bids)
    assert bot.choose(asked("12 20", "12 20", "play")) == "12"


def test_an_unseen_card_is_the_fool_as_0_where_no_trick_is_wanted() -> None:
    deal = [Dealt(seat, 1, seen=(card,)) for seat, card in enumerate(("9", "3", "5"), 1)]
    for bid, token in (("0", "0"), ("1", "22")):
        bids = [Bid_(1, bid), Bid_(2, "0"), Bid_(3, "0")]
        bot = steady(rules_of("bga"), Hand_(7, 3, 1, 19), *deal, *bids)
        assert bot.choose(asked("22 0", kind="play")) == token
