"""Which function answers which command. A test walks all commands: none is without an answer."""

from __future__ import annotations

from . import arriving, asking, lobbying, looking, tabling, talking
from .host import Handlers

HANDLERS: Handlers = {
    **arriving.HANDLERS,
    **asking.HANDLERS,
    **lobbying.HANDLERS,
    **looking.HANDLERS,
    **tabling.HANDLERS,
    **talking.HANDLERS,
}
