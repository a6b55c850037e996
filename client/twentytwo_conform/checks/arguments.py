"""Section 6: positional and named arguments, texts, options."""

from __future__ import annotations

from ..check import cases, quotes
from ..fixtures import Connect, Open


@quotes("An argument is given by position or as name=value", "N1")
@cases(
    "command",
    ["tell {me} :hm", "tell name={me} :hm", "TELL NAME={me} :hm"],
)
def an_argument_may_be_named(connect: Connect, command: str) -> None:
    client = connect()
    client.must(command.format(me=client.name))
    assert client.until("TOLD")["to"] == client.name


@quotes("A word that is neither an argument nor part of the text is refused with BAD_ARG", "N2")
@cases(
    ("command", "arg"),
    [
        ("say hello", "text"),
        ("say", "text"),
        ("say :", "text"),
        ("tell {me} hello", "text"),
        ("shout hello", "text"),
        ("open twentytwo Friday night", "title"),
        ("register {me} three blind mice", "password"),
    ],
)
def a_text_without_its_colon_is_refused(connect: Connect, command: str, arg: str) -> None:
    client = connect()
    refused = client.ask(command.format(me=client.name))
    assert (refused.code, refused["arg"]) == ("BAD_ARG", arg)
    assert not any(row["host"] == client.name for row in client.listing("tables"))


@quotes("A text stands after the first :", "N2")
@cases("said", [":)", "hm", "turn=3 :-) x=y", "table=t1", "@9 say no"])
def what_is_behind_the_colon_is_said_as_it_is(connect: Connect, said: str) -> None:
    client = connect()
    client.must(f"tell {client.name} :{said}")
    assert client.until("TOLD").text == said


@quotes("An argument that a verb does not have is refused with BAD_ARG and its name as arg=.", "N3")
@cases("verb", ["who", "ready", "ping", "practice", "move 2", "play 2", "why 2", "tell x", "seek"])
def an_argument_that_is_not_the_verbs_is_refused_by_name(connect: Connect, verb: str) -> None:
    refused = connect().ask(f"{verb} quite_new=1")
    assert (refused.code, refused["arg"]) == ("BAD_ARG", "quite_new")


@quotes("Only hello ignores it. Every verb takes once= (R8).", "N3", "R8")
@cases("verb", ["ping", "who", "ready", "practice"])
def every_verb_takes_a_key(connect: Connect, verb: str) -> None:
    assert connect().ask(f"{verb} once=k3f9.1").code != "BAD_ARG"


@quotes("Every verb about a table takes table=", "N4")
@cases("form", ["play {} table={on}", "move {} table={on}", "move {} {on}", "move {}"])
def a_move_may_name_its_table(connect: Connect, table: Open, form: str) -> None:
    played = table(options="seed=3 options=exchange:off")
    mover, turn = played.asked()
    other = mover.must("open twentytwo seats=2")["on"]
    assert other != played.on
    move = form.format(turn["default"], on=played.on)
    if played.on in form.format("", on=played.on):
        assert mover.must(move)["on"] == played.on
        assert mover.until("PLAYED")["on"] == played.on
    else:
        assert mover.ask(move).code == "NO_GAME"


@quotes("Every verb about a table takes table=", "N4")
@cases("command", ["say table={on} :hm", "pause table={on}", "pause {on}", "state table={on}"])
def what_is_said_of_a_table_may_name_it(table: Open, command: str) -> None:
    played = table()
    other = played.host.must("open twentytwo seats=2")["on"]
    assert other != played.on
    assert played.host.must(command.format(on=played.on))["on"] == played.on


@quotes("The options of a game are one argument", "N5")
def options_are_one_argument(connect: Connect) -> None:
    client = connect()
    on = client.must("open twentytwo options=exchange:off,limit:30 :tea")["on"]
    client.catch_up()
    told = {event["key"]: event for event in client.on(on) if event.word == "OPTION"}
    assert (told["exchange"]["value"], told["limit"]["value"]) == ("off", "30")


@quotes("An option that the game does not have is refused with NO_SUCH_OPTION.", "N5")
@cases(
    ("options", "code", "arg"),
    [
        ("nothing:1", "NO_SUCH_OPTION", "nothing"),
        ("exchange:maybe", "BAD_ARG", "exchange"),
        ("exchange", "BAD_ARG", "options"),
    ],
)
def an_option_that_will_not_do_is_named(
    connect: Connect, options: str, code: str, arg: str
) -> None:
    refused = connect().ask(f"open twentytwo options={options}")
    assert (refused.code, refused["arg"]) == (code, arg)
