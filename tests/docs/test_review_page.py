"""The review on the page is what the command prints of the game beside it.

    python -m tests.docs.test_review_page       writes it down anew

Figures may be a little different: how the bots think is changed now and then.
"""

from __future__ import annotations

import re

from click.testing import CliRunner

from tests.conformance.quoting import ROOT
from twentytwo_server.operator.review_command import review

PAGE = ROOT / "docs" / "review.md"
GAME = ROOT / "docs" / "games" / "three.txt"
NEAR = 10
"""By how many points a figure may differ."""
_BLOCK = re.compile(
    r"(?P<head>^\$ twentytwo review docs/games/three\.txt --seat 2\n)(?P<said>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def printed() -> str:
    """What the command prints."""
    done = CliRunner().invoke(review, [str(GAME), "--seat", "2"])
    assert done.exit_code == 0
    return done.stdout


def quoted() -> str:
    """What the page says that it prints."""
    found = _BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return found["said"]


def moves(text: str) -> list[tuple[str, str, str]]:
    """What a review says of moves, without figures."""
    return re.findall(r"\d\. (Hand .*?: [a-z][^.]*)\.\s+(\w+)\. Better: (.*?)\.", one_line(text))


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_review_on_the_page_is_what_the_command_prints() -> None:
    said, page = printed(), quoted()
    assert moves(page)
    assert moves(said) == moves(page)
    now, then = (re.findall(r"\d+(?= %)", text) for text in (said, page))
    assert [a for a, b in zip(now, then, strict=True) if abs(int(a) - int(b)) > NEAR] == []
    assert words(said) == words(page)


def words(text: str) -> str:
    """The text without its figures and table."""
    whole = re.sub(r"[\d.]+", "N", one_line(re.sub(r"^  .*\d +\d+$", "", text, flags=re.MULTILINE)))
    # Whether luck was even is a figure, too.
    return re.sub(r"Luck of the deal.*", "", whole)


def test_the_page_has_the_blunder_that_a_player_would_see() -> None:
    first, *_ = moves(quoted())
    assert first == ("Hand 1, trick 4, holding 4 A, to beat K: play 4", "Blunder", "play A")


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_BLOCK.sub(lambda found: found["head"] + printed() + "```", page), "utf-8")
