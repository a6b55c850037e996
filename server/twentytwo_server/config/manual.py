"""The configuration file with all settings and their defaults, which is also their manual."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from ..setting import Setting
from .settings import sections, settings

WIDTH = 98

HEAD = """\
# All settings of twentytwo-server with their defaults. To change a setting, remove the # in front
# of it. A setting with a # follows the default of the installed version.
#
#   twentytwo-server run --config FILE        use this file (or TWENTYTWO_CONFIG=FILE)
#   twentytwo-server config --check FILE      report mistakes in it
#
# An environment variable overrides the file (TWENTYTWO_LIMITS_RATE=20; commas separate the items
# of a list). A flag of `run` overrides both. On SIGHUP the server reads the file and the
# environment again. Settings marked [restart] change only at the next start.
"""


def manual() -> str:
    """The file: TOML with every setting in a comment."""
    return "\n".join([HEAD, *_lines()])


def _lines() -> Iterator[str]:
    for name, about in sections():
        yield from _comment(about, "# ---- ", "# ---- ")
        yield f"[{name}]\n"
        for each in settings().values():
            if each.path.partition(".")[0] == name:
                yield from _setting(each)


def _setting(each: Setting) -> Iterator[str]:
    declared = each.declared
    yield from _comment(declared.reason)
    flag = f" [{declared.flag}]" if declared.flag else ""
    yield f"# [{each.allowed}]{flag}" + (" [restart]" if declared.restart else "")
    yield f"#{each.path.partition('.')[2]} = {each.written(each.default)}\n"


def _comment(text: str, first: str = "# ", rest: str = "# ") -> list[str]:
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
