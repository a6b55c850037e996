"""Values that are quick to make are frozen dataclasses all the same."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from twentytwo_protocol.frozen import frozen, maker
from twentytwo_protocol.frozen import replace as quickly_replaced
from twentytwo_protocol.schema import EVENTS
from twentytwo_protocol.words.cardplay import Played
from twentytwo_protocol.words.session import Ping, Quit

PLAYED = Played(2, ("QH", "QD"), "beat", 5)


def test_a_value_may_not_be_changed_once_it_is_made() -> None:
    with pytest.raises(FrozenInstanceError):
        PLAYED.left = 4  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del PLAYED.left
    assert type(PLAYED) is Played


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


@frozen
class Base:
    first: int
    second: int = 2
    third: int = 3


@frozen
class Longer(Base):
    fourth: int = 4


def test_a_value_with_inherited_fields_is_made_like_any_other() -> None:
    assert repr(Longer(1, third=0)) == "Longer(first=1, second=2, third=0, fourth=4)"
    assert Longer(1) == copy.deepcopy(Longer(1))
    assert Longer(1) not in (Base(1), Longer(1, fourth=5))


def test_a_value_can_be_copied_pickled_and_replaced() -> None:
    assert copy.copy(PLAYED) == copy.deepcopy(PLAYED) == PLAYED
    assert pickle.loads(pickle.dumps(PLAYED)) == PLAYED
    assert replace(PLAYED, left=4) == Played(2, ("QH", "QD"), "beat", 4)


@pytest.mark.parametrize("cls", EVENTS.values(), ids=EVENTS)
def test_every_field_of_every_event_gets_its_own_value(cls: type) -> None:
    names = [field.name for field in fields(cls)]
    made = cls(*range(len(names)))
    assert [getattr(made, name) for name in names] == list(range(len(names)))


@pytest.mark.parametrize("cls", EVENTS.values(), ids=EVENTS)
def test_a_maker_makes_what_a_call_of_the_class_does(cls: type) -> None:
    made = maker(cls)(*range(len(fields(cls))))
    assert made == cls(*range(len(fields(cls))))
    assert type(made) is cls
    with pytest.raises(FrozenInstanceError):
        made.anything = 1  # type: ignore[attr-defined]


def test_a_maker_knows_defaults_and_fields_that_are_given_by_name() -> None:
    make = maker(Played)
    assert make(kind="beat", left=5, cards=("QH", "QD"), seat=2) == PLAYED
    with pytest.raises(TypeError, match="left"):
        make(2, ("QH",), "beat")  # type: ignore[call-arg]
    assert maker(Longer)(1, third=0) == Longer(1, third=0)


@dataclass(frozen=True, slots=True)
class Usual:
    first: int
    second: int = 2
    third: int = 3


class Below(Usual):
    """A class below a dataclass with slots, which has none of its own."""


def test_a_class_below_a_dataclass_with_slots_is_made_and_replaced_as_well() -> None:
    made = maker(Below)(1)
    assert type(made) is Below
    changed = quickly_replaced(made, second=5)
    assert (type(changed), changed.first, changed.second) == (Below, 1, 5)


@pytest.mark.parametrize("first", [hash, copy.copy, repr, lambda value: value == value])
def test_whatever_is_done_first_with_a_value_that_a_maker_made_works(
    first: Callable[[object], object],
) -> None:
    @frozen
    class Fresh:
        one: int
        two: int = 2
        three: int = field(default=3, kw_only=True)

    made = maker(Fresh)(1, three=4)
    first(made)
    assert made == Fresh(1, three=4)
    assert hash(made) == hash(Fresh(1, 2, three=4))
    assert copy.copy(made) == made != maker(Fresh)(1)
