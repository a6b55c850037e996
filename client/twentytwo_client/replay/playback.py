"""Steps through a finished game, from the point of view of any seat.

No step reveals a later event, such as the winner of a trick or of the game. `Playback` is
independent of the terminal: it takes events and returns lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.voice import OpenVoice, PastVoice, Voice
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Game_,
    Gameover,
    Hand_,
    Handover,
    Took,
    Trick,
    Turn,
)

from ..core.streams import told_again
from ..display.look import Look
from ..display.recap import recap
from ..display.rendering import Renderer

Step = Sequence[Event]
"""The events of one step: up to the next question, or to the end."""


class NoSuchPlace(ValueError):
    """The game has no such hand, or the hand no such trick. The message names the existing ones."""


class Perspective(Renderer):
    """A point of view: a seat, a spectator (None), or (`opened`) one that sees all cards."""

    def __init__(
        self, look: Look, width: Callable[[], int | None], seat: int | None, *, opened: bool
    ) -> None:
        super().__init__(look, width)
        self.seat = seat
        self.opened = opened

    def voice(self, table: TableModel | None) -> Voice:
        """The voice that tells the events."""
        if table is None:
            return Voice({}, show=self.cards)
        if self.opened:
            return self.voice_of(OpenVoice, table, None)
        return self.voice_of(PastVoice, table, self.seat)

    def sees(self, event: Event) -> Event:
        """The event from this point of view, without a question to anybody."""
        return told_again(event if self.opened else redact(event, self.seat))


def steps(events: Iterable[Event]) -> list[Step]:
    """The steps of a game."""
    found: list[Step] = []
    step: list[Event] = []
    for event in events:
        step.append(event)
        if isinstance(event, Turn | Gameover | Aborted):
            found.append(step)
            step = []
    return [*found, step] if step else found


class Playback:
    """A position in a game. Raises `ValueError` if the events are not a game."""

    def __init__(self, events: Sequence[Event], eyes: Perspective) -> None:
        game = next((event for event in events if isinstance(event, Game_)), None)
        if game is None:
            raise ValueError("no game begins there")
        self.eyes = eyes
        self.seats = range(1, game.players + 1)
        self._id = game.id
        self._steps = steps(events)
        self._at = 0
        self._models: dict[int | None, TableModel] = {}
        self._rewind(0)

    @property
    def over(self) -> bool:
        """True if everything has been shown."""
        return self._at == len(self._steps)

    @property
    def table(self) -> TableModel:
        """The model of the table at the current position."""
        return self._models[None if self.eyes.opened else self.eyes.seat]

    @property
    def position(self) -> tuple[int, int]:
        """The hand and the trick that were shown last; 0 before the first."""
        table = self._models[None]
        return (table.hand.no if table.hand else 0, table.trick or 0)

    # ----------------------------------------------------------------------------- forward

    def play(self) -> Iterator[str]:
        """Shows the next step."""
        if not self.over:
            step = self._steps[self._at]
            self._at += 1
            for event in step:
                self._see(event)
                text = self.eyes.message(self.eyes.sees(event), self.table)
                if text:
                    yield text

    def trick(self) -> Iterator[str]:
        """Continues to the end of the trick."""
        yield from self._until(Took)

    def hand(self) -> Iterator[str]:
        """Continues to the end of the hand."""
        yield from self._until(Handover)

    def rest(self) -> Iterator[str]:
        """Continues to the end of the game."""
        yield from self._until()

    def _until(self, *kinds: type[Event]) -> Iterator[str]:
        done = False
        while not (done or self.over):
            done = any(isinstance(event, kinds) for event in self._steps[self._at])
            yield from self.play()

    def _see(self, event: Event) -> None:
        for seat, model in self._models.items():
            model.see(told_again(redact(event, seat)), model.seq + 1)

    # ------------------------------------------------------------------------------ jumps

    def back(self) -> Iterator[str]:
        """Goes a step back, and shows the table there."""
        self._rewind(max(1, self._at - 1))
        yield from self.now()

    def trick_back(self) -> Iterator[str]:
        """Goes back to the beginning of the trick, or, from there, of the trick before."""
        yield from self._back(lambda position: position)

    def hand_back(self) -> Iterator[str]:
        """Goes back to the beginning of the hand, or, from there, of the hand before."""
        yield from self._back(lambda position: position[:1])

    def _back(self, of: Callable[[tuple[int, int]], tuple[int, ...]]) -> Iterator[str]:
        positions = [of(position) for position in self._positions()]
        now = max(0, self._at - 1)
        begins = [i for i in range(1, now) if positions[i] != positions[i - 1]]
        self._rewind(begins[-1] + 1 if begins else 1)
        yield from self.now()

    def _positions(self) -> list[tuple[int, int]]:
        """The hand and trick at the end of each step."""
        found: list[tuple[int, int]] = []
        hand = trick = 0
        for step in self._steps:
            for event in step:
                if isinstance(event, Hand_):
                    hand, trick = event.no, 0
                elif isinstance(event, Trick):
                    trick = event.trick
            found.append((hand, trick))
        return found

    def _tricks(self) -> dict[int, int]:
        """The number of tricks in each hand."""
        found: dict[int, int] = {}
        for event in (event for step in self._steps for event in step):
            if isinstance(event, Hand_):
                found[event.no] = 0
            elif isinstance(event, Trick) and found:
                found[max(found)] = event.trick
        return found

    def go_to(self, hand: int, trick: int = 0) -> Iterator[str]:
        """Goes to the beginning of a hand or of a trick, and shows the table there.

        Raises `NoSuchPlace`.
        """
        tricks = self._tricks()
        if hand not in tricks:
            raise NoSuchPlace(f"there is no hand {hand}; {_those(len(tricks))}")
        if trick > tricks[hand]:
            raise NoSuchPlace(f"there is no trick {trick} in hand {hand}; {_those(tricks[hand])}")
        return self._gone_to(hand, trick)

    def _gone_to(self, hand: int, trick: int) -> Iterator[str]:
        self._rewind(0)
        while not self.over and not self._is_at(hand, trick):
            for event in self._steps[self._at]:
                self._see(event)
            self._at += 1
        yield from self.now()

    def _is_at(self, hand: int, trick: int) -> bool:
        return self.position >= (hand, trick)

    def turn_to(self, eyes: Perspective) -> Iterator[str]:
        """Changes the point of view."""
        self.eyes = eyes
        yield from self.now()

    def _rewind(self, step: int) -> None:
        self._models = {seat: TableModel(self._id, seat) for seat in (None, *self.seats)}
        for each in self._steps[:step]:
            for event in each:
                self._see(event)
        self._at = step

    def now(self) -> Iterator[str]:
        """Shows the table in a few lines."""
        yield self.eyes.lines(f"--- {self._whose()}", aloud=True)
        yield from (text for text in recap(self.table, self.eyes) if text)
        if self.eyes.opened:
            for seat in self.seats:
                cards = self._models[seat].holding
                if cards:
                    voice = self.eyes.voice(self.table)
                    name, shown = voice.possessive(seat), voice.show(cards)
                    yield self.eyes.lines(f"{name} cards: {shown}", aloud=True)

    def _whose(self) -> str:
        if self.eyes.opened:
            return "All cards open"
        if self.eyes.seat is None:
            return "As a spectator saw it"
        name = self.table.seats[self.eyes.seat].name
        return f"As {name} saw it, in seat {self.eyes.seat}"


def _those(last: int) -> str:
    """The existing numbers, in words."""
    if last < 2:
        return f"there is {'only 1' if last else 'none'}"
    return f"they are 1 to {last}"
