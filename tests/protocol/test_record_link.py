"""A game in one word, byte for byte."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.kit.cases import together
from twentytwo_protocol import record_link
from twentytwo_protocol.fair import FairShuffle, commitment
from twentytwo_protocol.record_link import PREFIX, BrokenLink, is_link, pack, unpack
from twentytwo_protocol.record_words import DICTIONARY

RECORDS = Path(__file__).parents[1] / "records" / "v1"
PATHS = sorted(RECORDS.glob("*.txt"))
GAME = (RECORDS / "twentytwo-pagat-1.txt").read_text("utf-8")

KEPT = "22v1_ADpFcarDocbUEFkVUBqHFRAHGHHB63_tQC4A"
KEPT_TEXT = (
    "twentytwo-record 1\nid g51\ngame twentytwo\nversion 1\nrules pagat\nseats 2\n\n1 play Q+Q\n"
)


@together("path", PATHS)
def test_a_record_comes_out_as_it_went_in(path: Path) -> None:
    text = path.read_bytes().decode()
    link = pack(text)
    assert unpack(link) == text
    assert link.isascii() and len(link.split()) == 1


def test_a_game_is_as_short_as_a_few_lines_of_text() -> None:
    assert len(pack(GAME)) < 800 < 3600 < len(GAME)


@together(
    "text",
    [
        "",
        "no record at all\n",
        GAME.replace("\n", "\r\n"),
        GAME.rstrip("\n"),
        GAME + "# a comment\n",
        GAME.replace("name 1 ann", "name 1 ~Žofie"),
        GAME.replace("seed ", "seed =\nseed "),
        GAME.replace("fair fd1 ", "fair fd1 =\nfair fd1 "),
        GAME.replace("words kitten,-,-\n", ""),
        GAME.replace("words kitten", "words ki?tten"),
        GAME.replace("0 shuffle 3C", "0 shuffle 4C"),
        GAME.replace("fair fd1", "fair seed"),
        GAME.replace("id g1\n", ""),
        "twentytwo-record 1\nseed " + "1" * 128 + "\n\n0 shuffle " + "+".join(["2C"] * 300),
    ],
)
def test_whatever_the_text_is_its_link_holds_it(text: str) -> None:
    assert unpack(pack(text)) == text


def test_packs_that_follow_from_the_seed_cost_nearly_nothing() -> None:
    def game(seed: str, packs: str) -> str:
        house = FairShuffle("1" * 128, "g1").house
        sorted_pack = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
        shuffled = [f"0 shuffle {'+'.join(house(n, sorted_pack))}" for n in range(1, 21) if packs]
        head = f"twentytwo-record 1\nid g1\nfair fd1 {commitment(seed)}\nseed {seed}\n\n"
        return head + "\n".join(shuffled)

    alone = len(pack(game("1" * 128, "")))
    assert len(pack(game("1" * 128, "all"))) < alone + 60
    assert len(pack(game("2" * 128, "all"))) > alone + 600, "they do not follow from this one"


def test_a_link_may_stand_in_a_url_and_be_torn_by_a_message() -> None:
    link = pack(GAME)
    for around in (f"https://cards.example.org/replay#{link}", f"page.html#{link}", f"<{link}>"):
        assert is_link(around) and unpack(around) == GAME
    assert unpack("\n".join(link[at : at + 60] for at in range(0, len(link), 60)) + "\n") == GAME
    for other in ("game.txt", "g51", "localhost:4000", "22", "my22v1_x", GAME):
        assert not is_link(other)


def test_a_link_that_is_not_whole_is_one_clear_line() -> None:
    link = pack(GAME)
    broken = [link[:at] for at in range(len(PREFIX), len(link))]
    broken += [link[:40] + link[41:], link.swapcase().replace("22V1", "22v1"), link + "AAAA"]
    middle = len(link) // 2
    broken += [f"{link[:middle]}{'A' if link[middle] != 'A' else 'B'}{link[middle + 1 :]}"]
    for each in broken:
        with pytest.raises(BrokenLink, match="copy the whole of it once more"):
            unpack(each)


def test_a_link_of_a_later_version_says_so() -> None:
    with pytest.raises(BrokenLink, match="another version"):
        unpack("22v2_AAAA")
    with pytest.raises(BrokenLink, match="begins with 22v1_"):
        unpack("what is this")


def test_a_small_link_cannot_become_a_big_text(monkeypatch: pytest.MonkeyPatch) -> None:
    link = pack("0" * 100_000)
    assert len(link) < 300
    monkeypatch.setattr(record_link, "LONGEST", 50_000)
    with pytest.raises(BrokenLink):
        unpack(link)


def test_links_that_were_made_once_are_read_for_ever() -> None:
    """Another dictionary needs another version of the link."""
    assert (
        hashlib.sha256(DICTIONARY).hexdigest()
        == "7959521b13af48f081326b51fdcbd1dd7906c6ff1c7f59a43f7bb74e4e038e58"
    )
    assert unpack(KEPT) == KEPT_TEXT
