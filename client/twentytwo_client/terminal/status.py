"""The status lines under the prompt: the table at a glance, fitted to the columns there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import wcwidth

from twentytwo_protocol.cards import JOKER, SUIT_NAMES, Card
from twentytwo_protocol.model import SeatModel, TableModel
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.words.cardplay import Bid_, Contract, Played, Turn

from ..core.streams import asked, question
from ..display import escaping
from ..display.typed_cards import held

Presentation = Callable[[Iterable[Card]], str]
LOW_WINDOW = 12
"""Rows of a window up to which the status is a single line."""


def status(
    table: TableModel, show: Presentation, columns: int, rows: int, clock: str = ""
) -> list[str]:
    """The lines, each at most `columns` wide: title, players, trick, hand."""
    title = fitting(columns, *titles(table, clock))
    people = players(table, columns)
    if rows < LOW_WINDOW:
        return [people]
    found = [title, people, fitting(columns, *trick(table, show)), hand(table, show, columns)]
    return [line for line in found if line]


def fitting(columns: int, *versions: str) -> str:
    """The first version that fits, or what fits of the last."""
    for version in versions:
        if wcwidth.width(version) <= columns:
            return version
    return wcwidth.clip(versions[-1], 0, columns) if versions else ""


# --------------------------------------------------------------------------------- title


def titles(table: TableModel, clock: str) -> list[str]:
    """The game, the table, where the game stands and whose turn it is, long to short."""
    game = table.game
    key = game.game if game else table.options.get("game", "")
    words = vocabulary(key)
    name = words.title or "Table"
    target = f"{words.target} {game.target}" if game and game.target else ""
    turn = _turn(table, clock)
    where = [f"hand {table.hand.no}" if table.hand else "", _trick_number(table), _contract(table)]
    short = [f"h{table.hand.no}" if table.hand else "", f"t{table.trick}" if table.trick else ""]
    return [
        _joined(f"{name} {table.on}", *where, target, turn),
        _joined(f"{name} {table.on}", *where, turn),
        _joined(table.on, *where, turn),
        _joined(table.on, "".join(short), turn),
    ]


def _joined(*parts: str) -> str:
    return "  ".join(escaping.visible(part) for part in parts if part)


def _trick_number(table: TableModel) -> str:
    return f"trick {table.trick}" if table.trick else ""


def _contract(table: TableModel) -> str:
    found = next((event for event in table.standing if isinstance(event, Contract)), None)
    return f"{_name(table, found.seat)} for {found.bid}" if found else ""


def _turn(table: TableModel, clock: str) -> str:
    turn = asked(table)
    if table.paused:
        return "paused"
    if turn is None or table.phase != "playing":
        return {"open": "not started", "over": "game over"}.get(table.phase, "")
    if question(table):
        return f"YOUR TURN {clock}".rstrip()
    seat = table.seats.get(turn.seat)
    return f"{seat.name if seat else f'seat {turn.seat}'} to {turn.act}"


# ------------------------------------------------------------------------------- players


def players(table: TableModel, columns: int) -> str:
    """Everybody's score and cards, in the order of play; > is on turn."""
    for cut, cards, bids in (
        (16, True, True),
        (16, False, True),
        (8, False, True),
        (5, False, True),
        (3, False, True),
        (8, False, False),
        (5, False, False),
        (3, False, False),
    ):
        line = "  ".join(_players(table, cut, cards=cards, bids=bids))
        if wcwidth.width(line) <= columns:
            return line
    return wcwidth.clip(line, 0, columns)


def _players(table: TableModel, cut: int, *, cards: bool, bids: bool) -> Iterable[str]:
    playing = table.phase == "playing"
    turn = asked(table) if playing else None
    bid = _bids(table) if bids and playing else {}
    for number, seat in sorted(table.seats.items()):
        mark = ">" if turn and turn.seat == number else ""
        name = "you" if number == table.me else shortened(escaping.visible(seat.name), cut)
        said = f" {escaping.visible(bid[number])}" if number in bid else ""
        held = f" ({seat.cards})" if cards and playing and not seat.out else ""
        yield f"{mark}{name}{_score(table, seat)}{said}{held}{_absence(seat)}"


def _bids(table: TableModel) -> dict[int, str]:
    """What everybody has bid, until there is a contract; with tricks, what they have won of it."""
    if _contract(table):
        return {}
    bids = {event.seat: event.bid for event in table.standing if isinstance(event, Bid_)}
    if not table.trick:
        return {seat: f"bid {bid}" for seat, bid in bids.items()}
    return {seat: f"{table.seats[seat].tricks}/{bid}" for seat, bid in bids.items()}


def shortened(name: str, length: int) -> str:
    """The name cut to so many characters; a number at its end stays, to tell bots apart."""
    if len(name) <= length:
        return name
    return name[: length - 1] + name[-1] if name[-1].isdigit() else name[:length]


def _score(table: TableModel, seat: SeatModel) -> str:
    if table.phase == "open":
        return " ready" if seat.ready else ""
    return f" {seat.total} out" if seat.out else f" {seat.total}"


def _absence(seat: SeatModel) -> str:
    if seat.standin:
        return " (bot plays)"
    return "" if seat.here else " (away)"


# --------------------------------------------------------------------------------- trick


def trick(table: TableModel, show: Presentation) -> list[str]:
    """What lies on the table, and what is to be beaten, long to short."""
    plays = [event for event in table.standing if isinstance(event, Played)]
    if not plays or table.phase != "playing":
        return []
    turn = asked(table)
    best = vocabulary(table.game.game if table.game else "").best
    beat = f"{best}: {show(map(_rank_as_played, turn.beat))}" if turn and turn.beat else ""
    cards = "  ".join(f"{_name(table, each.seat)} {show(each.cards)}" for each in plays)
    last = f"{_name(table, plays[-1].seat)} {show(plays[-1].cards)}"
    return [f"{cards}   {beat}".rstrip(), cards, beat or last]


def _rank_as_played(card: Card) -> str:
    """The rank that a card was played as; only a joker's differs from its own."""
    return card[1:] if card[0] == JOKER and len(card) > 1 else card


def _name(table: TableModel, number: int) -> str:
    seat = table.seats.get(number)
    return (
        "you" if number == table.me else escaping.visible(seat.name) if seat else f"seat {number}"
    )


# ---------------------------------------------------------------------------------- hand


def hand(table: TableModel, show: Presentation, columns: int) -> str:
    """Your cards; brackets hold those that can be part of a legal move now."""
    if not table.holding or table.phase != "playing":
        return ""
    turn = question(table)
    legal = legal_cards(turn) if turn else set()
    line = "you: " + bracketed(held(table), legal, show)
    if wcwidth.width(line) <= columns:
        return line
    # Without their suits they are shorter, and nothing about them is lost that counts.
    ranks = bracketed(held(table), legal, lambda cards: " ".join(map(_rank, cards)))
    return fitting(columns, f"you: {ranks}", f"you: {ranks.replace(' ', '')}")


def _rank(card: Card) -> str:
    return card[0] if card[1:] in SUIT_NAMES else card


def legal_cards(turn: Turn) -> set[str]:
    """The cards and ranks that occur in a legal move."""
    if turn.choose != "one" or turn.act == "bid":
        return set()
    return {part for move in turn.legal or () for part in move.split("+")}


def stands_for(part: str, card: Card) -> bool:
    """Whether a part of a move can be this card: `Q` and `QH`, `XK` and `X`, `F0` and `F`."""
    if card[1:] in SUIT_NAMES:
        return part in (card, card[0])
    return part == card or (card.isalpha() and part.startswith(card))


def bracketed(cards: Iterable[Card], legal: set[str], show: Presentation) -> str:
    """The cards, with brackets around those that are legal."""
    found: list[str] = []
    inside = False
    for card in cards:
        marked = any(stands_for(part, card) for part in legal)
        if inside and not marked:
            found[-1] += "]"
        found.append(("[" if marked and not inside else "") + show((card,)))
        inside = marked
    return " ".join(found) + ("]" if inside else "")
