"""How things stand at a table, as a person there is told who looks or comes back."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from twentytwo_protocol.glance import glance
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice, plural
from twentytwo_protocol.words.cardplay import Aborted, Game_, Gameover, Result, Turn
from twentytwo_protocol.words.seating import Presence

from ..tables.room import Room
from .call import Call

AT_ONCE = 100
"""Events that are folded at once for an answer; more of them in slices."""


def how_it_stands(room: Room, voice: Voice) -> Iterator[Event | str]:
    """What the one whom `Room.voice` addresses has to know to go on: in a game the scores, their
    cards, the trick and the question; after it how it ended.
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
    # The question says the rest to whom it asks.
    asked = any(isinstance(each, Turn) and each.seat == seat for each in table.standing)
    yield from _in_view(room, voice, facts=not asked)
    yield from own_cards(room, voice)
    yield from (each for each in table.standing if type(each).scope in ("trick", "turn"))


def show_standing(call: Call, room: Room, seat: int | None) -> None:
    """Tells a person at the other end how things stand at a table; does nothing for a program.

    `seat` is the person's own; None for a watcher.
    """
    if call.people:
        voice = replace(room.voice(seat), show=call.session.display.show)
        call.session.say_again(how_it_stands(room, voice), voice, room.id)


def ask_again(call: Call) -> None:
    """Asks a person at their current table once more, after a long answer, if they are on turn.

    In a lesson the answer itself has ended with what to type.
    """
    room = call.host.rooms.meant(call.session) if call.people else None
    seat = room.seat_number(call.person) if room is not None else None
    if room is None or seat is None or room.table.kind.taught:
        return
    if room.models.unfolded(room.name_at(seat)) > AT_ONCE:
        return
    asked = [e for e in room.model(seat).standing if isinstance(e, Turn) and e.seat == seat]
    call.session.say_again(asked, room.voice(seat), room.id)


def own_cards(room: Room, voice: Voice) -> Iterator[str]:
    """A line with the cards of the one addressed, unless the open question shows them."""
    table = room.model(voice.me)
    shown = any(isinstance(e, Turn) and e.seat == voice.me and e.hand for e in table.standing)
    if table.holding and not shown:
        yield holding(table, voice)


def holding(table: TableModel, voice: Voice) -> str:
    """The cards of the one addressed, one that lies face down apart."""
    down = glance(table, voice).down
    held = voice.show(card for card in voice.in_hand(table.holding) if card != down)
    return f"Your cards: {held}" + (f".  Face down: {voice.show((down,))}." if down else "")


def _in_view(room: Room, voice: Voice, *, facts: bool) -> Iterator[str]:
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


def _made_for(room: Room, seat: int | None) -> int:
    """How many moves the clock or a bot has made for a seat in this game since its owner left."""
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
