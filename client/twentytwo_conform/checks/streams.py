"""Sections 9 and 10: streams, snapshots, clocks, watching. Section 23: following."""

from __future__ import annotations

import re

from twentytwo_protocol.model import TableModel

from ..check import alone, cases, quotes, skip
from ..connections import NEEDS_DEV, Address, Program, Record, answer, of
from ..fixtures import GAME, Connect, Open
from ..pool import new_name
from ..table_models import folded, snapshot, whole

CLOCK = "seed=1 clock=100+50"


def bare(line: str) -> str:
    """An event without the fields that only one seat may see."""
    owned = "choose|nlegal|legal|low|min|max|default|truncated|hand|gave|got"
    line = re.sub(rf" ({owned})=\S*", "", line)
    return re.sub(r" cards=\S*", "", line) if line.startswith(("DEALT", "TURN")) else line


# ------------------------------------------------------------------- numbers and snapshots


@quotes("Every event of a stream has the same number for everybody who sees it.", "S1", "O3")
def everybody_sees_the_same_events_under_the_same_numbers(table: Open) -> None:
    played = table(seats=3, watchers=1)
    played.play()
    streams = [whole(client, played.on) for client in played.everybody]
    assert len({len(stream) for stream in streams}) == 1
    for lines in zip(*streams, strict=True):
        assert len({bare(line) for line in lines}) == 1


@quotes("The model built from state equals the model built from the events", "S4", "O6")
@cases("options", [GAME, "seed=5 options=first_hand:3,limit:12 clock=60"])
@cases("seats", [2, 3])
def the_state_is_the_fold_of_the_events(table: Open, seats: int, options: str) -> None:
    played = table(seats=seats, options=options, watchers=1)
    checked = 0
    while True:
        turn = played.turn()
        if turn is not None and turn.number("turn") % (seats * 2 - 2):
            played.mover(turn).must(answer(turn))
            continue
        for seat, client in [*enumerate(played.seats, 1), (None, played.watchers[0])]:
            told = folded(played.on, seat, whole(client, played.on))
            shown = snapshot(client, played.on)
            assert shown == told
            checked += 1
        if turn is None:
            break
        played.mover(turn).must(answer(turn))
    assert checked > 10


AROUND_A_GAME = (
    "eve watch {on}; bob join {on}; bob ready; ann option limit 30; bob swap 3; ann addbot; "
    "ann host {bob}; bob lock; bob ready; ann ready; bob start; ann pause; bob pause; ann unpause; "
    "ann leave; bob say :hm; bob abort; eve unwatch; bob unlock; eve join {on} 2"
)


@quotes("Nothing in a snapshot ever changes without an event.", "O6", "S4")
def the_state_is_the_fold_around_a_game_too(connect: Connect) -> None:
    ann, bob, eve = connect(), connect(), connect()
    on = ann.must("open twentytwo seats=3 clock=0 :title here")["on"]
    clients = {"ann": ann, "bob": bob, "eve": eve}
    for line in AROUND_A_GAME.format(on=on, bob=bob.name).split("; "):
        name, _, command = line.partition(" ")
        reply = clients[name].ask(command)
        for each in (ann, bob, eve):
            state = each.must(f"state {on}")
            me = next((row.fields.get("me") for row in state.rows if row.word == "STATE"), None)
            seat = int(me) if me else None
            shown, events = _at_one_moment(each, on)
            told = folded(on, seat, events)
            assert shown == told, f"after {command}: {reply.final.line}"


def _at_one_moment(client: Program, on: str) -> tuple[TableModel, list[str]]:
    """A snapshot, and the events up to it; both are requested again if a bot moved in between."""
    while True:
        before = whole(client, on)
        shown = snapshot(client, on)
        if whole(client, on) == before:
            return shown, before


@quotes("a client that comes late sees the same lines", "S2")
def a_late_spectator_sees_the_same_bytes(table: Open, connect: Connect) -> None:
    played = table(seats=3, watchers=1, start=False, options=GAME)
    early = played.watchers[0]
    live_from = early.on(played.on)[0].number("seq")
    played.host.must("start")
    played.play()
    played.catch_up()
    live = [event.line for event in early.on(played.on)]
    late = connect()
    assert whole(late, played.on)[live_from - 1 :] == live
    assert whole(late, played.on) == whole(early, played.on)


@quotes("sends the events 119, 120 ... again, as they were sent or would have been", "S2")
@cases("seat", [0, 1])
def sync_repeats_what_was_sent(table: Open, seat: int) -> None:
    played = table(options=GAME)
    played.play()
    client = played.seats[seat]
    live = [event.line for event in client.on(played.on)]
    first = client.on(played.on)[0].number("seq")
    again = whole(client, played.on)[first - 1 :]
    assert again == live


@quotes("clock t7 asks for it.", "K5")
@quotes("CLOCK is also a row of state, of a sync that does not stop early", "K5")
@cases("command", ["clock {on}", "state {on}", "sync {on} from=1"])
def the_time_left_is_told(table: Open, command: str) -> None:
    played = table(options=CLOCK)
    _, turn = played.asked()
    _is_the_time_left(turn, played.host.must(command.format(on=played.on)).rows)


@quotes("and of resume and login after the table's AT: one for each open question", "K5")
def the_time_left_is_told_to_who_comes_back(nobody: Program, table: Open) -> None:
    played = table(options=CLOCK)
    _, turn = played.asked()
    rows = nobody.must(f"resume {played.host.token} {played.on}:1").rows
    _is_the_time_left(turn, rows)
    assert [row.word for row in rows[:2]] == ["AT", "CLOCK"]


def _is_the_time_left(turn: Record, rows: list[Record]) -> None:
    clocks = of("CLOCK", rows)
    assert len(clocks) == 1, f"{len(clocks)} rows CLOCK"
    clock = clocks[0]
    assert [clock[key] for key in ("on", "turn", "seat")] == [
        turn[key] for key in ("on", "turn", "seat")
    ]
    assert 0 < clock.number("ms") <= turn.number("ms")
    assert (clock["bank"], clock["run"]) == (turn["bank"], "1")


@quotes("Everybody at the table gets it after PAUSED and UNPAUSED.", "K4")
@quotes("run=0 says that the clock is stopped. CLOCK has no number and is never sent again.", "K4")
def a_pause_tells_the_time_left(table: Open) -> None:
    played = table(options=CLOCK, watchers=1)
    _, turn = played.asked()
    for commands, told, run in (
        (["pause", "pause"], "PAUSED", "0"),
        (["unpause"], "UNPAUSED", "1"),
    ):
        for seat, command in zip(played.seats, commands, strict=False):
            seat.must(command)
        for client in played.everybody:
            *_, event, clock = client.catch_up()
            assert [event.word, clock.word] == [told, "CLOCK"]
            assert "seq" not in clock
            assert clock["run"] == run
            assert (clock["turn"], clock["seat"]) == (turn["turn"], turn["seat"])
            assert 0 < clock.number("ms") <= turn.number("ms")
            assert clock["bank"] == turn["bank"]
    heard = [line for line in whole(played.host, played.on) if line.startswith("CLOCK")]
    assert heard == []


@quotes("time answers OK at=", "K6")
def the_time_is_told_in_fields(connect: Connect) -> None:
    reply = connect().must("time")
    assert re.fullmatch(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]+)?Z", reply["at"])
    assert int(reply["ms"]) > 1_500_000_000_000


@quotes(
    "more=1 says that there are more events, and sync t7 from= that seq= goes on with them", "S2"
)
def sync_may_stop_early(table: Open) -> None:
    played = table(options=GAME)
    played.play(turns=5)
    client = played.host
    lines = whole(client, played.on)
    found: list[str] = []
    seq, more = 0, True
    while more:
        heard = len(client.heard)
        reply = client.must(f"sync {played.on} from={seq} n=7")
        found += [line for line in client.heard[heard:] if not line.startswith("@")]
        more = "more" in reply.final
        assert int(reply["seq"]) == len(found) > seq
        seq = len(found)
    assert found == lines


@alone
@quotes("A number ahead of the stream is refused with BAD_SEQ have=", "S3")
@cases("stream", ["me", "lobby", "tables", "people", "t", "k"])
def a_number_ahead_of_a_stream_is_refused(table: Open, stream: str) -> None:
    played = table(watchers=1)
    watcher = played.watchers[0]
    on = stream + played.on[1:] if len(stream) == 1 else stream
    refused = watcher.ask(f"sync {on} from=10000000")
    assert refused.code == "BAD_SEQ"
    last = watcher.must(f"sync {on} from={refused['have']}")
    assert last["seq"] == refused["have"]


@quotes("A number below 0 is a BAD_ARG.", "S3")
@cases("stream", ["me", "lobby", "t"])
def a_number_below_zero_is_none(table: Open, stream: str) -> None:
    played = table()
    refused = played.host.ask(f"sync {played.on if stream == 't' else stream} from=-1")
    assert (refused.code, refused["arg"]) == ("BAD_ARG", "from")


@quotes("a number that is no longer kept with GONE oldest=", "S3")
def what_is_no_longer_kept_is_said_to_be_gone(connect: Connect) -> None:
    client = connect()
    client.send(*(f"@t{n} tell {client.name} :{n}" for n in range(300)))
    replies = [client.reply(f"t{n}") for n in range(300)]
    if any(reply.code == "RATE" for reply in replies):
        skip(NEEDS_DEV)
    refused = client.ask("sync me from=0")
    assert refused.code == "GONE"
    heard = len(client.heard)
    client.must(f"sync me from={int(refused['oldest']) - 1}")
    assert f" seq={refused['oldest']} " in client.heard[heard]


@quotes("watch t7 shows a table to somebody without a seat", "S6")
def a_watcher_sees_what_happens_from_the_next_number_on(table: Open, connect: Connect) -> None:
    played = table(options=GAME)
    watcher = connect()
    reply = watcher.must(f"watch {played.on}")
    came = watcher.until("WATCHING")
    assert (came["on"], came["name"], came["here"]) == (reply["talk"], watcher.name, "1")
    played.watchers.append(watcher)
    played.play()
    shown = watcher.on(played.on)
    assert shown[0].number("seq") == int(reply["seq"]) + 1
    assert "GAMEOVER" in [event.word for event in shown]


@quotes("Watchers come and go on the stream of the talk, not of the table", "S6")
def players_have_no_line_of_who_watches(table: Open, connect: Connect) -> None:
    played = table(options=GAME)
    before = whole(played.host, played.on)
    watcher = connect()
    talk = watcher.must(f"watch {played.on}")["talk"]
    assert talk != played.on
    (state, *_) = played.host.must(f"state {played.on}").rows
    assert (state["nwatch"], state["talk"]) == ("1", talk)
    watcher.must(f"unwatch {played.on}")
    (state, *_) = played.host.must(f"state {played.on}").rows
    assert state["nwatch"] == "0"
    assert whole(played.host, played.on) == before
    assert not of("WATCHING", played.host.events)


@quotes("A table opened with watch=none and a practice table have no watchers.", "S6")
def some_tables_have_no_watchers(connect: Connect) -> None:
    ann, bob = connect(), connect()
    on = ann.must("open twentytwo watch=none")["on"]
    assert bob.ask(f"watch {on}").code == "FORBIDDEN"
    assert bob.ask(f"sync {on} from=0").code == "FORBIDDEN"
    practice = ann.must("practice")["on"]
    assert bob.ask(f"watch {practice}").code == "NO_SUCH_TABLE"


@quotes("Players hear the talk of their table's watchers only while no game is running", "S7")
def watchers_talk_is_kept_from_players_during_a_game(table: Open) -> None:
    played = table(options=GAME, watchers=2)
    one, other = played.watchers
    one.must("kibitz :she has the ace")
    other.until("KIBITZED")
    stream = one.must(f"state {played.on}").rows[0]["talk"]
    for player in played.seats:
        player.ask("ping")
        assert not any(event.word == "KIBITZED" for event in player.events)
        assert player.ask(f"sync {stream} from=0").code == "FORBIDDEN"
    assert played.play()
    one.must("kibitz :a pity")
    played.host.until("KIBITZED")
    *_, gap, talked = played.host.on(stream)
    assert (gap.word, talked.word, talked.text) == ("GAP", "KIBITZED", "a pity")
    assert gap.number("seq") == talked.number("seq") - 1
    played.host.must(f"sync {stream} from=0")
    assert [each.text for each in played.host.on(stream)][-2:] == ["she has the ace", "a pity"]


@quotes("After watch the events go on after the seq= of the answer", "S8")
@quotes("After join and accept that number is the number of your own JOINED, which follows", "S8")
@quotes("sync t7 from=0, sent right after, brings all events from number 1 on", "S8")
def who_comes_in_the_middle_has_it_all_by_sync(connect: Connect) -> None:
    host, watcher, player, guest = (connect() for _ in range(4))
    on = host.must("open twentytwo seats=3 clock=0")["on"]
    begun = int(watcher.must(f"watch {on}")["seq"])
    joined = int(player.must(f"join {on}")["seq"])
    player.must(f"sync {on} from=0")
    host.must(f"invite {guest.name} {on}")
    accepted = int(guest.must(f"accept {host.name}")["seq"])
    for client, seat in ((player, joined), (guest, accepted)):
        client.catch_up()
        first = client.on(on)[0]
        assert (first.word, first.number("seq"), first["name"]) == ("JOINED", seat, client.name)
    whole = player.on(on)[1:]
    assert [event.number("seq") for event in whole[:joined]] == list(range(1, joined + 1))
    watcher.catch_up()
    assert watcher.on(on)[0].number("seq") == begun + 1


@quotes("SHUT is the last event of its stream: the table is closed", "S8")
@cases("command", ["leave", "close"])
def whoever_watches_hears_that_the_table_is_closed(connect: Connect, command: str) -> None:
    host, watcher = connect(), connect()
    on = host.must("open twentytwo clock=0")["on"]
    watcher.must(f"watch {on}")
    host.must(f"{command} {on}")
    watcher.until("SHUT")
    assert watcher.on(on)[-1].word == "SHUT"
    assert watcher.ask(f"state {on}").code == "NO_SUCH_TABLE"


@alone
@quotes("follow and unfollow turn the streams lobby, tables and people on and off", "Y1")
def the_lobby_is_followed_and_left(address: Address, connect: Connect) -> None:
    client = connect()
    with Program(address, new_name()) as unseen:
        client.catch_up()
        assert not client.on("people")
        rows = client.must("follow").rows
        assert [row["on"] for row in rows] == ["lobby", "tables", "people"]
    with Program(address, new_name()) as seen:
        assert client.until("ONLINE")["name"] in (seen.name, unseen.name)
    assert client.must("unfollow people")["on"] == "people"
    client.take()
    with Program(address, new_name()):
        assert not [event for event in client.catch_up() if event["on"] == "people"]
    client.must("unfollow")


@alone
@quotes("GAP on= seq= says that the events of a stream up to that number", "S7")
@quotes("and no GAP says why, you have missed events", "S5")
def what_a_filter_leaves_out_is_said(connect: Connect) -> None:
    seen, heard, _ = _one_of_two_games(connect)
    for event in heard:
        # Without a hole that is not told of.
        seq = event.number("seq")
        assert event.word == "GAP" or seq == seen + 1, f"{event.line} after number {seen}"
        seen = seq
    assert "GAP" in [event.word for event in heard]


@alone
@quotes("follow tables game=whist22 leaves out the tables of other games", "Y1")
def a_filter_leaves_out_other_games(connect: Connect) -> None:
    _, heard, other = _one_of_two_games(connect)
    assert [event for event in heard if event.fields.get("table") == other] == []


def _one_of_two_games(connect: Connect) -> tuple[int, list[Record], str]:
    """Follows the tables of one game while a table of another game is opened too.

    Returns the number of the first new event, the events, and the table of the other game.
    """
    ann, bob = connect(), connect()
    begun = int(bob.must("follow tables game=whist22")["seq"])
    other = ann.must("open twentytwo watch=none")["on"]
    wanted = ann.must("open whist22 watch=none")["on"]
    while bob.until("OPENED")["table"] != wanted:
        pass
    for on in (other, wanted):
        ann.must(f"leave {on}")
    return begun, bob.on("tables"), other


@alone
@quotes("locked=1 in TABLE, OPENED and CHANGED says that nobody else may sit down", "Y1")
@quotes("those at the table get OPTION key=locked value=, yes or no", "Y1")
def a_lock_is_told(connect: Connect) -> None:
    ann, bob, cat = connect(), connect(), connect()
    cat.must("follow tables")
    on = ann.must("open twentytwo seats=3 clock=0")["on"]
    bob.must(f"join {on}")
    for verb, value, locked in (("lock", "yes", "1"), ("unlock", "no", "0")):
        ann.must(verb)
        (option,) = of("OPTION", bob.catch_up())
        assert (option["key"], option["value"]) == ("locked", value)
        while (changed := cat.until("OPENED", "CHANGED"))["table"] != on:
            pass
        while changed["locked"] != locked:
            changed = cat.until("CHANGED")
        (row,) = [row for row in cat.listing("tables") if row["on"] == on]
        assert row["locked"] == locked
    ann.must(f"close {on}")
