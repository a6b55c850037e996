"""Carries out orders of people at other servers for the tables that this server owns."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import json

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.seating import Close, Start, Unwatch, Watch

from ...facts import GamesClaimed
from ...ports import Bus, Clock
from ...subjects import orders
from ...table.decision import Actor
from ...table.effects import Away, Back, Renamed
from ..pairs import Pairs
from ..parts import Parts
from ..people.people import People
from ..tables.order_queue import OrderResult, QueuedOrder
from ..tables.room import Room
from ..tables.rooms import Rooms
from .order_messages import (
    GivenAway,
    OrderAnswer,
    OrderQuestion,
    QuestionOutcome,
    SentKind,
    decided,
    read_question,
)

Reply = Callable[[bytes], None]


class _Case:
    """An order from another server: its deadline, its answer, and the replies that wait for it."""

    def __init__(self, until: int) -> None:
        self.until = until
        self.answer: OrderAnswer | None = None
        self.waiting: list[Reply] = []


class OrderReceiver:
    """Answers the orders of other servers, each tag once while its question may still arrive.

    Later questions with the tag are too late. A stored order is recognized for longer, by its input
    (`Room`). `node` is the name of this server, `run` that of its run. `clock` must never stand
    still.
    """

    def __init__(self, parts: Parts, clock: Clock, bus: Bus, node: str, run: str) -> None:
        self._rooms = parts[Rooms]
        self._people = parts[People]
        self._pairs = parts[Pairs]
        self._clock = clock
        self._run = run
        self._cases: dict[tuple[str, str, str, str], _Case] = {}
        self.stop = bus.serve(orders(node), self._asked)

    def _asked(self, data: bytes, reply: Reply) -> None:
        asked = read_question(data)
        if asked is None:
            return
        question, order = asked
        self._forget()
        if question.run != self._run:
            reply(self._other(QuestionOutcome.LATE))
            return
        room = self._rooms.own.get(question.table)
        case = self._cases.get(question.key)
        if case is not None:
            case.until = max(case.until, question.until)
            self._answer(case, reply)
        elif room is None:
            reply(self._other(QuestionOutcome.ELSEWHERE))
        else:
            self._cases[question.key] = case = _Case(question.until)
            case.waiting.append(reply)
            self._carry_out(room, question, order, case)

    def _carry_out(self, room: Room, question: OrderQuestion, order: SentKind, case: _Case) -> None:
        further, names = None, {question.who}
        if isinstance(order, Renamed):
            claimed = GamesClaimed(order.new, order.old, order.since)
            further, names = lambda _: (claimed,), {order.new}

        def end(outcome: QuestionOutcome) -> None:
            self._cases.pop(question.key, None)
            for reply in case.waiting:
                reply(self._other(outcome))

        def answered(result: OrderResult) -> None:
            if isinstance(result.refusal, GivenAway):
                end(QuestionOutcome.ELSEWHERE)
                return
            room.elsewhere |= names & room.audience.seats.keys()
            case.answer = decided(self._run, self._clock.now(), result, room.last_input)
            waiting, case.waiting = case.waiting, []
            for reply in waiting:
                self._answer(case, reply)
            self._put_right(room, question.who, order)

        def in_time() -> bool:
            if self._clock.now() < case.until:
                return True
            end(QuestionOutcome.LATE)
            return False

        tag = question.tag
        if isinstance(order, Start | Close) and room.table.kind.paired:
            self._of_pair(room, question.actor, order, answered)
            return
        room.give(QueuedOrder(question.actor, order, answered, further, in_time, tag))

    def _of_pair(
        self, room: Room, who: Actor, order: Start | Close, answered: Callable[[OrderResult], None]
    ) -> None:
        """Starts or closes both tables of a pair.

        No tag is stored with the order. If an heir is asked again, it refuses a second start.
        """
        try:
            if isinstance(order, Start):
                self._pairs.start(room, who, answered, None)
            elif self._pairs.twin(room) is not None:
                self._pairs.close(room, (who, order), answered, None)
            else:
                room.order(who, order, answered)
        except Refused as wrong:
            answered(OrderResult(refusal=wrong))

    def _put_right(self, room: Room, who: str, order: SentKind) -> None:
        """Corrects a late message of a person's former server if the person has come here since."""
        if self._people.session_of(who) is not None:
            if isinstance(order, Away):
                room.order(Actor(who), Back(who))
            elif isinstance(order, Unwatch):
                room.order(Actor(who), Watch(room.id))

    def _answer(self, case: _Case, reply: Reply) -> None:
        if case.answer is None:
            case.waiting.append(reply)
        else:
            reply(json.encode(case.answer))

    def _other(self, outcome: QuestionOutcome) -> bytes:
        return json.encode(OrderAnswer(self._run, self._clock.now(), outcome))

    def _forget(self) -> None:
        """Forgets the orders whose questions would come too late now."""
        now = self._clock.now()
        while self._cases and next(iter(self._cases.values())).until <= now:
            del self._cases[next(iter(self._cases))]
