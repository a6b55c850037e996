"""A game that is played while the server is killed is as the page shows it."""

from __future__ import annotations

from tests.docs.takeover import PAGE, blocks, shown
from tests.kit.postgres import Postgres


def test_the_game_in_which_the_server_is_killed_is_played_as_it_is_written() -> None:
    postgres = Postgres()
    try:
        played = blocks(postgres.url())
    finally:
        postgres.close()
    page = shown(PAGE.read_text(encoding="utf-8"))
    assert played == page, "python -m tests.docs.takeover writes it anew"
