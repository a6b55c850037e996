"""Intercepts all disk calls of SQLite, to record them or to inject faults.

The SQLite library of Python's `sqlite3` gets another default VFS: its own one with some functions
replaced. The server is not aware of it. It is impossible if SQLite is built into Python without
exported symbols (`available`).
"""

from __future__ import annotations

import _sqlite3
import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OK = 0
BUSY, FULL, IOERR_READ, IOERR_WRITE, IOERR_FSYNC = 5, 13, 266, 778, 1034
"""Result codes of SQLite."""
_CREATE = 0x4


@dataclass(frozen=True, slots=True)
class Op:
    """A call: `open`, `read`, `write`, `truncate`, `sync`, `lock` or `delete`, on a file.

    `at` is the position of a read or write, or the new length of a truncated file; `data` is the
    data written. `fast` is a deletion that the disk may lose.
    """

    kind: str
    file: str
    at: int = 0
    data: bytes = b""
    fast: bool = False


Watch = Callable[[Op], int]
"""Called before every call, in the same thread. If it returns anything but `OK`, SQLite gets this
result, and the call is not made.
"""


class _Vfs(Structure):
    pass


_OPEN = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_DELETE = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_Vfs._fields_ = [
    ("iVersion", c_int),
    ("szOsFile", c_int),
    ("mxPathname", c_int),
    ("pNext", c_void_p),
    ("zName", c_char_p),
    ("pAppData", c_void_p),
    ("xOpen", _OPEN),
    ("xDelete", _DELETE),
    ("rest", c_void_p * 14),
]

_CLOSE = ctypes.CFUNCTYPE(c_int, c_void_p)
_MOVE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_CUT = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64)
_FLAG = ctypes.CFUNCTYPE(c_int, c_void_p, c_int)


class _Methods(Structure):
    _fields_ = (
        ("iVersion", c_int),
        ("xClose", _CLOSE),
        ("xRead", _MOVE),
        ("xWrite", _MOVE),
        ("xTruncate", _CUT),
        ("xSync", _FLAG),
        ("xFileSize", c_void_p),
        ("xLock", _FLAG),
        ("rest", c_void_p * 11),
    )


class _File(Structure):
    _fields_ = (("methods", POINTER(_Methods)),)


def _library() -> Any:
    """The SQLite library of `sqlite3`; symbols are also looked up in the libraries linked to it."""
    return ctypes.CDLL(getattr(_sqlite3, "__file__", None))


def available() -> bool:
    """True if the symbols of SQLite are accessible."""
    try:
        return hasattr(_library(), "sqlite3_vfs_register")
    except OSError:
        return False


class Disk:
    """The intercepting VFS. `watch` may be changed at any time; open files stay intercepted."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self._library = _library()
        self._library.sqlite3_vfs_find.restype = POINTER(_Vfs)
        self._own = self._library.sqlite3_vfs_find(None)
        real = self._own.contents
        self._vfs = _Vfs.from_buffer_copy(real)
        self._vfs.pNext = None
        self._vfs.zName = b"watched"
        self._open, self._delete = real.xOpen, real.xDelete
        self._vfs.xOpen = _OPEN(self._opened)
        self._vfs.xDelete = _DELETE(self._deleted)
        self._files: dict[int, str] = {}
        self._tables: dict[int, tuple[_Methods, _Methods]] = {}

    def install(self) -> None:
        """Makes it the default for all files opened later."""
        self._library.sqlite3_vfs_register(byref(self._vfs), 1)

    def remove(self) -> None:
        """Restores the original default."""
        self._library.sqlite3_vfs_register(self._own, 1)
        self._library.sqlite3_vfs_unregister(byref(self._vfs))

    # ------------------------------------------------------------------ what SQLite calls

    def _opened(self, vfs: int, name: int, file: int, flags: int, out: int) -> int:
        known = ctypes.string_at(name).decode() if name else ""
        if known:
            new = bool(flags & _CREATE) and not Path(known).exists()
            wrong = self.watch(Op("open", Path(known).name, at=int(new)))
            if wrong:
                return wrong
        done: int = self._open(vfs, name, file, flags, out)
        found = _File.from_address(file)
        if done == OK and known and found.methods:
            self._files[file] = Path(known).name
            found.methods = ctypes.pointer(self._methods(found.methods))
        return done

    def _deleted(self, vfs: int, name: bytes, sync: int) -> int:
        wrong = self.watch(Op("delete", Path(name.decode()).name, fast=not sync))
        return wrong or int(self._delete(vfs, name, sync))

    def _methods(self, real: Any) -> _Methods:
        """The methods of a file, with the intercepted ones replaced."""
        address = ctypes.addressof(real.contents)
        if address not in self._tables:
            own = _Methods.from_buffer_copy(real.contents)
            self._tables[address] = own, self._replaced(own)
        return self._tables[address][1]

    def _replaced(self, real: _Methods) -> _Methods:
        watched = _Methods.from_buffer_copy(real)
        close, read, write = real.xClose, real.xRead, real.xWrite
        truncate, sync, lock = real.xTruncate, real.xSync, real.xLock

        def closed(file: int) -> int:
            self._files.pop(file, None)
            return int(close(file))

        def reading(file: int, buffer: int, size: int, at: int) -> int:
            return self.watch(Op("read", self._files[file], at)) or int(
                read(file, buffer, size, at)
            )

        def writing(file: int, buffer: int, size: int, at: int) -> int:
            op = Op("write", self._files[file], at, ctypes.string_at(buffer, size))
            return self.watch(op) or int(write(file, buffer, size, at))

        def cutting(file: int, size: int) -> int:
            return self.watch(Op("truncate", self._files[file], size)) or int(truncate(file, size))

        def syncing(file: int, flags: int) -> int:
            return self.watch(Op("sync", self._files[file])) or int(sync(file, flags))

        def locking(file: int, how: int) -> int:
            return self.watch(Op("lock", self._files[file])) or int(lock(file, how))

        watched.xClose, watched.xTruncate = _CLOSE(closed), _CUT(cutting)
        watched.xRead, watched.xWrite = _MOVE(reading), _MOVE(writing)
        watched.xSync, watched.xLock = _FLAG(syncing), _FLAG(locking)
        return watched


@contextmanager
def watched(watch: Watch) -> Iterator[Disk]:
    """Intercepts the disk during the block."""
    disk = Disk(watch)
    disk.install()
    try:
        yield disk
    finally:
        disk.remove()
