"""Sections 6 and 7: commands, replies, and their order."""

from __future__ import annotations

from ..check import alone, cases, quotes
from ..connections import HELLO, Address, Client, Program, words
from ..fixtures import Connect, Open

_COMMANDS = """
abort; accept nobody; addbot; again; bid 1; auth SCRAM-SHA-256 nonsense; block; call; caps;
close t99999; daily; decline nobody; declare F0; describe verbs; dropbot; exchange 2;
export nonsense; fair nonsense; clock; finish; follow lobby; friend nobody; friends;
game nonsense; games; guest x; hand; hello 1; help; hint; history; host nobody; info;
invite nobody; join t99999; keep; keys nonsense; kibitz :hm; lab nonsense; last; leave t99999; lock;
login nobody; logout 1 2 3; motd; move nonsense; moves; no; open nonsense; option nonsense 1;
pass; password x; pause 1 2; ping; play nonsense; practice nonsense; profile nobody; ranks;
rating nobody; ready; register x :y; rematch; remove nobody; replay nonsense; review nonsense;
redeal; report nobody :hm; resign t99999; results; resume nonsense; rules; say :hm; score;
seed no-word!; seedhash nonsense; seek nonsense; seeks; set; shout :hm; start; state;
stats nobody; swap 99; sync me from=0; table; tables; tell nobody :hm; time; tutorial;
token nonsense; trump 2H; unblock nobody; undo; unfollow lobby; unfriend nobody; unlock; unpause;
unready; unseek; unwatch; watch t99999; watchers; whatif nonsense; who; whoami; why 2
"""
VERBS = {line.split()[0]: line for line in _COMMANDS.replace("\n", " ").strip().split("; ")}
"""A line for every verb of this version; the line changes nothing, or is refused."""


def _one_reply(client: Program, command: str) -> None:
    client.send(f"@a1 {command}", "@b2 ping", "@a1 ping again")
    first = client.reply("a1")
    assert first.final.word in ("OK", "ERR")
    assert client.reply("b2").ok
    assert client.reply("a1")["pong"] == "again"


@quotes(
    "Every command gets exactly one reply, even if the reply has nothing to report.", "R1", "R2"
)
@cases("verb", VERBS)
def a_verb_gets_exactly_one_reply(address: Address, table: Open, verb: str) -> None:
    with Program(address) as nobody:
        _one_reply(nobody, "ping" if verb in ("guest", "hello") else VERBS[verb])
    seated = table().host
    _one_reply(seated, VERBS[verb])


@quotes("describe verbs and describe verbs move", "R2", "W3")
def no_verb_of_the_server_is_left_out_here(connect: Connect) -> None:
    rows = connect().must("describe verbs").rows
    known = {row["name"] for row in rows}
    assert known - set(VERBS) <= {"pong", "quit"}, "a new verb needs a line in VERBS"


@quotes("Only pong has none, unless it is refused.", "R2")
def pong_has_no_reply_unless_it_is_refused(connect: Connect) -> None:
    client = connect()
    client.send("@a pong 1", "@b pong", "@c pong abc", "@d ping")
    assert client.reply("c")["arg"] == "no"
    assert client.reply("d").ok
    assert not [line for line in client.heard if line.startswith(("@a ", "@b "))]


@quotes("Outside the text, several spaces count as one.", "N1", "R1")
@cases("line", ["@s ping two", " @s ping two", "@s  ping two", "@s ping  two", "\t@s\tping\ttwo "])
def several_spaces_are_as_good_as_one(connect: Connect, line: str) -> None:
    client = connect()
    client.send(line)
    assert client.reply("s")["pong"] == "two"


@quotes("Each of these lines begins with @ and the id of the command", "R1")
@cases("id", ["1", "a", "A-b_c.9", "x" * 32, "*"])
def an_id_comes_back(connect: Connect, id: str) -> None:
    client = connect()
    client.send(f"@{id} games", f"@{id} bogus", f"@{id} tell")
    assert len(client.reply(id).rows) >= 2
    assert client.reply(id).code == "UNKNOWN_VERB"
    assert client.reply(id).code == "BAD_ARG"


@quotes("A command without an id is answered with @*.", "R1")
def a_command_without_an_id_is_answered_too(connect: Connect) -> None:
    client = connect()
    client.send("ping soup")
    assert client.reply("*")["pong"] == "soup"


@quotes("An id comes back as it was sent, even on a refusal, whenever it could be read", "R7")
@cases("rest", ["", " ", " ???", " play?", " @2 ping", " 7"])
def an_id_comes_back_when_nothing_else_could_be_read(connect: Connect, rest: str) -> None:
    client = connect()
    client.send(f"@id5{rest}", "@x ping")
    assert client.reply("id5").code == "BAD_SYNTAX"
    assert client.reply("x").ok


@quotes("An id comes back as it was sent", "R7")
@cases("id", ["", "x" * 33, "a,b", "a\u00fe", "a@b"])
def a_bad_id_is_answered_without_it(connect: Connect, id: str) -> None:
    client = connect()
    client.send(f"@{id} ping", "@x ping")
    assert client.reply("*").code == "BAD_SYNTAX"
    assert client.reply("x").ok


@quotes("The commands of one connection are carried out and answered in the order", "R3")
def many_pipelined_commands_are_answered_in_order(connect: Connect) -> None:
    client = connect()
    client.send(*(f"@n{n} {['ping', 'games', 'bogus', 'whoami'][n % 4]}" for n in range(400)))
    for n in range(400):
        client.reply(f"n{n}")


@quotes("Programs write verbs in full.", "R4")
@cases("short", ["pin", "p", "h", "prac", "whoa", "?", "'hm"])
def a_program_may_not_shorten_verbs(connect: Connect, short: str) -> None:
    assert connect().ask(short).code in ("UNKNOWN_VERB", "BAD_SYNTAX")


@quotes("Verbs are in lower or upper case.", "R4")
@cases("verb", ["PING", "Ping", "pInG"])
def verbs_are_in_any_case(connect: Connect, verb: str) -> None:
    assert connect().must(f"{verb} Soup")["pong"] == "Soup"


@quotes("These fields are promised", "R5")
def the_promised_fields_are_there(connect: Connect) -> None:
    ann, bob = connect(), connect()
    assert set(ann.must("whoami").final.fields) >= {"name"}
    opened = ann.must("open twentytwo seats=2 clock=0")
    assert opened["seat"] == "1"
    joined = bob.must(f"join {opened['on']}")
    assert (joined["on"], joined["seat"]) == (opened["on"], "2")
    watcher = connect()
    assert watcher.must(f"watch {opened['on']}")["on"] == opened["on"]
    practice = watcher.must("practice bots=1")
    assert (practice["on"][0], practice["seat"]) == ("t", "1")
    resumed = connect()
    assert set(resumed.must("who").final.fields) >= {"n"}
    assert ann.token and ann.name


@quotes("move and its readable forms with on= seq=, the number of the move's event", "R5")
@cases("form", ["move -", "exchange", "keep", "exchange 2 5"])
def a_move_answers_with_the_number_of_its_event(table: Open, form: str) -> None:
    played = table(options="seed=27 options=first_hand:5")
    mover, turn = played.asked()
    form = form.replace("2 5", " ".join(card[0] for card in turn.items("cards")[:2]))
    reply = mover.must(form)
    event = mover.until("EXCHANGED")
    assert (reply["on"], reply["seq"]) == (played.on, event["seq"])


LISTS = (
    *("games", "rules twentytwo", "rules twentysix", "who", "tables", "seeks"),
    *("describe verbs", "describe events", "describe errors", "describe games", "state"),
    *("score", "table", "watchers", "help", "help move", "info", "set", "set width 60"),
    *("follow", "clock"),
)


@quotes("verbs that list something with n=, the number of rows.", "R5")
@cases("command", LISTS)
def a_list_ends_with_the_number_of_its_rows(table: Open, command: str) -> None:
    reply = table(watchers=1).host.must(command)
    assert int(reply["n"]) == len(reply.rows)


PAGED = ["games", "rules twentytwo", "who", "tables", "seeks", "watchers", "fair log"]


@quotes("take n=, how many rows at most, from 1 to 500", "R9")
@quotes("The same command with after= and that value goes on from there.", "R9")
@quotes("A client does not take a list as complete before it has looked for next=.", "R10")
@cases("command", PAGED)
def a_long_list_comes_in_pages(table: Open, command: str) -> None:
    host = table(watchers=2).host
    whole = [row.line for row in host.must(f"{command} n=500").rows]
    for n in (1, 3) if len(whole) < 20 else (len(whole) // 2 + 1,):
        found, after = list[str](), ""
        while True:
            page = host.must(f"{command} n={n}{after}")
            assert len(page.rows) == int(page["n"]) <= n
            found += [row.line for row in page.rows]
            # Others come and go while this is asked.
            assert len(set(map(_bare, found))) == len(found), "a row is told twice"
            if "next" not in page.final.fields:
                break
            assert page.rows, "an empty page goes on"
            after = f" after={page['next']}"
        if command in ("games", "rules twentytwo", "watchers"):
            assert [*map(_bare, found)] == [*map(_bare, whole)]


def _bare(line: str) -> str:
    """A row without the id of its command."""
    return line.partition(" ")[2]


@quotes("games answers with a row GAME game= min= max= presets= for each game", "D5")
@quotes("describe games twentyeight is about that game only", "D5")
def games_presets_and_rules_name_their_game(connect: Connect) -> None:
    client = connect()
    games = client.must("games").rows
    assert {row.word for row in games} == {"GAME"}
    every = client.must("describe games").rows
    assert [row.line.partition(" ")[2] for row in every[: len(games)]] == [
        row.line.partition(" ")[2] for row in games
    ]
    for game in games:
        key, presets = game["game"], game.items("presets")
        rows = client.must(f"describe games {key}").rows
        assert {row["game"] for row in rows} == {key}
        assert [row["rules"] for row in rows if row.word == "PRESET"] == presets
        assert {row["rules"] for row in rows if row.word == "RULE"} == {presets[0]}
        for preset in presets:
            first, *rules = client.must(f"rules {key} rules={preset}").rows
            assert (first.word, first["game"], first["rules"]) == ("PRESET", key, preset)
            ranks = first.items("ranks")
            assert len(set(ranks)) == len(ranks) > 1
            assert first.fields.get("worth", "").count(",") in (0, len(ranks) - 1)
            assert first.number("min") <= first.number("max")
            if preset == presets[0]:
                assert [first[key] for key in ("min", "max")] == [game["min"], game["max"]]
            for rule in rules:
                assert (rule["game"], rule["rules"]) == (key, preset)
                words, value = rule.fields.get("values", ""), rule["default"]
                assert value in words.split(",") or rule.number("min") <= int(value) <= rule.number(
                    "max"
                )


@quotes("rules alone has those of the table where you are, as its options are now", "D5")
def the_rules_of_a_table_are_as_it_has_them(connect: Connect) -> None:
    host = connect()
    on = host.must("open twentyeight")["on"]
    before, *_ = host.must("rules").rows
    host.must("option order pagat")
    after, *rules = host.must("rules").rows
    assert next(row for row in rules if row["key"] == "order")["default"] == "pagat"
    assert (before.items("ranks")[2:6], after.items("ranks")[2:6]) == (list("TQKA"), list("QKTA"))
    assert sum(map(int, after.items("worth"))) * 4 == 28
    host.must(f"close {on}")


@quotes("A client that follows tables, and then sends sync tables from= with the number", "R11")
def no_table_is_missed_by_whoever_lists_and_follows(connect: Connect) -> None:
    reader, host = connect(), connect()
    listed = reader.must("tables n=1")
    assert listed["on"] == "tables"
    on = host.must("open twentytwo")["on"]
    reader.must("follow tables")
    reader.must(f"sync tables from={listed['seq']}")
    while reader.until("OPENED")["table"] != on:
        pass
    host.must(f"close {on}")


@quotes("take n=, how many rows at most, from 1 to 500", "R9")
@cases("n", ["0", "501", "-1", "many"])
def a_page_has_a_length(connect: Connect, n: str) -> None:
    refused = connect().ask(f"tables n={n}")
    assert (refused.code, refused["arg"]) == ("BAD_ARG", "n")


@quotes("Commands are answered in order, so ping is also a fence", "R6")
def ping_is_a_fence(table: Open) -> None:
    played = table()
    mover, turn = played.asked()
    mover.send(f"@m move {turn['default']}", "@p ping soup")
    assert mover.reply("m").ok
    assert mover.reply("p")["pong"] == "soup"
    assert "EXCHANGED" in words(mover.take())


@quotes("sent everything that its earlier commands have caused for it", "R6")
def ping_is_a_fence_for_the_table_before_too(connect: Connect) -> None:
    client = connect()
    before = client.must("practice bots=1")["on"]
    client.send("@n practice bots=1", "@p ping soup")
    assert client.reply("n").ok
    assert client.reply("p")["pong"] == "soup"
    assert ("LEFT", before) in [(event.word, event.fields.get("on")) for event in client.take()]


@quotes("A command is a verb, its arguments, and a text", "R2", "N1")
@cases(
    ("command", "arg"),
    [
        ("tell", "name"),
        ("tell ann", "text"),
        ("sync me", "from"),
        ("sync", "stream"),
        ("bid x=y", "x"),
        ("seek players=x", "players"),
        ("open seats=1_0", "seats"),
        ("open seats=\u0662", "seats"),
        ("open seats=99999999999999999999", "seats"),
        ("open rated=yes", "rated"),
    ],
)
def an_argument_that_is_wrong_is_named(connect: Connect, command: str, arg: str) -> None:
    refused = connect().ask(command)
    assert (refused.code, refused["arg"]) == ("BAD_ARG", arg)


@quotes("the name of the text if the verb takes one, and otherwise absent", "N2", "E3")
@cases("command", ["ping 1 2", "whoami me", "move Q 7 8"])
def a_word_too_many_has_no_name(connect: Connect, command: str) -> None:
    refused = connect().ask(command)
    assert refused.code == "BAD_ARG"
    assert "arg" not in refused.final.fields


@quotes("arg= is always the name of an argument, or of an option of the game", "E3")
@cases(
    ("command", "arg"),
    [
        ("exchange 1x", "cards"),
        ("move 1x", "token"),
        ("why 1x", "move"),
        ("set bogus 1", "key"),
        ("set width wide", "value"),
        ("practice rules=bogus", "rules"),
        ("option bogus 1", "bogus"),
    ],
)
def what_is_wrong_is_named_and_not_quoted(
    connect: Connect, table: Open, command: str, arg: str
) -> None:
    opened = command.startswith("option")
    played = table(start=not opened)
    turn = None if opened else played.turn()
    asker = played.host if turn is None else played.mover(turn)
    assert asker.ask(command)["arg"] == arg


# ---------------------------------------------------------------------------------- order


@quotes("The reply to a command comes before every event that it causes.", "O1")
def a_reply_comes_before_its_events(table: Open) -> None:
    played = table(seats=3)
    played.play()
    for client in played.seats:
        reached = 0
        for line in client.heard:
            found = line.startswith("@") and " OK on=" in line and " seq=" in line
            if found:
                seq = int(line.split(" seq=")[1].split()[0])
                assert seq > reached, f"{line} after the event"
            elif f"on={played.on} seq=" in line:
                reached = int(line.split(" seq=")[1].split()[0])


@alone  # it follows the lobby, where others would be seen
@quotes("The reply to a command comes before every event that it causes.", "O1")
@cases(
    ("command", "event"),
    [
        ("say :hello", "SAID"),
        ("tell {me} :hello", "TOLD"),
        ("shout :hello", "SHOUTED"),
        ("pause", "VOTE"),
        ("resign", "RESULT"),
        ("option limit 30", "OPTION"),
        ("ready", "READY"),
        ("lock", "OPTION"),
        ("addbot", "JOINED"),
        ("swap 3", "SWAPPED"),
    ],
)
def every_kind_of_command_is_answered_first(table: Open, command: str, event: str) -> None:
    open_ = command.split()[0] in ("option", "ready", "lock", "addbot", "swap")
    made = table(start=not open_, seats=3 if open_ else 2)
    host = made.host
    if open_:
        made.seats[2].must("leave")
    host.must("follow lobby")
    made.catch_up()
    host.take()
    heard = len(host.heard)
    host.must(command.format(me=host.name))
    host.until(event)
    first = host.heard[heard]
    assert first.startswith("@"), first


@quotes("The lines of a reply come together. Events that sync or resume repeats come before", "O2")
def what_sync_repeats_comes_before_its_reply(table: Open) -> None:
    host = table().host
    heard = len(host.heard)
    on = host.events[-1]["on"]
    reply = host.must(f"sync {on} from=0")
    repeated = host.heard[heard:-1]
    assert len(repeated) == int(reply["seq"])
    assert all(f" on={on} seq={n} " in line for n, line in enumerate(repeated, 1))


@quotes("Within a stream seq rises by one from event to event, and no number is used twice.", "O3")
@cases("seats", [2, 3, 5])
def numbers_are_gapless(table: Open, seats: int) -> None:
    played = table(seats=seats, watchers=1)
    played.play(turns=60)
    for client in played.everybody:
        numbers = [event.number("seq") for event in client.on(played.on)]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@quotes("All consequences of a move come before the next TURN.", "O4")
def a_turn_comes_last(table: Open) -> None:
    played = table()
    while (turn := played.turn()) is not None:
        assert played.host.on(played.on)[-1].word == "TURN"
        assert played.seats[1].on(played.on)[-1].word == "TURN"
        played.mover(turn).must(f"move {turn['default']}")


@quotes("A client may act as soon as it reads TURN.", "O4")
def a_turn_is_answered_at_once(connect: Connect) -> None:
    client = connect()
    client.send("practice bots=2 seed=3")
    while True:
        record = client.record()
        if record.mine:
            client.send(f"@m move {record['default']} turn={record['turn']}")
        elif record.id == "m":
            assert record.word == "OK", record.line
        elif record.word == "GAMEOVER":
            break


@quotes("GAMEOVER is the last event of a game", "O5")
def gameover_is_the_last_event(table: Open) -> None:
    played = table(seats=3)
    assert played.play()
    for client in played.seats:
        *_, over, next_one = client.on(played.on)
        assert (over.word, next_one.word) == ("GAMEOVER", "COMMITTED")


@quotes("At most one question is open to a seat at a time.", "O7")
def there_is_one_question_to_a_seat_at_a_time(table: Open) -> None:
    played = table(seats=3)
    played.play()
    open_: dict[str, str] = {}
    last = 0
    for event in played.host.on(played.on):
        if event.word == "TURN":
            assert event["seat"] not in open_
            assert event.number("turn") == last + 1
            open_[event["seat"]] = event["turn"]
            last = event.number("turn")
        elif event.word == "ANSWERED":
            assert open_.pop(event["seat"]) == event["turn"]
        elif event.word in ("EXCHANGED", "PLAYED"):
            assert event["seat"] in open_
            open_.clear()


@quotes(
    "The commands of one connection are carried out and answered in the order", "R3", "O4", "T2"
)
def two_clients_that_race_for_a_turn_move_once(table: Open) -> None:
    played = table()
    for _ in range(30):
        turn = played.turn()
        if turn is None:
            break
        move = f"move {turn['default']} turn={turn['turn']}"
        for client in played.seats:
            client.send(f"@r {move}", f"@s {move}")
        answers = [client.reply(id).code for client in played.seats for id in "rs"]
        assert sorted(answers)[0] == ""
        assert answers.count("") == 1, answers
        assert set(answers) <= {"", "NOT_YOUR_TURN", "STALE_TURN", "NO_GAME"}


@quotes("The server sends no telnet byte", "F5", "R1")
def the_greeting_is_the_only_comment(raw: Client) -> None:
    raw.send(HELLO, "help", "quit")
    assert not any(line.startswith(b"#") for line in raw.rest().splitlines())
