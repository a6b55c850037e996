"""The files of the page on which people play in a browser. They are read once, at the start."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath

from twentytwo_protocol.value import Value

_TEXT = "; charset=utf-8"
KINDS = {
    ".css": "text/css" + _TEXT,
    ".html": "text/html" + _TEXT,
    ".ico": "image/x-icon",
    ".js": "text/javascript" + _TEXT,
    ".png": "image/png",
    ".svg": "image/svg+xml" + _TEXT,
    ".txt": "text/plain" + _TEXT,
    ".webmanifest": "application/manifest+json" + _TEXT,
}
"""The content type of each suffix; files with other suffixes are no part of the page."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
"""The Content-Security-Policy of the page: all of it comes from this server."""
FIRST = "index.html"
WORKER = "sw.js"
_NO_VERSION, _NO_FILES = b'const VERSION = "";', b"const FILES = [];"


class SiteFile(Value):
    """A file as it is sent: its content type, its bytes, and the same bytes compressed.

    `tag` is a hash of the bytes. `packed` is None if compression saves nothing.
    """

    kind: str
    plain: bytes
    packed: bytes | None
    tag: str


Site = Mapping[str, SiteFile]
"""The files by the path of their address: `/`, `/app.js`, `/sdk/index.js`."""


def site() -> Site:
    """The files, ready to be sent. Raises `OSError` if they cannot be read."""
    found = {f"/{path}": _file(path, content) for path, content in site_files().items()}
    return {"/": found[f"/{FIRST}"], **found}


def site_files(folder: Path | None = None) -> dict[str, bytes]:
    """The bytes of each file by its path: `index.html`, `sdk/index.js`.

    `folder` is the web client's, unless it is another one. `sw.js` has the paths of the others, and
    the version, a hash of all files, so that it changes whenever one of them does. Raises `OSError`
    if a file cannot be read.
    """
    found = {path: file.read_bytes() for path, file in sorted(_files(folder or _folder()))}
    if WORKER in found:
        version = _hash(*(part for path in found for part in (path.encode(), found[path])))
        stamped = f'const VERSION = "{version}";'.encode()
        listed = f"const FILES = {json.dumps([path for path in found if path != WORKER])};".encode()
        worker = found[WORKER].replace(_NO_VERSION, stamped).replace(_NO_FILES, listed)
        found[WORKER] = worker
    return found


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The path of each file below the site, and where it is."""
    for file in (folder / "page").rglob("*"):
        if file.suffix in KINDS:
            yield file.relative_to(folder / "page").as_posix(), file
    for file in (folder / "sdk").glob("*.js"):
        if file.name != "node.js":
            yield f"sdk/{file.name}", file


def _folder() -> Path:
    """The folder of the web client, of an installed package or else of a checkout."""
    beside = Path(__file__).parents[2]
    installed = beside / "twentytwo_web"
    return installed if installed.is_dir() else beside.parent / "client" / "web"


def _file(path: str, content: bytes) -> SiteFile:
    packed = gzip.compress(content, mtime=0)
    smaller = packed if len(packed) < len(content) else None
    return SiteFile(KINDS[PurePosixPath(path).suffix], content, smaller, _hash(content))


def _hash(*parts: bytes) -> str:
    """A short hash of byte strings, which depends on their borders."""
    whole = sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8) + part)
    return whole.hexdigest()[:16]
