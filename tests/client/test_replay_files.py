"""What `twentytwo replay` writes: a page for a browser, and an asciicast."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyte
import pytest

from tests.kit.browser import BROWSER, MISSING, browse
from twentytwo_client.cli import read
from twentytwo_client.options import Replay
from twentytwo_client.replay import command, sources
from twentytwo_client.replay.frames import frames
from twentytwo_client.replay.page import NotAReview, page
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Dealt, Played, Turn

RECORDS = Path(__file__).parents[1] / "records" / "v1"
RECORD = RECORDS / "twentytwo-pagat-1.txt"


@pytest.fixture(scope="module")
def events() -> list[Event]:
    return sources.of_file(str(RECORD))


def data_of(text: str) -> dict[str, Any]:
    """What the page's script reads."""
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def unfolded(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The pictures in full, as the page's script makes them from what changes in each."""
    found: list[dict[str, Any]] = []
    for patch in data["frames"]:
        found.append(merged(found[-1] if found else {}, patch))
    return found


def merged(before: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """A JSON Merge Patch, applied."""
    made = dict(before)
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            inner = isinstance(value, dict)
            made[key] = merged(made.get(key, {}), value) if inner else value
    return made


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
    for frame in unfolded(data_of(page(events, 1))):
        assert set(frame["hands"]) <= {"1"} and set(frame["told"]) == {"1"}
    for frame in unfolded(data_of(page(events, 0))):
        assert frame["hands"] == {} and set(frame["told"]) == {"0"}
    assert dealt[2]
    assert "(bob: " in page(events) and "(bob: " not in page(events, 1)


def test_an_open_page_begins_with_all_cards(events: list[Event]) -> None:
    usual, opened = data_of(page(events)), data_of(page(events, opened=True))
    assert [usual["eyes"][0]["name"], opened["eyes"][0]["name"]] == [
        "What everybody saw",
        "All cards",
    ]
    assert len(usual["eyes"]) == len(opened["eyes"])
    # What all eyes are told alike stands in a picture for the first of them.
    assert all("-1" in frame["told"] for frame in unfolded(opened))


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


def test_the_page_has_every_picture_in_full_though_only_changes_are_written(
    events: list[Event],
) -> None:
    eyes = [0, 1, 2, 3, None]
    data = data_of(page(events))
    keys, found = [str(each["key"]) for each in data["eyes"]], unfolded(data)
    pictures = list(frames(events, eyes))
    assert len(found) == len(pictures) > 90
    for shown, meant in zip(found, pictures, strict=True):
        seats = list(shown["seats"].values())
        assert [each["cards"] for each in seats] == [each.cards for each in meant.seats]
        assert [each["moves"] for each in seats] == [each.moves for each in meant.seats]
        assert shown["hands"] == {str(seat): list(cards) for seat, cards in meant.hands.items()}
        assert shown["plays"] == [[seat, list(cards)] for seat, cards in meant.plays]
        assert (shown["hand"], shown["trick"]) == (meant.hand, meant.trick)
        for key, whose in zip(keys, eyes, strict=True):
            told = shown["told"].get(key, shown["told"][keys[0]])
            assert tuple(data["texts"][line] for line in told) == meant.told[whose]


def test_the_page_of_a_long_game_is_no_larger_than_it_has_to_be() -> None:
    text = page(sources.of_file(str(RECORDS / "twentyeight-pagat-2.txt")))
    steps = len(data_of(text)["frames"])
    assert steps > 1000 and len(text) < 20_000 + 260 * steps, len(text) / steps


def test_the_page_says_how_a_link_is_opened(events: list[Event]) -> None:
    assert "<code>twentytwo replay LINK</code>" in page(events)


# ------------------------------------------------------------------------------ in a browser

in_a_browser = pytest.mark.skipif(BROWSER is None, reason=MISSING)
SCRIPT = "for (const key of %s) document.dispatchEvent(new KeyboardEvent('keydown', {key}));"


def pressed(text: str, keys: list[str], folder: Path) -> str:
    """The page after keys. A page takes no other scripts than its own: in this one they may be."""
    free = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    script = SCRIPT % json.dumps(keys)
    out = folder / "pressed.html"
    out.write_text(free.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    return browse(f"file://{out}")


def where(dom: str) -> str:
    return str(re.findall(r'id="where">([^<]*)', dom)[0])


@in_a_browser
@pytest.mark.deadline(120)
def test_a_browser_shows_the_page(events: list[Event], tmp_path: Path) -> None:
    out, picture = tmp_path / "game.html", tmp_path / "game.png"
    out.write_text(page(events, None, review_of(events)), "utf-8")
    dom = browse(f"file://{out}#40", f"--screenshot={picture}")
    assert dom.count('class="seat') == 3 and 'class="card' in dom
    assert re.search(r'aria-live="polite"[^>]*><p>\S', dom), "a sentence is said"
    assert "Hand 2" in where(dom)
    assert "<polyline" in dom
    assert picture.read_bytes()[:4] == b"\x89PNG"


@in_a_browser
@pytest.mark.deadline(120)
def test_keys_go_through_the_page(events: list[Event], tmp_path: Path) -> None:
    text = page(events)
    dom = pressed(text, ["}", "]", "]", "ArrowRight", "v"], tmp_path)
    assert where(dom) == "Hand 2, trick 2"
    assert 'class="card' in dom and 'class="card back"' in dom  # one hand open, the others not
    dom = pressed(text, ["}", "}", "{", "]", "["], tmp_path)
    assert where(dom) == "Hand 2"
    dom = pressed(text, ["}", "ArrowLeft"], tmp_path)
    assert where(dom).startswith("Hand 1, trick")


def dead(dom: str) -> list[str]:
    """The buttons that cannot be pressed."""
    return re.findall(r'<button id="(\w+)"[^>]* disabled', dom)


@in_a_browser
@pytest.mark.deadline(120)
def test_a_button_that_leads_nowhere_cannot_be_pressed(events: list[Event], tmp_path: Path) -> None:
    text = page(events)
    assert dead(pressed(text, [], tmp_path)) == ["handback", "trickback", "back"]
    assert dead(pressed(text, ["ArrowRight"], tmp_path)) == []
    at_the_end = ["next", "tricknext", "handnext"]
    assert dead(pressed(text, ["End"], tmp_path)) == at_the_end
    assert dead(pressed(text, ["End", "ArrowRight", "]", "}"], tmp_path)) == at_the_end


@in_a_browser
@pytest.mark.deadline(120)
def test_on_paper_the_page_is_the_whole_game_as_text(events: list[Event], tmp_path: Path) -> None:
    text = page(events)
    out, paper = tmp_path / "game.html", tmp_path / "game.pdf"
    out.write_text(text, "utf-8")
    browse(f"file://{out}", f"--print-to-pdf={paper}")
    pages = len(re.findall(rb"/Type /Page\b", paper.read_bytes()))
    words = re.findall(r'<section class="print"[^>]*>(.*?)</section>', text, re.DOTALL)[0]
    assert pages >= words.count("<p>") // 60 > 1
    # What is hidden on paper, and what is there, by the rules for paper on a screen.
    as_paper = text.replace("@media print", "@media screen").replace(
        "<body>", '<body><p id="seen"></p>'
    )
    look = (
        "const of = name => getComputedStyle(document.querySelector(name)).display;"
        "seen.textContent = ['#table', 'nav', '#said', '.print'].map(of).join(' ');"
    )
    free = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", as_paper)
    out.write_text(free.replace("</body>", f"<script>{look}</script></body>"), "utf-8")
    assert 'id="seen">none none none block<' in browse(f"file://{out}")
