"""Tracks the players' words for a shuffle, and detects forbidden changes.

Once the server asks for sealed words to be opened, no word may change: players may only open their
own. A server that let a word change then could choose the deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import field
from msgspec.structs import replace

from twentytwo_protocol.fair import NO_WORD, commitment
from twentytwo_protocol.knowledge import SeatModel
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Game_
from twentytwo_protocol.words.fairness import Calledoff, Committed, Seeded, Unseal


class SeatWord(Value):
    """A seat's word, or the hash of a sealed one; both may be empty."""

    word: str = ""
    sealed: str = ""


class TableWords(Value):
    """The words for the next game by seat, as the server told everybody.

    `opening`: sealed words are being opened, and no word may change. `wrong` describes a forbidden
    change; empty if there was none.
    """

    given: Mapping[int, SeatWord] = field(default_factory=dict)
    opening: bool = False
    wrong: str = ""

    def words(self, seats: int) -> tuple[str, ...]:
        """The words of the first `seats` seats, in the form that enters the shuffles."""
        nothing = SeatWord()
        return tuple(self.given.get(n, nothing).word or NO_WORD for n in range(1, seats + 1))

    def after(self, event: Event, table: TableModel) -> TableWords:
        """The words after the next event, which the model has taken already."""
        match event:
            case Game_():
                # The model has reset the words by now. These words are part of this game.
                return replace(self, wrong=self.wrong or self._unopened())
            case Calledoff():
                return TableWords(given_at(table))
            case Unseal():
                return replace(self, given=given_at(table), opening=True)
        now = given_at(table)
        wrong = self._changed(event, now) if self.opening else ""
        return replace(self, given=now, wrong=self.wrong or wrong)

    def continued(self, table: TableModel) -> TableWords | None:
        """The words in a snapshot; None if anything but openings happened in between."""
        now = given_at(table)
        if not self.opening:
            return TableWords(now, opening=table.phase == "starting")
        unchanged = table.phase == "starting" and now.keys() == self.given.keys()
        if unchanged and all(_opens(was, now[seat]) for seat, was in self.given.items()):
            return replace(self, given=now)
        return None

    def _unopened(self) -> str:
        shut = [str(seat) for seat, given in sorted(self.given.items()) if given.sealed]
        return f"the word of seat {shut[0]} was never opened" if shut else ""

    def _changed(self, event: Event, now: Mapping[int, SeatWord]) -> str:
        """The forbidden change in an event while sealed words are being opened; empty if there is
        none.
        """
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
    """True if a seat's word is unchanged or was opened."""
    return was == now or _opened(was, now)


class OwnWords(Value):
    """The words that we have sent, each with the game that was announced at that time.

    The game is empty if none was announced, or if that start was called off. `elsewhere` is a word
    of our seat that this run did not send: an earlier run did, or another client.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    elsewhere: str = ""

    def saying(self, word: str, game: str) -> OwnWords:
        """A copy with one more word, sent for a game."""
        return replace(self, words={**self.words, word: game})

    def void(self) -> OwnWords:
        """A copy with all words void, as after a start that was called off: the server knows the
        words.
        """
        return replace(self, words=dict.fromkeys(self.words, ""))

    def finding(self, word: str) -> OwnWords:
        """A copy after our seat's word became known. A word that we did not send becomes
        `elsewhere`.
        """
        return self if not word or word in self.words else replace(self, elsewhere=word)

    def doubt(self, word: str, game: str) -> str | None:
        """Why our word does not make a game's deal fair for us; empty if it does.

        None if our seat never gave the word.
        """
        if not word or self.words.get(word) == game:
            return ""
        if word in self.words:
            return f"your word {word} was said before the seal, or before a start was called off"
        return f"your word {word} was not given here" if word == self.elsewhere else None


def said_early(words: Iterable[str]) -> OwnWords:
    """Words that were sent before we knew the table."""
    return OwnWords(dict.fromkeys(words, ""))
