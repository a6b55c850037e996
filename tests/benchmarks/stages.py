"""The stages of a line in the server: which modules and functions belong to each."""

from __future__ import annotations

READS = (
    "_dataReceived",
    "_readIsReady",
    "_readOrWrite",
    "_read_ready",
    "_read_ready__data_received",
    "data_received",
    "doRead",
)
WRITES = (
    "_add_writer",
    "_remove_writer",
    "_write_ready",
    "_write_send",
    "add_writer",
    "remove_writer",
    "write",
    "writelines",
)
SENDS = (
    *("send", "flush", "_flush", "flush_soon", "_answer_peer", "_to_be_flushed"),
    *("_to_be_written", "count_held", "_check_unread", "_go_on"),
)
READS_COMMANDS = (
    *("parse", "read", "read_command", "read_typed", "split_command", "take_once", "id_of"),
    *("__init__", "read_named", "read_positional", "add_option", "command", "expects", "lacks"),
    *("_read_int", "_read_str", "_read_token"),
)
BURSTS = ("__init__", "__post_init__", "plan", "extend", "append", "news", "news_for")

READ, WRITE, LOOP = "socket read", "socket write", "event loop"
BYTES, COMMAND, DISPATCH = "bytes to a line", "line to a command", "dispatch, rooms, people"
MOMENT, DECIDE, LAWS = "moment and deals", "decide: table, orders", "laws of the game"
BURST, LINES, FACTS = "events to a burst", "lines", "facts, journal, store"
FAN_OUT, MODELS, REST = "answer, fan-out, flush", "models for late comers, bots", "the rest"
OURS = (
    *(BYTES, COMMAND, DISPATCH, MOMENT, DECIDE, LAWS, BURST, FACTS, LINES, FAN_OUT, MODELS, REST),
)
"""The stages of this project's own code, in the order in which a line passes them."""

STAGES = (
    # The first prefix that fits a module and, if there is one, a name among its functions.
    ("twisted.internet.tcp", READS, READ),
    ("twisted.internet.tcp", (), WRITE),
    ("twisted.internet.abstract", (), WRITE),
    ("twisted.internet.asyncioreactor", READS, READ),
    ("twisted.internet.asyncioreactor", ("callLater", "_onTimer", "_reschedule"), "timers"),
    ("twisted.internet.asyncioreactor", (), WRITE),
    ("twisted.internet.base", (), "timers"),
    ("twisted.internet", (), LOOP),
    ("asyncio.selector_events", WRITES, WRITE),
    ("asyncio.selector_events", READS, READ),
    ("asyncio", (), LOOP),
    ("selectors", ("select",), LOOP),
    ("twentytwo_server.net.direct", READS, READ),
    ("twentytwo_server.net.direct", (), WRITE),
    ("twentytwo_server.net.transport", ("dataReceived",), BYTES),
    ("twentytwo_server.net.transport", (), FAN_OUT),
    ("twentytwo_server.net", SENDS, FAN_OUT),
    ("twentytwo_server.net", (), BYTES),
    ("twentytwo_server.limits", (), BYTES),
    ("twentytwo_server.scheduler", (), BYTES),
    ("twentytwo_server.host.commands.admission", (), BYTES),
    ("twentytwo_protocol.framing", ("visible",), LINES),
    ("twentytwo_protocol.framing", (), BYTES),
    ("twentytwo_protocol.wire", READS_COMMANDS, COMMAND),
    ("twentytwo_protocol.schema", READS_COMMANDS, COMMAND),
    ("twentytwo_protocol.verbs", (), COMMAND),
    ("twentytwo_protocol.typed", (), COMMAND),
    ("twentytwo_protocol.words", ("of",), COMMAND),
    ("twentytwo_protocol.games", ("of",), COMMAND),
    ("twentytwo_server.session.reading", (), COMMAND),
    ("twentytwo_server.session.requests", (), COMMAND),
    ("twentytwo_server.session.session", (), COMMAND),
    ("twentytwo_server.session.streams", BURSTS, BURST),
    ("twentytwo_server.session.streams", (), LINES),
    ("twentytwo_server.session", (), FAN_OUT),
    ("twentytwo_server.host.people.viewers", (), FAN_OUT),
    ("twentytwo_server.host.tables.audience", (), FAN_OUT),
    ("twentytwo_protocol.folding", (), MODELS),
    ("twentytwo_protocol.model", (), MODELS),
    ("twentytwo_protocol.knowledge", (), MODELS),
    ("twentytwo_server.host.tables.models", (), MODELS),
    ("twentytwo_server.host.tables.bots", (), MODELS),
    ("twentytwo_protocol.logs", (), FACTS),
    ("twentytwo_protocol.record", (), FACTS),
    ("twentytwo_protocol.summary", (), FACTS),
    ("twentytwo_protocol.fair", (), MOMENT),
    ("twentytwo_protocol.cards", (), LAWS),
    ("twentytwo_protocol.words", ("token",), LAWS),
    ("twentytwo_protocol.games", ("token",), LAWS),
    ("twentytwo_protocol", (), LINES),
    ("twentytwo_server.games", (), LAWS),
    ("twentytwo_server.table.journal", (), FACTS),
    ("twentytwo_server.table.deals", (), MOMENT),
    ("twentytwo_server.table", (), DECIDE),
    ("twentytwo_server.host.tables.input_log", (), FACTS),
    ("twentytwo_server.host.tables.game_log", (), FACTS),
    ("twentytwo_server.host.tables.order_facts", (), FACTS),
    ("twentytwo_server.host.tables.deals", (), MOMENT),
    ("twentytwo_server.host.tables.pausable_clock", (), MOMENT),
    ("twentytwo_server.host.room_services", ("moment", "joint_moment"), MOMENT),
    ("twentytwo_server.host", (), DISPATCH),
    ("twentytwo_server.answers", (), DISPATCH),
    ("twentytwo_server.consequences", (), DISPATCH),
    ("twentytwo_server.records", (), FACTS),
    ("twentytwo_server.facts", (), FACTS),
    ("twentytwo_server.store", (), FACTS),
    ("aiosqlite", (), FACTS),
    ("sqlalchemy", (), FACTS),
    ("twentytwo_server", (), REST),
    # The callback of the collector after each pass.
    ("__main__", ("_collected",), "garbage collector"),
)


def stage(module: str, function: str) -> str | None:
    """The stage of a function; None if its caller's stage is meant."""
    for prefix, names, found in STAGES:
        if (module == prefix or module.startswith(prefix + ".")) and (
            not names or function in names
        ):
            return found
    return None
