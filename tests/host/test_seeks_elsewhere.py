"""People who seek the same at different servers find each other, once."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

import pytest

from tests.host.test_directory import BAD, SOON, lobby
from tests.kit.cluster import Place
from tests.kit.hosts import LateStore, Peer
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.connection import Note
from twentytwo_server.facts import Seek, SeekMatch, SeeksSeated
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.host.cluster.shared_seeks import AGAIN
from twentytwo_server.host.commands.lobby.seeking import LOST
from twentytwo_server.session.session import Session
from twentytwo_server.table.table import Phase

pytestmark = pytest.mark.deadline(60)


Told = dict[int, list[str]]


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """The tables to which seeks have led, by the session that was told."""
    tables: Told = defaultdict(list)
    tell = Session.notice

    def notice(session: Session, event: Event) -> None:
        if isinstance(event, Note) and event.code == "FOUND":
            assert event.table is not None
            tables[id(session)].append(event.table)
        tell(session, event)

    monkeypatch.setattr(Session, "notice", notice)
    monkeypatch.setitem(globals(), "_told", tables)
    return tables


_told: Told = {}


def found(peer: Peer) -> list[str]:
    """The tables to which seeks of this person have led."""
    return _told[id(peer.session)]


def seekers(place: Place, names: str = "ann bob cat") -> list[Peer]:
    """A person at each server."""
    people = zip(place.names, names.split(), strict=False)
    return [place[node].program(name) for node, name in people]


def seats(place: Place, name: str) -> list[str]:
    """The tables where a person has a seat, as the stored inputs have it."""
    rooms = [room for world in place.alive for room in world.host.rooms.own.values()]
    return [room.id for room in rooms if room.table.seat_of(name) is not None]


def seeks(peer: Peer) -> list[str]:
    return [row.fields["name"] for row in peer.rows("seeks")]


def test_two_people_at_two_servers_find_each_other_and_play() -> None:
    place = Place()
    ann, bob, cat = seekers(place)
    first = ann.ok("seek twentytwo")
    place.advance(SOON)
    assert seeks(cat) == ["~ann"]
    assert cat.err("accept seek=99") == "NO_SUCH_SEEK"
    second = bob.ok(f"accept seek={first.fields['seek']}")
    assert second.fields["seek"] > first.fields["seek"]
    on = found(bob)
    place.advance(SOON)
    assert found(ann) == on != []
    assert ann.session.current == bob.session.current == on[0]
    assert seats(place, "~ann") == seats(place, "~bob") == on
    place.advance(4_000)
    numbers = [each.seq for each in ann.events(on[0]) if each.seq is not None]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert [e.word for e in ann.events(on[0])] == [e.word for e in bob.events(on[0])]
    assert seeks(ann) == seeks(bob) == seeks(cat) == []
    table = place["b"].room(on[0]).table
    assert (table.phase, table.host) == (Phase.PLAYING, "~ann")


def test_people_find_each_other_without_a_bus() -> None:
    place = Place()
    ann, bob, _ = seekers(place)
    place.nats.stop()
    ann.ok("seek twentytwo")
    bob.ok("seek twentytwo")
    place.advance(2 * LOOK)
    assert found(ann) == found(bob) != []


def test_seeks_elsewhere_are_announced_and_listed_until_they_end() -> None:
    place = Place()
    ann, bob, cat = seekers(place)
    bob.ok("follow lobby")
    ann.ok("seek twentytwo players=4")
    cat.ok("seek whist22 options=start_score:30")
    place.advance(SOON)
    assert sorted(lobby(bob, "lobby")) == ["SOUGHT ~ann", "SOUGHT ~cat"]
    assert sorted(seeks(bob)) == ["~ann", "~cat"]
    ann.ok("unseek")
    assert ann.err("unseek") == "NO_SUCH_SEEK"
    cat.drop()
    place.advance(SOON)
    assert sorted(lobby(bob, "lobby")) == ["UNSOUGHT ~ann", "UNSOUGHT ~cat"]
    assert seeks(bob) == []
    bob.ok("seek whist22 options=start_score:30")
    assert found(bob) == []


def test_another_seek_replaces_the_earlier_one_at_all_servers() -> None:
    place = Place()
    ann, bob, _ = seekers(place)
    ann.ok("seek twentytwo")
    ann.ok("seek twentysix")
    place.advance(SOON)
    assert seeks(bob) == ["~ann"]
    bob.ok("seek twentytwo")
    assert found(bob) == []
    bob.ok("seek twentysix")
    assert len(found(bob)) == 1


def test_whoever_moves_seeks_no_more() -> None:
    place = Place()
    ann, bob, _ = seekers(place)
    ann.ok("seek twentytwo")
    back = place["c"].peer()
    back.say("hello 1")
    back.hear(f"resume {ann.token}")
    place.advance(SOON)
    assert seeks(back) == []
    bob.ok("seek twentytwo")
    assert found(bob) == []


def test_people_at_full_tables_are_not_seated() -> None:
    place = Place()
    ann, bob, _ = seekers(place)
    ann.ok("seek twentytwo")
    for world in place.alive:
        config = world.host.config
        config.change(replace(config.now, tables_each=1))
    ann.ok("open whist22")
    place.advance(LOOK)
    bob.ok("seek twentytwo")
    assert found(bob) == []
    ann.ok("leave")
    place.advance(LOOK + AGAIN)
    assert len(found(bob)) == 1


def test_a_match_of_a_server_that_dies_is_given_up_and_made_again() -> None:
    place = Place()
    ann, bob, cat = seekers(place)
    ann.ok("seek twentytwo players=3")
    bob.ok("seek twentytwo players=3")
    place.nodes["c"].store.late = True
    cat.hear("seek twentytwo players=3")  # the match is stored, the table is not
    dan = place["a"].program("dan")
    dan.ok("seek twentytwo players=3")
    place.kill("c")
    place.advance(AGAIN)
    assert seats(place, "~ann") == []
    place.take_over("c", "b")
    place.advance(2 * AGAIN)
    (table,) = {*seats(place, "~ann"), *seats(place, "~bob"), *seats(place, "~dan")}
    assert found(ann) == found(bob) == found(dan) == [table]
    assert seeks(ann) == seeks(bob) == seeks(dan) == []


def test_a_match_whose_table_is_refused_is_given_up() -> None:
    place = Place()
    ann, bob, cat = seekers(place)
    ann.ok("seek twentytwo")
    bob.ok("seek twentysix")
    config = place["b"].host.config
    config.change(replace(config.now, most_tables=0))
    assert bob.err("seek twentytwo") == "BUSY"
    place.advance(SOON)
    assert sorted(seeks(cat)) == ["~ann", "~bob"]
    cat.ok("seek twentytwo")
    place.advance(SOON)
    assert len(found(cat)) == len(found(ann)) == 1
    dan = place["c"].program("dan")
    dan.ok("seek twentysix")
    place.advance(SOON)
    assert len(found(bob)) == 1


@pytest.mark.parametrize("heir", "ab")
def test_a_match_of_a_server_that_dies_once_its_table_is_stored_is_the_only_one(heir: str) -> None:
    place = Place()
    ann, bob, cat = seekers(place)
    ann.ok("seek twentytwo")
    cat.ok("seek twentytwo")
    place.kill("c")
    place.take_over("c", heir)
    bob.ok("seek twentytwo")  # nobody has seen the table of ann yet
    place.advance(LOOK)
    assert len(found(ann)) == 1
    assert (found(bob), seeks(bob)) == ([], ["~bob"])


def test_a_seek_that_is_matched_while_it_is_answered_is_over() -> None:
    place = Place()
    answer_late(place.nodes["a"].store, place, partial(next, iter((400, 0, 400))))
    ann, bob = place["a"].program("ann"), place["b"].program("bob")
    cat = place["a"].program("cat")
    ann.hear("seek twentytwo")
    cat.hear("seek twentytwo")
    place.advance(1_000)
    assert found(ann) == found(cat) != []
    assert seeks(ann) == []
    ann.hear("seek twentytwo")
    bob.ok("seek twentytwo")
    place.advance(1_000)
    assert found(ann)[1:] == found(bob) != []
    assert seeks(ann) == []


def test_a_table_that_was_never_seen_does_not_hold_a_seek_for_ever() -> None:
    place = Place()
    (ann,) = seekers(place, "ann")
    ann.ok("seek twentytwo")
    tag, store = "z/1/1", place.store.node("z")
    match: list[SeekMatch] = []
    store.seek(Seek(0, "~zoe", False, "twentytwo", 2, "pagat"), tag, (), match.append)
    store.keep([SeeksSeated(tag)], lambda: None)
    assert ann.err("seek twentytwo") == ann.err("seek twentysix") == "BUSY"
    assert ann.err("unseek") == "NO_SUCH_SEEK"
    place.advance(LOST)
    assert seeks(ann) == []
    ann.ok("seek twentytwo")


@pytest.mark.parametrize("seed", range(15))
def test_over_a_bad_bus_each_seek_leads_to_one_game(seed: int) -> None:
    dice, place = random.Random(seed), Place(BAD, seed)
    for node in place.nodes.values():
        answer_late(node.store, place, partial(dice.choice, (0, 10, 400)))
    peers = {
        f"~p{number}": place[node].program(f"p{number}") for number, node in enumerate("abcabcabc")
    }
    last: dict[str, str] = {}
    sought: Counter[str] = Counter()
    dead = dice.randrange(10, 60)
    for turn in range(80):
        name = dice.choice([*peers])
        peer = peers[name]
        if answered(peer, last.get(name)):
            line = dice.choice(("unseek", "seek twentytwo", "seek twentytwo players=3"))
            last[name] = f"r{turn}"
            sought[name] += line != "unseek"
            peer.hear(f"@r{turn} {line}")
        place.advance(dice.choice((0, 0, 20, 500)))
        if turn == dead:
            place.nodes["c"].store.late = True
        elif turn == dead + 5:
            place.kill("c")
            peers = {name: peer for name, peer in peers.items() if peer.world is not place["c"]}
        elif turn == dead + 10:
            place.take_over("c", "b")
    place.advance(60_000)
    for name, peer in peers.items():
        assert answered(peer, last.get(name))
        assert len(seats(place, name)) <= sought[name]
        assert sorted(found(peer)) == sorted(seats(place, name)), name
    rooms = [room for world in place.alive for room in world.host.rooms.own.values()]
    assert len(rooms) > 3
    own = [wish.name for world in place.alive for wish in world.host.seeks.own().values()]
    assert sorted(each.seek.name for each in place.store.seeks) == sorted(own)
    assert not [each for each in place.store.seeks if each.tag]


def answered(peer: Peer, id: str | None) -> bool:
    """True if the command with this id has its reply."""
    return id is None or any(r.id == id and r.word in ("OK", "ERR") for r in peer.records())


def answer_late(store: LateStore, place: Place, ms: Callable[[], int]) -> None:
    """Answers the seeks of a server some time after they are stored."""
    now = store.seek

    def seek(
        wanted: Seek, tag: str, busy: Collection[str], done: Callable[[SeekMatch], None]
    ) -> None:
        def stored(match: SeekMatch) -> None:
            place.clock.later(ms(), partial(done, match))

        now(wanted, tag, busy, stored)

    store.seek = seek  # type: ignore[method-assign]
