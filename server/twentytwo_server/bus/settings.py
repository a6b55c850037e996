"""The settings of the bus between servers."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from ..setting import Unit, setting

_SCHEMES = ("nats", "tls")


def servers(url: str) -> list[str]:
    """The URLs of a list with commas between them."""
    return [each for part in url.split(",") if (each := part.strip())]


def _check_url(url: str) -> None:
    for each in servers(url):
        try:
            parts = urlsplit(each)
            known = parts.scheme in _SCHEMES and parts.hostname and parts.port != 0
        except ValueError:  # the port is no number
            known = False
        if not known:
            raise ValueError("must be nats://HOST:PORT or tls://HOST:PORT")
        if parts.username is not None:
            raise ValueError("must have no user and no password: they have settings of their own")
    if len({urlsplit(each).scheme for each in servers(url)}) > 1:
        raise ValueError("must be all nats:// or all tls://")


@dataclass(frozen=True, slots=True)
class BusSettings:
    """The NATS servers over which the servers of a place talk, and the login there."""

    url: str = setting(
        "",
        "URL of the NATS server over which the servers of a place talk: nats://HOST:PORT, or "
        "tls://HOST:PORT for TLS from the first byte (`handshake_first` in the settings of NATS). "
        "Several with commas between them are one cluster of NATS. Such servers share a PostgreSQL "
        "database, and each needs a name (nodes.name). Empty for a server that is alone.",
        flag="--bus",
        metavar="URL",
        restart=True,
        check=_check_url,
    )
    user: str = setting("", "User at NATS, with a password.", restart=True)
    password: str = setting("", "The password of this user.", restart=True)
    token: str = setting("", "Token for NATS, instead of a user.", restart=True)
    nkey: str = setting(
        "",
        "File with the seed of an nkey, instead of a user. NATS knows the public key only.",
        metavar="FILE",
        restart=True,
    )
    credentials: str = setting(
        "",
        "File with credentials of NATS (a JWT and the seed of its nkey), instead of a user.",
        metavar="FILE",
        restart=True,
    )
    ca: str = setting(
        "",
        "File with the certificates of the authorities that NATS is checked against. Empty for "
        "those of the system.",
        metavar="FILE",
        restart=True,
    )
    patience: int = setting(
        2_000,
        "Time in which NATS must accept a connection, and in which it must answer on one. After "
        "that the connection counts as lost.",
        unit=Unit.SECONDS,
        least=100,
        restart=True,
    )
