"""Connects a person and the conversation: typed lines become commands, updates become text.

It knows neither the terminal nor the network. The terminal gives it lines, and asks it for the
prompt, the status and the completions; the link gives it updates.
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

from ..core.conversation import Away
from ..core.requests import Request, TooLong
from ..core.states import State
from ..core.streams import question
from ..core.updates import (
    EventReceived,
    Farewell,
    Greeted,
    Replied,
    SignedIn,
    Snapshot,
    Unreadable,
    Update,
)
from ..display import escaping
from ..display.look import changed
from ..display.overview import NO_CONNECTION, overview
from ..display.recap import hand, now
from ..exit_status import Exit
from ..saved_sessions import SavedSession
from . import completion, interpreting, passwords
from .losing import lost_by
from .narrator import WELCOME, Narrator
from .status import status

PATIENCE = 60_000
"""Milliseconds after which a line that came too fast is sent again at most."""
INFORMING = ("clock", "hand", "help", "last", "moves", "rules", "score", "set", "state", "why")
"""Commands behind whose answer a lesson says once more what to type."""


class Visit(Value):
    """What somebody comes to a server for; `where` is what the server is called.

    `errands` are lines to send after the login. `name` is offered to a person who can be asked for
    one (`asks`), or taken in place of a refused one. `keep` is called with the session to save.
    Where the server is ours, and there for others, it ends with us, and `invite` is called once the
    errand is done. `attempts` in a row to connect may fail; None is no limit. `refusal` is the exit
    code where the server will not do what the command line asks for.
    """

    where: str
    name: str
    errands: Sequence[str] = ()
    asks: bool = False
    keep: Callable[[SavedSession], None] = lambda _: None
    invite: Callable[[], None] | None = None
    attempts: int | None = None
    refusal: Exit = Exit.REFUSED


class Console:
    """One person's side of the conversation.

    `types`: a person types, and can be asked for a password.

    `leaving` is True once the person wants to leave, `refused` once the server has refused us for
    good, `why` as it said so; `failed` once it has refused an errand. `lesson` is what a lesson
    said last.
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
        self._kept: SavedSession | None = None
        self._focus = ""
        self._interrupts = 0
        self._asked = ""
        self._invite = visit.invite
        self._hasty: tuple[str, float] | None = None

    # ------------------------------------------------------------- what the terminal asks

    @property
    def prompt(self) -> str:
        """The text before the cursor."""
        if self.hidden:
            return "password> "
        return "name> " if self._naming else "> "

    @property
    def hidden(self) -> bool:
        """True if the next line is a password, which must not be shown or kept in the history."""
        return self._passwords.hidden is not None

    @property
    def undecided(self) -> bool:
        """True while it is not known whether the next line is a password: do not read it yet."""
        return self._passwords.awaited and self.conversation.waiting

    @property
    def plain(self) -> bool:
        """True if everything is to be written as sentences, for reading aloud."""
        return self.narrator.renderer.look.plain

    @property
    def table(self) -> TableModel | None:
        """The table that the person looks at: one that asks them, else the last they came to."""
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
        """True if the status is how things were: there is no connection just now."""
        return self.narrator.lost

    def completions(self, text: str) -> Iterator[tuple[str, str]]:
        """The completions that Tab offers."""
        other = self._naming or self.hidden
        return iter(()) if other else completion.completions(text, self.table)

    def left_out(self, text: str) -> int:
        """How many legal moves go on from the text that are not among the completions."""
        other = self._naming or self.hidden
        return 0 if other else completion.left_out(text, self.table)

    @property
    def kind(self) -> str:
        """What kind of line is typed now; each has a history of its own."""
        if self._naming:
            return "names"
        return "table" if self.table is not None and self.table.phase == "playing" else ""

    @property
    def idle(self) -> bool:
        """True if everything that was typed has been answered."""
        if self.refused or self.conversation.state is State.OVER:
            return True
        if self._naming:
            return not self.conversation.waiting
        return self.conversation.state is State.HERE and not (
            self._errands or self.conversation.waiting
        )

    def premature(self, line: str) -> bool:
        """True if a line is a move whose turn has not come yet."""
        table = self.table
        if self.conversation.state is not State.HERE or table is None or question(table):
            return False
        mine = table.seats.get(table.me) if table.me is not None else None
        if mine is None or mine.out:
            return False
        return table.phase == "playing" and interpreting.is_move(line, table)

    def hasty(self) -> tuple[str, float] | None:
        """A line that came too fast, once, and the seconds after which to `repeat` it."""
        found, self._hasty = self._hasty, None
        return found

    def repeat(self, line: str) -> None:
        """Sends a line again that came too fast."""
        self._say(lambda: self.conversation.say(line))

    # ----------------------------------------------------------------- what a person types

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

    @property
    def _next(self) -> str:
        """What goes on with a lesson of which a deal is over, at the table that is looked at."""
        return self._wanted_next if self.lesson and self.lesson.done else ""

    @property
    def _wanted_next(self) -> str:
        """What a lesson says that is to be typed now, at the table that is looked at."""
        said, table = self.lesson, self.table
        if said is None or table is None or said.on != table.on:
            return ""
        return (said.typed or "") if said.done or question(table) else ""

    def _remind(self, told: str = "") -> None:
        """Says once more what a lesson wants, where that stands no longer in the last line."""
        if self._wanted_next and "Type: " not in told:
            self.narrator.write(self.narrator.renderer.text(f"Type: {self._wanted_next}"))

    def _costs(self, command: str) -> str:
        """The sentence that warns a person of a command's cost; empty if it costs nothing."""
        tables = self.conversation.streams.tables
        return lost_by(command, self.table, tables) if self._types else ""

    def interrupted(self) -> bool:
        """Call for Ctrl-C; True if the person leaves, as the second one in a row means."""
        self._interrupts += 1
        if self._interrupts == 1:
            self.narrator.note("Ctrl-C again to leave.")
        return self._interrupts > 1

    @property
    def keeps_others(self) -> bool:
        """True if the server is ours, and others who are no bots sit at a table with us."""
        return self.invites and bool(self._others())

    @property
    def invites(self) -> bool:
        """True if the server is ours, for the table to which others are invited."""
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
        """Sends a command; `answered` are the passwords that were asked for it."""
        ask = self._say(lambda: self.conversation.say(command))
        if ask is not None and self._types:
            self._passwords.sent(ask, answered)

    def _say(self, say: Callable[[], Request]) -> Request | None:
        try:
            return say()
        except Away:
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

    # -------------------------------------------------------------------------- passwords

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
        """Takes a line as a name; False if it is a command that needs none."""
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

    # -------------------------------------------------------------- what the server says

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
                if wait <= PATIENCE:  # nobody is there to type it again
                    self._hasty = ask.line, wait / 1000
                    return
            case Replied(ask, Err(code="ALREADY_SEATED")) if ask and ask.id in self._sent_errands:
                return  # the seat was taken back: how things stand there is told already
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
            case Unreadable() if self.conversation.state is State.OVER:
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
        if not named.resumed and not self._errands and self._kept is None:
            self.narrator.note(WELCOME)
        errands, self._errands = self._errands, []
        for errand in errands:
            self._run(errand)

    def _run(self, errand: str) -> None:
        ask = self._say(lambda: self.conversation.say(errand))
        self.failed = self.failed or ask is None
        if ask is not None:
            self._sent_errands.add(ask.id)

    def _refused(self, ask: Request) -> None:
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
            if session != self._kept:
                self._kept = session
                self._keep(session)
