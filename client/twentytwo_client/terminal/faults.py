"""What went wrong while something was drawn: a line in a file, and never a traceback on a screen.

What is drawn is drawn anew with the next event, so that a person loses a moment's view at most.
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
    """A fault while it lasts ends it, and is a line in a file there; the same again is none."""
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
