"""The common part of every bus: questions that wait for answers, and subscriptions."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from ..ports import MESSAGE_LIMIT, Clock, MessageHandler, Timer, Unsubscribe
from ..subjects import Subject

log = logging.getLogger("twentytwo.bus")


def guarded(call: Callable[..., object], *args: Any) -> None:
    """Calls a callback. If it raises, the log has the traceback."""
    try:
        call(*args)
    except Exception:
        log.exception("a callback of the bus failed")


def fits(data: bytes) -> bool:
    """True if a message may be sent. Otherwise the log says so."""
    if len(data) > MESSAGE_LIMIT:
        log.error("a message of %d bytes is too long for the bus: it is lost", len(data))
        return False
    return True


class OpenQuestions:
    """The questions of a server that wait for their answers. Each is answered once."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0
        self._dropped = False
        self._open: dict[int, tuple[Callable[[bytes | None], None], Timer]] = {}

    def add(self, ms: int, answered: Callable[[bytes | None], None]) -> int:
        """Begins to wait, for `ms` milliseconds. Returns the number of the question."""
        self._last = number = self._last + 1
        if not self._dropped:
            self._open[number] = answered, self._clock.later(ms, partial(self.end, number, None))
        return number

    def end(self, number: int, data: bytes | None) -> None:
        """Answers a question, unless it is answered already."""
        found = self._open.pop(number, None)
        if found is not None:
            answered, timer = found
            if timer.active():
                timer.cancel()
            guarded(answered, data)

    def end_soon(self, number: int) -> None:
        """Answers a question with None in the next turn of the loop."""
        self._clock.later(0, partial(self.end, number, None))

    def end_all(self) -> None:
        """Answers the questions of now with None."""
        for number in list(self._open):
            self.end(number, None)

    def drop(self) -> None:
        """Forgets all questions, also those to come."""
        self._dropped = True
        for _, timer in self._open.values():
            timer.cancel()
        self._open.clear()


def ignoring_reply(heard: Callable[[bytes], None]) -> MessageHandler:
    """The handler for those who only listen."""
    return lambda data, reply: heard(data)


def no_reply(data: bytes) -> None:
    """The reply to a message that was told."""


class HandlersBySubject:
    """The handlers of messages, by subject."""

    def __init__(self) -> None:
        self._handlers: dict[Subject, list[MessageHandler]] = {}

    def add(self, subject: Subject, handler: MessageHandler) -> Unsubscribe:
        """Adds a handler; the returned function removes it."""
        # Two subscriptions with the same function are two all the same.
        entry: MessageHandler = partial(handler)
        self._handlers.setdefault(subject, []).append(entry)

        def remove() -> None:
            handlers = self._handlers.get(subject, [])
            if entry in handlers:
                handlers.remove(entry)

        return remove

    def __contains__(self, subject: Subject) -> bool:
        return bool(self._handlers.get(subject))

    def deliver(
        self, subject: Subject, data: bytes, reply: Callable[[bytes], None] = no_reply
    ) -> None:
        """Passes a message to the handlers of its subject."""
        for handler in tuple(self._handlers.get(subject, ())):
            guarded(handler, data, reply)

    def drop(self) -> None:
        """Removes all handlers."""
        self._handlers.clear()
