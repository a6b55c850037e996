"""Servers that are killed while they write."""

from __future__ import annotations

import time
from pathlib import Path

from tests.kit.forked import Forked
from tests.store.kit import Folder, opened

WRITING = """
import asyncio
from twentytwo_server.facts import Input, TableOpened
from twentytwo_server.store.sql import open_store

async def main():
    store = await open_store({folder!r}, print)
    tables = (await store.load()).tables
    if not tables:
        store.keep([TableOpened("t1", "twentytwo", 0)], lambda: None)
    seq = len(tables[0].inputs) if tables else 0
    print("ready", flush=True)
    while True:
        for each in range(seq + 1, seq + 21):
            given = Input("t1", each, each, 0, "ann", False, False, "deed", (), each, each)
            store.keep([given], lambda each=each: print(each, flush=True))
        seq += 20
        await asyncio.sleep(0.004)

asyncio.run(main())
"""


async def test_a_killed_server_has_kept_all_that_it_had_answered(tmp_path: Path) -> None:
    place = Folder(tmp_path / "data")
    code = WRITING.format(folder=str(place.folder))
    answered = 0
    for turn in range(4):
        output = tmp_path / f"answers{turn}"
        with output.open("wb") as file:
            writing = Forked("-c", code, stdout=file.fileno())
            while output.stat().st_size < 100 + 90 * turn:
                time.sleep(0.001)
            writing.kill()
            writing.wait()
        answers = output.read_text().rpartition("\n")[0].split()
        assert answers[0] == "ready"
        answered = max(answered, *map(int, answers[1:]))
        async with opened(place) as store:
            (table,) = (await store.load()).tables
        numbers = [given.seq for given in table.inputs]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= answered
