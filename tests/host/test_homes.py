"""One name is one person at one of several servers, which share a store and a bus."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from msgspec import json
from twisted.internet.defer import Deferred

from tests.kit.clock import HandClock
from tests.kit.hosts import Peer, World
from tests.kit.simulated_bus import BusFaults, SimulatedNats
from twentytwo_server import subjects
from twentytwo_server.facts import Keeper, Sanction, SanctionKind
from twentytwo_server.host.cluster.homes import PATIENCE, REPEATS_FOR, Homes, MoveRequest
from twentytwo_server.host.cluster.keepers import Keepers
from twentytwo_server.store.memory import MemoryStore

pytestmark = pytest.mark.deadline(60)


@dataclass
class Place:
    """Servers `a`, `b` and `c`."""

    faults: BusFaults = field(default_factory=BusFaults)
    clock: HandClock = field(default_factory=HandClock)
    store: MemoryStore = field(default_factory=MemoryStore)

    def __post_init__(self) -> None:
        self.nats = SimulatedNats(self.clock, 22, self.faults)
        self.servers = {node: self.server(node, run) for run, node in enumerate("abc")}

    def server(self, node: str, run: int) -> World:
        world = World(self.store.node(node), clock=self.clock, run=run, dev=True)
        world.host.parts.make(Homes).join(self.nats.bus(node), node, str(run))
        return world

    def come(self, node: str, line: str) -> Peer:
        """A program that has sent this line to a server, and waits for the answer."""
        peer = self.servers[node].peer()
        peer.say("hello 1 client=test")
        peer.hear(f"@1 {line}")
        return peer

    def wait(self, ms: int = 1) -> None:
        """Lets time pass."""
        self.clock.advance(ms)

    def guest(self, node: str, name: str) -> Peer:
        """A guest who has come in."""
        peer = self.come(node, f"guest {name}")
        self.wait()
        return _entered(peer)

    def resume(self, node: str, token: str, ms: int = 1) -> Peer:
        """A person who has come back, at any server."""
        peer = self.come(node, f"resume {token}")
        self.wait(ms)
        return _entered(peer)

    def here(self, name: str) -> dict[str, bool]:
        """The servers that know a person, and whether the person is connected there."""
        known = {node: world.host.people.exact(name) for node, world in self.servers.items()}
        return {node: each.session is not None for node, each in known.items() if each is not None}


def _entered(peer: Peer) -> Peer:
    (reply,) = [each for each in peer.records() if each.id == "1" and each.word in ("OK", "ERR")]
    assert reply.word == "OK", reply
    peer.name, peer.token = reply.fields["name"], reply.fields["token"]
    return peer


def test_guests_of_one_name_are_numbered_across_servers() -> None:
    place = Place()
    names = [place.guest(node, "ann").name for node in "abcab"]
    assert sorted(names) == ["~ann", "~ann2", "~ann3", "~ann4", "~ann5"]
    assert all(list(place.here(name).values()) == [True] for name in names)


def test_a_person_comes_back_at_another_server_and_the_older_connection_is_closed() -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.guest("a", "bob")
    ann.ok("block bob")
    there = place.resume("b", ann.token)
    assert place.here("~ann") == {"b": True}
    assert ann.words()[-1] == "BYE"
    assert ann.events()[-1].fields["code"] == "REPLACED"
    moved = place.servers["b"].host.people.exact("~ann")
    assert moved is not None and moved.blocked == {"~bob"}
    back = place.resume("a", there.token)
    assert place.here("~ann") == {"a": True}
    assert back.ok("whoami").fields["name"] == "~ann"


def registered(place: Place, node: str, name: str) -> Peer:
    """The owner of a new account."""
    peer = place.come(node, f"register {name} :secretsecret")
    place.wait()
    return _entered(peer)


def login(place: Place, node: str, name: str) -> Peer:
    """The owner of an account who has come in."""
    peer = place.come(node, f"login {name} :secretsecret")
    place.wait(1_000)
    return _entered(peer)


def test_a_refused_resume_at_another_server_leaves_the_person_where_they_are() -> None:
    place = Place()
    ann = place.guest("a", "ann")
    refused = place.come("b", f"resume {ann.token} me:0 me:1")
    place.wait()
    assert refused.records()[-1].fields["code"] == "BAD_ARG"
    assert ann.ok("whoami").fields["name"] == "~ann"


def test_a_token_that_is_used_twice_raises_the_alarm_at_another_server() -> None:
    place = Place()
    stolen = place.guest("a", "ann").token
    ann = place.resume("b", place.resume("a", stolen).token)
    thief = place.come("c", f"resume {stolen}")
    place.wait()
    assert thief.records()[-1].fields["code"] == "BAD_TOKEN"
    (warned,) = [each for each in ann.records() if each.word == "WARN"]
    assert warned.fields["code"] == "TOKEN_REVOKED"
    again = place.come("c", f"resume {ann.token}")
    place.wait()
    assert again.records()[-1].fields["code"] == "BAD_TOKEN"


def test_a_guest_who_has_logged_out_takes_the_name_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    ann = place.guest("a", "ann")
    store = place.servers["a"].host.store
    late: list[Callable[[], None]] = []
    keep = store.keep
    monkeypatch.setattr(store, "keep", lambda *kept: late.append(partial(keep, *kept)))
    ann.hear("logout")
    late.pop(0)()
    ann.hear("@2 guest ann")
    while late:
        late.pop(0)()
    place.wait()
    assert ann.records()[-1].fields["name"] == "~ann"


@pytest.mark.parametrize("gone", [False, True])
def test_friends_blocks_and_the_deal_of_the_day_are_as_they_were_left_at_another_server(
    gone: bool,
) -> None:
    place = Place()
    for world in place.servers.values():
        world.host.dailies.keep_time()
    dan, bob = (registered(place, "a", name) for name in ("dan", "bob"))
    ann = registered(place, "a", "ann")
    ann.ok("friend dan")
    ann.ok("block bob")

    def leaves(peer: Peer) -> None:
        if gone:
            peer.ok("logout")
            place.wait()

    leaves(ann)
    there = login(place, "b", "ann")
    assert [row.fields["name"] for row in there.rows("friends")] == ["dan"]
    there.ok("unfriend dan")
    there.ok("friend bob")
    there.ok("unblock bob")
    there.ok("block dan")
    there.ok(f"leave {there.ok('daily whist22').fields['on']}")
    leaves(there)
    back = login(place, "a", "ann")
    assert [row.fields["name"] for row in back.rows("friends")] == ["bob"]
    assert back.ok("block").text == "You hear nothing from dan."
    assert back.err("daily whist22") == "FORBIDDEN"
    assert (dan.name, bob.name) == ("dan", "bob")
    for world in place.servers.values():
        world.host.dailies.stop()


def test_a_guest_has_not_blocked_whom_an_earlier_guest_of_the_name_had_blocked() -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.guest("a", "bob")
    ann.ok("block bob")
    place.servers["d"] = place.server("d", 9)
    ann.ok("logout")
    place.wait()
    assert place.guest("d", "ann").ok("block").text == "You block nobody."


@pytest.mark.parametrize("by", ["password", "token"])
def test_nobody_comes_in_by_what_was_revoked_while_the_person_moved(by: str) -> None:
    place = Place()
    ann = registered(place, "a", "ann")
    token = ann.ok("token new").fields["token"]
    secret = ":secretsecret" if by == "password" else f"token={token}"
    late = place.come("b", f"login ann {secret}")
    if by == "password":
        ann.ok("password secretsecret :othersecret")
    else:
        ann.ok("token revoke 1")
    place.wait(1_000)
    code = "BUSY" if by == "password" else "BAD_LOGIN"  # with the password the token is another
    assert late.records()[-1].fields["code"] == code
    late.hear(f"login ann {secret}")
    place.wait(1_000)
    assert late.records()[-1].fields["code"] == "BAD_LOGIN"
    right = ":othersecret" if by == "password" else ":secretsecret"
    there = place.come("b", f"login ann {right}")
    place.wait(1_000)
    _entered(there)


def test_nobody_comes_in_who_is_banned_while_they_move() -> None:
    place = Place()
    registered(place, "a", "ann")
    late = place.come("b", "login ann :secretsecret")
    ban = Sanction(SanctionKind.BAN, "ann", 10**13, "", 0)
    place.servers["b"].host.sanctions.put(ban)
    place.wait(1_000)
    assert late.records()[-1].fields["code"] == "FORBIDDEN"


def test_a_name_is_free_again_everywhere_once_its_guest_is_gone() -> None:
    place = Place()
    ann = place.resume("b", place.guest("a", "ann").token)
    ann.ok("logout")
    place.wait()
    assert place.here("~ann") == {}
    assert place.guest("c", "ann").name == "~ann"


def test_the_inbox_and_the_keys_of_commands_move_along() -> None:
    place = Place()
    ann, bob = place.guest("a", "ann"), place.guest("a", "bob")
    bob.ok("tell ann :one")
    assert "again" not in ann.ok("tell bob once=k1 :two").fields
    there = place.resume("b", ann.token)
    assert there.ok("tell bob once=k1 :two").fields["again"] == "1"
    there.ok("sync me from=0")
    assert there.words("me") == ["TOLD", "TOLD"]


def test_seats_invitations_and_lessons_are_there_again() -> None:
    place = Place()
    ann, bob = place.guest("a", "ann"), place.guest("a", "bob")
    bob.ok("open twentytwo")
    ann.ok("join t1")
    bob.ok("invite ann t1")
    known = place.servers["a"].host.people.exact("~ann")
    assert known is not None
    known.lessons["twentytwo"] = 3
    there = place.resume("b", ann.token)
    moved = place.servers["b"].host.people.exact("~ann")
    assert moved is not None
    assert (moved.invited, moved.lessons, moved.tables) == ({"~bob": "t1"}, {"twentytwo": 3}, [])
    back = place.resume("a", there.token)
    assert "a seat at t1" in (back.ok("whoami").text or "")


def test_the_deal_of_a_day_is_the_same_at_all_servers_and_played_once() -> None:
    place = Place()
    hosts = [world.host for world in place.servers.values()]
    for host in hosts:
        host.dailies.keep_time()
    today = hosts[0].dailies.today
    assert len({host.dailies.secret(today, "whist22") for host in hosts}) == 1
    ann = place.guest("a", "ann")
    begun = ann.ok("daily whist22")
    ann.ok(f"leave {begun.fields['on']}")
    there = place.resume("b", ann.token)
    assert there.err("daily whist22") == "FORBIDDEN"
    there.ok("daily twentysix")
    for host in hosts:
        host.dailies.stop()


def test_two_connections_that_come_at_once_are_one_person() -> None:
    place = Place(BusFaults(delay=50))
    ann = place.guest("a", "ann")
    peers = [place.come("b", f"resume {ann.token}") for _ in range(3)]
    place.wait(5_000)
    assert place.here("~ann") == {"b": True}
    assert [_words(peer)[-1] for peer in peers] == ["BYE", "BYE", "OK"]


def test_nobody_moves_before_all_their_facts_are_stored() -> None:
    place = Place()
    ann = place.guest("a", "ann")
    person = place.servers["a"].host.people.exact("~ann")
    assert person is not None
    person.pending += 1
    there = place.come("b", f"resume {ann.token}")
    place.wait(2_000)
    assert place.here("~ann") == {"a": True}
    person.keyed.begin("k")
    person.pending -= 1
    place.wait(2_000)
    assert place.here("~ann") == {"a": True}
    person.keyed.end("k")
    place.wait(1_000)
    _entered(there)
    assert place.here("~ann") == {"b": True}


def test_two_servers_that_let_an_account_in_at_once_agree_on_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    one = place.guest("a", "ann")
    one.ok("register ann :secretsecret")
    one.ok("logout")
    place.wait()
    assert place.here("ann") == {}
    late: list[Callable[[], None]] = []
    with monkeypatch.context() as patch:

        def keepers(names: Collection[str], done: Callable[[Mapping[str, Keeper]], None]) -> None:
            place.store.keepers(names, lambda found: late.append(partial(done, found)))

        patch.setattr(place.servers["b"].store, "keepers", keepers)
        first = place.come("b", "login ann :secretsecret")
    second = place.come("c", "login ann :secretsecret")
    assert place.here("ann") == {"c": True}
    late.pop()()
    place.wait()
    assert place.here("ann") == {"b": True}
    assert [_words(peer)[-1] for peer in (first, second)] == ["OK", "BYE"]


def _words(peer: Peer) -> list[str]:
    return [each.word for each in peer.records()]


def test_all_who_wait_for_a_server_that_does_not_answer_are_refused() -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.nats.cut("b", "a")
    late = [place.come("b", f"resume {ann.token}") for _ in range(3)]
    place.wait(2 * PATIENCE)
    assert [peer.records()[-1].fields["code"] for peer in late] == ["BUSY"] * 3


def test_nothing_is_read_of_people_whom_a_server_keeps_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.nats.cut("b", "a")
    monkeypatch.setattr(place.servers["b"].store, "person", None)
    late = place.come("b", f"resume {ann.token}")
    place.wait(2 * PATIENCE)
    assert late.records()[-1].fields["code"] == "BUSY"


class AskedStore(MemoryStore):
    """A store whose questions about keepers are answered later: `asked` has them."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Collection[str], Callable[[Mapping[str, Keeper]], None]]] = []

    def keepers(self, names: Collection[str], done: Callable[[Mapping[str, Keeper]], None]) -> None:
        self.asked.append((names, done))


def test_people_who_are_looked_for_meanwhile_share_the_next_question() -> None:
    store = AskedStore()
    keepers = Keepers(store)
    ann, bob, cy, nobody = (
        Deferred.fromCoroutine(keepers.find(name)) for name in ("~Ann", "~bob", "~Cy", "~cy")
    )
    assert [[*names] for names, _ in store.asked] == [["~ann"]]
    store.asked[0][1]({"~ann": Keeper("~Ann", "a")})
    assert [[*names] for names, _ in store.asked[1:]] == [["~bob", "~cy"]]
    store.asked[1][1]({"~bob": Keeper("~bob", "b")})
    assert [each.result for each in (ann, bob, cy, nobody)] == [
        Keeper("~Ann", "a"),
        Keeper("~bob", "b"),
        None,
        None,
    ]


def test_a_server_that_does_not_answer_is_waited_for_and_then_named() -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.nats.cut("b", "a")
    late = place.come("b", f"resume {ann.token}")
    place.wait(PATIENCE // 2)
    assert not late.records()[1:]
    place.wait(PATIENCE)
    assert late.records()[-1].fields["code"] == "BUSY"
    assert place.here("~ann") == {"a": True}
    place.nats.heal()
    place.resume("b", ann.token)
    assert place.here("~ann") == {"b": True}


def test_the_people_of_a_dead_server_are_those_of_its_heir() -> None:
    place = Place()
    ann, bob, cat = (place.guest("a", name) for name in ("ann", "bob", "cat"))
    place.nats.bus("a")  # nobody answers for `a` any more
    heir = place.servers["b"]
    assert isinstance(heir.store, MemoryStore)
    heir.store.take_tables("a")
    place.servers["a"] = place.servers["c"]
    assert place.here("~ann") == {"b": False}
    place.resume("b", ann.token)
    place.resume("c", bob.token, 500)
    assert (place.here("~ann"), place.here("~bob")["c"]) == ({"b": True}, True)
    place.wait(heir.host.config.now.grace + 1)
    assert place.here("~cat") == {}
    late = place.come("b", f"resume {cat.token}")
    assert late.records()[-1].fields["code"] == "BAD_TOKEN"


def test_the_results_for_all_people_of_a_dead_server_are_one_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    for name in ("ann", "bob", "cat"):
        place.guest("a", name)
    heir = place.servers["b"].store
    assert isinstance(heir, MemoryStore)
    asked: list[Sequence[str]] = []
    monkeypatch.setattr(heir, "untold", lambda names, done: asked.append(names))
    heir.take_tables("a")
    assert asked == [["~ann", "~bob", "~cat"]]


@pytest.mark.parametrize("question", ["people", "person"])
def test_a_person_who_moves_on_while_they_are_read_is_not_at_two_servers(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.nats.bus("a")  # nobody answers for `a` any more
    heir = place.servers["b"].host.store
    assert isinstance(heir, MemoryStore)
    read: list[Callable[[], None]] = []
    ask = getattr(heir, question)

    def asked(*arguments: Any) -> None:
        *about, done = arguments
        ask(*about, lambda found: read.append(partial(done, found)))

    with monkeypatch.context() as late:
        late.setattr(heir, question, asked)
        if question == "person":
            monkeypatch.setattr(heir, "people", lambda done: done([]))
        heir.take_tables("a")
        place.come("b", f"resume {ann.token}")
        place.wait()
    del place.servers["a"]
    place.resume("c", ann.token, 500)
    for each in read:
        each()
    place.wait(500)
    assert len(place.here("~ann")) == 1


def test_a_request_that_comes_again_late_moves_nobody() -> None:
    place = Place()
    heard: list[bytes] = []
    place.nats.bus("c").listen(subjects.people("a"), heard.append)
    ann = place.guest("a", "ann")
    back = place.resume("a", place.resume("b", ann.token).token)
    assert heard
    for _ in range(3):
        place.nats.bus("c").tell(subjects.people("a"), heard[0])
        place.wait(500)
    assert place.here("~ann") == {"a": True}
    back.ok("whoami")


def test_a_closed_connection_moves_nobody() -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.nats.cut("b", "a")
    gone = place.come("b", f"resume {ann.token}")
    place.wait(500)
    gone.drop()
    place.nats.heal()
    place.wait(PATIENCE)
    assert place.here("~ann") == {"a": True}
    ann.ok("whoami")


def test_a_connection_that_closes_while_its_token_is_looked_up_does_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    ann = place.guest("a", "ann")
    found: list[Callable[[], None]] = []

    def late(secret: bytes, done: Callable[[Keeper | None], None]) -> None:
        place.store.keeper_by_secret(secret, lambda keeper: found.append(partial(done, keeper)))

    monkeypatch.setattr(place.servers["b"].store, "keeper_by_secret", late)
    gone = place.come("b", f"resume {ann.token}")
    gone.drop()
    back = place.resume("a", place.resume("a", ann.token).token)
    found.pop()()
    place.wait(500)
    assert place.here("~ann") == {"a": True}
    assert "WARN" not in back.words(), "nobody else has used the token"


def test_a_connection_whose_token_is_looked_up_slowly_does_not_replace_a_newer_one_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    ann = place.guest("a", "ann")
    found: list[Callable[[], None]] = []

    def late(secret: bytes, done: Callable[[Keeper | None], None]) -> None:
        place.store.keeper_by_secret(secret, lambda keeper: found.append(partial(done, keeper)))

    with monkeypatch.context() as slow:
        slow.setattr(place.servers["b"].store, "keeper_by_secret", late)
        old = place.come("b", f"resume {ann.token}")
    new = place.resume("b", ann.token)
    found.pop()()
    assert old.records()[-1].fields["code"] == "BUSY"
    new.ok("whoami")


def test_somebody_comes_in_although_the_connection_before_them_has_closed() -> None:
    place = Place(BusFaults(delay=50))
    ann = place.guest("a", "ann")
    gone = place.come("b", f"resume {ann.token}")
    stays = place.come("b", f"resume {ann.token}")
    gone.drop()
    place.wait(5_000)
    assert _words(stays)[-1] == "OK"
    assert place.here("~ann") == {"b": True}


@pytest.mark.parametrize("late", [False, True])
def test_whoever_is_moved_for_a_connection_that_closes_is_away_there(late: bool) -> None:
    place = Place()
    ann = place.guest("a", "ann")
    heard: list[bytes] = []
    place.nats.bus("c").listen(subjects.people("a"), heard.append)
    place.nats.cut("b", "a") if late else place.nats.cut("a", "b")
    gone = place.come("b", f"resume {ann.token}")
    place.wait(500)
    gone.drop()
    place.wait(2_000)
    if late:
        assert place.here("~ann") == {"a": True}
        place.nats.bus("c").tell(subjects.people("a"), heard[0])
        place.wait(2_000)
    assert place.here("~ann") == {"b": False}
    place.resume("c", ann.token)
    assert place.here("~ann") == {"c": True}


@pytest.mark.parametrize("where", ["a", "c"])
def test_an_older_arrival_does_not_win_over_one_that_ended_meanwhile(where: str) -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.nats.cut("b", "a")
    old = place.come("b", f"resume {ann.token}")
    place.wait(500)
    new = place.resume(where, ann.token)
    place.nats.heal()
    place.wait(2_000)
    assert old.records()[-1].fields["code"] == "BUSY"
    assert place.here("~ann") == {where: True}
    new.ok("whoami")
    place.resume("b", ann.token)
    assert place.here("~ann") == {"b": True}


def test_a_request_that_comes_very_late_moves_nobody_who_is_connected() -> None:
    place = Place()
    heard: list[bytes] = []
    place.nats.bus("c").listen(subjects.people("a"), heard.append)
    ann = place.guest("a", "ann")
    back = place.resume("a", place.resume("b", ann.token).token)
    place.wait(REPEATS_FOR)
    place.nats.bus("c").tell(subjects.people("a"), heard[0])
    place.wait(500)
    assert place.here("~ann") == {"a": True}
    back.ok("whoami")


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"[]", json.encode(MoveRequest("t", "~no", "b", b""))]
)
def test_a_wrong_request_does_nothing(data: bytes) -> None:
    place = Place()
    ann = place.guest("a", "ann")
    place.nats.bus("c").tell(subjects.people("a"), data)
    place.wait(500)
    assert place.here("~ann") == {"a": True}
    ann.ok("whoami")


@pytest.mark.parametrize("seed", range(20))
def test_over_a_bad_bus_there_is_never_a_second_of_anybody(seed: int) -> None:
    dice = random.Random(seed)
    place = Place(BusFaults(lost=0.2, doubled=0.2, delay=300))
    tokens = {name: place.guest("a", name).token for name in ("ann", "bob")}
    for _ in range(25):
        name = dice.choice(("ann", "bob"))
        peer = place.come(dice.choice("abc"), f"resume {tokens[name]}")
        for _ in range(150):
            place.wait(100)
            connected = [list(place.here(f"~{each}").values()) for each in tokens]
            assert all(sum(each) <= 1 and len(each) <= 1 for each in connected)
            if found := [r for r in peer.records() if r.id == "1"]:
                break
        if found[-1].word == "OK":
            tokens[name] = found[-1].fields["token"]
        else:
            assert found[-1].fields["code"] == "BUSY"
