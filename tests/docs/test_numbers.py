"""The numbers that prose promises are those by which the server and the client go.

A sentence is given with `{}` for each number. So neither the prose nor the constant changes alone;
and a test that counts up to the constant itself cannot notice that.
"""

from __future__ import annotations

import re

from tests.kit.cases import together
from tests.walls.source import ROOT
from twentytwo_client import practice_history
from twentytwo_client.core.reconnecting import Timing
from twentytwo_protocol import manual
from twentytwo_protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE
from twentytwo_protocol.schema import COMMANDS
from twentytwo_server.accounts import passwords
from twentytwo_server.cli import STOPPED
from twentytwo_server.facts import KEYED
from twentytwo_server.host import clock_warnings
from twentytwo_server.host.commands import paging, statistics, talk
from twentytwo_server.host.commands.accounts import login, profiles
from twentytwo_server.host.commands.daily import USUAL_ROWS as RESULTS
from twentytwo_server.host.commands.records import looking_back
from twentytwo_server.host.config import Config
from twentytwo_server.host.lobby import lobby
from twentytwo_server.host.people import people
from twentytwo_server.host.tables import auto_start, shown_table
from twentytwo_server.limits import connections, repeats
from twentytwo_server.limits.backoff import DAY_MS
from twentytwo_server.limits.logins import MINUTE, LoginQuota
from twentytwo_server.limits.quotas import AddressQuota
from twentytwo_server.monitoring import heartbeat
from twentytwo_server.net import certificates, channel, proxied, websocket
from twentytwo_server.net.metering import READ_SIZE
from twentytwo_server.operator.stopping import USUAL as DRAIN
from twentytwo_server.review import luck, review
from twentytwo_server.scheduler import SLICE
from twentytwo_server.table import clocks, fairness, match

NET, HOST, QUOTA, LOGIN = connections.Limits(), Config(), AddressQuota(), LoginQuota()
SECOND = 1000
SPEC = "protocol/SPEC.md"
HELP = "help"
PLAYING = "docs/playing.md"
FAIR = "docs/fair.md"
ABUSE = "docs/operating/abuse.md"

PROMISES: list[tuple[str, str, tuple[float, ...]]] = [
    (
        SPEC,
        "A line from a client is at most {} bytes, one from the server at most {}, both",
        (MAX_CLIENT_LINE, MAX_SERVER_LINE),
    ),
    (SPEC, "The last {} of a person are remembered, for as long", (KEYED,)),
    (
        SPEC,
        "Without `n=` a page has {} rows, those of `history`, `ranks` and `results` {}.",
        (paging.USUAL, looking_back.USUAL_ROWS),
    ),
    (SPEC, "`history`, `ranks` and `results` {}.", (profiles.USUAL_ROWS,)),
    (SPEC, "`history`, `ranks` and `results` {}.", (RESULTS,)),
    (SPEC, "how many rows at most, from 1 to {}, and", (paging.MOST,)),
    (
        SPEC,
        "`lobby`, `tables` and `people` for {} events, `me` and a table's talk for {}.",
        (lobby.STREAM_SIZE, people.INBOX_EVENTS),
    ),
    (SPEC, "`me` and a table's talk for {}.", (shown_table.KIBITZ_SIZE,)),
    (
        SPEC,
        "A list is never longer than {} moves or {} bytes.",
        (match.LISTED, match.LISTED_BYTES),
    ),
    (SPEC, "A program that has been silent for {} s is sent `PING", (NET.ping_after / SECOND,)),
    (SPEC, "After {} s of silence the connection is closed with", (NET.gone_after / SECOND,)),
    (
        SPEC,
        "may give {} commands at once and then {} a second; talk {} at once",
        (NET.burst, NET.rate, NET.chat_burst),
    ),
    (SPEC, "and then one in {} seconds, and from one address", (1 / NET.chat_rate,)),
    (
        SPEC,
        "from one address, but for this machine's, {} at once and then {} a second.",
        (NET.address_chat_burst, NET.address_chat_rate),
    ),
    (
        SPEC,
        "A command that takes the server long costs up to {};",
        (max(command.cost for command in COMMANDS.values()),),
    ),
    (SPEC, "have a limit as well, {} times as high.", (NET.address_burst / NET.burst,)),
    (SPEC, "have a limit as well, {} times as high.", (NET.address_rate / NET.rate,)),
    (
        SPEC,
        "{} lines that are too long within a minute, or {} lines that wait to be read,",
        (NET.too_long, NET.waiting),
    ),
    (SPEC, "has not ended within {} minutes ends it", (NET.unfinished_line / MINUTE,)),
    (SPEC, "is cut off when {} MiB waits for it", (NET.unread / (1 << 20),)),
    (SPEC, "and may be read for {} seconds.", (channel.FAREWELL / SECOND,)),
    (SPEC, "streams stop when {} KiB wait,", (channel.LOBBY_UNREAD / 1024,)),
    (SPEC, "One address may have {} connections;", (NET.each_address,)),
    (
        SPEC,
        "It may make {} at once and then {} a second, from this machine {} times as many;",
        (NET.connect_burst, NET.connect_rate / 60, NET.local_times),
    ),
    (SPEC, "Somebody may have a seat at {} tables;", (HOST.tables_each,)),
    (SPEC, "What is said is at most {} characters long.", (talk.LONGEST,)),
    (SPEC, "end a game after a number of hands, this one after {},", (match.MOST_HANDS,)),
    (
        SPEC,
        "password is the text, with its spaces, {} to {} bytes;",
        (passwords.SHORTEST, passwords.LONGEST),
    ),
    (SPEC, "fewer than {} different characters", (passwords.FEWEST,)),
    (SPEC, "After {} wrong tries the connection is closed", (LOGIN.tries,)),
    (
        SPEC,
        "After {} of an account in {} minutes the next has to wait, {} second at first",
        (LOGIN.failures, LOGIN.window / MINUTE, LOGIN.shortest / SECOND),
    ),
    (
        SPEC,
        "from the {}th in a day on up to {} minutes;",
        (LOGIN.day_free, round(DAY_MS / LOGIN.each_day / MINUTE)),
    ),
    (
        SPEC,
        "An address may make {} wrong tries at once, and then {} in {} minutes.",
        (LOGIN.each_address, LOGIN.each_address, LOGIN.address_window / MINUTE),
    ),
    (SPEC, "An address makes {} accounts an hour.", (LOGIN.registrations,)),
    (SPEC, "ends {} days after it was made.", (login.TOKEN_LASTS / DAY_MS,)),
    (
        HELP,
        "A table with people has a clock: {} seconds a move and {} in reserve,",
        (clocks.USUAL_CLOCK.move / SECOND, clocks.USUAL_CLOCK.bank / SECOND),
    ),
    (
        PLAYING,
        "plays with {} seconds a move and a reserve of {} seconds for the whole game,",
        (clocks.USUAL_CLOCK.move / SECOND, clocks.USUAL_CLOCK.bank / SECOND),
    ),
    (PLAYING, "your seat is kept for {} minutes (the operator", (HOST.grace / MINUTE,)),
    (PLAYING, "A guest's name is free again {} minutes after the line", (HOST.grace / MINUTE,)),
    (
        PLAYING,
        "A password is {} to {} bytes long;",
        (passwords.SHORTEST, passwords.LONGEST),
    ),
    (PLAYING, "A token ends {} days after it was made.", (login.TOKEN_LASTS / DAY_MS,)),
    (
        PLAYING,
        "the game begins within {} seconds.",
        (auto_start.TIME_FOR_WORDS / SECOND,),
    ),
    (PLAYING, "practice.jsonl`: the last {}.", (practice_history.MOST,)),
    (FAIR, "A word can be replaced {} times;", (fairness.CHANGES,)),
    (FAIR, "waits for the words, {} seconds at the most.", (auto_start.TIME_FOR_WORDS / SECOND,)),
    (FAIR, "is not opened within {} seconds the start", (fairness.TIME_TO_OPEN / SECOND,)),
    ("docs/review.md", "the last {} decisions are judged.", (review.MOST_JUDGED,)),
    ("docs/review.md", "with the same cards, and played {} times by average", (luck.DUPLICATES,)),
    ("docs/review.md", "of its {} most costly marked moves", (review.DEAREST,)),
    (
        PLAYING,
        "and {} seconds before the end what will be played",
        (clock_warnings.WARNED_BEFORE_END / SECOND,),
    ),
    (FAIR, "`fair log` lists the last {} fingerprints", (paging.USUAL,)),
    (
        "docs/operating/ways-in.md",
        "begin with a PROXY header, version 1 or 2, within {} seconds.",
        (proxied.IN_TIME / SECOND,),
    ),
    (
        "docs/operating/stopping.md",
        "the server exits after {} s with status 70",
        (STOPPED,),
    ),
    (
        "docs/operating/stopping.md",
        "The `wait=` grows by {} ms from one connection",
        (channel.BACK_APART,),
    ),
    (
        "docs/sdk.md",
        "After {} s of silence the SDK asks the server for a sign of life; {} s later it gives",
        (Timing().quiet, Timing().answer),
    ),
    ("stats", "the last {} of those that you may see", (statistics.GAMES,)),
    (ABUSE, "an address gets {} ms for all its connections", (SLICE,)),
    (
        ABUSE,
        "may send {} at once and then {} a second; all connections of an address together "
        "{} and {}.",
        (NET.burst, NET.rate, NET.address_burst, NET.address_rate),
    ),
    (
        ABUSE,
        "An expensive command counts as up to {};",
        (max(command.cost for command in COMMANDS.values()),),
    ),
    (
        ABUSE,
        "{} open tables, {} seats, {} names, {} seeks and {} hard bots.",
        (QUOTA.tables, QUOTA.seats, QUOTA.names, QUOTA.seeks, QUOTA.thinking_bots),
    ),
    (
        ABUSE,
        "may have {} open connections. It may open {} at once and then {} a minute, and bring in "
        "{} new guests a minute.",
        (NET.each_address, NET.connect_burst, NET.connect_rate, QUOTA.guests),
    ),
    (ABUSE, "A connection with {} MiB of unread data is closed.", (NET.unread / (1 << 20),)),
    (
        ABUSE,
        "may send {} MiB at once and then {} KiB a second",
        (NET.address_bytes / (1 << 20), NET.address_bytes_rate / 1024),
    ),
    (ABUSE, "The server reads {} KiB at a time", (READ_SIZE / 1024,)),
    (
        SPEC,
        "send, {} MiB is read at once and then {} KiB a second",
        (NET.address_bytes / (1 << 20), NET.address_bytes_rate / 1024),
    ),
    (
        ABUSE,
        "{} s for a connection that was closed for flooding (`FLOOD`), {} s for one that spoke",
        (NET.penalty_flood / SECOND, NET.penalty_silent / SECOND),
    ),
    (
        ABUSE,
        "sent nothing, {} s for one above the connection rate.",
        (NET.penalty_refused / SECOND,),
    ),
    (ABUSE, "Penalties add up to at most {} minutes and expire", (NET.penalty_most / MINUTE,)),
    (ABUSE, "From {} s on, the address may open no", (NET.penalty_least / SECOND,)),
    (ABUSE, "The last {} % of the connections are reserved", (NET.reserve,)),
    (ABUSE, "does not identify itself within {} seconds", (channel.COME_IN / SECOND,)),
    (ABUSE, "The last {} % of the tables are reserved", (QUOTA.reserved_tables,)),
    (ABUSE, "have {} times the limits (`limits.local_times`)", (NET.local_times,)),
    (
        "docs/operating/ways-in.md",
        "for a certificate that expires within {} days",
        (certificates.SOON.days,),
    ),
    (
        "docs/operating/ways-in.md",
        "A message of more than {} KiB closes",
        (websocket.LARGEST / 1024,),
    ),
    (
        "docs/operating/ways-in.md",
        "The server pings every {} seconds, and closes the connection after {} pings without",
        (websocket.PING / SECOND, websocket.UNANSWERED),
    ),
    (
        "docs/operating/stopping.md",
        "the same now, by hand; the default is {} minutes",
        (DRAIN / MINUTE,),
    ),
    (
        "docs/operating/watching.md",
        "if its event loop has hung for {} s: restart it",
        (heartbeat.STUCK,),
    ),
]

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: number for number, word in enumerate(_WORDS, 1)} | {"fifteen": 15, "twenty": 20}
_NUMBER = rf"([0-9][0-9,]*|(?i:{'|'.join(_NUMBERS)}))"


def text(page: str) -> str:
    """A page, or what help says, as one line."""
    if page == HELP:
        whole = "\n".join(manual.TOPICS.values())
    elif page in COMMANDS:
        whole = ROOT.joinpath("protocol/REFERENCE.md").read_text(encoding="utf-8")
    else:
        whole = ROOT.joinpath(page).read_text(encoding="utf-8")
    return " ".join(whole.split())


def number(word: str) -> int:
    """The number that a word or digits say."""
    digits = word.replace(",", "")
    return int(digits) if digits.isdigit() else _NUMBERS[word.lower()]


@together(("page", "sentence", "held"), PROMISES)
def test_a_number_in_prose_is_the_one_that_is_held(
    page: str, sentence: str, held: tuple[float, ...]
) -> None:
    pattern = _NUMBER.join(map(re.escape, sentence.split("{}")))
    found = re.search(pattern, text(page))
    assert found is not None, f"{page} no longer says {sentence!r}: give the new sentence here"
    assert tuple(map(number, found.groups())) == held


def test_people_who_are_silent_are_let_go_after_half_an_hour_as_is_said() -> None:
    assert "Without a seat they are disconnected after half an hour of silence." in text(SPEC)
    assert NET.idle == 30 * MINUTE


def test_the_fourth_time_within_a_minute_is_refused_as_is_said() -> None:
    assert "says for the fourth time within a minute, by `say`" in text(SPEC)
    assert (repeats.MOST_REPEATS, repeats.REPEAT_WINDOW) == (4 - 1, MINUTE)
