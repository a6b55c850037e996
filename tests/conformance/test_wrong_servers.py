"""Each server that breaks a MUST is told by it; and a right one passes the same checks."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.conformance.servers import Server
from tests.conformance.wrong_servers import STARTED, WRONG, Proxy
from tests.kit import forked
from twentytwo_conform.connections import Address
from twentytwo_conform.report import Verdict
from twentytwo_conform.runner import choose, run


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_server_is_told_by_the_must_that_it_breaks(
    address: Address, strict: Address, name: str
) -> None:
    wrong = WRONG[name]
    with Proxy(strict if wrong.strict else address, wrong) as proxy:
        report = run(proxy.address, choose([wrong.case]))
    assert wrong.id in report.failed, str(report)
    assert not report.ok
    for result in report.results:
        if result.verdict is Verdict.FAIL:
            assert result.wants and result.came
            assert "hung up, after nothing" not in result.came, "it was not looked at"


@pytest.mark.parametrize("name", STARTED)
def test_a_server_that_a_check_starts_is_told_to_be_wrong(name: str) -> None:
    wanted, options = STARTED[name]
    [case] = choose([wanted])
    with pytest.raises(AssertionError):
        case.run({"start": lambda *own: Server(*own, *options)})


@pytest.mark.parametrize("limits", [False, True])
def test_a_right_server_behind_the_proxy_passes_all_of_that(
    address: Address, strict: Address, limits: bool
) -> None:
    shown = [each for each in WRONG.values() if each.strict is limits and not each.slow]
    with Proxy(strict if limits else address) as proxy:
        report = run(proxy.address, choose([wrong.case for wrong in shown]))
    assert report.ok, str(report)
    assert {wrong.id for wrong in shown} <= set(report.verdicts)


def conform(address: Address, *options: str) -> subprocess.CompletedProcess[str]:
    """`twentytwo conform`, in a process of its own."""
    host, port = address
    return forked.run("-m", "twentytwo_client", "conform", f"{host}:{port}", *options)


def test_the_command_shows_the_two_lines_that_disagree_and_ends_with_5(address: Address) -> None:
    with Proxy(address, WRONG["the_event_comes_before_the_reply"]) as proxy:
        done = conform(proxy.address, "-k", "say :hello-SAID")
    assert done.returncode == 5, done.stderr
    assert "FAIL O1  1 failed" in done.stdout
    assert "SPEC    The reply to a command comes before every event that it causes." in done.stdout
    assert "came    SAID on=t" in done.stdout
    assert done.stdout.endswith("FAIL: 1 of 1 MUSTs are not kept: O1\n")


def test_the_command_passes_a_right_server_and_says_so_to_machines(address: Address) -> None:
    done = conform(address, "--id", "s3", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["ok"], found["musts"]) == (True, {"S3": "pass"})
    assert {check["verdict"] for check in found["checks"]} == {"pass"}


def test_the_command_says_when_there_is_no_server_or_no_such_check(address: Address) -> None:
    nowhere = conform(("127.0.0.1", 1))
    assert (nowhere.returncode, nowhere.stdout) == (3, "")
    assert nowhere.stderr == "twentytwo conform: 127.0.0.1:1: nobody listens there\n"
    assert conform(address, "--id", "Q99").returncode == 2
