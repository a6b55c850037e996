"""Which names may be taken: how they are spelled, which are alike, which mislead."""

from __future__ import annotations

import re

from twentytwo_protocol import games, words
from twentytwo_protocol.schema import COMMANDS, Refused

VOCABULARY = (games, words)
"""Importing them declares every verb: verbs are no names."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
"""How a name is spelled, without the `~` of a guest."""

RESERVED = frozenset(
    ["server", "system", "admin", "mod", "dealer", "table", "house", "lobby", "nobody", "you"]
)
"""Names that would mislead; verbs are reserved as well."""

KINDS = ("guest", "seat", "bot")
"""No account's name begins like these: they say what somebody is."""

_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "m": "rn", "w": "vv"})
_GAPS = str.maketrans("", "", "_-")


def skeleton(name: str) -> str:
    """The name with what looks alike made equal; two accounts never have the same.

    Letter by letter (an m becomes rn, a w becomes vv), so that it does not matter what stands
    beside what: `vvv`, `vw` and `wv` are one.
    """
    return name.lower().translate(_GAPS).translate(_ALIKE)


def check(name: str) -> None:
    """Raises `Refused` unless it will do as a name, a guest's or an account's."""
    if not NAME.fullmatch(name):
        raise Refused(
            "BAD_NAME",
            f"{name} will not do as a name: 2 to 16 letters, digits, - and _, "
            "beginning with a letter.",
            arg="name",
        )
    if name.lower() in RESERVED or name.lower() in COMMANDS:
        raise Refused("BAD_NAME", f"{name} means something here already.", arg="name")


def check_account(name: str) -> None:
    """Raises `Refused` unless an account may be called so, whoever else there is."""
    check(name)
    looks = skeleton(name)
    misleading = any(looks == skeleton(word) for word in (*RESERVED, *COMMANDS))
    if misleading or any(looks.startswith(skeleton(kind)) for kind in KINDS):
        raise Refused("BAD_NAME", f"{name} looks like something that it is not.", arg="name")


def numbered(wanted: str, count: int) -> str:
    """A guest's name with a number behind it, as long as a name may be; none for the first."""
    return f"~{wanted}" if count == 1 else f"~{wanted[: 16 - len(str(count))]}{count}"
