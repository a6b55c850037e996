"""`twentytwo stats`: reads the practice games and shows statistics."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from ..display.output import StandardOutput, columns
from ..exit_status import Exit
from ..options import Stats
from ..practice_history import PracticeHistory, data_dir
from ..trouble import file_trouble
from .figures import figures
from .picture import svg
from .report import text


def main(options: Stats, env: Mapping[str, str]) -> int:
    """Shows the statistics and returns the exit status."""
    history = PracticeHistory(data_dir(env))
    try:
        games = history.read()
        if options.svg:
            Path(options.svg).write_text(svg(games), "utf-8")
            print(f"{options.svg}: written", file=sys.stderr)
            return 0
    except OSError as wrong:
        file = options.svg or str(history.path)
        print(f"twentytwo stats: {file_trouble(file, wrong)}", file=sys.stderr)
        return Exit.FAILED
    out = StandardOutput()
    if options.json:
        out.write(json.dumps(figures(games), indent=1))
    else:
        encoding = (sys.stdout.encoding or "").lower().replace("-", "")
        blocks = encoding == "utf8" and sys.stdout.isatty()
        out.write(text(games, blocks=blocks, width=columns()))
    return 0
