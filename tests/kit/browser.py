"""A headless browser: the elements of a page after its scripts, and screenshots."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
MISSING = "chromium is not installed"
"""The reason for skipping a test that needs a browser."""


def browse(address: str, *options: str, size: tuple[int, int] = (1200, 1000)) -> str:
    """Opens an address in a window of `size` pixels; returns the page after its scripts have run.

    `options` are options of the browser, such as `--screenshot=FILE`.
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
    """Saves a screenshot of a page, `size` in pixels; `at` is the fragment of the URL, after #."""
    browse(f"file://{page}#{at}", f"--screenshot={picture}", size=size)
