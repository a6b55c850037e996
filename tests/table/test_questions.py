"""What a TURN lists, how long it may be, and what a table says of itself."""

from __future__ import annotations

from tests.kit import tables
from tests.kit.tables import Run
from twentytwo_protocol.words import cardplay
from twentytwo_server.games.registry import games
from twentytwo_server.table.match import LISTED, LISTED_BYTES, listing

STRAIGHTS = {"straights": "on", "exchange": "off", "first_hand": "13"}


def answering(straight: str, seed: int = 7) -> Run:
    """A table at which a straight is to be answered, which can be done in hundreds of ways."""
    run = tables.started(2, seed=seed, options=STRAIGHTS)
    run.order(run.mover, cardplay.Move(straight))
    return run


def all_moves(run: Run) -> list[str]:
    """The tokens of all legal moves of whoever is asked."""
    assert run.table.match is not None
    return [deed.token for deed in run.table.match.moves()]


def test_a_question_says_how_it_is_to_be_answered() -> None:
    exchange = tables.started(2).asked
    assert (exchange.act, exchange.choose) == ("exchange", "subset")
    assert exchange.cards is not None
    assert (exchange.min, exchange.max) == (0, len(exchange.cards))
    play = tables.started(2, options={"exchange": "off"}).asked
    assert (play.act, play.choose) == ("play", "one")
    assert play.legal is not None
    assert (play.nlegal, play.truncated) == (len(play.legal), None)


def test_a_long_list_is_cut_and_says_so() -> None:
    run = answering("7+6+5+4+3+2")
    asked, every = run.asked, all_moves(run)
    assert (asked.nlegal, asked.truncated) == (len(every), True)
    assert asked.legal == tuple(every[:LISTED])
    assert run.table.match is not None
    rest = listing(run.table.match.moves(), LISTED)
    assert rest == tuple(every[LISTED : 2 * LISTED])


def test_a_list_of_long_moves_is_cut_before_it_is_too_long_for_a_line() -> None:
    run = answering("T+9+8+7+6+5+4+3+2", seed=41)
    legal, every = run.asked.legal, all_moves(run)
    assert legal is not None
    assert run.asked.truncated
    assert len(legal) < LISTED < len(every)
    assert len(",".join(legal)) < LISTED_BYTES < len(",".join(every[: len(legal) + 1])) + 1


def test_a_game_tells_the_score_that_everybody_begins_with() -> None:
    run = tables.started(4, game=games()["whist22"], options={"start_score": "50"})
    begun = [e.event for e in run.stream.after(0) if isinstance(e.event, cardplay.Game_)]
    assert [game.start for game in begun] == [50]


def test_the_lowest_play_is_named_where_it_is_legal() -> None:
    assert answering("7+6+5+4+3+2").asked.low == ("8", "7", "6", "5", "4", "2")
