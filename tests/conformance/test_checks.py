"""The checks of `twentytwo conform`, one test each, against servers of our own."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from twentytwo_conform.case import Case
from twentytwo_conform.check import Skipped
from twentytwo_conform.checks import all_cases

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_check(given: Mapping[str, object], case: Case) -> None:
    try:
        case.run(given)
    except Skipped as why:
        pytest.skip(str(why))
