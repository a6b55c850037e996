"""A summary of a table as a value, for every way of showing it.

The lines under the prompt and the full screen are made from it. It is independent of the game: the
game's own facts come from its vocabulary in the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from twentytwo_protocol.cards import JOKER, SUIT_NAMES, Card
from twentytwo_protocol.glance import SideGlance, glance
from twentytwo_protocol.knowledge import SeatModel
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.value import Value
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Played, Turn

from ..core.streams import asked, question
from . import escaping
from .typed_cards import held

Presentation = Callable[[Iterable[Card]], str]
BOT = "bot:"
YOUR_TURN, NO_CONNECTION = "YOUR TURN", "no connection"


class PlayerOverview(Value):
    """A seat with its player and their situation.

    - `cards`: the number of cards; None if no hand is dealt.
    - `note`: a note by the game.
    - `absence`: says that a bot plays for them or that they are away.
    - `asked`: it is their turn. `dealer`: they are the dealer of the hand.
    - `played`: their cards in the trick. `leads`: they lead it. `best`: their play is the best so
      far.
    """

    seat: int
    name: str
    me: bool
    score: str
    cards: int | None = None
    note: str = ""
    absence: str = ""
    clock: str = ""
    asked: bool = False
    dealer: bool = False
    played: tuple[Card, ...] = ()
    leads: bool = False
    best: bool = False


class Overview(Value):
    """The visible state of a table.

    - `target`: the score that ends the game, in words.
    - `state`: the next action at the table. `clock`: the time left for it.
    - `plays`: the cards of the trick by player. `beat`: the label of the best play, and its cards.
    - `cards`: your cards. `legal`: the parts of legal moves. `down`: your face-down card.
    - `sides`: the partnerships, yours first; may be empty.
    - `connected`: False if the connection is lost, and the overview out of date.
    """

    table: str
    title: str
    hand: int | None
    trick: int | None
    target: str
    state: str
    clock: str
    players: tuple[PlayerOverview, ...]
    facts: tuple[str, ...]
    plays: tuple[tuple[str, tuple[Card, ...]], ...]
    beat: tuple[str, tuple[Card, ...]] | None
    cards: tuple[Card, ...]
    legal: frozenset[str]
    down: Card | None
    sides: tuple[SideGlance, ...] = ()
    connected: bool = True


def _no_clock(turn: Turn) -> str:
    return ""


def overview(
    table: TableModel, clock: Callable[[Turn], str] = _no_clock, *, connected: bool = True
) -> Overview:
    """The table as its viewer knows it. `clock` returns the time left for a question, in words."""
    names = short_names(table)
    key = table.game.game if table.game else table.options.get("game", "")
    words, game = vocabulary(key), table.game
    playing, turn = table.phase == "playing", asked(table)
    mine = question(table)
    added = glance(table, Voice(names, table.me, key, known=table))
    notes = dict(added.notes)
    if added.partner in table.seats:
        notes[added.partner] = " ".join(filter(None, ("partner", notes.get(added.partner))))
    plays = [event for event in table.standing if isinstance(event, Played)] if playing else []
    beat = tuple(map(_as_played, turn.beat)) if plays and turn and turn.beat else ()
    return Overview(
        table=escaping.visible(table.on),
        title=escaping.visible(words.title) or "Table",
        hand=table.hand.no if table.hand else None,
        trick=table.trick,
        target=f"{words.target} {game.target}" if game and game.target else "",
        state=_state(table, names) if connected else NO_CONNECTION,
        clock=clock(turn) if connected and playing and turn and not table.paused else "",
        players=tuple(_players(table, names, notes, clock if connected else _no_clock, beat)),
        facts=tuple(map(escaping.visible, added.facts)),
        plays=tuple((_name(names, each.seat, table.me), each.cards) for each in plays),
        beat=(words.best, beat) if beat else None,
        cards=held(table) if playing else (),
        legal=frozenset(legal_cards(mine)) if mine and playing and connected else frozenset(),
        down=added.down,
        sides=tuple(replace(e, who=escaping.visible(e.who)) for e in added.sides),
        connected=connected,
    )


# ---------------------------------------------------------------------------------- names


def short_names(table: TableModel) -> dict[int, str]:
    """The names of the players by seat. Bots lose their prefix unless another player has the short
    name.
    """
    names = {seat: escaping.visible(each.name) for seat, each in table.seats.items()}
    taken = set(names.values())
    return {seat: _short(name, taken) for seat, name in names.items()}


def _short(name: str, taken: set[str]) -> str:
    short = name.removeprefix(BOT)
    return name if short in taken else short


def _name(names: Mapping[int, str], seat: int, me: int | None) -> str:
    return "you" if seat == me else names.get(seat) or f"seat {seat}"


# ------------------------------------------------------------------------------- in words


def _state(table: TableModel, names: Mapping[int, str]) -> str:
    """The next action at the table."""
    turn = asked(table)
    if table.paused:
        return "paused"
    if turn is None or table.phase != "playing":
        return {"open": "not started", "over": "game over"}.get(table.phase, "")
    if question(table):
        return YOUR_TURN
    doing = vocabulary(table.game.game).doing if table.game else {}
    return f"{_name(names, turn.seat, table.me)} to {doing.get(turn.act, turn.act)}"


def _players(
    table: TableModel,
    names: Mapping[int, str],
    notes: Mapping[int, str],
    clock: Callable[[Turn], str],
    beat: tuple[Card, ...],
) -> Iterable[PlayerOverview]:
    playing = table.phase == "playing"
    open_ = [each for each in table.standing if isinstance(each, Turn)] if playing else []
    turns = {each.seat: each for each in open_}
    trick = [each for each in table.standing if isinstance(each, Played)] if playing else []
    played = {each.seat: each.cards for each in trick}
    best = [seat for seat, cards in played.items() if beat and _are(beat, cards)][-1:]
    for number, seat in sorted(table.seats.items()):
        yield PlayerOverview(
            number,
            _name(names, number, table.me),
            number == table.me,
            _score(table, seat),
            seat.cards if playing and not seat.out else None,
            escaping.visible(notes.get(number, "")),
            _absence(seat),
            clock(turns[number]) if number in turns and not table.paused else "",
            number in turns,
            playing and table.hand is not None and table.hand.dealer == number,
            played.get(number, ()),
            playing and table.trick is not None and table.leader == number,
            number in best,
        )


def _score(table: TableModel, seat: SeatModel) -> str:
    if table.phase == "open":
        return "ready" if seat.ready else ""
    return f"{seat.total} out" if seat.out else f"{seat.total}"


def _absence(seat: SeatModel) -> str:
    if seat.standin:
        return "bot plays"
    return "" if seat.here else "away"


def _are(beat: Sequence[Card], cards: Sequence[Card]) -> bool:
    """True if exactly these cards are the play to beat."""
    left = [_as_played(card) for card in cards]
    for card in beat:
        found = next((each for each in left if card in (each, each[0])), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _as_played(card: Card) -> str:
    """The rank that a card was played as. It differs from its own for a joker only."""
    return card[1:] if card[0] == JOKER and len(card) > 1 else card


# ---------------------------------------------------------------------------------- hand


def legal_cards(turn: Turn) -> set[str]:
    """The cards and ranks in legal moves."""
    if turn.choose != "one" or turn.act == "bid":
        return set()
    return {part for move in turn.legal or () for part in move.split("+")}


def stands_for(part: str, card: Card) -> bool:
    """True if a part of a move can be this card: `Q` and `QH`, `XK` and `X`, `F0` and `F`."""
    if card[1:] in SUIT_NAMES:
        return part in (card, card[0])
    return part == card or (card.isalpha() and part.startswith(card))


def bracketed(cards: Iterable[Card], legal: Iterable[str], show: Presentation) -> str:
    """The cards, with brackets around the legal ones."""
    found: list[str] = []
    inside = False
    for card in cards:
        marked = any(stands_for(part, card) for part in legal)
        if inside and not marked:
            found[-1] += "]"
        found.append(("[" if marked and not inside else "") + show((card,)))
        inside = marked
    return " ".join(found) + ("]" if inside else "")
