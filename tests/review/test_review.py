"""A whole review: its parts, its text, its object, the command that prints it."""

from __future__ import annotations

import json
import subprocess
from functools import lru_cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from tests.kit import forked
from tests.kit.cases import together
from tests.review.games import SHORT, recorded, short
from twentytwo_protocol.record import write
from twentytwo_protocol.record_link import pack
from twentytwo_server import cli
from twentytwo_server.review.document import document
from twentytwo_server.review.judging import Effort
from twentytwo_server.review.luck import lucks
from twentytwo_server.review.report import report
from twentytwo_server.review.review import Review, hand_review, hands_of, put_together

HEADER = write(recorded("twentyeight")).partition("\n\n")[0] + "\n\n"
QUICK = Effort(20, 40, 100)
"""Nothing here depends on how well moves are judged."""


@lru_cache
def reviewed(key: str) -> Review:
    """The review of the first hands of a short game, by few worlds."""
    played = short(key)
    hands = [hand_review(played, no, (1,), QUICK) for no in hands_of(played)[:3]]
    return put_together(played, hands, (1,))


@pytest.mark.parametrize("key", SHORT)
def test_only_the_seats_that_were_asked_for_are_judged_and_everybody_has_a_chance(key: str) -> None:
    found = reviewed(key)
    assert found.moves
    assert {each.decision.seat for each in found.moves} == {1}
    sides = 2 if key == "twentyeight" else 1
    whole = found.played.record.seats / sides if sides == 2 else 1
    for point in found.curve:
        assert sum(point.chances) == pytest.approx(whole)
    assert [point.move for point in found.curve] == sorted(p.move for p in found.curve)


@together("key", SHORT)
def test_luck_counts_the_hands_that_were_lost(key: str) -> None:
    found = reviewed(key)
    hands = found.played.hands[:3]
    for luck in found.luck:
        assert luck.hands == sum(luck.seat in hand.seats for hand in hands)
        assert luck.lost == sum(luck.seat in hand.losers for hand in hands)
        assert 0 <= luck.expected <= luck.hands
    assert sum(luck.expected for luck in found.luck) == pytest.approx(
        sum(luck.share for luck in found.luck), abs=0.01
    )
    assert [luck.hands for luck in lucks([], 2)] == [0, 0]


def test_where_no_hand_was_played_to_its_end_luck_is_one_line() -> None:
    found = reviewed("twentytwo")
    told = report(found)
    none = replace(found, luck=tuple(lucks([], found.played.record.seats)))
    at = told.index("Luck of the deal, from the same deals played again by average players:")
    assert report(none) == [*told[:at], "Luck of the deal: no hand was played to its end."]


@together("key", SHORT)
def test_the_text_is_ascii_of_79_columns(key: str) -> None:
    for you in (None, 1):
        lines = report(reviewed(key), you)
        assert all(len(line) < 80 and line.isascii() for line in lines), lines
        assert ("You: " in "\n".join(lines)) == (you == 1)


@together("key", SHORT)
def test_the_object_has_what_the_text_tells(key: str) -> None:
    found = reviewed(key)
    read = json.loads(json.dumps(document(found)))
    assert (read["version"], read["plays"], read["reviewed"]) == (1, key, [1])
    assert len(read["seats"]) == len(read["luck"]) == found.played.record.seats
    moves = {each["move"]: each for each in read["moves"]}
    for number, each in moves.items():
        made = found.played.record.moves[number - 1]
        assert (each["seat"], each["act"], each["played"]) == (made.seat, made.act, made.token)
        assert (each["mark"] == "") == (each["cost"] < 0.05 or each["cost"] <= 2 * each["error"])
        assert each["why"].endswith(".")
        assert (each["best"] == each["played"]) == (each["cost"] == 0)
    assert all(moves[number]["mark"] for number in read["dearest"])
    assert len(read["dearest"]) <= 3


def test_the_command_reviews_a_file_for_people_and_for_programs(tmp_path: Path) -> None:
    file = tmp_path / "record.txt"
    file.write_text(write(recorded("twentyeight")), encoding="utf-8")
    said = ran("review", str(file), "--seat", "2")
    assert said.stdout.startswith("Review: Twenty-Eight (denexa), ")
    assert "bot:steady (2): " in said.stdout
    _, _, curve = said.stdout.partition("after each hand:\n")
    _, *rows = curve.partition("\n\n")[0].splitlines()
    assert [row[:16].strip() for row in rows] == [f"bot:steady ({seat})" for seat in range(1, 5)]
    read = json.loads(here(str(file), "--json", "--seat", "2").stdout)
    assert read["reviewed"] == [2]


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        ("hello\n", (), "That is not a record: line 1"),
        (write(recorded("twentyeight")).replace("\n\n", "\n"), (), "an empty line has to stand"),
        (HEADER, (), "No card of this game was dealt."),
        (pack(write(recorded("twentyeight")))[:-9], (), "this link is broken"),
        (None, (), "there is no such file or folder"),
        (write(recorded("twentyeight")), ("--seat", "9"), "--seat takes 1 to 4 here"),
    ],
)
def test_the_command_says_in_one_line_what_is_wrong(
    tmp_path: Path, text: str | None, words: tuple[str, ...], why: str
) -> None:
    file = tmp_path / "record.txt"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    said = here(str(file), *words)
    assert said.exit_code == 1
    assert said.stdout == ""
    assert said.stderr.startswith("twentytwo review: ")
    assert why in said.stderr
    assert said.stderr.count("\n") == 1


@pytest.mark.parametrize("itself", [True, False])
def test_the_command_takes_a_link_too(tmp_path: Path, itself: bool) -> None:
    link = pack(write(recorded("twentyeight")))
    file = tmp_path / "link.txt"
    file.write_text(link)
    said = here(link if itself else str(file), "--json", "--seat", "2")
    assert json.loads(said.stdout)["reviewed"] == [2]


def test_the_help_says_how_it_was_called() -> None:
    assert here("--help").stdout.startswith("Usage: twentytwo review ")


def here(*words: str) -> Result:
    """What the command of the server says, run in this process."""
    return CliRunner().invoke(cli.main, ["review", *words], prog_name="twentytwo")


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    """What the client says, which has the server's program do it."""
    return forked.run("-m", "twentytwo_client", *words)
