"""Every transcript of the pages happens as it is written."""

from __future__ import annotations

import pytest

from tests.conformance.quoting import ROOT
from tests.docs.transcripts import Different, games, play

PAGES = ("protocol/SPEC.md", "docs/writing-a-client.md", "README.md", "docs/playing.md")
GAMES = [
    (page, game)
    for page in PAGES
    if (ROOT / page).exists()
    for game in games((ROOT / page).read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("page", "game"), GAMES, ids=[g for _, g in GAMES])
def test_a_transcript_happens_as_it_is_written(page: str, game: str) -> None:
    play((ROOT / page).read_text(encoding="utf-8"), game)


def test_the_specification_and_the_guide_have_transcripts() -> None:
    assert {page for page, _ in GAMES} == set(PAGES)


def test_a_transcript_with_a_wrong_line_is_noticed() -> None:
    page = (ROOT / PAGES[0]).read_text(encoding="utf-8")
    with pytest.raises(Different):
        play(page.replace("pong=soup", "pong=salt"), "replies")
