"""The practice ground for writers of clients: tables at which rare things happen soon.

Whoever writes a client wants to see each event, and each form of a question, without playing all
night. An entry is data: a practice table whose seed deals what it promises, and perhaps what else
is to be said there. A test plays them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words import lab as words
from twentytwo_protocol.words.seating import Practice

from ...table.clocks import read_clock
from .call import Call, Handlers
from .seating import open_practice


@dataclass(frozen=True, slots=True)
class LabTable:
    """A table of the practice ground, and what whoever opens it is sure to see.

    `promised` are events, with fields that they have: `TURN beat` has that field, `TURN choose=one`
    has it with that value, `TURN legal~F22` has that among its values. They come if every question
    is answered by its default, or, where the entry `waits`, if none is answered. `say` is
    what is to be said, one after the other, as soon as the table is open; a line that begins with
    `bob: ` is for a second client of that name. TABLE is the table, ME who opened it; NAME and
    PASSWORD are anything.
    """

    about: str
    promised: tuple[str, ...]
    game: str = DEFAULT_GAME
    rules: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    bots: int = 3
    seed: int | None = 1
    clock: str = "0"
    waits: bool = False
    say: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What happens there, and what is to be said for it."""
        return " ".join((self.about, f"Say: {'; '.join(self.say)}." if self.say else "")).rstrip()

    @property
    def events(self) -> tuple[str, ...]:
        """The words of the events, each once."""
        return tuple(dict.fromkeys(shown.split(" ")[0] for shown in self.promised))


SEALED = "a51146d38077ff992eba84cf1d5e9b249073503eb74868699016153b031a38f7"
"""The sha256 of the word `lab`."""

SHORT = {"exchange": "off", "limit": "10", "first_hand": "3"}
"""Options by which a game of Twenty-Two is over after a hand."""

ENTRIES: Mapping[str, LabTable] = {
    "truncated": LabTable(
        "Leads of straights: more moves than are listed. moves has the others.",
        ("TURN choose=one truncated=1 nlegal default", "TRICK", "GAMEOVER"),
        options={
            "exchange": "off",
            "first_hand": "13",
            "straights": "on",
            "straight_min": "2",
        },
        bots=1,
    ),
    "exchange": LabTable(
        "Any cards of a hand may be exchanged: the answer is a subset.",
        ("TURN act=exchange choose=subset min max cards", "EXCHANGED gave got", "DREW"),
        bots=2,
    ),
    "beat": LabTable(
        "A play to equal or beat, and the lowest cards instead; a hand of one trick and its end.",
        (
            "TURN act=play choose=one beat low legal hand",
            "PLAYED kind=lead",
            "PLAYED kind=beat",
            "PLAYED kind=low",
            "SHOWN",
            "SCORED card",
            "HANDOVER losers",
            "HAND",
        ),
        options={"exchange": "off"},
        bots=2,
        seed=23,
    ),
    "joker": LabTable(
        "Jokers: X in a hand, XK where one counts as a king.",
        ("PLAYED cards~XK", "TURN hand~X"),
        game="twentysix",
        options={"exchange": "off", "jokers": "8"},
        seed=72,
    ),
    "out": LabTable(
        "A game that is over after a hand: somebody is out, and the rest has won.",
        ("OUT", "REVEALED", "RESULT place=1", "GAMEOVER why=last", "COMMITTED"),
        options=SHORT,
        bots=2,
    ),
    "runoff": LabTable(
        "The last players go out together, and play on until one has won.",
        ("OUT", "GAMEOVER why=runoff"),
        rules="tvtropes",
        options=SHORT,
        bots=2,
        seed=33,
    ),
    "bids": LabTable(
        "Bids for tricks, and what they come to.",
        ("TURN act=bid bids tricks", "BID", "TURN act=play bid won", "SCORED bid won", "TOOK"),
        game="whist22",
        seed=12,
    ),
    "fool": LabTable(
        "The Fool counts 0 or 22, as its player says: F0 or F22.",
        ("TURN legal~F0", "TURN legal~F22", "PLAYED cards~F0", "PLAYED cards~F22"),
        game="whist22",
        seed=12,
    ),
    "blind": LabTable(
        "A hand of one card, which everybody sees but its owner.",
        ("DEALT n=1 seen",),
        game="whist22",
        rules="bga",
        bots=6,
    ),
    "trump": LabTable(
        "An auction, the trump face down, and turned up; partners score together.",
        (
            "CONTRACT side",
            "TURN act=trump",
            "TRUMP shown=0 card",
            "TURN down",
            "TRUMP shown=1 suit",
            "TURN trump",
            "TURN holder",
            "SCORED side",
        ),
        game="twentyeight",
        seed=27,
    ),
    "declare": LabTable(
        "Whoever cannot follow suit says whether the hidden trump is called for.",
        ("TURN act=declare", "DECLARED what=no", "DECLARED what=call"),
        game="twentyeight",
        rules="pagat",
        seed=118,
    ),
    "redeal": LabTable(
        "No card that counts, and the first to speak: you may ask for a new deal.",
        ("TURN legal~redeal", "REDEALT", "DEALT"),
        game="twentyeight",
        rules="pagat",
        seed=139,
        say=("redeal",),
    ),
    "timeout": LabTable(
        "A clock of 5 s and a reserve of 1 s. Answer nothing: time runs out, the default is "
        "played, and at last a bot plays for you; your next move takes over.",
        ("TURN ms bank", "TIMEOUT", "PLAYED auto=1", "PRESENCE bot=1"),
        options={"exchange": "off"},
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
    "resign": LabTable("You give up.", ("GAMEOVER why=resigned",), bots=1, say=("resign",)),
    "seats": LabTable(
        "Seats change between games; the table stays open.",
        ("SWAPPED", "LEFT why=left", "JOINED bot=1", "OPTION by", "HOST"),
        say=("abort", "swap 3", "dropbot", "addbot easy", "option exchange off", "lock"),
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
}
"""All tables of the practice ground, by name."""


def lab(call: Call, command: words.Lab) -> None:
    """Lists the tables of the practice ground, or opens one of them."""
    if not call.host.config.dev:
        raise Refused("UNSUPPORTED", "The practice ground is on servers that are run with --dev.")
    if command.name is None:
        rows = [
            words.LabRow(name, entry.game, entry.events, entry.text)
            for name, entry in ENTRIES.items()
        ]
        call.ok(*rows, n=len(rows))
        return
    entry = ENTRIES.get(command.name.lower())
    if entry is None:
        raise Refused(
            "BAD_ARG", f"There is no {command.name}; lab lists what there is.", arg="name"
        )
    practice = Practice(
        entry.game,
        bots=entry.bots,
        rules=entry.rules,
        seed=entry.seed,
        options=entry.options,
    )
    open_practice(call, practice, clock=read_clock(entry.clock), about=entry.text)


HANDLERS: Handlers = {words.Lab: lab}
