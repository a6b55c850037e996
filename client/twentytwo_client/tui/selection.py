"""The cards of the hand that are chosen to answer the question, and the one that keys act on."""

from __future__ import annotations

from collections.abc import Iterator

from twentytwo_protocol.cards import Card, as_held
from twentytwo_protocol.words.cardplay import Turn

from . import choosing


class Selection:
    """What is chosen of a hand, by places in it, for the question as it is shown.

    `turn` is None while nothing is asked. `cursor` is the card that keys act on, if any.
    """

    def __init__(self) -> None:
        self.turn: Turn | None = None
        self.cards: tuple[Card, ...] = ()
        self.chosen: tuple[int, ...] = ()
        self.cursor: int | None = None
        self._asked: tuple[str, int] | None = None
        self._move = -1

    def meet(self, turn: Turn | None, table: str, cards: tuple[Card, ...]) -> None:
        """Takes the question and the hand; where one of them is new, nothing is chosen."""
        asked = (table, turn.turn) if turn else None
        self.turn = turn
        if asked != self._asked or cards != self.cards:
            self._asked, self.cards = asked, cards
            self.clear()
            barred = self.barred
            legal = [at for at in range(len(cards)) if at not in barred]
            self.cursor = legal[0] if legal and self.by_cards else None

    def clear(self) -> None:
        """Puts all cards back."""
        self.chosen, self._move = (), -1

    # ---------------------------------------------------------------------- what it makes

    @property
    def by_cards(self) -> bool:
        """Whether the question is answered with cards of the hand."""
        return self.turn is not None and choosing.by_cards(self.turn, self.cards)

    @property
    def moves(self) -> list[str]:
        """The legal moves, in the order of the hand where each is a card of it."""
        return as_held(self.turn.legal or (), self.cards) if self.turn else []

    @property
    def barred(self) -> frozenset[int]:
        """The cards that cannot be part of the move."""
        if self.turn is None or not self.by_cards:
            return frozenset()
        goes_on = [choosing.goes_on(self.turn, (card,)) for card in self.cards]
        return frozenset(at for at, legal in enumerate(goes_on) if not legal)

    @property
    def chosen_cards(self) -> list[Card]:
        """The chosen cards, in the order in which they were chosen."""
        return self._cards_at(self.chosen)

    def answers(self) -> list[str]:
        """What may be typed to answer with the chosen cards; empty if nothing."""
        return choosing.answers(self.turn, self.chosen_cards) if self.turn else []

    def longer(self) -> Iterator[tuple[list[Card], str]]:
        """The legal moves that extend the selection, as (cards, text)."""
        for places in self._made():
            cards = self._cards_at(places)
            for answer in choosing.answers(self.turn, cards) if self.turn else ():
                yield cards, answer

    def _made(self) -> list[tuple[int, ...]]:
        return choosing.made_with(self.turn, self.cards, self.chosen) if self.turn else []

    def _cards_at(self, places: tuple[int, ...]) -> list[Card]:
        return [self.cards[at] for at in places]

    # -------------------------------------------------------------------------- choosing

    def step(self, by: int) -> None:
        """Moves the cursor to the next card, round and round; back from none is to the last."""
        if self.cards:
            start = -1 if by > 0 else 0
            at = start if self.cursor is None else self.cursor
            self.cursor = (at + by) % len(self.cards)

    def choose(self) -> None:
        """Chooses the card under the cursor, or puts it back."""
        if self.cursor is not None and self.by_cards:
            self.toggle(self.cursor)

    def pick(self, at: int) -> None:
        """Goes to a card, and chooses it or puts it back."""
        if self.by_cards:
            self.cursor = at
            self.toggle(at)

    def toggle(self, at: int) -> None:
        """Chooses a card; where no move has it beside those chosen so far, in place of them."""
        if self.turn is None or at in self.barred:
            return
        if at in self.chosen:
            self.chosen = tuple(each for each in self.chosen if each != at)
        else:
            more = (*self.chosen, at)
            self.chosen = more if choosing.goes_on(self.turn, self._cards_at(more)) else (at,)

    def complete(self) -> None:
        """Chooses the cards of a legal move with those that are chosen, or under the cursor."""
        if not self.chosen:
            self.choose()
        if self.chosen and not self.answers():
            self.chosen = next(iter(self._made()), self.chosen)

    def to_move(self, by: int) -> None:
        """Chooses the cards of the next legal move, round and round."""
        found = [made for move in self.moves if (made := choosing.made_of(move, self.cards))]
        if found:
            start = self._move if self._move >= 0 or by > 0 else 0
            self._move = (start + by) % len(found)
            self.chosen = found[self._move]
            self.cursor = self.chosen[0]
