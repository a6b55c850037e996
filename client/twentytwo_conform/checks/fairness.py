"""Section 21: the fair shuffle at a table."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from itertools import pairwise

from ..check import cases, fixture, quotes
from ..connections import Program, Record, Table, of
from ..fixtures import Connect, Open

SECRET = "correct-horse"
HASH = hashlib.sha256(SECRET.encode()).hexdigest()


@fixture
def pair(table: Open) -> Table:
    """A table of two with fair deals; all players but the host are ready."""
    return table(2, "options=first_hand:5,limit:10", start=False)


def last(client: Program, word: str) -> Record:
    """The last event of a word that a client has received."""
    client.ask("ping")
    return [event for event in client.events if event.word == word][-1]


def words_of(client: Program) -> list[str]:
    """The words of the events since the last call."""
    return [event.word for event in client.catch_up()]


def begin(table: Table) -> None:
    """Starts the game: the guest says ready, and the host starts."""
    table.seats[1].must(f"ready {table.on}")
    table.host.must(f"start {table.on}")


def end(table: Table) -> None:
    """Aborts the game; both players agree."""
    for client in table.seats:
        client.must(f"abort {table.on}")


def shuffled(cards: list[str], seed: str, message: str) -> list[str]:
    """The shuffled pack, computed as described in fair.md."""
    key = hmac.new(seed.encode(), message.encode(), hashlib.sha512).hexdigest().encode()

    def stream() -> Iterator[int]:
        for block in range(16):
            yield from hmac.new(key, str(block).encode(), hashlib.sha512).digest()

    source = stream()
    for i in range(len(cards) - 1, 0, -1):
        while (byte := next(source)) >= 256 - 256 % (i + 1):
            pass
        j = byte % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


@quotes("`hash` is the sha256 of its seed", "X1")
@quotes("the sha256 of it", "X3")
@quotes("`words` are the words by seat, `-` where there is none", "X7")
@quotes("comes before the first `RESULT` or `ABORTED` of every game", "X8")
def a_deal_follows_from_the_seed_that_was_sealed_and_the_words(pair: Table) -> None:
    ann, bob = pair.seats
    ann.must(f"sync {pair.on} from=0")
    sealed = last(ann, "COMMITTED")
    bob.must(f"seed kitten {pair.on}")
    begin(pair)
    assert last(ann, "GAME")["id"] == sealed["id"]
    bob.ask("ping")
    shuffles = of("SHUFFLED", bob.on(pair.on))
    assert [event["no"] for event in shuffles] == ["1", "2"]
    assert {event["words"] for event in shuffles} == {"-,kitten"}
    mine = next(e for e in bob.on(pair.on) if e.word == "DEALT" and "cards" in e.fields)
    first = next(e for e in bob.on(pair.on) if e.word == "DEALT")
    assert not of("REVEALED", bob.on(pair.on))
    bob.take()
    end(pair)
    heard = words_of(bob)
    assert heard.index("REVEALED") < heard.index("ABORTED")
    seed = last(bob, "REVEALED")["seed"]
    assert hashlib.sha256(seed.encode()).hexdigest() == sealed["hash"]
    message = f"fd1|{sealed['id']}|2|1=-,2=kitten"
    deck = shuffled(shuffles[1]["cards"].split(","), seed, message)
    index = 0 if first["seat"] == mine["seat"] else 1
    assert sorted(mine["cards"].split(",")) == sorted(deck[index:10:2])


@quotes("It comes when a table is opened and again when a game is over", "X1")
def the_next_deck_is_sealed_when_a_game_is_over(pair: Table) -> None:
    ann, _ = pair.seats
    ann.must(f"sync {pair.on} from=0")
    before = last(ann, "COMMITTED")
    ann.must(f"start {pair.on}")
    end(pair)
    after = last(ann, "COMMITTED")
    assert after.number("no") > before.number("no")
    assert after["id"] != before["id"]


@quotes("A later word replaces it, at most three times; then it is `QUOTA`", "X2")
@quotes("nobody is ready any longer", "X4")
def a_word_is_told_replaced_three_times_and_makes_everybody_say_ready_again(
    pair: Table,
) -> None:
    ann, bob = pair.seats
    ann.must(f"seed kitten {pair.on}")
    assert (last(bob, "SEEDED")["seat"], last(bob, "SEEDED")["word"]) == ("1", "kitten")
    ready = last(bob, "READY")
    assert (ready["seat"], ready["ready"]) == ("2", "0")
    assert ann.ask(f"start {pair.on}").code == "NOT_READY"
    for word in ("puppy", "foal", "calf"):
        ann.must(f"seed {word} {pair.on}")
    assert ann.ask(f"seed lamb {pair.on}").code == "QUOTA"


@quotes("A word is 1 to 64 letters, digits, `-` and `_`, and not `-` alone", "X2")
@cases("word", ["-", "a,b", "1=2", "x" * 65, "caf\u00e9"])
def what_is_no_word_is_a_bad_argument(pair: Table, word: str) -> None:
    reply = pair.host.ask(f"seed {word} {pair.on}")
    assert (reply.code, reply.final["arg"]) == ("BAD_ARG", "word")


def start_sealed(table: Table) -> None:
    ann, bob = table.seats
    bob.must(f"seedhash {HASH} {table.on}")
    assert last(ann, "SEEDED")["hash"] == HASH
    begin(table)


@quotes("`UNSEAL unopened= ms=` asks those seats for theirs, and `seed WORD` opens it", "X5")
@quotes("No other word opens it, no other word can be added", "X5")
def the_start_waits_for_sealed_words(pair: Table, connect: Connect) -> None:
    ann, bob = pair.seats
    start_sealed(pair)
    assert last(ann, "UNSEAL").items("unopened") == ["2"]
    assert bob.ask(f"seed another {pair.on}").code == "BAD_ARG"
    assert ann.ask(f"seed kitten {pair.on}").code == "GAME_RUNNING"
    assert connect().ask(f"join {pair.on}").code == "GAME_RUNNING"
    assert "GAME" not in [event.word for event in ann.on(pair.on)]
    bob.must(f"seed {SECRET} {pair.on}")
    assert last(ann, "SEEDED")["word"] == SECRET
    assert last(ann, "SHUFFLED")["words"] == f"-,{SECRET}"


@quotes("there is no game, all words are void, and nobody is ready", "X6")
def a_start_is_called_off_when_somebody_leaves_before_all_words_are_open(pair: Table) -> None:
    ann, bob = pair.seats
    ann.must(f"seed kitten {pair.on}")
    start_sealed(pair)
    bob.must(f"leave {pair.on}")
    assert last(ann, "CALLEDOFF").items("unopened") == ["2"]
    rows = ann.must(f"state {pair.on}").rows
    assert not [row for row in rows if "word" in row.fields or "sealed" in row.fields]


@quotes("`state` has `COMMITTED` as a row", "X9")
def a_snapshot_has_the_seal_and_the_words(pair: Table) -> None:
    ann, bob = pair.seats
    ann.must(f"seed kitten {pair.on}")
    bob.must(f"seedhash {HASH} {pair.on}")
    rows = ann.must(f"state {pair.on}").rows
    (sealed,) = of("COMMITTED", rows)
    seats = {row["seat"]: row for row in rows if row.word == "SEAT"}
    assert len(sealed["hash"]) == 64
    assert seats["1"]["word"] == "kitten"
    assert seats["2"]["sealed"] == HASH
    begin(pair)
    bob.must(f"seed {SECRET} {pair.on}")
    (state,) = of("STATE", ann.must(f"state {pair.on}").rows)
    assert state["words"] == f"kitten,{SECRET}"


@quotes("there are no words: `seed` is `FORBIDDEN`", "X10")
def repeatable_deals_are_marked_and_take_no_words(table: Open) -> None:
    made = table(2, "seed=27", exactly=True)
    ann = made.host
    ann.must(f"sync {made.on} from=0")
    assert last(ann, "COMMITTED")["alg"] == "seed"
    assert "words" not in last(ann, "SHUFFLED").fields
    end(made)
    seed = last(ann, "REVEALED")["seed"]
    assert seed == hashlib.sha512(b"seed 27").hexdigest()
    assert ann.ask(f"seed kitten {made.on}").code == "FORBIDDEN"


@quotes("answers with a row `FAIR`: the seal, and once the game is over the words", "X11")
def the_log_has_the_seed_of_a_game_that_is_over(pair: Table) -> None:
    ann, bob = pair.seats
    bob.must(f"seed kitten {pair.on}")
    begin(pair)
    game = last(ann, "GAME")["id"]
    (row,) = ann.must(f"fair {game}").rows
    assert "seed" not in row.fields
    end(pair)
    (row,) = ann.must(f"fair {game}").rows
    assert hashlib.sha256(row["seed"].encode()).hexdigest() == row["hash"]
    assert row["words"] == "-,kitten"
    log = ann.must("fair log").rows
    numbers = [entry.number("no") for entry in log]
    assert numbers == sorted(numbers, reverse=True)
    for newer, older in pairwise(log):
        if newer.number("no") == older.number("no") + 1:
            chained = f"{older['chain']}|{newer['id']}|{newer['hash']}"
            assert newer["chain"] == hashlib.sha256(chained.encode()).hexdigest()


@quotes("At a table that seek has made nobody need be ready: the game begins by itself", "X12")
def who_looked_for_players_has_time_for_a_word(connect: Connect) -> None:
    ann, bob = connect(), connect()
    for client in (ann, bob):
        client.must("seek twentytwo players=2 options=limit:37,first_hand:5")
    on = ann.until("OPTION")["on"]
    bob.until("JOINED")
    ann.must(f"seed {SECRET} {on}")
    bob.must(f"seedhash {HASH} {on}")
    bob.until("UNSEAL")
    bob.must(f"seed {SECRET} {on}")
    assert ann.until("SHUFFLED").items("words") == [SECRET, SECRET]


@quotes("once everybody has added a word, open or sealed, or after three seconds.", "X12")
def who_looked_for_players_need_say_nothing_more(connect: Connect) -> None:
    ann, bob = connect(), connect()
    for client in (ann, bob):
        client.must("seek twentytwo players=2 options=limit:38,first_hand:5")
    for client in (ann, bob):
        assert client.until("SHUFFLED").items("words") == ["-", "-"]


@quotes("`S` is the same at all these tables of a day and game", "X15")
@quotes("Its `hash` is shown the day before, as `tomorrow=` of `DAILY`", "X15")
def the_deals_of_a_day_are_sealed_for_everybody(connect: Connect) -> None:
    ann, bob = connect(), connect()
    rows = {row["game"]: row for row in ann.must("daily").rows}
    assert rows and all(len(row["hash"]) == len(row["tomorrow"]) == 64 for row in rows.values())
    game = next(iter(rows))
    sealed = []
    for client in (ann, bob):
        on = client.must(f"daily {game}")["on"]
        promised = last(client, "COMMITTED")
        assert (promised["on"], promised["alg"]) == (on, "daily")
        sealed.append(promised["hash"])
        assert client.ask(f"seed kitten {on}").code == "FORBIDDEN"
        assert not any("seed" in row for row in client.must(f"results {game}").rows)
    assert set(sealed) == {rows[game]["hash"]}


@quotes("are `GAME_RUNNING` even for those who have played it.", "X15")
def a_daily_deal_is_told_to_nobody_before_its_day_is_over(connect: Connect) -> None:
    ann = connect()
    on = ann.must(f"daily {ann.must('daily').rows[0]['game']}")["on"]
    game = ann.until("GAME")["id"]
    ann.must(f"leave {on}")
    for line in ("game", "export", "replay", "review", "whatif"):
        assert ann.ask(f"{line} {game}").code == "GAME_RUNNING"


@fixture
def duplicate(connect: Connect) -> tuple[Program, Program, str, str]:
    """A pair of duplicate tables with a client at each; the second client is not ready yet."""
    ann, bob = connect(), connect()
    on = ann.must("open twentytwo seats=2 clock=0 duplicate=1")["on"]
    ann.ask("ping")
    named = [event for event in ann.events if event.fields.get("key") == "duplicate"]
    other = named[-1]["value"]
    bob.must(f"join {other}")
    return ann, bob, on, other


Duplicate = tuple[Program, Program, str, str]


@quotes("Nobody can watch either", "X16")
@quotes("a person with a seat at one gets `ALREADY_SEATED` at the other", "X16")
@quotes("games there end by score after so many hands, `hands=8` in `GAME`", "X16")
@quotes("`start` by the host of either begins at both", "X16")
@quotes("`COMMITTED` of both has `alg=duplicate` and one `hash`", "X17")
@quotes("Words are open there: `seedhash` is `FORBIDDEN`", "X17")
def a_pair_of_tables_has_one_deck(connect: Connect, duplicate: Duplicate) -> None:
    ann, bob, on, other = duplicate
    eve = connect()
    assert eve.ask(f"watch {on}").code == eve.ask(f"watch {other}").code == "FORBIDDEN"
    assert ann.ask(f"join {other}").code == bob.ask(f"join {on}").code == "ALREADY_SEATED"
    assert ann.ask(f"seedhash {HASH} {on}").code == "FORBIDDEN"
    states = [*ann.must(f"state {on}").rows, *bob.must(f"state {other}").rows]
    sealed = of("COMMITTED", states)
    assert [each["alg"] for each in sealed] == ["duplicate", "duplicate"]
    assert sealed[0]["hash"] == sealed[1]["hash"]
    bob.must(f"ready {other}")
    ann.must(f"start {on}")
    assert [client.until("GAME")["hands"] for client in (ann, bob)] == ["1", "1"]
    shuffles = [client.until("SHUFFLED") for client in (ann, bob)]
    assert shuffles[0]["cards"] == shuffles[1]["cards"]


@quotes("first by seat at the table with the lower number, then at the other", "X17")
@quotes("`ready` and `seed` are `GAME_RUNNING` there", "X18")
@quotes("both tables are sent `REVEALED`, then `COMPARED", "X18")
@quotes("absent where either game was broken off", "X18")
def a_pair_is_compared_and_opened_when_both_are_done(
    connect: Connect, duplicate: Duplicate
) -> None:
    ann, bob, on, other = duplicate
    ann.must(f"seed kitten {on}")
    bob.must(f"seed tiger {other}")
    bob.must(f"ready {other}")
    ann.must(f"start {on}")
    shuffle = bob.until("SHUFFLED")
    both = [("kitten", "-"), ("tiger", "-")]
    first = both if int(on[1:]) < int(other[1:]) else both[::-1]
    assert shuffle.items("words") == [word for words in first for word in words]
    game = ann.until("GAME")["id"]
    ann.must(f"abort {on}")
    assert ann.ask(f"ready {on}").code == ann.ask(f"seed more {on}").code == "GAME_RUNNING"
    assert ann.ask(f"game {game}").code == "GAME_RUNNING"
    assert "REVEALED" not in words_of(ann)
    bob.must(f"abort {other}")
    seeds = {client.until("REVEALED")["seed"] for client in (ann, bob)}
    for client in (ann, bob):
        compared = client.until("COMPARED")
        assert "ahead" not in compared
    pack = shuffled(shuffle.items("cards"), seeds.pop(), _of_both(shuffle))
    drawn = [event["card"] for event in bob.events if event.word == "DREW"]
    assert not seeds and len(drawn) >= 2 and drawn == pack[: len(drawn)]


def _of_both(shuffle: Record) -> str:
    words = ",".join(f"{n}={word}" for n, word in enumerate(shuffle.items("words"), 1))
    return f"fd1|duplicate|{shuffle['no']}|{words}"
