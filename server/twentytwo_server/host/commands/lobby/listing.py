"""Commands of the lobby that list people, games and tables, or follow its streams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twentytwo_protocol.schema import FOLLOWED, Refused
from twentytwo_protocol.words import lobby as words
from twentytwo_protocol.words.lobby import TableRow, User
from twentytwo_protocol.words.session import At

from ....games.game import Games
from ....table.table import Phase
from ...access import Access
from ...lobby.lobby import Lobby
from ...lobby.seeks import Seeks
from ...people.elsewhere import AnyPerson, Elsewhere
from ...tables.set_aside import SetAsideTables
from ..call import Call, Handlers
from ..games import (
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
from ..paging import in_order, page, position, texts


def who(
    call: Call,
    command: words.Who,
    elsewhere: Elsewhere,
    access: Access,
    seeks: Seeks,
) -> None:
    """Lists the people who are connected; `filter` is a part of the name."""
    part = (command.filter or "").lower()
    here = sorted((p for p in elsewhere.connected() if part in p.name.lower()), key=_name)
    found = page(here, _name, command.n, command.after and command.after.lower())
    seats = access.all_seats_shown(found.items, call.person)
    rows = [
        User(p.name, p.program, tables[-1].on if tables else None)
        for p, tables in zip(found.items, seats, strict=True)
    ]
    told = f"{len(here)} here.", seeks.told_to(call.session.name), found.more("who")
    text = texts(*told) if call.in_words else None
    call.ok(*rows, n=len(rows), next=found.next, text=text)


def _name(person: AnyPerson) -> str:
    return person.name.lower()


def list_games(call: Call, command: words.Games, games: Games) -> None:
    """Lists the games of the server."""
    found = in_order(list(game_rows(games.values())), command.n, command.after)
    call.ok(*found.items, n=len(found.items), next=found.next)


def rules(call: Call, command: words.Rules, games: Games) -> None:
    """Lists the options of a game: in a preset, or at the sender's table."""
    if command.game is None and call.person is not None and call.session.current:
        room = call.room(None)
        game, preset = room.table.game, room.table.settings.preset
        made: Any = room.table.rules
        options = room.table.options()
        title = f"At {rules_at(room)}."
    else:
        game = game_of(games, command.game)
        preset = preset_of(game, command.rules)
        made = rules_of(game, preset, {})
        options = game.options(made)
        others = ", ".join(name for name in game.presets if name != preset)
        title = f"{game.title}, rules={preset}." + (f" There are also: {others}." if others else "")
    rows = [preset_row(game, preset, made), *rule_rows(game, preset, options)]
    found = in_order(rows, command.n, command.after)
    text = f"{title}\nhelp {rules_in_words(game)} has the rules." if call.in_words else None
    call.inform(*found.items, n=len(found.items), next=found.next, text=text)


@dataclass(slots=True)
class NotListed:
    """Sentences after the listed tables: tables set aside, and seeks."""

    _set_aside: SetAsideTables
    _seeks: Seeks

    def sentences(self, call: Call) -> list[str | None]:
        """The tables set aside, and the people who look for players."""
        return [*self._set_aside.sentences(call.person), self._seeks.told_to(call.session.name)]


def tables(
    call: Call,
    command: words.Tables,
    games: Games,
    access: Access,
    not_listed: NotListed,
    lobby: Lobby,
) -> None:
    """Lists the tables that the person may see."""
    all_ = [*access.visible_tables(call.person)]
    if command.game:
        called = game_called(games, command.game)
        all_ = [row for row in all_ if called is not None and row.game == called.key]
    if command.open:
        all_ = [row for row in all_ if _has_room(row)]
    all_.sort(key=_opened)
    found = page(all_, _opened, command.n, position(command.after), "t")
    rows = found.items
    lines = not_listed.sentences(call)
    if call.in_words:
        lines.append(
            "join tN sits down, watch tN looks on, open begins a table of your own."
            if rows
            else "No table yet: open begins one, practice plays against bots."
        )
        lines.append(found.more("tables"))
    stream = lobby.streams["tables"]
    call.ok(
        *rows,
        on=stream.name,
        seq=stream.last,
        n=len(rows),
        next=found.next,
        text=texts(*lines),
    )


def _has_room(row: TableRow) -> bool:
    if row.phase == Phase.PLAYING.value:
        return bool(row.vacant)
    return row.taken < row.seats and not row.locked


def _opened(row: TableRow) -> int:
    """The number of a table, in the order of opening."""
    return int(row.on[1:])


def follow(call: Call, command: words.Follow, games: Games, lobby: Lobby) -> None:
    """Makes the connection follow one stream, or all three."""
    game = game_of(games, command.game).key if command.game else ""
    streams = _followed(command.stream)
    if game and command.stream == "people":
        raise Refused("BAD_ARG", "people has no game.", arg="game")
    for on in streams:
        lobby.follow(call.session, on, "" if on == "people" else game)
    _following(call, lobby, streams, "You follow the lobby.")


def unfollow(call: Call, command: words.Unfollow, lobby: Lobby) -> None:
    """Makes the connection follow one stream, or all three, no longer."""
    streams = _followed(command.stream)
    for on in streams:
        lobby.unfollow(call.session, on)
    _following(call, lobby, streams, "You no longer follow the lobby.")


def _followed(stream: str | None) -> tuple[str, ...]:
    if stream is None:
        return FOLLOWED
    if stream not in FOLLOWED:
        text = f"{', '.join(FOLLOWED)} can be followed; watch tN looks on at a table."
        raise Refused("BAD_ARG", text, arg="stream")
    return (stream,)


def _following(call: Call, lobby: Lobby, streams: Sequence[str], text: str) -> None:
    """Answers with the position of each stream: a row for each if there are several."""
    at = [At(on, lobby.streams[on].last) for on in streams]
    if len(at) == 1:
        call.ok(on=at[0].on, seq=at[0].seq, text=text)
    else:
        call.ok(*at, n=len(at), text=text)


HANDLERS: Handlers = {
    words.Who: who,
    words.Games: list_games,
    words.Rules: rules,
    words.Tables: tables,
    words.Follow: follow,
    words.Unfollow: unfollow,
}
