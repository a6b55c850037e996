"""The Textual application: shows the console's content, and turns keys and clicks into lines.

Every key and click has a typed equivalent, so the full screen is the usual client with other looks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key, Resize
from textual.timer import Timer
from textual.widgets import Input, Static

from twentytwo_protocol.cards import Card
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.lessons import Lesson

from ..core.streams import question
from ..display.overview import YOUR_TURN, Overview, overview
from ..saved_sessions import state_dir
from ..terminal import faults
from ..terminal.console import Console
from ..terminal.status import title
from .canvas import Faces
from .driver import LastingDriver
from .history import LineHistory
from .moments import HURRIED, Moments
from .offers import Completions, offers
from .overlays import HelpScreen, LessonScreen
from .painting import Scene, framed, unframed
from .selection import Selection
from .themes import DAYLIGHT, DAYLIGHT_TEXT, EVENING, EVENING_TEXT, ThemeFile
from .widgets import (
    SHORT_LOG_ROWS,
    ChoiceBar,
    CommandLine,
    HandContent,
    HandView,
    LogPane,
    TableView,
    rows_of,
)

WIDE, LOW, ROOMY, HIGH = 76, 20, 26, 44
"""The width from which the log is beside the table; the heights below which rows are saved; the
height from which choices have two rows; the height from which cards are larger.
"""
LOG_AT_LEAST, LOG_AT_MOST = 28, 64

TABLE_ROWS = 6
"""The rows of the table that stay visible beside the text of a lesson."""
KEYS = "F1 help   F3 light/dark   tab completes   ctrl+q leave"
KEYS_FOR_CARDS = "left right card   space choose   enter play   up down moves   F1 help"
KEYS_FOR_CHOICES = "arrows choice   enter take it   F1 help   ctrl+q leave"
KEYS_TO_GO_ON = "enter goes on   F1 help"
KEYS_TO_COMPLETE = "tab the next   enter send it   escape clear"


class TableApp(App[None]):
    """The screen of one client. `typed` gets the lines of a person's input; None to leave.

    `interrupted` is called for Ctrl-C.
    """

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "recall(-1)", priority=True),
        Binding("down", "recall(1)", priority=True),
        Binding("tab", "complete", priority=True),
        Binding("shift+tab", "recall(-1)", priority=True),
        Binding("escape", "clear", priority=True),
        Binding("f1", "help", priority=True),
        Binding("f2", "log", priority=True),
        Binding("f3", "light", priority=True),
        Binding("pageup", "page(-1)", priority=True),
        Binding("pagedown", "page(1)", priority=True),
        Binding("ctrl+q", "leave", priority=True),
        Binding("ctrl+c", "interrupt", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
    ]

    def __init__(
        self,
        console: Console,
        typed: Callable[[str | None], None],
        interrupted: Callable[[], None],
        *,
        history: LineHistory,
        themes: ThemeFile,
        env: Mapping[str, str],
    ) -> None:
        super().__init__(driver_class=LastingDriver)
        self._person, self._typed, self._interrupted = console, typed, interrupted
        self._history, self._themes = history, themes
        self._state = state_dir(env)
        self._texts: list[str] = []
        for theme in (EVENING, DAYLIGHT):
            self.register_theme(theme)
        self.ansi_theme_dark, self.ansi_theme_light = EVENING_TEXT, DAYLIGHT_TEXT
        self.theme = themes.chosen(env).name
        self._stale = False
        self._selection = Selection()
        self._completions = Completions()
        self._trick: tuple[tuple[str, int | None], dict[int, tuple[Card, ...]]] = (("", None), {})
        self._later: Timer | None = None
        self._moments = Moments(time.monotonic, hurried=HURRIED in env)
        self._most_cards: tuple[tuple[str, int | None], int] = (("", None), 0)
        self._taught: Lesson | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Textual: the default colours of the table."""
        return dict(EVENING.variables)

    def compose(self) -> ComposeResult:
        """Textual: the widgets, from top to bottom."""
        faces, state = self._faces, self._state
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            yield TableView(faces, state, id="table")
            with Vertical(id="side"):
                yield Static(id="lesson")
                yield LogPane(id="log")
        yield Static(id="lesson-below")
        yield Static(id="ticker", markup=False)
        yield HandView(faces, state, id="hand")
        yield ChoiceBar(faces, state, id="choices")
        with Horizontal(id="line"):
            yield Static(id="before", markup=False)
            yield CommandLine(id="typed")
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """Textual: the application starts."""
        self.query_one(CommandLine).focus()
        self.set_interval(1, self._tick)
        # Textual redraws only changes, but the terminal still shows the shell.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self._draw()

    def on_resize(self, event: Resize) -> None:
        """Textual: the window was resized. In a small one the log and the keys are hidden first."""
        columns, rows = event.size
        wide, low = columns >= WIDE, rows < LOW
        self.default_screen.set_classes(
            " ".join(["-wide" if wide else "-narrow", *(["-low"] if low else [])])
        )
        beside = max(LOG_AT_LEAST, min(LOG_AT_MOST, columns * 2 // 5)) if wide else 0
        self.query_one("#side", Vertical).styles.width = beside or "1fr"
        hand, bar = self.query_one(HandView), self.query_one(ChoiceBar)
        # Centred below the table, not in the window.
        hand.centre = bar.centre = (columns - beside) // 2
        hand.deep = 2 if low else 5 if rows >= HIGH and wide else 3
        self.changed()

    # ------------------------------------------------------------------------ showing

    def add(self, text: str) -> None:
        """Adds a text to the log."""
        self._texts.append(text)
        self.changed()

    def changed(self) -> None:
        """Schedules one redraw for all changes of the moment."""
        with faults.noted(self._state):
            self._note_table()
        if not self._stale and self.is_running:
            self._stale = True
            self.call_later(self._draw)

    def _note_table(self) -> None:
        """Notes the cards of the trick, to be shown until the next trick, and the largest hand.

        The hand keeps the rows of its largest size, so that nothing moves. The number of rows
        depends on the hand and the window only, not on the time of drawing.
        """
        table = self._person.table
        if table is None:
            return
        if not self._person.faded:  # missed tricks are not shown
            self._moments.see(table, self._faces.write)
        hand = (table.on, table.hand.no if table.hand else None)
        now = {each.seat: each.played for each in overview(table).players if each.played}
        if now or hand != self._trick[0]:
            self._trick = (hand, now)
        most = self._most_cards[1] if self._most_cards[0] == hand else 0
        self._most_cards = hand, max(most, len(table.holding))

    def _tick(self) -> None:
        """Redraws the clocks."""
        with faults.noted(self._state):
            if any(each.clock for each in self._whole.players) if self._whole else False:
                self._draw()

    @property
    def _faces(self) -> Faces:
        return Faces.of(self._person.narrator.renderer.look)

    @property
    def _whole(self) -> Overview | None:
        table = self._person.table
        if table is None:
            return None
        clocks = self._person.narrator.clocks
        return overview(
            table, lambda turn: clocks.shown(table.on, turn), connected=not self._person.faded
        )

    @property
    def turn(self) -> Turn | None:
        """The open question to the person, if they can answer it now."""
        table = self._person.table
        if table is None or table.phase != "playing" or self._person.faded:
            return None
        return question(table)

    def _draw(self) -> None:
        self._stale = False
        if self.is_running:
            with faults.noted(self._state):
                self._draw_all()

    def _draw_all(self) -> None:
        person, faces, moment = self._person, self._faces, self._moments.now()
        whole, turn = (moment.whole, None) if moment else (self._whole, self.turn)
        self._wait(self._moments.left)
        self._meet(turn, whole)
        texts, self._texts = self._texts, []
        log = self.query_one(LogPane)
        log.put_aside(self._pinned())
        for text in texts:
            log.add(text)
        columns, playing = self.size.width - 2, bool(whole and whole.hand)
        if whole is None:
            who = person.conversation.name or "nobody yet"
            state = "no connection" if person.faded else person.where
            heading = Text(f"twentytwo   {state}   {who}")
        else:
            heading = Text(title(whole, columns))
            if not moment:
                heading.highlight_words([YOUR_TURN], self.theme_variables["accent"])
        self.query_one("#title", Static).update(heading)
        hand, bar = self.query_one(HandView), self.query_one(ChoiceBar)
        hand.show(self._hand(whole), faces)
        rows = hand.rows(self.size.width, self._most_cards[1]) if playing else 0
        hand.styles.height, hand.words = rows, ()
        if moment and moment.ended and not self._selection.cards:
            moment, hand.words = self._ended(moment, rows)
        if whole is not None:
            scene = Scene(whole, self._before(whole), self._words(person.table))
            self.query_one(TableView).show(moment or scene, faces)
        line = self.query_one(CommandLine)
        if self._completions.are_of(line.value):
            bar.show(self._completions.offers, faces, self._completions.at)
        else:
            bar.show(offers(person, self._selection, faces), faces)
        bar.styles.height = 2 if playing and self.size.height >= ROOMY else 1
        self.query_one("#ticker", Static).update(
            Text.from_ansi(self.query_one(LogPane).last(columns))
        )
        self.query_one("#before", Static).update(person.prompt)
        line.password = person.hidden
        self.query_one("#keys", Static).update(self._keys(line.value, bool(moment)))
        if moment is None:
            self._teach()

    def _ended(self, moment: Scene, rows: int) -> tuple[Scene, tuple[str, ...]]:
        """The end of a hand: its text in place of the cards, or, without room, over the table."""
        lines = unframed(moment.words, self.size.width)
        if len(lines) <= rows:
            return replace(moment, words=(), ended=False), tuple(lines)
        table = self.query_one(TableView).size
        if len(framed(moment.words, table.width)) + 2 <= table.height:
            return moment, ()
        over = tuple(lines[: table.height])
        return replace(moment, words=over), tuple(lines[table.height :])

    def _teach(self) -> None:
        """Shows the text of the lesson beside the table, or, without room, once before it."""
        said = self._lesson()
        renderer = self._person.narrator.renderer
        text = renderer.message(said) if said else ""
        wide = self.default_screen.has_class("-wide")
        hand, bar = self.query_one(HandView).styles.height, self.query_one(ChoiceBar).styles.height
        taken = 3 + sum(int(each.value) for each in (hand, bar) if each) + SHORT_LOG_ROWS
        room = self.size.height - taken - TABLE_ROWS
        below = bool(text) and not wide and rows_of(text, self.size.width - 2) <= room
        for name, shown in (("#lesson", bool(text) and wide), ("#lesson-below", below)):
            pane = self.query_one(name, Static)
            pane.display = shown
            pane.update(Text.from_ansi(text if shown else ""))
        if said is not self._taught:
            self._taught = said
            if said and not (wide or below) and len(self.screen_stack) == 1:
                self.push_screen(LessonScreen(text, self._go_on))

    def _pinned(self) -> str:
        """The text of the lesson that is shown beside the table, and so not in the log."""
        said = self._lesson() if self.default_screen.has_class("-wide") else None
        return self._person.narrator.renderer.message(said) if said else ""

    def _lesson(self) -> Lesson | None:
        """The last text of the lesson at the table."""
        table, said = self._person.table, self._person.lesson
        there = table is not None and table.lesson and said is not None and said.on == table.on
        return said if there else None

    def _go_on(self, key: Key) -> None:
        """Passes a key that closed the lesson's text on to the input line."""
        if key.is_printable and key.character and key.key != "space":
            self.query_one(CommandLine).insert_text_at_cursor(key.character)

    def _wait(self, seconds: float) -> None:
        """Schedules a redraw, if the scene will have changed by then."""
        if self._later is not None:
            self._later.stop()
        self._later = self.set_timer(seconds, self._draw) if seconds else None

    def _keys(self, typed: str, passing: bool) -> str:
        """The most useful keys now. `passing`: a past scene is shown for a moment."""
        if passing:
            return KEYS_TO_GO_ON
        if self._completions.are_of(typed):
            return KEYS_TO_COMPLETE
        if self._selection.by_cards:
            return KEYS_FOR_CARDS
        return KEYS_FOR_CHOICES if self._selection.turn else KEYS

    def _meet(self, turn: Turn | None, whole: Overview | None) -> None:
        """Updates the question and the hand."""
        cards = list(whole.cards) if whole else []
        if whole and whole.down in cards:
            cards.remove(whole.down)
        self._selection.meet(turn, whole.table if whole else "", tuple(cards))

    def _hand(self, whole: Overview | None) -> HandContent:
        selection, down = self._selection, whole.down if whole else None
        if not (whole and whole.connected):
            every = frozenset(range(len(selection.cards)))
            return HandContent(selection.cards, every, (), None, down)
        return HandContent(
            selection.cards, selection.barred, selection.chosen, selection.cursor, down
        )

    def _before(self, whole: Overview) -> dict[int, tuple[Card, ...]]:
        """The cards of the last trick, until a card of the next one is played."""
        if any(each.played for each in whole.players) or not whole.hand:
            return {}
        return self._trick[1]

    def _words(self, table: TableModel | None) -> tuple[str, ...]:
        """The text in the middle while no cards are played."""
        if table is None or table.phase == "playing":
            return ()
        return ("game over",) if table.phase == "over" else ("not started",)

    # ------------------------------------------------------------------------- choosing

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Textual: whether the action of a key is available now."""
        if isinstance(self.screen, HelpScreen):
            return action not in ("recall", "complete", "clear")
        if isinstance(self.screen, LessonScreen):
            return action in ("leave", "interrupt", "suspend_process", "light")
        return True

    def _pass_on(self) -> bool:
        """Ends the past scenes; False if there are none."""
        passed = self._moments.pass_on()
        if passed:
            self._draw()
        return passed

    def on_command_line_pressed(self, pressed: CommandLine.Pressed) -> None:
        """Handles a key that was pressed on an empty input line. While a past scene is shown, the
        key only ends the scene.
        """
        if self._pass_on():
            return
        match pressed.key:
            case "left":
                self.action_step(-1)
            case "right":
                self.action_step(1)
            case "space":
                self.action_choose()
            case "enter":
                self.action_take()
            case "ctrl+d":
                self.action_leave()

    def action_step(self, by: int) -> None:
        """Moves the cursor to the next card or choice."""
        if self._selection.by_cards:
            self._selection.step(by)
            self._draw()
        else:
            self.query_one(ChoiceBar).move(by)

    def action_choose(self) -> None:
        """Selects or deselects the card under the cursor."""
        self._selection.choose()
        self._draw()

    def action_take(self) -> None:
        """Plays the selection, takes the choice under the cursor, or selects a card."""
        selection, bar = self._selection, self.query_one(ChoiceBar)
        if self._person.hidden or self._person.prompt.startswith("name"):
            self._send("")
        elif bar.chosen is not None:
            self.on_choice_bar_taken(ChoiceBar.Taken(bar.chosen))
        elif selection.by_cards:
            found = selection.answers()
            if len(found) == 1:
                self._send(found[0])
            elif found:
                bar.move(1)
            else:
                selection.complete()
                self._draw()
        elif selection.turn is not None:
            bar.move(1)  # like cards: the first key selects, the second acts

    def on_hand_view_picked(self, picked: HandView.Picked) -> None:
        """Selects or deselects a clicked card."""
        if not self._pass_on():
            self._selection.pick(picked.at)
            self._draw()

    def on_choice_bar_taken(self, taken: ChoiceBar.Taken) -> None:
        """Takes a clicked choice."""
        if taken.choice.sent:
            self._send(taken.choice.line)
        else:
            self._completions.end()
            self._type(f"{taken.choice.line} ")
            self._draw()

    def action_recall(self, by: int) -> None:
        """Selects the cards of the next legal move, or recalls the next line of the history."""
        line, turn = self.query_one(CommandLine), self._selection.turn
        if not line.value and self._pass_on():
            return
        if turn is None or line.value or turn.choose == "subset":
            if not self._person.hidden:
                self._type(self._history.older(line.value) if by < 0 else self._history.newer())
        elif self._selection.by_cards:
            self._selection.to_move(by)
            self._draw()
        else:
            self.query_one(ChoiceBar).move(by)

    # --------------------------------------------------------------------------- typing

    def _type(self, text: str) -> None:
        """Replaces the text of the input line."""
        line = self.query_one(CommandLine)
        line.value = text
        line.cursor_position = len(text)

    def action_complete(self) -> None:
        """Completes the input line; repeated, with the next completion."""
        typed = self.query_one(CommandLine).value
        self._type(self._completions.next(typed, self._person.completions))
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Textual: the input line has changed, so its completions are outdated."""
        if self._completions.offers and not self._completions.are_of(event.value):
            self._completions.end()
            self._draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Textual: Enter was pressed."""
        self._pass_on()
        self._send(event.value)

    def _send(self, line: str) -> None:
        self._completions.end()
        self._typed(line)

    def taken(self, line: str) -> None:
        """Shows and remembers a typed line, which is not a password."""
        if line:
            self._history.add(line)
            self.add(self._person.narrator.renderer.text(f"> {line}"))

    # ---------------------------------------------------------------------- other keys

    def action_clear(self) -> None:
        """Clears the input line and the selection."""
        self._pass_on()
        self.query_one(CommandLine).value = ""
        self._selection.clear()
        self._draw()

    def action_help(self) -> None:
        """Shows or hides the list of keys."""
        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        else:
            self.push_screen(HelpScreen())

    def action_log(self) -> None:
        """Shows the log in place of the table, or the table again."""
        self.default_screen.toggle_class("-log")

    def action_light(self) -> None:
        """Switches between dark and light, and remembers the choice."""
        self.theme = (DAYLIGHT if self.theme == EVENING.name else EVENING).name
        self._themes.keep(self.theme)

    def action_page(self, by: int) -> None:
        """Scrolls the log."""
        log = self.query_one(LogPane)
        log.scroll_page_up() if by < 0 else log.scroll_page_down()

    def action_leave(self) -> None:
        """Leaves the client."""
        self._typed(None)

    def action_interrupt(self) -> None:
        """Handles Ctrl-C: the first one in a row only warns."""
        self._interrupted()
