"""Commands of the lobby: who is here, games, tables, seeks, invitations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from twentytwo_protocol.schema import FOLLOWED, Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words import lobby as words
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.lobby import TableRow, User
from twentytwo_protocol.words.seating import Join
from twentytwo_protocol.words.session import At
from twentytwo_protocol.words.talk import Declined, Invited

from ...table.clocks import USUAL
from ...table.decision import Actor
from ...table.table import Phase, Settings
from ..access import seats_shown, visible_tables
from ..holdings import check_seat, check_seek
from ..host import Host
from ..lobby.seeks import Wish
from ..new_table import NewTable, new_table
from ..people.people import Person
from ..tables.auto_start import AutoStart
from ..tables.order_queue import Answer
from ..tables.room import Room
from .call import Call, Handlers
from .games import (
    game_called,
    game_of,
    game_rows,
    preset_of,
    preset_row,
    rule_rows,
    rules_at,
    rules_in_words,
    rules_of,
)
from .paging import in_order, page, position, texts
from .seating.sitting import sit_down


def who(call: Call, command: words.Who) -> None:
    """Lists the people who are connected; `filter` is a part of the name."""
    part = (command.filter or "").lower()
    here = [p for p in call.host.people if p.session and part in p.name.lower()]
    here.sort(key=_name)
    found = page(here, _name, command.n, command.after and command.after.lower())
    rows = [User(p.name, p.program, _seat_of(call, p)) for p in found.items]
    text = texts(f"{len(here)} here.", found.more("who")) if call.in_words else None
    call.ok(*rows, n=len(rows), next=found.next, text=text)


def _name(person: Person) -> str:
    return person.name.lower()


def _seat_of(call: Call, person: Person) -> str | None:
    rooms = seats_shown(call.host, person, call.person)
    return rooms[-1].id if rooms else None


def games(call: Call, command: words.Games) -> None:
    """Lists the games of the server."""
    found = in_order(list(game_rows(call.host.games.values())), command.n, command.after)
    call.ok(*found.items, n=len(found.items), next=found.next)


def rules(call: Call, command: words.Rules) -> None:
    """Lists the options of a game: in a preset, or as they are at the table of whoever asks."""
    if command.game is None and call.person is not None and call.session.current:
        room = call.room(None)
        game, preset = room.table.game, room.table.settings.preset
        made: Any = room.table.rules
        options = room.table.options()
        title = f"At {rules_at(room)}."
    else:
        game = game_of(call.host, command.game)
        preset = preset_of(game, command.rules)
        made = rules_of(game, preset, {})
        options = game.options(made)
        others = ", ".join(name for name in game.presets if name != preset)
        title = f"{game.title}, rules={preset}." + (f" There are also: {others}." if others else "")
    rows = [preset_row(game, preset, made), *rule_rows(game, preset, options)]
    found = in_order(rows, command.n, command.after)
    text = f"{title}\nhelp {rules_in_words(game)} has the rules." if call.in_words else None
    call.inform(*found.items, n=len(found.items), next=found.next, text=text)


def tables(call: Call, command: words.Tables) -> None:
    """Lists the tables that the person may see."""
    all_ = [_table(room) for room in visible_tables(call.host, call.person)]
    if command.game:
        called = game_called(call.host, command.game)
        all_ = [row for row in all_ if called is not None and row.game == called.key]
    if command.open:
        all_ = [row for row in all_ if _has_room(row)]
    all_.sort(key=_opened)
    found = page(all_, _opened, command.n, position(command.after), "t")
    rows = found.items
    lines = call.host.set_aside.sentences(call.person)
    if call.in_words:
        lines.append(
            "join tN sits down, watch tN looks on, open begins a table of your own."
            if rows
            else "No table yet: open begins one, practice plays against bots."
        )
        lines.append(found.more("tables"))
    stream = call.host.lobby.streams["tables"]
    call.ok(
        *rows,
        on=stream.name,
        seq=stream.last,
        n=len(rows),
        next=found.next,
        text=texts(*lines),
    )


def _has_room(row: TableRow) -> bool:
    return row.phase != Phase.PLAYING.value and row.taken < row.seats and not row.locked


def _opened(row: TableRow) -> int:
    """The number of a table: they are counted as they are opened."""
    return int(row.on[1:])


def _table(room: Room) -> TableRow:
    table = room.table
    return TableRow(
        room.id,
        table.game.key,
        table.settings.seats,
        len(table.seats),
        table.phase.value,
        table.host,
        table.locked,
        table.settings.title or None,
        len(table.watchers),
        table.settings.twin or None,
    )


def follow(call: Call, command: words.Follow) -> None:
    """Has the connection follow one stream, or all three."""
    game = game_of(call.host, command.game).key if command.game else ""
    streams = _followed(command.stream)
    if game and command.stream == "people":
        raise Refused("BAD_ARG", "People are of no game.", arg="game")
    for on in streams:
        call.host.lobby.follow(call.session, on, "" if on == "people" else game)
    _following(call, streams, "You follow the lobby.")


def unfollow(call: Call, command: words.Unfollow) -> None:
    """Ends that."""
    streams = _followed(command.stream)
    for on in streams:
        call.host.lobby.unfollow(call.session, on)
    _following(call, streams, "You no longer follow the lobby.")


def _followed(stream: str | None) -> tuple[str, ...]:
    if stream is None:
        return FOLLOWED
    if stream not in FOLLOWED:
        text = f"{', '.join(FOLLOWED)} can be followed; watch tN looks on at a table."
        raise Refused("BAD_ARG", text, arg="stream")
    return (stream,)


def _following(call: Call, streams: Sequence[str], text: str) -> None:
    """Answers with where each of the streams stands: a row for each if there are several."""
    at = [At(on, call.host.lobby.streams[on].last) for on in streams]
    if len(at) == 1:
        call.ok(on=at[0].on, seq=at[0].seq, text=text)
    else:
        call.ok(*at, text=text)


# ----------------------------------------------------------------------------- seeking


def seek(call: Call, command: words.Seek) -> None:
    """Opens a seek; if enough people now look for the same, opens a table for them instead."""
    game = game_of(call.host, command.game)
    options = dict(command.options or {})
    preset = preset_of(game, command.rules)
    made = rules_of(game, preset, options)
    span = game.players(made)
    players = command.players or max(2, span.start)
    if players not in span:
        most = span.stop - 1
        takes = f"{span.start} to {most}" if most > span.start else f"{most}"
        raise Refused("BAD_ARG", f"{game.title} takes {takes} players.", arg="players")
    usual = {option.name: option.value for option in game.options(game.presets[preset])}
    changed = [(o.name, o.value) for o in game.options(made) if o.value != usual[o.name]]
    _look_for(call, Wish(call.me.name, game.key, players, preset, tuple(changed)))


def _look_for(call: Call, wanted: Wish) -> None:
    """Seats those who want the same together if they are enough, or opens a seek."""
    host, game, players = call.host, call.host.games[wanted.game], wanted.players
    check_seek(host, call.me)
    number = host.seeks.next()
    same = host.seeks.like(wanted, lambda name: _free(host, name))
    others = [name for name in same if name != call.me.name]
    if len(others) + 1 < players:
        more = "one more player" if players == 2 else f"{players - 1} more players"
        before = (
            " instead of what you looked for before" if host.seeks.seeking(call.me.name) else ""
        )
        call.ok(seek=number, text=f"You look for {more} for {game.title}{before}. unseek stops.")
        host.seeks.withdraw(call.me.name)
        host.seeks.add(number, wanted)
        return
    names = [*others[: players - 1], call.me.name]
    # People are told more by the note that follows.
    text = None if call.people else "Found!"
    _seat_together(call, names, wanted, {"seek": number, "text": text})
    for name in names:
        host.seeks.withdraw(name)


def _free(host: Host, name: str) -> bool:
    """True if the person is connected and may sit at one more table."""
    person = host.people.find(name)
    if person is None or person.session is None:
        return False
    return len(person.tables) < host.config.tables_each


def _seat_together(call: Call, names: list[str], wanted: Wish, found: Mapping[str, Any]) -> None:
    """Opens a table for these people and seats them. Raises `Refused`.

    The command is answered with the fields `found`, before anybody is told.
    """
    host = call.host
    game = host.games[wanted.game]
    preset = wanted.preset
    first, *others = [p for p in map(host.people.find, names) if p is not None]
    settings = Settings(wanted.players, preset, clock=USUAL)
    made = rules_of(game, preset, dict(wanted.options))
    who = Actor(first.name, first.program)

    def opened(room: Room, answer: Answer) -> None:
        if answer.refusal is not None:
            call.refuse(answer.refusal)
            return
        call.ok(**found)
        text = f"Found! You play {game.title} at {room.id}; it begins in a moment."
        told = Note("FOUND", room.id, text)
        for person in (first, *others):
            if person.session is not None:
                person.session.current = room.id
                person.session.notice(told)
        for person in others:
            room.order(Actor(person.name, person.program), Join(room.id))
        AutoStart(room, [first, *others]).check()

    new_table(
        host,
        who,
        NewTable(game, made, settings, sought=True),
        answered=opened,
        kept=lambda room, answer: call.kept(lambda: found),
    )


def unseek(call: Call, _: words.Unseek) -> None:
    """Ends the person's seek."""
    if not call.host.seeks.seeking(call.me.name):
        raise Refused("NO_SUCH_SEEK", "You are not looking for players.")
    call.ok(text="You no longer look for players.")
    call.host.seeks.withdraw(call.me.name)


def seeks(call: Call, command: words.Seeks) -> None:
    """Lists the open seeks."""
    all_ = call.host.seeks.rows()
    found = page(all_, lambda row: row.seek, command.n, position(command.after))
    none = None if all_ else f"Nobody looks for players; seek {DEFAULT_GAME} does."
    text = texts(none, found.more("seeks")) if call.in_words else None
    call.ok(*found.items, n=len(found.items), next=found.next, text=text)


# ---------------------------------------------------------------------------- inviting


async def invite(call: Call, command: words.Invite) -> None:
    """Invites somebody to the person's table."""
    room = call.room(command.table)
    if room.seat_number(call.me) is None:
        raise Refused("NOT_SEATED", "You can only invite people to a table where you sit.")
    other = call.host.people.named(command.name)
    if other.invited.get(call.me.name.lower()) == room.id:
        call.ok(text=f"{other.name} is invited already.")
        return
    other.invited[call.me.name.lower()] = room.id
    table = room.table
    invited = Invited(call.me.name, room.id, table.game.key, table.settings.watch or None)
    mail = [(other, invited)] if call.me.name not in other.blocked else []
    text = f"{other.name} is invited."
    posted = await call.host.inboxes.post(mail, lambda _: call.kept(lambda: {"text": text}))
    call.ok(text=text)
    call.host.inboxes.deliver(posted)


def accept(call: Call, command: words.Accept) -> None:
    """Sits down at the table of an invitation, or looks for the same as an open seek."""
    if command.seek is not None:
        _accept_seek(call, command.seek)
        return
    name = command.name or _only_inviter(call)
    if name is None:
        raise Refused("BAD_ARG", "Whose invitation? accept NAME, or accept seek=N.", arg="name")
    check_seat(call.host, call.me)
    room = _invitation(call, name, command.table)
    sit_down(call, room, Join(room.id))


def _only_inviter(call: Call) -> str | None:
    """Whose invitation a person means who names none; None if there are several, or none."""
    open_ = [name for name, table in call.me.invited.items() if table in call.host.rooms]
    return open_[0] if len(open_) == 1 else None


def _accept_seek(call: Call, number: int) -> None:
    wish = call.host.seeks.wish(number)
    if wish is None:
        raise Refused("NO_SUCH_SEEK", "Nobody looks for players under that number (any more).")
    if wish.name == call.me.name:
        raise Refused("BAD_ARG", "That is your own seek; unseek ends it.", arg="seek")
    _look_for(call, replace(wish, name=call.me.name))


async def decline(call: Call, command: words.Decline) -> None:
    """Turns an invitation down, and lets the inviter know."""
    room = _invitation(call, command.name, command.table)
    text = f"You turn down {command.name}'s invitation to {room.id}."
    host = call.host.people.find(command.name)
    heard = host is not None and call.me.name not in host.blocked
    mail = [(host, Declined(call.me.name, room.id))] if host is not None and heard else []
    posted = await call.host.inboxes.post(mail, lambda _: call.kept(lambda: {"text": text}))
    call.ok(text=text)
    call.host.inboxes.deliver(posted)


def _invitation(call: Call, name: str, table: str | None) -> Room:
    """Takes the invitation from somebody, to that table where one is named. Raises `Refused`."""
    host = call.host.people.find(name)
    key = (host.name if host else name).lower()
    invited = call.me.invited.get(key, "")
    room = call.host.rooms.get(invited) if table in (None, invited) else None
    if room is not None or table is None:
        call.me.invited.pop(key, None)
    if room is None:
        raise Refused("NO_SUCH_TABLE", f"{name} has not invited you, or the table is gone.")
    return room


HANDLERS: Handlers = {
    words.Who: who,
    words.Games: games,
    words.Rules: rules,
    words.Tables: tables,
    words.Follow: follow,
    words.Unfollow: unfollow,
    words.Seek: seek,
    words.Unseek: unseek,
    words.Seeks: seeks,
    words.Invite: invite,
    words.Accept: accept,
    words.Decline: decline,
}
