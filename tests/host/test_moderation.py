"""What an operator does to people and tables, and what they hear of it."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import pytest

from tests.kit.cases import together
from tests.kit.hosts import LateStore, Peer, World
from tests.kit.operators import HOUR, UID, Operator
from twentytwo_server.facts import Sanction, SanctionKind
from twentytwo_server.host.config import Registration
from twentytwo_server.host.moderation.networks import network, spelled
from twentytwo_server.store import Refused

SECRET = ":three blind mice"


def at(world: World, name: str, address: str) -> Peer:
    """A guest who comes from an address."""
    peer = world.peer(address)
    peer.say("hello 1 client=test")
    reply = peer.ok(f"guest {name}")
    peer.name, peer.token = reply.fields["name"], reply.fields["token"]
    return peer


def account(world: World, name: str) -> Peer:
    """The owner of a new account."""
    peer = world.program()
    peer.token = peer.ok(f"register {name} {SECRET}").fields["token"]
    peer.name = name
    return peer


# ------------------------------------------------------------------------------- targets


@together(
    ("given", "kept"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.7/24", "203.0.113.0/24"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8::7", "2001:db8::/64"),
        ("2001:db8::7/48", "2001:db8::/48"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_what_is_banned_is_an_address_a_network_or_a_household(given: str, kept: str) -> None:
    found = network(given)
    assert found is not None and spelled(found) == kept


@together("given", ["mallory", "203.0.113", "", "unix", "1.2.3.4/33", "t7"])
def test_a_name_is_no_network(given: str) -> None:
    assert network(given) is None


# ---------------------------------------------------------------------------------- bans


def test_a_ban_while_an_account_is_made_leaves_its_name_and_its_code_unused() -> None:
    world = World(registration=Registration.INVITE)
    operator = Operator(world)
    code = operator.does("invite", n=1, ms=HOUR).rows[0]["code"]
    world.hasher.late = True
    peer = world.program()
    peer.hear(f"@1 register mallory code={code} {SECRET}")
    operator.does("ban", target="mallory", ms=HOUR)
    world.hasher.release()
    world.hasher.late = False
    assert "FORBIDDEN" in peer.take()[-1]
    operator.does("unban", target="mallory")
    assert world.program().ok(f"register mallory code={code} {SECRET}").fields["name"] == "mallory"


def test_a_banned_address_is_closed_at_once_and_kept_out_until_the_end() -> None:
    world = World()
    eve, bob = at(world, "eve", "203.0.113.7"), at(world, "bob", "203.0.114.7")
    operator = Operator(world)
    answer = operator.does("ban", target="203.0.113.0/24", ms=HOUR, why="flood")
    assert answer.text.endswith("UTC: flood; 1 closed")
    assert (eve.hung_up, bob.hung_up) == (True, False)
    assert eve.take()[-1].startswith("BYE code=KICKED resume=0 :Your address is banned until ")
    banned = world.host.sanctions.ban_of_address
    assert [bool(banned(a)) for a in ("203.0.113.200", "203.0.112.1", "unix", "::1")] == [
        True,
        False,
        False,
        False,
    ]
    assert banned("::ffff:203.0.113.9") is not None
    world.advance(HOUR)
    assert banned("203.0.113.200") is None
    assert operator.does("bans").rows == []


def test_bans_of_both_kinds_of_addresses_do_not_meet() -> None:
    world = World()
    operator = Operator(world)
    for target in ("2001:db8::/32", "203.0.113.7", "2001:db9::1"):
        operator.does("ban", target=target, ms=HOUR)
    banned = world.host.sanctions.ban_of_address
    for address in ("2001:db8:1::9", "203.0.113.7", "2001:db9::ffff"):
        assert banned(address) is not None, address
    for address in ("2001:dba::", "203.0.113.8", "2001:db9:0:1::"):
        assert banned(address) is None, address
    operator.does("unban", target="203.0.113.7")
    assert banned("203.0.113.7") is None
    assert banned("2001:db9::1") is not None


@together("target", ["127.0.0.1", "::1", "0.0.0.0/0", "127.1.0.0/16", "::/0"])
def test_this_machine_cannot_be_banned(target: str) -> None:
    with pytest.raises(Refused, match="this machine"):
        Operator(World()).does("ban", target=target, ms=HOUR)


def test_a_banned_account_is_out_with_all_its_tokens_and_gets_in_by_none_of_its_ways() -> None:
    world = World()
    mallory = account(world, "Mallory")
    given = mallory.ok("token new :laptop").fields["token"]
    answer = Operator(world).does("ban", target="mallory", ms=HOUR, why="cheats")
    assert "1 login token revoked" in answer.text
    assert mallory.hung_up
    assert mallory.take()[-1].startswith("BYE code=KICKED resume=0 :Mallory is banned until ")
    mallory.drop()
    again = world.program()
    assert again.err(f"resume {mallory.token}") == "BAD_TOKEN"
    assert again.err(f"login mallory token={given}") == "BAD_LOGIN"
    reply = again.ask(f"login mallory {SECRET}")
    assert (reply.word, reply.fields["code"]) == ("ERR", "FORBIDDEN")
    assert (reply.text or "").endswith("UTC: cheats")
    after = world.restarted()
    assert after.program().err(f"login mallory {SECRET}") == "FORBIDDEN"
    assert after.program().err(f"login mallory token={given}") == "BAD_LOGIN"
    assert after.program().err(f"resume {mallory.token}") == "BAD_TOKEN"
    after.advance(HOUR)
    assert after.program().err(f"resume {mallory.token}") == "BAD_TOKEN"
    after.program().ok(f"login mallory {SECRET}")
    assert after.program().err(f"login mallory token={given}") == "BAD_LOGIN"


@pytest.mark.parametrize("restarted", [False, True])
def test_a_token_that_is_still_valid_opens_no_banned_account(restarted: bool) -> None:
    world = World()
    mallory = account(world, "mallory")
    mallory.drop()
    now = world.clock.wall()
    banned = Sanction(SanctionKind.BAN, "mallory", now + HOUR, "cheats", now)
    if restarted:
        world.store.keep([banned], lambda: None)
        world = world.restarted()
    else:
        world.host.sanctions.put(banned)
    reply = world.program().ask(f"resume {mallory.token}")
    assert reply.fields["code"] == "FORBIDDEN"
    assert (reply.text or "").endswith("UTC: cheats")
    world.advance(HOUR)
    world.program().ok(f"login mallory {SECRET}")


def test_whoever_is_just_coming_in_when_the_account_is_banned_stays_outside() -> None:
    store = LateStore()
    world = World(store)
    mallory = account(world, "mallory")
    mallory.drop()
    coming = world.program()
    store.late = True
    coming.hear(f"@9 login mallory {SECRET}")
    banning = Operator(world).asks("ban", target="mallory", ms=HOUR)
    store.late = False
    store.release()
    assert banning.called
    assert [r.word for r in coming.records() if r.id == "9"] == ["ERR"]
    person = world.host.people.exact("mallory")
    assert person is None or person.session is None


def test_the_game_of_somebody_who_is_banned_goes_on_as_if_they_were_away() -> None:
    world = World()
    ann, mallory = world.program("ann"), account(world, "mallory")
    on = world.game(ann, mallory)
    ann.take()
    Operator(world).does("ban", target="mallory", ms=HOUR)
    mallory.drop()
    assert [r.fields["here"] for r in ann.events(on) if r.word == "PRESENCE"] == ["0"]
    world.advance(world.host.config.now.grace)
    assert world.room(on).table.seats[1].standin


def test_a_guest_is_banned_by_the_address_which_the_refusal_names() -> None:
    world = World()
    at(world, "eve", "203.0.113.7")
    with pytest.raises(Refused, match=r"~eve is a guest.*ban 203\.0\.113\.7$"):
        Operator(world).does("ban", target="eve", ms=HOUR)
    with pytest.raises(Refused, match="no account, address or network"):
        Operator(world).does("ban", target="nobody", ms=HOUR)


# ------------------------------------------------------------------------- kicks and mutes


def test_whoever_is_kicked_may_come_back_and_has_the_seat() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    on = world.game(ann, bob)
    Operator(world).does("kick", target="bob", why="stuck")
    assert bob.hung_up
    assert bob.take()[-1] == (
        "BYE code=KICKED resume=1 wait=30000 :The operator has ended this connection: stuck"
    )
    bob.drop()
    again = world.program()
    again.ok(f"resume {bob.token}")
    assert world.room(on).table.seats[1].here


def test_all_connections_of_an_address_can_be_kicked() -> None:
    world = World()
    peers = [at(world, f"p{no}", f"203.0.113.{no // 2}") for no in range(4)]
    assert Operator(world).does("kick", target="203.0.113.1").text == "2 closed"
    assert [peer.hung_up for peer in peers] == [False, False, True, True]
    with pytest.raises(Refused, match="not connected"):
        Operator(world).does("kick", target="198.51.100.1")


def test_a_muted_person_is_heard_nowhere_and_plays_on() -> None:
    world = World()
    ann, eve = world.program("ann"), world.program("eve")
    on = world.game(ann, eve)
    operator = Operator(world)
    operator.does("mute", name="EVE", ms=HOUR, why="language")
    assert eve.events()[-1].fields["code"] == "MUTED"
    ann.take()
    talk = ("say :hi", "tell ann :hi", "shout :hi", f"invite ann {on}", "open twentytwo :hi")
    for line in talk:
        reply = eve.ask(line)
        assert (reply.word, reply.fields["code"]) == ("ERR", "FORBIDDEN"), line
        assert (reply.text or "").endswith("UTC: language")
    assert ann.take() == []
    world.on_turn(on).ok("move -")
    world.on_turn(on).ok("move -")
    eve.ok("block ann")
    eve.ok("unblock ann")
    eve.ok("report ann :she laughs")
    operator.does("unmute", name="eve")
    eve.ok("say :hello again")


def test_a_mute_survives_a_kill_has_an_end_and_follows_a_guest_into_an_account() -> None:
    world = World()
    eve = world.program("eve")
    Operator(world).does("mute", name="eve", ms=HOUR)
    eve.ok(f"register eve {SECRET}")
    assert eve.err("shout :hi") == "FORBIDDEN"
    after = world.restarted()
    again = after.program()
    again.ok(f"login eve {SECRET}")
    assert again.err("shout :hi") == "FORBIDDEN"
    after.advance(HOUR)
    again.ok("shout :hi")


def test_another_guest_of_the_same_name_is_not_muted() -> None:
    world = World()
    eve = world.program("eve")
    Operator(world).does("mute", name="eve", ms=HOUR)
    eve.ok("logout")
    world.program("eve").ok("shout :hi")
    world.restarted().program("eve").ok("shout :hi")


# -------------------------------------------------------------------------------- reports


def test_a_reporter_who_is_here_is_told_what_became_of_it() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    on = world.table(ann, bob)
    ann.ok("report bob :foul language")
    operator = Operator(world)
    (row,) = operator.does("reports").rows
    assert (row["id"], row["by"], row["about"], row["table"]) == (1, "~ann", "~bob", on)
    ann.take()
    operator.does("close report", id=1, answer="He is muted.")
    (note,) = ann.events()
    assert (note.word, note.fields["code"]) == ("NOTE", "REPORT")
    assert note.text == "Your report of ~bob has been read. He is muted."
    assert operator.does("reports").rows == []
    with pytest.raises(Refused, match="no report 1 is open"):
        operator.does("close report", id=1, answer="again")


def test_a_guest_who_has_left_can_be_traced_while_the_name_is_kept_and_by_a_report(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = World()
    ann = world.program("ann")
    with caplog.at_level(logging.INFO, "twentytwo.host"):
        bob = at(world, "bob", "203.0.113.7")
    assert "~bob comes in from 203.0.113.7" in caplog.messages
    ann.ok("report bob :foul language")
    operator = Operator(world)
    assert row_of(operator, "~bob")["address"] == "203.0.113.7"
    assert row_of(operator, "~bob")["last"] == ""
    bob.drop()
    assert (row_of(operator, "~bob")["address"], row_of(operator, "~bob")["last"]) == (
        "",
        "203.0.113.7",
    )
    with pytest.raises(Refused, match=r"is a guest.*: ban 203\.0\.113\.7"):
        operator.does("ban", target="bob", ms=HOUR)
    world.advance(world.host.config.now.grace)
    assert all(row["name"] != "~bob" for row in operator.does("who").rows)
    (report,) = Operator(world.restarted()).does("reports").rows
    assert report["from"] == "203.0.113.7"
    operator.does("close report", id=1, answer="Banned.")
    (report,) = operator.does("show report", id=1).rows
    assert (report["from"], report["answer"]) == ("", "Banned.")


def row_of(operator: Operator, name: str) -> Mapping[str, object]:
    """The line of somebody in `admin who`."""
    return next(row for row in operator.does("who").rows if row["name"] == name)


def test_a_reporter_who_is_away_is_told_at_the_next_login_and_once() -> None:
    world = World()
    ann, _ = account(world, "ann"), world.program("bob")
    ann.ok("report bob :foul language")
    ann.drop()
    world.advance(world.host.config.now.grace)
    assert "next login" in Operator(world).does("close report", id=1, answer="Done.").text
    world = world.restarted()
    for told in (["REPORT"], []):
        again = world.program()
        again.ok(f"login ann {SECRET}")
        assert [r.fields["code"] for r in again.events() if r.word == "NOTE"] == told
        twice = world.program()
        twice.ok(f"login ann {SECRET}")
        assert [r.word for r in twice.events() if r.word == "NOTE"] == []
        twice.drop()
        world = world.restarted()


def test_no_other_guest_of_the_name_is_told_of_a_report() -> None:
    world = World()
    ann, _ = world.program("ann"), world.program("bob")
    ann.ok("report bob :foul language")
    ann.drop()
    world.advance(world.host.config.now.grace)
    other = world.program("ann")
    operator = Operator(world)
    operator.does("close report", id=1, answer="Done.")
    assert other.take() == []


def test_a_guest_who_makes_an_account_is_told_there() -> None:
    world = World()
    ann, _ = world.program("ann"), world.program("bob")
    ann.ok("report bob :foul language")
    ann.ok(f"register anna {SECRET}")
    world = world.restarted()
    Operator(world).does("close report", id=1, answer="Done.")
    again = world.program()
    again.ok(f"login anna {SECRET}")
    assert [r.fields["code"] for r in again.events() if r.word == "NOTE"] == ["REPORT"]


def test_a_report_shows_the_record_of_its_game_once_that_is_over() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    ann.ok("report bob :he plays slowly")
    operator = Operator(world)
    assert operator.does("show report", id=1).text.endswith("its record is shown when it is")
    ann.ok("resign")
    shown = operator.does("show report", id=1)
    assert shown.text.splitlines()[0].startswith("twentytwo-record") or "game" in shown.text
    assert shown.rows[0]["text"] == "he plays slowly"


def test_nobody_keeps_more_than_so_many_reports_open() -> None:
    world = World(dev=True)
    ann, _ = world.program("ann"), world.program("bob")
    for _ in range(20):
        ann.ok("report bob :again")
    assert ann.err("report bob :again") == "QUOTA"
    Operator(world).does("close report", id=7, answer="Read.")
    ann.ok("report bob :again")


# ----------------------------------------------------------------------------- invitations


def test_by_invitation_an_account_takes_a_code_which_is_good_once() -> None:
    world = World(registration=Registration.INVITE)
    rows = Operator(world).does("invite", n=2, ms=HOUR).rows
    one, two = (str(row["code"]) for row in rows)
    ann = world.program()
    assert ann.err(f"register ann {SECRET}") == "FORBIDDEN"
    assert ann.err(f"register ann code=nonsense {SECRET}") == "FORBIDDEN"
    assert ann.err(f"register ann code={one} :short") == "BAD_ARG"
    ann.ok(f"register ann code={one} {SECRET}")
    assert world.program().err(f"register bob code={one} {SECRET}") == "FORBIDDEN"
    assert {row.fields["key"]: row.fields["value"] for row in ann.rows("info")}[
        "registration"
    ] == "invite"
    after = world.restarted()
    assert after.program().err(f"register bob code={one} {SECRET}") == "FORBIDDEN"
    after.program().ok(f"register bob code={two} {SECRET}")


def test_a_code_of_yesterday_opens_nothing_and_a_busy_server_uses_none_up() -> None:
    world = World(registration=Registration.INVITE)
    one, two = (row["code"] for row in Operator(world).does("invite", n=2, ms=HOUR).rows)
    world.hasher.full = True
    ann, bob = world.program(), world.program()
    assert ann.err(f"register ann code={one} {SECRET}") == "BUSY"
    world.hasher.full = False
    ann.ok(f"register ann code={one} {SECRET}")
    world.advance(HOUR)
    assert bob.err(f"register bob code={two} {SECRET}") == "FORBIDDEN"


def test_people_give_the_code_where_they_give_the_name() -> None:
    world = World(registration=Registration.INVITE)
    (row,) = Operator(world).does("invite", n=1, ms=HOUR).rows
    ann = world.person("ann")
    assert ann.say("register ann") == [
        "! Accounts are made by invitation here: register ann code=CODE, with a code",
        "    from the operator.",
    ]
    ann.say(f"register ann code={row['code']}")
    told = ann.say("three blind mice", "three blind mice")
    assert told[1].startswith("Welcome, ann.")


# -------------------------------------------------------------------- tables and the drain


def test_a_table_that_the_operator_closes_ends_its_game_without_a_result() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    on = world.game(ann, bob)
    bob.take()
    Operator(world).does("close", table="T1", why="stuck")
    told = bob.events(on)
    aborted = next(event for event in told if event.word == "ABORTED")
    assert aborted.fields["why"] == "operator"
    assert [event.fields["why"] for event in told if event.word == "LEFT"] == ["closed", "closed"]
    assert on not in world.host.rooms
    assert world.restarted().host.rooms == {}


@pytest.mark.parametrize("words", ["", "seed kitten", "seedhash " + "0" * 64])
def test_a_table_closes_in_every_phase(words: str) -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    on = world.table(ann, bob)
    if words:
        bob.ask(words)
        bob.ok("ready")
        ann.ask("start")
    Operator(world).does("close", table=on)
    assert world.host.rooms == {}


def draining(limit: int = 0) -> tuple[World, Operator, Peer, Peer, str]:
    world = World(drain=limit)
    ann, bob = world.program("ann"), world.program("bob")
    on = world.game(ann, bob)
    return world, Operator(world), ann, bob, on


def test_while_it_drains_nothing_begins_and_what_runs_goes_on() -> None:
    world, operator, ann, _, on = draining()
    cat, dan = world.program("cat"), world.program("dan")
    other = world.table(cat, dan)
    ann.take()
    assert operator.does("drain").text == "1 running game; then, or in 600 s, the server stops"
    assert [event.fields["code"] for event in ann.events()] == ["DRAINING"]
    lines = ("practice", "open", f"start {other}", "ready", "rematch", "seek")
    assert [cat.err(line) for line in lines] == ["DRAINING"] * len(lines)
    world.on_turn(on).ok("move -")
    world.advance(5_000)
    assert operator.stopped == 0
    ann.ok("resign")
    world.advance(1_000)
    assert operator.stopped == 1
    assert world.host.availability.unready == "draining"


def test_a_drain_ends_at_its_limit_and_can_be_called_off() -> None:
    world, operator, ann, *_ = draining()
    operator.does("drain", ms=60_000)
    operator.does("drain", cancel="yes")
    assert ann.events()[-1].fields["code"] == "DRAINING_OFF"
    world.advance(120_000)
    assert operator.stopped == 0
    world.program("cat").ok("practice")
    operator.does("drain", ms=60_000)
    world.advance(59_000)
    assert operator.stopped == 0
    world.advance(1_000)
    assert operator.stopped == 1


def test_a_game_that_nobody_is_at_keeps_no_server_from_stopping() -> None:
    world, operator, ann, bob, _ = draining()
    operator.does("drain")
    ann.drop()
    bob.drop()
    world.advance(1_000)
    assert operator.stopped == 1


def test_a_signal_drains_where_it_shall_and_a_second_one_stops_at_once() -> None:
    world, operator, *_ = draining(limit=60_000)
    operator.stopping.told_to_stop()
    assert (operator.stopped, world.host.availability.draining) == (0, True)
    operator.stopping.told_to_stop()
    assert operator.stopped == 1
    world, operator, *_ = draining()
    operator.stopping.told_to_stop()
    assert operator.stopped == 1


# ----------------------------------------------------------------------------- the journal


def test_everything_that_an_operator_does_is_in_the_journal() -> None:
    world = World()
    ann, _ = account(world, "ann"), world.program("bob")
    ann.ok("report bob :why not")
    operator = Operator(world)
    done: list[tuple[str, dict[str, object]]] = [
        ("who", {}),
        ("tables", {}),
        ("announce", {"text": "tea at five"}),
        ("mute", {"name": "bob", "ms": HOUR, "why": "loud"}),
        ("unmute", {"name": "bob"}),
        ("ban", {"target": "203.0.113.0/24", "ms": HOUR, "why": "flood"}),
        ("unban", {"target": "203.0.113.0/24"}),
        ("bans", {}),
        ("reports", {}),
        ("show report", {"id": 1}),
        ("close report", {"id": 1, "answer": "read"}),
        ("invite", {"n": 1, "ms": HOUR}),
        ("ban", {"target": "ann", "ms": HOUR}),
        ("kick", {"target": "bob"}),
    ]
    for command, given in done:
        operator.does(command, **given)
    world = world.restarted()
    rows = Operator(world).does("log").rows
    assert [row["command"] for row in rows] == [each[0] for each in done[::-1]]
    assert {row["uid"] for row in rows} == {UID}
    flood = next(row for row in rows if row["why"] == "flood")
    assert flood["about"] == "203.0.113.0/24 for 3600 s"


def test_what_is_refused_changes_nothing_and_is_not_in_the_journal() -> None:
    world = World()
    operator = Operator(world)
    for command, given in (
        ("ban", {"target": "nobody", "ms": 9}),
        ("unban", {"target": "nobody"}),
        ("mute", {"name": "nobody", "ms": 9}),
        ("unmute", {"name": "nobody"}),
        ("kick", {"target": "nobody"}),
        ("close", {"table": "t9"}),
        ("close report", {"id": 9, "answer": "x"}),
        ("show report", {"id": 9}),
        ("announce", {}),
        ("announce", {"text": "x" * 301}),
        ("sudo", {}),
    ):
        with pytest.raises(Refused):
            operator.does(command, **given)
    assert operator.does("log").rows == []


def test_a_ban_is_answered_when_it_is_safe_and_holds_before() -> None:
    store = LateStore()
    world = World(store)
    eve = at(world, "eve", "203.0.113.7")
    store.late = True
    banning = Operator(world).asks("ban", target="203.0.113.7", ms=HOUR)
    assert (eve.hung_up, banning.called) == (True, False)
    store.release()
    assert banning.called


def test_who_and_tables_list_what_there_is() -> None:
    world = World()
    ann, _ = account(world, "ann"), at(world, "bob", "203.0.113.7")
    world.peer("203.0.113.8")
    ann.ok("open private=kiwi rated=0")
    rows = {row["name"]: row for row in Operator(world).does("who").rows}
    assert rows["ann"]["tables"] == "t1"
    assert (rows["~bob"]["kind"], rows["~bob"]["address"]) == ("guest", "203.0.113.7")
    assert rows[""]["address"] == "203.0.113.8"
    (row,) = Operator(world).does("tables").rows
    assert (row["table"], row["kind"], row["players"]) == ("t1", "private", "ann")
    assert "kiwi" not in str(row)


# ------------------------------------------------------------- whom another player sends away


@pytest.mark.parametrize(("options", "kept"), [("", True), ("private=kiwi", False)])
def test_a_host_sends_somebody_away_from_a_running_game_only_at_a_private_table(
    options: str, kept: bool
) -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    on = ann.ok(f"open twentytwo seats=2 clock=0 {options}").fields["on"]
    bob.ok("join kiwi" if options else f"join {on}")
    bob.ok("ready")
    ann.ok("start")
    answer = ann.ask("remove bob")
    assert answer.fields.get("code") == ("GAME_RUNNING" if kept else None)
    assert bool(world.room(on).table.seat_of(bob.name)) is kept
    again = world.restarted()
    assert bool(again.room(on).table.seat_of(bob.name)) is kept
    assert again.room(on).table.protected is kept
