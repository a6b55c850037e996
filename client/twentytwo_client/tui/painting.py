"""Paints the table from above: the players around it, the trick in the middle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import wcwidth
from msgspec import field

from twentytwo_protocol.cards import SUITS, Card
from twentytwo_protocol.value import Value

from ..display.overview import Overview, PlayerOverview
from ..terminal.status import shortened
from .canvas import (
    ASKED,
    BACK,
    BEST,
    CARD_ROLE,
    FELT_ROLE,
    NAME_ROLE,
    ON_CARD,
    QUIET_ROLE,
    SHADED,
    STRONG_ROLE,
    TURN_ROLE,
    WAYS,
    Canvas,
    Faces,
)
from .layout import CHIP, Box, CardSize, Edge, SeatBoxes, Seating, fan, seating

Parts = Sequence[tuple[str, str]]
"""Consecutive texts of a line, each with its role."""

DEALER, LEADS = "dealer", "leads"
PARTNER = "partner "
MANY_CARDS = "13 cards"
"""The widest text for a number of cards; this much room is reserved."""
FEWEST = len("  (10) ")
"""The columns of the shortest text about a player's cards."""
CARD_ROWS = 3
"""The height of a card above which its suit is also in its middle."""
GAP = 3
"""The columns between two facts."""
RESERVED = 2
"""The rows for facts below a list of players."""


class Scene(Value):
    """The content of a painting. `before` are the cards of the last trick, until somebody leads.

    `words` are the text in the middle while no game runs, or at the end of a trick or hand. `took`
    is the seat that won the trick. `ended`: the words cover the table.
    """

    whole: Overview
    before: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    took: int | None = None
    ended: bool = False


def painted(scene: Scene, faces: Faces, width: int, height: int) -> Canvas:
    """The table in this many columns and rows."""
    canvas = Canvas(width, height)
    if width < 1 or height < 1:
        return canvas
    others, me = _seated(scene.whole.players)
    found = seating(len(others), width, height)
    painter = _Painter(scene, faces, canvas, found.size if found else CHIP)
    if found is None:
        painter.listed()
    else:
        painter.around(list(zip(others, found.others, strict=True)), me, found)
    if scene.ended:
        painter.over(scene.words)
    return canvas


def _seated(
    players: Sequence[PlayerOverview],
) -> tuple[list[PlayerOverview], PlayerOverview | None]:
    """The other players in the order of play after the viewer; and the viewer."""
    at = next((at for at, each in enumerate(players) if each.me), None)
    if at is None:
        return list(players), None
    return [*players[at + 1 :], *players[:at]], players[at]


class _Fan(Value):
    """Overlapping or adjacent cards: the texts of the visible ones, their distance, and whether
    there are more.

    `card` is the width of each card in columns.
    """

    texts: Sequence[str]
    apart: int
    card: int
    more: str

    @property
    def width(self) -> int:
        """The total width in columns."""
        return (len(self.texts) - 1) * self.apart + self.card + len(self.more)


class _Painter:
    def __init__(self, scene: Scene, faces: Faces, canvas: Canvas, size: CardSize) -> None:
        self._scene, self._whole, self._faces, self._canvas = scene, scene.whole, faces, canvas
        self._faded = not scene.whole.connected
        self._size = size

    def around(
        self,
        seated: Sequence[tuple[PlayerOverview, SeatBoxes]],
        me: PlayerOverview | None,
        found: Seating,
    ) -> None:
        """Paints all players at their seats, their cards, and the facts."""
        self._canvas.lay(_rounded(found.mat))
        for each, boxes in seated:
            for row, parts in enumerate(self._label(each, boxes.label)):
                self._line(boxes, row, parts)
            cards, role = self._cards_of(each)
            self._lay(boxes.cards, boxes.edge, cards, role)
            if boxes.label.height == 2 and boxes.edge is Edge.TOP and not cards:
                # Without a row for notes, a note is in the place of the cards.
                note = self._note(each, boxes.label.width - 1, leads=True)
                self._line(boxes, 2, [(f" {note}" if note else "", self._role(QUIET_ROLE))])
        if me is not None:
            self._mine(me, found)
        left = self._facts(found.facts)
        words = [part for line in self._words(found.words.width) for part in line]
        if left and _wide(words) + GAP + _wide(left[0]) <= found.words.width:
            words += [(" " * GAP if words else "", FELT_ROLE), *left.pop(0)]
        self._centred(found.words.y, words)
        for line in left:
            self._centred(None, line)

    def listed(self) -> None:
        """Paints the players as a list, in one or more columns, and the facts below."""
        players, height, width = self._whole.players, self._canvas.height, self._canvas.width
        room = max(1, height - min(RESERVED, height // 3))
        columns = -(-len(players) // room) or 1
        room = -(-len(players) // columns)
        wide = width // columns
        names = max((wcwidth.width(each.name) for each in players), default=0) + 1
        scores = max((wcwidth.width(each.score) for each in players), default=0)
        for at, each in enumerate(players):
            column, row = divmod(at, room)
            self._in_list(each, Box(column * wide, row, wide, 1), names, scores)
        words = self._words(width - 2)
        lines = [*words, *self._fact_lines(width - 2, height - room - len(words))]
        for at, parts in enumerate(lines[: height - room]):
            self._parts(1, room + at, parts, width - 1)

    def over(self, words: Sequence[str]) -> None:
        """Paints words over the table, in a frame if there is room."""
        width, height = self._canvas.width, self._canvas.height
        self._canvas.lay(())
        lines = framed(words, width)
        if len(lines) + 2 > height:
            for row, line in enumerate(unframed(words, width)[:height]):
                self._canvas.put(0, row, " " * width)
                self._canvas.put(1, row, line, STRONG_ROLE)
            return
        wide = max(map(wcwidth.width, lines), default=0) + 2
        x, y = max(0, (width - wide) // 2), (height - len(lines)) // 2
        signs = self._faces.glyphs.frame
        self._canvas.put(x - 1, y - 1, signs[0] + signs[1] * wide + signs[2], QUIET_ROLE)
        self._canvas.put(x - 1, y + len(lines), signs[4] + signs[5] * wide + signs[6], QUIET_ROLE)
        for row, line in enumerate(lines):
            self._canvas.put(x - 1, y + row, signs[3] + " " * wide + signs[3], QUIET_ROLE)
            self._canvas.put(x + 1, y + row, line, STRONG_ROLE)

    # ------------------------------------------------------------------------- players

    def _name(self, each: PlayerOverview, room: int = 99) -> Parts:
        """A player's name, with a mark if it is their turn."""
        turn = each.asked and not self._faded
        mark = self._faces.glyphs.turn if each.asked else " "
        name = each.name if wcwidth.width(each.name) < room else shortened(each.name, room - 1)
        return [(mark, self._role(TURN_ROLE)), (name, self._role(ASKED if turn else NAME_ROLE))]

    def _label(self, each: PlayerOverview, box: Box) -> Sequence[Parts]:
        """The label of a seat: name, score, cards, note."""
        room = box.width - 1
        dealer = _first(room - wcwidth.width(each.name) - 1, f" {DEALER}", " D")
        end = [(dealer, self._role(QUIET_ROLE))] if each.dealer and dealer else []
        name = self._name(each, room - _wide(end))
        first = [*name, *end]
        note = self._note(each, room, leads=box.height > 2)
        said = [(f" {note}", self._role(QUIET_ROLE))] if note else []
        short, score = self._score(each), _points(self._score(each))
        if each.cards is None:
            return [first, self._timed(each, room, (score, ""), (short, "")), said][: box.height]
        if box.height == 2:
            held = f"{', ' if short else ''}{_cards(each.cards)}"
            return [first, self._timed(each, room, (short, held), (short, f" ({each.cards})"))]
        if box.height == 3 or not score:
            clock = self._clock(each, room - wcwidth.width(short) - FEWEST)
            used = _wide(clock) + (3 if score else 1)
            enough = wcwidth.width(score) + each.cards + 2 + used <= room
            points = (f" {score if enough else short}", self._role(STRONG_ROLE))
            backs = self._backs(each.cards, room - used - wcwidth.width(points[0].strip()))
            return [first, [points, ("  " if score else "", FELT_ROLE), *backs, *clock], said]
        backs = self._backs(each.cards, room - 1)
        timed = self._timed(each, room, (score, ""), (short, ""))
        return [first, timed, [(" ", FELT_ROLE), *backs], said]

    def _timed(self, each: PlayerOverview, room: int, *versions: tuple[str, str]) -> Parts:
        """A player's score, cards and clock: the first version that leaves room for the clock."""
        parts: list[tuple[str, str]] = []
        for score, held in versions:
            parts = [(f" {score}", self._role(STRONG_ROLE)), (held, self._role(FELT_ROLE))]
            clock = self._clock(each, room - _wide(parts))
            if clock or not each.clock:
                return [*parts, *clock]
        return parts

    def _clock(self, each: PlayerOverview, room: int) -> Parts:
        """A player's clock, or its running part; empty without room."""
        turn, _, reserve = each.clock.partition("+")
        runs = reserve if reserve and not turn.strip("0:") else turn
        text = _first(room, f" {each.clock}", f" {runs}") if each.clock else ""
        return [(text, self._role(STRONG_ROLE))] if text else []

    def _score(self, each: PlayerOverview) -> str:
        """A player's score; empty if it is the score of a side, which is shown elsewhere."""
        return "" if self._whole.sides else each.score

    def _backs(self, count: int, room: int) -> Parts:
        """The backs of cards, with their number; empty without cards."""
        if not count:
            return []
        number = f" {count}"
        if count + len(number) > room:
            return [(_first(room, _cards(count), f"({count})"), self._role(FELT_ROLE))]
        return [
            (self._faces.glyphs.back * count, self._role(BACK)),
            (number, self._role(FELT_ROLE)),
        ]

    def _note(self, each: PlayerOverview, room: int, *, leads: bool) -> str:
        """The part of a player's notes that fits. Absence is the most important one."""
        absent = f"({each.absence})" if each.absence else ""
        lead = LEADS if leads and each.leads else ""
        bare = each.note.removeprefix(PARTNER)
        versions = (
            (each.note, absent, lead),
            (each.note, absent),
            (bare, absent),
            (absent or bare,),
        )
        texts = (" ".join(filter(None, version)) for version in versions)
        return next((text for text in texts if wcwidth.width(text) < room), "")

    def _line(self, boxes: SeatBoxes, row: int, parts: Parts) -> None:
        box = boxes.label
        wide = _wide(parts)
        x = box.x
        if boxes.edge is Edge.TOP:
            x += max(0, (box.width - wide) // 2)
        elif boxes.edge is Edge.RIGHT:
            x += max(0, box.width - 1 - wide)
        self._parts(x, box.y + row, parts, box.x + box.width - x)

    def _mine(self, me: PlayerOverview, found: Seating) -> None:
        """The viewer's line. Its beginning does not move during a hand."""
        held = _cards(me.cards) if me.cards else ""
        points = _points(self._score(me))
        dealer, leads = DEALER if me.dealer else "", LEADS if me.leads else ""
        absent = f"({me.absence})" if me.absence else ""
        said = ", ".join(filter(None, (dealer, me.note, leads, me.clock, absent)))
        begins = ", ".join(filter(None, (points, MANY_CARDS)))
        room = wcwidth.width(f" {me.name} {begins}  {dealer}")
        x = max(0, (self._canvas.width - room) // 2)
        cards, role = self._cards_of(me)
        stands = ", ".join(filter(None, (points, held)))
        versions = [
            [
                *self._name(me),
                (f" {text}", self._role(FELT_ROLE)),
                (f"  {note}", self._role(QUIET_ROLE)),
            ]
            for text, note in ((stands, said), (stands, ""), (held, ""), ("", ""))
        ]
        beside = found.mine.y == found.me and cards
        needed = self._chips_wide(cards) + 1 if beside else 0
        left = self._canvas.width - x - needed
        parts = next((each for each in versions if _wide(each) <= left), versions[-1])
        end = self._parts(x, found.me, parts, self._canvas.width - x) + 1
        box = Box(end, found.me, self._canvas.width - end, 1) if beside else found.mine
        self._lay(box, Edge.TOP, cards, role, at_left=bool(beside))

    def _chips_wide(self, cards: Sequence[Card]) -> int:
        """The distance in columns between cards in one row."""
        return sum(wcwidth.width(self._faces.text(card)) + 3 for card in cards)

    def _in_list(self, each: PlayerOverview, box: Box, names: int, scores: int) -> None:
        """A player in a list. In a narrow list a played card replaces the score.

        `names` and `scores` are the widths of these columns.
        """
        played, role = self._cards_of(each)
        name = min(16, box.width - 7, names)
        beside = box.width >= name + scores + 8
        held = f" ({each.cards})" if each.cards is not None else ""
        said = " ".join(filter(None, (each.note, each.clock)))
        self._parts(box.x, box.y, self._name(each, name + 1), name + 1)
        x, end = box.x + name + 1, box.x + box.width
        if beside or not played:
            self._parts(x, box.y, [(f" {each.score}", self._role(STRONG_ROLE))], end - x)
        if beside:
            x += scores + 1
        if played:
            x += beside
            self._lay(Box(x, box.y, end - x, 1), Edge.LEFT, played, role, at_left=True)
        elif beside:
            self._parts(x, box.y, [(f"{held} {said}", self._role(QUIET_ROLE))], end - x - 1)

    # --------------------------------------------------------------------------- cards

    def _cards_of(self, each: PlayerOverview) -> tuple[tuple[Card, ...], str]:
        """The cards in front of a player and their role; CARD if each card has its own role."""
        if not each.played:
            return self._scene.before.get(each.seat, ()), SHADED
        took = self._scene.took
        if self._faded or took not in (None, each.seat):
            return each.played, SHADED
        return each.played, BEST if took == each.seat or each.best else CARD_ROLE

    def _lay(
        self, box: Box, edge: Edge, cards: Sequence[Card], role: str, *, at_left: bool = False
    ) -> None:
        """Paints cards into a box, aligned to the middle of the table."""
        if not cards:
            return
        # Cards overlap, and jokers get a short text, before a card hides another or a name.
        fans = [
            self._fan(box, [self._faces.texts(card)[way] for card in cards], around)
            for around in (2, 1)
            for way in range(WAYS)
        ]
        best = max(fans, key=lambda each: (each.width <= box.width, len(each.texts)))
        match edge:
            case Edge.LEFT if not at_left:
                x = box.x + box.width - best.width
            case Edge.TOP if not at_left:
                x = box.x + (box.width - best.width) // 2
            case _:
                x = box.x
        for at, (card, text) in enumerate(zip(cards, best.texts, strict=False)):
            covers = at > 0 and best.apart <= best.card
            lies = Box(x + at * best.apart, box.y, best.card, box.height)
            self._card(lies, card, text, role, covers=covers)
        end = x + best.width - len(best.more)
        self._parts(end, box.y, [(best.more, self._role(STRONG_ROLE))], len(best.more))

    def _fan(self, box: Box, texts: Sequence[str], around: int) -> _Fan:
        """The layout of cards with these texts in a box, with `around` columns beside each text."""
        size = self._size if box.height > 1 else CHIP
        widest = max(map(wcwidth.width, texts))
        card = max(size.wide, widest + 2) if box.height > 1 else widest + around
        seen, apart = fan(len(texts), box.width, card, widest + 1)
        more = f"+{len(texts) - seen}" if seen < len(texts) else ""
        return _Fan(texts[:seen], apart, card, more)

    def _card(self, box: Box, card: Card, text: str, role: str, *, covers: bool) -> None:
        text, colour = wcwidth.clip(text, 0, box.width - 1), self._colour(card, role)
        # Adjacent cards are separated by an edge.
        edge = self._faces.glyphs.edge if covers else " "
        for row in range(box.height):
            self._canvas.put(box.x, box.y + row, edge, self._colour("", role))
            self._canvas.put(box.x + 1, box.y + row, " " * (box.width - 1), colour)
        self._canvas.put(box.x + 1, box.y, text, colour)
        if box.height > 1:
            end = box.x + box.width - 1 - wcwidth.width(text)
            self._canvas.put(end, box.y + box.height - 1, text, colour)
        if box.height > CARD_ROWS:
            middle = box.x + box.width // 2, box.y + box.height // 2
            self._canvas.put(*middle, text[-1] if card[1:] in {*SUITS} else "", colour)

    def _colour(self, card: Card, role: str) -> str:
        if role == SHADED:
            return SHADED
        own = self._faces.role(card)
        return f"{BEST}-{own}" if role == BEST and own in ON_CARD else own

    # -------------------------------------------------------------------------- middle

    def _words(self, room: int) -> list[Parts]:
        """The play to beat, the winner of the trick, or the next action."""
        if self._faded:
            return [[(self._whole.state, STRONG_ROLE)]]
        if self._scene.took is not None:
            name = next(p for p in self._whole.players if p.seat == self._scene.took)
            short = "You take it." if name.me else f"{name.name} takes it."
            return [[(_first(room, *self._scene.words, short), self._role(STRONG_ROLE))]]
        if self._whole.beat:
            label, cards = self._whole.beat
            text = " ".join(map(self._faces.text, cards))
            return [[(f"{label} ", self._role(QUIET_ROLE)), (text, self._role(STRONG_ROLE))]]
        return (
            [] if self._scene.ended else [[(w, self._role(FELT_ROLE))] for w in self._scene.words]
        )

    def _fact_lines(self, room: int, rows: int) -> list[Parts]:
        """The facts of the hand: the sides, the trump, the cards that are gone.

        There may be more lines than rows, but a fact never continues beyond the last row.
        """
        found: list[list[tuple[str, str]]] = []
        for text, role in self._counted(room):
            for line in self._told_in(text, room, max(1, rows - len(found))):
                if found and _wide(found[-1]) + GAP + wcwidth.width(line) <= room:
                    found[-1] += [(" " * GAP, FELT_ROLE), (line, role)]
                else:
                    found.append([(line, role)])
        return list(found)

    def _told_in(self, text: str, room: int, rows: int) -> list[str]:
        """A fact in this many rows. Lists are cut at their beginning, because high cards are at the
        end.
        """
        room = max(1, room)
        lines = wcwidth.wrap(text, room)
        label, _, listed = text.partition(": ")
        parts = listed.split(" ")
        while len(lines) > rows and len(parts) > 1:
            parts = parts[1:]
            lines = wcwidth.wrap(f"{label}: {self._faces.glyphs.more} {' '.join(parts)}", room)
        return lines[:rows]

    def _counted(self, room: int) -> Iterator[tuple[str, str]]:
        sides = self._whole.sides
        scores = ", ".join(f"{each.who} {each.score}" for each in sides)
        made = ", ".join(f"{each.who} {each.made}" for each in sides if each.made)
        apart = [
            (scores, self._role(STRONG_ROLE)),
            (f"hand: {made}" if made else "", self._role(FELT_ROLE)),
        ]
        if _wide(apart) + GAP <= room:
            yield from (part for part in apart if part[0])
        else:
            short = (f"{each.who} {each.score} ({each.made})" for each in sides)
            yield ", ".join(short), self._role(STRONG_ROLE)
        for fact in self._whole.facts:
            yield fact, self._role(FELT_ROLE)

    def _facts(self, box: Box) -> list[Parts]:
        """Paints the facts at the top. Returns those without room."""
        lines = self._fact_lines(box.width, box.height)
        for row, parts in enumerate(lines[: box.height]):
            wide = _wide(parts)
            self._parts(box.x + (box.width - wide) // 2, box.y + row, parts, box.width)
        return lines[box.height :]

    def _centred(self, row: int | None, parts: Parts) -> None:
        """Paints a centred line in a row, or in the next free one."""
        wide = _wide(parts)
        x = (self._canvas.width - wide) // 2
        rows = range(self._canvas.height) if row is None else [row]
        found = next((y for y in rows if row is not None or self._free(x, y, wide)), None)
        if found is not None:
            self._parts(x, found, parts, self._canvas.width - max(0, x))

    def _free(self, x: int, y: int, wide: int) -> bool:
        return self._canvas.free(x - 1, y, wide + 2)

    # ---------------------------------------------------------------------------- text

    def _role(self, role: str) -> str:
        return QUIET_ROLE if self._faded else role

    def _parts(self, x: int, y: int, parts: Iterable[tuple[str, str]], room: int) -> int:
        """Paints consecutive parts of a line. Returns the column after them."""
        for text, role in _clipped(parts, room):
            self._canvas.put(x, y, text, role)
            x += wcwidth.width(text)
        return x


def framed(words: Sequence[str], width: int) -> list[str]:
    """The words as lines for a frame on a table of this width."""
    return [line for text in words for line in wcwidth.wrap(text, max(1, min(width - 6, 56)))]


def unframed(words: Sequence[str], width: int) -> list[str]:
    """The words as lines of at most this width."""
    return [line for text in words for line in wcwidth.wrap(text, max(1, width - 2))]


def _rounded(box: Box) -> Iterator[tuple[int, int]]:
    """The cells of a box without its corners."""
    less = (4, 2, 1) if min(box.width // 2, box.height) > 12 else (1,) if box.height > 3 else ()
    for row in range(box.height):
        edge = min(row, box.height - 1 - row)
        cut = less[edge] if edge < len(less) else 0
        for column in range(cut, box.width - cut):
            yield box.x + column, box.y + row


def _wide(parts: Parts) -> int:
    """The width of a line's parts in columns."""
    return sum(wcwidth.width(text) for text, _ in parts)


def _first(room: int, *texts: str) -> str:
    """The first text that fits; empty if none does."""
    return next((text for text in texts if wcwidth.width(text) <= room), "")


def _clipped(parts: Iterable[tuple[str, str]], room: int) -> Iterator[tuple[str, str]]:
    for text, role in parts:
        text = wcwidth.clip(text, 0, max(0, room))
        room -= wcwidth.width(text)
        yield text, role


def _points(score: str) -> str:
    """A score in words: `1 point`, `22 points, out`. Other texts are unchanged."""
    number, _, out = score.partition(" ")
    if not number.lstrip("-").isdigit():
        return score
    return f"{number} {'point' if number == '1' else 'points'}{f', {out}' if out else ''}"


def _cards(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"
