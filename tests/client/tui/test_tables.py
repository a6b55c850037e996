"""The table that fills the terminal, for every game, on a real server."""

from __future__ import annotations

import asyncio
import threading
from contextlib import AbstractAsyncContextManager
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from textual.containers import VerticalScroll
from textual.events import Key, Paste
from textual.widgets import Static

from tests.client.kit import Peer, scripted
from tests.client.screens import parts
from tests.client.tui.tables import Seen, playing
from tests.kit.processes import Server
from twentytwo_client.tui.canvas import Canvas
from twentytwo_client.tui.overlays import HELP, HelpScreen, LessonScreen
from twentytwo_client.tui.widgets import TableView

NUMBERS = count(1)


def begun(server: str, state: Path, game: str) -> AbstractAsyncContextManager[Seen]:
    """A client that has begun to practise a game, under a name of its own."""
    return playing(server, state, name=f"ann{next(NUMBERS)}", do=f"practice {game} seed=1")


@pytest.mark.parametrize(
    ("game", "title", "choices"),
    [
        ("twentytwo", "Twenty-Two", ["keep (enter)"]),
        ("twentysix", "Twenty-Six", ["keep (enter)"]),
        ("whist22", "Whist 22", ["0", "1"]),
        ("twentyeight", "Twenty-Eight", ["pass", "15"]),
    ],
)
async def test_a_game_is_played_by_keys_and_by_clicks_in_windows_of_any_size(
    game: str, title: str, choices: list[str], server: str, tmp_path: Path
) -> None:
    async with begun(server, tmp_path, game) as seen:
        await seen.turn()
        assert title in seen.title
        assert [each.label for each in seen.choices.choices][: len(choices)] == choices
        for name in ("steady", "steady2", "steady3", "you"):
            assert name in seen.table
        first = seen.turn_number
        # By keys: what the cursor is on.
        if game.startswith("twenty") and game != "twentyeight":
            await seen.press("right", "space", "enter")
        else:
            await seen.press("right", "enter")
        await seen.until(lambda: seen.turn_number not in (first, None))
        # By clicks: a move of those that are offered, or a card and then the move.
        for columns, rows in ((40, 15), (200, 60), (80, 24)):
            await seen.pilot.resize_terminal(columns, rows)
            await seen.pilot.pause()
            assert len(seen.hand.shown()) in (3, 4, 6)
            assert all(card in "".join(seen.hand.shown()) for card in seen.faces())
            assert ("side" in seen.displayed) == (columns >= 80)
        second = seen.turn_number
        await seen.click_a_move()
        await seen.until(lambda: seen.turn_number != second)


async def test_while_the_line_is_down_the_table_stays_in_grey_and_says_so(tmp_path: Path) -> None:
    with Server("--port", "0", "--bot-pause", "0") as server:
        host, port = server.address()
        async with begun(f"{host}:{port}", tmp_path, "twentytwo") as seen:
            await seen.turn()
            cards = seen.faces()
            server.process.kill()
            await seen.until(lambda: "no connection" in seen.title)
            assert "no connection" in seen.table and "steady2" in seen.table
            assert seen.faces() == cards and seen.hand.hand.barred == set(range(len(cards)))
            assert not seen.choices.choices


async def test_a_server_that_was_killed_and_comes_back_gives_the_table_back(tmp_path: Path) -> None:
    data = ("--bot-pause", "0", "--data", str(tmp_path / "data"))
    with Server("--port", "0", *data) as server:
        host, port = server.address()
        async with begun(f"{host}:{port}", tmp_path, "twentytwo") as seen:
            await seen.turn()
            await seen.enter("keep")
            await seen.until(lambda: "trick 1" in seen.title and "YOUR TURN" in seen.title)
            cards, table = seen.faces(), seen.table
            server.process.kill()
            server.process.wait()
            await seen.until(lambda: "no connection" in seen.title)
            assert seen.faces() == cards and len(seen.hand.hand.barred) == len(cards)
            with Server("--port", str(port), *data) as again:
                assert again.address() == (host, port)
                await seen.until(lambda: "YOUR TURN" in seen.title)
                assert seen.faces() == cards and seen.table == table
                assert len(seen.hand.hand.barred) < len(cards)
                first = seen.turn_number
                await seen.press("down", "enter")
                await seen.until(lambda: seen.turn_number not in (first, None))


async def test_talk_and_other_lines_are_typed_there_and_keys_edit_them(
    server: str, tmp_path: Path
) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        await seen.press("'", "h", "i", "space", "y", "left", "o", "enter")
        await seen.until(lambda: "hi oy" in seen.log)
        assert not seen.hand.hand.chosen
        await seen.press("f1")
        await seen.press("escape")
        await seen.enter("exchange")
        await seen.until(lambda: "Which cards?" in seen.log)


async def test_a_line_that_is_sent_is_gone_from_where_it_was_typed(
    server: str, tmp_path: Path
) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        await seen.pilot.resize_terminal(40, 15)
        first = seen.turn_number
        await seen.press(*"keep", "enter")
        await seen.until(lambda: seen.turn_number not in (first, None))
        assert seen.typed == ""


async def test_enter_right_behind_what_is_typed_sends_it_and_plays_nothing(
    server: str, tmp_path: Path
) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        first = seen.turn_number
        for key in ("s", "a", "y", "space", "h", "o", "enter"):  # all at once, as over a slow line
            character = " " if key == "space" else key if len(key) == 1 else None
            seen.app.post_message(Key(key, character))
        await seen.until(lambda: "~ann" in seen.log and "ho" in seen.log.rpartition("~ann")[2])
        assert seen.turn_number == first and "> say ho" in seen.log


async def test_lines_that_come_all_at_once_are_sent_one_by_one(server: str, tmp_path: Path) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        for key in (*"'one", "enter", *"'two", "enter"):
            seen.app.post_message(Key(key, key if len(key) == 1 else None))
        await seen.until(lambda: "> 'two" in seen.log)
        assert "> 'one" in seen.log and "onetwo" not in seen.log.replace("'", "")


async def test_lines_that_are_pasted_are_sent_one_by_one(server: str, tmp_path: Path) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        await seen.press("'", "h", "i")
        seen.app.post_message(Paste(" there\nsay more\r\n?\n"))
        await seen.until(lambda: "> ?" in seen.log)
        assert seen.typed == ""
        said = [seen.log.index(each) for each in ("hi there", "say more", "> ?")]
        assert said == sorted(said)
        seen.app.post_message(Paste("one "))
        await seen.until(lambda: seen.typed == "one ")


async def test_the_hand_lies_below_the_middle_of_the_table(server: str, tmp_path: Path) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        await seen.pilot.resize_terminal(120, 30)
        await seen.pilot.pause()
        (me,) = (line for line in seen.table.splitlines() if "you" in line)
        middle = (len(me) + len(me) - len(me.lstrip())) / 2
        cards = seen.hand.shown()[-3]
        assert abs((len(cards) + len(cards) - len(cards.lstrip())) / 2 - middle) < 4


async def test_what_comes_while_the_keys_are_shown_is_there_behind_them(
    server: str, tmp_path: Path
) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        first = seen.turn_number
        await seen.press(*"keep", "enter", "f1")
        await seen.until(lambda: seen.turn_number not in (first, None))
        await seen.until(lambda: "trick 1" in seen.title)
        await seen.pilot.resize_terminal(50, 24)
        await seen.press("f1")
        assert "side" not in seen.displayed and seen.app.screen.has_class("-narrow")


async def test_the_table_is_painted_once_for_all_its_rows(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[int] = []
    paint = TableView.canvas

    def counted(view: TableView, width: int, height: int) -> Canvas:
        painted.append(height)
        return paint(view, width, height)

    monkeypatch.setattr(TableView, "canvas", counted)
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        painted.clear()
        seen.app.query_one(TableView).refresh()
        await seen.until(lambda: painted)
        await seen.pilot.pause()
        assert len(painted) < painted[0] / 2


async def test_a_password_that_was_typed_is_not_brought_back(server: str, tmp_path: Path) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        await seen.enter("who")
        await seen.enter("login ann :three blind mice")
        await seen.press("t", "up")
        assert seen.typed == "who"


async def test_lines_typed_before_a_password_is_asked_for_are_taken_in_order_and_not_shown(
    tmp_path: Path,
) -> None:
    go = threading.Event()

    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(r"register ann\r")
        assert go.wait(10)
        peer.send(f"{id} ERR code=BAD_ARG class=syntax arg=password :register needs a password.")
        id = peer.expect("register ann :three blind mice")
        peer.send(f"{id} OK name=ann token=Zk99 :Welcome, ann. The name is yours from now on.")
        peer.wait()

    with scripted(serve) as server:
        async with playing(server.address, tmp_path, name="bob") as seen:
            await seen.until(lambda: "Hello, ~bob." in seen.log)
            for line in ("register ann", "three blind mice", "three blind mice"):
                await seen.enter(line)
            go.set()
            await seen.until(lambda: "Welcome, ann." in seen.log)
            await seen.enter("who")
            await seen.until(lambda: "> who" in seen.log)
            assert "> register ann" in seen.log
            assert "mice" not in seen.log


async def test_a_bid_is_chosen_by_the_keys_that_choose_cards(server: str, tmp_path: Path) -> None:
    async with begun(server, tmp_path, "whist22") as seen:
        await seen.turn()
        first = seen.turn_number
        await seen.press("enter")  # once chooses, as with cards
        assert seen.turn_number == first and seen.choices.chosen == seen.choices.choices[0]
        await seen.press("down", "down", "up")
        assert seen.choices.chosen == seen.choices.choices[1]
        await seen.press("enter")
        await seen.until(lambda: seen.turn_number not in (first, None))
        assert "> 1" in seen.log


async def test_enter_chooses_a_move_of_several_cards_and_then_plays_it(tmp_path: Path) -> None:
    told = parts("twelve", "t1")
    heard: list[str] = []

    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(" join t1")
        peer.send(f"{id} OK on=t1 seat=1 seq=1", *(line for part in told for line in part))
        heard.append(peer.expect(r" (play|move) .*4S"))
        peer.quit()

    with scripted(serve) as server:
        async with playing(server.address, tmp_path, name="bob", do="join t1") as seen:
            await seen.until(lambda: "trick 2" in seen.title and "YOUR TURN" in seen.title)
            assert [each.label for each in seen.choices.choices] == ["10 4 (lowest)"]
            await seen.press("space")  # half of it: what would make a move of it is offered
            assert seen.hand.hand.chosen == (0,)
            assert [each.label for each in seen.choices.choices] == ["10♣ 4♠"]
            await seen.press("escape", "enter")
            assert set(seen.hand.hand.chosen) == {0, 1}
            await seen.press("enter")
            await seen.until(lambda: heard)


async def test_all_that_tab_offers_is_seen_and_one_of_it_clicked(
    server: str, tmp_path: Path
) -> None:
    async with begun(server, tmp_path, "twentytwo") as seen:
        await seen.turn()
        await seen.press("h", "tab")
        found = [each.label for each in seen.choices.choices]
        assert {"hand", "hint", "help"} <= set(found) and seen.typed == found[0]
        await seen.press("tab")
        assert seen.typed == found[1] and seen.choices.chosen == seen.choices.choices[1]
        x, y = seen.choices.positions(*seen.choices.size)[0]
        await seen.pilot.click(type(seen.choices), offset=(x + 1, y))
        assert seen.typed == f"{found[0]} "
        await seen.until(lambda: seen.choices.choices[0].label == "keep (enter)")


async def test_only_the_host_is_offered_what_only_a_host_may_do(
    server: str, tmp_path: Path
) -> None:
    host, _, port = server.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"hello 1\nguest opener\nopen\n")
    while b"You open" not in (line := await reader.readline()):
        pass
    table = line.partition(b"on=")[2].split()[0].decode()
    async with playing(server, tmp_path, name="joiner", do=f"join {table}") as seen:
        await seen.until(lambda: seen.choices.choices and "ready" in seen.choices.choices[0].label)
        assert [each.label for each in seen.choices.choices] == ["ready", "leave"]
        writer.write(b"host ~joiner\n")
        await seen.until(lambda: len(seen.choices.choices) == 4)
        assert "start" in [each.label for each in seen.choices.choices]
    writer.close()


async def test_a_lesson_stays_beside_the_table_or_comes_before_it(
    server: str, tmp_path: Path
) -> None:
    async with playing(server, tmp_path, name="pupil", do="tutorial") as seen:
        await seen.turn()
        lesson = seen.app.query_one("#lesson", Static)
        await seen.until(lambda: "Step 1 of" in str(lesson.visual))
        assert lesson.display and "Step 1 of" not in seen.log
        for _ in range(6):
            await seen.enter("help moves")
        await seen.pilot.pause()
        assert lesson.display and "Type: exchange" in str(lesson.visual)
        await seen.pilot.resize_terminal(40, 15)
        await seen.enter("exchange 6 10 10")
        await seen.until(lambda: isinstance(seen.app.screen, LessonScreen))
        await seen.press("k")
        assert not isinstance(seen.app.screen, LessonScreen) and seen.typed == "k"


async def test_what_a_lesson_said_stands_in_the_log_where_it_was_said(
    server: str, tmp_path: Path
) -> None:
    async with playing(server, tmp_path, name="scholar", do="tutorial") as seen:
        await seen.turn()
        await seen.enter("exchange 6 10 10")
        await seen.until(lambda: "Step 1 of" in seen.log)
        log = seen.log
        assert log.index("Step 1 of") < log.index("> exchange 6 10 10") < log.index("You throw")
        assert log.count("Step 1 of") == 1 and "Step 2 of" not in log


async def test_a_line_that_was_typed_before_the_screen_was_there_is_sent_too(
    server: str, tmp_path: Path
) -> None:
    async with playing(server, tmp_path, name="hasty") as seen:
        await seen.press(*"whoami", "ctrl+j")
        await seen.until(lambda: "You are ~hasty" in seen.log)


async def test_all_keys_are_explained_in_a_usual_window(server: str, tmp_path: Path) -> None:
    async with playing(server, tmp_path, name="reader") as seen:
        await seen.press("f1")
        await seen.until(lambda: isinstance(seen.app.screen, HelpScreen))
        await seen.pilot.pause()
        keys = seen.app.screen.query_one(VerticalScroll)
        assert keys.size.width < 80 and keys.max_scroll_y == 0
        text = keys.query_one(Static)
        assert text.size.height == HELP.count("\n") + 1


@pytest.mark.parametrize("size", [(40, 15), (80, 24), (200, 60)])
async def test_the_table_stays_where_it_is_from_the_first_question_to_the_last(
    size: tuple[int, int], server: str, tmp_path: Path
) -> None:
    async with begun(server, tmp_path, "twentysix") as seen:
        await seen.pilot.resize_terminal(*size)
        await seen.turn()
        await seen.pilot.pause()
        view = seen.app.query_one(TableView)
        places = set()
        for _ in range(6):
            places.add((view.size, view.region, *_rows_of(seen, "steady2")))
            first = seen.turn_number
            await seen.press("down", "enter")
            if seen.turn_number == first:
                await seen.press("enter")
            await seen.until(partial(_asked_anew, seen, first))
            if "hand 2" in seen.title:
                break
            await seen.pilot.pause()
        assert len(places) == 1


def _asked_anew(seen: Seen, before: int | None) -> bool:
    """Whether there is another question than before."""
    return seen.turn_number not in (before, None)


def _rows_of(seen: Seen, name: str) -> list[tuple[int, int]]:
    """Where a name stands on the table."""
    return [(y, row.index(name)) for y, row in enumerate(seen.table.split("\n")) if name in row]
