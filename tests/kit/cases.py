"""Many small cases in one test: pytest spends more on an item than such a case takes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

Test = Callable[..., Any]
Case = Mapping[str, Any]


class _Failures(list[BaseException]):
    """The failures of cases; all of them are reported, each with its case."""

    @contextmanager
    def of(self, case: Case) -> Iterator[None]:
        try:
            yield
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as failure:
            failure.add_note(", ".join(f"{name}={value!r}" for name, value in case.items()))
            self.append(failure)

    def report(self, among: Sequence[Case]) -> None:
        if self:
            lines = [
                f"{len(self)} of {len(among)} cases fail",
                *(str(e.__notes__[-1]) for e in self),
            ]
            raise BaseExceptionGroup("\n".join(lines), self)


def together(names: str | Sequence[str], values: Iterable[Any]) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, but one test tries all cases, and reports all that fail.

    It is for cases that take milliseconds. They share the fixtures of the test, and none
    is skipped.
    """
    cases = list(_cases((names,) if isinstance(names, str) else names, values))
    assert cases, "a test without cases tests nothing"

    def decorate(test: Test) -> Test:
        def every_case(**fixtures: Any) -> None:
            failures = _Failures()
            for case in cases:
                with failures.of(case):
                    test(**case, **fixtures)
            failures.report(cases)

        async def every_case_of_async(**fixtures: Any) -> None:
            failures = _Failures()
            for case in cases:
                with failures.of(case):
                    await test(**case, **fixtures)
            failures.report(cases)

        asynchronous = inspect.iscoroutinefunction(test)
        made: Test = every_case_of_async if asynchronous else every_case
        # Hypothesis keeps attributes on a test; they must not pass to the new one.
        functools.update_wrapper(made, test, updated=())
        vars(made).update(
            pytestmark=getattr(test, "pytestmark", []), __signature__=_less(test, cases[0])
        )
        return made

    return decorate


def _cases(names: Sequence[str], values: Iterable[Any]) -> Iterator[Case]:
    for value in values:
        each = value if len(names) > 1 else (value,)
        yield dict(zip(names, each, strict=True))


def _less(test: Test, case: Case) -> inspect.Signature:
    """The signature of a test without the parameters that a case gives."""
    whole = inspect.signature(test)
    left = [each for name, each in whole.parameters.items() if name not in case]
    assert len(whole.parameters) - len(left) == len(case), "a case gives what the test takes"
    return whole.replace(parameters=left)
