"""An order to another server is carried out once, or not at all, whatever is lost on the way."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from msgspec import json
from twisted.internet.defer import succeed

from tests.kit.cluster import Place
from tests.kit.hosts import Peer, World
from tests.kit.simulated_bus import BusFaults
from twentytwo_protocol.schema import edition
from twentytwo_server.facts import CommandDone, Fact, Input
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.host.cluster.order_messages import OrderQuestion
from twentytwo_server.host.cluster.sending import LIMIT, RETRY, WAIT
from twentytwo_server.host.cluster.talking import TalkLine
from twentytwo_server.host.tables.input_log import TAGS, Carried, InputLog
from twentytwo_server.host.tables.remote_room import RemoteRoom
from twentytwo_server.ports import MoveEvaluation
from twentytwo_server.session.streams import Burst
from twentytwo_server.subjects import KIBITZING, Subject, orders

pytestmark = pytest.mark.deadline(60)


GRACE = 5_000


@dataclass
class Table:
    """A table of server `a` with Ann at `a`, Bob at `b` and Cat at `c`."""

    place: Place = field(default_factory=Place)

    def __post_init__(self) -> None:
        place = self.place
        self.ann, self.bob, self.cat = (
            place[node].program(name) for node, name in (("a", "ann"), ("b", "bob"), ("c", "cat"))
        )
        self.ann.ok("open whist22 clock=0 seats=4")
        place.advance(LOOK)
        for peer in (self.bob, self.cat):
            self.gives(peer, "join t1")
        self.take()

    def gives(self, peer: Peer, line: str) -> list[str]:
        """Somebody gives a command; returns what they read."""
        peer.take()
        peer.hear(line)
        self.place.advance(10)
        return peer.take()

    def take(self) -> None:
        """Everybody reads what there is."""
        for peer in (self.ann, self.bob, self.cat):
            peer.take()

    def orders(self, verb: str) -> int:
        """How many such orders are stored."""
        return sum(each.order.startswith(f'["{verb}"') for each in self.place.inputs())


class Hold:
    """Keeps the messages of a place until they are let go; `copies` are those that passed."""

    def __init__(self, place: Place, monkeypatch: pytest.MonkeyPatch, *, copied: bool) -> None:
        self.held: list[Callable[[], None]] = []
        self._place = place
        self._patch = monkeypatch
        carry = place.nats.carry

        def carried(sender: object, receiver: object, call: Callable[[], None]) -> None:
            self.held.append(call)
            if copied:
                carry(sender, receiver, call)  # type: ignore[arg-type]

        monkeypatch.setattr(place.nats, "carry", carried)

    def let_go(self, ms: int = LOOK) -> None:
        """The messages arrive, and those after them at once. Then time passes."""
        self._patch.undo()
        for call in self.held:
            call()
        self._place.advance(ms)


def never_arrives(table: Table) -> None:
    table.place.nats.cut("b", "a")
    table.bob.hear("@1 say :once")


def never_stored(table: Table) -> None:
    table.place.nodes["a"].store.late = True
    table.bob.hear("@1 say :once")
    table.place.advance(10)


def never_answered(table: Table) -> None:
    table.place.nats.cut("a", "b")
    table.place.nats.cut("a", "c")
    table.bob.hear("@1 say :once")
    table.place.advance(10)
    assert table.orders("say") == 1


@pytest.mark.parametrize("heir", ["b", "c"])
@pytest.mark.parametrize("lost", [never_arrives, never_stored, never_answered])
def test_an_order_is_carried_out_once_if_its_owner_dies(
    lost: Callable[[Table], None], heir: str
) -> None:
    table = Table()
    lost(table)
    assert not table.bob.take()
    table.place.kill("a")
    table.place.take_over("a", heir)
    table.place.advance(3 * WAIT)
    words = [r.word for r in table.bob.records()]
    assert sorted(words) == ["OK", "PRESENCE", "SAID"]
    assert words.index("OK") + 1 == words.index("SAID")
    assert table.bob.records()[words.index("OK")].fields["seq"] == str(
        table.bob.records()[words.index("SAID")].seq
    )
    assert table.orders("say") == 1
    assert "SAID" in table.cat.words("t1")
    assert table.gives(table.bob, "say :again")
    assert table.orders("say") == 2


def test_an_order_without_an_answer_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    hold = Hold(table.place, monkeypatch, copied=False)
    table.bob.hear("@1 say :too late")
    table.place.advance(LIMIT - 1)
    assert not table.bob.take()
    table.place.advance(1)
    (line,) = table.bob.take()
    assert line.startswith("BYE code=MOVED resume=1 :")
    assert table.bob.hung_up
    hold.let_go()
    assert table.orders("say") == 0  # those who have come back do not see it happen later


def test_a_refused_order_is_not_carried_out_by_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    dan, eve = (table.place["b"].program(name) for name in ("dan", "eve"))
    table.gives(dan, "join t1")
    hold = Hold(table.place, monkeypatch, copied=True)
    assert "ERR code=TABLE_FULL" in table.gives(eve, "join t1")[0]
    table.gives(table.cat, "leave t1")
    hold.let_go()
    assert table.place["a"].room().table.seat_of("~eve") is None


@pytest.mark.parametrize("heir", ["a", "c"])  # the owner, and another one
def test_a_key_stands_for_one_order_at_all_servers(heir: str) -> None:
    """The server of the person dies before it has stored that the command was carried out."""
    table = Table()
    table.place.nodes["b"].store.late = True
    said = table.gives(table.bob, "@1 say once=k7 table=t1 :once")
    table.place.kill("b")
    table.place.take_over("b", heir)
    bob = table.place[heir].program()
    table.gives(bob, f"resume {table.bob.token}")
    assert "ERR code=ONCE_USED" in table.gives(bob, "@1 say once=k7 table=t1 :other")[0]
    again = table.gives(bob, "@1 say once=k7 table=t1 :once")
    assert said[0] == again[0]
    assert table.orders("say") == 1


def test_an_order_is_recognized_among_the_last_inputs() -> None:
    log, order = InputLog("t1", edition()), '["say",{"text":"hello"}]'

    def replay(tag: str) -> None:
        stored = Input("t1", log.last + 1, 0, 0, "ann", False, False, order, (), 7, 0, tag)
        log.check(stored, Burst.of([]), 7)

    replay("first")
    for _ in range(TAGS - 1):
        replay("")
    assert log.carried("ann", "first") == Carried(1, 8, order)
    assert log.carried("bob", "first") is None
    replay("")
    assert log.carried("ann", "first") is None


def test_the_presence_of_people_reaches_the_table_however_late() -> None:
    table = Table()
    table.place.nats.cut("b", "a")
    table.bob.drop()
    table.place.advance(2 * LIMIT)
    assert not table.ann.take()
    table.place.nats.heal()
    table.place.advance(WAIT + LOOK)
    assert table.ann.words("t1") == ["PRESENCE"]
    table.take()
    again = table.place["b"].peer()
    again.say("hello 1 client=test")
    again.hear(f"resume {table.bob.token}")
    table.place.advance(10)
    assert table.ann.words("t1") == ["PRESENCE"]
    seat = table.place["a"].room().table.seat_of("~bob")
    assert seat is not None and seat.here


@pytest.mark.parametrize("node", ["a", "c"])  # the owner, and another one
def test_people_stay_though_their_dead_server_says_late_that_they_have_gone(
    node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table()
    eve = table.place["b"].program("eve")
    table.gives(eve, "watch t1")
    with monkeypatch.context() as on_its_way:
        hold = Hold(table.place, on_its_way, copied=False)
        for each in (table.bob, eve):
            each.drop()
        table.place.advance(10)
    table.place.kill("b")
    table.place.take_over("b", node)
    for each in (table.bob, eve):
        again = table.place[node].program()
        table.gives(again, f"resume {each.token} t1:0")
    hold.let_go()
    table.place.advance(2 * LOOK)
    now = table.place["a"].room().table
    seat = now.seat_of("~bob")
    assert seat is not None and seat.here
    assert now.watchers == ("~eve",)


def test_people_at_other_servers_watch_on_when_the_owner_starts_again() -> None:
    table = Table()
    place = table.place
    eve, dan = (place[node].program(name) for node, name in (("b", "eve"), ("a", "dan")))
    for each in (eve, dan):
        table.gives(each, "watch t1")
    place.kill("a")
    store = place.nodes["a"].store
    store.late = False
    again = World(
        store, clock=place.clock, run=9, clustered=True, boot="again", remembered=store.remembered()
    )
    place.advance(LOOK)
    assert again.room().table.watchers == ("~eve",)


def test_nobody_moves_before_their_server_has_told_that_they_have_gone() -> None:
    table = Table()
    eve = table.place["b"].program("eve")
    table.gives(eve, "watch t1")
    table.place.nats.cut("b", "a")
    eve.drop()
    again = table.place["c"].program()
    assert not table.gives(again, f"resume {eve.token} t1:0")
    table.place.advance(5 * WAIT)
    assert not again.take()
    table.place.nats.heal()
    table.place.advance(2 * LOOK)
    assert "OK" in [each.word for each in again.records()]
    assert table.place["a"].room().table.watchers == ("~eve",)


@pytest.mark.parametrize("order", ["join t1", "watch t1"])
def test_somebody_who_is_lost_while_they_come_is_away(order: str) -> None:
    table = Table()
    eve = table.place["c"].program("eve")
    eve.hear(order)
    eve.drop()
    table.place.advance(10)
    now = table.place["a"].room().table
    seat = now.seat_of("~eve")
    assert seat is None or not seat.here
    assert not now.watchers
    assert table.orders("!away") + table.orders("unwatch") == 1


def test_people_at_other_servers_are_not_taken_for_lost() -> None:
    table = Table()
    eve = table.place["c"].program("eve")
    table.gives(eve, "watch t1")
    table.gives(table.ann, "say :hello")
    room = table.place["a"].room()
    assert "~eve" in room.table.watchers
    assert all(seat.here for seat in room.table.people)
    assert room.elsewhere == {"~bob", "~cat", "~eve"}
    table.gives(eve, "unwatch t1")
    table.gives(table.cat, "leave t1")
    assert room.elsewhere == {"~bob"}


def test_the_last_order_of_a_table_is_answered_before_its_events() -> None:
    table = Table()
    for peer in (table.ann, table.cat):
        table.gives(peer, "leave t1")
    told = table.gives(table.bob, "@1 leave t1")
    assert told[0].startswith("@1 OK on=t1")
    assert "LEFT on=t1" in told[1]
    assert not table.place["b"].host.rooms
    table.bob.err("say table=t1 :hello")


def test_an_order_to_a_table_that_closes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    table.place.nats.cut("b", "a")
    table.bob.hear("@1 say :hello")
    table.gives(table.ann, "close t1")
    table.place.advance(LOOK)
    (refused,) = [line for line in table.bob.take() if line.startswith("@1")]
    assert refused.startswith("@1 ERR code=NO_SUCH_TABLE")
    assert not table.bob.hung_up


def test_an_order_to_a_table_that_cannot_be_followed_ends_the_connection() -> None:
    table = Table()
    room = table.place["b"].host.rooms["t1"]
    assert isinstance(room, RemoteRoom)
    table.place.nats.cut("b", "a")
    table.bob.hear("@1 say :hello")
    room.last = -1  # the next input is not the one that it expects
    table.gives(table.ann, "say :hello")
    table.place.advance(LOOK)
    assert table.bob.take()[-1].startswith("BYE code=MOVED resume=1")
    assert table.bob.hung_up


class Pair:
    """A pair of tables of server `a`, with Ann at `a` and Bob at `b`."""

    def __init__(self) -> None:
        self.place = Place()
        self.ann, self.bob = self.place["a"].program("ann"), self.place["b"].program("bob")
        self.ann.ok("open twentytwo seats=2 duplicate=1 clock=0")
        self.place.advance(LOOK)
        self.bob.hear("join t2")
        self.place.advance(10)

    def gives(self, line: str) -> str:
        """Bob gives a command; returns its outcome."""
        self.bob.take()
        self.bob.hear(f"@x {line}")
        self.place.advance(100)
        (reply,) = [each for each in self.bob.records() if each.id == "x"]
        return reply.fields.get("code", reply.word)


def test_a_pair_of_another_server_is_started_by_its_host() -> None:
    pair = Pair()
    pair.ann.ok("ready t1")
    pair.ann.ok("unready t1")
    assert pair.gives("start t2") == "NOT_READY"
    pair.ann.ok("ready t1")
    assert pair.gives("start t2") == "OK"
    assert pair.place["a"].room("t1").table.match is not None
    assert pair.gives("start t2") == "GAME_RUNNING"
    assert pair.gives("close t2") == "GAME_RUNNING"


def test_a_pair_of_another_server_is_closed_by_its_host() -> None:
    pair = Pair()
    assert pair.gives("close t2") == "OK"
    assert not pair.place["a"].host.rooms


def test_a_hint_at_a_table_of_another_server_is_found_here() -> None:
    place = Place()
    ann = place["a"].program("ann")
    ann.ok("practice twentytwo bots=1")
    place.advance(2 * LOOK)
    back = place["b"].peer()
    back.say("hello 1 client=test")
    back.hear(f"@r resume {ann.token}")
    place.advance(LOOK)
    assert back.err("hint") == "BUSY"  # nobody can weigh moves there
    weighed = [MoveEvaluation("-", 0.61, 0.184, 312)]
    room = place["b"].host.rooms["t1"]
    assert isinstance(room, RemoteRoom)
    workers = room.host.bot_workers
    workers.evaluate = lambda job: succeed(weighed)  # type: ignore[method-assign]
    assert back.rows("hint")[0].fields["move"] == "-"


@pytest.mark.parametrize("doubled", [0.0, 1.0])
def test_watchers_at_all_servers_hear_each_other(doubled: float) -> None:
    table = Table(Place(BusFaults(doubled=doubled)))
    watchers = [table.place[node].program(f"at-{node}") for node in "abc"]
    for watcher in watchers:
        table.gives(watcher, "watch t1")
    for watcher in watchers:
        watcher.take()
    for watcher in watchers:
        watcher.hear("kibitz :hello")
        watcher.hear("kibitz :again")
        table.place.advance(10)
    for watcher in watchers:
        heard = [(r.fields["by"], r.text) for r in watcher.events("k1") if r.word == "KIBITZED"]
        assert heard == [(by.name, text) for by in watchers for text in ("hello", "again")]


def test_wrong_talk_is_not_heard(caplog: pytest.LogCaptureFixture) -> None:
    table = Table()
    for data in (b"", json.encode(TalkLine("x/1", 1, "t9", "x", "y"))):
        table.place.nats.bus("x").tell(KIBITZING, data)
    table.place.advance(10)
    assert not table.bob.take()
    assert not caplog.records


# ---------------------------------------------------------------------------- at random


@pytest.mark.parametrize("seed", range(20))
def test_no_order_is_lost_or_doubled_whatever_happens(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Owners die one after the other, while people talk and the bus does what it likes."""
    dice = random.Random(seed)
    faults = BusFaults(lost=0.2, doubled=0.2, delay=300)
    place = Place(faults, seed, "abcdef")
    people = {node: place[node].program(f"at-{node}") for node in "abc"}
    people["a"].ok("open twentytwo seats=4 clock=0")
    place.advance(LOOK)
    for node in "bc":
        people[node].hear("join t1")
        place.advance(2 * LIMIT)
        assert "JOINED" in people[node].words("t1")
    heirs = list("adefb")

    def slow(newer: Callable[..., None], *asked: object) -> None:
        place.clock.later(dice.choice((0, 10, 3_000)), partial(newer, *asked))

    for node in "bc":
        store = place.nodes[node].store
        monkeypatch.setattr(store, "newer_inputs", partial(slow, store.newer_inputs))
    said = {name: list[str]() for name in "bc"}
    before = {name: people[name].replies for name in "bc"}
    for number in range(150):
        node = dice.choice("bc")
        peer = people[node]
        if peer.replies == before[node] + len(said[node]):
            peer.hear(f"@{node}{number} say :{node}{number}")
            said[node].append(f"{node}{number}")
        place.advance(dice.choice((0, 5, 50, 500)))
        if heirs[1:] and number % 30 == 15:
            place.kill(heirs[0])
        if heirs[1:] and number % 30 == 20:
            place.take_over(heirs.pop(0), heirs[0])
        if dice.random() < 0.1:
            place.nats.cut(*dice.sample("bcdef", 2))
        elif dice.random() < 0.3:
            place.nats.heal()
    place.nats.heal()
    place.advance(2 * LIMIT)
    stored = [json.decode(each.order)[1]["text"] for each in place.inputs() if "say" in each.order]
    assert len(stored) > 5
    for node in "bc":
        peer = people[node]
        answered = [r.id for r in peer.records() if r.word == "OK" and r.id in said[node]]
        carried_out = [text for text in stored if text[0] == node]
        if peer.hung_up:  # the last order may be stored, and its end not known in time
            assert answered in (carried_out, carried_out[:-1])
        else:
            assert answered == carried_out
            assert answered == said[node]
            assert [r.text for r in peer.events("t1") if r.word == "SAID"] == stored


# ------------------------------------------------------------------------ one after the other


def test_a_refusal_comes_after_the_events_that_were_before(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    late: list[Callable[[], None]] = []
    store = table.place.nodes["b"].store
    newer = store.newer_inputs
    monkeypatch.setattr(store, "newer_inputs", lambda *asked: late.append(partial(newer, *asked)))
    for text in ("one", "two"):
        table.ann.hear(f"say :{text}")
    assert not table.gives(table.bob, "@1 start t1")
    monkeypatch.undo()
    for read in late:
        read()
    assert [r.word for r in table.bob.records()] == ["SAID", "SAID", "ERR"]


def test_an_order_that_is_asked_for_again_waits_for_its_turn() -> None:
    table = Table()
    store = table.place.nodes["a"].store
    store.late = True
    table.ann.hear("say :hello")
    assert not table.gives(table.bob, "@1 start t1")
    table.place.advance(WAIT + WAIT // 2)
    store.late = False
    store.release()
    table.place.advance(10)
    assert [r.word for r in table.bob.records()] == ["SAID", "ERR"]


def test_an_order_needs_no_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    monkeypatch.setattr(table.place.nodes["a"].bus, "tell", lambda *_: None)
    assert [line[:8] for line in table.gives(table.bob, "@1 say :hi")] == ["@1 OK on", "SAID on="]


def test_an_owner_is_asked_seldom_while_there_is_no_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    table, asked = Table(), list[object]()
    bus = table.place.nodes["b"].bus

    def ask(*question: Any) -> None:
        asked.append(question)
        question[-1](None)

    monkeypatch.setattr(bus, "ask", ask)
    table.bob.hear("@1 say :hi")
    table.place.advance(LIMIT)
    assert 20 < len(asked) < 30


def test_a_new_owner_is_found_at_once() -> None:
    table = Table()
    table.place.kill("a")
    table.place.advance(LOOK)
    table.place.take_over("a", "c")
    table.bob.hear("@1 say :hi")
    table.place.advance(2 * RETRY)
    assert "OK" in [r.word for r in table.bob.records()]


def test_the_orders_of_a_person_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    hold = Hold(table.place, monkeypatch, copied=False)
    table.bob.drop()
    again = table.place["b"].peer()
    again.say("hello 1 client=test")
    again.hear(f"resume {table.bob.token}")
    hold.held.reverse()
    hold.let_go(10)
    seat = table.place["a"].room().table.seat_of("~bob")
    assert seat is not None and seat.here
    assert table.ann.words("t1") == ["PRESENCE", "PRESENCE"]


def test_the_next_command_waits_for_the_events_of_an_order() -> None:
    table = Table()
    bob = table.bob
    table.place["b"].commands.line(bob.session, "@1 say :hi", lambda: bob.lines.append("next"))
    assert not bob.take()
    table.place.advance(10)
    assert [line[:5] for line in bob.take()] == ["@1 OK", "SAID ", "next"]


def test_a_command_with_a_key_is_remembered_where_it_was_given() -> None:
    table = Table()
    done: list[Fact] = []
    table.place.nodes["b"].store.after_commit(done.extend)
    table.gives(table.bob, "say once=k7 :hi")
    (fact,) = done
    assert isinstance(fact, CommandDone) and fact.key == "k7"


@pytest.mark.parametrize("data", [b"", b"{}", json.encode({"table": "t1"})])
def test_a_wrong_question_has_no_answer(data: bytes) -> None:
    table, answers = Table(), list[bytes | None]()
    table.place.nats.bus("x").ask(orders("a"), data, 100, answers.append)
    table.place.advance(100)
    assert answers == [None]


@pytest.mark.parametrize("order", ['["!gone",{}]', '["!restarted",{}]', '["say",{"text":"hi"}]'])
def test_only_orders_of_people_for_this_run_are_carried_out(order: str) -> None:
    table, answers = Table(), list[bytes | None]()
    before = len(table.place.inputs())
    run = "an earlier one" if "say" in order else "boot-a"
    question = OrderQuestion("t1", "~bob", False, order, "b/1", run, 10**15)
    table.place.nats.bus("x").ask(orders("a"), json.encode(question), 100, answers.append)
    table.place.advance(100)
    assert answers == [None] or "late" in str(answers[0])
    assert len(table.place.inputs()) == before


def test_the_next_command_waits_also_for_what_an_order_causes() -> None:
    place = Place()
    ann, bob = place["a"].program("ann"), place["b"].program("bob")
    ann.ok("open whist22 seats=4 bots=3 clock=0")
    ann.ok("dropbot 4 t1")
    place.advance(LOOK)
    for line in ("join t1", "ready t1"):
        bob.hear(line)
        place.advance(10)
    ann.ok("leave t1")
    place.advance(10)
    bob.hear("start t1")
    place.advance(10)
    bob.take()
    place["b"].commands.line(bob.session, "rematch t1", lambda: bob.lines.append("next"))
    place.advance(10)
    told = [line.split()[0] for line in bob.take()]
    assert told.index("ABORTED") < told.index("GAME") < told.index("next")


@pytest.mark.parametrize("returns", [True, False])
def test_the_seat_of_somebody_who_came_back_in_time_stays_until_the_owner_is_told(
    returns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(Place(config={"grace": GRACE}))
    place, bus = table.place, table.place.nodes["c"].bus
    table.bob.drop()
    place.advance(GRACE - 500)
    ask = bus.ask

    def lost(to: Subject, data: bytes, ms: int, answered: Callable[[bytes | None], None]) -> None:
        if to == orders("a"):
            place.clock.later(ms, partial(answered, None))
        else:
            ask(to, data, ms, answered)

    with monkeypatch.context() as bad:
        bad.setattr(bus, "ask", lost)
        if returns:
            back = place["c"].program()
            back.hear(f"resume {table.bob.token}")
        place.advance(2_000)
    place.advance(2_000)
    seats = {seat.name: seat.here for seat in place["a"].room().table.people}
    assert seats.get("~bob") == (True if returns else None)


def test_whoever_comes_back_to_watch_is_told_if_nobody_knows_whether_they_do() -> None:
    table = Table()
    place, eve = table.place, table.place["b"].program("eve")
    table.gives(eve, "watch t1")
    last = place["a"].room().stream.last
    place.nats.cut("b", "a")
    eve.drop()
    back = place["b"].program()
    back.hear(f"@r resume {eve.token} t1:{last - 1}")
    place.advance(LOOK)
    table.gives(table.ann, "say :one")
    place.advance(2 * LIMIT)
    assert [each.word for each in back.records() if each.id == "r"] == []
    assert back.events("t1") == []  # the one before was not sent
    assert back.records()[-1].fields["code"] == "MOVED"
    place.nats.heal()
    again = place["c"].program()
    again.hear(f"@r resume {eve.token} t1:{last}")
    place.advance(LOOK)
    assert again.events("t1")[-1].text == "one"
    again.take()
    table.gives(table.ann, "say :two")
    place.advance(LOOK)
    assert "SAID" in again.words("t1")
