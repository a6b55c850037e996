"""Shows the updates of the conversation as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from twentytwo_protocol.cards import as_held
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Row
from twentytwo_protocol.verbs import unknown, without_secrets
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words.cardplay import (
    ENDS_OF_GAME,
    RESULTS,
    Clock,
    Dealt,
    Drew,
    Played,
    Trick,
    Turn,
)
from twentytwo_protocol.words.connection import Bye, Note
from twentytwo_protocol.words.fairness import Committed, Revealed, Seeded, Unseal
from twentytwo_protocol.words.looking import MovesRow
from twentytwo_protocol.words.records import RecordLine
from twentytwo_protocol.words.replies import Err, Ok
from twentytwo_protocol.words.seating import Host_, Joined, Presence

from ..core.conversation import Conversation
from ..core.requests import SentCommand
from ..core.shuffle_check import Finding
from ..core.states import State
from ..core.streams import GameToldAgain, question, told_again
from ..core.updates import (
    EventReceived,
    Farewell,
    Greeted,
    Reconnecting,
    Replied,
    SessionLost,
    ShuffleChecked,
    SignedIn,
    Snapshot,
    Unanswered,
    UnknownEvent,
    UnreadableLine,
    Update,
)
from ..display import escaping
from ..display.clocks import Clocks
from ..display.output import Screen
from ..display.recap import hand, recap
from ..display.rendering import Renderer
from ..display.typed_cards import held

EMPTY: Mapping[str, str] = {
    "tables": f"There is no table. open {DEFAULT_GAME} opens one, practice plays against bots.",
    "seeks": f"Nobody is looking for players. seek {DEFAULT_GAME} does.",
    "watchers": "Nobody watches.",
    "who": "Nobody of that name is here.",
}
"""The messages for an empty list, by verb."""
BEGINNING_COMMANDS = ("practice", "daily", "whatif", "tutorial")
"""Commands that begin a game at once."""
TOLD_BY_GAME = (Joined, Host_, Committed)
"""Events before GAME that are not shown: GAME names the players and the commitment."""
WELCOME = "tutorial teaches you in four minutes, practice plays at once, help explains the rest."
STOPS = {
    "MOVED": "Another server goes on.",
    "RESTART": "The server restarts.",
    "SHUTDOWN": "The server stops.",
}
"""The messages for the ends of a server, by code: its own text asks people to come back."""
LONG = 10
"""The seconds from which on a person is told when the client reconnects."""
STILL_TRYING = 8
"""The number of failures, after about half a minute, that a person is told of."""
GREASE = "XG"
"""The prefix of made-up words by which a server tests that clients ignore unknown words."""


class Narrator:
    """Writes updates to the screen, in order. `seconds` is a monotonic clock.

    `lost` is True while there is no connection; missed events are shown after it is restored.
    `turned_away`: at the last attempt the server asked us to come later. With several tables,
    events of all but the table joined last have labels.
    """

    def __init__(
        self,
        conversation: Conversation,
        renderer: Renderer,
        screen: Screen,
        seconds: Callable[[], float],
    ) -> None:
        self.conversation = conversation
        self.renderer = renderer
        self.screen = screen
        self.lost = False
        self.turned_away = False
        self.clocks = Clocks(seconds)
        self._came_to = ""
        self._beginning: set[str] = set()
        self._skipped: set[str] = set()
        self._missed: list[tuple[str, Event, str]] = []
        self._welcomed: set[tuple[str, int]] = set()
        self._put_off = self._stopped = False
        self._boot: str | None = None
        self._restarted = False
        self._dealt = set[str]()

    def tell(self, value: Update) -> None:
        """Writes the text of an update, if it has one."""
        put_off, self._put_off = self._put_off, _puts_off(value)
        if put_off or isinstance(value, SignedIn):
            self.turned_away = put_off
        match value:
            case Greeted(ok):
                self._restarted = self._boot not in (None, ok.boot)
                self._boot = ok.boot
            case EventReceived():
                self._happened(value)
            case Replied(ask, Ok() as ok):
                self._answered(ask, ok)
            case Replied(SentCommand(verb=verb, line=line), Err("UNKNOWN_VERB")):
                tables = self.conversation.streams.tables
                asked = bool(self.conversation.streams.questions())
                self.refuse(unknown(verb, asked=asked, line=line if tables else ""))
            case Replied(_, Err() as err):
                self.write(self.renderer.message(err))
            case SignedIn():
                self._named(value)
            case Snapshot(table):
                self._snapshot(table)
            case ShuffleChecked(verdict, table):
                tell = self.refuse if verdict.found is Finding.WRONG else self.note
                tell(f"{self._label(table)}{verdict}")
            case SessionLost(seated=True):
                self.note("Your seat is gone; you come in anew.")
            case UnknownEvent(record, table):
                if record.text and not record.word.startswith(GREASE):
                    self.write(self.renderer.text(record.text, label=self._label(table)))
            case Unanswered(ask) if ask.turn is None:
                line = without_secrets(ask.line)
                self.refuse(f'The connection was lost before the answer to "{line}".')
            case UnreadableLine() if self.conversation.state is State.OVER:
                self.refuse("What answers there does not speak cardline/1.")
            case Farewell(Bye(code=code, resume=True, wait=wait)) if code in STOPS:
                self._stopped = True
                seconds = round((wait or 0) / 1000)
                when = f" in {seconds} s." if seconds >= LONG else "..."
                self.note(f"{STOPS[code]} Reconnecting{when}")
            case Farewell(bye):
                self.write(self.renderer.message(bye))
            case Reconnecting(seconds, failures):
                self.lost = True
                stopped, self._stopped = self._stopped, False
                if put_off:
                    self.note(f"Trying again in {max(1, round(seconds))} s.")
                elif failures == STILL_TRYING:
                    self.note("No answer yet. Still trying; quit leaves.")
                elif not (failures or stopped):
                    self.note("Connection lost. Reconnecting...")

    # ------------------------------------------------------------------------- events

    def _happened(self, value: EventReceived) -> None:
        event, table = value.event, value.table
        if self._skips(value):
            return
        if isinstance(table, GameToldAgain):
            event = told_again(event)
        elif isinstance(event, Joined) and table is not None and event.seat == table.me:
            self._came_to = value.on
        if value.on in self._beginning and isinstance(event, TOLD_BY_GAME):
            return
        if isinstance(event, Turn) and table is not None:
            self._beginning.discard(value.on)
            self.clocks.start(value.on, event)
        if isinstance(event, Turn) and event.default is None and self.renderer.look.rich:
            return  # the status under the prompt shows whose turn it is
        if table is not None and self._is_ours(event, table):
            return
        if isinstance(event, Presence) and not value.missed and self._knows(event, value.on):
            return
        if isinstance(event, Clock):
            self.clocks.told(event)
            return
        if isinstance(event, Turn) and event.hand and set(event.hand) == self._dealt:
            event = replace(event, hand=None)  # DEALT has shown the hand
        if isinstance(event, Dealt) and event.cards:
            self._dealt = set(event.cards)
        elif not isinstance(event, Dealt | Trick):
            self._dealt.clear()
        text = self.renderer.message(event, table, label=self._label(table))
        if value.missed:
            self._missed.append((value.on, event, text))
            return
        if isinstance(event, Turn) and event.default is not None:
            self._ring()
        self.write(text)

    def _skips(self, value: EventReceived) -> bool:
        """True for events before the result of a game, if the person wants the result only."""
        on = value.event.table if isinstance(value.event, Note) else value.on
        if on not in self._skipped:
            return False
        if isinstance(value.event, ENDS_OF_GAME):
            self._skipped.discard(value.on)
        return not isinstance(value.event, RESULTS)

    def _is_ours(self, event: Event, table: TableModel) -> bool:
        """True for hidden events: those of the fair shuffle that the client handles, and the first
        draw for the deal, whose result HAND tells.
        """
        match event:
            case Drew():
                return table.hand is None
            case Revealed():
                return table.me is not None  # a verdict follows
            case Unseal(seats):
                return table.me in seats and self.conversation.opens(table)
            case Seeded(seat, hash=sealed):
                opened = table.phase not in ("open", "over")
                alone = self.renderer.voice(table).alone
                return seat == table.me and bool(sealed or opened or alone)
        return False

    def _ring(self) -> None:
        if self.renderer.look.bell:
            self.screen.ring()

    # ---------------------------------------------------------------------- coming back

    def _named(self, named: SignedIn) -> None:
        if named.resumed and self.lost:
            self._back()
        else:
            self.write(self.renderer.text(named.text))
        self.lost = False
        self.turned_away = False
        self._missed.clear()

    def _back(self) -> None:
        plays = sum(isinstance(event, Played) for _, event, _ in self._missed)
        count = f" You missed {plays} {'play' if plays == 1 else 'plays'}:" if plays else ""
        self.note(f"Back.{count}")
        tables = self.conversation.streams.tables
        self._welcomed = {(on, table.me) for on, table in tables.items() if table.me is not None}
        for on, event, text in self._missed:
            if not (isinstance(event, Presence) and self._is_known(event, on, tables.get(on))):
                self.write(text)
        asked = (isinstance(event, Turn) and event.default for _, event, _ in self._missed)
        if not any(asked):
            for table, turn in self.conversation.streams.questions():
                self.write(self.renderer.message(turn, table, label=self._label(table)))

    def _is_known(self, event: Presence, on: str, table: TableModel | None) -> bool:
        """True if the person knows of a missed absence: it is their own, or it is everybody's
        since the server was away itself. Then its end is no news either.
        """
        mine = table is not None and event.seat == table.me
        known = mine or (self._restarted and not event.bot)
        if known and not event.here:
            self._welcomed.add((on, event.seat))
        else:
            self._welcomed.discard((on, event.seat))
        return known

    def _knows(self, event: Presence, on: str) -> bool:
        """True if an event ends an absence that the person was not told of."""
        known = (on, event.seat) in self._welcomed
        self._welcomed.discard((on, event.seat))
        return known and event.here and not event.bot

    def _snapshot(self, table: TableModel) -> None:
        if self._came_to not in self.conversation.streams.tables:
            self._came_to = table.on
        for text in recap(table, self.renderer):
            self.write(text)

    # ------------------------------------------------------------------------- replies

    def _answered(self, ask: SentCommand | None, ok: Ok) -> None:
        if ask is not None and ask.verb == "watch":
            self._came_to = ok.on or ""
        if ask is not None and ask.verb in BEGINNING_COMMANDS and ok.on:
            self._beginning.add(ok.on)
        if ask is not None and ask.verb == "finish" and ok.on:
            self._skipped.add(ok.on)
        rows = [row for row in (ask.rows if ask else []) if isinstance(row, Row)]
        moves = [move for row in rows if isinstance(row, MovesRow) for move in row.moves]
        if moves:
            table = self.conversation.streams.tables.get(ok.on or "")
            in_order = as_held(moves, held(table) if table else ())
            show = self.renderer.voice(table).show
            shown = (show(move.split("+")) for move in in_order)
            self.write(self.renderer.lines(" | ".join(shown), aloud=True))
        table = self.conversation.streams.tables.get(ok.on or "")
        asks = ask and (ask.verb == "hand" or (ask.verb == "moves" and not moves))
        if asks and table and question(table):
            for text in hand(table, self.renderer):  # with the words of the question
                self.write(text)
            return
        for row in (*rows, ok):
            if isinstance(row, RecordLine):  # lines of a file are shown unchanged, even empty ones
                self.screen.write(escaping.visible(row.text or ""))
            else:
                self.write(self.renderer.message(row, self._of_game(ok.on)))
        if ask and ask.verb == "token" and ok.token:
            self.note(f"Keep it safe, it is not shown again: {ok.token}")
        if ask and not (ask.rows or ok.text) and ask.verb in EMPTY:
            self.note(EMPTY[ask.verb])

    def _of_game(self, id: str | None) -> TableModel | None:
        """The table where a game was played, if it is the last game there."""
        tables = self.conversation.streams.tables.values()
        return next((each for each in tables if each.game and each.game.id == id), None)

    # ------------------------------------------------------------------------- showing

    def write(self, text: str) -> None:
        """Shows a text, if there is one."""
        if text:
            self.screen.write(text)

    def note(self, text: str) -> None:
        """Writes a message of the client itself."""
        self.write(self.renderer.note(text))

    def refuse(self, text: str) -> None:
        """Writes why something is not done."""
        self.write(self.renderer.refusal(text))

    def _label(self, table: TableModel | None) -> str:
        """A table's name as a label for its events, where that is needed."""
        streams = self.conversation.streams
        known = [*streams.shown, *streams.tables]
        if table is None or len(known) < 2:
            return ""
        here = self._came_to if self._came_to in known else known[-1]
        return "" if table.on == here else f"[{table.on}] "


def _puts_off(value: Update) -> bool:
    """True if the server asks the client to come later."""
    match value:
        case Farewell(Bye(code="RATE" | "BUSY")):
            return True
        case Replied(ask, Err(class_="limit")):
            return ask is not None and ask.own
        case _:
            return False
