"""What may be asked for on the command line, once it has been understood."""

from __future__ import annotations

from dataclasses import dataclass, field

from .address import Address
from .display.look import LookOptions


@dataclass(frozen=True, slots=True)
class Play:
    """`twentytwo play`; `do` is a line to begin with."""

    address: Address
    table: str = ""
    name: str = ""
    look: LookOptions = field(default_factory=LookOptions)
    login: bool = False
    do: str = ""


@dataclass(frozen=True, slots=True)
class Practice:
    """`twentytwo practice`; `line` is the command for the server.

    `kept`: games that are over are kept for `twentytwo stats`. The game of a `record` is there to
    go on from.
    """

    line: str = "practice"
    look: LookOptions = field(default_factory=LookOptions)
    kept: bool = True
    record: str = ""


@dataclass(frozen=True, slots=True)
class Tutorial:
    """`twentytwo tutorial`; `game` is empty and `step` None for where the person was."""

    game: str = ""
    step: int | None = None
    look: LookOptions = field(default_factory=LookOptions)


@dataclass(frozen=True, slots=True)
class Replay:
    """`twentytwo replay`; `start` is a hand and a trick of it, `log` is whether to print lines.

    `html` and `cast` are files to be written, `review` the file of a review for the page;
    `columns` is the width of the cast.
    """

    what: str
    server: Address = field(default_factory=Address)
    seat: int | None = None
    opened: bool = False
    start: tuple[int, int] | None = None
    log: bool = False
    look: LookOptions = field(default_factory=LookOptions)
    html: str = ""
    review: str = ""
    cast: str = ""
    columns: int = 80


@dataclass(frozen=True, slots=True)
class WhatIf:
    """`twentytwo whatif`; `what` is a record, in a file, or a link to one.

    `at` is a hand and a trick of it, 0 for its beginning.
    """

    what: str
    at: tuple[int, int] = (1, 0)
    seat: int | None = None
    level: str = ""
    look: LookOptions = field(default_factory=LookOptions)


@dataclass(frozen=True, slots=True)
class Conform:
    """`twentytwo conform`: a server, or the command of a client; checks by words and ids."""

    server: Address = field(default_factory=Address)
    client: str = ""
    words: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    json: bool = False


@dataclass(frozen=True, slots=True)
class Stats:
    """`twentytwo stats`: as text, as JSON, or as a picture in a file."""

    json: bool = False
    svg: str = ""


@dataclass(frozen=True, slots=True)
class Host:
    """`twentytwo host`: opens a table with `line`, for those who know its `word`.

    `address` and `port` are where the server listens, `web` the port of its page, None for none.
    `name` is the player's.
    """

    line: str
    word: str
    address: str
    port: int
    web: int | None = None
    look: LookOptions = field(default_factory=LookOptions)
    name: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """`twentytwo` alone."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """A command of the server's that is run from here; `words` are its arguments, name first."""

    words: tuple[str, ...]


Options = (
    Play | Practice | Tutorial | Host | Replay | WhatIf | Conform | ServerCommand | Stats | Menu
)
