"""The bus that the settings ask for."""

from __future__ import annotations

from ..ports import Bus, Clock
from .local import LocalBus
from .settings import BusSettings


def open_bus(settings: BusSettings, clock: Clock, node: str) -> Bus:
    """The bus of the server with the name `node`, in a running event loop.

    Raises `ValueError` in one line if the settings or their files cannot be used.
    """
    if not settings.url:
        return LocalBus(clock)
    try:
        from .nats import NatsBus  # imported here, because a server that is alone has no NATS
    except ModuleNotFoundError as error:
        raise ValueError('NATS needs: pip install "twentytwo[cluster]"') from error
    return NatsBus(settings, clock, node)
