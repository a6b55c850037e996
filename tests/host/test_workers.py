"""Bots that think in other processes: how long they take, what they find, what is given up."""

from __future__ import annotations

import asyncio
import copy
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from msgspec.structs import replace
from twisted.internet import reactor
from twisted.internet.defer import Deferred, succeed

from tests.kit.hosts import World
from twentytwo_protocol.words.cardplay import Dealt, Game_, Hand_, Trick, Turn
from twentytwo_server.games.registry import games
from twentytwo_server.ports import Evaluation, Job
from twentytwo_server.workers.pool import Workers
from twentytwo_server.workers.task_queue import QUEUED_PER_KEY

RULES = games()["twentytwo"].rules("pagat", {})
SEEN = (
    Game_("twentytwo", "g1", 2, 1, "-", 22),
    Hand_(1, 1, 3, 46),
    Dealt(1, 3),
    Dealt(2, 3, ("3C", "3D", "KS")),
    Trick(1, 2),
)


def job(*legal: str) -> Job:
    """A lead of the second seat."""
    turn = Turn(1, 2, "play", choose="one", nlegal=len(legal), legal=legal, hand=("3C", "3D", "KS"))
    return Job("t1", "twentytwo", "hard", RULES, 2, SEEN, turn, 1)


class Quick:
    """Workers that have an answer at once."""

    def think(self, job: Job) -> Deferred[str | None]:
        return succeed(job.turn.default)

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        return succeed(None)

    def stop(self) -> None:
        """There is nothing to stop."""


def test_an_easy_choice_takes_as_long_as_any_other() -> None:
    world = World(think=700)
    world.host.tables.bot_workers = Quick()
    ann = world.program("ann")
    ann.ok("practice bots=3 level=hard")
    for _ in range(30):
        seat = world.room().table.on_turn
        assert seat is not None
        before = world.room().stream.last
        if seat.level:
            world.advance(699)
            assert world.room().stream.last == before
            world.advance(1)
        else:
            ann.ok(f"move {default(world)}")
        assert world.room().stream.last > before


def default(world: World) -> str:
    match = world.room().table.match
    assert match is not None and match.question is not None
    return match.question.default or ""


async def test_the_moves_are_weighed_with_the_chance_to_lose_the_hand() -> None:
    async with working() as busy:
        found = await busy.evaluate(LEAD).asFuture(asyncio.get_running_loop())
    assert found is not None
    assert {move.token for move in found} == {"3", "3+3", "K"}
    worth = [move.worth for move in found]
    assert found[0].worth == max(worth)
    assert all(move.loss is not None and 0 <= move.loss <= 1 for move in found)
    king_kept = next(move for move in found if move.token == "3+3")
    assert king_kept.loss == max(move.loss or 0.0 for move in found)


# ------------------------------------------------------------------------- the processes


@asynccontextmanager
async def working(seconds: float = 0.05) -> AsyncIterator[Workers]:
    """One worker, which has had its first job; nothing of it stays."""
    found = Workers(seconds, reactor.callFromThread, processes=1)  # type: ignore[attr-defined]
    try:
        assert await wait(found.think(LEAD)) in LEGAL
        yield found
    finally:
        found.stop()
        assert multiprocessing.active_children() == []


async def wait(answer: Deferred[str | None]) -> str | None:
    return await answer.asFuture(asyncio.get_running_loop())


class Noted:
    """Something that notes when it is sent to another process; what arrives there is `what`."""

    def __init__(self, what: object) -> None:
        self.what = what
        self.sent = threading.Event()

    def __reduce__(self) -> tuple[Any, ...]:
        self.sent.set()
        return copy.copy, (self.what,)


LEGAL = ("3", "3+3", "K")
LEAD = job(*LEGAL)


async def test_a_worker_that_dies_costs_an_answer_and_the_next_job_has_another(
    quiet: None,
) -> None:
    async with working(seconds=5) as found:
        (process,) = multiprocessing.active_children()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGSTOP)  # or it might have answered before it dies
        rules = Noted(RULES)
        answer = found.think(replace(LEAD, rules=rules))
        # Not before the job is on its way: one that finds its worker dead has another at once.
        assert await asyncio.to_thread(rules.sent.wait, 30)
        process.kill()
        assert await wait(answer) is None
        again = found.think(replace(LEAD, turn=replace(LEAD.turn, legal=("3",))))
        assert await wait(again) is not None
        (another,) = multiprocessing.active_children()
        assert another.pid != process.pid


async def test_a_job_that_fails_has_no_answer_and_its_worker_goes_on(quiet: None) -> None:
    async with working() as found:
        (process,) = multiprocessing.active_children()
        assert await wait(found.think(replace(LEAD, game="no such game"))) is None
        assert await wait(found.think(LEAD)) is not None
        assert [each.pid for each in multiprocessing.active_children()] == [process.pid]


async def test_tables_take_turns_and_none_has_many_jobs_wait() -> None:
    order: list[str] = []

    def noted(answer: str | None, table: str) -> str | None:
        order.append(table)
        return answer

    async with working() as found:
        greedy = [found.think(replace(LEAD, table="t1")) for _ in range(QUEUED_PER_KEY + 3)]
        modest = [found.think(replace(LEAD, table=table)) for table in ("t2", "t3")]
        # One is under way, and as many as a table may have wait: the others are lost at once.
        assert [each.called for each in greedy] == [False] * (1 + QUEUED_PER_KEY) + [True] * 2
        for each in greedy[: 1 + QUEUED_PER_KEY]:
            each.addCallback(noted, "t1")
        for table, each in zip(("t2", "t3"), modest, strict=True):
            each.addCallback(noted, table)
        for each in (*greedy, *modest):
            await wait(each)
        assert order == ["t1", "t1", "t2", "t3", *["t1"] * (QUEUED_PER_KEY - 1)]


async def test_the_queue_is_bounded_and_what_is_given_up_makes_room() -> None:
    async with working(seconds=1) as found:
        jobs = [found.think(replace(LEAD, table=f"t{n}")) for n in range(20)]
        waiting = [each for each in jobs if not each.called]
        assert len(waiting) == 1 + 5  # one is under way, and five seconds of work wait
        for each in waiting:
            each.addErrback(lambda _: None)
            each.cancel()
        another = found.think(replace(LEAD, table="t99"))
        assert not another.called
        assert await wait(another) in LEGAL


async def test_when_it_stops_its_processes_end_in_the_middle_of_a_thought() -> None:
    async with working(seconds=5) as found:
        answers = [found.think(replace(LEAD, table=f"t{n}")) for n in range(2)]
        found.stop()
        assert multiprocessing.active_children() == []
        assert await wait(found.think(LEAD)) is None
        assert not any(each.called for each in answers)
