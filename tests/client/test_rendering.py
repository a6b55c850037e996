"""What a person reads: whole games at several widths, and the laws of each look.

The files in `golden/` are what is printed for the game in `game.txt`. After a deliberate change
`UPDATE_GOLDEN=1 pytest tests/client/test_render.py` writes them anew; read the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
import wcwidth
from hypothesis import example, given
from hypothesis import strategies as st

from tests.client.kit import GAME, HELLO, NAMED, SEATING, TRICKS, hear, named, said, seated
from tests.client.screens import parts
from tests.kit.cases import together
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.updates import Greeted, Reconnecting
from twentytwo_client.display.look import Look, Suits
from twentytwo_client.display.recap import recap
from twentytwo_client.display.rendering import Renderer, sentence, wrap
from twentytwo_client.terminal.narrator import Narrator
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.typed_cards import read
from twentytwo_protocol.wire import write
from twentytwo_protocol.words.cardplay import Dealt, Game_
from twentytwo_protocol.words.looking import Line

GOLDEN = Path(__file__).parent / "golden"

LOOKS = {
    "40-signs": (40, Look(Suits.SIGNS, unicode=True, rich=True)),
    "80-letters": (80, Look(Suits.LETTERS, rich=True)),
    "200-colour": (200, Look(Suits.SIGNS, colour=True, unicode=True, rich=True)),
    "80-four-colours": (80, Look(Suits.LETTERS, colour=True, four=True, unicode=True, rich=True)),
    "plain": (80, Look(Suits.SPOKEN, unicode=True)),
    "piped": (None, Look(Suits.LETTERS, unicode=True)),
}


class Paper:
    """A screen of which everything can be read afterwards."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += f"{text}\n"

    def ring(self) -> None:
        self.text += "\a"


def told(look: Look, width: int | None, *lines: str) -> str:
    """What is printed when these lines come."""
    talk, paper = named(), Paper()
    teller = Narrator(talk, Renderer(look, lambda: width), paper, lambda: 0.0)
    for line in lines:  # one by one, as the link does: a sentence may look at the table
        for value in hear(talk, line):
            teller.tell(value)
    return paper.text


@together("name", LOOKS)
def test_a_game_reads_as_it_is_written_in_the_golden_file(name: str) -> None:
    width, look = LOOKS[name]
    text = told(look, width, *GAME)
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_no_golden_file_is_of_nothing() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(LOOKS)


@together("width", [20, 40, 80, 200])
@together("suits", [Suits.LETTERS, Suits.SIGNS])
@together("colour", [False, True])
def test_no_line_is_wider_than_the_window(width: int, suits: Suits, colour: bool) -> None:
    look = Look(suits, colour=colour, unicode=suits is Suits.SIGNS)
    lines = told(look, width, *GAME).splitlines()
    assert len(lines) > 40
    assert max(map(wcwidth.width, lines)) <= width


@pytest.mark.parametrize("width", [40, 80])
def test_colour_adds_nothing_but_colour(width: int) -> None:
    plain = told(Look(Suits.LETTERS, unicode=True), width, *GAME)
    coloured = told(Look(Suits.LETTERS, colour=True, unicode=True), width, *GAME)
    assert coloured != plain
    assert wcwidth.strip_sequences(coloured) == plain


def test_without_unicode_there_is_nothing_but_ascii() -> None:
    talk = "SAID on=t7 seq=52 by=~ann :Grüße 世界"
    text = told(Look(Suits.LETTERS), 80, *GAME, talk)
    assert text.isascii()
    assert "~ann: Gr??e ??" in text


# -------------------------------------------------------------------------------- plain


def test_plain_output_is_sentences_and_line_ends() -> None:
    text = told(LOOKS["plain"][1], None, *GAME)
    assert not [char for char in text if ord(char) < 32 and char != "\n"]
    lines = text.splitlines()
    assert all(re.search(r"[.!?]$", line) for line in lines)
    assert not re.search(r"[|*─│♠♥♦♣]|--|  ", text)
    assert "Your cards: five of clubs, nine of diamonds" in text


def test_the_last_line_of_a_lesson_is_its_own_and_what_to_type_is_typed_as_it_is_read() -> None:
    look, begins = LOOKS["plain"][1], "LESSON on=t7 game=twentytwo step=7 steps=10"
    lines = told(look, 80, *GAME, rf"{begins} typed=hint :Which card? Type it.").splitlines()
    assert lines[-2:] == ["Step 7 of 10. Which card? Type it.", "Type: hint"]
    *_, before, last = told(look, 80, *GAME, f"{begins} done=1 :Right").splitlines()
    assert before == "Right."
    assert last.startswith("Lesson done. Next: practice twentytwo")


def test_plain_output_has_names_for_bots_that_can_be_read_aloud() -> None:
    bots = {"~ann": "bot:steady", "~cat": "bot:steady2"}
    game = [re.sub("~ann|~cat", lambda name: bots[name[0]], line) for line in GAME]
    text = told(LOOKS["plain"][1], None, *game)
    assert "bot:steady" not in text
    assert "A game of Twenty-Two begins: steady bot, you and second steady bot." in text
    assert "Scores: steady bot 22, you 0, second steady bot 22." in text
    refused = "ERR code=BAD_ARG class=usage :remove bot:steady2 does it."
    assert "remove bot:steady2" in told(LOOKS["plain"][1], None, *game, refused)


def test_which_cards_have_gone_is_read_aloud_unless_the_table_does_without() -> None:
    plain = LOOKS["plain"][1]
    assert "Gone: a nine, two jacks and an ace." in told(plain, None, *GAME)
    later = [re.sub(r"(?<=seq=)\d+", lambda no: str(int(no[0]) + 1), line) for line in GAME]
    without = told(plain, None, "OPTION on=t7 seq=1 key=counting value=off", *later)
    assert "Gone" not in without and "Cards: ~ann 6" in without
    # Under a prompt the table is in view, and a table that was met in the middle is not counted.
    assert "Gone" not in told(LOOKS["80-letters"][1], 80, *GAME)


def test_of_a_table_that_was_met_in_the_middle_of_a_hand_nothing_is_counted() -> None:
    talk = named()
    ask = talk.say("state t7")
    table = seated().streams.tables["t7"]
    hear(talk, *(f"@{ask.id} {write(row)}" for row in table.rows()), f"@{ask.id} OK")
    assert talk.streams.tables["t7"].so_far() == ()
    assert list(table.so_far()), "seen from its beginning"


def test_plain_output_is_wrapped_at_words_where_it_goes_to_a_terminal() -> None:
    text, plain = told(LOOKS["plain"][1], None, *GAME), told(LOOKS["plain"][1], 60, *GAME)
    assert max(map(len, text.splitlines())) > 60 >= max(map(len, plain.splitlines()))
    assert text.split() == plain.split()


@pytest.mark.parametrize(
    ("text", "aloud"),
    [
        ("A lead keeps the control (with A: 34 %).", "A lead keeps the control (with ace: 34 %)."),
        ("From high to low: J 9 A K.", "From high to low: jack nine ace king."),
        ("~K says it is 9 to 4.", "~K says it is 9 to 4."),
    ],
)
def test_ranks_in_the_sentences_of_the_server_are_read_aloud(text: str, aloud: str) -> None:
    renderer = Renderer(LOOKS["plain"][1], lambda: None)
    assert renderer.message(Line(text)) == aloud


def test_the_bell_rings_at_your_turn_if_asked_for() -> None:
    assert "\a" not in told(Look(Suits.SPOKEN), None, *GAME)
    rung = told(Look(Suits.SPOKEN, bell=True), None, *GAME)
    assert rung.count("\a") == 4


def test_what_is_said_as_a_choice_can_be_typed_as_it_is_said() -> None:
    text = told(LOOKS["plain"][1], None, *GAME)
    choices = re.findall(r"Your lead: (.*)\.", text)
    assert choices == ["five, or queen, or queen queen, or queen queen queen"]
    assert [read(choice) for choice in choices[0].split(", or ")][-1] == ("Q", "Q", "Q")


@together(
    ("text", "aloud"),
    [
        ("*** Game over. You win!", "Game over. You win!"),
        ("--- Hand 1: you deal.", "Hand 1: you deal."),
        ("* bob is back.", "bob is back."),
        ("bob plays 6S - that is the play to beat.", "bob plays 6S, that is the play to beat."),
        (
            "*** Game over. You win!\nrematch plays another.",
            "Game over. You win! rematch plays another.",
        ),
        ("Your lead: 2 | 3 | Q Q", "Your lead: 2, or 3, or Q Q."),
        (
            "Your cards: 2 3\nYour turn: A to beat.  2 | A",
            "Your cards: 2 3. Your turn: A to beat. 2, or A.",
        ),
        ("  1. you, 0 points", "1. you, 0 points."),
        ("~bob: is it you?", "~bob: is it you?"),
        ("bot:easy takes it.", "easy bot takes it."),
    ],
)
def test_sentences_for_a_reader_aloud(text: str, aloud: str) -> None:
    assert sentence(text) == aloud


# --------------------------------------------------------------------------------- lines


def test_choices_are_not_torn_apart() -> None:
    line = "Your lead: 2 | 3 3 | Q Q | 10 10 10"
    assert list(wrap(line, 20)) == ["Your lead: 2 | 3 3 |", "  Q Q | 10 10 10"]
    for width in range(20, 40):
        pieces = list(wrap(line, width))
        assert max(map(wcwidth.width, pieces)) <= width
        assert all(piece.endswith(" |") for piece in pieces[:-1])
        choices = [choice.strip() for piece in pieces for choice in piece.split("|")]
        assert [choice for choice in choices if choice] == line.split(" | ")


@given(st.text(st.sampled_from("ab 世|é-"), max_size=80), st.integers(10, 50))
@example(" | aaaaaaaa", 10)
def test_wrapping_keeps_every_word(line: str, width: int) -> None:
    pieces = list(wrap(line, width))
    assert all(wcwidth.width(piece) <= width for piece in pieces)
    assert "".join(pieces).replace(" ", "") == line.replace(" ", "")


def test_wide_characters_count_for_two_columns() -> None:
    assert list(wrap("世界 世界 世界", 10)) == ["世界 世界", "  世界"]


# ----------------------------------------------------------------------------- the teller


def _reply(line: str, *lines: str) -> str:
    talk, paper = named(), Paper()
    teller = Narrator(
        talk, Renderer(Look(Suits.SIGNS, unicode=True), lambda: 80), paper, lambda: 0.0
    )
    ask = talk.say(line)
    for value in hear(talk, *(f"@{ask.id} {each}" for each in lines)):
        teller.tell(value)
    return paper.text


@together(
    ("line", "lines", "shown"),
    [
        ("play q", ["ERR code=NOT_HELD class=rule :You hold no Q."], "! You hold no Q.\n"),
        ("hand", ["OK on=t7 n=2 :Your cards: 2C 10H"], "Your cards: 2♣ 10♥\n"),
        ("ready", ["OK on=t7 seat=2 seq=9"], ""),
        ("score", ["LINE :~ann: 10", "LINE :~bob: 2", "OK n=2"], "  ~ann: 10\n  ~bob: 2\n"),
        ("help play", ["HELP :play QH QS", "OK n=1"], "  play QH QS\n"),
        ("moves", ["MOVES moves=2,Q+Q first=0", "OK on=t7 n=2"], "2 | Q Q\n"),
        ("who", ["USER name=~ann bot=0 on=t7", "OK n=1"], "  ~ann at t7\n"),
        ("ping", ["OK pong=-"], ""),
    ],
)
def test_replies(line: str, lines: list[str], shown: str) -> None:
    assert _reply(line, *lines) == shown


REVIEW = [
    "MARKED nth=1 turn=1 no=1 trick=0 seat=2 act=exchange answer=- best=TH+JC mark=mistake cost=12"
    " risk=40 win=-9 worlds=200 :With 10H JC the chance is 28 % instead of 40 %.",
    "MARKED nth=9 turn=5 no=1 trick=2 seat=1 act=play answer=Q+Q best=5+4 mark=blunder cost=30"
    " risk=60 win=-20 worlds=200 :Low cards are safer.",
    "MARKED nth=9 turn=5 no=2 trick=0 seat=3 act=bid answer=16 best=pass mark=blunder cost=30"
    " risk=60 win=-20 worlds=200",
    "CHANCES no=0 chances=33,33,34",
    "CHANCES no=1 chances=50,10,40",
    "LUCK seat=2 hands=1 losses=1 expected=62 share=33",
    "LUCK seat=3 hands=0 losses=0 expected=0 share=0",
    "OK on=g51 n=7 :31 moves judged, 3 marked.",
]


def test_a_review_of_the_game_at_a_table_names_the_players_and_what_was_better() -> None:
    talk, paper = seated(*GAME), Paper()
    teller = Narrator(
        talk, Renderer(Look(Suits.SIGNS, unicode=True), lambda: 80), paper, lambda: 0.0
    )
    ask = talk.say("review g51")
    for value in hear(talk, *(f"@{ask.id} {each}" for each in REVIEW)):
        teller.tell(value)
    assert (
        paper.text
        == """\
  Hand 1, you: keep. Mistake. Better: exchange 10♥ J♣.
    With 10♥ J♣ the chance is 28 % instead of 40 %.
  Hand 1, trick 2, ~ann: Q Q. Blunder. Better: 5 4.
    Low cards are safer.
  Hand 2, ~cat: bid 16. Blunder. Better: pass.
  Chance to win at the start: ~ann 33 %, you 33 %, ~cat 34 %.
  Chance to win after hand 1: ~ann 50 %, you 10 %, ~cat 40 %.
  Your luck: 1 of 1 hand lost; average players lose 0.6 with these cards, and
    0.3 is even.
31 moves judged, 3 marked.
"""
    )


def test_a_review_of_another_game_tells_of_seats() -> None:
    assert _reply("review g9", *REVIEW[3:5], "OK on=g9 n=2").splitlines()[0] == (
        "  Chance to win at the start: seat 1 33 %, seat 2 33 %, seat 3 34 %."
    )


def test_cards_in_a_remark_on_a_hand_are_shown_as_all_others() -> None:
    remark = "NOTE code=HAND table=t7 :bot:steady took it with JC for 5 points."
    assert told(Look(Suits.SIGNS, unicode=True), 80, remark) == (
        "* bot:steady took it with J♣ for 5 points.\n"
    )


@pytest.mark.parametrize("line", ["tables", "seeks", "watchers t7"])
def test_an_empty_list_says_that_it_is_empty(line: str) -> None:
    assert _reply(line, "OK n=0").startswith("* ")


def test_unknown_events_are_read_by_their_text_and_grease_is_not() -> None:
    look = Look()
    assert told(look, 80, "NEWS on=lobby seq=1 :The sun shines.") == "The sun shines.\n"
    assert told(look, 80, "XGNOISE x=1 :TURN turn=1", "NEWS x=1") == ""


def test_an_event_without_sense_is_shown_as_it_came() -> None:
    whist = [line.replace("game=twentytwo", "game=whist22") for line in GAME[:8]]
    played = "PLAYED on=t7 seq=9 seat=1 cards=15,16 kind=lead left=5"
    assert told(Look(), 80, *whist, played).splitlines()[-1] == (
        "PLAYED seat=1 cards=15,16 kind=lead left=5"
    )


TWO_TABLES = (
    "JOINED on=t7 seq=1 seat=1 name=~bob bot=0",
    "JOINED on=t8 seq=1 seat=1 name=~bob bot=0",
)


def test_with_several_tables_what_happens_elsewhere_says_where() -> None:
    lines = [
        "SAID on=t7 seq=2 by=~ann :hi",
        f"SAID on=t7 seq=3 by=~ann :{'ever so long ' * 9}",
    ]
    shown = told(Look(), 60, *TWO_TABLES, *lines).splitlines()
    assert shown[2] == "[t7] ~ann: hi"
    assert shown[3].startswith("[t7] ~ann: ever so long")
    assert max(map(len, shown)) <= 60


def test_at_the_table_that_one_came_to_last_lines_are_as_at_the_first() -> None:
    said_there = [f"SAID on=t8 seq={n} by=~ann :hi" for n in (2, 3)]
    assert told(Look(), 60, *TWO_TABLES, *said_there).splitlines()[2:] == ["~ann: hi"] * 2


def test_a_game_told_again_and_over_puts_no_label_before_the_next() -> None:
    talk, paper = named(), Paper()
    narrator = Narrator(talk, Renderer(Look(), lambda: 80), paper, lambda: 0.0)
    for value in hear(
        talk,
        "JOINED on=r1 seq=1 seat=1 name=~ann bot=0",
        "JOINED on=t8 seq=1 seat=1 name=~bob bot=0",
        "SAID on=t8 seq=2 by=~ann :hi",
    ):
        narrator.tell(value)
    assert paper.text.splitlines()[-1] == "~ann: hi"


@pytest.mark.parametrize("game", ["whist22", "twentyeight"])
def test_cards_that_were_dealt_a_line_ago_are_not_told_again_with_the_first_bid(game: str) -> None:
    lines = [line for line in parts(game, "t1")[0] if not line.startswith("BID ")]
    if game == "whist22":  # we are the first to bid
        lines = [line for line in lines if not line.startswith("TURN ") or " hand=" in line]
        lines = [line.replace("bids=1,0,1", "bids=") for line in lines]
        seq = count(1)
        lines = [re.sub(r" seq=\d+", lambda _: f" seq={next(seq)}", line) for line in lines]
    talk, paper = named(), Paper()
    teller = Narrator(talk, Renderer(Look(), lambda: 80), paper, lambda: 0.0)
    ask = talk.say("join t1")
    for line in (f"@{ask.id} OK on=t1 seat=1 seq=1", *lines):
        for value in hear(talk, line):
            teller.tell(value)
    cards = {"whist22": "2 17 18 19 F", "twentyeight": "7C 7D JD JH"}[game]
    assert paper.text.count(cards) == 1
    assert paper.text.splitlines()[-1].startswith("Your bid")


def _coming_back(
    *missed: str,
    after: Sequence[str] = (),
    last: Sequence[str] = (),
    waits: Sequence[Reconnecting] = (Reconnecting(1, 0), Reconnecting(2, 1)),
    boot: str = "k3f9",
) -> list[str]:
    talk, paper = seated(), Paper()
    teller = Narrator(talk, Renderer(Look(), lambda: 80), paper, lambda: 0.0)
    greeting = Conversation(name="bob")
    greeting.connected()
    greeted = (each for each in hear(greeting, HELLO) if isinstance(each, Greeted))
    teller.tell(next(greeted))
    for value in hear(talk, *last):
        teller.tell(value)
    talk.lost()
    for wait in waits:
        teller.tell(wait)
    talk.connected()
    hello, resume = (line.split(" ")[0] for line in said(talk))
    for value in hear(
        talk,
        HELLO.replace("@1", hello).replace("k3f9", boot),
        *missed,
        f"{resume} AT on=t7 seq=99",
        NAMED.replace("@2", resume).replace("81", "82"),
        *after,
    ):
        teller.tell(value)
    return paper.text.splitlines()


@pytest.mark.parametrize(
    ("heard", "why"),
    [
        ([HELLO, "@2 ERR code=BUSY class=limit wait=5000 :Too many people."], "! Too many people."),
        (["BYE code=RATE resume=1 wait=5000 :Too many new ones."], "Too many new ones."),
    ],
    ids=["at the name", "at the door"],
)
def test_who_is_put_off_reads_why_and_for_how_long(heard: list[str], why: str) -> None:
    talk, paper = Conversation(name="bob", client="test/1"), Paper()
    teller = Narrator(talk, Renderer(Look(), lambda: 80), paper, lambda: 0.0)
    talk.connected()
    for value in [*hear(talk, *heard), Reconnecting(5.005, 1), Reconnecting(4, 2)]:
        teller.tell(value)
    assert paper.text.splitlines()[-2:] == [
        why,
        "* Trying again in 5 s.",
    ]


def test_coming_back_tells_what_was_missed_and_asks_again() -> None:
    lines = _coming_back("PRESENCE on=t7 seq=29 seat=2 here=0 ms=120000")
    assert lines[:2] == ["* Connection lost. Reconnecting...", "* Back."]
    assert lines[2] == "Cards: ~ann 4, you 6, ~cat 4. Gone: 2 4 4 4 6 9 J J A A."
    assert lines[3].startswith("Your cards: ")
    assert lines[4].startswith("Your turn: 6 4 to beat.")


@pytest.mark.parametrize(
    ("code", "wait", "line"),
    [
        ("MOVED", 1005, "Another server goes on. Reconnecting..."),
        ("RESTART", 1005, "The server restarts. Reconnecting..."),
        ("SHUTDOWN", 31_000, "The server stops. Reconnecting in 31 s."),
    ],
)
def test_the_end_of_a_server_is_one_line(code: str, wait: int, line: str) -> None:
    bye = f"BYE code={code} resume=1 wait={wait} :It says come back."
    assert _coming_back(last=[bye])[:2] == [f"* {line}", "* Back."]


def test_a_server_that_stays_away_is_told_of_once_more() -> None:
    waits = [Reconnecting(5, n) for n in range(20)]
    assert _coming_back(waits=waits)[:3] == [
        "* Connection lost. Reconnecting...",
        "* No answer yet. Still trying; quit leaves.",
        "* Back.",
    ]


def test_everybody_was_away_with_the_server_and_that_is_no_news() -> None:
    away = [f"PRESENCE on=t7 seq={28 + seat} seat={seat} here=0 ms=120000" for seat in (1, 2, 3)]
    back = [f"PRESENCE on=t7 seq={31 + seat} seat={seat} here=1" for seat in (1, 2, 3)]
    quiet = _coming_back(*away, back[0], after=back[1:], boot="other")
    assert not [line for line in quiet if "away" in line or "is back" in line]
    # With the same server it is news.
    told = _coming_back(*away, back[0], after=back[1:])
    assert [line for line in told if "~ann" in line and "is" in line] == [
        "* ~ann is away. The seat is kept for 120 s.",
        "* ~ann is back.",
    ]
    assert told[-1] == "* ~cat is back."


def test_whoever_does_not_come_back_to_the_new_server_is_news() -> None:
    away = [f"PRESENCE on=t7 seq={28 + seat} seat={seat} here=0 ms=120000" for seat in (1, 2, 3)]
    bot = ["PRESENCE on=t7 seq=32 seat=3 here=0 bot=1", "PRESENCE on=t7 seq=33 seat=3 here=1"]
    assert _coming_back(*away, after=bot, boot="other")[-2:] == [
        "* A bot plays for ~cat for now.",
        "* ~cat is back.",
    ]


def test_who_is_back_is_told_so_once() -> None:
    away = "PRESENCE on=t7 seq=29 seat=2 here=0 ms=120000"
    back = [f"PRESENCE on=t7 seq={seq} seat=2 here=1" for seq in (30, 31)]
    assert "back" not in " ".join(_coming_back(away, after=back[:1])[2:])
    # Later it is news: a bot has played meanwhile.
    assert _coming_back(away, after=back)[-1] == "* You are back."
    assert _coming_back(away, back[0], after=back[1:])[-1] == "* You are back."
    assert "bot plays" in _coming_back(away, after=[f"{back[0]} bot=1"])[-1]


def test_coming_back_counts_the_plays() -> None:
    lines = _coming_back(*GAME[28:37])
    assert "* Back. You missed 4 plays:" in lines
    # The question that is open now comes with what was missed, and is not asked twice.
    assert not [line for line in lines if line.startswith("Your turn: 6 4")]


def test_trumps_of_whist_22_are_spoken_as_figures() -> None:
    plain = Renderer(LOOKS["plain"][1], lambda: None)
    table = TableModel("t7", 1)
    table.begin(Game_("whist22", "g1", 3, 1, "0"))
    said = plain.message(Dealt(1, 4, ("9", "12", "14", "F")), table)
    assert said == "Your cards: 9, 12, 14 and Fool."


@together("width", [80, 20])
@pytest.mark.parametrize(
    ("lines", "hand"),
    [(SEATING, "5C 9D JC JH QD QH QS"), ([*SEATING, *TRICKS], "4H 5C 6S QD QH QS")],
    ids=["exchange", "play"],
)
def test_how_things_stand_says_once_what_one_holds(lines: list[str], hand: str, width: int) -> None:
    table = seated(*lines).streams.tables["t7"]
    told = " ".join(" ".join(recap(table, Renderer(Look(), lambda: width))).split())
    assert told.count(hand) == 1


def test_how_things_stand_can_be_asked_after_every_event() -> None:
    for number in range(1, len(GAME) + 1):
        table = seated(*GAME[:number]).streams.tables["t7"]
        told = [*recap(table, Renderer(Look(), lambda: 80))]
        assert any(told), GAME[number - 1]
