"""Telnet is taken out of what people type, cut anywhere, and answered at most once."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.cases import together
from tests.kit.memory import tracing
from tests.kit.pairs import Doors, Echo
from twentytwo_protocol.framing import Flaw
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.line_reader import LineReader
from twentytwo_server.net.telnet import (
    DO,
    DONT,
    IAC,
    NAWS,
    OVERWRITE,
    SB,
    SE,
    WILL,
    WONT,
    TelnetFilter,
    edited,
)
from twentytwo_server.session.recipient import Mode

MOST = 2 * 256 * 3
"""Bytes that all the answers to one connection may take."""


def filtered(data: bytes, chunk: int = 0) -> tuple[bytes, bytes, int | None]:
    telnet, text, answers = TelnetFilter(), b"", b""
    size = chunk or max(1, len(data))
    for start in range(0, len(data), size):
        more, answer = telnet.feed(data[start : start + size])
        text, answers = text + more, answers + answer
    return text, answers, telnet.width


def naws(width: int, height: int) -> bytes:
    size = bytes([width >> 8, width & 255, height >> 8, height & 255])
    return bytes([IAC, SB, NAWS]) + size.replace(b"\xff", b"\xff\xff") + bytes([IAC, SE])


def test_text_without_telnet_is_left_as_it_is() -> None:
    assert filtered("say grüße\r\n".encode()) == ("say grüße\r\n".encode(), b"", None)


@pytest.mark.parametrize("verb", [DO, WILL])
def test_every_option_but_the_window_size_is_refused_once(verb: int) -> None:
    refusal = WONT if verb == DO else DONT
    for option in range(256):
        if option in (10, 13):
            continue
        ask = bytes([IAC, verb, option])
        expected = bytes([IAC, refusal, option])
        if (verb, option) == (WILL, NAWS):
            expected = bytes([IAC, DO, NAWS])
        assert filtered(ask * 3 + b"x") == (b"x", expected, None)


@pytest.mark.parametrize("verb", [DONT, WONT])
def test_a_refusal_is_not_answered(verb: int) -> None:
    data = b"".join(bytes([IAC, verb, option]) for option in range(14, 256))
    assert filtered(data) == (b"", b"", None)


def test_a_partner_that_does_the_same_comes_to_an_end() -> None:
    one, other = TelnetFilter(), TelnetFilter()
    said = bytes([IAC, WILL, 1, IAC, DO, 1, IAC, WILL, NAWS])
    for _ in range(10):
        said = other.feed(one.feed(said)[1])[1]
    assert said == b""


@together("end", [b"\n", b"\r\n", b"\r\x00"])
@together("verb", [DO, DONT, WILL, WONT])
def test_a_line_end_after_a_latin1_y_with_dots_is_a_line_end(verb: int, end: bytes) -> None:
    text, answer, _ = filtered(b"say " + bytes([IAC, verb]) + end + b"hi\n")
    assert text == b"say " + end + b"hi\n"
    assert answer == b""


def test_other_commands_are_dropped() -> None:
    for command in range(256):
        if command in (DO, DONT, WILL, WONT, SB):
            continue
        assert filtered(bytes([97, IAC, command, 98])) == (b"ab", b"", None)


@together("chunk", [0, 1, 2, 3])
@together(("width", "height"), [(80, 24), (80, 10), (10, 13), (255, 255), (300, 10)])
def test_the_window_size_is_read_whatever_its_numbers(width: int, height: int, chunk: int) -> None:
    assert filtered(b"a" + naws(width, height) + b"b", chunk) == (b"ab", b"", width)


def test_a_subnegotiation_is_read_through_and_hardly_kept() -> None:
    telnet = TelnetFilter()
    with tracing() as kept:
        telnet.feed(bytes([IAC, SB, 39]) + b"x" * 100_000)
        assert kept() < 20_000, "of much more; what other threads have is in it"
    assert telnet.feed(bytes([IAC, SE]) + b"hi") == (b"hi", b"")
    assert telnet.width is None


def test_a_subnegotiation_without_an_end_swallows_what_follows_and_no_memory() -> None:
    telnet = TelnetFilter()
    telnet.feed(bytes([IAC, SB]))
    with tracing() as kept:
        for _ in range(1000):
            assert telnet.feed(b"y" * 1000) == (b"", b"")
        assert kept() < 20_000, "of a million bytes; what other threads have is in it"


COMMANDS = st.sampled_from([IAC, DO, DONT, WILL, WONT, SB, SE, NAWS, 10, 13, 0, 1, 65])
STREAMS = st.one_of(st.binary(max_size=60), st.lists(COMMANDS, max_size=60).map(bytes))


@given(STREAMS, st.integers(1, 7))
@settings(max_examples=300)
def test_any_cut_of_the_stream_gives_the_same(data: bytes, chunk: int) -> None:
    assert filtered(data, chunk) == filtered(data)


@given(st.lists(STREAMS, max_size=20))
def test_all_the_answers_together_are_bounded(streams: list[bytes]) -> None:
    telnet = TelnetFilter()
    answered = sum(len(telnet.feed(data)[1]) for data in streams * 3)
    assert answered <= MOST


def test_the_worst_client_gets_no_more_than_that() -> None:
    every = b"".join(
        bytes([IAC, verb, option])
        for verb, option in itertools.product((DO, DONT, WILL, WONT), range(256))
    )
    assert len(filtered(every * 5)[1]) <= MOST


@given(st.binary(max_size=80).map(lambda b: b.replace(b"\xff", b"")))
def test_text_outside_of_telnet_is_unchanged(text: bytes) -> None:
    kept, _, _ = filtered(text + bytes([IAC, WILL, 1]) + text)
    assert kept == text + text


# ----------------------------------------------------------------------- on a connection


def test_the_server_never_speaks_telnet_first() -> None:
    line = Doors().person("ann")
    line.send("help\npractice\n")
    assert "\xff" not in line.transport.value().decode("latin-1")


@pytest.mark.parametrize("chunk", [0, 1, 2])
def test_a_telnet_client_tells_its_width_before_its_first_line(chunk: int) -> None:
    handler = Echo()
    line = Doors(handler, Limits(burst=1e9)).line()
    line.send(bytes([IAC, WILL, NAWS]) + naws(40, 10) + b"ann\r\n", chunk=chunk)
    assert handler.lines == ["ann"]
    assert line.transport.value() == bytes([IAC, DO, NAWS])
    assert line.session.display.width == 39
    assert line.session.mode is Mode.PEOPLE


@together(("width", "taken"), [(0, 79), (1, 30), (31, 30), (80, 79), (400, 399), (65_535, 400)])
def test_a_window_of_any_size_is_a_width_that_can_be_written_in(width: int, taken: int) -> None:
    line = Doors().person("ann")
    line.send(naws(width, 24))
    assert line.session.display.width == taken


def test_lines_are_wrapped_to_the_new_width_at_once() -> None:
    line = Doors().person("ann")
    line.send(naws(41, 24) + b"help\n")
    assert max(map(len, line.lines())) <= 40


def test_a_latin1_line_ends_where_it_ends() -> None:
    handler = Echo()
    line = Doors(handler, Limits(burst=1e9)).line()
    line.send(b"ann\nsay \xff\xfe\nhelp\n")
    assert handler.lines[0] == "ann"
    assert handler.lines[-1] == "help"
    assert len(handler.lines) == 3


# ------------------------------------------------------------------------------- echo


OFFER = bytes([IAC, WILL, 1]) + OVERWRITE
TAKEN_BACK = bytes([IAC, WONT, 1])
AGREED, DECLINED = bytes([IAC, DO, 1]), bytes([IAC, DONT, 1])


@pytest.mark.parametrize("spoken", [b"", bytes([IAC, DO, 3])])
def test_while_a_password_is_typed_the_server_offers_to_echo(spoken: bytes) -> None:
    telnet = TelnetFilter()
    telnet.feed(spoken)
    for _ in range(3):
        assert telnet.echo(False) == OFFER
        assert telnet.echo(False) == b""
        assert telnet.feed(AGREED + b"secret\r\n") == (b"secret\r\n", b"")
        assert telnet.hidden
        assert telnet.echo(True) == TAKEN_BACK
        assert telnet.echo(True) == b""
        assert telnet.feed(DECLINED) == (b"", b"")


def test_a_terminal_that_does_not_answer_is_asked_once() -> None:
    telnet = TelnetFilter()
    assert telnet.echo(False) == OFFER
    for _ in range(3):
        assert telnet.echo(True) == b""
        assert telnet.echo(False) == b""
    assert not telnet.hidden


def test_a_terminal_that_answers_when_the_password_is_typed_goes_on_showing_what_is_typed() -> None:
    telnet = TelnetFilter()
    telnet.echo(False)
    telnet.echo(True)
    assert telnet.feed(AGREED) == (b"", TAKEN_BACK)
    assert telnet.echo(False) == OFFER  # now it is known to answer
    assert telnet.feed(DECLINED + AGREED) == (b"", b"")  # the first is about what was taken back
    assert telnet.hidden


def test_a_terminal_that_answers_at_the_next_password_shows_nothing_of_that() -> None:
    telnet = TelnetFilter()
    telnet.echo(False)
    telnet.echo(True)
    telnet.echo(False)
    assert telnet.feed(AGREED) == (b"", b"")
    assert telnet.hidden


@pytest.mark.parametrize(("before", "answer"), [(b"", b""), (AGREED, TAKEN_BACK)])
def test_a_terminal_that_declines_is_never_asked_again(before: bytes, answer: bytes) -> None:
    telnet = TelnetFilter()
    telnet.echo(False)
    telnet.feed(before)
    assert telnet.feed(DECLINED) == (b"", answer)
    assert not telnet.hidden
    assert telnet.feed((AGREED + DECLINED) * 5) == (b"", b"")
    assert telnet.echo(True) == telnet.echo(False) == b""


@given(st.lists(st.one_of(st.booleans(), STREAMS), max_size=30))
def test_no_answer_to_an_offer_makes_two_ends_talk_forever(steps: list[bool | bytes]) -> None:
    telnet, offers, said = TelnetFilter(), 0, 0
    for step in steps:
        if isinstance(step, bool):
            data = telnet.echo(step)
            offers += data == OFFER
        else:
            data = telnet.feed((step + AGREED + DECLINED) * 3)[1]
        said += len(data)
    assert said <= MOST + offers * (len(OFFER) + 2 * len(TAKEN_BACK))


@together(
    ("typed", "meant"),
    [
        (b"secreX\x7ft", b"secret"),
        (b"secreX\x08t", b"secret"),
        (b"\x7f\x7fsecret", b"secret"),
        (b"wrong\x15secret", b"secret"),
        ("gr\u00fc\u20ac\x7f\x7fass".encode(), b"grass"),
        (b"\xbf\xbf\x7fx", b"x"),
    ],
)
def test_what_a_key_took_back_was_not_typed(typed: bytes, meant: bytes) -> None:
    assert edited(typed) == meant


def test_echo_that_was_not_offered_is_refused() -> None:
    telnet = TelnetFilter()
    assert telnet.feed(bytes([IAC, DO, 1]))[1] == bytes([IAC, WONT, 1])


WILL_ECHO, WONT_ECHO = bytes([IAC, WILL, 1]), bytes([IAC, WONT, 1])


@together("end", [b"\r\n", b"\n", b"\r\x00"])
@together("typed", [[b""], [b"  "], [b"three blind mice", b""], [b"x" * 2000]])
def test_who_gives_up_a_password_sees_again_what_they_type(end: bytes, typed: list[bytes]) -> None:
    line = Doors().line()
    line.send(bytes([IAC, DO, 3]) + b"register ann" + end)
    assert WILL_ECHO in line.transport.value()
    line.send(bytes([IAC, DO, 1]))
    for each in typed:
        assert WONT_ECHO not in line.transport.value()
        line.transport.clear()
        line.send(each + end)
    assert line.transport.value().startswith(WONT_ECHO)
    line.transport.clear()
    line.send(b"login ann" + end)
    if WILL_ECHO not in line.transport.value():  # asked for anew only where there is an account
        assert IAC not in line.transport.value()


def test_a_password_is_hidden_from_a_telnet_that_said_nothing_before() -> None:
    line = Doors().line()
    line.send("register ann\r\n")
    assert line.transport.value().startswith(OFFER + b"Choose a password")
    line.transport.clear()
    # Each key by itself, with one taken back, as a terminal sends that leaves the echo to us.
    line.send(AGREED + b"three blind mixx\x7f\x7fce\r\n", chunk=1)
    assert line.lines() == ["The same password again:"]
    line.send("three blind mice\r\n")
    assert line.transport.value().startswith(TAKEN_BACK + b"Welcome, ann.")


def test_what_is_typed_stays_hidden_until_the_password_is_another() -> None:
    line = Doors().line()
    line.send("register ann\nthree blind mice\nthree blind mice\npassword\n")
    line.transport.clear()
    line.send(AGREED)
    for asked in (b"three blind mice\n", b"three blind mice 2\n", b"three blind mice 2\n"):
        assert TAKEN_BACK not in line.transport.value()
        line.send(asked)
    assert line.transport.value().count(TAKEN_BACK) == 1
    assert OFFER not in line.transport.value()


def test_who_has_sent_the_password_already_is_not_asked_for_telnet() -> None:
    line = Doors().line()
    line.send("register ann\nthree blind mice\nthree blind mice\n")
    assert "Welcome, ann." in line.read()
    assert IAC not in line.transport.value()


def test_where_there_is_no_telnet_none_is_spoken() -> None:
    answers = list[bytes]()
    connection = LineReader(Limits(), lambda: 0, answers.append, telnet=False)
    connection.receive(b"login ann\n")
    assert connection.next_line() == "login ann"
    connection.decide(people=True)
    connection.echo(False)
    assert not answers
    connection.receive(bytes([IAC, WILL, NAWS]) + b"\n")
    assert connection.next_line() is Flaw.BAD_UTF8
    assert not answers


def test_who_sends_nothing_but_telnet_is_let_go() -> None:
    line = Doors().person("ann")
    for _ in range(8):
        line.send(bytes([IAC, 241]) * 1024)
    assert line.connected
    line.send(bytes([IAC, 241]))
    assert "Too much telnet" in line.read()
    assert not line.connected


def test_a_flood_with_a_byte_of_telnet_in_each_packet_costs_hardly_more_than_without() -> None:
    telnet, packet = TelnetFilter(), bytes([IAC, 241]) + b"x" * 65_534
    began = time.process_time()
    for _ in range(20):
        assert len(telnet.feed(packet)[0]) == 65_534
    assert time.process_time() - began < 0.1  # byte by byte it took 0.3 s
