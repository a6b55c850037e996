"""A game as one link: its whole record in one word, for a message, a URL or a bug report.

    22v1_AwB7...

The base64url text after the version decodes to: the compression (1 byte), the CRC-32 of the
record's text (4 bytes), the seed of its shuffles if there is one (64 bytes), and the compressed
text. A seed determines the shuffled packs and the commitment. So a link with a seed omits the
commitment and has unshuffled packs, which are nearly always the same.

`unpack` restores the record byte for byte. It needs no rules of a game.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import re
import zlib
from collections.abc import Callable, Iterator, Sequence

from .fair import below, commitment, entropy, shuffle, stream
from .record import FORMAT
from .record_words import DICTIONARY

__all__ = [
    "LONGEST",
    "PREFIX",
    "TORN",
    "BrokenLink",
    "decoded",
    "is_link",
    "joined",
    "pack",
    "unpack",
]

PREFIX = "22v1_"
"""The prefix of every link: the format and its version."""
LONGEST = 4_000_000
"""The maximum length of a record in a link, in bytes."""

_BZ2, _SEED = 1, 2
"""Bits of the first byte: bz2 compression instead of deflate; a separate seed."""
_HEX = re.compile("[0-9a-f]{128}")
_LINK = re.compile(r"(?:\S*[#=])?(22v[0-9]+_[A-Za-z0-9_=-]*)")


class BrokenLink(ValueError):
    """A text that is not a link to a game, or only part of one. The message says what is wrong."""


def is_link(text: str) -> bool:
    """True if a text begins like a link, alone or in a URL, after `#` or `#game=`."""
    return _LINK.match(joined(text)) is not None


def pack(record: str) -> str:
    """The link that contains the text of a record, or any other text."""
    data, check = record.encode(), zlib.crc32(record.encode()).to_bytes(4)
    seed, short = _without_seed(record)
    if seed and _with_seed(seed, short) == record:
        return _written(check, seed, short.encode())
    return _written(check, "", data)


def _written(check: bytes, seed: str, data: bytes) -> str:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=DICTIONARY)
    deflated, squeezed = deflate.compress(data) + deflate.flush(), bz2.compress(data)
    shorter = len(squeezed) < len(deflated)
    how = (_BZ2 if shorter else 0) | (_SEED if seed else 0)
    body = bytes([how]) + check + bytes.fromhex(seed) + (squeezed if shorter else deflated)
    return PREFIX + base64.urlsafe_b64encode(body).decode().rstrip("=")


def unpack(link: str) -> str:
    """The text of the record in a link. Raises `BrokenLink`.

    Line ends in the link and a URL before its `#` are ignored.
    """
    found = _LINK.fullmatch(joined(link))
    if found is None:
        raise BrokenLink(f"a link to a game begins with {PREFIX}, and has letters, digits, _ and -")
    if not found[1].startswith(PREFIX):
        raise BrokenLink(f"this link is of another version; {PREFIX} is read here")
    body = decoded(found[1].removeprefix(PREFIX))
    try:
        how, check, rest = body[0], body[1:5], body[5:]
        seed, packed = (rest[:64].hex(), rest[64:]) if how & _SEED else ("", rest)
        text = _inflated(packed, squeezed=bool(how & _BZ2)).decode()
        if seed:
            text = _with_seed(seed, text)
    except (IndexError, OSError, EOFError, ValueError, zlib.error):
        raise BrokenLink(TORN) from None
    if zlib.crc32(text.encode()).to_bytes(4) != check:
        raise BrokenLink(TORN)
    return text


TORN = "this link is broken: something is missing or changed; copy the whole of it once more"
"""The message about a link that is not as it was made."""


def joined(text: str) -> str:
    """A link as one word, without the line ends and quotes that messages add."""
    return "".join(text.split()).strip("<>\"'`\ufeff")


def decoded(text: str) -> bytes:
    """The bytes of a base64url text without padding. Raises `BrokenLink`."""
    try:
        text = text.rstrip("=")
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        raise BrokenLink(TORN) from None


def _inflated(packed: bytes, *, squeezed: bool) -> bytes:
    """The decompressed text. Raises `BrokenLink` if it is incomplete or too long."""
    unpacker = (
        bz2.BZ2Decompressor() if squeezed else zlib.decompressobj(-zlib.MAX_WBITS, DICTIONARY)
    )
    data = unpacker.decompress(packed, LONGEST)
    if not unpacker.eof or unpacker.unused_data:
        raise EOFError
    return data


# ---------------------------------------------------------------------------------- shuffles


_SHUFFLED = "0 shuffle "


def _without_seed(record: str) -> tuple[str, str]:
    """The seed of a record, and the record without its seed and with unshuffled packs. Without a
    seed the record is unchanged.
    """
    lines = record.split("\n")
    seed = next((line[5:] for line in lines if line.startswith("seed ")), "")
    if lines[0].split(" ")[0] != FORMAT or not _HEX.fullmatch(seed):
        return "", record
    promised = commitment(seed)
    try:
        short = "\n".join(
            "seed =" if line == f"seed {seed}" else _turned(line, promised, "=")
            for line in _shuffles(seed, lines, _unshuffled)
        )
    except ValueError:
        return "", record
    return seed, short


def _with_seed(seed: str, short: str) -> str:
    """The original record. Raises `ValueError` if the text is not a record."""
    promised = commitment(seed)
    told = [
        f"seed {seed}" if line == "seed =" else _turned(line, "=", promised)
        for line in short.split("\n")
    ]
    return "\n".join(_shuffles(seed, told, shuffle))


def _turned(line: str, was: str, now: str) -> str:
    """A line `fair ALG WAS` with another commitment."""
    words = line.split(" ")
    return f"fair {words[1]} {now}" if words[0] == "fair" and words[2:] == [was] else line


_Turning = Callable[[Sequence[str], Iterator[int]], Sequence[str]]


def _shuffles(seed: str, lines: Sequence[str], turned: _Turning) -> Iterator[str]:
    """The lines, with `turned` applied to every pack and the random bytes of its shuffle."""
    header = dict(line.partition(" ")[::2] for line in lines if not line.startswith("option "))
    # The deals of `seed=N` do not depend on the id of a game.
    game = header.get("id", "") if header.get("fair", "").startswith("fd1 ") else "seed"
    words = header.get("words", "")
    mixed = entropy([None if word == "-" else word for word in words.split(",")]) if words else ""
    n = 0
    for line in lines:
        if line.startswith(_SHUFFLED):
            n += 1
            cards = line.removeprefix(_SHUFFLED).split("+")
            if len(cards) > 256:
                raise ValueError("a pack has at most 256 cards")
            line = _SHUFFLED + "+".join(turned(cards, stream(seed, game, n, mixed)))
        yield line


def _unshuffled(cards: Sequence[str], source: Iterator[int]) -> Sequence[str]:
    """The pack that these bytes shuffle into these cards: the inverse of `fair.shuffle`."""
    found = list(cards)
    swaps = [(i, below(i + 1, source)) for i in range(len(found) - 1, 0, -1)]
    for i, j in reversed(swaps):
        found[i], found[j] = found[j], found[i]
    return found
