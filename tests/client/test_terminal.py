"""The client in a terminal, as a person sees it, against a scripted server."""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
import wcwidth

from tests.client.kit import ENDING, SEATING, TRICKS, Peer, ScriptedServer, scripted
from tests.client.screen import Terminal
from tests.client.test_rendering import told
from twentytwo_client.display.look import Look, Suits

SIZES = [(40, 15), (80, 24), (200, 60)]


def _at_table(peer: Peer) -> None:
    peer.greet()
    id = peer.expect(" join t7")
    peer.send(f"{id} OK on=t7 seat=2 seq=2", *SEATING, *TRICKS)


def _until_quit(peer: Peer) -> None:
    _at_table(peer)
    peer.quit()


def _until_gone(peer: Peer) -> None:
    _at_table(peer)
    peer.wait()


def seat(address: str, tmp_path: Path, *options: str, **more: object) -> Terminal:
    return Terminal(
        *("play", address, "--name", "bob", "--table", "t7", *options),
        state=tmp_path,
        **more,  # type: ignore[arg-type]  # as given
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "env",
    [{}, {"NO_COLOR": "1"}, {"LANG": "C"}, {"LANG": "de_DE.UTF-8"}, {"TERM": "dumb"}],
    ids=str,
)
def test_nothing_wraps_and_nothing_is_shown_by_colour_alone(
    size: tuple[int, int], env: dict[str, str], tmp_path: Path
) -> None:
    with scripted(_until_quit) as server, seat(server.address, tmp_path, size=size, env=env) as t:
        dumb, ascii = env.get("TERM") == "dumb", env.get("LANG") == "C"
        t.see("Q Q")
        lines = t.look() if dumb else t.see("YOUR TURN")
        assert max(wcwidth.width(line) for line in lines) <= size[0]
        hand = "4H 5C 6S QD QH QS" if ascii else "4♥ 5♣ 6♠ Q♦ Q♥ Q♠"
        assert any(f"Your cards: {hand}" in line for line in lines)
        assert any(f"you: [{hand}]" in line for line in lines) is not dumb
        assert (b"\x1b[31m" in t.bytes) is (not dumb and "NO_COLOR" not in env)
        if dumb:
            assert b"\x1b" not in t.bytes
        t.enter("quit")
        assert t.ended() == 0
        # What is printed at that width without a terminal is what stands on this one.
        apart = ("> ", "you: ", "Starting...")
        shown = [line for line in t.all() if line and not line.startswith(apart)]
    suits = Suits.LETTERS if ascii else Suits.SIGNS
    look = Look(suits, unicode=not ascii, rich=not dumb)
    printed = told(look, size[0], *SEATING, *TRICKS).splitlines()
    assert shown[1 : len(printed) + 1] == printed


def test_a_terminal_that_does_not_say_where_its_cursor_is_shows_the_same(tmp_path: Path) -> None:
    with scripted(_until_quit) as server, seat(server.address, tmp_path, answers=False) as t:
        t.see("YOUR TURN")
        t.enter("quit")
        assert t.ended() == 0
        assert b"WARNING" not in t.bytes


def test_the_cursor_is_behind_what_is_half_typed_when_others_play(tmp_path: Path) -> None:
    go = threading.Event()

    def serve(peer: Peer) -> None:
        _at_table(peer)
        assert go.wait(20)
        peer.send("SAID on=t7 seq=29 by=~ann :take your time")
        id = peer.expect(" say .*:one moment")
        peer.send(f"{id} OK on=t7 seq=30", "SAID on=t7 seq=30 by=~bob :one moment")
        peer.quit()

    with scripted(serve) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN")
        t.type("'one mo")
        t.see("> 'one mo")
        go.set()
        lines = t.until(lambda lines: "~ann: take your time" in lines and "> 'one mo" in lines)
        assert lines.index("~ann: take your time") < lines.index("> 'one mo")
        t.enter("ment")
        t.see("~bob: one moment")
        t.enter("quit")
        assert t.ended() == 0


def test_tab_completes_to_a_legal_move(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        _at_table(peer)
        id = peer.expect(" move 5[+]4 turn=9")
        peer.send(f"{id} ERR code=ILLEGAL class=rule reason=X :Not that.")
        peer.quit()

    with scripted(serve) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN")
        t.type("\t")
        # The first row of the menu: how many it has depends on the room below.
        t.until(lambda lines: any(line.startswith("   5 4") for line in lines))
        t.type("\t")
        t.see("> 5 4")
        t.enter()
        t.see("! Not that.")
        t.enter("quit")
        assert t.ended() == 0


def test_what_tab_offers_is_no_longer_shown_when_the_turn_has_come(tmp_path: Path) -> None:
    go = threading.Event()

    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(" join t7")
        peer.send(f"{id} OK on=t7 seat=2 seq=2", *SEATING, *TRICKS[:-1])
        assert go.wait(20)
        peer.send(TRICKS[-1])
        peer.quit()

    with scripted(serve) as server, seat(server.address, tmp_path) as t:
        t.see("~ann 6♥ 4♠")  # all that comes before our turn is there
        t.type("\t")
        t.see("score")
        go.set()
        assert not any("score" in line for line in t.see("YOUR TURN"))
        t.type("\t")
        t.until(lambda lines: any(line.startswith("   5 4") for line in lines))
        t.type("\x15")
        t.enter("quit")
        assert t.ended() == 0


def test_what_was_typed_is_there_again_with_the_arrow_keys(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        for _ in range(2):
            peer.send(f"{peer.expect(' motd')} OK :Good cards.")
        peer.quit()

    with scripted(serve) as server, Terminal("play", server.address, state=tmp_path) as t:
        t.see("name>")
        t.enter()
        t.see("practice plays")
        t.enter("motd")
        t.see("Good cards.")
        t.type("\x1b[A")
        t.until(lambda lines: sum("> motd" in line for line in lines) == 2)
        t.enter()
        t.until(lambda lines: sum("Good cards." in line for line in lines) == 2)
        t.enter("quit")
        assert t.ended() == 0
    assert "+motd" in (tmp_path / "twentytwo" / "history").read_text()


def test_ctrl_c_clears_the_line_and_twice_leaves(tmp_path: Path) -> None:
    with scripted(_until_gone) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN")
        t.type("half typ")
        t.see("> half typ")
        t.type("\x03")
        lines = t.see("* Ctrl-C again to leave.")
        t.until(lambda lines: ">" in lines)
        t.enter("/suits letters")
        t.see("Suits are letters")
        t.type("\x03")
        t.until(lambda lines: sum("Ctrl-C again" in line for line in lines) == 2)
        t.type("\x03")
        assert t.ended() == 130
        lines = t.look()
    assert not any("Traceback" in line or "Connection lost" in line for line in lines)


def test_ctrl_d_leaves(tmp_path: Path) -> None:
    with scripted(_until_quit) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN")
        t.type("\x04")
        assert t.ended() == 0
        assert "Goodbye." in "\n".join(t.look())


def test_the_question_mark_says_what_can_be_typed_now(tmp_path: Path) -> None:
    with scripted(_until_quit) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN")
        t.enter("?")
        t.see("Typed like this: 5 4")
        t.enter("quit")
        assert t.ended() == 0


def test_a_window_may_change_its_size(tmp_path: Path) -> None:
    with scripted(_until_quit) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN")
        t.resize(40, 15)
        t.signal(signal.SIGWINCH)
        t.see("Twenty-Two  hand 1  trick 2    YOUR TURN")
        t.enter("?")
        t.see("Typed like this:")
        assert max(map(len, t.look())) <= 40
        t.enter("quit")
        assert t.ended() == 0


def test_a_lost_connection_is_told_and_the_prompt_is_the_same_again(tmp_path: Path) -> None:
    def again(peer: Peer) -> None:
        assert "t7:28" in peer.take_back(*ENDING[:3])
        peer.quit()

    with scripted(_at_table, again) as server, seat(server.address, tmp_path) as t:
        t.see("* Connection lost. Reconnecting...")
        t.see("* Back. You missed 1 play:")
        lines = t.see("You take trick 2 with 6♠ 4♥.")
        assert not any("away" in line for line in lines)
        t.see("trick 3")
        t.enter("quit")
        assert t.ended() == 0


def test_while_there_is_no_connection_nothing_can_be_said(tmp_path: Path) -> None:
    with scripted(_at_table) as server, seat(server.address, tmp_path) as t:
        t.see("* Connection lost. Reconnecting...")
        server.close()
        t.see("no connection")
        t.enter("score")
        t.see("! There is no connection just now.")
        t.enter("quit")
        assert t.ended() == 0


def test_who_has_no_name_yet_is_asked_for_one(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        hello = peer.expect("hello 1")
        peer.send(f"{hello} OK proto=1")
        peer.send(f"{peer.expect('guest admin')} ERR code=BAD_NAME class=auth :That name is taken.")
        peer.send(f"{peer.expect('guest bob')} OK name=~bob token=Zk81 :Hello, ~bob.")
        peer.quit()

    with scripted(serve) as server, Terminal("play", server.address, state=tmp_path) as t:
        t.see("your name? Enter = bob")
        t.see("name>")
        t.enter("two words")
        t.see("! A name is one word.")
        t.enter("admin")
        t.see("! That name is taken.")
        t.until(lambda lines: sum("your name?" in line for line in lines) == 2)
        t.enter()
        t.see("Hello, ~bob.")
        t.see("practice plays")
        t.enter("quit")
        assert t.ended() == 0


def _registering(peer: Peer) -> None:
    peer.greet()
    id = peer.expect(r"register ann\r")
    peer.send(f"{id} ERR code=BAD_ARG class=syntax arg=password :register needs a password.")
    id = peer.expect("register ann :three blind mice")
    peer.send(f"{id} OK name=ann token=Zk99 :Welcome, ann. The name is yours from now on.")
    peer.quit()


@pytest.mark.parametrize("options", [(), ("--plain",)])
def test_a_password_that_is_asked_for_is_neither_shown_nor_remembered(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    with (
        scripted(_registering) as server,
        Terminal("play", server.address, "--name", "bob", *options, state=tmp_path) as t,
    ):
        t.see("Hello, ~bob.")
        t.enter("register ann")
        t.see("Choose a password")
        for again in ("The same password again:", "Welcome, ann."):
            t.enter("three blind mice")
            t.see(again)
        t.enter("say the last line typed is this")  # what is typed is shown again
        t.see("the last line typed")
        t.enter("quit")
        assert t.ended() == 0
    assert b"mice" not in t.bytes
    history = tmp_path / "twentytwo" / "history"
    assert "mice" not in (history.read_text() if history.exists() else "")
    assert not [path for path in history.parent.glob("history*") if "mice" in path.read_text()]


def test_plain_has_no_control_byte_but_the_line_end(tmp_path: Path) -> None:
    with scripted(_until_quit) as server, seat(server.address, tmp_path, "--plain") as t:
        t.until(lambda _: b"queen queen" in t.bytes)
        t.enter("quit")
        assert t.ended() == 0
    # The terminal itself makes CR LF of each LF.
    text = t.bytes.replace(b"\r\n", b"\n")
    assert not [byte for byte in text if byte < 32 and byte != 10]
    assert b"seven" not in text and b"queen of hearts" in text


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["usual", "small"])
def test_tab_says_how_many_moves_there_are_beside_those_that_it_shows(
    size: tuple[int, int], tmp_path: Path
) -> None:
    moves = [f"{a} {b} k k a" for a in "23456789" for b in "jqka"]
    lead = "TURN on=t7 seq=28 turn=9 seat=2 act=play choose=one default=2 hand=4H,5C,6S,QD,QH,QS"

    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(" join t7")
        legal = ",".join(move.upper().replace(" ", "+") for move in moves)
        turn = f"{lead} nlegal={len(moves)} legal={legal}"
        peer.send(f"{id} OK on=t7 seat=2 seq=2", *SEATING, *TRICKS[:-1], turn)
        peer.quit()

    with scripted(serve) as server, seat(server.address, tmp_path, size=size) as t:
        t.see("YOUR TURN")
        t.type("\t")
        # The question in the events also ends with "more": only the menu counts.
        lines = t.until(lambda lines: " more" in " ".join(_menu(lines)))
        *shown, last = re.split(r"\s\s+", " ".join(_menu(lines)).strip())
        assert last == f"and {len(moves) - len(shown)} more"
        assert len(shown) > 5 and {*shown} < {*moves}
        t.type("\x15")
        t.enter("quit")
        assert t.ended() == 0


def _menu(lines: Sequence[str]) -> Sequence[str]:
    """The lines between the input line and the table."""
    if ">" not in lines:
        return ()
    end = next((i for i, line in enumerate(lines) if "YOUR TURN" in line), 0)
    return lines[lines.index(">") + 1 : end]


def test_plain_can_be_turned_on_and_off(tmp_path: Path) -> None:
    with scripted(_until_quit) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN")
        t.enter("/plain")
        t.see("Plain is on. /plain goes back.")
        t.enter("?")
        t.see("four of hearts")
        t.enter("/plain")
        t.see("Plain is off.")
        t.see("YOUR TURN")
        t.enter("?")
        t.see("Tab offers what is legal")
        t.enter("quit")
        assert t.ended() == 0


def test_the_clock_runs_under_the_prompt(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(" join t7")
        timed = TRICKS[-1].replace("act=play", "act=play ms=61000")
        peer.send(f"{id} OK on=t7 seat=2 seq=2", *SEATING, *TRICKS[:-1], timed)
        peer.quit()

    with scripted(serve) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN 1:0")
        t.see("YOUR TURN 0:5")
        t.enter("quit")
        assert t.ended() == 0


def test_the_terminal_is_as_it_was_when_the_server_ends_it(tmp_path: Path) -> None:
    go = threading.Event()

    def serve(peer: Peer) -> None:
        _at_table(peer)
        assert go.wait(20)
        peer.send("BYE code=REPLACED resume=0 :You are connected from elsewhere now.")

    with scripted(serve) as server, seat(server.address, tmp_path) as t:
        t.see("YOUR TURN")
        t.type("half")
        t.see("> half")
        go.set()
        assert t.ended() == 4
        assert "You are connected from elsewhere now." in "\n".join(t.look())
    # Bracketed paste is off again, and the cursor is to be seen.
    assert t.bytes.rindex(b"\x1b[?2004l") > t.bytes.rindex(b"\x1b[?2004h")
    assert t.bytes.rindex(b"\x1b[?25h") > t.bytes.rindex(b"\x1b[?25l")


def test_while_nothing_answers_it_says_so_and_can_be_left(tmp_path: Path) -> None:
    with (
        scripted(lambda peer: peer.wait()) as server,
        Terminal("play", server.address, state=tmp_path, python=sys.executable) as t,
    ):
        t.see("Starting...")  # at once, and no longer where something else is to be said
        assert "Starting..." not in t.see(f"* Connecting to {server.address}...")
        t.type("\x03")
        t.see("* Ctrl-C again to leave.")
        t.type("\x03")
        assert t.ended() == 130
        assert "Traceback" not in "\n".join(t.look())


# ------------------------------------------------------------------------- many lines at once


PASTE = "\x1b[200~{}\x1b[201~"


def visiting(server: ScriptedServer, state: Path) -> Terminal:
    return Terminal("play", server.address, "--name", "bob", state=state)


def _answers(peer: Peer) -> list[str]:
    """Answers what is sent until the client quits; what it was."""
    said: list[str] = []
    while said[-1:] != ["quit"]:
        id, _, command = peer.read().strip().partition(" ")
        said.append(command)
        peer.send(f"{id} OK :That was {command}.")
    peer.send(QUIT)
    return said


QUIT = "BYE code=QUIT resume=0 :Goodbye."


def test_pasted_lines_are_run_one_by_one(tmp_path: Path) -> None:
    said: list[str] = []

    def serve(peer: Peer) -> None:
        peer.greet()
        said.extend(_answers(peer))

    with scripted(serve) as server, visiting(server, tmp_path) as t:
        t.until(lambda lines: ">" in lines)
        t.type("mo" + PASTE.format("td\r\nwho\r\ngames"))
        lines = t.see("That was games.")
        assert [line for line in lines if line.startswith(("> ", "That"))] == [
            *("> motd", "That was motd.", "> who", "That was who."),
            *("> games", "That was games."),
        ]
        many = ["motd", "who", "games", "motd", "who", "seeks"]
        t.type(PASTE.format("\n".join(many)))
        t.see("* These are 6 lines. yes runs them, one by one;")
        t.enter("games")
        t.enter("yes")  # too late: something else was typed
        t.until(lambda _: t.bytes.count(b"That was games") == 2)
        t.type(PASTE.format("\n".join(many)))
        t.until(lambda _: t.bytes.count(b"These are 6 lines") == 2)
        t.enter("yes")
        t.see("That was seeks.")
        t.enter("quit")
        assert t.ended() == 0
    assert [line for line in said if line != "yes"] == [
        *("motd", "who", "games"),
        *("games", *many),
        "quit",
    ]


def test_a_pasted_password_is_neither_shown_nor_kept(tmp_path: Path) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(r" register ann\s*$")
        peer.send(f"{id} ERR code=BAD_ARG class=syntax arg=password :register needs a password.")
        id = peer.expect(" register ann :three blind mice")
        peer.send(f"{id} OK name=ann token=Zk99 :Welcome, ann.")
        peer.quit()

    with scripted(serve) as server, visiting(server, tmp_path) as t:
        t.until(lambda lines: ">" in lines)
        t.type(PASTE.format("register ann\nthree blind mice\nthree blind mice\n"))
        t.see("Welcome, ann.")
        t.enter("quit")
        assert t.ended() == 0
        assert b"mice" not in t.bytes
    kept = [file.read_bytes() for file in (tmp_path / "twentytwo").iterdir()]
    assert not any(b"mice" in each for each in kept)


@pytest.mark.parametrize("looks", [(), ("--plain",), ("--tui",)], ids=str)
def test_what_is_typed_ahead_is_done_when_its_time_has_come(
    looks: tuple[str, ...], tmp_path: Path
) -> None:
    with Terminal("practice", "seed=1", *looks, state=tmp_path, size=(100, 30)) as t:
        t.see("Starting...")
        t.enter("keep")
        t.see("You keep all cards")
        assert b"not yours" not in t.bytes
