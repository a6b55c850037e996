"""A room: keep, then tell; one order at a time; bots; errors that stay where they are."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from weakref import ref

import pytest

from tests.kit import tables
from tests.kit.cases import together
from tests.kit.hosts import LateStore, Peer, World, like
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Game_, Move, Shuffle, Turn
from twentytwo_protocol.words.talk import Say
from twentytwo_server.facts import Fact, Input
from twentytwo_server.games.chance import RandomBelow
from twentytwo_server.games.game import QuickBots
from twentytwo_server.host.tables import game_log
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table import journal
from twentytwo_server.table.decision import Actor
from twentytwo_server.table.effects import Back
from twentytwo_server.table.table import Phase


def default(world: World, on: str = "t1") -> str:
    match = world.room(on).table.match
    assert match is not None
    assert match.question is not None
    assert match.question.default is not None
    return match.question.default


def pair(store: Any = None, **config: Any) -> tuple[World, Peer, Peer]:
    world = World(store, **config)
    return world, world.program("ann"), world.program("bob")


# -------------------------------------------------------------------------- keep, then tell


class Diary(MemoryStore):
    """A store that notes what everybody had been sent when it was called."""

    def __init__(self) -> None:
        super().__init__()
        self.world: World | None = None
        self.told: list[int] = []
        self.inputs: list[Input] = []

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        peers = self.world.peers if self.world else []
        self.told.append(sum(len(peer.lines) for peer in peers))
        self.inputs += [fact for fact in facts if isinstance(fact, Input)]
        super().keep(facts, done)


def test_nothing_is_told_before_it_is_kept() -> None:
    diary = Diary()
    world, ann, bob = pair(diary)
    diary.world = world
    world.game(ann, bob)
    for _ in range(20):
        if world.room().table.on_turn is None:
            break
        ann.take(), bob.take()
        diary.told.clear()
        mover, token = world.on_turn(), default(world)
        mover.hear(f"@1 move {token}")
        assert diary.told == [0]
        assert mover.lines[0].startswith("@1 OK on=t1 seq=")
        assert diary.inputs[-1].who == mover.name


def test_while_a_store_is_late_nothing_is_told_and_nothing_has_changed() -> None:
    store = LateStore()
    world, ann, bob = pair(store)
    store.late = False
    world.game(ann, bob)
    store.late = True
    mover, table = world.on_turn(), world.room().table
    ann.take(), bob.take()
    before = mover.replies
    mover.hear(f"@1 move {default(world)}")
    assert ann.take() == bob.take() == []
    assert mover.replies == before
    assert world.room().table is table
    store.release()
    assert mover.lines[0].startswith("@1 OK on=t1")
    assert mover.replies == before + 1
    assert world.room().table is not table


def test_orders_wait_for_the_one_that_is_being_kept_and_are_judged_after_it() -> None:
    store = LateStore()
    world, ann, bob = pair(store)
    store.late = False
    world.game(ann, bob)
    store.late = True
    mover = world.on_turn()
    other = bob if mover is ann else ann
    mover.take(), other.take()
    mover.hear("@1 move - turn=1")
    mover.hear("@2 move - turn=1")
    other.hear("@3 move - turn=2")
    assert mover.lines == other.lines == []
    store.release()
    assert [r.word for r in mover.records() if r.id] == ["OK", "ERR"]
    assert mover.lines[-1].startswith("@2 ERR code=STALE_TURN class=turn on=t1 turn=2")
    assert [line for line in other.lines if line.startswith("@3")] == []
    store.release()
    assert [line for line in other.lines if line.startswith("@3 OK")]
    words = [r.word for r in other.events("t1")]
    assert words == ["EXCHANGED", "TURN", "EXCHANGED", "TRICK", "TURN"]
    assert other.lines.index(next(x for x in other.lines if x.startswith("@3 OK"))) == 2  # O1


def test_other_tables_go_on_while_one_waits_for_its_store() -> None:
    store = LateStore()
    world = World(store)
    store.late = False
    ann, bob, cat, dan = (world.program(name) for name in ("ann", "bob", "cat", "dan"))
    world.game(ann, bob)
    world.game(cat, dan)
    store.late = True
    first, second = world.on_turn("t1"), world.on_turn("t2")
    first.hear("@1 move -")
    second.hear("@2 move -")
    store.release("t2")
    assert any(line.startswith("@2 OK") for line in second.lines)
    assert not any(line.startswith("@1") for line in first.lines)
    store.release("t1")
    assert any(line.startswith("@1 OK") for line in first.lines)


def test_orders_behind_the_one_that_closes_a_table_are_refused() -> None:
    store = LateStore()
    world, ann, bob = pair(store)
    store.late = False
    world.game(ann, bob)
    store.late = True
    mover = world.on_turn()
    mover.hear("@1 move -")
    for peer, line in ((ann, "@2 leave"), (bob, "@3 leave"), (bob, "@4 ready t1")):
        peer.hear(line)
    replies = ann.replies + bob.replies
    store.late = False
    store.release()
    assert any(line.startswith("@3 OK") for line in bob.lines)
    assert any(line.startswith("@4 ERR code=NO_SUCH_TABLE class=missing") for line in bob.lines)
    assert ann.replies + bob.replies == replies + 4
    assert world.host.rooms == {}


def test_who_logs_out_while_their_joining_is_kept_has_no_seat_left_behind() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("open seats=3")
    store.late = True
    ann.hear("@1 say :hm")
    bob.hear("@1 join t1")
    bob.hear("@2 logout")
    store.release()  # what ann says, and the logout; only now the table takes bob's order
    store.late = False
    store.release()
    assert any(line.startswith("@1 OK") for line in bob.lines)
    assert any(line.startswith("@2 OK") for line in bob.lines)
    assert [seat.name for seat in world.room("t1").table.seats] == ["~ann"]
    assert world.host.people.exact("~bob") is None


def test_who_loses_the_line_while_their_joining_is_kept_has_the_seat() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("open seats=3")
    store.late = True
    bob.hear("@1 join t1")
    bob.drop()
    store.late = False
    store.release()
    assert [seat.name for seat in world.room("t1").table.seats] == ["~ann", "~bob"]


def test_the_reply_to_open_names_the_table_that_was_opened_also_when_the_store_is_late() -> None:
    store = LateStore()
    _, ann, bob = pair(store)
    store.late = True
    ann.hear("@1 practice")
    bob.hear("@1 practice")
    assert not any(line.startswith("@1") for line in ann.lines + bob.lines)
    store.release()
    assert any(line.startswith("@1 OK on=t1 seat=1") for line in ann.lines)
    assert any(line.startswith("@1 OK on=t2 seat=1") for line in bob.lines)


def test_a_closed_table_is_forgotten_by_the_store() -> None:
    store = MemoryStore()
    _, ann, _ = pair(store)
    ann.ok("practice")
    assert [kept.table for kept in store.remembered().tables] == ["t1"]
    ann.ok("leave")
    assert not store.remembered().tables


def test_whoever_comes_too_late_to_a_closed_table_is_told_so() -> None:
    world, ann, _ = pair()
    ann.ok("open twentytwo")
    room = world.room()
    ann.ok("leave")
    told: list[str] = []
    room.hold(lambda: told.append("held"), lambda: told.append("closed"))
    room.order(
        Actor("~bob"),
        Say("hello"),
        lambda answer: told.append(answer.refusal.code if answer.refusal else "said"),
    )
    assert told == ["closed", "NO_SUCH_TABLE"]


def test_no_timer_of_a_closed_table_comes() -> None:
    world, ann, bob = pair()
    ann.ok("open twentytwo seats=2 clock=30")
    bob.ok("join t1")
    bob.ok("ready")
    ann.ok("start")
    ann.ok("leave")
    bob.ok("leave")
    assert world.clock.waiting == []


# ------------------------------------------------------------------------------------ bots


class Witness:
    """A bot that notes what it sees, and plays the default."""

    def __init__(self, rules: Any, seat: int, pick: RandomBelow) -> None:
        self.seat, self.seen = seat, list[Event]()
        MADE.append(self)

    def see(self, happened: Event) -> None:
        self.seen.append(happened)

    def choose(self, turn: Turn) -> str:
        assert turn.default is not None
        assert turn.seat == self.seat
        return turn.default


MADE: list[Witness] = []


@pytest.fixture
def witnesses() -> list[Witness]:
    MADE.clear()
    return MADE


def test_a_bot_only_ever_sees_what_its_seat_is_shown(witnesses: list[Witness]) -> None:
    world = World(game=like(tables.TWENTYTWO, bots=QuickBots({"easy": Witness, "steady": Witness})))
    ann = world.program("ann")
    ann.ok("practice bots=3 level=easy")
    while "t1" in world.host.rooms and world.room().table.on_turn:
        world.clock.settle()
        if world.room().table.on_turn:
            ann.ok(f"move {default(world)}")
    assert {bot.seat for bot in witnesses} == {2, 3, 4}
    for bot in witnesses:
        shown = [entry.seen_by(bot.seat) for entry in world.room().game_entries()]
        assert bot.seen == shown[: len(bot.seen)]
        assert len(bot.seen) > 100
        others = [e for e in bot.seen if e.word.word == "DEALT" and e.seat != bot.seat]  # type: ignore[attr-defined]
        assert others
        assert all(getattr(event, "cards", None) is None for event in others)


def test_a_bot_that_takes_a_seat_over_has_seen_the_game_from_its_beginning(
    witnesses: list[Witness],
) -> None:
    world = World(game=like(tables.TWENTYTWO, bots=QuickBots({"easy": Witness, "steady": Witness})))
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob, cat)
    for _ in range(5):
        world.on_turn().ok(f"move {default(world)}")
    leaver = world.on_turn()
    seat = world.room().seat_number(world.host.people.find(leaver.name))
    leaver.ok("leave")
    world.clock.settle()
    (bot,) = witnesses
    assert bot.seat == seat
    assert bot.seen[0].word.word == "GAME"


def test_a_bot_begins_anew_with_every_game(witnesses: list[Witness]) -> None:
    world = World(game=like(tables.TWENTYTWO, bots=QuickBots({"easy": Witness, "steady": Witness})))
    ann = world.program("ann")
    ann.ok("practice bots=1 level=easy")
    for _ in range(2):
        while world.room().table.on_turn:
            world.clock.settle()
            if world.room().table.on_turn:
                ann.ok(f"move {default(world)}")
        ann.ok("rematch")
        world.clock.settle()
    assert len(witnesses) >= 2
    assert all(sum(e.word.word == "GAME" for e in bot.seen) == 1 for bot in witnesses[:-1])


def test_bots_take_their_time_only_where_people_look_on() -> None:
    world = World(pause=400)
    ann = world.person("ann")
    ann.say("practice bots=1 level=easy")
    seat = world.room().table.on_turn
    if seat and seat.name == "~ann":
        ann.say("keep")
    turn = world.room().table.match
    assert turn is not None
    world.advance(399)
    assert world.room().table.match is turn
    world.advance(1)
    assert world.room().table.match is not turn
    other = World(pause=400)
    program = other.program("py", bot=True)
    program.ok("practice bots=1 level=easy")
    other.clock.settle()
    mover = other.room().table.on_turn
    assert mover is not None
    assert mover.name == "~py"


@together("wrong", ["choose", "see", "make", "nonsense", "illegal", "stale"])
def test_a_bot_that_fails_plays_the_default(wrong: str) -> None:
    class Bad(Witness):
        def __init__(self, rules: Any, seat: int, pick: RandomBelow) -> None:
            if wrong == "make":
                raise RuntimeError("no")
            super().__init__(rules, seat, pick)

        def see(self, happened: Event) -> None:
            super().see(happened)
            if wrong == "see" and len(self.seen) > 45:
                raise RuntimeError("no")

        def choose(self, turn: Turn) -> str:
            if wrong == "choose":
                raise RuntimeError("no")
            bad = {"nonsense": "??", "illegal": "2+3+4+5+6+7", "stale": "9D+9D+9D"}
            return bad.get(wrong) or super().choose(turn)

    world = World(game=like(tables.TWENTYTWO, bots=QuickBots({"easy": Bad, "steady": Bad})))
    ann = world.program("ann")
    ann.ok("practice bots=2 level=easy")
    for _ in range(12):
        world.clock.settle()
        mover = world.room().table.on_turn
        assert mover is not None
        assert mover.name == "~ann"
        ann.ok(f"move {default(world)}")


def test_whoever_was_late_twice_and_says_anything_plays_again() -> None:
    world, ann, bob = pair()
    ann.ok("open twentytwo seats=2 clock=5")
    bob.ok("join t1")
    bob.ok("ready")
    ann.ok("start")
    slow = world.on_turn()
    other = bob if slow is ann else ann
    for _ in range(40):
        if stands_in(world, slow):
            break
        if world.on_turn() is slow:
            world.advance(6_000)
        else:
            other.ok(f"move {default(world)}")
    assert stands_in(world, slow)
    slow.ok("ping")
    assert slow.words("t1") == ["PRESENCE"]
    assert not stands_in(world, slow)
    while world.on_turn() is not slow:
        other.ok(f"move {default(world)}")
    world.clock.settle()
    assert world.on_turn() is slow
    slow.ok(f"move {default(world)}")


def stands_in(world: World, peer: Peer) -> bool:
    """Whether a bot plays for somebody."""
    seat = world.room().table.seat_of(peer.name)
    return seat is not None and seat.standin


def test_an_answer_to_a_ping_of_the_servers_is_no_sign_of_somebody_at_the_keys() -> None:
    world, ann, bob = pair()
    ann.ok("open twentytwo seats=2 clock=5")
    bob.ok("join t1")
    bob.ok("ready")
    ann.ok("start")
    while not any(seat.standin for seat in world.room().table.seats):
        world.advance(6_000)
    before = world.room().table.seats
    ann.say("pong 1")
    bob.say("pong 1")
    assert world.room().table.seats == before


# ---------------------------------------------------------------------------------- faults


def broken(*_: Any, **__: Any) -> Any:
    """What fails, whatever it is."""
    raise RuntimeError("broken")


class Trap:
    """Raises where a test says so."""

    def __init__(self) -> None:
        self.sprung = False

    def play(self, state: Any, deed: Deed | Shuffle) -> Any:
        if self.sprung:
            raise RuntimeError("the game is broken")
        return tables.TWENTYTWO.play(state, deed)

    def moves(self, state: Any) -> Any:
        if self.sprung:
            raise RuntimeError("the game is broken")
        return tables.TWENTYTWO.moves(state)


@pytest.mark.parametrize("where", ["play", "moves"])
def test_an_error_in_judging_a_move_refuses_it_with_a_reference_and_changes_nothing(
    where: str,
) -> None:
    trap = Trap()
    world = World(game=like(tables.TWENTYTWO, **{where: getattr(trap, where)}))
    ann, bob, cat, dan = (world.program(name) for name in ("ann", "bob", "cat", "dan"))
    world.game(ann, bob)
    world.game(cat, dan)
    trap.sprung = True
    mover = world.on_turn("t1")
    other = bob if mover is ann else ann
    other.take()
    reply = mover.ask("move - t1")
    assert (reply.fields["code"], reply.fields["ref"]) == ("INTERNAL", "boot-1")
    assert other.take() == []
    trap.sprung = False
    world.on_turn("t2").ok("move - t2")
    assert world.on_turn("t1") is mover
    mover.ok("move - t1")


def test_a_table_goes_on_after_an_error_in_what_waited_for_its_orders() -> None:
    world, ann, bob = pair()
    world.table(ann, bob)
    with pytest.raises(RuntimeError):
        world.room().when_told(broken)
    ann.ok("ready")


def test_an_error_in_a_bots_turn_ends_its_game_with_a_reference_and_touches_no_other_table() -> (
    None
):
    trap = Trap()
    world = World(game=like(tables.TWENTYTWO, play=trap.play))
    ann, cat, dan = (world.program(name) for name in ("ann", "cat", "dan"))
    ann.ok("practice bots=1 level=easy")
    world.game(cat, dan)
    world.clock.settle()
    ann.take()
    if world.on_turn("t1") is ann:
        ann.ok("move - t1")
    trap.sprung = True
    world.advance(10_000)
    aborted, *_ = [line for line in ann.take() if line.startswith("ABORTED")]
    assert " why=fault ref=boot-" in aborted
    trap.sprung = False
    world.on_turn("t2").ok("move - t2")
    # And the broken table plays another game.
    ann.ok("rematch t1")
    assert world.room("t1").table.phase is Phase.PLAYING


def test_an_error_while_time_is_up_ends_that_game_only() -> None:
    trap = Trap()
    world = World(game=like(tables.TWENTYTWO, play=trap.play))
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("open twentytwo seats=2 clock=5")
    bob.ok("join t1")
    bob.ok("ready")
    ann.ok("start")
    trap.sprung = True
    ann.take()
    world.advance(6_000)
    assert ann.words("t1") == ["REVEALED", "ABORTED", "COMMITTED"]


def test_an_error_when_a_game_begins_leaves_the_table_open() -> None:
    trap = Trap()
    world = World(game=like(tables.TWENTYTWO, play=trap.play))
    ann, bob = world.program("ann"), world.program("bob")
    world.table(ann, bob)
    trap.sprung = True
    assert ann.err("start") == "INTERNAL"
    trap.sprung = False
    ann.ok("start")


def test_an_error_in_opening_a_table_is_answered_and_leaves_none() -> None:
    trap = Trap()
    trap.sprung = True
    world = World(game=like(tables.TWENTYTWO, play=trap.play))
    ann = world.program("ann")
    assert ann.err("practice") == "INTERNAL"
    assert world.host.rooms == {}
    assert ann.ok("whoami")


def test_a_game_whose_record_cannot_be_made_takes_no_further_table_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, ann, bob = pair()
    world.game(ann, bob)
    ann.ok("abort")
    with monkeypatch.context() as patch:
        patch.setattr(game_log, "ended", broken)
        assert bob.err("abort") == "INTERNAL"
    assert ann.err("say :is anybody there? t1") == "NOT_SEATED"
    assert world.game(ann, bob) == "t2"


def test_an_order_that_fails_while_it_is_written_down_has_not_happened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, ann, bob = pair()
    world.game(ann, bob)
    written = journal.written

    def but_for_moves(order: journal.Entry) -> str:
        return broken() if isinstance(order, Move) else written(order)

    with monkeypatch.context() as patch:
        patch.setattr(journal, "written", but_for_moves)
        assert world.on_turn().err("move -") == "INTERNAL"
    # That was an error inside the table: its game is over, and everything else goes on.
    assert ann.words("t1")[-1] == "COMMITTED"
    ann.ok("rematch")
    bob.ok("rematch")
    world.on_turn().ok("move -")
    assert world.restarted().room().table.phase is Phase.PLAYING


def test_an_answer_that_cannot_be_given_does_not_keep_a_table_from_going_on() -> None:
    world, ann, bob = pair()
    world.table(ann, bob)
    world.room().order(Actor(ann.name), Say("one"), broken)
    bob.ok("say :two")
    assert [r.text for r in ann.events("t1")][-2:] == ["one", "two"]


def test_what_fails_after_an_order_was_kept_does_not_keep_a_table_from_going_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, ann, bob = pair()
    world.table(ann, bob)
    with monkeypatch.context() as patch:
        patch.setattr(world.host.table_list, "changed", broken)
        ann.ok("say :one")
    bob.ok("say :two")
    assert [r.text for r in ann.events("t1")][-1] == "two"


def test_any_number_of_orders_may_have_waited_for_a_store() -> None:
    store = LateStore()
    world, ann, bob = pair(store)
    world.table(ann, bob)
    store.late = True
    ann.hear("@1 say :one")
    for _ in range(2000):
        world.room().order(Actor(bob.name), Back(bob.name))
    bob.hear("@2 say :two")
    store.late = False
    store.release()
    assert [r.text for r in ann.events("t1")][-2:] == ["one", "two"]


def test_looking_at_a_table_folds_every_event_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world, ann, bob = pair()
    world.game(ann, bob)
    folded: list[int] = []
    see = TableModel.see

    def counted(model: TableModel, happened: Event, seq: int) -> None:
        folded.append(seq)
        see(model, happened, seq)

    monkeypatch.setattr(TableModel, "see", counted)
    ann.ok("hand")
    first = ann.rows("state")
    world.on_turn().ok("move -")
    assert ann.rows("state") != first
    assert folded == list(range(1, world.room().stream.last + 1))


def test_the_game_that_runs_is_found_without_those_before() -> None:
    world, ann, bob = pair()
    world.game(ann, bob)
    before = world.room().stream.last
    for peer in (ann, bob):
        peer.ok("abort")
    for peer in (ann, bob):
        peer.ok("rematch")
    entries = world.room().game_entries()
    assert isinstance(entries[0].event, Game_)
    assert [e.seq for e in entries] == list(range(entries[0].seq, world.room().stream.last + 1))
    assert entries[0].seq > before


def test_what_cannot_be_shown_to_one_is_shown_to_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, ann, bob = pair()
    cat = world.program("cat")
    world.table(ann, bob, cat)

    monkeypatch.setattr(bob.session, "send", broken)
    ann.ok("start")
    assert cat.words("t1")[-1] == "TURN"
    monkeypatch.undo()
    world.on_turn().ok("move -")


def test_an_error_in_a_command_is_an_answer_with_a_reference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, ann, bob = pair()

    monkeypatch.setattr(world.host.inboxes, "post", broken)
    reply = ann.ask("tell bob :hello")
    assert (reply.fields["code"], reply.fields["ref"]) == ("INTERNAL", "boot-1")
    assert "broken" not in (reply.text or "")
    bob.ok("ping")


def test_secrets_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    trap = Trap()
    world = World(game=like(tables.TWENTYTWO, moves=trap.moves))
    ann = world.program("ann")
    ann.ok("practice bots=1 level=easy")
    world.clock.settle()
    trap.sprung = True
    assert ann.err("move -") == "INTERNAL"
    assert "fault boot-1" in caplog.text
    assert ann.token not in caplog.text
    assert "0" * 100 not in caplog.text


# ------------------------------------------------------------------------------ being gone


@pytest.fixture
def no_garbage() -> Iterator[None]:
    """Nothing that goes round in a circle is found; what nobody holds is gone all the same."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_a_room_that_is_closed_is_gone_without_a_search_for_garbage(no_garbage: None) -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("practice twentytwo bots=2 level=easy")
    for _ in range(5):
        world.advance(5000)
        if world.on_turn() is ann:
            ann.ok(f"move {default(world)}")
    world = world.restarted()
    again = world.program()
    again.ok(f"resume {ann.token}")
    room = ref(world.room())
    again.ok("leave t1")
    world.advance(5000)
    assert world.host.rooms == {}
    assert room() is None


def test_whoever_comes_back_sees_with_the_seat_they_have_when_that_is_kept() -> None:
    store = LateStore()
    world = World(store)
    bob, cat, ann = (world.program(name) for name in ("bob", "cat", "ann"))
    on = bob.ok("open twentytwo seats=3 clock=0").fields["on"]
    for peer in (cat, ann):
        peer.ok(f"join {on}")
        peer.ok(f"ready {on}")
    ann.drop()
    store.late = True
    again = world.program()
    again.hear(f"@back resume {ann.token} {on}:0")
    cat.hear("leave")
    bob.hear("start")
    for _ in range(4):
        store.release(on)
    assert world.room(on).table.names == {1: "~bob", 2: "~ann"}
    assert again.events(on) == []
    store.late = False
    store.release()
    dealt = [event.fields for event in again.events(on) if event.word == "DEALT"]
    assert {cards["seat"]: "cards" in cards for cards in dealt} == {"1": False, "2": True}
