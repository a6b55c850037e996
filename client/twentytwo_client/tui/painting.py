"""Paints a table seen from above: the players around it, the trick in the middle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import wcwidth

from twentytwo_protocol.cards import Card

from ..display.overview import Overview, PlayerOverview
from .canvas import CARD, FELT, NAME, QUIET, SHADED, STRONG, TURN, Canvas, Faces
from .places import Edge, Place, places

TALL = 16
"""Rows of a table from which cards in the trick are three rows high."""
THICK = 5
"""Columns of such a card."""

DEALER = " (dealer)"


@dataclass(frozen=True, slots=True)
class Scene:
    """What is painted. `before` are the cards of the trick before, as long as nobody leads.

    `words` stand in the middle while no game runs, or say how a trick or a hand ended: `took` is
    the seat that has won the trick.
    """

    whole: Overview
    before: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    took: int | None = None


def painted(scene: Scene, faces: Faces, width: int, height: int) -> Canvas:
    """The table in so many columns and rows."""
    canvas = Canvas(width, height)
    if width < 1 or height < 1:
        return canvas
    others, me = _seated(scene.whole.players)
    painter = _Painter(scene, faces, canvas)
    for rows, deep in ((3, 3), (3, 1), (2, 1)):
        found = places([painter.wide(each, deep) for each in others], width, height, rows, deep)
        if found is not None and (deep == 1 or height >= TALL):
            said = painter.around(list(zip(others, found, strict=True)), me, deep)
            if said or scene.took is not None:  # who took a trick its cards show, too
                return canvas
            canvas = painter.anew()
    painter.listed()
    return canvas


def _seated(
    players: Sequence[PlayerOverview],
) -> tuple[list[PlayerOverview], PlayerOverview | None]:
    """The others in the order of play from the viewer on; and the viewer."""
    at = next((at for at, each in enumerate(players) if each.me), None)
    if at is None:
        return list(players), None
    return [*players[at + 1 :], *players[:at]], players[at]


class _Painter:
    def __init__(self, scene: Scene, faces: Faces, canvas: Canvas) -> None:
        self._scene, self._whole, self._faces, self._canvas = scene, scene.whole, faces, canvas
        self._faded = not scene.whole.connected

    def around(
        self,
        seated: Sequence[tuple[PlayerOverview, Place]],
        me: PlayerOverview | None,
        deep: int,
    ) -> bool:
        """Everybody at their place, cards before them; False if there is no room for words."""
        for each, place in seated:
            for row, parts in enumerate(self._box(each, place.height, place.width)):
                self._line(place, row, parts)
            self._played(each, place, deep)
        if me is not None:
            self._mine(me, deep)
        return self._in_the_middle(self._middle())

    def anew(self) -> Canvas:
        """Begins again, with nothing painted."""
        self._canvas = Canvas(self._canvas.width, self._canvas.height)
        return self._canvas

    def listed(self) -> None:
        """Everybody in a line of their own, or in columns; the middle below them."""
        players, height, width = self._whole.players, self._canvas.height, self._canvas.width
        middle = self._middle(width - 1)
        room = max(1, height - min(len(middle), 2))
        columns = -(-len(players) // room) or 1
        room = -(-len(players) // columns)
        wide = width // columns
        for at, each in enumerate(players):
            column, row = divmod(at, room)
            played, role = self._cards_of(each)
            chips = sum(map(self._chip_width, played)) + len(played)
            free = max(8, wide - chips - 1)
            end = self._parts(column * wide, row, self._fitted(each, free), free)
            self._chips(end + 1, row, played, role)
        for at, parts in enumerate(middle[: height - room]):
            self._parts(1, room + at, parts, width - 1)

    # ------------------------------------------------------------------------- players

    def _name(self, each: PlayerOverview) -> tuple[str, str]:
        turn = each.asked and not self._faded
        mark = self._faces.glyphs.turn if each.asked else " "
        return (f"{mark}{each.name}", self._role(TURN if turn else NAME))

    def _in_line(self, each: PlayerOverview) -> list[tuple[str, str]]:
        held = f" ({each.cards})" if each.cards is not None else ""
        said = " ".join(filter(None, (each.note, each.clock, self._absent(each))))
        dealer = " D" if each.dealer else ""
        return [
            self._name(each),
            (f" {each.score}{held}{dealer}", self._role(FELT)),
            (f" {said}" if said else "", self._role(QUIET)),
        ]

    def _fitted(self, each: PlayerOverview, room: int) -> list[tuple[str, str]]:
        """As much of a player as fits: the name is cut last, the score never."""
        name, score, said = self._in_line(each)
        bare = (f" {each.score}", score[1])
        for parts in ([name, score, said], [name, score], [name, bare]):
            if sum(wcwidth.width(text) for text, _ in parts) < room:
                return parts
        most = max(2, room - 1 - wcwidth.width(bare[0]))
        return [(wcwidth.clip(name[0], 0, most), name[1]), bare]

    def _box(self, each: PlayerOverview, rows: int, wide: int) -> list[list[tuple[str, str]]]:
        held = "" if each.cards is None else f" {_cards(each.cards)}"
        note = " ".join(filter(None, (each.note, self._absent(each))))
        fits = wcwidth.width(each.name) + 1 + len(DEALER) <= wide
        dealer = [(DEALER if fits else " D", self._role(QUIET))] if each.dealer else []
        first = [self._name(each), *dealer]
        clock = [(f" {each.clock}", self._role(TURN))] if each.clock else []
        second = [(f" {each.score}", self._role(STRONG)), (held, self._role(FELT))]
        third = [(f" {note}", self._role(QUIET))] if note else []
        if rows == 2:
            return [first, [*second, *clock, *third]]
        return [first, [*second, *clock], third]

    def _absent(self, each: PlayerOverview) -> str:
        return f"({each.absence})" if each.absence else ""

    def _line(self, place: Place, row: int, parts: Sequence[tuple[str, str]]) -> None:
        wide = sum(wcwidth.width(text) for text, _ in parts)
        x = place.x
        if place.edge is Edge.TOP:
            x += max(0, (place.width - wide) // 2)
        elif place.edge is Edge.RIGHT:
            x += max(0, place.width - wide)
        self._parts(x, place.y + row, parts, place.x + place.width - x)

    def _mine(self, me: PlayerOverview, deep: int) -> None:
        parts = self._in_line(me)
        wide = sum(wcwidth.width(text) for text, _ in parts)
        y = self._canvas.height - 1
        self._parts(max(0, (self._canvas.width - wide) // 2), y, parts, self._canvas.width)
        cards, role = self._cards_of(me)
        x = (self._canvas.width - self._width(cards, deep)) // 2
        self._lay(x, y - deep, cards, role, deep)

    # --------------------------------------------------------------------------- cards

    def _cards_of(self, each: PlayerOverview) -> tuple[tuple[Card, ...], str]:
        if each.played:
            beaten = self._scene.took not in (None, each.seat)
            return each.played, SHADED if self._faded or beaten else CARD
        return self._scene.before.get(each.seat, ()), SHADED

    def _played(self, each: PlayerOverview, place: Place, deep: int) -> None:
        cards, role = self._cards_of(each)
        wide = self._width(cards, deep)
        match place.edge:
            case Edge.LEFT:
                x, y = place.x + place.width, place.y
            case Edge.RIGHT:
                x, y = place.x - wide - 1, place.y
            case Edge.TOP:
                x, y = place.x + (place.width - wide) // 2, place.y + place.height
        self._lay(x, y, cards, role, deep)

    def wide(self, each: PlayerOverview, deep: int) -> int:
        """How many columns the cards need that somebody has played."""
        return self._width(self._cards_of(each)[0], deep)

    def _width(self, cards: Sequence[Card], deep: int) -> int:
        if deep > 1:
            return max(0, len(cards) * (THICK + 1) - 1)
        return sum(map(self._chip_width, cards)) + max(0, len(cards) - 1)

    def _lay(self, x: int, y: int, cards: Sequence[Card], role: str, deep: int) -> None:
        if deep == 1:
            self._chips(x, y, cards, role)
            return
        for card in cards:
            text, colour = self._faces.text(card), self._colour(card, role)
            self._canvas.put(x, y, f" {text}".ljust(THICK), colour)
            self._canvas.put(x, y + 1, " " * THICK, colour)
            self._canvas.put(x, y + 2, f"{text} ".rjust(THICK), colour)
            x += THICK + 1

    def _chips(self, x: int, y: int, cards: Iterable[Card], role: str) -> None:
        for card in cards:
            self._canvas.put(x, y, f" {self._faces.text(card)} ", self._colour(card, role))
            x += self._chip_width(card) + 1

    def _chip_width(self, card: Card) -> int:
        return wcwidth.width(self._faces.text(card)) + 2

    def _colour(self, card: Card, role: str) -> str:
        return role if role == SHADED else self._faces.role(card)

    # -------------------------------------------------------------------------- middle

    def _middle(self, width: int | None = None) -> list[list[tuple[str, str]]]:
        """What is to be beaten, and what else there is to know; or what there is to do.

        Sentences are wrapped to a width, where there is one.
        """
        lines: list[list[tuple[str, str]]] = []
        if self._faded:
            lines.append([(self._whole.state, STRONG)])
        if self._whole.beat:
            label, cards = self._whole.beat
            text = " ".join(map(self._faces.text, cards))
            lines.append([(f"{label} ", self._role(QUIET)), (text, self._role(STRONG))])
        for text in self._scene.words:
            wrapped = wcwidth.wrap(text, width) if width else [text]
            lines += [[(line, self._role(FELT))] for line in wrapped]
        lines += [[(fact, self._role(FELT))] for fact in self._whole.facts]
        return lines

    def _in_the_middle(self, lines: Sequence[Sequence[tuple[str, str]]]) -> bool:
        """Each line in a row that is free where it stands, from the middle on downwards.

        False if there is none for some of those that are words.
        """
        placed = 0
        start = max(0, (self._canvas.height - len(lines)) // 2)
        rows = [*range(start, self._canvas.height), *reversed(range(start))]
        for parts in lines:
            wide = sum(wcwidth.width(text) for text, _ in parts)
            x = (self._canvas.width - wide) // 2
            row = next((y for y in rows if self._canvas.free(x - 1, y, wide + 2)), None)
            if row is not None:
                self._parts(x, row, parts, wide)
                placed += 1
                rows = [y for y in rows if y > row] or [y for y in rows if y < row]
        return placed >= len(self._scene.words)

    # ---------------------------------------------------------------------------- text

    def _role(self, role: str) -> str:
        return QUIET if self._faded else role

    def _parts(self, x: int, y: int, parts: Iterable[tuple[str, str]], room: int) -> int:
        """Writes parts of a line after each other; the column after them."""
        for text, role in _clipped(parts, room):
            self._canvas.put(x, y, text, role)
            x += wcwidth.width(text)
        return x


def _clipped(parts: Iterable[tuple[str, str]], room: int) -> Iterator[tuple[str, str]]:
    for text, role in parts:
        text = wcwidth.clip(text, 0, max(0, room))
        room -= wcwidth.width(text)
        yield text, role


def _cards(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"
