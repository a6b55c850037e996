"""Where players sit: nobody moves during a hand, and nothing lies on anybody's name."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from twentytwo_client.display.look import Look, Suits
from twentytwo_client.display.overview import Overview, PlayerOverview
from twentytwo_client.tui.canvas import Canvas, Faces
from twentytwo_client.tui.layout import fan, seating
from twentytwo_client.tui.painting import Scene, painted
from twentytwo_protocol.glance import SideGlance

FACES = Faces.of(Look(Suits.SIGNS, unicode=True))
LETTERS = Faces.of(Look(Suits.LETTERS, unicode=False))
WINDOWS = [(40, 6), (46, 16), (48, 15), (60, 20), (118, 51), (136, 50)]
NAMES = ("you", "~ann", "steady2", "~catherine", "~guinevere", "~maximilian-16a", "~x7", "~li")


def table(players: int, played: int, facts: int = 1) -> Overview:
    """A table at which everybody has played so many cards."""
    seats = tuple(
        PlayerOverview(
            at + 1,
            name,
            at == 0,
            "0",
            9 - played,
            "partner bid 14",
            asked=at == played % players,
            leads=at == played % players,
            dealer=at == 1,
            played=("TC", "9D", "9S", "QH", "AC", "2D", "2C")[:played],
        )
        for at, name in enumerate(NAMES[:players])
    )
    beat = ("best", seats[1].played) if played else None
    counted = ("gone: 222 3 4 6 7 9 J QQQ K A",) * facts
    return Overview(
        "t1", "Game", 1, 1, "", "YOUR TURN", "", seats, counted, (), beat, (), frozenset(), None
    )


def where(canvas: Canvas, players: int) -> dict[str, tuple[int, int]]:
    """Row and column of every name, parted from whatever stands beside it."""
    found = {}
    for name in NAMES[:players]:
        cut = re.escape(name[:4])
        for y, line in enumerate(canvas.lines()):
            seen = re.search(rf"(?:^|[ ▶])({cut}\S*)(?= |$)", line)
            if seen and (name[:9] == seen[1][:9] or "." in seen[1]):
                found[name] = (y, seen.start(1))
                break
    return found


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("players", range(2, 9))
def test_nobody_moves_whatever_is_played(players: int, window: tuple[int, int]) -> None:
    first = where(painted(Scene(table(players, 0)), FACES, *window), players)
    assert len(first) == players
    for played in range(1, 7):
        for facts in (0, 1, 3):
            scene = Scene(table(players, played, facts))
            for each in (scene, replace(scene, took=2, words=("~ann takes trick 1 with 10♣.",))):
                canvas = painted(each, FACES, *window)
                assert where(canvas, players) == first, "\n".join(canvas.lines())


@together("window", WINDOWS)
@together("players", range(2, 9))
def test_no_place_lies_on_another(players: int, window: tuple[int, int]) -> None:
    found = seating(players - 1, *window)
    if found is None:
        assert window[0] <= 60
        return
    boxes = [box for place in found.others for box in (place.label, place.cards)]
    if found.mine.y < found.me:
        boxes.append(found.mine)
    for at, one in enumerate(boxes):
        assert one.x >= 0 and one.x + one.width <= window[0], one
        assert one.y >= 0 and one.y + one.height <= found.me, one
        for other in boxes[at + 1 :]:
            beside = one.x + one.width <= other.x or other.x + other.width <= one.x
            below = one.y + one.height <= other.y or other.y + other.height <= one.y
            assert beside or below, (one, other)


def test_cards_lie_apart_over_each_other_or_are_counted() -> None:
    assert fan(2, 11, 5, 4) == (2, 6)
    assert fan(3, 13, 5, 4) == (3, 4)
    assert fan(5, 13, 5, 4) == (2, 4)


def test_both_sides_are_told_with_their_scores_and_what_they_have_made() -> None:
    sides = (SideGlance("we", 1, "5"), SideGlance("they", 0, "8 of 14"))
    for window in ((40, 6), (46, 16), (118, 51)):
        whole = replace(table(4, 1, 0), sides=sides, facts=("trump hearts",))
        text = "\n".join(painted(Scene(whole), FACES, *window).lines())
        apart = "we 1, they 0" in text and "hand: we 5, they 8 of 14" in text
        assert (apart or "we 1 (5), they 0 (8 of 14)" in text) and "trump hearts" in text
        bidding = replace(whole, sides=tuple(replace(each, made="") for each in sides))
        text = "\n".join(painted(Scene(bidding), FACES, *window).lines())
        assert "we 1, they 0" in text and "hand:" not in text


def test_the_cards_to_be_beaten_are_marked_and_who_leads_is_told() -> None:
    whole = table(4, 1)
    players = [replace(each, best=at == 2, leads=at == 1) for at, each in enumerate(whole.players)]
    canvas = painted(Scene(replace(whole, players=tuple(players))), FACES, 118, 51)
    roles = [role for y in range(51) for text, role in canvas.runs(y) if "10♣" in text]
    assert roles.count("best-card") == 2 and roles.count("card") == 6
    assert sum("leads" in line for line in canvas.lines()) == 1


def test_how_a_hand_ended_lies_over_the_table_in_a_frame() -> None:
    scene = Scene(table(4, 0), words=("~ann wins the last trick with 10♣: 10 points.",), ended=True)
    lines = painted(scene, FACES, 46, 16).lines()
    assert any("╭─" in line for line in lines) and "wins the last trick" in "\n".join(lines)


def test_the_more_room_there_is_the_more_of_it_is_the_middle() -> None:
    wide = [found.mat.width for columns in (46, 60, 80, 118) if (found := seating(3, columns, 20))]
    assert len(wide) == 4 and wide == sorted(set(wide)) and wide[1] >= 24


def test_the_mark_of_whose_turn_it_is_stands_apart_from_the_name() -> None:
    canvas = painted(Scene(table(4, 0)), FACES, 60, 20)
    runs = [run for y in range(20) for run in canvas.runs(y)]
    assert ("you", "asked") in runs and any(text == "▶" and "turn" in role for text, role in runs)


def test_who_deals_is_told_in_full_where_the_name_leaves_room() -> None:
    whole = table(4, 0)
    for width, height in ((40, 6), (46, 16)):
        text = "\n".join(painted(Scene(whole), FACES, width, height).lines())
        assert "~ann dealer" in text


@pytest.mark.parametrize("window", [(40, 6), (48, 17), (48, 16), (60, 20)])
def test_a_joker_hides_nobodys_name_score_or_cards(window: tuple[int, int]) -> None:
    whole = table(8, 2)
    pairs = {2: ("XA", "AD"), 4: ("XQ", "QS"), 5: ("AH", "KS"), 8: ("X2", "2S")}
    names = {each.seat: each.name if each.me else f"steady{each.seat}" for each in whole.players}
    for called in (names, {each.seat: each.name for each in whole.players}):
        players = tuple(
            replace(each, name=called[each.seat], played=pairs.get(each.seat, ()), note="")
            for each in whole.players
        )
        canvas = painted(Scene(replace(whole, players=players)), FACES, *window)
        text = "\n".join(canvas.lines())
        assert "A♥" in text and "K♠" in text, text
        for pair in ("A♦", "Q♠", "2♠"):
            assert re.search(rf"X ?(\(\w\))? *▏?{pair}|joker\(.\)[ ▏]+{pair}", text), text
        for name in called.values():
            assert re.search(rf"(^|[ ▶]){re.escape(name[:5])}\S*( |$)", text, re.MULTILINE), text
        if window[1] > 6 and called is names:
            assert len(re.findall(r"\b0 .*?▮+ \d|\b0 points", text)) >= 7, text


@pytest.mark.parametrize("window", WINDOWS)
def test_with_letters_all_is_ascii_and_everybody_sits_where_they_did(
    window: tuple[int, int],
) -> None:
    for played in (0, 2):
        scene = Scene(table(8, played))
        text = "\n".join(painted(scene, LETTERS, *window).lines())
        signs = "\n".join(painted(scene, FACES, *window).lines())
        assert text.isascii() and ("QH" not in signs), text
        plain = signs.replace("▶", ">")
        for name in NAMES:
            assert (text.find(name[:4]) >= 0) == (plain.find(name[:4]) >= 0)
        if not played:
            assert text == plain.replace("▮", "#")


def test_a_list_of_what_is_gone_that_is_too_long_keeps_its_end_and_goes_on_nowhere_else() -> None:
    long = "gone: 222222 333333 4444 5 6 7 999 10 J QQQQ KKKKK AAAA joker joker"
    for players, window in ((8, (48, 15)), (8, (40, 6))):
        whole = replace(table(players, 1, 0), facts=(long,))
        lines = painted(Scene(whole), FACES, *window).lines()
        told = [line for line in lines if "AAA" in line or "joker" in line]
        assert len(told) == 1 and "gone: …" in told[0] and told[0].endswith("AAAA joker joker")


def test_only_a_suit_stands_in_the_middle_of_a_large_card() -> None:
    whole = table(4, 0)
    players = [replace(each, played=("XA", "QH")) for each in whole.players]
    canvas = painted(Scene(replace(whole, players=tuple(players))), FACES, 118, 51)
    lines = canvas.lines()
    assert any("joker(A)" in line for line in lines)
    assert not any(line.strip(" )") == "" and ")" in line for line in lines)
    assert not any(") " in line.replace("joker(A)", "") for line in lines)


@together("clock", ["0:42", "0:42+2:00", "0:00+1:48", "1:00+10:00"])
@together("players", [2, 4, 8])
@together("window", WINDOWS)
def test_a_clock_is_never_cut(window: tuple[int, int], players: int, clock: str) -> None:
    whole = table(players, 0)
    other = replace(whole.players[1], clock=clock, score="14")
    for held in (None, 1, 13):
        seats = (whole.players[0], replace(other, cards=held), *whole.players[2:])
        text = "\n".join(painted(Scene(replace(whole, players=seats)), FACES, *window).lines())
        told = re.findall(r"\d+:\d*(?:\+\S*)?", text)
        runs = clock.removeprefix("0:00+").split("+")[0]
        assert told in ([clock], [runs]) or (window[1] == 6 and not told), text
        assert re.search(r"\b14\b", text), text


def test_a_name_is_cut_in_a_list_only_where_it_has_no_room() -> None:
    names = ("you", "easy", *(f"easy{number}" for number in range(2, 12)))
    whole = table(2, 0)
    one = replace(whole.players[1], note="", dealer=False)
    players = tuple(replace(one, seat=at, name=name) for at, name in enumerate(names, 1))
    text = "\n".join(painted(Scene(replace(whole, players=players)), FACES, 40, 7).lines())
    assert all(f"{name} " in text for name in names)


@pytest.mark.parametrize("width", range(5))
def test_a_window_of_hardly_any_columns_is_drawn_too(width: int) -> None:
    sides = (SideGlance("we", 1, "5"), SideGlance("they", 0, "8 of 14"))
    whole = replace(table(4, 3), sides=sides, facts=("gone: 2 33 KKKK",))
    for height in range(8):
        for scene in (Scene(whole), Scene(whole, took=2, words=("~ann takes trick 1.",))):
            lines = painted(scene, FACES, width, height).lines()
            assert len(lines) == height and all(len(line) <= width for line in lines)
