"""What was told to one seat alone stays with whoever sat there, and not with the seat."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.hosts import Peer, World
from twentytwo_protocol import wire
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import EVENTS, Event, Message
from twentytwo_protocol.words.cardplay import Hand_, Turn
from twentytwo_protocol.words.seating import Joined, Left, Swapped

PRIVATE = {
    word: {field.key for field in cls.word.fields if field.attr in cls.private}
    for word, cls in EVENTS.items()
}

pytestmark = pytest.mark.usefixtures("quiet")


def past(peer: Peer, on: str = "t1") -> list[str]:
    """All events of a table as somebody is told them again."""
    return [line for line in peer.say(f"sync {on} from=0") if not line.startswith("@")]


def own(lines: list[str]) -> Iterator[str]:
    """The lines that have a field which is not for everybody."""
    for line in lines:
        read = wire.parse(line)
        if read is not None and PRIVATE.get(read.word, set()) & read.fields.keys():
            yield line


def told(line: str) -> tuple[int, Event]:
    read = wire.parse(line)
    assert read is not None and read.seq is not None
    event = wire.decode(read)
    assert isinstance(event, Event)
    return read.seq, event


def folded(lines: list[str], name: str) -> TableModel:
    """What a client makes of these lines: its seat is the one that its name sits down at."""
    model = TableModel("t1")
    for seq, event in map(told, lines):
        if isinstance(event, Joined | Swapped) and event.name == name:
            model.me = event.seat
        model.see(event, seq)
        if isinstance(event, Left) and event.name == name:
            model.me = None
    return model


def known(world: World, peer: Peer) -> TableModel:
    return world.room().models.of(peer.name)


@pytest.fixture
def evening() -> World:
    """Ann and bob have played some turns of a game, and broken it off; cat has watched."""
    world = World()
    ann, bob, cat, _ = (world.program(name) for name in ("ann", "bob", "cat", "dan"))
    ann.ok("open twentytwo seats=3 clock=0 options=first_hand:4")
    bob.ok("join t1")
    cat.ok("watch t1")
    bob.ok("ready")
    ann.ok("start")
    for _ in range(6):
        match = world.room().table.match
        assert match is not None and match.question is not None
        cards = "+".join(match.question.cards or ())
        world.on_turn().ok(f"move {cards or match.question.default}")
    ann.ok("abort")
    bob.ok("abort")
    return world


def people(world: World) -> list[Peer]:
    return world.peers[:4]


def test_a_stranger_on_the_seat_is_told_what_a_watcher_was(evening: World) -> None:
    ann, bob, cat, dan = people(evening)
    mine = [*own(past(bob))]
    assert len(mine) > 3
    bob.ok("leave")
    assert [*own(past(cat))] == []
    seen = past(cat)
    dan.ok("join t1 2")
    assert past(dan)[:-1] == seen
    assert [*own(dan.say("state t1"))] == []
    assert "cards" not in dan.ok("hand").fields or dan.ok("hand").fields["cards"] == ""
    assert len([*own(past(ann))]) > 3
    token, line = dan.token, evening.peer()
    line.say("hello 1 client=test")
    again = line.say(f"resume {token} t1:0")
    assert [*own([each for each in again if not each.startswith("@")])] == []


def test_nobody_is_told_again_who_has_got_up_and_sits_down_once_more(evening: World) -> None:
    _, bob, cat, _ = people(evening)
    bob.ok("leave")
    bob.ok("join t1 2")
    assert past(bob) == past(cat)


def test_who_changes_seats_takes_along_what_they_were_told(evening: World) -> None:
    ann, bob, *_ = people(evening)
    before = {peer.name: past(peer) for peer in (ann, bob)}
    cards = {peer.name: known(evening, peer).holding for peer in (ann, bob)}
    assert all(cards.values())
    ann.ok("swap 2")
    for peer in (ann, bob):
        again = past(peer)
        assert again[: len(before[peer.name])] == before[peer.name]
        assert known(evening, peer).holding == cards[peer.name]
    ann.ok("swap 3")
    assert past(ann)[: len(before["~ann"])] == before["~ann"]


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize(
    "moves",
    [
        (),
        ("bob leave", "dan join t1 2"),
        ("ann swap 2",),
        ("ann swap 3", "dan join t1 1", "bob leave", "bob join t1"),
        ("ann leave", "dan join t1", "bob swap 1", "bob swap 3", "ann join t1"),
        ("bob register bobby :cold kitten",),
    ],
    ids=str,
)
def test_the_state_is_what_is_told_again_and_a_restart_changes_neither(
    evening: World, moves: tuple[str, ...], restart: bool
) -> None:
    for move in moves:
        who, _, line = move.partition(" ")
        next(p for p in people(evening) if p.name == f"~{who}").ok(line)
    watched = past(people(evening)[2])
    world, present = evening, people(evening)
    secret = {peer.name: [*own(past(peer))] for peer in present}
    if restart:
        world, before = evening.restarted(), present
        present = [world.peer() for _ in before]
        for now, then in zip(present, before, strict=True):
            now.say("hello 1 client=test")
            now.name = now.ok(f"resume {then.token}").fields["name"]
    for peer in present:
        lines = past(peer)
        assert [*own(lines)] == secret[peer.name if peer.name in secret else "~bob"]
        rows: list[Message] = [*known(world, peer).rows()]
        if "register" not in str(moves):
            assert TableModel.from_rows(rows) == folded(lines, peer.name)
        assert [line for line in lines if line not in [*own(lines)]][:3] == watched[:3]


@pytest.fixture
def second_hand() -> tuple[World, Peer, Peer, tuple[str, ...]]:
    """The second hand of a game: bob, on turn, has left. The game, bob, dan, and bob's cards."""
    world = World(pause=60_000)
    ann, bob, dan = (world.program(name) for name in ("ann", "bob", "dan"))
    world.game(ann, bob, options="options=first_hand:3")
    while len(hands(world)) < 2 or world.on_turn() is not bob:
        match = world.room().table.match
        assert match is not None and match.question is not None
        world.on_turn().ok(f"move {match.question.default}")
    cards = known(world, bob).holding
    bob.ok("leave")
    return world, bob, dan, cards


def hands(world: World) -> list[int]:
    """The numbers of the events that begin a hand."""
    return [each.seq for each in world.room().stream.after(0) if isinstance(each.event, Hand_)]


def test_whoever_takes_over_a_seat_knows_this_hand_and_none_before_it(
    second_hand: tuple[World, Peer, Peer, tuple[str, ...]],
) -> None:
    world, _, dan, cards = second_hand
    watched = past(world.program("eve"))
    assert dan.ok("join t1").fields["seat"] == "2"
    lines = past(dan)
    private = [told(line)[0] for line in own(lines)]
    begin = hands(world)[-1]
    assert private and min(private) > begin
    assert [line for line in lines if told(line)[0] < begin] == watched[: begin - 1]
    model = TableModel("t1", me=2)
    for seq, event in map(told, lines):
        model.see(event, seq)
    assert model.holding == cards
    assert TableModel.from_rows([*known(world, dan).rows()]) == model
    question = next(each for each in reversed(model.standing) if isinstance(each, Turn))
    dan.ok(f"move {question.default}")
    again = world.restarted()
    assert known(again, dan).holding == known(world, dan).holding


def test_a_person_who_takes_over_a_seat_sees_its_cards_and_the_question(
    second_hand: tuple[World, Peer, Peer, tuple[str, ...]],
) -> None:
    world, *_ = second_hand
    eve = world.person("eve")
    lines = eve.say("join t1")
    assert "You take over a hand that is being played." in lines
    at = lines.index("bot:steady makes room in seat 2.")
    assert lines[at + 1] == "You sit down in seat 2."
    assert lines[-1].startswith("Your ")
    assert any(line.startswith("Your cards: ") for line in lines[at:])


def test_the_bot_that_kept_the_seat_does_not_move_for_its_new_player(
    second_hand: tuple[World, Peer, Peer, tuple[str, ...]],
) -> None:
    world, _, dan, _ = second_hand
    dan.ok("join t1")
    before = world.room().stream.last
    world.advance(60_000)
    assert world.room().stream.last == before
    assert world.on_turn() is dan
