"""The bus that the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ports import Bus, Clock
from .local import LocalBus
from .settings import BusSettings

if TYPE_CHECKING:
    from .nats import NatsBus


def open_bus(settings: BusSettings, clock: Clock, node: str, place: str) -> Bus:
    """The bus of the server with the name `node`, in a running event loop.

    `place` is the name that its database has at no other servers (`SqlStore.place`).

    Raises `ValueError` in one line if the settings or their files cannot be used.
    """
    if not settings.url:
        return LocalBus(clock)
    return _nats()(settings, clock, node, place)


def check_bus(settings: BusSettings) -> None:
    """Raises `ValueError` in one line if the settings or their files cannot be used."""
    if settings.url:
        _nats().check(settings)


def _nats() -> type[NatsBus]:
    try:
        from .nats import NatsBus  # imported here, because a server that is alone has no NATS
    except ModuleNotFoundError as error:
        raise ValueError('NATS needs: pip install "twentytwo[cluster]"') from error
    return NatsBus
