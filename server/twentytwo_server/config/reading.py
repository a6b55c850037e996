"""Reads the configuration: flags override the environment, which overrides the file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from twentytwo_protocol.value import Value

from ..setting import Setting
from .contradictions import Complaint, contradictions
from .settings import ServerSettings, made_of, sections, settings

PREFIX = "TWENTYTWO_"
FILE = "TWENTYTWO_CONFIG"
"""The environment variable that names the file if no flag does."""


class BadConfig(Exception):
    """A configuration has mistakes: `complaints`, each beginning with its location."""

    def __init__(self, complaints: list[str]) -> None:
        super().__init__("; ".join(complaints))
        self.complaints = complaints


class Configuration(Value):
    """The settings, and the environment variables with our prefix that belong to no setting.

    Unknown variables are no error: Docker and Kubernetes add variables named after the service.
    """

    settings: ServerSettings
    unknown_variables: tuple[str, ...]


def read(
    file: Path | None,
    environment: Mapping[str, str],
    flags: Mapping[str, Any],
    check: Callable[[ServerSettings], Iterable[Complaint]] = contradictions,
) -> Configuration:
    """Reads the settings: `flags` (by path) override the environment, which overrides the file.

    `check` checks all settings together; its complaints about sections that already have a mistake
    are dropped. Raises `BadConfig` with all mistakes, not just the first.
    """
    values: dict[str, Any] = {}
    wrong: set[str] = set()
    complaints: list[str] = []
    if file is not None:
        complaints += _read_file(file, values, wrong)
    for each in settings().values():
        text = environment.get(each.variable)
        if text is not None:
            complaints += _take(values, wrong, each, each.read_text, text, each.variable)
    found = made_of({**values, **flags})
    complaints += (why for section, why in check(found) if section not in wrong)
    if complaints:
        raise BadConfig(complaints)
    known = {each.variable for each in settings().values()} | {FILE}
    unknown = (name for name in environment if name.startswith(PREFIX) and name not in known)
    return Configuration(found, tuple(sorted(unknown)))


def file_of(environment: Mapping[str, str], flag: Path | None) -> Path | None:
    """The file named by the flag, else the file named in the environment, else None."""
    named = environment.get(FILE)
    return flag or (Path(named) if named else None)


def _read_file(file: Path, values: dict[str, Any], wrong: set[str]) -> Iterator[str]:
    """Adds the values of a file, and the sections with mistakes; yields a line for each mistake."""
    try:
        tree = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        yield f"{file}: {error.strerror}"
        return
    except UnicodeDecodeError:
        yield f"{file}: not a UTF-8 text file"
        return
    except ValueError as error:  # not TOML
        yield f"{file}: {error}"
        return
    names = [name for name, _ in sections()]
    for section, keys in tree.items():
        if section not in names:
            yield f"{file}: {section}: no such section{_near(section, names)}"
        elif not isinstance(keys, dict):
            yield f"{file}: {section}: must be a section: [{section}]"
        else:
            for key, written in keys.items():
                path = f"{section}.{key}"
                found = settings().get(path)
                if found is None:
                    yield f"{file}: {path}: no such setting{_near(path, settings())}"
                else:
                    yield from _take(values, wrong, found, found.read, written, f"{file}: {path}")


def _take(
    values: dict[str, Any],
    wrong: set[str],
    found: Setting,
    reading: Any,
    written: object,
    where: str,
) -> Iterator[str]:
    try:
        values[found.path] = reading(written)
    except ValueError as error:
        wrong.add(found.path.partition(".")[0])
        yield f"{where}: {error}"


def _near(name: str, known: Any) -> str:
    near = get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}?" if near else ""
