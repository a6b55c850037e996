"""Pairs of tables: the same deals at both, nobody sees ahead, and both are compared at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from tests.host.test_accounts import PASSWORD, account, default
from tests.kit.cases import together
from tests.kit.hosts import LateStore, Peer, World
from twentytwo_client.core.fairness import FairnessAgent
from twentytwo_protocol.fair import FairShuffle, commitment
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.cardplay import Dealt, Drew, Game_
from twentytwo_protocol.words.fairness import Shuffled
from twentytwo_server.facts import GameEnded
from twentytwo_server.host.tables.set_aside import SetAsideTable
from twentytwo_server.operator.record import record
from twentytwo_server.session.streams import Entry
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table.table import Phase


def pair(
    *names: str, hands: int = 2, game: str = "twentytwo", world: World | None = None
) -> tuple[World, list[Peer]]:
    """People at t1 and t2 by turns, the first of whom has opened both; all have said a word."""
    world = world or World()
    peers = [world.program(name) for name in names or ("ann", "eve")]
    seats = 2 if game == "twentytwo" else 4
    assert peers[0].ok(f"open {game} seats={seats} clock=0 duplicate={hands}").fields["on"] == "t1"
    for n, peer in enumerate(peers[1:], 1):
        peer.ok(f"join t{n % 2 + 1}")
    for n, peer in enumerate(peers):
        peer.ok(f"seed word{n}")
    for peer in peers[1:]:
        peer.ok("ready")
    return world, peers


def started(*names: str, hands: int = 2, game: str = "twentytwo") -> tuple[World, list[Peer]]:
    world, peers = pair(*names, hands=hands, game=game)
    peers[0].ok("start t1")
    return world, peers


def play_out(world: World, on: str) -> None:
    """Plays the default moves at a table until its game is over."""
    world.clock.settle()
    while world.room(on).table.phase is Phase.PLAYING:
        world.on_turn(on).ok(f"move {default(world, on)} {on}")
        world.clock.settle()


def told(world: World, on: str) -> list[Entry]:
    return list(world.room(on).stream.after(0))


def words(world: World, on: str) -> list[str]:
    return [entry.event.word.word for entry in told(world, on)]


def row(peer: Peer, line: str) -> ParsedLine:
    return peer.rows(line)[0]


def test_both_tables_are_dealt_the_same_cards_from_the_words_of_both() -> None:
    world, _ = started("ann", "eve", "bob", "fay")
    packs = [
        [e.event for e in told(world, on) if isinstance(e.event, Shuffled)] for on in ("t1", "t2")
    ]
    hands = [
        [e.event for e in told(world, on) if isinstance(e.event, Dealt)] for on in ("t1", "t2")
    ]
    assert packs[0] == packs[1] != []
    assert hands[0] == hands[1] != []
    assert {shuffle.words for shuffle in packs[0]} == {("word0", "word2", "word1", "word3")}


def test_the_words_of_a_pair_are_in_the_order_in_which_the_tables_were_opened() -> None:
    world = World()
    for _ in range(8):
        world.program("earlier").ok("open twentytwo")
    ann, eve = world.program("ann"), world.program("eve")
    assert ann.ok("open twentytwo seats=2 clock=0 duplicate=1").fields["on"] == "t9"
    eve.ok("join t10")
    for peer, word in ((ann, "first"), (eve, "second")):
        peer.ok(f"seed {word}")
    eve.ok("ready")
    ann.ok("start t9")
    for on in ("t9", "t10"):
        shuffle = next(e.event for e in told(world, on) if isinstance(e.event, Shuffled))
        assert shuffle.words == ("first", "-", "second", "-")


@pytest.mark.parametrize("game", ["twentytwo", "twentysix", "whist22", "twentyeight"])
def test_all_four_games_are_compared_seat_for_seat(game: str) -> None:
    world, (ann, *_) = started("ann", "eve", "bob", "fay", hands=1, game=game)
    play_out(world, "t1")
    play_out(world, "t2")
    here = next(e.event for e in told(world, "t1") if e.event.word.word == "COMPARED")
    there = next(e.event for e in told(world, "t2") if e.event.word.word == "COMPARED")
    assert (here.table, there.table) == ("t2", "t1")  # type: ignore[attr-defined]
    points = here.ahead  # type: ignore[attr-defined]
    assert points == tuple(-p for p in there.ahead)  # type: ignore[attr-defined]
    assert sum(points) == 0
    assert set(here.names) >= {"~eve", "~fay"}  # type: ignore[attr-defined]
    assert [r.word for r in ann.rows("game g1")].count("COMPARED") == 1


def test_the_deck_is_opened_at_both_when_both_are_done_and_not_before() -> None:
    world, (ann, eve) = started(hands=1)
    play_out(world, "t1")
    assert "REVEALED" not in words(world, "t1")
    for peer in (ann, eve):
        found = row(peer, f"fair {'g1' if peer is ann else 'g2'}")
        assert "seed" not in found.fields
    for line in ("export g1", "export g1 form=record", "game g1", "replay g1", "whatif g1"):
        assert ann.err(line) == "GAME_RUNNING"
        assert eve.err(line) == "NO_SUCH_GAME"
    assert ann.err("review g1") == "GAME_RUNNING"
    play_out(world, "t2")
    for on, game, peer in (("t1", "g1", ann), ("t2", "g2", eve)):
        assert words(world, on)[-2:] == ["COMPARED", "COMMITTED"] or "LEFT" in words(world, on)[-4:]
        seen = row(peer, f"fair {game}").fields
        assert commitment(seen["seed"]) == seen["hash"]
        assert seen["alg"] == "duplicate"
    # Now each may look at the other's game.
    assert row(eve, "game g1").fields["id"] == "g1"
    assert row(ann, "game g2").fields["id"] == row(ann, "fair g2").fields["id"] == "g2"


def test_the_shuffles_are_those_of_the_seed_and_the_words_of_both() -> None:
    world, (ann, _) = started(hands=1)
    play_out(world, "t1")
    play_out(world, "t2")
    fair = FairShuffle(row(ann, "fair g1").fields["seed"], "duplicate", "1=word0,2=-,3=word1,4=-")
    for on in ("t1", "t2"):
        first = next(e.event for e in told(world, on) if isinstance(e.event, Shuffled))
        drawn = [e.event.card for e in told(world, on) if isinstance(e.event, Drew)]
        assert len(drawn) >= 2
        assert tuple(drawn) == fair.house(1, first.cards)[: len(drawn)]


def test_the_records_of_a_pair_tell_the_seed_and_are_checked_together(tmp_path: Path) -> None:
    world, (ann, eve) = started(hands=1)
    play_out(world, "t1")
    play_out(world, "t2")
    texts = [
        "".join(f"{line.text or ''}\n" for line in peer.rows(f"export {game} form=record"))
        for peer, game in ((ann, "g1"), (eve, "g2"))
    ]
    files = [tmp_path / name for name in ("one", "two")]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    done = CliRunner().invoke(record, ["check", *map(str, files)])
    assert done.exit_code == 0
    *each, both = done.stdout.splitlines()
    assert all(line.endswith("shuffles follow from the seed (duplicate)") for line in each)
    assert both == f"{files[0]} and {files[1]}: OK, dealt the same cards"
    # With another word the shuffles are others; and so they are if another pack was dealt.
    assert "\nwords word0,-,word1,-\n" in texts[0]
    files[0].write_text(texts[0].replace("\nwords word0,", "\nwords word9,"))
    done = CliRunner().invoke(record, ["check", *map(str, files)])
    assert done.exit_code == 5
    assert "the shuffle does not follow from the seed and the words" in done.stdout


def agent_at(world: World, on: str, me: int) -> str:
    """What the bundled client says of the deals, of the events that a seat was shown."""
    agent, model = FairnessAgent(lambda: "unused"), TableModel(on, me=me)
    found = ""
    for entry in told(world, on):
        event = entry.seen_by(me)
        model.see(event, entry.seq)
        if event.word.word == "COMMITTED":
            agent.see(event, model)
            for n in range(4):
                agent.said(f"word{n}")
            continue
        verdict = agent.see(event, model)
        found = str(verdict) if verdict is not None else found
    return found


def test_everybody_at_either_table_can_check_the_deals() -> None:
    world, _ = started("ann", "eve", "bob", "fay", hands=2)
    play_out(world, "t2")
    play_out(world, "t1")
    for on in ("t1", "t2"):
        assert [agent_at(world, on, seat) for seat in (1, 2)] == ["fair: OK", "fair: OK"]


def test_people_read_the_comparison_and_find_it_again() -> None:
    world = World()
    ann, eve = world.person("ann"), world.person("eve")
    ann.say("open twentytwo seats=2 clock=0 duplicate=1")
    eve.say("join t2", "ready")
    ann.say("start")
    for on, peer in (("t1", ann), ("t2", eve)):
        world.clock.settle()
        while world.room(on).table.phase is Phase.PLAYING:
            peer.hear(f"move {default(world, on)}")
            world.clock.settle()
    text = " ".join(" ".join(ann.take()).split())
    assert "*** The same cards here and at t2, seat for seat: You are" in text
    assert "~eve" in text
    again = " ".join(" ".join(ann.say("game last")).split())
    assert "seat for seat: ~ann is" in again


def test_nobody_watches_either_table_nor_sits_at_both() -> None:
    world, (ann, eve) = pair()
    gus = world.program("gus")
    assert gus.err("watch t1") == gus.err("watch t2") == "FORBIDDEN"
    assert ann.err("join t2") == eve.err("join t1") == "ALREADY_SEATED"
    assert gus.err("open twentytwo duplicate=2 watch=open") == "BAD_ARG"


def test_a_guest_at_one_table_does_not_log_in_as_who_sits_at_the_other() -> None:
    world = World()
    ann, gus = account(world), world.program("gus")
    ann.ok("open twentytwo seats=2 duplicate=1")
    gus.ok("join t2")
    assert gus.err(f"login ann :{PASSWORD}") == "FORBIDDEN"
    gus.ok("leave t2")
    gus.ok(f"login ann :{PASSWORD}")


@together("more", ["rated=1", "bots=1", "duplicate=0", "duplicate=51"])
def test_what_cannot_be_a_pair_is_refused(more: str) -> None:
    world = World()
    ann = world.program("ann")
    assert ann.err(f"open twentytwo duplicate=2 {more}") in ("BAD_ARG", "FORBIDDEN", "BAD_SYNTAX")
    assert world.host.rooms == {}


def test_empty_seats_are_taken_by_bots_of_one_level_and_given_up_after_the_game() -> None:
    world, _ = pair("ann", "eve")
    ann, eve = world.peers
    on = ann.ok("open twentytwo seats=4 clock=0 level=easy duplicate=1").fields["on"]
    other = world.room(on).table.settings.twin
    eve.ok(f"join {other}")
    eve.ok(f"ready {other}")
    ann.ok(f"start {on}")
    for each in (on, other):
        assert [seat.level for seat in world.room(each).table.seats] == ["", "easy", "easy", "easy"]
        play_out(world, each)
    assert len(world.room(on).table.seats) == len(world.room(other).table.seats) == 1


def test_a_start_needs_somebody_at_each_everybody_ready_and_a_host() -> None:
    world = World()
    ann, eve, bob = (world.program(name) for name in ("ann", "eve", "bob"))
    ann.ok("open twentytwo seats=2 clock=0 duplicate=1")
    assert ann.err("start t1") == "NOT_ENOUGH_PLAYERS"
    eve.ok("join t2")
    bob.ok("join t2")
    assert ann.err("start t1") == "NOT_READY"
    eve.ok("ready")
    bob.ok("ready")
    assert bob.err("start t2") == "NOT_HOST"
    assert eve.err("start t2") == "NOT_READY"
    ann.ok("start t1")
    assert world.room("t2").table.phase is Phase.PLAYING
    again = ann.ask("start t1")
    assert again.fields["code"] == "GAME_RUNNING"
    assert "hand shows where it stands" in (again.text or "")
    play_out(world, "t1")
    assert ann.ask("start t1").text == "t2 still plays these cards; then both are compared."


def test_rules_bots_and_sealed_words_stay_as_they_are_at_a_pair() -> None:
    _, (ann, _) = pair()
    for line in ("option exchange off t1", "addbot t1", f"seedhash {64 * 'a'} t1"):
        assert ann.err(line) == "FORBIDDEN"


def test_another_game_begins_at_both_when_everybody_wants_it_and_from_a_new_deck() -> None:
    world, (ann, eve) = started(hands=1)
    play_out(world, "t1")
    assert ann.err("rematch") == ann.err("ready") == ann.err("seed luck") == "GAME_RUNNING"
    play_out(world, "t2")
    hashes = {world.room(on).table.promised.digest for on in ("t1", "t2")}  # type: ignore[union-attr]
    assert len(hashes) == 1
    assert hashes != {row(ann, "fair g1").fields["hash"]}
    ann.ok("rematch")
    assert world.room("t1").table.phase is Phase.OVER
    eve.ok("ready")
    for on in ("t1", "t2"):
        assert world.room(on).table.phase is Phase.PLAYING
        assert [e.event for e in told(world, on) if isinstance(e.event, Shuffled)][-1].words == (
            "-",
            "-",
            "-",
            "-",
        )


def test_a_game_that_is_broken_off_is_not_compared() -> None:
    world, (ann, eve) = started()
    ann.ok("abort")
    assert "REVEALED" not in words(world, "t1")
    play_out(world, "t2")
    for on in ("t1", "t2"):
        event = next(e.event for e in told(world, on) if e.event.word.word == "COMPARED")
        assert event.ahead is None  # type: ignore[attr-defined]
        assert "REVEALED" in words(world, on)
    assert eve.ok("ready")


def test_who_leaves_makes_room_and_the_pair_closes_when_nobody_is_left() -> None:
    world, (ann, eve) = pair()
    eve.ok("leave t2")
    assert list(world.host.rooms) == ["t1", "t2"]
    bob = world.program("bob")
    bob.ok("join t2")
    assert world.room("t2").table.host == "~bob"
    bob.ok("leave t2")
    ann.ok("leave t1")
    assert world.host.rooms == {}
    assert world.host.tables.count == 0


def test_the_last_to_leave_a_running_game_breaks_it_off_and_the_other_goes_on() -> None:
    world, (ann, eve) = started()
    ann.ok("leave t1")
    assert world.room("t1").table.phase is Phase.OVER
    play_out(world, "t2")
    assert words(world, "t2").count("COMPARED") == 1
    eve.ok("leave t2")
    assert world.host.rooms == {}


def test_closing_one_closes_both_but_not_while_the_other_plays() -> None:
    world, (ann, eve) = started(hands=1)
    play_out(world, "t1")
    assert ann.err("close t1") == "GAME_RUNNING"
    play_out(world, "t2")
    assert ann.ok("close t1")
    assert world.host.rooms == {}
    assert eve.err("ready") == "NOT_SEATED"


def test_a_private_pair_is_joined_by_its_word_where_fewer_are() -> None:
    world = World()
    ann, eve, bob = (world.program(name) for name in ("ann", "eve", "bob"))
    ann.ok("open twentytwo seats=2 duplicate=1 private=kiwi")
    assert eve.err("join t2") == "NO_SUCH_TABLE"
    assert eve.ok("join kiwi").fields["on"] == "t2"
    assert bob.ok("join kiwi").fields["on"] == "t1"


# ------------------------------------------------------------------------------ restarts


def back(world: World, *peers: Peer) -> list[Peer]:
    found = []
    for peer in peers:
        again = world.peer()
        again.say("hello 1 client=test")
        again.name = again.ok(f"resume {peer.token}").fields["name"]
        found.append(again)
    return found


@pytest.mark.parametrize("done", [(), ("t1",), ("t2",), ("t1", "t2")])
def test_a_pair_goes_on_after_a_kill_and_is_compared(done: tuple[str, ...]) -> None:
    world, peers = started(hands=1)
    for on in done:
        play_out(world, on)
    world = world.restarted()
    back(world, *peers)
    play_out(world, "t1")
    play_out(world, "t2")
    for on in ("t1", "t2"):
        assert words(world, on).count("REVEALED") == words(world, on).count("COMPARED") == 1
    assert len({world.room(on).table.promised.digest for on in ("t1", "t2")}) == 1  # type: ignore[union-attr]


def test_a_kill_between_the_end_and_the_comparison_loses_neither() -> None:
    store = LateStore()
    world, peers = pair("ann", "eve", "bob", "fay", world=World(store), hands=1)
    peers[0].ok("start t1")
    play_out(world, "t1")
    while True:
        move = default(world, "t2")
        last = world.on_turn("t2")
        store.late = True
        last.hear(f"move {move} t2")
        store.release("t2")  # what this led to is not kept any more
        if world.room("t2").table.phase is Phase.OVER:
            break
        store.late = False
        store.release()
        world.clock.settle()
    assert "COMPARED" not in words(world, "t1")
    store.waiting.clear()
    store.late = False
    world = world.restarted()
    for on in ("t1", "t2"):
        assert words(world, on).count("COMPARED") == 1


def test_what_both_are_told_together_is_in_one_transaction() -> None:
    store = LateStore()
    world, (ann, _) = pair(world=World(store))
    store.late = True
    ann.hear("start t1")
    ((facts, _),) = store.waiting
    assert {fact.table for fact in facts if hasattr(fact, "order")} == {"t1", "t2"}  # type: ignore[union-attr]
    assert world.room("t1").table.phase is world.room("t2").table.phase is Phase.OPEN
    store.release()
    assert world.room("t1").table.phase is world.room("t2").table.phase is Phase.PLAYING


def test_a_table_whose_other_is_set_aside_keeps_the_deck_to_itself() -> None:
    world, peers = started(hands=1)
    play_out(world, "t1")
    world.host.rooms.remove(world.room("t2"))
    world.host.set_aside.add(SetAsideTable("t2", "test", True, {}, frozenset({"g2"})))
    world.host.pairs.changed(world.room("t1"))
    assert "REVEALED" not in words(world, "t1")
    assert peers[0].err("ready") == "FORBIDDEN"


def test_a_game_of_a_pair_says_how_many_hands_were_set_while_it_runs_and_when_it_is_over() -> None:
    world, (ann, eve) = started(hands=2)
    begun = [e.event for e in told(world, "t1") if isinstance(e.event, Game_)]
    assert [each.hands for each in begun] == [2]
    (state,) = [each for each in ann.rows("state t1") if each.word == "STATE"]
    assert state.fields["hands"] == "2"
    assert row(ann, "game g1").fields["hands"] == "2"
    ann.ok("abort t1")
    play_out(world, "t2")
    assert [row(eve, f"game {game}").fields["hands"] for game in ("g1", "g2")] == ["2", "2"]
    cat = world.program("cat")
    cat.ok("practice bots=1")
    assert "hands" not in row(cat, "game last").fields


def test_a_game_of_a_pair_from_before_records_had_the_hands_that_were_set_tells_them() -> None:
    class Older(MemoryStore):
        def game(self, game: str, done: Callable[[GameEnded | None], None]) -> None:
            super().game(game, lambda found: done(found and as_before(found)))

    def as_before(game: GameEnded) -> GameEnded:
        assert "\nhands 2\n" in game.record
        return replace(game, record=game.record.replace("\nhands 2\n", "\n"))

    world, (ann, _) = pair("ann", "eve", world=World(Older()), hands=2)
    ann.ok("start t1")
    play_out(world, "t1")
    play_out(world, "t2")
    assert row(ann, "game g1").fields["hands"] == "2"


def test_who_wishes_for_another_game_at_a_pair_reads_whom_it_waits_for_at_both_tables() -> None:
    world = World()
    ann, eve, bob, fay = (world.person(name) for name in ("ann", "eve", "bob", "fay"))
    ann.say("open twentytwo seats=2 clock=0 duplicate=1")
    bob.say("join t1", "ready")
    for each in (eve, fay):
        each.say("join t2", "ready")
    ann.say("start")
    for on in ("t1", "t2"):
        world.clock.settle()
        while (match := world.room(on).table.match) and not match.over:
            world.on_turn(on).say(f"move {default(world, on)}")
            world.clock.settle()
    agree = "You would like to rematch; ~bob must agree."
    assert ann.say("rematch") == ["At t2 ~eve and ~fay must agree, too.", "You are ready.", agree]
    assert eve.say("rematch")[0] == "At t1 ~bob must agree, too."
    assert fay.say("ready")[0] == "At t1 ~bob must agree, too."
    assert bob.say("rematch")[0] == "You are ready."


def test_each_hand_of_a_pair_says_of_how_many_it_is_one() -> None:
    world = World()
    ann, eve = world.person("ann"), world.person("eve")
    ann.say("open twentytwo seats=2 clock=0 duplicate=2")
    eve.say("join t2")
    eve.say("ready")
    begun = ann.say("start")
    assert "After 2 hands the score decides." in begun
    assert [line[:16] for line in begun if line.startswith("--- Hand")] == ["--- Hand 1 of 2:"]


def test_people_at_a_pair_are_told_how_long_it_goes_whom_they_are_compared_with_and_what_next() -> (
    None
):
    world = World()
    ann, eve = world.person("ann"), world.person("eve")
    ann.say("open whist22 seats=3 clock=0 duplicate=1")
    joined = eve.say("join t2")
    assert "t1 is dealt the same cards, and compared with t2 after 1 hand." in joined
    assert "  dealt the same as t1, compared after 1 hand" in eve.say("table")
    eve.say("ready")
    begun = " ".join(map(str.strip, ann.say("start")))
    assert "when somebody has none left, or sooner: after 1 hand the score decides" in begun
    for on in ("t2", "t1"):
        world.clock.settle()
        while (match := world.room(on).table.match) and not match.over:
            world.on_turn(on).say(f"move {default(world, on)}")
            world.clock.settle()
    lines = ann.take()
    assert lines.count("t2 has the same cards; when it is done, too, the two are compared.") == 1
    compared = lines[next(n for n, x in enumerate(lines) if x.startswith("*** The same cards")) :]
    assert compared[2].startswith("  bot:steady here is ") and compared[2].endswith(" at t2")
    assert sum(line.startswith("rematch plays another") for line in lines) == 1
    assert compared[5] == "rematch plays another, leave gets up."
    assert not any("rematch" in line for line in ann.say("game"))


@pytest.mark.parametrize("leaves", [False, True])
def test_a_guest_who_becomes_an_account_is_compared_under_the_new_name(leaves: bool) -> None:
    world, (ann, *_) = started("ann", "eve", hands=1)
    play_out(world, "t1")
    if leaves:
        ann.ok("leave t1")
    ann.ok(f"register zoe :{PASSWORD}")
    play_out(world, "t2")
    there = next(e.event for e in told(world, "t2") if e.event.word.word == "COMPARED")
    assert "zoe" in there.names  # type: ignore[attr-defined]
