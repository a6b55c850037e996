"""Lines over SSH: who comes in, one session, one line of commands, hostile clients."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from twisted.conch.ssh import transport as conch
from twisted.conch.ssh.common import NS
from twisted.conch.ssh.keys import Key
from twisted.conch.ssh.userauth import MSG_USERAUTH_REQUEST

from tests.kit.cases import together
from tests.kit.ssh_clients import SshClient, SshDoors, key_of, public_line
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.ssh.editor import LineEditor
from twentytwo_server.net.ssh.host_key import host_key, shown
from twentytwo_server.net.ssh.login import MOST, is_signed
from twentytwo_server.net.ssh.terminal import strings
from twentytwo_server.net.ssh.transport import (
    AT_ONCE,
    COME_IN,
    LARGEST,
    TYPED_AHEAD,
    UNDER_A_NAME,
    WAITING,
)
from twentytwo_server.net.transport import HANDSHAKE
from twentytwo_server.scheduler import SLICE


def owner(doors: SshDoors, name: str = "ann", *keys: str) -> None:
    """Makes an account with these keys."""
    assert doors.world is not None
    peer = doors.world.program()
    peer.ok(f"register {name} :three blind mice")
    for key in keys:
        peer.ok(f"keys add :{public_line(key)}")
    peer.drop()


# ------------------------------------------------------------------------------ coming in


def test_the_name_is_the_users_and_no_greeting_of_programs_is_shown() -> None:
    person = SshDoors().at_terminal("ann")
    said = person.read()
    assert said.startswith("Welcome, ~ann.")
    assert said.endswith("\r> ")
    assert person.session.answers == [True, True]


@together("user", ["a", "ann b", "ann\nquit", "x" * 99, "", "ann\0", "émile"])
def test_whoever_has_no_name_for_a_person_is_asked_for_one(user: str) -> None:
    person = SshDoors().at_terminal(user)
    assert "Welcome" not in person.read()
    assert "Welcome, ~bea." in person.says("bea")


def test_a_key_of_the_account_logs_in() -> None:
    doors = SshDoors()
    owner(doors, "ann", "laptop", "phone")
    assert "Welcome, ann." in doors.at_terminal("Ann", "strange", "phone").read()
    assert "Welcome, ann." in doors.at_terminal("ann", "laptop").read()


def test_a_client_without_a_key_of_the_account_is_a_guest_who_may_log_in_and_add_it() -> None:
    doors = SshDoors()
    owner(doors, "ann", "laptop")
    owner(doors, "bob", "bobs")
    person = doors.at_terminal("ann", "bobs", "new")
    assert "Welcome, ~ann2 (ann is an account; if it is yours, login ann)" in person.read()
    assert "Password" in person.says("login ann")
    assert "three" not in person.says("three blind mice")
    assert "now logs in" in person.says("keys add")
    assert "Welcome, ann." in doors.at_terminal("ann", "bobs").read(), (
        "the first key shown was added"
    )


def test_a_guest_who_registers_adds_the_key_of_the_same_connection() -> None:
    doors = SshDoors()
    person = doors.at_terminal("ann", "laptop", "phone")
    assert (len(person.login.shown), person.login.asked) == (1, 0), "no signature, no passphrase"
    person.says("register ann")
    person.says("three blind mice")
    assert "keys add lets your ssh log you in." in person.says("three blind mice")
    assert "now logs in" in person.says("keys add")
    again = doors.at_terminal("ann", "laptop").read()
    assert "Welcome, ann." in again and "keys add" not in again


def test_openssh_that_may_ask_nothing_shows_all_its_keys_and_is_a_guest() -> None:
    doors = SshDoors()
    owner(doors, "ann", "laptop")
    weak = Key(rsa.generate_private_key(65537, 1024)).public().blob()
    shown = [key_of("one").public().blob(), weak, key_of("two").public().blob()]
    client = SshClient(doors.raw(), "ann", [], stubborn=True, software="OpenSSH_9.2p1")
    for blob in shown:
        client.show(blob)
    assert (client.login.failures, client.login.partial, client.conn.started) == (4, 1, False)
    client.show(key_of("laptop").public().blob())
    assert (client.login.asked, client.conn.started) == (1, False), "which it cannot sign with"
    client.show(shown[0])
    assert client.conn.started
    client.open(terminal=True)
    assert "Welcome, ~ann2 (ann is an account" in client.read()


def test_other_clients_are_not_told_of_a_partial_success_which_would_be_the_end_of_their_keys() -> (
    None
):
    doors = SshDoors()
    owner(doors, "ann", "laptop")
    client = doors.client("ann", "strange", "laptop")
    assert (client.login.partial, client.login.asked, client.conn.started) == (0, 1, True)


def test_a_guests_name_comes_in_without_showing_anything() -> None:
    doors = SshDoors()
    owner(doors, "ann", "laptop")
    for user, welcome in (("~ann", "~ann2"), ("~bob", "~bob")):
        person = doors.at_terminal(user, "laptop")
        assert f"Welcome, {welcome}" in person.read()
        assert (person.login.failures, person.login.shown) == (0, [])


def test_a_removed_key_logs_in_no_more() -> None:
    doors = SshDoors()
    owner(doors, "ann", "laptop")
    doors.at_terminal("ann", "laptop").says("keys remove 1")
    assert "Welcome, ~ann2" in doors.at_terminal("ann", "laptop").read()


def test_a_key_without_a_signature_of_its_owner_logs_nobody_in() -> None:
    doors = SshDoors()
    owner(doors, "ann", "laptop")
    thief = SshClient(doors.raw(), "ann", [key_of("laptop")], signs_with=key_of("other"))
    thief.open(terminal=True)
    assert "Welcome, ~ann2" in thief.read()
    assert "Password" in thief.says("login ann")


def test_a_signature_counts_for_its_own_key_text_and_algorithm() -> None:
    ours, other = key_of("ours"), key_of("other")
    kind, signature = ours.sshType(), ours.sign(b"text")
    good = ours.public().blob(), "ssh-ed25519", kind, signature, b"text"
    assert is_signed(*good)
    assert not is_signed(other.public().blob(), *good[1:])
    assert not is_signed(*good[:4], b"another text")
    assert not is_signed(good[0], good[1], b"ssh-rsa", signature, b"text")
    for wrong in (b"", b"\0" * 4, NS(kind), NS(kind) + NS(b""), signature[:-1], b"x" * 40):
        assert not is_signed(good[0], good[1], kind, wrong, b"text")


def test_a_security_key_must_have_been_touched() -> None:
    private = Ed25519PrivateKey.generate()
    plain = Key(private).public().blob()
    kind = b"sk-ssh-ed25519@openssh.com"
    (_, point), _ = strings(plain, 2)
    blob = NS(kind) + NS(point) + NS(b"ssh:")
    for flags, good in ((b"\1", True), (b"\5", True), (b"\0", False), (b"\4", False)):
        rest = flags + b"\0\0\0\7"
        said = hashlib.sha256(b"ssh:").digest() + rest + hashlib.sha256(b"text").digest()
        signature = NS(kind) + NS(private.sign(said)) + rest
        assert is_signed(blob, kind.decode(), kind, signature, b"text") == good
        assert not is_signed(blob, kind.decode(), kind, signature[:-5], b"text")


def test_a_client_with_very_many_keys_is_a_guest_in_the_end() -> None:
    doors = SshDoors()
    owner(doors, "ann", "laptop")
    for software in ("PuTTY", "OpenSSH"):
        keys = [key_of(f"key{number}") for number in range(60)]
        client = SshClient(doors.raw(), "ann", keys, software=software)
        assert client.conn.started
        assert client.login.failures < MOST


# ---------------------------------------------------------------------------- the session


def test_one_line_of_commands_is_answered_and_the_connection_closed() -> None:
    client = SshDoors().client("ann")
    client.open(line="games")
    assert "Twenty-Two" in client.read()
    assert (client.session.status, client.session.over, client.connected) == (0, True, False)


def test_a_line_that_needs_no_name_takes_none() -> None:
    client = SshDoors().client("ann")
    client.open(line="games\nquit")
    assert "Welcome" not in client.read()
    client = SshDoors().client("ann")
    client.open(line="whoami")
    assert "Welcome, ~ann." in client.read()


@together("user", ["a", "ann b", "x" * 300, "", "émile"])
def test_a_line_under_what_is_no_name_is_told_which_names_are(user: str) -> None:
    client = SshDoors().client(user)
    client.open(line="whoami")
    assert client.read() == f"{UNDER_A_NAME}\n"
    assert not client.connected


def test_a_line_that_is_too_long_is_refused_before_it_is_parsed() -> None:
    client = SshDoors().client("ann")
    client.open(line="play " + "q " * 16_000)
    said = client.read()
    assert "too long" in said and "Welcome" not in said
    assert not client.connected


def test_a_line_that_gives_a_seat_leaves_the_connection_open_for_the_game() -> None:
    client = SshDoors().client("ann")
    client.open(line="practice bots=1")
    said = client.read()
    assert "Your cards" in said and "\r" not in said and "\x1b" not in said
    client.type("score\n")
    assert "bot:steady" in client.read()
    client.conn.sendEOF(client.session)
    client.pump()
    assert not client.connected


def test_the_lines_of_a_client_without_a_terminal_are_taken_as_they_are() -> None:
    client = SshDoors().client("ann")
    client.open()
    client.type("whoami\nquit\n")
    said = client.read()
    assert "You are ~ann" in said and ">" not in said and not client.connected


@together(
    ("kind", "data"),
    [
        (b"subsystem", NS(b"sftp")),
        (b"x11-req", b"\0"),
        (b"auth-agent-req@openssh.com", b""),
        (b"signal", NS(b"KILL")),
        (b"pty-req", b"\0\0\0\xff"),
        (b"window-change", b""),
        (b"env", NS(b"LD_PRELOAD") + NS(b"x")),
        (b"env", b""),
        (b"\xff", b""),
        (b"shell", b""),
        (b"exec", NS(b"who")),
    ],
)
def test_nothing_else_is_granted_in_a_session(kind: bytes, data: bytes) -> None:
    person = SshDoors().at_terminal("ann")
    person.request(kind, data)
    assert person.session.answers == [True, True, False]
    assert "You are ~ann" in person.says("whoami")


@together("kind", [b"session", b"direct-tcpip", b"x11", b"nonsense"])
def test_there_is_one_session_and_no_other_channel(kind: bytes) -> None:
    person = SshDoors().at_terminal("ann")
    first = person.session
    person.packet(90, NS(kind) + struct.pack(">3L", 7, 1 << 20, 32768) + NS(b"h") + b"\0" * 4)
    person.session = first
    assert person.conn.refused == 1
    assert "You are ~ann" in person.says("whoami")


def test_no_port_is_forwarded() -> None:
    person = SshDoors().at_terminal("ann")
    asked = person.conn.sendGlobalRequest(b"tcpip-forward", NS(b"") + b"\0\0\0\0", wantReply=1)
    failed: list[object] = []
    asked.addErrback(failed.append)
    person.pump()
    assert failed


def test_leaving_says_goodbye_and_takes_the_prompt_away() -> None:
    person = SshDoors().at_terminal("ann")
    person.read()
    person.type("\x04")
    said = person.read()
    assert "> " in said and said.endswith(" \r") and not person.connected
    assert person.session.status == 0


def test_a_password_is_not_shown_and_not_kept_in_the_history() -> None:
    person = SshDoors().at_terminal("ann")
    person.read()
    person.says("register ann")
    for _ in range(2):
        assert "blind" not in person.says("three blind mice")
    person.type("\x1b[A")
    assert person.read() == ""


def test_a_half_typed_line_stays_under_what_happens() -> None:
    doors = SshDoors()
    ann, bob = doors.at_terminal("ann"), doors.at_terminal("bob")
    ann.read()
    ann.type("say hel")
    bob.says("tell ann hello")
    ann.pump()
    said = ann.read()
    assert said.endswith("\r> say hel")
    assert "~bob tells ~ann: hello" in said


def test_the_terminal_tells_width_characters_and_colours() -> None:
    doors = SshDoors()
    ann = doors.at_terminal("ann", columns=60)
    assert ann.line.session.display.width == 59
    display = ann.line.session.display
    assert (display.charset, display.suits, display.colour) == ("utf8", "signs", "on")
    ann.resize(100)
    assert ann.line.session.display.width == 99
    dumb = doors.at_terminal("bob", term="dumb", environment={"LANG": "C"}).line.session.display
    assert (dumb.charset, dumb.suits, dumb.colour) == ("ascii", "letters", "off")


def test_tab_completes_from_the_server() -> None:
    person = SshDoors().at_terminal("ann")
    person.read()
    person.type("whoa\t")
    assert person.read().endswith("mi ")


# ------------------------------------------------------------------------ hostile clients


def test_a_client_that_does_not_come_in_is_cut_off() -> None:
    doors = SshDoors()
    silent = doors.raw().transport
    doors.advance(HANDSHAKE - 1)
    assert silent.connected
    doors.advance(1)
    assert not silent.connected
    waiting, person = doors.client("ann").line.transport, doors.at_terminal("bob")
    doors.advance(COME_IN - 1)
    assert waiting.connected
    doors.advance(1)
    assert not waiting.connected
    assert person.connected


def test_few_connections_of_an_address_wait_before_they_come_in() -> None:
    doors = SshDoors(Limits(each_address=500, connect_burst=500))
    first = [doors.raw() for _ in range(WAITING)]
    refused = doors.raw()
    assert refused.read() == "Too many connections from your address.\r\n"
    assert not refused.connected
    assert doors.raw("192.0.2.8").connected
    first[0].lose()
    assert "Welcome" in doors.at_terminal("ann").read()
    assert doors.raw().connected
    assert doors.channels.metrics.turned_away["address"] == 1


def test_who_is_turned_away_reads_why_before_the_version() -> None:
    doors = SshDoors(Limits(each_address=1))
    doors.raw()
    assert doors.raw().read() == "Too many connections from your address.\r\n"


@together(
    "data",
    [
        b"GET / HTTP/1.1\r\n" * 400,
        b"SSH-1.5-old\r\n",
        b"SSH-2.0-x\r\n" + b"\xff" * 64,
        b"SSH-2.0-x\r\n" + b"\0\0\xff\xff" + b"\0" * (LARGEST + 1),
        b"SSH-2.0-x\r\n\0\0\0\x0c\x0a\x05" + b"\0" * 10,
        b"SSH-\r\n",
    ],
)
@together("chunk", [0, 7])
def test_what_is_no_ssh_is_cut_off(data: bytes, chunk: int) -> None:
    line = SshDoors().raw()
    line.send(data, chunk=chunk)
    assert not line.connected


@together(
    ("kind", "payload"),
    [
        (5, NS(b"ssh-connection")),
        (5, NS(b"ssh-userauth")),
        (21, b""),
        (30, NS(b"k" * 32)),
        (90, b""),
        (90, NS(b"session") + b"\0"),
        (93, b"\0\0\0\7\0\0\0\1"),
        (94, b"\0\0\0\7" + NS(b"x")),
        (94, b""),
        (98, b""),
    ],
)
def test_a_packet_at_the_wrong_time_or_cut_short_ends_the_connection(
    kind: int, payload: bytes
) -> None:
    client = SshDoors().client("ann")
    client.packet(kind, payload)
    assert not client.connected


@together("kind", [50, 60, 61, 91, 92, 99, 100, 192, 255])
def test_a_packet_that_answers_nothing_changes_nothing(kind: int) -> None:
    person = SshDoors().at_terminal("ann")
    person.packet(kind, b"\0" * 40)
    assert "You are ~ann" in person.says("whoami")


def test_nothing_is_taken_before_it_is_encrypted() -> None:
    line = SshDoors().raw()
    packet = bytes((5,)) + NS(b"ssh-userauth")
    pad = 8 - (len(packet) + 5) % 8 + 8
    line.send(
        b"SSH-2.0-x\r\n" + struct.pack(">LB", len(packet) + pad + 1, pad) + packet + b"\0" * pad
    )
    assert not line.connected


def test_a_client_may_exchange_keys_again_but_not_all_the_time() -> None:
    doors = SshDoors()
    person = doors.at_terminal("ann")
    for _ in range(3):
        person.wire.sendKexInit()
        person.pump()
        assert "You are ~ann" in person.says("whoami")
    for _ in range(3):
        if person.connected:
            person.wire.sendKexInit()
            person.pump()
    assert not person.connected


def test_passwords_are_not_taken_and_a_login_has_an_end() -> None:
    doors = SshDoors()
    owner(doors)
    client = SshClient(doors.raw(), "ann", [], stubborn=True)
    request = NS(b"ann") + NS(b"ssh-connection") + NS(b"password") + b"\0" + NS(b"guess")
    for _ in range(MOST - 1):
        client.packet(MSG_USERAUTH_REQUEST, request)
        assert client.connected and not client.conn.started
    client.packet(MSG_USERAUTH_REQUEST, request)
    assert not client.connected


def test_a_key_exchange_has_one_answer() -> None:
    client = SshDoors().client("ann")
    client.deaf = True
    client.wire.supportedKeyExchanges = [b"curve25519-sha256"]
    client.wire.sendKexInit()
    client.pump()
    point = NS(b"\x09" + b"\0" * 31)
    client.packet(30, point)
    assert client.connected
    client.packet(30, point)
    assert not client.connected


def test_a_signature_by_sha_1_is_not_even_asked_for() -> None:
    doors = SshDoors()
    assert doors.world is not None
    key = Key(rsa.generate_private_key(65537, 2048)).public()
    peer = doors.world.program()
    peer.ok("register ann :three blind mice")
    peer.ok(f"keys add :{key.toString('openssh').decode()}")
    for algorithm, asked in ((b"ssh-rsa", False), (b"rsa-sha2-256", True)):
        client = SshClient(doors.raw(), "ann", [], stubborn=True)
        client.show(key.blob(), algorithm)
        assert bool(client.login.asked) == asked


def test_a_client_that_does_not_read_is_cut_off() -> None:
    doors = SshDoors(Limits(unread=1 << 16))
    ann = doors.at_terminal("ann", window=4096)
    ann.session.localWindowLeft = 1 << 30  # takes everything, and never asks for more
    bob = doors.at_terminal("bob")
    for number in range(400):
        if not ann.connected:
            break
        bob.says(f"tell ann {number} {'x' * 290}")
        doors.advance(3000)
    assert not ann.connected
    assert bob.connected


def test_an_editor_draws_nothing_for_a_client_that_does_not_read() -> None:
    doors = SshDoors()
    person = doors.at_terminal("ann")
    person.read()
    person.server.pauseProducing()
    person.line.transport.clear()
    before = len(person.line.transport.writes)
    for _ in range(500):
        person.type("abc\x1b[D\x1b[D")
    assert len(person.line.transport.writes) - before < 20, "the window is opened again"
    person.server.resumeProducing()
    person.pump()
    assert "aaa" in person.read()


def test_answers_to_a_client_that_does_not_read_do_not_fill_the_memory() -> None:
    doors = SshDoors(Limits(unread=1 << 16))
    person = doors.at_terminal("ann")
    person.server.pauseProducing()
    person.deaf = True
    for _ in range(5000):
        if not person.connected:
            break
        person.wire.sendPacket(80, NS(b"keepalive@openssh.com") + b"\1")
        person.pump()
    assert not person.connected


def test_keys_are_pressed_in_slices_and_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    doors = SshDoors()
    person = doors.at_terminal("ann")
    person.read()
    pressed: list[int] = []

    def slow(editor: LineEditor, data: bytes) -> None:
        pressed.append(len(data))
        doors.clock.jump(SLICE)

    monkeypatch.setattr(LineEditor, "receive", slow)
    person.server.typed(b"x" * 100 + b"\t" * 100)
    person.server.no_more_typing()
    assert pressed == [AT_ONCE], "the rest waits for the next turn"
    person.pump()
    assert sum(pressed) == 200
    assert pressed[-96:] == [1] * 96, "one Tab at a time"
    assert not person.connected, "the end of the input comes after the keys"
    flood = doors.at_terminal("bob")
    flood.type("\t" * (TYPED_AHEAD + AT_ONCE + 1))
    assert not flood.connected


def test_packets_of_a_byte_are_not_sent() -> None:
    client = SshDoors().client("ann")
    client.packet(90, NS(b"session") + struct.pack(">3L", 0, 1 << 20, 1))
    assert not client.connected


# --------------------------------------------------------------------------- the host key


def test_the_host_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    file = tmp_path / "key"
    made = host_key(file)
    assert shown(host_key(file)) == shown(made)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["key"]
    assert shown(host_key(None)) != shown(made)


@together(
    ("text", "why"),
    [
        (b"", "must be a private key"),
        (b"nonsense", "must be a private key"),
        (public_line("ann").encode(), "is the public key"),
    ],
)
def test_a_file_that_is_no_private_key_is_refused_in_one_line(
    text: bytes, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "key"
    file.write_bytes(text)
    with pytest.raises(ValueError, match=why):
        host_key(file)
    assert file.read_bytes() == text


def test_a_host_key_without_its_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No such file"):
        host_key(tmp_path / "no" / "key")


def test_only_quick_algorithms_are_offered() -> None:
    wire = SshDoors().client("ann").server.wire
    assert not any(b"group" in each for each in wire.supportedKeyExchanges)
    assert wire.supportedCompressions == [b"none"]
    assert conch.SSHTransportBase.supportedCompressions == [b"none", b"zlib"]
