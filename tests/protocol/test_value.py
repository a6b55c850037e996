"""Values are immutable, and compare, copy and pickle by their fields."""

from __future__ import annotations

import copy
import pickle

import pytest
from msgspec.structs import replace

from twentytwo_protocol.hidden import Hidden
from twentytwo_protocol.schema import EVENTS
from twentytwo_protocol.words.accounts import Login
from twentytwo_protocol.words.cardplay import Played
from twentytwo_protocol.words.session import Ping, Quit

PLAYED = Played(2, ("QH", "QD"), "beat", 5)


def test_a_value_may_not_be_changed_once_it_is_made() -> None:
    with pytest.raises(AttributeError):
        PLAYED.left = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del PLAYED.left


def test_fields_are_given_by_place_or_by_name_and_have_their_defaults() -> None:
    named = Played(kind="beat", left=5, cards=("QH", "QD"), seat=2)
    assert named == PLAYED
    assert hash(named) == hash(PLAYED)
    assert PLAYED.auto is None
    with pytest.raises(TypeError, match="left"):
        Played(2, ("QH",), "beat")  # type: ignore[call-arg]


def test_a_value_is_equal_to_one_of_its_own_class_alone_and_shows_its_fields() -> None:
    others: tuple[object, ...] = (2, ("QH", "QD"), "beat", 5), replace(PLAYED, left=4), Quit()
    assert PLAYED not in others
    assert Quit() == Quit()
    assert repr(Ping("a")) == "Ping(x='a')"
    assert repr(PLAYED).startswith("Played(seat=2, cards=('QH', 'QD'), kind='beat', left=5,")


def test_a_value_can_be_copied_pickled_and_replaced() -> None:
    assert copy.copy(PLAYED) == copy.deepcopy(PLAYED) == PLAYED
    assert pickle.loads(pickle.dumps(PLAYED)) == PLAYED
    assert replace(PLAYED, left=4) == Played(2, ("QH", "QD"), "beat", 4)


def test_no_answer_to_a_hidden_question_is_printed() -> None:
    asked = Hidden(Login("ann", "secret"), (("password", "Password:"),), told=("secret",))
    assert "secret" not in repr(asked)


def test_every_field_of_every_event_gets_its_own_value() -> None:
    for cls in EVENTS.values():
        names = cls.__struct_fields__
        made = cls(*range(len(names)))
        assert [getattr(made, name) for name in names] == list(range(len(names)))
