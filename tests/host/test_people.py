"""Names, secrets, coming back, being replaced, going."""

from __future__ import annotations

import hashlib

from tests.kit.cases import together
from tests.kit.hosts import World
from twentytwo_server.host.config import Config
from twentytwo_server.host.people.people import RESERVED, USED_SECRETS

GRACE = 120_000


def test_a_guest_gets_a_name_a_secret_and_the_time_of_grace() -> None:
    world = World()
    reply = world.peer()
    reply.say("hello 1 client=x")
    ok = reply.ok("guest ann")
    assert ok.fields["name"] == "~ann"
    assert ok.fields["grace"] == str(GRACE)
    assert ok.fields["token"]


def test_a_name_that_is_taken_gets_a_number() -> None:
    world = World()
    names = [world.program(name).name for name in ("ann", "ann", "Ann", "ann2", "ANN")]
    assert names == ["~ann", "~ann2", "~Ann3", "~ann22", "~ANN4"]
    long = "x" * 16
    assert [world.program(long).name for _ in range(3)] == [
        f"~{long}",
        f"~{'x' * 15}2",
        f"~{'x' * 15}3",
    ]


@together("name", ["a", "x" * 17, "1ann", "a b", "ann!", "änne", "-ann", "a.b", "_a"])
def test_a_name_that_will_not_do_is_refused(name: str) -> None:
    program = World().program()
    assert program.err(f"guest {name}") in ("BAD_NAME", "BAD_ARG")


@together("name", [*sorted(RESERVED), "practice", "HELP", "Server"])
def test_a_name_that_means_something_is_refused(name: str) -> None:
    assert World().program().err(f"guest {name}") == "BAD_NAME"


def test_a_tilde_before_the_name_is_not_part_of_it() -> None:
    assert World().program("~ann").name == "~ann"


def test_one_connection_is_one_person() -> None:
    ann = World().program("ann")
    assert ann.err("guest bob") == "FORBIDDEN"
    assert ann.err("resume whatever") == "FORBIDDEN"
    assert ann.ok("whoami").fields["name"] == "~ann"


def test_whoever_has_no_name_is_asked_for_one() -> None:
    stranger = World().program()
    assert stranger.err("practice") == "LOGIN_FIRST"
    assert stranger.err("say :hi") == "LOGIN_FIRST"
    stranger.ok("tables")
    stranger.ok("help")


def test_hello_is_said_once_and_first() -> None:
    world = World()
    assert world.program().err("hello 1 client=again") == "WRONG_MODE"
    person = world.person("ann")
    assert "first line" in person.say("hello 1")[0]
    future = world.peer()
    assert future.say("@1 hello 2") == [
        "@1 ERR code=BAD_VERSION class=syntax have=1 :This server speaks version 1."
    ]
    assert future.hung_up


def test_hello_takes_several_versions_and_ignores_what_it_does_not_know() -> None:
    world = World()
    for line in ("hello 1,2 client=x", "hello 2,1 lang=en client=x and more", "hello a=b 1 -"):
        (answer,) = (peer := world.peer()).say(f"@1 {line}")
        assert answer.startswith("@1 OK proto=1 ")
        assert peer.err("ping soup a=b") == "BAD_ARG"


def test_capabilities_are_turned_on_and_off() -> None:
    world = World()
    ann = world.program("ann")
    known = "json,text,time,grease"
    assert ann.say("@1 caps json,magic") == [
        '{"ev":"OK","re":"1","knows":["json","text","time","grease"],"caps":["json"]}'
    ]
    assert ann.say("@2 caps time") == [f"@2 OK knows={known} caps=time"]
    assert ann.say("@3 caps") == [f"@3 OK knows={known} caps=time"]
    assert [row.fields["active"] for row in ann.rows("describe caps")] == ["0", "0", "1", "0"]
    assert ann.say("@4 caps -") == [f"@4 OK knows={known} caps="]
    assert "programs" in world.person("bob").say("caps json")[0]


def test_after_logout_the_name_is_free_and_the_connection_stays() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("open twentytwo")
    ann.ok("logout")
    assert world.host.rooms == {}
    assert ann.err("whoami") == "LOGIN_FIRST"
    assert ann.ok("guest ann").fields["name"] == "~ann"


def test_quitting_says_goodbye_and_hangs_up() -> None:
    world = World()
    program, person = world.program("py"), world.person("ann")
    assert program.say("@9 quit") == ["@9 OK", "BYE code=QUIT resume=1 :Goodbye, ~py."]
    assert person.say("quit") == ["Goodbye, ~ann."]
    assert program.hung_up
    assert person.hung_up


def test_what_comes_after_quit_is_not_carried_out() -> None:
    ann = World().program("ann")
    ann.ok("quit")
    assert ann.session.closing


# --------------------------------------------------------------------------------- secrets


def test_only_the_hash_of_a_secret_is_kept() -> None:
    world = World()
    ann = world.program("ann")
    person = world.host.people.find("ann")
    assert person is not None
    assert person.secret == hashlib.sha256(ann.token.encode()).digest()
    kept = repr([getattr(person, slot) for slot in ("name", "secret", "blocked", "invited")])
    assert ann.token not in kept


def test_a_secret_is_good_until_the_next_one_is_used() -> None:
    world = World()
    ann = world.program("ann")
    first, again, third, fourth = (world.program() for _ in range(4))
    lost = first.ok(f"resume {ann.token}").fields["token"]
    fresh = again.ok(f"resume {ann.token}").fields["token"]
    assert len({ann.token, lost, fresh}) == 3
    third.ok(f"resume {fresh}")
    assert fourth.err(f"resume {lost}") == "BAD_TOKEN"
    assert fourth.err(f"resume {ann.token}") == "BAD_TOKEN"


def test_a_resume_that_arrives_late_leaves_the_newer_token_as_good() -> None:
    world = World()
    ann = world.program("ann")
    given_up, second = world.program(), world.program()
    token = second.ok(f"resume {ann.token}").fields["token"]
    late = given_up.ok(f"resume {ann.token}").fields["token"]  # it was sent before
    third = world.program()
    newest = third.ok(f"resume {token}").fields["token"]
    # With the first of them that is used, the others are spent, and so is the one before.
    assert world.program().err(f"resume {late}") == "BAD_TOKEN"
    world.program().ok(f"resume {newest}")
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"


def test_of_several_who_use_a_secret_only_the_last_is_connected() -> None:
    world = World()
    ann = world.program("ann")
    ann.drop()
    racers = [world.program() for _ in range(5)]
    for racer in racers:
        racer.ok(f"resume {ann.token}")
    assert [racer.hung_up for racer in racers] == [True, True, True, True, False]
    assert racers[-1].ok("whoami").fields["name"] == "~ann"


def test_a_secret_that_opens_nothing_is_refused_and_changes_nothing() -> None:
    world = World()
    ann = world.program("ann")
    assert world.program().err("resume nonsense") == "BAD_TOKEN"
    assert world.program().err(f"resume {ann.token} t9") == "BAD_ARG"
    assert ann.ok("whoami").fields["name"] == "~ann"
    assert not ann.hung_up
    world.program().ok(f"resume {ann.token}")  # a refused one has not used it up


def test_a_guest_who_was_away_too_long_is_nobody() -> None:
    world = World()
    ann = world.program("ann")
    ann.drop()
    world.advance(GRACE - 1)
    assert world.host.people.find("ann")
    world.advance(1)
    assert world.host.people.find("ann") is None
    assert world.program().err(f"resume {ann.token}") == "BAD_TOKEN"
    assert world.program("ann").name == "~ann"


def test_every_absence_has_its_whole_time_of_grace() -> None:
    world = World()
    ann = world.program("ann")
    ann.drop()
    world.advance(10_000)
    second = world.program()
    token = second.ok(f"resume {ann.token}").fields["token"]
    world.advance(GRACE - 20_000)
    second.drop()
    world.advance(GRACE - 1)
    assert world.program().ok(f"resume {token}").fields["name"] == ann.name


def test_settings_that_are_read_again_change_the_grace_period_and_the_pause_of_bots() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("practice bots=1")
    world.host.config.change(Config("other", grace=20_000, pause=700, boot="other", dev=True))
    assert world.host.tables.bot_delay(world.room().table) == 700
    assert (world.host.config.now.boot, world.host.config.now.dev) == ("boot", False)
    bob = world.program("bob")
    bob.drop()
    world.advance(20_000)
    assert world.program().err(f"resume {bob.token}") == "BAD_TOKEN"


def test_whose_table_is_closed_while_they_are_away_keeps_the_time_of_grace() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.table(ann, bob)
    bob.drop()
    ann.ok("close")
    world.advance(GRACE - 1)
    world.program().ok(f"resume {bob.token}")


def test_a_guest_with_a_seat_in_a_game_stays_somebody() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    bob.drop()
    world.advance(10 * GRACE)
    world.program().ok(f"resume {bob.token}")


# ---------------------------------------------------------------------------------- resume


def test_a_newer_connection_takes_the_place_of_the_older() -> None:
    world = World()
    ann = world.program("ann")
    ann.ok("open twentytwo")
    newer = world.program()
    newer.ok(f"resume {ann.token}")
    assert ann.take()[-1].startswith("BYE code=REPLACED resume=0")
    assert ann.hung_up
    ann.drop()
    world.advance(10 * GRACE)
    assert newer.ok("whoami").text == "You are ~ann, a guest, with a seat at t1."


def test_missed_events_come_before_the_reply_of_resume_and_then_where_the_streams_stand() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    seen = world.room().stream.last
    all_lines = [e.line(1, ann.session.form) for e in world.room().stream.after(0)]
    ann.drop()
    again = world.program()
    lines = again.say(f"@1 resume {ann.token} t1:{seen - 3} me:0")
    away = f"PRESENCE on=t1 seq={seen + 1} seat=1 here=0 ms={GRACE}"
    assert lines[:4] == [*all_lines[-3:], away]
    asked = world.room().table.match
    assert asked is not None
    assert asked.question is not None
    assert lines[4] == f"@1 AT on=t1 seq={seen + 1} from={seen - 3} talk=k1"
    assert lines[5] == "@1 AT on=me seq=0 from=0"
    assert lines[6].startswith("@1 OK name=~ann token=")
    assert lines[7] == f"PRESENCE on=t1 seq={seen + 2} seat=1 here=1"
    assert len(lines) == 8


def test_from_every_number_resume_gives_just_what_was_missed() -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.game(ann, bob)
    token = ann.token
    for seq in range(0, world.room().stream.last, 5):
        ann.drop()
        ann = world.program()
        lines = ann.say(f"@1 resume {token} t1:{seq}")
        token = next(line for line in lines if " OK " in line).split("token=")[1].split()[0]
        numbers = [int(r.fields["seq"]) for line in lines if (r := ann.read(line)) and not r.id]
        assert numbers == [*range(seq + 1, world.room().stream.last + 1)]


@together(
    ("position", "code"),
    [
        ("t1:x", "BAD_ARG"),
        ("t1", "BAD_ARG"),
        ("t1:-1", "BAD_ARG"),
        ("t1:" + "9" * 30, "BAD_ARG"),
        (":1", "BAD_ARG"),
        ("t1:1 t1:2", "BAD_ARG"),
    ],
)
def test_a_position_that_will_not_do_is_refused(position: str, code: str) -> None:
    world = World()
    ann, bob = world.program("ann"), world.program("bob")
    world.table(ann, bob)
    bob.drop()
    assert world.program().err(f"resume {bob.token} {position}") == code


def test_what_the_lobby_no_longer_keeps_is_gone() -> None:
    world = World()
    ann = world.program("ann")
    for n in range(600):
        ann.ok(f"shout :{n}")
    assert ann.err("sync lobby from=0") == "GONE"
    oldest = int(ann.ask("sync lobby from=1").fields["oldest"])
    assert len(ann.say(f"sync lobby from={oldest - 1}")) == 501


def test_a_person_who_resumes_is_shown_how_the_hand_stands() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=2 clock=0")
    bob.say("join t1", "ready")
    ann.say("start")
    mover = world.on_turn()
    token = next(iter(world.host.people)).secret  # only its hash is there
    assert token
    mover_token = world.host.people.new_token(world.host.people.named(mover.name), private=True)
    mover.drop()
    back = world.peer()
    welcome, scores, cards, question = back.say(f"resume {mover_token}")
    assert welcome.startswith(f"Welcome back, {mover.name}. Next time: resume ")
    assert scores.startswith("Scores: ")
    assert cards == back.say("hand")[0]
    assert question.startswith("Your turn: exchange")


def test_the_cards_of_a_person_who_resumes_are_shown_once() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=2 clock=0")
    bob.say("join t1", "ready")
    ann.say("start")
    world.on_turn().say("keep")
    world.on_turn().say("keep")
    mover = world.on_turn()
    other = next(each for each in (ann, bob) if each is not mover)
    shown = []
    for peer in (mover, other):
        token = world.host.people.new_token(world.host.people.named(peer.name), private=True)
        peer.drop()
        lines = world.peer().say(f"resume {token}")
        cards = [line.split(": ")[0] for line in lines if line.startswith("Your cards")]
        shown.append(cards)
    # The question that is asked of the first shows their hand already.
    assert shown == [["Your cards"], ["Your cards"]]


def test_a_person_without_cards_who_resumes_is_shown_none() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("open seats=2 clock=0")
    token = world.host.people.new_token(world.host.people.named("~ann"), private=True)
    ann.drop()
    assert not any("cards" in line for line in world.peer().say(f"resume {token}"))


def test_who_comes_back_is_told_so_once_and_the_others_too() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=2 clock=0")
    bob.say("join t1")
    for _ in range(2):
        token = world.host.people.new_token(world.host.people.named("~bob"), private=True)
        bob.drop()
        ann.lines.clear()
        bob = world.peer()
        assert sum("back" in line for line in bob.say(f"resume {token}")) == 1
        assert ann.take().count("* ~bob is back.") == 1
    # Without having been away nobody else hears of it, and nothing is left to keep silent about.
    token = world.host.people.new_token(world.host.people.named("~bob"), private=True)
    world.peer().say(f"resume {token}")
    assert not any(person.session.welcomed for person in world.host.people if person.session)


def test_whoever_was_lost_with_the_server_is_no_news_to_the_others_who_were() -> None:
    world = World()
    players = [world.program(name) for name in ("ann", "bob", "cat")]
    world.table(*players)
    world = world.restarted()
    ann, bob = world.peer(), world.peer()
    ann.say(f"resume {players[0].token}")
    assert "back" not in " ".join(bob.say(f"resume {players[1].token}")[1:])
    assert ann.take() == []
    # From now on absences are told, and what ends them.
    bob.drop()
    assert ann.take() == ["* ~bob is away. The seat is kept for 120 s."]
    token = world.host.people.new_token(world.host.people.named("~bob"), private=True)
    world.peer().say(f"resume {token}")
    assert ann.take() == ["* ~bob is back."]


def test_whoever_left_later_is_no_news_to_those_who_were_away_already() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=2 clock=0")
    bob.say("join t1", "ready")
    ann.say("start")
    tokens = [
        world.host.people.new_token(world.host.people.named(n), private=True)
        for n in ("~ann", "~bob")
    ]
    ann.drop()
    world.advance(10)
    bob.drop()
    world.advance(110_000)
    ann, bob = world.peer(), world.peer()
    ann.say(f"resume {tokens[0]}")
    world.advance(10_000)
    assert ann.take()[0] == "* A bot plays for ~bob for now."  # which is told, and so is its end
    bob.say(f"resume {tokens[1]}")
    assert "* ~bob is back." in ann.take()


def test_a_question_that_was_answered_is_not_asked_again_of_who_comes_back() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=2 clock=0")
    bob.say("join t1", "ready")
    ann.say("start")
    answered = world.on_turn()
    answered.say("keep")
    token = world.host.people.new_token(world.host.people.named(answered.name), private=True)
    answered.drop()
    lines = world.peer().say("help", f"resume {token}")
    assert lines[-1] == f"Waiting for {world.on_turn().name} to exchange."
    assert not any(line.startswith("Your turn: exchange") for line in lines)


def test_who_arrives_is_told_how_many_are_connected() -> None:
    world = World()
    world.person("ann")
    world.person("bob").drop()
    assert world.peer().say("cat")[0].startswith("Welcome, ~cat. 2 here,")


def test_a_name_of_two_words_is_told_that_one_will_do() -> None:
    assert "A name is a single word." in " ".join(World().peer().say("ann marie"))


def test_a_name_may_be_said_to_be_one() -> None:
    assert World().peer().say("name ann")[0].startswith("Welcome, ~ann.")
    assert World().peer().say("nick ann")[0].startswith("Welcome, ~ann.")


def test_a_watcher_whose_line_drops_watches_no_longer() -> None:
    world = World()
    ann, bob, cat = (world.program(name) for name in ("ann", "bob", "cat"))
    world.game(ann, bob)
    cat.ok("watch t1")
    cat.drop()
    assert world.room().table.watchers == ()
    assert "WATCHING" not in ann.words("t1")


def test_tokens_that_were_revoked_open_nothing_after_a_restart_either() -> None:
    world = World()
    first = world.program("ann").token
    second = world.program().ok(f"resume {first}").fields["token"]
    third = world.program().ok(f"resume {second}").fields["token"]
    assert world.program().err(f"resume {first}") == "BAD_TOKEN"  # of two parties, one is a thief
    for token in (second, third):
        assert world.restarted().program().err(f"resume {token}") == "BAD_TOKEN"


def test_of_many_tokens_the_last_ones_are_known_to_be_used() -> None:
    world = World()
    tokens = [world.program("ann").token]
    for _ in range(USED_SECRETS + 4):
        tokens.append(world.program().ok(f"resume {tokens[-1]}").fields["token"])
    assert world.program().err(f"resume {tokens[-4]}") == "BAD_TOKEN"
    assert world.program().err(f"resume {tokens[-1]}") == "BAD_TOKEN", "a thief may have it"
