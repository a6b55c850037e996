"""A guest becomes an account: blocks, inbox and seats, whatever happens on the way."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.hosts import LateStore, Peer, World
from twentytwo_server.facts import Remembered
from twentytwo_server.host.people.people import BLOCKED
from twentytwo_server.store.memory import MemoryStore

PASSWORD = "three blind mice"
GRACE = 120_000


def test_a_guest_who_would_bring_too_many_blocks_unblocks_some_first() -> None:
    world = World()
    ann = world.program()
    ann.ok(f"register ann :{PASSWORD}")
    for number in range(BLOCKED):
        world.program(f"a{number}x").drop()
        ann.ok(f"block ~a{number}x")
    ann.drop()
    world.program("zed")
    kim = world.program("kim")
    kim.ok("block ~zed")
    assert kim.err(f"login ann :{PASSWORD}") == "QUOTA"
    assert kim.ok("whoami").fields["name"] == "~kim"
    kim.ok("unblock ~zed")
    assert kim.ok(f"login ann :{PASSWORD}").fields["name"] == "ann"


def test_a_new_guest_of_the_old_name_has_blocked_nobody() -> None:
    world = World()
    bob, kim = world.program("bob"), world.program("kim")
    kim.ok("block ~bob")
    kim.ok(f"register ann :{PASSWORD}")
    assert world.host.people.blocked_by("~kim") == frozenset()
    other = world.program("kim")
    assert other.name == "~kim"
    other.take()
    bob.ok("tell ~kim :hello")
    assert [event.text for event in other.events("me")] == ["hello"]


def test_what_is_told_after_a_login_is_numbered_after_what_was_told_before_it() -> None:
    world = World()
    bob, kim = world.program("bob"), world.program("kim")
    for text in ("one", "two"):
        bob.ok(f"tell ~kim :{text}")
    kim.ok(f"register ann :{PASSWORD}")
    kim.take()
    bob.ok("tell ann :three")
    assert [event.seq for event in kim.events("me")] == [3]
    world = world.restarted()
    again = world.program()
    again.ok(f"login ann :{PASSWORD}")
    again.take()
    again.ok("sync me from=0")
    assert [event.seq for event in again.events("me")] == [1, 2, 3]


def test_an_account_keeps_what_its_guest_has_just_played() -> None:
    world = World()
    kim = world.program("kim")
    kim.ok("practice bots=1 options=limit:10 seed=2")
    world.clock.settle()
    while (match := world.room().table.match) and match.question is not None:
        kim.ok(f"move {match.question.default}")
        world.clock.settle()
    [past] = kim.rows("history")
    kim.ok(f"register ann :{PASSWORD}")
    for _ in range(2):
        assert [row.fields["names"] for row in kim.rows("history")] == ["ann,bot:steady"]
        assert kim.rows("stats")[0].fields["played"] == "1"
        told = kim.rows(f"game {past.fields['id']}")
        assert next(row.fields["name"] for row in told if row.word == "PLAYER") == "ann"
        world = world.restarted()
        kim = world.program()
        kim.ok(f"login ann :{PASSWORD}")
    other = world.program("kim")
    assert other.rows("history") == []
    assert other.err(f"review {past.fields['id']}") == "NO_SUCH_GAME"


def test_a_guest_who_is_gone_too_long_while_a_login_is_kept_has_a_seat_as_the_account() -> None:
    store = LateStore()
    world = World(store, grace=GRACE)
    kim, bob = world.program("kim"), world.program("bob")
    world.table(kim, bob)
    store.late = True
    kim.hear(f"@r register ann :{PASSWORD}")
    kim.drop()
    world.advance(2 * GRACE)
    while store.waiting:
        store.release()
    assert [seat.name for seat in world.room().table.seats if seat.owned] == ["ann", "~bob"]


def letters(world: World) -> list[str | None]:
    """What is in the inbox of ann."""
    ann = world.program()
    ann.ok(f"login ann :{PASSWORD}")
    ann.take()
    ann.ok("sync me from=0")
    return [event.text for event in ann.events("me")]


def test_a_second_guest_who_logs_in_adds_to_the_letters_of_the_first() -> None:
    world = World()
    bob = world.program("bob")
    for name, command in (("kim", "register"), ("zed", "login")):
        guest = world.program(name)
        bob.ok(f"tell ~{name} :for {name}")
        guest.ok(f"{command} ann :{PASSWORD}")
    assert letters(world) == ["for kim", "for zed"]
    assert letters(world.restarted()) == ["for kim", "for zed"]


def test_the_letters_of_a_guest_who_is_gone_too_long_meanwhile_are_the_accounts() -> None:
    store = LateStore()
    world = World(store, grace=GRACE)
    bob, kim = world.program("bob"), world.program("kim")
    bob.ok("tell ~kim :hello")
    store.late = True
    kim.hear(f"@r register ann :{PASSWORD}")
    kim.drop()
    world.advance(2 * GRACE)
    other = world.program()
    other.hear("@g guest kim")
    while store.waiting:
        store.release()
    store.late = False
    assert other.ok("whoami").fields["name"] == "~kim2", "the name was free too early"
    assert letters(world) == ["hello"]
    assert letters(world.restarted()) == ["hello"]


def test_a_letter_that_comes_while_a_login_is_kept_is_the_accounts() -> None:
    store = LateStore()
    world = World(store)
    bob, kim = world.program("bob"), world.program("kim")
    store.late = True
    kim.hear(f"@r register ann :{PASSWORD}")
    bob.hear("@t tell ~kim :hello")
    while store.waiting:
        store.release()
    store.late = False
    assert [event.text for event in kim.events("me")] == ["hello"]
    assert [event.text for event in bob.events("me")] == ["hello"]
    assert letters(world.restarted()) == ["hello"]


@pytest.mark.parametrize("another", [False, True])
def test_a_letter_of_a_guest_who_is_gone_before_it_is_kept_is_not_for_the_next_of_that_name(
    another: bool,
) -> None:
    store = LateStore()
    world = World(store, grace=GRACE)
    bob, kim = world.program("bob"), world.program("kim")
    store.late = True
    kim.hear(f"@r register ann :{PASSWORD}")
    bob.hear("@t tell ~kim :hello")
    bob.drop()
    world.advance(2 * GRACE)
    other = world.program()
    if another:
        other.hear("@g guest bob")
    while store.waiting:
        store.release()
    store.late = False
    assert [event.text for event in kim.events("me")] == ["hello"]
    assert other.events("me") == []
    assert list(store.remembered().inboxes) == ["ann"]
    assert letters(world.restarted()) == ["hello"]


def test_the_next_command_waits_until_every_table_knows_the_account() -> None:
    store = LateStore()
    world = World(store)
    kim, bob = world.program("kim"), world.program("bob")
    world.table(kim, bob)
    store.late = True
    before = kim.replies
    kim.hear(f"@r register ann :{PASSWORD}")
    store.release()
    assert any(line.startswith("@r OK") for line in kim.lines)
    assert kim.replies == before
    store.release()
    assert kim.replies == before + 1


class Unreadable(MemoryStore):
    """The second letter in every inbox is damaged."""

    def remembered(self) -> Remembered:
        whole = super().remembered()
        inboxes = {
            name: [replace(line, line="?" if line.seq == 2 else line.line) for line in lines]
            for name, lines in whole.inboxes.items()
        }
        return replace(whole, inboxes=inboxes)


def test_a_letter_that_cannot_be_read_is_left_out_with_those_before_it() -> None:
    world = World(Unreadable())
    bob = world.program("bob")
    world.program().ok(f"register ann :{PASSWORD}")
    for text in ("one", "two", "three"):
        bob.ok(f"tell ann :{text}")
    assert letters(world) == ["one", "two", "three"]
    world = world.restarted()
    ann = world.program()
    ann.ok(f"login ann :{PASSWORD}")
    ann.take()
    ann.ok("sync me from=2")
    assert [(event.seq, event.text) for event in ann.events("me")] == [(3, "three")]


def test_a_profile_says_whether_somebody_is_here() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    shown = []
    for _ in range(2):
        (row, *_) = bob.rows("profile ~ann")
        shown.append(row.fields["here"])
        ann.drop()
    assert shown == ["1", "0"]


def test_games_that_a_guest_has_finished_come_along_as_help_says() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("practice bots=1", "abort", "abort")
    assert not any(line.startswith("!") for line in ann.say("game g1"))
    ann.say(f"register ann {PASSWORD}")
    assert not any(line.startswith("!") for line in ann.say("game g1"))
    assert "seats, messages, and past games." in " ".join(ann.say("help names"))


def left_game(store: MemoryStore | None = None) -> tuple[World, list[Peer]]:
    """A game of kim, bob and eve, which kim, the first of them, has left."""
    world = World(store, grace=GRACE)
    kim, bob, eve = (world.program(name) for name in ("kim", "bob", "eve"))
    world.game(kim, bob, eve, options="options=limit:10")
    kim.ok("leave")
    return world, [kim, bob, eve]


def play_out(world: World) -> None:
    """Plays the default moves until the game is over; the bots play theirs."""
    world.clock.settle()
    while (match := world.room().table.match) and match.question is not None:
        world.on_turn().ok(f"move {match.question.default}")
        world.clock.settle()


def names_in_game(peer: Peer) -> list[str]:
    told = peer.rows("game g1")
    return [row.fields["name"] for row in told if row.word == "PLAYER"]


@pytest.mark.parametrize("killed", ["", "before the tables know it", "afterwards"])
def test_a_running_game_that_a_guest_has_left_ends_as_the_accounts(killed: str) -> None:
    store = LateStore()
    world, (kim, *others) = left_game(store)
    store.late = killed == "before the tables know it"
    kim.hear(f"@r register ann :{PASSWORD}")
    if store.late:
        store.release()
        assert world.room().table.players == ("~kim", "~bob", "~eve")
        store.late = False
        store.waiting.clear()
    if killed:
        world = world.restarted()
        for peer in others:
            world.program().ok(f"resume {peer.token}")
    play_out(world)
    ann = world.program()
    ann.ok(f"login ann :{PASSWORD}")
    assert [row.fields["names"] for row in ann.rows("history")] == ["ann,~bob,~eve"]
    assert names_in_game(ann) == ["ann", "~bob", "~eve"]
    assert ann.rows("stats")[0].fields["played"] == "1"
    record = [row.text or "" for row in ann.rows("export g1 form=record")]
    assert any("ann" in line for line in record)
    assert not any("~kim" in line for line in record)


def test_a_game_that_a_guest_has_left_and_watches_ends_as_the_accounts() -> None:
    world, (kim, *_) = left_game()
    kim.ok("watch t1")
    kim.ok(f"register ann :{PASSWORD}")
    play_out(world)
    assert names_in_game(kim) == ["ann", "~bob", "~eve"]


def test_a_game_that_a_guest_has_left_is_not_that_of_the_next_guest_of_that_name() -> None:
    world, (kim, bob, _) = left_game()
    kim.drop()
    world.advance(GRACE)
    other = world.program("kim")
    assert other.name == "~kim"
    other.ok(f"register ann :{PASSWORD}")
    play_out(world)
    assert names_in_game(bob) == ["~kim", "~bob", "~eve"]
    assert other.rows("history") == []


def test_the_own_result_of_an_account_counts_and_not_that_of_the_guest_in_the_same_game() -> None:
    world = World()
    ann, kim, bob = world.program(), world.program("kim"), world.program("bob")
    ann.ok(f"register ann :{PASSWORD}")
    world.game(ann, kim, bob, options="options=limit:10")
    kim.ok("leave")
    kim.ok(f"login ann :{PASSWORD}")
    play_out(world)
    assert names_in_game(kim) == ["ann", "~kim", "~bob"]


@pytest.mark.parametrize("late", [False, True])
def test_a_guest_who_has_left_a_seat_takes_no_other_as_the_account(late: bool) -> None:
    world, (kim, bob, _) = left_game()
    if late:
        kim = world.program("zed")
        assert kim.ok("join t1").fields["seat"] == "1"
        kim.ok("leave")
    bob.ok("leave")
    kim.ok(f"register ann :{PASSWORD}")
    assert kim.err("join t1 seat=2") == "SEAT_TAKEN"
    assert kim.ok("join t1").fields["seat"] == "1"


def test_the_games_that_a_guest_has_won_at_a_table_before_leaving_it_are_the_accounts() -> None:
    world, (_, *players) = left_game()
    play_out(world)
    world.room().table = replace(world.room().table, wins=(("~bob", 1),))
    bob, eve = players
    bob.ok("leave")
    eve.ok("rematch")
    assert "~bob" not in world.room().table.players
    bob.ok(f"register ann :{PASSWORD}")
    assert world.room().table.wins == (("ann", 1),)
