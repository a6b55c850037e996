"""The handlers of all commands. A test checks that no command is without one."""

from __future__ import annotations

from . import (
    cardplay,
    daily,
    fairness,
    friends,
    lab,
    lessons,
    looking,
    practising,
    reviewing,
    statistics,
    talk,
)
from .accounts import credentials, login, profiles
from .call import Handlers
from .lobby import inviting, listing, seeking
from .records import exporting, looking_back
from .seating import opening, sitting, watching
from .session import identity, information

HANDLERS: Handlers = {
    **cardplay.HANDLERS,
    **credentials.HANDLERS,
    **daily.HANDLERS,
    **exporting.HANDLERS,
    **fairness.HANDLERS,
    **friends.HANDLERS,
    **identity.HANDLERS,
    **information.HANDLERS,
    **inviting.HANDLERS,
    **lab.HANDLERS,
    **lessons.HANDLERS,
    **listing.HANDLERS,
    **login.HANDLERS,
    **looking.HANDLERS,
    **profiles.HANDLERS,
    **practising.HANDLERS,
    **looking_back.HANDLERS,
    **reviewing.HANDLERS,
    **opening.HANDLERS,
    **seeking.HANDLERS,
    **sitting.HANDLERS,
    **watching.HANDLERS,
    **statistics.HANDLERS,
    **talk.HANDLERS,
}
