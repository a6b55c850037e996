"""Which function answers which command. A test walks all commands: none is without an answer."""

from __future__ import annotations

from . import cardplay, fairness, lobby, looking, records, seating, talk
from .accounts import credentials, login, profiles
from .call import Handlers
from .session import identity, information

HANDLERS: Handlers = {
    **cardplay.HANDLERS,
    **credentials.HANDLERS,
    **fairness.HANDLERS,
    **identity.HANDLERS,
    **information.HANDLERS,
    **lobby.HANDLERS,
    **login.HANDLERS,
    **looking.HANDLERS,
    **profiles.HANDLERS,
    **records.HANDLERS,
    **seating.HANDLERS,
    **talk.HANDLERS,
}
