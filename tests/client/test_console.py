"""What passes between a person and the conversation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.client.kit import ENDING, FOUND, HELLO, NAMED, SEATING, TRICKS, hear, said
from tests.client.test_rendering import Paper
from tests.kit.cases import together
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.updates import Reconnecting
from twentytwo_client.display.look import Look, Suits
from twentytwo_client.display.rendering import Renderer
from twentytwo_client.saved_sessions import SavedSession
from twentytwo_client.terminal.console import Console, Visit
from twentytwo_client.terminal.narrator import Narrator
from twentytwo_protocol.schema import EVENTS, ROWS
from twentytwo_protocol.wire import write
from twentytwo_protocol.words.lessons import Lesson

LOOKS = [
    Look(Suits.LETTERS),
    Look(Suits.SIGNS, colour=True, unicode=True, rich=True),
    Look(Suits.SPOKEN, unicode=True),
]


class Desk:
    """A console with everything around it on paper."""

    def __init__(
        self,
        name: str = "bob",
        look: Look = LOOKS[0],
        secret: Callable[[], str] | None = None,
        types: bool = True,
        **options: Any,
    ) -> None:
        self.talk = Conversation(name=name, client="test/1", secret=secret)
        self.paper = Paper()
        self.kept: list[SavedSession] = []
        visit = Visit("localhost:2222", "bob", asks=True, keep=self.kept.append)
        self.console = Console(
            Narrator(self.talk, Renderer(look, lambda: 80), self.paper, lambda: 0.0),
            replace(visit, **options),
            types=types,
        )
        self.talk.connected()

    def hear(self, *lines: str) -> list[str]:
        """What is said after these lines have come."""
        self.talk.receive("".join(f"{line}\r\n" for line in lines).encode())
        for value in self.talk.updates():
            self.console.hear(value)
        return said(self.talk)

    def type(self, line: str) -> list[str]:
        """What is said after a line was typed."""
        self.console.line(line)
        return said(self.talk)

    @property
    def shown(self) -> list[str]:
        return self.paper.text.splitlines()


def seated(**options: Any) -> Desk:
    desk = Desk(**options)
    desk.hear(HELLO, NAMED, FOUND, *SEATING, *TRICKS)
    return desk


# --------------------------------------------------------------------------- coming in


def test_errands_are_run_as_soon_as_we_are_somebody() -> None:
    desk = Desk(errands=["join kiwi-fox"])
    assert desk.hear(HELLO) == ["@1 hello 1 client=test/1 caps=text", "@2 guest bob"]
    idle = [desk.console.idle]
    assert desk.hear(NAMED) == ["@3 join kiwi-fox"]
    idle.append(desk.console.idle)
    desk.hear("@3 ERR code=NO_SUCH_TABLE class=missing :There is no table kiwi-fox.")
    assert [*idle, desk.console.idle] == [False, False, True]
    assert desk.shown == ["Hello, ~bob.", "! There is no table kiwi-fox."]


def test_a_lesson_says_last_what_to_type() -> None:
    desk = seated()
    desk.hear(write(Lesson("t7", "twentytwo", 3, 10, typed="5 4", text="Throw the lowest.")))
    assert desk.shown[-1] == "Type: 5 4"
    before = len(desk.shown)
    for line, reply in (
        ("huh", "ERR code=UNKNOWN_VERB class=syntax :There is no verb huh."),
        ("q 9", "ERR code=ILLEGAL class=rule :You do not hold 9."),
        ("score", "OK on=t7 :You 0."),
        ("why", ""),
    ):
        (*sent,) = desk.type(line)
        if sent:
            desk.hear(f"{sent[0].split()[0]} {reply}")
        assert len(desk.shown) > before + 1 and desk.shown[-1] == "Type: 5 4", line
        before = len(desk.shown)
    (move,) = desk.type("6 4")
    desk.hear(f"{move.split()[0]} ERR code=FORBIDDEN class=state :Not that. Type: 5 4")
    assert desk.shown[-1] == "! Not that. Type: 5 4"
    (move,) = desk.type("5 4")
    desk.hear(f"{move.split()[0]} OK on=t7 seq=29")
    (line,) = desk.type("score")
    desk.hear(f"{line.split()[0]} OK on=t7 :You 0.")
    assert desk.shown[-1] == "You 0."


@together("word", ["", " ", "ok", "Yes", "next", "start", "ready", "rematch"])
def test_behind_a_deal_of_a_lesson_these_words_go_on_with_it(word: str) -> None:
    over = "LESSON on=t7 game=twentytwo step=6 steps=10 done=1"
    desk = seated()
    desk.hear(f"{over} typed=tutorial :Right.")
    assert [each.partition(" ")[2] for each in desk.type(word)] == ["tutorial"]
    for other in (over, over.replace("t7", "t8"), over.replace(" done=1", " typed=10")):
        desk.hear(f"{other} :Right.")
        assert not any("tutorial" in each for each in desk.type(word))


def test_the_table_of_the_command_line_may_be_the_one_where_one_sits() -> None:
    desk = Desk(errands=["join t7"])
    desk.hear(HELLO, NAMED, FOUND, *SEATING, *TRICKS)
    before = desk.shown
    desk.hear("@3 ERR code=ALREADY_SEATED class=state :You sit at t7 already.")
    assert desk.shown == before
    assert not desk.console.failed
    (join,) = desk.type("join t7")
    desk.hear(f"{join.split()[0]} ERR code=ALREADY_SEATED class=state :You sit at t7 already.")
    assert desk.shown[-1] == "! You sit at t7 already."


def test_whoever_has_nothing_to_do_is_told_what_there_is() -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED)
    assert any("practice plays" in line for line in desk.shown)


@together(
    ("line", "sent"),
    [
        ("ann", ["guest ann"]),
        ("  ann ", ["guest ann"]),
        ("guest ann", ["guest ann"]),
        ("", ["guest bob"]),
        ("help", ["help"]),
        ("two words", []),
        ("/help", []),
    ],
)
def test_a_line_where_a_name_is_wanted(line: str, sent: list[str]) -> None:
    desk = Desk(name="")
    desk.hear(HELLO)
    assert desk.console.prompt == "name> "
    assert list(desk.console.completions("")) == []
    assert [each.split(" ", 1)[1] for each in desk.type(line)] == sent


def test_the_session_is_kept_whenever_it_changes() -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED, FOUND)
    assert desk.kept == [SavedSession("~bob", "Zk81", {"me": 0})]
    desk.hear(*SEATING, *TRICKS, *ENDING)
    places = [(session.streams["t7"], session.seated) for session in desk.kept[1:]]
    assert places == [(0, False), (0, True), (3, True), (4, True)], (
        "at the table, in a seat, at the beginning of a game, and of its hand"
    )
    desk.hear("LEFT on=t7 seq=52 seat=2 name=~bob why=left")
    assert desk.kept[-1] == SavedSession("~bob", "Zk81", {"me": 0})


# ------------------------------------------------------------------------- what is told


def test_a_misspelt_verb_brings_the_one_that_may_have_been_meant() -> None:
    desk = seated()
    (line,) = [each for each in desk.type("practise bots=2") if "practise" in each]
    desk.hear(f"{line.split()[0]} ERR code=UNKNOWN_VERB class=syntax :There is no verb practise.")
    assert desk.shown[-1] == "! There is no command practise. Did you mean practice?"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], "help lists what there is."),
        (TRICKS, "hand says what you are asked. say huh bob tells the table."),
        (TRICKS[:2], "help lists what there is. say huh bob tells the table."),
    ],
    ids=["lobby", "asked", "waiting"],
)
def test_a_word_that_is_no_verb_is_answered_by_where_one_is(lines: list[str], told: str) -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED, *([FOUND, *SEATING, *lines] if lines else []))
    (line,) = [each for each in desk.type("huh bob") if "huh" in each]
    desk.hear(f"{line.split()[0]} ERR code=UNKNOWN_VERB class=syntax :There is no verb huh.")
    assert " ".join(" ".join(desk.shown[-2:]).split()).endswith(f"no command huh. {told}")


PRACTICE = (
    "JOINED on=t1 seq=1 seat=1 name=~bob bot=0",
    "JOINED on=t1 seq=2 seat=2 name={other} bot=1",
    "COMMITTED on=t1 seq=3 id=g1 no=1 alg=fd1 hash=" + 64 * "a",
    "SEEDED on=t1 seq=4 seat=1 hash={hash}",
    "UNSEAL on=t1 seq=5 unopened=1 ms=30000",
    "SEEDED on=t1 seq=6 seat=1 word=kitten",
    "GAME on=t1 seq=7 game=twentytwo id=g1 players=2 version=1 ruleshash="
    + 32 * "0"
    + " target=22",
    "DREW on=t1 seq=8 seat=1 card=3D",
    "DREW on=t1 seq=9 seat=2 card=JS",
)
HASH = hashlib.sha256(b"kitten").hexdigest()


def shuffling(other: str, hash: str) -> list[str]:
    """What is shown of a seal and a word at a table with somebody else."""
    desk = Desk(secret=lambda: "kitten")
    desk.hear(HELLO, NAMED)
    sent = desk.type("practice bots=1")
    desk.hear(f"{sent[-1].split()[0]} OK on=t1 seat=1 seq=1")
    before = len(desk.shown)
    for line in PRACTICE:
        desk.hear(line.format(other=other, hash=hash))
    return desk.shown[before:]


def test_against_bots_the_client_keeps_its_part_in_the_shuffle_to_itself() -> None:
    # Nor who sits down, nor who draws what for the deal: GAME names everybody, HAND the dealer.
    assert shuffling("bot:easy", HASH) == [
        "*** A game of Twenty-Two begins: you and bot:easy. Reach 22 and you are out.",
        "The deck for g1 is sealed: aaaaaaaaaaaa... fair tells more.",
    ]


def test_against_bots_the_seal_of_a_rematch_is_not_told() -> None:
    desk = seated()
    table = desk.talk.streams.tables["t7"]
    for number, seat in table.seats.items():
        seat.name = seat.name if number == table.me else "bot:easy"
    desk.hear(*ENDING)
    assert table.phase == "over"
    seq = desk.talk.streams.seqs["t7"]
    before = len(desk.shown)
    desk.hear(f"COMMITTED on=t7 seq={seq + 1} id=g52 no=52 alg=fd1 hash={HASH}")
    assert desk.shown[before:] == []


def test_when_the_deck_is_opened_the_verdict_is_all_that_is_told() -> None:
    desk = seated()
    before, seq = len(desk.shown), desk.talk.streams.seqs["t7"]
    desk.hear(f"REVEALED on=t7 seq={seq + 1} id=g51 seed=aa")
    (line,) = desk.shown[before:]
    assert line.startswith("* fair: not checked")


def test_a_new_login_token_is_shown_once() -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED)
    desk.type("token new laptop")
    desk.hear("@3 TOKEN no=1 made=2026-11-20 label=laptop", "@3 OK token=Zk83 n=1")
    assert desk.shown[-1] == "* Keep it safe, it is not shown again: Zk83"


def test_among_people_the_client_keeps_its_part_in_the_shuffle_to_itself_too() -> None:
    assert [line for line in shuffling("~ann", HASH) if "word" in line or "draw" in line] == []


def test_a_word_that_a_person_sealed_has_to_be_opened_by_them() -> None:
    assert any(line.startswith("Open your word") for line in shuffling("~ann", 64 * "c"))


def test_several_lines_of_an_answer_are_several_lines() -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED)
    desk.type("practice")
    desk.hear("@3 OK on=t1 seat=1 :Twenty-Two against 3 bots. help explains.  The deck is sealed.")
    assert desk.shown[-2:] == ["Twenty-Two against 3 bots. help explains.", "The deck is sealed."]


# ------------------------------------------------------------------------------ typing


def test_cards_become_a_move_for_the_turn() -> None:
    desk = seated()
    said(desk.talk)
    assert desk.type("q q") == ["@3 move Q+Q turn=9"]
    assert desk.type("score") == ["@4 score"]


@together(
    ("line", "why"),
    [
        ("say " + "x" * 1100, "too long"),
        ("re", "could be"),
        ("!!", "!! is no card here. You may type 5 4, 6 4, 6 5, and more."),
        ("18", "18 is no card here. You may type "),
        ("/x", "no /x"),
        ("why", 'why needs MOVE..., for example "why q 3".'),
        ("join", 'join needs TABLE, for example "join t7".'),
    ],
)
def test_what_cannot_be_sent_says_why(line: str, why: str) -> None:
    desk = seated()
    said(desk.talk)
    assert desk.type(line) == []
    assert why in " ".join(" ".join(desk.shown[-3:]).split())


def test_a_bid_that_is_not_legal_is_for_the_server_to_refuse() -> None:
    desk = Desk()
    bid = "TURN on=t7 seq=28 turn=9 seat=2 act=bid choose=one nlegal=3 legal=0,1,2 default=0"
    desk.hear(HELLO, NAMED, FOUND, *SEATING, *TRICKS[:-1], bid)
    assert desk.type("9") == ["@3 move 9 turn=9"]


def test_a_move_is_premature_until_its_turn() -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED, FOUND, *SEATING[:9])
    assert desk.console.premature("keep") and desk.console.premature("q q")
    assert not desk.console.premature("score")
    desk.hear(*SEATING[9:])
    assert not desk.console.premature("keep")


def test_ctrl_c_counts_only_in_a_row() -> None:
    desk = seated()
    presses = [desk.console.interrupted()]
    desk.type("score")
    presses += [desk.console.interrupted(), desk.console.interrupted()]
    assert presses == [False, False, True]


def test_without_a_connection_nothing_is_sent_and_leaving_is_still_possible() -> None:
    desk = seated()
    desk.talk.lost()
    desk.console.hear(Reconnecting(1, 0))
    said(desk.talk)
    assert desk.type("score") == []
    assert desk.shown[-1] == "! There is no connection just now."
    lines = desk.console.status(80, 24)
    assert lines[0].endswith("no connection")
    assert "you: " in lines[-1]  # the table is there as it was
    assert desk.console.faded
    assert desk.type("quit") == []
    assert desk.console.leaving


def test_what_happens_at_the_table_that_one_has_come_to_last_has_no_label() -> None:
    desk = seated()
    desk.hear(FOUND.replace("t7", "t8"), FOUND.replace("t7", "t9"))
    desk.hear("JOINED on=t8 seq=1 seat=1 name=~dan bot=0")
    assert desk.shown[-1] == "[t8] ~dan sits down in seat 1."
    desk.hear("LEFT on=t7 seq=29 seat=2 name=~bob why=closed")
    desk.hear("JOINED on=t9 seq=1 seat=1 name=~eve bot=0")
    assert desk.shown[-1] == "~eve sits down in seat 1."
    desk.hear("JOINED on=t8 seq=2 seat=2 name=~fay bot=0")
    assert desk.shown[-1] == "[t8] ~fay sits down in seat 2."


def test_each_kind_of_line_has_its_own_history() -> None:
    desk = Desk(name="")
    desk.hear(HELLO)
    assert desk.console.kind == "names"
    assert Desk().console.kind == ""
    assert seated().console.kind == "table"


def test_of_the_seat_that_one_has_left_nobody_is_told_twice() -> None:
    desk = seated()
    before = len(desk.shown)
    desk.hear("LEFT on=t7 seq=29 seat=2 name=~bob why=left")
    assert len(desk.shown) == before  # the answer to `leave` says so


@pytest.mark.parametrize(("phase", "hint"), [(0, "practice"), (3, "ready"), (9, "score")])
def test_the_question_mark_knows_where_we_are(phase: int, hint: str) -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED, FOUND, *SEATING[:phase])
    said(desk.talk)
    before = len(desk.shown)
    assert desk.type("?") == []
    assert any(hint in line for line in desk.shown[before:])


def test_with_several_tables_it_is_the_one_that_waits_for_us() -> None:
    desk = seated()
    desk.hear(
        FOUND.replace("t7", "t8"),
        "JOINED on=t8 seq=1 seat=1 name=~bob bot=0",
        "SAID on=t8 seq=2 by=~ann :hello over here",
    )
    assert desk.console.table is not None and desk.console.table.on == "t7"
    said(desk.talk)
    assert desk.type("q q")[0].endswith(" move Q+Q turn=9 table=t7")


# ------------------------------------------------------------------------ whatever comes

WORDS = sorted({*EVENTS, *ROWS} - {"BYE"})
VALUES = ["t7", "me", "0", "1", "2", "9", "-1", "", "~bob", "QH,QS", "X,XK,F22", "16", "pass"]


def _line(word: str, values: list[str], on: bool, text: str, count: int) -> str:
    cls = EVENTS.get(word) or ROWS[word]
    keys = [field.key for field in cls.word.fields if field.kind.name != "text"]
    fields = " ".join(f"{key}={value}" for key, value in zip(keys, values * 20, strict=False))
    where = f" on=t7 seq={count}" if on else ""
    return f"{word}{where} {fields} :{text}"


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(WORDS),
            st.lists(st.sampled_from(VALUES), min_size=1, max_size=6),
            st.booleans(),
            st.text(max_size=10),
        ),
        max_size=30,
    ),
    st.sampled_from(LOOKS),
    st.integers(0, len(SEATING) + len(TRICKS)),
    st.integers(10, 100),
)
def test_nothing_that_a_server_says_can_end_the_client(
    lines: list[tuple[str, list[str], bool, str]], look: Look, start: int, columns: int
) -> None:
    desk = Desk(look=look)
    desk.hear(HELLO, NAMED, *[*SEATING, *TRICKS][:start])
    for count, (word, values, on, text) in enumerate(lines, start + 1):
        desk.hear(_line(word, values, on, text, count))
        desk.console.status(columns, 24)
        list(desk.console.completions("q"))
        desk.type("?")
    assert hear(desk.talk) == []


# ---------------------------------------------------------------------- what costs a game


@together("line", ["leave", "leave t7", "resign", "logout", "LEAVE"])
def test_what_gives_up_a_running_game_is_asked_about_once(line: str) -> None:
    desk = seated()
    for _ in range(2):
        assert desk.type(line) == []
        told = " ".join(" ".join(desk.shown[-2:]).split())
        assert told.endswith(f"Type {line.lower()} again to do it.")
        assert len(desk.type("who")) == 1  # an answer to something else is none
    assert desk.type(line) == []
    (sent,) = desk.type(line)
    assert sent.endswith(line.lower())


@pytest.mark.parametrize("line", ["leave", "resign", "logout"])
def test_what_is_piped_in_is_never_asked_about(line: str) -> None:
    desk = seated(types=False)
    assert len(desk.type(line)) == 1


@pytest.mark.parametrize("line", ["leave", "leave t9", "logout"])
def test_where_no_game_runs_nothing_is_asked(line: str) -> None:
    desk = seated() if line == "leave t9" else Desk()
    desk.hear(*([] if line == "leave t9" else [HELLO, NAMED, FOUND]))
    assert len(desk.type(line)) == 1


@together("look", [Look(), Look(Suits.SPOKEN), Look(Suits.SIGNS, unicode=True, rich=True)])
@pytest.mark.parametrize("lines", [SEATING, [*SEATING, *TRICKS]], ids=["exchange", "play"])
def test_hand_and_an_empty_line_say_what_one_holds_and_the_question_as_it_was_asked(
    look: Look, lines: list[str]
) -> None:
    desk = Desk(look=look)
    desk.hear(HELLO, NAMED, FOUND, *lines)
    told = list(desk.shown)
    desk.type("")
    again = desk.shown[len(told) :]
    text = " ".join(" ".join(again).split())
    cards = "queen of hearts" if look.plain else "Q♥" if look.rich else "QH"
    assert text.count("Your turn: ") == text.count("Your cards: ") == text.count(cards) == 1
    id = desk.type("hand")[-1].split(" ")[0]
    desk.hear(f"{id} OK on=t7 cards=5C :Cards: you 6.  Your cards: 5C.  Your turn: ...")
    assert desk.shown[len(told) + len(again) :] == again


def test_who_leads_as_soon_as_the_cards_are_dealt_reads_them_once() -> None:
    desk = Desk(look=Look(Suits.SPOKEN))
    desk.hear(HELLO, NAMED, FOUND, *SEATING[:-3])
    turn = "TURN on=t7 seq=10 turn=1 seat=2 act=play choose=one nlegal=2 legal=5,9 default=5"
    desk.hear("TRICK on=t7 seq=9 trick=1 seat=2", f"{turn} hand=5C,9D,JC,JH,QD,QH,QS")
    assert "Your lead: " in "\n".join(desk.shown)
    assert "\n".join(desk.shown).count("Your cards: ") == 1


def test_moves_says_the_question_of_an_exchange_of_which_the_server_lists_no_moves() -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED, FOUND, *SEATING)
    id = desk.type("moves")[-1].split(" ")[0]
    before = len(desk.shown)
    desk.hear(f"{id} OK on=t7 turn=1 nlegal=128 n=0")
    assert "Your turn: exchange up to 7 cards" in "\n".join(desk.shown[before:])


def test_an_empty_line_where_nothing_is_asked_says_nothing() -> None:
    desk = Desk()
    desk.hear(HELLO, NAMED, FOUND, *SEATING[:3])
    told = list(desk.shown)
    assert desk.type("") == [] and desk.shown == told


def test_after_finish_the_result_is_all_that_is_told_of_the_game() -> None:
    desk = seated()
    (sent,) = desk.type("finish")
    desk.hear(f"{sent.split()[0]} OK on=t7")
    before = len(desk.shown)
    desk.hear("NOTE code=HAND table=t7 :ann's ace decided it.", *ENDING)
    assert desk.shown[before:] == [
        "  1. you, 0 points",
        "  2. ~ann, 22 points",
        "  2. ~cat, 22 points",
        "*** Game over. You win!",
        "rematch plays another, leave gets up.",
        "~ann: well played",
    ]


def test_in_a_lesson_the_question_mark_names_no_move_but_who_explains() -> None:
    desk = seated()
    desk.talk.streams.tables["t7"].options["lesson"] = "1"
    desk.type("?")
    assert desk.shown[-1] == "hint explains, tutorial says the step again."


def test_plain_says_cards_in_one_way_whatever_is_asked() -> None:
    desk = seated(look=Look(Suits.SPOKEN))
    desk.type("?")
    assert "Typed like this: five four" in desk.shown[-1]
    asked = "Your turn: six four to beat. five four (lowest), or six four,"
    id = desk.type("hand")[-1].split(" ")[0]
    desk.paper.text = ""
    desk.hear(f"{id} OK on=t7 cards=5C :Your cards: 5C.  Your turn: 6 4 to beat.  5 4 (lowest)")
    assert asked in " ".join(" ".join(desk.shown).split())
