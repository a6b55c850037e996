"""The states of a conversation, and the transitions between them.

`python -m twentytwo_client.core.states` prints `TRANSITIONS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class State(Enum):
    """The state of a conversation."""

    AWAY = "no connection"
    GREETING = "connected, hello said"
    NAMELESS = "greeted, but nobody yet"
    HERE = "greeted and named: anything may be said"
    LEAVING = "dismissed for now: the connection is about to close"
    OVER = "dismissed for good: do not come back"


class Trigger(Enum):
    """An event that moves a conversation from one state to another."""

    CONNECTED = "there is a connection"
    LOST = "the connection is gone"
    GREETED = "hello was answered OK"
    REFUSED = "hello was answered ERR, or by something else"
    NAMED = "guest or resume was answered OK"
    UNNAMED = "logout was answered OK"
    RETURN = "BYE resume=1, or the server is too busy to let us in"
    FAREWELL = "BYE resume=0"


TRANSITIONS: Mapping[tuple[State, Trigger], State] = {
    (State.AWAY, Trigger.CONNECTED): State.GREETING,
    (State.GREETING, Trigger.GREETED): State.NAMELESS,
    (State.GREETING, Trigger.REFUSED): State.OVER,
    (State.NAMELESS, Trigger.NAMED): State.HERE,
    (State.HERE, Trigger.NAMED): State.HERE,
    (State.HERE, Trigger.UNNAMED): State.NAMELESS,
    (State.GREETING, Trigger.LOST): State.AWAY,
    (State.NAMELESS, Trigger.LOST): State.AWAY,
    (State.HERE, Trigger.LOST): State.AWAY,
    (State.LEAVING, Trigger.LOST): State.AWAY,
    (State.OVER, Trigger.LOST): State.OVER,
    (State.GREETING, Trigger.RETURN): State.LEAVING,
    (State.NAMELESS, Trigger.RETURN): State.LEAVING,
    (State.HERE, Trigger.RETURN): State.LEAVING,
    (State.GREETING, Trigger.FAREWELL): State.OVER,
    (State.NAMELESS, Trigger.FAREWELL): State.OVER,
    (State.HERE, Trigger.FAREWELL): State.OVER,
}
"""The next state, by state and trigger. Missing pairs are impossible."""


class OutOfOrder(Exception):
    """A trigger that is impossible in this state."""


def after(state: State, trigger: Trigger) -> State:
    """The next state. Raises `OutOfOrder`."""
    try:
        return TRANSITIONS[state, trigger]
    except KeyError:
        raise OutOfOrder(f"out of order: {trigger.value}, but: {state.value}") from None


def diagram() -> str:
    """The transitions as lines of text."""
    return "\n".join(
        f"{before.name:9} {sign.name:10} -> {after.name:9} {sign.value}"
        for (before, sign), after in TRANSITIONS.items()
    )


if __name__ == "__main__":
    print(diagram())
