"""The settings of connections: their rates, sizes and times."""

from __future__ import annotations

from dataclasses import dataclass

from ..setting import Unit, setting


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a connection. Sizes in bytes, times in milliseconds, rates a second.

    All are settings; `UNLIMITED` is for development.
    """

    burst: float = setting(
        20.0,
        "Commands that a connection may send at once. Moves in turn do not count. A command "
        "that takes the server long counts as several.",
        least=1,
    )
    rate: float = setting(
        10.0,
        "Commands per second after that burst. Further commands are refused (RATE). People type "
        "more slowly.",
        unit=Unit.EACH_SECOND,
    )
    address_burst: float = setting(
        400.0,
        "Commands that all connections of one address may send at once: enough for twenty "
        "people who all type at once.",
        least=1,
    )
    address_rate: float = setting(
        200.0,
        "Commands per second for all connections of one address after that burst. An ordinary "
        "command takes well under a millisecond, so one address uses at most a fifth of a core.",
        unit=Unit.EACH_SECOND,
    )
    address_bytes: int = setting(
        1 << 20,
        "Data of any kind that all connections of one address may send at once.",
        unit=Unit.KIB,
        least=1 << 14,
    )
    address_bytes_rate: int = setting(
        1 << 18,
        "Data per second for all connections of one address after that burst. The server reads "
        "the rest later. Commands of maximum length at `address_rate` are less.",
        unit=Unit.KIB,
        least=1 << 12,
    )
    local_times: int = setting(
        4,
        "Each limit of an address is multiplied by this number for addresses of this machine, "
        "which also get no penalties: many people may come through one tunnel, and developers "
        "try out bots here.",
    )
    chat_burst: float = setting(5.0, "Chat messages that a connection may send at once.", least=1)
    chat_rate: float = setting(
        0.5,
        "Chat messages per second after that burst. More would push the game off the other "
        "players' screens.",
        unit=Unit.EACH_SECOND,
    )
    address_chat_burst: float = setting(
        20.0,
        "Chat messages that all connections of one address may send at once, so that opening "
        "more connections does not help.",
        least=1,
    )
    address_chat_rate: float = setting(
        2.0,
        "Chat messages per second for all connections of one address after that burst.",
        unit=Unit.EACH_SECOND,
    )
    unread: int = setting(
        1 << 20,
        "Data that may wait for a client that does not read. With more, the connection is "
        "closed (SLOW), because the waiting data takes memory.",
        unit=Unit.KIB,
        least=1 << 16,
    )
    first_line: int = setting(
        120_000,
        "Time in which a new connection must send its first line. Port scanners often send "
        "nothing.",
        unit=Unit.SECONDS,
    )
    unfinished_line: int = setting(
        300_000, "Maximum time from the first byte of a line to its end.", unit=Unit.SECONDS
    )
    idle: int = setting(
        30 * 60_000,
        "Idle time after which a person without a seat is disconnected (IDLE).",
        unit=Unit.MINUTES,
    )
    ping_after: int = setting(
        30_000,
        "Idle time after which the server sends a PING to a program. This finds dead connections.",
        unit=Unit.SECONDS,
    )
    gone_after: int = setting(
        75_000,
        "Idle time after which a program is disconnected: longer than two pings.",
        unit=Unit.SECONDS,
    )
    connect_burst: float = setting(
        120.0, "Burst of new connections per address: about twice its limit of open ones.", least=1
    )
    connect_rate: float = setting(
        60.0,
        "New connections per minute and address after that burst. Further connections get one "
        "line with the reason and are closed.",
        unit=Unit.EACH_MINUTE,
    )
    penalty_flood: int = setting(
        30_000,
        "Penalty for an address when one of its connections is closed for flooding (FLOOD).",
        unit=Unit.SECONDS,
        least=0,
    )
    penalty_silent: int = setting(
        3_000,
        "Penalty for a connection that sends no first line in time, or that speaks HTTP or TLS "
        "to the wrong port.",
        unit=Unit.SECONDS,
        least=0,
    )
    penalty_refused: int = setting(
        1_000,
        "Penalty for a new connection above `connect_rate`.",
        unit=Unit.SECONDS,
        least=0,
    )
    penalty_least: int = setting(
        20_000,
        "The penalties of an address add up and expire with time. From this sum on the address "
        "may open no new connection until all its penalties have expired. Its open connections "
        "go on.",
        unit=Unit.SECONDS,
    )
    penalty_most: int = setting(
        600_000,
        "Maximum sum of the penalties of an address; 0 turns penalties off.",
        unit=Unit.SECONDS,
        least=0,
    )
    reserve: int = setting(
        5,
        "Percentage of the connections reserved for people who return to a seat or have an "
        "account. When only these are left, guests are refused (BUSY).",
        least=0,
        most=90,
    )
    each_address: int = setting(
        64,
        "Maximum number of open connections per address (IPv6: per /64): enough for a school "
        "class behind one router.",
    )
    connections: int = setting(
        100_000,
        "Maximum number of open connections in total. The limit is never "
        "above `ulimit -n` less 128.",
    )
    lines_a_turn: int = setting(
        32,
        "Lines of one connection that the server answers before the other connections get their "
        "turn.",
    )
    waiting: int = setting(
        2000,
        "Maximum number of unanswered lines of one connection. More lines close the "
        "connection (FLOOD).",
    )
    too_long: int = setting(10, "Overlong lines within a minute that close the connection (FLOOD).")


UNLIMITED = Limits(
    burst=1e9,
    rate=1e9,
    chat_burst=1e9,
    chat_rate=1e9,
    address_chat_burst=1e9,
    address_chat_rate=1e9,
    address_burst=1e9,
    address_rate=1e9,
    address_bytes=10**12,
    address_bytes_rate=10**12,
    connect_burst=1e9,
    connect_rate=1e9,
    penalty_most=0,
    reserve=0,
    first_line=86_400_000,
    each_address=100_000,
)
"""For development: limits so high that no test and no bot reaches them."""
