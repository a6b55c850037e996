"""What `twentytwo conform` says in the end."""

from __future__ import annotations

from tests.conformance.test_wrong_servers import conform
from twentytwo_conform.connections import NEEDS_DEV, Address
from twentytwo_conform.pacing import TOO_MANY
from twentytwo_conform.report import Report, Result, Verdict
from twentytwo_conform.runner import choose, run

PASSED = Result("one.passes", ("R1",), ("",), Verdict.PASS)
FAILED = Result("one.fails", ("R2",), ("",), Verdict.FAIL, "1", "ping", "2")
SKIPPED = Result("one.needs_dev", ("R1", "S3"), ("",), Verdict.SKIP, why=NEEDS_DEV)
REFUSED = Result("one.is_too_much", ("S4",), ("",), Verdict.SKIP, why=TOO_MANY)


def end(*results: Result) -> list[str]:
    """The end of a report, without the line of its time."""
    _, _, summary = str(Report("there", results)).rpartition("\n\n")
    return [line for line in summary.splitlines() if not line.startswith("there: ")]


def test_where_all_was_checked_all_is_kept() -> None:
    assert end(PASSED) == ["pass: 1 of 1 MUSTs are kept"]


def test_what_was_skipped_is_said_in_one_line_with_why_and_how_to_have_it_checked() -> None:
    assert end(PASSED, SKIPPED, SKIPPED, REFUSED) == [
        f"skip: {NEEDS_DEV} (2 checks): S3",
        f"skip: {TOO_MANY} (1 check): S4",
        "To check more, start the server without its limits: "
        "twentytwo-server run --dev --bot-pause 0",
        "pass: 1 of 3 MUSTs are kept",
        "2 of 3 could not be checked here: S3 S4",
    ]


def test_what_failed_comes_before_what_could_not_be_checked() -> None:
    assert end(PASSED, FAILED, REFUSED)[1:] == [
        "FAIL: 1 of 3 MUSTs are not kept: R2",
        "1 of 3 could not be checked here: S4",
    ]


def test_where_nothing_was_checked_nothing_is_passed(strict: Address) -> None:
    done = conform(strict, "--id", "X10")
    assert done.returncode == 0, done.stderr
    assert "pass" not in done.stdout
    assert f"skip: {NEEDS_DEV} (1 check): X10\n" in done.stdout
    assert done.stdout.endswith("1 of 1 could not be checked here: X10\n")


def test_a_server_with_limits_is_checked_with_any_cards(strict: Address) -> None:
    """Only what needs a certain deal is left out; what is too fast is said again."""
    found = run(strict, choose(["turns.turns_count_up", "errors.a_move_is_judged_in_one_order"]))
    verdicts = {result.case: result.verdict for result in found.results}
    assert verdicts == {
        "turns.turns_count_up": Verdict.PASS,
        "errors.a_move_is_judged_in_one_order": Verdict.SKIP,
    }
