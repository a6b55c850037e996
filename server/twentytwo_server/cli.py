"""The command `twentytwo-server`: reads its arguments, installs the reactor, opens a node."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, replace
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
from .net.listeners import how_to_connect, in_a_browser, listen_address
from .operator.admin_command import admin
from .operator.data_commands import DATA_COMMANDS
from .operator.nodes_command import nodes
from .operator.one_line import Commands, why
from .operator.record import record
from .operator.review_command import review
from .operator.service_manager import ServiceManager
from .operator.status import status
from .operator.web_command import web
from .records.recording import from_elsewhere

if TYPE_CHECKING:
    from .facts import GameEnded
    from .host.config import Config
    from .node import Node, Told

log = logging.getLogger("twentytwo")

STOPPED = 15.0
"""Seconds after which a stopping server is ended by force."""
LEFT = 30.0
"""The same for one of several active servers: orders may be on their way to the others."""
SWITCH_INTERVAL = 0.0001
"""Seconds until the event loop yields Python's interpreter lock to a waiting thread.

A commit needs the lock about twenty times. With Python's default of 5 ms a commit took 50 to 100 ms
while the loop was busy. The number of switches of the loop is the same.
"""


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="twentytwo-server")
def main() -> None:
    """Serve Twenty-Two and its relatives over TCP."""


for command in (record, review, web, config_command, status, admin, nodes, *DATA_COMMANDS):
    main.add_command(command)


@main.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port for connections from this machine; 0 picks a free port.  [2222]",
)
@setting_flags
@click.option(
    "--memory", is_flag=True, help="Store nothing: all data is lost when the server stops."
)
@click.option(
    "--dev", is_flag=True, help="For developing bots: local only, no limits, `open seed=N` allowed."
)
@click.option(
    "--trace",
    is_flag=True,
    help="Log every line sent and received, with all cards and tokens. This slows the server down.",
)
@click.option("--while-stdin", is_flag=True, help="Stop when standard input is closed.")
@click.option(
    "--game",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="RECORD",
    help="Load the finished game of a record as g0. Needs --memory.",
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
    """Run the server until it is told to stop (SIGTERM, SIGINT).

    The first line of output is `listening on HOST:PORT`.

    `twentytwo-server config --default` explains all settings. A flag overrides the environment, and
    the environment overrides the file.
    """
    try:
        found = configuration(flags, port)
    except BadConfig as bad:
        raise click.UsageError("\n".join(bad.complaints)) from None
    settings = found.settings
    where = None if memory else data_of(settings.store.data, os.environ)
    if settings.nodes.name and (where is None or "://" not in where):
        raise click.UsageError("--node needs a PostgreSQL database, --data postgresql://...")
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
        log.warning("passwords are accepted on connections that others can read")
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
        nodes=replace(settings.nodes, active=bool(settings.bus.url)),
        bus=settings.bus,
    )

    def opening(told: Told) -> Coroutine[Any, Any, Node]:
        node = open_node(reactor, plan, garbage.started, told)
        return node if ended is None else _with_game(node, ended)

    begun = f"twentytwo-server {__version__} serves; data: {_shown(where)}"
    sys.exit(serve(reactor, opening, while_stdin, reloading, settings.log, begun))


def _shown(where: str | None) -> str:
    """The location of the data; a URL is shown without its password."""
    if where is None:
        return "in memory"
    if "://" not in where:
        return where
    from .store.engines import shown

    return shown(where)


def _config_of(settings: ServerSettings, dev: bool) -> Config:
    """The settings of the host; every start of a server gets a new `boot`."""
    boot = secrets.token_hex(4)
    return replace(
        settings.server,
        dev=dev,
        boot=boot,
        node=settings.nodes.name,
        clustered=bool(settings.bus.url),
        logins=settings.logins,
        quotas=settings.quotas,
    )


ELSEWHERE = "g0"
"""The number of a game played elsewhere: the games of this server begin with g1."""


def _read_game(file: Path, *, memory: bool) -> GameEnded:
    """Reads the game in a record. Raises `click.UsageError` without --memory or for a bad file."""
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
@click.option("--rules", "preset", default=None, help="A preset of the rules.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option.")
@click.option("--seats", default="hard,steady,steady,steady", help="The bots' levels.")
@click.option(
    "-n", "deals", default=100, help="Number of deals; each deal is played from every seat."
)
@click.option("--seed", default=1, help="The same seed gives the same games, byte for byte. [1]")
@click.option(
    "--worlds",
    type=click.IntRange(1),
    default=100,
    help="Possible deals that a hard bot searches for each move. [100]",
)
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the records of the games.",
)
@click.option(
    "--processes",
    type=click.IntRange(1),
    default=None,
    help="Number of parallel processes. [all cores]",
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
    """Let bots play each other, and print how strong they are.

    Example: twentytwo match --seats hard,steady,steady,steady -n 200 --seed 7
    """
    from .operator.bot_matches import MatchPlan
    from .operator.match_command import run_match, usual_rules

    changes = dict(option.partition("=")[::2] for option in options)
    rules = usual_rules(game) if preset is None else preset
    plan = MatchPlan(game, rules, changes, tuple(seats.split(",")), seed, worlds)
    sys.exit(run_match(plan, deals, records, processes))


def install_reactor() -> Any:
    """Installs the asyncio reactor before any module imports it, on uvloop if that is installed."""
    from twisted.internet.base import ReactorBase

    sys.setswitchinterval(SWITCH_INTERVAL)
    # By default Twisted's timers use the wall clock: setting it forward would end every turn.
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
    opening: Callable[[Told], Coroutine[Any, Any, Node]],
    while_stdin: bool,
    reloading: Reloading,
    logged: LogSettings,
    begun: str,
) -> int:
    """Runs the reactor until a signal; returns the exit status.

    `opening` opens the node, and is given a function to call while the server stands by. When the
    node is open, this logs `begun`, and prints the addresses of the listeners on standard
    output in the format of the log.
    """
    from twisted.internet.defer import Deferred

    run = _Run(reactor, while_stdin, reloading, logged, begun)
    reactor.callWhenRunning(
        lambda: Deferred.fromCoroutine(opening(run.stands_by)).addCallbacks(run.opened, run.failed)
    )
    # A shell makes background jobs ignore SIGINT; a server must obey it.
    signal.signal(signal.SIGINT, lambda *_: reactor.callFromThread(_stop, reactor, "SIGINT"))
    if hasattr(signal, "SIGHUP"):
        # Not in the handler: a log line may be half written at that moment.
        signal.signal(signal.SIGHUP, lambda *_: reactor.callFromThread(run.reload))
    reactor.run()
    return run.status


@dataclass
class _Run:
    """A run of the server, as its log, its output and the service manager tell of it.

    The fields are the arguments of `serve`, and its exit status.
    """

    reactor: Any
    while_stdin: bool
    reloading: Reloading
    logged: LogSettings
    begun: str
    status: int = 0
    _ready: bool = False

    def __post_init__(self) -> None:
        self._manager = ServiceManager.of(os.environ)

    def stands_by(self, node: str) -> None:
        """Called when the server `node` serves, and this one waits to take over."""
        log.info("this server stands by for %s", node)
        announce(sys.stdout, self.logged, f"standing by for {node}")
        self._tell_ready(f"standing by for {node}")

    def opened(self, node: Any) -> None:
        """Called when the server serves."""
        for line in _ways_in(node):
            announce(sys.stdout, self.logged, line)
        if self.logged.format is LogFormat.TEXT:
            _say_how_to_connect(node.addresses)
        log.info("%s", self.begun)
        self.reloading.apply = lambda settings: _apply(node, settings)
        self.reloading.hooks += node.reloads
        at_shutdown = self.reactor.addSystemEventTrigger
        limit = STOPPED if node.membership is None else LEFT
        at_shutdown("before", "shutdown", log.info, "the server stops")
        at_shutdown("before", "shutdown", _end_at_last, limit)
        at_shutdown("after", "shutdown", log.info, "the server has stopped")
        at_shutdown("before", "shutdown", node.stop)
        at_shutdown("before", "shutdown", self._manager.stopping, limit)
        config = node.host.config

        def longest() -> float:
            drain: int = config.now.drain
            return drain / 1000 + limit

        _drain_at_sigterm(self.reactor, node.stopping, longest, self._manager)
        self._tell_ready(f"listening on {', '.join(node.addresses)}")
        if self.while_stdin:
            _stop_with_stdin(self.reactor)

    def failed(self, failure: Any) -> None:
        """Called when the server cannot be opened."""
        self.status = 1
        print(f"twentytwo-server: {failure.getErrorMessage()}", file=sys.stderr)
        self.reactor.stop()

    def reload(self) -> None:
        """Reads the settings anew."""
        self._manager.reloading(time.monotonic())
        self.reloading()
        self._manager.ready("settings read anew")

    def _tell_ready(self, sentence: str) -> None:
        self._manager.ready(sentence)
        if not self._ready:
            self._manager.keep_alive(self.reactor.callLater)
        self._ready = True


def _ways_in(node: Any) -> Iterator[str]:
    """The addresses of an open server, one in a line."""
    for address in node.addresses:
        yield f"listening on {address}"
    if node.listeners is not None and node.listeners.ssh_key:
        yield f"ssh key {node.listeners.ssh_key}"
    if node.monitor is not None:
        yield f"admin on {node.monitor.address}"


def _apply(node: Any, settings: ServerSettings) -> None:
    """Applies other settings to a running server."""
    log_to(sys.stderr, settings.log)
    node.change(settings)


def _end_at_last(limit: float) -> None:
    """Ends the process by force after `limit` seconds, unless it has ended by then.

    A thread does this, so that it works even if the disk or the database blocks the reactor. Data
    not stored by then was never acknowledged.
    """
    from .node import FATAL

    def end() -> None:
        log.critical("the server did not stop within %g s: ending it by force", limit)
        logging.shutdown()
        os._exit(FATAL)

    timer = threading.Timer(limit, end)
    timer.daemon = True
    timer.start()


def _drain_at_sigterm(
    reactor: Any, stopping: Any, longest: Callable[[], float], manager: ServiceManager
) -> None:
    """Makes SIGTERM stop the server, after a drain; a second SIGTERM stops it at once.

    `longest` returns the seconds that this may take.
    """

    def stop() -> None:
        log.info("told to stop by SIGTERM")
        manager.stopping(longest())
        stopping.told_to_stop()

    signal.signal(signal.SIGTERM, lambda *_: reactor.callFromThread(stop))


def _say_how_to_connect(addresses: list[str]) -> None:
    """Prints commands for connecting, with the path of the client if it is in .venv."""
    here = Path(".venv/bin/twentytwo")
    lines = how_to_connect(addresses, str(here) if here.exists() else here.name)
    if lines and here.exists():
        lines.append("a bot:   docs/writing-a-client.md has one in six lines of awk")
    for line in [*in_a_browser(addresses), *lines]:
        print(f"  {line}", flush=True)


def _stop(reactor: Any, by: str) -> None:
    """Stops the reactor, unless it is stopping already."""
    if reactor.running:
        log.info("told to stop by %s", by)
        reactor.stop()


def _stop_with_stdin(reactor: Any) -> None:
    """Stops the reactor when standard input is closed, as when the parent process ends."""
    from twisted.internet.protocol import Protocol
    from twisted.internet.stdio import StandardIO

    class UntilEnd(Protocol):
        def connectionLost(self, reason: Any = None) -> None:
            _stop(reactor, "the end of standard input")

    StandardIO(UntilEnd(), reactor=reactor)
