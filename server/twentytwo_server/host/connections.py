"""The open connections: each session with its link."""

from __future__ import annotations

from collections.abc import Iterator

from twentytwo_protocol.words.connection import Bye, Note

from ..ports import Link
from ..session.session import Session

REPLACED_TEXT = "You are connected from elsewhere now."


class Connections:
    """All connections of a server. `people.people.People.on` has the person of each."""

    def __init__(self) -> None:
        self._links: dict[int, tuple[Session, Link]] = {}

    def __len__(self) -> int:
        return len(self._links)

    def __iter__(self) -> Iterator[tuple[Session, Link]]:
        """All connections that are not being closed, each session with its link."""
        return iter([pair for pair in self._links.values() if not pair[0].closing])

    def add(self, session: Session, link: Link) -> None:
        """Registers a new connection."""
        self._links[id(session)] = session, link

    def remove(self, session: Session) -> None:
        """Forgets a connection that is gone."""
        self._links.pop(id(session), None)

    def link(self, session: Session) -> Link | None:
        """The link of a session; None if its connection is closed or is being closed."""
        found = self._links.get(id(session))
        return found[1] if found and not session.closing else None

    def hang_up(self, session: Session) -> None:
        """Closes a connection when everything is written; further lines are not answered."""
        session.closing = True
        found = self._links.get(id(session))
        if found:
            found[1].hang_up()

    def replace(self, session: Session) -> None:
        """Tells a connection that a newer one replaces it, removes its person and closes it."""
        session.notice(Bye("REPLACED", False, text=REPLACED_TEXT))
        session.name = None
        self.hang_up(session)

    def dismiss(self, session: Session, text: str, wait: int | None = None) -> None:
        """Closes a connection for the operator, with the line `text`.

        The client may come back after `wait` milliseconds.
        """
        session.notice(Bye("KICKED", wait is not None, wait, text=text))
        self.hang_up(session)

    def notify_all(self, code: str, text: str) -> None:
        """Sends a notice to everybody who is connected."""
        for session, _ in list(self._links.values()):
            session.notice(Note(code, text=text))

    def table_closed(self, table: str) -> None:
        """A closed table is no longer the current table of any connection."""
        for session, _ in self._links.values():
            if session.current == table:
                session.current = None
