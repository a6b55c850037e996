"""The effects of bans and mutes on the people at this server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twentytwo_protocol.words.connection import Note

from ...facts import Fact, Sanction
from ..connections import Connections
from ..people.people import People
from .networks import Network, is_in
from .sanctions import until


@dataclass(slots=True)
class Enforcement:
    """Closes the connections of those who are banned, and tells people of their mutes."""

    _people: People
    _connections: Connections

    def close_network(self, ban: Sanction, banned: Network) -> int:
        """Closes the connections of a banned network; returns their number."""
        sessions = [s for s, link in self._connections if is_in(link.address, banned)]
        for session in sessions:
            self._connections.dismiss(session, f"Your address is banned {until(ban)}")
        return len(sessions)

    def close_account(self, ban: Sanction) -> Sequence[Fact]:
        """Ends the sessions of a banned account; returns the facts to store. Seats are kept."""
        person = self._people.exact(ban.target)
        if person is None:
            return ()
        self._people.forget_secrets(person)
        person.used_secrets = ()
        person.arrivals += 1  # refuses a login to the account that is in progress
        if person.session is not None:
            self._connections.dismiss(person.session, f"{person.name} is banned {until(ban)}")
        return [person.fact]

    def tell_muted(self, mute: Sanction) -> None:
        """Tells a person of their mute."""
        self._notice(mute.target, Note("MUTED", text=f"You are muted {until(mute)}"))

    def tell_unmuted(self, name: str) -> None:
        """Tells a person of the end of their mute."""
        self._notice(name, Note("UNMUTED", text="You may talk again."))

    def _notice(self, name: str, note: Note) -> None:
        session = self._people.session_of(name)
        if session is not None:
            session.notice(note)
