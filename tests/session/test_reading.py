"""What a line means: exactly what is said for programs, what is meant for people."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit import tables
from tests.kit.cases import together
from twentytwo_protocol.cards import PIQUET, STANDARD, TAROT, Deck
from twentytwo_protocol.games.twentyeight import Trump
from twentytwo_protocol.games.twentytwo import Exchange, Keep
from twentytwo_protocol.schema import CODES, COMMANDS, Command, Refused
from twentytwo_protocol.typed import read_person
from twentytwo_protocol.typed_cards import exchanges
from twentytwo_protocol.verbs import ALIASES, ENDING_VERBS
from twentytwo_protocol.words import cardplay, lobby, looking, seating, session, talk
from twentytwo_protocol.words.cardplay import Play, Turn
from twentytwo_server.session.reading import read_program

LEAD = Turn(9, 1, "play", choose="one", legal=("2", "K", "Q+Q"), default="2", hand=("2C", "KH"))
JOKER = Turn(9, 1, "play", choose="one", legal=("2",), default="2", hand=("2C", "X"))
EXCHANGE = Turn(1, 1, "exchange", choose="subset", cards=("2C", "5H", "QS"), default="-")
KING = Turn(1, 1, "exchange", choose="subset", cards=("2C", "KH"), default="-")
DECLARE = Turn(1, 1, "declare", choose="one", legal=("call", "no"), default="call")
BID = Turn(1, 1, "bid", choose="one", legal=("pass", "0", "3"), default="pass")


def person(line: str, asked: Turn | None = None, *, playing: bool = False) -> Command:
    deck = STANDARD if playing or asked else None
    return read_person(line, named=True, deck=deck, asked=asked)


def wrong(line: str, asked: Turn | None = None, *, playing: bool = False) -> Refused:
    with pytest.raises(Refused) as refused:
        person(line, asked, playing=playing)
    return refused.value


# ------------------------------------------------------------------------- cards come first


@together(
    ("line", "cards"),
    [
        ("q", "q"),
        ("k", "k"),
        ("a", "a"),
        ("t", "t"),
        ("j", "j"),
        ("q q", "q q"),
        ("qq7", "q q 7"),
        ("10", "10"),
        ("Q 10 2", "q 10 2"),
        ("qh td", "qh td"),
        ("q♥", "qh"),
    ],
)
def test_while_a_game_runs_cards_alone_are_a_play_and_never_a_verb_cut_short(
    line: str, cards: str
) -> None:
    assert person(line, LEAD) == Play(STANDARD.read(cards.split()))
    # Also when it is somebody else's turn, or a slow player would open a table with o.
    assert person(line, playing=True) == person(line, LEAD)


@together(
    ("line", "typed"),
    [
        ("queen", "q"),
        ("Queen of Hearts", "qh"),
        ("queen queen", "q q"),
        ("8 of hearts", "8h"),
        ("eight of hearts and 10 of clubs", "8h 10c"),
        ("ace", "a"),
        ("ten", "10"),
        ("play king", "k"),
        ("joker as king", "xk"),
        ("play 8 of hearts", "8h"),
    ],
)
def test_cards_may_be_said_in_words(line: str, typed: str) -> None:
    assert person(line, LEAD).token.lower() == person(typed, LEAD).token.lower()  # type: ignore[attr-defined]  # a deed


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("exchange qh as x", "qh as x"),
        ("exchange kd as 9h as", "kd as 9h as"),
        ("exchange q and ace of spades and 7", "q as 7"),
    ],
)
def test_the_ace_of_spades_is_a_card_between_others_too(line: str, cards: str) -> None:
    assert person(line, EXCHANGE) == Exchange(tuple(cards.split()))


def test_a_joker_in_full_is_never_short_for_exchange() -> None:
    assert person("joker", LEAD) == Play(("X",))
    assert person("joker 6", JOKER) == Play(("X", "6"))
    assert person("joker", EXCHANGE) == Exchange(("X",))
    assert "Which cards?" in wrong("x", EXCHANGE).text


def test_cards_in_words_are_exchanged_chosen_and_asked_about_too() -> None:
    assert person("exchange queen and 5", EXCHANGE).token.lower() == "q+5"  # type: ignore[attr-defined]  # a deed
    assert person("trump nine of hearts", BID) == person("trump 9h", BID)
    assert person("why queen of hearts", LEAD) == looking.Why(("qh",))
    assert person("say queen of hearts", LEAD) == talk.Say("queen of hearts")
    assert read_person("the fool as 22", named=True, deck=TAROT, asked=LEAD) == Play(("F22",))


FOLLOW = Turn(
    9, 1, "play", beat=("K",), choose="one", legal=("2", "A"), low=("2",), default="2", hand=("2C",)
)
MUST_BEAT = replace(FOLLOW, low=None)


@together("line", ["lowest", "Lowest", "low", "(lowest)", "play lowest", "p low"])
def test_what_is_marked_as_lowest_may_be_called_so(line: str) -> None:
    assert person(line, FOLLOW) == Play(("2",))


def test_where_nothing_is_marked_as_lowest_the_refusal_says_what_would_do() -> None:
    lead, beat = wrong("lowest", LEAD), wrong("lowest", MUST_BEAT)
    assert lead.text == "Nothing is marked (lowest) now. Type 2, k or q q."
    assert beat.text == "Nothing is marked (lowest) now. Type 2 or a."
    exchange, bid = wrong("lowest", EXCHANGE), wrong("lowest", BID)
    assert exchange.text.startswith('Nothing is marked (lowest) now. Type "exchange ')
    assert bid.text.startswith("Nothing is marked (lowest) now. Type ")


@together(
    ("line", "means"),
    [
        ("practice whist 22", "practice whist22"),
        ("practice Twenty-Two bots=1", "practice Twenty-Two bots=1"),
        ("practice twenty two bots=1", "practice twentytwo bots=1"),
        ("open Whist 22 seats=3 Friday", "open whist22 seats=3 Friday"),
        ("help whist 22", "help whist22"),
        ("open tea time", "open tea time"),
    ],
)
def test_a_game_may_be_called_as_it_is_shown(line: str, means: str) -> None:
    assert person(line) == person(means)


@together("verb", ["game", "replay", "export", "fair"])
def test_a_game_that_is_not_named_is_the_last(verb: str) -> None:
    assert person(verb) == person(f"{verb} last")
    assert person("replay speed=2") == person("replay last speed=2")
    with pytest.raises(Refused):
        read_program(verb, "")


@together(
    ("line", "says"),
    [
        ("queen", "queen is a card, and no card is asked for now."),
        ("q", "q is a queen, and no card is asked for now. quit leaves."),
        ("Q", "Q is a queen, and no card is asked for now. quit leaves."),
        ("k", "k is a king, and no card is asked for now."),
        ("a", "a is an ace, and no card is asked for now."),
        ("j", "j is a jack, and no card is asked for now. join tN sits down."),
        ("t", "t is a ten, and no card is asked for now."),
        ("q q", "q q are cards, and no card is asked for now."),
        ("k k", "k k are cards, and no card is asked for now."),
        ("qh", "qh is a card, and no card is asked for now."),
        ("10", "10 is a card, and no card is asked for now."),
    ],
)
def test_cards_that_are_a_moment_late_are_never_a_verb(line: str, says: str) -> None:
    assert wrong(line).text == says


@together("letter", "abcdefghijklmnopqrstuvwxyz")
def test_a_single_letter_never_leaves_and_is_never_a_verb_cut_short(letter: str) -> None:
    try:
        found = person(letter)
    except Refused:
        return
    assert type(found).short == letter


def test_a_single_letter_that_begins_one_verb_only_is_asked_about() -> None:
    assert wrong("n 2").text == "One letter is not enough; did you mean no?"


@together("line", ["q", "k", "a", "j"])
def test_a_card_that_the_game_does_not_have_is_no_verb_either(line: str) -> None:
    with pytest.raises(Refused) as refused:
        read_person(line, named=True, deck=TAROT, asked=None)
    assert "this game has no such card" in refused.value.text


@pytest.mark.parametrize(("line", "deck"), [("j t7", None), ("j t7", TAROT), ("j kiwi", None)])
def test_j_is_join_where_a_table_follows(line: str, deck: Deck | None) -> None:
    assert read_person(line, named=True, deck=deck, asked=None) == seating.Join(line[2:])


def test_a_table_alone_is_told_how_to_be_joined() -> None:
    assert wrong("t7").text == "join t7 sits down there, watch t7 looks on."


def test_a_number_is_a_bid_also_where_its_digits_could_be_cards() -> None:
    asked = Turn(1, 1, "bid", choose="one", legal=("pass", "22", "23"), default="pass")
    assert read_person("22", named=True, deck=PIQUET, asked=asked) == cardplay.Move("22")


def test_at_an_exchange_cards_alone_are_an_exchange() -> None:
    assert person("2 5", EXCHANGE) == Exchange(("2", "5"))
    assert person("q", EXCHANGE) == Exchange(("Q",))


def test_k_at_an_exchange_is_keep_unless_there_is_a_king() -> None:
    assert person("k", EXCHANGE) == Keep()
    asks = wrong("k", KING)
    assert asks.code == "AMBIGUOUS_VERB"
    assert "keep" in asks.text
    assert "exchange k" in asks.text
    assert person("k 2", KING) == Exchange(("K", "2"))
    assert person("keep", KING) == Keep()
    assert person("exchange k", KING) == Exchange(("k",))


def test_x_is_short_for_exchange_unless_a_joker_can_be_played() -> None:
    assert person("x 2 5", EXCHANGE) == Exchange(("2", "5"))
    assert wrong("exchange", EXCHANGE).text == wrong("x", EXCHANGE).text
    assert person("exchange 2", EXCHANGE) == Exchange(("2",))
    assert person("exchange", BID) == Exchange(())  # the table says what is asked instead
    assert wrong("x", EXCHANGE).text == 'Which cards? Type "exchange 5", or "keep".'
    assert person("x 2", JOKER) == Play(("X", "2"))
    assert person("x 2", LEAD) == Exchange(("2",))


def test_x_at_an_exchange_with_a_joker_in_hand_is_asked_about() -> None:
    holding = replace(EXCHANGE, cards=("2C", "X"))
    asks = wrong("x 2", holding)
    assert asks.code == "AMBIGUOUS_VERB"
    assert asks.text == 'Type "exchange" in full: x is also your joker.'
    assert person("exchange x 2", holding) == Exchange(("x", "2"))


def test_a_suit_of_which_several_cards_are_legal_is_left_to_the_rules() -> None:
    asked = Turn(1, 1, "trump", choose="one", legal=("9D", "JH", "QH"), default="9D")
    assert person("a heart", asked) == Trump(("hearts",))
    assert person("diamonds", asked) == Trump(("9D",))


def test_words_are_words_even_while_a_game_runs() -> None:
    assert person("hand", LEAD) == looking.Hand()
    assert person("help", LEAD) == session.Help()
    assert person("quit", LEAD) == session.Quit()
    assert person("say q q", LEAD) == talk.Say("q q")
    assert person("p q q", LEAD) == Play(("q", "q"))


def test_a_bare_answer_to_the_open_question_is_a_move() -> None:
    assert person("3", BID) == cardplay.Move("3")
    assert person("0", BID) == cardplay.Move("0")
    assert person("-", EXCHANGE) == cardplay.Move("-")


# ------------------------------------------------------------------------------ short forms


@together("verb", [v for v, c in COMMANDS.items() if c.short])
def test_every_short_form_is_its_verb(verb: str) -> None:
    short = COMMANDS[verb].short
    # Else k is a king, and nobody has asked for a yes.
    asked = {"keep": EXCHANGE, "call": DECLARE}.get(verb)
    try:
        assert isinstance(person(f"{short} 12"), COMMANDS[verb])
    except Refused as refused:
        assert verb in ("keep", "call") or f"Usage: {verb}" in refused.text
        assert isinstance(person(short, asked), COMMANDS[verb])


def test_no_two_verbs_have_the_same_short_form() -> None:
    shorts = [cls.short for cls in COMMANDS.values() if cls.short]
    assert len(shorts) == len(set(shorts))
    assert not set(shorts) & set(COMMANDS)


def test_an_apostrophe_is_say_and_a_question_mark_is_help() -> None:
    assert person("'well played") == talk.Say("well played")
    assert person("':)") == talk.Say(":)")
    assert person("?") == session.Help()
    assert person("? play") == person("?play") == session.Help("play")


@together("alias", ALIASES)
def test_every_alias_means_its_verb(alias: str) -> None:
    verb = COMMANDS[ALIASES[alias]]
    _, _, rest = verb.example.partition(" ")
    assert isinstance(person(f"{alias} {rest}"), verb)


def test_people_may_cut_a_verb_short_as_long_as_only_one_begins_so() -> None:
    assert person("whoa") == session.Whoami()
    assert person("prac") == seating.Practice(options={})
    both = wrong("un")
    assert both.code == "AMBIGUOUS_VERB"
    assert "unready" in both.text
    assert "unwatch" in both.text


def test_programs_may_not() -> None:
    for line in ("whoa", "prac", "p q", "cards"):
        verb, _, rest = line.partition(" ")
        with pytest.raises(Refused) as refused:
            read_program(verb, rest)
        assert refused.value.code == "UNKNOWN_VERB"


def test_whoever_has_no_name_yet_may_just_type_one() -> None:
    for name in ("ann", "Ann", "a-b", "prac", "tab", "10", "ann!"):
        assert read_person(name, named=False, deck=None, asked=None) == session.Guest(name)


def test_a_whole_verb_is_a_verb_also_before_there_is_a_name() -> None:
    for verb, kind in (("help", session.Help), ("tables", lobby.Tables), ("?", session.Help)):
        assert isinstance(read_person(verb, named=False, deck=None, asked=None), kind)


def test_a_word_that_is_nothing_brings_a_suggestion() -> None:
    assert "Did you mean practice?" in wrong("practise").text
    assert wrong("xyzzy").text.endswith("help lists what there is.")


def test_whoever_is_asked_for_a_card_is_led_to_the_question() -> None:
    assert wrong("highest", LEAD).text.endswith(". hand says what you are asked.")
    assert wrong("!", LEAD).text == "! is no card here. Type 2, k or q q."


def test_wrong_arguments_bring_the_usage_and_an_example() -> None:
    with pytest.raises(Refused) as refused:
        read_program("sync", "t7")
    for found in (refused.value, wrong("sync t7")):
        assert found.code == "BAD_ARG"
        assert found.fields == {"arg": "from"}
        assert "Usage: sync" in found.text
        assert "sync t7 from=118" in found.text


@together("verb", COMMANDS)
def test_the_example_of_every_command_is_read_as_that_command(verb: str) -> None:
    typed, _, rest = COMMANDS[verb].example.partition(" ")
    assert typed == verb
    assert isinstance(read_program(verb, rest), COMMANDS[verb])
    assert isinstance(person(COMMANDS[verb].example, asked_for(verb)), COMMANDS[verb])


@together("verb", COMMANDS)
def test_verbs_are_taken_in_any_case(verb: str) -> None:
    typed = COMMANDS[verb].example.replace(verb, verb.upper(), 1)
    assert isinstance(person(typed, asked_for(verb)), COMMANDS[verb])


def asked_for(verb: str) -> Turn | None:
    """The question that makes a verb one: no is none where nobody asks."""
    return DECLARE if verb == "no" else None


TYPED = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40),
    st.lists(
        st.sampled_from([*COMMANDS, *"aktqjx2?'@", "10", "t7", "seat=2", "turn=x", "=", "Q+Q"]),
        max_size=5,
    ).map(" ".join),
)


@given(TYPED, st.sampled_from([None, LEAD, JOKER, EXCHANGE, KING, BID]), st.booleans())
def test_whatever_a_person_types_is_a_command_or_refused_with_a_code(
    line: str, asked: Turn | None, named: bool
) -> None:
    if not line.strip():
        return
    try:
        found = read_person(line, named=named, deck=STANDARD if asked else None, asked=asked)
    except Refused as refused:
        assert refused.code in CODES
    else:
        assert isinstance(found, Command)


@given(st.sampled_from(sorted(COMMANDS)), TYPED)
def test_whatever_a_program_says_is_a_command_or_refused_with_a_code(verb: str, rest: str) -> None:
    try:
        found = read_program(verb, rest)
    except Refused as refused:
        assert refused.code in CODES
    else:
        assert isinstance(found, COMMANDS[verb])


def test_every_move_that_is_listed_can_be_typed_by_a_person() -> None:
    for seed in range(5):
        run, chance = tables.started(3, seed=seed), random.Random(seed)
        while run.playing:
            asked = run.asked
            for token in (asked.legal or ())[:20]:
                typed = token.replace("+", " ").replace("T", "10").lower()
                found = person(typed, asked)
                assert isinstance(found, Play), typed
                assert run.table.match is not None
                run.table.match.judge(asked.seat, found)
            run.any_move(chance)


@together("line", ["what can i do?", "how do i play", "What", "where are my cards"])
def test_whoever_asks_in_a_sentence_is_told_where_help_is(line: str) -> None:
    for asked, deck, here in ((LEAD, PIQUET, "hand says"), (None, None, "tutorial teaches")):
        with pytest.raises(Refused, match=f"^help play has the rules, {here} ") as refused:
            read_person(line, named=True, deck=deck, asked=asked)
        assert refused.value.code == "UNKNOWN_VERB"


@pytest.mark.parametrize(
    ("deck", "asked", "code"),
    [(None, None, "NO_GAME"), (PIQUET, None, "NOT_YOUR_TURN"), (PIQUET, LEAD, "WRONG_ACT")],
)
def test_a_move_that_is_not_asked_for_is_not_told_how_it_is_written(
    deck: Deck | None, asked: Turn | None, code: str
) -> None:
    with pytest.raises(Refused) as no:
        read_person("trump", named=True, deck=deck, asked=asked)
    assert no.value.code == code
    assert "Usage" not in no.value.text


def test_a_move_that_is_asked_for_is_told_what_would_do() -> None:
    with pytest.raises(Refused, match="Type 2, k or q q"):
        read_person("play", named=True, deck=PIQUET, asked=LEAD)


@together(
    ("line", "typed", "asked"),
    [
        ("throw 5 q", "exchange 5 q", EXCHANGE),
        ("ex 2 5", "exchange 2 5", EXCHANGE),
        ("discard the 5", "exchange 5", EXCHANGE),
        ("exchange all", "exchange 2c 5h qs", EXCHANGE),
        ("throw everything", "exchange 2c 5h qs", EXCHANGE),
        ("exchange none", "keep", EXCHANGE),
        ("keep all", "keep", EXCHANGE),
        ("I'll keep them", "keep", EXCHANGE),
        ("why keep", "why -", EXCHANGE),
        ("lead 10", "play 10", LEAD),
        ("throw 7d", "play 7d", LEAD),
        ("play the 10", "play 10", LEAD),
        ("the queen of hearts", "qh", LEAD),
        ("i play the 2", "play 2", LEAD),
        ("bid two", "bid 2", BID),
        ("i bid three", "bid 3", BID),
        ("zero", "0", BID),
        ("Three", "3", BID),
        ("c", "call", DECLARE),
        ("y", "call", DECLARE),
        ("n", "no", DECLARE),
        ("score?", "score", LEAD),
        ("last trick", "last", LEAD),
        ("hint please", "hint", LEAD),
        ("who is my partner?", "state", LEAD),
        ("who am i", "whoami", None),
        ("what if", "whatif", LEAD),
        ("what if g51 at=3.2?", "whatif g51 at=3.2", None),
        ("new game", "rematch", None),
        ("help me!", "help", None),
        ("whose turn?", "score", LEAD),
        ("repeat", "hand", LEAD),
        ("what if g51 at=3.2", "whatif g51 at=3.2", None),
        ("What if?", "whatif", None),
        ("partner", "state", LEAD),
        ("practice hard", "practice level=hard", None),
        ("hi all", "say hi all", LEAD),
        ("thx", "say thx", LEAD),
    ],
)
def test_what_people_say_is_what_they_would_have_typed(
    line: str, typed: str, asked: Turn | None
) -> None:
    def token(command: Command) -> object:
        return str(getattr(command, "token", command)).lower()

    assert token(person(line, asked)) == token(person(typed, asked))


def test_cards_are_thrown_only_where_a_game_runs_and_are_cards() -> None:
    assert "no command throw" in wrong("throw 7d").text
    assert "no command throw" in wrong("throw it away", LEAD).text
    assert "no command lead" in wrong("lead me there", LEAD).text
    assert person("lead 10", playing=True) == Play(("10",))  # refused: it is not their turn


@together("line", ["yes", "no", "Y", "n"])
def test_a_yes_that_nobody_asks_for_is_told_what_is_asked(line: str) -> None:
    assert wrong(line, LEAD).text == "You are not asked for yes or no. Type 2, k or q q."
    assert wrong(line, playing=True).text == "It is not your turn."
    assert "rematch" in wrong(line).text


def test_the_usage_of_a_command_without_arguments_is_its_own_example() -> None:
    assert wrong("quit game").text == "'game' is one word too many for quit. Usage: quit"


def test_an_ok_that_nobody_asks_for_is_told_what_the_game_waits_for() -> None:
    assert wrong("ok", LEAD).text == "The game waits for you. Type 2, k or q q."


def test_who_says_what_they_would_like_is_told_what_there_is() -> None:
    assert wrong("what if i play the king").text.startswith("help play has the rules, tutorial")
    assert wrong("i want to play").text.startswith("help play has the rules, tutorial teaches you")
    with pytest.raises(Refused) as there:
        read_person("i want to play", named=True, deck=None, asked=None, at_table=True)
    assert "say i want to play tells the table." in there.value.text
    assert "no command" not in there.value.text


@together("verb", sorted(ENDING_VERBS & set(COMMANDS)))
def test_nobody_is_led_to_a_command_that_ends_something(verb: str) -> None:
    assert f"mean {verb}?" not in wrong(f"{verb[:-2]}{verb[:-3:-1]}").text


@together(
    ("hand", "most", "told"),
    [
        ("2S 5C 5H 7D TS QH AC", 7, ['"exchange 5 5 7 10"', '"keep"']),
        ("2S 5C 5H 7D TS QH AC", 2, ['"exchange 7 10"', '"keep"']),
        ("2S 2H 3S 4D JC KC X", 7, ['"keep"', '"exchange" and cards']),
        ("5C 6C", 0, ['"keep"']),
    ],
)
def test_the_example_of_an_exchange_throws_what_is_neither_low_nor_high(
    hand: str, most: int, told: list[str]
) -> None:
    asked = Turn(1, 1, "exchange", choose="subset", max=most, cards=tuple(hand.split()))
    assert exchanges(asked) == told
