"""Private words between people at different servers: told once, by numbers without gaps."""

from __future__ import annotations

import random

import pytest
from msgspec import json

from tests.host.test_directory import BAD, SOON
from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server import subjects
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.host.cluster.post import LIMIT, REPEATS_FOR, MailQuestion

pytestmark = pytest.mark.deadline(60)


def come(place: Place, *names: str) -> list[Peer]:
    """A person at each server, who is known at the others."""
    peers = [place[node].program(name) for node, name in zip(place.names, names, strict=False)]
    place.advance(SOON)
    return peers


def reply(place: Place, peer: Peer, line: str, ms: int = SOON) -> ParsedLine:
    """The reply to a command, some time later."""
    id = f"r{place.clock.now()}"
    peer.take()
    peer.hear(f"@{id} {line}")
    place.advance(ms)
    (found,) = [r for r in peer.records() if r.id == id and r.word in ("OK", "ERR")]
    return found


def inbox(place: Place, peer: Peer) -> list[tuple[str, str | None]]:
    """The words and texts of a person's inbox, whose numbers have no gaps."""
    place.advance(SOON)
    peer.ok("sync me from=0")
    events = peer.events("me")
    assert [int(each.fields["seq"]) if "seq" in each.fields else each.seq for each in events] == [
        *range(1, len(events) + 1)
    ]
    return [(each.word, each.text) for each in events]


def test_somebody_is_told_something_at_another_server() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    bob.take()
    said = reply(place, ann, "tell bob :hello there")
    assert (said.word, said.fields["on"]) == ("OK", "me")
    assert [each.text for each in bob.events("me")] == ["hello there"]
    assert inbox(place, ann) == inbox(place, bob) == [("TOLD", "hello there")]
    assert reply(place, bob, "tell ~ann :hi").word == "OK"
    assert inbox(place, ann)[1:] == inbox(place, bob)[1:] == [("TOLD", "hi")]
    assert reply(place, ann, "tell nobody :hi").fields["code"] == "NO_SUCH_USER"
    assert inbox(place, cat) == []


def test_somebody_who_is_away_at_another_server_reads_it_later() -> None:
    place = Place()
    ann, bob, _ = come(place, "ann", "bob", "cat")
    bob.drop()
    place.advance(5_000)
    assert reply(place, ann, "tell bob :later").word == "OK"
    back = place["c"].peer()
    back.say("hello 1")
    back.hear(f"@r resume {bob.token} me:0")
    place.advance(SOON)
    assert [each.text for each in back.events("me")] == ["later"]
    assert reply(place, back, "tell ann :now").word == "OK"
    assert inbox(place, ann) == inbox(place, back) == [("TOLD", "later"), ("TOLD", "now")]


def test_a_block_is_that_of_the_receiver() -> None:
    place = Place()
    ann, bob, _ = come(place, "ann", "bob", "cat")
    assert reply(place, bob, "block ann").word == "OK"
    on = ann.ok("open twentytwo").fields["on"]
    place.advance(LOOK)
    assert reply(place, ann, f"invite bob {on}").text == "~bob is invited."
    assert inbox(place, bob) == []
    bob.take()
    assert reply(place, ann, "tell bob :hello").word == "OK"
    assert [each.text for each in bob.events("me")] == [None]


def test_an_invitation_is_accepted_and_another_one_declined() -> None:
    place = Place()
    ann, bob, cat = come(place, "ann", "bob", "cat")
    on = ann.ok("open twentytwo private=fox").fields["on"]
    place.advance(LOOK)
    assert reply(place, ann, "invite bob").text == "~bob is invited."
    assert reply(place, ann, "invite bob").text == "~bob is invited already."
    assert reply(place, ann, "invite cat").text == "~cat is invited."
    assert [each.word for each in cat.events("me")] == ["INVITED"]
    assert [row.fields["on"] for row in cat.rows("tables")] == [on]
    assert reply(place, bob, "accept ann").word == "OK"
    place.advance(LOOK)
    assert place["a"].room(on).table.seat_of("~bob") is not None
    assert reply(place, cat, "decline ann").word == "OK"
    assert inbox(place, ann) == [("DECLINED", None)]
    assert cat.rows("tables") == []
    assert cat.err("decline ann") == "NO_SUCH_TABLE"
    cat.drop()
    place.advance(5_000)
    away = reply(place, ann, "invite cat").text
    assert away == "~cat is invited, and reads it when they are back."


def test_an_invitation_that_comes_again_late_is_none() -> None:
    place = Place()
    ann, bob, _ = come(place, "ann", "bob", "cat")
    heard: list[bytes] = []
    place.nats.bus("x").listen(subjects.mail("b"), heard.append)
    on = ann.ok("open twentytwo").fields["on"]
    place.advance(LOOK)
    assert reply(place, ann, "invite bob").word == "OK"
    assert reply(place, bob, "decline ann").word == "OK"
    place.advance(REPEATS_FOR)
    place.nats.bus("x").tell(subjects.mail("b"), heard[0])
    place.advance(SOON)
    assert bob.err("accept ann") == "NO_SUCH_TABLE"
    assert reply(place, ann, f"invite bob {on}").text == "~bob is invited."


def test_a_guest_who_is_lost_while_something_is_told_is_forgotten_later() -> None:
    place = Place(config={"grace": 2_000})
    ann, _, _ = come(place, "ann", "bob", "cat")
    place.nats.cut("a", "b")
    ann.hear("tell bob :hello")
    ann.drop()
    place.advance(LIMIT - 1_000)
    assert place["a"].host.people.exact("~ann") is not None
    place.advance(5_000)
    assert place["a"].host.people.exact("~ann") is None


def test_a_question_that_comes_again_is_stored_once_also_by_the_heir() -> None:
    place = Place()
    ann, bob, _ = come(place, "ann", "bob", "cat")
    heard: list[bytes] = []
    place.nats.bus("x").listen(subjects.mail("b"), heard.append)
    assert reply(place, ann, "tell bob :once").word == "OK"
    for _ in range(2):
        place.nats.bus("x").tell(subjects.mail("b"), heard[0])
        place.advance(REPEATS_FOR)
    assert inbox(place, bob) == [("TOLD", "once")]
    place.kill("b")
    place.take_over("b", "c")
    place.advance(SOON)
    place.nats.bus("x").tell(subjects.mail("c"), heard[0])
    place.advance(SOON)
    back = place["c"].peer()
    back.say("hello 1")
    back.hear(f"@r resume {bob.token} me:0")
    place.advance(SOON)
    assert inbox(place, back) == [("TOLD", "once")]


def test_a_command_with_a_key_is_told_once_though_it_is_repeated_elsewhere() -> None:
    place = Place()
    ann, bob, _ = come(place, "ann", "bob", "cat")
    place.nodes["a"].store.late = True  # its own line and the command are not stored
    ann.hear("tell bob once=k1 :hello")
    place.advance(SOON)
    place.kill("a")
    place.take_over("a", "c")
    place.advance(SOON)
    back = place["c"].peer()
    back.say("hello 1")
    back.hear(f"@r resume {ann.token}")
    place.advance(SOON)
    assert reply(place, back, "tell bob once=k1 :hello").word == "OK"
    assert inbox(place, bob) == inbox(place, back) == [("TOLD", "hello")]


def test_whose_server_does_not_answer_is_told_something_perhaps() -> None:
    place = Place()
    ann, _, _ = come(place, "ann", "bob", "cat")
    place.nats.cut("a", "b")
    ann.take()
    ann.hear("@1 tell bob :hello")
    place.advance(LIMIT + 2_000)
    assert [each.word for each in ann.records()] == ["BYE"]
    assert ann.hung_up


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", json.encode(MailQuestion("t", "~bob", "X"))])
def test_a_wrong_question_does_nothing(data: bytes) -> None:
    place = Place()
    _, bob, _ = come(place, "ann", "bob", "cat")
    place.nats.bus("x").tell(subjects.mail("b"), data)
    assert inbox(place, bob) == []


@pytest.mark.parametrize("seed", range(10))
def test_over_a_bad_bus_everything_is_told_once_and_in_one_order(seed: int) -> None:
    dice, place = random.Random(seed), Place(BAD, seed)
    names = ("ann", "bob", "cat")
    tokens = {name: place[on].program(name).token for name, on in zip(names, "abc", strict=True)}
    place.advance(5_000)
    peers: dict[str, Peer] = {}
    said: dict[str, list[str]] = {name: [] for name in tokens}
    for turn in range(40):
        name = dice.choice(names)
        if name not in peers or peers[name].hung_up or dice.random() < 0.1:
            peer = place[dice.choice("abc")].peer()
            peer.say("hello 1")
            peer.hear(f"@in resume {tokens[name]}")
            place.advance(15_000)
            replies = [r for r in peer.records() if r.id == "in" and r.word in ("OK", "ERR")]
            if replies and replies[0].word == "OK":
                tokens[name], peers[name] = replies[0].fields["token"], peer
            continue
        peer, to = peers[name], dice.choice(names)
        peer.take()
        peer.hear(f"@t{turn} tell {to} :{turn}")
        place.advance(LIMIT + 2_000)
        if any(r.id == f"t{turn}" and r.word == "OK" for r in peer.records()):
            for each in {name, to}:
                said[each].append(str(turn))
    place.advance(30_000)
    for name, token in tokens.items():
        back = place["a"].peer()
        back.say("hello 1")
        for _ in range(20):
            back.hear(f"@in resume {token}")
            place.advance(15_000)
            if back.session.name:
                break
        texts = [text for _, text in inbox(place, back)]
        assert len(texts) == len(set(texts))
        assert [text for text in texts if text in said[name]] == said[name]
