"""The daily deals: sealed the day before, the same for all, played once, opened the day after."""

from __future__ import annotations

import hashlib
import re
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from tests.host.test_accounts import PASSWORD, account, default, gone, logged_in
from tests.kit.clock import BEGIN, HandClock
from tests.kit.hosts import LateStore, Peer, World
from twentytwo_protocol.fair import FairShuffle, commitment
from twentytwo_protocol.record import read
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.cardplay import Dealt
from twentytwo_protocol.words.daily import StandingRow
from twentytwo_protocol.words.fairness import Shuffled
from twentytwo_server.facts import DailySealed
from twentytwo_server.games.registry import games as registered
from twentytwo_server.host.commands import daily
from twentytwo_server.host.commands.seating.opening import answer_opened
from twentytwo_server.records import checking
from twentytwo_server.store.memory import MemoryStore

DAY = 86_400_000
TODAY, TOMORROW, AFTER = "2026-01-02", "2026-01-03", "2026-01-04"


def test_the_clock_of_these_tests_begins_on_that_day() -> None:
    assert BEGIN.date().isoformat() == TODAY


def row(peer: Peer, line: str = "daily", game: str = "twentytwo") -> ParsedLine:
    return next(each for each in peer.rows(line) if each.fields.get("game") == game)


def begun(peer: Peer, game: str = "twentytwo") -> str:
    """The table with today's deal."""
    return peer.ok(f"daily {game}").fields["on"]


def finished(peer: Peer, game: str = "twentytwo") -> str:
    """Plays today's deal by the default moves; the number of the game."""
    on = begun(peer, game)
    play_out(peer.world, on)
    match = peer.world.room(on).table.match
    assert match is not None
    peer.ok(f"leave {on}")
    return match.terms.id


def play_out(world: World, on: str) -> None:
    """Plays the default moves until the game is over; the bots play theirs."""
    world.clock.settle()
    while (match := world.room(on).table.match) and not match.over:
        world.on_turn(on).ok(f"move {default(world, on)} {on}")
        world.clock.settle()


# ------------------------------------------------------------------------------- the seal


def test_what_is_told_today_of_tomorrow_is_what_is_opened_the_day_after_tomorrow() -> None:
    world = World()
    ann = account(world)
    told = row(ann).fields["tomorrow"]
    world.advance(DAY)
    ann = logged_in(world)
    assert row(ann).fields["hash"] == told
    assert "seed" not in row(ann, f"results day={TOMORROW}").fields
    world.advance(DAY)
    ann = logged_in(world)
    opened = row(ann, f"results day={TOMORROW}")
    assert opened.fields["hash"] == told
    assert hashlib.sha256(opened.fields["seed"].encode()).hexdigest() == told


def test_nothing_is_told_of_a_seal_before_it_is_stored() -> None:
    world = World(store := LateStore())
    ann = world.program("ann")
    store.late = True
    ann.hear("@1 daily")
    assert ann.take() == []
    store.release()
    assert any("DAILY" in line for line in ann.take())


def test_a_day_may_end_while_its_seals_are_stored() -> None:
    world = World(store := LateStore())
    ann = world.program("ann")
    store.late = True
    ann.hear("@1 daily")
    world.advance(world.host.dailies.left + 1)
    store.release()
    told = [line for line in ann.records() if line.word == "DAILY"]
    assert [each.fields["day"] for each in told] == [TODAY] * 4
    assert all("tomorrow" in each.fields for each in told)


def test_nobody_begins_a_deal_whose_day_has_ended_while_seals_are_stored() -> None:
    world = World(store := LateStore())
    ann = world.program("ann")
    store.late = True
    ann.hear("@1 daily twentytwo")
    world.advance(world.host.dailies.left + 1)
    store.late = False
    store.release()
    assert world.room().table.settings.day == TOMORROW


class Midnight(HandClock):
    """A clock for which it is midnight once it was looked at `looks` times."""

    looks = 10**9

    def wall(self) -> int:
        self.looks -= 1
        now = super().wall()
        return now if self.looks >= 0 else (now // DAY + 1) * DAY


@pytest.mark.parametrize("line", ["daily", "daily twentytwo", "results twentytwo"])
def test_it_may_be_midnight_at_any_moment_of_a_command(line: str) -> None:
    for looks in range(25):
        store = MemoryStore()
        world = World(store, clock=(clock := Midnight()))
        ann = world.program("ann")
        clock.looks = looks
        ann.ok(line)
        sealed = sorted({seal.day for seal in store.remembered().daily_seals})
        assert sealed in ([TODAY, TOMORROW], [TODAY, TOMORROW, AFTER], [TOMORROW, AFTER]), looks


def test_days_in_a_row_are_counted_for_accounts_only() -> None:
    world = World()
    guest, ann = world.program("gus"), account(world)
    for peer in (guest, ann):
        finished(peer)
    assert "streak" not in row(guest).fields
    assert row(ann).fields["streak"] == "1"


@pytest.mark.parametrize("killed", [False, True])
def test_a_day_has_the_same_deal_after_a_start(killed: bool) -> None:
    world = World()
    before = [each.fields for each in world.program("ann").rows("daily")]
    world = world.restarted() if killed else world
    world.advance(1000)
    assert [each.fields for each in world.program("bob").rows("daily")] == before


def test_a_server_that_runs_seals_each_day_at_its_beginning_at_the_latest() -> None:
    store = MemoryStore()
    world = World(store)
    world.host.dailies.keep_time()
    world.advance(3 * DAY)
    world.host.dailies.stop()
    found: list[DailySealed | None] = []
    for day in (TODAY, TOMORROW, AFTER, "2026-01-05", "2026-01-06", "2026-01-07"):
        store.daily_seal(day, "whist22", found.append)
    assert [each is not None for each in found] == [True] * 5 + [False]
    walls = [each.wall // DAY * DAY for each in found if each]
    assert walls == [walls[0]] + [walls[0] + day * DAY for day in (0, 1, 2, 3)]


def test_a_clock_that_is_set_back_brings_no_day_back_whose_seed_was_told() -> None:
    world = World()
    world.advance(DAY)
    ann = account(world)
    ann.rows("daily")
    again = World(world.store, clock=HandClock(), run=9)
    assert again.host.dailies.today == TOMORROW


def test_nothing_is_told_of_the_day_after_tomorrow() -> None:
    ann = account(World())
    ann.rows("daily")
    assert ann.err(f"results day={AFTER}") == "NO_SUCH_GAME"
    assert ann.err("results day=2020-01-01") == "NO_SUCH_GAME"
    assert ann.err("results day=someday") == "BAD_ARG"


# ------------------------------------------------------------------------------ the deals


@pytest.mark.parametrize("game", ["twentytwo", "twentysix", "whist22", "twentyeight"])
def test_everybody_meets_the_same_cards_and_the_same_bots(game: str) -> None:
    world = World()
    ann, bob = account(world), account(world, "bob")
    seen = []
    for peer in (ann, bob):
        on = begun(peer, game)
        play_out(world, on)
        lines = [e for e in peer.world.room(on).stream.after(0)]
        moves = [e.event for e in lines if e.event.word.word in ("SHUFFLED", "PLAYED", "RESULT")]
        seen.append(moves)
        assert any(e.event.word.word == "GAMEOVER" for e in lines)
    assert seen[0] == seen[1]


def test_the_cards_follow_from_the_seed_that_is_told_the_day_after() -> None:
    world = World()
    ann = account(world)
    ann.ok("daily whist22")
    told = [entry.event for entry in world.room().stream.after(0)]
    at = next(n for n, each in enumerate(told) if isinstance(each, Dealt))
    dealt = next(each for each in told if isinstance(each, Dealt) and each.seat == 1)
    first = [each for each in told[:at] if isinstance(each, Shuffled)][-1]
    assert dealt.cards
    world.advance(DAY)
    ann = logged_in(world)
    seed = row(ann, f"results whist22 day={TODAY}", "whist22").fields["seed"]
    pack = FairShuffle(seed, "daily").house(first.no, first.cards)
    places = sorted(pack.index(card) for card in dealt.cards)
    assert places == list(range(places[0], places[0] + 4 * len(places), 4))


def test_the_seed_is_nowhere_to_be_had_before_the_day_is_over() -> None:
    world = World()
    ann = account(world)
    on = begun(ann)
    ann.take()
    found: list[DailySealed | None] = []
    world.store.daily_seal(TODAY, "twentytwo", found.append)
    assert found[0] is not None
    seed = found[0].seed
    play_out(world, on)
    match = world.room(on).table.match
    assert match is not None
    game = match.terms.id
    ann.ok(f"sync {on} from=0")
    assert any("GAMEOVER" in line for line in ann.lines)
    assert seed not in "\n".join(ann.take())
    for line in (
        "daily",
        "results",
        f"fair {game}",
        "fair log",
        f"export {game}",
        f"game {game}",
        f"export {game} form=record",
        f"replay {game} speed=20",
        "history",
        "sync me from=0",
    ):
        ann.ask(line)
        world.advance(5000)
        assert seed not in "\n".join(ann.take()), line
    assert "seed" not in ann.rows(f"fair {game}")[0].fields
    world.advance(DAY)
    ann = logged_in(world)
    assert "seed" in ann.rows(f"fair {game}")[0].fields
    lines = [line.text or "" for line in ann.rows(f"export {game} form=record")]
    assert f"seed {seed}" in lines
    assert checking.wrong(read("".join(f"{line}\n" for line in lines)), registered()) is None
    # The check is one: by another seed it is another pack.
    other = FairShuffle.of_seed(1).seed
    record = read("".join(f"{line}\n" for line in lines))
    assert record.fair is not None
    fair = replace(record.fair, seed=other, commitment=commitment(other))
    wrong = checking.wrong(replace(record, fair=fair), registered())
    assert wrong is not None
    assert "does not follow" in wrong.why


@pytest.mark.parametrize("game", ["twentytwo", "whist22", "twentyeight"])
@pytest.mark.parametrize("ends", ["left", "played to the end"])
def test_nobody_looks_back_at_a_daily_deal_before_its_day_is_over(game: str, ends: str) -> None:
    world = World()
    guest, ann = world.program("gus"), account(world)
    on = begun(guest, game)
    match = world.room(on).table.match
    assert match is not None
    number = match.terms.id
    if ends == "left":
        guest.ask(f"leave {on}")
    else:
        play_out(world, on)
        guest.ok(f"sync {on} from=0")
    for form in ("", " form=record", " form=link", " seat=1", " seat=0"):
        assert guest.err(f"export {number}{form}") == "GAME_RUNNING"
    for line in ("game", "replay", "review", "whatif"):
        assert guest.err(f"{line} {number}") == "GAME_RUNNING"
        assert ann.err(f"{line} {number}") == "NO_SUCH_GAME"
    guest.rows("history")
    guest.rows("stats")
    guest.rows(f"fair {number}")
    told = [line for line in guest.take() if "DEALT" in line and "cards=" in line]
    assert all("seat=1 " in f"{line} " for line in told)
    guest.ok("register gus :three blind mice")
    assert guest.err(f"export {number}") == "GAME_RUNNING"
    world = world.restarted()
    guest = logged_in(world, "gus")
    assert guest.err(f"export {number}") == "GAME_RUNNING"
    world.advance(DAY)
    guest = logged_in(world, "gus")
    assert guest.ok(f"export {number}")
    assert guest.ok(f"game {number}")


def test_a_daily_game_that_ends_after_midnight_is_open_at_once() -> None:
    world = World()
    ann = account(world)
    on = begun(ann)
    world.advance(21 * 3_600_000)
    play_out(world, on)
    match = world.room(on).table.match
    assert match is not None
    assert ann.ok(f"game {match.terms.id}")


def test_people_are_told_when_a_daily_deal_can_be_looked_at() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("daily whist22")
    ann.say("leave")
    ann.say("leave")
    text = "\n".join(ann.say("review g1"))
    assert "Others still play this daily deal: g1 is open when its day is over, in UTC." in text


def test_a_daily_game_is_told_again_with_its_end_after_five_hands() -> None:
    world = World()
    ann = account(world)
    game = finished(ann, "twentyeight")
    world.advance(DAY)
    ann = logged_in(world)
    words = [e.word for e in ann.records()] if ann.ok(f"export {game}") else []
    assert words.count("HANDOVER") == 5
    assert "GAMEOVER" in words


def test_nobody_sees_or_finds_the_table() -> None:
    world = World()
    ann, bob = account(world), account(world, "bob")
    on = begun(ann)
    assert bob.err(f"watch {on}") == "NO_SUCH_TABLE"
    assert bob.err(f"join {on}") == "NO_SUCH_TABLE"
    assert bob.rows("tables") == []


@pytest.mark.parametrize(
    "line", ["hint", "rematch", "ready", "start", "addbot", "dropbot", "seed x", "option limit 30"]
)
def test_what_belongs_to_other_tables_is_refused_there(line: str) -> None:
    world = World()
    ann = account(world)
    on = begun(ann)
    world.clock.settle()
    assert ann.err(line) in ("FORBIDDEN", "GAME_RUNNING")
    play_out(world, on)
    if line != "hint":
        assert ann.err(line) == "FORBIDDEN"


# --------------------------------------------------------------------------------- once


def test_it_is_played_once() -> None:
    world = World()
    ann = account(world)
    finished(ann)
    assert ann.err("daily twentytwo") == "FORBIDDEN"
    assert ann.ok("daily whist22")


def test_who_leaves_has_played_and_has_no_result() -> None:
    world = World()
    ann = account(world)
    on = begun(ann)
    ann.ask(f"leave {on}")
    ann.ask(f"leave {on}")
    assert world.host.rooms == {}
    assert ann.err("daily twentytwo") == "FORBIDDEN"
    assert "place" not in row(ann).fields
    assert row(ann).fields["played"] == "0"


def test_it_is_played_once_whatever_was_killed_in_between() -> None:
    world = World()
    ann = account(world)
    on = begun(ann)
    token = ann.token
    world = world.restarted()
    ann = world.program()
    ann.ok(f"resume {token}")
    assert ann.err("daily twentytwo") == "FORBIDDEN"
    play_out(world, on)
    assert row(ann).fields["played"] == "1"
    world = world.restarted()
    assert row(logged_in(world)).fields["place"]


def test_twice_at_once_is_once() -> None:
    world = World(store := LateStore())
    ann = account(world)
    ann.rows("daily")
    ann.take()
    store.late = True
    ann.hear("@1 daily twentytwo")
    ann.hear("@2 daily twentytwo")
    store.release()
    store.release()
    store.release()
    answers = [line for line in ann.take() if line.startswith("@")]
    assert sum("OK" in line.split()[:2] for line in answers) == 1
    assert len(world.host.rooms) == 1


def test_a_refusal_has_not_begun_it() -> None:
    world = World(tables_each=1)
    ann = account(world)
    on = ann.ok("open twentytwo").fields["on"]
    assert ann.err("daily twentytwo") == "QUOTA"
    ann.ok(f"leave {on}")
    assert ann.ok("daily twentytwo")


def test_a_game_that_was_begun_before_midnight_may_be_ended_after_it() -> None:
    world = World()
    ann = account(world)
    on = begun(ann)
    world.advance(21 * 3_600_000)
    assert world.host.dailies.today == TOMORROW
    play_out(world, on)
    assert row(ann, f"results day={TODAY}").fields["played"] == "1"
    assert row(ann, f"results day={TOMORROW}").fields["played"] == "0"
    assert ann.ok("daily twentytwo")


# --------------------------------------------------------------------------- the results


def test_the_table_of_results_has_accounts_and_no_guests() -> None:
    world = World()
    ann, guest = account(world), world.program("bob")
    finished(guest)
    guest.ok("sync me from=0")
    told = [each for each in guest.events("me") if each.word == "FINISHED"]
    assert [each.fields.get("rank") for each in told] == [None]
    finished(ann)
    rows = ann.rows("results")
    assert [each.fields["name"] for each in rows[1:]] == ["ann"]
    assert rows[0].fields["played"] == "1"
    assert guest.err("daily twentytwo") == "FORBIDDEN"


def test_who_has_finished_is_told_so_once_and_it_stays_in_the_inbox() -> None:
    world = World()
    ann = account(world)
    on = begun(ann)
    ann.take()
    play_out(world, on)
    ann.ok("sync me from=0")
    told = [each for each in ann.events("me") if each.word == "FINISHED"]
    assert [(each.fields["rank"], each.fields["played"]) for each in told] == [("1", "1")]


@pytest.mark.parametrize("registers", ["before the end", "after the end"])
def test_a_guest_who_becomes_an_account_has_begun_it_and_keeps_the_result(registers: str) -> None:
    world = World()
    bob = world.program("bob")
    on = begun(bob)
    if registers == "after the end":
        play_out(world, on)
        assert row(bob).fields["played"] == "0"
    bob.ok("register bob :three blind mice")
    assert bob.err("daily twentytwo") == "FORBIDDEN"
    if registers == "before the end":
        play_out(world, on)
    assert row(bob).fields["played"] == "1"
    assert [each.fields["name"] for each in bob.rows("results")[1:]] == ["bob"]
    world = world.restarted()
    bob = logged_in(world, "bob")
    assert bob.err("daily twentytwo") == "FORBIDDEN"


@pytest.mark.parametrize("logs_in", ["before the end", "after the end"])
def test_an_account_that_has_begun_a_deal_takes_no_guests_result_of_it(logs_in: str) -> None:
    world = World()
    ann = account(world)
    ann.ask(f"leave {begun(ann)}")
    ann.ok("logout")
    guest = world.program("gus")
    on = begun(guest)
    if logs_in == "after the end":
        play_out(world, on)
    guest.ok(f"login ann :{PASSWORD}")
    if logs_in == "before the end":
        play_out(world, on)
    assert row(guest).fields["played"] == "0"
    assert guest.err("daily twentytwo") == "FORBIDDEN"


def test_a_guest_plays_no_second_game_of_a_deal_for_an_account_that_plays_its_own() -> None:
    world = World()
    ann = account(world)
    begun(ann)
    ann.drop()
    guest = world.program("gus")
    on = begun(guest)
    assert guest.err(f"login ann :{PASSWORD}") == "FORBIDDEN"
    play_out(world, on)
    guest.ok(f"login ann :{PASSWORD}")
    assert row(guest).fields["played"] == "0"
    assert "place" not in row(guest).fields


def test_the_name_of_a_guest_who_is_gone_may_begin_it() -> None:
    world = World()
    guest = world.program("bob")
    finished(guest)
    gone(guest)
    assert world.program("bob").ok("daily twentytwo")


def test_days_in_a_row_are_counted_until_one_is_left_out() -> None:
    world = World()
    ann = account(world)
    counts = []
    for days in (1, 1, 1, 2, 1):
        finished(ann)
        counts.append(row(ann).fields.get("streak"))
        world.advance(days * DAY)
        ann = logged_in(world)
    assert counts == ["1", "2", "3", "4", "1"]
    assert row(ann).fields["streak"] == "1"  # yesterday's, until today is over
    world.advance(DAY)
    assert "streak" not in row(logged_in(world)).fields


def test_results_come_in_pages_and_those_who_are_level_share_a_place() -> None:
    world = World()
    names = ["ann", "bob", "cat"]
    for name in names:
        finished(account(world, name))
    pages = world.program("dan").pages("results n=2")
    assert [len(each) for each in pages] == [3, 2]
    standing = [each for each in pages[0] + pages[1] if each.word == "STANDING"]
    assert [each.fields["name"] for each in standing] == names
    assert {each.fields["rank"] for each in standing} == {"1"}  # the same moves, the same result


def test_people_read_what_there_is_and_how_it_is_played() -> None:
    world = World()
    ann = world.person("ann")
    text = "\n".join(ann.say("daily"))
    assert "The daily deals of 2026-01-02, UTC; the next ones come in 20 h 55 min." in text
    assert "Whist 22: daily whist22 deals it; nobody has finished." in text
    assert "seal of the next one" in text and not re.search("[0-9a-f]{12}", text)
    assert all(len(line) <= 79 for line in text.splitlines())
    text = "\n".join(ann.say("daily whist22"))
    assert "5 hands against 3 steady bots" in text
    assert all(len(line) <= 79 for line in text.splitlines())
    text = "\n".join(ann.say("results whist22"))
    assert "Whist 22, 2026-01-02.\n    sealed as " in text
    assert text.endswith("Nobody with an account has finished it yet.")
    assert all(len(line) <= 79 for line in text.splitlines())


def test_what_is_told_of_a_deal_that_is_still_to_come() -> None:
    text = "\n".join(World().person("ann").say("results whist22 tomorrow"))
    assert "Whist 22, 2026-01-03.\n    sealed as " in text
    assert text.endswith("It is dealt from midnight UTC on.")


@pytest.mark.parametrize(
    ("points", "told"),
    [
        (-82, "combined lead over the others: -82 points"),
        (1, "combined lead over the others: 1 point"),
        (0, "combined lead over the others: 0 points"),
    ],
)
def test_what_the_points_of_a_result_are_is_told(points: int, told: str) -> None:
    said = Voice({}).sentence(StandingRow("ann", 2, points, 3))
    assert said == f"  3. ann: 2nd; {told}"


def test_that_nobody_has_finished_is_told_a_person_once() -> None:
    lines = World().person("ann").say("results")
    assert sum("obody" in line for line in lines) == 1


def test_it_is_begun_even_if_the_command_fails_after_its_opening() -> None:
    world = World()
    ann = world.program("ann")

    async def stumble(*args: Any) -> None:
        await answer_opened(*args)
        raise ValueError

    with patch.object(daily, "answer_opened", stumble):
        ann.ask("daily twentytwo")
    assert world.host.faults.count == 1
    assert ann.err("daily twentytwo") == "FORBIDDEN"


def test_a_deal_whose_opening_is_refused_is_not_begun() -> None:
    world = World(most_tables=1)
    ann, bob = world.program("ann"), world.program("bob")
    bob.ok("open twentytwo")
    assert ann.err("daily twentytwo") == "BUSY"
    bob.ok("close t1")
    ann.ok("daily twentytwo")
