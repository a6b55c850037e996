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
from typing import Any, Self


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
class Session:
    """A place at a server: the name, the secret, and the streams it goes with."""

    name: str
    token: str = ""
    streams: dict[str, int] = field(default_factory=dict)


class Sessions:
    """The sessions of all servers, in a file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "sessions.json"
        self._locks = folder / "sessions.lock"
        self._held: int | None = None

    def __enter__(self) -> Self:
        self._held = os.open(private_file(self._locks), os.O_RDWR)
        return self

    def __exit__(self, *_: object) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None

    # ------------------------------------------------------------------------ the file

    def last(self, server: str) -> str:
        """The name used last at a server; empty if there is none."""
        found = self._read().get(server, {}).get("last", "")
        return found if isinstance(found, str) else ""

    def find(self, server: str, name: str) -> Session | None:
        """The session of that name."""
        found = self._read().get(server, {}).get("names", {}).get(_key(name))
        try:
            return Session(**found) if found else None
        except TypeError:
            return None

    def keep(self, server: str, session: Session) -> None:
        """Remembers a session, in place of an older one of that name."""
        with self._changing() as all_:
            entry = all_.setdefault(server, {})
            entry["last"] = session.name
            entry.setdefault("names", {})[_key(session.name)] = asdict(session)

    def forget(self, server: str, name: str) -> None:
        """The secret opens nothing any more; the name is kept as the one used last."""
        with self._changing() as all_:
            all_.get(server, {}).get("names", {}).pop(_key(name), None)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[str, Any]]:
        """The contents, to be changed; one process at a time, and never half written."""
        with _locked(self._held, 0, wait=True):
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

    # ----------------------------------------------------------------------- the locks

    def claim(self, server: str, name: str) -> bool:
        """Takes the session for this process; False if a running client has it."""
        return _lock(self._held, _place(server, name), wait=False)

    def release(self, server: str, name: str) -> None:
        """Lets others have the session."""
        _unlock(self._held, _place(server, name))


def _key(name: str) -> str:
    return name.lstrip("~").lower()


def _place(server: str, name: str) -> int:
    """The byte of the lock file that stands for a session; byte 0 is for the file itself."""
    return 1 + zlib.crc32(f"{server} {_key(name)}".encode())


@contextlib.contextmanager
def _locked(handle: int | None, place: int, *, wait: bool) -> Iterator[None]:
    _lock(handle, place, wait=wait)
    try:
        yield
    finally:
        _unlock(handle, place)


def _lock(handle: int | None, place: int, *, wait: bool) -> bool:
    if handle is None:
        return True
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, place)
    except OSError:
        return False
    return True


def _unlock(handle: int | None, place: int) -> None:
    if handle is not None:
        fcntl.lockf(handle, fcntl.LOCK_UN, 1, place)
