"""Logs exceptions while the screen is drawn, instead of showing a traceback on it.

The screen is drawn again with the next event, so a person loses the view for a moment at most.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path

from ..saved_sessions import private_file

FILE = "faults.log"


@contextlib.contextmanager
def noted(folder: Path) -> Iterator[None]:
    """Catches an exception in the block and logs it in a file of the folder. A repeated one is not
    logged.
    """
    try:
        yield
    except Exception as fault:
        where = traceback.extract_tb(fault.__traceback__)[-1]
        said = " ".join(str(fault).split())
        line = f"{Path(where.filename).name}:{where.lineno} {type(fault).__name__}: {said}\n"
        with contextlib.suppress(OSError):
            file = private_file(folder / FILE)
            if line not in file.read_text("utf-8"):
                with open(file, "a", encoding="utf-8") as log:
                    log.write(line)
