"""Opens the listeners of a server: ports, Unix sockets and systemd's sockets, with their layers."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twisted.internet.defer import Deferred, succeed
from twisted.internet.endpoints import (
    AdoptedStreamServerEndpoint,
    TCP4ServerEndpoint,
    TCP6ServerEndpoint,
    serverFromString,
)
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import (
    IAddress,
    IListeningPort,
    IProtocolFactory,
    IStreamServerEndpoint,
)
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol
from zope.interface import implementer

from twentytwo_protocol.value import Value

from .certificates import Certificate, Certificates
from .channel import Channels
from .direct import send_directly
from .listeners import (
    ListenAddress,
    ListenSettings,
    Proxy,
    Speech,
    Systemd,
    Tcp,
    TrustedProxies,
    listen_address,
    trusted_proxies,
)
from .metering import Meter
from .no_listening import make_way, no_listening
from .page import page
from .proxied import BehindProxy
from .server_names import ADDRESSES_ALONE, ServerNames
from .site import site
from .transport import Listener
from .websocket import WebSocketEntrance, WebSocketListener

if TYPE_CHECKING:
    from ..ports import Timer

log = logging.getLogger("twentytwo.net")

DAY_MS = 86_400_000

BACKLOG = 4096
"""New connections of a port that may wait until the server takes them: all players come at once
when a server takes over or starts again. What finds no place tries again after one second, three,
seven, ... The system may have a lower limit (`net.core.somaxconn`).
"""


class SshPlan(Value):
    """The parts for listeners with SSH: the host (`ssh.transport.SshHost`) and the file of the key.

    Without a file the key is another one at each start.
    """

    host: Any
    key: Path | None


@dataclass(slots=True)
class Listeners:
    """The open listeners of a server, and the certificates of those with TLS."""

    channels: Channels
    certificates: Certificates | None
    open: list[tuple[ListenAddress, IListeningPort]] = field(default_factory=list)
    ssh_key: str = ""
    """The fingerprint of the key of SSH and the place of its file, if a listener has one."""
    _tomorrow: Timer | None = None

    @property
    def addresses(self) -> list[str]:
        """The addresses: `127.0.0.1:2222`, `tls:[::1]:2223`, `unix:/run/twentytwo.sock`."""
        return [address.prefix + _spelled(port.getHost()) for address, port in self.open]

    @property
    def certificates_now(self) -> Sequence[Certificate]:
        """The certificates for new connections."""
        return self.certificates.all if self.certificates else ()

    def reload(self) -> str | None:
        """Reloads the certificates; returns what has changed. Raises `ValueError`."""
        found = self.certificates.reload() if self.certificates else None
        self.look_at_certificates()
        return found

    def look_at_certificates(self) -> None:
        """Logs a warning for each certificate that expires soon; repeats this every day."""
        if self.certificates is None:
            return
        self._look_no_more()
        for line in self.certificates.warnings():
            log.warning("%s", line)
        self._tomorrow = self.channels.clock.later(DAY_MS, self.look_at_certificates)

    async def close(self) -> None:
        """Stops listening; connections stay."""
        self._look_no_more()
        for _, port in self.open:
            stopped = port.stopListening()
            if stopped is not None:
                await stopped

    def _look_no_more(self) -> None:
        if self._tomorrow is not None and self._tomorrow.active():
            self._tomorrow.cancel()


async def open_listeners(
    reactor: Any,
    settings: ListenSettings,
    channels: Channels,
    name: str = "twentytwo",
    names: ServerNames = ADDRESSES_ALONE,
    ssh: SshPlan | None = None,
) -> Listeners:
    """Listens wherever the settings say. `name` is the server's, for the page `/ways`.

    `names` are the host names under which browsers reach the server. `ssh` is for the listeners
    with SSH.

    Raises `ValueError` with a message of one line.
    """
    wanted = [listen_address(text) for text in settings.endpoints]
    inherited = _of_systemd()
    bindings = [each.binding for each in wanted]
    ipv4 = {each.port for each in bindings if isinstance(each, Tcp) and not each.ipv6}
    certificates = _certificates(settings, channels.clock.wall)
    found = Listeners(channels, certificates)
    meter = Meter(channels.addresses, channels.scheduler, channels.clock)
    trusted = trusted_proxies(settings.trusted_proxies)
    entrance = WebSocketEntrance(
        settings.origins,
        names,
        trusted,
        lambda host, https, here: page(name, found.addresses, host, https=https, here=here),
        site() if settings.web and any(each.speech.websocket for each in wanted) else {},
    )
    try:
        for text, address in zip(settings.endpoints, wanted, strict=True):
            if address.speech is Speech.SSH:
                factory = _ssh(address, settings, found, ssh)
            else:
                factory = _factory(address, settings, channels, certificates, entrance)
            _check_free(text, address, [each for each, _ in found.open])
            try:
                port = await _endpoint(address, reactor, inherited, ipv4).listen(factory)
            except (CannotListenError, OSError) as error:
                raise no_listening(text, error) from None
            send_directly(port, meter)
            found.open.append((address, port))
    except BaseException:
        await found.close()
        raise
    found.look_at_certificates()
    return found


def refusals(settings: ListenSettings) -> Iterator[str]:
    """The mistakes that can be found before listening, a line for each."""
    wanted = [listen_address(text) for text in settings.endpoints]
    trusted = trusted_proxies(settings.trusted_proxies)
    checks: list[Callable[[], object]] = [lambda: _certificates(settings, lambda: 0)]
    for index, (text, address) in enumerate(zip(settings.endpoints, wanted, strict=True)):
        checks.append(partial(_check_free, text, address, wanted[:index]))
        checks.append(partial(_check_trusted, address, trusted))
    for check in checks:
        try:
            check()
        except ValueError as refused:
            yield str(refused)


def _certificates(settings: ListenSettings, wall: Callable[[], int]) -> Certificates | None:
    """The certificates, if a listener needs one."""
    wanted = (listen_address(text) for text in settings.endpoints)
    needs_one = next((each for each in wanted if each.speech.encrypted), None)
    if needs_one is None:
        return None
    files, keys = settings.tls_cert, settings.tls_key or settings.tls_cert
    if not files:
        raise ValueError(f"{needs_one.prefix} needs --tls-cert FILE and --tls-key FILE")
    if len(files) != len(keys):
        raise ValueError(f"--tls-key names {len(keys)} files and --tls-cert {len(files)}")
    pairs = [(Path(file), Path(key)) for file, key in zip(files, keys, strict=True)]
    return Certificates(pairs, wall, settings.tls_lowest)


def _check_free(text: str, address: ListenAddress, others: Iterable[ListenAddress]) -> None:
    if any(each.binding.takes(address.binding) for each in others):
        raise ValueError(f"{text}: this server itself listens there already")


def _check_trusted(address: ListenAddress, trusted: TrustedProxies) -> None:
    proxy = address.proxy is not Proxy.NONE
    if proxy and not trusted.networks and "unix:" not in str(address.binding):
        raise ValueError(f"{address.prefix} needs --trusted-proxy ADDRESS, that of the proxy")


class Tls(TLSMemoryBIOFactory):
    """TLS that sends at once, because the output is collected already.

    A refused connection is closed before any TLS state is made for it.
    """

    protocol = TLSMemoryBIOProtocol
    noisy = False

    def buildProtocol(  # type: ignore[override]  # IProtocolFactory allows None
        self, addr: IAddress | None
    ) -> TLSMemoryBIOProtocol | None:
        """Twisted: the protocol for a new connection; None if it is turned away."""
        found = self.wrappedFactory.buildProtocol(addr)
        return None if found is None else self.protocol(self, found)  # type: ignore[no-untyped-call]


def _factory(
    address: ListenAddress,
    settings: ListenSettings,
    channels: Channels,
    certificates: Certificates | None,
    entrance: WebSocketEntrance,
) -> IProtocolFactory:
    """The layers of a connection: the PROXY header, TLS, then lines."""
    tls = address.speech.encrypted
    factory: Any = (
        WebSocketListener(channels, entrance, tls=tls)
        if address.speech.websocket
        else Listener(channels, tls=tls)
    )
    if address.speech.encrypted and certificates is not None:
        factory = Tls(certificates, False, factory)
    return _behind_proxy(address, settings, channels, factory)


def _behind_proxy(
    address: ListenAddress, settings: ListenSettings, channels: Channels, factory: Any
) -> IProtocolFactory:
    """The factory, below the layer for a PROXY header if the address has one."""
    if address.proxy is not Proxy.NONE:
        trusted = trusted_proxies(settings.trusted_proxies)
        _check_trusted(address, trusted)
        ends_tls = address.proxy is Proxy.ENDS_TLS
        factory = BehindProxy(factory, trusted, channels.clock, ends_tls=ends_tls)
    found: IProtocolFactory = factory
    return found


def _ssh(
    address: ListenAddress, settings: ListenSettings, found: Listeners, plan: SshPlan | None
) -> IProtocolFactory:
    """The layers of a connection with SSH. Raises `ValueError` for a bad key."""
    # Imported here, because most servers have no such listener.
    from .ssh.host_key import host_key, shown
    from .ssh.transport import SshEntrance, SshListener, WaitingRoom

    if plan is None:
        raise ValueError("ssh: needs --ssh-key FILE, because the data are in a database")
    key = host_key(plan.key)
    found.ssh_key = f"{shown(key)}, {plan.key or 'for this start only'}"
    entrance = SshEntrance(plan.host, key, WaitingRoom())
    return _behind_proxy(address, settings, found.channels, SshListener(found.channels, entrance))


@implementer(IStreamServerEndpoint)
class _Ipv6Alone:
    """A port on all addresses of IPv6, which leaves the same port of IPv4 to others."""

    def __init__(self, reactor: Any, port: int) -> None:
        self._reactor = reactor
        self._port = port

    def listen(self, factory: IProtocolFactory) -> Deferred[IListeningPort]:
        """Twisted: listens there."""
        where = ("::", self._port)
        with socket.create_server(where, family=socket.AF_INET6, backlog=BACKLOG) as made:
            made.setblocking(False)
            return succeed(self._reactor.adoptStreamPort(made.fileno(), made.family, factory))


def _endpoint(
    address: ListenAddress, reactor: Any, inherited: dict[str, int], ipv4: Collection[int]
) -> IStreamServerEndpoint:
    """The endpoint of an address; `ipv4` are the ports on which IPv4 has a listener of its own.

    Raises `OSError` if something is in the way of a Unix socket.
    """
    match address.binding:
        case Tcp("::", port) if port and port in ipv4:
            return _Ipv6Alone(reactor, port)
        case Tcp(host, port) as binding:
            kind = TCP6ServerEndpoint if binding.ipv6 else TCP4ServerEndpoint
            return kind(reactor, port, BACKLOG, host)
        case Systemd(name):
            number = inherited.get(name)
            if number is None:
                names = ", ".join(inherited) or "none"
                raise ValueError(f"systemd:{name}: no such socket of systemd; there are: {names}")
            with closing(socket.socket(fileno=os.dup(number))) as copy:
                return AdoptedStreamServerEndpoint(reactor, number, copy.family)
        case endpoint:
            if endpoint.path is not None:
                make_way(endpoint.path)
            made: IStreamServerEndpoint = serverFromString(reactor, endpoint.text)
            return made


def _of_systemd() -> dict[str, int]:
    """The sockets that systemd has handed to this process: their numbers, by name.

    At its import Twisted has checked that they are for this process, and has removed systemd's
    variables from the environment except for the names.
    """
    names = os.environ.get("LISTEN_FDNAMES", "")
    if not names or "LISTEN_PID" in os.environ:
        return {}
    return {name: 3 + index for index, name in enumerate(names.split(":"))}


def _spelled(address: Any) -> str:
    path = getattr(address, "name", None)
    if path is not None:
        return f"unix:{path.decode() if isinstance(path, bytes) else path}"
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{host}:{address.port}"
