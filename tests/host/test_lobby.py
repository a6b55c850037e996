"""The lobby: who is here, tables as they come and go, seeks, invitations, talk, blocking."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from tests.kit.cases import together
from tests.kit.hosts import LateStore, Peer, World
from twentytwo_protocol.manual import reference
from twentytwo_protocol.schema import COMMANDS
from twentytwo_protocol.words.talk import Shouted
from twentytwo_server.host.access import may_see_table
from twentytwo_server.store.memory import MemoryStore


def three() -> tuple[World, Peer, Peer, Peer]:
    world = World()
    return world, world.program("ann"), world.program("bob"), world.program("cat")


# ------------------------------------------------------------------------------- following


def test_who_follows_the_lobby_hears_who_comes_and_which_tables_open_change_and_close() -> None:
    world, ann, bob, _ = three()
    rows = bob.rows("follow")
    streams = world.host.lobby.streams
    assert {row.fields["on"]: int(row.fields["seq"]) for row in rows} == {
        on: stream.last for on, stream in streams.items()
    }
    assert list(streams) == ["lobby", "tables", "people"]
    bob.take()
    ann.ok("open twentytwo seats=3 :Friday night")
    dan = world.program("dan")
    dan.ok("join t1")
    dan.drop()
    ann.ok("close")
    told = bob.take()
    words = ["OPENED", "ONLINE", "CHANGED", "OFFLINE", "CLOSED"]
    assert [line.split(" ", 1)[0] for line in told] == words
    shown = "table=t1 game=twentytwo seats=3 taken=1 phase=open host=~ann locked=0 :Friday night"
    assert told[0].endswith(shown)


def test_a_table_that_begins_to_play_has_changed_and_a_move_changes_nothing() -> None:
    world, ann, bob, cat = three()
    cat.ok("follow tables")
    world.table(ann, bob)
    cat.take()
    ann.ok("start")
    assert [line for line in cat.take() if "phase=playing" in line]
    world.on_turn().ok("move -")
    assert cat.take() == []


def test_who_follows_no_longer_hears_nothing() -> None:
    _, ann, bob, _ = three()
    bob.ok("follow")
    bob.ok("unfollow")
    bob.take()
    ann.ok("open twentytwo")
    assert bob.take() == []
    assert bob.err("follow t1") == "BAD_ARG"


def test_a_title_travels_only_as_text() -> None:
    _, ann, bob, _ = three()
    on = ann.ok("open twentytwo :Friday value=x").fields["on"]
    (told,) = [line for line in ann.take() if " key=title" in line]
    assert told.endswith(" key=title :Friday value=x")
    assert [row.text for row in bob.rows(f"state {on}") if row.fields.get("key") == "title"] == [
        "Friday value=x"
    ]
    ann.ok("open twentytwo")
    (told,) = [line for line in ann.take() if " key=title" in line]
    assert told.endswith(" key=title")


def test_a_table_says_that_it_is_locked() -> None:
    _, ann, bob, _ = three()
    ann.ok("open twentytwo")
    bob.ok("follow tables")
    bob.take()
    for verb, locked in (("lock", "1"), ("unlock", "0")):
        ann.ok(verb)
        assert f" locked={locked}" in next(each for each in bob.take() if "CHANGED" in each)
        (row,) = bob.rows("tables")
        assert row.fields["locked"] == locked
        assert len(bob.rows("tables open=1")) == 1 - int(locked)


def test_the_lobby_numbers_for_all_and_can_be_read_again() -> None:
    world, ann, bob, _ = three()
    bob.ok("follow")
    bob.take()
    before = world.host.lobby.streams["lobby"].last
    ann.ok("shout :one")
    ann.ok("shout :two")
    live = bob.take()
    assert bob.say(f"@9 sync lobby from={before}")[:-1] == live


def test_who_follows_one_game_is_told_what_is_left_out_before_what_is_shown() -> None:
    _, ann, bob, cat = three()
    begun = int(bob.ok("follow tables game=whist22").fields["seq"])
    bob.ok("follow lobby game=whist22")
    bob.take()
    ann.ok("open twentytwo")
    ann.ok("close")
    assert bob.take() == []
    ann.ok("open whist22")
    assert [line.split(" :")[0].split(" table=")[0] for line in bob.take()] == [
        f"GAP on=tables seq={begun + 2}",
        f"OPENED on=tables seq={begun + 3}",
    ]
    ann.ok("close")
    assert [line.split()[0] for line in bob.take()] == ["CLOSED"]
    cat.ok("seek twentytwo")
    cat.ok("shout :hello")
    assert bob.take() == ["GAP on=lobby seq=1", "SHOUTED on=lobby seq=2 by=~cat :hello"]
    # Whoever wants them all the same reads them again.
    assert len(bob.say(f"@9 sync tables from={begun}")) == 5


def test_who_logs_out_follows_nothing_any_more() -> None:
    _, ann, bob, _ = three()
    bob.ok("follow")
    bob.ok("logout")
    assert bob.session.follows == {}
    bob.ok("guest dan")
    bob.take()
    ann.ok("shout :hello")
    assert bob.take() == []


def test_a_gap_is_told_in_the_form_of_the_connection_and_not_to_people() -> None:
    world = World()
    ann, bob = world.program("ann"), world.person("bob")
    eve = world.program("eve", caps="json")
    eve.say("follow tables game=whist22")
    bob.say("follow tables game=whist22")
    ann.ok("open twentytwo")
    ann.ok("open whist22")
    gap, opened = map(json.loads, eve.take())
    assert (gap["ev"], gap["on"], gap["seq"]) == ("GAP", "tables", opened["seq"] - 1)
    assert len(bob.take()) == 1


def test_only_what_is_told_to_everybody_is_followed() -> None:
    _, ann, _, _ = three()
    assert ann.err("follow me") == "BAD_ARG"
    assert ann.err("follow people game=whist22") == "BAD_ARG"
    assert ann.err("follow tables game=poker") == "NO_SUCH_GAME"
    assert ann.err("unfollow t1") == "BAD_ARG"


# --------------------------------------------------------------------------- who is asked


def test_a_name_listed_once_is_somebody_who_is_connected() -> None:
    world, _, bob, _ = three()
    bob.drop()
    watcher = world.program("dan", bot=True)
    rows = watcher.rows("who")
    assert [(r.fields["name"], r.fields["bot"]) for r in rows] == [
        ("~ann", "0"),
        ("~cat", "0"),
        ("~dan", "1"),
    ]
    assert len(watcher.rows("who an")) == 2


def test_tables_are_listed_and_narrowed_down() -> None:
    world, ann, bob, cat = three()
    world.game(ann, bob)
    cat.ok("open twentysix seats=3 :Title here")
    rows = cat.rows("tables")
    assert [r.fields["on"] for r in rows] == ["t1", "t2"]
    assert rows[1].text == "Title here"
    assert [r.fields["on"] for r in cat.rows("tables open=1")] == ["t2"]
    assert [r.fields["on"] for r in cat.rows("tables game=twentytwo")] == ["t1"]


# ----------------------------------------------------------------------------------- seeks


def test_two_who_look_for_the_same_are_seated_together() -> None:
    world, ann, bob, _ = three()
    assert ann.ok("seek twentytwo").fields["seek"] == "1"
    assert len(bob.rows("seeks")) == 1
    ann.take()
    bob.ok("seek twentytwo")
    assert world.room().table.names == {1: "~ann", 2: "~bob"}
    world.advance(3_000)
    for peer in (ann, bob):
        assert "NOTE" in peer.words()
        assert "TURN" in peer.words("t1")
        assert peer.session.current == "t1"
    assert bob.rows("seeks") == []


def test_three_are_seated_when_three_have_come() -> None:
    world, ann, bob, cat = three()
    ann.ok("seek twentytwo players=3")
    bob.ok("seek twentytwo players=3")
    assert world.host.rooms == {}
    cat.ok("seek twentytwo players=3")
    assert world.room().table.names == {1: "~ann", 2: "~bob", 3: "~cat"}


@together(
    "other",
    ["twentysix", "twentytwo players=3", "twentytwo options=limit:30", "twentytwo rules=tvtropes"],
)
def test_whoever_looks_for_something_else_is_not_seated_there(other: str) -> None:
    world, ann, bob, _ = three()
    ann.ok("seek twentytwo")
    bob.ok(f"seek {other}")
    assert world.host.rooms == {}
    assert len(ann.rows("seeks")) == 2


def test_a_seek_says_what_it_looks_for_and_is_answered_by_its_number() -> None:
    world, ann, bob, cat = three()
    cat.ok("follow lobby")
    ann.ok("seek twentytwo players=2 rules=tvtropes options=limit:30")
    sought = next(line for line in cat.take() if line.startswith("SOUGHT"))
    asked = "seek=1 name=~ann game=twentytwo players=2 rules=tvtropes options=limit:30"
    assert asked in sought
    (row,) = bob.rows("seeks")
    assert row.fields["options"] == "limit:30"
    assert ann.err("accept seek=1") == "BAD_ARG"
    assert bob.err("accept") == "BAD_ARG"
    assert bob.err("accept seek=2") == "NO_SUCH_SEEK"
    ann.take()
    assert bob.ok("accept seek=1").fields["seek"] == "2"
    room = world.room()
    assert room.table.names == {1: "~ann", 2: "~bob"}
    assert room.table.settings.preset == "tvtropes"
    assert {o.name: o.value for o in room.table.options()}["limit"] == "30"
    assert any("NOTE code=FOUND table=t1 :" in line for line in ann.take())
    assert bob.err("accept seek=1") == "NO_SUCH_SEEK"


def test_people_are_told_who_looks_for_players_wherever_they_look_and_accept_by_name() -> None:
    world = World()
    dora = world.person("dora")
    dora.say("seek twentytwo")
    bob = world.peer()
    line = "1 looks for players: accept dora"
    assert line in bob.say("bob")
    for looked in ("who", "tables"):
        assert line in bob.say(looked)
        assert not any("accept" in each for each in dora.say(looked)), "but oneself"
    assert bob.say("accept")[0] == f"! Nobody has invited you: {line}."
    assert any(each.endswith("accept dora") for each in bob.say("seeks"))
    eve = world.person("eve")
    eve.say("seek whist22")
    assert "2 look for players: accept dora, or seeks for all of them" in bob.say("who")
    assert any(each.startswith("* Found!") for each in bob.say("accept dora"))
    assert world.room().table.names == {1: "~dora", 2: "~bob"}
    assert bob.say("accept dora")[0].startswith("! dora has not invited you")


def test_the_host_alone_is_told_the_word_of_a_private_table_again() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open private=kiwi-fox")
    bob.say("join kiwi-fox")
    line = "  private: others type join kiwi-fox"
    assert (line in ann.say("table"), line in bob.say("table")) == (True, False)
    assert not any("private" in each for each in bob.say("table"))


def test_who_invites_and_seeks_is_accepted_for_the_invitation() -> None:
    world, ann, bob, cat = three()
    ann.ok("open")
    ann.ok("invite bob")
    ann.ok("seek whist22 players=3")
    cat.ok("accept ann")
    assert [row.fields["name"] for row in cat.rows("seeks")] == ["~ann", "~cat"]
    bob.ok("accept ~ann")
    assert world.room().table.names == {1: "~ann", 2: "~bob"}
    bob.ok("accept ~ann")
    assert world.host.rooms.keys() == {"t1", "t2"}


def test_options_that_are_as_in_the_preset_are_not_asked_for() -> None:
    world, ann, bob, _ = three()
    ann.ok("seek twentytwo options=limit:22")
    assert "options" not in bob.rows("seeks")[0].fields
    bob.ok("seek twentytwo")
    assert world.room().table.names == {1: "~ann", 2: "~bob"}


def test_who_accepts_a_seek_for_more_looks_for_the_same() -> None:
    world, ann, bob, cat = three()
    ann.ok("seek twentytwo players=3")
    bob.ok("seek twentysix")
    assert bob.ok("accept seek=1").fields["seek"] == "3"
    rows = [(row.fields["name"], row.fields["game"]) for row in ann.rows("seeks")]
    assert rows == [("~ann", "twentytwo"), ("~bob", "twentytwo")]
    cat.ok("accept seek=3")
    assert len(world.room().table.names) == 3


def test_nobody_plays_alone_by_looking_twice() -> None:
    world, ann, _, _ = three()
    ann.ok("seek twentytwo")
    ann.ok("seek twentytwo")
    assert world.host.rooms == {}
    assert len(ann.rows("seeks")) == 1


def test_a_seek_ends_when_it_is_withdrawn() -> None:
    world, ann, bob, _ = three()
    assert ann.err("unseek") == "NO_SUCH_SEEK"
    ann.ok("seek twentytwo")
    ann.ok("unseek")
    bob.ok("seek twentytwo")
    assert world.host.rooms == {}


@pytest.mark.parametrize("how", ["drop", "logout"])
def test_a_seek_ends_when_its_owner_goes_and_seats_nobody_of_the_same_name(how: str) -> None:
    world, ann, bob, cat = three()
    cat.ok("follow lobby")
    ann.ok("seek twentytwo")
    if how == "drop":
        ann.drop()
        world.advance(120_000)
    else:
        ann.ok("logout")
    assert bob.rows("seeks") == []
    assert any(line.startswith("UNSOUGHT") for line in cat.take())
    namesake = world.program("ann")
    assert namesake.name == "~ann"
    bob.ok("seek twentytwo")
    assert world.host.rooms == {}


def test_a_seek_that_cannot_be_is_refused() -> None:
    _, ann, _, _ = three()
    for line, code in (
        ("seek chess", "NO_SUCH_GAME"),
        ("seek twentytwo players=1", "BAD_ARG"),
        ("seek twentytwo players=13", "BAD_ARG"),
        ("seek twentytwo rules=no", "BAD_ARG"),
        ("seek twentytwo options=nothing:1", "NO_SUCH_OPTION"),
    ):
        assert ann.err(line) == code


def test_a_refused_seek_leaves_the_one_before_as_it_is() -> None:
    _, ann, bob, _ = three()
    ann.ok("seek twentytwo")
    assert ann.err("seek chess") == "NO_SUCH_GAME"
    assert len(bob.rows("seeks")) == 1


def test_a_match_that_finds_no_room_is_refused_once_and_nobody_is_seated() -> None:
    world = World(most_tables=0)
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("seek twentytwo")
    assert bob.err("seek twentytwo") == "BUSY"
    assert len(bob.rows("seeks")) == 1


# ------------------------------------------------------------------------------ invitations


def test_an_invitation_is_accepted_or_declined_once() -> None:
    world, ann, bob, cat = three()
    ann.ok("open twentytwo")
    ann.ok("invite bob")
    assert bob.words("me") == ["INVITED"]
    assert bob.ok("accept ann").fields["seat"] == "2"
    assert bob.err("accept ann") == "NO_SUCH_TABLE"
    ann.ok("invite cat")
    cat.ok("decline ann")
    assert cat.err("accept ann") == "NO_SUCH_TABLE"
    assert len(world.room().table.seats) == 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("open whist22", "t1: Whist 22. join t1 sits down, watch t1 looks on."),
        ("open whist22 watch=none", "t1: Whist 22. join t1 sits down."),
        ("open whist22 duplicate=4", "t1: Whist 22. join t1 sits down."),
    ],
)
def test_an_invitation_says_who_invites_to_what_and_whether_one_may_look_on(
    line: str, told: str
) -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say(line)
    ann.say("invite bob")
    assert bob.take() == [f"* ~ann invites you to {told}"]
    assert any("You watch t1" in each for each in bob.say("watch t1")) == ("watch t1" in told)


@together(
    ("line", "said"),
    [
        ("rules whist22", "help play has the rules."),
        ("tables", "No table yet: open begins one, practice plays against bots."),
        ("history", "No games yet."),
        ("seeks", "Nobody looks for players; seek twentytwo does."),
        ("who", "1 here."),
    ],
)
def test_what_stands_below_a_list_is_read_by_people_behind_a_client_too(
    line: str, said: str
) -> None:
    if line.startswith("rules"):
        said = said.replace("play", "whist22")
    assert World().person("ann").say(line)[-1] == said
    client = World().program("ann", caps="text")
    assert (client.ok(line).text or "").split("  ")[-1] == said
    assert not World().program("ann").ok(line).text


def test_an_invitation_alone_is_accepted_by_a_program_too() -> None:
    _, ann, bob, cat = three()
    for peer in (ann, cat):
        peer.ok("open twentytwo")
        peer.ok("invite bob")
    assert bob.err("accept") == "BAD_ARG"
    bob.ok("decline cat")
    assert bob.ok("accept").fields["on"] == "t1"


def test_an_invitation_holds_until_somebody_sits_there() -> None:
    _, ann, bob, cat = three()
    ann.ok("open twentytwo seats=2")
    ann.ok("invite bob")
    cat.ok("join t1")
    refused = bob.err("accept ann")
    assert refused != "NO_SUCH_TABLE"
    assert bob.err("accept ann") == refused
    cat.ok("leave")
    assert bob.ok("accept ann").fields["seat"] == "2"
    assert bob.err("accept ann") == "NO_SUCH_TABLE"


def test_an_invitation_is_told_once_until_it_is_answered() -> None:
    _, ann, bob, _ = three()
    ann.ok("open twentytwo")
    for _ in range(3):
        ann.ok("invite bob")
    assert bob.words("me") == ["INVITED"]
    bob.ok("decline ann")
    ann.ok("invite bob")
    assert bob.words("me") == ["INVITED"]


@pytest.mark.parametrize("blocked", [False, True])
def test_the_inviter_is_told_who_does_not_come(blocked: bool) -> None:
    _, ann, bob, _ = three()
    ann.ok("open twentytwo")
    ann.ok("invite bob")
    if blocked:
        ann.ok("block bob")
    ann.take()
    bob.ok("decline ann")
    lines = [line for line in ann.take() if line.startswith("DECLINED")]
    told = [] if blocked else ["DECLINED on=me seq=1 name=~bob table=t1"]
    assert [line.partition(" :")[0] for line in lines] == told
    assert bob.err("decline ann") == "NO_SUCH_TABLE"


def test_an_invitation_opens_a_private_table() -> None:
    _, ann, bob, cat = three()
    ann.ok("open twentytwo private=kiwi")
    ann.ok("invite bob")
    ann.ok("invite cat")
    assert bob.ok("accept ann").fields["on"] == "t1"
    cat.ok("watch t1")
    cat.ok("unwatch t1")
    # What the sentence of the invitation says works as well.
    assert cat.ok("join t1").fields["on"] == "t1"


def test_an_invitation_opens_no_other_private_table() -> None:
    world, ann, bob, cat = three()
    ann.ok("open twentytwo private=kiwi")
    cat.ok("open twentytwo private=plum")
    ann.ok("invite bob")
    assert [row.fields["on"] for row in bob.rows("tables")] == ["t1"]
    for line in ("join t2", "join cat", "watch t2", "table t2", "sync t2 from=0"):
        assert bob.err(line) in ("NO_SUCH_TABLE", "NOT_SEATED"), line
    assert "on" not in bob.rows("profile cat")[0].fields
    assert not may_see_table(world.host.people.on(bob.session), world.room("t2"))


def test_only_who_sits_there_invites() -> None:
    _, ann, bob, cat = three()
    ann.ok("open twentytwo")
    assert bob.err("invite cat t1") == "NOT_SEATED"
    assert cat.err("invite bob") == "NOT_SEATED"
    assert ann.err("invite zed") == "NO_SUCH_USER"


# ------------------------------------------------------------------------------------ talk


def test_what_is_said_at_a_table_is_heard_there_and_nowhere_else() -> None:
    world, ann, bob, cat = three()
    world.table(ann, bob)
    cat.take()
    reply = ann.ok("say ::) well = 1 @2 %20")
    said = ann.events("t1")
    assert [e.text for e in said] == [":) well = 1 @2 %20"]
    assert said[0].fields["seq"] == reply.fields["seq"]
    assert bob.take()[-1].endswith(":) well = 1 @2 %20")
    assert cat.take() == []


def test_a_private_word_is_in_both_inboxes_under_the_number_that_the_reply_names() -> None:
    _, ann, bob, cat = three()
    reply = ann.ok("tell bob :psst")
    assert ann.events("me")[0].fields["seq"] == reply.fields["seq"]
    assert [r.text for r in bob.events("me")] == ["psst"]
    assert cat.take() == []
    ann.ok("tell ann :note")
    assert len(ann.events("me")) == 1


def test_players_do_not_hear_the_watchers_during_a_game() -> None:
    world, ann, bob, cat = three()
    dan = world.program("dan")
    world.game(ann, bob)
    cat.ok("watch t1")
    dan.ok("watch t1")
    for peer in (ann, bob, dan):
        peer.take()
    cat.ok("kibitz :she has the ace")
    assert [line for line in dan.take() if "she has the ace" in line]
    assert ann.take() == bob.take() == []
    assert ann.err("sync k1 from=0") == "FORBIDDEN"
    assert ann.err("kibitz :what?") == "NOT_SEATED"
    assert cat.err("say :hello players") == "FORBIDDEN"
    assert dan.say("sync k1 from=0")[-2].endswith("she has the ace")
    ann.ok("resign")
    ann.take()
    cat.ok("kibitz :well")
    # What she did not hear is left out on purpose, and said to be: she need not ask for it.
    assert ann.take() == ["GAP on=k1 seq=3", "KIBITZED on=k1 seq=4 by=~cat :well"]
    assert ann.say("sync k1 from=0")[2].endswith("she has the ace")
    cat.ok("say :well played")


def test_who_watches_is_told_on_the_stream_of_the_talk_and_the_tables_own_has_no_line_of_it() -> (
    None
):
    world, ann, bob, cat = three()
    assert ann.ok("open twentytwo").fields["talk"] == "k1"
    assert bob.ok("join t1").fields["talk"] == "k1"
    ann.take()
    last = world.room().stream.last
    reply = cat.ok("watch t1")
    assert (reply.fields["seq"], reply.fields["talk"]) == (str(last), "k1")
    assert cat.take()[-1] == ann.take()[-1] == "WATCHING on=k1 seq=1 name=~cat here=1"
    assert cat.rows("tables")[0].fields["nwatch"] == "1"
    (state, *_) = ann.rows("state t1")
    assert (state.fields["nwatch"], state.fields["talk"]) == ("1", "k1")
    cat.ok("unwatch t1")
    assert ann.take()[-1] == "WATCHING on=k1 seq=2 name=~cat here=0"
    assert world.room().stream.last == last
    assert ann.rows("state t1")[0].fields["nwatch"] == "0"


def test_whoever_sat_down_to_play_has_no_voice_among_the_watchers_any_more() -> None:
    _, ann, bob, _ = three()
    on = ann.ok("open twentytwo seats=2").fields["on"]
    bob.ok(f"watch {on}")
    bob.ok(f"join {on}")
    bob.ok("ready")
    ann.ok("start")
    assert bob.err("kibitz :hello") == "NOT_SEATED"


def test_blocking_hides_the_text_and_keeps_the_number() -> None:
    world, ann, bob, cat = three()
    world.table(ann, bob, cat)
    bob.ok("block ann")
    for peer in (bob, cat):
        peer.take()
    ann.ok("say :rude")
    (hidden,), (heard,) = bob.take(), cat.take()
    assert heard == hidden + " :rude"
    ann.ok("tell bob :rude")
    assert bob.take() == ["TOLD on=me seq=1 by=~ann to=~bob"]
    numbers = [r.seq for line in bob.say("sync t1 from=0") if (r := bob.read(line)) and r.on]
    assert numbers[:-1] == [*range(1, len(numbers))]
    assert "rude" not in "".join(bob.say("sync t1 from=0", "sync me from=0"))
    bob.ok("unblock ann")
    ann.ok("say :sorry")
    assert bob.take()[-1].endswith("sorry")


def test_somebody_blocked_after_an_invitation_breaks_nothing() -> None:
    _, ann, bob, _ = three()
    ann.ok("open twentytwo")
    ann.ok("invite bob")
    bob.ok("block ann")
    ann.ok("invite bob")
    assert bob.words("me") == []
    bob.ok("sync me from=0")
    assert bob.words("me") == ["INVITED"]


def test_who_shouts_without_following_the_lobby_is_told_that_it_was_heard() -> None:
    world = World()
    ann = world.person("ann")
    assert ann.say("shout hello") == [
        "You are heard in the lobby; follow lobby hears the answers.",
    ]
    ann.say("follow lobby")
    assert ann.say("shout hello") == ["[lobby] ~ann: hello"]


def test_whoever_leaves_or_is_sent_away_is_spoken_to_and_not_of() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=3")
    bob.say("join t1")
    assert bob.say("leave") == ["You leave t1."]
    bob.say("join t1")
    bob.take()
    ann.take()
    assert ann.say("remove bob") == ["~bob is sent away from seat 2."]
    assert bob.take() == ["You are sent away from seat 2."]


def test_people_are_blocked_by_name_and_listed() -> None:
    _, ann, _, _ = three()
    assert ann.err("block zed") == "NO_SUCH_USER"
    assert ann.err("block ann") == "FORBIDDEN"
    ann.ok("block BOB")
    assert ann.ok("block").text == "You hear nothing from ~bob."
    assert ann.err("unblock cat") == "NO_SUCH_USER"
    ann.ok("unblock Bob")


def blocked(peer: Peer) -> str:
    """Whom they have blocked."""
    text = peer.ok("block").text
    assert text is not None
    return text


def registered(world: World, name: str) -> Peer:
    peer = world.program()
    peer.ok(f"register {name} :three blind mice")
    return peer


def came_back(world: World, name: str) -> Peer:
    peer = world.program()
    peer.ok(f"login {name} :three blind mice")
    return peer


def test_an_account_has_blocked_somebody_until_it_says_otherwise() -> None:
    world = World()
    ann, bob = registered(world, "ann"), world.program("bob")
    ann.ok("block bob")
    world = world.restarted()
    ann = came_back(world, "ann")
    assert blocked(ann) == "You hear nothing from ~bob."
    ann.ok("logout")
    ann.ok("login ann :three blind mice")
    assert blocked(ann) == "You hear nothing from ~bob."
    ann.drop()
    world.advance(120_000)
    assert world.host.people.find("ann") is None
    ann = came_back(world, "ANN")
    bob = world.program("bob")
    ann.take()
    bob.ok("tell ann :rude")
    assert "rude" not in " ".join(ann.take())
    ann.ok("unblock bob")
    assert blocked(came_back(world.restarted(), "ann")) == "You block nobody."


def test_a_guest_has_blocked_somebody_for_as_long_as_they_are_that_guest() -> None:
    world = World()
    ann, _ = world.program("ann"), world.program("bob")
    ann.ok("block bob")
    world = world.restarted()
    ann, token = world.program(), ann.token
    ann.ok(f"resume {token}")
    assert blocked(ann) == "You hear nothing from ~bob."
    ann.ok("logout")
    assert blocked(world.program("ann")) == "You block nobody."
    assert blocked(world.restarted().program("ann")) == "You block nobody."


@together("steps", range(6))
def test_a_guest_who_registers_has_blocked_whom_they_had_wherever_the_server_is_killed(
    steps: int,
) -> None:
    store = LateStore()
    world = World(store)
    for name in ("bob", "cat"):
        world.program(name)
    zoe = registered(world, "zoe")
    zoe.ok("block bob")
    zoe.ok("logout")
    ann = world.program("ann")
    ann.ok("block cat")
    store.late = True
    ann.hear("@r login zoe :three blind mice")
    for _ in range(steps):
        if store.waiting:
            facts, done = store.waiting.pop(0)
            MemoryStore.keep(store, facts, done)
    store.waiting.clear()
    store.late = False
    world = world.restarted()
    whose = came_back(world, "zoe")
    expected = "You hear nothing from ~bob, ~cat." if steps else "You hear nothing from ~bob."
    assert blocked(whose) == expected
    assert blocked(came_back(world.restarted(), "zoe")) == expected


def test_it_is_kept_before_it_is_acknowledged_that_somebody_is_blocked() -> None:
    store = LateStore()
    world = World(store)
    ann, _ = registered(world, "ann"), world.program("bob")
    store.late = True
    ann.say("@b block bob")
    assert ann.take() == []
    store.release()
    assert [line for line in ann.take() if line.startswith("@b OK")]


def test_a_hundred_names_may_be_blocked_and_no_more_by_logging_in() -> None:
    world = World()
    zoe = registered(world, "zoe")
    names = [world.program(f"bob{n}x").name for n in range(101)]
    for name in names[:99]:
        zoe.ok(f"block {name}")
    zoe.ok("logout")
    ann = world.program("ann")
    for name in names[98:]:
        ann.ok(f"block {name}")
    assert ann.err("login zoe :three blind mice") == "QUOTA"
    assert ann.ok("whoami").fields["name"] == "~ann"
    assert world.host.people.find("zoe") is None
    ann.ok(f"unblock {names[100]}")
    ann.ok("login zoe :three blind mice")
    assert ann.err(f"block {names[100]}") == "QUOTA"
    ann.ok(f"block {names[0]}")


def test_too_long_a_speech_is_refused() -> None:
    _, ann, _, _ = three()
    assert ann.err("shout " + "x" * 301) == "BAD_ARG"


UNSEEN = "a\u202eb\u2066\u200b\u200f\ufeffc\u2028~bob says: yes"


def test_what_nobody_sees_is_taken_out_of_a_speech() -> None:
    _, ann, bob, _ = three()
    ann.ok(f"tell bob :{UNSEEN}")
    assert bob.events("me")[0].text == "abc ~bob says: yes"
    for verb in ("tell bob", "shout"):
        assert ann.err(f"{verb} :\u200b\u2060 \u2028") == "BAD_ARG"


def test_a_title_and_a_secret_word_are_what_is_seen_of_them() -> None:
    _, ann, bob, _ = three()
    assert ann.err("open twentytwo private=owl\u200b") == "BAD_ARG"
    table = ann.ok("open twentytwo private=owl :\u202enight\u2028owls")
    bob.ok("join owl")
    assert ann.world.host.rooms[table.fields["on"]].table.settings.title == "night owls"


def test_what_was_said_before_by_other_rules_is_seen_as_it_would_be_now() -> None:
    world, _, bob, _ = three()
    bob.ok("follow lobby")
    world.host.lobby.announce(Shouted("~ann", UNSEEN))
    assert bob.events("lobby")[-1].text == "abc~bob says: yes"


def test_a_report_reaches_the_operator(caplog: pytest.LogCaptureFixture) -> None:
    world, ann, _, _ = three()
    ann.ok("report bob :foul language")
    assert "report 1: ~ann about ~bob" in caplog.text
    (report,) = world.host.reports.open
    assert (report.by, report.about, report.text) == ("~ann", "~bob", "foul language")


# ------------------------------------------------------------------------------- the order


def test_a_reply_comes_before_every_event_that_it_causes() -> None:  # O1
    world, ann, bob, cat = three()
    for peer in (ann, bob, cat):
        peer.ok("follow lobby")
    steps: list[tuple[Peer, str]] = [
        (ann, "open twentytwo seats=3 clock=0"),
        (bob, "watch t1"),
        (bob, "say :hi"),
        (bob, "join t1"),
        (bob, "swap 3"),
        (ann, "option limit 30"),
        (ann, "lock"),
        (ann, "unlock"),
        (ann, "invite cat"),
        (cat, "accept ann"),
        (cat, "shout :hello"),
        (cat, "tell cat :note"),
        (cat, "ready"),
        (bob, "ready"),
        (ann, "start"),
        (ann, "pause"),
        (bob, "pause"),
        (cat, "pause"),
        (bob, "unpause"),
        (bob, "leave"),
        (bob, "watch t1"),
        (bob, "kibitz :hm"),
        (cat, "resign"),
        (ann, "abort"),
        (ann, "practice bots=1"),
        (ann, "practice bots=2"),
        (ann, "close t1"),
        (bob, "seek twentytwo"),
        (bob, "seek twentytwo players=3"),
        (bob, "unseek"),
        (bob, "seek twentytwo"),
        (cat, "seek twentytwo"),
        (cat, "logout"),
        (cat, "guest cat"),
        (bob, "leave"),
    ]
    for peer, line in steps:
        peer.ok(line)
        words = [record.word for record in peer.records()]
        ids = [record.id for record in peer.records()]
        assert ids[0] is not None, (line, words)
    assert world.host.rooms


def test_every_command_that_there_is_gets_exactly_one_final_reply() -> None:
    for named, seated in itertools.product((True, False), repeat=2):
        world = World()
        ann = world.program("ann" if named else "")
        if named and seated:
            ann.ok("practice")
        for verb, cls in COMMANDS.items():
            if verb in ("pong", "quit", "logout"):
                continue
            for line in (verb, cls.example, f"{verb} ü 😀 , = : x=1 \u2028", f"{verb} :"):
                ann.ask(line)
                for written in ann.lines:
                    assert written.isprintable()
                    assert len(written.encode()) + 2 <= 8192


def test_pong_is_the_only_word_without_a_reply() -> None:
    ann = World().program("ann")
    assert ann.say("@1 pong 3") == []
    assert ann.replies


def test_with_json_every_line_is_an_object() -> None:
    world = World()
    ann = world.program("ann", caps="json,text,time")
    lines = ann.say("@1 practice", "@2 who", "@3 nonsense", "@4 state")
    for line in lines:
        assert isinstance(json.loads(line), dict)
    events = [json.loads(line) for line in lines if '"re"' not in line]
    assert all("at" in event for event in events if "seq" in event)


def test_what_is_too_fast_is_refused_and_not_done() -> None:
    _, ann, _, _ = three()
    ann.tolls = [700]
    reply = ann.ask("open twentytwo")
    assert (reply.fields["code"], reply.fields["wait"]) == ("RATE", "700")
    assert ann.world.host.rooms == {}


def test_a_move_in_turn_is_never_too_fast_and_talk_costs_more() -> None:
    world, ann, bob, _ = three()
    world.game(ann, bob)
    mover = world.on_turn()
    mover.tolls = [700]
    mover.ok("move -")
    assert mover.tolls == [700]
    assert mover.err("move -") == "RATE"
    assert world.chatted == 0
    mover.say("say :hi", "tell ann :hi")
    assert world.chatted == 2


@together("line", ["pong", "ping", "sync me from=0", "whatif g1", "bake", "move Q"])
def test_a_line_is_charged_what_its_command_declares(line: str) -> None:
    world, ann, _, _ = three()
    before = world.charged
    ann.say(line)
    declared = COMMANDS.get(line.split()[0])
    assert world.charged - before == (declared.cost if declared else 1)


def test_the_reference_has_the_traits_of_each_command() -> None:
    text = reference()
    table = text[text.index("## Cost and repetition") : text.index("## Events")]
    assert set(re.findall(r"`(\w+)` \|", table)) == COMMANDS.keys()
    assert "| `whatif` | 10 | yes |  | yes |" in table
    assert "| `who` | 3 |  | yes |  |" in table


# ----------------------------------------------------------------------- the same again and again


@together("verb", ["say", "tell bob", "shout", "kibitz"])
def test_the_same_line_is_taken_three_times_a_minute(verb: str) -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    if verb == "kibitz":
        bob.ok("open twentytwo seats=2 clock=0")
        ann.ok("watch t1")
    else:
        world.table(ann, bob)
    bob.ok("follow lobby")
    ann.ok("follow lobby")
    for line in ("buy  this", "Buy this", "buy this"):
        ann.ok(f"{verb} :{line}")
        world.advance(1000)
    for peer in (ann, bob):
        peer.take()
    refused = ann.ask(f"{verb} :buy this")
    assert (refused.fields["code"], refused.fields["wait"]) == ("RATE", "57000")
    assert bob.take() == []
    ann.ok(f"{verb} :something else")
    world.advance(57_000)
    ann.ok(f"{verb} :buy this")
    assert ann.err(f"{verb} :buy this") == "RATE"  # two of them were less than a minute ago


def test_a_flood_is_one_whichever_way_and_to_whomever_it_is_said() -> None:
    world = World()
    ann, *others = [world.program(name) for name in ("ann", "bob", "cat", "dan")]
    for other in others:
        ann.ok(f"tell {other.name} :buy this")
    assert ann.err("shout :buy this") == "RATE"
    others[0].ok("shout :buy this")


def test_a_flood_does_not_end_with_a_name() -> None:
    world = World()
    ann = world.program("ann")
    for _ in range(3):
        ann.ok("shout :buy this")
    ann.ok("register ann :three blind mice")
    assert ann.err("shout :buy this") == "RATE"


def test_people_are_told_how_long_to_wait() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("shout hello", "shout hello", "shout hello")
    world.advance(500)
    sentence = "! You have said that 3 times; say something else, or wait 60 s."
    assert ann.say("shout hello") == [sentence]


def test_what_was_refused_is_no_repetition() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("open twentytwo seats=2 clock=0")
    bob.ok("watch t1")
    ann.ok("addbot")
    ann.ok("start")
    for _ in range(4):
        assert bob.err("say :hello") == "FORBIDDEN"  # watchers do not talk to players
    bob.ok("kibitz :hello")


def test_a_line_that_is_sent_again_under_its_key_is_no_repetition() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.table(ann, bob)
    for _ in range(5):
        ann.hear("@again say once=own :hello")
    assert [line.split()[1] for line in ann.take() if line.startswith("@again")] == ["OK"] * 5
    ann.ok("say :hello")
    ann.ok("say :hello")
    assert ann.err("say :hello") == "RATE"


def test_bots_in_the_making_may_repeat_themselves() -> None:
    ann = World(dev=True).program("ann")
    for _ in range(10):
        ann.ok("shout :hello")
