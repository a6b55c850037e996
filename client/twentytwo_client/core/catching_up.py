"""Keeps the streams in step with the server: asks for what is missing of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.words.replies import Err, Ok
from twentytwo_protocol.words.session import At

from .requests import Request
from .streams import LASTING, Streams
from .updates import Snapshot, Update


class CatchingUp:
    """The `streams` of a person, and what is asked for so that nothing of them is missing.

    `known` are the positions to go on from; tables among them are asked for whole, because their
    models are gone. `ask` queues a command, `tell` hands an update on.
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
        """The positions of the streams, to be saved with the token for the next conversation.

        That of a table is where its hand begins, or 0: without its model all its events are needed.
        """
        streams = self.streams
        tables = {on: streams.begins.get(on, 0) for on in streams.seqs if streams.is_table(on)}
        return tables | {on: seq for on, seq in streams.seqs.items() if on == "me"}

    @property
    def seated(self) -> bool:
        """True if there is a table to come back to."""
        return bool(self._unseen or self.streams.tables)

    # ------------------------------------------------------------------ losing and beginning

    def lost(self) -> None:
        """Call when the connection is lost: what was asked for does not come any more."""
        tables = self.streams.tables
        for on in self.streams.recalling:
            self._tell(Snapshot(tables[on]))
        self._unseen += self.streams.lost()

    def begin_anew(self, *, me: bool = False) -> None:
        """Forgets the streams; with `me` one's own begins from its first event."""
        self.streams = Streams({"me": 0} if me else None)

    def ask_for_all(self) -> None:
        """Forgets the models, and has the tables asked for whole once we are named."""
        self._unseen = [on for on in self.streams.seqs if self.streams.is_table(on)]
        self.begin_anew()

    def forget_all(self) -> None:
        """Forgets the tables too, of somebody who has lost their place."""
        self._unseen = []
        self.begin_anew()

    def go_on(self) -> None:
        """Asks for the tables whose models are missing, on a new connection."""
        for on in self._unseen:
            self.catch_up(on)
        self._unseen = []

    # ------------------------------------------------------------------ where streams stand

    def stands(self, at: At) -> bool:
        """Takes up a stream where the server says that it stands; False if it is there no more."""
        on, have = at.on, self.streams.seqs.get(at.on)
        self.streams.name_talk(on, at.talk)
        if not self._is_place(at):
            if at.seq is not None:
                self.streams.seqs[on] = at.seq
        elif at.code in (None, "BAD_SEQ", "GONE"):
            if at.code is not None:
                self.streams.forget(on)  # it is not the stream that we know
                have = None
            if (have is None or have < (at.seq or 0)) and on not in self._unseen:
                self._unseen.append(on)
        else:
            self.streams.forget(on)
            return False
        return True

    def _is_place(self, at: At) -> bool:
        """Whether a row is about a table: one with a talk, or one that we have not named."""
        on, streams = at.on, self.streams
        other = on in LASTING or on in streams.talks or on in streams.seqs
        if not streams.is_table(on) and (at.talk is not None or not other):
            streams.name_table(on)
        return streams.is_table(on)

    def name_table(self, on: str) -> None:
        """Notes that a stream is a table's, and asks for what was dropped of it before."""
        if not self.streams.name_table(on):
            self.catch_up(on)

    # ------------------------------------------------------------------ what is missing

    def catch_up(self, on: str) -> None:
        """Asks for what is missing of a stream."""
        self.streams.behind.add(on)
        known = self.streams.seqs.get(on)
        self._ask(f"state {on}" if known is None else f"sync {on} from={known}")

    def distrust(self, on: str) -> None:
        """Asks for a table whole, because its model is wrong."""
        if self.streams.is_table(on):
            self.streams.forget(on)
            self.catch_up(on)

    def answered(self, ask: Request, final: Ok | Err) -> TableModel | None:
        """Takes the answer to `sync` or `state`; returns the table if it came whole."""
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

    def _synced(self, on: str, ask: Request, ok: Ok) -> None:
        known = self.streams.seqs.get(on, 0)
        more = f"sync {on} from={known}"
        self.streams.behind.discard(on)
        if (ok.seq or 0) > known or (ok.more and ask.line == more):
            # The events that were asked for did not close the gap.
            self.distrust(on)
        elif ok.more:
            self.streams.behind.add(on)
            self._ask(more)

    def _recall(self, table: TableModel) -> None:
        """Asks for the events of a hand that an earlier run has heard, before it is told."""
        begins = self.streams.recall(table.on) if table.on in self._unheard else None
        self._unheard.discard(table.on)
        if begins is None:
            self._tell(Snapshot(table))
        else:
            self._ask(f"sync {table.on} from={begins}")
