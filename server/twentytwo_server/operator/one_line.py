"""Reports errors of files, the network or the output in one line, never as a traceback."""

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
"""Exit status after Ctrl-C, as in shells."""

_OF_FILES = {
    errno.EACCES: "you may not do that",
    errno.EISDIR: "that is a folder",
    errno.ENOENT: "there is no such file or folder",
}


def why(error: Exception) -> str:
    """The reason of an error, without its number and the file name."""
    if isinstance(error, UnicodeDecodeError):
        return "that is no text"
    told = ""
    if isinstance(error, OSError):
        told = _OF_FILES.get(error.errno or 0) or error.strerror or ""
    return told or str(error) or type(error).__name__


def one_line(error: Exception) -> str:
    """The reason of an error, with the name of the file if it has one."""
    name = getattr(error, "filename", None)
    return f"{name}: {why(error)}" if name else why(error)


class Commands(click.Group):
    """A group of commands, which report refusals and input or output errors in one line."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs a command line, after replacing missing standard streams."""
        open_closed_streams()
        return super().main(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; all its output is flushed when this returns."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:  # the reader of the output has closed it
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
    """Discards unprintable output: Python flushes it again at exit, and would print an error."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):  # in tests, standard output is not a file
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
