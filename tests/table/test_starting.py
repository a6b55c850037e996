"""Getting ready, the start, rematches."""

from __future__ import annotations

import random

from tests.kit import tables, truth
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Gameover, Result, Vote
from twentytwo_protocol.words.seating import Ready_, Swapped
from twentytwo_server.table.effects import Away
from twentytwo_server.table.table import Phase


def test_a_game_starts_when_the_host_says_so_and_everybody_else_is_ready() -> None:
    run = tables.opened(3)
    run.order("bob", words.Join("t1"))
    run.order("cat", words.Join("t1"))
    wrong = run.refused("ann", words.Start())
    assert (wrong.code, wrong.text) == ("NOT_READY", "Not ready yet: bob, cat.")
    assert run.order("bob", words.Ready()) == [Ready_(2, True)]
    run.order("cat", words.Ready())
    run.order("cat", words.Unready())
    assert run.refused("ann", words.Start()).code == "NOT_READY"
    run.order("cat", words.Ready())
    run.order("ann", words.Start())  # whoever starts is ready
    assert run.playing


def test_a_game_needs_two() -> None:
    wrong = tables.opened(4).refused("ann", words.Start())
    assert wrong.code == "NOT_ENOUGH_PLAYERS"
    assert "addbot" in wrong.text


def test_gaps_between_the_seats_are_closed_before_the_game() -> None:
    run = tables.opened(4)
    run.order("bob", words.Join("t1", 3))
    run.order("cat", words.Join("t1", 4))
    for name in ("bob", "cat"):
        run.order(name, words.Ready())
    told = run.order("ann", words.Start())
    assert told[:2] == [Swapped(2, "bob", 3, False), Swapped(3, "cat", 4, False)]
    assert told[2].word.word == "GAME"
    assert run.table.names == {1: "ann", 2: "bob", 3: "cat"}
    truth.check(run)


def test_who_is_away_stays_away_when_the_gaps_are_closed() -> None:
    run = tables.opened(4)
    run.order("bob", words.Join("t1", 3))
    run.order("bob", words.Ready())
    run.order("", Away("bob"))
    run.order("ann", words.Start())
    assert not run.model(None).seats[2].here
    truth.check(run)


def test_a_start_that_the_options_forbid_changes_nothing() -> None:
    run = tables.seated(2, seats=12, options={"decks": "1"})
    for number in range(8):
        run.order("ann", words.Addbot())
        assert len(run.table.seats) == 3 + number
    wrong = run.refused("ann", words.Start())
    assert (wrong.code, wrong.fields["arg"]) == ("BAD_ARG", "decks")
    assert run.table.phase is Phase.OPEN


def test_everybody_is_ready_once_only() -> None:
    run = tables.over(2, bots=1)
    assert not any(seat.ready for seat in run.table.people)


def test_a_rematch_begins_when_everybody_wants_it() -> None:
    run = tables.over(2, bots=1)
    assert run.order("bob", words.Rematch()) == [
        Ready_(3, True),
        Vote("bob", "rematch", 1, 0, 2),
    ]
    assert run.table.phase is Phase.OVER
    told = run.order("ann", words.Ready())  # after a game, a yes to a rematch
    assert told[0] == Ready_(1, True)
    assert told[1].word.word == "GAME"
    assert run.playing
    assert run.table.match is not None
    assert run.table.match.terms.id == "g2"
    truth.check(run)


def test_a_rematch_before_any_game_is_refused() -> None:
    assert tables.seated(2).refused("ann", words.Rematch()).code == "NO_GAME"


def test_the_host_starts_another_game_too() -> None:
    run = tables.over(2)
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    assert run.playing


def test_somebody_who_came_after_the_game_plays_the_rematch() -> None:
    run = tables.over(2, seats=3)
    run.order("cat", words.Join("t1"))
    for name in ("ann", "bob", "cat"):
        run.order(name, words.Ready())
    assert run.playing
    assert run.asked.turn == 1
    truth.check(run)


def test_the_games_won_at_a_table_are_counted_by_person() -> None:
    run, chance = tables.seated(2), random.Random(5)
    won: dict[str, int] = {}
    run.order("ann", words.Start())
    for _ in range(5):
        run.play(chance)
        entries = [*run.stream.after(0)]
        results = [e.event for e in entries if isinstance(e.event, Result)][-2:]
        for result in results:
            name = run.table.names[result.seat]
            won[name] = won.get(name, 0) + (result.place == 1)
            assert result.wins == won[name]
        run.order("bob", words.Swap(1) if run.table.host == "bob" else words.Ready())
        run.order("ann", words.Ready())
        assert run.playing
    assert sum(won.values()) >= 5  # places are shared at times


def test_a_game_ends_with_its_results_and_then_gameover() -> None:
    run = tables.over(3)
    *_, first, second, third, last, _ = [entry.event for entry in run.stream.after(0)]
    places = [e.place for e in (first, second, third) if isinstance(e, Result)]
    assert places == sorted(places)
    assert len(places) == 3
    assert isinstance(last, Gameover)
    assert run.order("ann", words.Ready())[0] == Ready_(1, True)


def test_no_game_that_counts_begins_while_a_bot_sits_there_from_the_one_before() -> None:
    run = tables.started(3, rated=True)
    run.order("bob", words.Leave())
    run.play(random.Random(1))
    run.order("cat", words.Ready())
    wrong = run.refused("ann", words.Start())
    assert wrong.code == "NOT_READY"
    assert "dropbot" in wrong.text
    run.order("ann", words.Dropbot())
    run.order("ann", words.Start())
    assert run.playing


def test_a_table_of_one_person_and_no_bots_starts_no_rematch() -> None:
    run = tables.over(2)
    run.order("bob", words.Leave())
    assert run.refused("ann", words.Ready()).code == "NOT_ENOUGH_PLAYERS"
    run.order("ann", words.Addbot())
    run.order("ann", words.Ready())
    assert run.playing
