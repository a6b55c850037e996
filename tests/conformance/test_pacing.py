"""A server with limits is checked at its own pace, and no limit is taken for a fault."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.servers import Server
from tests.kit.cases import together
from twentytwo_conform.connections import Address
from twentytwo_conform.pacing import TOO_MANY, Throttle, told_wait, trace
from twentytwo_conform.report import Report, Verdict
from twentytwo_conform.runner import choose, run

FEW = ("framing.controls", "framing.a_line_up_to", "replies.an_id_comes_back", "turns.keeping_has")
"""Checks of one connection and of two: 28 cases."""


@together(
    ("line", "seconds"),
    [
        ("@c1 ERR code=RATE class=limit wait=425 :Too fast; try again in 0.4 s.", 0.425),
        ("@2 ERR code=XGTIRED class=limit on=t1 wait=5000 :Not now.", 5.0),
        ('{"ev":"ERR","re":"s","code":"RATE","class":"limit","wait":86,"text":"Too fast."}', 0.086),
        ("! Many guests have come from your address; try again in 59 s.", 59.0),
        ("! Too fast; try again in 0.0 s.", 0.5),
        ("! Too many registrations at the moment; try again later.", 3600.0),
        ("BYE code=BUSY resume=1 wait=5000 :The server is full.", 5.0),
        ("@c3 ERR code=QUOTA class=limit :You have a seat at 10 tables.", 2.0),
        ("SAID on=t1 seq=9 by=~ann :try again in 5 s.", 0.0),
        ("PRESENCE on=t1 seq=78 seat=1 here=0 ms=120000", 0.0),
        ("@c4 OK wait=5", 0.0),
        ("@c5 CODE name=QUOTA class=limit :as many as you may have", 0.0),
    ],
)
def test_what_is_too_much_is_read_from_any_answer(line: str, seconds: float) -> None:
    assert told_wait(line) == seconds


def test_once_somebody_is_turned_away_all_come_one_after_the_other() -> None:
    now = 100.0
    throttle = Throttle(lambda: now)
    assert [throttle.turn() for _ in range(3)] == [0, 0, 0]
    throttle.pause(0.5)
    assert [throttle.turn() for _ in range(3)] == [0.5, 1.0, 1.5]
    now = 110.0
    assert [throttle.turn() for _ in range(2)] == [0, 0.5]
    throttle.pause(30.0)
    assert [throttle.turn() for _ in range(2)] == [30.0, 32.0], "a penalty is waited for only once"


@pytest.fixture
def narrow(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server with limits on which the checks come to at once."""
    limits = {"limits.local_times": 1, "quotas.guests": 1000, **request.param}
    made = Server("--bot-pause", "0", *(f"--set={name}={value}" for name, value in limits.items()))
    yield made
    made.stop()


def verdicts(report: Report) -> set[tuple[Verdict, str]]:
    return {(result.verdict, result.why) for result in report.results}


@pytest.mark.parametrize(
    "narrow",
    [
        {"limits.connect_burst": 2, "limits.connect_rate": 1200},
        {"limits.burst": 8, "limits.rate": 50},
    ],
    indirect=True,
    ids=["connections", "commands"],
)
def test_where_limits_let_the_checks_go_on_soon_all_are_made(narrow: Server) -> None:
    report = run(narrow.address, choose(FEW))
    assert verdicts(report) == {(Verdict.PASS, "")}, str(report)


@pytest.mark.parametrize(
    "narrow",
    [{"limits.connect_burst": 3, "limits.connect_rate": 1}, {"quotas.guests": 2}],
    indirect=True,
    ids=["connections", "names"],
)
def test_where_they_would_have_to_wait_for_long_checks_are_skipped(narrow: Server) -> None:
    report = run(narrow.address, choose(["people.short_forms", *FEW]), waits=1.0)
    assert (Verdict.SKIP, TOO_MANY) in verdicts(report)
    assert verdicts(report) <= {(Verdict.SKIP, TOO_MANY), (Verdict.PASS, "")}, str(report)


def test_after_a_run_its_caller_is_as_patient_as_before(address: Address) -> None:
    run(address, choose(["waiting.a_silent_program"]), waits=0.0)
    assert trace().until == float("inf")
