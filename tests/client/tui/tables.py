"""The full screen of a client that plays on a real server, without a terminal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Static

from twentytwo_client import address
from twentytwo_client.display.look import LookOptions
from twentytwo_client.options import Play
from twentytwo_client.terminal import commands
from twentytwo_client.terminal.app import Environment
from twentytwo_client.tui.app import TableApp
from twentytwo_client.tui.choosing import made_of
from twentytwo_client.tui.moments import HURRIED
from twentytwo_client.tui.screen import TableScreen
from twentytwo_client.tui.widgets import (
    ChoiceBar,
    CommandLine,
    HandView,
    LogPane,
    TableView,
)


class InATerminal(Environment):
    """An environment in which a person types and sees."""

    typed = True
    seen = True


@dataclass
class Seen:
    """The screen of a client, and the hands of whoever sits before it."""

    app: TableApp
    pilot: Pilot[None]

    @property
    def table(self) -> str:
        """The table as text."""
        return "\n".join(self.app.query_one(TableView).shown())

    @property
    def hand(self) -> HandView:
        """The hand."""
        return self.app.query_one(HandView)

    @property
    def choices(self) -> ChoiceBar:
        """What can be done."""
        return self.app.query_one(ChoiceBar)

    @property
    def log(self) -> str:
        """What has been told, in one line."""
        lines = (strip.text.strip() for strip in self.app.query_one(LogPane).lines)
        return " ".join(lines)

    @property
    def title(self) -> str:
        """The line at the top."""
        return str(self.app.query_one("#title", Static).visual)

    @property
    def typed(self) -> str:
        """What stands in the line, and is not sent yet."""
        return self.app.query_one(CommandLine).value

    @property
    def displayed(self) -> set[str | None]:
        """The parts of the screen that are to be seen."""
        return {each.id for each in self.app.query("*") if each.display}

    @property
    def turn_number(self) -> int | None:
        """The number of the open question to us."""
        turn = self.app.turn
        return turn.turn if turn else None

    def faces(self) -> list[str]:
        """What stands on the cards of the hand."""
        return [self.hand.faces.text(card) for card in self.hand.hand.cards]

    async def click_a_move(self) -> None:
        """Chooses a card that may be played by a click, or clicks a number or a move."""
        hand, turn = self.hand, self.app.turn
        assert turn is not None
        single = [move for move in turn.legal or () if "+" not in move]
        if hand.hand.cursor is not None and single:
            at = made_of(single[0], hand.hand.cards)[0]
            slot = hand.slots_in(hand.size.width)[at]
            await self.pilot.click(HandView, offset=(slot.x + 1, slot.y + 1))
            assert hand.hand.chosen == (at,)
        bar = self.choices
        x, y = bar.positions(*bar.size)[0]
        await self.pilot.click(ChoiceBar, offset=(x + 1, y))

    async def until(self, true: Callable[[], object], within: float = 60) -> None:
        """Waits until something is so, for so many seconds at most."""
        try:
            async with asyncio.timeout(within):
                while not true():
                    await asyncio.sleep(0.005)
        except TimeoutError as late:
            late.add_note("\n".join([self.title, self.table, *self.hand.shown(), self.log]))
            raise
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        """Presses keys."""
        await self.pilot.press(*keys)

    async def enter(self, line: str) -> None:
        """Types a line and Enter."""
        self.app.query_one(CommandLine).value = line
        await self.pilot.press("enter")

    async def turn(self) -> None:
        """Waits for the next question to us."""
        await self.until(lambda: "YOUR TURN" in self.title)


def _is_laid_out(app: TableApp) -> bool:
    """Whether the parts of the table are there: an app runs a little before they are."""
    return app.is_running and bool(app.screen_stack) and bool(app.query(LogPane))


@contextlib.asynccontextmanager
async def playing(
    server: str,
    state: Path,
    *,
    name: str,
    do: str = "",
    size: tuple[int, int] = (80, 24),
    slow: bool = False,
) -> AsyncIterator[Seen]:
    """A client on a server, with a screen of that size; `do` is what it begins with.

    `slow`: the end of a trick, and of a hand, stays for a moment.
    """
    env = {"LANG": "C.UTF-8", "TERM": "xterm-256color", "XDG_STATE_HOME": str(state)}
    env |= {} if slow else {HURRIED: "1"}
    screen = TableScreen(env, size)
    around = InATerminal(env, lambda: 0.0, screen)
    options = Play(address.parse(server), name=name, look=LookOptions(tui=True), do=do)
    run = asyncio.ensure_future(commands.play(options, around))
    try:
        while screen.app is None or not _is_laid_out(screen.app):
            assert not run.done(), run.result()
            await asyncio.sleep(0.005)
        with screen.app._context():  # as Textual does for its own pilots
            yield Seen(screen.app, Pilot(screen.app))
        screen.app.action_leave()
        assert await run == 0
    finally:
        run.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await run
