"""What is shown beside the question: who is in danger, cards that have gone, bids, voids."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_protocol.counting import gone, voids
from twentytwo_protocol.folding import Fold
from twentytwo_protocol.games.twentytwo import at_a_glance
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Exchanged, Hand_, Played, Shown, Trick, Turn
from twentytwo_server.store.memory import MemoryStore


def question(ann: Peer) -> Turn | None:
    match = ann.world.room().table.match
    return match.question if match is not None else None


def until(ann: Peer, wanted: str, most: int = 400) -> list[str]:
    """Plays defaults until something that was said to ann has these words; those lines."""
    for _ in range(most):
        asked = question(ann)
        if asked is None:
            break
        if asked.seat == 1 and asked.default is not None:
            said = ann.say(asked.default.replace("+", " "))
        else:
            ann.world.advance(1000)
            said = ann.take()
        if any(wanted in line for line in said):
            return said
    raise AssertionError(f"{wanted!r} was never said")


def at(line: str) -> Peer:
    ann = World().person("ann")
    ann.say(line)
    return ann


TWENTYTWO = "practice bots=2 seed=22"


def test_who_leads_as_soon_as_the_cards_are_dealt_reads_them_once() -> None:
    ann = World().person("ann")
    told = ann.say("practice bots=1 exchange=off seed=4")
    assert told[-1].startswith("Your lead: ")
    assert sum(line.startswith("Your cards: ") for line in told) == 1


def test_the_question_comes_last_and_what_is_around_it_before_the_hand() -> None:
    said = until(at(TWENTYTWO), "Gone:")
    around, hand, asked = said[-3:]
    assert around.startswith("Cards: you 7, bot:steady 7, bot:steady2 6. Gone: 9.")
    assert hand.startswith("Your cards: ")
    assert asked.startswith("Your turn: ")


def test_what_has_gone_is_forgotten_with_the_hand() -> None:
    ann = at(TWENTYTWO)
    until(ann, "Gone:")
    until(ann, "--- Hand 2")
    said = until(ann, "Cards: ") if not any("each." in x for x in ann.take()) else []
    gone_now = [line for line in said if "Gone:" in line]
    seen = gone(ann.world.room().model(1))
    assert len(seen) <= 10
    for line in gone_now:
        assert len(line.partition("Gone: ")[2].split()) == len(seen)


def test_the_stock_is_told_where_others_have_drawn_from_it() -> None:
    said = until(at(TWENTYTWO), "Your turn: exchange")
    assert said[-2] == "26 cards left to draw from."
    alone = at("practice bots=1 seed=22")
    assert not any("left to draw from." in line for line in alone.say("hand"))


DANGER = "In danger ({} points is out): "


def test_who_finds_nothing_left_to_draw_reads_why_they_were_not_asked() -> None:
    ann = at("practice bots=5 seed=1")
    until(ann, "Nothing was left to draw, so you keep")
    told = [entry.event for entry in ann.world.room().stream.after(0)]
    begins = max(n for n, event in enumerate(told) if isinstance(event, Hand_))
    drawn = [event for event in told[begins:] if isinstance(event, Exchanged)]
    hand = told[begins]
    assert isinstance(hand, Hand_)
    assert sum(event.n for event in drawn) == hand.stock
    assert 1 not in [event.seat for event in drawn]
    assert "Nothing was left" not in " ".join(until(ann, "to beat"))  # in the next trick


@pytest.mark.parametrize(
    ("line", "limit", "dearest"),
    [
        ("practice bots=2 seed=22 limit=20", 20, 11),
        ("practice bots=2 seed=22 limit=20 points=sequential", 20, 14),
        ("practice twentysix bots=2 seed=22", 26, 13),
        ("practice twentysix bots=2 seed=22 jokers=0", 26, 11),
    ],
)
def test_whom_the_dearest_card_of_the_table_could_put_out_is_in_danger(
    line: str, limit: int, dearest: int
) -> None:
    ann = at(line)
    danger = DANGER.format(limit)
    seen = 0
    while (asked := question(ann)) is not None:
        seats = ann.world.room().model(None).seats
        near = [
            f"{'you' if seat == 1 else each.name} {each.total}"
            for seat, each in sorted(seats.items())
            if limit - dearest <= each.total < limit and not each.out
        ]
        told = [line.removeprefix(danger) for line in ann.say("hand") if line.startswith(danger)]
        if asked.seat == 1:
            assert [line.split(".")[0].split(", ") for line in told] == [near] * bool(near)
            seen += bool(near)
        until(ann, "")
    assert seen


def test_where_any_card_could_put_anybody_out_all_are_in_danger() -> None:
    said = at("practice bots=1 seed=22 limit=10").say("hand")
    assert "In danger (10 points is out): you 0, bot:steady 0." in said


def test_terse_leaves_it_out() -> None:
    ann = at(TWENTYTWO)
    ann.say("set terse on")
    said = until(ann, "to beat.  ")
    assert not any("Gone" in line or "Cards:" in line for line in said)


@pytest.mark.parametrize("how", ["practice", "option"])
def test_a_table_may_be_without_counting(how: str) -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    if how == "practice":
        ann.say(f"{TWENTYTWO} counting=off")
        assert "counting off" in " ".join(ann.say("rules"))
        assert not any("Gone" in line for line in until(ann, "Cards:"))
        return
    ann.say("open seats=2")
    told = bob.say("join t1")
    assert "counting" not in " ".join(told)
    assert ann.say("option counting off")[0] == "You set counting to off."
    assert bob.take() == ["~ann sets counting to off."]
    assert "! counting takes on or off." in ann.say("option counting maybe")
    assert world.restarted().room().table.settings.counting is False
    assert any(line.strip().startswith("counting off") for line in bob.say("table"))


def test_a_table_with_counting_is_stored_as_it_was_before_there_was_a_choice() -> None:
    for line, stored in (("open", False), ("open counting=off", True)):
        world = World()
        world.program("ann").ok(line)
        assert isinstance(world.store, MemoryStore)
        kept = repr(world.store.remembered())
        assert ('"counting"' in kept) is stored


def test_a_program_is_told_of_a_table_without_counting() -> None:
    ann = World().program("ann")
    ann.ok("open counting=off")
    options = [each.fields for each in ann.events("t1") if each.word == "OPTION"]
    assert [each["value"] for each in options if each["key"] == "counting"] == ["off"]
    assert ann.err("open counting=perhaps") == "BAD_ARG"
    bob = World().program("bob")
    bob.ok("open")
    assert not any(each.fields.get("key") == "counting" for each in bob.events("t1"))


def test_what_has_gone_is_what_was_seen_to_go() -> None:
    table = Fold("t1", me=1)
    table.so_far = lambda: [
        Exchanged(1, 2, ("2C", "3C"), ("KH", "QH")),
        Exchanged(2, 5),
        Trick(1, 1),
        Played(1, ("KH",), "lead", 6),
        Played(2, ("XK",), "beat", 6),
        Shown(2, "5H"),
    ]
    assert gone(table) == ["2C", "3C", "KH", "XK", "5H"]
    assert gone(Fold("t1")) == []


def test_who_does_not_follow_has_none_of_that_suit() -> None:
    table = Fold("t1", me=1)
    table.so_far = lambda: [
        Trick(1, 1),
        Played(1, ("7H",), "lead", 7),
        Played(2, ("8H",), "follow", 7),
        Played(3, ("8C",), "discard", 7),
        Trick(2, 3),
        Played(3, ("9C",), "lead", 6),
        Played(1, ("7D",), "discard", 6),
    ]
    assert voids(table) == {3: ["H"], 1: ["C"]}


def test_whist_tells_everybodys_bid_and_what_they_have_won_of_it() -> None:
    ann = at("practice whist22 seed=10")
    said = until(ann, "Your bid")
    assert "Bids: bot:steady 1, bot:steady2 0, bot:steady3 1." in said
    said = until(ann, "Won of bid:")
    told = " ".join(line.strip() for line in said)
    assert (
        "Won of bid: you 0 of 0, bot:steady 0 of 1, bot:steady2 0 of 0, bot:steady3 0 of 1; "
        "2 bid for 5 tricks. Your cards:"
    ) in told


@together("game", ["whist22", "twentyeight"])
@together("terse", ["off", "on"])
def test_who_is_asked_as_soon_as_the_cards_are_dealt_reads_them_once(game: str, terse: str) -> None:
    ann = at(f"set terse {terse}")
    said = ann.say(f"practice {game} seed={FIRST_TO_BID[game]}")
    assert said[-1].startswith("Your bid")
    assert sum(line.startswith(("Your cards: ", "You get ")) for line in said) == 1


FIRST_TO_BID = {"whist22": 3, "twentyeight": 3}
"""A seed for each game by which the person bids first."""


def test_twentyeight_tells_bids_partner_trump_and_who_cannot_follow() -> None:
    ann = at("practice twentyeight seed=8")
    ann.say("14")
    said = " ".join(map(str.strip, until(ann, "Bids: ")))
    assert "Bids: you 14, bot:steady 15, bot:steady2 (your partner) pass, bot:steady3 pass." in said
    said = " ".join(map(str.strip, until(ann, "Your lead")))
    assert "The trump is hidden." in said
    assert "bot:steady and bot:steady3: 0 of 15 points, bid by bot:steady." in said
    said = " ".join(map(str.strip, until(ann, "Trumps: clubs.")))
    assert "hidden" not in said
    assert "No diamonds: bot:steady2." in " ".join(map(str.strip, until(ann, "No diamonds")))


def test_state_names_the_sides() -> None:
    said = at("practice twentyeight seed=8").say("state")
    assert "  Together: you and bot:steady2." in said
    assert "  Together: bot:steady and bot:steady3." in said
    assert not any("Together" in line for line in at(TWENTYTWO).say("state"))


def test_equal_cards_that_have_gone_are_together_and_several_jokers_are_counted() -> None:
    table = Fold("t1", me=1)
    table.trick = 2
    table.so_far = lambda: [
        Played(1, ("2C", "2D"), "lead", 6),
        Played(2, ("X", "XK"), "beat", 6),
        Played(1, ("TC", "TD"), "lead", 4),
    ]
    voice = Voice({}, show=lambda cards: " ".join(NAMES.get(card, card) for card in cards))
    assert at_a_glance(table, voice).facts == ("gone: 22 10 10 2 jokers",)


NAMES = {"X": "joker", "T": "10"}
