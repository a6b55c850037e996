"""Overlays that stay until a key is pressed: the list of keys, the text of a lesson."""

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
    """The list of keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,enter,space,q,question_mark", "close", "Back", priority=True)
    ]

    def compose(self) -> ComposeResult:
        """Textual: the widgets."""
        with VerticalScroll():
            yield Static(HELP)

    def action_close(self) -> None:
        """Closes the overlay."""
        self.app.pop_screen()


class LessonScreen(ModalScreen[None]):
    """The text of a lesson, for windows without room beside the table. Any key closes it."""

    def __init__(self, text: str, goes_on: Callable[[Key], None]) -> None:
        super().__init__()
        self._text, self._goes_on = text, goes_on

    def compose(self) -> ComposeResult:
        """Textual: the widgets."""
        with VerticalScroll():
            yield Static(Text.from_ansi(f"{self._text}\n\n(any key: the table; F2: the log)"))

    def on_key(self, event: Key) -> None:
        """Textual: closes the overlay, and passes a typed character on."""
        event.stop()
        self.app.pop_screen()
        self._goes_on(event)

    def on_click(self, event: Click) -> None:
        """Textual: closes the overlay."""
        event.stop()
        self.app.pop_screen()
