"""Detects gaps in the streams and requests the missing events."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.words.replies import Err, Ok
from twentytwo_protocol.words.session import At

from .requests import SentCommand
from .streams import LASTING, Streams
from .updates import Snapshot, Update


class GapFiller:
    """Requests the missing parts of a person's `streams`.

    `known` are the positions to resume from. The tables among them are requested as snapshots,
    because their models are gone. `ask` queues a command, `tell` passes an update on.
    """

    def __init__(
        self,
        known: Mapping[str, int],
        ask: Callable[[str], object],
        tell: Callable[[Update], None],
    ) -> None:
        self._ask = ask
        self._tell = tell
        self._unseen = [on for on in known if on not in LASTING]
        self._unheard = {*self._unseen}
        self.streams = Streams({on: n for on, n in known.items() if on in LASTING})
        self.streams.begins = {on: known[on] for on in self._unseen}

    @property
    def bookmark(self) -> dict[str, int]:
        """The positions of the streams, to be saved with the token for the next run.

        The position of a table is the beginning of its hand, or 0: the next run has no model of it.
        """
        streams = self.streams
        tables = {on: streams.begins.get(on, 0) for on in streams.seqs if streams.is_table(on)}
        return tables | {on: seq for on, seq in streams.seqs.items() if on == "me"}

    @property
    def seated(self) -> bool:
        """True if there is a table to return to."""
        return bool(self._unseen or self.streams.tables)

    # --------------------------------------------------------------------- losing and resetting

    def lost(self) -> None:
        """Call when the connection is lost: pending requests will not be answered."""
        tables = self.streams.tables
        for on in self.streams.recalling:
            self._tell(Snapshot(tables[on]))
        self._unseen += self.streams.lost()

    def begin_anew(self, *, me: bool = False) -> None:
        """Forgets the streams. With `me` the personal stream starts from its first event."""
        self.streams = Streams({"me": 0} if me else None)

    def ask_for_all(self) -> None:
        """Forgets the models, and requests snapshots of the tables after the login."""
        self._unseen = [on for on in self.streams.seqs if self.streams.is_table(on)]
        self.begin_anew()

    def forget_all(self) -> None:
        """Forgets the streams and tables of a person whose session is lost."""
        self._unseen = []
        self.begin_anew()

    def go_on(self) -> None:
        """Requests the tables without a model, on a new connection."""
        for on in self._unseen:
            self.catch_up(on)
        self._unseen = []

    # ------------------------------------------------------------------------------- positions

    def stands(self, at: At) -> bool:
        """Resumes a stream at the position that the server reports; False if the stream is gone."""
        on, have = at.on, self.streams.seqs.get(at.on)
        self.streams.name_talk(on, at.talk)
        if not self._is_table_row(at):
            if at.seq is not None:
                self.streams.seqs[on] = at.seq
        elif at.code in (None, "BAD_SEQ", "GONE"):
            if at.code is not None:
                self.streams.forget(on)  # a different stream of the same name
                have = None
            if (have is None or have < (at.seq or 0)) and on not in self._unseen:
                self._unseen.append(on)
        else:
            self.streams.forget(on)
            return False
        return True

    def _is_table_row(self, at: At) -> bool:
        """True if a row is about a table: it names a stream of talk, or an unknown stream."""
        on, streams = at.on, self.streams
        other = on in LASTING or on in streams.talks or on in streams.seqs
        if not streams.is_table(on) and (at.talk is not None or not other):
            streams.name_table(on)
        return streams.is_table(on)

    def name_table(self, on: str) -> None:
        """Notes that a stream belongs to a table, and requests its events that were dropped
        earlier.
        """
        if not self.streams.name_table(on):
            self.catch_up(on)

    # ----------------------------------------------------------------------------- missing events

    def catch_up(self, on: str) -> None:
        """Requests the missing events of a stream."""
        self.streams.behind.add(on)
        known = self.streams.seqs.get(on)
        self._ask(f"state {on}" if known is None else f"sync {on} from={known}")

    def distrust(self, on: str) -> None:
        """Requests a snapshot of a table, because its model is wrong."""
        if self.streams.is_table(on):
            self.streams.forget(on)
            self.catch_up(on)

    def answered(self, ask: SentCommand, final: Ok | Err) -> TableModel | None:
        """Processes the reply to `sync` or `state`. Returns the model if the reply was a
        snapshot.
        """
        on = ask.line.split()[1] if " " in ask.line else ""
        if ask.verb == "state" and isinstance(final, Ok):
            table = self.streams.adopt(ask.rows)
            if table is not None:
                self._recall(table)
            return table
        if on in self.streams.recalling - self.streams.behind:
            if isinstance(final, Ok) and final.more and final.seq:
                self._ask(f"sync {on} from={final.seq}")
            else:
                self.streams.recalled(on)
                self._tell(Snapshot(self.streams.tables[on]))
        elif ask.verb == "sync" and isinstance(final, Ok) and on in self.streams.behind:
            self._synced(on, ask, final)
        elif isinstance(final, Err) and ask.own:
            if ask.verb == "sync" and self.streams.is_table(on):
                self.distrust(on)
            else:
                self.streams.forget(on)
        return None

    def _synced(self, on: str, ask: SentCommand, ok: Ok) -> None:
        known = self.streams.seqs.get(on, 0)
        more = f"sync {on} from={known}"
        self.streams.behind.discard(on)
        if (ok.seq or 0) > known or (ok.more and ask.line == more):
            # The requested events did not close the gap.
            self.distrust(on)
        elif ok.more:
            self.streams.behind.add(on)
            self._ask(more)

    def _recall(self, table: TableModel) -> None:
        """Requests the events of a hand that an earlier run of the client has seen, before showing
        it.
        """
        begins = self.streams.recall(table.on) if table.on in self._unheard else None
        self._unheard.discard(table.on)
        if begins is None:
            self._tell(Snapshot(table))
        else:
            self._ask(f"sync {table.on} from={begins}")
