"""Lessons: each is finished by the words that it suggests, teaches, and is taken up again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.cases import together
from tests.kit.hosts import Peer, World
from twentytwo_protocol.vocabulary import VOCABULARIES, vocabulary
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.games.lesson import Deal, Lesson, LessonStep
from twentytwo_server.games.registry import games
from twentytwo_server.table import guiding, teaching
from twentytwo_server.table.table import Phase, Table

RULES = Path(__file__).parents[2] / "docs" / "rules"
TAUGHT = {key: game.lesson for key, game in games().items() if game.lesson is not None}
WIDTH = 79
MOST = 100
"""More lines than anybody has to type in a lesson."""

Choose = Callable[[list[str]], str]


def first(ways: list[str]) -> str:
    return ways[0]


def last(ways: list[str]) -> str:
    return ways[-1]


def wanted(told: list[str]) -> list[str]:
    """The ways that the last line of what was told names; none if it names no way."""
    found = told[-1].partition("Type: ")[2] if told else ""
    return found.split(" or ") if found else []


def step(told: list[str]) -> list[str]:
    """The lines of the step that was told last."""
    begins = max(n for n, line in enumerate(told) if line.startswith("Step "))
    return told[begins:]


def lines(lesson: Lesson) -> Iterator[tuple[Deal, LessonStep]]:
    for deal in lesson.deals:
        yield from ((deal, deal.turns[turn - 1]) for turn in deal.learner_turns())  # type: ignore[misc]


def begun(game: str) -> tuple[Peer, list[str]]:
    ann = World().person("ann")
    return ann, said(ann, f"tutorial {game}")


def said(peer: Peer, line: str) -> list[str]:
    """What somebody is told who types this, when the bots have moved, too."""
    told = peer.say(line)
    peer.world.advance(1)
    return told + peer.take()


def lesson_of(peer: Peer) -> Table:
    """The table of somebody's lesson."""
    person = peer.world.host.people.on(peer.session)
    assert person is not None
    return peer.world.host.rooms.of(person)[-1].table


def finished(peer: Peer, told: list[str], choose: Choose = first) -> list[str]:
    """All that is told to somebody who types what is suggested, to the end of the lesson."""
    heard = [*told]
    for _ in range(MOST):
        ways = wanted(told)
        if not ways:
            return heard
        told = said(peer, choose(ways))
        heard += told
    raise AssertionError(heard[-10:])


def test_all_four_games_are_taught() -> None:
    assert {*TAUGHT} == {"twentytwo", "twentysix", "whist22", "twentyeight"}


@pytest.mark.parametrize("choose", [first, last])
@pytest.mark.parametrize("game", TAUGHT)
def test_the_suggested_words_alone_finish_a_lesson(game: str, choose: Choose) -> None:
    heard = finished(*begun(game), choose)
    lesson = TAUGHT[game]
    steps = [int(found[1]) for line in heard if (found := re.match(r"Step (\d+) of \d+ \(", line))]
    assert steps == [*range(1, lesson.steps + 1)]
    assert heard[-1].startswith("Lesson done")
    assert "practice" in heard[-1]
    assert [line for line in heard if line.startswith("! ")] == []
    assert [line for line in heard if len(line) > WIDTH or not line.isascii()] == []


@pytest.mark.parametrize("game", TAUGHT)
def test_the_first_deal_is_won_and_three_exercises_follow(game: str) -> None:
    heard = finished(*begun(game))
    first_deal = heard[: next(n for n, line in enumerate(heard) if "Exercise 1 of 3" in line)]
    won = [line for line in first_deal if line.startswith("***")][-1]
    assert re.match(r"\*\*\* you\b.* win", won, re.IGNORECASE), won
    for number in (1, 2, 3):
        assert len([line for line in heard if f"Exercise {number} of 3" in line]) == 1


@pytest.mark.parametrize("game", TAUGHT)
def test_mistakes_are_taught_in_a_line_that_ends_in_what_to_type(game: str) -> None:
    ann, told = begun(game)
    taught = 0
    for _ in range(MOST):
        if not wanted(told):
            break
        for wrong in mistakes(ann):
            answer = said(ann, wrong)
            assert answer[0].startswith("! "), (wrong, answer)
            assert wanted(answer), (wrong, answer)
            assert max(map(len, answer)) <= WIDTH, answer
            assert len(answer) <= 3, answer
            told, taught = answer, taught + 1
        told = said(ann, wanted(told)[0])
    assert told[-1].startswith("Lesson done")
    assert taught > 3 * TAUGHT[game].steps


def mistakes(peer: Peer) -> list[str]:
    """Lines that do not go on: nonsense, and some legal moves that are not the step's."""
    wrong = ["xyzzy", "q 9 q 9"]
    table = lesson_of(peer)
    now = teaching.step_of(table)
    if now is not None and table.match is not None:
        others = [deed.token for deed, _ in zip(table.match.moves(), range(40), strict=False)]
        act = table.match.moves().act
        wrong += [
            guiding.typed(act, token)
            for token in others
            if token not in now.moves and "X" not in token and token != "-"
        ][:6]
    return wrong


@pytest.mark.parametrize("game", TAUGHT)
def test_what_is_said_of_a_wrong_move_is_said_of_a_legal_one_and_fits_a_line(game: str) -> None:
    ann, told = begun(game)
    found = 0
    for _ in range(MOST):
        if not wanted(told):
            break
        table = lesson_of(ann)
        now = teaching.step_of(table)
        for token, text in now.wrong.items() if now is not None else ():
            assert len(f"! {text}") <= WIDTH, text
            assert text[-1] in ".:!"
            if token != "else":
                match = table.match
                assert match is not None
                law = match.terms.game.moves(match.state)
                assert law.why(match.read(token)) is None, token
            found += 1
        told = said(ann, wanted(told)[0])
    assert found >= 4


@pytest.mark.parametrize("game", TAUGHT)
def test_of_every_other_legal_move_a_lesson_says_why_it_is_not_as_good(game: str) -> None:
    ann, told = begun(game)
    for _ in range(MOST):
        if not wanted(told):
            break
        table = lesson_of(ann)
        now = teaching.step_of(table)
        if now is not None and "else" not in now.wrong and table.match is not None:
            others = {deed.token for deed in table.match.moves()} - {*now.moves}
            assert others <= {*now.wrong}, now.say
        told = said(ann, wanted(told)[0])


ABOUT = {
    "exchange": "exchange",
    "bid": "auction|bids",
    "trump": "trump",
    "play": "tricks|last card|jokers",
}
"""What the title of the rule says that a step is about, by what is asked there."""


@pytest.mark.parametrize("game", TAUGHT)
def test_the_rule_of_every_step_is_in_the_rules_of_the_game_and_about_what_is_asked(
    game: str,
) -> None:
    ann, told = begun(game)
    for _ in range(MOST):
        if not wanted(told):
            break
        table = lesson_of(ann)
        now = teaching.step_of(table)
        if now is not None and table.match is not None:
            title = rules_of(game)[now.rule]
            assert re.search(ABOUT[table.match.moves().act], title), (now.say, title)
            assert "jokers" in title or "X" not in now.moves[0].split("+"), now.say
        told = said(ann, wanted(told)[0])


ITS_OWN = {"twentysix": {"9"}}
"""The rules that the help of a game explains itself, where others do the rest."""


@together("game", VOCABULARIES)
def test_the_help_of_a_game_numbers_its_rules_as_the_page_of_its_rules_does(game: str) -> None:
    found = dict(re.findall(r"^([0-9]+)\. ((?:.*\n   )*.*)$", vocabulary(game).help, re.M))
    titles = rules_of(game)
    assert set(found) == ITS_OWN.get(game, set(titles))
    for number, text in found.items():
        said = " ".join(text.lower().split())
        assert re.search(SAYS.get(titles[number], re.escape(titles[number])), said), text


SAYS = {
    "the first dealer": "deals first",
    "the deal": "gets|hands",
    "the exchange": "exchange",
    "tricks": "trick",
    "the tricks": "trick",
    "the last card": "one card left",
    "points": "scores|points",
    "the next dealer": "deals the next",
    "the end": "out",
    "jokers": "joker",
    "the bids": "bids",
    "the auction": "bid",
    "the trump": "trump",
    "the hand of one card that its owner does not see": "one card",
    "the score": "score|begins with",
}
"""What a rule says, by its title."""


def rules_of(game: str) -> dict[str, str]:
    """The titles of the sections of a game's rules, in small letters, by their numbers."""
    page = (RULES / f"{game}.md").read_text("utf-8")
    page += (RULES / "twentytwo.md").read_text("utf-8") if "twentytwo.md" in page else ""
    return dict(re.findall(r"^### ([0-9]+)\. (.*)$", page.lower(), re.MULTILINE))


@pytest.mark.parametrize("game", TAUGHT)
def test_a_lesson_is_taken_up_again_at_every_step(game: str) -> None:
    ann, told = begun(game)
    for _ in range(MOST):
        if not wanted(told):
            break
        if any(line.startswith("Step ") for line in told):
            left = said(ann, "leave")
            assert left[0].endswith("tutorial goes on where you were."), left
            again = said(ann, "tutorial")
            assert step(again) == step(told)
            told = again
        told = said(ann, wanted(told)[0])
    assert told[-1].startswith("Lesson done")


@pytest.mark.parametrize("game", TAUGHT)
def test_a_lesson_outlives_the_connection_and_the_server(game: str) -> None:
    world = World()
    ann = world.peer()
    token = resume_word(ann.say("ann"))
    told = said(ann, f"tutorial {game}")
    for number in range(6):
        if number % 2:
            world = world.restarted()
        else:
            ann.drop()
        ann = world.peer()
        back = said(ann, f"resume {token}")
        assert back[-1] == told[-1], (number, back)
        token = resume_word(back)
        told = said(ann, wanted(back)[0])


def resume_word(told: list[str]) -> str:
    """The word that takes the seat back."""
    return next(found[1] for line in told if (found := re.search(r"resume (\S+)", line)))


def test_a_step_may_be_named() -> None:
    ann = World().person("ann")
    assert any(line.startswith("Step 4 of ") for line in said(ann, "learn twentytwo 4"))
    assert said(ann, "tutorial twentytwo 99")[0].startswith("! The steps of this lesson are 1 to ")
    assert any(line.startswith("Step 1 of ") for line in said(ann, "tutorial whist22"))
    assert any(line.startswith("Step 4 of ") for line in said(ann, "tutorial twentytwo"))


def test_the_feedback_on_a_mistake_is_true_of_the_cards() -> None:
    ann = World().person("ann")
    said(ann, "tutorial twentytwo 7")
    assert said(ann, "exchange q")[0].startswith("! Of all these only the queen wins a trick")
    said(ann, "tutorial whist22 4")
    two = "! You can still take two if you play F0 later; but play it now. Type: F0"
    assert said(ann, "18")[0] == said(ann, "19")[0] == two
    assert said(ann, "f22")[0].startswith("! You would take this trick and the last two: three.")


def test_a_lesson_tells_the_measured_chance_of_a_last_card() -> None:
    told = " ".join(said(World().person("ann"), "tutorial twentytwo 7"))
    assert "an 8 at the end loses about 6 hands of 10" in re.sub(" +", " ", told)


def test_a_lesson_of_twenty_eight_has_the_end_of_the_game_that_it_plays() -> None:
    lesson = TAUGHT["twentyeight"]
    rules = games()["twentyeight"].rules("evening", {})
    assert f"side with {rules.target} points wins the game" in lesson.deals[0].over
    assert f"a side with {rules.loss_limit} points below zero loses it" in lesson.deals[0].over


def test_an_exercise_in_the_middle_of_a_hand_begins_with_the_trick_and_the_question() -> None:
    for at in ("twentyeight 14", "whist22 9", "twentysix 9"):
        told = said(World().person("ann"), f"tutorial {at}")
        before = told[: len(told) - len(step(told))]
        assert len(before) <= 10, before
        assert any(line.startswith("--- Hand 1: ") for line in before)
        assert not any("takes trick" in line for line in before)
    assert any("leads 20" in line for line in said(World().person("ann"), "tutorial whist22 9"))


def test_an_exercise_begins_with_its_cards() -> None:
    ann = World().person("ann")
    told = "\n".join(ann.say("tutorial"))
    assert "*** A game of Twenty-Two begins" in told
    assert "for the deal" not in told
    told = "\n".join(ann.say("tutorial twentytwo 8"))
    assert "Exercise 2 of 3" in told
    assert "Your cards: " in told
    assert "begins" not in told


@together("word", ["ok", "Yes", "next", "start", "ready", "rematch", "", " "])
def test_any_word_that_means_yes_goes_on_where_only_the_lesson_can(word: str) -> None:
    ann = World().person("ann")
    said(ann, "tutorial twentytwo 6")
    told = said(ann, "k")
    assert wanted(told) == ["tutorial"]
    told = said(ann, word)
    assert "Exercise 1 of 3" in told[0]
    assert step(told)[0].startswith("Step 7 of ")


def test_the_hand_of_a_lesson_ends_in_a_line_that_says_so() -> None:
    for game, last_step in (("twentytwo", 6), ("twentyeight", 10)):
        ann = World().person("ann")
        told = said(ann, f"tutorial {game} {last_step}")
        ended = " ".join(" ".join(said(ann, wanted(told)[0])).split())
        assert "win. The lesson's hand ends here; a game would go on." in ended


@together(
    "asked", ["help", "help play", "moves", "state", "score", "why 6", "why q", "set", "rules"]
)
def test_what_to_type_comes_last_after_every_answer(asked: str) -> None:
    ann, told = begun("twentytwo")
    answer = said(ann, asked)
    assert wanted(answer) == wanted(told)
    assert sum("Type: " in line for line in answer) == 1


@pytest.mark.parametrize(
    ("at", "wrong"),
    [
        ("twentytwo 2", "k"),
        ("twentytwo 8", "x k"),
        ("twentytwo 9", "q 8"),
        ("twentyeight 3", "9d"),
        ("twentyeight 11", "x k"),
        ("twentyeight 11", "14"),
        ("twentyeight 13", "15"),
        ("whist22 8", "1"),
    ],
)
def test_a_refusal_in_a_lesson_names_what_the_lesson_wants_and_nothing_else(
    at: str, wrong: str
) -> None:
    ann = World().person("ann")
    want = wanted(said(ann, f"tutorial {at}"))
    answer = said(ann, wrong)
    assert answer[0].startswith("! ") and wanted(answer) == want, answer
    advice = r"for example|Type (?!:)|(?<=[.] )(Play|Lead|Bid|Pass|You may)\b"
    assert not re.search(advice, " ".join(answer).replace("Type: ", "")), answer


def test_behind_the_last_step_of_an_exercise_every_move_is_told_that_it_is_over() -> None:
    ann, told = begun("twentytwo 7")
    while "Right." not in " ".join(told):
        told = said(ann, wanted(told)[0])
    for move in ("5", "keep", "9 9"):
        assert said(ann, move) == ["! The exercise is over. Type: tutorial"]
    ann, told = begun("whist22 9")
    while "Lesson done" not in told[-1]:
        told = said(ann, wanted(told)[0])
    assert said(ann, "4") == ["! The exercise is over. practice whist22 plays a whole game."]


def test_a_list_of_moves_is_followed_by_what_to_type_on_a_line_of_its_own() -> None:
    ann, _ = begun("twentysix 7")
    assert said(ann, "moves") == ["2 | 6 | 8 | 8 8", "Type: hint"]


def test_a_rank_alone_is_the_card_that_the_lesson_wants_where_it_can_be_no_other() -> None:
    ann, _ = begun("twentyeight 4")  # JD, the other jack, is trump and may not be led
    assert "You lead JS." in said(ann, "j")


def test_the_words_of_other_tables_work() -> None:
    ann, told = begun("twentytwo")
    assert said(ann, "hint")[-1] == told[-1]
    assert said(ann, "hand")[-1] == told[-1]
    assert said(ann, "tutorial")[-1] == told[-1]
    assert said(ann, "why a k")[0].startswith("No") or said(ann, "rules")
    assert "bot:steady" in " ".join(said(ann, "score"))


def test_a_hint_says_why_no_other_move_is_as_good_where_the_step_has_told_which_is() -> None:
    ann, told = begun("twentytwo")
    assert " ".join(said(ann, "hint")).startswith("keep? 6 10 10 are too high to keep and too low")
    said(ann, wanted(told)[0])
    assert " ".join(said(ann, "hint")).startswith("A K? A K beats them, but you need both later")
    answer = said(ann, "tutorial twentyeight 10")
    assert said(ann, "hint")[0].startswith("Play your last card"), answer


def test_a_lesson_goes_on_and_not_back() -> None:
    ann, told = begun("twentytwo")
    said(ann, wanted(told)[0])
    for word in ("undo", "again"):
        assert said(ann, word)[0].startswith("! A lesson goes on step by step")
    assert wanted(said(ann, "hand")) == ["3 3"]


def test_a_lesson_does_not_end_a_game_unasked_and_a_game_ends_no_lesson() -> None:
    ann, told = begun("twentytwo")
    assert "*** A game" in " ".join(said(ann, "practice"))
    assert said(ann, "tutorial") == [
        "Your game at t2 would end without a result. Type tutorial again to do it."
    ]
    assert step(said(ann, "tutorial")) == step(told)


@together("line", ["learn", "learn whist22", "tutorial  whist 22", "tut"])
def test_who_is_asked_before_a_lesson_is_told_to_type_again_what_they_typed(line: str) -> None:
    ann = World().person("ann")
    said(ann, "practice")
    asked = " ".join(map(str.strip, said(ann, line)))
    typed = " ".join(line.split())
    assert asked.endswith(f" would end without a result. Type {typed} again to do it.")
    assert said(ann, "yes") == [f"! Type {typed} again to do it; else nothing happens."]
    told = said(ann, typed)
    assert wanted(told)
    assert told[0] == "You leave t1: its game ends without a result."
    assert not any("waits for you" in each for each in told)


def test_a_lesson_that_is_broken_off_goes_on_where_it_was() -> None:
    ann, told = begun("twentytwo")
    told = said(ann, wanted(told)[0])
    said(ann, "abort")
    assert step(said(ann, "tutorial")) == step(told)


def test_a_lesson_is_no_game_that_is_looked_up_or_counts() -> None:
    ann, told = begun("whist22")
    finished(ann, told)
    assert "g1" not in " ".join(said(ann, "history"))


def test_a_program_is_told_the_moves_and_may_send_them() -> None:
    ann = World().program("ann")
    on = ann.ok("tutorial whist22").fields["on"]
    ann.world.advance(1)
    for _ in range(4):
        lesson = next(event for event in reversed(ann.events()) if event.word == "LESSON")
        assert lesson.fields["on"] == on
        assert ann.err(f"move 5 {on}") in ("FORBIDDEN", "BAD_ARG", "ILLEGAL", "NOT_HELD")
        ann.ok(f"move {lesson.fields['moves'].split(',')[0]} {on}")
        ann.world.advance(1)


def test_a_practice_game_is_as_it_was() -> None:
    ann = World().person("ann")
    assert not any("Type: " in line for line in said(ann, "practice bots=1 seed=22"))
    assert not any("Type: " in line for line in said(ann, "8 8"))


# ------------------------------------------------------------------------- for programs


Answer = Callable[[ParsedLine], str]
"""The token with which a program answers a question."""


def default(asked: ParsedLine) -> str:
    return asked.fields["default"]


def last_listed(asked: ParsedLine) -> str:
    return asked.fields["legal"].split(",")[-1]


def answered(game: str, answer: Answer, *, caps: str = "", check: Callable[[Peer], None]) -> int:
    """The number of questions that a program answers by their defaults, to the end of a lesson.

    `check` is called before each answer.
    """
    world = World()
    ann = world.program("ann", caps=caps)
    ann.ok(f"tutorial {game}")
    count, told = 0, ann.events()
    for _ in range(MOST):
        world.advance(1)
        told += ann.events()
        ann.take()
        done = [each for each in told if each.word == "LESSON" and "done" in each.fields]
        asked = [each for each in told if each.word == "TURN" and "default" in each.fields]
        if done and "typed" not in done[-1].fields:
            return count
        if done:
            ann.ok(f"tutorial {game}")
        else:
            check(ann)
            ann.ok(f"move {answer(asked[-1])} turn={asked[-1].fields['turn']}")
            count += 1
        told = ann.events()
    raise AssertionError(told)


def nothing(_: Peer) -> None:
    """Checks nothing."""


@pytest.mark.parametrize("caps", ["", "text"])
@pytest.mark.parametrize("game", TAUGHT)
def test_a_program_that_sends_every_default_back_finishes_a_lesson(game: str, caps: str) -> None:
    assert answered(game, default, caps=caps, check=nothing) == TAUGHT[game].steps


@pytest.mark.parametrize("game", TAUGHT)
def test_what_a_program_is_offered_in_a_lesson_is_what_the_lesson_takes(game: str) -> None:
    def check(ann: Peer) -> None:
        table = lesson_of(ann)
        now, match = teaching.step_of(table), table.match
        assert now is not None and match is not None and match.question is not None
        asked, law = match.question, match.terms.game.moves(match.state)
        assert (asked.choose, asked.default, asked.legal) == ("one", now.moves[0], now.moves)
        assert ann.rows("moves")[0].fields["moves"] == ",".join(now.moves)
        assert {ann.ok(f"why {each}").fields["allowed"] for each in now.moves} == {"1"}
        others = [deed.token for deed, _ in zip(law, range(20), strict=False)]
        for other in others:
            if ann.ok(f"why {other}").fields["allowed"] == "0":
                assert ann.ok(f"why {other}").fields["reason"] == "LESSON"
                assert ann.ask(f"move {other}").fields["reason"] == "LESSON"
            else:
                assert any(guiding.same(other, each) for each in now.moves)

    assert answered(game, last_listed, check=check) == TAUGHT[game].steps


@pytest.mark.parametrize("game", TAUGHT)
def test_people_are_shown_what_the_rules_allow_and_the_default_is_the_move_of_the_lesson(
    game: str,
) -> None:
    def check(ann: Peer) -> None:
        table = lesson_of(ann)
        now, match = teaching.step_of(table), table.match
        assert now is not None and match is not None and match.question is not None
        asked, law = match.question, match.terms.game.moves(match.state)
        assert asked.default == now.moves[0] and asked.nlegal in (None, len(law))
        assert asked.legal is None or asked.default in asked.legal

    assert answered(game, default, caps="text", check=check) == TAUGHT[game].steps


@pytest.mark.parametrize("game", TAUGHT)
def test_people_do_not_read_that_they_are_on_turn_when_a_deal_is_over(game: str) -> None:
    heard = finished(*begun(game))
    assert [line for line in heard if line.startswith("You are to ")] == []


@pytest.mark.parametrize("game", TAUGHT)
def test_behind_the_last_step_of_a_deal_nobody_is_asked(game: str) -> None:
    world = World()
    ann = world.program("ann")
    for number in range(1, len(TAUGHT[game].deals) + 1):
        last_step = sum(deal.steps for deal in TAUGHT[game].deals[:number])
        ann.ok(f"tutorial {game} step={last_step}")
        world.advance(1)
        now = teaching.step_of(lesson_of(ann))
        assert now is not None
        ann.take()
        ann.hear(f"move {now.moves[0]}")
        world.advance(1000)
        assert "default" not in {key for each in ann.events() for key in each.fields}
        if lesson_of(ann).phase is Phase.PLAYING:
            assert ann.err("moves") in ("FORBIDDEN", "NOT_YOUR_TURN")


def test_an_exercise_that_asks_which_cards_to_throw_is_not_answered_by_the_question() -> None:
    ann, told = begun("twentytwo")
    told = said(ann, "tutorial twentytwo 7")
    (asked,) = [line for line in told if line.startswith("Your turn: exchange")]
    assert asked == "Your turn: exchange up to 7 cards, or keep."
    assert "5" not in " ".join(said(ann, "x")).partition("Type")[2]


@together("change", ["option first_hand 3", "swap 2", "remove bot:steady", "dropbot", "addbot"])
def test_a_lesson_that_is_played_once_more_has_its_rules_and_its_seats(change: str) -> None:
    world = World()
    ann = world.program("ann")
    for begin in ("tutorial twentytwo", "rematch"):
        ann.ok(begin)
        while (match := world.room().table.match) and match.question is not None:
            if match.question.seat == 1:
                ann.ok(f"move {match.question.default}")
            world.clock.settle()
        assert ann.err(change) == "FORBIDDEN"
    assert world.host.faults.count == 0
