"""Saves sessions between runs of the client: the secret tokens that take a seat back.

They are in one file, readable by its owner only, with an entry for every server and name. A client
locks the entry that it uses. So a second client on the same machine gets another identity and does
not replace the first. The lock ends with the process, even if that is killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self


def state_dir(env: Mapping[str, str]) -> Path:
    """The folder for the client's state, by the XDG specification."""
    base = env.get("XDG_STATE_HOME", "")
    home = Path(base) if os.path.isabs(base) else Path(env.get("HOME", "/")) / ".local" / "state"
    return home / "twentytwo"


def private_file(path: Path) -> Path:
    """The file; a missing file is created with access for its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    return path


@dataclass(slots=True)
class SavedSession:
    """A saved session on a server: the name, the secret token, and the positions of its streams.

    `seated`: the person has a seat at a table there.
    """

    name: str
    token: str = ""
    streams: dict[str, int] = field(default_factory=dict)
    seated: bool = False


Servers = dict[str, dict[str, object]]
"""The contents of the file before validation: sessions by server and name."""


class SessionFile:
    """The file with the sessions of all servers."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "sessions.json"
        self._held = os.open(private_file(folder / "sessions.lock"), os.O_RDWR)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._held)

    # ------------------------------------------------------------------------ the file

    def take(self, server: str, name: str = "") -> SavedSession | None:
        """Locks and returns a session: that of the name, or without a name the latest free one.

        Sessions with a seat come first. The lock lasts until the process ends.
        """
        found = {key: _session(each) for key, each in self._read().get(server, {}).items()}
        there = {key: each for key, each in found.items() if each and _key(name) in ("", key)}
        for key in sorted(reversed(there), key=lambda key: not there[key].seated):
            if self._claim(server, key):
                return there[key]
        return None

    def keep(self, server: str, session: SavedSession) -> None:
        """Saves a session as the latest. It replaces an older one of the same name."""
        key = _key(session.name)
        self._claim(server, key)
        with self._changing() as all_:
            entry = all_.setdefault(server, {})
            entry.pop(key, None)
            entry[key] = asdict(session)

    def forget(self, server: str, name: str) -> None:
        """Deletes a session whose token is no longer valid."""
        with self._changing() as all_:
            all_.get(server, {}).pop(_key(name), None)

    def _read(self) -> Servers:
        try:
            found = json.loads(self._path.read_text("utf-8-sig"))
        except (OSError, ValueError):
            return {}
        found = found if isinstance(found, dict) else {}
        return {server: entry for server, entry in found.items() if isinstance(entry, dict)}

    @contextlib.contextmanager
    def _changing(self) -> Iterator[Servers]:
        """Yields the contents for changes, under a lock, and replaces the file atomically."""
        with _locked(self._held, 0):
            found = self._read()
            yield found
            private_file(self._path)
            handle, temporary = tempfile.mkstemp(dir=self._path.parent, prefix="sessions.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(found, file, indent=1)
                os.replace(temporary, self._path)  # mkstemp made it 0600
            except BaseException:
                os.unlink(temporary)
                raise

    def _claim(self, server: str, key: str) -> bool:
        """Tries to lock a session. True if this process holds the lock."""
        return _lock(self._held, _lock_byte(server, key), wait=False)


def _key(name: str) -> str:
    return name.lstrip("~").lower()


def _session(found: object) -> SavedSession | None:
    try:
        return SavedSession(**found) if isinstance(found, dict) else None
    except TypeError:
        return None


def _lock_byte(server: str, key: str) -> int:
    """The byte of the lock file for a session. Byte 0 is for the file itself."""
    return 1 + zlib.crc32(f"{server} {key}".encode())


@contextlib.contextmanager
def _locked(handle: int, byte: int) -> Iterator[None]:
    _lock(handle, byte, wait=True)
    try:
        yield
    finally:
        fcntl.lockf(handle, fcntl.LOCK_UN, 1, byte)


def _lock(handle: int, byte: int, *, wait: bool) -> bool:
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, byte)
    except OSError:
        return False
    return True
