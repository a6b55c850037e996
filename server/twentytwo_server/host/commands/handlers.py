"""The handlers of all commands. A test checks that no command is without one."""

from __future__ import annotations

from . import (
    cardplay,
    daily,
    exporting,
    fairness,
    friends,
    lab,
    lessons,
    lobby,
    looking,
    practising,
    records,
    reviewing,
    statistics,
    talk,
)
from .accounts import credentials, login, profiles
from .call import Handlers
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
    **lab.HANDLERS,
    **lessons.HANDLERS,
    **lobby.HANDLERS,
    **login.HANDLERS,
    **looking.HANDLERS,
    **profiles.HANDLERS,
    **practising.HANDLERS,
    **records.HANDLERS,
    **reviewing.HANDLERS,
    **opening.HANDLERS,
    **sitting.HANDLERS,
    **watching.HANDLERS,
    **statistics.HANDLERS,
    **talk.HANDLERS,
}
