"""Practice games are kept in a folder of one's own, and counted by `twentytwo stats`."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.client.screen import Terminal
from tests.kit import forked
from twentytwo_client import practice_history
from twentytwo_client.practice_history import PracticeHistory, data_dir
from twentytwo_client.statistics.figures import figures
from twentytwo_client.statistics.picture import svg
from twentytwo_client.statistics.report import text
from twentytwo_protocol.statistics import PlayedGame

COUNTS = '{"1":{"last":{"K":[2,1],"3":[4,0]},"bids":{"2:2":1,"2:3":2}},"2":{"last":{},"bids":{}}}'


def game(no: int = 1, key: str = "twentytwo", **changed: Any) -> dict[str, Any]:
    """A game that is over, as it is kept."""
    made = {
        "ended": f"2026-11-{1 + no % 28:02}T20:{no % 60:02}:00Z",
        "game": key,
        "rules": "pagat",
        "seat": 1,
        "names": ["~ann", "bot:steady"],
        "places": [1 + no % 2, 2 - no % 2],
        "totals": [5 * (no % 7), 22],
        "summary": COUNTS,
    }
    return made | changed


def stats(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`twentytwo stats` in a home."""
    env = os.environ | {"XDG_DATA_HOME": str(home)}
    return forked.run("-m", "twentytwo_client", "stats", *arguments, env=env)


def filled(folder: Path, count: int) -> PracticeHistory:
    history = PracticeHistory(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(
        json.dumps(game(no, "twentytwo" if no % 3 else "whist22")) + "\n" for no in range(count)
    )
    history.path.write_text(lines, "utf-8")
    return history


def test_a_game_is_kept_at_once_and_read_again(tmp_path: Path) -> None:
    history = PracticeHistory(tmp_path / "new")
    assert history.read() == []
    history.add(game(2))
    history.add(game(3))
    found = history.read()
    assert [each.place for each in found] == [1, 2]
    assert found[0].summary.last["K", True] == 1
    assert history.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "line", ["", "no", "[]", "{}", '{"seat":9}', json.dumps(game(seat=3)), "\0\xff"]
)
def test_a_line_that_cannot_be_read_harms_no_other(tmp_path: Path, line: str) -> None:
    history = filled(tmp_path, 2)
    with open(history.path, "a", encoding="utf-8") as file:
        file.write(line + "\n")
    history.add(game(3))
    assert len(history.read()) == 3


def test_the_oldest_games_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice_history, "MOST", 20)
    history = filled(tmp_path, 22)
    history.add(game(23))
    assert len(history.read()) == 20
    assert history.read()[-1].id == game(23)["ended"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["practice.jsonl", "practice.lock"]


def test_the_folder_is_that_of_data() -> None:
    assert data_dir({"HOME": "/home/ann"}) == Path("/home/ann/.local/share/twentytwo")
    assert data_dir({"XDG_DATA_HOME": "/data", "HOME": "/x"}) == Path("/data/twentytwo")
    assert data_dir({"XDG_DATA_HOME": "data", "HOME": "/x"}) == Path("/x/.local/share/twentytwo")


def test_text_json_and_picture_tell_the_same_figures(tmp_path: Path) -> None:
    games = filled(tmp_path, 30).read()
    told = figures(games)
    two = told["games"]["twentytwo"]
    assert two["played"] == 20
    assert {"rank": "K", "times": 60, "losses": 20} in two["last_cards"]
    shown = text(games, blocks=False)
    assert "Twenty-Two: 20 games, 10 won (50 %)." in shown
    assert "         K     60   33 %  #######" in shown
    assert shown.isascii()
    assert all(len(line) <= 79 for line in shown.splitlines())
    picture = svg(games)
    ElementTree.fromstring(picture)
    assert "lost 20 of 60" in picture
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


FEW = """\
1 practice game on this machine, on 2026-11-02.

Twenty-Two: 1 game.
  You came in second with 5 points, the other 22, on 2026-11-02."""
TWO = """\
2 practice games on this machine, from 2026-11-02 to 2026-11-03.

Twenty-Two: 2 games, 1 won (50 %).
  You came in first once and second once.
  Best: first with 10 points, the other 22, on 2026-11-03.
  Worst: second with 5 points, the other 22, on 2026-11-02."""
ALIKE = """\
3 practice games on this machine, on 2026-11-02.

Twenty-Two: 3 games, none won.
  You came in second 3 times."""


def played(tmp_path: Path, *games: dict[str, Any]) -> list[PlayedGame]:
    history = PracticeHistory(tmp_path)
    for each in games:
        history.add({"summary": "", **each})
    return history.read()


def test_of_few_games_it_says_no_more_than_there_is(tmp_path: Path) -> None:
    def told(name: str, *games: dict[str, Any]) -> str:
        return text(played(tmp_path / name, *games), blocks=False)

    first, second = (game(no, summary="") for no in (1, 2))
    assert told("one", first) == FEW
    assert told("two", first, second) == TWO
    assert told("alike", first, first, first) == ALIKE
    undone = game(1, places=[0, 0])
    assert told("undone", undone).startswith("No practice games are kept")
    assert told("some", undone, first) == FEW
    assert figures(played(tmp_path / "counted", undone, first))["played"] == 1


CARDS_AND_BIDS = """\
1 practice game on this machine, on 2026-11-02.

Twenty-Two: 1 game.
  You came in first with 1 point, the others 22 and 22, on 2026-11-02.
  last card  times  lost
         10      4   25 %  #####
      joker      2  100 %  ####################
  bid  times  just so  more  less
    2      3        1     2     0
    3      1        0     0     1"""


def test_last_cards_and_bids_are_counted_in_columns(tmp_path: Path) -> None:
    counts = '{"1":{"last":{"T":[3,1],"X":[0,2]},"bids":{"2:2":1,"2:3":2,"3:1":1}}}'
    one = game(1, places=[1, 2, 2], totals=[1, 22, 22], names=["~ann", "b", "c"], summary=counts)
    assert text(played(tmp_path, one), blocks=False) == CARDS_AND_BIDS


@pytest.mark.parametrize("count", [0, 1, 2, 40])
@pytest.mark.parametrize("blocks", [True, False])
def test_in_a_narrow_window_no_line_is_longer(tmp_path: Path, count: int, blocks: bool) -> None:
    games = filled(tmp_path, count).read()
    shown = text(games, blocks=blocks, width=40)
    assert all(len(line) <= 40 for line in shown.splitlines())
    wide = text(games, blocks=blocks, width=120)
    assert len(wide.split()) >= len(shown.split()) > 10
    if count == 40:
        assert ("@ is furthest" in shown, "█ is furthest" in shown) == (not blocks, blocks)


def test_in_a_terminal_it_is_wrapped_at_words(tmp_path: Path) -> None:
    filled(tmp_path / "data" / "twentytwo", 40)
    env = {"XDG_DATA_HOME": str(tmp_path / "data")}
    with Terminal("stats", state=tmp_path, size=(40, 15), env=env) as t:
        assert t.ended() == 0
        assert "40 practice games on this machine, from" in t.all()
        assert not t.wrapped


def test_a_thousand_games_take_less_than_a_second(tmp_path: Path) -> None:
    filled(tmp_path / "twentytwo", 1000)
    began = time.process_time()
    games = PracticeHistory(tmp_path / "twentytwo").read()
    text(games, blocks=True)
    svg(games)
    assert len(games) == 1000
    assert time.process_time() - began < 1
    assert json.loads(stats(tmp_path, "--json").stdout)["played"] == 1000


def test_nothing_kept_is_said_and_a_picture_is_written(tmp_path: Path) -> None:
    assert "No practice games are kept" in stats(tmp_path).stdout
    made = stats(tmp_path, "--svg", str(tmp_path / "a.svg"))
    assert (made.returncode, made.stdout) == (0, "")
    ElementTree.fromstring((tmp_path / "a.svg").read_text("utf-8"))
    assert stats(tmp_path, "--svg", str(tmp_path / "no" / "a.svg")).returncode == 1


@pytest.mark.parametrize("kept", [True, False])
def test_a_practice_game_that_is_over_is_kept(tmp_path: Path, kept: bool) -> None:
    lines = "\n".join(["keep", "lowest"] + ["lowest"] * 3 + ["resign", "resign", "quit"])
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    client = ("-m", "twentytwo_client")
    options = () if kept else ("--no-history",)
    done = forked.run(
        *client, "practice", "--bots", "1", "--seed", "5", *options, text=lines, env=env
    )
    found = PracticeHistory(tmp_path / "twentytwo").read()
    assert "Game over" in done.stdout, done.stdout + done.stderr
    assert [(each.game, each.place) for each in found] == ([("twentytwo", 2)] if kept else [])
    last = [
        forked.run(*client, *command, "last", env=env, folder=tmp_path)
        for command in (("replay",), ("record", "check"))
    ]
    assert [each.returncode for each in last] == ([0, 0] if kept else [1, 1])
    if kept:
        assert "A game of Twenty-Two begins" in last[0].stdout
        assert "OK" in last[1].stdout
    else:
        assert last[0].stderr == "twentytwo: no game that you practised has been kept yet.\n"
