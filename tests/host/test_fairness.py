"""The fair shuffle over a host: sealed, kept, told, logged, and the same after a restart."""

from __future__ import annotations

import hashlib
import logging

import pytest

from tests.kit.cases import together
from tests.kit.hosts import LateStore, Peer, World
from twentytwo_protocol.fair import commitment
from twentytwo_protocol.schema import edition
from twentytwo_server import facts
from twentytwo_server.host.commands.paging import USUAL
from twentytwo_server.table.table import Phase

HASH = hashlib.sha256(b"secret").hexdigest()


def table(world: World, *names: str) -> list[Peer]:
    """Programs at t1, the first its host, nobody ready."""
    first, *others = peers = [world.program(name) for name in names]
    first.ok(f"open twentytwo seats={max(2, len(peers))} clock=0")
    for peer in others:
        peer.ok("join t1")
    return peers


def begin(first: Peer, *others: Peer) -> None:
    for peer in others:
        peer.ok("ready t1")
    first.ok("start t1")


def over(world: World, first: Peer, *others: Peer) -> None:
    """The game is broken off by agreement."""
    for peer in (first, *others):
        peer.ok("abort t1")
    assert world.room().table.phase is Phase.OVER


def whole(world: World) -> list[str]:
    return [entry.whole_as_of(edition()) for entry in world.room().stream.after(0)]


def find(world: World, word: str) -> list[str]:
    return [line for line in whole(world) if line.startswith(f"{word} ")]


def kept(store: LateStore, kind: type[facts.Fact]) -> list[facts.Fact]:
    return [fact for batch, _ in store.waiting for fact in batch if isinstance(fact, kind)]


# -------------------------------------------------------------------------------- the words


def test_everybody_hears_of_the_seal_the_words_and_the_packs() -> None:
    world = World()
    ann, bob = table(world, "ann", "bob")
    (committed,) = find(world, "COMMITTED")
    assert "id=g1 no=1 alg=fd1 " in committed
    ann.take()
    assert bob.ok("seed kitten t1").fields["seat"] == "2"
    (seeded,) = [r for r in ann.events("t1") if r.word == "SEEDED"]
    assert (seeded.fields["seat"], seeded.fields["word"]) == ("2", "kitten")
    begin(ann, bob)
    (_, deal) = [r for r in bob.events("t1") if r.word == "SHUFFLED"]
    assert deal.fields["words"] == "-,kitten"
    assert deal.fields["cards"].startswith("2C,3C,")


def test_a_sealed_word_is_opened_before_the_first_card() -> None:
    world = World()
    ann, bob = table(world, "ann", "bob")
    bob.ok(f"seedhash {HASH} t1")
    assert "secret" not in "".join(whole(world))
    begin(ann, bob)
    (unseal,) = [r for r in bob.events("t1") if r.word == "UNSEAL"]
    assert (unseal.fields["unopened"], unseal.fields["ms"]) == ("2", "30000")
    assert world.room().table.phase is Phase.STARTING
    assert bob.err("seed wrong t1") == "BAD_ARG"
    bob.ok("seed secret t1")
    assert world.room().table.phase is Phase.PLAYING


def test_a_start_for_which_a_word_was_not_opened_is_called_off_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "twentytwo.host")
    world = World()
    ann, bob = table(world, "ann", "bob")
    bob.ok(f"seedhash {HASH} t1")
    begin(ann, bob)
    world.advance(30_000)
    (called_off,) = find(world, "CALLEDOFF")
    assert "unopened=2" in called_off
    assert world.room().table.phase is Phase.OPEN
    assert "~bob did not open a word" in caplog.text


def test_whoever_leaves_instead_of_opening_their_word_is_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "twentytwo.host")
    world = World()
    ann, bob = table(world, "ann", "bob")
    bob.ok(f"seedhash {HASH} t1")
    begin(ann, bob)
    bob.ok("leave")
    (called_off,) = find(world, "CALLEDOFF")
    assert "unopened=2" in called_off
    assert "~bob did not open a word" in caplog.text


# ---------------------------------------------------------------------------- keep, then tell


def test_the_secret_is_kept_before_its_seal_is_shown_to_anybody() -> None:
    store = LateStore()
    world = World(store)
    ann = world.program("ann")
    store.late = True
    ann.hear("@1 open twentytwo seats=2")
    assert ann.take() == []
    (promise,) = kept(store, facts.Promise)
    assert isinstance(promise, facts.Promise)
    (batch,) = [b for b, _ in store.waiting if promise in b]
    assert any(isinstance(fact, facts.Input) for fact in batch)
    store.release()
    (committed,) = [r for r in ann.events("t1") if r.word == "COMMITTED"]
    assert committed.fields["hash"] == promise.digest == commitment(promise.seed)


def test_fair_says_the_seal_of_a_game_that_runs_once() -> None:
    ann = World().person("ann")
    ann.say("practice bots=1")
    told = ann.say("fair")
    assert told[0] == "g1 is running." and told[1].startswith("Sealed as ")
    assert sum(told[1][10:22] in line for line in told) == 1


def test_the_words_are_kept_before_the_first_card_is_told() -> None:
    store = LateStore()
    world = World(store)
    ann, bob = table(world, "ann", "bob")
    bob.ok("seed kitten t1")
    bob.ok("ready t1")
    ann.take()
    store.late = True
    ann.hear("@1 start t1")
    assert ann.take() == []
    assert [getattr(f, "words", "") for f in kept(store, facts.Frozen)] == ["1=-,2=kitten"]
    store.release()
    assert "DEALT" in ann.words("t1")


def test_a_refused_opening_uses_up_no_number() -> None:
    world = World()
    ann = world.program("ann")
    assert ann.err("open twentytwo seats=99") == "BAD_ARG"
    table(world, "bob", "cat")
    assert "id=g1 no=1 " in find(world, "COMMITTED")[0]


# ------------------------------------------------------------------------------ a restart


def test_after_a_restart_the_seal_is_the_same_and_the_game_is_dealt_as_it_was_promised() -> None:
    world = World()
    ann, bob = table(world, "ann", "bob")
    bob.ok("seed kitten t1")
    before = find(world, "COMMITTED")
    world = world.restarted()
    assert find(world, "COMMITTED") == before
    ann, bob = (_back(world, peer) for peer in (ann, bob))
    begin(ann, bob)
    over(world, ann, bob)
    (revealed,) = find(world, "REVEALED")
    seed = revealed.partition("seed=")[2]
    assert f"hash={commitment(seed)}" in before[0]
    assert "words=-,kitten" in find(world, "SHUFFLED")[0]
    assert "id=g2 no=2 " in find(world, "COMMITTED")[1]


def _back(world: World, peer: Peer) -> Peer:
    again = world.peer()
    again.say("hello 1 client=test")
    again.ok(f"resume {peer.token} t1:0")
    return again


# --------------------------------------------------------------------------------- the log


def test_the_log_names_every_seal_and_keeps_the_seeds_of_games_that_are_not_over() -> None:
    world = World()
    ann, bob = table(world, "ann", "bob")
    begin(ann, bob)
    (row,) = ann.rows("fair g1")
    assert (row.fields["id"], row.fields["no"], row.fields["alg"]) == ("g1", "1", "fd1")
    assert not {"seed", "outcome", "words"} & row.fields.keys()
    chain = hashlib.sha256(f"|g1|{row.fields['hash']}".encode()).hexdigest()
    assert row.fields["chain"] == chain
    (row,) = ann.rows("fair log")
    assert not {"seed", "words"} & row.fields.keys()


def test_of_a_game_that_is_over_the_log_tells_all() -> None:
    world = World()
    ann, bob = table(world, "ann", "bob")
    bob.ok("seed kitten t1")
    begin(ann, bob)
    over(world, ann, bob)
    (row,) = bob.rows("fair g1")
    assert commitment(row.fields["seed"]) == row.fields["hash"]
    assert (row.fields["words"], row.fields["outcome"]) == ("-,kitten", "aborted")
    assert [r.fields["id"] for r in bob.rows("fair log")] == ["g2", "g1"]
    assert [r.fields["id"] for r in bob.rows("fair 1")] == ["g1"]


def test_who_may_know_of_a_game_may_know_of_its_seal_and_nobody_else() -> None:
    world = World()
    ann, zed = world.program("ann"), world.program("zed")
    ann.ok("practice bots=1")
    for over in (False, True):
        if over:
            ann.ok("resign")
        (mine,) = ann.rows("fair g1")
        assert ("seed" in mine.fields) is over
        ann.ok("game g1")
        assert zed.err("fair g1") == zed.err("game g1") == "NO_SUCH_GAME"
        unknown, hidden = zed.ask("fair g9"), zed.ask("fair g1")
        assert unknown.text == (hidden.text or "").replace("g1", "g9")
    assert [row.fields["id"] for row in zed.rows("fair log")][-1] == "g1"


def test_a_game_to_come_is_known_where_its_table_is() -> None:
    world = World()
    ann, zed = world.program("ann"), world.program("zed")
    ann.ok("open twentytwo private=kiwi")
    assert zed.err("fair g1") == "NO_SUCH_GAME"
    ann.ok("invite zed")
    assert len(zed.rows("fair g1")) == len(ann.rows("fair g1")) == 1


def test_what_was_never_sealed_is_refused() -> None:
    world = World()
    ann = world.program("ann")
    assert ann.err("fair g7") == "NO_SUCH_GAME"
    assert ann.rows("fair log") == []


# ------------------------------------------------------------------------------- for people


def test_a_person_reads_of_the_seal_in_one_line_and_nothing_of_the_packs() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    said = ann.say("open twentytwo seats=2 clock=0")
    (line,) = [line for line in said if "sealed" in line]
    assert line.startswith("The deck for g1 is sealed: ")
    ann.take()
    assert any("adds your luck" in line for line in bob.say("join t1"))
    ann.take()
    bob.say("seed kitten")
    assert "~bob's word for the shuffle: kitten" in ann.take()
    bob.say("ready")
    game = "\n".join(ann.say("start"))
    assert not [line for line in game.split("\n") if "2C 3C 4C" in line]
    assert len(game.split("\n")) < 12


def test_a_person_can_look_the_seal_up() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("practice bots=1")
    assert any("Its seed is told" in line for line in ann.say("fair g1"))
    ann.say("resign", "resign")
    shown = ann.say("fair g1")
    assert any(line.startswith("seed") for line in shown)
    assert any("help fair" in line for line in shown)
    assert any("ended by resignation" in line for line in ann.say("fair log"))


def proved(world: World, *lines: str) -> str:
    """What `fair` says of the last game, after a practice game and these lines have been typed."""
    ann = world.person("ann")
    for line in lines:
        ann.say(line)
        if line == "resign":
            ann.say(line)  # it is asked first
    game = world.room().table.match
    assert game is not None
    said = ann.say(f"fair {game.terms.id}")
    figures = next(n for n, each in enumerate(said) if "sealed as" in each)
    return " ".join(map(str.strip, said[:figures]))


def test_a_person_is_told_in_one_sentence_what_is_proved_and_what_is_not() -> None:
    assert proved(World(), "practice bots=1", "resign") == (
        "g1, ended by resignation. It is proved that no card was changed after the start; it is "
        "not proved that the deals were left to chance, because nobody added a word."
    )
    assert proved(World(), "practice bots=1", "resign", "seed kitten", "rematch", "resign") == (
        "g2, ended by resignation. It is proved that the deals were left to chance, if one of "
        "the words is yours; it is not proved that nobody looked at the cards."
    )
    assert proved(World(), "practice bots=1 seed=7", "resign") == (
        "g1, ended by resignation. Nothing is proved: with its seed=N anybody could know these "
        "deals beforehand."
    )


def test_at_a_practice_table_the_seal_is_a_line_at_the_beginning_and_one_at_the_end() -> None:
    ann = World().person("ann")
    begin = ann.say("practice bots=1")
    (line,) = [line for line in begin if "sealed" in line or "shuffle" in line]
    assert line.startswith("The deck for g1 is sealed: ")
    assert begin.index(line) < next(n for n, each in enumerate(begin) if "Hand 1" in each)
    end = ann.say("resign", "resign")
    (line,) = [line for line in end if "deck" in line or "sealed" in line]
    assert line == "The deck of g1 is opened: fair g1 shows all you need to check it."
    (line,) = [line for line in ann.say("practice bots=1 seed=7") if "deals of" in line]
    assert line.endswith("can be repeated, by anybody.")


def test_a_program_at_a_practice_table_hears_all_of_the_seal() -> None:
    ann = World().program("ann")
    ann.ok("practice bots=1")
    ann.ok("resign")
    words = [record.word for record in ann.records()]
    assert words.count("REVEALED") == 1
    assert "COMMITTED" in words


def test_a_table_that_is_opened_with_bots_shows_its_seal_too() -> None:
    said = World().person("ann").say("open seats=3 bots=1")
    (line,) = [line for line in said if line.startswith("The deck for g1 is sealed: ")]
    assert line.endswith("Type seed anything to add luck.")


def before_the_first_cards(told: list[str]) -> list[str]:
    """The lines between the beginning of a game and its first hand."""
    begins = next(n for n, line in enumerate(told) if line.startswith("*** A game of"))
    return told[begins : next(n for n, line in enumerate(told) if line.startswith("--- Hand 1"))]


@together("game", ["twentytwo", "twentysix", "whist22", "twentyeight"])
def test_one_line_of_the_seal_and_no_draw_stands_before_the_first_card(game: str) -> None:
    ann = World().person("ann")
    for typed in (f"practice {game}", "rematch"):
        lines = before_the_first_cards(told := ann.say(typed))
        assert len([line for line in lines if "sealed" in line]) == 1
        assert not [line for line in told if "for the deal" in line or "word" in line]
        ann.say("abort", "abort")


def test_among_people_the_seal_is_read_before_the_word_and_no_draw_is_told() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=3 clock=0", "addbot")
    bob.say("join t1", "ready")
    ann.take()
    told = ann.say("start")
    assert before_the_first_cards(told)[1:] in ([], ["    out."])
    assert not [line for line in told + bob.take() if "draws" in line]


def test_fair_alone_tells_the_whole_seal_the_words_and_the_draws_before_the_game_is_over() -> None:
    world = World()
    ann, bob, cat = world.person("ann"), world.person("bob"), world.program("cat")
    ann.say("open seats=3 clock=0")
    (committed,) = find(world, "COMMITTED")
    hash = committed.rpartition("hash=")[2]
    sealed = hashlib.sha256(b"cat-word").hexdigest()
    bob.say("join t1", "seed kitten")
    cat.ok("join t1")
    cat.ok(f"seedhash {sealed}")
    ann.take()
    told = " ".join(" ".join(ann.say("fair")).split())
    assert f"Sealed as {hash}. ~cat's word is sealed: {sealed}. ~bob's word for" in told
    bob.say("ready")
    cat.ok("ready")
    ann.say("start")
    cat.ok("seed cat-word")
    assert not [line for line in ann.take() if "cat-word" in line or "draws" in line]
    told = " ".join(" ".join(ann.say("fair")).split())
    assert f"Sealed as {hash}. ~bob's word for the shuffle: kitten." in told
    assert "~cat's word for the shuffle: cat-word. Drawn for the first deal: you " in told


# --------------------------------------------------------------------------- far back in the log


def sealed_decks(count: int) -> tuple[World, Peer]:
    """A server that has sealed so many decks, and somebody there."""
    world = World(tables_each=count)
    ann = world.program("ann")
    for _ in range(count):
        ann.ok("open twentytwo")
    return world, ann


def test_the_whole_log_can_be_read_a_page_after_the_other() -> None:
    _, ann = sealed_decks(2 * USUAL + 3)
    pages = ann.pages("fair log")
    assert list(map(len, pages)) == [USUAL, USUAL, 3]
    numbers = [int(row.fields["no"]) for page in pages for row in page]
    assert numbers == list(range(2 * USUAL + 3, 0, -1))


def test_people_are_told_how_to_read_on() -> None:
    world, _ = sealed_decks(USUAL + 1)
    bob = world.person("bob")
    assert bob.say("fair log")[-1].endswith("fair log after=2 shows more.")
    assert "shows more" not in "".join(bob.say("fair log after=2"))


def test_a_page_begins_before_a_number_of_the_log() -> None:
    _, ann = sealed_decks(1)
    assert ann.err("fair log after=0") == "BAD_ARG"
    assert ann.err("fair g1 after=2") == "BAD_ARG"
    assert ann.rows("fair log after=1") == []
