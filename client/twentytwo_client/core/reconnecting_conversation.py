"""A conversation over one connection after another, without the network itself.

The code that drives it (`connection`) opens a connection and

- calls `opened`, then `received` with the bytes as they come, and `closed` at the end;
- calls `tick` at the time `deadline`;
- after each of these calls, sends the result of `outgoing`, and disconnects if `hangs_up`;
- calls `ended` to get the next step, also if no connection could be made. The next connection goes
  to the address `to`, if the server has redirected us.

Times are seconds of one monotonic clock.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from twentytwo_protocol.words.replies import Err

from ..address import Address, parse
from .conversation import Conversation
from .reconnecting import Alarm, Attempts, Ending, SilenceDetector, Timing
from .states import State
from .updates import Farewell, Reconnecting, Replied, Update


class ReconnectingConversation:
    """One conversation over successive connections.

    `hear` gets every update, in order. `attempts` is how many attempts in a row may fail; None for
    any number. `chance` returns a random number from 0 to 1, by which pauses differ.
    """

    def __init__(
        self,
        conversation: Conversation,
        hear: Callable[[Update], None],
        timing: Timing = Timing(),  # noqa: B008  # it is frozen
        *,
        attempts: int | None = None,
        chance: Callable[[], float] = lambda: 0,
    ) -> None:
        self.conversation = conversation
        self.timing = timing
        self.deadline = 0.0
        self.hangs_up = False
        self.to: Address | None = None
        self._moved: Address | None = None
        self._wait = 0.0
        self._hear = hear
        self._attempts = Attempts(timing, attempts, chance)
        self._heartbeat: SilenceDetector | None = None
        self._useful = False

    def opened(self, now: float) -> None:
        """Call when a connection is made."""
        self._heartbeat = SilenceDetector(self.timing, now)
        self.deadline = self._heartbeat.deadline
        self.hangs_up = False
        self.conversation.connected()

    def received(self, data: bytes, now: float) -> None:
        """Takes received bytes, in chunks of any size."""
        if self._heartbeat is not None:
            self._heartbeat.heard(now)
            self.deadline = self._heartbeat.deadline
        self.conversation.receive(data)
        self._tell()
        self._useful = self._useful or self.conversation.state is State.HERE
        self.hangs_up = self.hangs_up or self.conversation.state is State.LEAVING

    def tick(self, now: float) -> None:
        """Call at `deadline`: probes the silent server, or gives the connection up."""
        if self._heartbeat is None:
            return
        match self._heartbeat.overdue(now):
            case Alarm.PROBE:
                self.conversation.probe()
            case Alarm.LOST:
                self.hangs_up = True
        self.deadline = self._heartbeat.deadline

    def outgoing(self) -> bytes:
        """The bytes to send now; empty without a connection."""
        return self.conversation.outgoing() if self._heartbeat is not None else b""

    def closed(self) -> None:
        """Call when the connection is closed."""
        self._heartbeat = None
        self.conversation.lost()
        self._tell()

    def ended(self) -> Reconnecting | Ending:
        """The next step: a pause before a new connection (`hear` gets it), or the end."""
        useful, self._useful = self._useful, False
        moved, self._moved = self._moved, None
        wait, self._wait = self._wait, 0.0
        # An address that did not work is not tried again.
        self.to = moved or (self.to if useful else None)
        then = self._attempts.after(
            useful=useful,
            dismissed=self.conversation.state is State.OVER,
            moved=moved is not None,
            wait=wait,
        )
        if isinstance(then, Reconnecting):
            self._hear(then)
        return then

    def _tell(self) -> None:
        for update in self.conversation.updates():
            match update:
                case Farewell(bye):
                    self._moved = _address(bye.to) if bye.to else None
                    self._wait = (bye.wait or 0) / 1000
                case Replied(ask, Err(wait=int(wait))) if ask is not None and ask.own:
                    self._wait = wait / 1000  # the server has asked us to wait
            self._hear(update)


def _address(text: str) -> Address | None:
    """The address in a BYE; None if it has none."""
    with contextlib.suppress(ValueError):
        return parse(text)
    return None
