"""The bus of a server that is alone: messages stay in its process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..ports import Clock, MessageHandler, Unsubscribe
from ..subjects import Subject
from .common import HandlersBySubject, OpenQuestions, fits, ignoring_reply


class LocalBus:
    """`ports.Bus` within a process. It delivers in the next turn of the loop."""

    connected = True

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._questions = OpenQuestions(clock)
        self._subscriptions = HandlersBySubject()

    def watch(self, changed: Callable[[bool], None]) -> None:
        """Does nothing: this bus is always connected."""

    def tell(self, subject: Subject, data: bytes) -> None:
        """Sends a message to all who listen to the subject."""
        if fits(data):
            self._clock.later(0, partial(self._subscriptions.deliver, subject, data))

    def listen(self, subject: Subject, heard: Callable[[bytes], None]) -> Unsubscribe:
        """Hears the messages of a subject, until the returned function is called."""
        return self.serve(subject, ignoring_reply(heard))

    def ask(
        self, subject: Subject, data: bytes, ms: int, answered: Callable[[bytes | None], None]
    ) -> None:
        """Asks the handler that serves the subject."""
        number = self._questions.add(ms, answered)
        if not fits(data) or subject not in self._subscriptions:
            self._questions.end_soon(number)
            return
        reply = partial(self._reply, number)
        self._clock.later(0, partial(self._subscriptions.deliver, subject, data, reply))

    def _reply(self, number: int, data: bytes) -> None:
        if fits(data):
            self._clock.later(0, partial(self._questions.end, number, data))

    def serve(self, subject: Subject, handler: MessageHandler) -> Unsubscribe:
        """Answers the questions of a subject, until the returned function is called."""
        return self._subscriptions.add(subject, handler)

    async def close(self) -> None:
        """Delivers nothing any more."""
        self._subscriptions.drop()
        self._questions.drop()
