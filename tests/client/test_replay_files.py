"""What `twentytwo replay` writes: a page for a browser, and an asciicast."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pyte
import pytest

from twentytwo_client.cli import read
from twentytwo_client.options import Replay
from twentytwo_client.replay import command, sources
from twentytwo_client.replay.frames import frames
from twentytwo_client.replay.page import NotAReview, page
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Dealt, Played, Turn

RECORDS = Path(__file__).parents[1] / "records" / "v1"
RECORD = RECORDS / "twentytwo-pagat-1.txt"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")


@pytest.fixture(scope="module")
def events() -> list[Event]:
    return sources.of_file(str(RECORD))


def data_of(text: str) -> dict[str, Any]:
    """What the page's script reads."""
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_every_play_has_its_picture_and_hands_fit_the_counts(events: list[Event]) -> None:
    pictures = list(frames(events, [0, 1, 2, 3, None]))
    plays = [event for event in events if isinstance(event, Played)]
    taken = [each for each in pictures if any("takes trick" in said for said in each.told[0])]
    assert all(picture.takes for picture in taken)
    assert sum(len(picture.plays) for picture in taken) == len(plays)
    for picture in pictures[:-1]:
        for seat, cards in picture.hands.items():
            assert len(cards) == picture.seats[seat - 1].cards


def test_a_page_for_a_seat_has_no_other_cards(events: list[Event]) -> None:
    dealt = {each.seat: each.cards for each in events if isinstance(each, Dealt)}
    for frame in data_of(page(events, 1))["frames"]:
        assert set(frame["hands"]) <= {"1"} and set(frame["told"]) == {"1"}
    for frame in data_of(page(events, 0))["frames"]:
        assert frame["hands"] == {} and set(frame["told"]) == {"0"}
    assert dealt[2]
    assert "(bob: " in page(events) and "(bob: " not in page(events, 1)


def test_a_page_needs_nothing_but_itself_and_names_do_no_harm(events: list[Event]) -> None:
    text = page(events)
    assert "default-src 'none'" in text and "unsafe" not in text
    # The namespace of SVG is a name, and no address that is asked for.
    assert re.findall(r"https?://[^\"\s]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\b(src|href|style)=", text)
    log = RECORD.read_text().replace("name 1 ann", "name 1 </script><img>")
    harmless = page(sources.of_text(log))
    assert "<img" not in harmless and harmless.count("</script>") == text.count("</script>")


def review_of(events: list[Event]) -> str:
    turns = [event.turn for event in events if isinstance(event, Turn)]
    chances = [[0.4, 0.3, 0.3], [0.1, 0.5, 0.4]]
    return json.dumps(
        {
            "version": 1,
            "plays": "twentytwo",
            "seats": ["ann", "bob", "cat"],
            "curve": [
                {"turn": 0, "chance": chances[0]},
                *({"turn": turn, "chance": chances[turn % 2]} for turn in turns),
            ],
            "moves": [
                {"turn": turns[5], "seat": 1, "mark": "blunder", "why": "K was better."},
                {"turn": turns[6], "seat": 2, "mark": "", "why": ""},
            ],
        }
    )


def test_a_review_gives_its_curve_and_its_marks_to_the_plays(events: list[Event]) -> None:
    data = data_of(page(events, None, review_of(events)))
    (mark,) = data["review"]["marks"]
    assert mark["text"] == "Blunder: K was better." and mark["frame"] > 0
    assert len({point["frame"] for point in data["review"]["curve"]}) > 90


@pytest.mark.parametrize("text", ["{}", "no", '{"plays": "another", "seats": []}', "[]"])
def test_what_is_no_review_of_this_game_is_refused(text: str, events: list[Event]) -> None:
    with pytest.raises(NotAReview):
        page(events, None, text)


def test_files_are_written_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, film = tmp_path / "game.html", tmp_path / "game.cast"
    asked = read(
        ["replay", str(RECORD), "--html", str(out), "--cast", str(film), "--columns", "40"]
    )
    assert isinstance(asked, Replay)
    assert command.main(asked, {}) == 0
    assert capsys.readouterr().out == f"{out}: written\n{film}: written\n"
    assert "<!doctype html>" in out.read_text()
    head, *steps = map(json.loads, film.read_text().splitlines())
    assert (head["version"], head["width"]) == (2, 40)
    times = [time for time, _, _ in steps]
    assert times == sorted(times) and all(kind == "o" for _, kind, _ in steps)
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    for _, _, text in steps:
        assert max(map(len, re.sub("\x1b\\[[0-9;]*m", "", text).split("\r\n"))) <= 40
        stream.feed(text)
    assert any("Game over" in line for line in screen.display)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.deadline(120)
def test_a_browser_shows_the_page(events: list[Event], tmp_path: Path) -> None:
    out, picture = tmp_path / "game.html", tmp_path / "game.png"
    out.write_text(page(events, None, review_of(events)), "utf-8")
    browser = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu"]
    browser += [f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1200,1000"]
    shown = [*browser, "--virtual-time-budget=1000", f"--screenshot={picture}", "--dump-dom"]
    dom = subprocess.run(
        [*shown, f"file://{out}#40"], capture_output=True, text=True, timeout=100, check=True
    ).stdout
    assert dom.count('class="seat') == 3 and 'class="card' in dom
    assert re.search(r'aria-live="polite"[^>]*><p>\S', dom), "a sentence is said"
    assert "Hand 2" in re.findall(r'id="where">([^<]*)', dom)[0]
    assert "<polyline" in dom
    if picture.exists():
        assert picture.read_bytes()[:4] == b"\x89PNG"
