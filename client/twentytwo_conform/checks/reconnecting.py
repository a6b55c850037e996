"""Section 11: coming back after a lost connection."""

from __future__ import annotations

from collections.abc import Iterable

from ..check import alone, cases, quotes, raises
from ..connections import Address, Closed, Person, Program, Record, Table, answer, of
from ..fixtures import GAME, Connect, Open
from ..pool import new_name
from ..table_models import folded, snapshot, whole


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
