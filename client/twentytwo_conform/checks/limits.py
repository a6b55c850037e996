"""Sections 13 and 17: limits, clocks and PING."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack

from ..check import alone, cases, fail, quotes
from ..connections import HELLO, Address, Client, Closed, Program, Record, answer
from ..fixtures import Connect, Open
from ..pool import Pool, new_name


@alone
@quotes("A command beyond the limit is refused with ERR code=RATE wait= and has no effect", "L1")
def too_many_commands_are_refused_and_may_be_repeated(limited: Address) -> None:
    with Program(limited, new_name()) as client:
        client.send(
            *(f"@r{n} tell {client.name} :hm" if n % 40 == 0 else f"@r{n} ping" for n in range(80))
        )
        replies = [client.reply(f"r{n}") for n in range(80)]
        refused = [reply for reply in replies if not reply.ok]
        assert 40 <= len(refused) <= 70
        assert all(reply.code == "RATE" and 0 < int(reply["wait"]) < 5000 for reply in refused)
        assert replies[0].ok


@alone
@quotes("talk 5 at once and then one in two seconds", "L1")
def talk_has_a_limit_of_its_own(limited: Address) -> None:
    with Program(limited, new_name()) as client:
        replies = [client.ask(f"tell {client.name} :{n}") for n in range(8)]
        assert [reply.code for reply in replies] == [""] * 5 + ["RATE"] * 3
        assert client.must("ping").ok
        assert [e.text for e in client.events if e.word == "TOLD"] == list("01234")


@alone
@quotes("A command that takes the server long costs up to 10", "L1")
def a_dear_command_counts_as_several(limited: Address) -> None:
    with Program(limited, new_name()) as client:
        cost = client.must("describe verbs sync").rows[0].number("cost")
        assert 1 < cost <= 10
        client.send(*(f"@s{n} sync me from=0" for n in range(40)))
        replies = [client.reply(f"s{n}") for n in range(40)]
        assert sum(reply.ok for reply in replies) <= 20 // cost + 4  # the limit refills meanwhile


@quotes("A move in turn is never refused for its rate.", "L2")
def moves_in_turn_are_never_too_fast(strict: Address) -> None:
    with Program(strict, new_name()) as client:
        client.send("practice bots=1 seed=3")
        moves = 0
        while True:
            record = client.record()
            if record.mine:
                client.send(f"@m {answer(record)}")
                moves += 1
            elif record.id == "m":
                assert record.word == "OK", record.line
            elif record.word == "GAMEOVER":
                break
        assert moves > 20


@quotes("Ten lines that are too long within a minute", "L3", "E6")
@quotes("After wait= a client comes back that many milliseconds later, and not before", "E7")
def too_many_long_lines_end_the_connection(strict: Address) -> None:
    with Program(strict, new_name()) as client:
        for _ in range(10):
            client.write(b"x" * 1100 + b"\n")
        for _ in range(9):
            assert client.reply("*").code == "LINE_TOO_LONG"
        bye = client.until("BYE")
        assert (bye["code"], bye["resume"]) == ("FLOOD", "1")
        assert bye.number("wait") > 0
        assert client.closed()


@quotes("2,000 lines that wait to be read", "L3")
def too_many_waiting_lines_end_the_connection(strict: Address) -> None:
    with Program(strict) as client:
        try:
            client.write(b"ping\n" * 60_000)
        except OSError:
            return  # cut off while still talking
        try:
            assert b"BYE code=FLOOD resume=1" in client.rest()
        except OSError:
            return


@quotes("A client that does not read is cut off when 1 MiB waits for it", "L4", "L6")
def a_client_that_does_not_read_is_cut_off_and_nobody_notices(
    address: Address, table: Open
) -> None:
    played, name = table(exactly=True), new_name()
    deaf = Client(address)
    deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.send(HELLO, f"@g guest {name}")
    with Client(address) as speaker:
        said = 0
        speaker.send(HELLO, f"guest {new_name()}")
        for round in range(200):  # systems take up to 4 MiB themselves before any of it waits
            speaker.send(*[f"tell {name} :{'€' * 290}"] * 40, f"@w who {name}")
            said += 40
            while not (line := speaker.line()).startswith("@w OK"):
                pass
            if round >= 20 and " n=0" in line:
                break
            turn = played.turn() if round % 10 == 0 else None
            if turn is not None:
                played.mover(turn).must(answer(turn))
    try:
        heard = deaf.rest()
    except TimeoutError:
        fail("the server, or a proxy before it, keeps any amount for a client that does not read")
    assert heard.count(b"TOLD") < said
    deaf.close()
    played.play(turns=5)


@quotes("The server sends requested output at the speed at which the client reads it", "L4", "L6")
def a_client_that_asks_for_much_and_reads_late_gets_all_of_it(raw: Client, table: Open) -> None:
    played = table(exactly=True)
    raw.send(HELLO, *(f"@d{n} describe verbs" for n in range(300)))
    played.play(turns=5)
    raw.half_close()
    heard = raw.rest()
    assert len(heard) > 1 << 20
    ends = [line for line in heard.split(b"\r\n") if line.startswith(b"@d") and b" OK" in line]
    assert [end.split(b" ")[0] for end in ends] == [b"@d%d" % n for n in range(300)]


@quotes("a client that was cut off can resume", "L4", "C1")
def whoever_was_cut_off_can_come_back(address: Address) -> None:
    with Program(address, new_name()) as client:
        on = client.must("practice bots=1 seed=5")["on"]
        token = client.token
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    with Program(address) as again:
        assert again.must(f"resume {token} {on}:0")["name"] == client.name
        assert again.on(on)[0]["seq"] == "1"


@alone
@quotes("one more gets BYE code=BUSY resume=1 wait= in place of the greeting, and is closed", "L5")
def an_address_has_so_many_connections(limited: Address, pool: Pool) -> None:
    pool.close()
    try:
        with ExitStack() as stack:
            opened = 0
            while opened < 70:
                client = stack.enter_context(Client(limited, full=True))
                if client.greeting.startswith("BYE code=BUSY resume=1 wait="):
                    assert client.closed()
                    break
                opened += 1
            assert 50 <= opened <= 64
    finally:  # the next check connects, too: when the server has noticed that these are gone
        while Client(limited, full=True).greeting.startswith("BYE"):
            pass


@quotes("Somebody may have a seat at 10 tables; one more is refused with QUOTA.", "L5")
def somebody_has_a_seat_at_so_many_tables(connect: Connect) -> None:
    client = connect()
    codes = [client.ask("open twentytwo seats=2").code for _ in range(11)]
    assert codes == [""] * 10 + ["QUOTA"]


@quotes("What is said is at most 300 characters long.", "L5")
@cases("verb", ["say", "tell {me}", "shout"])
def what_is_said_has_a_length(connect: Connect, verb: str) -> None:
    client = connect()
    client.must("open")
    command = verb.format(me=client.name)
    client.must(f"{command} :{'x' * 300}")
    assert client.ask(f"{command} :{'x' * 301}").code == "BAD_ARG"


NOISE = [random.Random(seed).randbytes(4000) for seed in range(12)]


@quotes("Whatever one connection sends, the others play on.", "L6", "E4")
@cases("mode", [b"", b"hello 1\n", b"guest noise\n", b"\xff\xfb\x1f"])
@cases("noise", NOISE, ids=[f"noise{n}" for n in range(len(NOISE))])
def random_bytes_stop_nobody_else(
    address: Address, connect: Connect, noise: bytes, mode: bytes
) -> None:
    player = connect()
    player.must("practice bots=1 seed=5")
    with Client(address) as noisy:
        try:
            noisy.write(mode + noise)
            noisy.write(noise + b"\n")
        except OSError:
            pass
        turn = _asked(player)
        assert player.must(answer(turn)).ok
    assert player.must("ping").ok


_VERBS = [
    *("hello", "guest", "practice", "open", "join", "move", "play", "exchange"),
    *("state", "sync", "resume", "why", "set", "seek", "bid", "watch", "table"),
]


@quotes("Whatever one connection sends, the others play on.", "L6", "E4")
@cases("seed", range(10))
def random_commands_are_never_a_fault(guest: Program, seed: int) -> None:
    source = random.Random(seed)
    words = (
        *("1", "t1", "me", "from=0", "turn=1", "Q", "X", "-", "+", "=", ":", "seats=2", "%"),
        *("~", "x=y"),
    )
    guest.must("practice bots=1 seed=5")
    for number in range(300):
        verb = source.choice(_VERBS)
        arguments = " ".join(source.choices(words, k=source.randrange(5)))
        guest.send(f"@n{number} {verb} {arguments}")
        try:
            assert guest.reply(f"n{number}").code != "INTERNAL"
        except Closed:
            break  # it said hello to another version


def _asked(client: Program) -> Record:
    client.must("ping")
    return client.question()


@quotes("Both are absent without a clock", "K1")
def without_a_clock_there_is_no_time(table: Open) -> None:
    turn = table().turn()
    assert turn is not None and "ms" not in turn and "bank" not in turn


@quotes("ms in TURN is the time to answer in milliseconds, bank the seat's reserve", "K1")
@cases(
    ("clock", "ms", "bank"),
    [("30", "30000", None), ("30+60", "30000", "60000"), ("5", "5000", None)],
)
def a_clock_is_told_with_every_question(
    connect: Connect, clock: str, ms: str, bank: str | None
) -> None:
    client = connect()
    client.must(f"open twentytwo seats=2 clock={clock}")
    client.must("addbot")
    client.must("start")
    client.catch_up()
    turn = next(event for event in client.events if event.word == "TURN")
    assert turn["ms"] == ms
    assert turn.fields.get("bank", "0") == (bank or "0")


@quotes("After 75 s of silence the connection is closed", "K2")
def pong_measures_the_way_and_needs_no_number(connect: Connect) -> None:
    client = connect()
    client.send("pong 17", "pong")
    assert client.must("ping").ok
