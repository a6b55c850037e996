"""`twentytwo web`: the page as a folder for any web server."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from twentytwo_client import cli as client
from twentytwo_client.options import ServerCommand
from twentytwo_server.cli import main
from twentytwo_server.net.site import site_files


def test_the_page_is_written_into_a_folder(tmp_path: Path) -> None:
    for _ in range(2):  # the second time over the files of the first
        done = CliRunner().invoke(main, ["web", str(tmp_path / "new" / "page")])
        assert done.exit_code == 0, done.output
    files = site_files()
    assert done.output.startswith(f"{len(files)} files in {tmp_path}/new/page. ")
    assert "?server=wss://HOST:PORT" in done.output
    assert all(len(line) < 200 for line in done.output.splitlines())
    for path, content in files.items():
        assert (tmp_path / "new" / "page" / path).read_bytes() == content


def test_a_folder_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("")
    done = CliRunner().invoke(main, ["web", str(tmp_path / "page" / "x")])
    assert done.exit_code == 1
    assert done.output.count("\n") == 1


def test_the_client_has_the_command_too() -> None:
    assert client.read(["web", "page"]) == ServerCommand(("web", "page"))
