"""A log of a game: the events of a table, one line each.

A log is in the format of the protocol and can be served as it is (`nc -l 4000 < g51.log`). It
begins with the greeting of a server and the replies to `@1 hello 1` and `@2 guest NAME`, the first
lines of most clients. A client that sends other ids, or nothing, can read the events as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .schema import Event, Malformed
from .wire import ParsedLine, decode, parse, parse_json, write
from .words.cardplay import Aborted, Game_, Gameover

__all__ = ["NotALog", "over", "read", "written"]


class NotALog(ValueError):
    """A text that is not a log of a game. `line` is the number of the wrong line, from 1."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


def written(on: str, title: str, events: Iterable[Event]) -> Iterator[str]:
    """The lines of a log, with the events on the stream `on`, numbered from 1."""
    yield f"# cardline/1 {on}: {title}, told again"
    yield "@1 OK proto=1 server=log boot=log maxin=1024 maxout=8192 caps= :A game told again."
    yield f"@2 OK name=~guest token=- grace=0 :You look on at {on}."
    for seq, event in enumerate(events, 1):
        yield write(event, on=on, seq=seq)


def over(event: Event) -> bool:
    """True if the event ends a game, and with it the log."""
    return isinstance(event, Gameover | Aborted)


def read(lines: Iterable[str]) -> Iterator[Event]:
    """The events of the first game in the lines, and the events before it on the same stream. Lazy.

    A recorded connection is a log as well. Replies, other streams and unknown events are skipped.
    Raises `NotALog`.
    """
    before: dict[str, list[Event]] = {}
    stream = ""
    for number, line in enumerate(lines, 1):
        try:
            record = _record(line.rstrip("\r\n"))
            event = decode(record) if record is not None else None
        except Malformed as wrong:
            raise NotALog(str(wrong), number) from None
        if record is None or not isinstance(event, Event) or record.on != (stream or record.on):
            continue
        if stream:
            yield event
        elif isinstance(event, Game_):
            stream = record.on
            yield from [*before.get(stream, ()), event]
        else:
            before.setdefault(record.on, []).append(event)
        if stream and over(event):
            return
    if not stream:
        raise NotALog("no game begins here", 1)


def _record(line: str) -> ParsedLine | None:
    """The event on a line; None if the line has none."""
    if not line or line.startswith(("#", "@")):
        return None
    record = parse_json(line) if line.startswith("{") else parse(line)
    return record if record is not None and record.on and record.id is None else None
