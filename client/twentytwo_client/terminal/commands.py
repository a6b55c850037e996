"""The commands that run the terminal client: `play`, `practice`, `tutorial` and `host`."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Callable, Mapping
from typing import Any

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.words.cardplay import Game_, Gameover

from ..address import Address
from ..chance import new_word
from ..core.conversation import Conversation
from ..core.updates import EventReceived, Recorded, SessionLost, Update
from ..exit_status import Exit
from ..lessons import LessonFile
from ..options import Host, Play, Practice, Tutorial
from ..practice_history import TURNED_OFF, PracticeHistory, Recorder, data_dir
from ..saved_sessions import SavedSession, SessionFile, state_dir
from ..trouble import file_trouble, trouble
from .app import SPARE_NAME, App, Environment
from .console import Visit
from .invitation import invitation, link, own_address
from .practice_server import NoServer, OwnServer, may_listen, practice_server

ATTEMPTS = 24
"""The attempts to reconnect without a person: about a minute and a half."""


async def play(options: Play, around: Environment, password: str = "") -> int:
    """`twentytwo play`. With a password the name is an account."""
    where = str(options.address)
    with contextlib.ExitStack() as stack:
        sessions: SessionFile | None = None
        old: SavedSession | None = None
        try:
            sessions = stack.enter_context(SessionFile(state_dir(around.env)))
            # An account takes its seat back by logging in.
            old = None if password else sessions.take(where, options.name)
        except OSError as wrong:
            why = file_trouble(str(state_dir(around.env)), wrong)
            print(f"Your seat cannot be kept for the next time: {why}.", file=sys.stderr)
        asks = around.typed and around.seen

        def heard(update: Update) -> None:
            match update:
                case SessionLost(name):
                    _forget(sessions, where, name)

        conversation = Conversation(
            name=old.name if old else options.name or ("" if asks else around.login),
            token=old.token if old else "",
            streams=old.streams if old else None,
            secret=new_word,
            password=password,
        )
        app = App(
            conversation,
            around,
            options.look,
            Visit(
                where,
                around.login if asks else "" if options.name else SPARE_NAME,
                [f"join {options.table}"] if options.table else [*filter(None, [options.do])],
                asks,
                keep=lambda session: _keep(sessions, where, session),
                attempts=None if asks else ATTEMPTS,
            ),
            heard,
        )
        return await app.run(options.address)


def _keep(sessions: SessionFile | None, where: str, session: SavedSession) -> None:
    # A full disk is no reason to stop playing.
    with contextlib.suppress(OSError):
        if sessions is not None:
            sessions.keep(where, session)


def _forget(sessions: SessionFile | None, where: str, name: str) -> None:
    with contextlib.suppress(OSError):
        if sessions is not None:
            sessions.forget(where, name)


async def tutorial(options: Tutorial, around: Environment) -> int:
    """`twentytwo tutorial`."""
    lessons = LessonFile(state_dir(around.env))
    line = lessons.next_line(options.game, options.step)
    return await practice(Practice(line, options.look), around)


async def practice(options: Practice, around: Environment) -> int:
    """`twentytwo practice`."""
    conversation = Conversation(name=around.login, secret=new_word)
    games = _recorder(options, around, conversation)
    lessons = LessonFile(state_dir(around.env))

    def heard(update: Update) -> None:
        games(update)
        lessons.hear(update)

    app = App(
        conversation,
        around,
        options.look,
        Visit("practice", SPARE_NAME, [options.line], attempts=0, refusal=Exit.USAGE),
        heard,
    )
    try:
        async with practice_server(record=options.record) as server:
            return await app.run(Address(path=str(server.path)))
    except NoServer as wrong:
        print(f"The practice server did not start: {wrong}", file=sys.stderr)
        return Exit.FAILED


def _recorder(
    options: Practice, around: Environment, conversation: Conversation
) -> Callable[[Update], None]:
    """A function that saves finished games for `twentytwo stats`, and the last game's record."""
    if not options.history or TURNED_OFF in around.env:
        return lambda _: None
    history = PracticeHistory(data_dir(around.env))

    def add(game: Mapping[str, Any]) -> None:
        # A full disk is no reason to stop playing.
        with contextlib.suppress(OSError):
            history.add(game)

    recorder = Recorder(add, around.wall)

    def heard(update: Update) -> None:
        recorder.hear(update)
        match update:
            case EventReceived(event=Gameover(), table=TableModel(game=Game_(id=game)) as table):
                if not table.lesson:
                    conversation.ask_record(game)
            case Recorded(record=record):
                with contextlib.suppress(OSError):
                    history.keep_last(record)

    return heard


async def host(options: Host, around: Environment) -> int:
    """`twentytwo host`: runs a server for friends, and the host's client."""
    address = Address(options.address, options.port)
    web = None if options.web is None else Address(options.address, options.web)
    for option, each in (("--port", address), ("--web", web)):
        try:
            if each is not None:
                may_listen(each)
        except OSError as wrong:
            free = f"; {option} 0 takes a free one" if wrong.errno == errno.EADDRINUSE else ""
            there = each if each and each.port else options.address
            print(f"twentytwo host: {there}: {trouble(wrong)}{free}", file=sys.stderr)
            return Exit.FAILED
    try:
        async with practice_server(str(address), *([f"ws:{web}"] if web else [])) as server:
            return await _hosted(options, around, server)
    except NoServer as wrong:
        print(f"The server did not start: {wrong}", file=sys.stderr)
        return Exit.FAILED


async def _hosted(options: Host, around: Environment, server: OwnServer) -> int:
    """Plays on our own server. The invitation is shown once the table exists."""
    address, web = (*server.listeners, "")[:2]
    at, asks = own_address(), around.typed and around.seen and not options.name

    def invite() -> None:
        app.say(invitation(address, web, options.word, at))
        if web and app.can_draw(link(web, options.word, at)):
            app.say(["Enter shows the link as a QR code."])

    def draw() -> None:
        if web:
            app.draw(link(web, options.word, at))

    app = App(
        Conversation(name=options.name or ("" if asks else around.login), secret=new_word),
        around,
        options.look,
        Visit(
            "host",
            around.login if asks else "" if options.name else SPARE_NAME,
            [options.line],
            asks,
            invite=invite,
            draw=draw,
            attempts=0,
            refusal=Exit.USAGE,
        ),
    )
    return await app.run(Address(path=str(server.path)))
