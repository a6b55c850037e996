"""The admin listener: health, readiness and metrics, answered beside the event loop."""

from __future__ import annotations

import http.client
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which

import pytest
from prometheus_client.parser import text_string_to_metric_families
from twisted.internet.task import Clock

from tests.kit.certificates import certificate
from tests.kit.hosts import World
from tests.kit.processes import LONG, Server, plain
from twentytwo_server.limits.connections import Limits
from twentytwo_server.monitoring import listener
from twentytwo_server.monitoring.exposition import Exposition, of_standby
from twentytwo_server.monitoring.heartbeat import Heartbeat
from twentytwo_server.monitoring.listener import AdminListener
from twentytwo_server.net.certificates import Certificates
from twentytwo_server.net.channel import Channels, Reception
from twentytwo_server.net.server_names import server_names
from twentytwo_server.store.memory import MemoryStore


class Working:
    """Processes of which so many work, and for which so many jobs wait."""

    def __init__(self, searching: int, waiting: int) -> None:
        self.searching, self.waiting = searching, waiting


class Watched:
    """A host that is watched, on a clock of the test's."""

    def __init__(
        self,
        in_reactor: Callable[[Callable[[], None]], None],
        where: str,
        folder: Path | None = None,
    ) -> None:
        """With a folder for it, it has a certificate."""
        self.world, self.clock = World(clustered=folder is not None), Clock()
        channels = Channels(self.world.commands, self.world.clock, Reception(Limits(), ""))
        self.sleep: Callable[[float], None] = lambda seconds: None
        heartbeat = Heartbeat(self.clock, self.clock.seconds, lambda seconds: self.sleep(seconds))
        bots, reviews = Working(1, 2), Working(3, 4)
        store = MemoryStore()
        served = Certificates([certificate(folder).pair], lambda: 0).all if folder else ()
        if folder:
            store.last_backup, store.lease_age, store.standbys = 5.0, 0.5, 1
            store.peers = 2
        told = Exposition(
            *(self.world.host, channels, store, bots, reviews, heartbeat),
            *(lambda: served, lambda: True if folder else None),
        )
        names = server_names(["cards.example.org"], [])
        self.admin = AdminListener(where, heartbeat, in_reactor, names)
        self.admin.families = told.families
        self.admin.unready = lambda: self.world.host.availability.unready

    def get(self, path: str, host: str | None = None) -> tuple[int, str]:
        return got(self.admin.address, path, host)


def got(address: str, path: str, host: str | None = None) -> tuple[int, str]:
    """The status and the text of an answer."""
    path_of = address.removeprefix("unix:")
    where = address.removeprefix("http://") if path_of == address else "localhost"
    connection = http.client.HTTPConnection(where, timeout=LONG)
    if path_of != address:
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(path_of)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


@pytest.fixture(params=["127.0.0.1:0", "unix"])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    where = request.param.replace("unix", f"unix:{tmp_path / 'admin'}")
    found = Watched(lambda call: call(), where)
    yield found
    found.admin.stop()
    assert not (tmp_path / "admin").exists()


def test_a_process_that_was_frozen_is_healthy_once_its_loop_comes_round(
    watched: Watched,
) -> None:
    watched.sleep = watched.clock.advance
    watched.clock.rightNow += 7_200
    assert watched.get("/healthz") == (200, "ok\n")


def test_a_loop_that_does_not_come_round_is_not_healthy_until_it_does(watched: Watched) -> None:
    assert watched.get("/healthz") == (200, "ok\n")
    watched.clock.rightNow += 10  # time passes, and nothing is called
    assert watched.get("/healthz") == (200, "ok\n")
    watched.clock.rightNow += 1
    status, text = watched.get("/healthz")
    assert (status, text) == (503, "stuck: the event loop has not come round for 11 s\n")
    assert watched.get("/readyz")[0] == watched.get("/metrics")[0] == 503
    watched.clock.advance(0)
    assert watched.get("/healthz") == (200, "ok\n")


def test_metrics_are_for_who_asks_by_a_name_of_the_server(watched: Watched) -> None:
    for host in ("cards.example.org", "cards.example.org:9222", "localhost", "10.0.0.7:9222"):
        assert watched.get("/metrics", host)[0] == 200
    status, text = watched.get("/metrics", "evil.example")
    if watched.admin.address.startswith("unix:"):
        assert status == 200, "no page of a browser reaches a Unix socket"
    else:
        assert (status, "server.names" in text) == (421, True)
    assert watched.get("/healthz", "evil.example") == (200, "ok\n")
    assert watched.get("/readyz", "evil.example") == (200, "ready\n")


def test_a_server_that_stands_by_is_healthy_not_ready_and_tells_that_it_stands_by(
    watched: Watched,
) -> None:
    watched.admin.families = of_standby
    watched.admin.unready = lambda: "standing by for a"
    assert watched.get("/healthz") == (200, "ok\n")
    assert watched.get("/readyz") == (503, "standing by for a\n")
    status, text = watched.get("/metrics")
    assert status == 200
    for line in ("twentytwo_ready 0.0", "twentytwo_standby 1.0"):
        assert line in text.splitlines()


def test_it_is_ready_unless_it_restores_stops_or_cannot_store(watched: Watched) -> None:
    host = watched.world.host
    assert watched.get("/readyz") == (200, "ready\n")
    host.availability.storage_changed("disk full")
    assert watched.get("/readyz") == (503, "not storing\n")
    host.availability.storage_changed(None)
    host.availability.restoring = ["t1"]
    assert watched.get("/readyz") == (503, "restoring\n")
    host.availability.restoring = ()
    host.tables.halt()
    assert watched.get("/readyz") == (503, "stopping\n")
    assert watched.get("/healthz") == (200, "ok\n")


def test_what_bots_and_reviews_have_to_do_is_told_apart(watched: Watched) -> None:
    told = {
        family.name: family.samples[0].value
        for family in text_string_to_metric_families(watched.get("/metrics")[1])
        if family.name.startswith(("twentytwo_bots_", "twentytwo_reviews_"))
    }
    assert told == {
        "twentytwo_bots_searching": 1,
        "twentytwo_bots_waiting": 2,
        "twentytwo_reviews_running": 3,
        "twentytwo_reviews_waiting": 4,
    }


def test_there_is_nothing_else(watched: Watched) -> None:
    assert watched.get("/metrics?x=1")[0] == 200
    assert watched.get("/")[0] == watched.get("/metrics/x")[0] == 404


def test_metrics_that_the_loop_has_no_time_for_are_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listener, "PATIENCE", 0.01)
    watched = Watched(lambda call: None, "127.0.0.1:0")
    assert watched.get("/metrics") == (503, "the event loop is busy\n")
    assert watched.get("/healthz") == (200, "ok\n")
    watched.admin.stop()


def samples(text: str) -> dict[str, float]:
    """The samples of an exposition by name and labels: `x_total{game=twentytwo}`."""
    return {
        each.name + "".join(f"{{{k}={v}}}" for k, v in each.labels.items()): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
    }


def test_what_happens_is_counted(tmp_path: Path) -> None:
    options = ("--port", "0", "--bot-pause", "0", "--admin", "127.0.0.1:0")
    with Server(*options, "--data", str(tmp_path), "--set", "limits.each_address=1") as server:
        where = server.address()
        line = server.first_line()
        assert line.startswith("admin on http://127.0.0.1:")
        admin = line.removeprefix("admin on ")
        with plain(where) as ann, plain(where) as turned_away:
            assert "Too many connections" in turned_away.line()
            ann.send("hello 1 client=t\nguest ann\npractice level=easy seed=1\n")
            moves = 0
            while "GAMEOVER" not in (line := ann.line()):
                if " default=" in line:
                    default = line.partition(" default=")[2].partition(" ")[0]
                    ann.send(f"move {default}\n")
                    moves += 1
            ann.send("move 7\nping\n")
            ann.until("@* OK pong")
            status, text = got(admin, "/metrics")
        server.stop()
    found = samples(text)
    assert status == 200
    assert found["twentytwo_connections{kind=program}"] == 1
    assert found["twentytwo_connections_turned_away_total{limit=address}"] == 1
    assert found["twentytwo_lines_total"] == moves + 5
    assert found["twentytwo_tables{game=twentytwo}"] == 1
    assert found["twentytwo_games_total{game=twentytwo}"] == 1
    assert found["twentytwo_moves_total{game=twentytwo}"] > moves > 5
    assert found["twentytwo_move_answered_seconds_count"] == moves
    assert found["twentytwo_move_told_seconds_count"] == moves
    assert found["twentytwo_move_answered_seconds_sum"] > 0
    assert found["twentytwo_move_answered_seconds_sum"] < found["twentytwo_move_told_seconds_sum"]
    assert sum(value for name, value in found.items() if "refusals_total" in name) == 1
    assert found["twentytwo_commit_seconds_count"] > 1
    assert found["twentytwo_memory_bytes"] > 1 << 20
    promtool = which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed: its check of the metrics is left out")
    checked = subprocess.run(
        [promtool, "check", "metrics"], input=text, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr, checked.stdout) == (0, "", "")


def test_what_ends_some_day_is_told_with_its_time(tmp_path: Path) -> None:
    watched = Watched(lambda call: call(), "127.0.0.1:0", tmp_path)
    text = watched.get("/metrics")[1]
    watched.admin.stop()
    found = {
        sample.name.removeprefix("twentytwo_"): sample
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    served = Certificates([(tmp_path / "fullchain.pem", tmp_path / "privkey.pem")], lambda: 0)
    expiry = found["certificate_expiry_timestamp_seconds"]
    assert expiry.labels == {"file": str(tmp_path / "fullchain.pem")}
    assert expiry.value == served.all[0].ends.timestamp()
    assert found["last_backup_timestamp_seconds"].value == 5
    assert found["tables_limit"].value == watched.world.host.config.now.most_tables
    assert found["connections_limit"].value == Limits().connections
