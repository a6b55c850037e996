"""A browser without a window: what a page is made into, as elements and as a picture."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
MISSING = "chromium is not installed"
"""Why a test is skipped that needs one."""


def browse(address: str, *options: str, size: tuple[int, int] = (1200, 1000)) -> str:
    """Opens an address in a window of so many pixels; the page as it is after its scripts.

    `options` are the browser's own, as `--screenshot=FILE`.
    """
    assert BROWSER is not None, MISSING
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [
                BROWSER,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--force-prefers-reduced-motion",
                "--virtual-time-budget=1000",
                f"--user-data-dir={profile}",
                f"--window-size={size[0]},{size[1]}",
                "--dump-dom",
                *options,
                address,
            ],
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
    return done.stdout


def photograph(page: Path, picture: Path, size: tuple[int, int], *, at: str = "") -> None:
    """Keeps a page in a file as a picture of so many pixels; `at` is what stands behind its #."""
    browse(f"file://{page}#{at}", f"--screenshot={picture}", size=size)
