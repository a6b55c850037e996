"""What passes between a person and the conversation: values become text, typed lines commands.

It knows neither the terminal nor the network. The terminal asks it for the prompt, the status and
the completions, and gives it lines; the link gives it values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Malformed, Row
from twentytwo_protocol.words.cardplay import Gameover, MovesRow, Played, Turn
from twentytwo_protocol.words.replies import Err, Ok
from twentytwo_protocol.words.seating import Presence

from . import complete, safe, typed
from .link import Waiting
from .look import changed
from .recap import now, recap
from .render import Renderer
from .sessions import Session
from .status import status
from .streams import is_table, question
from .talk import Away, Talk, TooLong
from .values import (
    Ask,
    Farewell,
    Forgotten,
    Garbled,
    Greeted,
    Happened,
    Named,
    Replied,
    Snapshot,
    State,
    Unanswered,
    Unknown,
    Value,
)

EMPTY: Mapping[str, str] = {
    "tables": "There is no table. open twentytwo opens one, practice plays against bots.",
    "seeks": "Nobody is looking for players. seek twentytwo does.",
    "watchers": "Nobody watches.",
    "who": "Nobody of that name is here.",
}
"""What an empty list means, by verb."""
WELCOME = "practice plays against bots at once, tables lists what is open, help explains the rest."
AFTERWARDS = "rematch plays again, quit ends."
GREASE = "XG"
"""How the words begin that a server sends to see whether they are ignored."""


class Screen(Protocol):
    """Where text goes."""

    def write(self, text: str) -> None:
        """Shows whole lines."""

    def ring(self) -> None:
        """Rings the bell."""


class Console:
    """One person's side of the conversation.

    `errands` are lines to send as soon as we are somebody. `suggestion` is the name to offer where
    a person can be asked (`asks`), `spare` one to take where the first is refused. `keep` is given
    the session to remember; `seconds` is a clock that never goes back.
    """

    def __init__(
        self,
        talk: Talk,
        renderer: Renderer,
        screen: Screen,
        *,
        where: str,
        suggestion: str,
        seconds: Callable[[], float],
        errands: Sequence[str] = (),
        keep: Callable[[Session], None] = lambda _: None,
        asks: bool = True,
        spare: str = "",
    ) -> None:
        self.talk = talk
        self.renderer = renderer
        self.screen = screen
        self.where = where
        self.leaving = False
        self.refused = False
        self.naming = False
        self._suggestion = suggestion
        self._seconds = seconds
        self._errands = list(errands)
        self._keep = keep
        self._asks = asks
        self._spare = spare
        self._kept: Session | None = None
        self._focus = ""
        self._interrupts = 0
        self._missed: list[tuple[Event, str]] = []
        self._deadline: tuple[int, float] = (0, 0.0)
        self._lost = False

    # ------------------------------------------------------------- what the terminal asks

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        return f"Your name [{self._suggestion}]: " if self.naming else "> "

    @property
    def table(self) -> TableModel | None:
        """The table that the person looks at: where an answer is waited for, else the last."""
        tables = self.talk.streams.tables
        focus = tables.get(self._focus)
        if focus is not None and question(focus):
            return focus
        waiting = self.talk.streams.questions()
        if waiting:
            return waiting[0][0]
        return focus or next(iter(tables.values()), None)

    def status(self, columns: int, rows: int) -> list[str]:
        """The lines under the prompt."""
        table = self.table
        if self._lost:
            return ["no connection"[:columns]]
        if table is None:
            who = safe.visible(self.talk.name) or "nobody yet"
            return [f"{self.where}  {who}"[:columns]]
        return status(table, self.renderer.cards, columns, rows, self._clock(table))

    def completions(self, text: str) -> Iterator[tuple[str, str]]:
        """What Tab offers."""
        return iter(()) if self.naming else complete.completions(text, self.table)

    @property
    def idle(self) -> bool:
        """Whether everything that was typed has been answered."""
        if self.refused or self.talk.state is State.OVER:
            return True
        return self.talk.state is State.HERE and not (self._errands or self.talk.waiting)

    def premature(self, line: str) -> bool:
        """Whether a line is a move, and the turn for it is still to come."""
        table = self.table
        if self.talk.state is not State.HERE or table is None or question(table):
            return False
        return table.phase == "playing" and typed.is_move(line)

    # ----------------------------------------------------------------- what a person types

    def line(self, line: str) -> None:
        """A line was typed."""
        self._interrupts = 0
        if self.naming and self._name(line.strip()):
            return
        meaning = typed.meant(line, self.table)
        match meaning:
            case typed.Send(command):
                self._say(lambda: self.talk.say(command))
            case typed.Answer(table, turn, token):
                self._say(lambda: self.talk.move(table, turn, token))
            case typed.Local(name, rest):
                self._local(name, rest)
            case typed.Say(text):
                self.write(self.renderer.refusal(text))

    def interrupted(self) -> bool:
        """Ctrl-C was pressed; whether that means to leave: it does the second time in a row."""
        self._interrupts += 1
        if self._interrupts == 1:
            self.note("Ctrl-C again to leave.")
        return self._interrupts > 1

    def _name(self, line: str) -> bool:
        """Takes a line as a name; False if it is a command that needs none."""
        if line.startswith(("/", "?")) or line.partition(" ")[0].lower() in ("help", "quit"):
            return False
        name = line.removeprefix("guest ").strip() or self._suggestion
        if " " in name:
            self.write(self.renderer.refusal("A name is one word."))
            return True
        self.naming = False
        self._say(lambda: self.talk.say(f"guest {name}"))
        return True

    def _say(self, say: Callable[[], Ask]) -> None:
        try:
            say()
        except Away:
            self.write(self.renderer.refusal("There is no connection just now."))
        except TooLong as wrong:
            self.write(self.renderer.refusal(f"That is too long: {wrong}."))
        except Malformed as wrong:
            self.write(self.renderer.refusal(f"{wrong}."))

    def _local(self, name: str, rest: str) -> None:
        match name:
            case "quit":
                self.quit()
            case "now":
                for text in now(self.table, self.renderer):
                    self.write(text)
            case "help":
                for each, does in typed.LOCAL.items():
                    self.write(self.renderer.text(f"  /{each} - {does}"))
            case _:
                self.renderer.look, said = changed(self.renderer.look, name, rest)
                self.note(said)

    def quit(self) -> None:
        """The person leaves."""
        self.leaving = True
        if self.talk.state in (State.HERE, State.NAMELESS):
            self.talk.say("quit")

    # -------------------------------------------------------------- what the server says

    def hear(self, value: Value | Waiting) -> None:
        """Something came of the conversation."""
        match value:
            case Happened():
                self._happened(value)
            case Replied(ask, final):
                self._replied(ask, final)
            case Greeted() if not self.talk.name and not self.talk.token:
                self.naming = True
            case Named():
                self._named(value)
            case Snapshot(table):
                self._snapshot(table)
            case Forgotten(name):
                self.note(f"{safe.visible(name)} was away for too long; you come in anew.")
            case Unknown():
                self._unknown(value)
            case Unanswered(ask) if ask.turn is None and not self.leaving:
                self.write(
                    self.renderer.refusal(
                        f'The connection was lost before the answer to "{ask.line}".'
                    )
                )
            case Garbled() if self.talk.state is State.OVER:
                self.refused = True
                self.write(self.renderer.refusal(f"{self.where} does not speak cardline/1."))
            case Farewell(bye):
                self._farewell(bye.code, self.renderer.message(bye))
            case Waiting(seconds, failures) if not self.leaving:
                self._waiting(seconds, failures)
        self._remember()

    def _happened(self, value: Happened) -> None:
        if is_table(value.on):
            self._focus = value.on
        text = self.renderer.message(value.event, value.table)
        if value.missed:
            self._missed.append((value.event, self._labelled(text, value.table)))
            return
        self.write(self._labelled(text, value.table))
        match value.event:
            case Turn(default=str(), ms=ms, turn=turn):
                self._deadline = (turn, self._seconds() + ms / 1000) if ms else (0, 0.0)
                if self.renderer.look.bell:
                    self.screen.ring()
            case Gameover() if value.table and value.table.me is not None:
                self.note(AFTERWARDS)

    def _replied(self, ask: Ask | None, final: Ok | Err) -> None:
        if isinstance(final, Err):
            self._refused(ask, final)
            return
        rows = [row for row in (ask.rows if ask else []) if isinstance(row, Row)]
        moves = [move for row in rows if isinstance(row, MovesRow) for move in row.moves]
        if moves:
            self.write(
                self.renderer.lines(" | ".join(self.renderer.cards(m.split("+")) for m in moves))
            )
        for row in rows:
            self.write(self.renderer.message(row, self.table))
        text = self.renderer.message(final, self.table)
        self.write(text)
        if ask and not text and not ask.rows and ask.verb in EMPTY:
            self.note(EMPTY[ask.verb])
        if final.on and is_table(final.on):
            self._focus = final.on

    def _refused(self, ask: Ask | None, err: Err) -> None:
        self.write(self.renderer.message(err))
        if ask and ask.verb == "hello":
            self.refused = True
        elif ask and ask.verb == "guest" and self.talk.state is State.NAMELESS:
            self._other_name()

    def _other_name(self) -> None:
        """The name was refused: another one, or the end."""
        spare, self._spare = self._spare, ""
        if spare:
            self.talk.say(f"guest {spare}")
        elif self._asks:
            self.naming = True
        else:
            self.refused = True

    def _named(self, named: Named) -> None:
        self.naming = False
        lost, self._lost = self._lost, False
        if named.resumed and lost:
            self._back()
        else:
            self.write(self.renderer.text(named.text))
            if not named.resumed and not self._errands:
                self.note(WELCOME)
        errands, self._errands = self._errands, []
        for errand in errands:
            self._say(lambda errand=errand: self.talk.say(errand))  # type: ignore[misc]

    def _back(self) -> None:
        missed, self._missed = self._missed, []
        plays = sum(isinstance(event, Played) for event, _ in missed)
        if plays:
            self.note(f"Back. You missed {plays} {'play' if plays == 1 else 'plays'}:")
        else:
            self.note("Back.")
        mine = {table.me for table in self.talk.streams.tables.values()}
        for event, text in missed:
            if not (isinstance(event, Presence) and event.seat in mine):
                self.write(text)
        if not any(isinstance(event, Turn) and event.default for event, _ in missed):
            for table, turn in self.talk.streams.questions():
                self.write(self._labelled(self.renderer.message(turn, table), table))

    def _snapshot(self, table: TableModel) -> None:
        self._focus = table.on
        if table.phase != "open" or table.me is None:
            for text in recap(table, self.renderer):
                self.write(text)

    def _unknown(self, value: Unknown) -> None:
        if value.record.text and not value.record.word.startswith(GREASE):
            self.write(self._labelled(self.renderer.text(value.record.text), value.table))

    def _farewell(self, code: str, text: str) -> None:
        self.write(text)
        if code not in ("QUIT", "SHUTDOWN", "SLOW", "IDLE"):
            self.refused = True

    def _waiting(self, seconds: int, failures: int) -> None:
        self._lost = True
        what = "No answer" if failures else "Connection lost"
        self.note(f"{what}. Trying again in {seconds} s.")

    # --------------------------------------------------------------------------- showing

    def write(self, text: str) -> None:
        """Shows a text, if there is one."""
        if text:
            self.screen.write(text)

    def note(self, text: str) -> None:
        """Shows something that the client itself has to say."""
        self.write(self.renderer.note(text))

    def _labelled(self, text: str, table: TableModel | None) -> str:
        """The text, with its table's number before it where there are several tables."""
        if not text or table is None or len(self.talk.streams.tables) < 2:
            return text
        return f"[{table.on}] {text}"

    def _clock(self, table: TableModel) -> str:
        turn = question(table)
        if turn is None or turn.turn != self._deadline[0]:
            return ""
        left = max(0, int(self._deadline[1] - self._seconds()))
        return f"{left // 60}:{left % 60:02}"

    def _remember(self) -> None:
        if self.talk.token and self.talk.state is State.HERE:
            session = Session(self.talk.name, self.talk.token, self.talk.bookmark)
            if session != self._kept:
                self._kept = session
                self._keep(session)
