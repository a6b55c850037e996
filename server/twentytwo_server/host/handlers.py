"""Which function answers which command. A test walks all commands: none is without an answer."""

from __future__ import annotations

from . import (
    accounts,
    arriving,
    asking,
    fairness,
    keys,
    lobbying,
    looking,
    past,
    standing,
    tabling,
    talking,
)
from .call import Handlers

HANDLERS: Handlers = {
    **accounts.HANDLERS,
    **arriving.HANDLERS,
    **asking.HANDLERS,
    **fairness.HANDLERS,
    **keys.HANDLERS,
    **lobbying.HANDLERS,
    **looking.HANDLERS,
    **past.HANDLERS,
    **standing.HANDLERS,
    **tabling.HANDLERS,
    **talking.HANDLERS,
}
