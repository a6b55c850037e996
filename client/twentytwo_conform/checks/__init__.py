"""The checks: one module for each chapter of the specification."""

from __future__ import annotations

from importlib import import_module

from ..case import Case, cases_of

CHAPTERS = (
    *("framing", "mode", "replies", "arguments", "errors"),
    *("streams", "hidden_cards", "reconnecting"),
    *("turns", "fairness", "forms", "limits", "people", "lobby", "records", "accounts"),
    "waiting",  # what takes its time comes last
)


def all_cases() -> list[Case]:
    """All cases of all checks."""
    return [
        case for chapter in CHAPTERS for case in cases_of(import_module(f"{__name__}.{chapter}"))
    ]
