"""The messages by which a server asks the owner of a table to carry out an order.

A question may arrive late or several times, and its answer may never arrive. So the question has a
tag, which is stored with the order, and a deadline for the owner to begin with the order. The
deadline is by the owner's own clock, which the asking server knows from earlier answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from msgspec import DecodeError, json

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.value import Value

from ...table import journal
from ...table.decision import Actor
from ...table.effects import Away, Back, Renamed
from ..tables.order_queue import OrderResult
from ..tables.remote_room import OwnerVerdict


class OrderQuestion(Value):
    """An order for a table. `order` is its text (`table.journal`), `tag` that of the order.

    `run` is the run of the owner whose clock the asker knows, empty for none. The owner may begin
    with the order before its clock shows `until`.
    """

    table: str
    who: str
    program: bool
    order: str
    tag: str
    run: str
    until: int

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The identity of the order: it is the same in all questions about it, and in no others."""
        return self.table, self.who, self.tag, self.order

    @property
    def actor(self) -> Actor:
        """The giver of the order."""
        return Actor(self.who, self.program)


class QuestionOutcome(Enum):
    """The outcome of a question.

    DECIDED: the order is carried out, or refused. LATE: it came too late, or for another run; ask
    again. ELSEWHERE: this server does not own the table.
    """

    DECIDED = "decided"
    LATE = "late"
    ELSEWHERE = "elsewhere"


class SentRefusal(Value):
    """A refusal as a message."""

    code: str
    why: str
    advice: str
    fields: Mapping[str, Any]


class OrderAnswer(Value):
    """The answer of an owner: its run, its clock, and the outcome of the question.

    For a decided order: `after` is the last input of the table, `seq` the order's first event.
    """

    run: str
    now: int
    outcome: QuestionOutcome
    after: int = 0
    seq: int = 0
    refusal: SentRefusal | None = None

    @property
    def verdict(self) -> OwnerVerdict:
        """The answer for the room that has asked."""
        wrong = self.refusal
        if wrong is None:
            return OwnerVerdict(self.seq, after=self.after)
        fields = {name: _plain(value) for name, value in wrong.fields.items()}
        refused = Refused(wrong.code, wrong.why, wrong.advice, **fields)
        return OwnerVerdict(refusal=refused, after=self.after)


def decided(run: str, now: int, result: OrderResult, after: int) -> OrderAnswer:
    """The answer for a decided order."""
    wrong, refusal = result.refusal, None
    if wrong is not None:
        refusal = SentRefusal(wrong.code, wrong.why, wrong.advice, wrong.fields)
    return OrderAnswer(run, now, QuestionOutcome.DECIDED, after, result.seq, refusal)


class GivenAway(Refused):
    """The refusal of an order for a table that has another owner now: it was not carried out."""

    def __init__(self) -> None:
        text = "The table moves to another server; try again in a moment."
        super().__init__("BUSY", text, wait=1_000)


SentKind = Command | Away | Back | Renamed
"""The kinds of orders that one server sends to another."""

_QUESTION = json.Decoder(OrderQuestion)
_ANSWER = json.Decoder(OrderAnswer)


def read_question(data: bytes) -> tuple[OrderQuestion, SentKind] | None:
    """The question in a message, with its order; None if the message cannot be read."""
    try:
        question = _QUESTION.decode(data)
        order = journal.read(question.order)
    except (DecodeError, journal.UnknownOrder):
        return None
    return (question, order) if isinstance(order, SentKind) else None


def read_answer(data: bytes) -> OrderAnswer | None:
    """The answer in a message; None if the message cannot be read."""
    try:
        return _ANSWER.decode(data)
    except DecodeError:
        return None


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
