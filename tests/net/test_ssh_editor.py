"""The line editor at the other end of SSH, seen on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

import pyte
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kit.cases import together
from twentytwo_protocol.columns import columns
from twentytwo_server.net.ssh.editor import HINT, HISTORY, LISTED, LONGEST, LineEditor

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
WORDS = ("practice", "practise", "pause", "hand", "help")


class Desk:
    """A terminal with an editor behind it."""

    def __init__(self, width: int = 40, *, utf8: bool = True) -> None:
        self.screen = pyte.Screen(width, 12)
        self.stream = pyte.Stream(self.screen)
        self.lines: list[str] = []
        self.written: list[str] = []
        self.ended = False
        self.editor = LineEditor(self, self.completions, width, utf8=utf8)
        self.editor.show("")

    def write(self, text: str) -> None:
        self.written.append(text)
        self.stream.feed(text)

    def line(self, line: str) -> None:
        self.lines.append(line)

    def end(self) -> None:
        self.ended = True

    def completions(self, text: str) -> Iterator[tuple[str, str]]:
        end = text.rpartition(" ")[2]
        return ((end, word) for word in WORDS if word.startswith(end.lower()))

    def type(self, text: str) -> None:
        self.editor.receive(text.encode())

    @property
    def shown(self) -> list[str]:
        """The rows of the screen that are not empty; a bar is the cursor in its row."""
        # Not `display`, which cannot show half of a wide character that is written over.
        width, buffer = self.screen.columns, self.screen.buffer
        rows = [
            "".join([buffer[y][x].data for x in range(width)]).rstrip()
            for y in range(self.screen.lines)
        ]
        x, y = self.screen.cursor.x, self.screen.cursor.y
        rows[y] = f"{rows[y]:<{x}}"
        rows[y] = f"{rows[y][:x]}|{rows[y][x:]}"
        return [row for row in rows if row]


@together(
    ("typed", "shown"),
    [
        ("hand", "> hand|"),
        ("hand\x7f", "> han|"),
        ("\x7fx", "> x|"),
        (f"had{LEFT}n", "> han|d"),
        (f"han{LEFT}{LEFT}{LEFT}{LEFT}s", "> s|han"),
        (f"ab{RIGHT}c", "> abc|"),
        ("bc\x01a", "> a|bc"),
        ("ab\x01\x05c", "> abc|"),
        ("ab\x1b[Hx\x1b[Fy", "> xaby|"),
        ("ab\x02\x1b[3~", "> a|"),
        ("ab\x02\x04", "> a|"),
        ("say hello there\x17", "> say hello |"),
        ("say hello\x1bbx", "> say x|hello"),
        ("say hello\x01\x1bf!", "> say!| hello"),
        ("say hello\x1b[1;5Dx", "> say x|hello"),
        ("say hello\x15", "> |"),
        ("say hello\x01\x0b\x19\x19", "> say hellosay hello|"),
        ("say hello\x1b[1;5D\x0b", "> say |"),
        ("q\x1b[5~\x1bOP\x1b\x1b[99;99~\x07\x00q", "> qq|"),
        ("Grüße", "> Grüße|"),
    ],
)
def test_keys_edit_the_line(typed: str, shown: str) -> None:
    for size in (1, 3, len(typed.encode())):
        desk = Desk()
        data = typed.encode()
        for start in range(0, len(data), size):
            desk.editor.receive(data[start : start + size])
        assert desk.shown == [shown], size


def test_a_line_is_passed_on_by_any_line_end_and_stays_on_the_screen() -> None:
    desk = Desk()
    desk.type("a\rb\nc\r\n\r")
    assert desk.lines == ["a", "b", "c", ""]
    assert desk.shown == ["> a", "> b", "> c", ">", "> |"]


def test_a_line_may_be_passed_on_from_its_middle() -> None:
    desk = Desk()
    desk.type(f"hand{LEFT}{LEFT}\r")
    assert (desk.lines, desk.shown) == (["hand"], ["> hand", "> |"])


def test_output_comes_above_the_half_typed_line_and_the_cursor_stays() -> None:
    desk = Desk()
    desk.type(f"say hello{LEFT}{LEFT}")
    desk.editor.show("bob sits down.\r\nYour cards: 2H\r\n")
    assert desk.shown == ["bob sits down.", "Your cards: 2H", "> say hel|lo"]


def test_a_line_longer_than_the_terminal_is_scrolled_and_left_whole() -> None:
    desk = Desk(20)
    desk.type("0123456789" * 3)
    assert desk.shown[0].startswith("> ") and desk.shown[0].endswith("789|")
    assert len(desk.shown) == 1
    desk.type("\x01")
    assert desk.shown == ["> |01234567890123456"]
    desk.type("\r")
    assert desk.lines == ["0123456789" * 3]
    assert "".join(desk.shown[:2]) == "> " + "0123456789" * 3


def test_characters_of_two_columns_are_counted_as_two() -> None:
    desk = Desk(20)
    desk.type(f"日本{LEFT}x")
    assert desk.screen.cursor.x == 5
    desk.type("語" * 30)
    assert desk.screen.cursor.y == 0


def test_the_arrows_bring_earlier_lines_back_and_keep_the_draft() -> None:
    desk = Desk()
    desk.type("hand\rscore\rscore\rdra")
    desk.type(UP)
    assert desk.shown[-1] == "> score|"
    desk.type(UP + UP + UP)
    assert desk.shown[-1] == "> hand|"
    desk.type(DOWN + DOWN)
    assert desk.shown[-1] == "> dra|"
    desk.type(UP + UP + "s\r")
    assert desk.lines[-1] == "hands"


def test_the_history_has_an_end_and_no_secrets() -> None:
    desk = Desk()
    for number in range(HISTORY + 50):
        desk.type(f"{number}\r")
    desk.type("login ann :three blind mice\rregister ann :secret words\r")
    desk.type(UP)
    assert desk.shown[-1] == f"> {HISTORY + 49}|"
    desk.type(UP * 300)
    assert desk.shown[-1] == "> 50|"


def test_hidden_text_is_not_shown_not_recalled_and_not_completed() -> None:
    desk = Desk()
    desk.type("hand\r")
    desk.editor.hide(True)
    desk.type(f"secret{UP}\t{LEFT}x")
    assert desk.shown[-1] == "> |"
    desk.type("\r")
    desk.editor.hide(False)
    assert desk.lines[-1] == "secrext"
    desk.type(UP)
    assert desk.shown[-1] == "> hand|"
    assert "secre" not in "".join(desk.written)


def test_what_is_half_typed_vanishes_when_it_must_not_be_seen() -> None:
    desk = Desk()
    desk.type("thr")
    desk.editor.hide(True)
    assert desk.shown == ["> |"]


@together("key", ["\x03", "\x04"])
def test_a_hidden_question_is_cancelled_by_an_empty_line(key: str) -> None:
    desk = Desk()
    desk.editor.hide(True)
    desk.type("half\x15" if key == "\x04" else "half")
    desk.type(key)
    assert (desk.lines, desk.ended) == ([""], False)


def test_ctrl_c_clears_the_line_and_says_how_to_leave() -> None:
    desk = Desk()
    desk.type("ab\x03\x03")
    assert desk.shown == ["> ab^C", f"> ^C{HINT}", "> |"]
    assert desk.lines == []


def test_ctrl_d_ends_the_input_when_nothing_is_typed() -> None:
    desk = Desk()
    desk.type("\x04")
    assert desk.ended


def test_tab_completes_as_far_as_it_is_clear_and_then_lists() -> None:
    desk = Desk()
    desk.type("pr\t")
    assert desk.shown == ["> practi|"]
    desk.type("\t")
    assert desk.shown == ["practice  practise", "> practi|"]
    desk.type("c\t")
    assert desk.shown[-1] == "> practice |"
    desk.type("x\t")
    assert desk.shown[-1] == "> practice x|"


def test_tab_in_the_middle_keeps_what_follows() -> None:
    desk = Desk()
    desk.type(f"ha 5{LEFT}{LEFT}\t")
    assert desk.shown == ["> hand | 5"]


def test_long_lists_of_completions_are_cut() -> None:
    desk = Desk()
    desk.completions = lambda text: ((text, f"w{number}") for number in range(900))  # type: ignore[method-assign]
    desk.editor = LineEditor(desk, desk.completions, 40)
    desk.type("\t\t")
    assert f"and {900 - LISTED} more" in "".join(desk.written)


def test_a_narrower_terminal_gets_a_narrower_line() -> None:
    desk = Desk(40)
    desk.type("say " + "x" * 30)
    desk.screen.resize(12, 20)
    desk.editor.resize(20)
    desk.type("y")
    assert columns(desk.shown[-1]) <= 21 and desk.shown[-1].endswith("xy|")


def test_nothing_is_drawn_while_the_terminal_does_not_read() -> None:
    desk = Desk()
    desk.type("a")
    desk.editor.hold()
    desk.written.clear()
    desk.type(f"bc{LEFT}\t\x0c")
    assert desk.written == []
    desk.editor.show("bob is here.\r\n")
    desk.editor.release()
    assert desk.shown == ["bob is here.", "> ab|c"]


def test_at_the_end_no_prompt_is_left() -> None:
    desk = Desk()
    desk.type("abc")
    desk.editor.finish()
    assert desk.shown == ["|"]


def test_a_line_has_a_greatest_length() -> None:
    desk = Desk()
    desk.type("x" * (2 * LONGEST))
    desk.type("y\r")
    assert len(desk.lines[0]) == LONGEST


def test_a_terminal_without_utf8_sends_latin_1() -> None:
    desk = Desk(utf8=False)
    desk.editor.receive("Grüße\r".encode("latin-1"))
    assert desk.lines == ["Grüße"]


KEYS = st.sampled_from(
    [*"ab \t\r\n\x7f\x01\x05\x0b\x15\x17\x19\x03\x0c", UP, DOWN, LEFT, RIGHT, "\x1b[3~", "\x1bb"]
)


@example(["a", "\u3030", "\x1bb", "\x03"], 10)
@example(["a", "\x1b"], 10)
@given(st.lists(KEYS | st.characters(codec="utf-8"), max_size=60), st.integers(10, 60))
def test_whatever_is_typed_the_line_stays_in_one_row(keys: list[str], width: int) -> None:
    desk = Desk(width)
    for key in keys:
        desk.type(key)
        before, after = desk.editor.visible()
        assert columns(f"> {before}{after}") < width
    desk.type("\x15\x15\x0b")  # a lone escape takes the next key with it
    desk.editor.show("done\r\n")
    assert desk.shown[-2:] == ["done", "> |"]


@given(st.binary(max_size=80))
def test_no_bytes_break_the_editor_however_they_are_cut(data: bytes) -> None:
    whole, cut = Desk(), Desk()
    whole.editor.receive(data)
    for byte in data:
        cut.editor.receive(bytes([byte]))
    assert whole.lines == cut.lines
    assert whole.editor.visible() == cut.editor.visible()
