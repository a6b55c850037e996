"""The parsed options of the command line."""

from __future__ import annotations

from msgspec import field

from twentytwo_protocol.value import Value

from .address import Address
from .display.look import LookOptions


class Play(Value):
    """`twentytwo play`. `do` is a first line to send."""

    address: Address
    table: str = ""
    name: str = ""
    look: LookOptions = field(default_factory=LookOptions)
    login: bool = False
    do: str = ""


class Practice(Value):
    """`twentytwo practice`. `line` is the command for the server.

    `history`: finished games are kept for `twentytwo stats`. `record` is the record of a game to
    continue.
    """

    line: str = "practice"
    look: LookOptions = field(default_factory=LookOptions)
    history: bool = True
    record: str = ""


class Tutorial(Value):
    """`twentytwo tutorial`. An empty `game` and the `step` None mean the person's latest
    progress.
    """

    game: str = ""
    step: int | None = None
    look: LookOptions = field(default_factory=LookOptions)


class Replay(Value):
    """`twentytwo replay`. `start` is a hand and a trick. `log`: print the events.

    `html` and `cast` are files to write, `review` is the file of a review for the page. `columns`
    is the width of the cast.
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
    """`twentytwo whatif`. `what` is a link, or a file with a record or a link.

    `at` is a hand and a trick; trick 0 is the beginning of the hand.
    """

    what: str
    at: tuple[int, int] = (1, 0)
    seat: int | None = None
    level: str = ""
    look: LookOptions = field(default_factory=LookOptions)


class Conform(Value):
    """`twentytwo conform`: a server, or the command of a client; filters by word and by id."""

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
    """`twentytwo host`: opens a private table with `line`; `word` is its word.

    The server listens on `address` and `port`. `web` is the port of its page, or None. `name` is
    the player's, who is asked for it if it is empty.
    """

    line: str
    word: str
    address: str
    port: int
    web: int | None = None
    look: LookOptions = field(default_factory=LookOptions)
    name: str = ""


class Menu(Value):
    """`twentytwo` without arguments."""


class ServerCommand(Value):
    """A command of the server's program. `words` are its name and its arguments."""

    words: tuple[str, ...]


Options = (
    Play | Practice | Tutorial | Host | Replay | WhatIf | Conform | ServerCommand | Stats | Menu
)
