"""The inputs that are kept: for each target a file, an input a line, as a literal of bytes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

MOST = 150
"""Inputs that are kept for a target."""
LONGEST = 800
"""Bytes of the longest input that is kept."""
FOLDER = Path(__file__).parent / "corpus"


def kept(target: str) -> list[bytes]:
    """The inputs that are kept for a target."""
    path = FOLDER / f"{target}.txt"
    if not path.exists():
        return []
    lines = path.read_text(encoding="ascii").splitlines()
    return [ast.literal_eval(line) for line in lines if line and not line.startswith("#")]


def keep(target: str, inputs: Iterable[bytes]) -> None:
    """Writes the inputs of a target, the shortest first; of too many some of each length."""
    FOLDER.mkdir(exist_ok=True)
    short = {data for data in inputs if len(data) <= LONGEST}
    ordered = sorted(short, key=lambda data: (len(data), data))
    lines = (ascii(data) for data in ordered[:: -(-len(ordered) // MOST) or 1])
    (FOLDER / f"{target}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
