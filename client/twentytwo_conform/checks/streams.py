"""Sections 9 to 11: streams, snapshots, hidden cards, reconnecting. Section 23: following."""

from __future__ import annotations

import re
from collections.abc import Iterable

from twentytwo_protocol import games, wire, words
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Message

from ..check import alone, cases, quotes, raises, skip
from ..connections import NEEDS_DEV, Address, Closed, Person, Program, Record, Table, answer, of
from ..fixtures import Connect, Open
from ..pool import new_name

GAME = "seed=27 options=first_hand:5,limit:10"
CLOCK = "seed=1 clock=100+50"
VOCABULARY = (games, words)
"""Importing these modules declares the events that `wire` decodes."""


def folded(on: str, seat: int | None, lines: Iterable[str]) -> TableModel:
    """The model that follows from the events."""
    model = TableModel(on, seat)
    for line in lines:
        record = wire.parse(line)
        if record is None or record.on != on:
            continue
        event = wire.decode(record)
        assert isinstance(event, Event)
        model.see(event, record.seq)
    return model


def snapshot(client: Program, on: str) -> TableModel:
    """The model in a reply to `state`."""
    rows: list[Message] = []
    for row in client.must(f"state {on}").rows:
        record = wire.parse(row.line)
        assert record is not None
        message = wire.decode(record)
        assert message is not None
        rows.append(message)
    return TableModel.from_rows(rows)


def whole(client: Program, on: str) -> list[str]:
    """The whole stream, requested again."""
    heard = len(client.heard)
    client.must(f"sync {on} from=0")
    lines = [line for line in client.heard[heard:] if not line.startswith("@")]
    # What happened while it was asked for may come before the answer, and is in it too.
    first = next(n for n, line in enumerate(lines) if f"{line} ".count(f" on={on} seq=1 "))
    return lines[first:]


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


# ------------------------------------------------------------------------------- secrets

_CARD = re.compile(r"\b(?:10|[2-9TJQKA])[SHDC]\b")


@quotes("no line shows anybody a card that its owner has not played or shown", "V1", "V2")
@cases("caps", ["", "json", "text", "json,text"])
def nobody_sees_a_card_of_another(table: Open, connect: Connect, caps: str) -> None:
    hello = f"hello 1 client=spy caps={caps}"
    played = table(seats=3, options="seed=9 options=limit:10,first_hand:4", watchers=1, hello=hello)
    plain = connect()
    plain.must(f"watch {played.on}")
    while (turn := played.turn()) is not None:
        mover = played.mover(turn)
        for client in played.everybody if turn.number("turn") % 3 == 1 else ():
            client.must(f"state {played.on}")
            client.must(f"sync {played.on} from=0")
            for command in ("hand", "last", "score", "table", "watchers"):
                client.ask(f"{command} {played.on}")
            for command in ("moves", "why 2", "move 2 turn=1", "move A+A+A+A+A"):
                refused = client is not mover and client.ask(command)
                assert not refused or not refused.ok
        mover.must(answer(turn))
    plain.must(f"sync {played.on} from=0")
    public = _cards(event.line for event in plain.on(played.on))
    for number, client in enumerate(played.everybody, 1):
        own = _cards(line for line in client.heard if "DEALT" in line or "EXCHANGED" in line)
        assert number > 3 or own
        assert _cards(client.heard) <= own | public


def _cards(lines: Iterable[str]) -> set[str]:
    """The cards in these lines. An unshuffled pack is ignored, because it reveals nothing."""
    told = (line for line in lines if "SHUFFLED" not in line)
    return {card.replace("10", "T") for line in told for card in _CARD.findall(line)}


@quotes("A field marked owner in the reference is sent only to the seat that its event names", "V1")
def owned_fields_go_to_their_owner_only(table: Open) -> None:
    played = table(seats=3, options="seed=4 options=limit:12", watchers=1)
    played.play()
    for seat, client in enumerate(played.everybody, 1):
        for event in client.on(played.on):
            mine = event.fields.get("seat") == str(seat)
            if event.word == "DEALT":
                assert ("cards" in event) == mine
            elif event.word == "EXCHANGED":
                assert ("got" in event) == ("gave" in event) == mine
            elif event.word == "TURN":
                assert event.mine == ("choose" in event) == mine
                if not mine:
                    assert set(event.fields) <= {"on", "seq", "turn", "seat", "act", "beat"}


@quotes("The hidden fields of a seat stay with the player who sat there at the time", "V2")
def a_stranger_on_a_seat_is_told_what_a_watcher_was(table: Open, connect: Connect) -> None:
    played = table(options="seed=9 options=limit:10,first_hand:4", watchers=1)
    played.play(turns=4)
    host, guest, watcher = played.everybody

    def again(client: Program) -> list[str]:
        client.must("ping")  # what happened meanwhile comes before it
        return whole(client, played.on)

    for client in (host, guest):
        client.must("abort")
    public = again(watcher)
    own = set(again(host)) - set(public)
    assert own
    guest.must("leave")
    stranger = connect()
    stranger.must(f"join {played.on} 2")
    for line in (f"state {played.on}", "swap 2"):
        host.must(line)
        assert again(stranger)[: len(public)] == public
        assert own <= set(again(host))


@quotes("A refusal depends only on the asker's own cards", "V3")
@cases("command", ["moves", "why 2", "move 2", "move A+A", "hand"])
def a_refusal_is_the_same_whatever_others_hold(connect: Connect, command: str) -> None:
    answers = set()
    ann, bob = connect(), connect()
    for seed in (1, 2, 3, 4, 5, 6):
        on = ann.must(f"open twentytwo seats=3 clock=0 seed={seed}")["on"]
        bob.must(f"watch {on}")
        ann.must("addbot")
        ann.must("start")
        refused = bob.ask(f"{command} {on}" if command != "why 2" else command)
        assert not refused.ok
        answers.add(refused.final.line.partition(" ")[2].replace(on, "tN"))
        ann.must("leave")
    assert len(answers) == 1, answers


@quotes("exist only for the people at them", "V4")
def a_private_table_does_not_exist_for_others(connect: Connect) -> None:
    ann, bob = connect(), connect()
    word = f"fox{new_name()}"
    on = ann.must(f"open twentytwo private={word}")["on"]
    assert on not in [row["on"] for row in bob.listing("tables")]
    for command in ("join", "watch", "state", "table", "score", "watchers", "invite x"):
        assert bob.ask(f"{command} {on}").code in ("NO_SUCH_TABLE", "NO_SUCH_USER")
    assert bob.ask(f"sync {on} from=0").code == "NO_SUCH_TABLE"
    assert bob.must(f"join {word}")["on"] == on
    assert on in [row["on"] for row in bob.listing("tables")]
    assert not any(word in line for line in bob.heard[:-3] if not line.startswith("@"))


@quotes("A name's token is sent only to its owner.", "V5")
def a_token_is_sent_to_its_owner_only(table: Open) -> None:
    played = table(watchers=1)
    played.play()
    for client in played.everybody:
        client.must("who")
        for other in played.everybody:
            if other is not client:
                assert not any(other.token in line for line in client.heard)


# ---------------------------------------------------------------------------- coming back


def _record_of_a_game(table: Open) -> tuple[Table, list[str]]:
    played = table(options=GAME, watchers=1)
    assert played.play()
    return played, whole(played.host, played.on)


@quotes("Events follow the stream's numbers without a gap.", "C1", "S5", "C6", "S2")
def a_game_cut_at_every_number_is_rebuilt_the_same(
    address: Address, table: Open, connect: Connect
) -> None:
    """Seat 1 loses its connection after every event, reconnects and continues."""
    played = table(options=GAME, exactly=True)
    host, other = played.seats
    token, name = host.token, host.name
    lines = [event.line for event in host.on(played.on)]
    seen = host.on(played.on)[-1].number("seq")
    started = host.on(played.on)[0].number("seq")
    cut = 0
    over = False
    while not over:
        host.close()
        cut += 1
        host = Program(address)
        back = host.must(f"resume {token} {played.on}:{seen} me:0")
        assert back["name"] == name
        assert [row["on"] for row in back.rows if row.word == "AT"] == [played.on, "me"]
        token = back["token"]
        host.catch_up()
        # Read on by one event only: that is where the next cut is. There is none where the server
        # has not noticed the cut before the new connection came.
        missed = [event for event in host.on(played.on) if event.number("seq") > seen]
        for event in missed[:1]:
            assert event.number("seq") == seen + 1
            lines.append(event.line)
            seen = event.number("seq")
        open_ = of("TURN", host.on(played.on))
        if open_ and open_[-1].number("seq") == seen and open_[-1].mine:
            host.must(answer(open_[-1]))
            assert host.ask(answer(open_[-1])).code in ("STALE_TURN", "NO_GAME")
        other.catch_up()
        theirs = of("TURN", other.on(played.on))
        over = any(event.word == "GAMEOVER" for event in other.events)
        if theirs[-1].mine and not over:
            other.ask(answer(theirs[-1]))
        if cut > 400:
            raise AssertionError("the game does not end")
    host.catch_up()
    full = whole(host, played.on)
    while snapshot(host, played.on).seq != folded(played.on, 1, full).seq:
        full = whole(host, played.on)  # that somebody came back was still being stored
    caught = [line for line in full if int(line.split("seq=")[1].split()[0]) > seen]
    rebuilt = folded(played.on, 1, full[: started - 1] + lines + caught)
    assert rebuilt == folded(played.on, 1, full) == snapshot(host, played.on)
    assert full[started - 1 :] == lines + caught
    assert cut > 30
    host.close()


@quotes("Events follow the stream's numbers without a gap.", "C1", "S4", "S5")
def a_finished_game_can_be_taken_up_from_any_number(address: Address, table: Open) -> None:
    played, lines = _record_of_a_game(table)
    token = played.host.token
    played.host.close()
    whole_model = folded(played.on, 1, lines)
    for seq in range(len(lines) + 1):
        with Program(address) as again:
            back = again.must(f"resume {token} {played.on}:{seq}")
            token = back["token"]
            missed = [event.line for event in again.on(played.on)]
            assert missed[: len(lines) - seq] == lines[seq:]
            rebuilt = folded(played.on, 1, lines[:seq] + missed[: len(lines) - seq])
            assert rebuilt == whole_model


@quotes("resume is answered with OK or ERR; a refusal changes nothing", "C2")
@cases(
    ("streams", "code"),
    [
        ("{on}:0 {on}:999999", "BAD_ARG"),
        ("{on}", "BAD_ARG"),
        ("{on}:x", "BAD_ARG"),
        ("{on}:-1", "BAD_ARG"),
    ],
)
def a_refused_resume_leaves_the_token_good(
    nobody: Program, table: Open, streams: str, code: str
) -> None:
    played = table()
    refused = nobody.ask(f"resume {played.host.token} {streams.format(on=played.on)}")
    assert refused.code == code
    assert nobody.ask("whoami").code == "LOGIN_FIRST"
    assert played.host.must("whoami")["name"] == played.host.name
    assert nobody.must(f"resume {played.host.token} {played.on}:1").ok


@quotes("gives the connection its name and seats back, whatever has become of the streams", "C1")
def every_stream_is_answered_for_itself(nobody: Program, table: Open) -> None:
    played = table(options=GAME)
    host, on = played.host, played.on
    lines = whole(host, on)
    streams = f"me:99999 {on}:3 t99999:0 people:99999999"
    back = nobody.must(f"resume {host.token} {streams} boot={host.hello['boot']}")
    at = {row["on"]: row for row in back.rows if row.word == "AT"}
    assert list(at) == ["me", on, "t99999", "people"]
    assert at["me"]["code"] == "BAD_SEQ" and at["me"].number("have") < 100  # mail of others
    assert at["t99999"]["code"] == "NO_SUCH_TABLE"
    same = nobody.hello["boot"] == host.hello["boot"]
    assert at["people"]["code"] == ("BAD_SEQ" if same else "GONE")
    assert (at[on]["from"], "code" in at[on]) == ("3", False)
    missed = [event.line for event in nobody.on(on)]
    assert missed[: len(lines) - 3] == lines[3:]
    assert at[on].number("seq") == nobody.on(on)[len(missed) - 1].number("seq")
    assert nobody.must(f"state {on}").rows[0]["me"] == "1"


@quotes("under another boot= these streams are answered with code=GONE", "C7")
def numbers_of_another_start_mean_nothing(nobody: Program, table: Open) -> None:
    played = table(options=GAME)
    host, on = played.host, played.on
    talk = host.must(f"state {on}").rows[0]["talk"]
    streams = f"me:0 {on}:3 lobby:0 people:0 {talk}:0"
    back = nobody.must(f"resume {host.token} {streams} boot=x{host.hello['boot']}")
    at = {row["on"]: row for row in back.rows if row.word == "AT"}
    assert "code" not in at["me"]
    assert "code" not in at[on]
    assert [at[on].fields.get("code") for on in ("lobby", "people")] == ["GONE", "GONE"]
    assert at[talk]["code"] in ("GONE", "FORBIDDEN")
    assert not nobody.on("lobby")
    assert "seq" in at["lobby"]


@alone
@quotes("The streams that you name are followed again", "C8", "C1")
def what_was_followed_and_watched_is_resumed(address: Address, table: Open) -> None:
    played = table(options=GAME, watchers=1)
    watcher, on = played.watchers[0], played.on
    seen = max(1, int(watcher.must(f"sync {on} from=0")["seq"]))
    people = watcher.must("follow people")["seq"]
    watcher.close()
    mover, turn = played.asked()
    mover.must(answer(turn))
    with Program(address) as again:
        boot = watcher.hello["boot"]
        back = again.must(f"resume {watcher.token} {on}:{seen} people:{people} boot={boot}")
        at = {row["on"]: row for row in back.rows if row.word == "AT"}
        caught = [event.number("seq") for event in again.on(on)]
        assert caught == [*range(seen + 1, at[on].number("seq") + 1)]
        if again.hello["boot"] == boot:
            assert "ONLINE" in [event.word for event in again.on("people")]
        else:
            assert at["people"]["code"] == "GONE"
        mover, turn = played.asked()
        mover.must(answer(turn))
        again.catch_up()
        numbers = [event.number("seq") for event in again.on(on)]
        assert numbers == [*range(seen + 1, numbers[-1] + 1)]
        assert len(numbers) > len(caught)
        assert again.must(f"state {on}").rows[0]["nwatch"] == "1"
        with Program(address, new_name()) as other:
            while again.until("ONLINE")["name"] != other.name:
                pass


@quotes("The old token stays good until the new one has been used", "C3")
def a_token_is_good_until_the_next_is_used(address: Address, name: str) -> None:
    with Program(address, name) as first:
        pass
    for _ in range(2):
        # The second time as if the first answer had been lost.
        with Program(address) as again:
            fresh = again.must(f"resume {first.token}")["token"]
            assert fresh != first.token
    with Program(address) as third:
        assert third.must(f"resume {fresh}")["name"] == first.name
    with Program(address) as fourth:
        assert fourth.ask(f"resume {first.token}").code == "BAD_TOKEN"


@quotes("Older and unknown tokens are refused with BAD_TOKEN.", "C3")
@cases("token", ["x", "Zk81", "-", "a" * 500, "\u00fe"])
def an_unknown_token_opens_nothing(nobody: Program, token: str) -> None:
    assert nobody.ask(f"resume {token} me:0").code == "BAD_TOKEN"


@quotes("The newest connection wins. The older one gets BYE code=REPLACED resume=0", "C4", "E6")
def the_newest_connection_wins(nobody: Program, table: Open) -> None:
    played = table(options=GAME)
    old = played.host
    nobody.must(f"resume {old.token} {played.on}:0")
    bye = old.until("BYE")
    assert (bye["code"], bye["resume"]) == ("REPLACED", "0")
    with raises(Closed, OSError):
        old.ask("ping")
    assert nobody.must("whoami")["name"] == old.name
    nobody.must("say :here I am")
    nobody.must("ping")
    assert not any(event.word == "PRESENCE" for event in nobody.events)


@quotes("PRESENCE seat= here=0 says so and the seat stays theirs", "C5")
def a_lost_connection_keeps_its_seat(address: Address, table: Open) -> None:
    played = table(options=GAME)
    host, other = played.seats
    host.close()
    away = other.until("PRESENCE")
    assert (away["seat"], away["here"]) == ("1", "0")
    assert away.number("ms") > 0
    with Program(address, host.name[1:]) as impostor:
        assert impostor.name != host.name
        assert impostor.ask(f"move - {played.on}").code == "NOT_SEATED"
        assert impostor.ask(f"join {played.on} 1").code == "GAME_RUNNING"
    with Program(address) as again:
        again.must(f"resume {host.token} {played.on}:0")
        back = other.until("PRESENCE")
        assert (back["seat"], back["here"]) == ("1", "1")


@quotes("gives the connection its name and seats back", "C1")
def a_person_comes_back_too(address: Address, name: str) -> None:
    with Person(address) as person:
        token = " ".join(person.tell(name)).split("resume ")[1].split()[0]
        person.tell("practice bots=1 seed=5")
    with Person(address) as again:
        shown = again.tell(f"resume {token}")
        assert any("Welcome back" in line for line in shown)
        assert any("Your turn" in line for line in [*shown, *again.catch_up()])
        assert any(line.startswith("You ") for line in again.tell("keep"))


@quotes("Nobody loses a seat in a running game because another player says so", "Y4")
def nobody_is_sent_away_from_a_running_game(table: Open) -> None:
    played = table(options=GAME)
    host, other = played.seats
    assert host.ask(f"remove {other.name}").code == "GAME_RUNNING"
    assert "LEFT" not in [event.word for event in other.catch_up()]


@quotes("Until then join takes the seat over, as LEFT seat= why=replaced and JOINED", "Y5")
@quotes("If there is no such seat, join is GAME_RUNNING", "Y5")
@quotes("sees that hand, from HAND on, as the seat did", "V2")
def a_seat_that_was_left_is_taken_over_with_its_hand(table: Open, connect: Connect) -> None:
    played = table(3, options=GAME)
    late = connect()
    assert late.ask(f"join {played.on}").code == "GAME_RUNNING"
    played.seats[2].must("leave")
    seat = late.must(f"join {played.on}").final.number("seat")
    told = [e for e in played.host.catch_up() if e.word in ("LEFT", "JOINED")][-2:]
    assert [e.number("seat") for e in told] == [seat, seat]
    assert (told[0].word, told[0]["why"], told[1]["name"]) == ("LEFT", "replaced", late.name)
    model = snapshot(late, played.on)
    assert model.me == seat
    assert len(model.holding) == model.seats[seat].cards


@quotes("Repeating a move after coming back is safe when it names its turn=.", "C6", "T2")
def a_repeated_move_is_harmless(address: Address, table: Open) -> None:
    played = table(options=GAME)
    mover, turn = played.asked()
    mover.must(answer(turn))
    mover.close()
    with Program(address) as again:
        again.must(f"resume {mover.token} {played.on}:1")
        assert again.ask(answer(turn)).code in ("STALE_TURN", "NOT_YOUR_TURN")


@quotes("A command with once= and a key is carried out once", "R8")
@cases("again", [False, True])
@cases("command", ["move", "say :well", "tell {me} :well", "open twentytwo seats=2", "pause"])
def a_command_with_a_key_is_answered_again_and_done_once(
    address: Address, table: Open, command: str, again: bool
) -> None:
    played = table(options=GAME)
    mover, turn = played.asked()
    line = command.format(me=mover.name)
    line = f"{answer(turn)} once=k.1" if line == "move" else line.replace(" :", " once=k.1 :")
    line = line if "once=" in line else f"{line} once=k.1"
    first = mover.must(line)
    if again:
        mover.close()
        mover = Program(address)
        mover.must(f"resume {played.mover(turn).token} {played.on}:1")
    second = mover.must(line)
    assert second["again"] == "1"
    assert second.final.fields == {**first.final.fields, "again": "1"}
    assert "again" not in mover.must("who once=k.1").final.fields
    mover.close()


@quotes("Another command with that key is refused with ONCE_USED", "R8")
def a_key_stands_for_one_command(connect: Connect) -> None:
    client, other = connect(), connect()
    client.must(f"tell {client.name} once=k.1 :one")
    refused = client.ask(f"tell {client.name} once=k.1 :two")
    assert (refused.code, refused["arg"]) == ("ONCE_USED", "once")
    assert "again" not in other.must(f"tell {client.name} once=k.1 :one").final.fields


@quotes("Refusals are not remembered.", "R8")
def a_refusal_is_not_remembered(connect: Connect) -> None:
    client = connect()
    assert client.ask("say once=k.1 :hm").code == "NOT_SEATED"
    client.must("open twentytwo")
    assert "again" not in client.must("say once=k.1 :hm").final.fields


def _seqs(events: Iterable[Record]) -> list[int]:
    return [event.number("seq") for event in events]


@quotes("A seat belongs to a name, not to a connection.", "C1", "O3")
def a_resumed_stream_goes_on_without_a_gap(address: Address, table: Open) -> None:
    played = table(options=GAME)
    first = played.host.on(played.on)[0].number("seq")
    before = _seqs(played.host.on(played.on))
    played.host.close()
    with Program(address) as again:
        again.must(f"resume {played.host.token} {played.on}:{before[-1]}")
        played.seats[0] = again
        # the table is played to its end from here
        played.seats[1].catch_up()
        again.must("ping")
        numbers = before + _seqs(again.on(played.on))
        assert numbers == list(range(first, first + len(numbers)))
