"""The selected cards of the hand, and the card under the cursor."""

from __future__ import annotations

from collections.abc import Iterator

from twentytwo_protocol.cards import Card, as_held
from twentytwo_protocol.words.cardplay import Turn

from . import choosing


class Selection:
    """The selection for the current question, as positions in the hand.

    `turn` is None without a question. `cursor` is the position that keys act on, if any.
    """

    def __init__(self) -> None:
        self.turn: Turn | None = None
        self.cards: tuple[Card, ...] = ()
        self.chosen: tuple[int, ...] = ()
        self.cursor: int | None = None
        self._asked: tuple[str, int] | None = None
        self._move = -1

    def meet(self, turn: Turn | None, table: str, cards: tuple[Card, ...]) -> None:
        """Updates the question and the hand. A new question or hand clears the selection."""
        asked = (table, turn.turn) if turn else None
        self.turn = turn
        if asked != self._asked or cards != self.cards:
            self._asked, self.cards = asked, cards
            self.clear()
            barred = self.barred
            legal = [at for at in range(len(cards)) if at not in barred]
            self.cursor = legal[0] if legal and self.by_cards else None

    def clear(self) -> None:
        """Deselects all cards."""
        self.chosen, self._move = (), -1

    # ------------------------------------------------------------------------ resulting moves

    @property
    def by_cards(self) -> bool:
        """True if the question is answered with cards of the hand."""
        return self.turn is not None and choosing.by_cards(self.turn, self.cards)

    @property
    def moves(self) -> list[str]:
        """The legal moves, in the order of the hand if each is a card of the hand."""
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
        """The selected cards, in the order of their selection."""
        return self._cards_at(self.chosen)

    def answers(self) -> list[str]:
        """The lines that answer with the selection; empty if there are none."""
        return choosing.answers(self.turn, self.chosen_cards) if self.turn else []

    def longer(self) -> Iterator[tuple[list[Card], str]]:
        """The legal moves that extend the selection, as (cards, text)."""
        for positions in self._made():
            cards = self._cards_at(positions)
            for answer in choosing.answers(self.turn, cards) if self.turn else ():
                yield cards, answer

    def _made(self) -> list[tuple[int, ...]]:
        return choosing.made_with(self.turn, self.cards, self.chosen) if self.turn else []

    def _cards_at(self, positions: tuple[int, ...]) -> list[Card]:
        return [self.cards[at] for at in positions]

    # ------------------------------------------------------------------------ selecting

    def step(self, by: int) -> None:
        """Moves the cursor to the next card, cyclically. Backwards without a cursor: to the last
        card.
        """
        if self.cards:
            start = -1 if by > 0 else 0
            at = start if self.cursor is None else self.cursor
            self.cursor = (at + by) % len(self.cards)

    def choose(self) -> None:
        """Selects or deselects the card under the cursor."""
        if self.cursor is not None and self.by_cards:
            self.toggle(self.cursor)

    def pick(self, at: int) -> None:
        """Moves the cursor to a card, and selects or deselects it."""
        if self.by_cards:
            self.cursor = at
            self.toggle(at)

    def toggle(self, at: int) -> None:
        """Selects a card. If no move contains it and the selection, it replaces the selection."""
        if self.turn is None or at in self.barred:
            return
        if at in self.chosen:
            self.chosen = tuple(each for each in self.chosen if each != at)
        else:
            more = (*self.chosen, at)
            self.chosen = more if choosing.goes_on(self.turn, self._cards_at(more)) else (at,)

    def complete(self) -> None:
        """Selects the cards of a legal move that extends the selection, or contains the cursor's
        card.
        """
        if not self.chosen:
            self.choose()
        if self.chosen and not self.answers():
            self.chosen = next(iter(self._made()), self.chosen)

    def to_move(self, by: int) -> None:
        """Selects the cards of the next legal move, cyclically."""
        found = [made for move in self.moves if (made := choosing.made_of(move, self.cards))]
        if found:
            start = self._move if self._move >= 0 or by > 0 else 0
            self._move = (start + by) % len(found)
            self.chosen = found[self._move]
            self.cursor = self.chosen[0]
