"""Reloads the configuration of a running server, on SIGHUP or `twentytwo-server admin reload`."""

from __future__ import annotations

import logging
from collections.abc import Callable

from .reading import BadConfig
from .settings import ServerSettings, made_of, settings, value_of

log = logging.getLogger("twentytwo.config")

Reload = Callable[[], str | None]
"""Reloads another file, such as a certificate; returns a description of the changes, or None.

It raises `OSError` or `ValueError` with the reason, and then keeps the old contents.
"""


class Reloading:
    """A callable that reads the settings with `read` and passes those in use to `apply`.

    Settings that need a restart keep their values. After a mistake all settings keep their values.
    One log line says what has changed and what needs a restart. Then the `hooks` are called, and
    each adds to that line.
    """

    def __init__(self, read: Callable[[], ServerSettings], in_use: ServerSettings) -> None:
        self._read = read
        self.in_use = in_use
        self.apply: Callable[[ServerSettings], None] = lambda settings: None
        self.hooks: list[Reload] = []
        self._failed: list[str] = []

    def __call__(self, by: str = "SIGHUP") -> str:
        """Reloads everything; returns the text of the log line. `by` names the cause."""
        changed: list[str] = []
        restart: list[str] = []
        self._failed = []
        try:
            changed, restart = self._take_over(self._read())
        except BadConfig as error:
            self._fail(by, f"the settings stay as they were: {error}")
        changed += self._others(by)
        said = [f"changed {', '.join(changed)}"] if changed else []
        if not changed and not self._failed:
            said = ["nothing has changed"]
        if restart:
            said.append(f"these take a restart: {', '.join(restart)}")
        if said:
            log.info("%s: %s", by, "; ".join(said))
        return "\n".join([*self._failed, *(["; ".join(said)] if said else [])])

    def _fail(self, by: str, why: str) -> None:
        self._failed.append(why)
        log.error("%s: %s", by, why)

    def _take_over(self, read: ServerSettings) -> tuple[list[str], list[str]]:
        """Applies the new settings; returns those that changed, and those that need a restart."""
        values = {path: value_of(read, path) for path in settings()}
        other = [p for p, value in values.items() if value != value_of(self.in_use, p)]
        restart = [path for path in other if settings()[path].declared.restart]
        for path in restart:
            values[path] = value_of(self.in_use, path)
        changed = [path for path in other if path not in restart]
        if changed:
            self.in_use = made_of(values)
            self.apply(self.in_use)
        return changed, restart

    def _others(self, by: str) -> list[str]:
        found = []
        for hook in self.hooks:
            try:
                found.append(hook())
            except (OSError, ValueError) as error:
                self._fail(by, f"not reloaded: {error}")
        return [each for each in found if each]
