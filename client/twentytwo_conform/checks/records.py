"""Section 19: past games."""

from __future__ import annotations

import hashlib
import re
import time

from ..check import cases, fixture, quotes
from ..connections import Address, Person, Program, Table, answer, of
from ..fixtures import GAME, Connect, Open
from ..pool import new_name


@fixture
def over(table: Open) -> Table:
    """A table with a finished short game, and a watcher."""
    made = table(2, GAME, watchers=1, fresh=True)
    assert made.play()
    return made


def number(table: Table) -> str:
    """The number of the table's current game."""
    return next(event for event in table.host.on(table.on) if event.word == "GAME")["id"]


def bare(line: str) -> str:
    """An event without its stream, its number and the remaining time."""
    return re.sub(r" (on|seq|ms|bank)=\S+", "", line)


def told(client: Program, command: str, on: str) -> list[str]:
    """The events that a command causes on a stream."""
    client.take()
    client.must(command)
    return [event.line for event in client.take() if event.fields.get("on") == on]


def between(lines: list[str]) -> list[str]:
    """The events from GAME to GAMEOVER, or to the last one so far."""
    start = next(i for i, line in enumerate(lines) if line.startswith("GAME "))
    end = next((i for i, line in enumerate(lines) if line.startswith("GAMEOVER ")), len(lines))
    return [bare(line) for line in lines[start : end + 1]]


@quotes("history lists games that are over, the last first", "H1")
def history_lists_a_game_with_its_places(over: Table) -> None:
    winner = over.host.until("GAMEOVER").items("winners")
    rows = over.seats[0].must("history n=1").rows
    assert [row.word for row in rows] == ["PAST"]
    assert rows[0]["id"] == number(over)
    assert rows[0].items("names") == [seat.name for seat in over.seats]
    places = rows[0].items("places")
    assert [str(i) for i, place in enumerate(places, 1) if place == "1"] == winner
    assert rows[0]["place"] == places[0]
    others = over.watchers[0].must(f"history {over.seats[1].name} game=twentytwo").rows
    assert (others[0]["id"], others[0]["place"]) == (number(over), places[1])
    assert over.watchers[0].must("history").rows == []


@quotes("A game that was ABORTED why=undone is not listed", "H1")
def a_game_that_was_undone_is_not_listed(connect: Connect) -> None:
    player = connect(fresh=True)
    player.must(f"practice bots=1 {GAME}")
    undone = player.until("GAME")["id"]
    asked = player.until("TURN")
    while not asked.mine:
        asked = player.until("TURN")
    player.must(answer(asked))
    player.must("undo")
    assert player.until("ABORTED")["why"] == "undone"
    player.until("CONTINUED")
    player.must("abort")
    (row,) = player.must("history").rows
    assert row["id"] != undone


@quotes("game g51 answers with a row PAST, a row OPTION for each option", "H2")
def a_game_is_described_by_rows(over: Table) -> None:
    past, *rows = over.watchers[0].must(f"game {number(over)}").rows
    assert past.word == "PAST"
    options = {row["key"]: row["value"] for row in rows if row.word == "OPTION"}
    assert (options["game"], options["limit"]) == ("twentytwo", "10")
    players = of("PLAYER", rows)
    assert [player["name"] for player in players] == [seat.name for seat in over.seats]
    assert [player["place"] for player in players] == past.items("places")


@quotes("exist only for those who had a seat in them", "H3")
@cases("how", ["private", "practice"])
def a_private_game_is_hidden_from_others(connect: Connect, how: str) -> None:
    stranger = connect()
    if how == "private":
        player, friend, word = connect(fresh=True), connect(), new_name()
        on = player.must(f"open twentytwo seats=2 clock=0 private={word} {GAME}")["on"]
        for command in (f"join {word}", "ready"):
            friend.must(command)
        player.must("start")
        made = Table(on, [player, friend])
        game = player.until("GAME")["id"]
        assert made.play()
    else:
        player = connect(fresh=True)
        player.must(f"practice bots=1 {GAME}")
        game = player.until("GAME")["id"]
    for command in (f"game {game}", f"export {game}", f"replay {game}"):
        refused = stranger.ask(command)
        assert refused.code == "NO_SUCH_GAME"
    assert stranger.must(f"history {player.name}").rows == []
    assert player.must(f"game {game}").rows


@quotes("export g51 sends all events of the game on a stream g51, numbered from 1", "H4")
def an_export_is_the_whole_game_with_open_cards(over: Table) -> None:
    game = number(over)
    client = over.watchers[0]
    lines = told(client, f"export {game}", game)
    assert [int(re.findall(r" seq=(\d+)", line)[0]) for line in lines] == [
        *range(1, len(lines) + 1)
    ]
    assert lines[0].startswith("OPTION ") and lines[-1].startswith("GAMEOVER ")
    joined = [line for line in lines if line.startswith("JOINED ")]
    assert len(joined) == 2
    dealt = [line for line in lines if line.startswith("DEALT ")]
    assert dealt and all(" cards=" in line for line in dealt)


@quotes("seat=2 leaves out what seat 2 could not see, seat=0 what no spectator could.", "H4")
@quotes("From GAME on these are the events that the table sent, except those of time", "H5")
def an_export_is_to_each_seat_what_the_table_told_it(over: Table) -> None:
    game = number(over)
    views = [*enumerate(over.seats, 1), (0, over.watchers[0])]
    for seat, viewer in views:
        live = [event.line for event in viewer.on(over.on)]
        again = told(over.watchers[0], f"export {game} seat={seat}", game)
        over.watchers[0].forget()
        if seat:
            assert between(again) == between(live)
        else:
            assert not [line for line in again if " default=" in line]


@quotes("It begins with the record's description of the table", "H4")
def an_export_begins_with_what_the_record_keeps(connect: Connect) -> None:
    host, guest = connect(), connect()
    on = host.must("open twentytwo seats=2 clock=60 options=first_hand:5,limit:10 :tea")["on"]
    guest.must(f"join {on}")
    host.must(f"seedhash {hashlib.sha256(b'kitten').hexdigest()}")
    guest.must("ready")
    host.must("start")
    host.must("seed kitten")
    made = Table(on, [host, guest])
    assert made.play()
    client, game = made.host, number(made)
    lines = told(client, f"export {game}", game)
    before = [bare(line) for line in lines[: [line[:5] for line in lines].index("GAME ")]]
    asked = {row["key"] for row in client.must("rules twentytwo").rows if row.word == "RULE"}
    options = {line.split("key=")[1].split()[0] for line in before if line.startswith("OPTION ")}
    assert {"game", "preset", "seats"} <= options <= {"game", "preset", "seats", *asked}
    joined = [f"JOINED seat={n} name={p.name} bot=0" for n, p in enumerate(made.seats, 1)]
    assert [line for line in before if line.startswith("JOINED ")] == joined
    assert [line for line in before if line.startswith("SEEDED ")] == ["SEEDED seat=1 word=kitten"]
    assert sum(line.startswith("COMMITTED ") for line in before) == 1
    assert len(before) == len(options) + 4


@quotes("send the events that the asker has been shown so far, and nothing else", "H6")
def of_a_running_game_nobody_gets_more_than_they_were_shown(table: Open) -> None:
    made = table(2, GAME, watchers=1)
    made.play(turns=3)
    game = number(made)
    for viewer in (*made.seats, made.watchers[0]):
        live = [event.line for event in viewer.on(made.on)]
        assert between(told(viewer, f"export {game}", game)) == between(live)
    assert made.seats[0].ask(f"export {game} seat=2").code == "FORBIDDEN"
    assert made.watchers[0].ask(f"replay {game} seat=1").code == "FORBIDDEN"


@quotes("without a pause up to a TURN, and waits 1/speed seconds after each TURN", "H7")
def a_replay_pauses_at_every_question(over: Table) -> None:
    client = over.watchers[0]
    client.take()
    reply = client.must(f"replay {number(over)} speed=4")
    on = reply["on"]
    assert on == "r1"
    before = time.monotonic()
    first = client.until("TURN")
    second = client.until("TURN")
    assert (first["on"], first["turn"], second["turn"]) == (on, "1", "2")
    assert time.monotonic() - before > 0.15


@quotes("unwatch r1 stops it. So does another replay, which is r2.", "H7")
def a_replay_can_be_stopped(over: Table) -> None:
    client, game = over.watchers[0], number(over)
    client.must(f"replay {game} speed=20")
    client.take()
    assert client.must(f"replay {game} speed=20")["on"] == "r2"
    client.until("TURN")
    client.must("unwatch r2")
    assert client.ask("unwatch r2").code == "NO_GAME"
    client.take()
    # Until the third question of somebody else's replay, those two would have told more.
    other = over.seats[0]
    other.take()
    on = other.must(f"replay {game} speed=20")["on"]
    for _ in range(3):
        assert other.until("TURN")["on"] == on
    assert [e for e in client.catch_up() if e.fields.get("on", "").startswith("r")] == []


@quotes("The lines, each ended by LF, are the file.", "H9")
def the_rows_of_a_record_are_its_lines(over: Table) -> None:
    client, game = over.watchers[0], number(over)
    reply = client.must(f"export {game} form=record")
    assert {row.word for row in reply.rows} == {"RECORD"}
    assert (reply["on"], reply["n"]) == (game, str(len(reply.rows)))
    texts = [row.text or "" for row in reply.rows]
    assert texts[:2] == ["twentytwo-record 1", f"id {game}"]
    assert texts.count("") == 1, "the empty line before the moves"
    assert texts[texts.index("") + 1].startswith("0 shuffle ")
    assert client.ask(f"export {game} form=record seat=1").code == "BAD_ARG"
    assert client.ask("export g0 form=record").code == "NO_SUCH_GAME"


@quotes("A running game is GAME_RUNNING. People get WRONG_MODE", "H9")
def there_is_no_record_yet_of_a_game_that_runs(table: Open, address: Address) -> None:
    made = table(2, GAME)
    made.play(turns=2)
    assert made.host.ask(f"export {number(made)} form=record").code == "GAME_RUNNING"
    with Person(address, new_name()) as person:
        assert any(line.startswith("! ") for line in person.tell("export g1 form=record"))


@quotes("On the streams g51 and r1 nobody is asked anything.", "H8")
def what_was_asked_then_is_no_question_now(guest: Program, over: Table) -> None:
    guest.must(f"replay {number(over)} speed=20")
    turn = guest.until("TURN")
    assert turn.mine
    refused = guest.ask(f"move {turn['default']} turn={turn['turn']}")
    assert refused.code == "NOT_SEATED"
