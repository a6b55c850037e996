"""The choices below the hand: moves, commands, and completions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Turn

from ..core.states import State
from ..terminal.console import Console
from . import choosing
from .canvas import Faces
from .selection import Selection

AT_THE_DOOR = ("practice", "tutorial", "tables", "help")
BEFORE_A_GAME, AFTER_A_GAME = ("ready", "leave"), ("rematch", "leave")
OF_A_HOST = ("ready", "start", "addbot", "leave")


class Offer(Value):
    """A choice: its label and the line that it types. `sent`: the line is sent at once."""

    label: str
    line: str
    sent: bool = True


def offers(person: Console, selection: Selection, faces: Faces) -> tuple[Offer, ...]:
    """The current choices: moves for an open question, otherwise commands."""
    if person.hidden or person.prompt.startswith("name") or person.faded:
        return ()
    if selection.turn is not None:
        return tuple(_moves(selection.turn, selection, faces))
    return tuple(Offer(each, each) for each in _commands(person))


def _commands(person: Console) -> Sequence[str]:
    table = person.table
    if table is None:
        return AT_THE_DOOR if person.conversation.state is State.HERE else ()
    if table.me is None:
        return ("leave",)
    before = OF_A_HOST if table.host == person.conversation.name else BEFORE_A_GAME
    return {"open": before, "over": AFTER_A_GAME}.get(table.phase, ())


def _moves(turn: Turn, selection: Selection, faces: Faces) -> list[Offer]:
    """The moves with exactly the selected cards, or else those that extend the selection. Without a
    selection all moves.
    """
    if not selection.chosen and turn.choose != "subset":
        return [_move(each, turn, faces) for each in selection.moves]
    answers = selection.answers()
    if answers or turn.choose == "subset":
        return [Offer(_labelled(each, turn, selection, faces), each) for each in answers]
    return [Offer(faces.write(cards), answer) for cards, answer in selection.longer()]


def _move(move: str, turn: Turn, faces: Faces) -> Offer:
    parts = move.split("+")
    cards = move.upper() == move and turn.act != "bid"
    label = faces.write(parts) if cards else move
    low = " (lowest)" if turn.low is not None and tuple(parts) == turn.low else ""
    return Offer(f"{label}{low}", choosing.spelled(move, ()))


def _labelled(answer: str, turn: Turn, selection: Selection, faces: Faces) -> str:
    """The label of the button that plays the selection."""
    chosen = selection.chosen_cards
    if not chosen:
        return f"{answer} (enter)"
    as_two = len(chosen) == 1 and len(choosing.moves(turn, chosen)) > 1
    return f"{turn.act} {answer if as_two else faces.write(chosen)} (enter)"


class Completions:
    """The completions of the input line, one after the other."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._at = 0

    def next(self, line: str, found: Callable[[str], Iterable[tuple[str, str]]]) -> str:
        """The completed line. Repeated, the line with the next completion; unchanged if there is
        none.

        `found` returns the completions of a line: the end to replace, and its replacement.
        """
        if not self.are_of(line):
            lines = [line[: len(line) - len(end)] + new for end, new in found(line)]
            self._lines, self._at = list(dict.fromkeys(lines)), -1
        if not self._lines:
            return line
        self._at = (self._at + 1) % len(self._lines)
        return self._lines[self._at]

    def are_of(self, line: str) -> bool:
        """True if the line is the last completed one."""
        return bool(self._lines) and line == self._lines[self._at]

    def end(self) -> None:
        """Forgets the completions, because the line was changed or sent."""
        self._lines = []

    @property
    def at(self) -> int:
        """The index of the current completion among the choices."""
        return self._at

    @property
    def offers(self) -> tuple[Offer, ...]:
        """All completions as choices, which change the line but do not send it."""
        return tuple(Offer(each, each, sent=False) for each in self._lines)
