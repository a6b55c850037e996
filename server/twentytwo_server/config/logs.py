"""The log, as lines of text or as JSON."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any, TextIO

from .settings import LogFormat, LogSettings

OURS = "twentytwo"
"""The parent of all loggers of the server. Libraries log only warnings and errors, whatever the
level: their other messages contain statements with values, which may be secret.
"""

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


class Lines(logging.Formatter):
    """Lines of text: time, level, logger and message; a traceback follows on its own lines."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, with control characters escaped, so that a message cannot forge a line."""
        said = _CONTROL.sub(lambda found: repr(found[0])[1:-1], record.getMessage())
        line = f"{_at(record)} {record.levelname.lower()} {record.name}: {said}"
        why = self.formatException(record.exc_info) if record.exc_info else ""
        return f"{line}\n{why}" if why else line


class Objects(logging.Formatter):
    """One JSON object per line: `at`, `level`, `from`, `text`, and `error` with a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The object, in ASCII."""
        found: dict[str, Any] = {
            "at": _at(record),
            "level": record.levelname.lower(),
            "from": record.name,
            "text": record.getMessage(),
        }
        if record.exc_info:
            found["error"] = self.formatException(record.exc_info)
        return json.dumps(found)


def log_to(stream: TextIO, settings: LogSettings) -> None:
    """Sends the whole log to `stream` from now on, including Python's warnings."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Objects() if settings.format is LogFormat.JSON else Lines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(OURS).setLevel(settings.level.name)
    logging.captureWarnings(True)


def announce(stream: TextIO, settings: LogSettings, line: str) -> None:
    """Prints a line for the user who started the server: as text, or as an object of the log."""
    if settings.format is LogFormat.JSON:
        line = Objects().format(
            logging.makeLogRecord({"name": OURS, "msg": line, "levelname": "INFO"})
        )
    print(line, file=stream, flush=True)


def log_twisted() -> None:
    """Sends Twisted's log to the same stream. Call it once, before the reactor runs."""
    from twisted.logger import STDLibLogObserver, globalLogBeginner

    globalLogBeginner.beginLoggingTo(
        [STDLibLogObserver("twisted")], redirectStandardIO=False, discardBuffer=True
    )


def _at(record: logging.LogRecord) -> str:
    """The time of a record in UTC with milliseconds (RFC 3339)."""
    found = datetime.fromtimestamp(record.created, UTC)
    return f"{found:%Y-%m-%dT%H:%M:%S}.{int(record.msecs):03}Z"
