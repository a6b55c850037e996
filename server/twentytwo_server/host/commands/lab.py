"""The practice ground for client authors: the tables that are not specific to one game.

Each game declares its own (`games.lab`, `Game.lab`).
"""

from __future__ import annotations

from collections.abc import Mapping

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words import lab as words
from twentytwo_protocol.words.seating import Open, Practice

from ...games.game import Games
from ...games.lab import LabTable
from ...table.clocks import read_clock
from ..config import LiveConfig
from ..tables.rooms import Rooms
from .call import Call, Handlers
from .seating.opening import TableOpening, open_

SEALED = "a51146d38077ff992eba84cf1d5e9b249073503eb74868699016153b031a38f7"
"""The sha256 of the word `lab`."""

TABLES: Mapping[str, LabTable] = {
    "timeout": LabTable(
        "A clock of 5 s and a reserve of 1 s. Answer nothing: time runs out, the default is "
        "played, and at last a bot plays for you; your next move takes over.",
        ("TURN ms bank", "TIMEOUT", "PLAYED auto=1", "PRESENCE bot=1"),
        clock="5+1",
        waits=True,
    ),
    "pause": LabTable(
        "The game stands still and goes on.", ("PAUSED", "UNPAUSED"), say=("pause", "unpause")
    ),
    "abort": LabTable(
        "The game is broken off, and begun anew.",
        ("ABORTED why=agreed", "READY ready=1", "SHUFFLED", "GAME"),
        say=("abort", "rematch"),
    ),
    "undo": LabTable(
        "A move is taken back: the game ends, and another goes on from it.",
        ("EXCHANGED", "ABORTED why=undone", "COMMITTED", "GAME", "CONTINUED no=1"),
        say=("keep", "undo"),
    ),
    "resign": LabTable(
        "You give up, and the other has won.", ("GAMEOVER why=resigned",), bots=1, say=("resign",)
    ),
    "seats": LabTable(
        "Seats change between games; the table stays open.",
        ("SWAPPED", "LEFT why=left", "JOINED bot=1", "OPTION by", "HOST"),
        say=("abort", "swap 3", "dropbot", "addbot", "lock"),
    ),
    "talk": LabTable("You talk at the table.", ("SAID by",), say=("say :hello",)),
    "words": LabTable(
        "Deals that cannot be repeated: your word is sealed, opened, and in the shuffle.",
        ("COMMITTED alg=fd1", "SEEDED hash", "UNSEAL", "SEEDED word", "SHUFFLED words"),
        seed=None,
        say=("abort", f"seedhash {SEALED}", "rematch", "seed lab"),
    ),
    "unopened": LabTable(
        "A sealed word that is not opened for 30 s: the start is called off.",
        ("UNSEAL", "CALLEDOFF"),
        seed=None,
        waits=True,
        say=("abort", f"seedhash {SEALED}", "rematch"),
    ),
    "account": LabTable(
        "A guest becomes an account, in the middle of a game.",
        ("RENAMED",),
        say=("register NAME :PASSWORD",),
    ),
    "second": LabTable(
        "With a second client, bob: a vote that needs two, another host, somebody sent away.",
        ("JOINED bot=0", "VOTE", "HOST", "LEFT why=kicked"),
        say=(
            "abort",
            "dropbot",
            "invite bob",
            "bob: join TABLE",
            "rematch",
            "host bob",
            "bob: host ME",
            "remove bob",
        ),
    ),
    "late": LabTable(
        "With a second client, bob, who leaves a running game, and takes the seat over from the "
        "bot that has kept it.",
        ("LEFT why=left", "JOINED bot=1", "LEFT why=replaced", "JOINED bot=0"),
        say=(
            "abort",
            "dropbot",
            "invite bob",
            "bob: join TABLE",
            "rematch",
            "bob: rematch",
            "bob: leave",
            "invite bob",
            "bob: join TABLE",
        ),
    ),
    "giveup": LabTable(
        "You give up where others play on: a bot takes the seat.",
        ("LEFT why=resigned",),
        say=("resign",),
    ),
    "hands": LabTable(
        "A game that has gone on for too long: the score decides.",
        ("HANDOVER", "GAMEOVER why=hands"),
        bots=1,
        most_hands=1,
    ),
    "closed": LabTable(
        "The table is closed.",
        ("LEFT why=closed",),
        say=("abort", "close"),
    ),
    "pair": LabTable(
        "Two tables with the same deals, and a second client, bob, at the other: both are compared "
        "when both are done. Here bob breaks off, and there is nothing to compare.",
        ("COMMITTED alg=duplicate", "SHUFFLED words", "GAMEOVER", "REVEALED", "COMPARED table"),
        pair=True,
        say=("bob: join OTHER", "bob: ready", "start", "bob: abort"),
    ),
    "gone": LabTable(
        "With a second client, bob, who does not come back: after two minutes the seat is free.",
        ("PRESENCE here=0 ms", "LEFT why=gone"),
        waits=True,
        say=("abort", "dropbot", "invite bob", "bob: join TABLE", "bob: quit"),
    ),
}
"""The tables for things that happen in any game, shown with the default game."""


def tables(games: Games) -> dict[str, tuple[str, LabTable]]:
    """All tables of the practice ground by name, with the keys of their games."""
    declared = [(key, game.lab) for key, game in games.items()]
    if DEFAULT_GAME in games:
        declared.append((DEFAULT_GAME, TABLES))
    return {name: (key, table) for key, own in declared for name, table in own.items()}


async def lab(
    call: Call,
    command: words.Lab,
    games: Games,
    rooms: Rooms,
    config: LiveConfig,
    opening: TableOpening,
) -> None:
    """Lists the tables of the practice ground, or opens one of them."""
    if not config.now.dev:
        raise Refused("UNSUPPORTED", "The practice ground is on servers that are run with --dev.")
    there = tables(games)
    if command.name is None:
        rows = [
            words.LabRow(name, key, table.events, table.text)
            for name, (key, table) in there.items()
        ]
        call.ok(*rows, n=len(rows))
        return
    if command.name.lower() not in there:
        raise Refused(
            "BAD_ARG", f"There is no {command.name}; lab lists what there is.", arg="name"
        )
    key, table = there[command.name.lower()]
    if table.pair:
        await open_(call, Open(key, seats=2, clock="0", duplicate=1), games, rooms, config, opening)
        return
    practice = Practice(
        key, bots=table.bots, rules=table.rules, seed=table.seed, options=table.options
    )
    await opening.open_practice(
        call,
        practice,
        clock=read_clock(table.clock),
        about=table.text,
        most_hands=table.most_hands,
    )


HANDLERS: Handlers = {words.Lab: lab}
