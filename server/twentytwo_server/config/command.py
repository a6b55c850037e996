"""The command `twentytwo-server config`: prints the default settings, or checks a file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from .contradictions import all_that_run_refuses
from .manual import manual
from .reading import BadConfig, file_of, read


@click.command()
@click.option("--default", is_flag=True, help="Print a file that explains every setting.")
@click.option("--check", is_flag=True, help="Report mistakes in FILE and in the environment.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
def config(default: bool, check: bool, file: Path | None) -> None:
    """Print a configuration file with explanations, or check a file.

    With --check the exit status is 1 if there are mistakes. Each line of output names a setting and
    what it must be. The check also reads the certificate. The default for FILE is TWENTYTWO_CONFIG.
    """
    if default == check or (default and file is not None):
        raise click.UsageError("Give either --default, or --check with an optional FILE.")
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
