"""Sections 3, 4 and 24: people and programs on one port, and telnet."""

from __future__ import annotations

from pathlib import Path

from ..check import cases, quotes, raises
from ..connections import Address, Client, Closed, Person, Program, parse
from ..pool import new_name

TELNET = sorted((Path(__file__).parent / "telnet").glob("*.txt"))
IAC = 0xFF


@quotes(
    "The greeting begins with #, names both ways in, and is at most 79 columns long.", "P7", "M1"
)
def the_server_greets_with_one_line_and_waits(raw: Client) -> None:
    assert raw.greeting.startswith("# cardline/1 ")
    assert "hello 1" in raw.greeting and "name" in raw.greeting
    assert len(raw.greeting) <= 79
    raw.socket.settimeout(0.05)
    with raises(TimeoutError):
        raw.line()


@quotes("The connection is a program's. Every later line follows the grammar below.", "M1")
@cases(
    "hello", ["hello 1", "@1 hello 1", "@x.y-z_9 hello 1 client=a/1 bot=1", "HELLO 1", " hello 1"]
)
def hello_1_makes_it_a_programs_connection(raw: Client, hello: str) -> None:
    raw.send(hello, "help", "bogus", "quit")
    lines = raw.rest().decode().split("\r\n")[:-1]
    records = [parse(line) for line in lines]
    assert all(records)
    assert records[0] and records[0].word == "OK" and records[0]["proto"] == "1"


@quotes("The answer is ERR code=BAD_VERSION have=1, and the connection is closed.", "M2")
@cases("version", ["2", "0", "-1", "11", "2,3"])
def another_version_is_refused_and_the_connection_closed(raw: Client, version: str) -> None:
    raw.send(f"@7 hello {version} client=later", "@8 ping")
    refused = parse(raw.line())
    assert refused is not None and refused.id == "7"
    assert (refused["code"], refused.items("have")) == ("BAD_VERSION", ["1"])
    assert raw.closed()


@quotes("chooses the highest version that it speaks too, and returns it as proto=", "M9")
@cases("versions", ["1,2", "2,1", "1,1", "0,1,99"])
def the_highest_version_that_both_speak_is_spoken(address: Address, versions: str) -> None:
    with Program(address, hello=f"hello {versions} client=later") as client:
        assert client.hello["proto"] == "1"


@quotes("hello ignores unknown arguments, by position and by name", "M10")
@cases(
    "arguments",
    ["1 client=x zip", "1 client=x lang=en caps=json", "1 a=b client=x more and=more", "zip=1 1"],
)
def hello_ignores_what_it_does_not_know(address: Address, arguments: str) -> None:
    with Program(address, hello=f"hello {arguments}") as client:
        assert client.hello["proto"] == "1"
        assert client.hello.final.items("caps") == ["json"] * ("json" in arguments) + ["grease"] * (
            "client" not in arguments
        )
        refused = client.ask("ping soup lang=en")
        assert (refused.code, "arg" in refused.final) == ("BAD_ARG", True)


@quotes("The connection is a person's, and the line is carried out as a command.", "M3")
@cases("line", ["help", "HELP", "games", "tables", "?", "bogus thing", "hello"])
def any_other_first_line_is_a_persons(stranger: Person, line: str) -> None:
    shown = stranger.tell(line)
    assert shown and not any(each.startswith("@") for each in shown)


@quotes("A name alone is enough: ann means guest ann.", "M3")
def a_name_alone_is_enough(stranger: Person, name: str) -> None:
    assert f"Welcome, ~{name}" in stranger.tell(name)[0]


HTTP = (
    *("GET / HTTP/1.1", "POST /x HTTP/1.0", "HEAD / HTTP/1.1", "PUT / HTTP/1.1"),
    *("DELETE / HTTP/1.1", "OPTIONS * HTTP/1.1", "CONNECT a:1 HTTP/1.1"),
)


@quotes("The answer is HTTP/1.0 400 Bad Request, and the server reads nothing more.", "M4")
@cases("request_line", HTTP)
def http_is_sent_away(raw: Client, request_line: str) -> None:
    raw.write(f"{request_line}\r\nHost: x\r\n\r\nhello 1\r\n".encode())
    assert raw.line() == "HTTP/1.0 400 Bad Request"
    assert raw.rest() == b"\r\n"


@quotes("The connection is closed without an answer: this port speaks no TLS", "M5")
@cases("first", [b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"])
def tls_is_closed_without_a_word(raw: Client, first: bytes) -> None:
    raw.write(first)
    assert raw.closed()


@quotes("Options are answered, and the server still waits for the first line.", "M6")
@cases("hello", [True, False], ids=["program", "person"])
def telnet_first_decides_nothing_yet(raw: Client, name: str, hello: bool) -> None:
    raw.write(bytes([IAC, 0xFB, 0x18]))
    assert raw.socket.recv(3) == bytes([IAC, 0xFE, 0x18])
    raw.send("@1 hello 1" if hello else name)
    raw.expect("@1 OK proto=1" if hello else "Welcome, ~")


@quotes(
    "A client need not wait for output: it may send hello, guest, join and more in one packet.",
    "M7",
)
def everything_may_come_in_one_packet(raw: Client, name: str) -> None:
    raw.send("@1 hello 1 client=fast", f"@2 guest {name}", "@3 practice bots=1", "@4 ping")
    replies = [parse(raw.line()) for _ in range(3)]
    assert [reply and reply.id for reply in replies] == ["1", "2", "3"]
    while not raw.line().startswith("@4 OK"):
        pass


@quotes("even when the client has already closed its half of the connection", "M7")
def a_client_that_has_closed_its_half_gets_its_answers(raw: Client, name: str) -> None:
    raw.send("@1 hello 1 client=pipe", f"@2 guest {name}", *(f"@p{n} ping" for n in range(99)))
    raw.half_close()
    lines = raw.rest().decode().splitlines()
    assert [line.split()[0] for line in lines] == ["@1", "@2", *(f"@p{n}" for n in range(99))]


@quotes("The mode is not stored with the name", "M8")
def the_mode_belongs_to_the_connection(address: Address, name: str) -> None:
    with Program(address, name, hello="hello 1 client=x bot=1") as program:
        token = program.token
    with Person(address) as person:
        assert any("Welcome back" in line for line in person.tell(f"resume {token}"))


@quotes("A later hello is refused with WRONG_MODE", "M8")
@cases("options", ["", " client=x", " bot=1", " caps=json", " client=x bot=1"])
def hello_comes_only_once(raw: Client, options: str) -> None:
    raw.send(f"@1 hello 1{options}", "@2 hello 1 client=y")
    raw.line()
    heard = raw.line()
    while "XGROW" in heard:
        heard = raw.line()
    assert "WRONG_MODE" in heard


@quotes("A later hello is refused with WRONG_MODE", "M8")
def a_person_cannot_become_a_program(ann: Person) -> None:
    shown = ann.tell("hello 1")
    assert len(shown) == 1 and shown[0].startswith("! ")


# ------------------------------------------------------------------------------- telnet


def _golden(path: Path) -> bytes:
    lines = path.read_text(encoding="ascii").splitlines()
    return b"".join(bytes.fromhex(line.partition("#")[0]) for line in lines)


@quotes("Negotiation never swallows a line", "P8")
@cases("slowly", [False, True], ids=["at once", "byte by byte"])
@cases("golden", TELNET, ids=[path.stem for path in TELNET])
def a_telnet_that_negotiates_first_loses_nothing(raw: Client, golden: Path, slowly: bool) -> None:
    name = new_name()
    data = _golden(golden) + name.encode() + b"\r\nquit\r\n"
    (raw.dribble if slowly else raw.write)(data)
    heard = raw.rest()
    assert f"Welcome, ~{name}".encode() in heard
    assert b"Goodbye" in heard


@quotes("it answers each option at most once", "P8")
@cases("golden", TELNET, ids=[path.stem for path in TELNET])
def every_option_is_refused_once_but_the_window_size(address: Address, golden: Path) -> None:
    sent = _golden(golden)
    asked = [
        (sent[at + 1], sent[at + 2])
        for at in range(len(sent) - 2)
        if sent[at] == IAC and sent[at + 1] in (0xFB, 0xFD)
    ]
    with Client(address) as client:
        client.write(sent + sent + b"quit\r\n")
        heard = client.rest()
    answers = [heard[at : at + 3] for at in range(len(heard)) if heard[at] == IAC]
    wanted = {
        bytes([IAC, 0xFC if verb == 0xFD else 0xFD if option == 31 else 0xFE, option])
        for verb, option in asked
    }
    assert set(answers) == wanted
    assert len(answers) == len(wanted)


@quotes("The server sends no telnet bytes before the client has sent one, except for P8", "F5")
def the_server_never_speaks_telnet_first(raw: Client, name: str) -> None:
    raw.send(name, "help", "practice bots=1", "quit")
    assert IAC not in raw.rest()


@quotes("in a program's line the byte FF is simply bad UTF-8", "F5")
def a_program_gets_no_telnet(nobody: Program) -> None:
    nobody.write(bytes([IAC, 0xFB, 0x18]) + b"\n")
    assert nobody.reply("*").code == "BAD_UTF8"
    nobody.must("ping")
    assert "\ufffd" not in "".join(nobody.heard)


@quotes("the window size (NAWS), which sets the width of lines", "P8")
@cases("width", [40, 60, 80])
def the_window_size_sets_the_width(raw: Client, name: str, width: int) -> None:
    raw.write(bytes([IAC, 0xFB, 31, IAC, 0xFA, 31, 0, width, 0, 10, IAC, 0xF0]))
    assert raw.socket.recv(3) == bytes([IAC, 0xFD, 31])
    raw.send(name, "help", "rules twentytwo", "quit")
    lines = raw.rest().decode().splitlines()
    assert width // 2 < max(map(len, lines)) < width


@quotes("LF or CR right after IAC DO, DONT, WILL or WONT is the end of a line", "P8")
@cases("verb", [0xFB, 0xFC, 0xFD, 0xFE])
@cases("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def a_letter_of_another_character_set_swallows_no_line(ann: Person, verb: int, end: bytes) -> None:
    ann.write(b"say hm" + bytes([IAC, verb]) + end)
    assert ann.catch_up(), "the line was answered"


@quotes("a subnegotiation is skipped whole", "P8")
@cases("size", [0, 1, 63, 64, 65, 5000])
def a_subnegotiation_is_skipped_whole(ann: Person, size: int) -> None:
    ann.write(bytes([IAC, 0xFA, 24]) + b"x\n" * (size // 2) + bytes([IAC, 0xF0]))
    assert ann.tell("ping") == ["pong"]


@quotes("the server reads nothing more", "M4")
def what_is_no_line_yet_keeps_nobody_waiting(raw: Client) -> None:
    raw.dribble(b"GET /")
    raw.line()
    with raises(Closed):
        while True:
            raw.line()
