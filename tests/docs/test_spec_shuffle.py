"""The fair shuffle as the specification says it, computed from the text's own numbers."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from itertools import count

import pytest

from tests.conformance.quoting import quotes, specification
from tests.kit.hosts import World
from twentytwo_protocol.fair import FairShuffle, entropy
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Dealt, Drew, Exchanged, Hand_, Out
from twentytwo_protocol.words.fairness import Shuffled
from twentytwo_server.games.registry import games
from twentytwo_server.table import match as matches

RANKS = "23456789TJQKA"

VECTOR = re.search(r"^```text vector\n(.*?)^```$", specification(), re.MULTILINE | re.DOTALL)
assert VECTOR is not None
LINES = [line.split() for line in VECTOR[1].splitlines()]
SAYS = dict(LINES)
CHAINS = [value for name, value in LINES if name == "chain"]


def shuffled(seed: str, message: str, cards: list[str]) -> tuple[str, list[str]]:
    """K, and the pack after the shuffle: the lines of the text, one by one."""
    key = hmac.digest(seed.encode(), message.encode(), "sha512").hex()
    source = (
        byte for n in count() for byte in hmac.digest(key.encode(), str(n).encode(), "sha512")
    )
    pack = list(cards)
    for i in range(len(pack) - 1, 0, -1):
        b = next(source)
        while b >= 256 - 256 % (i + 1):
            b = next(source)
        j = b % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return key, pack


@quotes("`P[0]` is then the top card", "X13")
def test_the_vector_follows_from_the_text() -> None:
    words = SAYS["words"].split(",")
    text = ",".join(f"{seat}={word}" for seat, word in enumerate(words, 1))
    assert hashlib.sha256(SAYS["S"].encode()).hexdigest() == SAYS["hash"]
    message = f"fd1|{SAYS['game']}|{SAYS['no']}|{text}"
    key, pack = shuffled(SAYS["S"], message, SAYS["cards"].split(","))
    assert key == SAYS["K"]
    assert pack == SAYS["P"].split(",")


def test_the_server_shuffles_as_the_vector_says() -> None:
    words = entropy([None if word == "-" else word for word in SAYS["words"].split(",")])
    fair = FairShuffle(SAYS["S"], SAYS["game"], words)
    cards = SAYS["cards"].split(",")
    assert list(fair.house(int(SAYS["no"]), cards)) == SAYS["P"].split(",")


@quotes("Cards are dealt from the top one at a time, in the order of the DEALT events", "X13")
@quotes("With `alg=seed`, on a table opened with `seed=N`, `S` is `hex(sha512", "X13")
def test_cards_are_dealt_from_the_top_of_the_pack_that_follows() -> None:
    peer = World().program("ann")
    peer.ok("practice bots=1 options=first_hand:5 seed=5")
    heard = [dict(f.split("=", 1) for f in line.split(" ")[1:] if "=" in f) for line in peer.take()]
    (deal,) = (f for f in heard if f.get("no") == "2" and "cards" in f)
    (mine,) = (f["cards"] for f in heard if f.get("seat") == "1" and f.get("n") == "5")
    (hand,) = (f for f in heard if "dealer" in f)
    seed = hashlib.sha512(b"seed 5").hexdigest()
    pack = shuffled(seed, "fd1|seed|2|", deal["cards"].split(","))[1]
    first = 0 if hand["dealer"] == "2" else 1
    assert sorted(mine.split(",")) == sorted(pack[first:10:2])


@quotes('`hex(sha256(chain before + "|" + id + "|" + hash))`', "X14")
def test_the_chains_of_the_vector_follow_and_the_servers_do() -> None:
    first = hashlib.sha256(f"|g1|{SAYS['hash']}".encode()).hexdigest()
    second = hashlib.sha256(f"{first}|g2|{SAYS['hash']}".encode()).hexdigest()
    assert [first, second] == CHAINS
    peer = World().program("ann")
    peer.ok("open twentytwo seats=2")
    peer.ok("open twentytwo seats=2")
    peer.take()
    peer.hear("@x fair log")
    rows = [dict(f.split("=", 1) for f in line.split()[2:]) for line in peer.take()]
    rows = [row for row in rows if "chain" in row]
    assert [row["id"] for row in rows] == ["g2", "g1"]
    chain = ""
    for row in reversed(rows):
        chain = hashlib.sha256(f"{chain}|{row['id']}|{row['hash']}".encode()).hexdigest()
        assert row["chain"] == chain


@quotes("`lost` if the table was closed before there was a game", "X11")
def test_what_was_sealed_for_a_table_that_was_closed_is_lost() -> None:
    peer = World().program("ann")
    peer.ok("open twentytwo seats=2")
    peer.ok("close t1")
    peer.take()
    peer.hear("@x fair g1")
    assert " outcome=lost " in "".join(peer.take())


def played(key: str, seed: int) -> Iterator[Event]:
    """The events of a game of four by default moves, shuffled as the text says."""
    game = games()[key]
    rules = game.rules(next(iter(game.presets)), {})
    secret = hashlib.sha512(f"seed {seed}".encode()).hexdigest()

    def house(no: int, pack: Sequence[str]) -> tuple[str, ...]:
        return tuple(shuffled(secret, f"fd1|seed|{no}|", list(pack))[1])

    match, events = matches.begin(matches.Terms(game, rules, "g1", 4), 0, house)
    yield from events
    while not match.over:
        assert match.question is not None
        deed = match.read(match.question.default or "")
        match, events = match.play(deed, 0, house)
        yield from events


@quotes("A seat that is `OUT` is passed over. An exchange takes the next cards in turn.", "X13")
@quotes(
    "`DREW` takes the top cards in the order of these events, and `DREW again=1` the next", "X13"
)
def test_every_card_of_a_game_follows_from_its_shuffles() -> None:
    again = passed_over = 0
    for seed in range(12):
        secret = hashlib.sha512(f"seed {seed}".encode()).hexdigest()
        pack: list[str] = []
        out: set[int] = set()
        turn: list[int] = []
        for event in played("twentytwo", seed):
            match event:
                case Shuffled():
                    message = f"fd1|seed|{event.no}|"
                    pack = shuffled(secret, message, list(event.cards))[1]
                case Drew():
                    assert event.card == pack.pop(0)
                    again += bool(event.again)
                case Out():
                    out.add(event.seat)
                case Hand_():
                    turn = [(event.dealer + n) % 4 + 1 for n in range(4)]
                    turn = [seat for seat in turn if seat not in out]
                    top = pack[: event.size * len(turn)]
                    del pack[: len(top)]
                    passed_over += len(turn) < 4
                case Dealt(cards=cards):
                    mine = top[turn.index(event.seat) :: len(turn)]
                    assert sorted(cards or ()) == sorted(mine)
                case Exchanged():
                    got = [pack.pop(0) for _ in range(event.n)]
                    assert sorted(event.got or ()) == sorted(got)
    assert again and passed_over


@quotes("in each from `2` to `A`, in Twenty-Eight from `7` to `A` whatever `ranks=` are", "X7")
@pytest.mark.parametrize(("key", "ranks"), [("twentytwo", RANKS), ("twentyeight", RANKS[5:])])
def test_a_pack_has_its_suits_in_the_order_of_the_text(key: str, ranks: str) -> None:
    packs = (event.cards for event in played(key, 1) if isinstance(event, Shuffled))
    pack = next(cards for cards in packs if len(cards) > 4)
    assert pack == tuple(f"{rank}{suit}" for suit in "CDHS" for rank in ranks)
