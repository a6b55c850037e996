"""Where this client keeps what it must know next time: the secrets that take a seat back.

One file, readable by its owner alone, an entry for every server and name. While a client uses an
entry it holds a lock on it, so that a second client on the same machine comes in as somebody else
instead of throwing the first one out; the lock goes with the process, however that ends.
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
    """The folder of this client's state, by the XDG rules."""
    base = env.get("XDG_STATE_HOME", "")
    home = Path(base) if os.path.isabs(base) else Path(env.get("HOME", "/")) / ".local" / "state"
    return home / "twentytwo"


def private_file(path: Path) -> Path:
    """The file, made readable by its owner alone if it was not there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    return path


@dataclass(slots=True)
class SavedSession:
    """A place at a server: the name, the secret, and the streams it goes with."""

    name: str
    token: str = ""
    streams: dict[str, int] = field(default_factory=dict)


Servers = dict[str, dict[str, object]]
"""What is in the file: sessions by server and name, as they were read."""


class SessionFile:
    """The sessions of all servers, in a file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "sessions.json"
        self._held = os.open(private_file(folder / "sessions.lock"), os.O_RDWR)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._held)

    # ------------------------------------------------------------------------ the file

    def take(self, server: str, name: str = "") -> SavedSession | None:
        """A session to go on with: that of the name, else the one used last that is free.

        It belongs to this process from now on.
        """
        found = self._read().get(server, {})
        wanted = [_key(name)] if name else [*reversed(found)]
        for key in wanted:
            session = _session(found.get(key))
            if session is not None and self._claim(server, key):
                return session
        return None

    def keep(self, server: str, session: SavedSession) -> None:
        """Remembers a session as the one used last, in place of an older one of that name."""
        key = _key(session.name)
        self._claim(server, key)
        with self._changing() as all_:
            entry = all_.setdefault(server, {})
            entry.pop(key, None)
            entry[key] = asdict(session)

    def forget(self, server: str, name: str) -> None:
        """The secret opens nothing any more."""
        with self._changing() as all_:
            all_.get(server, {}).pop(_key(name), None)

    def _read(self) -> Servers:
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        found = found if isinstance(found, dict) else {}
        return {server: entry for server, entry in found.items() if isinstance(entry, dict)}

    @contextlib.contextmanager
    def _changing(self) -> Iterator[Servers]:
        """The contents, to be changed; one process at a time, and never half written."""
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
        """Whether the session is this process's, from now on if not before."""
        return _lock(self._held, _place(server, key), wait=False)


def _key(name: str) -> str:
    return name.lstrip("~").lower()


def _session(found: object) -> SavedSession | None:
    try:
        return SavedSession(**found) if isinstance(found, dict) else None
    except TypeError:
        return None


def _place(server: str, key: str) -> int:
    """The byte of the lock file that stands for a session; byte 0 is for the file itself."""
    return 1 + zlib.crc32(f"{server} {key}".encode())


@contextlib.contextmanager
def _locked(handle: int, place: int) -> Iterator[None]:
    _lock(handle, place, wait=True)
    try:
        yield
    finally:
        fcntl.lockf(handle, fcntl.LOCK_UN, 1, place)


def _lock(handle: int, place: int, *, wait: bool) -> bool:
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, place)
    except OSError:
        return False
    return True
