"""`twentytwo`: installs the reactor and runs the client."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Coroutine, Sequence
from typing import Any

from . import cli


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `twentytwo`; the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] in (["match"], ["record"]):
        return _by_the_server(words)
    options = cli.read(words)
    if isinstance(options, cli.Menu):
        print(cli.MENU, end="")
        return 0
    if isinstance(options, cli.Replay):
        from . import replaying

        return replaying.main(options, os.environ)
    reactor = _reactor()
    from . import app

    around = app.Surroundings(reactor, os.environ)
    if isinstance(options, cli.Play):
        try:
            password = app.password_for(options)
        except (KeyboardInterrupt, EOFError):
            return app.Exit.INTERRUPTED
        return _run(reactor, app.play(options, around, password))
    return _run(reactor, app.practice(options, around))


def _by_the_server(words: list[str]) -> int:
    """Runs a command of the server in a process of its own: the bots and the laws are there."""
    with subprocess.Popen([sys.executable, "-m", "twentytwo_server", *words]) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # it has heard that too, and has its last word


def _reactor() -> Any:
    """The asyncio reactor, installed before anything imports it."""
    from twisted.internet.base import ReactorBase

    # Twisted's timers otherwise run on the wall clock, which people and networks set.
    ReactorBase.seconds = staticmethod(time.monotonic)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    from twisted.internet import asyncioreactor

    asyncioreactor.install(loop)
    from twisted.internet import reactor

    return reactor


def _run(reactor: Any, running: Coroutine[Any, Any, int]) -> int:
    """Runs the reactor until the coroutine ends; its result."""
    from twisted.internet.defer import Deferred

    codes: list[int] = []
    errors: list[Any] = []

    def begin() -> None:
        task = asyncio.ensure_future(running)
        ended = Deferred.fromFuture(task).addCallbacks(codes.append, errors.append)
        ended.addBoth(lambda _: reactor.stop())

    reactor.callWhenRunning(begin)
    # Signals are the client's own: Ctrl-C is for the line that is being typed.
    reactor.run(installSignalHandlers=False)
    for error in errors:
        error.raiseException()
    return codes[0] if codes else 1


if __name__ == "__main__":
    sys.exit(main())
