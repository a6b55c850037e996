"""Section 24: connections of people."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

from ..check import cases, fixture, quotes, skip
from ..connections import NEEDS_DEV, Address, Client, Person, Program
from ..pacing import trace
from ..pool import Pool, new_name

SEEDED = "practice bots=1 seed=5 first_hand=5"
"""A deal in which the person has the first turn, with the hand 5H 7S 8D 8S JH."""


@fixture
def player(pool: Pool) -> Iterator[Person]:
    """A person in a practice game, on turn to exchange."""
    person = pool.take_person()
    assert "Your turn" in " ".join(person.tell(SEEDED))
    yield person
    if trace().failed:
        person.close()
    else:
        pool.give_person(person)


@quotes("whole lines of printable ASCII, at most 79 columns wide", "P1", "P2")
def everything_shown_is_plain_lines(ann: Person) -> None:
    for line in (
        *("help", "help play", "help cards", "help move", "rules twentytwo", "games", "tables"),
        *("who", "info", "motd", "set", "describe verbs", "describe events TURN"),
        *("describe errors", "bogus"),
        "open twentytwo \u00fe\u00e6\u00f6 \U0001f600 " + "very long " * 20,
        "say \u00fe\u00e6\u00f6 \u2665 \U0001f600 \x1b[31m " + "word " * 50,
        *("addbot", "start", "table", "score", "state", "hand", "moves"),
        *("why" + " q" * 27, "play \u00fe", "tell nobody x", "x" * 900),
    ):
        ann.tell(line)
    for shown in ann.heard:
        assert re.fullmatch(r"[ -~]{0,79}", shown), shown


@quotes("There is no prompt without a line end", "P2")
def there_is_no_unfinished_line(raw: Client, name: str) -> None:
    raw.send(name, SEEDED, "keep", "bogus", "quit")
    assert raw.rest().endswith(b"\r\n")


@quotes("A character that cannot be shown becomes ?.", "P1")
def what_cannot_be_shown_becomes_a_question_mark(ann: Person) -> None:
    ann.tell("open")
    assert f"{ann.name}: sm?rrebr?d" in ann.tell("say sm\u00f8rrebr\u00f8d")
    ann.tell("set charset utf8")
    assert f"{ann.name}: sm\u00f8rrebr\u00f8d" in ann.tell("say sm\u00f8rrebr\u00f8d")


@quotes("until they ask for more with set charset utf8, set colour on or set bell turn", "P1")
def more_is_shown_on_request(ann: Person) -> None:
    for setting in ("charset utf8", "suits signs", "colour on", "bell turn"):
        ann.tell(f"set {setting}")
    shown = "\n".join(ann.tell(SEEDED))
    assert "\u2665" in shown and "\x1b[31m" in shown and "\x07" in shown


@quotes("or the width set by telnet or set width", "P1")
@cases("width", [30, 40, 60, 120])
def lines_are_as_wide_as_wanted(ann: Person, width: int) -> None:
    ann.tell(f"set width {width}")
    start = len(ann.heard)
    ann.tell("help")
    ann.tell("rules twentytwo")
    assert width // 2 < max(map(len, ann.heard[start:])) <= width


@quotes("have short forms: p play, x exchange, k keep, h hand, m move", "P3")
@cases(
    ("short", "shown"),
    [
        ("k", "You keep all cards."),
        ("x j", "You throw JH and draw"),
        ("m j", "You throw JH and draw"),
        ("h", "Your cards: 5H 7S 8D 8S JH"),
        ("?", "help TOPIC"),
        ("? play", "Twenty-Two"),
        ("'hm", ": hm"),
        ("exch j 7", "You throw 7S JH and draw"),
        ("sco", "It is your turn."),
        ("cards", "Your cards: 5H 7S 8D 8S JH"),
    ],
)
def short_forms(player: Person, short: str, shown: str) -> None:
    assert shown in "\n".join(player.tell(short))


@quotes("Verbs may be shortened as long as they are unambiguous", "P3")
def an_ambiguous_short_form_is_refused_with_what_it_could_be(ann: Person) -> None:
    shown = " ".join(ann.tell("un"))
    assert shown.startswith("! ")
    assert all(verb in shown for verb in ("unwatch", "unfollow"))


@quotes("When it is your turn the cards alone are enough.", "P4", "D1")
@cases(
    "line", ["8", "8d", "8D", "8 8", "88", "8d 8s", "8D8S", "8s8d", "8 d 8 s", "p 8 8", "play 88"]
)
def cards_alone_are_a_play(ann: Person, line: str) -> None:
    assert "8 8" in ann.tell(f"{SEEDED} exchange=off")[-1]
    answer = ann.tell(line)
    if line == "8 d 8 s":
        assert answer[0].startswith("!")
    else:
        assert answer[0].startswith("You lead 8"), answer


@quotes("k, q, a and j are cards then, never short for a verb", "P4")
@cases("card", ["k", "q", "a", "j", "t", "10"])
def in_a_game_a_letter_is_a_card_and_no_verb(ann: Person, card: str) -> None:
    ann.send("practice bots=1 seed=5 first_hand=5 exchange=off")
    ann.until("Your cards")
    ann.catch_up()
    answer = ann.tell(card)
    assert answer and ("You " in answer[0] or answer[0].startswith("! ")), answer
    assert "Goodbye" not in answer[0]


@quotes("A refusal is one sentence that begins with !", "P5")
@cases("line", ["bogus", "play 2", "join t99999", "tell nobody x", "why", "set width 3", "move 1z"])
def a_refusal_is_marked(player: Person, line: str) -> None:
    assert player.tell(line)[0].startswith("! ")


@quotes("the refusal names a move that would be accepted", "P5", "T8")
@cases("seed", [1, 2, 3, 4, 5, 6])
def a_refused_move_teaches_one_that_is_accepted(address: Address, name: str, seed: int) -> None:
    """After each refused move, the move named in the refusal is accepted."""
    taught = 0
    with Person(address, name) as person:
        person.send(f"practice bots=2 seed={seed}")
        person.until("Your turn")
        person.tell("keep")
        for _ in range(600):
            moves = person.tell("moves")
            if "turn" in moves[0]:
                time.sleep(0.1)  # it is somebody else's, and what is to be beaten may change
                continue
            hand = _hand(person)
            if moves[0].startswith("!") or len(hand) < 2:
                break
            refusals = [person.tell(f"why {wrong}") for wrong in _wrong(hand)]
            for shown in refusals:
                sentence = " ".join(shown)
                proposed = re.search(
                    r"(?:lowest|example|lead|may play|Play):? ((?:(?:10|[2-9JQKA])\b ?)+)", sentence
                )
                if "You do not hold" in sentence or "is legal" in sentence or not proposed:
                    continue
                answer = " ".join(person.tell(f"why {proposed[1]}"))
                assert "is legal" in answer, sentence
                taught += 1
            if taught >= 9:
                break
            person.tell("play " + moves[0].split(" | ")[0])
    assert taught >= 3


def _hand(person: Person) -> list[str]:
    shown = " ".join(person.tell("hand"))
    return [card[:-1] for card in re.findall(r"\b(?:10|[2-9JQKA])[SHDC]\b", shown)]


def _wrong(hand: list[str]) -> list[str]:
    return [
        " ".join(hand),
        f"{hand[0]} {hand[-1]}",
        " ".join(hand[-2:]),
        " ".join(hand[:3]),
        hand[1],
    ]


@quotes("A person's lines are made from the same events that programs read", "P6", "V2")
def two_people_read_the_same_but_for_you(address: Address) -> None:
    with Person(address, new_name()) as one, Person(address, new_name()) as other:
        opened = " ".join(one.tell("open twentytwo seats=2 clock=0 seed=27 first_hand=5"))
        if "Repeatable deals are for practice" in opened:
            skip(NEEDS_DEV)
        table = re.search(r"\bt\d+\b", opened)
        assert table
        other.tell(f"join {table[0]}")
        other.tell("ready")
        assert "game" in " ".join(one.tell("start"))
        other.catch_up()
        for person in (other, one):
            person.tell("keep")
        one.catch_up()
        other.catch_up()
        lines = [line for line in one.heard if "exchange" in line or "keep" in line]
        assert "You keep all cards." in lines
        assert f"{other.name} keeps all cards." in lines


@quotes("A name alone is enough", "M3", "F6")
@cases("line", ["{n}", "guest {n}", "GUEST {n}", " {n} ", "{n}\r"])
def a_person_comes_in_by_a_name(stranger: Person, name: str, line: str) -> None:
    assert f"Welcome, ~{name}" in stranger.tell(line.format(n=name))[0]


@quotes("People are never pinged.", "K3")
def a_person_can_leave_at_any_time(player: Person) -> None:
    player.send("quit")
    assert "Goodbye" in player.until("Goodbye")[-1]
    assert player.closed()
    assert not [line for line in player.heard if line.startswith("PING")]


@quotes("act only if they are repeated within a minute", "P9")
def a_person_is_asked_before_a_game_is_lost(address: Address, ann: Person) -> None:
    ann.tell("practice bots=1")
    asked = ann.tell("leave")
    assert "leave again to do it." in " ".join(map(str.strip, asked))
    assert "You leave" in " ".join(ann.tell("leave"))


@quotes("lost= in the answer lists the loss", "P9", "R12")
@quotes("leave the one before, and its game ends", "R13")
@cases("command", ["leave", "logout", "practice", "tutorial"])
def a_program_reads_what_it_has_lost(guest: Program, command: str) -> None:
    first = guest.must("practice bots=1")["on"]
    assert guest.must(command)["lost"] == "seat,game"
    if command in ("practice", "tutorial"):
        assert guest.until("LEFT")["on"] == first


@quotes("absent if nothing is lost", "R12")
@quotes("Use open for several tables.", "R13")
def tables_with_bots_are_lost_by_nothing_else(guest: Program) -> None:
    opened = [guest.must("open twentytwo seats=2 bots=1 clock=0")["on"] for _ in range(2)]
    practised = guest.must("practice bots=1")
    assert "lost" not in practised.final.fields
    for on in opened:
        guest.must(f"start {on}")
        assert guest.must(f"state {on}").ok


@quotes("A refusal is one sentence", "P5")
def a_person_is_told_what_they_may_have_meant(ann: Person) -> None:
    assert "practice" in " ".join(ann.tell("practise"))


@quotes("A person's lines are made from the same events that programs read", "P6")
def what_a_program_says_reaches_a_person(address: Address, ann: Person) -> None:
    with Program(address, new_name()) as bob:
        bob.must(f"tell {ann.name} :hello :x TURN")
    assert any("hello :x TURN" in line for line in ann.catch_up())
