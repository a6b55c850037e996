"""Commands that look at a table: cards, legal moves, hints, scores, state, past events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from twentytwo_protocol.cards import as_held
from twentytwo_protocol.schema import (
    COMMANDS,
    Deed,
    Event,
    Refused,
    Row,
    move_fields,
    redact,
)
from twentytwo_protocol.voice import GAME_SCORES, Voice, listed, plain_cards, plural
from twentytwo_protocol.words import cardplay, looking
from twentytwo_protocol.words.cardplay import Game_, Played, Took, Trick, open_cards, time_for
from twentytwo_protocol.words.looking import Line, MovesRow

from ...session.streams import Entry
from ...table import teaching
from ...table.match import listing, not_your_turn
from ..access import Access, check_seq, check_watching
from ..lessons import Lessons
from ..tables.rooms import AnyRoom, Rooms
from .call import Call, Handlers
from .hints import hint_row, hinted
from .long_answers import LongAnswers, MissedEvents
from .paging import length, no_cursor, position
from .standing import FOLDED_AT_ONCE, holding, own_cards

Seat = TypeVar("Seat", int, None, int | None)


def _visible(call: Call, table: str | None) -> tuple[AnyRoom, int | None]:
    """A table that the person may see, and their seat there."""
    room = call.room(table)
    check_watching(call.me, room)
    return room, room.seat_number(call.me)


def _as_watcher(call: Call, table: str | None) -> tuple[AnyRoom, None]:
    """A table that the person may see, as everybody sees it."""
    return _visible(call, table)[0], None


def _seated(call: Call, table: str | None) -> tuple[AnyRoom, int]:
    room = call.room(table)
    seat = room.seat_number(call.me)
    if seat is None:
        raise Refused("NOT_SEATED", f"You have no seat at {room.id}.")
    return room, seat


async def hand(
    call: Call, command: looking.Hand, long_answers: LongAnswers, lessons: Lessons
) -> None:
    """Shows the person's cards, and the open question if it is theirs.

    For a person with several tables the named one becomes the current one.
    """
    room, seat = await _folded(call, long_answers, command.table, _seated)
    if call.people:
        call.go_to(room)
    show = call.session.display.show if call.people else plain_cards
    model, match = room.model(seat), room.table.match
    voice = replace(room.voice(seat), show=show)
    cards = room.table.game.deck.sort(model.holding)
    lines = [holding(model, voice) if cards else "You hold no cards."]
    if unseen := model.at(seat).cards - len(cards):
        lines = [f"You hold {plural(unseen, 'card')} that you may not see."]
    asked = redact(match.question, seat) if match and match.question else None
    if asked is not None and asked.seat == seat:
        # A question that shows the hand makes the line above superfluous.
        lines = [*([] if asked.hand else lines), *voice.sentence(asked).split("\n")]
    elif others := open_cards(model, voice):
        lines.append(others)
    elif call.people and asked is not None:
        lines.append(f"It is {voice.name(asked.seat)}'s turn{time_for(asked, voice)}.")
    if call.people and (waits := call.elsewhere()):
        lines.append(waits)
    call.ok(on=room.id, cards=tuple(cards), text=_of_lines(lines, call))
    lessons.teach(room)


def _of_lines(lines: list[str], call: Call) -> str:
    """The text of an answer: lines for a person, one line of sentences for a program."""
    if call.people:
        return "\n".join(lines)
    return "  ".join(line if line[-1] in ".:!?" else f"{line}." for line in lines)


def _my_turn(call: Call, table: str | None) -> tuple[AnyRoom, Any]:
    room, seat = _seated(call, table)
    match = room.table.match
    if match is None or match.question is None:
        raise Refused("NO_GAME", f"No game is running at {room.id}.")
    asked = match.question
    if asked.seat != seat:
        raise not_your_turn(asked, room.table.name_of(asked.seat))
    teaching.check(room.table, seat)
    return room, match


def moves(call: Call, command: looking.MovesOf) -> None:
    """Lists the moves that are legal now, for the person on turn."""
    room, match = _my_turn(call, command.table)
    legal = match.moves()
    most, first = length(command.n), position(command.after) or 0
    if first > len(legal):
        raise no_cursor(command.after or "")
    if call.people:
        _moves_for_people(call, room, legal, first)
        return
    rows: list[MovesRow] = []
    reached, end = first, 0 if legal.subset else len(legal)
    while reached < end and len(rows) < most:
        rows.append(MovesRow(listing(legal, reached), reached))
        reached += len(rows[-1].moves)
    more = str(reached) if reached < end else None
    call.ok(*rows, on=room.id, turn=match.turn, nlegal=len(legal), n=len(rows), next=more)


def _moves_for_people(call: Call, room: AnyRoom, legal: Any, first: int) -> None:
    if legal.subset:
        cards = call.session.display.show(legal.hand)
        call.inform(on=room.id, text=f"{legal.act} any {legal.min} to {legal.max} of {cards}.")
        return
    held = room.voice(room.seat_number(call.me)).in_hand(legal.hand)
    shown = [plain_cards(token.split("+")) for token in as_held(listing(legal, first), held)]
    call.inform(on=room.id, text=" | ".join(shown))


_SAY_A_MOVE = {
    name
    for verb, kind in COMMANDS.items()
    if kind is cardplay.Move or (issubclass(kind, Deed) and move_fields(kind))
    for name in (verb, kind.short)
}
"""Verbs that `why` accepts before the cards or the number of a move."""


def why(call: Call, command: looking.Why) -> None:
    """Says if a move would be legal now, and if not, by which rule."""
    _, match = _my_turn(call, command.table)
    words = command.move
    first = words[0].lower()
    joker = first == "x" and match.question is not None and match.question.act == "play"
    if len(words) > 1 and first in _SAY_A_MOVE and not joker:
        words = words[1:]
    token = "+".join(w for word in words for w in word.split("+"))
    deed: Deed = match.read(token, "move")
    wrong = match.moves().why(deed)
    if wrong is None:
        call.inform(allowed=True, text=f"Yes, {plain_cards(deed.token.split('+'))} is legal.")
    else:
        call.inform(allowed=False, reason=wrong.reason or "NOT_HELD", text=wrong.text)


async def hint(call: Call, command: looking.Hint) -> None:
    """Shows the person on turn the hard bot's choice, with a reason."""
    room, match = _my_turn(call, command.table)
    if not room.table.kind.practice:
        raise Refused("FORBIDDEN", "Hints are for practice tables.")
    step = teaching.step_of(room.table)
    if step is not None:
        call.ok(on=room.id, text=teaching.answer(room.table, step))
        return
    search = room.table.game.search
    if search is None:
        raise Refused("UNSUPPORTED", f"There are no hints for {room.table.game.title} yet.")
    asked = match.question
    found = await call.if_connected(room.evaluate(asked))
    if not found:
        raise Refused("BUSY", "No hint is available now; try again.", wait=1000)
    fact = search.fact(asked)
    text = hinted(found, asked, search.stake.said, fact, alike=search.risks_alike(asked))
    rows = [hint_row(move, fact=bool(fact)) for move in found]
    call.ok(*rows, on=room.id, n=len(rows), text=text)


def last(call: Call, command: looking.Last) -> None:
    """Shows the last trick that was taken."""
    room = call.room(command.table)
    check_watching(call.me, room)
    seat_then = room.models.seat_then(call.person.name if call.person else None)
    taken = _last_trick(room)
    if not taken:
        raise Refused("NO_GAME", "No trick has been taken yet.")
    rows: list[Line] = []
    for entry in taken:
        seat = seat_then(entry.seq)
        rows.append(Line(entry.voice(seat).sentence(entry.seen_by(seat))))
    call.inform(*rows, on=room.id, n=len(rows))


def _last_trick(room: AnyRoom) -> list[Entry]:
    """The plays of the last finished trick of this game, and its winner."""
    found: list[Entry] = []
    for entry in room.stream.backwards():  # most of a long game need not be unpacked
        match entry.event:
            case Played() | Took():
                found.append(entry)
            case Trick():
                if any(isinstance(each.event, Took) for each in found):
                    return found[::-1]
                found.clear()
            case Game_():
                break
    return []


async def _folded(
    call: Call,
    long_answers: LongAnswers,
    table: str | None,
    find: Callable[[Call, str | None], tuple[AnyRoom, Seat]],
) -> tuple[AnyRoom, Seat]:
    """The table and seat that `find` returns, once the model of that seat is up to date.

    The model is the fold of all past events. Folding may take a while, after which the table may be
    gone and the seat another one: so `find` is called again. Raises what `find` raises.
    """
    while True:
        room, seat = find(call, table)
        name = room.name_at(seat)
        if room.models.unfolded(name) <= FOLDED_AT_ONCE:
            return room, seat
        await long_answers.run(call, _fold(call, long_answers, room, name))


async def _fold(call: Call, long_answers: LongAnswers, room: AnyRoom, name: str | None) -> None:
    await long_answers.send_all(call, room.models.folding(name))


async def score(call: Call, command: looking.Score, long_answers: LongAnswers) -> None:
    """Shows the scores, and whose turn it is."""
    room, _ = await _folded(call, long_answers, command.table, _as_watcher)
    if room.table.match is None:
        raise Refused("NO_GAME", f"There has been no game at {room.id} yet.")
    voice = Voice(room.table.names, room.seat_number(call.person), room.table.game.key)
    rows = [Line(text) for text in _scores(room, voice)]
    asked = room.table.match.question
    text = None
    if asked is not None:
        whose = "your" if asked.seat == voice.me else voice.possessive(asked.seat)
        text = f"It is {whose} turn{time_for(asked, room.voice(None))}."
    call.inform(*rows, on=room.id, n=len(rows), text=text)


def _scores(room: AnyRoom, voice: Voice) -> list[str]:
    model = room.model(None)
    tell = GAME_SCORES.get(voice.game)
    if tell is not None:
        lines = tell(model, voice)
    else:
        lines = [f"{voice.name(no)}: {each.total}" for no, each in sorted(model.seats.items())]
    here = {each.name for each in model.seats.values()}
    mine = voice.names.get(voice.me or 0)
    wins = ", ".join(
        f"{'you' if name == mine else name} {n}" for name, n in room.table.wins if name in here
    )
    return [*lines, f"Games won here: {wins}."] if wins else lines


async def state(call: Call, command: looking.State, long_answers: LongAnswers) -> None:
    """Shows the person's whole knowledge of a table."""
    room, seat = await _folded(call, long_answers, command.table, _visible)
    if call.people:
        _state_for_people(call, room, seat)
        return
    first, *others = room.model(seat).rows()
    assert isinstance(first, looking.StateRow)
    # These two are not in the table's stream, and so not in the model.
    head = replace(first, nwatch=len(room.table.watchers), talk=room.kibitz.name)
    rows = [head, *(row for row in others if isinstance(row, Row | Event))]
    rows += room.clocks()
    call.ok(*rows, on=room.id, n=len(rows))


def _state_for_people(call: Call, room: AnyRoom, seat: int | None) -> None:
    model = room.model(seat)
    call.voice = voice = replace(room.voice(seat), show=call.session.display.show)
    rows: list[Row | Event] = [Line(f"{room.id}, {model.phase}.")]
    for side in model.game.sides or () if model.game else ():
        names = listed(voice.name(int(number)) for number in side.split("+"))
        rows.append(Line(f"Together: {names}."))
    for number, each in sorted(model.seats.items()):
        out = ", out" if each.out else ""
        shown = f": {plain_cards(each.seen)}" if each.seen else ""
        held = f"{'hold' if number == seat else 'holds'} {each.cards}{shown}"
        rows.append(Line(f"{voice.name(number)}: {each.total}, {held}{out} (seat {number})"))
    rows += map(Line, own_cards(room, voice))
    call.inform(*rows, *model.standing, on=room.id)


async def sync(
    call: Call,
    command: looking.Sync,
    access: Access,
    rooms: Rooms,
    long_answers: LongAnswers,
) -> None:
    """Sends the events of a stream again, from a number on."""
    stream = access.stream_named(call.me, command.stream.lower())
    check_seq(stream, command.from_)
    if command.n is not None and command.n < 1:
        raise Refused("BAD_ARG", "n takes a number from 1.", arg="n")
    seat_then = access.seat_seen_from(call.me, stream)
    missed = stream, command.from_, seat_then
    sending = _sync(call, missed, command.n or stream.last, rooms, long_answers)
    await long_answers.run(call, sending)


async def _sync(
    call: Call, missed: MissedEvents, most: int, rooms: Rooms, long_answers: LongAnswers
) -> None:
    stream, since, _ = missed
    more = stream.last > since + most
    seq = await long_answers.send_missed(call, missed, most)
    room = rooms.get(stream.name)
    # A client without the last events does not have the question either.
    clocks = room.clocks() if room and seq == stream.last else []
    call.ok(*clocks, on=stream.name, seq=seq, more=more or None)


def clock(call: Call, command: looking.ClockOf) -> None:
    """Shows the time left for the open questions."""
    room = call.room(command.table)
    check_watching(call.me, room)
    call.voice = Voice(room.table.names, room.seat_number(call.me), room.table.game.key)
    clocks = room.clocks()
    text = None if clocks else f"No clock runs at {room.id}."
    call.ok(*clocks, on=room.id, n=len(clocks), text=text if call.in_words else None)


HANDLERS: Handlers = {
    looking.Hand: hand,
    looking.MovesOf: moves,
    looking.Why: why,
    looking.Hint: hint,
    looking.Last: last,
    looking.Score: score,
    looking.State: state,
    looking.ClockOf: clock,
    looking.Sync: sync,
}
