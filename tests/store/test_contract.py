"""What every store does, in memory, in a file and in PostgreSQL."""

from __future__ import annotations

import asyncio
import dataclasses
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.store.kit import Folder, Place, ask, keep, keeping, opened, owners
from twentytwo_server.facts import (
    KEYED,
    Account,
    AccountErased,
    AdminAction,
    Blocks,
    Boot,
    CommandDone,
    DailyBegun,
    DailyEnded,
    DailySealed,
    DailyTold,
    Fact,
    Friends,
    Frozen,
    GameEnded,
    GamesClaimed,
    GameSummed,
    GuestKnownAs,
    InboxLine,
    Input,
    InputsDropped,
    InviteCode,
    InviteCodeUsed,
    Keeper,
    OpenTable,
    PasswordChanged,
    PasswordRehashed,
    PersonGone,
    PersonKept,
    PersonMoved,
    Pool,
    Promise,
    PromiseEntry,
    Rated,
    RatingDone,
    RatingDue,
    RatingTold,
    Remembered,
    Report,
    Sanction,
    SanctionKind,
    SanctionLifted,
    SeatResult,
    SecretMade,
    SshKeyAdded,
    SshKeyRemoved,
    TableClosed,
    TableMembers,
    TableOpened,
    TokenGiven,
    TokenRevoked,
    Unrated,
    Untold,
    WantedTables,
)
from twentytwo_server.ports import Redeemed
from twentytwo_server.store.memory import MemoryStore

WALL = 1_767_323_045_000


def given_input(table: str, seq: int, packs: tuple[str, ...] = ()) -> Input:
    at = 40 * seq
    return Input(
        table, seq, at, WALL + at, "ann", False, seq % 2 == 0, "deed play QS", packs, 9, 77
    )


def promised(no: int, table: str = "t1", alg: str = "fd1") -> Promise:
    return Promise(f"g{no}", no, table, alg, f"{no:0128x}", f"{no:064x}", WALL + no)


def ended(number: int, *names: str, key: str = "twentytwo", public: bool = True) -> GameEnded:
    seats = tuple(
        SeatResult(seat, name, "3" if name.startswith("bot:") else "", seat, -seat)
        for seat, name in enumerate(names, 1)
    )
    began = WALL + 1000 * number
    return GameEnded(
        f"g{number}",
        "t1",
        key,
        "sidcup",
        "abc",
        "target",
        True,
        public,
        began,
        began + 900,
        (4, 180),
        seats,
        f"record of g{number}\nwith lines: \u2660",
        40 * number,
    )


def rated(name: str, mu: float, sigma: float = 2.0, pool: Pool = Pool.PEOPLE) -> Rated:
    return Rated(pool, "twentytwo", "sidcup", name, mu, sigma, 3, WALL)


ANN = Account("Ann", "ann", "$argon2id$1", "SCRAM-SHA-256$4096:a$b:c", WALL)
BOB = Account("bob", "b0b", "$argon2id$2", "SCRAM-SHA-256$4096:d$e:f", WALL)


def games_of(found: list[GameEnded]) -> list[str]:
    return [game.game for game in found]


# ------------------------------------------------------------------------------- the start


async def test_a_new_store_remembers_nothing(place: Place) -> None:
    async with opened(place) as store:
        assert comparable(await store.load()) == comparable(Remembered())


async def test_a_server_that_starts_again_is_told_all_it_needs(place: Place) -> None:
    secret = PersonKept("~cy", True, b"\x00\xff", b"")
    inputs = [given_input("t2", 1), given_input("t2", 2, ("2C,3C", "AS,KS"))]
    line = InboxLine("Ann", 1, WALL, "INVITED on=me seq=1 by=bob")
    async with opened(place) as store:
        await keep(store, Boot("b1", 7, WALL), TableOpened("t2", "whist22", WALL))
        await keep(store, promised(1, "t2"), inputs[0])
        await keep(store, ANN, secret, line)
        await keep(store, inputs[1])
    async with opened(place) as store:
        found = await store.load()
    assert comparable(found) == Remembered(
        at=80,
        table=2,
        game=1,
        promise=1,
        chain=sha256(f"|g1|{1:064x}".encode()).hexdigest(),
        tables=[OpenTable("t2", "whist22", inputs, [promised(1, "t2")])],
        people=[secret],
        inboxes={"Ann": [line]},
        skeletons={"ann": "Ann"},
        unrated=[],
        sanctions=[],
        reports=[],
        invite_codes=[],
        daily_seals=[],
        daily_begun=[],
    )


async def test_the_newer_inputs_of_tables_are_found(place: Place) -> None:
    async with opened(place) as store:
        for table in ("t1", "t2", "t3", "t10"):
            await keep(store, TableOpened(table, "whist22", WALL), given_input(table, 1))
        await keep(store, promised(1, "t2"), given_input("t2", 2, ("4S 2C",)))
        await keep(store, promised(2, "t2"), given_input("t2", 3), given_input("t1", 2))
        await keep(store, promised(3, "t1"))
        await keep(store, given_input("t3", 2), TableClosed("t3", WALL, kept=True))
        await keep(store, given_input("t10", 2), TableClosed("t10", WALL))
        known = {"t10": 1, "t1": 2, "t2": 1, "t3": 1, "t9": 0}
        found = await ask(store.newer_inputs, known)
        assert [(each.table, [*each.inputs], [*each.promises]) for each in found] == [
            ("t1", [], []),
            (
                "t2",
                [given_input("t2", 2, ("4S 2C",)), given_input("t2", 3)],
                [promised(1, "t2"), promised(2, "t2")],
            ),
            ("t3", [given_input("t3", 2)], []),
            ("t10", [], []),
        ]
        assert [each.table for each in found if each.closed] == ["t3", "t10"]
        assert await ask(store.newer_inputs, {}) == []


async def test_the_inputs_of_a_closed_table_are_kept_until_they_are_dropped(place: Place) -> None:
    async with opened(place) as store:
        for table in ("t1", "t2", "t3", "t4"):
            await keep(store, TableOpened(table, "whist22", WALL), given_input(table, 1))
        for table in ("t1", "t2", "t3"):
            await keep(store, TableClosed(table, WALL, kept=table != "t3"))
        assert sorted(await ask(store.kept_inputs)) == ["t1", "t2"]
        await keep(store, InputsDropped(("t1", "t3")))
        assert await ask(store.kept_inputs) == ["t2"]
        known = {"t1": 0, "t2": 0, "t4": 0}
        found = await ask(store.newer_inputs, known)
        assert [len(each.inputs) for each in found] == [0, 1, 1]
    async with opened(place) as store:
        assert [each.table for each in (await store.load()).tables] == ["t4"]
        assert await ask(store.kept_inputs) == ["t2"]


async def test_facts_that_are_safe_are_told_after_their_callback(place: Place) -> None:
    async with opened(place) as store:
        told: list[Fact | str] = []
        await keep(store, TableOpened("t1", "whist22", WALL), given_input("t1", 1))
        store.after_commit(told.extend)
        store.keep([given_input("t1", 2)], lambda: told.append("done"))
        await keep(store, given_input("t1", 3))
        await keep(store, given_input("t1", 4))
    assert told.index("done") < told.index(given_input("t1", 2))
    assert told[1:] == [given_input("t1", seq) for seq in (2, 3, 4)]


async def test_the_owners_of_open_tables_are_known(place: Place) -> None:
    async with opened(place) as store:
        for table in ("t1", "t2", "t3"):
            await keep(store, TableOpened(table, "whist22", WALL), given_input(table, 1))
        await keep(store, given_input("t2", 2), given_input("t2", 3))
        await keep(store, TableClosed("t1", WALL, kept=True))
        found = await owners(store, "t1", "t2", "t3", "t4")
        assert {table: own.last for table, own in found.items()} == {"t2": 3, "t3": 1}
        assert len({own.node for own in found.values()}) == 1


async def test_tables_are_found_by_members_words_and_games(place: Place) -> None:
    ann, bob = (PersonKept(name, False, b"1", b"") for name in ("~Ann", "~bob"))
    async with opened(place) as store:
        await keep(store, ann, bob)
        for table in ("t1", "t2", "t3", "t4"):
            await keep(store, TableOpened(table, "whist22", WALL), given_input(table, 1))
        await keep(store, TableMembers("t1", ("~Ann", "~bob")), TableMembers("t4", ("~Ann",)))
        await keep(store, given_input("t1", 2), TableMembers("t1", ("~Ann",)))
        await keep(store, TableMembers("t2", ("~bob",)), promised(3, "t3"))
        assert await ask(store.claim_word, "Fox", "t2")

        async def found(wanted: WantedTables) -> set[str]:
            return set(await ask(store.owners, wanted))

        assert await found(WantedTables()) == set()
        assert await found(WantedTables(people=("~ANN", "~nobody"))) == {"t1", "t4"}
        assert await found(WantedTables(words=("FOX", "hound"))) == {"t2"}
        wanted = WantedTables(("t4", "t99"), ("fox",), ("g3", "g9"))
        assert await found(wanted) == {"t2", "t3", "t4"}
        await keep(store, TableMembers("t1", ()))
        assert await found(WantedTables(people=("~ann", "~bob"))) == {"t2", "t4"}
        await keep(store, TableClosed("t2", WALL, kept=True))
        assert await found(WantedTables(words=("fox",), people=("~bob",))) == set()
        assert await found(WantedTables(all=True)) == {"t1", "t3", "t4"}


# ------------------------------------------------------------------- people of many servers


async def test_one_name_is_one_person_whatever_its_case(place: Place) -> None:
    ann, other = PersonKept("~Ann", False, b"1", b"", 7), PersonKept("~ann", True, b"2", b"", 9)
    async with opened(place) as store:
        assert [await ask(store.claim, each) for each in (ann, other, ann)] == [7, None, 7]
        assert (await ask(store.person, "~ANN")).kept == ann
        await keep(store, PersonGone("~Ann"))
        assert await ask(store.person, "~ann") is None
        assert await ask(store.claim, other) == 9
        assert list((await store.load()).people) == [other]


async def test_a_person_is_found_with_all_that_is_kept_of_them(place: Place) -> None:
    ann = PersonKept("~Ann", True, b"2", b"1", 7)
    lines = [InboxLine("~Ann", seq, WALL, f"line {seq}", f"b/1/{seq}") for seq in range(1, 4)]
    done = [CommandDone("~Ann", no, f"key{no}", "say x", "{}") for no in range(3)]
    async with opened(place) as store:
        await keep(store, ann, *lines, *done, Blocks("~Ann", ("bob",)), Friends("~Ann", ("cy",)))
        await keep(store, PersonKept("~bob", False, b"3", b""), InboxLine("~bob", 1, WALL, "x"))
        await keep(store, CommandDone("~bob", 1, "k", "say y", "{}"), Friends("~bob", ("~Ann",)))
        found = await ask(store.person, "~ann")
        assert (found.kept, [*found.inbox], [*found.commands]) == (ann, lines, done)
        assert (found.blocks, found.friends, [*found.dailies]) == (("bob",), ("cy",), [])
        begun = DailyBegun("2026-01-01", "twentytwo", "~Ann", WALL)
        await keep(store, sealed_for("2026-01-01"), begun)
        found = await ask(store.person, "~ann")
        assert [*found.dailies] == [begun]
        assert await ask(store.person, "ann") is None
        assert [each.kept.name for each in await ask(store.people)] == ["~Ann", "~bob"]
        assert (await ask(store.people))[0] == found
        await keep(store, PersonMoved("~Ann", "elsewhere"))
        assert [each.kept.name for each in await ask(store.people)] == ["~bob"]


async def test_a_person_is_found_by_both_secrets(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, PersonKept("~ann", True, b"2", b"1"), PersonKept("~bob", True, b"3", b""))
        secrets = b"1", b"2", b"3", b"4"
        found = [await ask(store.keeper_by_secret, secret) for secret in secrets]
        mine = (await ask(store.person, "~ann")).node
        await keep(store, PersonKept("Zoe", True, b"5", b"3"))
        heir = await ask(store.keeper_by_secret, b"3")
        assert heir.name == "Zoe", "the guest is becoming the account"
    ann = Keeper("~ann", mine, b"2")
    assert found == [ann, ann, Keeper("~bob", mine, b"3"), None]


async def test_a_person_moves_to_another_server_and_back(place: Place) -> None:
    ann, bob = (PersonKept(name, False, b"1", b"") for name in ("~ann", "~bob"))
    async with opened(place) as store:
        await keep(store, ann, bob)
        mine = (await ask(store.person, "~ann")).node
        await keep(store, PersonMoved("~ann", "elsewhere"), PersonMoved("~nobody", "elsewhere"))
        assert (await ask(store.person, "~ann")).node == "elsewhere"
        assert (await ask(store.person, "~bob")).node == mine
        await keep(store, PersonKept("~ann", False, b"2", b"1"))
        assert (await ask(store.person, "~ann")).node == mine


async def test_the_keepers_of_several_people_are_found_at_once(place: Place) -> None:
    people = [PersonKept(name, False, b"1", b"") for name in ("~Ann", "~bob", "~cy")]
    async with opened(place) as store:
        await keep(store, *people, PersonMoved("~Ann", "elsewhere"))
        mine = (await ask(store.person, "~bob")).node
        found = await ask(store.keepers, ["~ann", "~bob", "~nobody"])
    assert found == {
        "~ann": Keeper("~Ann", "elsewhere", b"1"),
        "~bob": Keeper("~bob", mine, b"1"),
    }


async def test_the_timeline_goes_on_after_whoever_came_last(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, Boot("b1", 7, WALL), PersonKept("~ann", False, b"1", b"", 90))
        await keep(store, PersonKept("~bob", False, b"2", b"", 60))
    async with opened(place) as store:
        found = await store.load()
    assert (found.at, [person.since for person in found.people]) == (90, [90, 60])


async def test_the_timeline_goes_on_after_the_last_input_of_a_table_that_is_closed(
    place: Place,
) -> None:
    async with opened(place) as store:
        await keep(store, Boot("b1", 5, WALL), TableOpened("t1", "twentytwo", WALL))
        await keep(store, given_input("t1", 1))
        await keep(store, TableClosed("t1", WALL))
    async with opened(place) as store:
        assert (await store.load()).at == 40


async def test_a_closed_table_is_not_opened_again_nor_its_number_given_out(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, TableOpened("t9", "twentytwo", WALL), TableOpened("t10", "x", WALL))
        await keep(store, given_input("t10", 1), promised(4, "t10"), TableClosed("t10", WALL))
    async with opened(place) as store:
        found = await store.load()
        assert [table.table for table in found.tables] == ["t9"]
        assert (found.table, found.game, found.promise) == (10, 4, 4)


async def test_tables_come_back_in_the_order_of_their_numbers(place: Place) -> None:
    async with opened(place) as store:
        for number in (2, 9, 10, 11):
            await keep(store, TableOpened(f"t{number}", "twentytwo", WALL))
        found = await store.load()
    assert [table.table for table in found.tables] == ["t2", "t9", "t10", "t11"]


async def test_somebody_who_is_kept_twice_is_there_as_the_last_time(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, PersonKept("~ann", False, b"1", b""))
        await keep(store, PersonKept("~ann", False, b"2", b"1"))
        assert list((await store.load()).people) == [PersonKept("~ann", False, b"2", b"1")]


async def test_somebody_who_is_forgotten_leaves_nothing_to_the_next_of_that_name(
    place: Place,
) -> None:
    async with opened(place) as store:
        await keep(store, PersonKept("~ann", False, b"1", b""), InboxLine("~ann", 1, WALL, "old"))
        await keep(store, PersonGone("~ann"))
        await keep(store, PersonKept("~ann", True, b"2", b""), InboxLine("~ann", 1, WALL, "new"))
        found = await store.load()
    assert list(found.people) == [PersonKept("~ann", True, b"2", b"")]
    assert [line.line for line in found.inboxes["~ann"]] == ["new"]


async def test_an_inbox_has_its_last_two_hundred_lines(place: Place) -> None:
    lines = [InboxLine("ann", seq, WALL, f"line {seq}") for seq in range(1, 331)]
    async with opened(place) as store:
        await keep(store, InboxLine("bob", 1, WALL, "his own"))
        for some in (lines[:120], lines[120:310], lines[310:]):
            await keep(store, *some)
    async with opened(place) as store:
        found = (await store.load()).inboxes
    assert list(found["ann"]) == lines[-200:]
    assert len(found["bob"]) == 1


async def test_a_line_of_an_inbox_takes_the_place_of_one_with_its_number(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, *(InboxLine("ann", seq, WALL, "old") for seq in (1, 2, 3)))
        await keep(store, InboxLine("ann", 2, WALL, "new"))
        lines = (await store.load()).inboxes["ann"]
    assert [line.line for line in lines] == ["old", "new", "old"]


async def test_the_last_commands_with_a_key_are_remembered_of_each_person(place: Place) -> None:
    def done(name: str, no: int) -> CommandDone:
        return CommandDone(name, no, f"k{no}", "say :hello", '{"seq":7}')

    async with opened(place) as store:
        await keep(store, *(done("Ann", no) for no in range(1, KEYED + 3)), done("~cy", 1))
        await keep(store, done("~bob", 1), PersonGone("~bob"))
    async with opened(place) as store:
        found = (await store.load()).commands
        assert dict(found) == {
            "Ann": [done("Ann", no) for no in range(3, KEYED + 3)],
            "~cy": [done("~cy", 1)],
        }


async def test_whom_somebody_has_blocked_is_what_was_said_last(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, Blocks("Ann", ("bob",)), Blocks("Ann", ("bob", "~cy")))
        await keep(store, Blocks("~cy", ("Ann",)), Blocks("bob", ("Ann",)), Blocks("bob", ()))
    async with opened(place) as store:
        assert (await store.load()).blocks == {"Ann": ("bob", "~cy"), "~cy": ("Ann",)}


async def test_a_guest_who_is_forgotten_has_blocked_nobody_and_an_account_whom_it_had(
    place: Place,
) -> None:
    async with opened(place) as store:
        await keep(store, Blocks("Ann", ("bob",)), Blocks("~cy", ("bob",)))
        await keep(store, PersonGone("Ann"), PersonGone("~cy"))
        assert (await store.load()).blocks == {"Ann": ("bob",)}
        await keep(store, PersonGone("~cy"), Blocks("~cy", ("dora",)))
        assert (await store.load()).blocks == {"Ann": ("bob",), "~cy": ("dora",)}


# ------------------------------------------------------------------------------ in order


async def test_answers_come_in_the_order_of_the_calls(place: Place) -> None:
    came: list[int] = []
    async with opened(place) as store:
        await keep(store, TableOpened("t1", "twentytwo", WALL))
        for seq in range(1, 301):
            store.keep([given_input("t1", seq)], lambda seq=seq: came.append(seq))  # type: ignore[misc]
            if seq % 40 == 0:
                await asyncio.sleep(0.001)
        await keep(store)
        assert came == list(range(1, 301))
        assert [given.seq for given in (await store.load()).tables[0].inputs] == came


async def test_facts_may_undo_those_just_before_them(place: Place) -> None:
    async with opened(place) as store:
        calls = [
            keeping(store, TableOpened("t1", "twentytwo", WALL), given_input("t1", 1)),
            keeping(store, TableClosed("t1", WALL)),
            keeping(store, TableOpened("t2", "twentytwo", WALL), given_input("t2", 1)),
            keeping(store, PersonKept("a", False, b"", b""), PersonGone("a")),
            keeping(store, PersonKept("b", False, b"", b""), PersonGone("b")),
            keeping(store, PersonKept("a", True, b"", b"")),
        ]
        await asyncio.gather(*calls)
        found = await store.load()
    assert [(table.table, len(table.inputs)) for table in found.tables] == [("t2", 1)]
    assert list(found.people) == [PersonKept("a", True, b"", b"")]


async def test_a_promise_with_a_number_that_is_not_the_next_is_refused_with_all_beside_it(
    place: Place,
) -> None:
    async with opened(place) as store:
        await keep(store, promised(5))
        for no in (5, 4):
            with pytest.raises(ValueError, match="comes after"):
                store.keep([PersonKept("ann", False, b"", b""), promised(no)], pytest.fail)
        await keep(store, promised(8))
        assert not (await store.load()).people
        assert (await store.load()).promise == 8


# ------------------------------------------------------------------------------ accounts


async def test_an_account_is_found_however_its_name_is_spelled(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, ANN, BOB)
        assert await ask(store.account, "aNN") == ANN
        assert await ask(store.account, "bob") == BOB
        assert await ask(store.account, "an") is None


async def test_tokens_are_listed_and_open_their_account_until_they_are_revoked(
    place: Place,
) -> None:
    first = TokenGiven("Ann", 1, b"\x01" * 32, "laptop", WALL)
    second = TokenGiven("Ann", 2, b"\x02" * 32, "bot", WALL)
    other = TokenGiven("bob", 1, b"\x03" * 32, "", WALL)
    async with opened(place) as store:
        await keep(store, ANN, BOB, first, other, second)
        assert list(await ask(store.tokens, "ann")) == [first, second]
        assert await ask(store.token, b"\x02" * 32) == second
        await keep(store, TokenRevoked("Ann", 2))
        assert list(await ask(store.tokens, "Ann")) == [first]
        assert await ask(store.token, b"\x02" * 32) is None
        assert await ask(store.token, b"\x03" * 32) == other


async def test_a_token_that_was_revoked_stays_so_over_a_restart(place: Place) -> None:
    first, second = (TokenGiven("Ann", number, bytes([number]), "", WALL) for number in (1, 2))
    async with opened(place) as store:
        await keep(store, ANN, first, second)
        await keep(store, TokenRevoked("Ann", 1))
    async with opened(place) as store:
        assert await ask(store.token, first.digest) is None
        assert list(await ask(store.tokens, "Ann")) == [second]


async def test_a_number_of_a_revoked_token_can_be_given_again(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, ANN, TokenGiven("Ann", 1, b"1", "", WALL), TokenRevoked("Ann", 1))
        again = TokenGiven("Ann", 1, b"2", "", WALL)
        await keep(store, again)
        assert list(await ask(store.tokens, "Ann")) == [again]


async def test_keys_are_listed_until_they_are_removed_also_over_a_restart(place: Place) -> None:
    first, second = (
        SshKeyAdded("Ann", number, "ssh-ed25519", b"\x01" * 32, "laptop", WALL) for number in (1, 2)
    )
    other = replace(first, name="bob", label="")
    async with opened(place) as store:
        await keep(store, ANN, BOB, second, other, first)
        assert list(await ask(store.ssh_keys, "ann")) == [first, second]
        await keep(store, SshKeyRemoved("Ann", 2))
    async with opened(place) as store:
        assert list(await ask(store.ssh_keys, "Ann")) == [first]
        assert list(await ask(store.ssh_keys, "bob")) == [other]
        await keep(store, second)
        assert list(await ask(store.ssh_keys, "Ann")) == [first, second]


async def test_another_password_revokes_every_token_and_key_of_that_account_only(
    place: Place,
) -> None:
    key = SshKeyAdded("bob", 1, "ssh-rsa", b"1", "", WALL)
    async with opened(place) as store:
        await keep(store, ANN, BOB, TokenGiven("Ann", 1, b"1", "", WALL))
        await keep(store, TokenGiven("bob", 1, b"2", "", WALL), key, replace(key, name="Ann"))
        await keep(store, PasswordChanged("Ann", "new", "newer"))
        assert list(await ask(store.ssh_keys, "Ann")) == []
        assert list(await ask(store.ssh_keys, "bob")) == [key]
        assert await ask(store.account, "Ann") == replace(ANN, password="new", scram="newer")
        assert await ask(store.account, "bob") == BOB
        assert list(await ask(store.tokens, "Ann")) == []
        assert (await ask(store.token, b"2")).name == "bob"
        assert await ask(store.token, b"1") is None


async def test_an_account_that_is_erased_leaves_its_name_and_its_games(place: Place) -> None:
    async with opened(place) as store:
        for name, account in (("Ann", ANN), ("bob", BOB)):
            await keep(store, account, TokenGiven(name, 1, name.encode(), "", WALL))
            await keep(store, PersonKept(name, False, b"1", b"2"), InboxLine(name, 1, WALL, "x"))
            await keep(store, Friends(name, ("zoe",)), Blocks(name, ("zoe",)), rated(name, 30.0))
            await keep(store, DailyBegun("2026-01-02", "twentytwo", name, WALL))
        await keep(store, ended(1, "Ann", "bob"), AccountErased("Ann", "new", "newer"))
        assert await ask(store.account, "Ann") == replace(ANN, password="new", scram="newer")
        assert (list(await ask(store.tokens, "Ann")), list(await ask(store.rating, "Ann"))) == (
            [],
            [],
        )
        assert list(await ask(store.rating_history, "Ann")) == []
        assert len(await ask(store.rating, "bob")) == len(await ask(store.tokens, "bob")) == 1
        assert games_of(await ask(store.past, "Ann", "", 9)) == ["g1"]
    async with opened(place) as store:
        known = await store.load()
        assert [each.name for each in known.people] == ["bob"]
        assert set(known.inboxes) == set(known.friends) == set(known.blocks) == {"bob"}
        assert set(known.skeletons.values()) == {"Ann", "bob"}


async def test_another_hash_takes_the_place_of_its_own_and_no_other_and_no_token(
    place: Place,
) -> None:
    token = TokenGiven("Ann", 1, b"1", "", WALL)
    async with opened(place) as store:
        await keep(store, ANN, BOB, token)
        await keep(store, PasswordRehashed("Ann", ANN.password, "strong", "stronger"))
        strong = replace(ANN, password="strong", scram="stronger")
        assert await ask(store.account, "Ann") == strong
        await keep(store, PasswordRehashed("Ann", ANN.password, "late", "later"))
        assert await ask(store.account, "Ann") == strong
        assert await ask(store.account, "bob") == BOB
        assert list(await ask(store.tokens, "Ann")) == [token]


async def test_a_hash_that_comes_together_with_another_password_comes_too_late(
    place: Place,
) -> None:
    late = PasswordRehashed("Ann", ANN.password, "late", "later")
    async with opened(place) as store:
        await keep(store, ANN)
        await asyncio.gather(
            keeping(store, PasswordChanged("Ann", "new", "newer")), keeping(store, late)
        )
        assert await ask(store.account, "Ann") == replace(ANN, password="new", scram="newer")


# ------------------------------------------------------------------------ what is still due


async def test_a_game_that_counts_is_remembered_until_it_is_reckoned(place: Place) -> None:
    ann, bot = replace(ended(1, "Ann", "bob"), ended=WALL + 9), ended(2, "bot:hard", "bot:easy")
    async with opened(place) as store:
        await keep(store, ann, RatingDue("g1", Pool.PEOPLE))
        await keep(store, bot, RatingDue("g2", Pool.BOTS), ended(3, "Ann", "bob"))
    async with opened(place) as store:
        assert list((await store.load()).unrated) == [
            Unrated(replace(ann, record=""), Pool.PEOPLE),
            Unrated(replace(bot, record=""), Pool.BOTS),
        ]
        await keep(store, rated("Ann", 26), RatingDone("g1"))
    async with opened(place) as store:
        assert [each.ended.game for each in (await store.load()).unrated] == ["g2"]


async def test_games_that_are_due_come_in_the_order_of_their_ends(place: Place) -> None:
    async with opened(place) as store:
        for number, at in ((9, 7), (10, 5), (11, 7)):
            game = replace(ended(number, "Ann", "bob"), ended=WALL + at)
            await keep(store, game, RatingDue(f"g{number}", Pool.PEOPLE))
        found = (await store.load()).unrated
    assert [each.ended.game for each in found] == ["g10", "g9", "g11"]


async def test_a_game_may_be_due_and_done_in_one_breath_and_done_again_is_nothing(
    place: Place,
) -> None:
    async with opened(place) as store:
        due = RatingDue("g1", Pool.PEOPLE)
        await keep(store, ended(1, "Ann", "bob"), due, rated("Ann", 26), RatingDone("g1"))
        await keep(store, RatingDone("g1"), rated("Ann", 27))
        assert list((await store.load()).unrated) == []
        assert list(await ask(store.rating, "Ann")) == [rated("Ann", 27)]


# ---------------------------------------------------------------------------------- games


async def test_past_games_are_listed_the_last_first_and_without_their_records(
    place: Place,
) -> None:
    async with opened(place) as store:
        for number in (1, 2, 3, 9, 10):
            await keep(store, ended(number, "Ann", "bot:hard", "bot:hard"))
        found = await ask(store.past, "", "", 3)
        assert list(found) == [replace(ended(n, "Ann", "bot:hard", "bot:hard"), record="")
                               for n in (10, 9, 3)]  # fmt: skip


async def test_games_that_end_in_one_moment_are_in_the_order_of_their_numbers(
    place: Place,
) -> None:
    async with opened(place) as store:
        for number in (9, 10, 11):
            await keep(store, replace(ended(number, "Ann"), ended=WALL))
        for name in ("", "ann"):
            for key in ("", "twentytwo"):
                assert games_of(await ask(store.past, name, key, 9)) == ["g11", "g10", "g9"]


async def test_past_games_go_on_before_any_of_them(place: Place) -> None:
    async with opened(place) as store:
        for number in (9, 10, 11):
            await keep(store, replace(ended(number, "Ann"), ended=WALL))
        await keep(store, replace(ended(3, "Ann"), ended=WALL + 1))
        for name in ("", "ann"):
            for before, found in (
                ((WALL + 1, 4), ["g3", "g11", "g10", "g9"]),
                ((WALL + 1, 3), ["g11", "g10", "g9"]),
                ((WALL, 11), ["g10", "g9"]),
                ((WALL, 9), []),
                ((10**15, 10**15), ["g3", "g11", "g10", "g9"]),
            ):
                past = partial(store.past, before=before)
                assert games_of(await ask(past, name, "", 9)) == found


async def test_past_games_can_be_those_of_somebody_or_of_a_game(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, ended(1, "Ann", "bob"), ended(2, "bob", "cy", key="whist22"))
        await keep(store, ended(3, "bob", "bob", "Ann", key="whist22"))
        assert games_of(await ask(store.past, "ann", "", 9)) == ["g3", "g1"]
        assert games_of(await ask(store.past, "bob", "", 9)) == ["g3", "g2", "g1"]
        assert games_of(await ask(store.past, "", "whist22", 9)) == ["g3", "g2"]
        assert games_of(await ask(store.past, "cy", "whist22", 9)) == ["g2"]
        assert games_of(await ask(store.past, "cy", "twentytwo", 9)) == []
        assert games_of(await ask(store.past, "nobody", "", 9)) == []


async def test_the_games_of_a_bot_are_found_by_its_level_and_by_its_name(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, ended(1, "Ann", "bot:hard"), ended(2, "Ann", "bot:hard2", "bot:hard3"))
        assert games_of(await ask(store.past, "BOT:hard", "", 9)) == ["g2", "g1"]
        assert games_of(await ask(store.past, "bot:hard3", "", 9)) == ["g2"]


async def test_a_private_game_is_listed_only_for_those_who_had_a_seat(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, ended(1, "Ann", "bob", public=False), ended(2, "bob", "cy"))
        assert games_of(await ask(store.past, "", "", 9)) == ["g2"]
        assert games_of(await ask(store.past, "", "twentytwo", 9)) == ["g2"]
        assert games_of(await ask(store.past, "Ann", "", 9)) == ["g1"]


async def test_a_game_that_was_undone_is_found_by_its_number_and_not_among_its_players_games(
    place: Place,
) -> None:
    undone = replace(ended(2, "Ann", "bot:hard", public=False), why="aborted", undone=True)
    async with opened(place) as store:
        await keep(store, ended(1, "Ann"), undone, ended(3, "Ann", "bot:hard"))
        for name, key in (("ann", ""), ("ann", "twentytwo")):
            assert games_of(await ask(store.past, name, key, 9)) == ["g3", "g1"]
            assert games_of(await ask(store.summaries, name, key, 9)) == ["g3", "g1"]
        assert games_of(await ask(store.past, "bot:hard", "", 9)) == ["g3"]
        assert await ask(store.game, "g2") == undone


async def test_a_game_that_is_over_has_its_record(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, ended(1, "Ann", "bot:hard"), ended(2, "bob"))
        assert await ask(store.game, "g1") == ended(1, "Ann", "bot:hard")
        assert await ask(store.game, "g3") is None


# ------------------------------------------------------------------------------- promises


async def test_the_log_says_what_became_of_every_promise(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, TableOpened("t1", "twentytwo", WALL))
        await keep(store, TableOpened("t2", "twentytwo", WALL))
        await keep(store, promised(1), Frozen("g1", "kitten,-", WALL), promised(2, "t2"))
        await keep(store, ended(1, "Ann"), promised(3, alg="seed"), TableClosed("t2", WALL))
        log: list[PromiseEntry] = await ask(store.promises, "", 9)
    assert [(each.promise.no, each.outcome, each.words) for each in log] == [
        (3, "", ""),
        (2, "lost", ""),
        (1, "target", "kitten,-"),
    ]
    assert log[2].promise == promised(1)


async def test_a_seed_is_not_in_the_log_while_its_game_runs(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, TableOpened("t1", "twentytwo", WALL), promised(1))
        (line,) = await ask(store.promises, "g1", 9)
        assert line.promise == dataclasses.replace(promised(1), seed="")
        await keep(store, ended(1, "Ann"))
        (line,) = await ask(store.promises, "g1", 9)
        assert line.promise == promised(1)


async def test_each_promise_is_chained_to_the_one_before(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, promised(1), promised(2))
        await keep(store, promised(1003))
    async with opened(place) as store:
        await keep(store, promised(1004))
        log = await ask(store.promises, "", 9)
        last = (await store.load()).chain
    chain, chains = "", []
    for no in (1, 2, 1003, 1004):
        chain = sha256(f"{chain}|g{no}|{no:064x}".encode()).hexdigest()
        chains.append(chain)
    assert [each.chain for each in reversed(log)] == chains
    assert last == chains[-1]


async def test_the_log_can_be_cut_and_asked_for_one_game(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, *(promised(no) for no in range(1, 13)))
        assert [each.promise.no for each in await ask(store.promises, "", 3)] == [12, 11, 10]
        assert [each.promise.no for each in await ask(store.promises, "g4", 3)] == [4]
        assert list(await ask(store.promises, "g13", 3)) == []
        earlier = await ask(partial(store.promises, before=10), "", 3)
        assert [each.promise.no for each in earlier] == [9, 8, 7]
        assert list(await ask(partial(store.promises, before=1), "", 3)) == []


# -------------------------------------------------------------------------------- ratings


async def test_ratings_are_found_with_every_version_of_a_bot_or_one(place: Place) -> None:
    hard, harder = rated("bot:hard/3", 30), rated("bot:hard/4", 31)
    ann = rated("Ann", 25)
    async with opened(place) as store:
        await keep(store, hard, harder, ann, rated("bot:harder/1", 9))
        assert list(await ask(store.rating, "bot:hard")) == [hard, harder]
        assert list(await ask(store.rating, "bot:hard/3")) == [hard]
        assert list(await ask(store.rating, "ann")) == [ann]
        assert list(await ask(store.rating, "an")) == []


async def test_a_rating_is_replaced_by_the_next(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, rated("Ann", 25), rated("Ann", 26), rated("bob", 20))
        await keep(store, rated("Ann", 27.125))
        assert list(await ask(store.rating, "Ann")) == [rated("Ann", 27.125)]


def rating(name: str, games: int, mu: float = 25.0, untold: str = "") -> Rated:
    """A rating after so many games."""
    return replace(rated(name, mu), games=games, untold=untold)


async def test_a_game_is_rated_once(place: Place) -> None:
    both = [rating("bob", 1, 26), rating("Ann", 1, 24)]
    async with opened(place) as store:
        await keep(store, ended(1, "Ann", "bob"), RatingDue("g1", Pool.PEOPLE))
        assert [each.ended.game for each in await ask(store.unrated)] == ["g1"]
        assert await ask(store.rate, "g1", both)
        assert list(await ask(store.unrated)) == []
        assert await ask(store.rate, "g1", [rating("Ann", 2), rating("bob", 2)])
        assert await ask(store.rate, "g9", [rating("cat", 1)])
    async with opened(place) as store:
        assert list((await store.load()).unrated) == []
        for each in both[::-1]:
            assert list(await ask(store.rating, each.name)) == [each]
            assert list(await ask(store.rating_history, each.name)) == [each]
        assert list(await ask(store.rating, "cat")) == []


@pytest.mark.parametrize("games", [1, 3])
async def test_a_rating_that_does_not_follow_from_the_last_is_not_stored(
    place: Place, games: int
) -> None:
    async with opened(place) as store:
        for number in (1, 2):
            due = RatingDue(f"g{number}", Pool.PEOPLE)
            await keep(store, ended(number, "ann", "bob"), due)
        assert await ask(store.rate, "g1", [rating("ann", 1), rating("bob", 1)])
        assert not await ask(store.rate, "g2", [rating("ann", 2), rating("bob", games)])
        assert [each.ended.game for each in await ask(store.unrated)] == ["g2"]
        assert list(await ask(store.rating_history, "ann")) == [rating("ann", 1)]
        assert await ask(store.rate, "g2", [rating("ann", 2), rating("bob", 2)])
        both = [rating("ann", 1), rating("ann", 2)]
        assert list(await ask(store.rating_history, "ann")) == both


async def test_two_seats_of_one_bot_are_one_rating(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, ended(1, "bot:hard", "bot:hard2"), RatingDue("g1", Pool.BOTS))
        hard = [rating("bot:hard/3", 1, mu) for mu in (26, 24)]
        assert await ask(store.rate, "g1", hard)
        assert list(await ask(store.rating, "bot:hard")) == hard[1:]


async def test_a_result_is_untold_until_it_is_told(place: Place) -> None:
    day = "2026-01-07"
    async with opened(place) as store:
        for number in (1, 2):
            due = RatingDue(f"g{number}", Pool.PEOPLE)
            await keep(store, ended(number, "Ann", "bob"), due)
        first = [rating("Ann", 1, 24, "g1"), rating("bob", 1, 26, "g1")]
        then = [rating("Ann", 2, 25, "g2"), rating("bob", 2, 27, "g2")]
        assert await ask(store.rate, "g1", first) and await ask(store.rate, "g2", then)
        for name, at in (("ann", 1), ("cat", 0), ("~dan", 2)):
            result = replace(daily_ended(day, name, at, 5), game=f"g-{name}")
            await keep(store, DailyBegun(day, "twentytwo", name, WALL), result)
    async with opened(place) as store:
        found = await ask(store.untold, ["ann", "cat", "~Dan"])
        assert [(each.rated, each.before) for each in found.ratings] == [
            (first[0], None),
            (then[0], 24),
        ]
        assert [each.name for each in found.dailies] == ["ann", "~dan"]
        assert found.dailies[0].game == "g-ann"
        await keep(store, RatingTold("ann", "g1"), DailyTold("g-ann"), DailyTold("g-no"))
        await keep(store, RatingTold("Ann", "g1"), RatingTold("ann", "g9"), PersonGone("~dan"))
        found = await ask(store.untold, ["ann", "cat", "~dan"])
        assert [each.rated.untold for each in found.ratings] == ["g2"]
        assert list(found.dailies) == []
        assert len((await ask(store.untold, ["bob"])).ratings) == 2
        assert await ask(store.untold, []) == Untold([], [])


async def test_the_result_of_a_guest_is_untold_to_the_account(place: Place) -> None:
    day = "2026-01-07"
    async with opened(place) as store:
        begun = DailyBegun(day, "twentytwo", "~ann", WALL)
        await keep(store, begun, daily_ended(day, "~ann", 1, 5))
        await keep(store, GamesClaimed("ann", "~ann", 0), PersonGone("~ann"))
        assert [each.name for each in (await ask(store.untold, ["ann"])).dailies] == ["ann"]


async def test_ranks_are_by_mean_less_three_times_the_spread(place: Place) -> None:
    sure, unsure, weak = rated("cy", 25, 1), rated("Ann", 30, 5), rated("bob", 17, 2)
    async with opened(place) as store:
        await keep(store, unsure, sure, weak, rated("bot:hard/3", 99, 1, Pool.BOTS))
        await keep(store, replace(rated("dora", 90), key="whist22"))
        await keep(store, replace(rated("eve", 90), rules="double"))
        ranks = await ask(store.ranks, Pool.PEOPLE, "twentytwo", "sidcup", 9)
        assert list(ranks) == [sure, unsure, weak]
        assert len(await ask(store.ranks, Pool.PEOPLE, "twentytwo", "sidcup", 2)) == 2
        for skip, found in ((1, [unsure, weak]), (3, []), (10**15, [])):
            skipping = partial(store.ranks, skip=skip)
            assert list(await ask(skipping, Pool.PEOPLE, "twentytwo", "sidcup", 9)) == found


# ----------------------------------------------------------------------------- moderation


async def test_bans_and_mutes_are_remembered_until_they_are_lifted(place: Place) -> None:
    ban = Sanction(SanctionKind.BAN, "203.0.113.0/24", WALL + 9, "flood", WALL)
    mute = Sanction(SanctionKind.MUTE, "mallory", WALL + 5, "", WALL)
    longer = replace(mute, until=WALL + 50, why="again")
    async with opened(place) as store:
        await keep(store, ban, mute, replace(ban, kind=SanctionKind.MUTE))
        await keep(store, longer, SanctionLifted(SanctionKind.MUTE, "203.0.113.0/24"))
    async with opened(place) as store:
        assert list((await store.load()).sanctions) == [ban, longer]
        assert list((await ask(store.moderation)).sanctions) == [ban, longer]


async def test_a_report_is_remembered_until_its_reporter_has_been_told(place: Place) -> None:
    filed = Report(3, "~ann", "mallory", "cheats: \u2660", "t1", "g7", WALL)
    closed = replace(filed, answer="banned", closed=WALL + 9)
    async with opened(place) as store:
        await keep(store, filed, replace(filed, no=2, told=True), replace(filed, no=1))
        await keep(store, replace(closed, no=1, told=True))
    async with opened(place) as store:
        found = await store.load()
        assert found.report == 3
        assert sorted(found.reports, key=lambda each: each.no) == [
            replace(filed, no=2, told=True),
            filed,
        ]
        await keep(store, closed)
        left = sorted((await store.load()).reports, key=lambda each: each.no)
        assert left == [replace(filed, no=2, told=True), closed]
        waiting = (await ask(store.moderation)).reports
        assert sorted(waiting, key=lambda each: each.no) == left
        assert await ask(store.report, 1) == replace(closed, no=1, told=True)
        assert await ask(store.report, 4) is None


async def test_a_closed_report_is_not_opened_again(place: Place) -> None:
    filed = Report(3, "~ann", "mallory", "cheats", "t1", "g7", WALL)
    closed = replace(filed, answer="banned", closed=WALL + 9)
    async with opened(place) as store:
        await keep(store, filed)
        await keep(store, replace(filed, by="ann"))
        await keep(store, closed, replace(filed, by="Ann"))
        assert await ask(store.report, 3) == closed
        await keep(store, filed)
        assert await ask(store.report, 3) == closed
        await keep(store, replace(closed, by="ann", told=True))
        assert await ask(store.report, 3) == replace(closed, by="ann", told=True)


async def test_whoever_has_blocked_a_guest_has_blocked_the_account(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, Blocks("ann", ("bob", "~eve", "~eve2")), Blocks("bob", ("~eve2",)))
        await keep(store, Blocks("cy", ("~eve",)), GuestKnownAs("~eve", "mallory"))
        await keep(store, GuestKnownAs("~nobody", "zoe"))
    async with opened(place) as store:
        assert {name: {*names} for name, names in (await store.load()).blocks.items()} == {
            "ann": {"bob", "mallory", "~eve2"},
            "bob": {"~eve2"},
            "cy": {"mallory"},
        }


async def test_an_invite_code_is_remembered_until_it_is_used(place: Place) -> None:
    one, two = (InviteCode(digest, WALL + 9, WALL) for digest in (b"1", b"2"))
    async with opened(place) as store:
        await keep(store, one, two)
        await keep(store, ANN, InviteCodeUsed(b"1"))
    async with opened(place) as store:
        assert list((await store.load()).invite_codes) == [two]
        assert list((await ask(store.moderation)).invite_codes) == [two]


async def test_the_first_secret_of_a_name_stays(place: Place) -> None:
    async with opened(place) as store:
        assert await ask(store.secret, "scram") is None
        await keep(store, SecretMade("scram", "one"))
        await keep(store, SecretMade("scram", "two"), SecretMade("other", "three"))
    async with opened(place) as store:
        assert await ask(store.secret, "scram") == "one"


async def test_an_account_and_its_code_are_taken_together_or_not_at_all(place: Place) -> None:
    codes = [InviteCode(digest, WALL + 9, WALL) for digest in (b"1", b"2")]
    async with opened(place) as store:
        committed: list[Fact] = []
        store.after_commit(committed.extend)
        await keep(store, *codes)
        committed.clear()
        assert await ask(store.redeem, ANN, b"3") is Redeemed.CODE_USED
        assert await ask(store.account, "ann") is None
        assert await ask(store.redeem, ANN, b"1") is Redeemed.DONE
        assert committed == [ANN, InviteCodeUsed(b"1")]
        assert await ask(store.redeem, ANN, b"1") is Redeemed.DONE  # the answer was lost
        for like in (
            replace(ANN, password="$argon2id$9"),
            replace(BOB, skeleton="ann"),
            replace(ANN, skeleton="other", password="$argon2id$9"),
        ):
            assert await ask(store.redeem, like, b"2") is Redeemed.NAME_TAKEN
        assert await ask(store.redeem, replace(BOB, wall=WALL + 7), b"") is Redeemed.DONE
    async with opened(place) as store:
        assert list((await store.load()).invite_codes) == [codes[1]]
        assert await ask(store.account, "ann") == ANN
        assert await ask(store.new_accounts, WALL) == {"ann": "Ann", "b0b": "bob"}
        assert await ask(store.new_accounts, WALL + 7) == {"b0b": "bob"}


async def test_a_code_sets_one_new_password_and_revokes_everything(place: Place) -> None:
    key = SshKeyAdded("Ann", 1, "ssh-ed25519", b"k", "", WALL)
    new = PasswordChanged("ANN", "$argon2id$9", "SCRAM-SHA-256$4096:x$y:z")
    async with opened(place) as store:
        token, other = TokenGiven("Ann", 1, b"t", "", WALL), TokenGiven("bob", 1, b"u", "", WALL)
        await keep(store, ANN, BOB, key, token, other, InviteCode(b"1", WALL + 9, WALL))
        assert await ask(store.redeem, new, b"1") is Redeemed.DONE
        assert await ask(store.redeem, new, b"1") is Redeemed.DONE
        assert await ask(store.redeem, replace(new, password="$a"), b"1") is Redeemed.CODE_USED
    async with opened(place) as store:
        changed = replace(ANN, password=new.password, scram=new.scram)
        assert await ask(store.account, "ann") == changed
        assert await ask(store.tokens, "ann") == await ask(store.ssh_keys, "ann") == []
        assert await ask(store.tokens, "bob") == [other]
        assert await ask(store.account, "bob") == BOB


async def test_what_operators_did_is_told_the_last_first(place: Place) -> None:
    done = [AdminAction(1000, "ban", f"203.0.113.{no}", "flood", WALL + no) for no in range(4)]
    async with opened(place) as store:
        await keep(store, *done[:3])
        await keep(store, done[3])
    async with opened(place) as store:
        assert list(await ask(store.admin_log, 3)) == [done[3], done[2], done[1]]


# --------------------------------------------------------- friends, statistics, daily deals


def sealed_for(day: str, key: str = "twentytwo") -> DailySealed:
    """A sealed deal."""
    return DailySealed(day, key, f"{key} {day}", f"hash of {key} {day}", WALL)


def daily_ended(day: str, name: str, place: int, points: int) -> DailyEnded:
    """The end of a daily deal."""
    return DailyEnded(day, "twentytwo", name, "g1", place, points, WALL + points)


async def test_the_friends_of_somebody_are_those_that_were_said_last(place: Place) -> None:
    async with opened(place) as store:
        await keep(store, Friends("ann", ("bob",)), Friends("~guest", ("ann",)))
        await keep(store, Friends("ann", ("bob", "cat")), Friends("dan", ("ann",)))
        await keep(store, Friends("dan", ()), PersonGone("~guest"), PersonGone("ann"))
    async with opened(place) as store:
        found = (await store.load()).friends
    assert {name: list(them) for name, them in found.items()} == {"ann": ["bob", "cat"]}


async def test_the_first_seal_of_a_deal_is_the_only_one(place: Place) -> None:
    first, second = (
        DailySealed("2026-01-01", "twentytwo", seed, f"hash of {seed}", WALL) for seed in "12"
    )
    async with opened(place) as store:
        await keep(store, first)
        await keep(store, second)
        assert await ask(store.daily_seal, "2026-01-01", "twentytwo") == first


async def test_a_sealed_deal_is_there_after_a_restart(place: Place) -> None:
    seals = [sealed_for(f"2026-01-{day:02}") for day in range(1, 8)]
    async with opened(place) as store:
        await keep(store, *seals)
    async with opened(place) as store:
        assert list((await store.load()).daily_seals) == seals[-4:]
        assert await ask(store.daily_seal, "2026-01-01", "twentytwo") == seals[0]
        assert await ask(store.daily_seal, "2026-01-01", "whist22") is None


async def test_a_daily_deal_is_begun_and_ended_once(place: Place) -> None:
    day = "2026-01-07"
    first = DailyBegun(day, "twentytwo", "Ann", WALL)
    async with opened(place) as store:
        await keep(store, sealed_for(day), first)
        await keep(store, DailyBegun(day, "twentytwo", "ann", WALL + 1))
        await keep(store, daily_ended(day, "Ann", 2, 5))
        await keep(store, daily_ended(day, "ann", 1, 9), daily_ended(day, "bob", 1, 9))
    async with opened(place) as store:
        assert list((await store.load()).daily_begun) == [first]
        there = await ask(store.daily_results, day, "twentytwo", 9)
        assert [(each.name, each.place, each.points) for each in there] == [("Ann", 2, 5)]


async def test_results_of_a_day_are_by_place_and_points_and_without_guests(place: Place) -> None:
    day, other = "2026-01-07", "2026-01-06"
    played = [("ann", 2, 9), ("bob", 1, 3), ("cat", 1, 4), ("~dan", 1, 9), ("eve", 0, 0)]
    async with opened(place) as store:
        for name, at, points in played:
            await keep(store, DailyBegun(day, "twentytwo", name, WALL))
            await keep(store, daily_ended(day, name, at, points))
        await keep(store, DailyBegun(other, "twentytwo", "ann", WALL))
        await keep(store, daily_ended(other, "ann", 1, 1), PersonGone("~dan"))
        found = await ask(store.daily_results, day, "twentytwo", 9)
        assert [each.name for each in found] == ["cat", "bob", "ann"]
        found = await ask(store.daily_results, day, "twentytwo", 2)
        assert [each.name for each in found] == ["cat", "bob"]
        mine = await ask(store.dailies_of, "ANN", 9)
        assert [(each.day, each.place) for each in mine] == [(day, 2), (other, 1)]
        assert list(await ask(store.dailies_of, "~dan", 9)) == []


async def test_an_account_claims_the_games_of_the_guest_that_it_was(place: Place) -> None:
    def game(no: int, at: int, *names: str) -> GameEnded:
        seats = tuple(SeatResult(seat, name, "", seat, 0) for seat, name in enumerate(names, 1))
        return replace(ended(no, "x"), seats=seats, at=at)

    games = [
        game(1, 5, "~ann", "bob"),  # of an earlier guest of that name
        game(2, 10, "~ann", "bob"),
        game(3, 20, "bob", "~Ann"),
        game(4, 30, "~ann", "ann"),
        replace(game(5, 40, "~ann", "bob"), undone=True),
    ]
    claimed = GamesClaimed("ann", "~ann", 10)
    async with opened(place) as store:
        await keep(store, *games)
        await keep(store, claimed, PersonGone("~ann"))
        await keep(store, claimed)
    async with opened(place) as store:
        kept = [await ask(store.game, each.game) for each in games]
        mine = await ask(store.past, "ann", "", 9)
    assert [[seat.name for seat in each.seats] for each in kept if each] == [
        ["~ann", "bob"],
        ["ann", "bob"],
        ["bob", "ann"],
        ["~ann", "ann"],
        ["~ann", "bob"],
    ]
    assert [each.game for each in mine] == ["g4", "g3", "g2"]


async def test_an_account_claims_the_daily_deals_of_the_guest_that_it_was(place: Place) -> None:
    day, other = "2026-01-07", "2026-01-06"
    async with opened(place) as store:
        for each in (day, other):
            await keep(store, sealed_for(each))
            await keep(store, DailyBegun(each, "twentytwo", "~ann", WALL))
            await keep(store, daily_ended(each, "~ann", 1, 9))
        await keep(store, DailyBegun(other, "twentytwo", "ann", WALL))
        await keep(store, daily_ended(other, "ann", 2, 3))
        await keep(store, GamesClaimed("ann", "~ann", 0), PersonGone("~ann"))
        await keep(store, daily_ended(day, "ann", 3, 1))
    async with opened(place) as store:
        mine = await ask(store.dailies_of, "ann", 9)
        assert [(each.day, each.place) for each in mine] == [(day, 1), (other, 2)]
        assert len((await store.load()).daily_begun) == 2


async def test_every_rating_that_somebody_had_is_told_in_order(place: Place) -> None:
    each = [replace(rated("ann", 3), mu=25.0 + no, games=no) for no in (1, 2, 3)]
    async with opened(place) as store:
        for rating in each:
            await keep(store, rating)
        await keep(store, rated("bob", 1))
        assert list(await ask(store.rating_history, "Ann")) == each


async def test_a_game_is_told_with_its_summary_only_where_that_is_asked_for(place: Place) -> None:
    made = replace(ended(1, "ann"), summary='{"hands":3}')
    async with opened(place) as store:
        await keep(store, TableOpened("t1", "twentytwo", WALL), promised(1), made)
        await keep(store, promised(2), ended(2, "ann"))
        found = await ask(store.summaries, "ann", "", 9)
        assert [(each.game, each.summary) for each in found] == [("g2", ""), ("g1", made.summary)]
        assert {each.summary for each in await ask(store.past, "ann", "", 9)} == {""}
        assert (await ask(store.game, "g1")).summary == ""


async def test_a_game_without_a_summary_is_found_until_it_has_one(place: Place) -> None:
    last = replace(ended(3, "ann"), summary='{"hands":3}')
    async with opened(place) as store:
        await keep(store, TableOpened("t1", "twentytwo", WALL))
        for no in (1, 2, 3):
            await keep(store, promised(no), last if no == 3 else ended(no, "ann"))
        first, second = ((game.game, game.record) for game in (ended(1, "ann"), ended(2, "ann")))
        assert list(await ask(store.unsummed, 9, "")) == [second, first]
        assert list(await ask(store.unsummed, 1, "")) == [second]
        assert list(await ask(store.unsummed, 9, "g2")) == [first]
        await keep(store, GameSummed("g2", "{}"), GameSummed("g3", "{}"))
        await keep(store, GameSummed("g2", '{"hands":1}'))
        assert list(await ask(store.unsummed, 9, "")) == [first]
        found = await ask(store.summaries, "ann", "", 9)
        assert [each.summary for each in found] == [last.summary, "{}", ""]


async def test_the_ladder_of_a_week_counts_whom_one_has_beaten_in_rated_games(
    place: Place,
) -> None:
    def game(no: int, places: dict[str, int], *, counts: bool = True, at: int = 0) -> GameEnded:
        seats = tuple(
            SeatResult(seat, name, "", where, 0)
            for seat, (name, where) in enumerate(places.items(), 1)
        )
        made = replace(ended(no, "x"), seats=seats, rated=counts, ended=WALL + at)
        return replace(made, key="whist22", rules="base")

    games = [
        game(1, {"Ann": 1, "bob": 2, "cat": 3}),
        game(2, {"ann": 2, "bob": 1, "cat": 2}),
        game(3, {"ann": 2, "cat": 1}, counts=False),
        game(4, {"ann": 2, "cat": 1}, at=1000),
        game(5, {"ann": 0, "cat": 0}),
    ]
    async with opened(place) as store:
        await keep(store, TableOpened("t1", "whist22", WALL))
        for no, made in enumerate(games, 1):
            await keep(store, promised(no), made)
        days = (WALL, WALL + 1000)
        found = await ask(store.week, "whist22", "base", days, 9)
        assert [(each.name.lower(), each.games, each.halves) for each in found] == [
            ("bob", 2, 6),
            ("ann", 2, 5),
            ("cat", 2, 1),
        ]
        assert list(await ask(store.week, "whist22", "other", days, 9)) == []
        assert len(await ask(store.week, "whist22", "base", days, 1)) == 1


# -------------------------------------------------------------------- whatever is kept

NAMES = st.sampled_from(["~a", "~b"])
TABLES = ["t1", "t2", "t3"]
DATES = [f"2026-01-0{day}" for day in range(1, 8)]


@st.composite
def histories(draw: st.DrawFn) -> list[list[Fact]]:
    """Calls that a server could make, in its order."""
    open_tables: dict[str, int] = {}
    left, no, lines = list(TABLES), 0, {"~a": 0, "~b": 0}
    calls: list[list[Fact]] = []
    due: list[int] = []
    dates = list(DATES)
    for _ in range(draw(st.integers(1, 25))):
        call: list[Fact] = []
        for what in draw(st.lists(st.integers(0, 11), min_size=1, max_size=4)):
            name = draw(NAMES)
            match what:
                case 0 if left:
                    open_tables[left[0]] = 0
                    call.append(TableOpened(left.pop(0), "twentytwo", WALL))
                case 1 | 2 if open_tables:
                    table = draw(st.sampled_from(sorted(open_tables)))
                    open_tables[table] += 1
                    call.append(given_input(table, open_tables[table]))
                case 3 if open_tables:
                    table = draw(st.sampled_from(sorted(open_tables)))
                    no += draw(st.integers(1, 3))
                    call.append(promised(no, table))
                    if draw(st.booleans()):
                        call += [ended(no, name), RatingDue(f"g{no}", Pool.PEOPLE)]
                        due.append(no)
                case 4 if len(open_tables) > 1:
                    table = draw(st.sampled_from(sorted(open_tables)))
                    del open_tables[table]
                    call.append(TableClosed(table, WALL, kept=draw(st.booleans())))
                case 5:
                    call.append(PersonKept(name, draw(st.booleans()), b"%d" % len(calls), b""))
                    lines[name] += 1
                    call.append(InboxLine(name, lines[name], WALL, f"line {len(calls)}"))
                case 7 if due:
                    call += [rated(name, len(calls)), RatingDone(f"g{due.pop()}")]
                case 8:
                    call.append(Blocks(name, ("~c",) * draw(st.integers(0, 2))))
                case 10:
                    day = draw(st.sampled_from(DATES))
                    call.append(DailyBegun(day, "twentytwo", name, WALL + len(calls)))
                    if draw(st.booleans()):
                        call.append(daily_ended(day, name, draw(st.integers(0, 2)), len(calls)))
                case 11:
                    call.append(Friends(name, ("~c",) * draw(st.integers(0, 2))))
                    if dates:
                        call.append(sealed_for(dates.pop()))
                case 9:
                    kind = draw(st.sampled_from(SanctionKind))
                    lifted = draw(st.booleans())
                    ban = Sanction(kind, name, WALL + len(calls), "", WALL)
                    call.append(SanctionLifted(kind, name) if lifted else ban)
                    call.append(Report(len(calls), name, "x", "", "", "", WALL, told=lifted))
                case 6:
                    lines[name] = 0
                    call += [PersonGone(name), rated(name, len(calls))]
        calls.append(call)
    return calls


def comparable(found: Remembered) -> Remembered:
    """With lists for sequences, and people by name: their order is nobody's business."""
    tables = [
        replace(table, inputs=list(table.inputs), promises=list(table.promises))
        for table in found.tables
    ]
    people = sorted(found.people, key=lambda person: person.name)
    inboxes = {name: list(lines) for name, lines in found.inboxes.items()}
    return replace(
        found,
        tables=tables,
        people=people,
        inboxes=inboxes,
        unrated=list(found.unrated),
        sanctions=sorted(found.sanctions, key=lambda each: (each.kind.value, each.target)),
        reports=sorted(found.reports, key=lambda each: each.no),
        invite_codes=list(found.invite_codes),
        daily_seals=list(found.daily_seals),
        daily_begun=list(found.daily_begun),
    )


@settings(max_examples=25, deadline=None)
@given(histories(), st.integers(1, 9))
@pytest.mark.deadline(120)
async def test_a_file_remembers_as_memory_does(calls: list[list[Fact]], together: int) -> None:
    memory = MemoryStore()
    with TemporaryDirectory() as folder:
        place = Folder(Path(folder))
        async with opened(place) as store:
            for start in range(0, len(calls), together):
                some = calls[start : start + together]
                await asyncio.gather(*(keeping(store, *call) for call in some))
                for call in some:
                    await keep(memory, *call)
        async with opened(place) as store:
            assert comparable(await store.load()) == comparable(memory.remembered())
            questions: dict[str, tuple[object, ...]] = {
                "promises": ("", 99),
                "past": ("~a", "", 99),
                "dailies_of": ("~a", 99),
                "rating_history": ("~a",),
            }
            for question, about in questions.items():
                there = await ask(getattr(store, question), *about)
                assert list(there) == list(await ask(getattr(memory, question), *about))


async def test_a_closed_store_answers_nothing_more(place: Place) -> None:
    store = await place.open()
    await store.close()
    if not isinstance(store, MemoryStore):
        store.account("ann", lambda _: pytest.fail("an answer of a closed store"))
        await asyncio.sleep(0)


async def test_a_secret_word_is_for_one_open_table(place: Place) -> None:
    async with opened(place) as store:
        claims = [("Fox", "t1"), ("fox", "t1"), ("FOX", "t2"), ("hound", "t2")]
        assert [await ask(store.claim_word, *each) for each in claims] == [True, True, False, True]
        await keep(store, TableOpened("t1", "twentytwo", WALL))
        assert not await ask(store.claim_word, "fox", "t2")
        await keep(store, TableClosed("t1", WALL))
        assert await ask(store.claim_word, "fox", "t2")
        assert not await ask(store.claim_word, "fox", "t3")
