"""The sources' own examples and the derived cases, one test each, named by their ids.

`vectors/rules.json` explains its kinds at its top. It numbers seats clockwise from 0; the
engine numbers them from 1 in the order of play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.games.setting import (
    hand,
    play,
    rank_words,
    rules_of,
    shuffled,
    standing,
    suited,
    trick,
    vectors,
    words,
)
from tests.kit.cases import together
from twentytwo_protocol.cards import STANDARD
from twentytwo_protocol.games.twentytwo import Exchange
from twentytwo_protocol.words.cardplay import Hand_, Handover, Play, Scored, Took
from twentytwo_server.games.twentytwo import TWENTYTWO, TwentyTwoRules, tricks
from twentytwo_server.games.twentytwo.dealer import draws, next_dealer
from twentytwo_server.games.twentytwo.following import covers, reading
from twentytwo_server.games.twentytwo.hands import RANK_LETTERS, packed, ranks, tokens
from twentytwo_server.games.twentytwo.legal import Plays
from twentytwo_server.games.twentytwo.showdown import score, showdown
from twentytwo_server.games.twentytwo.states import (
    Dealing,
    Drawing,
    Exchanging,
    Over,
    Playing,
    full_pack,
)

Out = dict[str, Any]

REASON = {
    "MUST_KEEP_ONE": "KEEP_ONE",
    "NOT_A_SET": "SAME_RANK",
    "NEITHER_BEATS_NOR_LOWEST": "BEAT_OR_LOWEST",
    "NOT_HELD": "",
}
"""The protocol's reason for a vector's, where the names differ; empty is NOT_HELD."""


# --------------------------------------------------------------------------- leads and follows


def _check_plays(moves: Plays, out: Out) -> None:
    legal = {rank_words(move.cards) for move in moves}
    assert len(legal) == len(moves)
    if "legal" in out:
        assert legal == {rank_words(words(text)) for text in out["legal"]}
    for text in out.get("includes", ()):
        assert play(text) in moves
        assert rank_words(words(text)) in legal
    for text, reason in out["illegal"].items() if "illegal" in out else ():
        wrong = moves.why(play(text))
        assert wrong is not None, text
        assert wrong.reason == REASON.get(reason, reason), text


def lead(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    _check_plays(Plays(hand(given["hand"]), b"", rules), out)


def follow(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    state = _trick_so_far(given["trick"], given["hand"], rules)
    _check_plays(Plays(state.hands[state.seat - 1], state.bar, rules), out)


def _trick_so_far(plays: Sequence[str], mine: str, rules: TwentyTwoRules) -> Playing:
    """The trick after these plays; nobody has to beat anything with the other cards."""
    rules = replace(rules, heading="optional")
    state = trick(rules, [*map(_with_more, plays), mine])
    for seat, text in enumerate(plays):
        found, _ = tricks.play(state, _whole(state.hands[seat], text))
        assert isinstance(found, Playing)
        state = found
    return state


def _with_more(text: str) -> str:
    """A hand of these cards and two that are high."""
    return f"{text}-X-X" if {*words(text)} == {"X"} else f"{text}-A-A"


def _whole(held: bytes, text: str) -> Play:
    """The play of these ranks as cards of the hand."""
    left, cards = bytearray(held), bytearray()
    for word in words(text):
        card = next(card for card in left if RANK_LETTERS[card >> 2] == word)
        left.remove(card)
        cards.append(card)
    return Play(tokens(sorted(cards, reverse=True)))


def whole_trick(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    *plays, last = given["trick"]
    state = _trick_so_far(plays, _with_more(last), rules)
    _, events = tricks.play(state, _whole(state.hands[state.seat - 1], last))
    took = next(event for event in events if isinstance(event, Took))
    assert took.seat == out["winner"] + 1
    if "best" in out:
        assert rank_words(took.cards) == rank_words(words(out["best"]))


def beats(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    mine, bar = (reading(ranks(hand(given[each]))[::-1]) for each in ("play", "over"))
    assert covers(mine, bar) is out["beats"]


# ------------------------------------------------------------------------------ points and pack


def points(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    assert {rank: rules.points_of(words(rank)[0]) for rank in out} == out


def pack(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    assert len(full_pack(rules, given["players"])) == out["cards"]


def deal(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    if "pack" in given:
        rules = rules_of("tvtropes", {"decks": given["pack"] // 52})
    lost = words(given["lost_with"]) if "lost_with" in given else ()
    wanted = rules.wanted_after(rules.points_of(lost[0])) if lost else given["want"]
    kept = suited(lost)[: given["kept"]]
    state = Dealing(standing(rules, given["players"], kept=kept, wanted=wanted))
    _, events = TWENTYTWO.play(state, shuffled(TWENTYTWO, state, ()))
    begun = events[0]
    assert isinstance(begun, Hand_)
    assert (begun.size, begun.stock) == (out["each"], out["stock"])


def exchange(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    seats, size = len(given["asks"]), given["hand_size"]
    cards = full_pack(rules_of("pagat", {"decks": 4}), seats)
    hands = tuple(bytes(sorted(cards[i * size : (i + 1) * size])) for i in range(seats))
    rest = cards[: given["stock"]]
    everybody = tuple(range(1, seats + 1))
    state: Any = Exchanging(standing(rules, seats), hands, rest, everybody, 1)
    limit_taken = []
    for asked in given["asks"]:
        if not isinstance(state, Exchanging):
            limit_taken.append([0, 0])  # nobody asks who can get nothing
            continue
        limit = TWENTYTWO.moves(state).max
        taken = min(asked, limit)
        limit_taken.append([limit, taken])
        gone = STANDARD.sort(TWENTYTWO.moves(state).hand)[:taken]
        rest = state.stock[taken:]
        state, _ = TWENTYTWO.play(state, Exchange(gone))
    assert limit_taken == out["limit_taken"]
    assert len(rest) == out["stock"]


# ---------------------------------------------------------------------- showdown, dealer and end


def last_cards(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    cards = [words(text)[0] for text in given["cards"]]
    held = tuple(packed([card]) for card in suited(cards))
    state, events = showdown(standing(rules, len(cards), wanted=7), held, 1)
    scored = [event for event in events if isinstance(event, Scored)]
    assert [event.seat for event in scored] == [seat + 1 for seat in out["losers"]]
    assert {event.points for event in scored} == {out["points"]}
    if "next_hand" in out:
        assert state.standing.wanted == out["next_hand"]


def dealer(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    seats = given["seats"]
    number = _in_order_of_play(seats, rules)
    totals = [0] * seats
    for seat in given["eliminated"]:
        totals[number(seat) - 1] = rules.limit - 1
    alive = [number(seat) for seat in given["alive"]]
    before = standing(
        rules, seats, playing=sorted(alive), totals=totals, dealer=number(given["dealer"])
    )
    order = [number(seat) for seat in given["play_order"]]
    losers = tuple(seat for seat in order if seat in map(number, given["losers"]))
    twos = packed(suited("2" * len(losers)))
    now = score(before, dict(zip(losers, twos, strict=True)), 2)
    closing = Handover(1, losers, now.totals)
    state, _ = next_dealer(now, losers, closing, [])
    if isinstance(state, Drawing) and isinstance(out["dealer"], list):
        drawn = suited(words(given["drawn"][str(seat)])[0] for seat in given["losers"])
        tied, _ = draws(tuple(number(seat) for seat in given["losers"]), drawn)
        assert ["redraw", sorted(tied)] == ["redraw", sorted(map(number, out["dealer"][1]))]
        return
    if isinstance(state, Drawing):
        state = _drawn(state, given["drawn"], number)
    assert isinstance(state, Dealing)
    assert state.standing.dealer == number(out["dealer"])


def _drawn(state: Drawing, drawn: Any, number: Callable[[int], int]) -> Any:
    if state.by_lot:
        top = [str(number(drawn))]
    else:
        of = {number(int(seat)): words(card)[0] for seat, card in drawn.items()}
        top = suited(of[seat] for seat in state.among)
    return TWENTYTWO.play(state, shuffled(TWENTYTWO, state, top))[0]


def _in_order_of_play(seats: int, rules: TwentyTwoRules) -> Callable[[int], int]:
    """From a seat numbered clockwise from 0 to its number in the order of play."""
    if rules.direction == "cw":
        return lambda seat: seat + 1
    return lambda seat: (seats - seat) % seats + 1


def end(given: Out, out: Out, rules: TwentyTwoRules) -> None:
    scores = {int(seat) + 1: total for seat, total in given["scores"].items()}
    seats = max(scores)
    together = [seat for seat, total in scores.items() if total >= rules.limit]
    losers = together or [max(scores, key=lambda seat: scores[seat])]
    king = rules.points_of("K")
    totals = [
        scores.get(seat, rules.limit) - (king if seat in losers else 0)
        for seat in range(1, seats + 1)
    ]
    playing = [seat + 1 for seat in given["in_play"]]
    last = suited("K" if seat in losers else "2" for seat in range(1, seats + 1))
    held = tuple(packed([card]) for card in last)
    state, _ = showdown(standing(rules, seats, playing=playing, totals=totals), held, playing[0])
    if isinstance(state, Over):
        found = "won", state.winners
    elif state.standing.runoff:
        found = "runoff", state.standing.playing
    else:
        found = "on", state.standing.playing
    assert found == (out["state"], tuple(seat + 1 for seat in out["seats"]))


CHECKS: dict[str, Callable[[Out, Out, TwentyTwoRules], None]] = {
    "t22.lead": lead,
    "t22.follow": follow,
    "t22.trick": whole_trick,
    "t22.beats": beats,
    "t22.points": points,
    "t22.pack": pack,
    "t22.deal": deal,
    "t22.exchange": exchange,
    "t22.showdown": last_cards,
    "t22.dealer": dealer,
    "t22.end": end,
}

OURS = [each for each in vectors("rules.json")["vectors"] if each["kind"].startswith("t22.")]


@together("vector", OURS)
def test_vector(vector: Out) -> None:
    rules = rules_of(vector["ruleset"], vector.get("options"))
    CHECKS[vector["kind"]](vector["in"], vector["out"], rules)


def test_every_kind_of_vector_occurs() -> None:
    assert {each["kind"] for each in OURS} == set(CHECKS)
    assert len(OURS) == 133
