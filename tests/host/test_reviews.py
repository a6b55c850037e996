"""`review`: what it tells people and programs, who may have it, and what it may cost."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import pytest
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from tests.host.test_past import play
from tests.kit.hosts import Peer, World
from tests.review.games import recorded
from twentytwo_protocol.record import write
from twentytwo_server.games.registry import games
from twentytwo_server.review.jobs import HandDone, HandJob, ReviewJob, SumJob
from twentytwo_server.review.judging import Effort
from twentytwo_server.review.played_again import PlayedAgain, people, played_again, read_record
from twentytwo_server.review.review import hand_review, hands_of
from twentytwo_server.workers.pool import Workers

SOON = Effort(4, 4, 4)
"""Nobody here minds how well moves are judged."""


@dataclass
class Desk:
    """Review workers that take a step when they are told to."""

    waiting: list[tuple[Deferred[Any], Callable[[], object]]] = field(default_factory=list)
    steps: int = 0
    fails: bool = False
    summed: SumJob | None = None

    def do(self, job: ReviewJob[Any]) -> Deferred[Any]:
        if isinstance(job, HandJob):
            return self._later(partial(quickly, job))
        if isinstance(job, SumJob):
            self.summed = job
        return self._later(lambda: job.do(again))

    def stop(self) -> None:
        """There is nothing to stop."""

    def _later(self, work: Callable[[], object]) -> Deferred[Any]:
        found: Deferred[Any] = Deferred(self._dropped)
        self.waiting.append((found, work))
        return found

    def _dropped(self, step: Deferred[Any]) -> None:
        self.waiting = [each for each in self.waiting if each[0] is not step]

    def step(self, most: int = 1) -> None:
        """Takes so many steps, if there are any."""
        while self.waiting and most:
            found, work = self.waiting.pop(0)
            self.steps += 1
            most -= 1
            found.callback(None if self.fails else work())


@cache
def quickly(job: HandJob) -> HandDone:
    """A step with the least of work, and once for all tests."""
    played = again(job.record)
    numbers, seats = hands_of(played), job.seats or people(played)
    return HandDone(hand_review(played, numbers[job.index], seats, SOON), len(numbers), seats)


@cache
def again(text: str) -> PlayedAgain:
    return played_again(read_record(text), games())


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def desk(world: World) -> Desk:
    """The workers of the world."""
    desk = Desk()
    world.host.reviews.__init__(desk)  # type: ignore[misc]
    return desk


def over(world: World, *names: str, options: str = "options=first_hand:3,limit:14") -> list[Peer]:
    """Programs that have finished a game."""
    peers = [world.program(name) for name in names]
    world.game(*peers, options=options)
    play(world)
    return peers


def test_a_program_is_told_each_hand_and_gets_rows(world: World, desk: Desk) -> None:
    ann, _ = over(world, "ann", "bob")
    ann.take()
    ann.hear("@r review g1")
    desk.step(100)
    lines = ann.take()
    notes = [line for line in lines if line.startswith("NOTE")]
    assert notes[0].startswith("NOTE code=REVIEWING") and ":g1: hand 2 of " in notes[0]
    words = [line.split()[1] for line in lines if line.startswith("@r")]
    hands = desk.steps - 1
    assert words.count("CHANCES") == hands + 1
    assert words.count("LUCK") == 2
    assert words[-1] == "OK"
    assert f"n={len(words) - 1}" in lines[-1]
    marked = words.count("MARKED")
    assert re.search(rf" :\d+ moves judged, {marked or 'no fault found'}( marked)?\.$", lines[-1])


def test_a_person_goes_on_and_is_told_when_it_is_done(world: World, desk: Desk) -> None:
    over(world, "ann", "bob")
    cat = world.person("cat")
    said = " ".join(cat.say("review g1"))
    assert said == "Reviewing g1; it takes some seconds, and you can go on meanwhile."
    assert "cat" in " ".join(cat.say("who"))
    cat.take()
    desk.step(100)
    told = cat.take()
    assert "Review of g1: Twenty-Two (pagat), " in "\n".join(told)
    assert any(line.startswith("~ann: ") for line in told)
    assert all(len(line) < 80 and line.isascii() for line in told)


def test_a_person_is_told_three_times_how_far_it_is_however_many_hands_there_are(
    world: World, desk: Desk
) -> None:
    over(world, "ann", "bob", options="options=first_hand:2,limit:60")
    cat = world.person("cat")
    cat.say("review g1")
    desk.step(100)
    told = [line for line in cat.take() if line.startswith("* Reviewing g1: hand ")]
    (hands,) = {int(line.rstrip(".").rpartition(" ")[2]) for line in told}
    assert hands >= 8 and hands == desk.steps - 1
    # Where a quarter of them, a half and three quarters are done.
    assert [int(line.split()[4]) for line in told] == [-(-hands * n // 4) + 1 for n in (1, 2, 3)]


def test_those_who_played_are_told_of_their_own_moves(world: World, desk: Desk) -> None:
    _, bob = over(world, "ann", "bob")
    bob.hear("@r review last")
    desk.step(100)
    assert desk.summed is not None
    assert (desk.summed.seats, desk.summed.you) == ((2,), 2)
    bob.hear("@r review g1 seat=0")
    desk.step(100)
    assert (desk.summed.seats, desk.summed.you) == ((1, 2), 2)
    cat = world.program("cat")
    cat.hear("@r review g1")
    desk.step(100)
    assert (desk.summed.seats, desk.summed.you) == ((1, 2), None)


def test_a_review_that_was_made_is_not_made_again(world: World, desk: Desk) -> None:
    ann, bob = over(world, "ann", "bob")
    for peer in (ann, bob):
        peer.hear("@r review g1 seat=1")
        desk.step(100)
    whole = desk.steps
    ann.hear("@r review g1 seat=1")
    desk.step(100)
    assert whole - 2 >= 2
    assert desk.steps == whole + 1


def test_whoever_is_gone_leaves_no_work_behind(world: World, desk: Desk) -> None:
    over(world, "ann", "bob")
    for peer in (world.person("cat"), world.program("dan")):
        peer.hear("review g1")
        assert len(desk.waiting) == 1
        peer.drop()
        assert desk.waiting == []
    ann = world.program("eve")
    ann.hear("@r review g1")
    desk.step(100)
    assert "@r OK" in ann.take()[-1]


def test_an_address_has_one_review_at_a_time(world: World, desk: Desk) -> None:
    ann, bob = over(world, "ann", "bob")
    ann.hear("@r review g1")
    assert bob.err("review g1 seat=2") == "QUOTA"
    desk.step(100)
    bob.hear("@r review g1 seat=2")
    desk.step(100)
    assert "@r OK" in bob.take()[-1]


def test_a_running_game_is_not_reviewed(world: World, desk: Desk) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob, options="options=first_hand:3,limit:14")
    assert ann.err("review g1") == "GAME_RUNNING"
    assert cat.err("review g1") == "GAME_RUNNING"
    assert cat.err("review g9") == "NO_SUCH_GAME"
    assert ann.err("review last") == "NO_SUCH_GAME"
    assert desk.waiting == []


def test_a_private_game_is_reviewed_only_for_those_who_played(world: World, desk: Desk) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob, options="watch=none options=first_hand:3,limit:14")
    play(world)
    assert cat.err("review g1") == "NO_SUCH_GAME"
    bob.hear("@r review g1")
    desk.step(100)
    assert "@r OK" in bob.take()[-1]


def test_a_seat_that_is_not_there_is_refused(world: World, desk: Desk) -> None:
    ann, _ = over(world, "ann", "bob")
    assert ann.err("review g1 seat=3") == "BAD_ARG"


def test_a_step_that_fails_is_said_and_may_be_tried_again(world: World, desk: Desk) -> None:
    ann, _ = over(world, "ann", "bob")
    cat = world.person("cat")
    desk.fails = True
    cat.say("review g1")
    ann.hear("@r review g1 seat=1")
    desk.step(100)
    assert "No review just now" in " ".join(cat.take())
    desk.fails = False
    cat.say("review g1")
    desk.step(100)
    assert "Review of g1" in " ".join(cat.take())


async def test_a_hand_is_reviewed_in_another_process() -> None:
    workers = Workers(0.5, reactor.callFromThread, 1, 19, 60)  # type: ignore[attr-defined]
    try:
        text = write(recorded("twentyeight"))
        done = await workers.do(HandJob("place", text, 0, (1,))).asFuture(
            asyncio.get_running_loop()
        )
        assert done is not None and done.hand is not None
        assert (done.hand.no, done.seats) == (1, (1,))
        job = SumJob("place", text, (done.hand,), (1,), 1)
        found = await workers.do(job).asFuture(asyncio.get_running_loop())
        assert found is not None and found.lines[0].startswith("Review: Twenty-Eight")
        wrong = await workers.do(HandJob("place", "hello", 0, ())).asFuture(
            asyncio.get_running_loop()
        )
        assert wrong is not None and wrong.wrong.startswith("That is not a record")
    finally:
        workers.stop()
