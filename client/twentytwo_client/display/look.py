"""The look of the output, decided once from the options, the environment and the terminal.

Options override the environment, and the environment overrides the detected terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec.structs import replace

from twentytwo_protocol.value import Value


class Suits(Enum):
    """The forms in which the suit of a card is written."""

    LETTERS = "letters"
    SIGNS = "signs"
    SPOKEN = "spoken"


class Look(Value):
    """The look of the output.

    `four`: every suit has its own colour, instead of only red for hearts and diamonds. `unicode`:
    characters outside ASCII are allowed. `rich`: a prompt stays below the text, with a status under
    it. `usual`: how suits are written outside spoken text.
    """

    suits: Suits = Suits.LETTERS
    colour: bool = False
    four: bool = False
    unicode: bool = False
    rich: bool = False
    bell: bool = False
    usual: Suits = Suits.LETTERS

    @property
    def plain(self) -> bool:
        """True if the output is for a screen reader: plain sentences only."""
        return self.suits is Suits.SPOKEN


class LookOptions(Value):
    """The display options of the command line. `tui`: the table fills the terminal."""

    plain: bool = False
    color: str = "auto"
    suits: str = "auto"
    four: bool = False
    bell: bool = False
    tui: bool = False


def look(wishes: LookOptions, env: Mapping[str, str], *, typed: bool, seen: bool) -> Look:
    """The look. `typed`: a person types the input. `seen`: a person sees the output."""
    utf8 = speaks_utf8(env)
    usual = _suits(wishes, utf8 and seen)
    return Look(
        suits=Suits.SPOKEN if wishes.plain else usual,
        usual=usual,
        colour=_coloured(wishes, env, seen),
        four=wishes.four,
        unicode=utf8 or not seen,
        rich=typed and seen and not wishes.plain and not _dumb(env),
        bell=wishes.bell,
    )


def changed(look: Look, name: str, value: str) -> tuple[Look, str]:
    """The look after a command such as `/suits letters`, and a message about the change."""
    value = value.lower()
    match name, value:
        case "plain", "off" | "":
            if look.plain:
                return replace(look, suits=look.usual), "Plain is off."
            return (look, "Plain is off.") if value else changed(look, name, "on")
        case "plain", "on":
            return replace(look, suits=Suits.SPOKEN), "Plain is on. /plain goes back."
        case "suits", "letters" | "signs":
            usual = Suits(value)
            if look.plain:
                return replace(look, usual=usual), f"Suits are {value}, once plain is off."
            return replace(look, suits=usual, usual=usual), f"Suits are {value}."
        case "suits", _:
            return look, "/suits letters, or /suits signs."
        case "color", "on" | "off":
            return replace(look, colour=value == "on"), f"Colour is {value}."
        case "bell", "on" | "off":
            return replace(look, bell=value == "on"), f"The bell is {value}."
    return look, f"/{name} on, or /{name} off."


def _suits(wishes: LookOptions, utf8: bool) -> Suits:
    if wishes.suits != "auto":
        return Suits(wishes.suits)
    return Suits.SIGNS if utf8 else Suits.LETTERS


def _coloured(wishes: LookOptions, env: Mapping[str, str], seen: bool) -> bool:
    if wishes.plain:
        return False
    if wishes.color != "auto":
        return wishes.color == "always"
    if env.get("NO_COLOR"):
        return False
    if env.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return seen and not _dumb(env)


def _dumb(env: Mapping[str, str]) -> bool:
    return env.get("TERM", "dumb") in ("dumb", "unknown", "")


def speaks_utf8(env: Mapping[str, str]) -> bool:
    """True if the locale uses UTF-8.

    Python sets LC_CTYPE=C.UTF-8 in a process whose locale is C (PEP 538). That is not the person's
    choice, so it does not count.
    """
    if env.get("LC_ALL"):
        return _utf8(env["LC_ALL"])
    language = env.get("LANG", "")
    ctype = env.get("LC_CTYPE", "")
    if ctype and not (ctype == "C.UTF-8" and language in ("", "C", "POSIX")):
        return _utf8(ctype)
    return _utf8(language)


def _utf8(locale: str) -> bool:
    return locale.partition("@")[0].lower().replace("-", "").endswith("utf8")
