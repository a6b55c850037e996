"""The client's part in the fair shuffle: gives a word for every game and checks the deal.

Call `see` with every event of the table, and send the commands that `due` returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from twentytwo_protocol.fair import DUPLICATE_ALG, FAIR_ALG, NO_WORD, commitment
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Game_
from twentytwo_protocol.words.fairness import Calledoff, Committed, Revealed, Seeded
from twentytwo_protocol.words.seating import Ready_

from .seed_words import TableWords, given_at, said_early
from .shuffle_check import Finding, ObservedGame, Verdict, check


class FairnessAgent:
    """The shuffles at one table as one viewer sees them, and our word for the next game.

    `secret` makes an unguessable word; without it we give none. `early` are words that we sent
    before we knew the table.
    """

    def __init__(self, secret: Callable[[], str] | None = None, early: Iterable[str] = ()) -> None:
        self._secret = secret
        self._promised: dict[str, Committed] = {}
        self._changed: set[str] = set()
        self._next = ""
        self._told = TableWords()
        self._said = said_early(early)
        self._word = ""
        self._sealed_for = ""
        self._opened = False
        self._ready = False
        self._again = False
        self._unsettled = False
        self._seen: ObservedGame | None = None

    # ------------------------------------------------------------------------- events

    def see(self, event: Event, table: TableModel, *, missed: bool = False) -> Verdict | None:
        """Takes the next event after the model has taken it. Returns a verdict on a finished game.

        `missed`: the event happened during our absence, when another person may have had our seat.
        """
        self._note_readiness(event, table)
        self._told = self._told.after(event, table)
        if self._seen is not None:
            self._seen.events.append(event)
        match event:
            case Committed():
                return self._commit(event)
            case Seeded(seat, word) if seat == table.me and missed:
                self._said = self._said.finding(word or "")
            case Calledoff():
                self._sealed_for, self._said = "", self._said.void()
            case Game_():
                self._begin(event, table.me)
            case Revealed():
                return self._verdict(event)
        return None

    def resumed(self, table: TableModel) -> Verdict | None:
        """Call when a snapshot has replaced the model: the running game cannot be checked."""
        self._seen = None
        self._continue(table)
        seat = table.seats.get(table.me or 0)
        self._said = self._said.finding(seat.word if seat else "")
        self._ready = seat.ready if seat else False
        promise = table.promise
        if promise is None:
            return None
        return self._commit(Committed(promise.id, promise.no, promise.alg, promise.hash))

    def _continue(self, table: TableModel) -> None:
        """Continues with the words in a snapshot."""
        told = self._told.continued(table)
        if told is None:
            # The start may have been called off meanwhile: the words that we opened are known.
            self._said = self._said.void()
            told = TableWords(given_at(table), opening=table.phase == "starting")
        self._told = told

    def lost(self) -> None:
        """Call when the connection is lost: the last commands may not have arrived."""
        self._sealed_for, self._opened = "", False

    def _commit(self, promised: Committed) -> Verdict | None:
        self._next = promised.id
        before = self._promised.setdefault(promised.id, promised)
        if (before.hash, before.alg) == (promised.hash, promised.alg):
            return None
        self._changed.add(promised.id)
        return Verdict(promised.id, Finding.WRONG, f"the seal of {promised.id} has changed")

    def _note_readiness(self, event: Event, table: TableModel) -> None:
        """Notes that a word has reset our readiness, so that `due` repeats `ready`."""
        if isinstance(event, Ready_):
            if event.seat == table.me:
                self._again = self._unsettled and self._ready and not event.ready
                self._ready = event.ready
            # After somebody is ready again, later changes do not follow from the word.
            self._unsettled = self._unsettled and not event.ready
        else:
            self._unsettled = isinstance(event, Seeded)
        if isinstance(event, Game_ | Calledoff):
            self._ready = self._again = False

    # ------------------------------------------------------------------------ commands

    def said(self, word: str) -> None:
        """Call when we send a word to the server, at any table: it is no longer secret."""
        self._said = self._said.saying(word, self._next)

    def due(self, table: TableModel) -> list[str]:
        """The commands to send now. Each command is returned only once."""
        promise, seat = table.promise, table.seats.get(table.me or 0)
        if promise is None or seat is None:
            return []
        if table.phase == "starting":
            if self.sealed(table) and not self._opened:
                self._opened = True
                self.said(self._word)
                return [f"seed {self._word} {table.on}"]
            return []
        ran = table.game is not None and table.game.id == promise.id
        if table.phase not in ("open", "over") or ran:
            return []
        return [*self._seal(table, promise.id, promise.alg), *self._ready_again(table)]

    def sealed(self, table: TableModel) -> bool:
        """True if our seat's sealed word was made by this client and not typed by a person."""
        seat = table.seats.get(table.me or 0)
        return seat is not None and bool(seat.sealed) and seat.sealed == commitment(self._word)

    def _seal(self, table: TableModel, game: str, alg: str) -> list[str]:
        seat = table.seats[table.me or 0]
        if alg not in (FAIR_ALG, DUPLICATE_ALG) or self._secret is None or self._sealed_for == game:
            return []
        if seat.word or (seat.sealed and self._word):
            return []
        # A seal with an unknown word is from an earlier run: it is replaced.
        self._word, self._sealed_for, self._opened = self._secret(), game, False
        if alg == DUPLICATE_ALG:  # duplicate tables have no sealed words
            self.said(self._word)
            return [f"seed {self._word} {table.on}"]
        return [f"seedhash {commitment(self._word)} {table.on}"]

    def _ready_again(self, table: TableModel) -> list[str]:
        again, self._again = self._again, False
        return [f"ready {table.on}"] if again else []

    # ------------------------------------------------------------------------- verdicts

    def _begin(self, game: Game_, me: int | None) -> None:
        """Notes the commitment of the game that begins, and our word in it."""
        told, self._told = self._told, TableWords()
        promised = self._promised.get(game.id)
        if promised is None:
            self._seen = None
            return
        words = told.words(game.players)
        mine = words[me - 1] if me is not None and me <= len(words) else NO_WORD
        doubt = self._said.doubt(mine, game.id) if mine != NO_WORD else ""
        wrong = told.wrong
        if game.id != self._next:
            wrong = f"the deck of {self._next} was sealed for it"
        elif doubt is None:
            wrong = wrong or f"the word of your seat is {mine}, which you never gave"
        self._said = self._said.void()
        self._seen = ObservedGame(promised, game.game, me, words, doubt or "", wrong, [])

    def _verdict(self, revealed: Revealed) -> Verdict:
        game, seen = revealed.id, self._seen
        self._seen = None
        if game in self._changed:
            return Verdict(game, Finding.WRONG, f"the seal of {game} has changed")
        if seen is None or seen.promised.id != game:
            return Verdict(game, Finding.UNSEEN, "the game was not seen from its beginning")
        return check(seen, revealed.seed)


class FairShuffles:
    """The client's part in the shuffles at all tables. `secret` is as in `FairnessAgent`."""

    def __init__(self, secret: Callable[[], str] | None = None) -> None:
        self._secret = secret
        self._agents: dict[str, FairnessAgent] = {}
        self._words: list[str] = []

    def at(self, on: str) -> FairnessAgent:
        """The agent for that table."""
        if on not in self._agents:
            self._agents[on] = FairnessAgent(self._secret, self._words)
        return self._agents[on]

    def due(self, tables: Iterable[TableModel]) -> Iterator[str]:
        """The commands to send now at these tables. Each command is returned only once."""
        for table in tables:
            yield from self.at(table.on).due(table)

    def said(self, word: str) -> None:
        """Call when we send a word to the server: it is no longer secret at any table."""
        self._words.append(word)
        for agent in self._agents.values():
            agent.said(word)

    def lost(self) -> None:
        """Call when the connection is lost: the last commands may not have arrived."""
        for agent in self._agents.values():
            agent.lost()

    def forget(self) -> None:
        """Forgets all tables, because the person has another identity."""
        self._agents.clear()
