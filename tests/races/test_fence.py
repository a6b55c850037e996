"""The answer to a ping comes after all that the command before has caused (SPEC R3, R6).

Every declared command, with a ping behind it in one packet, at every kind and phase of a table. The
store is late, so that what a command leads to comes later; the clock stands still, so that nothing
else happens.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

import pytest

from tests.races.house import GRACE, PASSWORD, Caller, House
from twentytwo_protocol import games, words
from twentytwo_protocol.schema import COMMANDS, FOLLOWED, Deed
from twentytwo_protocol.wire import ParsedLine, write_command
from twentytwo_server.host.tables.room import Room
from twentytwo_server.table.match import Match

DECLARED = (words, games)
"""Importing these declares every command."""

UNTRIED = {
    "caps": "what comes after it has another form",
    "finish": "what comes after it is played by bots",
    "hello": "it is said once, in the beginning",
    "pong": "it is not answered",
    "quit": "nothing comes after it",
    "review": "other processes make it",
}
"""Commands that are not tried, and why."""

pytestmark = pytest.mark.usefixtures("quiet")


@dataclass
class Scene:
    """A server at which somebody is about to give a command; `on` is the table that is meant."""

    house: House
    ann: Caller
    bob: Caller
    on: str = "t1"
    token: str = "none"
    verbs: Collection[str] = tuple(COMMANDS)

    @property
    def room(self) -> Room | None:
        return self.house.world.host.rooms.own.get(self.on)

    @property
    def match(self) -> Match | None:
        return self.room.table.match if self.room is not None else None

    @property
    def asked(self) -> bool:
        """True if it is ann's turn."""
        seat = self.room.table.on_turn if self.room is not None else None
        return seat is not None and seat.name == self.ann.name


# -------------------------------------------------------------------------------- the scenes


def alone() -> Scene:
    """Ann is nobody yet; a seat is kept for a guest, and a bot plays for it."""
    house = House(pause=1_000)
    lost, bob = house.guest("lost"), house.guest("bob")
    house.game(lost, bob)
    lost.line.lose()
    house.clock.advance(GRACE - 1)
    house.account("eve")
    return Scene(house, house.caller(), bob, token=lost.token)


def guests() -> tuple[House, Caller, Caller]:
    """Ann, who follows all that can be followed, and bob; mallory looks for somebody to play."""
    house = House(pause=1_000, dev=True)
    ann, bob, mallory = map(house.guest, ("ann", "bob", "mallory"))
    for stream in FOLLOWED:
        ann.ask(f"follow {stream}")
    mallory.ask("seek twentytwo players=2")
    return house, ann, bob


def nowhere() -> Scene:
    """Ann has no seat; bob has invited her to his table."""
    house, ann, bob = guests()
    bob.ask("open twentytwo seats=3 clock=0")
    bob.ask("invite ann")
    return Scene(house, ann, bob)


def waiting() -> Scene:
    """Ann is the host of a table where everybody is ready."""
    house, ann, bob = guests()
    ann.ask("open twentytwo seats=4 clock=0 bots=1")
    bob.ask("join t1")
    bob.ask("ready")
    return Scene(house, ann, bob)


def a_guest_waiting() -> Scene:
    """The same, where ann is not the host, and is ready herself."""
    house, ann, bob = guests()
    bob.ask("open twentytwo seats=3 clock=0")
    ann.ask("join t1")
    ann.ask("ready")
    ann.ask("block mallory")
    return Scene(house, ann, bob)


def starting() -> Scene:
    """The game waits for ann to open her sealed word."""
    scene = waiting()
    scene.ann.ask(f"seedhash {sha256(b'kitten').hexdigest()}")
    scene.ann.ask("start")
    return scene


def playing(*, mine: bool = True, options: str = "clock=0") -> Scene:
    """A game; it is ann's turn, or not."""
    house, ann, bob = guests()
    callers = (ann, bob) if mine else (bob, ann)
    house.game(*callers, options=options)
    scene = Scene(house, ann, bob)
    while scene.asked is not mine:
        token = house.moves()[0]
        house.on_turn(ann, bob).ask(f"move {token}")
    return scene


def voting(word: str) -> Scene:
    """A game that ends, or pauses, where ann agrees."""
    scene = playing()
    scene.bob.ask(word)
    return scene


def paused() -> Scene:
    """A game that stands still."""
    scene = voting("pause")
    scene.ann.ask("pause")
    return scene


def over() -> Scene:
    """A game has been lost."""
    scene = playing()
    scene.ann.ask("resign")
    return scene


def rated() -> Scene:
    """A game that counts."""
    house = House(pause=1_000)
    ann, bob = house.account("ann"), house.account("bob")
    house.game(ann, bob, options="clock=60 rated=1")
    ann.ask("friend bob")
    return Scene(house, ann, bob)


def practising(line: str = "practice bots=1") -> Scene:
    """A practice table, or a daily deal; ann has decided something."""
    house, ann, bob = guests()
    on = ann.ask(line).fields["on"]
    scene = Scene(house, ann, bob, on)
    for _ in range(2):
        while not scene.asked:
            house.clock.advance(1_000)
        assert scene.match is not None
        ann.ask(f"move {next(iter(scene.match.moves())).token} {on}")
    while not scene.asked:
        house.clock.advance(1_000)
    return scene


def practised(line: str = "practice bots=1") -> Scene:
    """The same when the game is over."""
    scene = practising(line)
    scene.ann.ask("resign")
    return scene


def watching() -> Scene:
    """Ann looks on."""
    house, ann, bob = guests()
    house.game(bob, house.guest("cat"))
    ann.ask("watch t1")
    ann.ask("seek whist22 players=3")
    return Scene(house, ann, bob)


def pair(*then: str) -> Scene:
    """A pair of tables, at each of which there is one; both do what ann does then."""
    house, ann, bob = guests()
    ann.ask("open twentytwo seats=2 clock=0 duplicate=1")
    bob.ask("join t2")
    bob.ask("ready")
    for line in then:
        bob.ask(line)
        ann.ask(line)
    return Scene(house, ann, bob)


def stood_in_for() -> Scene:
    """A bot plays for ann, who has let her time run out too often: any command brings her back."""
    scene = playing(options="clock=5")
    scene.verbs = ("whoami", "hand", "say", "practice", "leave")
    assert scene.room is not None
    while not any(seat.standin for seat in scene.room.table.seats if seat.name == scene.ann.name):
        scene.house.clock.advance(6_000)
    return scene


SCENES: dict[str, Callable[[], Scene]] = {
    "nobody yet": alone,
    "no table": nowhere,
    "open, the host": waiting,
    "open, a guest": a_guest_waiting,
    "starting": starting,
    "on turn": playing,
    "not on turn": lambda: playing(mine=False),
    "abort?": lambda: voting("abort"),
    "pause?": lambda: voting("pause"),
    "paused": paused,
    "over": over,
    "rated": rated,
    "practice": practising,
    "practice, over": practised,
    "daily": lambda: practising("daily twentytwo"),
    "daily, over": lambda: practised("daily twentytwo"),
    "a lesson": lambda: practising("tutorial"),
    "watching": watching,
    "a pair": pair,
    "a pair, playing": lambda: pair("start"),
    "a pair, over": lambda: pair("start", "abort"),
    "stood in for": stood_in_for,
}


# -------------------------------------------------------------------------------- the lines

MORE: dict[str, tuple[str, ...]] = {
    "accept": ("accept bob", "accept mallory"),
    "decline": ("decline bob",),
    "daily": ("daily whist22",),
    "dropbot": ("dropbot 2", "dropbot 3"),
    "join": ("join t1", "join t2"),
    "lab": ("lab decided", "lab pair"),
    "login": (f"login eve :{PASSWORD}",),
    "password": (f"password {PASSWORD.replace(' ', '%20')} :four kind mice",),
    "seek": ("seek twentytwo players=2",),
    "swap": ("swap 2", "swap 3"),
    "sync": ("sync t1 from=0", "sync me from=0"),
    "unblock": ("unblock mallory",),
    "tutorial": ("tutorial", "tutorial whist22"),
    "unfollow": ("unfollow tables",),
    "watch": ("watch t1",),
    "whatif": ("whatif last",),
}
"""Lines that lead to more than the example of the command does."""


def lines(scene: Scene) -> Iterator[tuple[str, str]]:
    """The lines that are tried in a scene, each with its verb."""
    for verb, kind in COMMANDS.items():
        if verb in UNTRIED or verb not in scene.verbs:
            continue
        example = re.sub(r"\bg[0-9]+\b", "last", re.sub(r"\bt[0-9]+\b", scene.on, kind.example))
        yield from ((verb, each) for each in dict.fromkeys((verb, example, *MORE.get(verb, ()))))
    yield "resume", f"resume {scene.token}"
    if scene.match is not None and scene.asked and "move" in scene.verbs:
        deed = next(iter(scene.match.moves()))
        yield "move", f"move {deed.token}"
        yield type(deed).word.word, write_command(deed)


# --------------------------------------------------------------------------------- the proof


@dataclass
class Tried:
    """The lines that answer a command with a ping behind it."""

    reply: ParsedLine
    late: list[ParsedLine]
    changed: bool


def try_out(scene: Scene, line: str) -> Tried:
    """Sends both in one packet, and looks at all that comes of it."""
    house, ann = scene.house, scene.ann
    house.clock.settle()
    ann.listen()
    kept = len(house.store.kept)
    house.store.late = True
    ann.send(f"@c {line}\n@p ping x\n")
    while house.store.waiting:
        house.store.release_one()
        house.clock.settle()
    house.store.late = False
    heard = ann.listen()
    (reply,) = [each for each in heard if each.id == "c" and each.word in ("OK", "ERR")]
    (fence,) = [n for n, each in enumerate(heard) if each.id == "p"]
    late = [each for each in heard[fence:] if each.id is None]
    changed = len(house.store.kept) > kept or any(each.id is None for each in heard)
    return Tried(reply, late, changed)


def results(build: Callable[[], Scene]) -> Iterator[tuple[str, str, Tried]]:
    """All that is tried in a scene; it is set up anew when a command has changed something."""
    scene = build()
    for verb, line in list(lines(scene)):
        tried = try_out(scene, line)
        yield verb, line, tried
        if tried.changed or (tried.reply.word == "OK" and COMMANDS[verb].once):
            scene = build()


def test_the_answer_to_a_ping_comes_after_all_that_the_command_before_has_caused() -> None:
    late, carried_out = list[str](), set(UNTRIED)
    for name, build in SCENES.items():
        for verb, line, tried in results(build):
            if tried.reply.word == "OK":
                carried_out.add(verb)
            if tried.late:
                late.append(f"{name}: {line}: {' '.join(each.word for each in tried.late)}")
    assert not late, "\n".join(late)
    deeds = {verb for verb, kind in COMMANDS.items() if issubclass(kind, Deed)}
    untried = set(COMMANDS) - deeds - carried_out
    assert not untried, "give these a line or a scene in which they are carried out"


def test_the_result_of_a_daily_deal_comes_before_the_answer_to_a_ping_behind_its_last_move() -> (
    None
):
    for chance in map(random.Random, range(20)):
        scene = practising("daily twentyeight")
        while (match := scene.match) is not None and not match.over:
            if scene.asked:
                deed = chance.choice(list(islice(match.moves(), 4)))
                assert not try_out(scene, f"move {deed.token}").late
            else:
                scene.house.clock.advance(1_000)
        if [each.word for each in scene.ann.heard][-2:] == ["FINISHED", "OK"]:
            return
    raise AssertionError("ann never makes the last move")
