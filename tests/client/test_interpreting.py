"""What people type, and what it means: a table of inputs."""

from __future__ import annotations

import re

import pytest

from tests.client.kit import ENDING, SEATING, TRICKS, hear, seated
from tests.kit.cases import together
from twentytwo_client.display.typed_cards import held
from twentytwo_client.terminal.interpreting import (
    LOCAL,
    Answer,
    Hint,
    LocalCommand,
    Meaning,
    Send,
    is_move,
    meant,
)
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import COMMANDS, Deed
from twentytwo_protocol.typed_cards import read

EXCHANGE = [*SEATING]
FOLLOW = [*SEATING, *TRICKS]
WAIT = [*SEATING, *TRICKS[:2]]
OVER = [*FOLLOW, *ENDING]


def table_after(lines: list[str]) -> TableModel:
    return seated(*lines).streams.tables["t7"]


def short(meaning: Meaning | None) -> str:
    """A meaning in a form that fits into a table."""
    match meaning:
        case Send(line):
            return f"> {line}"
        case Answer(_, turn, token):
            return f"{token} @{turn.turn}"
        case LocalCommand(name, rest):
            return f"/{name} {rest}".strip()
        case Hint(text):
            return f"! {text}"
    return ""


@together(
    ("line", "meaning"),
    [
        ("", ""),
        ("   ", ""),
        ("who", "> who"),
        ("WHO", "> who"),
        ("  tables   open=1 ", "> tables open=1"),
        ("prac", "> practice"),
        ("practice bots=2", "> practice bots=2"),
        ("gg", "> say :gg"),
        ("hi all", "> say :hi all"),
        ("who am i", "> whoami"),
        ("26", "! practice twentysix plays it at once, help twentysix explains it."),
        ("practice hard", "> practice level=hard"),
        ("practice Whist 22", "> practice whist22"),
        ("help whist 22", "> help whist22"),
        ("replay", "> replay last"),
        ("fair", "> fair last"),
        (
            "open twentytwo limit=30 seats=3 tea time",
            "> open twentytwo seats=3 options=limit:30 :tea time",
        ),
        ("say table=t7 well", "> say table=t7 :well"),
        ("open seats=x", "> open seats=x"),
        ("h", "> hand"),
        ("cards", "> hand"),
        ("r", "> ready"),
        ("j t7", "> join t7"),
        ("'well played", "> say :well played"),
        ("' :)", "> say : :)"),
        ("say :)", "> say ::)"),
        ("say Hello, World", "> say :Hello, World"),
        ("tell ann 2 2", "> tell ann :2 2"),
        ("?", "/now"),
        ("? play", "> help play"),
        ("?play", "> help play"),
        ("help", "> help"),
        ("quit", "/quit"),
        ("exit", "/quit"),
        ("q", "! q is a queen, and no card is asked for now. quit leaves."),
        ("/quit", "/quit"),
        ("/suits letters", "/suits letters"),
        ("hello 1", "! hello has been said already, by the client."),
        ("frobnicate now", "> frobnicate now"),
        ("play q q", "> play q q"),
        ("k", "! k is a king, and no card is asked for now."),
        ("x 2 5", "> exchange 2 5"),
        ("bl bob", "> block bob"),
        ("10 10", "! 10 10 are cards, and no card is asked for now."),
        ("18", "! I do not understand that. help lists what there is."),
    ],
)
def test_at_no_table(line: str, meaning: str) -> None:
    assert short(meant(line)) == meaning


@together("line", ["re", "un", "s", "/nothing", "p q q"])
def test_what_is_not_plain_is_not_guessed(line: str) -> None:
    meaning = short(meant(line))
    assert meaning == "> play q q" if line.startswith("p ") else meaning.startswith("! ")


@together(
    ("line", "meaning"),
    [
        ("q q", "Q+Q @9"),
        ("qq", "Q+Q @9"),
        ("QQ", "Q+Q @9"),
        ("Q+Q", "Q+Q @9"),
        ("qh qs", "QH+QS @9"),
        ("q♥ q♠", "QH+QS @9"),
        ("6,4", "6+4 @9"),
        ("10 10", "T+T @9"),
        ("t", "T @9"),
        ("k", "K @9"),
        ("q", "Q @9"),
        ("j", "J @9"),
        ("a", "A @9"),
        ("x", "> exchange"),
        ("p 5 4", "5+4 @9"),
        ("play 5 4", "5+4 @9"),
        ("PLAY 5C 4H", "5C+4H @9"),
        ("queen queen", "Q+Q @9"),
        ("queen of hearts and queen of spades", "QH+QS @9"),
        ("play six, four", "6+4 @9"),
        ("m Q+Q", "Q+Q @9"),
        ("move Q+Q turn=9", "> move Q+Q turn=9"),
        ("play", "! Which cards? You may type 5 4, 6 4, 6 5, and more."),
        ("play nonsense", "> play nonsense"),
        (
            "trump",
            "! Not now. You may type 5 4, 6 4, 6 5, and more.",
        ),
        ("how do i play", "! help play has the rules, hand says what you are asked."),
        ("exchange q", "> exchange q"),
        ("keep", "> keep"),
        ("h", "> hand"),
        ("hand", "> hand"),
        ("'q q", "> say :q q"),
        ("say a", "> say :a"),
        ("?", "/now"),
        ("quit", "/quit"),
    ],
)
def test_on_your_turn_to_play_cards_come_first(line: str, meaning: str) -> None:
    assert short(meant(line, table_after(FOLLOW))) == meaning


@together(
    ("line", "meaning"),
    [
        ("keep", "- @2"),
        ("k", "- @2"),
        ("x 9 j", "9+J @2"),
        ("exchange 9d jc jh", "9D+JC+JH @2"),
        ("exchange 10", "T @2"),
        ("exchange", '! Which cards? Type "exchange 5 9", or "keep".'),
        ("exchange frogs", "> exchange frogs"),
        ("9 j", "9+J @2"),
        ("j", "J @2"),
        ("five", "5 @2"),
        ("throw 9 j", "9+J @2"),
        ("ex 9 j", "9+J @2"),
        ("keep all", "- @2"),
        ("exchange none", "- @2"),
        ("p q q", "> play q q"),
        ("x", '! Which cards? Type "exchange 5 9", or "keep".'),
    ],
)
def test_at_the_exchange(line: str, meaning: str) -> None:
    assert short(meant(line, table_after(EXCHANGE))) == meaning


BIDDING = EXCHANGE[-1].replace(
    "act=exchange choose=subset min=0 max=7 cards=5C,9D,JC,JH,QD,QH,QS default=-",
    "act=bid choose=one legal=0,1,2,3,4 default=0",
)
CHOOSING = BIDDING.replace(
    "act=bid choose=one legal=0,1,2,3,4 default=0", "act=trump legal=9D,JH,QH nlegal=3 default=9D"
)


@together(
    ("line", "meaning"),
    [
        ("bid", "! Type 0, 1 or 2."),
        ("b", "! Type 0, 1 or 2."),
        ("bid 3", "3 @2"),
        ("3", "3 @2"),
        ("bid 9", "9 @2"),
        ("bid 3 4", "> bid 3 4"),
        ("bid three", "3 @2"),
        ("i bid two", "2 @2"),
        ("bid pass", "pass @2"),
        ("play", "! Not now. Type 0, 1 or 2."),
        ("exchange", "> exchange"),
    ],
)
def test_at_the_bidding(line: str, meaning: str) -> None:
    assert short(meant(line, table_after([*EXCHANGE[:-1], BIDDING]))) == meaning


@together(
    ("line", "meaning"),
    [
        ("trump", "! Which cards? Type 9d, jh or qh."),
        ("trump 5c", "5C @2"),
        ("trump x y", "> trump x y"),
        ("diamonds", "9D @2"),
        ("trump diamonds", "9D @2"),
        ("a heart", "> trump hearts"),
        ("trump clubs", "> trump clubs"),
    ],
)
def test_at_the_choice_of_trump(line: str, meaning: str) -> None:
    assert short(meant(line, table_after([*EXCHANGE[:-1], CHOOSING]))) == meaning


@together("verb", sorted(v for v, c in COMMANDS.items() if issubclass(c, Deed)))
@together("rest", ["", "3", "5c", "5c qd", "pass", "x", "-", "a b c", "%00", ":", "="])
@together("act", sorted({c.act for c in COMMANDS.values() if issubclass(c, Deed)}))
def test_no_move_that_is_typed_can_end_the_client(verb: str, rest: str, act: str) -> None:
    asked = BIDDING.replace("act=bid", f"act={act}")
    assert meant(f"{verb} {rest}", table_after([*EXCHANGE[:-1], asked])) is not None


def _holding(cards: str) -> TableModel:
    last = EXCHANGE[-1].replace("cards=5C,9D,JC,JH,QD,QH,QS", f"cards={cards}")
    return table_after([*EXCHANGE[:-1], last])


def test_k_with_a_king_in_hand_is_asked_about() -> None:
    meaning = short(meant("k", _holding("5C,9D,JC,JH,QD,QH,KS")))
    assert meaning == '! Did you mean "keep", or "exchange k"? Type one of them.'
    assert short(meant("exchange k", _holding("5C,KS"))) == "K @2"


def test_x_with_a_joker_in_hand_is_asked_about() -> None:
    assert short(meant("x 5", _holding("5C,X"))).startswith("! Type")
    assert short(meant("exchange x 5", _holding("5C,X"))) == "X+5 @2"


NOT_YET = "! It is not your turn: waiting for ~cat to exchange."


@together("line", ["q", "q q", "k", "x", "j", "7h", "ten"])
def test_cards_out_of_turn_are_never_verbs_cut_short(line: str) -> None:
    assert short(meant(line, table_after(WAIT))) == NOT_YET


def test_verbs_work_out_of_turn() -> None:
    assert short(meant("score", table_after(WAIT))) == "> score"
    assert short(meant("play q", table_after(WAIT))) == NOT_YET
    assert short(meant("play q table=t9", table_after(WAIT))) == "> play q table=t9"


def test_after_the_game_a_card_is_no_verb_cut_short() -> None:
    assert short(meant("r", table_after(OVER))) == "> ready"
    late = "! q is a queen, and no card is asked for now. quit leaves."
    assert short(meant("q", table_after(OVER))) == late


def _asked(fields: str, holding: str = "hand=5C,QD") -> TableModel:
    turn = f"TURN on=t7 seq=28 turn=9 seat=2 {fields} {holding}"
    return table_after([*SEATING, *TRICKS[:-1], turn])


@pytest.mark.parametrize(("line", "token"), [("18", "18"), ("pass", "pass"), ("PASS", "pass")])
def test_a_legal_move_of_any_game_can_be_typed_as_it_stands(line: str, token: str) -> None:
    table = _asked("act=bid choose=one nlegal=2 legal=pass,18 default=pass")
    assert short(meant(line, table)) == f"{token} @9"


@together(
    ("line", "token"),
    [
        ("x k", "K+XK"),
        ("joker(k) k", "XK+K"),
        ("joker as king, king", "XK+K"),
        ("x", "X"),
        ("x 5", "XA+5"),
    ],
)
def test_a_joker_is_spelled_out_where_only_one_spelling_is_legal(line: str, token: str) -> None:
    legal = "K+XK,5+X5,XA+5"
    asked = f"act=play choose=one nlegal=3 legal={legal} default=K+XK"
    table = _asked(asked, "hand=5C,KD,X")
    if line == "x 5":
        # Two legal moves could be meant: what was typed is sent as it is.
        token = "X+5"
    assert short(meant(line, table)) == f"{token} @9"


WHIST = [
    line.replace("game=twentytwo", "game=whist22").replace(
        "5C,9D,JC,JH,QD,QH,QS", "2,9,10,15,21,F,3"
    )
    for line in SEATING
    if line.split()[0] in ("JOINED", "GAME", "HAND", "DEALT")
]


@together(
    ("line", "token"),
    [("10", "10"), ("15", "15"), ("f0", "F0"), ("play 10", "10"), ("p f22", "F22"), ("21", "21")],
)
def test_in_whist_ten_is_a_trump_and_not_a_rank(line: str, token: str) -> None:
    turn = "TURN on=t7 seq=9 turn=9 seat=2 act=play choose=one nlegal=4 legal=F0,F22,15,10"
    table = table_after([*WHIST, f"{turn} default=F0 hand=F,15,10"])
    assert short(meant(line, table)) == f"{token} @9"


def test_a_hand_of_twenty_eight_is_shown_suit_by_suit_also_after_the_second_deal() -> None:
    lines = [line.replace("game=twentytwo", "game=twentyeight") for line in SEATING]
    table = table_after(lines)
    table.holding = ("AD", "TH", "7S", "8C", "JC")
    assert held(table) == ("8C", "JC", "AD", "TH", "7S")
    table.holding = ("?1", "?0")  # of a game that this client does not know
    assert held(table) == ("?1", "?0")


@pytest.mark.parametrize(("line", "token"), [("0", "0"), ("3", "3"), ("12", "12")])
def test_a_bid_is_a_number_and_the_server_refuses_what_it_may_not_be(line: str, token: str) -> None:
    table = _asked("act=bid choose=one nlegal=2 legal=0,3 default=0")
    assert short(meant(line, table)) == f"{token} @9"


@pytest.mark.parametrize("line", ["q", "k", "q q"])
def test_a_card_in_answer_to_another_question_is_refused_by_the_server(line: str) -> None:
    table = _asked("act=bid choose=one nlegal=2 legal=0,3 default=0")
    assert short(meant(line, table)) == f"> play {line.upper()}"


@pytest.mark.parametrize("line", ["q", "k"])
def test_in_whist_a_queen_is_no_card_and_does_not_leave(line: str) -> None:
    turn = "TURN on=t7 seq=9 turn=9 seat=2 act=bid choose=one nlegal=1 legal=0 default=0"
    meaning = short(meant(line, table_after([*WHIST, turn])))
    assert "and this game has no such card." in meaning


def test_the_move_is_for_the_question_that_was_read() -> None:
    talk = seated(*EXCHANGE)
    meaning = meant("keep", talk.streams.tables["t7"])
    assert isinstance(meaning, Answer)
    hear(talk, *TRICKS)
    said = talk.move(meaning.table, meaning.turn, meaning.token)
    assert said.line == "move - turn=2"


def test_no_verb_reads_as_cards() -> None:
    assert [verb for verb in COMMANDS if read(verb)] == []


def test_every_move_of_the_protocol_is_known_as_one() -> None:
    deeds = [verb for verb, cls in COMMANDS.items() if issubclass(cls, Deed)]
    table = table_after(WAIT)
    assert all(is_move(f"{verb} 2", table) for verb in deeds)
    moves = [line for line in ("q q", "k", "who", "say q", "10") if is_move(line, table)]
    assert moves == ["q q", "k", "10"]


def test_what_the_client_does_itself_is_listed() -> None:
    assert all(short(meant(f"/{name}")) == f"/{name}" for name in LOCAL)


def test_a_table_without_a_game_takes_commands() -> None:
    assert short(meant("quit", table_after(SEATING[:3]))) == "/quit"


def test_a_yes_before_the_first_game_says_what_begins_it() -> None:
    sat = [*SEATING[:2], "HOST on=t7 seq=3 name=~bob"]
    assert short(meant("ok", table_after(sat))) == (
        "! start begins the game once ~ann is ready; addbot seats a bot."
    )


def after(lines: list[str], *words: str) -> TableModel:
    """The table after these lines and the next events, which are written without on= and seq=."""
    last = int(re.findall(r" seq=(\d+)", " ".join(lines))[-1])
    numbered = (w.split(" ", 1) for w in words)
    more = (f"{w} on=t7 seq={n} {rest}" for n, (w, rest) in enumerate(numbered, last + 1))
    return table_after([*lines, *more])


def test_a_yes_to_what_another_would_like_says_what_agrees() -> None:
    running, over = [*SEATING, *TRICKS], [*SEATING, *TRICKS, *ENDING]
    undo, pause, rematch = (
        f"VOTE by=~ann what={what} yes=1 against=0 need=2" for what in ("undo", "pause", "rematch")
    )
    assert short(meant("yes", after(running, undo))) == (
        '! ~ann would like to undo: "undo" agrees; else the game goes on.'
    )
    assert short(meant("yes", after(over, rematch))) == (
        '! ~ann would like to rematch: "rematch" agrees.'
    )
    for table in (
        after(running, undo, "VOTE by=~bob what=undo yes=1 against=0 need=2"),
        after(running, pause, "PAUSED by=~cat"),
        after(running, undo, "LEFT seat=1 name=~ann why=left"),
        after(over, rematch, "READY seat=1 ready=0"),
    ):
        assert "would like" not in short(meant("yes", table))
