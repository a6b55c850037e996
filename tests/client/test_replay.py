"""`twentytwo replay` and `twentytwo record`: games that are over."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.client.screen import Terminal
from tests.client.test_piped import run
from twentytwo_client import Refused, Server, Table, connect
from twentytwo_client.address import Address
from twentytwo_client.cli import read
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.states import State
from twentytwo_client.core.updates import EventReceived
from twentytwo_client.display.look import Look
from twentytwo_client.options import Replay
from twentytwo_client.replay import command, sources, stepping
from twentytwo_client.replay.playback import Perspective, Playback, steps
from twentytwo_protocol import logs
from twentytwo_protocol import record as records
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Gameover, Played, Turn
from twentytwo_server.games.registry import games
from twentytwo_server.records import telling as server

RECORDS = Path(__file__).parents[1] / "records" / "v1"
RECORD = RECORDS / "twentytwo-pagat-1.txt"
PATHS = sorted({*RECORDS.glob("*[a-z1].txt")} - {RECORDS / "digests.txt"})
RESULT = re.compile(r"Game over|^ +1\. ")


@pytest.fixture(scope="module")
def events() -> list[Event]:
    return sources.of_file(str(RECORD))


class Paper:
    """A screen that keeps everything."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def write(self, text: str) -> None:
        self.texts.append(text)


def shown(events: Sequence[Event], keys: Sequence[str] | None = None, **options: object) -> str:
    """What a person reads of the game."""
    paper = Paper()
    asked = Replay("", **options)  # type: ignore[arg-type]  # as given
    stepping.Presentation(asked, Look(), lambda: None, paper.write, str).run(events, keys)
    return "\n".join(paper.texts)


# -------------------------------------------------------------------------------- stepping


def test_a_step_goes_to_the_next_question_and_says_nothing_of_what_comes(
    events: list[Event],
) -> None:
    viewing = Playback(events, Perspective(Look(), lambda: None, None, opened=False))
    told: list[str] = []
    while not viewing.over:
        told += viewing.play()
        if not viewing.over:
            assert not [line for line in told if RESULT.search(line)]
    assert RESULT.search("\n".join(told))


def test_the_steps_are_the_whole_game_in_order(events: list[Event]) -> None:
    assert [event for step in steps(events) for event in step] == events
    assert all(isinstance(step[-1], Turn | Gameover) for step in steps(events))
    assert max(sum(isinstance(event, Played) for event in step) for step in steps(events)) == 1


def test_keys_go_on_by_play_by_trick_and_by_hand(events: list[Event]) -> None:
    played, trick, hand = (shown(events, keys) for keys in ("nnnnnn", "t", "h"))
    assert "takes trick" not in played.partition("leads")[0]
    assert trick.count("takes trick") == 1
    assert "Scores: " in hand and "Hand 2" in hand and RESULT.search(hand) is None
    assert hand.count("Hand 2") == 1


def test_q_leaves_at_once(events: list[Event]) -> None:
    assert shown(events, "qhhhhhhhhhhh") == shown(events, "q")


def test_a_step_back_says_where_things_stood(events: list[Event]) -> None:
    once = shown(events, "nnnnn")
    again = shown(events, "nnnnnbn")
    last = once.splitlines()[-1]
    assert "--- As a spectator saw it" in again
    assert again.splitlines()[-1] == last


def test_at_the_end_one_is_told_so(events: list[Event]) -> None:
    assert shown(events, "an").endswith("The end. b goes back, q quits.")


def test_other_eyes_are_each_seats_and_only_on_request_all(events: list[Event]) -> None:
    seats = Playback(events, Perspective(Look(), lambda: None, None, opened=False)).seats
    closed = shown(events, "nn" + "s" * (len(seats) + 1))
    for name in ("ann", "bob"):
        assert f"--- As {name} saw it" in closed
    assert "All cards open" not in closed
    assert closed.rindex("As a spectator") > closed.rindex("As bob")
    opened = shown(events, "nnsss" + "s" * len(seats), opened=True)
    assert "--- All cards open" in opened


def test_cards_stay_closed_but_for_the_seat_that_looks(events: list[Event]) -> None:
    spectator, ann, opened = (
        shown(events, **options) for options in ({}, {"seat": 1}, {"opened": True})
    )
    assert "Your cards" not in spectator and "(ann: " not in spectator
    assert "Your cards: " in ann and "(bob: " not in ann
    assert "(ann: " in opened and "(bob: " in opened


def test_one_can_begin_at_a_trick_of_a_hand(events: list[Event]) -> None:
    from_there = shown(events, None, start=(2, 2))
    assert "hand 2, trick 2" in from_there.splitlines()[1]
    assert "takes trick 2" in from_there and "Hand 1" not in from_there


def test_nobody_is_asked_anything_any_more(events: list[Event]) -> None:
    for options in ({}, {"seat": 1}, {"opened": True}):
        text = shown(events, None, **options)
        assert "Your turn" not in text and "rematch" not in text


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_kind_of_game_can_be_gone_through_by_everybody(path: Path) -> None:
    record = records.read(path.read_text())
    events = [*server.table(record, games()), *server.told(record, games())]
    text = shown(events, "nthbs" * 4 + "a", opened=True)
    assert "Game over" in text or "ends without a result" in text


# ---------------------------------------------------------------------------- the command


def test_without_a_terminal_all_of_it_is_printed(tmp_path: Path) -> None:
    code, out, err = run("", "replay", str(RECORD), state=tmp_path)
    assert (code, err) == (0, "")
    assert out.count("Game over") == 1
    assert "space or n" not in out


Replayed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def replayed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Replayed:
    """Runs the command in this process: the exit code, the output, the errors."""

    def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        options = read(["replay", *arguments])
        assert isinstance(options, Replay)
        code = command.main(options, {})
        assert isinstance(code, int)
        return code, *capsys.readouterr()

    return run


def test_plain_is_sentences(replayed: Replayed) -> None:
    _, out, _ = replayed(str(RECORD), "--plain", "--from", "2")
    assert not [char for char in out if char in "|*" or (ord(char) < 32 and char != "\n")]
    assert all(line.endswith((".", "!", "?", ":")) for line in out.splitlines())


def test_a_log_is_gone_through_as_the_record_is(replayed: Replayed, tmp_path: Path) -> None:
    _, log, _ = replayed(str(RECORD), "--log")
    (tmp_path / "game.log").write_text(log)
    code, of_record, _ = replayed(str(RECORD), "--seat", "2")
    assert code == 0 and "Game over" in of_record
    assert replayed(str(tmp_path / "game.log"), "--seat", "2")[1] == of_record
    assert replayed("-", "--seat", "2", typed=log)[1] == of_record


def test_the_log_of_a_seat_has_no_other_cards(replayed: Replayed) -> None:
    _, log, _ = replayed(str(RECORD), "--log", "--seat", "1")
    dealt = [line for line in log.splitlines() if line.startswith("DEALT")]
    assert dealt
    assert all(("cards=" in line) == (" seat=1 " in line) for line in dealt)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nothing.txt"], "there is no file nothing.txt"),
        ([__file__], "neither a record nor a log"),
    ],
)
def test_what_cannot_be_shown_is_one_clear_line(
    arguments: list[str], why: str, replayed: Replayed
) -> None:
    code, out, err = replayed(*arguments)
    assert (code, out) == (1, "")
    assert why in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--seat", "9", "there is no seat 9; the last is 3"),
        ("--from", "99.9", "there is no hand 99; they are 1 to 6"),
        ("--from", "0", "there is no hand 0; they are 1 to 6"),
        ("--from", "3.9", "there is no trick 9 in hand 3; they are 1 to 7"),
    ],
)
def test_what_the_game_does_not_have_is_told_with_what_there_is(
    option: str, value: str, why: str, replayed: Replayed
) -> None:
    assert replayed(str(RECORD), option, value) == (2, "", f"twentytwo replay: {why}\n")


def test_whose_turn_it_was_is_said_in_the_middle_of_a_sentence(events: list[Event]) -> None:
    turns = set(re.findall("It is .*", shown(events, "nnb" * 40, seat=1)))
    assert "It is your turn to play." in turns
    assert not [turn for turn in turns if "Your" in turn]


def test_the_options_say_what_to_show() -> None:
    asked = read(["replay", "g5", "--server", "h:1", "--seat", "2", "--open", "--from", "3.2"])
    assert asked == Replay("g5", Address("h", 1), 2, True, (3, 2))
    assert read(["replay", "x.txt", "--from", "3", "--log"]) == Replay(
        "x.txt", start=(3, 0), log=True
    )


def test_a_wrong_place_to_begin_is_refused() -> None:
    with pytest.raises(SystemExit):
        read(["replay", "x", "--from", "three"])


def test_in_a_terminal_single_keys_step(tmp_path: Path) -> None:
    with Terminal("replay", str(RECORD), "--seat", "1", state=tmp_path) as terminal:
        terminal.see("space or n: next play")
        terminal.see("Your cards: ")
        terminal.type("t")
        terminal.see("trick 1")
        terminal.type("h")
        terminal.see("Hand 2")
        terminal.type("g2.3\r\x1b[C")  # all at once
        terminal.see("hand 2, trick 3")
        terminal.type("s")
        terminal.see("As bob saw it, in seat 2")
        terminal.type("q")
        assert terminal.ended() == 0
        assert not [line for line in terminal.all() if RESULT.search(line)]


def test_ctrl_c_leaves_with_the_status_of_that(tmp_path: Path) -> None:
    with Terminal("replay", str(RECORD), state=tmp_path, size=(40, 15)) as terminal:
        terminal.see("w: play on from here")
        assert not terminal.wrapped
        terminal.type("\x03")
        assert terminal.ended() == 130
        assert "Traceback" not in "\n".join(terminal.all())


def test_a_record_that_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    text = RECORD.read_text()
    lines = text.splitlines()
    number = next(i for i, line in enumerate(lines) if " play " in line)
    lines[number] = lines[number].rpartition(" ")[0] + " 2+3+4+5+6+7"
    (tmp_path / "wrong.txt").write_text("\n".join(lines) + "\n")
    code, out, _ = run("", "record", "check", str(tmp_path / "wrong.txt"), state=tmp_path)
    assert code == 5
    assert f"line {number + 1}: play 2+3+4+5+6+7" in out
    code, out, _ = run("", "record", "check", str(RECORD), state=tmp_path)
    assert code == 0 and ": OK, " in out


def test_a_record_can_be_shown_and_viewed(tmp_path: Path) -> None:
    _, out, _ = run("", "record", "show", str(RECORD), state=tmp_path)
    assert "Twenty-Two (pagat)" in out and "\n1. " in out
    _, out, _ = run("", "record", "view", str(RECORD), "--seat", "1", state=tmp_path)
    assert "Your cards: " in out and "Game over" in out


# -------------------------------------------------------------------------------- a log served


@contextlib.contextmanager
def served(data: bytes) -> Iterator[str]:
    """What `nc -l PORT < LOG` does: the bytes to whoever comes, and then silence."""
    listener = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError):
            wire, _ = listener.accept()
            with wire:
                wire.sendall(data)
                done.wait(30)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        done.set()
        listener.close()
        thread.join(30)


@pytest.fixture(scope="module")
def log(events: list[Event]) -> bytes:
    return "".join(f"{line}\n" for line in logs.written("g1", "A game", events)).encode()


def test_a_log_that_netcat_serves_is_shown(log: bytes, tmp_path: Path) -> None:
    with served(log) as address:
        code, out, err = run("", "replay", address, "--seat", "2", state=tmp_path)
    assert (code, err) == (0, "")
    assert "Game over" in out and "Your cards" in out


def test_where_nobody_serves_is_told(replayed: Replayed) -> None:
    code, _, err = replayed("127.0.0.1:1")
    assert code == 3 and "127.0.0.1:1" in err


async def test_a_bot_that_comes_to_a_served_log_is_shown_the_game_and_asked_nothing(
    log: bytes, events: list[Event]
) -> None:
    heard: list[Event] = []
    with served(log) as address:
        async with connect(address, name="botty") as server:
            async for event in server:
                assert isinstance(event, Event)
                heard.append(event)
                if isinstance(event, Gameover):
                    break
            assert server.tables == {}
    assert heard == events


def test_a_client_that_asks_under_the_usual_ids_gets_through(
    log: bytes, events: list[Event]
) -> None:
    talk = Conversation(name="ann")
    talk.connected()
    talk.receive(log)
    values = list(talk.updates())
    assert talk.state is State.HERE
    assert [value.event for value in values if isinstance(value, EventReceived)] == events
    assert talk.streams.questions() == []


# --------------------------------------------------------------------------- on a real server


async def _play(server: str, *names: str, practice: bool = False) -> str:
    """A short game between bots of the SDK; its number."""
    async with contextlib.AsyncExitStack() as stack:
        players = [await stack.enter_async_context(connect(server, name=name)) for name in names]
        if practice:
            tables = [await players[0].practice(bots=1, first_hand=5, limit=10)]
        else:
            first = await players[0].open(seats=len(players), clock=0, first_hand=5, limit=10)
            tables = [first] + [await player.join(first.on) for player in players[1:]]
            await _start(players)
        await asyncio.gather(*map(_defaults, tables))
        game = tables[0].state.game
        assert game is not None
        events = await players[0].export(game.id)
        assert isinstance(events[-1], Gameover)
        return game.id


async def _start(players: Sequence[Server]) -> None:
    """The first starts; that others add a word for the shuffle makes everybody unready again."""
    while True:
        for player in players[1:]:
            await player.command("ready")
        try:
            await players[0].command("start")
        except Refused as refused:
            assert refused.code == "NOT_READY"
        else:
            return


async def _defaults(table: Table) -> None:
    async for question in table.questions():
        await question.play(question.default)


async def test_a_game_of_a_server_is_gone_through_by_its_number(
    server: str, tmp_path: Path
) -> None:
    game = await _play(server, "ann", "bob")
    code, out, err = await asyncio.to_thread(
        lambda: run("", "replay", game, "--server", server, "--seat", "2", state=tmp_path)
    )
    assert (code, err) == (0, "")
    assert "Your cards: " in out and "Game over" in out


async def test_a_game_of_a_server_can_be_played_on_by_a_key(server: str, tmp_path: Path) -> None:
    game = await _play(server, "gus", "hal")

    def looked_at() -> None:
        # At the exchange: in a trick the seat may have no choice.
        arguments = ("replay", game, "--server", server, "--from", "1", "--seat", "1")
        with Terminal(*arguments, state=tmp_path) as terminal:
            terminal.see("play on from here")
            terminal.type("w")
            terminal.see("YOUR TURN")
            terminal.see("hand 1  out at 10")
            terminal.enter("/quit")
            assert terminal.ended() == 0

    await asyncio.to_thread(looked_at)


async def test_the_games_of_others_practice_are_not_shown(server: str, tmp_path: Path) -> None:
    game = await _play(server, "dan", practice=True)
    code, out, err = await asyncio.to_thread(
        lambda: run("", "replay", game, "--server", server, state=tmp_path)
    )
    assert (code, out) == (4, "")
    assert f"There is no game {game}" in err


async def test_a_replay_in_the_client_is_told_and_asks_nothing(server: str, tmp_path: Path) -> None:
    game = await _play(server, "eve", "fred")
    script = f"replay {game} speed=20\nexport {game} seat=0\nexport {game} seat=0\n"
    code, out, _ = await asyncio.to_thread(
        lambda: run(script, "play", server, "--name", "cat", state=tmp_path)
    )
    assert code == 0
    assert out.count("\n*** Game over.") == 2, "an export can be had again"
    assert f"{game} once more" in out, "the replay begins beside them"
    _, past, _ = await asyncio.to_thread(
        lambda: run("history eve\n", "play", server, "--name", "dog", state=tmp_path)
    )
    assert f"  {game}  " in past
    assert "Your turn" not in out and "(~eve: " in out


def test_one_can_go_back_by_trick_and_by_hand_and_anywhere(events: list[Event]) -> None:
    there = shown(events, "g2.3n")
    assert "hand 2, trick 3" in there
    assert "hand 2, trick 2" in shown(events, "g2.3n[").rpartition("---")[2]
    assert "hand 1" in shown(events, "g2.3n{{").rpartition("---")[2]
    assert shown(events, "gxn").count("Nowhere, then.") == 1
    assert "! There is no hand 99; they are 1 to 6." in shown(events, "g99\n")
    assert "! There is no trick 9 in hand 2; they are 1 to 7." in shown(events, "g2.9\n")
    stays = shown(events, "g2.3\ng2.9\ng0\nvvv").rpartition("---")[2]
    assert "hand 2, trick 3" in stays
