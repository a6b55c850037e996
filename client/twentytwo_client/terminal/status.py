"""The lines under the prompt: a summary of the table, fitted to the size of the window.

Less important parts are left out before a name is cut. Suit signs are two columns wide in some
terminals, so text after one is never aligned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import wcwidth

from twentytwo_protocol.cards import SUIT_NAMES, Card
from twentytwo_protocol.voice import plain_cards

from ..display.overview import Overview, PlayerOverview, Presentation, bracketed

LOW_WINDOW, SMALL_WINDOW = 12, 20
"""The heights of windows up to which the status is one line, and a short one."""
GAP = 2
"""The columns between two items of a line. The mark of a player takes one of them."""
EASILY_SEEN = 100
"""The maximum width of the title, so that its ends stay close together in a wide window."""
CUT = "."
"""The end of a name that was cut as the last resort."""


def status(whole: Overview, show: Presentation, columns: int, rows: int) -> list[str]:
    """The status lines, each at most `columns` wide: title, players, facts, trick, hand."""
    if rows < LOW_WINDOW:
        return [_in_one_line(whole, columns)]
    most = 2 if rows < SMALL_WINDOW else 4
    lines = [title(whole, columns), *players(whole, columns, most, rows // 2 - 1)]
    made = [f"{each.who} {each.made}" for each in whole.sides if each.made]
    facts = [f" {fact}" for fact in (*whole.facts, *made)]
    lines += flowed(facts, columns, 1 if rows < SMALL_WINDOW else 2, 2)
    lines += trick(whole, show, columns, 1 if rows < SMALL_WINDOW else 3)
    lines += hand(whole, show, columns)
    return [line for line in lines if line.strip()]


def fitting(columns: int, *versions: str) -> str:
    """The first version that fits, or the cut last one."""
    for version in versions:
        if wcwidth.width(version) <= columns:
            return version
    return wcwidth.clip(versions[-1], 0, columns) if versions else ""


def flowed(parts: Sequence[str], columns: int, most: int, gap: int) -> list[str]:
    """The parts that fit into `most` lines, with a gap between two. No part is split."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{' ' * gap}{part}" if lines else part
        if lines and wcwidth.width(longer) <= columns:
            lines[-1] = longer
        elif wcwidth.width(part) <= columns and len(lines) < most:
            lines.append(part)
    return lines


# --------------------------------------------------------------------------------- title


def title(whole: Overview, columns: int) -> str:
    """The game, the table and the hand at the left; the next action at the right."""
    columns = min(columns, EASILY_SEEN)
    state = f"{whole.state} {whole.clock}".rstrip()
    hand = f"hand {whole.hand}" if whole.hand else ""
    trick = f"trick {whole.trick}" if whole.trick else ""
    short = " ".join((f"h{whole.hand}" if whole.hand else "", f"t{whole.trick or ''}")).strip()
    name = f"{whole.title} {whole.table}"
    versions = (
        _joined(name, hand, trick, whole.target),
        _joined(whole.title, hand, trick, whole.target),
        _joined(name, hand, trick),
        _joined(whole.title, hand, trick),
        _joined(hand, trick),
        short if whole.trick else hand,
        "",
    )
    for version in versions:
        room = columns - wcwidth.width(version) - wcwidth.width(state)
        if room >= (GAP if version and state else 0):
            return fitting(columns, f"{version}{' ' * max(0, room)}{state}")
    return fitting(columns, state)


def _joined(*parts: str) -> str:
    return "  ".join(part for part in parts if part)


# ------------------------------------------------------------------------------- players


def players(whole: Overview, columns: int, most: int, limit: int) -> list[str]:
    """Every player's score, and the facts about them that fit into `most` lines; > is on turn.

    Names and scores take as many lines as they need, up to `limit`. Beyond that names are cut.
    """
    for notes, cards in ((True, True), (True, False), (False, False)):
        lines = _columns([_player(each, notes, cards) for each in whole.players], columns)
        if len(lines) <= (most if cards else most + 2) and _fit(lines, columns):
            return lines
    if len(lines) <= limit and _fit(lines, columns):
        return lines
    for length in range(14, 1, -1):
        cells = [_player(each, False, False, length) for each in whole.players]
        lines = _columns(cells, columns)
        if len(lines) <= limit and _fit(lines, columns):
            break
    return [wcwidth.clip(line, 0, columns) for line in lines[:limit]]


def _fit(lines: Iterable[str], columns: int) -> bool:
    return all(wcwidth.width(line) <= columns for line in lines)


def _player(each: PlayerOverview, notes: bool, cards: bool, length: int = 99) -> str:
    name = each.name if len(each.name) <= length else shortened(each.name, length)
    held = f"({each.cards})" if cards and each.cards is not None else ""
    absent = f"({each.absence})" if each.absence else ""
    clock = each.clock if notes and not each.me else ""
    note = each.note if notes else ""
    mark = ">" if each.asked else " "
    stands = " ".join(filter(None, (name, each.score)))
    said = f"{stands}: {note}" if note else stands
    return mark + " ".join(filter(None, (said, held, clock, absent)))


def shortened(name: str, length: int) -> str:
    """The name cut to `length` characters. A final number is kept, because it distinguishes
    bots.
    """
    end = name[-1] if name[-1].isdigit() else ""
    return name[: length - 1 - len(end)] + CUT + end


def _columns(cells: Sequence[str], columns: int) -> list[str]:
    """The cells in one line, or aligned in columns if that takes no more lines than necessary."""
    if not cells:
        return []
    shapes = ((count, gap) for count in range(len(cells), 0, -1) for gap in (GAP, 1))
    for count, gap in shapes:
        widths = [max(map(wcwidth.width, cells[at::count])) for at in range(count)]
        if sum(widths) + gap * (count - 1) <= columns or count == 1:
            break
    rows = [cells[at : at + count] for at in range(0, len(cells), count)]
    flow = flowed(cells, columns, len(cells), 1)
    if len(flow) < len(rows) and sum(map(len, flow)) >= sum(map(len, cells)):
        return flow
    return [(" " * gap).join(map(_padded, row, widths)).rstrip() for row in rows]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - wcwidth.width(text))


def _in_one_line(whole: Overview, columns: int) -> str:
    cells = [_player(each, False, False) for each in whole.players]
    shorter = (
        [_player(each, False, False, length) for each in whole.players] for length in (8, 5, 3)
    )
    return fitting(columns, *(" ".join(each).strip() for each in (cells, *shorter))) or whole.table


# --------------------------------------------------------------------------------- trick


def trick(whole: Overview, show: Presentation, columns: int, most: int) -> list[str]:
    """The cards of the trick and the play to beat, in at most `most` lines."""
    if not whole.plays:
        return []
    parts = [f"{name} {show(cards)}" for name, cards in whole.plays]
    beat = f"{whole.beat[0]}: {show(whole.beat[1])}" if whole.beat else ""
    # The owner of the play to beat is named if their name is not beside it.
    best = next((each.name for each in whole.players if each.best), "")
    whose = f"{whole.beat[0]}: {best} {show(whole.beat[1])}" if whole.beat and best else beat
    last = parts[-1]
    short = [f".. {last}", beat if last.startswith(f"{best} ") else whose]
    for versions in ([*parts, beat], short, [whose or last], [beat or last]):
        wanted = [f" {part}" for part in versions if part]
        lines = flowed(wanted, columns, most, 1)
        if sum(map(wcwidth.width, lines)) >= sum(map(wcwidth.width, wanted)):
            return lines
    return [fitting(columns, f" {beat}", beat)]


# ---------------------------------------------------------------------------------- hand


def hand(whole: Overview, show: Presentation, columns: int) -> list[str]:
    """Your cards, with brackets around those that can be part of a legal move."""
    if not whole.cards:
        return []
    mine = list(whole.cards)
    if whole.down in mine:
        mine.remove(whole.down)
    down = [f" face down: {show((whole.down,))}"] if whole.down else []
    cards = bracketed(mine, whole.legal, show).split(" ")
    line = " ".join([" you:", *cards, *down])
    if wcwidth.width(line) <= columns:
        return [line]
    # Without suits the cards are shorter. Games with that many cards ignore suits.
    ranks = f" you: {bracketed(mine, whole.legal, _ranks)}"
    if not down and wcwidth.width(ranks) <= columns:
        return [ranks]
    head = " you: " if columns > 2 * LOW_WINDOW else ""
    lines = flowed([*cards, *down], columns - len(head), len(cards) + 1, 1)
    return [f"{' ' * len(head) if number else head}{each}" for number, each in enumerate(lines)]


def _ranks(cards: Iterable[Card]) -> str:
    return plain_cards(card[0] if card[1:] in SUIT_NAMES else card for card in cards)
