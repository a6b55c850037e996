"""The syntax of listeners: `tls:0.0.0.0:2223`, `proxy:ws:unix:/run/s`.

    [proxy:|proxy+tls:] [tls:|ws:|wss:|ssh:] BINDING

BINDING is `HOST:PORT`, `unix:PATH`, `systemd:NAME` or an endpoint string of Twisted. The prefix
before it is the protocol: none for plain lines, `tls:` for lines over TLS, `ws:` and `wss:` for
WebSocket, `ssh:` for SSH. A first prefix says that a proxy connects there and sends a PROXY header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

from ..limits.network import is_local
from ..setting import setting


class Proxy(Enum):
    """The proxy prefix of a listener; the value is its spelling."""

    NONE = ""
    PROXY = "proxy:"
    """A proxy connects: it sends a PROXY header, and then its client's bytes."""
    ENDS_TLS = "proxy+tls:"
    """A proxy connects that terminates the TLS of its clients: it sends a PROXY header, and then
    its client's bytes.
    """


class Speech(Enum):
    """The protocol of a listener; the value is its spelling."""

    LINES = ""
    TLS = "tls:"
    WEBSOCKET = "ws:"
    WEBSOCKET_TLS = "wss:"
    SSH = "ssh:"

    @property
    def encrypted(self) -> bool:
        """True if this server does TLS there."""
        return self in (Speech.TLS, Speech.WEBSOCKET_TLS)

    @property
    def websocket(self) -> bool:
        """True if lines come as messages of WebSocket."""
        return self in (Speech.WEBSOCKET, Speech.WEBSOCKET_TLS)


EVERYWHERE = frozenset(("0.0.0.0", "::"))
"""The hosts that stand for all addresses of this machine, of IPv4 and of IPv6."""


@dataclass(frozen=True, slots=True)
class Tcp:
    """A port on an address of this machine; port 0 picks a free one."""

    host: str
    port: int

    @property
    def ipv6(self) -> bool:
        """True for an address of IPv6."""
        return ":" in self.host

    def takes(self, other: Binding) -> bool:
        """True if a listener here makes the other binding impossible."""
        return (
            isinstance(other, Tcp)
            and self.port == other.port != 0
            and self.ipv6 == other.ipv6
            and (self.host == other.host or not {self.host, other.host}.isdisjoint(EVERYWHERE))
        )


@dataclass(frozen=True, slots=True)
class Systemd:
    """A socket that systemd has opened, by its `FileDescriptorName`."""

    name: str

    def takes(self, other: Binding) -> bool:
        """True for the same socket."""
        return self == other


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint string of Twisted, `unix:PATH` among them."""

    text: str

    @property
    def path(self) -> Path | None:
        """The path of a Unix socket; None for another endpoint."""
        kind, *parts = re.split(r"(?<!\\):", self.text)
        if kind != "unix" or not parts:
            return None
        return Path(re.sub(r"\\(.)", r"\1", parts[0].removeprefix("address=")))

    def takes(self, other: Binding) -> bool:
        """True for the same Unix socket."""
        return isinstance(other, Endpoint) and self.path is not None and self.path == other.path


Binding = Tcp | Systemd | Endpoint


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """A listener: its binding, protocol and proxy prefix."""

    binding: Binding
    speech: Speech = Speech.LINES
    proxy: Proxy = Proxy.NONE

    @property
    def prefix(self) -> str:
        """The prefixes before the binding."""
        return self.proxy.value + self.speech.value

    @property
    def here_only(self) -> bool:
        """True if only programs on this machine can reach it."""
        match self.binding:
            case Tcp(host, _):
                return host == "localhost" or is_local(host)
            case Systemd():
                return False
            case Endpoint(text):
                return text.startswith("unix:") or "interface=127.0.0.1" in text


_PREFIX = re.compile(r"(proxy:|proxy\+tls:|)(tls:|wss:|ws:|ssh:|)")
_TCP = re.compile(r"(?:\[([^\]\s]*)\]|([^:=\[\]\s]*)):([0-9]+)")
_ENDPOINT = re.compile(r"(tcp|tcp6|ssl|unix|systemd):.+")
_OWN_ENDPOINT = re.compile(r"systemd:([^:=]+)")


def listen_address(text: str) -> ListenAddress:
    """Reads a listener. Raises `ValueError` with the mistake."""
    found = _PREFIX.match(text)
    assert found is not None, "it may be empty"
    proxy, speech = Proxy(found[1]), Speech(found[2])
    return ListenAddress(_binding(text[found.end() :], text), speech, proxy)


def _binding(text: str, whole: str) -> Binding:
    socket = _OWN_ENDPOINT.fullmatch(text)
    if socket:
        return Systemd(socket[1])
    tcp = _TCP.fullmatch(text)
    if tcp and tcp[2] not in ("tcp", "tcp6"):
        host, port = tcp[1] or tcp[2], int(tcp[3])
        if not host:
            raise ValueError(
                f"{whole}: say which address: 127.0.0.1 for this machine only,"
                " 0.0.0.0 or [::] for everybody"
            )
        if port > 65535:
            raise ValueError(f"{whole}: there is no port {port}")
        return Tcp(host, port)
    if _ENDPOINT.fullmatch(text):
        return Endpoint(text)
    raise ValueError(
        f"{whole}: must be HOST:PORT, tls:HOST:PORT, ws:HOST:PORT, wss:HOST:PORT, "
        "ssh:HOST:PORT, unix:PATH or systemd:NAME"
    )


Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The addresses of proxies whose headers are believed."""

    networks: tuple[Network, ...] = ()

    def __contains__(self, address: str) -> bool:
        """True for an address of the list, and for a Unix socket: its file says who may use it."""
        if address == "unix":
            return True
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        plain = getattr(found, "ipv4_mapped", None) or found
        return any(plain in network for network in self.networks)


def trusted_proxies(texts: Iterable[str]) -> TrustedProxies:
    """Reads addresses and networks (`10.0.0.0/8`, `::1`). Raises `ValueError` for a wrong one."""
    found = []
    for text in texts:
        try:
            found.append(ip_network(text, strict=False))
        except ValueError:
            raise ValueError(
                f"{text}: must be an address or a network: 127.0.0.1, 10.0.0.0/8, ::1"
            ) from None
    return TrustedProxies(tuple(found))


def _check_listeners(texts: tuple[str, ...]) -> None:
    for text in texts:
        listen_address(text)


def _check_proxies(texts: tuple[str, ...]) -> None:
    trusted_proxies(texts)


_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\sA-Z]+")
_USUAL_PORTS = ("http", ":80"), ("https", ":443")


def _check_origins(texts: tuple[str, ...]) -> None:
    for text in texts:
        usual = any(text.startswith(f"{kind}://") and text.endswith(p) for kind, p in _USUAL_PORTS)
        if text not in ("*", "null") and (usual or not _ORIGIN.fullmatch(text)):
            raise ValueError(
                f"{text}: no browser sends that; it sends https://cards.example.org: in lower "
                "case, with nothing behind it but a port other than the usual one"
            )


class LowestTls(Enum):
    """The lowest accepted version of TLS."""

    TLS_1_2 = "1.2"
    TLS_1_3 = "1.3"


@dataclass(frozen=True, slots=True)
class ListenSettings:
    """The settings of the listeners."""

    endpoints: tuple[str, ...] = setting(
        ("127.0.0.1:2222",),
        "Where to listen. HOST:PORT takes plain lines, tls:HOST:PORT takes lines over TLS, and "
        "ws:HOST:PORT and wss:HOST:PORT take WebSocket, ssh:HOST:PORT takes SSH. "
        "unix:PATH is a Unix socket, systemd:NAME a socket opened by systemd. Write proxy: in "
        "front of an endpoint where a proxy sends a PROXY header. The default accepts connections "
        "from this machine only; 0.0.0.0:2222 and [::]:2222 accept connections from everywhere. "
        "[::] includes IPv4, unless an IPv4 endpoint has the same port. Port 0 picks a free port.",
        flag="--listen",
        metavar="ENDPOINT",
        restart=True,
        check=_check_listeners,
    )
    tls_cert: tuple[str, ...] = setting(
        (),
        "Certificate for tls: and wss:, with its chain (PEM, certbot's fullchain.pem). If there "
        "are several, a client gets the certificate for the name that it asks for, or else the "
        "first. SIGHUP reloads the files.",
        flag="--tls-cert",
        metavar="FILE",
        restart=True,
    )
    tls_key: tuple[str, ...] = setting(
        (),
        "Private key of the certificate (PEM, certbot's privkey.pem). Several keys stand in the "
        "order of their certificates.",
        flag="--tls-key",
        metavar="FILE",
        restart=True,
    )
    tls_lowest: LowestTls = setting(
        LowestTls.TLS_1_2,
        "Lowest accepted version of TLS. Programs from before 2018 may not support 1.3.",
        restart=True,
    )
    ssh_key: str = setting(
        "",
        "Private key by which clients recognize the server at ssh: endpoints (as ssh-keygen makes "
        "it, without a passphrase). The server makes the file if there is none. The default is "
        "ssh_host_ed25519_key in the data folder; a server with PostgreSQL has no default.",
        flag="--ssh-key",
        metavar="FILE",
        restart=True,
    )
    trusted_proxies: tuple[str, ...] = setting(
        (),
        "Addresses and networks of your proxies. A PROXY header (at proxy: endpoints) or "
        "X-Forwarded-For (at ws: endpoints) counts only if it comes from one of them, because "
        "its sender can claim any client address.",
        flag="--trusted-proxy",
        metavar="ADDRESS|NET",
        restart=True,
        check=_check_proxies,
    )
    blocklist: str = setting(
        "",
        "File of addresses and networks that may not connect, one per line; # begins a comment. "
        "SIGHUP reloads the file.",
        metavar="FILE",
        restart=True,
    )
    origins: tuple[str, ...] = setting(
        (),
        "Web pages that may connect by WebSocket, besides the server's own page: "
        "https://cards.example.org, or * for all pages. Other programs are not affected.",
        flag="--ws-origin",
        metavar="ORIGIN",
        restart=True,
        check=_check_origins,
    )
    web: bool = setting(
        True,
        "Whether ws: and wss: endpoints hand out the page on which people play in a browser. "
        "Without it, they show other ways to connect.",
        flag="--no-web",
        restart=True,
    )


FIRST_STEPS = "then:    type a name, and tutorial to learn the game, or practice to play"
"""The first commands for a new player."""


def how_to_connect(addresses: Iterable[str], client: str) -> list[str]:
    """The lines that explain how to connect to each address (`tls:HOST:PORT`).

    `client` is the command of the client.
    """
    parts = [(found, *_parts(found)) for found in addresses]
    lines = [
        f"ssh:     ssh -p {port} NAME@{host}" for _, prefix, host, port in parts if prefix == "ssh:"
    ][:1]
    for found, prefix, host, port in parts:
        if prefix == "":
            lines += [
                f"netcat:  nc {host} {port}",
                f"telnet:  telnet {host} {port}",
                f"client:  {client} play {found}",
            ]
            break
        if prefix == "tls:":
            where = found.removeprefix(prefix)
            lines += [
                f"client:  {client} play tls://{where}",
                f"openssl: openssl s_client -quiet -connect {where}",
                f"ncat:    ncat --ssl {host} {port}",
            ]
            break
    return [*lines, FIRST_STEPS] if lines else []


def in_a_browser(addresses: Iterable[str]) -> list[str]:
    """The line that names the page, if a listener hands it out."""
    for found in addresses:
        if web := re.fullmatch(r"ws(s?):((?:\[.*\]|[^:]+):[0-9]+)", found):
            return [f"browser: http{web[1]}://{web[2]}/"]
    return []


def _parts(address: str) -> tuple[str, str, str]:
    """The prefix, host and port of an address; an empty prefix if the form is unknown."""
    found = re.fullmatch(r"(tls:|ssh:|)(\[.*\]|[^:]+):([0-9]+)", address)
    return ("other", "", "") if found is None else (found[1], found[2].strip("[]"), found[3])
