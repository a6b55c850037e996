"""The two checks on the page about the fair shuffle: on real games, and on forged ones."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from tests.kit.hosts import Peer, World
from twentytwo_protocol import wire
from twentytwo_protocol.cards import pack, pack32, trumps22
from twentytwo_protocol.fair import FairShuffle, entropy
from twentytwo_server.table.table import Phase

PAGE = (Path(__file__).parents[2] / "docs" / "fair.md").read_text(encoding="utf-8")
CODE = dict(re.findall(r"^```\w+ (fair\.\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
"""The programs on the page, by file name."""
NAMES = ("ann", "bob", "cat")


@pytest.fixture(scope="module")
def transcript() -> list[str]:
    """All events of a table as cat saw them: a game with words, to its end."""
    world, peers = _seated()
    _play(world, peers, "kitten", "7f3a9c", begin="start")
    return _said(peers[2])


@pytest.fixture(scope="module")
def evening() -> list[str]:
    """The same with a rematch, and where bob's seat is empty before the start."""
    world, peers = _seated(seats=4)
    bob = peers.pop(1)
    bob.ok("seed puppy t1")
    bob.ok("leave t1")
    _play(world, peers, "kitten", "7f3a9c", begin="start")
    _play(world, peers, "foal", "calf", begin="rematch")
    return _said(peers[-1])


def _seated(seats: int = 3) -> tuple[World, list[Peer]]:
    world = World()
    peers = [world.program(name) for name in NAMES]
    peers[0].ok(f"open twentytwo seats={seats} clock=0 options=limit:10")
    for peer in peers[1:]:
        peer.ok("join t1")
    return world, peers


def _play(world: World, peers: list[Peer], first: str, last: str, *, begin: str) -> None:
    """A game to its end, with a word of the first player and one of the last."""
    chance = random.Random(3)
    peers[0].ok(f"seed {first} t1")
    peers[-1].ok(f"seed {last} t1")
    for peer in peers[1:]:
        peer.ok("ready t1")
    peers[0].ok(f"{begin} t1")
    while world.room().table.phase is Phase.PLAYING:
        _move(world, chance)


def _move(world: World, chance: random.Random) -> None:
    match = world.room().table.match
    assert match is not None
    world.on_turn().ok(f"move {match.moves().any(chance.randrange).token}")


@pytest.fixture(scope="module")
def exported() -> list[str]:
    """The same game as anybody can have it exported later, with every card open."""
    world, peers = _seated()
    _play(world, peers, "kitten", "7f3a9c", begin="start")
    zed = world.program("zed")
    zed.hear("@x export g1")
    world.advance(10_000)  # it comes in slices
    return [line for line in zed.take() if not line.startswith("@")]


def _said(peer: Peer) -> list[str]:
    peer.take()
    peer.hear("@s sync t1 from=0")
    return [line for line in peer.take() if not line.startswith("@")]


def python(lines: list[str]) -> str:
    """What the Python on the page says of a transcript."""
    done = subprocess.run(
        [sys.executable, "-c", CODE["fair.py"]],
        input="\r\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def shell(lines: list[str], n: int, folder: Path) -> list[str]:
    """What the shell on the page says of a shuffle."""
    (folder / "game.txt").write_text("\r\n".join([*lines, ""]), encoding="ascii", newline="")
    done = subprocess.run(
        ["sh", "-euc", f"N={n}\n{CODE['fair.sh']}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def shuffles(lines: list[str]) -> list[list[str]]:
    """What the Python on the page says of each shuffle, as words."""
    return [line.split() for line in python(lines).splitlines() if line.startswith("shuffle ")]


def found(lines: list[str], what: str) -> set[str]:
    """What it finds of all shuffles: whether they are `sealed`, `told`, in `order`."""
    return {words[words.index(what) + 1] for words in shuffles(lines)}


def fair_of(lines: list[str]) -> FairShuffle:
    """The shuffle of the first game, by the server's own reckoning."""
    records = [record for record in map(wire.parse, lines) if record is not None]
    revealed = next(record.fields for record in records if record.word == "REVEALED")
    return FairShuffle(revealed["seed"], revealed["id"], entropy(["kitten", None, "7f3a9c"]))


def packs(lines: list[str]) -> dict[int, list[str]]:
    """The packs after each shuffle, by the server's own reckoning."""
    fair = fair_of(lines)
    return {
        n: list(fair.house(n, cards.split(",")))
        for n, cards in enumerate(re.findall(r"SHUFFLED .* cards=(\S+)", "\n".join(lines)), 1)
    }


# ----------------------------------------------------------------------------- real games


def test_the_python_has_at_most_20_lines_and_needs_nothing_installed() -> None:
    lines = [line for line in CODE["fair.py"].splitlines() if line]
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 100
    assert lines[0] == "import hashlib, hmac, sys"
    assert "import" not in "\n".join(lines[1:])


def test_the_python_on_the_page_computes_every_pack_again(transcript: list[str]) -> None:
    orders = [words[words.index("gives") + 1 :] for words in shuffles(transcript)]
    assert orders == list(packs(transcript).values())
    assert len(orders) > 3
    assert found(transcript, "sealed") == found(transcript, "told") == {"True"}
    assert found(transcript, "order") == {"True"}


def test_it_finds_the_players_cards_at_equal_distances(transcript: list[str]) -> None:
    hands = [line for line in python(transcript).splitlines() if line.startswith("at ")]
    assert len(hands) > 2
    for hand in hands:
        places = [int(word) for word in hand.split()[1:]]
        assert len({after - before for before, after in pairwise(places)}) <= 1
        assert places[0] < len(NAMES)


def test_every_game_has_its_own_seal_seed_and_words(evening: list[str], tmp_path: Path) -> None:
    assert "\n".join(evening).count("REVEALED") == 2
    assert "SWAPPED" in "\n".join(evening)
    assert found(evening, "sealed") == found(evening, "told") == found(evening, "order") == {"True"}
    facts = shell(evening, 1, tmp_path)
    assert facts[2:4] == ["foal,calf was told before", "foal,calf is in the shuffle"]
    assert_agreed(facts)


def assert_agreed(facts: list[str], *, but: tuple[int, ...] = ()) -> None:
    """The pairs of lines of the shell begin alike, and only those in `but` do not."""
    pairs = zip(facts[:6:2], facts[1:6:2], strict=True)
    differ = [n for n, pair in enumerate(pairs) if len({line.split()[0] for line in pair}) > 1]
    assert tuple(differ) == but


def test_the_shell_on_the_page_computes_the_same(transcript: list[str], tmp_path: Path) -> None:
    for n, order in packs(transcript).items():
        facts = shell(transcript, n, tmp_path)
        assert_agreed(facts)
        assert facts[-1].split() == order


@pytest.mark.parametrize("kind", [pack(2, 4), pack32(), trumps22(), trumps22()[:-1], ("1", "3")])
def test_both_know_the_order_of_every_pack(
    kind: tuple[str, ...], transcript: list[str], tmp_path: Path
) -> None:
    undealt = [line for line in transcript if not line.startswith("DEALT ")]
    for cards, fits in ((kind, "True"), (kind[1:], "True"), ((*kind[1:], kind[0]), "False")):
        changed = with_pack(undealt, cards)
        assert shuffles(changed)[1][7] == fits
        assert_agreed(shell(changed, 2, tmp_path), but=() if fits == "True" else (ORDER,))


def test_an_exported_game_is_checked_like_a_transcript(
    exported: list[str], transcript: list[str], tmp_path: Path
) -> None:
    assert found(exported, "sealed") == found(exported, "told") == {"True"}
    assert shuffles(exported) == shuffles(transcript)
    for n in packs(exported):
        facts = shell(exported, n, tmp_path)
        assert_agreed(facts)
        assert facts == shell(transcript, n, tmp_path)


def test_forged_words_or_seed_of_an_export_are_noticed(exported: list[str], tmp_path: Path) -> None:
    words = [line.replace("words=kitten,-,7f3a9c", "words=kitten,-,other") for line in exported]
    assert found(words, "told") == {"False"}
    assert_agreed(shell(words, 1, tmp_path), but=(WORDS,))
    seed = [re.sub(r"(REVEALED .*)[0-9a-f]$", r"\1x", line) for line in exported]
    assert found(seed, "sealed") == {"False"}
    assert_agreed(shell(seed, 1, tmp_path), but=(SEAL,))


# ------------------------------------------------------------------------------ forgeries

SEAL, WORDS, ORDER = range(3)
"""The pairs of lines that the shell prints."""


def with_pack(lines: list[str], cards: Sequence[str]) -> list[str]:
    """The same with another pack before the second shuffle."""
    return [re.sub(r"( no=2 cards=)\S+", rf"\g<1>{','.join(cards)}", line) for line in lines]


def test_another_seed_is_noticed_by_both(transcript: list[str], tmp_path: Path) -> None:
    changed = [re.sub(r"(REVEALED .*)[0-9a-f]$", r"\1x", line) for line in transcript]
    assert found(changed, "sealed") == {"False"}
    assert_agreed(shell(changed, 1, tmp_path), but=(SEAL,))


def test_the_seed_of_another_game_is_noticed_by_both(evening: list[str], tmp_path: Path) -> None:
    seed = next(line for line in evening if line.startswith("REVEALED")).rpartition("=")[2]
    changed = [re.sub(r"(REVEALED .*seed=).*", rf"\g<1>{seed}", line) for line in evening]
    sealed = [words[3] for words in shuffles(changed)]
    assert sealed == sorted(sealed, reverse=True)
    assert set(sealed) == {"True", "False"}
    assert_agreed(shell(changed, 1, tmp_path), but=(SEAL,))


def test_a_deck_that_is_sealed_last_of_all_is_noticed_by_both(
    transcript: list[str], tmp_path: Path
) -> None:
    (seal,) = (line for line in transcript if re.match("COMMITTED .*id=g1 ", line))
    changed = [line for line in transcript if line != seal] + [seal]
    assert found(changed, "sealed") == {"False"}
    assert_agreed(shell(changed, 1, tmp_path), but=(SEAL,))


def test_a_deck_that_is_sealed_after_the_words_is_noticed_by_both(
    transcript: list[str], tmp_path: Path
) -> None:
    (seal,) = (line for line in transcript if re.match("COMMITTED .*id=g1 ", line))
    rest = [line for line in transcript if line != seal]
    game = next(n for n, line in enumerate(rest) if line.startswith("GAME "))
    changed = [*rest[:game], seal, *rest[game:]]
    assert found(changed, "told") == {"False"}
    assert_agreed(shell(changed, 1, tmp_path), but=(WORDS,))


@pytest.mark.parametrize(
    "words", ["kitten,ground,7f3a9c", "kitten,-,-", "7f3a9c,-,kitten", "kitten,-,7f3a9c,-x"]
)
def test_words_that_were_not_told_are_noticed_by_both(
    words: str, transcript: list[str], tmp_path: Path
) -> None:
    changed = [line.replace("words=kitten,-,7f3a9c", f"words={words}") for line in transcript]
    assert found(changed, "told") == {"False"}
    assert_agreed(shell(changed, 1, tmp_path), but=(WORDS,))
    assert shuffles(changed)[0][9:] != shuffles(transcript)[0][9:]
    assert shell(changed, 1, tmp_path)[-1] != shell(transcript, 1, tmp_path)[-1]


def test_words_of_a_start_that_was_called_off_do_not_count(
    transcript: list[str], tmp_path: Path
) -> None:
    game = next(n for n, line in enumerate(transcript) if line.startswith("GAME "))
    changed = [*transcript[:game], "CALLEDOFF on=t1 seq=9 unopened=2", *transcript[game:]]
    assert found(changed, "told") == {"False"}
    assert_agreed(shell(changed, 1, tmp_path), but=(WORDS,))


def test_a_pack_whose_order_was_worked_out_backwards_is_noticed_by_both(
    transcript: list[str], tmp_path: Path
) -> None:
    wanted = sorted(pack(), key=lambda card: card[0] == "A", reverse=True)
    before = [""] * len(wanted)
    for card, place in zip(wanted, fair_of(transcript).house(2, range(52)), strict=True):  # type: ignore[arg-type]  # places
        before[int(place)] = card
    changed = with_pack(transcript, before)
    assert shuffles(changed)[1][6:13] == ["order", "False", "gives", "AC", "AD", "AH", "AS"]
    facts = shell(changed, 2, tmp_path)
    assert_agreed(facts, but=(ORDER,))
    assert facts[-1].split() == wanted
