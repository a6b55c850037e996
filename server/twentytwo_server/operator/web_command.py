"""The command `web`: writes the files of the page into a folder, for any web server."""

from __future__ import annotations

from pathlib import Path

import click

from twentytwo_protocol.voice import plural

from ..net.site import site_files

WHAT_ELSE = """\
Let a web server hand them out. The page connects by WebSocket to / of its own address, or to
the server of ?server=wss://HOST:PORT, which needs --ws-origin with the address of the page."""


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def web(folder: Path) -> None:
    """Write the page on which people play into a folder, for any web server.

    A server with a ws: or wss: listener hands the page out by itself.
    """
    files = site_files()
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    print(f"{plural(len(files), 'file')} in {folder}. {WHAT_ELSE}")
