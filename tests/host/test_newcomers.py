"""What newcomers try, and where the answers lead them."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_protocol.manual import TOPICS
from twentytwo_protocol.schema import COMMANDS
from twentytwo_protocol.vocabulary import VOCABULARIES

SCREEN = 24
"""How many lines a terminal shows, the one that is typed among them."""


def said(peer: Peer, line: str) -> str:
    """What a person is told, as one line."""
    return " ".join(" ".join(peer.say(line)).split())


def pair() -> tuple[Peer, Peer]:
    world = World()
    return world.person("ann"), world.person("bob")


def test_an_invitation_that_is_alone_is_accepted_and_told_as_one_who_joins_is() -> None:
    ann, bob = pair()
    ann.say("open seats=3")
    cat = ann.world.person("cat")
    joined = said(cat, "join t1")
    cat.say("leave")
    ann.say("invite bob")
    accepted = said(bob, "accept")
    assert "Type ready when you are." in accepted
    assert accepted.partition(" * ")[0][:60] == joined.partition(" * ")[0][:60]
    assert said(bob, "accept").startswith("! Nobody has invited you: tables lists where")


@pytest.mark.parametrize(
    ("options", "join", "looks_on"),
    [
        ("watch=open", "join t1", True),
        ("watch=none", "join t1", False),
        ("private=kiwi", "join kiwi", False),
    ],
)
def test_who_comes_to_a_table_that_plays_is_told_so_and_to_look_on(
    options: str, join: str, looks_on: bool
) -> None:
    ann, bob = pair()
    ann.say(f"open seats=3 {options}", "addbot", "start")
    told = said(bob, join)
    assert told.startswith("! A game is running at t1: nobody can sit down before it is over.")
    assert ("watch t1 looks on." in told) == looks_on
    if looks_on:
        assert "Twenty-Two, 2 of 3 seats taken, playing" in said(bob, "tables")
        assert said(bob, "watch t1").startswith("You watch t1: Twenty-Two, with ~ann, bot:steady.")


def test_who_invites_somebody_who_is_away_is_told_that_it_will_be_read_later() -> None:
    ann, bob = pair()
    ann.say("open seats=2")
    bob.drop()
    assert said(ann, "invite bob") == "~bob is invited, and reads it when they are back."


def test_hand_says_whose_turn_it_is() -> None:
    ann, bob = pair()
    ann.say("open seats=2 clock=0")
    bob.say("join t1", "ready")
    ann.say("start")
    lines = {peer.name: said(peer, "hand") for peer in (ann, bob)}
    assert sorted("turn:" in each for each in lines.values()) == [False, True]
    other = next(name for name, each in lines.items() if "Your turn:" in each)
    assert any(each.endswith(f"It is {other}'s turn.") for each in lines.values())


def test_a_game_is_told_with_its_players_and_the_options_that_are_not_as_usual() -> None:
    ann, _ = pair()
    ann.say("practice bots=1 limit=10 first_hand=7", "resign", "resign")
    lines = [line.strip() for line in ann.say("game")]
    assert [line for line in lines if " = " in line] == ["limit = 10"]
    assert lines.index("limit = 10") == len(lines) - 1
    program = ann.world.program("eve")
    program.ok("practice bots=1")
    keys = [row.fields["key"] for row in program.rows("game last") if row.word == "OPTION"]
    assert "first_hand" in keys


def test_somebody_at_no_table_can_be_asked_to_one_and_not_joined() -> None:
    ann, bob = pair()
    assert "invite ~ann asks them there" in said(bob, "join ann")
    assert said(bob, "watch ann").startswith("! ~ann sits at no table that you know of: tables")
    assert "There is no table" in said(bob, "join nobody")
    assert "There is no table" in said(bob, "watch nobody")
    ann.say("open seats=2 private=kiwi")
    assert "invite ~ann asks them there" in said(bob, "join ann")
    assert "at no table that you know of" in said(bob, "watch ann")


def test_a_seek_looks_for_as_few_as_can_play() -> None:
    ann = World().person("ann")
    assert "Looking for 2 more players for Whist 22; `unseek` stops." in said(ann, "seek whist22")
    text = "Looking for 3 more players for Twenty-Eight instead of your earlier search;"
    assert text in said(ann, "seek 28")
    assert "Twenty-Eight takes 4 players." in said(ann, "seek 28 players=2")


def test_whose_game_waits_at_another_table_is_told_and_can_go_back_to_it() -> None:
    ann = World().person("ann")
    ann.say("practice bots=1 seed=22")
    ann.world.advance(3000)
    waits = "Your game at t1 waits for you: hand t1 goes back to it."
    assert waits in said(ann, "open")
    assert waits in said(ann, "hand")
    assert waits in said(ann, "3")
    assert "Your cards" in said(ann, "hand t1") or "Your turn" in said(ann, "hand t1")
    assert "You throw QS" in said(ann, "throw q")
    assert "waits" not in said(ann, "score")


def test_the_options_of_a_game_end_with_where_its_rules_are() -> None:
    ann = World().person("ann")
    assert said(ann, "rules whist22").endswith("help whist22 has the rules.")
    ann.say("practice bots=1")
    assert said(ann, "rules").endswith("help play has the rules.")


@pytest.mark.parametrize("line", ["rename bob", "name bob", "rename"])
def test_who_has_a_name_is_told_how_it_is_given_up(line: str) -> None:
    assert said(World().person("ann"), line) == "! You are ~ann already; logout gives the name up."


def test_who_quits_is_told_that_the_seat_is_kept() -> None:
    ann = World().person("ann")
    ann.say("practice bots=1")
    assert ann.say("quit") == [
        "Your seat at t1 is kept for a while: your resume line takes it back.",
        "Goodbye, ~ann.",
    ]


def test_who_leaves_the_only_seat_of_a_person_is_told_that_the_game_ends() -> None:
    ann = World().person("ann")
    ann.say("practice bots=1", "leave")
    assert "You leave t1. Its game ends without a result." in said(ann, "leave")


def test_a_title_is_shown_where_it_may_have_been_meant_otherwise() -> None:
    assert '3 seats, titled "for 3". Others type' in said(
        World().person("ann"), "open whist22 seats=3 for 3"
    )


def test_results_of_a_day_need_no_game() -> None:
    ann = World().person("ann")
    assert "There is no game" not in said(ann, "results yesterday")
    assert said(ann, "results today") == said(ann, "results")


def test_a_yes_is_told_what_would_agree_to_what_another_wishes() -> None:
    ann, bob = pair()
    ann.say("open seats=2 clock=0")
    bob.say("join t1", "ready")
    ann.say("start", "abort")
    agrees = '! ~ann would like to abort: "abort" agrees; else the game goes on.'
    assert said(bob, "yes") == said(bob, "ok") == agrees
    assert "would like" not in said(ann, "yes")
    assert "would like" not in said(ann.world.person("cat"), "yes")


def test_a_yes_before_the_first_game_is_told_what_begins_it() -> None:
    ann, bob = pair()
    ann.say("open seats=3")
    assert said(ann, "ok").startswith("! Others join, or addbot seats a bot; then start")
    bob.say("join t1")
    assert said(ann, "yes") == "! start begins the game once ~bob is ready; addbot seats a bot."
    assert said(bob, "ok") == "! Type ready when you are."
    bob.say("ready")
    assert said(bob, "ok") == "! You are ready; ~ann starts the game."
    assert said(ann, "ok") == "! start begins the game; addbot seats a bot."
    ann.say("addbot", "start", "abort")
    bob.say("abort")
    assert "rematch plays another" in said(bob, "ok")


@pytest.mark.parametrize("line", ["start", "deal", "ready"])
def test_who_would_begin_a_game_while_one_runs_is_told_what_leads_out_of_it(line: str) -> None:
    ann = World().person("ann")
    ann.say("practice bots=1")
    assert said(ann, line).endswith("hand shows where it stands, leave gets up from it.")


@together(
    ("line", "there"),
    [
        (
            "stop",
            "! leave gets up from the table, quit keeps your seat for you, unwatch ends a replay.",
        ),
        ("end", "! leave gets up from the table"),
        ("skip", "A lesson goes to any step: tutorial twentytwo 7, say."),
        ("repeat", "Your cards: "),
        ("say again", "Your cards: "),
    ],
)
def test_what_people_say_in_a_lesson_leads_on(line: str, there: str) -> None:
    ann = World().person("ann")
    ann.say("tutorial")
    assert there in said(ann, line)


def test_rules_of_no_game_are_not_a_list_of_all_options() -> None:
    ann = World().person("ann")
    assert said(ann, "rules").startswith("! help GAME has the rules of a game, rules GAME")
    assert "first_hand" in said(ann, "rules twentytwo")
    ann.say("practice bots=1")
    assert "first_hand" in said(ann, "rules")


@together("game", VOCABULARIES)
def test_help_fits_on_a_screen_with_the_question_below_it(game: str) -> None:
    ann = World().person("ann")
    for typed in ("help", "?"):
        assert len(ann.say(typed)) < SCREEN
    ann.say(f"practice {game} seed=22")
    ann.world.advance(3000)
    ann.take()
    told = ann.say("?")
    assert len(told) < SCREEN
    assert any(line.startswith("Your ") for line in told)


def test_no_page_of_help_is_longer_than_a_screen() -> None:
    ann = World().person("ann")
    pages = {topic: ann.say(f"help {topic}") for topic in (*TOPICS, *VOCABULARIES, *COMMANDS)}
    assert {topic: len(told) for topic, told in pages.items() if len(told) >= SCREEN} == {}
