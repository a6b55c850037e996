"""Bots that think elsewhere: how long they take, and what they find."""

from __future__ import annotations

from twisted.internet.defer import Deferred, succeed

from tests.kit.hosts import World
from twentytwo_protocol.words.cardplay import Dealt, Game_, Hand_, Trick, Turn
from twentytwo_server import workers
from twentytwo_server.games.registry import games
from twentytwo_server.ports import Job, Weighed

RULES = games()["twentytwo"].rules("pagat", {})
SEEN = (
    Game_("twentytwo", "g1", 2, "-", 22),
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

    def weigh(self, job: Job) -> Deferred[Weighed | None]:
        return succeed(None)

    def stop(self) -> None:
        """There is nothing to stop."""


def test_an_easy_choice_takes_as_long_as_any_other() -> None:
    world = World(think=700)
    world.host.thinker = Quick()
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


def test_the_moves_are_weighed_with_the_chance_to_lose_the_hand() -> None:
    found = workers._weigh(job("3", "3+3", "K"), 0.05)
    assert {move.token for move in found} == {"3", "3+3", "K"}
    worth = [move.worth for move in found]
    assert found[0].worth == max(worth)
    assert all(move.loss is not None and 0 <= move.loss <= 1 for move in found)
    king_kept = next(move for move in found if move.token == "3+3")
    assert king_kept.loss == max(move.loss or 0.0 for move in found)
