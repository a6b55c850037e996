"""The flags of `run` for settings, made from the settings' declarations."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ..setting import Setting
from .reading import Configuration, read
from .settings import settings

C = TypeVar("C", bound=Callable[..., Any])

ENDPOINTS = "listen.endpoints"

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:  # only newer versions of click are subscriptable
    _ParamType = click.ParamType

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class _Value(_ParamType):
    """A click type: the value of one setting."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self.name = setting.path

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return self._setting.read_text(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        words = (each.value for each in self._setting.choices)
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


class _Assignment(_ParamType):
    """A click type: `PATH=VALUE` for any setting."""

    name = "path=value"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Any]:
        path, equals, text = value.partition("=")
        found = settings().get(path)
        if found is None or not equals:
            self.fail(f"{path}: no such setting; `config --default` lists all", param, ctx)
        try:
            return path, found.read_text(text)
        except ValueError as error:
            self.fail(f"{path}: {error}", param, ctx)


def setting_flags(command: C) -> C:
    """Decorates a command with `--config`, `--set` and the flag of every setting that has one.

    Pass the command's keyword arguments on to `configuration`.
    """
    options = [
        click.option(
            "--config", type=FILE, envvar="TWENTYTWO_CONFIG", help="The configuration file."
        ),
        click.option(
            "--set",
            multiple=True,
            type=_Assignment(),
            metavar="PATH=VALUE",
            help="Any setting, for example --set limits.rate=20. May be repeated.",
        ),
        *(_option(each) for each in settings().values() if each.declared.flag),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def configuration(given: Mapping[str, Any], port: int | None) -> Configuration:
    """The configuration from the flags, the environment and the file that they name.

    `given` has the options of `setting_flags`. `port` is one more port to listen on, for this
    machine only. Raises `BadConfig`.
    """
    flags = {
        each.path: given[_parameter(each)]
        for each in settings().values()
        if each.declared.flag and given[_parameter(each)] not in (None, ())
    }
    if port is not None:
        flags[ENDPOINTS] = (f"127.0.0.1:{port}", *flags.get(ENDPOINTS, ()))
    return read(given["config"], os.environ, {**flags, **dict(given["set"])})


def _parameter(setting: Setting) -> str:
    return setting.path.replace(".", "_")


def _all(setting: Setting, ctx: click.Context, param: click.Parameter, given: Any) -> Any:
    """The value of a setting whose flag may be repeated."""
    try:
        return setting.read(list(given))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _option(setting: Setting) -> Callable[[C], C]:
    declared = setting.declared
    assert declared.flag is not None
    usual = setting.written(setting.default).strip('[]"')
    if setting.type is bool:
        return click.option(
            *(declared.flag, _parameter(setting)),
            flag_value=not setting.default,
            default=None,
            help=declared.reason,
        )
    about = declared.reason + (f"  [{usual}]" if usual else "")
    if isinstance(setting.default, tuple):
        return click.option(
            *(declared.flag, _parameter(setting)),
            multiple=True,
            metavar=declared.metavar,
            help=f"{about}  May be repeated.",
            callback=partial(_all, setting),
        )
    what = declared.unit.value[0].upper() if isinstance(setting.default, int) else None
    return click.option(
        *(declared.flag, _parameter(setting)),
        type=_Value(setting),
        metavar=what or declared.metavar,
        help=about,
    )
