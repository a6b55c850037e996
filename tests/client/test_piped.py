"""The client without a terminal: commands come in and text goes out, one way each."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.client.kit import ENDING, SEATING, TRICKS, Peer, scripted, seated
from tests.kit.forked import Forked
from twentytwo_client.saved_sessions import SavedSession, SessionFile
from twentytwo_protocol import wire

CLIENT = ("-m", "twentytwo_client")


def client(
    *arguments: str,
    state: Path,
    env: dict[str, str] | None = None,
    program: Sequence[str] = CLIENT,
) -> Forked:
    """A client without a terminal."""
    return Forked(
        *program,
        *arguments,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=os.environ
        | {"XDG_STATE_HOME": str(state), "USER": "bob", "TERM": "xterm"}
        | (env or {}),
    )


def run(
    text: str, *arguments: str, state: Path, env: dict[str, str] | None = None
) -> tuple[int, str, str]:
    """What comes of giving a client this text: the exit code, the output, the errors."""
    process = client(*arguments, state=state, env=env)
    out, err = process.communicate(text, timeout=100)
    return process.wait(), out, err


def _table(peer: Peer) -> None:
    peer.greet()
    id = peer.expect(" join t7")
    peer.send(f"{id} OK on=t7 seat=2 seq=2 :You sit down.", *SEATING)


def _game(peer: Peer) -> None:
    _table(peer)
    id = peer.expect(" move - turn=2")
    peer.send(f"{id} OK on=t7 seq=12", *TRICKS[:7])
    id = peer.expect(" move 2 turn=5")
    peer.send(f"{id} OK on=t7 seq=19", *TRICKS[7:])
    id = peer.expect(" move 6S[+]4H turn=9")
    peer.send(f"{id} OK on=t7 seq=29", *ENDING[:4])
    id = peer.expect(" move Q[+]Q[+]Q turn=10")
    peer.send(f"{id} OK on=t7 seq=33", *ENDING[4:])
    peer.quit()


SCRIPT = "join t7\nkeep\n2\n6s 4h\nq q q\nsay well played\n"


def test_a_script_of_commands_is_played_in_order(tmp_path: Path) -> None:
    def game(peer: Peer) -> None:
        _table(peer)
        peer.expect(" move - turn=2")
        peer.send("@4 OK on=t7 seq=12")
        # The next move waits for its turn, however early it was typed.
        for n in range(5):
            peer.send(f"PING no={n}")
            assert peer.read().endswith(f" pong {n}\r\n")
        peer.send(*TRICKS[:7])
        id = peer.expect(" move 2 turn=5")
        peer.send(f"{id} OK on=t7 seq=19")
        peer.quit()

    with scripted(game) as server:
        code, out, err = run("join t7\nkeep\n2\n", "play", server.address, state=tmp_path)
    assert (code, err) == (0, "")
    assert "You sit down." in out
    assert "Your cards: 5C 9D JC JH QD QH QS\n" in out
    assert "Your turn: A to beat; all you may play is 2.\n" in out


def test_the_lowest_waits_for_its_turn_too(tmp_path: Path) -> None:
    def game(peer: Peer) -> None:
        _table(peer)
        peer.expect(" move - turn=2")
        peer.send("@4 OK on=t7 seq=12", "PING no=1")
        assert peer.read().endswith(" pong 1\r\n")
        peer.send(*TRICKS[:7])
        id = peer.expect(" move 2 turn=5")
        peer.send(f"{id} OK on=t7 seq=19")
        peer.quit()

    with scripted(game) as server:
        code, out, err = run("join t7\nkeep\nlowest\n", "play", server.address, state=tmp_path)
    assert (code, err) == (0, "") and "!" not in out.replace("Welcome!", "")


def test_a_line_that_came_too_fast_is_sent_again_after_the_wait(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        for _ in range(2):
            id = peer.expect(" say .*:hello")
            peer.send(f"{id} ERR code=RATE class=limit wait=20 :Too fast.")
        id = peer.expect(" say .*:hello")
        peer.send(f"{id} OK")
        id = peer.expect(" motd")
        peer.send(f"{id} OK :Good cards.")
        peer.quit()

    with scripted(serve) as server:
        code, out, _ = run("'hello\nmotd\n", "play", server.address, state=tmp_path)
    assert code == 0
    assert "Too fast" not in out and "Good cards." in out


@pytest.mark.parametrize("plain", [True, False])
def test_a_whole_game(plain: bool, tmp_path: Path) -> None:
    options = ["--plain"] if plain else []
    with scripted(_game) as server:
        code, out, err = run(
            SCRIPT.rpartition("say")[0], "play", server.address, *options, state=tmp_path
        )
    assert (code, err) == (0, "")
    assert "Game over. You win!" in out
    assert not [char for char in out if ord(char) < 32 and char != "\n"]
    assert ("queen of spades" in out) is plain
    assert ("|" in out) is not plain


def test_nothing_but_text_even_where_colour_is_forced_by_the_terminal(tmp_path: Path) -> None:
    with scripted(_game) as server:
        _, out, _ = run(
            SCRIPT.rpartition("say")[0],
            *("play", server.address, "--color", "always"),
            state=tmp_path,
            env={"LANG": "C"},
        )
    assert "\x1b[31m" in out
    assert "\x1b[" not in out.replace("\x1b[31m", "").replace("\x1b[39m", "").replace(
        "\x1b[1m", ""
    ).replace("\x1b[22m", "").replace("\x1b[36m", "")


def test_the_table_can_be_named_on_the_command_line(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        assert peer.greet() == "guest ann"
        id = peer.expect(" join kiwi-fox")
        peer.send(f"{id} OK on=t7 seat=2 seq=2 :You sit down.")
        peer.quit()

    with scripted(serve) as server:
        code, out, _ = run(
            "", "play", server.address, "--table", "kiwi-fox", "--name", "ann", state=tmp_path
        )
    assert code == 0
    assert "You sit down." in out


def test_the_last_line_needs_no_end(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(" motd")
        peer.send(f"{id} OK :Good cards.")
        peer.quit()

    with scripted(serve) as server:
        _, out, _ = run("motd", "play", server.address, state=tmp_path)
    assert "Good cards." in out


# ---------------------------------------------------------------------------- exit codes


def test_3_where_nobody_listens(tmp_path: Path) -> None:
    code, out, err = run("", "play", "127.0.0.1:1", state=tmp_path)
    assert (code, out) == (3, "")
    assert err == "Could not connect to 127.0.0.1:1: nobody listens there.\n"


def test_3_where_no_such_host_is(tmp_path: Path) -> None:
    code, _, err = run("", "play", "no-such-host.invalid", state=tmp_path)
    assert code == 3
    assert err == "Could not connect to no-such-host.invalid:2222: there is no such host.\n"


def test_4_where_something_else_answers(tmp_path: Path) -> None:
    with scripted(lambda peer: peer.send("SSH-2.0-OpenSSH_9.2")) as server:
        code, out, _ = run("", "play", server.address, state=tmp_path)
    assert code == 4
    assert "does not speak cardline/1" in out


def test_4_where_the_server_speaks_another_version(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        id = peer.expect("hello 1")
        peer.send(f"{id} ERR code=BAD_VERSION class=syntax have=2 :This server speaks version 2.")

    with scripted(serve) as server:
        code, out, _ = run("", "play", server.address, state=tmp_path)
    assert code == 4
    assert "! This server speaks version 2." in out


def test_a_place_that_is_gone_is_not_asked_for_again(tmp_path: Path) -> None:
    def gone(peer: Peer) -> None:
        peer.send(f"{peer.expect('hello 1')} OK proto=1 server=script boot=b1 caps=text")
        peer.send(f"{peer.expect('resume Zk81')} ERR code=BAD_TOKEN class=auth :No such place.")
        peer.send(f"{peer.expect('guest bob')} OK name=~bob2 token=Zk91 grace=1 :Hello, ~bob2.")
        peer.quit()

    def back(peer: Peer) -> None:
        assert peer.take_back().startswith("resume Zk91")
        peer.quit()

    with scripted(gone, back) as server:
        with SessionFile(tmp_path / "twentytwo") as sessions:
            sessions.keep(server.address, SavedSession("~bob", "Zk81", {"t7": 0}, seated=True))
        for _ in range(2):
            code, out, _ = run("", "play", server.address, state=tmp_path)
            assert code == 0, out


def test_4_where_the_name_of_the_command_line_is_refused(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        hello, guest = peer.expect("hello 1"), peer.expect("guest admin")
        peer.send(f"{hello} OK proto=1", f"{guest} ERR code=BAD_NAME class=auth :No.")
        with contextlib.suppress(ConnectionError):
            assert peer.read() == ""  # and no other name is tried

    with scripted(serve) as server:
        code, out, _ = run("", "play", server.address, "--name", "admin", state=tmp_path)
    assert code == 4
    assert "! No." in out


def test_a_login_name_that_is_refused_is_replaced_and_if_that_will_not_do_it_is_4(
    tmp_path: Path,
) -> None:
    def serve(peer: Peer) -> None:
        hello, guest = peer.expect("hello 1"), peer.expect("guest admin")
        peer.send(f"{hello} OK proto=1", f"{guest} ERR code=BAD_NAME class=auth :No.")
        peer.send(f"{peer.expect('guest player')} ERR code=BANNED class=auth :Nobody gets in.")

    with scripted(serve) as server:
        code, out, _ = run("", "play", server.address, state=tmp_path, env={"USER": "admin"})
    assert code == 4
    assert "! Nobody gets in." in out


def test_75_where_the_server_is_too_busy(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        hello, guest = peer.expect("hello 1"), peer.expect("guest bob")
        peer.send(
            f"{hello} OK proto=1", f"{guest} ERR code=BUSY class=limit wait=10 :Too many people."
        )
        peer.wait()

    with scripted(serve, lambda peer: None) as server:
        code, out, err = run("", "play", server.address, state=tmp_path)
    assert (code, err) == (75, "")
    assert "! Too many people." in out


def test_4_where_the_server_sends_us_away(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        peer.send("BYE code=REPLACED resume=0 :You are connected from elsewhere now.")

    with scripted(serve) as server:
        process = client("play", server.address, state=tmp_path)
        assert process.stdout is not None
        assert process.wait(30) == 4
        assert "from elsewhere" in process.stdout.read()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_130_and_the_like_for_signals(number: signal.Signals, tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        _table(peer)
        peer.wait()

    with scripted(serve) as server:
        process = client("play", server.address, "--table", "t7", state=tmp_path)
        assert process.stdout is not None
        while "Your cards" not in process.stdout.readline():
            pass
        process.send_signal(number)
        _, err = process.communicate(timeout=100)
    assert process.returncode == 128 + number
    assert err == ""


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    with scripted(_game) as server:
        process = client("play", server.address, state=tmp_path)
        assert process.stdin is not None and process.stdout is not None
        process.stdout.close()
        process.stdin.write(SCRIPT.rpartition("say")[0])
        process.stdin.close()
        assert process.stderr is not None
        err = process.stderr.read()
        process.wait(30)
        process.stderr.close()
    assert "Traceback" not in err


def test_a_state_folder_that_cannot_be_written_is_told_and_no_reason_to_stop(
    tmp_path: Path,
) -> None:
    (tmp_path / "twentytwo").write_text("a file where a folder should be")
    with scripted(_until_quit) as server:
        code, _, err = run("", "play", server.address, state=tmp_path)
    assert code == 0
    assert err.startswith("Your seat cannot be kept for the next time: ")
    assert len(err.splitlines()) == 1


BROKEN = """
import sys
from twentytwo_client import __main__
from twentytwo_client.terminal import interpreting
def meant(line, table): raise ZeroDivisionError
interpreting.meant = meant
sys.exit(__main__.main())
"""


def test_an_error_of_the_client_itself_is_not_hidden(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        peer.wait()

    with scripted(serve) as server:
        process = client("play", server.address, state=tmp_path, program=["-c", BROKEN])
        _, err = process.communicate("who\n", timeout=100)
    assert process.returncode == 1
    assert "ZeroDivisionError" in err


def _until_quit(peer: Peer) -> None:
    peer.greet()
    peer.quit()


# ------------------------------------------------------------------------- coming back


def test_after_a_loss_it_says_so_and_goes_on(tmp_path: Path) -> None:
    def again(peer: Peer) -> None:
        assert peer.take_back(*TRICKS[:7]).split()[:2] == ["resume", "Zk81"]
        id = peer.expect(" move 2 turn=5")
        peer.send(f"{id} OK on=t7 seq=19")
        peer.quit()

    def lose(peer: Peer) -> None:
        _table(peer)
        id = peer.expect(" move - turn=2")
        peer.send(f"{id} OK on=t7 seq=12")

    with scripted(lose, again) as server:
        code, out, err = run("join t7\nkeep\n2\n", "play", server.address, state=tmp_path)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    lost = lines.index("* Connection lost. Reconnecting...")
    assert lines[lost + 1] == "* Back. You missed 1 play:"
    assert lines[lost + 2] == "You throw 9D JC JH and draw 6S 2C 4H."


def test_where_another_server_goes_on_the_client_plays_there(tmp_path: Path) -> None:
    def goes_on(peer: Peer) -> None:
        assert peer.take_back(*TRICKS[:7]) == "resume Zk81 me:0 t7:11 boot=b1"
        id = peer.expect(" move 2 turn=5")
        peer.send(f"{id} OK on=t7 seq=19")
        peer.quit()

    with scripted(goes_on) as other:

        def moves(peer: Peer) -> None:
            _table(peer)
            id = peer.expect(" move - turn=2")
            peer.send(f"{id} OK on=t7 seq=12")
            peer.move_to(other)

        with scripted(moves) as server:
            code, out, err = run("join t7\nkeep\n2\n", "play", server.address, state=tmp_path)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    moved = lines.index("* Another server goes on. Reconnecting...")
    assert lines[moved + 1] == "* Back. You missed 1 play:"


def test_a_killed_client_comes_back_to_its_seat_with_no_word_typed(tmp_path: Path) -> None:
    def back(peer: Peer) -> None:
        assert peer.take_back() == "resume Zk81 me:0"
        id = peer.expect(" state t7")
        table = seated().streams.tables["t7"]
        peer.send(*(wire.write(row, re_=id[1:]) for row in table.rows()), f"{id} OK on=t7 n=9")
        id = peer.expect(" sync t7 from=4")
        peer.send(*SEATING[4:], *TRICKS, f"{id} OK on=t7 seq=28")
        peer.quit()

    def play(peer: Peer) -> None:
        _table(peer)
        peer.wait()

    with scripted(play, back) as server:
        process = client("play", server.address, "--table", "t7", state=tmp_path)
        assert process.stdout is not None
        while "Your cards" not in process.stdout.readline():
            pass
        process.kill()
        process.communicate()
        code, out, err = run("", "play", server.address, state=tmp_path)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[1:3] == ["t7: Twenty-Two, hand 1, trick 2.", "Scores: ~ann 0, you 0, ~cat 0."]
    assert len([line for line in lines if line.startswith("Your turn: ")]) == 1
    assert lines[-6:] == [
        "~cat leads 4D 4C.",
        "~ann plays 6H 4S - that is the play to beat.",
        "Cards: ~ann 4, you 6, ~cat 4. Gone: 2 4 4 4 6 9 J J A A.",
        "Your cards: 4H 5C 6S QD QH QS",
        "Your turn: 6 4 to beat.  5 4 (lowest) | 6 4 | 6 5 | Q 4 | Q 5 | Q 6 | Q Q",
        "Goodbye.",
    ]


def test_a_log_of_which_only_the_beginning_is_read_ends_quietly(tmp_path: Path) -> None:
    record = Path(__file__).parents[1] / "records" / "v1" / "twentytwo-pagat-1.txt"
    process = client("replay", str(record), "--log", state=tmp_path)
    with process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_a_record_is_printed_as_it_stands_with_its_empty_line(tmp_path: Path) -> None:
    lines = ["22 record", "game twentytwo", "", "0 shuffle 2C+TC"]

    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(" export g1 form=record")
        told = (f"{id} RECORD :{line}" if line else f"{id} RECORD" for line in lines)
        peer.send(*told, f"{id} OK on=g1 n=4")
        peer.quit()

    with scripted(serve) as server:
        code, out, _ = run("export g1 form=record\n", "play", server.address, state=tmp_path)
    assert code == 0
    assert "\n".join(lines) in out
