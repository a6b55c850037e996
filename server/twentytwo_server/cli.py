"""The command `twentytwo-server`: reads its arguments, installs the reactor, opens a node."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twentytwo_protocol import __version__, record_link
from twentytwo_protocol import record as records

from .config.command import config as config_command
from .config.flags import configuration, setting_flags
from .config.logs import announce, log_to, log_twisted
from .config.paths import admin_socket_of, data_of
from .config.reading import BadConfig
from .config.reloading import Reloading
from .config.settings import LogFormat, LogSettings, ServerSettings
from .garbage import Garbage
from .net.listeners import how_to_connect, listen_address
from .operator.admin_command import admin
from .operator.data_commands import COMMANDS
from .operator.one_line import Commands, why
from .operator.record import record
from .operator.review_command import review
from .operator.service_manager import ServiceManager
from .operator.status import status
from .records.recording import from_elsewhere

if TYPE_CHECKING:
    from .facts import GameEnded
    from .host.config import Config
    from .node import Node

log = logging.getLogger("twentytwo")

STOPPED = 15.0
"""Seconds after which a server that was told to stop ends, whatever does not let it."""
SWITCH_INTERVAL = 0.0001
"""Seconds after which the event loop gives Python's interpreter lock to a thread that waits for it.

A commit needs the lock some twenty times. With Python's 5 ms it took 50 to 100 ms while the loop
was busy; the loop is switched as often either way.
"""


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="twentytwo-server")
def main() -> None:
    """Play Twenty-Two and its relatives over TCP."""


for command in (record, review, config_command, status, admin, *COMMANDS):
    main.add_command(command)


@main.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port on this machine only; 0 picks a free one.  [2222]",
)
@setting_flags
@click.option("--memory", is_flag=True, help="Keep nothing: all is lost when the server stops.")
@click.option(
    "--dev", is_flag=True, help="For writing bots: this machine only, no limits, open seed=N."
)
@click.option(
    "--trace",
    is_flag=True,
    help="Log every line that is exchanged, with all cards and tokens; it costs speed.",
)
@click.option("--while-stdin", is_flag=True, help="Stop when standard input ends.")
@click.option(
    "--game",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="RECORD",
    help="A game that is over, to be there as g0; with --memory.",
)
def run(
    port: int | None,
    memory: bool,
    dev: bool,
    trace: bool,
    while_stdin: bool,
    game: Path | None,
    **flags: Any,
) -> None:
    """Serve until told to stop (SIGTERM, SIGINT).

    The first line of output says where: `listening on HOST:PORT`.

    All settings are in `twentytwo-server config --default`. A flag goes over the environment, and
    that over the file.
    """
    try:
        found = configuration(flags, port)
    except BadConfig as bad:
        raise click.UsageError("\n".join(bad.complaints)) from None
    settings = found.settings
    where = None if memory else data_of(settings.store.data, os.environ)
    reactor = install_reactor()
    garbage = Garbage(reactor.callLater, time.process_time)
    from .node import ServerPlan, open_node

    listeners = [listen_address(text) for text in settings.listen.endpoints]
    if dev and not all(each.here_only for each in listeners):
        raise click.UsageError("--dev listens on this machine only.")
    config = _config_of(settings, dev)
    log_to(sys.stderr, settings.log)
    log_twisted()
    if config.plaintext_login:
        log.warning("passwords are taken where others on the way can read them")
    for name in found.unknown_variables:
        log.warning("%s: no setting has this variable; it is ignored", name)
    ended = _read_game(game, memory=memory) if game is not None else None
    reloading = Reloading(lambda: configuration(flags, port).settings, settings)
    plan = ServerPlan(
        settings.listen,
        config,
        settings.limits,
        where,
        admin_socket_of(settings.store.admin_socket, where),
        watched=settings.admin.http,
        trace=trace,
        reload=lambda: reloading("admin reload"),
    )
    opening = open_node(reactor, plan, garbage.started)
    if ended is not None:
        opening = _with_game(opening, ended)
    begun = f"twentytwo-server {__version__} serves; data: {_shown(where)}"
    sys.exit(serve(reactor, opening, while_stdin, reloading, settings.log, begun))


def _shown(where: str | None) -> str:
    """The place of the data, without a password."""
    if where is None:
        return "in memory"
    if "://" not in where:
        return where
    from .store.sql import shown

    return shown(where)


def _config_of(settings: ServerSettings, dev: bool) -> Config:
    """What the host is told of the settings; every run of a server has another `boot`."""
    boot = f"{int(time.time()):x}"[-6:]
    return replace(
        settings.server, dev=dev, boot=boot, logins=settings.logins, quotas=settings.quotas
    )


ELSEWHERE = "g0"
"""The number of a game that was played elsewhere: those that are played here begin with g1."""


def _read_game(file: Path, *, memory: bool) -> GameEnded:
    """The game of a record. Raises `click.UsageError` for none, or where it would be kept."""
    if not memory:
        raise click.UsageError("--game is for a server with --memory.")
    try:
        text = file.read_text("utf-8-sig")
        if record_link.is_link(text):
            text = record_link.unpack(text)
        return from_elsewhere(records.read(text), ELSEWHERE)
    except (OSError, ValueError) as wrong:
        raise click.UsageError(f"{file}: {why(wrong)}") from None


async def _with_game(opening: Coroutine[Any, Any, Node], game: GameEnded) -> Node:
    node = await opening
    node.store.keep((game,), lambda: None)
    return node


@main.command()
@click.option("--game", default="twentytwo", help="The game. [twentytwo]")
@click.option("--rules", "preset", default=None, help="A preset of its rules.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option.")
@click.option("--seats", default="hard,steady,steady,steady", help="The bots' levels.")
@click.option("-n", "deals", default=100, help="How many deals; each is played from every seat.")
@click.option("--seed", default=1, help="The same seed gives the same games, byte for byte. [1]")
@click.option(
    "--worlds",
    type=click.IntRange(1),
    default=100,
    help="Worlds that a hard bot tries for a move. [100]",
)
@click.option("--records", type=click.Path(file_okay=False, path_type=Path), help="For records.")
@click.option(
    "--processes", type=click.IntRange(1), default=None, help="How many at once. [all cores]"
)
def match(
    game: str,
    preset: str | None,
    options: tuple[str, ...],
    seats: str,
    deals: int,
    seed: int,
    worlds: int,
    records: Path | None,
    processes: int | None,
) -> None:
    """Have bots play each other, and print how strong they are.

    Example: twentytwo match --seats hard,steady,steady,steady -n 200 --seed 7
    """
    from .operator.bot_matches import MatchPlan
    from .operator.match_command import run_match, usual_rules

    changes = dict(option.partition("=")[::2] for option in options)
    rules = usual_rules(game) if preset is None else preset
    plan = MatchPlan(game, rules, changes, tuple(seats.split(",")), seed, worlds)
    sys.exit(run_match(plan, deals, records, processes))


def install_reactor() -> Any:
    """The asyncio reactor, installed before anything imports it, on uvloop where there is one."""
    from twisted.internet.base import ReactorBase

    sys.setswitchinterval(SWITCH_INTERVAL)
    # Twisted's timers otherwise run on the wall clock, and a clock set forward ends every turn.
    ReactorBase.seconds = staticmethod(time.monotonic)
    try:
        import uvloop  # type: ignore[import-not-found,unused-ignore]  # an extra, there or not

        loop = uvloop.new_event_loop()
    except ImportError:
        loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    from twisted.internet import asyncioreactor

    asyncioreactor.install(loop)
    from twisted.internet import reactor

    return reactor


def serve(
    reactor: Any,
    opening: Any,
    while_stdin: bool,
    reloading: Reloading,
    logged: LogSettings,
    begun: str,
) -> int:
    """Runs the reactor until a signal; the exit status.

    When the node is open it logs `begun`, and says on standard output where it listens, in the form
    of the log.
    """
    from twisted.internet.defer import Deferred

    status = 0
    manager = ServiceManager.of(os.environ)

    def opened(node: Any) -> None:
        for address in node.addresses:
            announce(sys.stdout, logged, f"listening on {address}")
        if node.monitor is not None:
            announce(sys.stdout, logged, f"admin on {node.monitor.address}")
        if logged.format is LogFormat.TEXT:
            _say_how_to_connect(node.addresses)
        log.info("%s", begun)
        reloading.apply = lambda settings: _apply(node, settings)
        reloading.hooks += node.reloads
        reactor.addSystemEventTrigger("before", "shutdown", log.info, "the server stops")
        reactor.addSystemEventTrigger("before", "shutdown", _end_at_last)
        reactor.addSystemEventTrigger("after", "shutdown", log.info, "the server has stopped")
        reactor.addSystemEventTrigger("before", "shutdown", node.stop)
        reactor.addSystemEventTrigger("before", "shutdown", manager.stopping, STOPPED)
        _drain_at_sigterm(reactor, node.stopping, lambda: node.host.config.drain, manager)
        manager.ready(f"listening on {', '.join(node.addresses)}")
        manager.keep_alive(reactor.callLater)
        if while_stdin:
            _stop_with_stdin(reactor)

    def failed(failure: Any) -> None:
        nonlocal status
        status = 1
        print(f"twentytwo-server: {failure.getErrorMessage()}", file=sys.stderr)
        reactor.stop()

    reactor.callWhenRunning(lambda: Deferred.fromCoroutine(opening).addCallbacks(opened, failed))

    def reload() -> None:
        manager.reloading(time.monotonic())
        reloading()
        manager.ready("settings read anew")

    # A shell that starts jobs in the background has them ignore SIGINT; a server must not.
    signal.signal(signal.SIGINT, lambda *_: reactor.callFromThread(_stop, reactor, "SIGINT"))
    if hasattr(signal, "SIGHUP"):
        # Not in the handler: the log may be in the middle of another line.
        signal.signal(signal.SIGHUP, lambda *_: reactor.callFromThread(reload))
    reactor.run()
    return status


def _apply(node: Any, settings: ServerSettings) -> None:
    """Has a running server go on with other settings."""
    log_to(sys.stderr, settings.log)
    node.change(settings)


def _end_at_last() -> None:
    """Ends the process by force later on, unless it has ended by then.

    A thread does it, which also ends a server whose disk or database holds up the reactor. What is
    not kept by then was not acknowledged either.
    """
    from .node import FATAL

    def end() -> None:
        log.critical("not everything has stopped in %g s", STOPPED)
        logging.shutdown()
        os._exit(FATAL)

    timer = threading.Timer(STOPPED, end)
    timer.daemon = True
    timer.start()


def _drain_at_sigterm(
    reactor: Any, stopping: Any, drain: Callable[[], int], manager: ServiceManager
) -> None:
    """Has SIGTERM stop the server, after a drain of so many ms if the operator wants one.

    Told a second time, it stops at once.
    """

    def stop() -> None:
        log.info("told to stop by SIGTERM")
        manager.stopping(drain() / 1000 + STOPPED)
        stopping.told_to_stop()

    signal.signal(signal.SIGTERM, lambda *_: reactor.callFromThread(stop))


def _say_how_to_connect(addresses: list[str]) -> None:
    """Says how people and programs come in, with the client as it is called where we are."""
    here = Path(".venv/bin/twentytwo")
    lines = how_to_connect(addresses, str(here) if here.exists() else here.name)
    if lines and here.exists():
        lines.append("a bot:   docs/writing-a-client.md has one in six lines of awk")
    for line in lines:
        print(f"  {line}", flush=True)


def _stop(reactor: Any, by: str) -> None:
    """Stops the reactor, unless it is stopping already."""
    if reactor.running:
        log.info("told to stop by %s", by)
        reactor.stop()


def _stop_with_stdin(reactor: Any) -> None:
    """Stops the reactor when standard input ends: with the program that started this one."""
    from twisted.internet.protocol import Protocol
    from twisted.internet.stdio import StandardIO

    class UntilEnd(Protocol):
        def connectionLost(self, reason: Any = None) -> None:
            _stop(reactor, "the end of standard input")

    StandardIO(UntilEnd(), reactor=reactor)
