"""Some programs put a byte order mark in front of a text: it is dropped wherever text comes in."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.cases import together
from tests.kit.certificates import certificate
from tests.kit.pairs import Doors
from twentytwo_client.address import Address
from twentytwo_client.encryption import context_of
from twentytwo_client.replay.sources import contents, record_of
from twentytwo_client.saved_sessions import SavedSession, SessionFile
from twentytwo_client.terminal.prompt import BareLines
from twentytwo_protocol import record, record_link
from twentytwo_server.config.reading import read
from twentytwo_server.net.certificates import Certificates
from twentytwo_server.operator.given import text_of

MARK = "\ufeff"
RECORD = (Path(__file__).parents[1] / "records" / "v1" / "clock.txt").read_text("utf-8")
LINK = record_link.pack(RECORD)


@together("chunk", [0, 1])
@together(("typed", "answer"), [("hello 1 client=t", "@* OK proto=1"), ("ann", "Welcome, ~ann.")])
def test_in_front_of_the_first_line(typed: str, answer: str, chunk: int) -> None:
    line = Doors().line()
    line.send(f"{MARK}{typed}\n", chunk=chunk)
    assert line.read().startswith(answer)


@pytest.mark.parametrize("text", [RECORD, LINK], ids=["record", "link"])
def test_in_front_of_a_game(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game"
    file.write_text(MARK + text, "utf-8")
    record.read(text_of(file))
    assert record_of(str(file)) == RECORD
    readers: list[Callable[[], str]] = [lambda: text_of(Path("-")), lambda: contents("-")]
    for reader in readers:  # from standard input
        monkeypatch.setattr(sys, "stdin", io.StringIO(MARK + text))
        assert not reader().startswith(MARK)


def test_in_front_of_a_link_that_is_given_itself() -> None:
    assert record_of(MARK + LINK) == RECORD
    assert text_of(Path(MARK + LINK)) == RECORD


def test_in_front_of_settings(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f'{MARK}[server]\nname = "cards"\n', "utf-8")
    assert read(file, {}, {}).settings.server.name == "cards"


def test_in_front_of_certificates(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    for each in (files.certificate, files.key, files.ca):
        each.write_bytes(BOM_UTF8 + each.read_bytes())
    Certificates([(files.certificate, files.key)], lambda: 0)
    context = context_of(Address(tls=True, ca=str(files.ca)))
    assert context is not None and len(context.get_ca_certs()) == 1


async def test_in_front_of_commands_that_are_piped() -> None:
    here, there = os.pipe()
    os.write(there, f"{MARK}ann\npractice\n".encode())
    os.close(there)
    lines = BareLines(asyncio.get_running_loop(), here)
    assert [await lines.read() for _ in range(3)] == ["ann", "practice", None]
    os.close(here)


def test_in_front_of_sessions_that_were_saved(tmp_path: Path) -> None:
    kept = SavedSession("ann", "a token")
    with SessionFile(tmp_path) as sessions:
        sessions.keep("here:2222", kept)
        file = tmp_path / "sessions.json"
        file.write_bytes(BOM_UTF8 + file.read_bytes())
        assert sessions.take("here:2222", "ann") == kept
