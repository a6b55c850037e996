"""A game moved into the project touches its folder, its vocabulary and where they are entered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fifth_game.test_fifth_game import SITE, played_by_the_rule_blind_bot
from tests.recipes.copies import Copy

pytestmark = pytest.mark.timeout(300)

OUTSIDE = "tests.fifth_game.site.highcard"
FOLDER = "server/twentytwo_server/games/highcard"
VOCABULARY = "protocol/twentytwo_protocol/games/highcard.py"
ENTERED = {
    "protocol/twentytwo_protocol/games/__init__.py": (
        ("from . import twentyeight", "from . import highcard, twentyeight"),
        ('"Trump", "twentyeight"', '"Trump", "highcard", "twentyeight"'),
    ),
    "server/twentytwo_server/games/registry.py": (
        ("from .twentyeight", "from .highcard import HIGHCARD, HIGHPAIRS\nfrom .twentyeight"),
        ("TWENTYEIGHT)", "TWENTYEIGHT, HIGHCARD, HIGHPAIRS)"),
    ),
}
GENERATED = {
    "protocol/REFERENCE.md",
    "protocol/schema/events.json",
    "protocol/schema/replies.json",
    "client/web/sdk/words.js",
    "client/web/sdk/words.d.ts",
}


def with_the_game(folder: Path) -> Copy:
    """A copy of the project with High Card and High Pairs among its own games."""
    copy = Copy(folder / "copy")
    (copy.folder / FOLDER).mkdir()
    for path in (SITE / "highcard").glob("*.py"):
        text = path.read_text().replace(
            f"{OUTSIDE}.vocabulary", "twentytwo_protocol.games.highcard"
        )
        text = text.replace(f"{OUTSIDE}.laws", "twentytwo_server.games.highcard.engine")
        text = text.replace(OUTSIDE, "twentytwo_server.games.highcard")
        name = "engine.py" if path.name == "laws.py" else path.name
        place = VOCABULARY if path.name == "vocabulary.py" else f"{FOLDER}/{name}"
        (copy.folder / place).write_text(text)
    for file, edits in ENTERED.items():
        text = (copy.folder / file).read_text()
        for before, after in edits:
            assert text.count(before) == 1, (file, before)
            text = text.replace(before, after)
        (copy.folder / file).write_text(text)
    copy.run("python -m twentytwo_protocol")
    return copy


def test_a_game_of_the_project_touches_its_folder_its_vocabulary_and_where_they_are_entered(
    tmp_path: Path,
) -> None:
    copy = with_the_game(tmp_path)
    others = {path for path in copy.touched() if not path.startswith(f"{FOLDER}/")}
    assert others == {VOCABULARY, *ENTERED, *GENERATED}
    copy.run("pytest -n0 -q tests/protocol/test_manual.py tests/games/test_placement.py")
    with copy.server("--memory", "--think", "50") as server:
        lines = played_by_the_rule_blind_bot(
            server.address(), "practice highpairs bots=3 seed=1 options=target:2"
        )
    assert lines[-1].startswith("GAMEOVER"), lines[-3:]
