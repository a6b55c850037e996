"""Who may see what: a table, a stream, a game that runs, a game that is over.

Every command that shows something of a table or a game asks here. What somebody may not know of is
refused in the same words as what is not there.
"""

from __future__ import annotations

from twentytwo_protocol.schema import Refused

from ..facts import GameEnded
from ..session.streams import Stream
from .host import Host
from .people.people import Person
from .tables.room import Room

# ------------------------------------------------------------------------------- tables


def may_see_table(person: Person | None, room: Room) -> bool:
    """Whether somebody may know of a table: private ones those who are in it, or invited."""
    settings = room.table.settings
    if not (settings.word or settings.practice):
        return True
    if person is None:
        return False
    return person.name in room.audience(room.table) or room.id in person.invited.values()


def visible_tables(host: Host, person: Person | None) -> list[Room]:
    """All tables that somebody may know of, in the order in which they were opened."""
    return [room for room in host.rooms.values() if may_see_table(person, room)]


def seats_shown(host: Host, owner: Person, viewer: Person | None) -> list[Room]:
    """The tables where somebody has a seat, as far as the viewer may know of them."""
    return [room for room in host.rooms_of(owner) if may_see_table(viewer, room)]


def table_named(host: Host, person: Person | None, name: str) -> Room:
    """The table of that name, `t7`. Raises `Refused`: there is none, or not for them."""
    room = host.rooms.get(name.lower())
    if room is None or not may_see_table(person, room):
        set_aside = host.set_aside.table(name, person)
        text = set_aside.sentence if set_aside else f"There is no table {name}."
        raise Refused("NO_SUCH_TABLE", text, arg="table")
    return room


# ------------------------------------------------------------------------------ streams


def stream_named(host: Host, person: Person, name: str) -> Stream:
    """A stream that somebody may read. Raises `Refused`."""
    if name == "me":
        return person.inbox
    if name == "lobby":
        return host.lobby.stream
    room = host.rooms.get("t" + name[1:]) if name[:1] in ("t", "k") else None
    if room is None or not may_see_table(person, room):
        set_aside = host.set_aside.table(name, person)
        text = set_aside.sentence if set_aside else f"There is no stream {name}."
        raise Refused("NO_SUCH_TABLE", text, arg="stream")
    if name.startswith("k"):
        return _watchers_talk(person, room)
    check_watching(person, room)
    return room.stream


def _watchers_talk(person: Person, room: Room) -> Stream:
    """What the watchers say: not for those who play."""
    running = room.table.match is not None and not room.table.match.over
    if running and room.seat_number(person) is not None:
        raise Refused("FORBIDDEN", "Players read the watchers' talk after the game.")
    return room.kibitz


def check_watching(person: Person, room: Room) -> None:
    """Raises `Refused` unless somebody sits at a table, or may look on there."""
    if not room.table.settings.watch and room.seat_number(person) is None:
        raise Refused("FORBIDDEN", f"{room.id} is not open to watchers.")


def seat_seen_from(host: Host, person: Person, stream: Stream) -> int | None:
    """From which seat somebody sees a stream; only a table's is seen from one."""
    room = host.rooms.get(stream.name)
    return room.seat_number(person) if room is not None else None


def check_seq(stream: Stream, seq: int) -> None:
    """Raises `Refused` unless the stream goes that far and still has what comes after."""
    if seq > stream.last:
        raise Refused("BAD_SEQ", f"{stream.name} has {stream.last} events.", have=stream.last)
    if seq < stream.oldest - 1:
        raise Refused(
            "GONE", f"{stream.name} is kept from number {stream.oldest} on.", oldest=stream.oldest
        )


# -------------------------------------------------------------------------------- games


def may_see_game(person: Person, game: GameEnded) -> bool:
    """Whether somebody may look back at a game that is over."""
    return game.public or has_played(person, game)


def has_played(person: Person, game: GameEnded) -> bool:
    """Whether they had a seat in it: they themselves, not a guest of the same name before them."""
    named = any(seat.name.lower() == person.name.lower() for seat in game.seats)
    return named and (not person.guest or game.at >= person.since)


def may_see_running(person: Person | None, room: Room) -> bool:
    """Whether somebody is shown the game that runs at a table: from a seat there, or looking on."""
    if room.seat_number(person) is not None:
        return True
    return room.table.settings.watch and may_see_table(person, room)


def no_such_game(host: Host, person: Person | None, game: str) -> Refused:
    """What is said of a game that is not there, or is not for them."""
    text = f"There is no game {game}; history lists yours."
    set_aside = host.set_aside.game(game)
    if set_aside is not None and set_aside.known_to(person):
        text = set_aside.sentence_of(game)
    return Refused("NO_SUCH_GAME", text, arg="id")
