"""Questions and commits take turns at SQLite's only connection."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from tests.store.kit import Folder, keeping, opened
from twentytwo_server.facts import InboxLine


async def test_a_commit_waits_for_one_question_however_many_are_asked(tmp_path: Path) -> None:
    async with opened(Folder(tmp_path)) as store:
        answered: list[int] = []
        all_answered = asyncio.Event()

        def answer(number: int, _: object) -> None:
            answered.append(number)
            if len(answered) == 50:
                all_answered.set()

        for number in range(50):
            store.past("", "", 20, partial(answer, number))
        await keeping(store, InboxLine("ann", 1, 0, "line"))
        assert len(answered) < 10
        await all_answered.wait()
        assert answered == list(range(50))
