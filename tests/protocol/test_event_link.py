"""The events of a game in one word, for browsers."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from typing import Any

import pytest

from tests.kit.cases import together
from tests.protocol.test_vectors import vectors
from twentytwo_protocol import event_link, record_link
from twentytwo_protocol.event_link import PREFIX, is_link, pack, unpack
from twentytwo_protocol.record_link import BrokenLink


def pairs(vector: Any) -> list[tuple[str, str]]:
    """The lines of a vector, each with what a spectator sees of it."""
    closed = vector["closed"]
    return [(line, closed.get(str(at), line)) for at, line in enumerate(vector["lines"])]


def linked(text: str | bytes) -> str:
    """The link with this text in it, whatever the text is."""
    data = text.encode() if isinstance(text, str) else text
    return PREFIX + urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


GAME = vectors("event-links")[0]
LINK: str = GAME["link"]


@together("vector", vectors("event-links"))
def test_a_link_that_was_made_once_is_read_for_ever(vector: Any) -> None:
    assert unpack(vector["link"]) == pairs(vector)
    assert unpack(pack(pairs(vector))) == pairs(vector)


def test_a_link_may_stand_in_a_url_and_be_torn_by_a_message() -> None:
    for around in (f"https://cards.example.org/#game={LINK}", f"page.html#{LINK}", f"<{LINK}>"):
        assert is_link(around) and unpack(around) == pairs(GAME)
    torn = "\n".join(LINK[at : at + 60] for at in range(0, len(LINK), 60))
    assert unpack(torn) == pairs(GAME)
    for other in ("game.txt", "g51", "22", "my22e1_x", record_link.pack("")):
        assert not is_link(other)
    assert not record_link.is_link(LINK)


@together(
    "line",
    [
        "PLAYED seat=1 cards=XK,X kind=beat left=3 :ann plays joker(K) joker.",
        "EXCHANGED seat=1 n=0 gave= got= :ann keeps all cards.",
        "SCORED seat=1 points=1 total=1 :ann scores 1, 1 in all, of 11 and -1.",
        "HAND no=3 dealer=1 size=TC :--- Hand 3: ann deals, annie does not, 10C.",
        "TURN turn=7 seat=9 act=play",
        "RENAMED name=a+b*(c was=.* seat=1 :.* is a+b*(c now.",
    ],
)
def test_whatever_a_line_is_its_link_holds_it(line: str) -> None:
    joined = "JOINED seat=1 name=ann bot=0 :ann sits down in seat 1."
    told = [(joined, joined), (line, line), (line, joined)]
    assert unpack(pack(told)) == told


def test_a_line_that_looks_like_a_template_is_refused() -> None:
    with pytest.raises(ValueError, match="a place in it"):
        pack([("OPTION key=x value={0}", "OPTION key=x value={0}")])


def test_a_link_that_is_not_whole_is_one_clear_line() -> None:
    broken = [LINK[:at] for at in range(len(PREFIX), len(LINK), 7)]
    broken += [LINK[:40] + LINK[41:], f"{PREFIX}{LINK[5:].swapcase()}", f"{LINK}AAAA", "22e2_AAAA"]
    middle = len(LINK) // 2
    broken += [f"{LINK[:middle]}{'A' if LINK[middle] != 'A' else 'B'}{LINK[middle + 1 :]}"]
    for each in broken:
        with pytest.raises(BrokenLink, match="this link is broken"):
            unpack(each)


@together(
    "text",
    [
        "",
        "OUT seat={0} total=1",
        "OUT seat={0} total=1\n\n",
        "OUT seat={0} total=1\n\n/1",
        "OUT seat={0} total=1\n\n11",
        "OUT seat={1} total=1\n\n01",
        "OUT seat={0:n} total=1\n\n01",
        b"OUT seat={0} total=\xff\n\n01",
    ],
)
def test_a_link_with_something_else_in_it_is_broken(text: str | bytes) -> None:
    with pytest.raises(BrokenLink, match="copy the whole of it once more"):
        unpack(linked(text))


def test_a_small_link_cannot_become_a_big_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_link, "LONGEST", 50_000)
    for text in ("0" * 100_000, "OUT " + "x" * 20_000 + "\n\n0\n0\n0"):
        link = linked(text)
        assert len(link) < 300
        with pytest.raises(BrokenLink):
            unpack(link)
    assert unpack(linked("OUT " + "x" * 20_000 + "\n\n0"))
