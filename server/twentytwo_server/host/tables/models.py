"""The knowledge of each viewer of a table: the fold of the events shown to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from weakref import ref

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Aborted, Game_, Gameover, Hand_
from twentytwo_protocol.words.seating import Joined, Left, Renamed

from ...session.streams import Burst, Entry, ModelFor, Stream
from .sittings import SITTING, SeatThen, Sittings, no_seat

SEAT_EVENTS = frozenset((*SITTING, Hand_, Game_, Gameover, Aborted))
"""The events that change the seats of viewers."""


class TableModels:
    """The models of a table's viewers, made on demand and then extended.

    A model belongs to a name; people without a seat share the watchers' model (None). `stream` has
    the events of the table; call `follow` when it has new ones.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._sittings = Sittings()
        self._models: dict[str | None, TableModel] = {}
        self._hand_began: int | None = None
        # A weak reference: entries must not keep a closed room alive. If one is shown after that,
        # its text is made without the model of the table.
        models = ref(self)
        self.model_for: ModelFor = lambda who, seq: (
            there.of(who, seq) if (there := models()) else None
        )
        self._hand_for = lambda who: there.hand_so_far(who) if (there := models()) else ()

    def follow(self, burst: Burst) -> None:
        """Reads new events of the stream: changes of seats, and the beginning of hands.

        A person who takes over a seat during a hand knows the hand from its beginning.
        """
        if burst.kinds.isdisjoint(SEAT_EVENTS):
            return
        for entry in burst.entries:
            if type(entry.event) not in SEAT_EVENTS:
                continue
            known_from = entry.seq
            match entry.event:
                case Hand_():
                    self._hand_began = entry.seq
                case Game_() | Gameover() | Aborted():
                    self._hand_began = None
                case Joined() if self._hand_began is not None:
                    known_from = self._hand_began
                case Left(name=gone) | Renamed(was=gone):
                    self._models.pop(gone, None)
                case _:
                    pass
            self._sittings.follow(entry, known_from)

    def of(self, name: str | None, seq: int | None = None) -> TableModel:
        """A person's knowledge of the table: the fold of all events shown to them.

        With `seq` it folds only the events up to this number, but a model may already be further:
        models are kept and extended, so that a second call folds only new events.
        """
        seated = self._seated(name)
        model = self._model(seated)
        seat_then = self.seat_then(seated)
        for entry in self._stream.after(model.seq):
            if seq is not None and entry.seq > seq:
                break
            _fold(model, entry, seat_then)
        return model

    def unfolded(self, name: str | None) -> int:
        """Number of events that `of` would have to fold first."""
        found = self._models.get(self._seated(name))
        return self._stream.last - (found.seq if found is not None else 0)

    def folding(self, name: str | None) -> Iterator[None]:
        """Folds these events one by one, for a table with a long past; then `of` is quick."""
        seated = self._seated(name)
        model = self._model(seated)
        seat_then = self.seat_then(seated)
        for entry in self._stream.after(model.seq):
            if entry.seq > model.seq:  # no other call has folded it meanwhile
                _fold(model, entry, seat_then)
            yield

    def hand_so_far(self, name: str | None) -> list[Event]:
        """The events of this hand as shown to a person (None: to watchers).

        Empty if their model is older than this hand.
        """
        model = self._models.get(name)
        if model is not None and model.seq != self._stream.last:
            return []
        seat_then = self.seat_then(name)
        found: list[Event] = []
        for entry in self._stream.backwards():
            if isinstance(entry.event, Hand_ | Game_):
                break
            found.append(entry.seen_by(seat_then(entry.seq)))
        return found[::-1]

    def seat_then(self, name: str | None) -> SeatThen:
        """The seat from which a person saw each event; before they sat down, as a watcher.

        It is valid for a person who has a seat at the time of the call, also after they get up.
        """
        return self._sittings.seat_then(name) if name is not None else no_seat

    def _seated(self, name: str | None) -> str | None:
        return name if name in self._sittings else None

    def _model(self, seated: str | None) -> TableModel:
        found = self._models.get(seated)
        if found is None:
            so_far = partial(self._hand_for, seated)
            found = self._models[seated] = TableModel(self._stream.name, so_far=so_far)
        return found


def _fold(model: TableModel, entry: Entry, seat_then: SeatThen) -> None:
    model.me = seat_then(entry.seq)
    model.see(entry.seen_by(model.me), entry.seq)
