"""The manual pages, made from the commands: `python -m tests.packaging.manuals`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from tests.walls.source import ROOT
from twentytwo_client import cli as client
from twentytwo_protocol import __version__
from twentytwo_server import cli as server

FOLDER = ROOT / "server" / "deploy" / "man"
PROGRAMS = {"twentytwo-server": server.main, "twentytwo": client.main}


def page(name: str, program: click.Group) -> str:
    """The page of a program, with a section for each of its commands, as man(7) has them."""
    return "\n".join(_page(name, program)) + "\n"


def _page(name: str, program: click.Group) -> Iterator[str]:
    about = (program.help or "").strip()
    yield f'.TH {name.upper()} 1 "" "twentytwo {__version__}" "Twenty-Two"'
    yield f".SH NAME\n{_plain(name)} \\- {_plain(about.splitlines()[0].rstrip('.'))}"
    yield f".SH SYNOPSIS\n.B {_plain(name)}\n.I COMMAND\n[\\fIOPTION\\fR]..."
    yield f".SH DESCRIPTION\n{_paragraphs(about)}"
    yield from _commands(outermost(program, name), program)
    if program.epilog:
        yield f".SH EXAMPLES\n{_paragraphs(program.epilog)}"


def outermost(program: click.Group, name: str) -> click.Context:
    """The context of a program's commands, with the settings that it has when it is run.

    A command keeps the help option that it is first asked for: without the settings it would
    know no `-h` any more, in this process.
    """
    return click.Context(program, info_name=name, **program.context_settings)


def _commands(context: click.Context, group: click.Group) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        here = click.Context(command, parent=context, info_name=name)
        yield f'.SH "{here.command_path.upper()}"'
        if isinstance(command, click.Group):
            yield _paragraphs(command.help or "")
            yield from _commands(here, command)
            continue
        usage = " ".join(command.collect_usage_pieces(here))
        yield f".B {_plain(here.command_path)}\n{_plain(usage)}\n.PP"
        yield _paragraphs(command.help or "")
        for parameter in command.get_params(here):
            record = parameter.get_help_record(here)
            if record is not None and record[1] and "--help" not in parameter.opts:
                yield f".TP\n.B {_plain(record[0])}\n{_plain(' '.join(record[1].split()))}"


def _paragraphs(text: str) -> str:
    """Text in paragraphs; those that begin with a backspace keep their lines."""
    found = []
    for each in re.split(r"\n\s*\n", click.unstyle(text).strip()):
        lines = each.splitlines()
        if lines and lines[0].strip() == "\b":
            found.append(".nf\n" + "\n".join(map(_plain, lines[1:])) + "\n.fi")
        else:
            found.append(_plain(" ".join(line.strip() for line in lines)))
    return "\n.PP\n".join(found)


def _plain(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("^", "\\(ha")
    return re.sub(r"^([.'])", r"\\&\1", text)


def main() -> None:
    """Writes them."""
    FOLDER.mkdir(exist_ok=True)
    for name, program in PROGRAMS.items():
        (FOLDER / f"{name}.1").write_text(page(name, program), encoding="utf-8")


if __name__ == "__main__":
    main()
