"""Every page of docs/contributing is carried out, touches what it lists, and then it works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.processes import plain
from tests.recipes.copies import PAGES, ROOT, Copy, WrongRecipe, changed, listed

pytestmark = pytest.mark.timeout(300)

CARRIED_OUT = ("bot", "command", "failpoint", "migration", "option")
ELSEWHERE = {"game": "tests/recipes/test_game.py", "listener": "tests/net/test_channel.py"}
"""The pages that are not diffs, and what proves them."""


def carried_out(page: str, folder: Path, but: str = "") -> Copy:
    """A copy of the project on which a page was carried out."""
    copy = Copy(folder / "copy")
    copy.carry_out(page, but)
    return copy


def test_every_page_is_proved() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == {*CARRIED_OUT, *ELSEWHERE, "index"}
    for page, test in ELSEWHERE.items():
        assert test in (PAGES / f"{page}.md").read_text(encoding="utf-8")
        assert (ROOT / test).exists()


@pytest.mark.parametrize("page", CARRIED_OUT)
def test_a_recipe_touches_the_files_that_it_lists_and_passes_the_checks(
    page: str, tmp_path: Path
) -> None:
    copy = carried_out(page, tmp_path)
    assert copy.touched() == listed(page)
    copy.check(page)


def test_a_recipe_that_leaves_out_a_file_fails(tmp_path: Path) -> None:
    copy = carried_out("option", tmp_path, but="tests/games/test_options.py")
    assert copy.touched() == listed("option") - {"tests/games/test_options.py"}
    with pytest.raises(WrongRecipe, match="test_the_table_has_every_option_of_every_game"):
        copy.check("option")


# ------------------------------------------------------------------------------- over the wire


def test_a_wave_is_seen_by_others_at_the_table(tmp_path: Path) -> None:
    with carried_out("command", tmp_path).server() as server:
        where = server.address()
        with plain(where) as ann, plain(where) as bob:
            for peer, name in ((ann, "ann"), (bob, "bob")):
                peer.send(f"hello 1 client=test\n@g guest {name}\n")
                peer.until("@g OK")
            ann.send("@o open twentytwo\n")
            ann.until("@o OK")
            bob.send("@j join t1\n")
            bob.until("@j OK")
            ann.send("@w wave\n@d describe verbs wave\n")
            assert ann.until("@w").startswith("@w OK on=t1")
            assert ann.until("@d VERB").startswith("@d VERB name=wave")
            assert bob.until("WAVED").endswith("by=~ann")


def test_the_new_option_is_told_and_holds(tmp_path: Path) -> None:
    with carried_out("option", tmp_path).server("--dev") as server, plain(server.address()) as ann:
        ann.send("hello 1 client=test\n@g guest ann\n@r rules whist22\n")
        assert "default=0" in ann.until("@r RULE game=whist22 rules=gamerules key=most_lost")
        ann.send(
            "@x practice whist22 options=most_lost:11\n@p practice whist22 options=most_lost:2\n"
        )
        assert "code=BAD_ARG class=syntax arg=most_lost" in ann.until("@x")
        ann.until("@p OK")


# --------------------------------------------------------------------------------- the kitchen


def test_a_diff_that_does_not_fit_is_refused() -> None:
    assert changed("a\nb\nc\n", " a\n-b\n+d\n") == "a\nd\nc\n"
    assert changed("a\nx\na\n", "@@ x\n a\n+b\n") == "a\nx\na\nb\n"
    for wrong in (" b\n a\n", "+d\n"):
        with pytest.raises(WrongRecipe):
            changed("a\nb\n", wrong)
    with pytest.raises(WrongRecipe, match="2 times"):
        changed("a\na\n", " a\n+b\n")
