"""The same targets, guided by coverage: `make fuzz ARGS=--guided`, where atheris is installed.

Each target is a process of its own, since the library ends it.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz import corpus

CODE = ("twentytwo_protocol", "twentytwo_server")
"""The packages whose coverage counts."""


def guide(names: Sequence[str], seconds: int, seed: int) -> int:
    """Tries each target for so long; 1 if anything was found. The library says how it goes."""
    failed = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            for data in corpus.kept(name):
                (Path(folder) / hashlib.sha256(data).hexdigest()).write_bytes(data)
            limits = [f"-max_total_time={seconds}", f"-seed={seed}", "-print_final_stats=1"]
            word = [sys.executable, "-m", "tests.fuzz.guided", name, *limits]
            crash = Path(folder) / "crash"
            found = subprocess.run([*word, f"-exact_artifact_path={crash}", folder])
            if found.returncode:
                failed += 1
                data = crash.read_bytes() if crash.exists() else b""
                print(f"FAIL {name}: --input {ascii(data)!r}", flush=True)
    return 1 if failed else 0


def main(words: Sequence[str]) -> None:
    """Tries one target until the library ends the process."""
    try:
        import atheris  # type: ignore  # an extra, there or not
    except ImportError:
        sys.exit("not installed: pip install 'twentytwo[fuzz]'")
    with atheris.instrument_imports(include=list(CODE)):
        from tests.fuzz.targets import TARGETS
    target = TARGETS[words[1]]
    options = [f"-max_len={target.longest}", "-timeout=10", *words[2:]]
    atheris.Setup([words[0], *options], lambda data: target.run(data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
