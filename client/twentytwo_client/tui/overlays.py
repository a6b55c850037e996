"""What lies over the table until a key is pressed: the keys, and what a lesson says."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Click, Key
from textual.screen import ModalScreen
from textual.widgets import Static

HELP = """\
[b]On your turn[/b]
  left, right     go to a card, or to a choice
  space           choose the card, or put it back
  up, down        the next legal move, or go to a choice
  enter           play what is chosen, or choose a move
  click           choose a card; click a move to play it
Chosen cards stand higher. A crossed card cannot be played.

[b]Always[/b]
  type            cards, commands, 'hello to say hello;
                  enter sends it
  ?               what can be typed now
  tab             completes what you type
  up, down        lines that you have typed before
  page up, down   through the log
  escape          clears the line, puts cards back; goes on
                  where a trick or a hand stays for a moment
  F1              this help
  F2              the log, where it is not beside the table
  F3              light or dark
  ctrl+q          leave; a seat in a running game is kept\
"""


class HelpScreen(ModalScreen[None]):
    """The keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,enter,space,q,question_mark", "close", "Back", priority=True)
    ]

    def compose(self) -> ComposeResult:
        """Textual: what is on it."""
        with VerticalScroll():
            yield Static(HELP)

    def action_close(self) -> None:
        """Back to the table."""
        self.app.pop_screen()


class LessonScreen(ModalScreen[None]):
    """What a lesson says, where there is no room for it beside the table: any key goes on."""

    def __init__(self, text: str, goes_on: Callable[[Key], None]) -> None:
        super().__init__()
        self._text, self._goes_on = text, goes_on

    def compose(self) -> ComposeResult:
        """Textual: what is on it."""
        with VerticalScroll():
            yield Static(Text.from_ansi(f"{self._text}\n\n(any key: the table; F2: the log)"))

    def on_key(self, event: Key) -> None:
        """Textual: back to the table, where a key that types does so."""
        event.stop()
        self.app.pop_screen()
        self._goes_on(event)

    def on_click(self, event: Click) -> None:
        """Textual: back to the table."""
        event.stop()
        self.app.pop_screen()
