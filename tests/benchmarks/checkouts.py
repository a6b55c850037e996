"""Programs that run on the modules of another checkout, as `git worktree add FOLDER COMMIT` makes
one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def environment(folder: Path) -> Mapping[str, str]:
    """The environment of a process that uses the modules of a checkout."""
    parts = (folder, *(folder / part for part in ("server", "protocol", "client")))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(part.absolute()) for part in parts)}


def start(
    folder: Path, program: Path, *arguments: str, under: Sequence[str] = ()
) -> subprocess.Popen[str]:
    """Starts a program on the modules of a checkout, with the Python of its `.venv` if it has one.

    Lines are written to its input and read from its output. `under` is a command that runs it.
    """
    own = folder / ".venv" / "bin" / "python"
    return subprocess.Popen(
        [*under, str(own) if own.exists() else sys.executable, str(program), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**environment(folder), "PYTHONHASHSEED": "0"},
    )
