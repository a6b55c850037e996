"""A summary of a table in a few lines: after a reconnect, and for `?`."""

from __future__ import annotations

from collections.abc import Iterator

from twentytwo_protocol.cards import RANK_NAMES
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.typed_cards import as_typed, to_throw
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words.cardplay import Turn

from ..core.streams import asked, question
from .rendering import Renderer
from .typed_cards import held


def recap(table: TableModel, renderer: Renderer) -> Iterator[str]:
    """The game and its scores, the trick so far, your cards, the open question."""
    yield renderer.text(f"{table.on}: {_standing(table)}.")
    if table.phase == "open":
        yield renderer.text(f"There: {_seats(table, renderer)}.")
        if table.me is not None:
            yield renderer.text("Type ready when you are.")
        return
    yield renderer.text(f"Scores: {_scores(table, renderer)}.")
    for event in table.standing:
        if not isinstance(event, Turn):
            yield renderer.message(event, table)
    yield from hand(table, renderer)


def hand(table: TableModel, renderer: Renderer) -> Iterator[str]:
    """The viewer's cards, and the open question or the player on turn."""
    asks = whose_turn(table, renderer)
    if table.holding:
        cards = renderer.voice(table).show(held(table))
        # Most questions repeat the hand; an exchange question does not.
        if " ".join(cards.split()) not in " ".join(asks.split()):
            yield renderer.lines(f"Your cards: {cards}", aloud=True)
    yield asks


def now(table: TableModel | None, renderer: Renderer) -> Iterator[str]:
    """The commands that make sense now, with an example."""
    if table is None:
        yield renderer.text("tutorial teaches a game, practice plays against bots.")
        yield renderer.text("tables, open, join tN: other people.   For example: practice bots=2")
        yield renderer.text("who, games, rules, help, quit.")
        return
    turn = question(table)
    if turn is not None:
        yield renderer.message(turn, table)
        if table.lesson:
            yield renderer.text("hint explains, tutorial says the step again.")
            return
        tab = "   Tab offers what is legal." if renderer.look.rich else ""
        answer = example(turn)
        # Words are accepted as well as figures and letters.
        aloud = " ".join(RANK_NAMES.get(_rank(w), w) for w in answer.split())
        said = aloud if renderer.look.plain and turn.act in ("play", "exchange") else answer
        yield renderer.text(f"Typed like this: {said}{tab}")
    elif table.phase == "playing":
        yield whose_turn(table, renderer)
        yield renderer.text("hand, score, last, say TEXT, leave.   For example: last")
    elif table.phase == "open":
        yield renderer.text("ready, start, addbot, option, leave, say TEXT.   For example: ready")
    else:
        yield renderer.text("rematch, leave, quit, say TEXT.   For example: rematch")


def _rank(word: str) -> str:
    return word.upper().replace("10", "T")


def example(turn: Turn) -> str:
    """A legal answer to a question, in the words that a person types.

    It demonstrates the form: it is the default move, or a good exchange.
    """
    if turn.choose == "subset":
        cards = to_throw(turn)
        return f"{turn.act} {as_typed('+'.join(cards))}" if cards else "keep"
    return as_typed(turn.default or "")


def whose_turn(table: TableModel, renderer: Renderer) -> str:
    """The open question, or the player on turn."""
    turn = asked(table)
    if table.phase != "playing" or turn is None:
        return ""
    if turn.default is not None:
        return renderer.message(turn, table)
    voice = renderer.voice(table)
    whose = "your" if turn.seat == voice.me else voice.possessive(turn.seat)
    doing = vocabulary(table.game.game).doing if table.game else {}
    return renderer.text(f"It is {whose} turn to {doing.get(turn.act, turn.act)}.")


def _standing(table: TableModel) -> str:
    key = table.game.game if table.game else table.options.get("game", "")
    game = vocabulary(key).title
    rules = table.options.get("preset", "")
    parts = [f"{game} ({rules})" if rules else game]
    if table.phase != "playing":
        parts.append("over" if table.phase == "over" else "not started")
    else:
        parts.append(f"hand {table.hand.no}" if table.hand else "")
        parts.append(f"trick {table.trick}" if table.trick else "")
    return ", ".join(part for part in parts if part)


def _scores(table: TableModel, renderer: Renderer) -> str:
    voice = renderer.voice(table)
    return ", ".join(
        f"{voice.name(number)} {seat.total}{' (out)' if seat.out else ''}"
        for number, seat in sorted(table.seats.items())
    )


def _seats(table: TableModel, renderer: Renderer) -> str:
    voice = renderer.voice(table)
    names = (
        f"{voice.name(number)}{' (ready)' if seat.ready else ''}"
        for number, seat in sorted(table.seats.items())
    )
    return listed(names) or "nobody"
