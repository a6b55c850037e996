"""The tour's picture is the house as it is, and its index leads to what it names."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs import house
from tests.docs.test_tour import found
from tests.kit.cases import together

TOUR = (Path(__file__).parents[2] / "docs" / "tour.md").read_text(encoding="utf-8")
_INDEX = TOUR.partition("## Where is it?")[2].partition("\n## ")[0]
QUESTIONS = [
    (row[0].strip(), re.findall(r"`((?:protocol|server|client)\.[\w.]+)`", row[1]))
    for row in re.findall(r"^\| ([^*|]+) \| ([^|]+) \|$", _INDEX, re.MULTILINE)
    if row[0].strip() not in ("topic", "")
]


def test_the_picture_in_the_tour_is_what_the_imports_draw() -> None:
    shown = TOUR.partition("```house\n")[2].partition("\n```")[0]
    assert shown == house.picture(), "python -m tests.docs.house draws it"


def test_a_circle_cannot_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "below", lambda _: {"a": {"b"}, "b": {"a"}, "c": set()})
    with pytest.raises(ValueError, match="a circle among"):
        house.storeys("anything")


def test_the_index_answers_thirty_questions() -> None:
    assert len(QUESTIONS) >= 30
    assert len({question for question, _ in QUESTIONS}) == len(QUESTIONS)


@together(("question", "names"), QUESTIONS)
def test_one_file_or_two_answer_it(question: str, names: list[str]) -> None:
    """What is named is there, and documented where it is defined."""
    assert 1 <= len(names) <= 2, question
    for name in names:
        thing = found(name)
        if isinstance(thing, ModuleType):
            assert thing.__doc__, f"{name} says nothing of itself"
        else:
            module = name.rpartition(".")[0]
            assert getattr(thing, "__module__", f"twentytwo_{module}").startswith("twentytwo_")
            if isinstance(thing, type) or callable(thing):
                assert thing.__doc__, f"{name} says nothing of itself"


def test_every_command_is_answered_in_the_module_of_its_chapter() -> None:
    """`protocol.words.talk.Say` is answered in `server.host.commands.talk`."""
    from twentytwo_protocol.schema import Deed
    from twentytwo_server.host.commands.handlers import HANDLERS

    rooms = {
        name: f"twentytwo_server.host.commands.{name}"
        for name in (kind.__module__.rpartition(".")[2] for kind in HANDLERS if kind is not Deed)
    }
    astray = {
        kind.__name__: handler.__module__
        for kind, handler in HANDLERS.items()
        if kind is not Deed
        and not handler.__module__.startswith(
            (rooms[kind.__module__.rpartition(".")[2]], "twentytwo_server.host.commands.orders")
        )
    }
    assert astray == {}
