"""What goes wrong with a file, the network or the output, told in one line: never a traceback."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import Any

import click

from ..standard_streams import open_closed_streams
from ..store import Refused

FAILED = 1
INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells give it."""

_OF_FILES = {
    errno.EACCES: "you may not do that",
    errno.EISDIR: "that is a folder",
    errno.ENOENT: "there is no such file or folder",
}


def why(error: Exception) -> str:
    """What went wrong, without its number and the name of the file."""
    if isinstance(error, UnicodeDecodeError):
        return "that is no text"
    told = ""
    if isinstance(error, OSError):
        told = _OF_FILES.get(error.errno or 0) or error.strerror or ""
    return told or str(error) or type(error).__name__


def one_line(error: Exception) -> str:
    """What went wrong, with the name of the file if it was about one."""
    name = getattr(error, "filename", None)
    return f"{name}: {why(error)}" if name else why(error)


class Commands(click.Group):
    """The commands. Each ends in one line if it is refused, or a file or the output fails it."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs a command line, with standard streams whatever the process was given."""
        open_closed_streams()
        return super().main(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Carries out what was typed; all that it printed has gone out when this returns."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:  # whoever read it has read enough
            _drop_output()
            sys.exit(FAILED)
        except (Refused, OSError) as error:
            _drop_output()
            print(f"{ctx.info_name}: {one_line(error)}", file=sys.stderr)
            sys.exit(FAILED)
        except KeyboardInterrupt:
            print(file=sys.stderr)
            sys.exit(INTERRUPTED)


def _drop_output() -> None:
    """Drops what could not be printed: Python tries once more at its end, and would complain."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):  # standard output is no file, in a test
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
