"""The command `twentytwo-server config`: the file with all settings, and what is wrong with one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from .contradictions import all_that_run_refuses
from .manual import manual
from .reading import BadConfig, file_of, read


@click.command()
@click.option("--default", is_flag=True, help="Print a file with every setting, explained.")
@click.option("--check", is_flag=True, help="Say what is wrong with FILE and the environment.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
def config(default: bool, check: bool, file: Path | None) -> None:
    """Print the configuration file with its manual, or check one.

    With --check the exit status is 1 if anything is wrong; each line says where, and what it must
    be. The certificate is read too, as `run` does it. Without FILE it is the one that
    TWENTYTWO_CONFIG names, if any.
    """
    if default == check or (default and file is not None):
        raise click.UsageError("Say --default, or --check and perhaps a FILE.")
    if default:
        click.echo(manual(), nl=False)
        return
    try:
        found = read(file_of(os.environ, file), os.environ, {}, all_that_run_refuses)
    except BadConfig as bad:
        print("\n".join(bad.complaints))
        sys.exit(1)
    for name in found.unknown_variables:
        print(f"{name}: no setting has this variable; it is ignored")
    print("ok")
