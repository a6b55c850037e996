"""Section 3: bytes and lines."""

from __future__ import annotations

from ..check import cases, quotes
from ..connections import HELLO, Address, Client, Program, cuts, parse
from ..fixtures import Connect
from ..pool import new_name

ENDS = {"LF": b"\n", "CRLF": b"\r\n", "CR NUL": b"\r\x00"}
SESSION = b"@1 hello 1 client=cut\r\n\n@2 ping a\r\x00@3 ping \xc3\xbe\n@4 bake\xff\r\n@5 quit\r\n"
ANSWERS = ["@1 OK", "@2 OK pong=a", "@3 OK pong=\u00fe", "@* ERR code=BAD_UTF8", "@5 OK", "BYE"]
CUTS = list(cuts(SESSION))


@quotes("The division of bytes into packets means nothing.", "F7")
@cases("pieces", CUTS, ids=[f"cut{n}" for n in range(len(CUTS))])
def lines_are_the_same_however_they_are_cut_into_packets(raw: Client, pieces: list[bytes]) -> None:
    for piece in pieces:
        raw.write(piece)
    for answer in ANSWERS:
        assert raw.line().startswith(answer)
    assert raw.closed()


@quotes("LF ends a line, and so does CR NUL", "F2")
@cases("end", ENDS.values(), ids=list(ENDS))
def a_program_may_end_its_lines_in_three_ways(connect: Connect, end: bytes) -> None:
    client = connect()
    client.write(b"@x ping one" + end + b"@y ping two" + end)
    assert client.reply("x")["pong"] == "one"
    assert client.reply("y")["pong"] == "two"


@quotes("LF ends a line, and so does CR NUL", "F2")
@cases("end", ENDS.values(), ids=list(ENDS))
def a_person_may_end_their_lines_in_three_ways(raw: Client, end: bytes) -> None:
    raw.write(new_name().encode() + end + b"ping" + end)
    raw.expect("Welcome, ~")
    while raw.line() != "pong":
        pass


@quotes("A byte order mark before the first line is ignored.", "F1")
def a_byte_order_mark_makes_nobody_a_person(raw: Client) -> None:
    raw.write(b"\xef\xbb\xbf@1 hello 1 client=mark\n")
    assert raw.line().startswith("@1 OK")


@quotes("a lone CR never does", "F2")
def a_lone_cr_ends_no_line(connect: Connect) -> None:
    client = connect()
    client.write(b"@x ping o\rne\n")
    assert client.reply("x")["pong"] == "one"


@quotes("The server ends its own lines with CR LF, in both modes.", "F2")
@cases("first", [HELLO, new_name()], ids=["program", "person"])
def the_server_ends_its_lines_with_cr_lf(raw: Client, first: str) -> None:
    raw.send(first, "help", "quit")
    lines = raw.rest().split(b"\n")
    assert lines.pop() == b""
    assert len(lines) > 10
    assert all(line.endswith(b"\r") for line in lines)


BAD = {
    "alone": b"\xff",
    "cut off": b"\xc3",
    "too long": b"\xc0\x80",
    "surrogate": b"\xed\xa0\x80",
    "beyond": b"\xf5\x80\x80\x80",
    "latin-1": b"sm\xf8rrebr\xf8d",
}


@quotes(
    "A line that is not valid UTF-8 is answered with @* ERR code=BAD_UTF8, whatever its id, and "
    "has no effect.",
    "F1",
)
@cases("bad", BAD.values(), ids=list(BAD))
def a_line_that_is_no_utf8_is_refused(connect: Connect, bad: bytes) -> None:
    client = connect()
    client.write(b"@x logout " + bad + b"\n")
    assert client.reply("*").code == "BAD_UTF8"
    assert client.must("whoami")["name"] == client.name


@quotes("removes control characters (C0, C1 and DEL)", "F3")
@cases("code", [0, 1, 7, 8, 11, 12, 13, 27, 31, 127, 0x80, 0x85, 0x9F])
def controls_are_removed_from_what_is_said(connect: Connect, code: int) -> None:
    client = connect()
    client.write(f"@x ping on{chr(code)}e\n".encode())
    assert client.reply("x")["pong"] == "one"


@quotes("turns each TAB into a space", "F3")
def a_tab_is_a_space(connect: Connect) -> None:
    client = connect()
    client.write(b"@x\tping\tone\n")
    assert client.reply("x")["pong"] == "one"


@quotes("removes the characters that reverse the direction of text", "F3")
@cases("code", [0x202A, 0x202E, 0x2066, 0x2069])
def talk_cannot_turn_others_text_around(connect: Connect, code: int) -> None:
    client = connect()
    client.must(f"tell {client.name} :on{chr(code)}e")
    assert client.until("TOLD").text == "one"


@quotes("characters without width, code points that are no characters", "L5", "F3")
@cases("code", [0xAD, 0x200B, 0x200D, 0x200F, 0x2060, 0xFE0F, 0xFEFF, 0xFFFE, 0xE0041])
def talk_has_nothing_in_it_that_is_not_seen(connect: Connect, code: int) -> None:
    client = connect()
    client.must(f"tell {client.name} :on{chr(code)}e")
    assert client.until("TOLD").text == "one"


@quotes("U+2028 and U+2029 become spaces", "L5")
@cases("code", [0x2028, 0x2029])
def talk_is_one_line_for_every_program(connect: Connect, code: int) -> None:
    client = connect()
    client.must(f"tell {client.name} :one{chr(code)}two")
    assert client.until("TOLD").text == "one two"


@quotes("Talk is refused if nothing is left of it, and a secret word if it has any of these.", "L5")
def what_nobody_sees_is_refused(connect: Connect) -> None:
    client = connect()
    assert client.ask(f"tell {client.name} :\u200b\u2028\ufeff").code == "BAD_ARG"
    assert client.ask("open twentytwo private=owl\u200b").code == "BAD_ARG"


@quotes("A line of the server contains no control characters.", "F3")
def no_line_of_the_server_has_a_control_in_it(connect: Connect) -> None:
    client = connect()
    for command in ("help", "help play", "describe verbs", "open twentytwo x y", "rules"):
        client.ask(command)
    client.must(f"tell {client.name} :\x1b[2J\x07boo")
    client.catch_up()
    for line in client.heard:
        assert all(ord(char) >= 32 and not 127 <= ord(char) < 160 for char in line), line


def _ping(size: int, end: bytes) -> bytes:
    line = b"@x ping "
    return line + b"a" * (size - len(line) - len(end)) + end


@quotes("A line from a client is at most 1,024 bytes", "F4")
@cases("end", ENDS.values(), ids=list(ENDS))
@cases("size", [1000, 1023, 1024])
def a_line_up_to_the_limit_is_read(connect: Connect, size: int, end: bytes) -> None:
    client = connect()
    client.write(_ping(size, end))
    assert len(client.reply("x")["pong"]) == size - 8 - len(end)


@quotes(
    "A longer line is read to its end, answered with @* ERR code=LINE_TOO_LONG max=1024",
    "F4",
)
@cases("end", ENDS.values(), ids=list(ENDS))
@cases("size", [1025, 1026, 2048, 2049, 100_000])
def a_line_beyond_the_limit_is_refused_whole(connect: Connect, size: int, end: bytes) -> None:
    client = connect(fresh=True)  # a server may count such lines, and hang up
    client.write(_ping(size, end))
    refused = client.reply("*")
    assert (refused.code, refused["max"]) == ("LINE_TOO_LONG", "1024")
    client.must("ping")


@quotes("A longer line is read to its end", "F4", "F7")
def a_long_line_in_small_packets_is_one_error(connect: Connect) -> None:
    client = connect()
    for _ in range(300):
        client.write(b"ping aaaaaaaaaaa\r")
    client.write(b"\n")
    assert client.reply("*").code == "LINE_TOO_LONG"
    client.must("ping")


@quotes("hello announces both as maxin= and maxout=", "F4")
def hello_announces_the_longest_lines(connect: Connect) -> None:
    hello = connect().hello
    assert (hello["maxin"], hello["maxout"]) == ("1024", "8192")


@quotes(
    "The name of a person or a program is a letter and then 1 to 15 letters, digits, - or _.", "F6"
)
@cases("name", ["a", "1ann", "an n", "an.n", "a" * 17, "-ann", "~", "\u00e5sa", "bot:zed"])
def a_name_that_will_not_do_is_refused(nobody: Program, name: str) -> None:
    assert nobody.ask(f"guest {name}").code in ("BAD_NAME", "BAD_ARG")
    assert nobody.ask("whoami").code == "LOGIN_FIRST"


@quotes("A guest's name has a ~ in front wherever it is written", "F6")
def a_guest_is_marked_everywhere(guest: Program, name: str) -> None:
    assert guest.name == f"~{name}"
    guest.must(f"tell {name} :hello")
    told = guest.until("TOLD")
    assert told["by"] == told["to"] == f"~{name}"
    assert f"~{name}" in [row["name"] for row in guest.listing("who")]


@quotes("If the name is taken, or belongs to an account, the guest gets a number: ~ann2.", "F6")
def a_taken_name_gets_a_number(address: Address, name: str) -> None:
    with Program(address, name) as one, Program(address, name.upper()) as other:
        assert other.name == f"~{name.upper()}2"
        assert one.name != other.name


@quotes("Verbs and a few other words are not allowed as names: BAD_NAME", "F6", "A2")
@cases("name", ["play", "Practice", "server", "bot2", "y0u"])
def a_name_that_means_something_else_is_refused(nobody: Program, name: str) -> None:
    assert nobody.ask(f"guest {name}").code == "BAD_NAME"


@quotes("After quit or a lost connection a guest's name stays taken", "F6")
@quotes("logout frees it at once", "F6")
def a_guest_who_quits_keeps_the_name_for_a_while(address: Address, name: str) -> None:
    with Program(address, name) as first:
        first.must("logout")
        assert first.must(f"guest {name}")["name"] == f"~{name}"
        first.must("quit")
    with Program(address) as second:
        assert second.must(f"guest {name}")["name"] == f"~{name}2"


@quotes("An empty line gets no answer.", "F7")
def an_empty_line_is_not_answered(connect: Connect) -> None:
    client = connect()
    client.write(b"\n\r\n   \n\r\x00@x ping\n")
    assert client.reply("x").ok


@quotes("Free text, such as chat, travels only as the text", "G4")
@cases(
    "said",
    [":)", "a :b", " TURN turn=1 default=A legal=A", "@1 OK", "a=b c=%20", "# no", "\U0001f600"],
)
def whatever_is_said_cannot_become_a_field(connect: Connect, said: str) -> None:
    client = connect()
    client.must(f"tell {client.name} :{said}")
    told = client.until("TOLD")
    assert told.text == said.rstrip()
    assert set(told.fields) == {"on", "seq", "by", "to"}


@quotes("Every line that the server sends to a program follows the grammar.", "G1")
@cases("word", ["\U0001f600", "\u00fe", "%", ",", "=", ":", "a:b", "\u2028"])
def a_word_that_comes_back_does_not_break_the_line(connect: Connect, word: str) -> None:
    client = connect()
    client.send(f"@x ping {word}", f"@y move {word}", f"@z nonsense {word}", f"@w ping 1 {word}")
    for id in "xyzw":
        record = client.reply(id).final
        assert parse(record.line) == record
