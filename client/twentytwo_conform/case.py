"""A case: a check with one choice of values."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import product
from types import ModuleType

from twentytwo_protocol.value import Value

from . import fixtures
from .check import Check, Quote, Skipped
from .pacing import Trace, keeping, trace


class Case(Value):
    """A check with one choice of values; `name` is unique."""

    name: str
    check: Check
    values: Mapping[str, object]

    @property
    def quoted(self) -> list[Quote]:
        """The quoted sentences with their ids."""
        found: list[Quote] = self.check.__dict__["quoted"]
        return found

    @property
    def sentences(self) -> tuple[str, ...]:
        """The quoted sentences without their ids."""
        return tuple(quote.sentence for quote in self.quoted)

    @property
    def ids(self) -> list[str]:
        """The ids of the checked MUSTs, without repetition."""
        return list(dict.fromkeys(id for quote in self.quoted for id in quote.ids))

    @property
    def alone(self) -> bool:
        """True if no other check may run at the same time."""
        return "alone" in self.check.__dict__

    def takes(self, fixture: str) -> bool:
        """True if the check has a parameter for this fixture."""
        return fixture in inspect.signature(self.check).parameters

    def run(self, given: Mapping[str, object], trace: Trace | None = None) -> None:
        """Runs the check with these fixtures. Further fixtures that it needs are created and then
        closed.
        """
        with keeping(trace or Trace()):
            self._run(given)

    def _run(self, given: Mapping[str, object]) -> None:
        module = inspect.getmodule(self.check)
        found = {**vars(fixtures), **vars(module)} if module else vars(fixtures)
        made = {**given, **self.values}
        with ExitStack() as stack:

            def need(name: str) -> object:
                if name not in made:
                    make = found[name]
                    value = make(
                        **{each: need(each) for each in inspect.signature(make).parameters}
                    )
                    if inspect.isgenerator(value):
                        # What stands behind its `yield` is done however the check ends.
                        stack.callback(next, value, None)
                        value = next(value)
                    made[name] = value
                return made[name]

            try:
                self.check(
                    **{name: need(name) for name in inspect.signature(self.check).parameters}
                )
            except Skipped:
                raise
            except Exception:
                trace().failed = True  # what it has left behind is closed
                raise


def cases_of(module: ModuleType) -> Iterator[Case]:
    """The cases of all checks in a module, in the order of declaration."""
    chapter = module.__name__.rpartition(".")[2]
    for check in list(vars(module).values()):
        if getattr(check, "__module__", "") != module.__name__ or not hasattr(check, "quoted"):
            continue
        for choice in product(*getattr(check, "cases", [])):
            label = f"[{'-'.join(label for label, _ in choice)}]" if choice else ""
            values = {name: value for _, row in choice for name, value in row.items()}
            name = getattr(check, "title", f"{chapter}.{check.__name__}{label}")
            yield Case(name, check, values)
