"""Looking back: history, a game, exports, replays, and who may see what."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from tests.kit.clock import BusyClock
from tests.kit.hosts import Peer, World
from twentytwo_protocol import record as records
from twentytwo_protocol import record_link
from twentytwo_protocol.framing import MAX_SERVER_LINE
from twentytwo_server.facts import GameEnded
from twentytwo_server.games.registry import games
from twentytwo_server.host.commands.records import looking_back
from twentytwo_server.records.checking import wrong
from twentytwo_server.scheduler import SLICE


def begin(world: World, *peers: Peer, options: str = "options=first_hand:5,limit:10") -> str:
    """A short game that has begun."""
    return world.game(*peers, options=options)


def play(world: World, on: str = "t1", moves: int = 10_000) -> None:
    """So many moves, or the game to its end, by its defaults."""
    for _ in range(moves):
        match = world.room(on).table.match
        if match is None or match.question is None:
            return
        asked = match.question
        world.on_turn(on).ok(f"move {asked.default} {on} turn={asked.turn}")


def told(peer: Peer, command: str) -> list[str]:
    """The event lines that a command brings, without stream and number."""
    peer.lines.clear()
    peer.hear(f"@e {command}")
    assert any(line.startswith("@e OK") for line in peer.lines), peer.lines[-3:]
    return [bare(line) for line in peer.take() if not line.startswith("@")]


def bare(line: str) -> str:
    return re.sub(r" (on=\S+|seq=\d+|ms=\d+|bank=\d+)(?= |$)", "", line)


def from_game(lines: list[str]) -> list[str]:
    start = next(i for i, line in enumerate(lines) if line.startswith("GAME "))
    end = next((i for i, line in enumerate(lines) if line.startswith("GAMEOVER ")), len(lines))
    return lines[start : end + 1]


@pytest.fixture
def world() -> World:
    return World()


# -------------------------------------------------------------------------------- the same


@pytest.mark.parametrize("view", ["seat=1", "seat=2", "seat=0"])
def test_an_export_is_what_the_table_told_to_that_seat(world: World, view: str) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = begin(world, ann, bob)
    cat.ok(f"watch {on}")
    play(world)
    viewer = {"seat=1": ann, "seat=2": bob, "seat=0": cat}[view]
    live = from_game(told(viewer, f"sync {on} from=0"))
    live = [line for line in live if not line.startswith("WATCHING")]
    assert from_game(told(cat, f"export g1 {view}")) == live


def test_with_every_card_open_both_hands_are_there(world: World) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    begin(world, ann, bob)
    play(world)
    dealt = [line for line in told(cat, "export g1") if line.startswith("DEALT")]
    assert dealt and all("cards=" in line for line in dealt)


def test_an_export_begins_with_the_table_and_is_numbered_from_one(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    ann.lines.clear()
    ann.hear("@e export g1")
    events = ann.events("g1")
    assert [event.seq for event in events] == [*range(1, len(events) + 1)]
    assert (events[0].word, events[0].fields["value"]) == ("OPTION", "twentytwo")
    assert [e.fields["name"] for e in events if e.word == "JOINED"] == ["~ann", "~bob"]
    final = next(record for record in ann.records() if record.id == "e")
    assert final.fields["seq"] == str(len(events))


def test_a_running_game_is_exported_with_its_seal_and_words(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    on = world.table(ann, bob)
    bob.ok(f"seed kitten {on}")
    bob.ok(f"ready {on}")
    ann.ok(f"start {on}")
    table = world.room().table
    assert table.promised is not None
    shown = told(bob, "export g1")
    sealed = [line for line in shown if line.startswith(("COMMITTED", "SEEDED"))]
    promise = f"COMMITTED id=g1 no=1 alg=fd1 hash={table.promised.digest}"
    assert sealed == [promise, "SEEDED seat=2 word=kitten"]


@together("options", ["clock=60 :title", "seed=3 clock=0", "watch=none clock=5+5 options=limit:12"])
@together("word", [True, False])
def test_the_numbers_of_a_game_are_the_same_while_it_runs_and_for_ever(
    word: bool, options: str
) -> None:
    world = World(dev=True)
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok(f"open twentytwo seats=2 {options}")
    bob.ok("join t1")
    if word and "seed" not in options:
        bob.ok("seed kitten t1")
    bob.ok("ready t1")
    ann.ok("start t1")
    for _ in range(5):
        match = world.room("t1").table.match
        assert match is not None
        assert match.question is not None
        ann.ok("say :hm")
        world.on_turn().ok(f"move {match.question.default}")
    ann.take()
    *mine, _ = ann.say("@e export g1")
    ann.ok("abort")
    bob.ok("abort")
    ann.take()
    over = ann.say("@e export g1 seat=1")
    assert over[: len(mine)] == mine
    assert len(mine) > 15


def test_whoever_looks_back_is_not_asked_for_a_word(world: World) -> None:
    ann, bob = world.person("ann"), world.program("bob")
    ann.say("open twentytwo seats=2 clock=0")
    bob.ok("join t1")
    bob.ok("ready t1")
    ann.say("start", "abort")
    bob.ok("abort")
    ann.take()
    ann.hear("export g1 seat=1")
    world.advance(1000)
    (sealed,) = [line for line in ann.take() if "is sealed" in line]
    assert sealed.endswith("...")


def test_talk_and_absence_are_not_told_again(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    ann.ok("say :hello")
    play(world, moves=3)
    bob.drop()
    world.advance(1000)
    back = world.program()
    back.ok(f"resume {bob.token} t1:0")
    play(world)
    words = {line.split(" ")[0] for line in told(ann, "export g1")}
    assert not words & {"SAID", "PRESENCE", "READY", "VOTE", "HOST"}


def test_an_export_has_the_form_that_was_asked_for_but_no_time(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    dan = world.program("dan", caps="json,text,time")
    begin(world, ann, bob)
    play(world)
    dan.lines.clear()
    dan.hear("@e export g1")
    records = dan.events("g1")
    assert dan.lines[0].startswith("{") and not [r for r in records if "at" in r.fields]
    dealt = next(r for r in records if r.word == "DEALT")
    assert re.fullmatch(r"\(~(ann|bob): [^)]+\)", dealt.text or "")


# ------------------------------------------------------------------------------ its record


def record_of(peer: Peer, game: str = "g1") -> str:
    """The file that the rows of an answer make."""
    rows = peer.rows(f"export {game} form=record")
    assert {row.word for row in rows} == {"RECORD"}
    return "".join(f"{row.text or ''}\n" for row in rows)


@pytest.mark.parametrize("caps", ["", "json"])
def test_the_rows_of_a_record_are_the_file_that_can_be_checked(world: World, caps: str) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    text = record_of(world.program("cat", caps=caps))
    assert text.startswith("twentytwo-record 1\nid g1\n") and "\n\n0 shuffle " in text
    assert wrong(records.read(text), games()) is None
    kept: list[Any] = []
    world.store.game("g1", kept.append)
    assert text == kept[0].record


def test_the_record_of_a_broken_off_game_is_exported_too(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world, moves=3)
    ann.ok("abort")
    bob.ok("abort")
    record = records.read(record_of(ann))
    assert record.end == "aborted agreed"
    assert wrong(record, games()) is None


def test_the_longest_line_of_a_record_has_room_in_a_line(world: World) -> None:
    peers = [world.program(f"p{n}x") for n in range(12)]
    begin(world, *peers, options="options=decks:4,limit:10,first_hand:3")
    play(world)
    assert record_of(peers[0])
    assert 600 < max(len(line.encode()) for line in peers[0].lines) < MAX_SERVER_LINE - 2


def test_there_is_no_record_of_a_game_that_runs_or_may_not_be_seen(world: World) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = ann.ok("open twentytwo seats=2 clock=0 options=limit:10 private=kiwi").fields["on"]
    bob.ok("join kiwi")
    bob.ok("ready")
    ann.ok("start")
    assert ann.err("export g1 form=record") == "GAME_RUNNING"
    assert cat.err("export g1 form=record") == "NO_SUCH_GAME"
    play(world, on)
    assert cat.err("export g1 form=record") == "NO_SUCH_GAME"
    assert record_of(bob)


@pytest.mark.parametrize(
    ("options", "code"),
    [("form=pgn", "BAD_ARG"), ("form=record seat=1", "BAD_ARG"), ("form=EVENTS", "")],
)
def test_an_export_has_these_forms(world: World, options: str, code: str) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    if code:
        assert ann.err(f"export g1 {options}") == code
    else:
        assert told(ann, f"export g1 {options}") == told(ann, "export g1")


def test_a_link_holds_the_record_and_is_for_people_too(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    on = begin(world, ann, bob)
    play(world, on, moves=4)
    assert ann.err("export g1 form=link") == "GAME_RUNNING"
    play(world, on)
    rows = ann.rows("export g1 form=link")
    assert [row.word for row in rows] == ["LINK"]
    assert record_link.unpack(rows[0].text or "") == record_of(ann)
    assert ann.err("export g1 form=link seat=1") == "BAD_ARG"
    *lines, _ = world.person("dan").say("export g1 form=link")
    assert "".join(lines[:-1] if " " in lines[-1] else lines) == rows[0].text


def test_a_long_link_comes_in_pieces_which_make_the_record(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    kept: list[GameEnded | None] = []
    world.host.store.game("g1", kept.append)
    (game,) = kept
    assert game is not None
    long = game.record + "".join(f"1 play {n * n % 9973 * n:x}\n" for n in range(4_000))
    world.host.store.keep([replace(game, game="g9", record=long)], lambda: None)
    rows = ann.rows("export g9 form=link")
    assert len(rows) >= 3 and {row.word for row in rows} == {"LINK"}
    assert record_link.unpack("".join(row.text or "" for row in rows)) == long
    *lines, _ = world.person("dan").say("export g9 form=link")
    assert "".join(lines).startswith("".join(row.text or "" for row in rows))
    assert all(len(line.encode()) <= MAX_SERVER_LINE for line in lines)


def test_a_link_to_a_game_is_only_for_those_who_may_see_it(world: World) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = ann.ok("open twentytwo seats=2 clock=0 options=limit:10 private=kiwi").fields["on"]
    bob.ok("join kiwi")
    bob.ok("ready")
    ann.ok("start")
    play(world, on)
    assert cat.err("export g1 form=link") == "NO_SUCH_GAME"
    assert bob.rows("export g1 form=link")


def test_people_are_told_that_the_lines_of_a_record_are_too_long_for_them(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    assert world.person("dan").say("export g1 form=record") == [
        "! Its lines are long: hello 1 first, then export, as a program."
    ]


# ---------------------------------------------------------------------------- while it runs


def test_of_a_running_game_one_gets_what_one_was_shown(world: World) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = begin(world, ann, bob)
    play(world, moves=4)
    for viewer in (ann, bob, cat):
        live = from_game(told(viewer, f"sync {on} from=0"))
        assert from_game(told(viewer, "export g1")) == live


@pytest.mark.parametrize("verb", ["export", "replay"])
def test_nobody_sees_a_running_game_with_other_eyes(world: World, verb: str) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    begin(world, ann, bob)
    assert ann.err(f"{verb} g1 seat=2") == "FORBIDDEN"
    assert ann.err(f"{verb} g1 seat=0") == "FORBIDDEN"
    assert cat.err(f"{verb} g1 seat=1") == "FORBIDDEN"
    assert ann.ok(f"{verb} g1 seat=1")


def test_a_running_game_is_in_nobodys_history_and_has_no_result(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    assert ann.rows("history") == []
    past, *others = ann.rows("game g1")
    assert "ended" not in past.fields and "places" not in past.fields
    assert not [row for row in others if "place" in row.fields]


def test_a_running_game_has_its_players_and_no_seat_that_was_empty(world: World) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    ann.ok("open twentytwo seats=3 clock=0")
    bob.ok("join t1")
    cat.ok("join t1")
    ann.ok("remove bob")
    cat.ok("ready")
    ann.ok("start")
    past, *players = ann.rows("game g1")
    assert past.fields["names"] == "~ann,~cat"
    assert [row.fields["name"] for row in players if row.word == "PLAYER"] == ["~ann", "~cat"]


# ----------------------------------------------------------------------------- who may see


@pytest.mark.parametrize("options", ["private=kiwi", "watch=none"])
def test_a_private_game_exists_only_for_those_who_played_it(world: World, options: str) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = ann.ok(f"open twentytwo seats=2 clock=0 options=limit:10 {options}").fields["on"]
    bob.ok("join kiwi" if "kiwi" in options else f"join {on}")
    bob.ok("ready")
    ann.ok("start")
    for _ in range(2):
        for command in ("game g1", "export g1", "replay g1"):
            assert cat.err(command) == "NO_SUCH_GAME"
        play(world, on)
    assert cat.rows("history ann") == []
    assert [row["id"] for row in map(lambda r: r.fields, bob.rows("history ann"))] == ["g1"]
    assert told(bob, "export g1")
    assert cat.err("game g1") == "NO_SUCH_GAME"


def test_a_practice_game_is_its_players_alone(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("practice bots=1 options=limit:10,first_hand:5")
    while world.room().table.phase.value == "playing":
        seat = world.room().table.on_turn
        if seat is not None and seat.name == "~ann":
            play(world, moves=1)
        world.advance(100)
    assert [row.fields["names"] for row in ann.rows("history")] == ["~ann,bot:steady"]
    assert bob.rows("history ann") == []
    assert bob.err("export g1") == "NO_SUCH_GAME"


def test_a_game_that_another_goes_on_from_is_not_in_the_history_and_is_there_by_its_number(
    world: World,
) -> None:
    ann = world.program("ann")
    ann.ok("practice bots=1 options=limit:10,first_hand:5")
    given_up = []
    for line in ("undo", "again", "abort"):
        play(world, moves=1)
        given_up.append(ann.rows("game last")[0].fields["id"])
        ann.ok(line)
        world.advance(100)
    assert [row.fields["id"] for row in ann.rows("history")] == given_up[-1:]
    assert [row.fields["id"] for row in ann.rows("history bot:steady")] == given_up[-1:]
    for game in given_up:
        assert ann.rows(f"game {game}")[0].fields["why"] == "aborted"
    assert ann.ok(f"whatif {given_up[0]}").fields["on"] == "t2"


def test_bots_have_the_names_that_their_table_gave_them(world: World) -> None:
    ann = world.program("ann")
    ann.ok("practice bots=3 options=limit:10,first_hand:3 level=easy")
    named = [seat.name for seat in world.room().table.seats]
    assert named == ["~ann", "bot:easy", "bot:easy2", "bot:easy3"]
    while world.room().table.phase.value == "playing":
        seat = world.room().table.on_turn
        if seat is not None and seat.name == "~ann":
            play(world, moves=1)
        world.advance(100)
    places = [
        [past.fields[key].split(",") for key in ("names", "places")]
        for past in (*ann.rows("history"), ann.rows("game g1")[0])
    ]
    rows = [row.fields for row in ann.rows("game g1") if row.word == "PLAYER"]
    assert [row["name"] for row in rows] == named
    assert places == 2 * [[named, [row["place"] for row in rows]]]


def test_a_bots_games_are_found_by_its_level_and_by_its_name(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("open twentytwo seats=4 clock=0 options=limit:10,first_hand:3 bots=2 level=easy")
    bob.ok("join t1")
    bob.ok("ready")
    ann.ok("start")
    ann.ok("resign")
    bob.ok("leave")
    world.advance(60_000)
    for name in ("bot:easy", "BOT:EASY2", "bot:easy2"):
        assert [row.fields["id"] for row in bob.rows(f"history {name}")] == ["g1"], name
    assert bob.rows("history bot:easy3") == []


def private_game(world: World) -> tuple[Peer, Peer]:
    """ann and bob have played g1, at a private table."""
    ann, bob = world.program("ann"), world.program("bob")
    on = ann.ok("open twentytwo seats=2 clock=0 options=limit:10,first_hand:3 private=kiwi").fields[
        "on"
    ]
    bob.ok("join kiwi")
    bob.ok("ready")
    world.advance(1000)
    ann.ok("start")
    play(world, on)
    return ann, bob


def hidden(peer: Peer) -> bool:
    """Whether nothing of g1 is shown there, however it is asked for."""
    commands = ("game g1", "export g1 form=record", "replay g1", "fair g1")
    codes = {peer.ask(command).fields.get("code") for command in commands}
    listed = [row for line in ("history", f"history {peer.name}") for row in peer.rows(line)]
    assert codes == ({"NO_SUCH_GAME"} if not listed else {None})
    return not listed


@pytest.mark.parametrize("how", ["logout", "drop"])
def test_a_guest_of_the_same_name_does_not_see_what_an_earlier_one_played(
    world: World, how: str
) -> None:
    _, bob = private_game(world)
    assert not hidden(bob)
    bob.ok("leave")
    world.advance(1000)
    if how == "logout":
        bob.ok("logout")
    else:
        bob.drop()
        world.advance(200_000)
    namesake = world.program("bob")
    assert namesake.name == "~bob"
    assert hidden(namesake)
    world = world.restarted()
    again = world.program()
    again.ok(f"resume {namesake.token}")
    again.name = namesake.name
    assert hidden(again)


def test_a_guest_who_comes_back_still_sees_what_they_played(world: World) -> None:
    _, bob = private_game(world)
    bob.drop()
    world.advance(60_000)
    for _ in range(2):
        again = world.program()
        bob.token = again.ok(f"resume {bob.token}").fields["token"]
        again.name = bob.name
        assert not hidden(again)
        world = world.restarted()


def test_a_game_that_was_cut_by_a_restart_is_its_guests_all_the_same(world: World) -> None:
    world.advance(1000)
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob, options="options=first_hand:5,limit:10 watch=none")
    world.advance(1000)
    world = world.restarted()
    players = []
    for peer in (ann, bob):
        again = world.program()
        again.ok(f"resume {peer.token}")
        again.name = peer.name
        players.append(again)
    play(world)
    assert not any(map(hidden, players))


def test_a_game_that_an_earlier_guest_left_is_not_a_later_ones(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    on = ann.ok("open twentytwo seats=2 clock=0 options=limit:10,first_hand:3 private=kiwi").fields[
        "on"
    ]
    bob.ok("join kiwi")
    bob.ok("ready")
    ann.ok("start")
    bob.ok("leave")
    world.advance(1)
    bob.ok("logout")
    namesake = world.program("bob")
    assert namesake.name == "~bob"
    ann.ok("abort")
    play(world, on)
    world.advance(60_000)
    assert [row.fields["names"] for row in ann.rows("history")] == ["~ann,~bob"]
    assert hidden(namesake)


def test_an_old_game_is_listed_behind_more_hidden_ones_than_are_read_at_a_time(
    world: World,
) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    begin(world, ann, bob)
    play(world)
    found: list[GameEnded] = []
    world.store.past("~bob", "", 1, found.extend)
    hidden = [
        replace(found[0], game=f"g{no}", public=False, ended=found[0].ended + no)
        for no in range(2, looking_back.AT_ONCE + 20)
    ]
    world.store.keep(hidden, lambda: None)
    assert [row.fields["id"] for row in cat.rows("history bob")] == ["g1"]
    listed = [row.fields["id"] for page in bob.pages("history n=50") for row in page]
    assert listed == [*(game.game for game in reversed(hidden)), "g1"]


def test_ones_own_history_begins_with_oneself_and_a_names_with_the_first(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    on = begin(world, ann, bob)
    play(world)
    bob.ok("leave")
    world.advance(1000)
    bob.ok("logout")
    namesake = world.program("bob")
    assert namesake.rows("history") == []
    assert [row.fields["id"] for row in namesake.rows("history bob")] == ["g1"]
    namesake.ok(f"join {on}")
    namesake.ok("ready")
    ann.ok("ready")
    if world.room(on).table.phase.value != "playing":
        ann.ok("start")
    play(world)
    assert [row.fields["id"] for row in namesake.rows("history")] == ["g2"]
    assert [row.fields["id"] for row in namesake.rows("history bob")] == ["g2", "g1"]


def test_an_account_has_played_whatever_was_played_under_its_name(world: World) -> None:
    ann = world.program("ann")
    ann.ok("register anna :three blind mice")
    ann.name = "anna"
    bob = world.program("bob")
    ann.ok("open twentytwo seats=2 clock=0 options=limit:10,first_hand:3 private=kiwi")
    bob.ok("join kiwi")
    bob.ok("ready")
    ann.ok("start")
    play(world)
    ann.ok("leave")
    ann.drop()
    world.advance(300_000)
    again = world.program()
    again.ok("login anna :three blind mice")
    again.name = "anna"
    assert not hidden(again)


def test_what_never_was_and_what_is_hidden_are_refused_alike(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("practice")
    ann_lines = bob.say("@x game g1"), bob.say("@x game g7")
    assert ann_lines[0][0].replace("g1", "g7") == ann_lines[1][0]


# --------------------------------------------------------------------------------- history


@pytest.mark.parametrize(
    ("command", "where"),
    [
        ("history", "host.commands.records.looking_back.past"),
        ("export g1", "host.commands.records.shown_games.past"),
        ("fair log", "host.commands.fairness.texts"),
        ("profile ann", "host.commands.accounts.profiles._rows"),
        ("rating ann", "host.commands.accounts.profiles._rows"),
        ("ranks twentytwo", "host.commands.accounts.profiles._rows"),
    ],
)
def test_an_error_after_the_store_has_answered_is_an_answer_too(
    world: World, command: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    def later(ask: Callable[..., None]) -> Callable[..., None]:
        """As a database does: it answers when the command has long been taken."""
        return lambda *args: waiting.append(lambda: ask(*args))

    waiting: list[Callable[[], None]] = []
    ann, bob = world.program("ann"), world.program("bob")
    play(world, begin(world, ann, bob))
    for name in ("past", "game", "promises", "account", "rating", "ranks"):
        monkeypatch.setattr(world.store, name, later(getattr(world.store, name)))
    monkeypatch.setattr(f"twentytwo_server.{where}", broken)
    ann.hear(f"@1 {command}")
    while waiting:
        waiting.pop(0)()
    assert ann.take()[-1].startswith("@1 ERR code=INTERNAL class=server ref=boot-1")


def test_history_lists_games_the_last_first_and_as_many_as_asked_for(world: World) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = begin(world, ann, bob)
    play(world)
    ann.ok("rematch")
    bob.ok("rematch")
    play(world)
    assert [row.fields["id"] for row in cat.rows("history ~ann")] == ["g2", "g1"]
    assert [row.fields["id"] for row in cat.rows("history ANN n=1")] == ["g2"]
    assert cat.rows("history ann game=whist22") == []
    places = [row.fields["place"] for row in cat.rows("history ann")]
    others = [row.fields["place"] for row in cat.rows("history bob")]
    assert all({mine, theirs} == {"1", "2"} for mine, theirs in zip(places, others, strict=True))
    assert on == "t1"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("history n=0", "BAD_ARG"),
        ("history n=501", "BAD_ARG"),
        ("history after=nonsense", "BAD_ARG"),
        ("history after=1.x", "BAD_ARG"),
        ("history game=chess", "NO_SUCH_GAME"),
        ("export g1 seat=3", "BAD_ARG"),
        ("replay g1 speed=0", "BAD_ARG"),
        ("replay g1 speed=21", "BAD_ARG"),
        ("replay g99", "NO_SUCH_GAME"),
        ("game nonsense", "NO_SUCH_GAME"),
        ("unwatch r1", "NO_GAME"),
    ],
)
def test_what_makes_no_sense_is_refused(world: World, command: str, code: str) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    assert ann.err(command) == code


def test_an_aborted_game_is_kept_without_places(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world, moves=3)
    ann.ok("abort")
    bob.ok("abort")
    (past,) = ann.rows("history")
    assert past.fields["why"] == "aborted" and "places" not in past.fields
    assert told(ann, "export g1")[-1].startswith("ABORTED why=agreed")


# --------------------------------------------------------------------------------- replays


def test_a_replay_goes_on_to_a_question_and_waits(world: World) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    begin(world, ann, bob)
    play(world)
    log = told(cat, "export g1")
    assert cat.ok("replay g1 speed=2").fields["on"] == "r1"
    first = [bare(line) for line in cat.take() if line[0] != "@"]
    assert first[-1].startswith("TURN turn=1 ")
    world.advance(499)
    assert cat.take() == []
    world.advance(1)
    second = [bare(line) for line in cat.take()]
    assert second[-1].startswith("TURN turn=2 ")
    world.advance(500 * 1000)
    rest = [bare(line) for line in cat.take()]
    assert first + second + rest == log


def test_unwatch_stops_a_replay(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    ann.ok("replay g1")
    assert ann.ok("unwatch r1").fields["on"] == "r1"
    ann.take()
    world.advance(60_000)
    assert ann.take() == []


def test_unwatch_alone_stops_the_replay_first_and_then_the_watching(world: World) -> None:
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    on = begin(world, ann, bob)
    play(world)
    cat.ok(f"watch {on}")
    cat.ok("replay g1")
    assert [cat.ok("unwatch").fields["on"] for _ in range(2)] == ["r1", on]


def test_another_replay_stops_the_one_before_and_has_a_stream_of_its_own(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    ann.ok("replay g1")
    assert ann.ok("replay g1").fields["on"] == "r2"
    ann.take()
    world.advance(3000)
    assert {event.on for event in ann.events()} <= {"r2"}
    ann.lines.clear()
    world.advance(3000)
    assert {event.on for event in ann.events()} == {"r2"}


def test_who_hangs_up_is_shown_no_more(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob, options="options=limit:60")
    play(world)
    bob.ok("replay g1")
    ann.hear("@e export g1")
    bob.drop()
    ann.drop()
    before = len(ann.lines), len(bob.lines)
    world.advance(60_000)
    assert (len(ann.lines), len(bob.lines)) == before


def test_a_long_export_leaves_room_for_others() -> None:
    clock = BusyClock()
    world = World(clock=clock)
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    begin(world, ann, bob, options="options=limit:60")
    play(world)
    clock.busy = True
    for peer in (ann, bob, cat):
        peer.lines.clear()
        peer.hear("@e export g1")

    def come() -> list[int]:
        return [len(peer.events("g1")) for peer in (ann, bob, cat)]

    for turn in range(3, 30):
        assert sum(come()) <= turn * SLICE, "a slice at a turn"
        assert max(come()) - min(come()) <= SLICE, "they take turns"
        clock.turn()
    clock.settle()
    assert len(set(come())) == 1
    assert all(peer.lines[-1].startswith("@e OK on=g1") for peer in (ann, bob, cat))


# ---------------------------------------------------------------------------------- people


def test_people_read_sentences(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    dan = world.person("dan")
    assert dan.say("history") == ["No games yet."]
    (line,) = dan.say("history ann")
    assert re.fullmatch(r"  g1  2026-01-02 03:04  Twenty-Two \(pagat\): 1\. ~\w+, 2\. ~\w+\.", line)
    game = dan.say("game g1")
    assert "  limit = 10" in game and any(re.match(r"  1\. ~\w+, \d+ points", g) for g in game)
    shown = dan.say("export g1 seat=0")
    assert any("Game over" in line for line in shown)
    assert shown[-1] == "replay g1 shows it slowly."


def test_people_see_a_replay_with_all_cards_and_are_asked_nothing(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    dan = world.person("dan")
    lines = dan.say("replay g1 speed=20")
    assert lines[0] == "g1 once more; unwatch r1 stops it."
    world.advance(60_000)
    text = "\n".join([*lines, *dan.take()])
    assert "(~ann: " in text and "(~bob: " in text
    assert "Your turn" not in text and "*** Game over." in text
    assert text.endswith("\nThat was g1.")
    assert "[r1]" not in text


def test_a_replay_says_where_it_happens_to_people_who_play(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    dan = world.person("dan")
    dan.say("practice")
    dan.say("replay g1 speed=20")
    world.advance(60_000)
    lines = dan.take()
    assert any(re.match(r"\[r1\] \*\*\* Game over", line) for line in lines)
    assert not any(line.startswith("[t") for line in lines)


def test_a_game_is_announced_again_by_the_options_that_it_had(world: World) -> None:
    ann = world.person("ann")
    text = "\n".join(ann.say("practice twentyeight bots=3 seed=2 order=pagat target=1"))
    for _ in range(400):
        match = world.room().table.match
        if match is None or match.question is None:
            break
        if match.question.seat == 1:
            ann.say(f"move {match.question.default}")
        world.advance(500)
    ann.take()
    announced = text[text.index("*** A game") : text.index("The deals of g1")]
    assert "below zero lose" in announced and "high to low: J 9 A 10 K Q 8 7." in announced
    assert announced in "\n".join(ann.say("export g1 seat=1"))
    ann.say("leave")
    shown = ann.say("replay g1 seat=1 speed=20")
    world.advance(60_000)
    assert announced in "\n".join([*shown, *ann.take()])


def test_people_who_see_a_seats_game_are_asked_nothing_either(world: World) -> None:
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    play(world)
    dan = world.person("dan")
    dan.say("set bell turn")
    lines = dan.say("replay g1 speed=20 seat=1")
    world.advance(60_000)
    text = "\n".join([*lines, *dan.take()])
    assert "Your turn" not in text and "\a" not in text
    assert "Your cards: " in text and "You keep all cards." in text and "rematch" not in text


def test_whoever_logs_in_during_a_game_has_played_it_under_the_name_of_its_end() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    begin(world, ann, bob)
    ann.ok("register ann :three blind mice")
    play(world)
    record = records.read(record_of(bob))
    assert record.names[1] == "ann"
    (row,) = ann.rows("history")
    assert row.fields["names"] == "ann,~bob"
