"""The connections that are open, each the conversation on it with its link to the other end."""

from __future__ import annotations

from collections.abc import Iterator

from twentytwo_protocol.words.connection import Bye, Note

from ..ports import Link
from ..session.session import Session


class Connections:
    """All connections of a server. Whose they are, people know (`people.people.People.on`)."""

    def __init__(self) -> None:
        self._links: dict[int, tuple[Session, Link]] = {}

    def __len__(self) -> int:
        return len(self._links)

    def __iter__(self) -> Iterator[tuple[Session, Link]]:
        """All that are not being closed, each session with its link."""
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
        """Closes a connection once everything is written; its lines are no longer answered."""
        session.closing = True
        found = self._links.get(id(session))
        if found:
            found[1].hang_up()

    def dismiss(self, session: Session, text: str, wait: int | None = None) -> None:
        """Closes a connection because the operator wants it so, with a line that says why.

        `wait`: after so many milliseconds it makes sense to come back.
        """
        session.notice(Bye("KICKED", wait is not None, wait, text=text))
        self.hang_up(session)

    def notify_all(self, code: str, text: str) -> None:
        """Sends a notice to everybody who is connected."""
        for session, _ in list(self._links.values()):
            session.notice(Note(code, text=text))

    def table_closed(self, table: str) -> None:
        """Nobody's commands mean that table any more."""
        for session, _ in self._links.values():
            if session.current == table:
                session.current = None
