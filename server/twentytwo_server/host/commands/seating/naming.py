"""Finds a table by its id, by a player's name, or by its secret word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from twentytwo_protocol.schema import Refused

from ....limits.quotas import Quotas
from ....table.table import Phase
from ...access import Access
from ...people.elsewhere import Elsewhere
from ...people.people import People
from ...tables.rooms import AnyRoom, Rooms
from ..call import Call

TABLE = re.compile("t[0-9]+")
"""The id of a table."""


@dataclass(slots=True)
class TableFinder:
    """Finds tables, and counts wrong guesses of secret words."""

    _people: People
    _elsewhere: Elsewhere
    _rooms: Rooms
    _access: Access
    _quotas: Quotas

    def meant(self, call: Call, wanted: str, *, instead: str) -> AnyRoom:
        """The table with that id or secret word, or the table of the person with that name.

        Of a pair of tables with one word, it is the one with fewer people. A secret word is a guess
        unless it may mean a table or a person; a wrong guess counts against the address.

        Raises `Refused` if there is no such table that the sender may know of, or after too many
        wrong guesses. If `wanted` is a person without a seat, the refusal ends with `instead`, in
        which `{name}` stands for that person.
        """
        word, quotas = wanted.lower(), self._quotas
        if TABLE.fullmatch(word):
            return call.room(word)
        person = self._people.find(wanted) or self._elsewhere.find(wanted)
        if person is not None:
            shown = self._access.seats_shown(person, call.person)
        else:
            shown = self._access.seats_by_name(wanted, call.person)
        named = call.room(shown[-1].on) if shown else _table_numbered(call, word)
        if named is None:
            quotas.check_word(call.me.network)
        private = [
            room for room in self._rooms.values() if room.table.settings.word.lower() == word
        ]
        if wanted and private:
            return min(
                private,
                key=lambda room: (room.table.phase is Phase.PLAYING, len(room.table.people)),
            )
        if named is None:
            quotas.wrong_word(call.me.network, call.me.share)
            if person is not None and self._elsewhere.find_connected(person.name) is not None:
                advice = instead.format(name=person.name)
                text = f"{person.name} sits at no table that you know of: {advice}"
                raise Refused("NO_SUCH_TABLE", text, arg="table")
            return call.room(f"t{word}" if word.isdigit() else wanted)
        return named


def _table_numbered(call: Call, word: str) -> AnyRoom | None:
    try:
        return call.room(f"t{word}") if word.isdigit() else None
    except Refused:
        return None
