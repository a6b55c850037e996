"""Tables in the world: opening them, finding them, what others may know of them."""

from __future__ import annotations

import pytest

from tests.kit import tables
from tests.kit.cases import together
from tests.kit.hosts import LateStore, World
from twentytwo_protocol import wire
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.words.seating import Option_
from twentytwo_server.table.decision import ABANDONED_AFTER_PRACTICE


def test_a_table_is_opened_joined_made_ready_and_started() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    opened = ann.ok("open twentytwo seats=2")
    assert {k: opened.fields[k] for k in ("on", "seat", "seq")} == {
        "on": "t1",
        "seat": "1",
        "seq": "1",
    }
    joined = bob.ok("join t1")
    assert joined.fields["seat"] == "2"
    assert bob.events("t1")[0].fields["seq"] == joined.fields["seq"]
    bob.ok("ready")
    ann.ok("start")
    assert "GAME" in ann.words("t1")


def test_from_a_name_to_the_first_card_takes_two_lines() -> None:
    world = World()
    lines = world.peer().say("ann", "practice")
    assert any(line.startswith("Your cards:") for line in lines)


def test_cards_are_for_ones_own_table_again_after_another_was_left() -> None:
    ann = World().person("ann")
    ann.say("practice bots=1 seed=22")
    ann.say("open twentytwo")
    assert ann.say("leave")[0] == "You leave t2."
    assert ann.say("q k k")[0] == "You throw QS KD KH and draw 8H JD 3D."


def test_practice_is_for_one_and_unseen() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("practice")
    assert bob.rows("tables") == []
    for line in ("watch t1", "join t1", "table t1", "sync t1 from=0", "state t1", "score t1"):
        assert bob.err(line) == "NO_SUCH_TABLE"
    assert world.host.lobby.streams["tables"].last == 0
    assert [row.fields.get("on") for row in bob.rows("who")] == [None, None]


def test_another_practice_ends_the_one_before_and_answers_first() -> None:  # O1
    ann = World().program("ann")
    ann.ok("practice")
    assert ann.ok("practice").fields["on"] == "t2"
    assert ann.records()[0].word == "OK"
    assert ann.words("t1") == ["LEFT"]
    assert list(ann.world.host.rooms) == ["t2"]


def test_people_are_told_that_another_practice_ends_the_game_before() -> None:
    ann = World().person("ann")
    assert "You leave" not in "\n".join(ann.say("practice"))
    ann.say("practice whist22")
    first = next(line for line in ann.say("practice whist22") if line.strip())
    assert first == "You leave t1: its game ends without a result."


def test_a_practice_that_is_refused_leaves_the_one_before_as_it_is() -> None:
    ann = World().program("ann")
    ann.ok("practice")
    for line in ("practice bots=99", "practice rules=nothing", "practice bots=9 options=decks:1"):
        assert ann.err(line) == "BAD_ARG"
        assert ann.events() == []
    assert list(ann.world.host.rooms) == ["t1"]


def test_a_practice_with_a_seed_repeats_its_deals_and_says_so() -> None:
    hands = []
    for _ in range(2):
        ann = World().program("ann")
        ann.ok("practice bots=2 seed=42")
        told = [r.fields for r in ann.events("t1") if r.word == "OPTION"]
        assert {"on": "t1", "key": "deals", "value": "seed%2042"}.items() <= next(
            f for f in told if f["key"] == "deals"
        ).items()
        hands.append([line for line in ann.lines if "DEALT" in line])
    assert hands[0] == hands[1]


def test_a_refused_seed_deals_nobody_else_its_cards() -> None:
    """The shuffles of a game that never began are no other game's."""
    world = World()
    mallory, ann = world.program("mallory"), world.program("ann")
    assert mallory.err("practice bots=9 options=decks:1 seed=5") == "BAD_ARG"
    ann.ok("practice bots=1")
    run = tables.started(1, bots=1, seed=5)
    mine = [line.partition(" seat=")[2] for line in ann.lines if "cards=" in line]
    theirs = [line.partition(" seat=")[2] for line in run.lines(1) if "cards=" in line]
    assert mine != theirs


def test_two_games_that_begin_at_the_same_time_are_two_games() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = world.program("ann"), world.program("bob")
    ann.hear("@1 practice bots=1")
    bob.hear("@1 practice bots=1")
    store.release()
    rooms = world.host.rooms.values()
    games = [room.table.match.terms.id for room in rooms if room.table.match]
    assert games == ["g1", "g2"]
    hands = [
        [line.partition(" seat=")[2] for line in p.lines if "cards=" in line] for p in (ann, bob)
    ]
    assert hands[0] != hands[1]


def test_deals_are_repeatable_at_tables_of_several_only_on_a_development_server() -> None:
    assert World().program("ann").err("open twentytwo seed=1") == "FORBIDDEN"
    World(dev=True).program("ann").ok("open twentytwo seed=1")


@together(
    ("line", "code", "arg"),
    [
        ("open chess", "NO_SUCH_GAME", "game"),
        ("open twentytwo rules=no", "BAD_ARG", "rules"),
        ("open twentytwo seats=1", "BAD_ARG", "seats"),
        ("open twentytwo seats=13", "BAD_ARG", "seats"),
        ("open twentytwo clock=3", "BAD_ARG", "clock"),
        ("open twentytwo watch=maybe", "BAD_ARG", "watch"),
        ("open twentytwo bots=4", "BAD_ARG", "bots"),
        ("open twentytwo bots=-1", "BAD_ARG", "bots"),
        ("open twentytwo level=godly", "BAD_ARG", "level"),
        ("open twentytwo private=t7", "BAD_ARG", "private"),
        ("open twentytwo options=nothing:1", "NO_SUCH_OPTION", "nothing"),
        ("open twentytwo options=exchange:maybe", "BAD_ARG", "exchange"),
        ("open twentytwo options=decks:1 seats=10", "BAD_ARG", "decks"),
        ("open twentytwo rated=1", "FORBIDDEN", None),
        ("practice bots=0", "BAD_ARG", "bots"),
        ("practice bots=x", "BAD_ARG", "bots"),
        ("practice level=godly", "BAD_ARG", "level"),
        ("practice seed=-1", "BAD_ARG", "seed"),
    ],
)
def test_a_table_that_will_not_do_is_refused_and_there_is_none(
    line: str, code: str, arg: str | None
) -> None:
    ann = World().program("ann")
    reply = ann.ask(line)
    assert (reply.word, reply.fields["code"], reply.fields.get("arg")) == ("ERR", code, arg)
    assert ann.world.host.rooms == {}
    assert ann.events() == []


@together(
    ("line", "told"),
    [
        ("practice foo=1", "! There is no option foo. rules twentytwo lists them."),
        ("practice headng=mandatory", "! There is no option headng; did you mean heading?"),
        (
            "practice clock=0",
            "! practice takes no clock, open does; help practice says what it takes.",
        ),
        ("practice level=godly", "! Bots are easy, steady or hard."),
        ("open twentyeight seats=3", "! seats takes 4 by these rules."),
    ],
)
def test_a_table_that_will_not_do_is_refused_in_a_line_that_says_what_would(
    line: str, told: str
) -> None:
    assert World().person("ann").say(line) == [told]


def test_a_private_table_is_unseen_and_opens_to_its_word() -> None:
    world = World()
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    ann.ok("open twentytwo private=kiwi-fox")
    assert bob.rows("tables") == []
    for line in ("join t1", "watch t1", "state t1", "table t1", "sync t1 from=0", "sync k1 from=0"):
        assert bob.err(line) == "NO_SUCH_TABLE"
    assert bob.ok("join kiwi-fox").fields["on"] == "t1"
    assert len(bob.rows("tables")) == 1
    assert cat.rows("tables") == []
    assert "OPENED" not in [e.event.word.word for e in world.host.lobby.streams["tables"].after(0)]
    assert not any("kiwi" in line for line in bob.say("state t1", "table t1", "sync t1 from=0"))
    assert cat.err("open twentytwo private=kiwi-fox") == "BAD_ARG"


def test_a_private_table_is_watched_by_whoever_knows_its_word() -> None:
    world = World()
    ann, bob, eve = (world.program(name) for name in ("ann", "bob", "eve"))
    ann.ok("open twentytwo seats=2 clock=0 private=kiwi-fox")
    bob.ok("join kiwi-fox")
    bob.ok("ready t1")
    ann.ok("start t1")
    assert eve.ok("watch KIWI-fox").fields["on"] == "t1"
    assert eve.rows("tables") and "GAME" in {line.split()[0] for line in eve.say("sync t1 from=0")}
    eve.ok("unwatch t1")
    assert eve.err("watch t1") == "NO_SUCH_TABLE"


def test_the_word_of_a_private_table_closed_to_watchers_lets_nobody_watch() -> None:
    world = World()
    ann, eve = world.program("ann"), world.program("eve")
    ann.ok("open twentytwo private=kiwi watch=none")
    assert eve.err("watch kiwi") == "FORBIDDEN"
    assert eve.err("state t1") == "NO_SUCH_TABLE"


def test_a_table_may_be_joined_by_the_name_of_somebody_who_sits_there() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("open twentytwo")
    assert bob.ok("join ann").fields["on"] == "t1"


def test_nobody_watches_a_table_that_is_not_open_to_watchers() -> None:
    world = World()
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob, options="watch=none")
    for _ in range(6):
        mover = world.on_turn()
        mover.ok(f"move {_default(world)}")
    for line in ("watch t1", "sync t1 from=0", "state t1", "last t1", "score t1"):
        assert cat.err(line) == "FORBIDDEN", line
    ann.ok("state t1")
    ann.ok("score t1")


def test_a_secret_word_is_said_as_it_is() -> None:
    ann = World().person("ann")
    assert "Others type: join {id}" in " ".join(ann.say("open twentytwo private={id}"))


def test_who_is_refused_to_watch_hears_one_line_whatever_was_played() -> None:
    world = World()
    ann, bob, cat = world.program("ann"), world.program("bob"), world.person("cat")
    world.game(ann, bob, options="watch=none")
    before = cat.say("watch t1")
    for _ in range(6):
        world.on_turn().ok(f"move {_default(world)}")
        assert cat.say("watch t1") == before == ["! t1 is not open to watchers."]


def test_who_watches_is_told_so_before_what_is_on_the_table() -> None:
    world = World()
    ann, bob, cat = world.program("ann"), world.program("bob"), world.person("cat")
    world.game(ann, bob)
    for _ in range(3):
        world.on_turn().ok(f"move {_default(world)}")
    told = cat.say("watch t1")
    assert told[0].startswith("You watch t1: ")
    assert "leads" in " ".join(told[1:])


def _default(world: World, on: str = "t1") -> str:
    match = world.room(on).table.match
    assert match is not None
    assert match.question is not None
    assert match.question.default is not None
    return match.question.default


def test_one_person_has_so_many_tables_and_no_more() -> None:
    world = World(tables_each=3)
    ann = world.program("ann")
    for _ in range(3):
        ann.ok("open twentytwo")
    assert ann.err("open twentytwo") == "QUOTA"
    ann.ok("leave t1")
    ann.ok("open twentytwo")


def test_the_server_has_so_many_tables_and_no_more() -> None:
    world = World(most_tables=2)
    ann, bob = world.program("ann"), world.program("bob")
    ann.ok("open twentytwo")
    bob.ok("open twentytwo")
    reply = bob.ask("open twentytwo")
    assert reply.fields["code"] == "BUSY"
    assert int(reply.fields["wait"]) > 0


def test_whoever_is_gone_before_their_seat_is_kept_has_it_as_somebody_who_is_away() -> None:
    store = LateStore()
    world = World(store)
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.table(ann)
    store.late = True
    bob.hear("@1 join t1")
    cat.hear("@1 watch t1")
    bob.drop()
    cat.drop()
    store.late = False
    store.release()
    table = world.room().table
    assert [(seat.name, seat.here) for seat in table.seats] == [("~ann", True), ("~bob", False)]
    assert table.watchers == ()
    world.advance(120_000)
    assert list(world.room().table.names.values()) == ["~ann"]


def test_a_table_that_is_opened_when_its_host_is_gone_already_does_not_stay() -> None:
    store = LateStore()
    world = World(store)
    ann = world.program("ann")
    store.late = True
    ann.hear("@1 practice")
    ann.drop()
    store.late = False
    store.release()
    assert list(world.host.rooms) == ["t1"]
    world.advance(ABANDONED_AFTER_PRACTICE)
    assert (list(world.host.rooms), len(world.host.people)) == ([], 0)


def test_a_closed_table_is_gone_for_everybody() -> None:
    world = World()
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.table(ann, bob)
    cat.ok("watch t1")
    bob.lines.clear()
    cat.lines.clear()
    ann.ok("close")
    assert bob.words("t1") == ["LEFT", "LEFT"]
    assert cat.words("t1") == ["LEFT", "LEFT", "SHUT"]
    for peer in (ann, bob, cat):
        assert peer.err("state t1") == "NO_SUCH_TABLE"
        assert peer.err("score") == "NOT_SEATED"


def test_the_reply_of_swap_names_the_new_seat() -> None:
    ann = World().program("ann")
    ann.ok("open twentytwo")
    assert ann.ok("swap 3").fields["seat"] == "3"


def test_a_snapshot_over_the_wire_is_the_model_of_the_events() -> None:  # S1
    world = World()
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob)
    cat.ok("watch t1")
    for _ in range(25):
        for peer, seat in ((ann, 1), (bob, 2), (cat, None)):
            rows = [wire.decode(row) for row in peer.rows("state t1")]
            assert TableModel.from_rows(r for r in rows if r) == world.room().model(seat)
        world.on_turn().ok(f"move {_default(world)}")


def test_a_late_watcher_reads_the_very_bytes_that_an_early_one_did() -> None:
    world = World()
    ann, bob, early, late = (world.program(name) for name in ("ann", "bob", "eve", "lou"))
    world.table(ann, bob)
    early.ok("watch t1")
    early.say("sync t1 from=0")
    seen = early.say("sync t1 from=0")[:-1]
    ann.ok("start")
    for _ in range(10):
        world.on_turn().ok(f"move {_default(world)}")
    seen += early.take()
    late.ok("watch t1")
    assert late.say("sync t1 from=0")[: len(seen)] == seen


def test_options_that_were_changed_are_told_with_who_changed_them() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("open twentytwo")
    ann.ok("option exchange off")
    assert Option_("exchange", "off", "~ann") in [e.event for e in world.room().stream.after(0)]


def test_the_scores_stay_with_the_people_when_they_change_seats_after_a_game() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    while world.room().table.on_turn:
        world.on_turn().ok(f"move {_default(world)}")
    before = sorted(row.text or "" for row in ann.rows("score"))
    ann.ok("swap 2")
    assert sorted(row.text or "" for row in ann.rows("score")) == before


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ("60+120", "There are 60 s for each move, and 120 s in reserve."),
        ("20", "There are 20 s for each move."),
        ("0", None),
    ],
)
def test_who_joins_is_told_of_the_clock(clock: str, said: str | None) -> None:
    world = World()
    world.person("ann").say(f"open seats=2 clock={clock}")
    told = [line for line in world.person("bob").say("join t1") if line.startswith("There are")]
    assert told == [said] * bool(said)


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("twentytwo", "  counting on: cards that have gone"),
        ("twentyeight", "  counting on: suits that players are known to lack"),
        ("whist22", None),
    ],
)
def test_the_table_says_what_counting_shows_in_its_game(game: str, counts: str | None) -> None:
    ann = World().person("ann")
    ann.say(f"open {game}")
    told = [line for line in ann.say("table") if "counting" in line]
    assert told == [counts] * bool(counts)


def test_whoever_sits_at_a_table_that_is_closed_is_you() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open twentytwo seats=2")
    bob.say("join t1")
    assert "You leave seat 1: the table is closed." in ann.say("close", "close")
    assert bob.take()[-1] == "You leave seat 2: the table is closed."


def test_a_rematch_with_repeated_deals_says_that_they_are_the_same() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("practice bots=1 seed=22 first_hand=5 limit=10")
    bob.say("open twentytwo seats=2")
    match = world.room().table.match
    while match is not None and (asked := match.question) is not None:
        if asked.seat == 1 and asked.default is not None:
            ann.take()
            last = ann.say(asked.default.replace("+", " "))
        else:
            world.advance(1000)
            last = ann.take()
        match = world.room().table.match
    assert last[-1] == "rematch plays the same deals again, leave gets up."
    assert ann.say("rematch")[0] == "The same deals again: seed=22."
    assert not any("same deals" in line for line in bob.say("rematch"))
