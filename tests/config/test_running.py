"""A running server: what it takes from a file, the environment and flags, and SIGHUP."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.processes import Plain, Server, plain
from twentytwo_server.config.paths import ADMIN_SOCKET
from twentytwo_server.config.reading import BadConfig
from twentytwo_server.config.reloading import Reloading
from twentytwo_server.config.settings import ServerSettings, made_of
from twentytwo_server.operator.admin import tell


def wait_for(server: Server, somebody: Plain, said: str) -> None:
    """Waits until it has logged that: signals are handled between the lines that it answers."""
    while said not in server.log():
        somebody.send("ping\n")
        somebody.until("pong")


def test_a_server_takes_its_file_and_sighup_takes_what_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "twentytwo.toml"
    file.write_text('[server]\nmotd = "one"\n[listen]\nendpoints = ["127.0.0.1:0"]\n')
    env = {**os.environ, "TWENTYTWO_SERVER_NAME": "cards", "TWENTYTWO_FOR_LUCK": "1"}
    with Server("--config", str(file), "--set", "limits.rate=10000", env=env) as server:
        with plain(server.address()) as ann:
            assert ann.line().startswith("# cardline/1 cards ")
            ann.send("ann\nmotd\n")
            ann.until("one")
            file.write_text('[server]\nmotd = "two"\nregistration = "closed"\nthink = 20\n')
            server.process.send_signal(signal.SIGHUP)
            wait_for(server, ann, "SIGHUP: changed")
            ann.send("motd\n")
            ann.until("two")
            file.write_text('[server]\nmotd = "three"\nname = 3\n')
            server.process.send_signal(signal.SIGHUP)
            wait_for(server, ann, "stay as they were")
            ann.send("motd\ninfo\n")
            ann.until("two")
            ann.until("  registration: closed")
        status, _, err = server.stop()
    assert status == 0
    assert "TWENTYTWO_FOR_LUCK: no setting has this variable" in err
    assert "changed server.motd, server.registration; these take a restart: " in err
    assert "restart: server.think, listen.endpoints\n" in err
    assert f"{file}: server.name: must be a text, not 3\n" in err


def test_a_blocklist_keeps_networks_out_and_admin_reload_reads_it_again(tmp_path: Path) -> None:
    file, data = tmp_path / "blocked", tmp_path / "data"
    file.write_text("203.0.113.0/24\n")
    options = ("--listen", "proxy:127.0.0.1:0", "--trusted-proxy", "127.0.0.1")
    with Server(*options, "--data", str(data), "--set", f"listen.blocklist={file}") as server:
        _, port = server.address("proxy:")

        def come(address: str) -> Plain:
            found = Plain(("127.0.0.1", port))
            found.send(f"PROXY TCP4 {address} 127.0.0.1 5000 2222\r\nhello 1 client=t\n")
            return found

        with closing(come("203.0.113.7")) as blocked, closing(come("198.51.100.7")) as other:
            blocked.until("BYE code=KICKED resume=0 :Your address is banned")
            other.until("@* OK proto=1")
            file.write_text("198.51.100.7\n192.0.2.0/24\n")
            answer = tell(data / ADMIN_SOCKET, "reload")
            assert answer is not None
            assert answer.text == "changed the blocklist, with 2 networks"
            other.until("BYE code=KICKED")
            file.write_text("everybody\n")
            answer = tell(data / ADMIN_SOCKET, "reload")
            assert answer is not None
            assert answer.text == f"not reloaded: {file}: line 1 is no address or network"
        with closing(come("203.0.113.7")) as here:
            here.until("@* OK proto=1")
        assert server.stop()[0] == 0


@pytest.mark.parametrize("words", [["--set", "limits.rat=1"], ["--set", "limits.rate=x"]])
def test_a_setting_that_will_not_do_is_a_usage_error(words: list[str]) -> None:
    with Server(*words) as server:
        status, _, err = server.wait()
    assert (status, "limits.rat" in err) == (2, True)


class Readings:
    """What is read when: settings, or what is wrong."""

    def __init__(self, *found: ServerSettings | BadConfig) -> None:
        self._found = list(found)
        self.applied: list[ServerSettings] = []

    def __call__(self) -> ServerSettings:
        found = self._found.pop(0)
        if isinstance(found, BadConfig):
            raise found
        return found


def test_what_others_read_anew_is_in_the_same_line_and_an_error_stops_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    reloading = Reloading(
        Readings(BadConfig(["x: no"]), made_of({"limits.rate": 2.0})), ServerSettings()
    )

    def no_file() -> str:
        raise OSError("no certificate")

    reloading.hooks += [no_file, lambda: None, lambda: "the certificate"]
    reloading()
    assert reloading("admin reload") == (
        "not reloaded: no certificate\nchanged limits.rate, the certificate"
    )
    assert [each.getMessage() for each in caplog.records] == [
        "SIGHUP: the settings stay as they were: x: no",
        "SIGHUP: not reloaded: no certificate",
        "SIGHUP: changed the certificate",
        "admin reload: not reloaded: no certificate",
        "admin reload: changed limits.rate, the certificate",
    ]
    assert reloading.in_use.limits.rate == 2.0


def test_what_takes_a_restart_is_not_in_use_before_it_and_is_told_of_each_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    before = ServerSettings()
    new = made_of({"server.think": 20, "server.motd": "two"})
    reloading = Reloading(Readings(new, new), before)
    applied: list[ServerSettings] = []
    reloading.apply = applied.append
    reloading()
    reloading()
    (in_use,) = applied
    assert (in_use.server.think, in_use.server.motd) == (before.server.think, "two")
    assert reloading.in_use == in_use
    assert [each.getMessage() for each in caplog.records] == [
        "SIGHUP: changed server.motd; these take a restart: server.think",
        "SIGHUP: nothing has changed; these take a restart: server.think",
    ]


def test_after_a_failed_reading_it_is_not_said_that_nothing_has_changed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    reloading = Reloading(Readings(ServerSettings()), ServerSettings())

    def no_file() -> str:
        raise OSError("no certificate")

    reloading.hooks.append(no_file)
    reloading()
    assert caplog.messages == ["SIGHUP: not reloaded: no certificate"]
