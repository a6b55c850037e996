"""Connects a person and the conversation: typed lines become commands, updates become text.

It is independent of terminal and network. The terminal passes lines to it and gets the prompt, the
status and the completions from it. The conversation passes updates to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from twentytwo_protocol.hidden import Hidden
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Malformed, Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.verbs import GO_ON
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words.lessons import Lesson
from twentytwo_protocol.words.replies import Err, Ok

from ..core.conversation import NotConnected
from ..core.requests import SentCommand, TooLong
from ..core.states import State
from ..core.streams import question
from ..core.updates import (
    EventReceived,
    Farewell,
    Greeted,
    Replied,
    SignedIn,
    Snapshot,
    UnreadableLine,
    Update,
)
from ..display import escaping
from ..display.look import changed
from ..display.overview import NO_CONNECTION, overview
from ..display.recap import hand, now
from ..exit_status import Exit
from ..saved_sessions import SavedSession
from . import completion, interpreting, passwords
from .cost_warnings import lost_by
from .narrator import WELCOME, Narrator
from .status import status

PATIENCE = 60_000
"""The maximum delay in milliseconds after which a line that came too fast is repeated."""
INFORMING = ("clock", "hand", "help", "last", "moves", "rules", "score", "set", "state", "why")
"""Commands after which a lesson repeats the line to type."""


class Visit(Value):
    """The purpose of a session. `where` is the display name of the server.

    - `errands`: lines to send after the login.
    - `name`: the name offered to a person who can be asked for one (`asks`), or used in place of a
      refused one.
    - `keep`: a function that saves the session.
    - `invite`: for a server of our own that others can reach, a function to call once the errands
      are done.
    - `draw`: shows the invitation as a picture, for Enter before the first game.
    - `attempts`: how many attempts in a row to connect may fail; None for any number.
    - `refusal`: the exit status if the server refuses an errand.
    """

    where: str
    name: str
    errands: Sequence[str] = ()
    asks: bool = False
    keep: Callable[[SavedSession], None] = lambda _: None
    invite: Callable[[], None] | None = None
    draw: Callable[[], None] = lambda: None
    attempts: int | None = None
    refusal: Exit = Exit.REFUSED


class Console:
    """One person's side of the conversation.

    - `types`: a person types, and can be asked for a password.
    - `leaving`: the person wants to leave.
    - `refused`: the server has refused the session for good. `why` is its reason.
    - `failed`: the server has refused an errand.
    - `lesson`: the last text of a lesson.
    """

    def __init__(self, narrator: Narrator, visit: Visit, *, types: bool = True) -> None:
        self.narrator = narrator
        self.conversation = narrator.conversation
        self.where = visit.where
        self.leaving = False
        self.refused = False
        self.why = ""
        self.failed = False
        self.lesson: Lesson | None = None
        self._sent_errands: set[str] = set()
        self._naming = False
        self._name = visit.name
        self._asks = visit.asks
        self._types = types
        self._passwords = passwords.PasswordRequests()
        self._errands = list(visit.errands)
        self._keep = visit.keep
        self._saved: SavedSession | None = None
        self._focus = ""
        self._interrupts = 0
        self._asked = ""
        self._invite = visit.invite
        self._draw = visit.draw
        self._hasty: tuple[str, float] | None = None

    # -------------------------------------------------------- state for the terminal

    @property
    def prompt(self) -> str:
        """The text before the cursor."""
        if self.hidden:
            return "password> "
        return "name> " if self._naming else "> "

    @property
    def hidden(self) -> bool:
        """True if the next line is a password, which must be neither shown nor kept in the
        history.
        """
        return self._passwords.hidden is not None

    @property
    def undecided(self) -> bool:
        """True while the next line may turn out to be a password: do not read it yet."""
        return self._passwords.awaited and self.conversation.waiting

    @property
    def plain(self) -> bool:
        """True if the output is in plain sentences, for reading aloud."""
        return self.narrator.renderer.look.plain

    @property
    def table(self) -> TableModel | None:
        """The current table: one with a question to the person, or else the last one they
        joined.
        """
        tables = self.conversation.streams.tables
        focus = tables.get(self._focus)
        if focus is not None and question(focus):
            return focus
        waiting = self.conversation.streams.questions()
        if waiting:
            return waiting[0][0]
        return focus or next(iter(tables.values()), None)

    def status(self, columns: int, rows: int) -> list[str]:
        """The lines under the prompt."""
        table = self.table
        if table is None:
            who = escaping.visible(self.conversation.name) or "nobody yet"
            return [f"{NO_CONNECTION if self.faded else self.where}  {who}"[:columns]]
        whole = overview(
            table, lambda turn: self.narrator.clocks.shown(table.on, turn), connected=not self.faded
        )
        return status(whole, self.narrator.renderer.cards, columns, rows)

    @property
    def faded(self) -> bool:
        """True if the status is out of date, because there is no connection."""
        return self.narrator.lost

    def completions(self, text: str) -> Iterator[tuple[str, str]]:
        """The completions of a text."""
        other = self._naming or self.hidden
        return iter(()) if other else completion.completions(text, self.table)

    def left_out(self, text: str) -> int:
        """The number of legal moves that extend the text, beyond the completions."""
        other = self._naming or self.hidden
        return 0 if other else completion.left_out(text, self.table)

    @property
    def kind(self) -> str:
        """The kind of line that is typed now. Each kind has its own history."""
        if self._naming:
            return "names"
        return "table" if self.table is not None and self.table.phase == "playing" else ""

    @property
    def idle(self) -> bool:
        """True if every typed command has been answered."""
        if self.refused or self.conversation.state is State.OVER:
            return True
        if self._naming:
            return not self.conversation.waiting
        return self.conversation.state is State.HERE and not (
            self._errands or self.conversation.waiting
        )

    def premature(self, line: str) -> bool:
        """True if a line is a move before its turn."""
        table = self.table
        if self.conversation.state is not State.HERE or table is None or question(table):
            return False
        mine = table.seats.get(table.me) if table.me is not None else None
        if mine is None or mine.out:
            return False
        return table.phase == "playing" and interpreting.is_move(line, table)

    def hasty(self) -> tuple[str, float] | None:
        """A line that came too fast, once, and the seconds until `repeat`."""
        found, self._hasty = self._hasty, None
        return found

    def repeat(self, line: str) -> None:
        """Repeats a line that came too fast."""
        self._say(lambda: self.conversation.say(line))

    # ------------------------------------------------------------------------- typed lines

    def line(self, line: str) -> None:
        """Handles a typed line."""
        self._interrupts = 0
        if self._passwords.hidden is not None:
            self._take_password(self._passwords.hidden, line)
            return
        if self._naming and self._take_name(line.strip()):
            return
        asked, self._asked = self._asked, ""
        if self._next and line.strip().lower() in GO_ON:
            line = self._next
        match interpreting.meant(line, self.table):
            case interpreting.LocalCommand("quit") if asked != "quit" and self.keeps_others:
                self._asked = "quit"
                there = listed(self._others())
                self.narrator.note(f"{there} would be cut off too. quit again ends it for all.")
            case interpreting.Send(command) if command != asked and (costs := self._costs(command)):
                self._asked = command
                self.narrator.note(f"{costs} Type {command} again to do it.")
            case interpreting.Send(command):
                self._send(command)
            case interpreting.Answer(table, turn, token):
                self._say(lambda: self.conversation.move(table, turn, token))
            case interpreting.LocalCommand(name, rest):
                self._local(name, rest)
            case interpreting.Hint(text):
                self.narrator.refuse(text)
                self._remind()
            case None if self.table is not None and question(self.table):
                for text in hand(self.table, self.narrator.renderer):
                    self.narrator.write(text)
            case None if self.table is not None and self.table.phase == "open":
                self._draw()

    @property
    def _next(self) -> str:
        """The command that continues the lesson at the current table after its deal."""
        return self._wanted_next if self.lesson and self.lesson.done else ""

    @property
    def _wanted_next(self) -> str:
        """The line to type for the lesson at the current table."""
        said, table = self.lesson, self.table
        if said is None or table is None or said.on != table.on:
            return ""
        return (said.typed or "") if said.done or question(table) else ""

    def _remind(self, told: str = "") -> None:
        """Repeats the line to type in a lesson, unless the last output ends with it."""
        if self._wanted_next and "Type: " not in told:
            self.narrator.write(self.narrator.renderer.text(f"Type: {self._wanted_next}"))

    def _costs(self, command: str) -> str:
        """The warning about the cost of a command; empty if it costs nothing."""
        tables = self.conversation.streams.tables
        return lost_by(command, self.table, tables) if self._types else ""

    def interrupted(self) -> bool:
        """Call for Ctrl-C. True if the person leaves, with the second one in a row."""
        self._interrupts += 1
        if self._interrupts == 1:
            self.narrator.note("Ctrl-C again to leave.")
        return self._interrupts > 1

    @property
    def keeps_others(self) -> bool:
        """True if the server is ours, and other people sit at our table."""
        return self.invites and bool(self._others())

    @property
    def invites(self) -> bool:
        """True if the server is ours and open to others."""
        return self._invite is not None

    def _others(self) -> list[str]:
        tables = self.conversation.streams.tables.values()
        return [
            escaping.visible(seat.name)
            for table in tables
            for number, seat in table.seats.items()
            if number != table.me and seat.name and not seat.bot and seat.here
        ]

    def quit(self) -> None:
        """Call when the person leaves."""
        self.leaving = True
        if self.conversation.state in (State.HERE, State.NAMELESS):
            self.conversation.say("quit")

    def _send(self, command: str, answered: Hidden | None = None) -> None:
        """Sends a command. `answered` are the passwords that complete it."""
        ask = self._say(lambda: self.conversation.say(command))
        if ask is not None and self._types:
            self._passwords.sent(ask, answered)

    def _say(self, say: Callable[[], SentCommand]) -> SentCommand | None:
        try:
            return say()
        except NotConnected:
            self.narrator.refuse("There is no connection just now.")
        except TooLong as wrong:
            self.narrator.refuse(f"That is too long: {wrong}.")
        except Malformed as wrong:
            self.narrator.refuse(f"{wrong}.")
        return None

    def _local(self, name: str, rest: str) -> None:
        renderer = self.narrator.renderer
        match name:
            case "quit":
                self.quit()
            case "now":
                for text in now(self.table, renderer):
                    self.narrator.write(text)
            case "help":
                for each, does in interpreting.LOCAL.items():
                    self.narrator.write(renderer.text(f"  /{each} - {does}"))
            case _:
                renderer.look, said = changed(renderer.look, name, rest)
                self.narrator.note(said)

    # --------------------------------------------------------------------------- passwords

    def _ask_password(self, hidden: Hidden) -> None:
        self._passwords.hidden = hidden
        if hidden.complaint:
            self.narrator.refuse(hidden.complaint)
        self.narrator.note(hidden.question)

    def _take_password(self, hidden: Hidden, line: str) -> None:
        self._passwords.hidden = None
        try:
            hidden = hidden.answered(line)
        except Refused as empty:
            self.narrator.refuse(empty.text)
            return
        if hidden.complete:
            self._send(passwords.line(hidden.command), hidden)
        else:
            self._ask_password(hidden)

    # ------------------------------------------------------------------------------ names

    def _ask_name(self) -> None:
        self._naming = True
        self.narrator.note(f"{self.where}: your name? Enter = {self._name}")

    def _take_name(self, line: str) -> bool:
        """Takes a line as a name. False if it is a command that needs no name."""
        if line.startswith(("/", "?")) or line.partition(" ")[0].lower() in ("help", "quit"):
            return False
        name = line.removeprefix("guest ").strip() or self._name
        if " " in name:
            self.narrator.refuse("A name is one word.")
            return True
        self._naming = False
        self._say(lambda: self.conversation.say(f"guest {name}"))
        return True

    def _other_name(self) -> None:
        """After a refused name: asks for another, tries the spare one, or gives up."""
        if self._asks:
            self._ask_name()
        elif self._name:
            self.conversation.say(f"guest {self._name}")
            self._name = ""
        else:
            self.refused = True

    # ------------------------------------------------------------------------- updates

    def hear(self, value: Update) -> None:
        """Handles an update of the conversation."""
        if self.leaving and not isinstance(value, Farewell | EventReceived | Replied):
            return
        wanted = self._passwords.wanted(value)
        if wanted is not None:
            self._ask_password(wanted)
            return
        match value:
            case Replied(ask, Err(code="RATE", wait=int() as wait)) if ask and not self._types:
                if wait <= PATIENCE:  # no person is there to repeat it
                    self._hasty = ask.line, wait / 1000
                    return
            case Replied(ask, Err(code="ALREADY_SEATED")) if ask and ask.id in self._sent_errands:
                return  # the seat was taken back: its table has been shown already
            case EventReceived(event=Lesson() as said):
                self.lesson = said
        match value:
            case Replied(ask, Ok()) if ask and ask.id in self._sent_errands and self._invite:
                self._invite()
        self.narrator.tell(value)
        match value:
            case (
                EventReceived(on=on)
                | Snapshot(table=TableModel(on=on))
                | Replied(final=Ok(on=str() as on))
            ) if self.conversation.streams.is_table(on):
                self._focus = on
            case Replied(ask, Err() as err) if ask is not None:
                self.why = err.text or err.code
                self._refused(ask)
                self._remind(self.why)
            case Greeted() if not (self.conversation.name or self.conversation.token):
                self._ask_name()
            case SignedIn():
                self._named(value)
            case UnreadableLine() if self.conversation.state is State.OVER:
                self.refused = True
            case Farewell(bye) if not bye.resume and bye.code != "QUIT":
                self.refused = True
        match value:
            case Replied(ask, Ok()) if ask and not ask.own and ask.verb in INFORMING:
                self._remind()
        self._remember()

    def _named(self, named: SignedIn) -> None:
        self._naming = self.refused = False
        self._passwords.forget()
        if not named.resumed and not self._errands and self._saved is None:
            self.narrator.note(WELCOME)
        errands, self._errands = self._errands, []
        for errand in errands:
            self._run(errand)

    def _run(self, errand: str) -> None:
        ask = self._say(lambda: self.conversation.say(errand))
        self.failed = self.failed or ask is None
        if ask is not None:
            self._sent_errands.add(ask.id)

    def _refused(self, ask: SentCommand) -> None:
        verb = ask.verb
        self.failed = self.failed or ask.id in self._sent_errands
        turned_away = self.conversation.state is State.LEAVING and not self.conversation.token
        if (
            verb == "hello"
            or turned_away
            or (verb in ("auth", "login") and self.conversation.state is State.NAMELESS)
        ):
            self.refused = True
        elif verb == "guest" and self.conversation.state is State.NAMELESS:
            self._other_name()

    def _remember(self) -> None:
        if self.conversation.token and self.conversation.state is State.HERE:
            tables = self.conversation.streams.tables.values()
            session = SavedSession(
                self.conversation.name,
                self.conversation.token,
                self.conversation.bookmark,
                seated=any(table.me is not None for table in tables),
            )
            if session != self._saved:
                self._saved = session
                self._keep(session)
