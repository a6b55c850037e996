"""The conversation without a network: what comes of which bytes, and which bytes go out."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.client.kit import (
    ENDING,
    FOUND,
    GAME,
    HELLO,
    NAMED,
    SEATING,
    TRICKS,
    events,
    hear,
    named,
    said,
    seated,
)
from tests.kit.cases import together
from twentytwo_client.core.conversation import Conversation, NotConnected
from twentytwo_client.core.requests import TooLong
from twentytwo_client.core.states import TRANSITIONS, OutOfOrder, State, Trigger, after, diagram
from twentytwo_client.core.streams import question
from twentytwo_client.core.updates import (
    Comment,
    EventReceived,
    Farewell,
    Greeted,
    Replied,
    SessionLost,
    SignedIn,
    Snapshot,
    Unanswered,
    UnknownEvent,
    UnreadableLine,
    Update,
)
from twentytwo_protocol import wire
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import COMMANDS, EVENTS, Malformed
from twentytwo_protocol.words.replies import Err, Ok
from twentytwo_protocol.words.seating import Joined

# ------------------------------------------------------------------------------ greeting


def test_it_says_hello_and_a_name_at_once() -> None:
    talk = Conversation(name="bob", client="test/1")
    talk.connected()
    assert said(talk) == ["@1 hello 1 client=test/1 caps=text", "@2 guest bob"]


def test_a_bot_says_so() -> None:
    talk = Conversation(client="test/1", bot=True)
    talk.connected()
    assert said(talk) == ["@1 hello 1 client=test/1 caps=text bot=1"]


def test_with_a_token_the_place_is_taken_back_and_tables_are_asked_for_whole() -> None:
    talk = Conversation(name="~bob", token="Zk81", streams={"me": 4, "t7": 0}, client="test/1")
    talk.connected()
    assert said(talk)[1] == "@2 resume Zk81 me:4"
    values = hear(talk, HELLO, "@2 AT on=me seq=4", "@2 OK name=~bob token=Zk82 :Welcome back.")
    assert values[-1] == SignedIn("~bob", "Zk82", True, "Welcome back.")
    assert said(talk) == ["@3 state t7"]
    assert talk.token == "Zk82"


def test_the_tilde_of_a_guest_is_the_servers_to_give() -> None:
    talk = Conversation(name="~bob", client="test/1")
    talk.connected()
    assert said(talk)[1] == "@2 guest bob"


def test_being_greeted_and_named() -> None:
    talk = Conversation(name="bob")
    assert [talk.state] == [State.AWAY]
    talk.connected()
    assert [talk.state] == [State.GREETING]
    comment, greeted = hear(talk, "# cardline/1 somewhere", HELLO)
    assert comment == Comment("cardline/1 somewhere")
    assert isinstance(greeted, Greeted) and greeted.reply.boot == "k3f9"
    assert [talk.state] == [State.NAMELESS]
    assert hear(talk, NAMED) == [SignedIn("~bob", "Zk81", False, "Hello, ~bob.")]
    assert (talk.state, talk.name, talk.token, talk.grace) == (State.HERE, "~bob", "Zk81", 120_000)


def test_a_version_that_the_server_does_not_speak_is_the_end() -> None:
    talk = Conversation(name="bob")
    talk.connected()
    (reply,) = hear(
        talk, "@1 ERR code=BAD_VERSION class=syntax have=2 :This server speaks version 2."
    )
    assert isinstance(reply, Replied) and isinstance(reply.final, Err)
    assert talk.state is State.OVER
    assert hear(talk, NAMED) == []


def test_what_does_not_speak_the_protocol_is_not_spoken_to() -> None:
    talk = Conversation(name="bob")
    talk.connected()
    (garbled,) = hear(talk, "SSH-2.0-OpenSSH_9.2")
    assert isinstance(garbled, UnreadableLine)
    assert talk.state is State.OVER


def test_a_name_that_is_refused_can_be_followed_by_another() -> None:
    talk = Conversation(name="admin")
    talk.connected()
    values = hear(talk, HELLO, "@2 ERR code=BAD_NAME class=auth :admin means something here.")
    assert isinstance(values[-1], Replied)
    assert [talk.state] == [State.NAMELESS]
    said(talk)
    assert talk.say("guest bob").id == "3"
    hear(talk, "@3 OK name=~bob token=Zk81")
    assert [talk.state] == [State.HERE]


def test_giving_the_name_up_forgets_everything() -> None:
    talk = seated()
    ask = talk.say("logout")
    hear(talk, f"@{ask.id} OK :You are nobody now.")
    assert talk.state is State.NAMELESS
    assert (talk.name, talk.token, talk.streams.tables) == ("", "", {})


# ---------------------------------------------------------------------------- the states


@together(("state", "trigger"), [*itertools.product(State, Trigger)])
def test_every_pair_of_state_and_trigger_is_in_the_table_or_out_of_order(
    state: State, trigger: Trigger
) -> None:
    if (state, trigger) in TRANSITIONS:
        assert after(state, trigger) is TRANSITIONS[state, trigger]
    else:
        with pytest.raises(OutOfOrder):
            after(state, trigger)


def test_what_is_out_of_order_is_told_and_changes_nothing() -> None:
    talk = named()
    talk.connected()
    assert talk.state is State.HERE
    (told,) = talk.updates()
    assert isinstance(told, UnreadableLine)
    assert "out of order" in told.why


def test_every_state_can_be_reached_and_be_left_but_the_last() -> None:
    reached = {State.AWAY} | set(TRANSITIONS.values())
    assert reached == set(State)
    left = {before for (before, _), after in TRANSITIONS.items() if before is not after}
    assert left == set(State) - {State.OVER}


def test_the_table_can_be_printed() -> None:
    assert len(diagram().splitlines()) == len(TRANSITIONS)


# -------------------------------------------------------------------------------- events


def test_a_game_is_told_and_folded() -> None:
    talk = named()
    talk.say("join t7")
    values = hear(talk, *GAME)
    assert events(values) == [line.split(" ")[0] for line in GAME]
    table = talk.streams.tables["t7"]
    assert (table.me, table.phase, table.seq) == (2, "over", 51)
    assert {seat.name: seat.place for seat in table.seats.values()} == {
        "~ann": 2,
        "~bob": 1,
        "~cat": 2,
    }


def test_the_table_is_as_of_the_event_in_hand() -> None:
    talk = named()
    talk.receive("\n".join([*SEATING, ""]).encode())
    counts = [
        len(v.table.seats) for v in talk.updates() if isinstance(v, EventReceived) and v.table
    ]
    assert counts[:4] == [1, 2, 3, 3]


@settings(deadline=None)
@given(st.data())
def test_any_chunking_gives_the_same(data: st.DataObject) -> None:
    whole = "\r\n".join([HELLO, NAMED, FOUND, *GAME, ""]).encode()
    cuts = sorted(data.draw(st.sets(st.integers(1, len(whole) - 1), max_size=30)))
    talk = Conversation(name="bob")
    talk.connected()
    values: list[Update] = []
    for start, end in itertools.pairwise([0, *cuts, len(whole)]):
        talk.receive(whole[start:end])
        values += talk.updates()
    assert events(values) == ["NOTE", *(line.split(" ")[0] for line in GAME)]
    assert talk.streams.tables["t7"].seq == 51


def test_the_open_question_is_the_turn_that_has_a_default() -> None:
    talk = seated(*SEATING[:9])
    assert talk.streams.questions() == []
    hear(talk, *SEATING[9:])
    ((table, turn),) = talk.streams.questions()
    assert (table.on, turn.turn, turn.act) == ("t7", 2, "exchange")
    hear(talk, TRICKS[0])
    assert talk.streams.questions() == []


def test_what_is_not_newer_is_a_duplicate() -> None:
    talk = seated()
    assert hear(talk, *SEATING, *TRICKS) == []
    assert said(talk) == []
    assert events(hear(talk, ENDING[0])) == ["PLAYED"]


def test_a_gap_is_asked_for_once_and_closed() -> None:
    talk = seated()
    assert hear(talk, *ENDING[1:4]) == []
    (line,) = said(talk)
    id, rest = line.split(" ", 1)
    assert rest == "sync t7 from=28"
    assert hear(talk, *ENDING[4:6]) == []
    assert said(talk) == []
    values = hear(talk, *ENDING[:6], f"{id} OK on=t7 seq=34")
    assert events(values) == [line.split(" ")[0] for line in ENDING[:6]]
    assert talk.streams.behind == set()
    assert events(hear(talk, *ENDING[6:])) == [line.split(" ")[0] for line in ENDING[6:]]


def test_a_gap_that_the_server_does_not_close_makes_the_table_be_asked_for_whole() -> None:
    talk = seated()
    hear(talk, ENDING[1])
    (line,) = said(talk)
    hear(talk, f"{line.split()[0]} OK on=t7 seq=30")
    assert said(talk)[0].endswith(" state t7")


def test_a_gap_that_is_closed_in_parts_is_asked_for_to_the_end() -> None:
    talk = seated()
    hear(talk, ENDING[5])
    (line,) = said(talk)
    hear(talk, *ENDING[:2], f"{line.split()[0]} OK on=t7 seq=30 more=1")
    (line,) = said(talk)
    assert line.endswith(" sync t7 from=30")
    assert hear(talk, ENDING[6]) == []
    hear(talk, *ENDING[2:7], f"{line.split()[0]} OK on=t7 seq=35")
    assert said(talk) == []
    assert talk.streams.seqs["t7"] == 35


def test_a_server_that_goes_on_and_on_without_an_event_is_asked_for_the_table_whole() -> None:
    talk = seated()
    hear(talk, ENDING[5])
    (line,) = said(talk)
    hear(talk, f"{line.split()[0]} OK on=t7 seq=28 more=1")
    assert said(talk)[0].endswith(" state t7")


def test_a_gap_that_is_no_longer_kept_makes_the_table_be_asked_for_whole() -> None:
    talk = seated()
    hear(talk, ENDING[1])
    (line,) = said(talk)
    hear(talk, f"{line.split()[0]} ERR code=GONE class=sync oldest=30 :Gone.")
    assert said(talk)[0].endswith(" state t7")


def test_an_event_that_does_not_fit_makes_the_table_be_asked_for_whole() -> None:
    talk = seated()
    (garbled,) = hear(talk, "PLAYED on=t7 seq=29 seat=9 cards=6S kind=beat left=4")
    assert isinstance(garbled, UnreadableLine)
    (line,) = said(talk)
    assert line.endswith(" state t7")
    assert "t7" not in talk.streams.tables


def test_an_event_that_cannot_be_read_makes_the_table_be_asked_for_whole() -> None:
    talk = seated()
    hear(talk, "PLAYED on=t7 seq=29 seat=two cards=6S kind=beat left=4")
    assert said(talk)[0].endswith(" state t7")


def test_a_table_that_is_not_known_from_its_start_is_asked_for_whole() -> None:
    talk = named()
    assert hear(talk, *TRICKS[:2]) == []
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state t7"]


def test_the_lobby_is_heard_from_wherever_it_is() -> None:
    talk = named()
    lines = ["ONLINE on=people seq=345 name=~ann bot=0", "OFFLINE on=people seq=346 name=~ann"]
    assert events(hear(talk, *lines)) == ["ONLINE", "OFFLINE"]
    assert said(talk) == []


def test_what_is_left_out_on_purpose_is_not_asked_for() -> None:
    talk = named()
    first, later = (f"ONLINE on=people seq={n} name=~ann bot=0" for n in (345, 349))
    assert events(hear(talk, first, "GAP on=people seq=348", later)) == ["ONLINE", "ONLINE"]
    assert said(talk) == []
    # An older one says nothing, and a hole that is not explained is asked for.
    hear(talk, "GAP on=people seq=340", "ONLINE on=people seq=355 name=~ann bot=0")
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["sync people from=349"]


def test_a_gap_in_a_tables_stream_makes_it_be_asked_for_whole() -> None:
    talk = seated()
    hear(talk, "GAP on=t7 seq=28")
    assert said(talk) == []
    hear(talk, "GAP on=t7 seq=40")
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state t7"]


def test_the_own_question_is_found_among_several_and_closed_by_itself() -> None:
    talk = seated()
    turn = "TURN on=t7 seq={} turn={} seat={} act=pass"
    mine = " choose=cards default=QH"
    hear(talk, turn.format(29, 40, 1) + mine, turn.format(30, 41, 2))
    table = talk.streams.tables["t7"]
    table_question = question(table)
    assert table_question is not None and table_question.turn == 40
    hear(talk, "ANSWERED on=t7 seq=31 turn=41 seat=2")
    assert question(table) is table_question
    hear(talk, turn.format(32, 42, 2), "ANSWERED on=t7 seq=33 turn=40 seat=1")
    assert question(table) is None


def test_the_stream_of_the_talk_is_the_one_that_the_server_names() -> None:
    talk = named()
    ask = talk.say("watch t7")
    hear(talk, f"@{ask.id} OK on=t7 seq=5 talk=xyz")
    assert talk.streams.talks == {"xyz": "t7"}
    (state,) = said(talk)[-1:]
    id = state.split(" ")[0]
    hear(talk, f"{id} STATE on=t7 seq=5 phase=open nwatch=1 talk=abc", f"{id} OK on=t7 n=1")
    assert talk.streams.talks == {"xyz": "t7", "abc": "t7"}


def test_what_has_no_number_takes_no_place_on_a_stream() -> None:
    talk = seated()
    hear(talk, "XNEWS on=t7 x=1")
    assert talk.streams.seqs["t7"] == 28
    assert said(talk) == []


def test_the_inbox_has_no_gaps() -> None:
    talk = named()
    hear(talk, "TOLD on=me seq=1 by=~ann to=~bob :hi")
    assert hear(talk, "TOLD on=me seq=3 by=~ann to=~bob :are you there?") == []
    assert said(talk)[0].endswith(" sync me from=1")


def test_unknown_events_and_fields_are_ignored_and_counted() -> None:
    talk = seated()
    noise = "XGNOISE on=t7 seq=29 xgn=%20,x :TURN turn=1 default=A legal=A"
    (unknown,) = hear(talk, noise)
    assert isinstance(unknown, UnknownEvent) and unknown.table is talk.streams.tables["t7"]
    played = "PLAYED on=t7 seq=30 seat=2 cards=6S,4H kind=beat left=4 xgfield=a%2Cb"
    assert events(hear(talk, played)) == ["PLAYED"]
    assert [type(v) for v in hear(talk, "XGNOISE xgn=1 :loose")] == [UnknownEvent]
    assert said(talk) == []


def test_chat_that_looks_like_a_line_is_chat() -> None:
    talk = seated()
    (value,) = hear(talk, "SAID on=t7 seq=29 by=~ann :TURN turn=9 default=A legal=A :x")
    assert isinstance(value, EventReceived)
    assert value.event.word.word == "SAID"
    assert talk.streams.questions()[0][1].legal[0] == "5+4"  # type: ignore[index]  # it is a choice of one


def test_we_know_our_seat_from_our_name() -> None:
    talk = named()
    hear(talk, *SEATING[:3])
    table = talk.streams.tables["t7"]
    assert table.me == 2
    hear(talk, "SWAPPED on=t7 seq=4 seat=5 name=~bob former=2 bot=0")
    assert table.me == 5
    (left,) = hear(talk, "LEFT on=t7 seq=5 seat=5 name=~bob why=left")
    assert isinstance(left, EventReceived) and left.table is table
    assert "t7" not in talk.streams.tables


# ------------------------------------------------------------------------------ snapshots


def _state_of(table: TableModel, id: str) -> list[str]:
    """The reply to `state`, as a server writes it."""
    return [wire.write(row, re_=id) for row in table.rows()] + [f"@{id} OK on={table.on} n=1"]


@together("count", range(3, len(GAME) + 1))
def test_a_table_taken_from_its_state_goes_on_as_if_seen_from_the_start(count: int) -> None:
    witness = seated(*GAME[:count])
    talk = named()
    ask = talk.say("state t7")
    said(talk)
    values = hear(talk, *_state_of(witness.streams.tables["t7"], ask.id))
    assert isinstance(values[0], Snapshot)
    assert talk.streams.questions() == witness.streams.questions()
    hear(talk, *GAME[count:])
    hear(witness, *GAME[count:])
    assert talk.streams.tables["t7"].rows() == witness.streams.tables["t7"].rows()
    assert said(talk) == []


def test_watching_takes_the_table_as_it_is() -> None:
    witness = seated().streams.tables["t7"]
    talk = named()
    ask = talk.say("watch t7")
    said(talk)
    hear(talk, f"@{ask.id} OK on=t7 seq=28")
    (line,) = said(talk)
    assert line.endswith(" state t7")
    assert hear(talk, "WATCHING on=t7 seq=29 name=~bob here=1") == []
    witness.me, witness.seq = None, 29
    hear(talk, *_state_of(witness, line[1:].split(" ")[0]))
    assert events(hear(talk, "SAID on=t7 seq=30 by=~ann :hi")) == ["SAID"]


def test_a_watcher_who_takes_over_a_seat_asks_for_what_its_player_knows() -> None:
    witness = seated().streams.tables["t7"]
    witness.me = None
    talk = named()
    ask = talk.say("watch t7")
    said(talk)
    hear(talk, f"@{ask.id} OK on=t7 seq=28")
    (line,) = said(talk)
    hear(talk, *_state_of(witness, line[1:].split(" ")[0]))
    ask = talk.say("join t7")
    assert said(talk)[-1].endswith(" join t7")
    hear(talk, f"@{ask.id} OK on=t7 seat=2 seq={witness.seq + 2}")
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state t7"]


@together("line", ["leave", "leave t7", "unwatch", "unwatch t7"])
def test_what_is_watched_no_longer_is_forgotten(line: str) -> None:
    talk = named()
    ask = talk.say("watch t7")
    hear(talk, f"@{ask.id} OK on=t7", "JOINED on=t7 seq=1 seat=1 name=~ann bot=0")
    talk.outgoing()
    ask = talk.say(line)
    hear(talk, f"@{ask.id} OK on=t7 seq=9")
    assert talk.streams.tables == {}
    talk.lost()
    talk.connected()
    resume = said(talk)[-1].split(" ")[0]
    hear(talk, HELLO.replace("@1", "@9"), f"{resume} OK name=~bob")
    assert not [line for line in said(talk) if " watch " in line]


def test_what_is_watched_is_watched_again_after_a_loss() -> None:
    talk = seated()
    ask = talk.say("watch t9")
    hear(talk, f"@{ask.id} OK on=t9 seq=3")
    _reconnect(talk)
    assert any(line.endswith(" watch t9") for line in said(talk))


@together("word", ["kiwi-fox", "t9", "9"])
def test_a_private_table_is_watched_again_by_its_word(word: str) -> None:
    talk = seated()
    ask = talk.say(f"watch {word}")
    hear(talk, f"@{ask.id} OK on=t9 seq=3", "JOINED on=t9 seq=3 seat=1 name=~ann bot=0")
    talk.lost()
    talk.connected()
    hello, resume = (line.split(" ")[0] for line in said(talk))
    gone = f"{resume} AT on=t9 code=NO_SUCH_TABLE"
    hear(talk, f"{hello} OK proto=1 boot=new", gone, NAMED.replace("@2", resume))
    again = [line.partition(" ")[2] for line in said(talk) if " watch " in line]
    assert again == (["watch kiwi-fox"] if word == "kiwi-fox" else [])


def test_a_seat_is_known_from_the_reply_before_the_events() -> None:
    talk = named()
    ask = talk.say("practice")
    hear(talk, f"@{ask.id} OK on=t9 seat=1 seq=1", "OPTION on=t9 seq=1 key=game value=twentytwo")
    assert talk.streams.tables["t9"].me == 1


# -------------------------------------------------------------------------------- replies


def test_replies_find_their_commands() -> None:
    talk = named()
    first, second = talk.say("who"), talk.say("games")
    assert said(talk) == [f"@{first.id} who", f"@{second.id} games"]
    assert talk.waiting
    values = hear(
        talk,
        f"@{first.id} USER name=~ann bot=0",
        f"@{first.id} OK n=1",
        f"@{second.id} ERR code=RATE class=limit wait=1000 :Too fast.",
    )
    one, two = values
    assert isinstance(one, Replied) and one.ask is first and one.final == Ok(n=1)
    assert len(first.rows) == 1
    assert isinstance(two, Replied) and isinstance(two.final, Err) and two.final.wait == 1000
    assert not talk.waiting


def test_a_reply_that_nobody_asked_for_is_told() -> None:
    talk = named()
    (reply,) = hear(talk, "@* ERR code=LINE_TOO_LONG class=syntax max=1024 :Too long.")
    assert isinstance(reply, Replied) and reply.ask is None


def test_unknown_codes_and_rows_are_no_trouble() -> None:
    talk = named()
    ask = talk.say("who")
    (reply,) = hear(talk, f"@{ask.id} NEWROW x=1", f"@{ask.id} ERR code=NEW_CODE class=rule :New.")
    assert isinstance(reply, Replied) and reply.ask is ask


def test_a_garbled_end_of_a_reply_is_an_end() -> None:
    talk = named()
    ask = talk.say("who")
    values = hear(talk, f"@{ask.id} OK n=many :Done.")
    assert [type(v) for v in values] == [Replied]
    assert not talk.waiting


def test_a_ping_is_answered_and_waits_for_nothing() -> None:
    talk = named()
    assert hear(talk, "PING no=17") == []
    assert said(talk) == ["@3 pong 17"]
    assert not talk.waiting


def test_a_move_names_its_turn_and_where_there_are_several_its_table() -> None:
    talk = seated()
    ((table, turn),) = talk.streams.questions()
    talk.move(table, turn, "Q+Q")
    assert said(talk) == ["@4 move Q+Q turn=9"]
    hear(talk, "JOINED on=t8 seq=1 seat=1 name=~bob bot=0")
    talk.move(table, turn, "Q+Q")
    assert said(talk) == ["@5 move Q+Q turn=9 table=t7"]


def test_a_question_is_open_no_more_once_its_answer_is_accepted() -> None:
    talk = seated()
    ((table, turn),) = talk.streams.questions()
    ask = talk.move(table, turn, "6+4")
    hear(talk, f"@{ask.id} ERR code=ILLEGAL class=rule reason=BEAT_OR_LOWEST :No.")
    assert talk.streams.questions() == [(table, turn)]
    ask = talk.move(table, turn, "6+4")
    hear(talk, f"@{ask.id} OK on=t7 seq=29")
    assert talk.streams.questions() == []
    assert events(hear(talk, *ENDING[:4])) == ["PLAYED", "TOOK", "TRICK", "TURN"]
    assert [turn.turn for _, turn in talk.streams.questions()] == [10]


def test_nothing_is_said_before_it_can_be() -> None:
    talk = Conversation(name="bob")
    with pytest.raises(NotConnected):
        talk.say("who")
    talk.connected()
    with pytest.raises(NotConnected):
        talk.say("who")


def test_a_line_that_the_server_would_not_read_is_not_sent() -> None:
    talk = named()
    with pytest.raises(TooLong):
        talk.say("say :" + "x" * 1020)
    talk.say("say :" + "x" * 980)
    with pytest.raises(Malformed):
        talk.say("@9 who")
    with pytest.raises(Malformed):
        talk.say("??")


def test_a_text_of_several_lines_is_one_command() -> None:
    talk = named()
    said(talk)
    talk.say("say :one\r\nleave t1\nquit")
    (line,) = said(talk)
    assert line.endswith(" :one leave t1 quit")


# ------------------------------------------------------------------------ losing the thread


def _reconnect(
    talk: Conversation, *missed: str, name: str = "~bob", standing: Sequence[str] | None = None
) -> list[Update]:
    """The connection is lost and made again; all that was named is `standing`, or only this."""
    talk.lost()
    values = list(talk.updates())
    talk.connected()
    (hello, *_), (resume, _, _, *positions) = (line.split(" ") for line in said(talk))
    named_ = [each.partition(":")[0] for each in positions if not each.startswith("boot=")]
    return values + hear(
        talk,
        f"{hello} OK proto=1 boot=k3f9",
        *missed,
        *(f"{resume} AT on={on} seq=28" for on in (named_ if standing is None else standing)),
        f"{resume} OK name={name} token=Zk82 :Welcome back.",
    )


def test_after_a_loss_the_missed_events_come_first_and_are_marked() -> None:
    talk = seated()
    values = _reconnect(talk, *ENDING[:3])
    missed = [value.missed for value in values if isinstance(value, EventReceived)]
    assert missed == [True] * 3
    assert isinstance(values[-1], SignedIn) and values[-1].resumed
    (later,) = hear(talk, ENDING[3])
    assert isinstance(later, EventReceived) and not later.missed


def test_a_seat_whose_answer_was_lost_is_asked_for_on_coming_back() -> None:
    talk = named()
    _reconnect(talk, standing=["me", "t7"])
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state t7"]


def test_a_table_that_the_server_does_not_go_on_with_is_forgotten() -> None:
    talk = seated()
    _reconnect(talk, standing=["me"])
    assert talk.streams.tables == {}
    assert talk.streams.questions() == []
    assert said(talk) == []


def test_resuming_names_every_position() -> None:
    talk = seated()
    hear(talk, "TOLD on=me seq=1 by=~ann to=~bob :hi", "ONLINE on=people seq=7 name=~x bot=0")
    talk.lost()
    talk.connected()
    resume = said(talk)[1]
    # What is heard without being followed would be followed, if it were named.
    assert resume.split(" ")[1:] == ["resume", "Zk81", "me:1", "t7:28", "boot=k3f9"]


def test_a_stream_that_could_not_be_caught_up_is_begun_anew_and_the_others_go_on() -> None:
    talk = seated()
    talk.lost()
    talk.connected()
    hello, resume = (line.split(" ")[0] for line in said(talk))
    rows = ["AT on=t7 code=BAD_SEQ have=3", "AT on=me seq=5 code=GONE oldest=4"]
    ok = "OK name=~bob token=Zk82 :Welcome back."
    hear(talk, f"{hello} OK proto=1", *(f"{resume} {line}" for line in [*rows, ok]))
    assert talk.streams.seqs == {"me": 5}
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state t7"]
    talk.lost()
    talk.connected()
    hello, resume = (line.split(" ")[0] for line in said(talk))
    hear(talk, f"{hello} OK proto=1", f"{resume} AT on=t7 code=NO_SUCH_TABLE", f"{resume} {ok}")
    assert "t7" not in talk.streams.tables


def test_a_move_whose_answer_was_lost_is_sent_again_if_its_turn_is_open() -> None:
    talk = seated()
    ((table, turn),) = talk.streams.questions()
    ask = talk.move(table, turn, "Q+Q")
    said(talk)
    values = _reconnect(talk)
    assert not any(isinstance(value, Unanswered) for value in values)
    assert said(talk) == [f"@{ask.id} move Q+Q turn=9"]
    (reply,) = hear(talk, f"@{ask.id} OK on=t7 seq=29")
    assert isinstance(reply, Replied) and reply.ask is ask


def test_a_move_that_did_arrive_is_said_again_under_its_key_to_be_answered_as_it_was() -> None:
    talk = seated()
    ((table, turn),) = talk.streams.questions()
    ask = talk.move(table, turn, "6+4")
    (sent,) = talk.outgoing().decode().splitlines()
    values = _reconnect(talk, *ENDING[:3])
    assert ask.once and talk.outgoing().decode().splitlines() == [sent]
    assert not any(isinstance(value, Unanswered) for value in values)
    (reply,) = hear(talk, f"@{ask.id} OK on=t7 seq=29 again=1")
    assert isinstance(reply, Replied) and reply.ask is ask
    assert not talk.waiting


def test_what_must_not_be_done_twice_is_said_again_under_its_key() -> None:
    talk = named()
    ask, who = talk.say("say :hello once=3"), talk.say("who")
    (line, _) = talk.outgoing().decode().splitlines()
    assert line == f"@{ask.id} say once={ask.once} :hello once=3"
    assert Unanswered(who) in _reconnect(talk)
    assert talk.outgoing().decode().splitlines() == [line]
    assert talk.say("say :hello").once != ask.once
    assert talk.say("say once=mine :hello").once == talk.say("who").once == ""


@pytest.mark.parametrize("cuts", [2, 3])
def test_a_command_is_said_again_also_where_the_line_drops_again_before_we_are_back(
    cuts: int,
) -> None:
    talk = seated()
    for line in ("say :hello", "move 5 turn=9"):
        talk.say(line)
    lines = talk.outgoing().decode().splitlines()
    for _ in range(cuts - 1):
        talk.lost()
        assert not [each for each in talk.updates() if isinstance(each, Unanswered)]
        talk.connected()
        talk.outgoing()
    assert not [each for each in _reconnect(talk) if isinstance(each, Unanswered)]
    assert talk.outgoing().decode().splitlines() == lines


def test_the_keys_of_another_conversation_are_others() -> None:
    one, other = named(), Conversation(name="bob")
    other.connected()
    hear(other, HELLO, NAMED.replace("Zk81", "Zk82"))
    assert one.say("say :hello").once != other.say("say :hello").once


def test_what_another_guest_wanted_is_not_said_again() -> None:
    talk = named()
    ask = talk.say("say :hello")
    said(talk)
    talk.lost()
    talk.connected()
    hello, resume = (line.split(" ")[0] for line in said(talk))
    hear(talk, f"{hello} OK proto=1", f"{resume} ERR code=BAD_TOKEN class=auth :No.")
    (guest,) = said(talk)
    values = hear(talk, f"{guest.split()[0]} OK name=~bob2 token=Zk99 grace=120000")
    assert Unanswered(ask) in values
    assert said(talk) == []


def test_half_a_line_does_not_outlive_its_connection() -> None:
    talk = seated()
    talk.receive(b"PLAYED on=t7 seq=29 seat=2 ca")
    values = _reconnect(talk, *ENDING[:1])
    assert events(values) == ["PLAYED"]


def test_lines_that_nobody_looked_at_do_not_outlive_their_connection() -> None:
    talk = seated()
    talk.receive(f"{ENDING[0]}\r\n".encode())
    talk.lost()
    talk.connected()
    assert list(talk.updates()) == []
    assert talk.streams.seqs["t7"] == 28


def test_a_token_that_opens_nothing_makes_us_come_in_anew() -> None:
    talk = seated()
    talk.lost()
    talk.connected()
    hello, resume = (line.split(" ")[0] for line in said(talk))
    values = hear(talk, f"{hello} OK proto=1", f"{resume} ERR code=BAD_TOKEN class=auth :Nothing.")
    (forgotten,) = [value for value in values if isinstance(value, SessionLost)]
    assert forgotten.seated
    assert said(talk)[0].endswith(" guest bob")
    assert talk.streams.tables == {}


@together(
    "code",
    [
        "BAD_SEQ class=sync",
        "GONE class=sync",
        "NO_SUCH_TABLE class=missing",
        "BAD_ARG class=syntax",
        "LATER_WORD class=sync",
    ],
)
def test_positions_that_do_not_fit_are_left_out_and_the_tables_asked_for(code: str) -> None:
    talk = seated()
    talk.lost()
    talk.connected()
    hello, resume = (line.split(" ")[0] for line in said(talk))
    hear(talk, f"{hello} OK proto=1", f"{resume} ERR code={code} :No.")
    (line,) = said(talk)
    id, rest = line.split(" ", 1)
    assert rest == "resume Zk81"
    hear(talk, f"{id} OK name=~bob token=Zk82")
    assert said(talk)[0].endswith(" state t7")


@pytest.mark.parametrize("lost", ["state", "sync"])
def test_what_was_asked_for_when_the_connection_was_lost_is_asked_for_again(lost: str) -> None:
    talk = seated()
    if lost == "state":
        hear(talk, "SAID on=t8 seq=5 by=~ann :over here")
    else:
        hear(talk, *ENDING[1:2])
    assert lost in said(talk)[0]
    _reconnect(talk, *ENDING[:2])
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state t8"] * (lost == "state")
    hear(talk, *ENDING[3:4])
    assert said(talk)[0].endswith(" sync t7 from=30")


def test_a_server_that_is_busy_is_asked_again_later_with_the_same_token() -> None:
    talk = seated()
    talk.lost()
    talk.connected()
    hello, resume = (line.split(" ")[0] for line in said(talk))
    values = hear(
        talk, f"{hello} OK proto=1", f"{resume} ERR code=BUSY class=limit wait=5000 :Busy."
    )
    assert isinstance(values[-1], Replied)
    assert (talk.state, talk.token) == (State.LEAVING, "Zk81")
    assert said(talk) == []
    talk.lost()
    talk.connected()
    assert said(talk)[1].split(" ", 1)[1].startswith("resume Zk81")


def test_the_lobby_is_followed_again() -> None:
    talk = named()
    ask = talk.say("follow lobby")
    hear(talk, f"@{ask.id} OK on=lobby seq=6")
    assert talk.streams.seqs["lobby"] == 6
    ask = talk.say("follow tables game=whist22")
    hear(talk, f"@{ask.id} OK on=tables seq=7")
    _reconnect(talk)
    # It is followed again because it is named, though without a choice of game.
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["follow tables game=whist22"]
    _reconnect(talk, standing=["me"])
    again = [line.split(" ", 1)[1] for line in said(talk)]
    assert again == ["follow lobby", "follow tables game=whist22"]


def test_all_three_streams_are_followed_and_left() -> None:
    talk = named()
    ask = talk.say("follow")
    rows = [f"@{ask.id} AT on={on} seq={n}" for n, on in enumerate(("lobby", "tables", "people"))]
    hear(talk, *rows, f"@{ask.id} OK")
    assert talk.streams.seqs["people"] == 2
    ask = talk.say("unfollow people")
    hear(talk, f"@{ask.id} OK on=people seq=9")
    _reconnect(talk, standing=["me"])
    again = [line.split(" ", 1)[1] for line in said(talk)]
    assert again == ["follow lobby", "follow tables"]


def test_who_has_logged_in_during_a_game_knows_the_own_seat_by_its_cards() -> None:
    talk = Conversation(name="bobby", client="test/1")
    talk.connected()
    hear(talk, HELLO, NAMED.replace("~bob", "bobby"))
    ask = talk.say("watch t7")
    said(talk)
    hear(talk, f"@{ask.id} OK on=t7 seq=11")
    hear(talk, *SEATING[:6])
    table = talk.streams.tables["t7"]
    before = table.me
    hear(talk, SEATING[6])
    assert (before, table.me, table.seats[2].name) == (None, 2, "~bob")


def test_who_has_logged_in_knows_the_own_seat_by_the_own_name() -> None:
    talk = named()
    hear(talk, SEATING[0], "RENAMED on=t7 seq=2 name=~bob was=~ann seat=1")
    assert talk.streams.tables["t7"].me == 1


# ------------------------------------------------------------------ what a stream is


def called(on: str, talk: str, lines: Iterable[str]) -> list[str]:
    """The same lines of table t7 with another name, and so its talk."""
    return [line.replace("t7", on).replace("k7", talk) for line in lines]


@pytest.mark.parametrize(("on", "talk"), [("x9", "t12"), ("café-3", "g1"), ("7", "r1")])
def test_a_table_may_have_any_name(on: str, talk: str) -> None:
    one = Conversation(name="bob", client="test/1")
    one.connected()
    hear(one, HELLO, NAMED)
    ask = one.say(f"join {on}")
    said(one)
    answer = f"@{ask.id} OK on={on} seat=2 seq=2 talk={talk}"
    hear(one, answer, *called(on, talk, [*SEATING, *TRICKS]))
    ((table, turn),) = one.streams.questions()
    assert (table.on, turn.turn) == (on, 9)
    hear(one, f"KIBITZED on={talk} seq=4 by=~cat :hm")
    assert [*one.streams.tables] == [on] and one.streams.shown == {}
    assert one.bookmark == {"me": 0, on: 4}
    hear(one, *called(on, talk, ENDING[1:2]))
    assert said(one)[0].endswith(f" sync {on} from=28")
    _reconnect(one)
    assert one.streams.tables[on].seq == 28


def test_a_table_of_any_name_is_asked_for_by_the_next_client() -> None:
    talk = Conversation(name="~bob", token="Zk81", streams={"me": 4, "x9": 0}, client="test/1")
    talk.connected()
    assert said(talk)[1] == "@2 resume Zk81 me:4"
    rows = ["@2 AT on=me seq=4", "@2 AT on=x9 seq=28 talk=y9", "@2 AT on=z9 seq=5"]
    hear(talk, HELLO, *rows, "@2 OK name=~bob token=Zk82 grace=120000")
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state x9", "state z9"]


def test_a_seat_that_was_sought_is_at_a_table_before_it_is_said() -> None:
    talk = Conversation(name="bob", client="test/1")
    talk.connected()
    hear(talk, HELLO, NAMED)
    ask = talk.say("seek twentytwo")
    said(talk)
    hear(talk, f"@{ask.id} OK seek=3", *called("x9", "", SEATING), "NOTE code=FOUND table=x9")
    assert [table.on for table, _ in talk.streams.questions()] == ["x9"]
    assert said(talk) == []


def test_a_game_told_again_may_have_any_name_too() -> None:
    talk = named()
    ask = talk.say("replay abc")
    hear(talk, f"@{ask.id} OK on=t9", *called("t9", "", SEATING))
    talk.say("export t10")
    # An export may begin with what is not known, and so its first event says nothing.
    hear(talk, "XGNEW on=t10 seq=1", "JOINED on=t10 seq=3 seat=1 name=~bob bot=0")
    assert [*talk.streams.shown] == ["t10"] and talk.streams.tables == {}
    assert talk.streams.questions() == [] and talk.bookmark == {"me": 0}


def test_what_was_taken_for_a_game_told_again_is_asked_for_once_it_is_a_table() -> None:
    talk = named()
    ask = talk.say("join x9")
    said(talk)
    hear(talk, *called("x9", "", SEATING), f"@{ask.id} OK on=x9 seat=2 seq=2")
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state x9"]
    assert talk.streams.shown == {}


def test_events_from_the_middle_of_an_unnamed_stream_are_a_tables() -> None:
    talk = named()
    hear(talk, "SAID on=x9 seq=5 by=~ann :over here")
    assert [line.split(" ", 1)[1] for line in said(talk)] == ["state x9"]


def test_the_bookmark_says_what_the_next_client_needs() -> None:
    talk = seated()
    hear(talk, "TOLD on=me seq=1 by=~ann to=~bob :hi", "ONLINE on=people seq=7 name=~x bot=0")
    assert talk.bookmark == {"me": 1, "t7": 4}  # the hand begins with number 5
    talk = seated(*SEATING[:3])
    assert talk.bookmark == {"me": 0, "t7": 0}


@pytest.mark.parametrize("later", [0, 4])
def test_a_client_that_was_killed_has_all_of_the_hand_once_it_is_back(later: int) -> None:
    before, witness = seated(*GAME[:20]), seated(*GAME[: 20 + later])
    talk = Conversation(name="bob", token="Zk81", streams=before.bookmark, client="test/1")
    talk.connected()
    standing = f"@2 AT on=t7 seq={20 + later}"
    hear(talk, HELLO, standing, "@2 OK name=~bob token=Zk82 grace=120000 :Welcome back.")
    id, asked = said(talk)[-1].split(" ", 1)
    assert asked == "state t7"
    hear(talk, *_state_of(witness.streams.tables["t7"], id.removeprefix("@")))
    id, asked = said(talk)[-1].split(" ", 1)
    assert asked == "sync t7 from=4"
    # It may come in pages, and something may happen meanwhile.
    hear(talk, *GAME[4:12], f"{id} OK on=t7 seq=12 more=1", GAME[20 + later])
    id, asked = said(talk)[-1].split(" ", 1)
    assert asked == "sync t7 from=12"
    hear(talk, *GAME[12 : 21 + later], f"{id} OK on=t7 seq={21 + later}")
    hear(talk, *GAME[21 + later : 30])
    hear(witness, *GAME[20 + later : 30])
    mine, theirs = (each.streams.tables["t7"] for each in (talk, witness))
    assert list(mine.so_far()) == list(theirs.so_far()) and mine == theirs
    assert not said(talk)


def test_of_a_game_that_is_over_a_client_that_is_back_asks_for_no_hand() -> None:
    witness = seated(*GAME)
    talk = Conversation(name="bob", token="Zk81", streams={"me": 0, "t7": 4}, client="test/1")
    talk.connected()
    hear(talk, HELLO, f"@2 AT on=t7 seq={len(GAME)}", "@2 OK name=~bob token=Zk82 :Welcome back.")
    id = said(talk)[-1].partition(" ")[0]
    values = hear(talk, *_state_of(witness.streams.tables["t7"], id.removeprefix("@")))
    assert [type(each) for each in values] == [Snapshot]
    assert not said(talk)


def test_a_new_password_has_a_new_token_with_which_the_place_is_taken_back() -> None:
    talk = named()
    ask = talk.say("password old :new")
    talk.outgoing()
    hear(talk, f"@{ask.id} OK token=Zk99 :Changed.")
    assert talk.token == "Zk99"
    talk.lost()
    talk.connected()
    assert " resume Zk99 " in said(talk)[-1]


def test_where_the_line_drops_while_the_hand_is_told_again_the_client_goes_on_without() -> None:
    witness = seated(*GAME[:20])
    talk = Conversation(name="bob", token="Zk81", streams={"me": 0, "t7": 4}, client="test/1")
    talk.connected()
    hear(talk, HELLO, "@2 AT on=t7 seq=20", "@2 OK name=~bob token=Zk82 :Welcome back.")
    id = said(talk)[-1].partition(" ")[0]
    assert not hear(talk, *_state_of(witness.streams.tables["t7"], id.removeprefix("@")))
    hear(talk, *GAME[4:9])
    talk.lost()
    (shown,) = [each for each in talk.updates() if isinstance(each, Snapshot)]
    assert shown.table is talk.streams.tables["t7"]
    talk.connected()
    (hello, resume) = said(talk)
    assert " t7:20" in resume
    id = resume.partition(" ")[0]
    values = hear(
        talk,
        f"{hello.partition(' ')[0]} OK proto=1 boot=k3f9",
        *GAME[20:24],
        f"{id} AT on=t7 seq=24",
        f"{id} OK name=~bob token=Zk83 :Welcome back.",
        *GAME[24:],
    )
    assert not said(talk)
    assert len(events(values)) == len(GAME[20:])
    hear(witness, *GAME[20:])
    assert talk.streams.tables["t7"] == witness.streams.tables["t7"]
    assert not talk.streams.recalling


def test_where_the_hand_is_not_told_again_the_client_does_without() -> None:
    witness = seated(*GAME[:20])
    talk = Conversation(name="bob", token="Zk81", streams={"me": 0, "t7": 4}, client="test/1")
    talk.connected()
    hear(talk, HELLO, "@2 AT on=t7 seq=20", "@2 OK name=~bob token=Zk82 :Welcome back.")
    id = said(talk)[-1].partition(" ")[0]
    hear(talk, *_state_of(witness.streams.tables["t7"], id.removeprefix("@")))
    id = said(talk)[-1].partition(" ")[0]
    hear(talk, f"{id} ERR code=GONE class=sync oldest=9 :Too old.")
    assert not said(talk) and not talk.streams.tables["t7"].so_far()


@together(
    ("code", "resume", "state"),
    [
        ("REPLACED", 0, State.OVER),
        ("KICKED", 0, State.OVER),
        ("SHUTDOWN", 1, State.LEAVING),
        ("SLOW", 1, State.LEAVING),
        ("QUIT", 0, State.OVER),
        ("QUIT", 1, State.OVER),
    ],
)
def test_a_farewell_says_whether_to_come_back(code: str, resume: int, state: State) -> None:
    talk = seated()
    (farewell,) = hear(talk, f"BYE code={code} resume={resume} :Bye.")
    assert isinstance(farewell, Farewell)
    assert talk.state is state
    talk.lost()
    assert talk.state is (State.OVER if state is State.OVER else State.AWAY)


# ------------------------------------------------------------------------- hostile servers

WORDS = [*EVENTS, "OK", "ERR", "STATE", "SEAT", "AT", "XGNOISE", "NEW"]
KEYS = ["on", "seq", "seat", "name", "n", "cards", "turn", "token", "legal", "default", "resume"]
VALUES = ["t7", "me", "lobby", "1", "2", "999999999999999999", "-1", "²", "", "~bob", "QH,QS", "x"]
line = st.builds(
    lambda id, word, fields, text: " ".join(
        [*id, word, *(f"{key}={value}" for key, value in fields.items()), *text]
    ),
    st.sampled_from([[], ["@1"], ["@2"], ["@3"], ["@*"]]),
    st.sampled_from(WORDS),
    st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=6),
    st.sampled_from([[], [":text"]]),
)


@settings(deadline=None)
@given(st.lists(st.one_of(line, st.text(max_size=40)), max_size=25), st.binary(max_size=80))
def test_no_server_can_make_it_stumble(lines: list[str], noise: bytes) -> None:
    talk = Conversation(name="bob", token="Zk81")
    for _ in range(2):
        talk.connected()
        talk.receive(noise + b"\n" + "\n".join([HELLO, NAMED, *lines, ""]).encode())
        list(talk.updates())
        talk.outgoing()
        talk.lost()
        list(talk.updates())
        if talk.state is State.OVER:
            break


def test_every_event_of_the_protocol_can_be_read() -> None:
    assert {"EXCHANGED", "PLAYED", "SAID"} <= set(EVENTS)
    assert "exchange" in COMMANDS
    assert isinstance(Joined(1, "~ann", False), EVENTS["JOINED"])
