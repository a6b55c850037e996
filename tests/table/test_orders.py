"""The machine of a table, walked: every order in every phase from everybody."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import pytest

from tests.kit import tables, truth
from tests.kit.cases import together
from tests.kit.tables import Run
from twentytwo_protocol.games.twentytwo import Exchange, Keep
from twentytwo_protocol.manual import GROUPS
from twentytwo_protocol.schema import CODES, COMMANDS, REASONS, Command, Deed, Malformed, Refused
from twentytwo_protocol.wire import read_command
from twentytwo_protocol.words import cardplay, fairness, looking, talk
from twentytwo_protocol.words import seating as words
from twentytwo_server.games.game import AnyGame
from twentytwo_server.games.registry import games
from twentytwo_server.host.commands.handlers import HANDLERS
from twentytwo_server.table import journal
from twentytwo_server.table.clocks import TurnClock
from twentytwo_server.table.decision import Actor
from twentytwo_server.table.effects import (
    Abandoned,
    Away,
    Back,
    ClosedByOperator,
    Disband,
    Fault,
    GoOn,
    GraceOver,
    Inherited,
    Inner,
    Renamed,
    Restarted,
    Settle,
    StartTogether,
    TurnOver,
    WordsDue,
)
from twentytwo_server.table.orders import ORDERS, Role, decide, order_for
from twentytwo_server.table.table import Phase

CLOCK = TurnClock(60_000, 120_000)

SEALED = hashlib.sha256(b"sealed").hexdigest()

SAMPLES: dict[type, Sequence[Command | Inner]] = {
    words.Join: [words.Join("t1"), *(words.Join("t1", n) for n in (-1, 0, 1, 2, 4, 5))],
    words.Watch: [words.Watch("t1")],
    words.Unwatch: [words.Unwatch()],
    words.Leave: [words.Leave()],
    words.Swap: [words.Swap(n) for n in (-1, 0, 1, 2, 3, 4, 5)],
    words.Ready: [words.Ready()],
    words.Unready: [words.Unready()],
    words.Rematch: [words.Rematch()],
    words.Option: [
        words.Option(key, value)
        for key, value in [
            ("exchange", "off"),
            ("EXCHANGE", "ON"),
            ("exchange", "maybe"),
            ("nothing", "1"),
            ("limit", "9"),
            ("decks", "1"),
            ("max_players", "2"),
        ]
    ],
    fairness.Seed: [fairness.Seed(word) for word in ("kitten", "sealed", "two words", "-")],
    fairness.Seedhash: [fairness.Seedhash(SEALED), fairness.Seedhash("abc")],
    words.Start: [words.Start()],
    words.Host: [words.Host(name) for name in ("ann", "bob", "zed", "bot:steady")],
    words.Lock: [words.Lock()],
    words.Unlock: [words.Unlock()],
    words.Remove: [words.Remove(name) for name in ("ann", "bob", "zed", "bot:steady")],
    words.Addbot: [words.Addbot(), words.Addbot("easy"), words.Addbot("godly")],
    words.Dropbot: [words.Dropbot(), words.Dropbot(1), words.Dropbot(3), words.Dropbot(9)],
    words.Close: [words.Close()],
    cardplay.Move: [
        *(cardplay.Move(token) for token in ("-", "2", "Q+Q+Q+Q+Q", "", "?", "XX")),
        *(cardplay.Move("-", turn) for turn in (1, 99)),
    ],
    Deed: [
        Keep(),
        Exchange(("2", "A")),
        Exchange(()),
        cardplay.Play(("2",)),
        cardplay.Play(()),
        cardplay.Play(("nonsense",)),
    ],
    cardplay.Pause: [cardplay.Pause()],
    cardplay.Unpause: [cardplay.Unpause()],
    cardplay.Abort: [cardplay.Abort()],
    cardplay.Undo: [cardplay.Undo()],
    cardplay.Again: [cardplay.Again()],
    cardplay.Resign: [cardplay.Resign()],
    talk.Say: [talk.Say("hello")],
    TurnOver: [TurnOver(n) for n in (0, 1, 2, 99)],
    GraceOver: [GraceOver(name) for name in ("ann", "bob", "zed", "bot:steady")],
    WordsDue: [WordsDue(n) for n in (0, 1000)],
    Abandoned: [Abandoned()],
    GoOn: [GoOn("g1", n) for n in (0, 1, 99)],
    Away: [Away(name) for name in ("ann", "bob", "zed", "bot:steady")],
    Back: [Back(name) for name in ("ann", "bob", "zed", "bot:steady")],
    Renamed: [
        *(Renamed(old, "cat") for old in ("ann", "bob", "zoe")),
        Renamed("ann", "bob"),
        Renamed("nobody", "ann"),
    ],
    Fault: [Fault("boot-1")],
    ClosedByOperator: [ClosedByOperator()],
    Restarted: [Restarted(), Restarted(backup=True), Restarted(shared=True)],
    Inherited: [Inherited()],
    StartTogether: [StartTogether(("-",) * 8)],
    Settle: [Settle(), Settle(("ann", "bob"), (1, -1))],
    Disband: [Disband()],
}
"""Orders of every kind, some that make sense and some that do not."""


def paused() -> Run:
    run = tables.started(2, bots=1, seats=4, clock=CLOCK)
    run.order("ann", cardplay.Pause())
    run.order("bob", cardplay.Pause())
    return run


def deserted() -> Run:
    run = tables.started(2, bots=1, seats=4, clock=CLOCK)
    run.order("", Away("ann"))
    run.order("", Away("bob"))
    return run


def standing_in() -> Run:
    run = tables.started(2, bots=1, seats=4, clock=CLOCK)
    run.order("", Away("bob"))
    run.wait(120_000)
    return run


def starting() -> Run:
    run = tables.seated(2, bots=1, seats=4, clock=CLOCK)
    run.order("bob", fairness.Seedhash(SEALED))
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    return run


def watched() -> Run:
    run = tables.seated(2, bots=1, seats=4)
    run.order("zed", words.Watch("t1"))
    return run


TABLES: dict[str, Callable[[], Run]] = {
    "alone": lambda: tables.opened(4),
    "open": lambda: tables.seated(2, bots=1, seats=4, clock=CLOCK),
    "watched": watched,
    "full": lambda: tables.seated(3, bots=1),
    "starting": starting,
    "playing": lambda: tables.started(2, bots=1, seats=4, clock=CLOCK),
    "two playing": lambda: tables.started(2),
    "paused": paused,
    "deserted": deserted,
    "standing in": standing_in,
    "over": lambda: tables.over(2, bots=1, seats=4),
}
GIVERS = {"nobody": "zed", "seated": "bob", "host": "ann", "server": ""}


def test_there_are_samples_of_every_order_and_tables_of_every_phase() -> None:
    assert SAMPLES.keys() == ORDERS.keys()
    assert {run().table.phase for run in TABLES.values()} == set(Phase)


def test_every_order_is_written_down_and_read_again() -> None:
    for samples in SAMPLES.values():
        for order in samples:
            assert journal.read(journal.written(order)) == order


@pytest.mark.parametrize("giver", GIVERS)
@pytest.mark.parametrize("name", TABLES)
def test_every_order_is_carried_out_or_refused_with_a_code_and_then_nothing_changes(
    name: str, giver: str
) -> None:
    # A table is a value, so that one is enough for all orders.
    start = TABLES[name]()
    for kind, samples in SAMPLES.items():
        if giver == "server" and ORDERS[kind].role is Role.ANYBODY:
            continue  # what people say; the server itself never does
        for sample in samples:
            run = Run(start.table, start.deals, start.at)
            for entry in start.stream.after(0):
                run.stream.append(entry.event, names=entry.names, game=entry.game)
            try:
                run.order(GIVERS[giver], sample)
            except Refused as wrong:
                assert wrong.code in CODES
                assert wrong.text.endswith((".", "!")), wrong.text
                assert "\n" not in wrong.text
                if wrong.code == "ILLEGAL":
                    assert wrong.fields["reason"] in REASONS
                assert run.table == start.table
            else:
                must_be_refused = _forbidden(kind, start, giver)
                assert must_be_refused is None, (sample, must_be_refused)
                if not run.closed:
                    truth.check(run)


def _forbidden(kind: type, start: Run, giver: str) -> str | None:
    """Why the table of orders has it that such an order is refused."""
    order = ORDERS[kind]
    if start.table.phase not in order.phases:
        return "phase"
    name = GIVERS[giver]
    if order.role in (Role.SEATED, Role.HOST) and not start.table.seat_of(name):
        return "not seated"
    if order.role is Role.HOST and start.table.host != name:
        return "not the host"
    return None


@together("phase", ["open", "starting", "playing", "over"])
@together("kind", [k for k in ORDERS if ORDERS[k].role is not Role.SERVER])
def test_what_the_table_of_orders_forbids_is_refused_with_the_code_that_says_so(
    kind: type, phase: str
) -> None:
    order, start = ORDERS[kind], TABLES[phase]()
    for giver, sample in itertools.product(GIVERS, SAMPLES[kind]):
        why = _forbidden(kind, start, giver)
        if why is None:
            continue
        codes = {
            "phase": {_code(phase, order.phases)},
            "not seated": {"NOT_SEATED"},
            "not the host": {"NOT_HOST"},
        }[why]
        if order.role in (Role.SEATED, Role.HOST) and not start.table.seat_of(GIVERS[giver]):
            codes = {"NOT_SEATED"}
        assert start.refused(GIVERS[giver], sample).code in codes


def _code(phase: str, phases: tuple[Phase, ...]) -> str:
    running = phase == "playing" or (phase == "starting" and phases != (Phase.PLAYING,))
    return "GAME_RUNNING" if running else "NO_GAME"


def test_orders_of_the_server_are_no_words_that_anybody_can_say() -> None:
    servers = {kind for kind, order in ORDERS.items() if order.role is Role.SERVER}
    assert servers == {
        TurnOver,
        GraceOver,
        Abandoned,
        GoOn,
        Away,
        Back,
        ClosedByOperator,
        Fault,
        Renamed,
        Restarted,
        Inherited,
        StartTogether,
        Settle,
        Disband,
        WordsDue,
    }
    assert not servers & set(COMMANDS.values())


def test_a_command_that_is_no_order_is_refused() -> None:
    assert order_for(looking.Score) is None
    run = tables.opened()
    assert run.refused("ann", looking.Score()).code == "BAD_SYNTAX"


@together("verb", COMMANDS)
def test_every_command_has_something_that_answers_it(verb: str) -> None:
    kind = COMMANDS[verb]
    assert kind.group in GROUPS
    assert (Deed if issubclass(kind, Deed) else kind) in HANDLERS


def test_every_handler_answers_a_command_and_every_order_has_a_handler() -> None:
    assert set(HANDLERS) - {Deed} <= set(COMMANDS.values())
    given = {kind for kind, order in ORDERS.items() if order.role is not Role.SERVER}
    assert given <= set(HANDLERS)


def test_orders_in_any_sequence_keep_what_viewers_see_true_to_the_table() -> None:
    """Walks at random through all orders: what everybody is shown stays what is true."""
    for seed in range(25):
        chance = random.Random(seed)
        run = tables.seated(2, bots=1, seats=4, clock=CLOCK, seed=seed)
        for _ in range(60):
            kind = chance.choice([*SAMPLES, cardplay.Move, words.Ready, words.Start, Back])
            sample = chance.choice(SAMPLES[kind])
            if kind is cardplay.Move and run.playing and not run.table.paused:
                run.play(chance, 1)
            elif kind is GraceOver:
                run.wait(chance.choice([1_000, 60_000, 120_000]))
            elif ORDERS[kind].role is Role.SERVER and kind is not Fault:
                _try(run, "", sample)
            elif kind is Fault and chance.random() < 0.9:
                continue
            else:
                _try(run, chance.choice(["ann", "bob", "zed", "cat"]), sample)
            if run.closed:
                break
            truth.check(run)


def _try(run: Run, who: str, order: Command | Inner) -> None:
    try:
        run.order(Actor(who), order)
    except Refused as wrong:
        assert wrong.code in CODES


WORDS = (
    *("", "-", "two", "pass", "-3", "2.5", "\uff12", "9" * 21, "0", "hearts", "9h", "x", "F0"),
    *("f22", "call", "no", "yes", "Q+Q", "2 5", "!", "x" * 500),
)


def deeds() -> Iterator[Deed]:
    """The deeds of all games, with all that somebody may have typed for them."""
    for verb, kind in COMMANDS.items():
        for said in WORDS if issubclass(kind, Deed) else ():
            with suppress(Malformed):
                deed = read_command(COMMANDS[verb], said)
                assert isinstance(deed, Deed)
                yield deed


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
def test_whatever_is_said_at_a_table_is_a_move_or_refused(game: AnyGame) -> None:
    chance = random.Random(1)
    run = tables.started(4, game=game)
    acts: set[str] = set()
    while run.playing and len(acts) < 6 and run.stream.last < 2000:
        if run.asked.act not in acts or chance.random() < 0.02:
            acts.add(run.asked.act)
            for order in (*deeds(), *map(cardplay.Move, WORDS)):
                try:
                    decide(run.table, Actor(run.mover), order, run.now())
                except Refused as wrong:
                    assert wrong.code in CODES
        run.any_move(chance)
    assert set(game.deeds) >= acts >= {"play"}
