"""The alarm when a resume token is used again that was replaced: two parties have had it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from twentytwo_protocol.words.connection import Warn

from ..ports import Store
from .people.people import People, digest_of

log = logging.getLogger("twentytwo.people")


@dataclass(slots=True)
class TokenAlarm:
    """Revokes all tokens of a person one of whose replaced tokens was used: nobody knows the thief.

    `tell_others` tells other servers of such a token, by its hash: the person may be at one of
    those. None if there are none.
    """

    _people: People
    _store: Store
    tell_others: Callable[[bytes], None] | None = field(init=False, default=None)

    def used(self, token: str) -> None:
        """Notes that somebody has used a token that is not valid."""
        digest = digest_of(token)
        if not self.raise_for(digest) and self.tell_others is not None:
            self.tell_others(digest)

    def raise_for(self, digest: bytes) -> bool:
        """Revokes the tokens of the person who had the token with this hash, and warns them.

        Returns False if nobody here had it.
        """
        person = self._people.by_used_token(digest)
        if person is None:
            return False
        self._people.forget_secrets(person)
        person.used_secrets = ()
        self._store.keep([person.fact], lambda: None)
        log.warning("a token of %s was used again; all of them are revoked", person.name)
        if person.session is not None:
            person.session.notice(
                Warn(
                    "TOKEN_REVOKED",
                    "An old token of yours was used again, so that none takes your place back any "
                    "more. If it was not you, somebody else had it.",
                )
            )
        return True
