"""The summary of a table for a person who looks at it or comes back."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from twentytwo_protocol.glance import glance
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice, plural
from twentytwo_protocol.words.cardplay import Aborted, Game_, Gameover, Result, Turn
from twentytwo_protocol.words.seating import Presence

from ..tables.rooms import AnyRoom, Rooms
from .call import Call

FOLDED_AT_ONCE = 100
"""Maximum number of events folded at once for an answer; more are folded in slices."""


def how_it_stands(room: AnyRoom, voice: Voice) -> Iterator[Event | str]:
    """The summary for the person whom `Room.voice` addresses: the scores, cards, trick and
    question of a running game, or the result of a finished one.
    """
    seat = voice.me
    table = room.model(seat)
    if table.phase != "playing":
        ended = (Result, Gameover, Aborted)
        yield from (e.event for e in room.game_entries() if isinstance(e.event, ended))
        return
    made = _made_for(room, seat)
    if made:
        yield f"While you were away {plural(made, 'move')} of yours had to be made for you."
    # The question tells the rest to the player on turn.
    asked = any(isinstance(each, Turn) and each.seat == seat for each in table.standing)
    yield from _in_view(room, voice, facts=not asked)
    yield from own_cards(room, voice)
    yield from (each for each in table.standing if type(each).scope in ("trick", "turn"))


def show_standing(call: Call, room: AnyRoom, seat: int | None) -> None:
    """Sends a person the summary of a table; does nothing for a program.

    `seat` is the person's own; None for a watcher.
    """
    if call.people:
        voice = replace(room.voice(seat), show=call.session.display.show)
        call.session.say_again(how_it_stands(room, voice), voice, room.id)


def ask_again(call: Call, rooms: Rooms) -> None:
    """Repeats the question of the current table after a long answer, if the person is on turn.

    In a lesson the answer itself ends with what to type.
    """
    room = rooms.meant(call.session) if call.people else None
    seat = room.seat_number(call.person) if room is not None else None
    if room is None or seat is None or room.table.kind.taught:
        return
    if room.models.unfolded(room.name_at(seat)) > FOLDED_AT_ONCE:
        return
    asked = [e for e in room.model(seat).standing if isinstance(e, Turn) and e.seat == seat]
    call.session.say_again(asked, room.voice(seat), room.id)


def own_cards(room: AnyRoom, voice: Voice) -> Iterator[str]:
    """A line with the addressed person's cards, unless the open question shows them."""
    table = room.model(voice.me)
    shown = any(isinstance(e, Turn) and e.seat == voice.me and e.hand for e in table.standing)
    if table.holding and not shown:
        yield holding(table, voice)


def holding(table: TableModel, voice: Voice) -> str:
    """The addressed person's cards, with a face-down card apart."""
    down = glance(table, voice).down
    held = voice.show(card for card in voice.in_hand(table.holding) if card != down)
    return f"Your cards: {held}" + (f".  Face down: {voice.show((down,))}." if down else "")


def _in_view(room: AnyRoom, voice: Voice, *, facts: bool) -> Iterator[str]:
    table = room.model(voice.me)
    seen = glance(table, voice)
    notes = seen.notes if facts else {}
    each = [
        f"{voice.name(seat)} {one.total}" + (f" ({notes[seat]})" if notes.get(seat) else "")
        for seat, one in sorted(table.seats.items())
    ]
    yield f"Scores: {', '.join(each)}."
    if facts and seen.facts:
        yield " ".join(f"{fact[0].upper()}{fact[1:]}." for fact in seen.facts)


def _made_for(room: AnyRoom, seat: int | None) -> int:
    """Number of moves that the clock or a bot has made for a seat since its owner left."""
    made = since_they_left = 0
    for entry in room.stream.backwards():
        match entry.event:
            case Game_():
                break
            case Presence(seat=there, here=here, bot=bot) if there == seat:
                if here and not bot:
                    break
                since_they_left = since_they_left if here else made
            case moved if getattr(moved, "auto", False) and getattr(moved, "seat", None) == seat:
                made += 1
    return since_they_left
