"""Which function answers which command. A test walks all commands: none is without an answer."""

from __future__ import annotations

from . import fairness, lobby, looking, records, seating, talk
from .accounts import credentials, login, profiles
from .call import Handlers
from .session import identity, information

HANDLERS: Handlers = {
    **login.HANDLERS,
    **identity.HANDLERS,
    **information.HANDLERS,
    **fairness.HANDLERS,
    **credentials.HANDLERS,
    **lobby.HANDLERS,
    **looking.HANDLERS,
    **records.HANDLERS,
    **profiles.HANDLERS,
    **seating.HANDLERS,
    **talk.HANDLERS,
}
