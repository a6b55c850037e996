"""Coming in as an account: the password is proved and not sent, and the seat is there again."""

from __future__ import annotations

import os
import subprocess
import warnings
from base64 import b64decode
from collections.abc import Iterator
from getpass import GetPassWarning
from pathlib import Path

import pytest

from tests.client.kit import Peer as ScriptedPeer
from tests.client.kit import scripted
from tests.client.screen import Terminal
from tests.conformance.servers import Server
from tests.kit import forked
from tests.kit.hosts import Peer, World
from twentytwo_client import Refused, connect
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.scram import ScramFailed, ScramProof
from twentytwo_client.core.states import State
from twentytwo_client.core.updates import Replied, SignedIn, UnreadableLine, Update
from twentytwo_client.terminal import login
from twentytwo_client.terminal.prompt import typed_history
from twentytwo_conform.connections import Program
from twentytwo_protocol.words.replies import Err

PASSWORD = "three blind mice"


def world() -> tuple[World, Peer]:
    """A world with an account, ann, who has a seat at t1."""
    made = World()
    ann = made.program()
    ann.ok(f"register ann :{PASSWORD}")
    made.game(ann, made.program("bob"))
    return made, ann


def talked(made: World, talk: Conversation) -> tuple[Peer, list[Update], list[str]]:
    """A conversation up to where nobody has anything more to say."""
    peer = made.peer()
    values: list[Update] = []
    sent: list[str] = []
    talk.connected()
    while data := talk.outgoing():
        for line in data.decode().splitlines():
            sent.append(line)
            peer.hear(line)
        talk.receive("".join(f"{line}\r\n" for line in peer.take()).encode())
        values += talk.updates()
    return peer, values, sent


def test_a_password_is_proved_and_not_sent() -> None:
    made, _ = world()
    talk = Conversation(name="ann", password=PASSWORD)
    _, values, sent = talked(made, talk)
    assert talk.state is State.HERE
    assert talk.name == "ann"
    assert talk.token
    assert [type(value) for value in values].count(SignedIn) == 1
    assert not any("mice" in line for line in sent)


def test_the_nonce_of_a_proof_is_made_of_the_chance_that_was_given() -> None:
    made, _ = world()
    talk = Conversation(name="ann", password=PASSWORD, secret=lambda: "5eed")
    _, _, sent = talked(made, talk)
    (first,) = (line.split()[-1] for line in sent if "auth SCRAM-SHA-256 bi" in line)
    assert b64decode(first) == b"n,,n=ann,r=5eed"
    assert talk.state is State.HERE


def test_the_tables_of_the_account_are_there_again() -> None:
    made, ann = world()
    ann.drop()
    talk = Conversation(name="ann", password=PASSWORD)
    talked(made, talk)
    table = talk.streams.tables["t1"]
    assert table.me == 1
    assert len(table.holding) == 7


def test_a_wrong_password_is_refused_and_nobody_comes_in() -> None:
    made, _ = world()
    talk = Conversation(name="ann", password="four blind mice")
    _, values, _ = talked(made, talk)
    assert talk.state is State.NAMELESS
    errors = [v.final for v in values if isinstance(v, Replied) and isinstance(v.final, Err)]
    assert [error.code for error in errors] == ["BAD_LOGIN"]


def test_a_login_token_comes_in() -> None:
    made, ann = world()
    token = ann.ok("token new").fields["token"]
    talk = Conversation(name="ann", login_token=token)
    talked(made, talk)
    assert talk.name == "ann"


def test_a_token_that_opens_nothing_any_more_is_followed_by_a_login() -> None:
    made, _ = world()
    talk = Conversation(name="ann", token="stale", password=PASSWORD)
    talked(made, talk)
    assert talk.name == "ann"


def test_a_guest_who_registers_goes_on_under_the_new_name() -> None:
    made = World()
    talk = Conversation(name="eve")
    peer, _, _ = talked(made, talk)
    for line in ("open twentytwo", f"register zoe :{PASSWORD}", "ping"):
        talk.say(line)
        while data := talk.outgoing():
            for each in data.decode().splitlines():
                peer.hear(each)
            talk.receive("".join(f"{each}\r\n" for each in peer.take()).encode())
            list(talk.updates())
    assert talk.name == "zoe"
    assert talk.streams.tables["t1"].seats[1].name == "zoe"
    assert talk.streams.tables["t1"].me == 1


def test_a_server_that_does_not_know_the_password_is_left() -> None:
    made, _ = world()
    talk = Conversation(name="ann", password=PASSWORD)
    peer = made.peer()
    talk.connected()
    values: list[Update] = []
    while data := talk.outgoing():
        for line in data.decode().splitlines():
            peer.hear(line)
        lines = [line.replace(" MORE data=dj", " MORE data=dk") for line in peer.take()]
        talk.receive("".join(f"{line}\r\n" for line in lines).encode())
        values += talk.updates()
    assert talk.state is State.OVER
    assert any(isinstance(value, UnreadableLine) for value in values)
    assert not any(isinstance(value, SignedIn) for value in values)


@pytest.mark.parametrize("data", ["", "nonsense", "cj14"])
def test_a_challenge_that_is_none_proves_nothing(data: str) -> None:
    with pytest.raises(ScramFailed):
        ScramProof("ann", PASSWORD).final(data)


def test_login_asks_for_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return PASSWORD

    monkeypatch.setattr(login, "getpass", typed)
    assert login.password_of("ann") == PASSWORD
    assert asked == ["Password of ann: "]


def test_whoever_types_no_password_comes_in_as_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login, "getpass", lambda _: "")
    with pytest.raises(EOFError):
        login.password_of("ann")


def test_without_a_terminal_the_password_is_the_first_line(tmp_path: Path) -> None:
    def serve(peer: ScriptedPeer) -> None:
        peer.send(f"{peer.expect('hello 1')} OK proto=1 server=script boot=b1 caps=text")
        peer.send(f"{peer.expect('auth SCRAM')} ERR code=BAD_LOGIN class=auth :Wrong password.")
        peer.wait()

    with scripted(serve) as server:
        done = alone(f"{PASSWORD}\n", server.address, "--login", "ann", state=tmp_path)
    assert (done.returncode, done.stderr) == (4, "")
    assert "! Wrong password." in done.stdout
    done = alone("", "127.0.0.1:1", "--login", "ann", state=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "twentytwo play: no password was typed\n"


def test_of_the_input_only_the_line_of_the_password_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unseen(_: str) -> str:
        warnings.warn("not hidden", GetPassWarning, stacklevel=1)
        return "never"

    monkeypatch.setattr(login, "getpass", unseen)
    read, write = os.pipe()
    os.write(write, f"{PASSWORD}\r\ntables\n".encode())
    monkeypatch.setattr(login, "INPUT", read)
    assert login.password_of("ann") == PASSWORD
    assert os.read(read, 100) == b"tables\n"
    os.close(read)
    os.close(write)


def test_ctrl_d_and_ctrl_c_at_the_password_are_one_line_and_none(tmp_path: Path) -> None:
    for key, code, told in (
        ("\x04", 1, ["Password of ann:", "twentytwo play: no password was typed"]),
        ("\x03", 130, ["Password of ann:"]),
    ):
        with Terminal("play", "127.0.0.1:1", "--login", "ann", state=tmp_path) as t:
            t.see("Password of ann:")
            t.type(key)
            assert t.ended() == code
            assert [line for line in t.look() if line] == told


def alone(text: str, *arguments: str, state: Path) -> subprocess.CompletedProcess[str]:
    """What comes of `play` in a session of its own, with no terminal to be asked in."""
    return forked.run(
        *("-m", "twentytwo_client", "play", *arguments),
        text=text,
        env=os.environ | {"XDG_STATE_HOME": str(state)},
        start_new_session=True,
    )


def test_no_password_stays_in_the_history(tmp_path: Path) -> None:
    history = typed_history(tmp_path / "history")
    for line in ("practice", f"login ann {PASSWORD}", f"REGISTER ann {PASSWORD}", "", "who"):
        history.append_string(line)
    text = (tmp_path / "history").read_text()
    assert "mice" not in text
    assert "practice" in text
    assert "who" in text


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server("--dev")
    yield made
    made.stop()


async def test_a_bot_logs_in_by_password_and_by_token(server: Server) -> None:
    host, port = server.address
    with Program(server.address) as owner:
        owner.must(f"register robo :{PASSWORD}")
        token = owner.must("token new")["token"]
    where = f"{host}:{port}"
    async with connect(where, name="robo", password=PASSWORD) as robo:
        assert robo.name == "robo"
    async with connect(where, name="robo", login_token=token) as robo:
        assert robo.name == "robo"
        table = await robo.practice(bots=1)
        assert table.state.seats
    with pytest.raises(Refused) as wrong:
        async with connect(where, name="robo", password="not it at all"):
            raise AssertionError
    assert wrong.value.code == "BAD_LOGIN"
