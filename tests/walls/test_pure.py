"""Pure packages do no input or output, and know no clock and no chance."""

from __future__ import annotations

import ast

import pytest

from tests.kit.cases import together
from tests.walls.pure import EXCEPTIONS, used
from tests.walls.source import contract, modules

PURE = contract("pure")["source_modules"]


@pytest.mark.parametrize("package", PURE)
def test_a_pure_package_uses_nothing_that_reaches_out(package: str) -> None:
    found = [
        f"{name}, line {line}: {what}"
        for name, module in modules(package)
        for what, line in used(module)
        if what not in EXCEPTIONS.get(name, ())
    ]
    assert not found, "take it as an argument:\n" + "\n".join(found)


def test_no_exception_is_left_over() -> None:
    needed = {
        name: {what for what, _ in used(module)} & EXCEPTIONS[name]
        for package in PURE
        for name, module in modules(package)
        if name in EXCEPTIONS
    }
    assert needed == EXCEPTIONS


@together(
    ("line", "what"),
    [
        ("import os; os.urandom(8)", "os"),
        ("from os import urandom", "os"),
        ("import os.path", "os.path"),
        ("import sys; sys.stdout.write('')", "sys"),
        ("from pathlib import Path", "pathlib"),
        ("from importlib import import_module", "importlib"),
        ("import importlib", "importlib"),
        ("import uuid", "uuid"),
        ("import threading", "threading"),
        ("import subprocess", "subprocess"),
        ("import random as r", "random"),
        ("from time import time", "time"),
        ("import asyncio", "asyncio"),
        ("from twisted.internet import reactor", "twisted.internet"),
        ("def f():\n    import logging", "logging"),
        ("open('x')", "open"),
        ("print('x')", "print"),
        ("map(print, 'x')", "print"),
        ("input()", "input"),
        ("__import__('os')", "__import__"),
        ("__builtins__['open']", "__builtins__"),
        ("eval('1')", "eval"),
        ("datetime.now()", "datetime.now"),
        ("datetime.datetime.utcnow()", "datetime.utcnow"),
        ("date.today()", "datetime.today"),
    ],
)
def test_what_reaches_out_is_found(line: str, what: str) -> None:
    assert [found for found, _ in used(ast.parse(line))] == [what]


@together(
    "line",
    [
        "from twentytwo_protocol.cards import Card",
        "from .game import open_table",
        "import json",
        "class Tables:\n    open: bool",
        "self.open(table)",
        "clock.now()",
        "datetime.fromtimestamp(at, UTC)",
    ],
)
def test_what_only_computes_is_not(line: str) -> None:
    assert not list(used(ast.parse(line)))
