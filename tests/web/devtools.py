"""A connection to a browser's DevTools: commands as JSON, over a WebSocket."""

from __future__ import annotations

import json
import socket
from itertools import count
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Request, TextMessage

from tests.kit.processes import LONG


class DevTools:
    """Calls methods, and collects the events that come meanwhile in `events`."""

    def __init__(self, port: int, path: str) -> None:
        self.events: list[dict[str, Any]] = []
        self._ids = count(1)
        self._text = ""
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=LONG)
        self._web = WSConnection(ConnectionType.CLIENT)
        self._socket.sendall(self._web.send(Request(host=f"127.0.0.1:{port}", target=path)))
        while not isinstance(self._next(), AcceptConnection):
            pass

    def close(self) -> None:
        """Hangs up."""
        self._socket.close()

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Calls a method; returns its result. Raises `RuntimeError` with the browser's reason."""
        number = next(self._ids)
        command = json.dumps({"id": number, "method": method, "params": params})
        self._socket.sendall(self._web.send(TextMessage(command)))
        while True:
            event = self._next()
            if not isinstance(event, TextMessage):
                continue
            self._text += event.data
            if not event.message_finished:
                continue
            said, self._text = json.loads(self._text), ""
            if said.get("id") != number:
                self.events.append(said)
            elif "error" in said:
                raise RuntimeError(f"{method}: {said['error']}")
            else:
                found: dict[str, Any] = said["result"]
                return found

    def _next(self) -> object:
        while True:
            for event in self._web.events():
                return event
            data = self._socket.recv(1 << 16)
            assert data, "the browser has hung up"
            self._web.receive_data(data)
