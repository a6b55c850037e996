"""A conversation over connections that come and go: all of a link but the network.

What drives it (the terminal over Twisted, the SDK over asyncio) opens a connection and then

- says `opened`, gives `received` the bytes that come, and says `closed` in the end;
- calls `tick` once it is `deadline`;
- after each of these sends what `outgoing` returns, and hangs up if `hangs_up`;
- asks `ended` what comes next, also where no connection could be made.

Times are seconds of one clock that never goes back.
"""

from __future__ import annotations

from collections.abc import Callable

from .conversation import Conversation
from .reconnecting import Alarm, Attempts, Ending, Heartbeat, Timing
from .states import State
from .updates import Reconnecting, Update


class Link:
    """`hear` is told every update, in order. `attempts` may fail in a row; None for no end."""

    def __init__(
        self,
        conversation: Conversation,
        hear: Callable[[Update], None],
        timing: Timing = Timing(),  # noqa: B008  # it is frozen
        *,
        attempts: int | None = None,
    ) -> None:
        self.conversation = conversation
        self.timing = timing
        self.deadline = 0.0
        self.hangs_up = False
        self._hear = hear
        self._attempts = Attempts(timing, attempts)
        self._heartbeat: Heartbeat | None = None
        self._useful = False

    def opened(self, now: float) -> None:
        """There is a connection."""
        self._heartbeat = Heartbeat(self.timing, now)
        self.deadline = self._heartbeat.deadline
        self.hangs_up = False
        self.conversation.connected()

    def received(self, data: bytes, now: float) -> None:
        """Bytes have come."""
        if self._heartbeat is not None:
            self._heartbeat.heard(now)
            self.deadline = self._heartbeat.deadline
        self.conversation.receive(data)
        self._tell()
        self._useful = self._useful or self.conversation.state is State.HERE
        self.hangs_up = self.hangs_up or self.conversation.state is State.LEAVING

    def tick(self, now: float) -> None:
        """It is `deadline`: the server is probed, or taken for gone."""
        if self._heartbeat is None:
            return
        match self._heartbeat.overdue(now):
            case Alarm.PROBE:
                self.conversation.probe()
            case Alarm.LOST:
                self.hangs_up = True
        self.deadline = self._heartbeat.deadline

    def outgoing(self) -> bytes:
        """The bytes to send now; none where there is no connection."""
        return self.conversation.outgoing() if self._heartbeat is not None else b""

    def closed(self) -> None:
        """The connection is gone."""
        self._heartbeat = None
        self.conversation.lost()
        self._tell()

    def ended(self) -> Reconnecting | Ending:
        """What comes next: a pause before the next connection, of which `hear` is told, or none."""
        useful, self._useful = self._useful, False
        dismissed = self.conversation.state is State.OVER
        then = self._attempts.after(useful=useful, dismissed=dismissed)
        if isinstance(then, Reconnecting):
            self._hear(then)
        return then

    def _tell(self) -> None:
        for update in self.conversation.updates():
            self._hear(update)
