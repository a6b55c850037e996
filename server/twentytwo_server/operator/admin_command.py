"""The command `twentytwo-server admin`: sends commands to a running server."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twentytwo_protocol.columns import columns

from ..config.paths import admin_socket_by_environment, admin_socket_of
from ..config.reading import BadConfig

if TYPE_CHECKING:
    from .actions.context import AdminAnswer

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
LONGEST = 10 * 365 * 86_400
"""Maximum duration of a ban: ten years, in seconds."""


def duration(text: str) -> int:
    """Parses a duration like `90s`, `30m`, `2h`, `7d` or `4w`; returns milliseconds."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})([smhdw])", text.lower())
    if found is None:
        raise click.BadParameter(f"{text} is no time; 30m, 2h and 7d are")
    seconds = int(found[1]) * UNITS[found[2]]
    if seconds > LONGEST:
        raise click.BadParameter(f"{text} is more than ten years")
    return 1000 * seconds


class Asker:
    """Sends commands to the server at a socket, and prints the answers."""

    def __init__(self, path: Path, as_json: bool) -> None:
        self._path = path
        self._as_json = as_json

    def ask(self, command: str, **given: object) -> None:
        """Sends a command without the arguments that are None, and prints the answer."""
        from ..store import Refused
        from .admin import tell

        said = {key: str(value) for key, value in given.items() if value is not None}
        answer = tell(self._path, command, **said)
        if answer is None:
            raise Refused(f"no server listens at {self._path}; --data or --socket names another")
        self._print(answer)

    def _print(self, answer: AdminAnswer) -> None:
        if self._as_json:
            print(json.dumps({"text": answer.text, "rows": list(answer.rows)}, ensure_ascii=False))
            return
        if answer.rows:
            print("\n".join(table(answer.rows)))
        if answer.text:
            print(answer.text)


def table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Rows as lines of text in columns with a header; empty columns are left out."""
    keys = [key for key in rows[0] if any(_cell(row.get(key)) != "-" for row in rows)]
    cells = [keys, *([_cell(row.get(key)) for key in keys] for row in rows)]
    widths = [max(columns(row[index]) for row in cells) for index in range(len(keys))]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in cells]


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - columns(cell))


def _cell(value: object) -> str:
    """A value as text, without characters that could control a terminal."""
    if isinstance(value, bool):
        return "yes" if value else "-"
    text = str(value) if value not in ("", None) else "-"
    return "".join(each if each.isprintable() else "?" for each in text)


WHY = click.option("--why", help="The reason, for the person concerned and for the journal.")
asking = click.make_pass_decorator(Asker)


@click.group()
@click.option("--data", metavar="FOLDER", help="The server's data folder.  [as for `run`]")
@click.option(
    "--socket", type=click.Path(path_type=Path), help="The admin socket, if it is elsewhere."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as one line of JSON.")
@click.pass_context
def admin(context: click.Context, data: str | None, socket: Path | None, as_json: bool) -> None:
    """Administer a running server: people, accounts, moderation, shutdown.

    Every command is recorded in the server's journal (`admin log`). No command shows the cards of a
    running game.
    """
    context.obj = Asker(socket or _socket(data), as_json)


def _socket(data: str | None) -> Path:
    """The admin socket of the server with this data folder, by default that of `run`."""
    try:
        found = admin_socket_of("", data) if data else admin_socket_by_environment(os.environ)
    except BadConfig as bad:
        raise click.UsageError(str(bad)) from None
    if found is None:
        raise click.UsageError("there is no data folder: --socket says where the server listens")
    return found


def _command(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that adds a command to `admin`."""

    def made(function: Callable[..., None]) -> Callable[..., None]:
        admin.command(name)(asking(function))
        return function

    return made


@_command("who")
def who(asker: Asker) -> None:
    """List connected people, and absent people who may return, with their addresses."""
    asker.ask("who")


@_command("connections")
def connections(asker: Asker) -> None:
    """List open connections, grouped by address, the busiest address first: name, client, age."""
    asker.ask("connections")


@_command("tables")
def tables(asker: Asker) -> None:
    """List all tables, including private ones, with their players."""
    asker.ask("tables")


@_command("log")
@click.option(
    "-n", "lines", type=click.IntRange(1, 10_000), default=50, help="Number of entries.  [50]"
)
def log(asker: Asker, lines: int) -> None:
    """Show the journal of these commands, the latest first: time, user, command, reason."""
    asker.ask("log", n=lines)


@_command("announce")
@click.argument("text", nargs=-1, required=True)
def announce(asker: Asker, text: tuple[str, ...]) -> None:
    """Send TEXT to everybody who is connected."""
    asker.ask("announce", text=" ".join(text))


@_command("kick")
@click.argument("target", metavar="NAME|ADDRESS|NET")
@WHY
def kick(asker: Asker, target: str, why: str | None) -> None:
    """Close the connections of a person, an address or a network.

    The people may reconnect; their seats are kept for the grace period.
    """
    asker.ask("kick", target=target, why=why)


@_command("mute")
@click.argument("name")
@click.argument("time", type=duration, metavar="[TIME]", default="1h")
@WHY
def mute(asker: Asker, name: str, time: int, why: str | None) -> None:
    """Reject chat from NAME for TIME: 30m, 2h, 7d. [1h]"""
    asker.ask("mute", name=name, ms=time, why=why)


@_command("unmute")
@click.argument("name")
def unmute(asker: Asker, name: str) -> None:
    """Allow NAME to chat again."""
    asker.ask("unmute", name=name)


@_command("ban")
@click.argument("target", metavar="ACCOUNT|ADDRESS|NET")
@click.argument("time", type=duration, metavar="[TIME]", default="7d")
@WHY
def ban(asker: Asker, target: str, time: int, why: str | None) -> None:
    """Ban an account, an address or a network for TIME: 30m, 2h, 7d. [7d]

    Open connections are closed at once; a running game continues as after a lost connection. All
    tokens of a banned account are revoked. A ban of an IPv6 address applies to its whole /64.

    Example: twentytwo-server admin ban 203.0.113.0/24 7d --why flood
    """
    asker.ask("ban", target=target, ms=time, why=why)


@_command("unban")
@click.argument("target", metavar="ACCOUNT|ADDRESS|NET")
def unban(asker: Asker, target: str) -> None:
    """End a ban early."""
    asker.ask("unban", target=target)


@_command("bans")
def bans(asker: Asker) -> None:
    """List the bans and mutes in force, with their ends and reasons."""
    asker.ask("bans")


@admin.group("reports", invoke_without_command=True)
@click.pass_context
def reports(context: click.Context) -> None:
    """Handle reports from players: list, show, close."""
    if context.invoked_subcommand is None:
        context.invoke(list_reports)


@reports.command("list")
@asking
def list_reports(asker: Asker) -> None:
    """List the open reports."""
    asker.ask("reports")


@reports.command("show")
@click.argument("id", type=click.IntRange(1))
@asking
def show_report(asker: Asker, id: int) -> None:
    """Show a report, with the record of its game if the game is over."""
    asker.ask("show report", id=id)


@reports.command("close")
@click.argument("id", type=click.IntRange(1))
@click.option("--answer", required=True, help="The answer to the reporter.")
@asking
def close_report(asker: Asker, id: int, answer: str) -> None:
    """Close a report. Its reporter gets the answer, now or at the next login."""
    asker.ask("close report", id=id, answer=answer)


@admin.group("account")
def account() -> None:
    """Administer accounts: list, export, reset, suspend, erase."""


@account.command("list")
@click.argument("like", metavar="[TEXT]", required=False)
@click.option(
    "-n", "number", type=click.IntRange(1, 1000), default=50, help="Number of accounts.  [50]"
)
@click.option("--after", metavar="NAME", help="Only accounts after NAME.")
@asking
def list_accounts(asker: Asker, like: str | None, number: int, after: str | None) -> None:
    """List all accounts by name, or those with TEXT in the name."""
    asker.ask("accounts", like=like, n=number, after=after)


@account.command("export")
@click.argument("name")
@asking
def export_account(asker: Asker, name: str) -> None:
    """Print all stored data about the owner of NAME, as JSON."""
    asker.ask("export account", name=name)


@account.command("reset")
@click.argument("name")
@click.argument("time", type=duration, metavar="[TIME]", default="1d")
@asking
def reset_account(asker: Asker, name: str, time: int) -> None:
    """Make a code with which the owner of NAME can set a new password once, within TIME. [1d]

    The old password stays valid until then. If another person knows it, ban NAME first.
    """
    asker.ask("reset account", name=name, ms=time)


@account.command("suspend")
@click.argument("name")
@click.argument("time", type=duration, metavar="[TIME]", default="7d")
@WHY
@asking
def suspend_account(asker: Asker, name: str, time: int, why: str | None) -> None:
    """Ban the account NAME for TIME: 30m, 2h, 7d; the same as `ban`. [7d]"""
    asker.ask("ban", target=name, ms=time, why=why)


@account.command("erase")
@click.argument("name")
@click.confirmation_option(prompt="All stored data about this person will be lost. Continue?")
@WHY
@asking
def erase_account(asker: Asker, name: str, why: str | None) -> None:
    """Erase all stored data about the owner of NAME.

    The name stays reserved, because finished games contain it; these remain for the other players.
    Run `export` first to keep a copy.
    """
    asker.ask("erase account", name=name, why=why)


@_command("reload")
def reload(asker: Asker) -> None:
    """Reload the settings and certificates, as SIGHUP does; print the changes, and settings that
    need a restart.
    """
    asker.ask("reload")


@_command("close")
@click.argument("table")
@WHY
def close(asker: Asker, table: str, why: str | None) -> None:
    """Close TABLE. Its running game ends without a result."""
    asker.ask("close", table=table, why=why)


@_command("invite")
@click.argument("number", type=click.IntRange(1, 1000), metavar="[NUMBER]", default=1)
@click.argument("time", type=duration, metavar="[TIME]", default="30d")
def invite(asker: Asker, number: int, time: int) -> None:
    """Make NUMBER invite codes, each for one account, valid for TIME. [1, 30d]"""
    asker.ask("invite", n=number, ms=time)


@_command("drain")
@click.argument("time", type=duration, metavar="[TIME]", required=False)
@click.option("--cancel", is_flag=True, help="Cancel a drain.")
@click.option("--all", "everywhere", is_flag=True, help="At all servers of the place.")
def drain(asker: Asker, time: int | None, cancel: bool, everywhere: bool) -> None:
    """Start no new games, and stop the server when all running games are over, or after TIME.

    The default of TIME is that of `run --drain`, or 10 minutes.
    """
    flags = {"cancel": "yes" if cancel else None, "all": "yes" if everywhere else None}
    asker.ask("drain", ms=time, **flags)
