"""The names that people may have: spelling, look-alikes, reserved names."""

from __future__ import annotations

import re

from twentytwo_protocol import games, words
from twentytwo_protocol.schema import COMMANDS, Refused

VOCABULARY = (games, words)
"""Importing these modules declares all verbs, which may not be names."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
"""The spelling of a name, without the `~` of a guest."""

LEVELS = ("easy", "steady", "hard")
"""The names of the server's bots after `bot:`."""

RESERVED_PREFIXES = ("guest", "seat", "bot")
"""The name of an account may not begin with one of these, or with a look-alike."""

RESERVED = frozenset(
    [
        *("server", "system", "admin", "operator", "mod", "moderator", "staff", "dealer"),
        *("table", "house", "lobby", "nobody", "somebody", "everybody", "you"),
        *RESERVED_PREFIXES,
        *LEVELS,
    ]
)
"""Words that the server uses for people: these words and their look-alikes cannot be names.

A number at the end makes no difference. Verbs cannot be names either.
"""

_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "m": "rn", "w": "vv"})
_GAPS = str.maketrans("", "", "_-")


def skeleton(name: str) -> str:
    """The name with look-alike characters made equal. No two accounts have the same skeleton.

    Each character is replaced separately (m by rn, w by vv), whatever its neighbours: `vvv`, `vw`
    and `wv` have the same skeleton.
    """
    return name.lower().translate(_GAPS).translate(_ALIKE)


_MISLEADING = frozenset(map(skeleton, RESERVED))


def _misleads(name: str) -> bool:
    without_number = name.rstrip("0123456789-_")
    return skeleton(name) in _MISLEADING or skeleton(without_number) in _MISLEADING


def check(name: str) -> None:
    """Raises `Refused` (BAD_NAME) unless a guest or an account may have this name."""
    if not NAME.fullmatch(name):
        raise Refused(
            "BAD_NAME",
            f"{name} cannot be a name: use 2 to 16 letters, digits, - and _, "
            "beginning with a letter.",
            arg="name",
        )
    if name.lower() in COMMANDS or _misleads(name):
        raise Refused(
            "BAD_NAME",
            f"{name} has a meaning on this server; choose another name.",
            arg="name",
        )


def check_account(name: str) -> None:
    """Raises `Refused` (BAD_NAME) unless an account may have this name.

    It does not check whether the name is taken: compare skeletons for that.
    """
    check(name)
    looks = skeleton(name)
    verb = any(looks == skeleton(word) for word in COMMANDS)
    if verb or any(looks.startswith(skeleton(kind)) for kind in RESERVED_PREFIXES):
        raise Refused(
            "BAD_NAME", f"{name} looks like a reserved name or another person's name.", arg="name"
        )


def numbered(wanted: str, count: int) -> str:
    """The name of the `count`th guest who wants this name: `~ann`, `~ann2`; cut if too long."""
    return f"~{wanted}" if count == 1 else f"~{wanted[: 16 - len(str(count))]}{count}"
