"""Ratings and results of daily deals, of people at several servers: each once, and told once."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.host.test_accounts import PASSWORD, account
from tests.kit.cluster import Place
from tests.kit.hosts import Peer
from tests.kit.simulated_bus import BusFaults
from twentytwo_server.accounts import ratings
from twentytwo_server.facts import GameEnded, Rated
from twentytwo_server.host.cluster.following import LOOK

pytestmark = pytest.mark.deadline(60)

BAD = BusFaults(lost=0.2, doubled=0.2, delay=300)


def sit(place: Place, owner: str, *peers: Peer) -> str:
    """A rated game at a table of a server, which the first of the people opens there."""
    first, *others = peers
    assert first.world is place[owner]
    on = first.ok(f"open twentytwo seats={len(peers)} clock=0 rated=1").fields["on"]
    place.advance(2 * LOOK)
    for peer in others:
        for line in (f"join {on}", f"ready {on}"):
            peer.hear(line)
            place.advance(5 * LOOK)
    first.ok(f"start {on}")
    place.advance(5 * LOOK)
    return on


def history(place: Place, name: str) -> list[Rated]:
    found: list[Sequence[Rated]] = []
    place.store.rating_history(name, found.append)
    return list(found[0])


def mail(place: Place, name: str, word: str = "RATED") -> list[str]:
    """The stored lines of an inbox that begin with a word."""
    lines = place.store.remembered().inboxes.get(name, ())
    return [each.line for each in lines if each.line.startswith(word)]


def login(place: Place, node: str, name: str) -> Peer:
    peer = place[node].peer()
    peer.say("hello 1 client=test")
    peer.hear(f"@l login {name} :{PASSWORD}")
    place.advance(10 * LOOK)
    (reply,) = [each for each in peer.records() if each.id == "l" and each.word == "OK"]
    peer.name, peer.token = name, reply.fields["token"]
    return peer


def never(*_: Any) -> None:
    """Answers no question."""


@pytest.mark.parametrize("faults", [BusFaults(), BAD])
def test_players_are_told_their_ratings_at_their_own_servers(faults: BusFaults) -> None:
    place = Place(faults)
    ann, bob = account(place["a"], "ann"), account(place["b"], "bob")
    sit(place, "a", ann, bob)
    for peer in (ann, bob):
        peer.take()
    bob.hear("resign")
    place.advance(10 * LOOK)
    for peer in (ann, bob):
        (told,) = [each for each in peer.events("me") if each.word == "RATED"]
        assert (told.fields["old"], told.fields["games"]) == ("1500", "1")
        assert len(mail(place, peer.name)) == 1
    after = {name: history(place, name)[0].mu for name in ("ann", "bob")}
    assert after["ann"] > ratings.MEAN > after["bob"]
    shown = [
        [row.fields for row in each.rows("ranks twentytwo")]
        for each in (ann, bob, place["c"].program("cat"))
    ]
    assert len(shown[0]) == 2 and shown[0] == shown[1] == shown[2]


def test_games_that_end_at_two_servers_at_once_both_count(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    ann, bob = account(place["a"], "ann"), account(place["b"], "bob")
    one, other = sit(place, "a", ann, bob), sit(place, "b", bob, ann)
    late: list[Callable[[], None]] = []
    store = place.nodes["a"].store

    def rating(name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        place.store.rating(name, lambda found: late.append(lambda: done(found)))

    with monkeypatch.context() as patch:
        patch.setattr(store, "rating", rating)
        ann.hear(f"resign {one}")
        late.pop(0)()  # the rating of one player is read, and that of the other is not
        bob.hear(f"resign {other}")
        place.advance(LOOK)
        assert [len(history(place, name)) for name in ("ann", "bob")] == [1, 1]
    late.pop(0)()
    place.advance(LOOK)
    for name in ("ann", "bob"):
        assert [each.games for each in history(place, name)] == [1, 2]
        assert len(mail(place, name)) == 2
    again = [history(place, name)[1].mu for name in ("ann", "bob")]
    assert abs(again[0] - again[1]) < 1, "one of the two games was lost"


def test_the_heir_rates_the_games_of_a_dead_server(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    ann, bob = account(place["a"], "ann"), account(place["b"], "bob")
    sit(place, "a", ann, bob)
    monkeypatch.setattr(place.nodes["a"].store, "rate", never)
    ann.hear("resign")
    place.advance(LOOK)
    place.kill("a")
    assert history(place, "ann") == []
    place.take_over("a", "c")
    place.advance(10 * LOOK)
    for name in ("ann", "bob"):
        assert len(history(place, name)) == len(mail(place, name)) == 1
    assert "RATED" in bob.words("me")
    back = login(place, "b", "ann")
    back.ok("sync me from=0")
    assert back.words("me").count("RATED") == 1


def test_the_heir_tells_what_a_dead_server_has_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    ann, bob = account(place["a"], "ann"), account(place["b"], "bob")
    sit(place, "a", ann, bob)
    place.nodes["b"].store.late = True
    ann.hear("resign")
    place.advance(LOOK)
    assert (len(mail(place, "ann")), len(mail(place, "bob"))) == (1, 0)
    place.kill("b")
    place.take_over("b", "c")
    assert (len(mail(place, "ann")), len(mail(place, "bob"))) == (1, 1)


def test_a_result_is_told_once_however_long_that_is_stored() -> None:
    place = Place()
    ann, bob = account(place["a"], "ann"), account(place["b"], "bob")
    sit(place, "a", ann, bob)
    store = place.nodes["b"].store
    store.late = True
    ann.hear("resign")
    place.advance(10 * LOOK)
    store.late = False
    store.release()
    place.advance(10 * LOOK)
    assert len(mail(place, "bob")) == bob.words("me").count("RATED") == 1


def test_who_moves_before_the_game_is_rated_is_told_where_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    ann, bob = account(place["a"], "ann"), account(place["b"], "bob")
    sit(place, "a", ann, bob)
    monkeypatch.setattr(place.nodes["a"].store, "rate", never)
    ann.hear("resign")
    place.advance(LOOK)
    back = login(place, "c", "bob")
    place.kill("a")
    place.take_over("a", "b")
    place.advance(20 * LOOK)
    assert len(mail(place, "bob")) == back.words("me").count("RATED") == 1


def test_ratings_that_fit_no_others_hold_up_no_game(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    place = Place()
    ann, bob = account(place["a"], "ann"), account(place["b"], "bob")
    one = sit(place, "a", ann, bob)
    store, right = place.nodes["a"].store, place.nodes["a"].store.rate
    monkeypatch.setattr(store, "rate", lambda game, after, done: done(False))
    ann.hear(f"resign {one}")
    place.advance(LOOK)
    assert "the ratings do not fit" in caplog.text
    monkeypatch.setattr(store, "rate", right)
    other = sit(place, "a", ann, bob)
    ann.hear(f"resign {other}")
    place.advance(LOOK)
    assert [len(history(place, name)) for name in ("ann", "bob")] == [1, 1]


def test_who_is_nowhere_is_told_when_they_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    ann, bob = account(place["a"], "ann"), account(place["b"], "bob")
    sit(place, "a", ann, bob)
    monkeypatch.setattr(place.nodes["b"].store, "untold", never)
    ann.hear("resign")
    place.advance(LOOK)
    bob.hear("leave")
    place.advance(LOOK)
    bob.ok("logout")
    place.advance(LOOK)
    assert (len(history(place, "bob")), len(mail(place, "bob"))) == (1, 0)
    back = login(place, "c", "bob")
    back.ok("sync me from=0")
    assert back.words("me") == ["RATED"]


def test_the_result_of_a_daily_deal_comes_where_its_player_is_by_then() -> None:
    place = Place(BAD)
    for node in "abc":
        place[node].host.dailies.keep_time()
    ann = account(place["a"], "ann")
    on = ann.ok("daily whist22").fields["on"]
    place.advance(2 * LOOK)
    for node in "bc":
        back = login(place, node, "ann")
    while (match := place["a"].room(on).table.match) and not match.over:
        assert match.question is not None
        back.hear(f"move {match.question.default} {on}")
        place.advance(LOOK)
    place.advance(10 * LOOK)
    assert back.words("me").count("FINISHED") == len(mail(place, "ann", "FINISHED")) == 1
    rows = [place[node].program(f"z{node}").rows("results whist22") for node in "abc"]
    assert rows[0][1].fields["name"] == "ann"
    assert [[row.fields for row in each] for each in rows[1:]] == [
        [row.fields for row in rows[0]]
    ] * 2
    for node in "abc":
        place[node].host.dailies.stop()


def test_nobody_plays_a_deal_twice_by_coming_in_elsewhere() -> None:
    place = Place(config={"grace": 1_000})
    for node in "abc":
        place[node].host.dailies.keep_time()
    ann = account(place["a"], "ann")
    on = ann.ok("daily whist22").fields["on"]
    ann.ok(f"leave {on}")
    ann.ok("logout")
    place.advance(10 * LOOK)
    again = login(place, "b", "ann")
    assert again.err("daily whist22") == "FORBIDDEN"
    again.ok("daily twentysix")
    for node in "abc":
        place[node].host.dailies.stop()


@pytest.mark.parametrize("seed", range(20))
def test_whatever_dies_each_game_is_rated_once_and_told_once(seed: int) -> None:
    dice = random.Random(seed)
    place = Place(seed=seed)
    ann, bob, cat = (account(place[node], name) for name, node in zip(NAMES, "abc", strict=True))
    pairs = {"a": (ann, bob), "b": (bob, cat), "c": (cat, ann)}
    games = {sit(place, node, *pair): pair for node, pair in pairs.items()}
    place.nats.faults = BAD
    dead, heir = dice.sample("abc", 2)
    store = place.nodes[dead].store
    place.clock.later(dice.randint(0, 500), lambda: setattr(store, "late", True))
    for on in dice.sample(sorted(games), 2):
        dice.choice(games[on]).hear(f"resign {on}")
        place.advance(dice.choice((0, 1, 50, 500)))
    place.advance(dice.randint(0, 1000))
    place.kill(dead)
    place.advance(12 * LOOK)
    place.take_over(dead, heir)
    place.advance(20 * LOOK)
    for on, pair in games.items():
        one = next(peer for peer in pair if peer.world is not place[dead])
        one.hear(f"resign {on}")
        place.advance(20 * LOOK)
    ended: list[Sequence[GameEnded]] = []
    place.store.past("", "", 9, ended.append)
    played = {
        name: sorted(g.game for g in ended[0] if name in [seat.name for seat in g.seats])
        for name in NAMES
    }
    for name in NAMES:
        assert len(played[name]) == 2
        assert [each.games for each in history(place, name)] == [1, 2]
        told = [line.partition(" id=")[2].partition(" ")[0] for line in mail(place, name)]
        assert sorted(told) == played[name]


NAMES = ("ann", "bob", "cat")
