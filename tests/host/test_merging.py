"""A guest becomes an account while they have seats at tables of other servers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from tests.host.test_accounts import PASSWORD
from tests.host.test_lost_orders import Hold, Table
from tests.kit.hosts import LateStore, Peer
from tests.kit.simulated_bus import BusFaults
from twentytwo_server.facts import GameEnded, StoredPerson
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.host.guest_merge import RENAMING

pytestmark = pytest.mark.deadline(60)

BAD = BusFaults(lost=0.2, doubled=0.2, delay=300)


class Merging(Table):
    """Bob at server `b` has a seat at a table of server `a`, and is about to be an account."""

    def register(self, ms: int = 20 * LOOK) -> None:
        self.take()
        self.bob.hear(f"@r register rob :{PASSWORD}")
        self.place.advance(ms)

    def seats(self, *nodes: str) -> list[list[str]]:
        """The names at the table as each server knows it."""
        return [list(self.place[node].host.rooms["t1"].table.names.values()) for node in nodes]

    def people(self) -> dict[str, str]:
        """Who is stored, and which server keeps them."""
        found: list[Sequence[StoredPerson]] = []
        for node in self.place.nodes:
            self.place.store.node(node).people(found.append)
        return {each.kept.name: each.node for kept in found for each in kept}

    def newcomer(self, node: str, ms: int = 5 * LOOK) -> Peer:
        """Another guest who wants the name, and has one after this time."""
        peer = self.place[node].peer()
        peer.say("hello 1 client=test")
        peer.hear("@g guest bob")
        self.place.advance(ms)
        (reply,) = [each for each in peer.records() if each.id == "g"]
        peer.name = reply.fields["name"]
        return peer


@pytest.mark.parametrize("faults", [BusFaults(), BAD])
def test_a_guest_at_a_table_of_another_server_becomes_an_account(faults: BusFaults) -> None:
    table = Merging()
    table.place.nats.faults = faults
    table.register()
    assert [each.word for each in table.bob.records() if each.id == "r"][-1] == "OK"
    assert table.seats("a", "b", "c") == [["~ann", "rob", "~cat"]] * 3
    for peer in (table.ann, table.bob, table.cat):
        (event,) = [each for each in peer.events("t1") if each.word == "RENAMED"]
        assert (event.fields["name"], event.fields["was"]) == ("rob", "~bob")
        assert not {"PRESENCE", "LEFT"} & {*peer.words("t1")}
    assert table.people() == {"~ann": "a", "rob": "b", "~cat": "c"}
    table.place.nats.faults = BusFaults()
    assert table.gives(table.bob, "ready")
    assert table.orders("ready") == 1
    assert table.newcomer("b").name == "~bob"
    assert "seat at" not in str(table.newcomer("c").ok("whoami").text)


def test_the_owner_of_a_table_gives_the_account_the_games_of_the_guest() -> None:
    table = Merging()
    place = table.place
    for peer in (table.bob, table.cat):
        table.gives(peer, "ready")
    table.ann.ok("addbot easy")
    table.ann.ok("start")
    for peer in (table.ann, table.bob, table.cat):
        table.gives(peer, "abort")
    place.nats.cut("a", "b")
    table.register(0)
    place.nodes["b"].store.late = True  # it gives the account nothing itself
    place.advance(5 * LOOK)
    found: list[Sequence[GameEnded]] = []
    place.store.past("rob", "", 9, found.append)
    assert [[seat.name for seat in each.seats] for each in found[0]] == [
        ["~ann", "rob", "~cat", "bot:easy"]
    ]


@pytest.mark.parametrize("seed", range(30))
def test_a_login_is_finished_whichever_server_dies(seed: int) -> None:
    dice = random.Random(seed)
    table = Merging()
    place = table.place
    place.nats.faults = BAD
    dead = dice.choice("abb")
    heir = dice.choice([node for node in "abc" if node != dead])
    table.register(dice.choice((0, 1, 20, 100, 300, 600)))
    place.kill(dead)
    place.advance(12 * LOOK)
    place.take_over(dead, heir)
    place.advance(40 * LOOK)
    alive = [node for node in "abc" if node != dead]
    assert table.seats(*alive) == [["~ann", "rob", "~cat"]] * 2
    assert table.people().keys() == {"~ann", "rob", "~cat"}
    place.nats.faults = BusFaults()
    assert table.newcomer(heir).name == "~bob"
    if dead == "b":
        back = place[heir].peer()
        back.say("hello 1 client=test")
        table.gives(back, f"login rob :{PASSWORD}")
        assert "a seat at t1" in str(back.ok("whoami").text)


def test_a_login_is_finished_by_the_server_itself_when_it_has_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Merging()
    place = table.place
    place.nats.cut("b", "a")
    table.register(0)
    place.kill("b")
    place.nats.heal()
    assert table.seats("a") == [["~ann", "~bob", "~cat"]]
    asked: list[Callable[[], None]] = []
    owners = LateStore.owners
    with monkeypatch.context() as patch:
        patch.setattr(LateStore, "owners", lambda *given: asked.append(partial(owners, *given)))
        place.config = {"boot": "boot-again"}
        place.nodes["b"] = place.start("b", 9)
        place.advance(LOOK)
    assert "~bob" in table.people(), "the tables of others are not known yet"
    for ask in asked:
        ask()
    place.advance(20 * LOOK)
    assert table.seats("a", "b", "c") == [["~ann", "rob", "~cat"]] * 3
    assert table.people() == {"~ann": "a", "rob": "b", "~cat": "c"}


def test_no_copy_of_the_order_renames_the_next_guest(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Merging()
    place = table.place
    hold = Hold(place, monkeypatch, copied=False)
    table.register(0)
    monkeypatch.undo()
    place.kill("b")
    place.take_over("b", "c")
    place.advance(RENAMING - 2 * LOOK)
    assert table.newcomer("c", LOOK).name == "~bob2"
    place.advance(2 * LOOK)
    assert table.seats("a", "c") == [["~ann", "rob", "~cat"]] * 2
    other = table.newcomer("c")
    assert other.name == "~bob"
    table.gives(other, "join t1")
    for call in hold.held:
        call()
    place.advance(10)
    assert table.seats("a") == [["~ann", "rob", "~cat", "~bob"]]
