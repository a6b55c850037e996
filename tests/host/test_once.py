"""Commands with a key, `once=`: carried out once, on all connections and across restarts."""

from __future__ import annotations

import random

from tests.kit.cases import together
from tests.kit.hosts import LateStore, Peer, World
from twentytwo_server.facts import KEYED, CommandDone
from twentytwo_server.host.people.once import KeyedCommands
from twentytwo_server.store.memory import MemoryStore


def evening(store: MemoryStore | None = None) -> tuple[World, Peer, Peer, Peer]:
    """Ann and bob play at t1, and cat watches."""
    world = World(store if store is not None else MemoryStore())
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob)
    cat.ok("watch t1")
    return world, ann, bob, cat


COMMANDS: list[tuple[str, str]] = [
    ("ann", "say :hello"),
    ("ann", "say table=t1 :hello"),
    ("ann", "tell bob :hello"),
    ("ann", "invite cat"),
    ("ann", "shout :hello"),
    ("cat", "kibitz :hello"),
    ("cat", "open twentytwo seats=2 clock=0 :tea"),
    ("cat", "practice bots=1"),
    ("cat", "seek twentytwo players=3"),
    ("ann", "pause"),
    ("ann", "lock"),
    ("ann", "resign"),
    ("bob", "leave"),
]


@together(("who", "command"), COMMANDS)
@together("how", ["same", "resumed", "restarted"])
def test_a_command_with_a_key_is_done_once_and_answered_alike(
    who: str, command: str, how: str
) -> None:
    store = MemoryStore()
    world, *peers = evening(store)
    peer = next(each for each in peers if each.name == f"~{who}")
    verb, _, rest = command.partition(" ")
    line = f"{verb} once=k-1 {rest}".rstrip() if rest else f"{verb} once=k-1"
    first = peer.ok(line)
    assert "again" not in first.fields
    if how == "restarted":
        if verb in ("shout", "kibitz", "seek"):
            return  # what they do is not kept either
        world = world.restarted()
    if how != "same":
        token, peer = peer.token, world.program()
        peer.ok(f"resume {token}")
    tables, promises = len(world.host.rooms), store.remembered().promise
    for each in peers:
        each.take()
    again = peer.ok(line)
    assert again.fields == {**first.fields, "again": "1"}
    assert again.text == first.text
    assert (len(world.host.rooms), store.remembered().promise) == (tables, promises)
    told = [said for each in peers for said in each.take()]
    assert not [said for said in told if "hello" in said or "VOTE" in said or "LEFT" in said]
    assert len(world.host.seeks.rows()) <= 1


def test_a_move_with_a_key_is_made_once_though_the_turn_is_over() -> None:
    world, *_ = evening()
    mover = world.on_turn()
    first = mover.ok("move - turn=1 once=m1")
    assert mover.err("move - turn=1") in ("STALE_TURN", "NOT_YOUR_TURN")
    again = mover.ok("move - turn=1 once=m1")
    assert again.fields == {**first.fields, "again": "1"}


def test_a_key_stands_for_one_command_of_one_person() -> None:
    _, ann, bob, _ = evening()
    ann.ok("say once=k :one")
    refused = ann.ask("say once=k :two")
    assert (refused.fields["code"], refused.fields["class"]) == ("ONCE_USED", "syntax")
    assert ann.err("tell bob once=k :one") == "ONCE_USED"
    assert "again" not in bob.ok("say once=k :two").fields


def test_a_refusal_is_not_remembered() -> None:
    world, ann, bob, _ = evening()
    other = bob if world.on_turn() is ann else ann
    assert other.err("move - once=k") == "NOT_YOUR_TURN"
    world.on_turn().ok("move -")
    assert "again" not in other.ok("move - once=k").fields


def test_an_id_means_the_reply_and_nothing_else() -> None:
    _, ann, _, _ = evening()
    for _ in range(2):
        ann.hear("@a-very-own-id say :hello")
    said = [line for line in ann.take() if line.startswith("SAID")]
    assert len(said) == 2


@together("key", ["", "x" * 65, "a,b", "a:b", "\u00fe", "a=b"])
def test_what_is_no_key_is_a_bad_argument(key: str) -> None:
    _, ann, _, _ = evening()
    refused = ann.ask(f"say once={key} :hello")
    assert (refused.fields["code"], refused.fields["arg"]) == ("BAD_ARG", "once")


def test_what_only_asks_is_answered_each_time() -> None:
    _, ann, _, _ = evening()
    for _ in range(2):
        assert "again" not in ann.ok("state once=k").fields
        assert ann.rows("who once=k")


def test_the_last_keys_of_a_person_are_remembered() -> None:
    world, ann, _, _ = evening()
    for n in range(KEYED + 1):
        ann.ok(f"tell ann once=k{n} :{n}")
    again = world.restarted().program()
    again.ok(f"resume {ann.token}")
    for n in (1, KEYED):
        assert again.ok(f"tell ann once=k{n} :{n}").fields["again"] == "1"
    assert "again" not in again.ok("tell ann once=k0 :0").fields


def test_a_command_that_comes_again_while_it_is_stored_waits_for_its_end() -> None:
    store = LateStore()
    world, ann, bob, _ = evening(store)
    store.late = True
    ann.hear("@1 say once=k :hello")
    ((facts, done),) = store.waiting
    store.waiting.clear()
    store.late = False
    again = world.peer()
    again.say("hello 1 client=test")
    again.hear(f"@r resume {ann.token}")
    again.hear("@2 say once=k :hello")
    assert [line for line in again.take() if line.startswith("@")][-1].startswith("@r OK ")
    store.keep(facts, done)
    (reply,) = [line for line in again.take() if line.startswith("@")]
    assert reply.startswith("@2 OK ") and " again=1" in reply
    assert len([line for line in bob.take() if line.startswith("SAID")]) == 1


def test_who_becomes_an_account_takes_the_keys_along() -> None:
    world, ann, _, _ = evening()
    first = ann.ok("say once=k :hello")
    ann.ok("register ann :three blind mice")
    assert ann.ok("say once=k :hello").fields == {**first.fields, "again": "1"}
    again = world.restarted().program()
    again.ok("login ann :three blind mice")
    assert again.ok("say once=k :hello").fields == {**first.fields, "again": "1"}


def test_an_account_that_has_keys_remembers_those_of_its_guest_too() -> None:
    world, ann, _, _ = evening()
    ann.ok("register ann :three blind mice")
    lines = [f"tell bob once=a{n} :{n}" for n in range(3)]
    for line in lines:
        ann.ok(line)
    ann.drop()
    guest = world.program("zed")
    theirs = [f"tell bob once=g{n} :{n}" for n in range(3)]
    for line in theirs:
        guest.ok(line)
    guest.ok("login ann :three blind mice")
    guest.ok(last := "tell bob once=last :last")
    again = world.restarted().program()
    again.ok("login ann :three blind mice")
    for line in (*lines, *theirs, last):
        assert again.ok(line).fields["again"] == "1", line


def test_of_two_commands_that_wait_for_one_that_is_refused_only_one_is_carried_out() -> None:
    store = LateStore()
    world, ann, bob, _ = evening(store)
    mover = world.on_turn()
    other = bob if mover is ann else ann
    other.take()
    store.late = True
    mover.hear("@0 say :hello")  # is being stored, and so what follows waits for the table
    for no in range(1, 4):
        other.hear(f"@{no} move - once=k")
    mover.hear("@4 move -")
    while store.waiting:
        store.release()
    replies = [said for said in other.take() if said.startswith("@")]
    assert [said.split()[:2] for said in replies] == [["@1", "ERR"], ["@2", "OK"], ["@3", "OK"]]
    assert " again=1" in replies[2] and " again=1" not in replies[1]


def test_the_oldest_key_is_forgotten_in_whatever_order_a_start_reads_them() -> None:
    numbers = range(100, 100 + KEYED)
    done = [CommandDone("ann", no, f"k{no}", "say", "{}") for no in numbers]
    random.Random(1).shuffle(done)
    keyed = KeyedCommands(done)
    new = keyed.made("ann", "new", "say", {})
    assert new.no == numbers.stop
    keyed.add(new)
    assert keyed.answer("k100", "say") is None
    for key in (*(f"k{no}" for no in numbers[1:]), "new"):
        assert keyed.answer(key, "say") == {}
