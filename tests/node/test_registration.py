"""An operator who makes no new accounts says so once, at the start."""

from __future__ import annotations

from tests.kit.processes import Server, plain


def test_a_server_that_makes_no_new_accounts_says_so_in_one_line_and_takes_guests() -> None:
    with (
        Server("--port", "0", "--registration", "closed") as server,
        plain(server.address()) as ann,
    ):
        ann.line()
        ann.send("ann\n")
        ann.until("Welcome, ~ann")
        ann.send("register ann three blind mice\n")
        ann.until("! No new accounts are made on this server; guests are welcome.")
        ann.send("info\n")
        ann.until("  registration: closed")
