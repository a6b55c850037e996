"""What an operator does at one of several servers holds at all of them."""

from __future__ import annotations

import random
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping

import pytest

from tests.kit.cluster import Place
from tests.kit.hosts import Peer, World
from tests.kit.length import times
from tests.kit.operators import HOUR, Operator
from tests.kit.simulated_bus import BusFaults
from twentytwo_server.facts import Sanction, SanctionKind
from twentytwo_server.host.cluster.news import SPAN, News, NewsKind
from twentytwo_server.host.config import Registration
from twentytwo_server.limits.logins import FREE
from twentytwo_server.store import Refused
from twentytwo_server.subjects import NEWS

pytestmark = pytest.mark.deadline(60)

BAD = BusFaults(lost=0.2, doubled=0.2, delay=300)
SECRET = ":three blind mice"


def at(world: World, name: str, address: str = "203.0.113.7") -> Peer:
    """A guest who comes from an address."""
    peer = world.peer(address)
    peer.say("hello 1 client=test")
    peer.hear(f"@g guest {name}")
    world.advance(1)
    reply = next(each for each in peer.records() if each.id == "g")
    peer.name, peer.token = reply.fields["name"], reply.fields["token"]
    peer.take()
    return peer


def account(world: World, name: str) -> Peer:
    """The owner of a new account."""
    peer = world.program()
    peer.hear(f"@r register {name} {SECRET}")
    world.advance(1)
    peer.name = name
    return peer


def test_a_banned_network_is_closed_and_kept_out_at_all_servers_and_let_in_again() -> None:
    place = Place()
    eve, bob = at(place["b"], "eve"), at(place["b"], "bob", "203.0.114.7")
    operator = Operator(place["a"])
    operator.does("ban", target="203.0.113.0/24", ms=HOUR)
    place.advance(1)
    assert (eve.hung_up, bob.hung_up) == (True, False)
    assert [bool(place[n].host.sanctions.ban_of_address("203.0.113.9")) for n in "abc"] == [
        True
    ] * 3
    Operator(place["c"]).does("unban", target="203.0.113.0/24")
    place.advance(1)
    assert [place[n].host.sanctions.ban_of_address("203.0.113.9") for n in "abc"] == [None] * 3


def test_a_banned_account_is_closed_at_its_server_with_all_its_tokens() -> None:
    place = Place()
    eve = account(place["b"], "eve")
    place.advance(1)
    Operator(place["b"]).does("ban", target="eve", ms=HOUR)
    assert eve.hung_up
    Operator(place["b"]).does("unban", target="eve")
    place.advance(1)
    again = place["c"].program()
    again.hear(f"@1 login eve {SECRET}")
    place.advance(1000)
    assert again.records()[-1].word == "OK"
    token = again.records()[-1].fields["token"]
    Operator(place["b"]).does("ban", target="eve", ms=HOUR)
    place.advance(1)
    assert again.hung_up
    Operator(place["a"]).does("unban", target="eve")
    place.advance(1)
    late = place["a"].program()
    late.hear(f"@1 resume {token}")
    place.advance(1000)
    assert late.records()[-1].fields["code"] == "BAD_TOKEN"


def test_a_mute_is_told_where_the_person_is() -> None:
    place = Place()
    ann = account(place["b"], "ann")
    place["a"].host.people.skeletons["ann"] = "ann"
    Operator(place["a"]).does("mute", name="ann", ms=HOUR)
    place.advance(1)
    assert ann.events()[-1].fields["code"] == "MUTED"
    assert ann.err("shout :hello") == "FORBIDDEN"
    Operator(place["a"]).does("unmute", name="ann")
    place.advance(1)
    assert ann.events()[-1].fields["code"] == "UNMUTED"


def test_a_mute_is_told_once_at_its_own_server() -> None:
    place = Place()
    ann = at(place["a"], "ann")
    ann.take()
    Operator(place["a"]).does("mute", name="ann", ms=HOUR)
    place.advance(2 * SPAN)
    assert [event.fields["code"] for event in ann.events()] == ["MUTED"]


def test_a_server_that_starts_lifts_no_ban_that_another_one_may_have_renewed() -> None:
    place = Place()
    ended = Sanction(SanctionKind.BAN, "203.0.113.7", until=0, why="", wall=0)
    place.store.keep([ended], lambda: None)
    World(place.store.node("d"), clock=place.clock, run=9, clustered=True)
    assert [*place.store.remembered().sanctions] == [ended]
    World(place.store.node("d"), clock=place.clock, run=9)
    assert [*place.store.remembered().sanctions] == []


def test_reports_of_all_servers_are_answered_at_any_of_them() -> None:
    place = Place()
    others = {"a": "b", "b": "a"}
    people = {
        node: (at(place[node], f"ann{node}"), at(place[others[node]], f"bob{node}"))
        for node in "ab"
    }
    for node, (ann, bob) in people.items():
        ann.ok(f"report {bob.name.removeprefix('~')} :cheats at {node}")
        assert ann.err("report nobody :cheats") == "NO_SUCH_USER"
    place.advance(1)
    operator = Operator(place["c"])
    rows = operator.does("reports").rows
    assert [row["text"] for row in rows] == ["cheats at a", "cheats at b"]
    assert [row["about"] for row in rows] == ["~boba", "~bobb"]
    assert [row["from"] for row in rows] == ["203.0.113.7"] * 2
    assert len({row["id"] for row in rows}) == 2
    answer = operator.does("close report", id=rows[1]["id"], answer="Thank you.")
    assert answer.text.endswith("is told at the next login")
    place.advance(1)
    assert people["b"][0].events()[-1].fields["code"] == "REPORT"
    place.advance(1)
    assert [len(place[node].host.reports.pending) for node in "abc"] == [1, 1, 1]
    people["b"][0].take()
    place.advance(2 * SPAN)
    assert "REPORT" not in "".join(people["b"][0].take())
    with pytest.raises(Refused, match="is open"):
        Operator(place["a"]).does("close report", id=rows[1]["id"], answer="Again.")


def test_unknown_names_have_the_same_salt_at_all_servers() -> None:
    place = Place()
    first = b64encode(b"n,,n=nobody,r=22").decode()
    peers = [place[node].program() for node in "abc"]
    for node in "abc":
        place.nodes[node].store.late = True
    for peer in peers:
        peer.hear(f"@1 auth SCRAM-SHA-256 {first}")
    for node in "abc":
        place.nodes[node].store.release()
    challenges = [peer.records()[0].fields["data"] for peer in peers]
    salts = {b64decode(each).decode().split(",")[1] for each in challenges}
    assert len(salts) == 1


def test_an_account_is_known_at_all_servers_and_its_name_taken() -> None:
    place = Place()
    account(place["a"], "ann")
    place.advance(1)
    assert place["b"].program().err(f"register Ann {SECRET}") == "NAME_TAKEN"
    assert place["c"].program().ok("guest ann").fields["name"] == "~ann2"
    Operator(place["c"]).does("ban", target="ann", ms=HOUR)


def hashing(place: Place, lines: Mapping[str, str]) -> Mapping[str, Peer]:
    """Programs that have sent a line to each server, at which the password is still hashed."""
    peers = {}
    for node, line in lines.items():
        place[node].hasher.late = True
        peers[node] = place[node].program()
        peers[node].hear(f"@1 {line}")
    return peers


def outcomes(place: Place, peers: Mapping[str, Peer]) -> list[str]:
    """The answers, as the passwords are hashed one after the other."""
    for node in peers:
        place[node].hasher.late = False
        place[node].hasher.release()
        place.advance(1)
    replies = [next(r for r in peer.records() if r.id == "1") for peer in peers.values()]
    return [reply.fields.get("code", "OK") for reply in replies]


def test_of_two_servers_that_make_an_account_at_once_one_does() -> None:
    place = Place()
    peers = hashing(place, {"a": f"register ann {SECRET}", "b": f"register Ann {SECRET} too"})
    assert outcomes(place, peers) == ["OK", "NAME_TAKEN"]
    assert place.store.remembered().skeletons == {"ann": "ann"}
    again = place["b"].program()
    again.hear(f"@1 login ann {SECRET}")
    place.advance(1000)
    assert again.records()[-1].fields["name"] == "ann"


def test_an_invite_code_makes_one_account_at_one_server() -> None:
    place = Place(config={"registration": Registration.INVITE})
    code = Operator(place["c"]).does("invite", n=1, ms=HOUR).rows[0]["code"]
    place.advance(1)
    peers = hashing(place, {node: f"register x{node} code={code} {SECRET}" for node in "ab"})
    assert outcomes(place, peers) == ["OK", "FORBIDDEN"]
    place.advance(1)
    for node in "abc":
        late = place[node].program()
        assert late.err(f"register y{node} code={code} {SECRET}") == "FORBIDDEN"


def test_a_code_for_a_new_password_works_once_at_one_server() -> None:
    place = Place()
    account(place["a"], "ann")
    place.advance(1)
    text = Operator(place["c"]).does("reset account", name="ann", ms=HOUR).text
    code = text.rpartition("code=")[2]
    place.advance(1)
    peers = hashing(
        place, {node: f"register ann code={code} :three kind mice {node}" for node in "bc"}
    )
    assert outcomes(place, peers) == ["OK", "FORBIDDEN"]
    place.advance(1)
    late = place["a"].program()
    late.hear("@1 login ann :three kind mice b")
    place.advance(1000)
    assert late.records()[-1].fields["name"] == "ann"


def stranger(place: Place, node: str, address: str, line: str) -> str:
    """The outcome of the first command of a new connection."""
    peer = place[node].peer(address)
    peer.private = True
    peer.say("hello 1 client=test")
    peer.hear(f"@1 {line}")
    place.advance(1)
    return peer.records()[-1].fields.get("code", "OK")


@pytest.mark.parametrize("faults", [BusFaults(), BusFaults(doubled=1.0)])
def test_whoever_guesses_at_several_servers_is_not_faster(faults: BusFaults) -> None:
    place = Place(faults)
    account(place["a"], "ann")
    place.advance(1)
    refusals = [
        stranger(place, "abc"[no % 3], f"203.0.{no}.7", f"login ANN :wrong{no}") for no in range(7)
    ]
    assert refusals == ["BAD_LOGIN"] * 5 + ["RATE"] * 2
    place.advance(HOUR)
    refusals = [
        stranger(place, "abc"[no % 3], "203.0.113.7", f"login x{no} :wrong") for no in range(12)
    ]
    assert refusals == ["BAD_LOGIN"] * 10 + ["RATE"] * 2


def test_guesses_delay_the_owner_at_no_server() -> None:
    place = Place()
    account(place["a"], "ann")
    place.advance(1)
    assert stranger(place, "b", "198.51.100.7", "login ann :wrong") == "BAD_LOGIN"
    peer = place["b"].peer("198.51.100.7")
    peer.private = True
    peer.say("hello 1 client=test")
    peer.hear(f"@1 login ann {SECRET}")
    place.advance(500)
    assert peer.records()[-1].word == "OK"
    refusals = [stranger(place, "c", f"203.0.{no}.7", "login ann :wrong") for no in range(6)]
    assert refusals[-1] == "RATE"
    for node in "abc":
        assert stranger(place, node, "198.51.100.7", "login ann :wrong") == "BAD_LOGIN"


def test_registrations_count_at_all_servers() -> None:
    place = Place()
    codes = [
        stranger(place, "abc"[no % 3], "203.0.113.9", f"register ann{no} {SECRET}")
        for no in range(4)
    ]
    assert codes == ["OK", "OK", "OK", "RATE"]


@pytest.mark.parametrize("faults", [BusFaults(), BAD])
def test_whoever_has_blocked_a_guest_has_blocked_the_account_at_every_server(
    faults: BusFaults,
) -> None:
    place = Place(faults)
    eve, ann, zoe = at(place["a"], "eve"), account(place["b"], "ann"), account(place["c"], "zoe")
    for peer in (ann, zoe):
        peer.hear("@b block eve")
        place.advance(1)
    zoe.ok("logout")
    place.nodes["b"].store.late = True  # it stores the old name over the new one
    ann.hear(f"@2 block {at(place['c'], 'bob').name}")
    eve.private = True
    eve.hear(f"@1 register mallory {SECRET}")
    place.advance(60_000)
    place.nodes["b"].store.late = False
    place.nodes["b"].store.release()
    assert ann.ok("block").text == "You hear nothing from mallory, ~bob."
    again = place["a"].program()
    again.hear(f"@1 login zoe {SECRET}")
    place.advance(11_000)
    assert again.ok("block").text == "You hear nothing from mallory."
    stored = place.store.remembered().blocks
    assert {name: {*names} for name, names in stored.items()} == {
        "ann": {"mallory", "~bob"},
        "zoe": {"mallory"},
    }


def test_a_guest_who_becomes_an_account_changes_no_other_blocked_names() -> None:
    place = Place()
    eve, zoe = (at(place["a"], name) for name in ("eve", "zoe"))
    ann = account(place["a"], "ann")
    for peer, name in ((ann, "eve"), (ann, "zoe"), (zoe, "eve")):
        peer.ok(f"block {name}")
    place.nodes["d"] = place.start("d", 9)
    ann.ok("unblock zoe")
    resumed = place["d"].peer()
    resumed.say("hello 1 client=test")
    resumed.hear(f"@1 resume {eve.token}")
    place.advance(1_000)
    resumed.hear(f"@2 register mallory {SECRET}")
    place.advance(1_000)
    assert resumed.records()[-1].fields.get("code") is None
    assert ann.ok("block").text == "You hear nothing from mallory."
    assert place.store.remembered().blocks == {"ann": ("mallory",), "~zoe": ("mallory",)}


def test_no_code_is_used_while_the_home_of_the_account_does_not_answer() -> None:
    place = Place()
    ann = account(place["a"], "ann")
    place.advance(1)
    text = Operator(place["c"]).does("reset account", name="ann", ms=HOUR).text
    code = text.rpartition("code=")[2]
    place.advance(1)
    place.nats.cut("b", "a")
    peer = place["b"].program()
    peer.hear(f"@1 register ann code={code} :three kind mice")
    place.advance(20_000)
    assert peer.records()[-1].fields["code"] == "BUSY"
    place.nats.heal()
    peer.hear(f"@2 register ann code={code} :three kind mice")
    place.advance(1_000)
    assert peer.records()[-1].fields["name"] == "ann"
    assert ann.hung_up


def test_what_is_not_stored_yet_is_not_undone_by_news() -> None:
    place = Place()
    node, store = place["a"], place.nodes["a"].store
    Operator(place["b"]).does("ban", target="203.0.113.7", ms=HOUR)
    place.advance(1)
    store.late = True
    operator = Operator(node)
    operator.asks("ban", target="198.51.100.7", ms=HOUR)
    operator.asks("unban", target="203.0.113.7")
    place.advance(2 * SPAN)
    banned = node.host.sanctions.ban_of_address
    assert (bool(banned("198.51.100.7")), banned("203.0.113.7")) == (True, None)
    store.late = False
    store.release()
    place.advance(1)
    bans = [[s.target for s in place[n].host.sanctions.in_force(SanctionKind.BAN)] for n in "abc"]
    assert bans == [["198.51.100.7"]] * 3


def test_news_that_come_during_a_question_are_asked_for_again() -> None:
    place = Place()
    news = place["b"].host.parts.make(News)
    asked: list[Callable[[int], None]] = []
    found: list[int] = []
    news.watch(NewsKind.MODERATION, asked.append, found.append)
    for _ in range(3):
        news.tell(NewsKind.MODERATION)
        place.advance(1)
    assert len(asked) == 1
    asked.pop()(1)
    asked.pop()(2)
    assert (found, asked) == ([1, 2], [])


@pytest.mark.parametrize("again", ["span", "connected"])
def test_lost_news_are_read_later(again: str) -> None:
    place = Place()
    place.nats.stop()
    Operator(place["a"]).does("ban", target="203.0.113.7", ms=HOUR)
    place.advance(1)
    banned = place["b"].host.sanctions.ban_of_address
    assert banned("203.0.113.7") is None
    if again == "connected":
        place.nats.start()
    place.advance(SPAN if again == "span" else 1)
    assert banned("203.0.113.7") is not None


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b'{"kinds": ["weather"]}'])
def test_wrong_news_do_nothing(data: bytes) -> None:
    place = Place()
    place.nodes["b"].bus.tell(NEWS, data)
    place.advance(1)
    at(place["a"], "ann").ok("whoami")


@pytest.mark.parametrize("seed", range(20))
def test_over_a_bad_bus_all_servers_agree_in_the_end(seed: int) -> None:
    place, dice = Place(BAD, seed), random.Random(seed)
    targets = ["203.0.113.7", "198.51.100.0/24", "192.0.2.1"]
    expected: set[str] = set()
    for _ in range(40):
        target, operator = dice.choice(targets), Operator(place[dice.choice("abc")])
        try:
            if dice.random() < 0.5:
                operator.does("ban", target=target, ms=HOUR * 9)
                expected.add(target)
            else:
                operator.does("unban", target=target)
                expected.discard(target)
        except Refused:
            pass  # that server has not heard of the ban yet
        place.advance(dice.choice((0, 10, 1000)))
    place.advance(SPAN + 1000)
    for node in "abc":
        bans = place[node].host.sanctions.in_force(SanctionKind.BAN)
        assert {each.target for each in bans} == expected


@pytest.mark.parametrize("seed", range(times(8, long=200)))
def test_names_and_codes_are_taken_once_whatever_is_lost_and_however_late(seed: int) -> None:
    dice = random.Random(seed)
    place = Place(BAD, seed, config={"registration": Registration.INVITE, "logins": FREE})
    operator = Operator(place["a"])
    codes = [row["code"] for row in operator.does("invite", n=4, ms=9 * HOUR).rows]
    place.advance(SPAN)
    sent: list[tuple[Peer, str, object, str]] = []
    for no in range(30):
        world, other = place[dice.choice("abc")], place[dice.choice("abc")]
        world.hasher.late = dice.random() < 0.7
        name, code = dice.choice(("ann", "Ann", "bob", "cat", "dan")), dice.choice(codes)
        password = f"three blind mice {no}"
        peer = world.program()
        peer.hear(f"@1 register {name} code={code} :{password}")
        sent.append((peer, name.lower(), code, password))
        other.hasher.late = False
        other.hasher.release()
        place.advance(dice.choice((0, 0, 50, 2_000)))
    for world in place.alive:
        world.hasher.late = False
        world.hasher.release()
    place.advance(SPAN + 10_000)
    made = {
        (name, code, password)
        for peer, name, code, password in sent
        if any(reply.id == "1" and reply.word == "OK" for reply in peer.records())
    }
    left = place.store.remembered()
    assert len({name for name, *_ in made}) == len({code for _, code, _ in made}) == len(made) > 1
    assert len(left.skeletons) + len(left.invite_codes) == len(codes)
    for world in place.alive:
        assert world.host.people.skeletons == left.skeletons
        unused = {each.digest for each in world.host.invite_codes.unused}
        assert unused == {each.digest for each in left.invite_codes}


def test_a_server_that_is_alone_reads_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    asked: list[Callable[[], None]] = []
    monkeypatch.setattr(world.store, "moderation", asked.append)
    Operator(world).does("ban", target="203.0.113.7", ms=HOUR)
    world.advance(3 * SPAN)
    assert not asked
