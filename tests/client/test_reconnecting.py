"""When to connect again and when to probe: decided without a network, on a clock that we turn."""

from __future__ import annotations

from tests.client.kit import ENDING, FOUND, HELLO, NAMED, SEATING, TRICKS
from tests.conformance.quoting import quotes
from twentytwo_client.address import Address
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.reconnecting import Alarm, Attempts, Ending, SilenceDetector, Timing
from twentytwo_client.core.reconnecting_conversation import ReconnectingConversation
from twentytwo_client.core.states import State
from twentytwo_client.core.updates import EventReceived, Reconnecting, SignedIn, Update

USUAL = Timing()


def test_pauses_grow_to_five_seconds() -> None:
    assert [USUAL.pause(n) for n in range(5)] == [1, 2, 4, 5, 5]
    assert USUAL.pause(10**6) == 5


def test_chance_shortens_a_pause_by_up_to_a_half_but_not_what_the_server_asks_for() -> None:
    chances = iter([0.0, 0.5, 1.0, 1.0, 1.0])
    attempts = Attempts(USUAL, chance=lambda: next(chances))
    assert after(attempts, True, False, False, False) == [
        Reconnecting(1, 0),
        Reconnecting(1.5, 1),
        Reconnecting(2, 2),
        Reconnecting(2.5, 3),
    ]
    assert attempts.after(useful=True, dismissed=False, wait=7.5) == Reconnecting(7.5, 0)


# ------------------------------------------------------------------------------- attempts


def after(attempts: Attempts, *useful: bool) -> list[Reconnecting | Ending]:
    """What follows connections that were of use, or not."""
    return [attempts.after(useful=each, dismissed=False) for each in useful]


def test_what_never_was_of_use_is_unreachable() -> None:
    assert after(Attempts(USUAL), False) == [Ending.UNREACHABLE]


def test_failures_in_a_row_are_counted_from_the_last_success() -> None:
    assert after(Attempts(USUAL), True, False, False, True, False) == [
        Reconnecting(1, 0),
        Reconnecting(2, 1),
        Reconnecting(4, 2),
        Reconnecting(1, 0),
        Reconnecting(2, 1),
    ]


def test_there_is_an_end_to_failures_where_one_is_set() -> None:
    *before, last = after(Attempts(USUAL, 2), True, False, False, False)
    assert [type(each) for each in before] == [Reconnecting] * 3
    assert last is Ending.GIVEN_UP


def test_whoever_is_dismissed_does_not_come_back() -> None:
    assert Attempts(USUAL).after(useful=True, dismissed=True) is Ending.DISMISSED
    assert Attempts(USUAL).after(useful=False, dismissed=True) is Ending.DISMISSED


# ------------------------------------------------------------------------------ heartbeat


def test_silence_is_probed_once_and_then_is_the_end() -> None:
    heart = SilenceDetector(USUAL, 100)
    heart.heard(101)
    assert heart.deadline == 146
    assert heart.overdue(145.9) is None
    assert heart.overdue(146) is Alarm.PROBE
    assert heart.deadline == 161
    assert heart.overdue(160.9) is None
    assert heart.overdue(161) is Alarm.LOST


def test_an_answer_to_the_probe_begins_anew() -> None:
    heart = SilenceDetector(USUAL, 0)
    heart.heard(0)
    assert heart.overdue(45) is Alarm.PROBE
    heart.heard(50)
    assert heart.overdue(60) is None
    assert heart.overdue(95) is Alarm.PROBE


def test_a_server_that_does_not_greet_is_not_probed() -> None:
    heart = SilenceDetector(USUAL, 0)
    assert heart.deadline == 15
    assert heart.overdue(15) is Alarm.LOST


# -------------------------------------------------------------------------------- the link


def sent(link: ReconnectingConversation) -> list[str]:
    """What the link wants to send."""
    return link.outgoing().decode().splitlines()


def bytes_of(*lines: str) -> bytes:
    """Lines on the wire."""
    return "".join(f"{line}\r\n" for line in lines).encode()


def linked() -> tuple[ReconnectingConversation, list[Update]]:
    """A link to somebody at table t7, at time 0, and what it heard."""
    heard: list[Update] = []
    link = ReconnectingConversation(Conversation(name="bob", client="test/1"), heard.append)
    link.opened(0)
    link.received(bytes_of(HELLO, NAMED, FOUND, *SEATING, *TRICKS), 0)
    link.outgoing()
    return link, heard


def test_a_server_is_not_lost_while_we_were_frozen() -> None:
    heart = SilenceDetector(USUAL, 0)
    assert heart.overdue(7200) is None
    heart.heard(7200.1)
    assert heart.overdue(7245.1) is Alarm.PROBE
    assert heart.overdue(9000) is None
    assert heart.overdue(9014.9) is None
    assert heart.overdue(9015) is Alarm.LOST


def test_a_link_takes_its_seat_back_after_a_loss() -> None:
    link, heard = linked()
    link.closed()
    assert link.outgoing() == b""
    assert link.ended() == Reconnecting(1, 0)
    assert heard[-1] == Reconnecting(1, 0)
    link.opened(1)
    assert sent(link)[-1] == "@4 resume Zk81 me:0 t7:28 boot=k3f9"
    heard.clear()
    link.received(bytes_of("@3 OK proto=1", *ENDING, "@4 AT on=t7 seq=51", "@4 OK name=~bob"), 2)
    assert all(each.missed for each in heard if isinstance(each, EventReceived))
    assert [each.resumed for each in heard if isinstance(each, SignedIn)] == [True]


def test_a_silent_server_is_asked_whether_it_is_there_and_then_is_hung_up_on() -> None:
    link, _ = linked()
    link.tick(link.deadline - 1)
    assert sent(link) == []
    link.tick(link.deadline)
    assert sent(link) == ["@3 ping"]
    assert [link.hangs_up] == [False]
    link.tick(link.deadline)
    assert link.hangs_up
    link.closed()
    assert link.conversation.state is State.AWAY
    assert link.ended() == Reconnecting(1, 0)
    link.opened(70)
    assert [link.hangs_up] == [False]


def _bye(link: ReconnectingConversation, line: str, now: float = 1) -> Reconnecting | Ending:
    link.received(bytes_of(line), now)
    assert link.hangs_up
    link.closed()
    return link.ended()


@quotes("With wait= a client comes back after so many milliseconds, and not before", "E7")
def test_the_time_that_a_bye_asks_for_is_waited() -> None:
    link, heard = linked()
    then = _bye(link, "BYE code=SHUTDOWN resume=1 wait=7500 :Back soon.")
    assert then == heard[-1] == Reconnecting(7.5, 0)
    assert _bye(linked()[0], "BYE code=SLOW resume=1 wait=10") == Reconnecting(1, 0)
    assert link.ended() == Reconnecting(2, 1)  # that was for once


@quotes("with to=HOST:PORT it comes back there", "E7")
def test_where_a_bye_sends_us_is_gone_to_until_it_is_of_no_use() -> None:
    link, _ = linked()
    assert [link.to] == [None]
    _bye(link, "BYE code=NEW_WORD resume=1 to=[::1]:4000 :Over there.")
    assert link.to == Address("::1", 4000)
    link.opened(3)
    link.received(bytes_of("@3 OK proto=1", *ENDING, "@4 AT on=t7 seq=51", "@4 OK name=~bob"), 4)
    link.closed()
    link.ended()
    assert link.to == Address("::1", 4000)
    link.ended()
    assert [link.to] == [None]
    assert _bye(linked()[0], "BYE code=MOVED resume=1 to=a:b:c") == Reconnecting(1, 0)


def test_one_may_be_sent_elsewhere_before_one_is_let_in() -> None:
    link = ReconnectingConversation(Conversation(name="bob"), lambda _: None)
    link.opened(0)
    assert _bye(link, "BYE code=MOVED resume=1 to=other:4000") == Reconnecting(2, 1)
    assert link.to == Address("other", 4000)
    assert link.ended() is Ending.UNREACHABLE


def test_one_may_be_told_to_come_later_before_one_is_let_in() -> None:
    link = ReconnectingConversation(Conversation(name="bob"), lambda _: None)
    link.opened(0)
    assert _bye(link, "BYE code=SHUTDOWN resume=1 wait=7500") == Reconnecting(7.5, 1)
    assert link.ended() is Ending.UNREACHABLE


def test_the_time_that_a_refusal_at_the_door_asks_for_is_waited() -> None:
    link, _ = linked()
    link.closed()
    assert link.ended() == Reconnecting(1, 0)
    link.opened(1)
    assert _bye(link, "@4 ERR code=BUSY class=limit wait=5000 :Later.") == Reconnecting(5, 1)
    assert link.ended() == Reconnecting(4, 2)  # that was for once


def test_the_time_that_a_refused_command_asks_for_does_not_delay_the_next_connection() -> None:
    link, _ = linked()
    ask = link.conversation.say("say :hello")
    link.outgoing()
    link.received(bytes_of(f"@{ask.id} ERR code=RATE class=limit wait=30000 :Slowly."), 1)
    link.closed()
    assert link.ended() == Reconnecting(1, 0)


def test_a_server_that_puts_us_off_is_hung_up_on() -> None:
    link, _ = linked()
    link.received(bytes_of("BYE code=SHUTDOWN resume=1 :Back soon."), 1)
    assert link.hangs_up


def test_a_farewell_for_good_is_the_end() -> None:
    link, _ = linked()
    link.received(bytes_of("BYE code=REPLACED resume=0 :Elsewhere."), 1)
    link.closed()
    assert link.ended() is Ending.DISMISSED
