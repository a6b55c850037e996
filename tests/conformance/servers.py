"""A server process of our own to check."""

from __future__ import annotations

from tests.kit import processes


class Server:
    """A server process of our own, on a free port, stopped when its standard input ends."""

    def __init__(self, *options: str) -> None:
        self._server = processes.Server("--port", "0", "--while-stdin", *options)
        self.address = self._server.address()

    def stop(self) -> None:
        """Ends the process; it must not have stumbled over anything that was asked of it."""
        with self._server as server:
            server.close_input()
            _, _, log = server.wait()
        assert "Traceback" not in log, log
