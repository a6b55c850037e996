"""What may be asked for on the command line, once it has been understood."""

from __future__ import annotations

from msgspec import field

from twentytwo_protocol.value import Value

from .address import Address
from .display.look import LookOptions


class Play(Value):
    """`twentytwo play`; `do` is a line to begin with."""

    address: Address
    table: str = ""
    name: str = ""
    look: LookOptions = field(default_factory=LookOptions)
    login: bool = False
    do: str = ""


class Practice(Value):
    """`twentytwo practice`; `line` is the command for the server.

    `kept`: games that are over are kept for `twentytwo stats`. The game of a `record` is there to
    go on from.
    """

    line: str = "practice"
    look: LookOptions = field(default_factory=LookOptions)
    kept: bool = True
    record: str = ""


class Tutorial(Value):
    """`twentytwo tutorial`; `game` is empty and `step` None for where the person was."""

    game: str = ""
    step: int | None = None
    look: LookOptions = field(default_factory=LookOptions)


class Replay(Value):
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


class WhatIf(Value):
    """`twentytwo whatif`; `what` is a record, in a file, or a link to one.

    `at` is a hand and a trick of it, 0 for its beginning.
    """

    what: str
    at: tuple[int, int] = (1, 0)
    seat: int | None = None
    level: str = ""
    look: LookOptions = field(default_factory=LookOptions)


class Conform(Value):
    """`twentytwo conform`: a server, or the command of a client; checks by words and ids."""

    server: Address = field(default_factory=Address)
    client: str = ""
    words: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    json: bool = False


class Stats(Value):
    """`twentytwo stats`: as text, as JSON, or as a picture in a file."""

    json: bool = False
    svg: str = ""


class Host(Value):
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


class Menu(Value):
    """`twentytwo` alone."""


class ServerCommand(Value):
    """A command of the server's that is run from here; `words` are its arguments, name first."""

    words: tuple[str, ...]


Options = (
    Play | Practice | Tutorial | Host | Replay | WhatIf | Conform | ServerCommand | Stats | Menu
)
