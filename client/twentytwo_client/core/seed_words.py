"""The words for a shuffle, from the seal on the deck to the start: what of them may still change.

Once the start asks for the sealed words nobody may say anything but open theirs. Whoever opens a
word relies on it: all that a deal is made of has to be fixed by then, though not yet known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from twentytwo_protocol.fair import commitment
from twentytwo_protocol.knowledge import SeatModel
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Game_
from twentytwo_protocol.words.fairness import Calledoff, Committed, Seeded, Unseal

NONE = "-"
"""Stands for a seat that gave no word."""


@dataclass(frozen=True, slots=True)
class SeatWord:
    """A seat's word, or the seal on it; both may be empty."""

    word: str = ""
    sealed: str = ""


@dataclass(frozen=True, slots=True)
class TableWords:
    """What everybody has been told of the words for the next game, by seat.

    `asked`: the start waits for sealed words, and nothing may change but that they are opened.
    `wrong` says what changed in spite of it.
    """

    given: Mapping[int, SeatWord] = field(default_factory=dict)
    asked: bool = False
    wrong: str = ""

    def words(self, seats: int) -> tuple[str, ...]:
        """The words of so many seats as they go into the shuffles."""
        nothing = SeatWord()
        return tuple(self.given.get(n, nothing).word or NONE for n in range(1, seats + 1))

    def after(self, event: Event, table: TableModel) -> TableWords:
        """The same after the next event, which is already folded into the model."""
        match event:
            case Game_():
                # The model has forgotten the words by now, and they are those of this game.
                return replace(self, wrong=self.wrong or self._unopened())
            case Calledoff():
                return TableWords(given_at(table))
            case Unseal():
                return replace(self, given=given_at(table), asked=True)
        now = given_at(table)
        wrong = self._changed(event, now) if self.asked else ""
        return replace(self, given=now, wrong=self.wrong or wrong)

    def continued(self, table: TableModel) -> TableWords | None:
        """The same as a snapshot has it; None where in between there was more than openings."""
        now = given_at(table)
        if not self.asked:
            return TableWords(now, asked=table.phase == "starting")
        kept = table.phase == "starting" and now.keys() == self.given.keys()
        if kept and all(_opens(was, now[seat]) for seat, was in self.given.items()):
            return replace(self, given=now)
        return None

    def _unopened(self) -> str:
        shut = [str(seat) for seat, given in sorted(self.given.items()) if given.sealed]
        return f"the word of seat {shut[0]} was never opened" if shut else ""

    def _changed(self, event: Event, now: Mapping[int, SeatWord]) -> str:
        """What is wrong with an event that comes while sealed words are opened."""
        match event:
            case Committed(game):
                return f"the deck of {game} was sealed after words were asked for"
            case Seeded(seat):
                if _opened(self.given.get(seat, SeatWord()), now[seat]):
                    return ""
                return f"the word of seat {seat} is not the one that it sealed"
        return "" if now == self.given else "seats changed after words were asked for"


def given_at(table: TableModel) -> dict[int, SeatWord]:
    """The words at a table, by seat."""
    return {number: _given(seat) for number, seat in table.seats.items()}


def _given(seat: SeatModel) -> SeatWord:
    return SeatWord(seat.word, seat.sealed)


def _opened(was: SeatWord, now: SeatWord) -> bool:
    return bool(was.sealed) and bool(now.word) and commitment(now.word) == was.sealed


def _opens(was: SeatWord, now: SeatWord) -> bool:
    """Whether a seat has what it had, or has opened it since."""
    return was == now or _opened(was, now)


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The words that we said: for each the game whose deck was sealed by then.

    The game is empty where none was, or where the start for which it was said was called off.
    `elsewhere` is a word that our seat had without us: from an earlier run, or from another place.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    elsewhere: str = ""

    def saying(self, word: str, game: str) -> OwnWords:
        """The same once a word more is said."""
        return replace(self, words={**self.words, word: game})

    def void(self) -> OwnWords:
        """The same when all that was said so far counts no longer, but may still be taken."""
        return replace(self, words=dict.fromkeys(self.words, ""))

    def finding(self, word: str) -> OwnWords:
        """The same when our seat is found to have a word, and nobody saw who gave it."""
        return self if not word or word in self.words else replace(self, elsewhere=word)

    def doubt(self, word: str, game: str) -> str | None:
        """Why our word for a game may not have been left to us: mostly "", nothing against it.

        None where it is none that we ever gave.
        """
        if not word or self.words.get(word) == game:
            return ""
        if word in self.words:
            return f"your word {word} was said before the seal, or before a start was called off"
        return f"your word {word} was not given here" if word == self.elsewhere else None


def said_early(words: Iterable[str]) -> OwnWords:
    """Of words that were said before anything was known of the table."""
    return OwnWords(dict.fromkeys(words, ""))
