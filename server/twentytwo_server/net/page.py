"""The page `/ways`: the ways to connect to this server without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}: a server for card games</title>
<style>
body {{ max-width: 40em; margin: 2em auto; padding: 0 1em; font: 1em/1.5 sans-serif }}
code {{ font-size: 1.1em }}
@media (prefers-color-scheme: dark) {{ body {{ background: #111; color: #eee }} }}
</style>
</head>
<body>
<main>
<h1>{name}</h1>
<p>This is a server on which people and programs play cards with each other, in lines of text.</p>
<h2>How to connect</h2>
<ul>
{ways}
</ul>
<p>Then type a name, and <code>tutorial</code> to learn the game in four minutes,
<code>practice</code> to be dealt cards at once, or <code>help</code>.</p>
</main>
</body>
</html>
"""


def page(name: str, addresses: Iterable[str], host: str, *, https: bool, here: bool) -> str:
    """The page for a browser that requested `host`, `HOST` or `HOST:PORT`.

    `addresses` are the listeners (`tls:0.0.0.0:2223`). Local listeners are left out unless the
    request comes from this machine (`here`).
    """
    host = host or "HOST"
    bare = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    ways = [
        (
            "From a program or a page of yours, by WebSocket, a message a line",
            f"{'wss' if https else 'ws'}://{host}/",
        )
    ]
    for address in addresses:
        found = _TCP.fullmatch(address)
        if found and (here or found[2] not in ("127.0.0.1", "[::1]", "localhost")):
            ways += _ways(found[1], bare, found[3])
    items = "\n".join(f"<li>{escape(what)}: <code>{escape(to)}</code></li>" for what, to in ways)
    return _PAGE.format(name=escape(name), ways=items)


_TCP = re.compile(r"(tls:|ssh:|)(\[.*\]|[^:]+):([0-9]+)")


def _ways(prefix: str, host: str, port: str) -> list[tuple[str, str]]:
    if prefix == "tls:":
        return [
            ("With the client, encrypted", f"twentytwo play tls://{host}:{port}"),
            ("With OpenSSL", f"openssl s_client -quiet -connect {host}:{port}"),
        ]
    plain = host.strip("[]")
    if prefix == "ssh:":
        return [("With ssh, under your name", f"ssh -p {port} NAME@{plain}")]
    return [
        ("With the client", f"twentytwo play {host}:{port}"),
        ("With netcat", f"nc {plain} {port}"),
        ("With telnet", f"telnet {plain} {port}"),
    ]
