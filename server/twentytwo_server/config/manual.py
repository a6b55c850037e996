"""The configuration file with every setting at its default: the manual of the settings."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from ..setting import Setting
from .settings import sections, settings

WIDTH = 98

HEAD = """\
# The settings of twentytwo-server, each with its default. Take the # away from what you change;
# what you leave keeps its default, that of a later version too.
#
#   twentytwo-server run --config FILE        use it (or TWENTYTWO_CONFIG=FILE)
#   twentytwo-server config --check FILE      say what is wrong with it
#
# An environment variable goes over the file (TWENTYTWO_LIMITS_RATE=20, a list parted by commas), a
# flag of `run` over both. SIGHUP has a server read file and environment again; what it then cannot
# change is marked [restart].
"""


def manual() -> str:
    """The file: TOML that sets nothing, and that has every setting in a comment."""
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
