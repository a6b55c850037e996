"""`hint`: what the hard bot would do, and in one sentence why."""

from __future__ import annotations

from msgspec.structs import replace
from twisted.internet.defer import Deferred, succeed

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.looking import HintRow
from twentytwo_server.games.search.hard import WORLDS_FOR_FIGURES
from twentytwo_server.host.commands.hints import hint_row, hinted
from twentytwo_server.host.surroundings import NoBotWorkers
from twentytwo_server.ports import Evaluation, Job, MoveEvaluation

LEAD = Turn(1, 1, "play", choose="one")
FOLLOW = Turn(1, 1, "play", choose="one", beat=("9",), low=("3",))
STAKE = "you lose the hand"


class Sage(NoBotWorkers):
    """Weighs the moves of every turn alike."""

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        return succeed(
            [MoveEvaluation("-", 0.61, 0.184, 312), MoveEvaluation("9+J", 0.5, 0.27, 200)]
        )


def weighed(
    token: str, worth: float, loss: float | None = None, worlds: int = WORLDS_FOR_FIGURES
) -> MoveEvaluation:
    """A move that was tried in worlds enough to tell a figure, unless told otherwise."""
    return MoveEvaluation(token, worth, loss, worlds)


def on_turn(world: World, ann: Peer) -> Peer:
    """Ann at a practice table, once she is asked."""
    ann.say("practice bots=3 seed=1")
    for _ in range(20):
        seat = world.room().table.on_turn
        if seat is not None and seat.number == 1:
            break
        world.advance(100)
    return ann


def test_a_hint_is_one_sentence_for_a_person() -> None:
    world = World()
    world.host.tables.bot_workers = Sage()
    ann = on_turn(world, world.person("ann"))
    said = " ".join(" ".join(ann.say("hint")).split())
    assert said.startswith(
        "I would keep all cards: you lose the hand 18 % of the time (with 9 J: 27 %)."
    )


def test_the_figures_of_a_hint_are_rows_for_a_program() -> None:
    world = World()
    world.host.tables.bot_workers = Sage()
    rows = [row.fields for row in on_turn(world, world.program("ann")).rows("hint")]
    figures = [(row["move"], row["chance"], row["loss"], row["worlds"]) for row in rows]
    assert figures == [("-", "61", "18", "312"), ("9+J", "50", "27", "200")]


def test_where_nobody_can_think_there_is_no_hint_just_then() -> None:
    world = World()
    assert on_turn(world, world.program("ann")).err("hint") == "BUSY"


def test_the_sentence_compares_with_two_other_moves() -> None:
    found = [
        weighed("9", 0.3, 0.18),
        weighed("Q", 0.25, 0.27),
        weighed("3", 0.2, 0.41),
        weighed("K", 0.1, 0.6),
    ]
    assert hinted(found, FOLLOW, STAKE) == (
        "I would play 9: you lose the hand 18 % of the time (with Q: 27 %, 3: 41 %)."
    )


def test_a_move_that_risks_more_says_what_for() -> None:
    found = [weighed("9", 0.3, 0.18), weighed("Q+Q", 0.25, 0.07)]
    assert hinted(found, LEAD, STAKE) == (
        "I would lead 9: you lose the hand 18 % of the time (with Q Q: 7 %), "
        "but it is better for the whole game."
    )


def test_it_does_not_where_chance_may_have_made_the_difference() -> None:
    found = [weighed("9", 0.3, 0.18), replace(weighed("Q+Q", 0.29, 0.07), close=True)]
    assert hinted(found, LEAD, STAKE) == (
        "I would lead 9: you lose the hand 18 % of the time (with Q Q: 7 %)."
    )


def test_why_a_move_is_good_is_told_before_the_figures() -> None:
    best = replace(weighed("K", 0.3, 0.18), why="you hold two kings")
    assert hinted([best, weighed("9", 0.25, 0.27)], LEAD, STAKE) == (
        "I would lead K: you hold two kings. You lose the hand 18 % of the time (with 9: 27 %)."
    )
    assert hint_row(best) == HintRow("K", 30, 18, WORLDS_FOR_FIGURES, "you hold two kings.")
    assert hint_row(best, fact=True).text is None


def test_moves_that_stake_different_things_are_compared_by_the_chance_to_win() -> None:
    found = [weighed("pass", 0.53, 0.44), weighed("15", 0.52, 0.12)]
    said = hinted(found, Turn(1, 1, "bid", choose="one"), STAKE, alike=False)
    assert said == "I would pass: you win the game 53 % of the time (with 15: 52 %)."


def test_where_losing_is_not_reckoned_the_sentence_tells_the_chance_to_win() -> None:
    found = [weighed("T", 0.3), weighed("Q", 0.25)]
    assert hinted(found, LEAD, "") == (
        "I would lead 10: you win the game 30 % of the time (with Q: 25 %)."
    )


@together(
    ("act", "token", "would"),
    [
        ("exchange", "-", "keep all cards"),
        ("exchange", "8+9", "exchange 8 9"),
        ("bid", "16", "bid 16"),
        ("bid", "pass", "pass"),
        ("trump", "JH", "make JH the trump card"),
        ("declare", "call", "call"),
        ("declare", "no", "not call"),
    ],
)
def test_a_hint_says_what_to_do(act: str, token: str, would: str) -> None:
    asked = Turn(1, 1, act, choose="one")
    said = hinted([weighed(token, 0.5, 0.5)], asked, "your side loses the hand")
    assert said == f"I would {would}: your side loses the hand 50 % of the time."


def test_a_figure_that_few_worlds_speak_for_is_about_right() -> None:
    found = [weighed("0", 0.3, 0.15), weighed("1", 0.2, 0.8, worlds=WORLDS_FOR_FIGURES - 1)]
    said = hinted(found, Turn(1, 1, "bid", choose="one"), "you miss your bid")
    assert said == "I would bid 0: you miss your bid 15 % of the time (with 1: about 80 %)."


def test_what_was_seen_in_no_deal_or_in_all_is_said_so() -> None:
    found = [weighed("0", 0.3, 0.0), weighed("1", 0.2, 1.0), weighed("2", 0.2, 0.001)]
    said = hinted(found, Turn(1, 1, "bid", choose="one", nlegal=4), "you miss your bid")
    assert said == (
        "I would bid 0: you miss your bid in none of 200 imagined deals (with 1: always, 2: 1 %)."
    )


def test_few_deals_prove_nothing() -> None:
    found = [
        weighed("0", 0.3, 0.0, worlds=WORLDS_FOR_FIGURES - 1),
        weighed("1", 0.2, 1.0, worlds=1),
    ]
    said = hinted(found, Turn(1, 1, "bid", choose="one", nlegal=2), "you miss your bid")
    assert said == "I would bid 0: you miss your bid about 1 % of the time (with 1: about 99 %)."


def test_where_every_move_comes_to_the_same_that_is_said() -> None:
    found = [weighed("0", 0.3, 1.0), weighed("1", 0.2, 1.0)]
    asked = Turn(1, 1, "play", choose="one", nlegal=2)
    said = "I would lead 0: you miss your bid in all of 200 imagined deals, whatever you play."
    assert hinted(found, asked, "you miss your bid") == said
    more = replace(asked, nlegal=3)
    assert "whatever" not in hinted(found, more, "you miss your bid")


def test_the_same_question_has_the_same_hint() -> None:
    asked: list[Job] = []

    class Weighing(Sage):
        def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
            asked.append(job)
            return super().evaluate(job)

    world = World()
    world.host.tables.bot_workers = Weighing()
    ann = on_turn(world, world.person("ann"))
    assert ann.say("hint") == ann.say("hint")
    assert len(asked) == 1
    ann.say("keep")
    world.advance(2000)
    ann.say("hint")
    assert len(asked) == 2


def test_a_card_that_is_not_seen_has_no_figure() -> None:
    world = World()
    world.host.tables.bot_workers = Blindfold()
    ann = world.person("ann")
    ann.say("practice whist22 rules=bga seed=3 bots=2")
    for _ in range(400):
        world.advance(100)
        match = world.room().table.match
        asked = match.question if match else None
        if asked and asked.seat == 1 and not asked.hand and asked.act == "play":
            break
        if asked and asked.seat == 1:
            ann.say(f"move {asked.default}")
    said = ann.say("hint")
    assert said == ["I would play 22: it matters only if your card is the Fool."]


class Blindfold(NoBotWorkers):
    """Takes a card that it does not see for the Fool."""

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        return succeed([weighed("22", 0.3, 0.0), weighed("0", 0.2, 1.0)])
