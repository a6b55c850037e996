"""The conversation on one connection: its output (`recipient`) and the meaning of its lines.

The first line sets the mode for the life of the connection: `hello 1` means a program, anything
else a person. A session belongs to a connection and is never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from twentytwo_protocol import __version__
from twentytwo_protocol.cards import Deck
from twentytwo_protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE, Flaw
from twentytwo_protocol.hidden import Hidden
from twentytwo_protocol.schema import CAPABILITIES, Command, Refused
from twentytwo_protocol.typed import read_person
from twentytwo_protocol.value import Value
from twentytwo_protocol.verbs import GO_ON, without_secrets
from twentytwo_protocol.words.cardplay import Move, Turn, forced
from twentytwo_protocol.words.looking import Hand
from twentytwo_protocol.words.replies import Ok
from twentytwo_protocol.words.session import Hello

from .recipient import PROGRAM, Mode, Recipient
from .requests import Request, begins_program, flawed, program_request
from .streams import Form

VERSIONS = (1,)
"""The supported versions of the protocol."""


class ClientKey(Value):
    """The SSH key that a connection's client has offered: its type and its SHA-256 hash.

    `proved`: the client has signed with it.
    """

    kind: str
    digest: bytes
    proved: bool = False


@dataclass(slots=True)
class Session(Recipient):
    """The state of one connection's conversation.

    `capabilities` are those that a program has turned on. `greeted`: the client has sent hello.
    `bot`: no person controls the client. `client` is the client's own name. `name` is the user's
    name, None before the login. `closing`: later lines are not answered. `tries` counts failed
    logins. `exchange` is the current SCRAM exchange, and `key` the client's SSH key, if any.
    `confirmation` describes the last command that has to be confirmed because of its cost: the
    command, the time until which its repetition confirms it (ms of the clock), and the typed line.
    `warned` has the last clock warning at each table: the game, the number of the turn, and the
    stage of the clock.
    """

    capabilities: tuple[str, ...] = ()
    greeted: bool = False
    bot: bool = False
    client: str = ""
    name: str | None = None
    closing: bool = False
    tries: int = 0
    exchange: object = None
    key: ClientKey | None = None
    confirmation: tuple[str, int, str] = ("", 0, "")
    warned: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)
    _hidden: Hidden | None = None

    def hear(
        self,
        line: str | Flaw,
        deck: Deck | None = None,
        asked: Turn | None = None,
        *,
        awaited: str = "",
        go_on: str = "",
    ) -> Request | None:
        """Parses a line as a request; None if there is nothing to do.

        There is nothing to do for a blank line, unless a person is asked for a move
        (`_hear_blank`), and for an answer to `ask_hidden` that another question follows. `deck`,
        `asked` and `awaited` are as in `read_person`. If `go_on` is not empty, words such as `ok`
        and a blank line stand for this line. The first line sets the mode.
        """
        if self._hidden is not None:
            return self._hear_hidden(self._hidden, line)
        if not isinstance(line, str):
            if self.mode is Mode.UNDECIDED:
                self.mode = Mode.PEOPLE
            return Request("*", refusal=flawed(line))
        if go_on and self.mode is Mode.PEOPLE and line.strip().lower() in GO_ON:
            line = go_on
        if not line.strip():
            return self._hear_blank(asked) if self.mode is Mode.PEOPLE else None
        if self.mode is PROGRAM or (self.mode is Mode.UNDECIDED and begins_program(line)):
            self.mode = PROGRAM
            return program_request(line, json=self.form.json)
        self.mode = Mode.PEOPLE
        try:
            named, at_table = self.name is not None, self.current is not None
            command = read_person(
                line, named=named, deck=deck, asked=asked, at_table=at_table, awaited=awaited
            )
            return Request("", command, typed=" ".join(line.split()))
        except Refused as wrong:
            return Request("", refusal=wrong)

    def _hear_blank(self, asked: Turn | None) -> Request | None:
        """The meaning of a blank line: the question again, or with `forced` the only move."""
        if asked is None:
            return None
        only = forced(asked) if self.display.forced == "on" else None
        return Request("", Hand() if only is None else Move(only, asked.turn))

    def ask_hidden(
        self,
        said: Command,
        *steps: tuple[str, str],
        judge: Callable[[str], None] = lambda chosen: None,
    ) -> None:
        """Asks a person for secret fields of a command, such as passwords, and hides the answers.

        `steps` are pairs of a field and its question, asked in order; the next lines are the
        answers. After the last answer `hear` returns `said` with the fields filled in. `judge`
        raises `Refused` for an unacceptable answer, before the person is asked to repeat it.
        """
        self._ask_hidden(Hidden(said, steps, judge))

    def _ask_hidden(self, hidden: Hidden) -> None:
        self._hidden = hidden
        self._hide_typing()
        complaint = [f"! {hidden.complaint}"] if hidden.complaint else []
        self._say([*complaint, hidden.question])

    def _hear_hidden(self, hidden: Hidden, line: str | Flaw) -> Request | None:
        self._hidden = None
        try:
            if isinstance(line, Flaw):
                raise flawed(line)
            hidden = hidden.answered(line)
        except Refused as wrong:
            return Request("", refusal=wrong)
        if not hidden.complete:
            self._ask_hidden(hidden)
            return None
        # Typing stays hidden until the reply, because another question may follow.
        return Request("", hidden.command)

    def loggable(self, line: str) -> str:
        """The line for the log, without secrets. Call it before `hear` takes the line."""
        return "..." if self._hidden is not None else without_secrets(line)

    def greet(self, hello: Hello, boot: str) -> Ok:
        """Turns on the features requested with `hello`; returns the reply, which lists them.

        `boot` identifies this start of the server. Raises `Refused` (BAD_VERSION).
        """
        spoken = set(VERSIONS).intersection(hello.versions or ())
        if not spoken:
            raise Refused("BAD_VERSION", "This server speaks version 1.", have=VERSIONS)
        # A client without a name is in development: grease makes it skip unknown words early.
        self.turn_on([*(hello.caps or ()), *(() if hello.client else ("grease",))])
        self.bot, self.client = bool(hello.bot), hello.client or ""
        self.greeted = True
        return Ok(
            proto=max(spoken),
            server=f"twentytwo/{__version__}",
            boot=boot,
            maxin=MAX_CLIENT_LINE,
            maxout=MAX_SERVER_LINE,
            knows=self.known,
            caps=self.capabilities,
            text="Welcome.",
        )

    def turn_on(self, wanted: Sequence[str]) -> None:
        """Turns on the known capabilities in `wanted`, and turns all others off."""
        self.capabilities = on = tuple(cap for cap in CAPABILITIES if cap in wanted)
        self.form = Form("json" in on, "text" in on, "time" in on)
        self.greased = "grease" in on

    @property
    def known(self) -> tuple[str, ...]:
        """The available capabilities; with grease also a fictitious one."""
        return (*CAPABILITIES, "xgcap") if self.greased else tuple(CAPABILITIES)
