"""A real Prometheus watches a real server through a game, and finds what happened there."""

from __future__ import annotations

import json
import re
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from urllib.parse import quote

import pytest

from tests.kit.processes import LONG, Server, plain
from tests.walls.source import ROOT

ALERTS = ROOT / "server" / "deploy" / "prometheus" / "alerts.yml"


def asked(port: int, question: str) -> dict[str, float]:
    """The answer of Prometheus: values, by their labels as text."""
    url = f"http://127.0.0.1:{port}/api/v1/query?query={quote(question)}"
    with urllib.request.urlopen(url, timeout=LONG) as answer:
        found = json.load(answer)["data"]["result"]
    return {json.dumps(each["metric"]): float(each["value"][1]) for each in found}


@pytest.mark.skipif(which("promtool") is None, reason="promtool is not installed")
def test_the_alerts_are_rules_that_prometheus_takes() -> None:
    done = subprocess.run(
        ["promtool", "check", "rules", str(ALERTS)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, "SUCCESS: 12 rules" in done.stdout) == (0, True), done.stderr


@pytest.mark.skipif(which("prometheus") is None, reason="prometheus is not installed")
def test_a_real_prometheus_finds_a_game_that_was_played(tmp_path: Path) -> None:
    with Server("--port", "0", "--bot-pause", "0", "--admin", "127.0.0.1:0") as server:
        where = server.address()
        admin = server.first_line().removeprefix("admin on http://")
        with plain(where) as ann:
            ann.send("hello 1 client=t\nguest ann\npractice level=easy seed=1\n")
            while "GAMEOVER" not in (line := ann.line()):
                if " default=" in line:
                    ann.send(f"move {line.partition(' default=')[2].partition(' ')[0]}\n")
            config = tmp_path / "prometheus.yml"
            config.write_text(
                f"rule_files: [{ALERTS}]\n"
                "scrape_configs:\n- job_name: twentytwo\n  scrape_interval: 100ms\n"
                f"  static_configs: [{{targets: ['{admin}']}}]\n"
            )
            with prometheus(config, tmp_path) as port:
                moves = 'twentytwo_moves_total{game="twentytwo"}'
                deadline = time.monotonic() + LONG
                while not (found := asked(port, moves)) and time.monotonic() < deadline:
                    time.sleep(0.05)  # its next scrape tells nobody of itself
                assert [value > 10 for value in found.values()] == [True]
                assert list(asked(port, "up").values()) == [1]
                quick = "histogram_quantile(0.99, twentytwo_move_told_seconds_bucket) < 2"
                assert asked(port, quick)
                assert not asked(port, "ALERTS")
        server.stop()


@contextmanager
def prometheus(config: Path, folder: Path) -> Iterator[int]:
    """A Prometheus with this configuration for as long as the block lasts; its port."""
    process = subprocess.Popen(
        [
            "prometheus",
            f"--config.file={config}",
            f"--storage.tsdb.path={folder / 'tsdb'}",
            "--web.listen-address=127.0.0.1:0",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    port, said = 0, ""
    ready = False  # said by different threads, in either order
    try:
        for line in process.stderr:
            said += line
            if found := re.search(r'"Listening on" address=127.0.0.1:(\d+)', line):
                port = int(found[1])
            ready |= "Server is ready" in line
            if ready and port:
                break
        assert port, said
        yield port
    finally:
        process.kill()
        process.communicate()
