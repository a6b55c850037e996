"""What is refused to a person says what would do; what is said to you is said of you."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from tests.kit.lines import names_in
from twentytwo_protocol.schema import COMMANDS, TEXT, Field
from twentytwo_protocol.typed_cards import would_do
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Paused, Turn, Unpaused
from twentytwo_protocol.words.seating import Option_, Renamed, Swapped

WRONG_VALUES = ("-1", "0", "99999", "nonsense", "1x", "t99", "g99", "2026-13-40", "a:b", ",")
"""Values of which each is wrong for some argument."""


def wrong_lines(verb: str) -> list[str]:
    """Lines of a verb with an argument that is wrong, missing, unknown, or too many."""
    command = COMMANDS[verb]
    fields = command.word.fields

    def said(field: Field, value: str) -> str:
        return f":{value}" if field.kind is TEXT else f"{field.key}={value}"

    every = [said(field, "nonsense") for field in fields if field.kind is not TEXT]
    text = [said(field, "nonsense") for field in fields if field.kind is TEXT]
    return [
        verb,
        f"{verb} {' '.join(['nonsense'] * 9)}",
        f"{verb} :nonsense",
        " ".join([verb, *every, *text]),
        f"{command.example} quite_new=1",
        *(f"{verb} {said(field, value)}" for field in fields for value in WRONG_VALUES),
        *(f"{verb} {value}" for value in WRONG_VALUES),
        *(f"{verb} {value} {value}" for value in WRONG_VALUES),
    ]


@together("where", ["", "open twentytwo", "practice", "practice twentyeight"])
@together("verb", sorted(COMMANDS.keys() - {"pong", "quit", "hello"}))
def test_a_refusal_names_an_argument_and_never_its_value(verb: str, where: str) -> None:
    world = World()
    ann = world.program("ann")
    for line in wrong_lines(verb):
        if ann.hung_up or world.host.people.on(ann.session) is None:
            ann = world.program("ann")
        if where and not world.host.rooms:
            ann.ask(where)
        ann.ask(line)  # fails where arg= is none of these names


def test_the_names_that_a_refusal_may_have_are_no_values() -> None:
    assert {"token", "turn", "table", "once"} <= names_in("move Q+Q turn=x")
    assert not {"q", "x", "text"} & names_in("move Q+Q turn=x")
    assert "bogus" in names_in("option bogus 3")
    assert "text" in names_in('{"verb":"say"}')


def asked_at(line: str) -> Peer:
    """A person at a practice table who is asked for something."""
    ann = World().person("ann")
    ann.say(line)
    match = ann.world.room().table.match
    while match is not None and match.question is not None and match.question.seat != 1:
        ann.world.advance(1000)
        match = ann.world.room().table.match
    ann.take()
    return ann


def refused(ann: Peer, line: str) -> str:
    """The refusal of a line, as one line."""
    return " ".join(part.strip() for part in ann.say(line))


TWENTYTWO, EIGHT, WHIST = (
    "practice bots=1 seed=22",
    "practice twentyeight seed=8",
    "practice whist22 seed=10",
)


@together(
    ("table", "line", "says"),
    [
        (TWENTYTWO, "pass", '! You cannot pass in Twenty-Two. Type "exchange 6 7", or "keep".'),
        (TWENTYTWO, "14", '! 14 is no card here. Type "exchange 6 7", or "keep".'),
        (TWENTYTWO, "call", '! There is no call in Twenty-Two. Type "exchange 6 7", or "keep".'),
        (TWENTYTWO, "8 of hearts", "! You do not hold 8H. Your cards: 2 2 6 7 Q K K."),
        (
            EIGHT,
            "queen",
            "! Now is the time to bid, not to play. You may type 14, 15, 16, and more.",
        ),
        (EIGHT, "15h", "! 15h is no bid here. You may type 14, 15, 16, and more."),
        (WHIST, "pass", "! Everybody must bid: 0, 1, 2, 4 or 5."),
        (WHIST, "30", "! There are only 5 tricks: bid 0, 1, 2, 4 or 5."),
    ],
)
def test_a_refusal_says_what_would_do(table: str, line: str, says: str) -> None:
    assert refused(asked_at(table), line) == says


def test_what_a_refusal_names_is_taken() -> None:
    for table in (TWENTYTWO, EIGHT, WHIST):
        ann = asked_at(table)
        match = ann.world.room().table.match
        assert match is not None
        assert match.question is not None
        named = (
            would_do(match.question)
            .removeprefix("You may type ")
            .removeprefix("Type ")
            .replace('"', "")
        )
        word = named.partition(",")[0].partition(" or ")[0]
        assert "!" not in refused(ann, word)[:1]


def test_a_call_or_a_card_that_is_asked_for_is_named() -> None:
    call = Turn(9, 1, "declare", choose="one", nlegal=2, legal=("call", "no"), default="call")
    card = Turn(9, 1, "play", choose="one", nlegal=1, legal=("Q+Q",), default="Q+Q")
    assert would_do(call) == "Type call or no."
    assert would_do(card) == "Type q q."
    assert would_do(replace(card, legal=("2+2",))) == "Type 2 2."
    assert would_do(Turn(9, 1, "exchange", choose="subset", max=0, cards=("2C",))) == 'Type "keep".'
    assert would_do(Turn(9, 2, "play")) == ""


@together("word", ["gg", "gl", "gg!", "hi", "hello", "thanks", "thx ann", "hi all"])
def test_what_everybody_says_at_a_table_is_said(word: str) -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=2")
    bob.say("join t1")
    ann.take()
    assert bob.say(word) == [f"~bob: {word}"]
    assert ann.take() == [f"~bob: {word}"]
    assert "You are at no table" in refused(world.person("cat"), word)


def test_who_moves_too_soon_is_told_whose_turn_it_is() -> None:
    ann = asked_at(TWENTYTWO)
    ann.say("keep")
    assert refused(ann, "2 2") == "! It is bot:steady's turn, not yours."


def test_no_help_leads_on_to_help() -> None:
    ann = World().person("ann")
    assert refused(ann, "help zz") == "! There is no help on zz. help alone lists what there is."
    assert refused(ann, "help scroe").endswith("Did you mean score?")


def test_an_unknown_word_at_a_table_offers_to_say_it() -> None:
    ann = asked_at(TWENTYTWO)
    assert refused(ann, "nice one") == (
        "! There is no command nice. hand says what you are asked. say nice one tells the table."
    )
    long = refused(ann, "zounds that was the very best trick of this evening")
    assert long.endswith(" say before it tells the table.")  # and no part of it is offered
    assert "say" not in refused(World().person("bob"), "nice one")
    assert "say" not in refused(ann, "scroe")  # score was meant


def test_you_are_told_of_yourself_in_the_second_person() -> None:
    names = {1: "~gus", 2: "bob"}
    told = [
        (Option_("hook", "no", by="~gus"), "You set hook to no.", "~gus sets hook to no."),
        (Option_("locked", "yes", by="~gus"), "You lock the table.", "~gus locks the table."),
        (
            Paused("~gus"),
            "* You pause the game. unpause goes on.",
            "* ~gus pauses the game. unpause goes on.",
        ),
        (Unpaused("~gus"), "* The game goes on.", "* The game goes on."),
        (
            Swapped(2, "~gus", 1, False),
            "You move from seat 1 to seat 2.",
            "~gus moves from seat 1 to seat 2.",
        ),
        (Renamed("gus", "~gus", 1), "You are gus from now on.", "~gus is gus from now on."),
    ]
    for event, mine, others in told:
        assert Voice(names, 1).sentence(event) == mine
        assert Voice(names, 2).sentence(event) == others


def test_state_and_score_call_you_you() -> None:
    for table in (TWENTYTWO, EIGHT, WHIST):
        ann = asked_at(table)
        for line in ("state", "score"):
            said = "\n".join(ann.say(line))
            assert "~ann" not in said
            assert "you" in said.lower()


def test_one_point_wins_and_two_win() -> None:
    one = "\n".join(World().person("ann").say("practice twentyeight target=1 loss_limit=1"))
    two = "\n".join(World().person("ann").say("practice twentyeight target=2 loss_limit=2"))
    assert "1 point wins, 1 below zero loses" in one
    assert "2 points win, 2 below zero lose" in two


@pytest.mark.parametrize(
    ("table", "example"),
    [(TWENTYTWO, "play Q Q"), (EIGHT, "play jh"), (WHIST, "play 14")],
)
def test_the_example_of_help_is_of_the_game_that_is_played(table: str, example: str) -> None:
    assert any(line.strip() == f"Example: {example}" for line in asked_at(table).say("help play"))


def test_the_places_of_a_game_are_listed_in_order() -> None:
    world = World()
    ann, bob, cat = (world.person(name) for name in ("ann", "bob", "cat"))
    ann.say("open seats=3 clock=0 first_hand=5 limit=10")
    for peer in (bob, cat):
        peer.say("join t1", "ready")
    ann.say("start")
    while (match := world.room().table.match) is not None and match.question is not None:
        assert match.question.default is not None
        world.on_turn().say(match.question.default.replace("+", " "))
    rows = [line.strip() for line in ann.say("game") if ", seat " in line]
    places = [int(row.partition(".")[0]) for row in rows]
    assert len(places) == 3
    assert places == sorted(places)
    assert not any(" 1 points" in row for row in rows)


@pytest.mark.parametrize("line", ["leave", "resign"])
def test_a_yes_to_a_command_that_asks_first_is_told_to_type_it_again(line: str) -> None:
    ann = asked_at(TWENTYTWO)
    ann.say(line)
    assert refused(ann, "yes") == f"! Type {line} again to do it; else nothing happens."
    ann.world.advance(60_000)
    assert "again" not in refused(ann, "yes")


@pytest.mark.parametrize("line", ["hi", "Hello!", "thanks"])
def test_who_greets_nobody_is_told_what_to_do_next(line: str) -> None:
    said = refused(World().person("ann"), line)
    assert said.startswith("! You are" if line == "thanks" else "! Hello! You are")
    assert "practice plays at once" in said
    assert "tutorial teaches you" in said


def test_a_greeting_is_no_name() -> None:
    peer = World().peer()
    for line in ("hello", "hi", "Hey!"):
        assert "What is your name?" in refused(peer, line)
    assert "Welcome, ~ann" in refused(peer, "ann")


def test_what_a_question_shows_as_an_example_a_refusal_shows_too() -> None:
    ann = asked_at(TWENTYTWO)
    shown = refused(ann, "hand")
    assert '("exchange 6 7", or "keep")' in shown
    assert refused(ann, "exchange") == '! Which cards? Type "exchange 6 7", or "keep".'


def test_how_a_game_is_spoken_of_is_understood_at_the_table() -> None:
    ann = asked_at(TWENTYTWO)
    assert "You throw QS KD KH" in refused(ann, "throw q k k")
    ann.world.advance(3000)
    assert refused(ann, "who is winning").endswith("It is your turn.")
    assert "! You are not asked for yes or no. You may type" in refused(ann, "yes")
    assert "You lead 2S 2H." in refused(ann, "I lead the 2 and 2")


@together(
    ("line", "says"),
    [
        ("26", "! practice twentysix plays it at once, help twentysix explains it."),
        ("play whist", "! practice whist22 plays it at once, help whist22 explains it."),
        ("say", '! say needs TEXT, for example "say well played".'),
        ("why", '! why needs MOVE..., for example "why q 3".'),
        ("resume", '! resume needs TOKEN, for example "resume Zk81".'),
        ("about time", "! 'time' is one word too many for info. Usage: info"),
        ("resing", "! There is no command resing. help lists what there is."),
        ("i see", "! help play has the rules, tutorial teaches you, practice plays at once."),
    ],
)
def test_in_the_lobby_words_lead_to_what_would_do(line: str, says: str) -> None:
    assert " ".join(refused(World().person("ann"), line).split()) == says


def test_the_level_of_bots_may_follow_practice() -> None:
    ann = World().person("ann")
    ann.say("practice easy bots=1")
    assert ann.world.room().table.settings.level == "easy"


@pytest.mark.parametrize(("game", "bots"), [("whist22", 2), ("twentyeight", 3)])
def test_too_few_bots_for_practice_are_refused_with_how_many_will_do(game: str, bots: int) -> None:
    ann = World().person("ann")
    (told,) = ann.say(f"practice {game} bots=1")
    assert told.endswith(f" needs at least {bots + 1} players; say bots={bots}.")
    assert not any(line.startswith("!") for line in ann.say(f"practice {game} bots={bots}"))


@together("line", ["next", "Next!", "more", "again", "undo", "yes"])
@together("opening", ["practice bots=1", "open seats=2"])
def test_who_would_like_to_go_on_after_a_game_is_told_of_the_rematch(
    opening: str, line: str
) -> None:
    world = World()
    ann = world.person("ann")
    ann.say(opening, "addbot", "start", "resign", "resign")
    told = " ".join(map(str.strip, ann.say(line)))
    assert told.startswith("! ") and "rematch plays another" in told
    ann.say("rematch")
    assert "rematch" not in " ".join(ann.say(line))


def test_who_wants_a_hand_once_more_among_people_is_told_of_that() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open seats=2")
    bob.say("join t1", "ready")
    ann.say("start")
    assert ann.say("again") == ["! A hand is played once more at practice tables only."]
    assert ann.say("undo") == ["! Moves are taken back at practice tables only."]
