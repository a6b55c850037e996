"""Why a move may be good: the sentence of play of a hint, for each kind of decision."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.kit.cases import together
from twentytwo_protocol.cards import Card, pack32
from twentytwo_protocol.record import RecordedMove
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import Took, Turn
from twentytwo_server.games.registry import games
from twentytwo_server.games.search.hard import Hard, worlds
from twentytwo_server.games.twentyeight.search import reasons as twentyeight
from twentytwo_server.games.twentyeight.search.knowledge import Knowledge as Contracts
from twentytwo_server.games.twentytwo import last_cards
from twentytwo_server.games.twentytwo.hands import packed, ranks, sorted_hand
from twentytwo_server.games.twentytwo.search import reasons as twentytwo
from twentytwo_server.games.twentytwo.search.knowledge import Knowledge as LastCards
from twentytwo_server.games.whist22.search import reasons as whist22
from twentytwo_server.games.whist22.search.knowledge import Knowledge as Tricks
from twentytwo_server.operator.bot_matches import MatchPlan, play_game
from twentytwo_server.records.telling import telling

RULES = Path(__file__).parents[2] / "docs" / "rules"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(text.split())


# ------------------------------------------------------------------------------- Twenty-Two


def at_twentytwo(
    hand: str, token: str, *, beat: str = "", act: str = "play", last: bool = False, legal: int = 3
) -> str:
    """Why a move of seat 1 at a table of four; `last` to play, or second."""
    rules = games()["twentytwo"].rules("pagat", {})
    seen = LastCards(rules, 1, seats=4, totals=[0] * 4, kept=[b""] * 4, fell=[0] * 4)
    seen.hand = sorted_hand(packed(cards(hand)))
    seen.sizes = dict.fromkeys(range(1, 5), len(seen.hand))
    if beat:
        seen.bar = seen.best = ranks(sorted_hand(packed(cards(beat))))[::-1]
        seen.leader = 2 if last else 4
    turn = Turn(1, 1, act, choose="one", nlegal=legal, hand=cards(hand), beat=cards(beat) or None)
    return twentytwo.reason(seen, turn, token)


@together(
    ("token", "why"),
    [
        (
            "8+9+J",
            "you keep two twos to end on and an ace and a queen to take tricks with, and "
            "whoever ends on a jack loses about 8 hands of 10",
        ),
        ("-", ""),
        ("2+2+A+Q", ""),
        ("2+2+8+9+J+Q+A", "whoever ends on an ace always loses"),
    ],
)
def test_an_exchange_is_for_what_is_kept(token: str, why: str) -> None:
    assert at_twentytwo("2H 2S 8D 9C JH QS AD", token, act="exchange") == why


@together(
    ("token", "why"),
    [
        ("A", "you hold two aces, and whoever ends on an ace always loses"),
        ("3+3", ""),
        (
            "2",
            "45 of the 45 cards you have not seen beat or equal it, so somebody else is likely to "
            "take over, and you keep two aces to come back with",
        ),
        ("7", ""),
    ],
)
def test_a_lead_is_for_what_it_sheds_or_keeps(token: str, why: str) -> None:
    assert at_twentytwo("2H 3S 3D 7C 9C AH AD", token) == why


@together(
    ("hand", "token", "why"),
    [
        ("5H 5S 9D 9C", "5+5", ""),
        ("5H 5S 9D 9C", "9+9", "whoever ends on a nine loses about 7 hands of 10"),
        ("2H 3S 6C 8C JD", "6+8", ""),
        (
            "5H 6S 6C QD",
            "5+6+6",
            "you keep a queen to take tricks with, and whoever ends on a six loses about 5 hands "
            "of 10",
        ),
    ],
)
def test_a_card_is_thrown_for_what_it_loses_only_where_nothing_as_bad_is_kept(
    hand: str, token: str, why: str
) -> None:
    assert at_twentytwo(hand, token, act="exchange") == why


def test_a_lead_is_not_for_a_card_that_loses_less_than_those_that_stay() -> None:
    assert at_twentytwo("2H 3S 6C TD TC KH KD", "6") == ""
    assert at_twentytwo("6C TD TC KH KD", "T+T") == (
        "it rids you of two cards at once, and whoever cannot match them throws their two lowest"
    )
    assert at_twentytwo("4H KD", "4") == ""


def test_a_lead_from_two_cards_is_for_the_one_that_is_left() -> None:
    said = at_twentytwo("4H KD", "K")
    assert said == "you end on your four, and 39 of the 50 cards that you have not seen are higher"


@together(
    ("token", "last", "why"),
    [
        ("K", True, "it takes the trick, since you play last, and you keep an ace for later"),
        ("K", False, "it is the best so far, and you keep an ace for later"),
        ("A", True, "it takes the trick, since you play last, and it rids you of an ace"),
        ("3", True, "you let the trick go and save an ace and a king for later"),
    ],
)
def test_a_card_that_follows_is_for_the_trick_or_for_later(
    token: str, last: bool, why: str
) -> None:
    said = at_twentytwo("3H 7C KD AS", token, beat="9C", last=last)
    assert said.removesuffix(" (whoever ends on an ace always loses)") == why


@together(
    ("hand", "token", "why"),
    [
        ("3H 7C KD AS", "A", "it is the best so far"),  # three other aces are out
        ("3H AC AD AS AH", "A", "it takes the trick, since nothing that you have not seen equals"),
        ("3H AC AD AS", "A", "it is the best so far"),
        ("KH AC AD AS AH", "K", "it is the best so far"),
    ],
)
def test_a_card_takes_the_trick_for_certain_where_none_that_equals_it_is_out(
    hand: str, token: str, why: str
) -> None:
    assert at_twentytwo(hand, token, beat="9C").startswith(why)


def test_of_a_single_move_nothing_is_claimed() -> None:
    assert at_twentytwo("3H 7C", "3", beat="9C", legal=1) == "it is all that you may play"


def test_the_figures_of_last_cards_are_those_of_the_pages() -> None:
    for page, told in (("twentytwo", last_cards.PLAIN), ("twentysix", last_cards.JOKERED)):
        text = (RULES / f"{page}.md").read_text(encoding="utf-8")
        measured = dict(re.findall(r"^ {8}([2-9TJQKAX]) .*? of +\d+ +([\d.]+) \+-", text, re.M))
        assert {*measured} == {*told}
        assert all(abs(float(measured[rank]) - told[rank]) <= 1 for rank in told)


# --------------------------------------------------------------------------------- Whist 22


def at_whist22(
    hand: str,
    token: str,
    best: str | None = None,
    *,
    gone: str = "",
    shown: str = "",
    **asked: object,
) -> str:
    """Why a move of seat 1 of four; `gone` was played, `shown` is what the others hold."""
    seen = Tricks(games()["whist22"].rules("gamerules", {}), 1, size=5, hand=cards(hand))
    held = len(cards(hand))
    seen.left = {1: held, 2: held, 3: held, 4: held}
    for seat in range(2, 5) if asked.pop("last", False) else ():
        seen.left[seat] -= 1
    seen.played = {seat: [] for seat in seen.left}
    seen.played[2] = [*cards(gone)]
    seen.shown = dict(enumerate(cards(shown), 2))
    seen.best = best
    act = "bid" if "bids" in asked else "play"
    turn = Turn(1, 1, act, choose="one", nlegal=3, hand=cards(hand), **asked)  # type: ignore[arg-type]
    return whist22.reason(seen, turn, token)


def test_a_bid_counts_what_may_beat_the_strong_cards() -> None:
    assert at_whist22("3 8 18 20 F", "2", bids=(0, 0), tricks=5) == (
        "at most 2 of the 17 cards you have not seen beat 20 and 18, and your Fool takes a trick "
        "or none, as you like, and the others have bid 0 tricks of 5 so far"
    )
    assert at_whist22("3 8 9", "0", bids=(), tricks=5) == (
        "13 of the 19 cards you have not seen beat your best card, 9"
    )


def test_a_bid_beside_the_forbidden_one_names_it() -> None:
    assert at_whist22("1 3 11 16 20", "2", bids=(3, 1, 0), tricks=5) == (
        "1 is forbidden, since the bids would add up to 5"
    )
    assert at_whist22("1 3 11 12 13", "0", bids=(3, 1, 0), tricks=5) == (
        "9 of the 17 cards you have not seen beat your best card, 13, and 1 is forbidden, since "
        "the bids would add up to 5, and the others have bid 4 tricks of 5 so far"
    )


def test_a_bid_on_a_card_that_is_not_seen_is_for_the_cards_that_are() -> None:
    assert at_whist22("", "0", shown="18 4 7", bids=(0,), tricks=1) == (
        "4 of the 19 cards that yours may be beat the 18 that you see"
    )
    assert at_whist22("", "1", shown="18 4 7", bids=(0,), tricks=1) == ""
    assert at_whist22("", "0", shown="F 4 7", bids=(), tricks=1) == (
        "you see the Fool, which may count 22"
    )


def test_a_card_that_lets_a_trick_go_is_for_what_is_kept() -> None:
    assert at_whist22("3 15 17", "3", "21", bid=2, won=0) == (
        "you need 2 of the 3 tricks that are left, and you keep 17 and 15 for them"
    )
    assert at_whist22("3 15 17", "17", "21", bid=1, won=0) == ""
    assert at_whist22("2 19 F", "F0", gone="20 21", bid=1, won=0) == (
        "you need 1 of the 3 tricks that are left, and you keep 19, which nothing that you have "
        "not seen can beat"
    )


def test_the_last_trick_is_called_so() -> None:
    assert at_whist22("F", "F22", "15", bid=1, won=0, last=True) == (
        "you need the last trick, and the Fool as 22 beats 15 with nobody left to play"
    )


def test_a_card_that_is_likely_to_be_beaten_is_for_what_is_kept() -> None:
    assert at_whist22("6 F", "6", "3", bid=1, won=0) == (
        "you need 1 of the 2 tricks that are left, and you keep the Fool, which nothing that you "
        "have not seen can beat"
    )


def test_of_a_card_that_takes_a_trick_too_many_nothing_is_said() -> None:
    assert at_whist22("3 16 18", "16", "12", bid=1, won=1) == ""
    assert at_whist22("3 9 10", "3", "12", bid=1, won=1) == ""
    assert at_whist22("3 9 10", "10", "12", bid=1, won=2) == (
        "you have more tricks than you bid, and 10 goes below 12"
    )


@together(
    ("token", "best", "bid", "won", "last", "why"),
    [
        ("9", "12", 1, 1, False, "you have the tricks that you bid, and 9 goes below 12"),
        (
            "16",
            "12",
            2,
            1,
            True,
            "you need 1 of the 3 tricks that are left, and 16 beats 12 with nobody left to play",
        ),
        (
            "16",
            None,
            3,
            0,
            False,
            "you need all 3 tricks that are left, and 6 of the 19 cards you have not seen beat 16",
        ),
        (
            "F0",
            None,
            0,
            0,
            False,
            "you have the tricks that you bid, and the Fool as 0 can take none",
        ),
    ],
)
def test_a_play_is_for_the_tricks_that_are_still_needed(
    token: str, best: str | None, bid: int, won: int, last: bool, why: str
) -> None:
    hand = "9 16 F" if token == "F0" else "3 9 16"
    assert at_whist22(hand, token, best, bid=bid, won=won, last=last) == why


def test_of_a_card_that_its_owner_does_not_see_nothing_is_said() -> None:
    assert at_whist22("", "22", bid=0, won=0) == ""


# ------------------------------------------------------------------------------ Twenty-Eight


def at_twentyeight(
    hand: str,
    token: str,
    act: str = "play",
    *,
    plays: str = "",
    holder: int | None = None,
    bidder: int = 2,
    out: str = "",
) -> str:
    """Why a move of seat 1, spades being trump; the cards `out` are held by others."""
    seen = Contracts(games()["twentyeight"].rules("denexa", {}), 1, bidder=bidder, bids=(16,))
    seen.trump, seen.shown_after, seen.plays = "S", 0, cards(plays)
    seen.gone = {*pack32()} - {*cards(hand)} - {*cards(out)}
    asked = Turn(1, 1, act, choose="one", nlegal=3, hand=cards(hand), holder=holder)
    return twentyeight.reason(seen, asked, token)


@pytest.mark.parametrize(
    ("token", "bidder", "why"),
    [
        ("17", 2, "; 17 brings 1 if made, and costs 2 if missed"),
        ("20", 2, "; 20 brings 2 if made, and costs 3 if missed"),
        ("pass", 3, ", and your partner has the highest bid, 16"),
    ],
)
def test_a_bid_is_for_what_four_cards_promise_and_what_it_stakes(
    token: str, bidder: int, why: str
) -> None:
    said = at_twentyeight("JH 9H AH JC", token, "bid", bidder=bidder)
    assert said == f"with hearts as trump your four cards promise about 22 points{why}"


@pytest.mark.parametrize(
    ("hand", "token", "why"),
    [
        ("JH 9H AH JC", "pass", "16 costs the others 2 if they miss it, and brings 1 if not"),
        (
            "7H 8D QC KS",
            "pass",
            "with spades as trump your four cards promise about 13 points, and 16 costs the others "
            "2 if they miss it, and brings 1 if not",
        ),
        ("7H 8D QC KS", "17", ""),
    ],
)
def test_what_four_cards_promise_is_said_for_a_bid_that_it_speaks_for(
    hand: str, token: str, why: str
) -> None:
    assert at_twentyeight(hand, token, "bid") == why


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (
            "7H 9H JH 8C",
            "3 of your four cards are hearts, 9H and JH among them; 7H is out of play until shown",
        ),
        (
            "7H JC AS 9D",
            "it is your only one of hearts, and your cards of other suits stay in play",
        ),
    ],
)
def test_a_trump_is_for_its_suit(hand: str, why: str) -> None:
    assert at_twentyeight(hand, "7H", "trump") == why


def test_a_call_is_for_the_points_that_lie_there() -> None:
    assert at_twentyeight("8H", "call", "declare", plays="JC 9C", holder=4) == (
        "the others have the trick so far, with 5 card points in it, and a trump may take it"
    )
    assert at_twentyeight("8H", "no", "declare", plays="JC 9C", holder=3) == (
        "your partner has the trick so far, with 5 card points in it, and the trump stays hidden"
    )
    assert at_twentyeight("8H", "call", "declare", plays="JC 9C", holder=3) == ""
    assert at_twentyeight("8H", "no", "declare", plays="JC 9C", holder=4) == ""


@pytest.mark.parametrize(
    ("token", "out", "why"),
    [
        ("JH", "9H AH", "nobody else holds a higher one of hearts, with 1 trump still out"),
        ("7D", "9D AH", "it gives away no points: 9D can beat it"),
        ("TD", "9D AH", ""),
    ],
)
def test_a_lead_is_for_what_can_beat_it(token: str, out: str, why: str) -> None:
    assert at_twentyeight("JH TD 7D", token, out=f"{out} 7S") == why


@together(
    ("plays", "token", "holder", "why"),
    [
        ("JH 7C 8H", "9H", 2, ""),
        ("7H 8H AH", "9H", 4, "you play last, and it takes the trick with 3 card points"),
        ("7H JH 8H", "9H", 3, "it is your partner's trick: 2 points for your side"),
        ("7H JH", "8H", 3, "your partner has the trick so far: you save your points"),
        ("JH", "7H", 4, "the others have the trick so far, and it gives them no points"),
    ],
)
def test_a_card_that_follows_is_for_its_points(
    plays: str, token: str, holder: int, why: str
) -> None:
    assert at_twentyeight("7H 8H 9H", token, plays=plays, holder=holder) == why


# -------------------------------------------------------------------------------- any hand


@pytest.mark.parametrize("key", ["twentytwo", "twentysix", "whist22", "twentyeight"])
def test_every_move_of_a_game_has_a_sentence_that_fits(key: str) -> None:
    game = games()[key]
    assert game.search is not None
    rules = game.rules(next(iter(game.presets)), {})
    record = play_game(MatchPlan(key, next(iter(game.presets)), {}, ("steady",) * 4, 9, 8), 0, 0)
    made = iter(m for m in record.record.moves if isinstance(m, RecordedMove) and m.seat)
    chance = random.Random(4)
    bots = [
        Hard(game, game.search, rules, seat, chance.randrange, lambda: worlds(1))
        for seat in range(1, 5)
    ]
    taking = list[int]()
    for happened in telling(record.record, {key: game}):
        if isinstance(happened, Took):
            assert set(taking) <= {happened.seat}, "a sentence has said who takes this trick"
            taking.clear()
        if isinstance(happened, Turn):
            bot, asked = bots[happened.seat - 1], redact(happened, happened.seat)
            said = bot.reason(asked, next(made).token)
            taking += [happened.seat] * ("it takes the trick" in said)
            assert said.isascii() and len(said) < 240
            assert not said.endswith(".") and said[:1] not in (" ", ",", ";")
            assert all(one != other for one, other in pairwise(said.split()))
        for seat, bot in enumerate(bots, 1):
            bot.see(redact(happened, seat))
