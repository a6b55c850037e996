"""Which cards are chosen, key by key, and what Tab makes of a line."""

from __future__ import annotations

from pathlib import Path

from twentytwo_client.display.look import Look
from twentytwo_client.tui.canvas import Faces
from twentytwo_client.tui.offers import Completions, Offer
from twentytwo_client.tui.selection import Selection
from twentytwo_client.tui.widgets import ChoiceBar
from twentytwo_protocol.words.cardplay import Turn

HAND = ("3D", "3H", "KS", "AC")


def selection(*legal: str, turn: int = 1) -> Selection:
    """A hand of four cards to which a question has come with these legal moves."""
    found = Selection()
    found.meet(question(*legal, turn=turn), "t1", HAND)
    return found


def question(*legal: str, turn: int = 1) -> Turn:
    """A question for a play, answered with one of these moves."""
    return Turn(turn, 1, "play", None, None, choose="one", nlegal=len(legal), legal=legal)


def test_the_cursor_begins_on_the_first_card_that_may_be_played() -> None:
    """And the cards that no move has are barred."""
    chosen = selection("K", "A")
    assert (chosen.cursor, chosen.barred) == (2, frozenset((0, 1)))


def test_a_card_that_no_move_has_beside_the_others_takes_their_place() -> None:
    """Two threes, then a king: the king alone."""
    chosen = selection("3+3", "K")
    for at in (0, 1, 2):
        chosen.toggle(at)
        chosen.toggle(3)  # barred: nothing happens
    assert chosen.chosen_cards == ["KS"]
    chosen.toggle(2)
    assert chosen.chosen == ()


def test_enter_makes_a_card_up_to_a_legal_move() -> None:
    """The other three comes along, and the answer has both suits."""
    chosen = selection("3+3", "K")
    chosen.complete()
    assert chosen.chosen == (0, 1)
    assert chosen.answers() == ["3d 3h"]


def test_the_moves_go_round_in_both_directions() -> None:
    """Down and up through the legal moves, their cards chosen."""
    chosen = selection("3", "K", "A")
    seen = []
    for by in (1, 1, 1, 1, -1):
        chosen.to_move(by)
        seen += chosen.chosen_cards
    assert seen == ["3D", "KS", "AC", "3D", "AC"]


def test_the_first_step_back_goes_to_the_last_card_move_or_choice(tmp_path: Path) -> None:
    """A screen on which nothing is chosen, and the cursor stands nowhere."""
    chosen = selection("3", "K", "A")
    chosen.to_move(-1)
    assert chosen.chosen_cards == ["AC"]
    for by, at in ((-1, len(HAND) - 1), (1, 0)):
        nowhere = Selection()
        nowhere.meet(None, "t1", HAND)
        nowhere.step(by)
        assert nowhere.cursor == at
    faces = Faces.of(Look())
    offers = tuple(Offer(each, each) for each in ("ready", "leave", "start"))
    for by, line in ((-1, "start"), (1, "ready")):
        bar = ChoiceBar(faces, tmp_path, id="choices")
        bar.show(offers, faces)
        bar.move(by)
        assert bar.chosen is not None
        assert bar.chosen.line == line


def test_a_new_question_or_hand_puts_the_cards_back_and_the_same_one_does_not() -> None:
    """What is drawn again while somebody chooses does not lose what they chose."""
    chosen = selection("3", "K")
    chosen.toggle(2)
    chosen.meet(question("3", "K"), "t1", HAND)
    assert [*chosen.chosen] == [2]
    chosen.meet(question("3", "K", turn=2), "t1", HAND)
    assert [*chosen.chosen] == []
    chosen.toggle(2)
    chosen.meet(question("3", "K", turn=2), "t1", HAND[1:])
    assert [*chosen.chosen] == []


def test_nothing_is_chosen_while_nothing_is_asked() -> None:
    """Keys and clicks between two questions do nothing."""
    chosen = Selection()
    chosen.meet(None, "t1", HAND)
    chosen.pick(2)
    chosen.choose()
    chosen.complete()
    chosen.to_move(1)
    assert (chosen.chosen, chosen.cursor, chosen.answers()) == ((), None, [])


def test_tab_goes_round_and_begins_anew_after_something_was_typed() -> None:
    """Once around; a line that is none of the completions has its own."""
    ends = {"pl": ["play", "plain"], "he": ["hello"]}
    made = Completions()

    def found(line: str) -> list[tuple[str, str]]:
        return [(line, end) for end in ends.get(line, [])]

    line, lines = "pl", []
    for _ in range(3):
        line = made.next(line, found)
        lines.append(line)
    assert lines == ["play", "plain", "play"]
    assert [each.line for each in made.offers] == ["play", "plain"]
    assert made.next("he", found) == "hello"
    assert made.next("zz", found) == "zz"
    assert made.offers == ()


def test_moves_are_in_the_order_of_the_hand() -> None:
    """Whatever the order in which the server names them; those of several cards as they are."""
    chosen = selection("AC", "3H", "KS")
    assert chosen.moves == ["3H", "KS", "AC"]
    chosen.to_move(1)
    assert chosen.chosen_cards == ["3H"]
    assert selection("K", "3+3").moves == ["K", "3+3"]
