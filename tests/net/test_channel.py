"""Connections at work: the greeting, framing, bursts, slow readers, silence, endings."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.internet.address import IPv4Address
from twisted.internet.ssl import CertificateOptions

from tests.kit.cases import together
from tests.kit.memory import tracing
from tests.kit.pairs import GREETING, Doors, Echo, Line
from twentytwo_protocol.framing import MAX_CLIENT_LINE, Flaw
from twentytwo_server.limits.connections import UNLIMITED, Limits
from twentytwo_server.net.channel import HIGH_WATER, RESTART
from twentytwo_server.net.opening import Tls
from twentytwo_server.scheduler import SLICE
from twentytwo_server.session.recipient import Mode
from twentytwo_server.session.session import Session

FAST = Limits(burst=1e9, rate=1e9, chat_burst=1e9, chat_rate=1e9)

FRESH = itertools.count()
"""Nobody says the same again and again: that has a limit of its own."""


def echo(**limits: float) -> tuple[Echo, Doors]:
    handler = Echo()
    return handler, Doors(handler, Limits(**{"burst": 1e9, **limits}))  # type: ignore[arg-type]


# ----------------------------------------------------------------------------- the greeting


def test_the_greeting_is_one_comment_of_at_most_79_columns_and_then_silence() -> None:
    doors = Doors()
    line = doors.line(greeted=False)
    assert line.read() == f"# {GREETING}\r\n"
    assert len(f"# {GREETING}") <= 79
    assert "hello 1" in GREETING
    assert "type a name" in GREETING
    doors.advance(60_000)
    assert line.read() == ""


def test_input_is_taken_before_the_greeting_was_written() -> None:
    doors = Doors()
    line = doors.try_line("127.0.0.1")
    assert line is not None
    line.send("hello 1 client=t\nguest ann\npractice seed=1\n")
    first, *others = line.lines()
    assert first == f"# {GREETING}"
    assert [each.split(" ")[1] for each in others if each.startswith("@")] == ["OK", "OK", "OK"]


# ------------------------------------------------------------------------------ one write


def test_a_burst_is_one_write() -> None:
    line = Doors(limits=FAST).program("ann")
    line.transport.writes.clear()
    line.send("open twentytwo seats=2\ntable\nhelp\nping 1\nping 2\n")
    assert len(line.transport.writes) == 1
    assert line.transport.writes[0].count(b"\r\n") > 20


def test_everybody_at_a_table_gets_a_burst_in_one_write_each() -> None:
    doors = Doors(limits=FAST)
    ann, bob, cat = doors.program("ann"), doors.program("bob"), doors.program("cat")
    ann.send("open twentytwo seats=2\n")
    bob.send("join t1\nready\n")
    cat.send("watch t1\n")
    for line in (ann, bob, cat):
        line.transport.writes.clear()
    ann.send("start\n")
    assert [len(line.transport.writes) for line in (ann, bob, cat)] == [1, 1, 1]


# -------------------------------------------------------------------------------- framing

SCRIPT = (
    "hello 1 client=t\r\n@1 guest ann\n\n@2 practice bots=1 seed=3 level=easy\r\n@3 say h\u00e9\n"
    "@4 nonsense\n@5 hand\r\x00@6 ping x\n"
)


def heard(chunk: int) -> list[str]:
    line = Doors(limits=FAST).line()
    line.send(SCRIPT, chunk=chunk)
    return line.lines()


def test_the_same_bytes_in_any_pieces_are_the_same_session() -> None:
    whole = heard(0)
    assert [each.split(" ")[0] for each in whole if each.startswith("@")] == [
        "@*",
        "@1",
        "@2",
        "@3",
        "@4",
        "@5",
        "@6",
    ]
    for chunk in (1, 2, 3, 5, 7, 11, 50):
        assert heard(chunk) == whole


ENDS = st.sampled_from([b"\n", b"\r\n"])
WORDS = st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"").replace(b"\r", b""))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS, ENDS), max_size=8), st.integers(1, 9), st.booleans())
def test_a_program_is_heard_the_same_in_any_pieces(
    said: list[tuple[bytes, bytes]], chunk: int, whole: bool
) -> None:
    data = b"hello 1 client=t\n" + b"".join(word + end for word, end in said)
    found = []
    for size in (0, chunk):
        handler, doors = echo()
        doors.line().send(data, chunk=size)
        found.append(handler.lines)
    assert found[0] == found[1]
    assert len(found[0]) == len(said) + 1


def test_a_line_may_be_1024_bytes_with_its_end_and_no_more() -> None:
    for size, fits in ((MAX_CLIENT_LINE - 1, True), (MAX_CLIENT_LINE, False), (100_000, False)):
        handler, doors = echo()
        doors.line().send(b"hello 1\n" + b"x" * size + b"\nping\n", chunk=700)
        assert handler.lines[1] == ("x" * size if fits else Flaw.TOO_LONG)
        assert handler.lines[2] == "ping"


def test_an_endless_line_is_never_stored() -> None:
    handler, doors = echo()
    line = doors.line()
    line.send(b"x" * 10_000)
    with tracing() as kept:
        for _ in range(200):
            line.send(b"x" * 10_000)
        assert kept() < 10 * MAX_CLIENT_LINE
    assert handler.lines == []
    line.send(b"\nping\n")
    assert handler.lines == [Flaw.TOO_LONG, "ping"]


def test_what_is_not_utf8_gets_its_code_and_the_connection_stays() -> None:
    line = Doors().program()
    line.send(b"@1 say :\xff\xfe\n@2 ping\n")
    assert line.lines() == [
        "@* ERR code=BAD_UTF8 class=syntax :That line is not valid UTF-8.",
        "@2 OK pong=-",
    ]


def test_half_a_line_is_never_carried_out() -> None:
    handler, doors = echo()
    line = doors.line()
    line.send("hello 1\nquit")
    session = line.session
    line.lose()
    assert handler.lines == ["hello 1"]
    assert handler.gone == [session]


# ---------------------------------------------------------------------- what is not for us


@together("chunk", [0, 1, 3])
@together(
    "request_", ["GET / HTTP/1.1", "POST /x HTTP/1.0", "HEAD / HTTP/1.1", "OPTIONS * HTTP/1.1"]
)
def test_a_browser_gets_an_error_and_nothing_of_what_it_sends_is_obeyed(
    request_: str, chunk: int
) -> None:
    handler, doors = echo()
    line = doors.line()
    line.send(f"{request_}\r\nHost: x\r\n\r\nguest ann\r\n", chunk=chunk)
    assert line.read().startswith("HTTP/1.0 400 Bad Request\r\n")
    assert not line.connected
    assert handler.lines == []


def test_a_browser_is_answered_once_however_slowly_it_goes() -> None:
    handler, doors = echo()
    line = doors.line()
    line.transport.slow = True
    line.send("GET / HTTP/1.1\r\n")
    line.send("Host: x\r\n")
    line.send("\r\nguest ann\r\n")
    assert line.read().count("HTTP/1.0 400") == 1
    assert handler.lines == []


@pytest.mark.parametrize("chunk", [0, 1])
def test_a_tls_hello_is_cut_off_without_a_word(chunk: int) -> None:
    handler, doors = echo()
    line = doors.line()
    line.send(b"\x16\x03\x01\x02\x00\x01\x00\nguest ann\n", chunk=chunk)
    assert line.transport.aborting
    assert line.read() == ""
    assert handler.lines == []


def test_later_lines_may_look_like_anything() -> None:
    handler, doors = echo()
    line = doors.line()
    line.send(b"ann\nGET / HTTP/1.1\n\x16 x\n")
    assert line.connected
    assert handler.lines == ["ann", "GET / HTTP/1.1", " x"]


# ------------------------------------------------------------------------------ fair turns


def test_a_connection_gets_32_lines_a_turn_and_then_the_others_get_theirs() -> None:
    handler, doors = echo()
    busy, other = doors.line(), doors.line("192.0.2.1")
    busy.send("hello 1\n")
    other.send("hello 1\n")
    handler.lines.clear()
    busy.send("busy\n" * 200, settle=False)
    other.send("other\n" * 40, settle=False)
    assert handler.lines == ["busy"] * 32 + ["other"] * 32
    turns = []
    while len(handler.lines) < 240:
        before = len(handler.lines)
        doors.clock.turn()
        turns.append(handler.lines[before:].count("busy"))
        assert turns[-1] <= 32
    assert sum(turns) == 200 - 32


def test_the_connections_of_an_address_share_its_turns() -> None:
    handler, doors = echo()
    lines = {name: doors.line("192.0.2.1") for name in "abc"}
    for line in lines.values():
        line.send("hello 1\n")
    handler.lines.clear()
    for name, line in lines.items():
        line.send(f"{name}\n" * 70, settle=False)
    assert handler.lines == ["a"] * 32, "the others wait behind the rest of it"
    handler.lines.clear()
    doors.clock.turn()
    assert handler.lines == ["a"] * 32 + ["b"] * 32 + ["c"] * 32
    doors.clock.settle()
    assert [handler.lines.count(name) for name in "abc"] == [38, 70, 70]


def test_who_has_many_connections_does_not_make_others_wait_for_each_of_them() -> None:
    handler, doors = echo()
    many = [doors.line("192.0.2.1") for _ in range(50)]
    one = doors.line("192.0.2.2")
    for line in (*many, one):
        line.send("hello 1\n")
    handler.lines.clear()
    slow = handler.line

    def takes_a_millisecond(session: Session, line: str | Flaw, done: Callable[[], None]) -> None:
        doors.clock.jump(1)
        slow(session, line, done)

    handler.line = takes_a_millisecond  # type: ignore[method-assign]
    for line in many:
        line.send("many\n" * 10, settle=False)
    one.send("one\n", settle=False)
    assert handler.lines.count("many") <= SLICE
    assert handler.lines[-1] == "one"


def test_lines_are_answered_one_after_the_other() -> None:
    handler, doors = echo()
    line = doors.line()
    handler.late = True
    line.send("hello 1\none\ntwo\nthree\n")
    for count in (1, 2, 3, 4):
        assert len(handler.lines) == count
        handler.waiting.pop()()
        doors.clock.settle()
    assert handler.lines == ["hello 1", "one", "two", "three"]


def test_lines_that_come_while_one_is_answered_wait_their_turn_too() -> None:
    handler, doors = echo()
    line = doors.line()
    line.send("hello 1\n")
    handler.late = True
    line.send("first\n")
    line.send("second\n" * 100)
    handler.late = False
    handler.waiting.pop()()
    before = len(handler.lines)
    doors.clock.turn()
    assert len(handler.lines) - before == 32


def test_too_many_lines_at_once_are_a_flood() -> None:
    handler, doors = echo()
    line = doors.line()
    line.send("hello 1\n")
    handler.late = True
    line.send("x\n" * 2000)
    assert line.lines() == []
    line.send("x\n" * 2)
    assert line.lines() == ["BYE code=FLOOD resume=1 wait=5000 :Too many lines at once."]
    assert not line.connected
    assert len(handler.lines) == 2


def test_ten_lines_that_are_too_long_within_a_minute_are_a_flood() -> None:
    doors = Doors()
    line = doors.program()
    for number in range(9):
        line.send("x" * 2000 + "\n")
        assert line.lines()[0].startswith("@* ERR code=LINE_TOO_LONG class=syntax max=1024"), number
    line.send("x" * 2000 + "\n")
    assert line.lines()[-1].startswith("BYE code=FLOOD resume=1")
    assert not line.connected


def test_ten_long_lines_over_a_longer_time_are_none() -> None:
    doors = Doors()
    line = doors.program()
    for _ in range(30):
        line.send("x" * 2000 + "\n")
        doors.advance(7_000)
    assert line.connected


# ----------------------------------------------------------------------------- slow readers


def stuck(doors: Doors, name: str) -> Line:
    """A program that has stopped reading."""
    line = doors.program(name)
    line.transport.slow = True
    line.transport.producer.pauseProducing()
    return line


def test_a_peer_that_does_not_read_is_cut_off_with_bounded_memory() -> None:
    doors = Doors(limits=Limits(unread=50_000, burst=1e9, chat_burst=1e9))
    slow, ann = stuck(doors, "slow"), doors.program("ann")
    text = "x" * 290
    count = 0
    while not slow.transport.disconnecting:
        slow.transport.producer.pauseProducing()  # which the transport says with every write
        ann.send(f"tell slow :{next(FRESH)} {text}\n")
        count += 1
        assert count < 400
    assert len(slow.transport.value()) < 52_000
    ann.send(f"tell slow :{next(FRESH)} {text}\n" * 9)
    *_, last = slow.lines()
    assert last == "BYE code=SLOW resume=1 wait=5000 :You do not read what is sent to you."
    doors.advance(5000)
    assert slow.transport.aborting
    assert ann.connected
    ann.read()
    ann.send("ping\n")
    assert ann.lines() == ["@* OK pong=-"]


def test_a_peer_that_reads_again_is_forgiven() -> None:
    doors = Doors(limits=Limits(unread=5_000, burst=1e9, chat_burst=1e9))
    slow, ann = stuck(doors, "slow"), doors.program("ann")
    for _ in range(20):
        for _ in range(12):
            ann.send(f"tell slow :{next(FRESH)} " + "x" * 290 + "\n")
        assert slow.connected
        slow.transport.producer.resumeProducing()
        slow.transport.producer.pauseProducing()


def test_what_a_reading_peer_is_sent_is_not_counted() -> None:
    doors = Doors(limits=Limits(unread=1_000, burst=1e9))
    line = doors.program("ann")
    for _ in range(100):
        line.send("help\n")
    assert line.connected


def test_what_a_peer_asks_for_and_does_not_read_is_not_made() -> None:
    doors = Doors(limits=FAST)
    line = doors.program("ann")
    line.transport.slow = True
    line.transport.window = HIGH_WATER
    line.send("@x describe events\n" * 1_000)
    held = len(line.transport.value())
    doors.advance(20_000)
    assert HIGH_WATER < len(line.transport.value()) == held < 5 * HIGH_WATER
    line.send("describe events\n" * 1_100)
    line.transport.window = None
    assert "BYE code=FLOOD" in line.read()
    assert line.transport.disconnecting


def test_a_line_is_answered_when_the_answers_before_it_are_read() -> None:
    doors = Doors(limits=FAST)
    line = doors.program("ann")
    line.transport.window = 10_000
    line.send("".join(f"@{n} describe events\n" for n in range(20)))
    answered: list[str] = []
    while got := line.lines():
        assert sum(map(len, got)) < 5 * HIGH_WATER
        answered += [each.split(" ")[0] for each in got if " OK " in each]
        doors.clock.settle()
    assert answered == [f"@{n}" for n in range(20)]


def test_who_has_closed_one_way_is_sent_all_they_asked_for_as_they_read() -> None:
    doors = Doors(limits=FAST)
    line = doors.program("ann")
    line.transport.window = 10_000
    line.send("".join(f"@{n} describe events\n" for n in range(20)))
    line.channel.no_more_input()
    ended = []
    while got := line.lines():
        ended += [each for each in got if " OK " in each]
        doors.clock.settle()
    assert len(ended) == 20
    assert not line.connected


def test_the_lobby_pauses_for_a_slow_reader_before_it_is_cut_off() -> None:
    doors = Doors(limits=FAST)
    slow, ann = doors.program("slow"), doors.program("ann")
    slow.send("follow lobby\n")
    slow.transport.slow = True
    slow.transport.producer.pauseProducing()
    for _ in range(1_200):
        ann.send(f"shout :{next(FRESH)} " + "x" * 290 + "\n")
    written = slow.read()
    assert written.count("NOTE code=LOBBY_PAUSED") == 1
    assert written.endswith("follow again later.\r\n")
    assert slow.connected
    slow.transport.producer.resumeProducing()
    slow.send("follow lobby\n")
    ann.send("shout :again\n")
    *_, gap, again = slow.lines()
    assert again.endswith(":again")
    seq = int(again.split("seq=")[1].split()[0])
    assert gap == f"GAP on=lobby seq={seq - 1}"


def test_a_table_goes_on_while_somebody_at_it_does_not_read() -> None:
    doors = Doors(limits=Limits(unread=2_000, burst=1e9, chat_burst=1e9))
    ann = doors.program("ann")
    ann.send("open twentytwo seats=2 clock=0\n")
    slow = doors.program("slow")
    slow.send("join t1\nready\n")
    slow.transport.slow = True
    slow.transport.producer.pauseProducing()
    ann.send("start\n")
    for number in range(30):
        ann.send(f"say :{number} " + "x" * 200 + "\n")
    assert slow.transport.disconnecting
    assert ann.lines()[-1].startswith("SAID")
    doors.advance(5000)
    assert slow.transport.aborting
    assert doors.world is not None
    assert not doors.world.room().table.seats[1].here


# --------------------------------------------------------------------------------- silence


def test_a_program_is_asked_after_30_s_and_let_go_after_75() -> None:
    doors = Doors()
    line = doors.program("ann")
    doors.advance(30_000)
    assert line.lines() == []
    doors.advance(1_000)
    assert line.lines() == ["PING no=1"]
    doors.advance(40_000)
    assert line.lines() == []
    doors.advance(5_000)
    assert line.lines() == ["BYE code=IDLE resume=1 :No answer to PING."]
    assert not line.connected


def test_whoever_came_first_is_asked_first() -> None:
    doors = Doors()
    names = [f"ann{number}" for number in range(12)]
    asked: list[str] = []
    doors.channels.trace = asked.append
    for name in names:
        doors.program(name)
    asked.clear()
    doors.advance(31_000)
    assert asked == [f"~{name} > PING no=1" for name in names]


@together("answer", ["pong 1\n", "\n", "ping\n", "x"])
def test_anything_that_a_program_sends_is_an_answer(answer: str) -> None:
    doors = Doors()
    line = doors.program("ann")
    for _ in range(5):
        doors.advance(31_000)
        assert "PING no=" in line.read()
        line.send(answer)
        line.read()
    assert line.connected


def test_people_whose_time_runs_out_are_warned_by_the_check_of_each_second() -> None:
    doors = Doors()
    ann, bob = doors.person("ann"), doors.person("bob")
    for line, said in ((ann, "open seats=2 clock=20"), (bob, "join t1"), (bob, "ready")):
        line.send(f"{said}\r\n".encode())
    ann.send(b"start\r\n")
    ann.read()
    bob.read()
    for _ in range(12):
        doors.advance(1_000)
    warned = [line for peer in (ann, bob) for line in peer.lines() if " s left; then " in line]
    assert len(warned) == 1


def test_people_are_never_asked_and_may_be_quiet_for_half_an_hour() -> None:
    doors = Doors()
    line = doors.person("ann")
    doors.advance(30 * 60_000)
    assert line.read() == ""
    doors.advance(1_000)
    assert line.lines() == ["You have been quiet for long. Goodbye."]
    assert not line.connected


def test_people_with_a_seat_may_be_quiet_for_ever() -> None:
    handler, doors = echo()
    line = doors.line()
    line.send("ann\n")
    handler.sits = True
    doors.advance(10 * 3_600_000)
    assert line.connected
    handler.sits = False
    doors.advance(2_000)
    assert not line.connected


def test_whoever_says_nothing_at_first_is_let_go_after_two_minutes() -> None:
    doors = Doors()
    line = doors.line()
    doors.advance(120_000)
    assert line.connected
    assert line.read() == ""
    doors.advance(1_000)
    assert line.lines() == ["BYE code=IDLE resume=1 :You sent nothing. Goodbye."]
    assert not line.connected


def test_whoever_is_let_go_and_does_not_read_hears_it_once() -> None:
    doors = Doors()
    line = doors.line()
    line.transport.slow = True
    doors.advance(124_000)
    assert len(line.lines()) == 1
    doors.advance(3_000)
    assert line.transport.aborting


def test_blank_lines_and_telnet_are_no_first_line() -> None:
    doors = Doors()
    line = doors.line()
    for _ in range(12):
        line.send(b"\n\xff\xfd\x01")
        doors.advance(10_000)
    doors.advance(2_000)
    assert not line.connected


@pytest.mark.parametrize("first", ["hello 1 client=t\nguest ann\n", "ann\n"])
def test_a_line_without_an_end_ends_the_connection_after_five_minutes(first: str) -> None:
    handler, doors = echo()
    line = doors.line()
    line.send(first)
    handler.sits = True
    line.send("pla")
    for _ in range(15):
        doors.advance(20_000)
        assert line.connected
        line.send("y")  # whoever sends one byte at a time is not silent
    doors.advance(1_000)
    assert "The end of your line did not come. Goodbye." in line.lines()[-1]
    assert not line.connected


def test_a_line_that_is_ended_in_time_leaves_the_next_its_own_time() -> None:
    doors = Doors()
    line = doors.program("ann")
    for _ in range(40):
        line.send("g\npin")
        doors.advance(20_000)
    assert line.connected


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1"])
def test_whoever_is_turned_away_is_told_so_in_one_line_and_leaves_nothing(address: str) -> None:
    doors = Doors(limits=Limits(each_address=1))
    first = doors.line(address)
    for _ in range(3):
        assert doors.knock(address).lines() == [
            "BYE code=BUSY resume=1 wait=5000 :Too many connections from your address."
        ]
    assert list(doors.channels.all) == [first.channel]
    first.lose()
    assert doors.line(address).connected


def test_nothing_of_tls_is_made_for_a_connection_that_is_turned_away() -> None:
    doors = Doors(limits=Limits(each_address=1), encrypted=True)
    peer = IPv4Address("TCP", "192.0.2.1", 4)
    entrance = Tls(CertificateOptions(), False, doors.listener)
    doors.line(peer.host)
    assert entrance.buildProtocol(peer) is None


def test_what_comes_in_encrypted_is_private_wherever_it_comes_from() -> None:
    line = Doors(encrypted=True).line("192.0.2.1")
    assert line.channel.private
    assert not line.channel.peer.local


# ----------------------------------------------------------------------- what was asked for


def test_who_reads_a_long_answer_slowly_is_not_silent() -> None:
    doors = Doors(limits=FAST)
    line = doors.program("ann")
    line.transport.window = 10_000
    line.send("".join(f"@{n} describe events\n" for n in range(20)))
    line.channel.no_more_input()
    ended = []
    while got := line.lines():
        ended += [each for each in got if " OK " in each]
        doors.advance(60_000)
    assert len(ended) == 20


def long_table(**limits: float) -> tuple[Doors, Line, Line]:
    """Two at a table where 100 kB were said, and nobody has anything to read."""
    doors = Doors(limits=replace(FAST, **limits))  # type: ignore[arg-type]
    ann, bob = doors.program("ann"), doors.program("bob")
    ann.send("open twentytwo seats=2\n")
    bob.send("join t1\n")
    for _ in range(400):
        bob.send(f"say :{next(FRESH)} " + "x" * 250 + "\n")
        bob.read()
    ann.read()
    return doors, ann, bob


def all_of(line: Line, meanwhile: Callable[[], None] = lambda: None) -> list[str]:
    """Everything that a peer gets that reads a piece at a time."""
    got: list[str] = []
    while more := line.lines():
        assert sum(map(len, more)) < HIGH_WATER + 2000, "more than a peer has room for"
        got += more
        meanwhile()
        line.clock.settle()
    return got


def seqs(lines: list[str]) -> list[int]:
    return [int(each.split(" seq=")[1].split(" ")[0]) for each in lines if " on=t1 seq=" in each]


def test_what_happens_while_a_long_answer_is_read_comes_after_it() -> None:
    doors, ann, bob = long_table()
    said = iter(range(3))
    ann.transport.window = 10_000
    ann.send("@s sync t1 from=0\n@p ping\n")

    def meanwhile() -> None:
        for number in said:
            bob.send(f"say :live {number}\n")
            return

    got = all_of(ann, meanwhile)
    end = next(at for at, each in enumerate(got) if each.startswith("@s OK"))
    told = seqs(got[:end])
    assert told == [*range(1, len(told) + 1)]
    assert seqs(got[end : end + 1]) == [told[-1]]
    assert got[-1] == "@p OK pong=-" or got[-1].startswith("SAID")
    assert "@p OK pong=-" in got[end:]
    assert seqs(got[end + 1 :]) == [*range(told[-1] + 1, doors_last(doors) + 1)]
    assert sum(each.startswith("SAID") and " :live " in each for each in got) == 3


def doors_last(doors: Doors) -> int:
    assert doors.world is not None
    return doors.world.room().stream.last


def test_only_what_nobody_asked_for_counts_against_who_does_not_read_a_long_answer() -> None:
    doors, ann, bob = long_table(unread=5_000)
    ann.transport.slow = True
    ann.transport.window = 10_000
    ann.send("@s sync t1 from=0\n" * 50)
    doors.advance(20_000)
    assert ann.connected, "what it asked for counts for nothing"
    for _ in range(15):
        bob.send(f"say :{next(FRESH)} " + "x" * 250 + "\n")
    assert ann.connected
    for _ in range(10):
        bob.send(f"say :{next(FRESH)} " + "x" * 250 + "\n")
    assert ann.transport.disconnecting, "what is withheld counts"


def test_who_is_gone_in_the_middle_of_a_long_answer_may_come_back_for_it() -> None:
    doors, ann, bob = long_table()
    ann.send("logout\n")
    ann = doors.line()
    ann.send("hello 1 client=t\n@g guest cat\n@w watch t1\n")
    token = next(each for each in ann.lines() if "token=" in each).split("token=")[1].split()[0]
    for _ in range(3):
        ann.transport.window = 10_000
        ann.send("@s sync t1 from=0\n")
        ann.lose()
        doors.clock.settle()
        bob.send("say :still here\n")
        ann = doors.line()
        ann.transport.window = 10_000
        ann.send(f"hello 1 client=t\n@r resume {token} t1:0\n")
        got = all_of(ann)
        reply = next(each for each in got if each.startswith("@r OK"))
        token = reply.split("token=")[1].split()[0]
        told = seqs([each for each in got if not each.startswith("@")])
        assert told[:-1] == [*range(1, len(told))] or told == [*range(1, len(told) + 1)]
        ann.send("@w watch t1\n")
        ann.read()
    assert not any(due.at <= doors.clock.now() for due in doors.clock.waiting)


# --------------------------------------------------------------------------------- endings


def test_who_closes_one_way_is_answered_all_they_asked_and_then_let_go() -> None:
    doors = Doors(limits=FAST)
    line = doors.line()
    line.send("ann\n" + "help\n" * 100 + "whoami\n", settle=False)
    line.channel.no_more_input()
    doors.clock.settle()
    assert line.lines()[-1] == "You are ~ann, a guest."
    assert not line.connected


def test_who_closes_one_way_while_an_answer_is_late_still_gets_it() -> None:
    handler, doors = echo()
    line = doors.line()
    handler.late = True
    line.send("hello 1\n")
    line.channel.no_more_input()
    doors.clock.settle()
    assert line.connected
    handler.waiting.pop()()
    doors.clock.settle()
    assert not line.connected


def test_a_peer_that_does_not_read_its_goodbye_is_cut_off_after_five_seconds() -> None:
    doors = Doors()
    line = doors.program("ann")
    line.transport.slow = True
    line.send("quit\n")
    assert line.transport.disconnecting
    assert not line.transport.aborting
    doors.advance(4_999)
    assert not line.transport.aborting
    doors.advance(1)
    assert line.transport.aborting


def test_nothing_comes_after_the_goodbye() -> None:
    doors = Doors(limits=FAST)
    ann, bob = doors.program("ann"), doors.program("bob")
    ann.send("open twentytwo seats=2\n")
    bob.send("join t1\n")
    bob.transport.slow = True
    bob.read()
    bob.send("quit\nping\n")
    ann.send("say :anybody there?\n")
    assert bob.lines() == ["@* OK", "BYE code=QUIT resume=1 :Goodbye, ~bob."]
    bob.send("ping\n")
    assert bob.read() == ""


def test_when_the_server_restarts_each_is_asked_back_at_another_moment() -> None:
    doors = Doors()
    programs = [doors.program(f"p{number}") for number in range(3)]
    doors.channels.stop(RESTART)
    doors.clock.settle()
    text = "The server restarts. Come back in a moment."
    assert [program.lines() for program in programs] == [
        [f"BYE code=RESTART resume=1 wait={wait} :{text}"] for wait in (1000, 1005, 1010)
    ]


def test_when_the_server_stops_everybody_hears_it_last() -> None:
    doors = Doors()
    program, person, silent = doors.program("py"), doors.person("ann"), doors.line()
    doors.channels.stop()
    doors.clock.settle()
    assert program.lines() == [
        "BYE code=SHUTDOWN resume=1 wait=1000 :The server stops. Come back soon."
    ]
    assert person.lines() == ["The server stops. Come back soon."]
    assert silent.lines() == [
        "BYE code=SHUTDOWN resume=1 wait=1010 :The server stops. Come back soon."
    ], "it may be a program that has not said hello yet"
    assert not any(line.connected for line in (program, person, silent))
    assert len(doors.clock.waiting) == 2  # the times of grace of two people
    assert not doors.channels.all


def test_a_connection_that_is_gone_leaves_nothing_behind() -> None:
    doors = Doors()
    line = doors.program("ann")
    line.send("quit\n")
    line2 = doors.program("bob")
    line2.lose()
    assert not doors.channels.all
    assert len(doors.clock.waiting) == 3  # the sweep, and two times of grace


def test_one_bad_connection_harms_no_other() -> None:
    doors = Doors(limits=FAST)
    good, bad = doors.program("ann"), doors.program("bad")
    for data in (b"\x00" * 5000, b"\xff\xfa" * 1000, b"@@@ @\n" * 50, b"\r" * 5000, b"\n" * 9000):
        bad.send(data)
        good.send("ping\n")
        assert good.lines()[-1] == "@* OK pong=-"


def test_a_program_is_never_spoken_telnet_to() -> None:
    handler, doors = echo()
    line = doors.line()
    line.send(b"hello 1\n\xff\xfd\x01\nping\n")
    assert line.session.mode is Mode.PROGRAM
    assert handler.lines == ["hello 1", Flaw.BAD_UTF8, "ping"]
    assert line.read() == ""


def test_limits_for_development_are_none_that_a_bot_would_meet() -> None:
    doors = Doors(limits=UNLIMITED)
    line = doors.program("ann")
    line.send("ping\n" * 1_500)
    assert set(line.lines()) == {"@* OK pong=-"}


def test_who_is_too_fast_is_told_how_long_to_wait_and_then_obeyed() -> None:
    doors = Doors()
    line = doors.program("ann")
    doors.advance(10_000)
    line.send("".join(f"@{n} whoami\n" for n in range(25)))
    lines = line.lines()
    assert [" OK " in each for each in lines] == [True] * 20 + [False] * 5
    wait = int(lines[20].split("wait=")[1].split()[0])
    assert lines[20].startswith("@20 ERR code=RATE class=limit wait=")
    doors.advance(wait)
    line.send("whoami\n")
    assert " OK " in line.read()


def test_talk_has_a_limit_of_its_own() -> None:
    doors = Doors()
    line = doors.program("ann")
    doors.advance(10_000)
    line.send("".join(f"shout :{number}\n" for number in range(6)))
    lines = line.lines()
    assert [" OK " in each for each in lines] == [True] * 5 + [False]
    assert "wait=2000" in lines[-1]
    line.send("ping\n")
    assert " OK " in line.read()


# --------------------------------------------------------------------------- passwords


@together(
    ("address", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("", True),
        ("192.0.2.1", False),
        ("::ffff:192.0.2.1", False),
        ("2001:db8::1", False),
        ("0.0.0.0", False),
    ],
)
def test_a_connection_of_this_machine_is_local_and_no_other(address: str, local: bool) -> None:
    assert Doors().line(address).channel.private is local


def test_a_password_is_asked_for_with_the_echo_off_and_taken_with_it_on() -> None:
    line = Doors(limits=FAST).line()
    line.send(bytes([255, 253, 3]) + b"register ann\r\n")
    asked: bytes = line.transport.value()
    assert asked.startswith(bytes([255, 252, 3, 255, 251, 1]))
    line.transport.clear()
    line.send(bytes([255, 253, 1]) + b"three blind mice\r\n")
    assert 255 not in line.transport.value()
    line.transport.clear()
    line.send("three blind mice\r\n")
    done: bytes = line.transport.value()
    assert done.startswith(bytes([255, 252, 1]))
    assert b"Welcome, ann." in done


def test_the_log_of_a_development_server_holds_no_password() -> None:
    doors = Doors(limits=FAST)
    log: list[str] = []
    doors.channels.trace = log.append
    program, person = doors.program(), doors.line()
    program.send("@1 register ann :three blind mice\n")
    program.send("@2 password three%20blind%20mice :four blind mice\n")
    person.send("login ann\nfour blind mice\n")
    assert "@1 register ..." in "\n".join(log)
    assert any("Welcome, ann." in line for line in log)
    assert not any("mice" in line for line in log)
