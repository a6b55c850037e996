"""What is shown can be typed: games by their titles, tables by people, the last game by nothing."""

from __future__ import annotations

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_protocol.words.cardplay import Turn

SEEDED = "practice bots=1 seed=22"
SHORT = "practice bots=1 seed=22 first_hand=5 limit=10"


def ann_at(line: str) -> Peer:
    """A person who has typed that line and read the answer."""
    ann = World().person("ann")
    ann.say(line)
    ann.take()
    return ann


def asked(ann: Peer) -> Turn | None:
    """The open question of the only table."""
    match = ann.world.room().table.match
    return match.question if match is not None else None


def play_default(ann: Peer) -> None:
    """Plays what the clock would, and then the bot."""
    question = asked(ann)
    assert question is not None
    assert question.default is not None
    ann.say(question.default.replace("+", " "))
    while (bots := asked(ann)) is not None and bots.seat != 1:
        ann.world.advance(1000)


def said(ann: Peer, *lines: str) -> str:
    """What lines brought, as one text."""
    return "\n".join(ann.say(*lines))


@together(
    ("called", "title"),
    [
        ("whist", "Whist 22"),
        ("Whist 22", "Whist 22"),
        ("whist22", "Whist 22"),
        ("22", "Twenty-Two"),
        ("twenty-two", "Twenty-Two"),
        ("Twenty Six", "Twenty-Six"),
        ("28", "Twenty-Eight"),
        ("twenty-e", "Twenty-Eight"),
    ],
)
def test_a_game_goes_by_its_title_and_what_people_call_it(called: str, title: str) -> None:
    ann = World().person("ann")
    assert f"{title} against 3 bots" in said(ann, f"practice {called}")
    assert f"{title}, rules=" in said(World().person("bob"), f"rules {called}")


def test_what_several_games_begin_with_is_none_of_them() -> None:
    assert "There is no game twenty" in said(World().person("ann"), "practice twenty")


def test_tables_and_history_take_the_same_names() -> None:
    world = World()
    ann = world.person("ann")
    ann.say("open whist22")
    assert "t1" in said(world.person("bob"), "tables game=whist")
    assert "t1" not in said(ann, "tables game=22")
    assert said(ann, "history game=whist") == "No games yet."


def test_a_table_is_watched_by_the_name_of_somebody_there() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open")
    assert "You watch t1" in said(bob, "watch ann")
    assert "You no longer watch t1." in said(bob, "unwatch")
    assert "You watch t1" in said(bob, "watch 1")
    assert "no table" in said(world.person("cat"), "watch dan")


def test_nobody_is_watched_at_a_table_that_one_may_not_know_of() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    at_none = said(bob, "watch ann")
    assert at_none == "! ~ann sits at no table that you know of: tables lists what is played."
    ann.say("open private=kiwi")
    assert said(bob, "watch ann") == at_none


def test_an_empty_line_shows_the_question_again_and_nothing_where_none_is_open() -> None:
    ann = ann_at("practice bots=1 seed=22")
    assert ann.say("") == ann.say("hand") != []
    assert World().person("bob").say("") == []
    assert World().peer().say("") == []


def test_an_empty_line_plays_what_is_forced_where_that_is_set() -> None:
    ann = ann_at(SEEDED)
    while (question := asked(ann)) is not None and question.nlegal != 1:
        play_default(ann)
    assert question is not None
    assert "Your cards: " in said(ann, "")
    assert asked(ann) is question
    ann.say("set forced on")
    assert "You " in said(ann, "")
    assert asked(ann) is not question


def test_an_empty_line_never_chooses_between_moves() -> None:
    ann = ann_at(SEEDED)
    ann.say("set forced on")
    assert "Your turn: exchange" in said(ann, "")


@together("verb", ["game", "fair", "export", "replay"])
def test_a_game_that_is_not_named_is_the_last_one(verb: str) -> None:
    ann = ann_at(SHORT)
    while asked(ann) is not None:
        play_default(ann)
    ann.take()
    assert "g1" in said(ann, verb)
    ann.say("leave")
    assert "g1" in said(ann, verb)
    assert World().person("bob").say(verb) == ["! You have not finished any game yet."]


def test_another_practice_asks_first_where_a_game_would_end_and_does_it_when_said_again() -> None:
    ann = ann_at("practice")
    assert said(ann, "practice whist") == (
        "Your game at t1 would end without a result. Type practice whist again to do it."
    )
    assert list(ann.world.host.rooms) == ["t1"]
    assert said(ann, "practice whist").startswith("You leave t1: its game ends without a result.")
    assert list(ann.world.host.rooms) == ["t2"]


def test_where_a_game_begins_at_once_nobody_is_told_who_sits_down() -> None:
    world = World()
    ann, bot = world.person("ann"), world.program("bob")
    told = ann.say("practice bots=2 seed=22")
    assert not [line for line in told if "sit down" in line or "sits down" in line]
    assert "*** A game of Twenty-Two begins: you, bot:steady and bot:steady2." in "\n".join(told)
    opened = ann.say("open seats=2")  # where people are waited for, they are
    assert "You sit down in seat 1." in opened
    heard = [line.split(" ")[0] for line in bot.say("practice bots=2 seed=22")]
    assert heard.count("JOINED") == 3  # a program is told everything
