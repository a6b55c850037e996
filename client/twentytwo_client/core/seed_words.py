"""Follows the players' words for a shuffle, and notices words that change when they must not.

Once the server asks for sealed words to be opened, all words must be fixed: nobody may do anything
but open their own. A server that let a word change then could choose the deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import field
from msgspec.structs import replace

from twentytwo_protocol.fair import commitment
from twentytwo_protocol.knowledge import SeatModel
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Game_
from twentytwo_protocol.words.fairness import Calledoff, Committed, Seeded, Unseal

NONE = "-"
"""Written for a seat that gave no word."""


class SeatWord(Value):
    """A seat's word, or the hash of a sealed one; both may be empty."""

    word: str = ""
    sealed: str = ""


class TableWords(Value):
    """The words for the next game by seat, as the server told everybody.

    `asked`: sealed words are being opened, and no word may change. `wrong` says what changed even
    so, or is empty.
    """

    given: Mapping[int, SeatWord] = field(default_factory=dict)
    asked: bool = False
    wrong: str = ""

    def words(self, seats: int) -> tuple[str, ...]:
        """The words of that many seats, in the form that goes into the shuffles."""
        nothing = SeatWord()
        return tuple(self.given.get(n, nothing).word or NONE for n in range(1, seats + 1))

    def after(self, event: Event, table: TableModel) -> TableWords:
        """The words after the next event, which the model has already."""
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
        """The words as a snapshot has them; None if more happened in between than openings."""
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
        """What is wrong with an event while sealed words are being opened."""
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
    """True if a seat's word is unchanged, or was opened since."""
    return was == now or _opened(was, now)


class OwnWords(Value):
    """The words that we have sent, each with the game that was promised at that time.

    The game is empty if none was promised, or if that start was called off. `elsewhere` is a word
    of our seat that we did not send: an earlier run did, or another client.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    elsewhere: str = ""

    def saying(self, word: str, game: str) -> OwnWords:
        """With one more word sent for a game."""
        return replace(self, words={**self.words, word: game})

    def void(self) -> OwnWords:
        """With all words made void, as when a start is called off: the server knows them."""
        return replace(self, words=dict.fromkeys(self.words, ""))

    def finding(self, word: str) -> OwnWords:
        """With a word that our seat turns out to have; it was sent elsewhere if not by us."""
        return self if not word or word in self.words else replace(self, elsewhere=word)

    def doubt(self, word: str, game: str) -> str | None:
        """Why our word in a game does not make its deal fair for us; empty if nothing is wrong.

        None if it is a word that our seat never gave.
        """
        if not word or self.words.get(word) == game:
            return ""
        if word in self.words:
            return f"your word {word} was said before the seal, or before a start was called off"
        return f"your word {word} was not given here" if word == self.elsewhere else None


def said_early(words: Iterable[str]) -> OwnWords:
    """Words that were sent before we knew the table."""
    return OwnWords(dict.fromkeys(words, ""))
