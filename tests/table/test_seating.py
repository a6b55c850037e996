"""Sitting down, changing seats, the host's powers, options."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.kit import tables, truth
from tests.kit.cases import together
from tests.kit.tables import Run
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.seating import (
    Host_,
    Joined,
    Left,
    Option_,
    Ready_,
    Shut,
    Swapped,
    Watching,
)
from twentytwo_server.table.clocks import TurnClock, read_clock
from twentytwo_server.table.decision import Actor
from twentytwo_server.table.effects import Renamed, Wake
from twentytwo_server.table.opening import Opening, bare_table, open_table
from twentytwo_server.table.table import Phase, Settings


def test_opening_a_table_tells_every_option_then_the_host_in_seat_1_then_the_bots() -> None:
    run = tables.opened(4, bots=2, clock=TurnClock(60_000, 120_000), title="Friday")
    words_told = run.words()
    options = words_told.count("OPTION")
    seats = ["JOINED", "HOST", "JOINED", "JOINED"]
    assert words_told == ["OPTION"] * options + seats + ["COMMITTED"]
    told = run.model(None).options
    assert told["game"] == "twentytwo"
    assert told["preset"] == "pagat"
    assert told["clock"] == "60+120"
    assert told["deals"] == "fair"
    assert told["title"] == "Friday"
    assert told["private"] == "no"
    assert {o.name: o.value for o in run.table.options()}.items() <= told.items()
    assert [seat.name for seat in run.table.seats] == ["ann", "bot:steady", "bot:steady2"]


def test_a_program_that_opens_a_table_is_marked_as_a_bot() -> None:
    opening, who = Opening(Settings(4, "pagat")), Actor("py", program=True)
    run = tables.opened()
    table = bare_table("t2", run.table.game, opening, who)
    decision = open_table(table, opening, who, run.now())
    assert Joined(1, "py", True) in decision.told
    assert decision.table.people[0].program


def test_the_bots_of_a_table_are_as_good_as_it_was_opened_with() -> None:
    run = tables.opened(4, bots=1, level="easy")
    run.order("ann", words.Addbot())
    assert [seat.level for seat in run.table.seats] == ["", "easy", "easy"]
    run.order("bob", words.Join("t1"))
    run.order("bob", words.Ready())
    run.order("ann", words.Start())
    assert run.order("bob", words.Leave())[1] == Joined(4, "bot:easy3", True)


def test_a_private_table_tells_that_it_is_private_but_never_its_word() -> None:
    run = tables.opened(4, word="kiwi")
    assert run.model(None).options["private"] == "yes"
    assert "kiwi" not in "\n".join(run.lines(1))


def test_whoever_joins_takes_the_first_free_seat_or_the_one_they_ask_for() -> None:
    run = tables.opened(4)
    assert run.order("bob", words.Join("t1")) == [Joined(2, "bob", False)]
    assert run.order("cat", words.Join("t1", 4)) == [Joined(4, "cat", False)]
    assert run.order("dan", words.Join("t1")) == [Joined(3, "dan", False)]
    full = run.refused("eve", words.Join("t1"))
    assert (full.code, full.text) == ("TABLE_FULL", "t1 is full. watch t1 looks on.")


@together(("typed", "look"), [("Kiwi", " Kiwi looks on."), ("t1", "")])
@together("begins", [False, True])
def test_how_to_watch_a_private_table_is_told_to_whoever_knows_its_word(
    typed: str, look: str, begins: bool
) -> None:
    run = tables.opened(2, word="kiwi")
    run.order("ann", words.Addbot())
    if begins:
        run.order("ann", words.Start())
    text = run.refused("eve", words.Join(typed)).text
    assert text.partition("watch")[2] == look


def test_joining_is_refused_where_one_sits_already_or_there_is_no_such_seat() -> None:
    run = tables.opened(4)
    run.order("bob", words.Join("t1"))
    assert run.refused("bob", words.Join("t1")).code == "ALREADY_SEATED"
    taken = run.refused("cat", words.Join("t1", 2))
    assert (taken.code, taken.text) == ("SEAT_TAKEN", "Seat 2 is taken; free: 3, 4.")
    none = run.refused("cat", words.Join("t1", 5))
    assert (none.code, none.fields) == ("BAD_ARG", {"arg": "seat"})
    assert run.refused("cat", words.Join("t1", -1)).code == "BAD_ARG"


def test_a_program_that_joins_is_marked_as_a_bot() -> None:
    run = tables.opened(4)
    assert run.order(Actor("py", program=True), words.Join("t1")) == [Joined(2, "py", True)]
    assert run.table.people[1].owned


def test_who_sits_down_watches_no_longer() -> None:
    run = tables.opened(4)
    run.order("bob", words.Watch("t1"))
    assert run.order("bob", words.Join("t1")) == [Joined(2, "bob", False), Watching("bob", False)]
    assert run.table.watchers == ()
    truth.check(run)


def test_watching_twice_and_watching_from_a_seat_tell_nothing() -> None:
    run = tables.opened(4)
    assert run.order("bob", words.Watch("t1")) == [Watching("bob", True)]
    assert run.order("bob", words.Watch("t1")) == []
    assert run.order("ann", words.Watch("t1")) == []
    assert run.order("bob", words.Unwatch()) == [Watching("bob", False)]
    assert run.order("bob", words.Unwatch()) == []


def test_a_table_that_is_closed_to_watchers_takes_none() -> None:
    run = tables.opened(4, watch=False)
    assert run.refused("bob", words.Watch("t1")).code == "FORBIDDEN"


def test_somebody_moves_to_a_free_seat_and_may_be_ready_no_longer() -> None:
    run = tables.seated(3, seats=4)
    told = run.order("bob", words.Swap(4))
    assert told[0] == Swapped(4, "bob", 2, False)
    assert told[1:] == [Ready_(1, False), Ready_(3, False), Ready_(4, False)]
    truth.check(run)


def test_only_the_host_changes_places_with_somebody_else() -> None:
    run = tables.seated(3)
    assert run.refused("bob", words.Swap(3)).code == "SEAT_TAKEN"
    told = run.order("ann", words.Swap(3))
    assert told[:2] == [Swapped(3, "ann", 1, False), Swapped(1, "cat", 3, False)]
    assert run.table.names == {1: "cat", 2: "bob", 3: "ann"}
    assert run.table.host == "ann"
    truth.check(run)


def test_the_host_changes_places_with_a_bot() -> None:
    run = tables.opened(3, bots=1)
    told = run.order("ann", words.Swap(2))
    assert told == [Swapped(2, "ann", 1, False), Swapped(1, "bot:steady", 2, True)]
    truth.check(run)


@pytest.mark.parametrize(("seat", "code"), [(1, "ALREADY_SEATED"), (0, "BAD_ARG"), (4, "BAD_ARG")])
def test_swapping_to_no_other_seat_is_refused(seat: int, code: str) -> None:
    assert tables.seated(3).refused("ann", words.Swap(seat)).code == code


def test_changing_places_after_a_game_takes_the_scores_along() -> None:
    run = tables.over(3)
    before = {seat.name: seat.total for seat in run.model(None).seats.values()}
    run.order("ann", words.Swap(2))
    assert {seat.name: seat.total for seat in run.model(None).seats.values()} == before


def test_a_locked_table_lets_nobody_else_sit_down() -> None:
    run = tables.opened(4)
    assert run.order("ann", words.Lock()) == [Option_("locked", "yes", "ann")]
    assert run.refused("bob", words.Join("t1")).code == "TABLE_LOCKED"
    run.order("ann", words.Unlock())
    run.order("bob", words.Join("t1"))
    assert run.model(None).options["locked"] == "no"


def test_the_host_sends_somebody_away_but_not_themselves() -> None:
    run = tables.seated(3)
    assert run.order("ann", words.Remove("bob")) == [Left(2, "bob", "kicked")]
    assert run.refused("ann", words.Remove("ann")).code == "FORBIDDEN"
    assert run.refused("ann", words.Remove("bob")).code == "NO_SUCH_USER"
    assert run.refused("cat", words.Remove("ann")).code == "NOT_HOST"


def test_a_bot_takes_the_seat_of_somebody_sent_away_in_a_running_game() -> None:
    run = tables.started(3)
    told = run.order("ann", words.Remove("bob"))
    assert told[:2] == [Left(2, "bob", "kicked"), Joined(2, "bot:steady", True)]
    assert run.playing
    truth.check(run)
    assert run.refused("ann", words.Remove("bot:steady")).code == "GAME_RUNNING"


@pytest.mark.parametrize("rated", [True, False])
def test_the_host_sends_nobody_away_from_a_game_that_counts_or_that_seek_found(rated: bool) -> None:
    run = tables.seated(3, rated=rated)
    run.table = replace(run.table, sought=not rated)
    run.order("ann", words.Remove("cat"))
    run.order("ann", words.Start())
    assert run.refused("ann", words.Remove("bob")).code == "GAME_RUNNING"
    run.play(random.Random(1))
    run.order("ann", words.Remove("bob"))


def test_the_host_of_a_table_of_strangers_sends_nobody_away_from_a_running_game() -> None:
    run = tables.seated(3)
    run.table = replace(run.table, protected=True)
    run.order("ann", words.Remove("cat"))
    run.order("ann", words.Start())
    refused = run.refused("ann", words.Remove("bob"))
    assert (refused.code, "abort ends it if all agree" in refused.text) == ("GAME_RUNNING", True)
    run.play(random.Random(1))
    run.order("ann", words.Remove("bob"))


def test_bots_come_and_go_and_their_names_differ() -> None:
    run = tables.opened(4)
    run.order("ann", words.Addbot())
    run.order("ann", words.Addbot("EASY"))
    run.order("ann", words.Addbot("easy"))
    assert [s.name for s in run.table.seats] == ["ann", "bot:steady", "bot:easy", "bot:easy2"]
    assert run.refused("ann", words.Addbot()).code == "TABLE_FULL"
    assert run.order("ann", words.Dropbot()) == [Left(4, "bot:easy2", "left")]
    assert run.order("ann", words.Dropbot(2)) == [Left(2, "bot:steady", "left")]
    assert run.refused("ann", words.Dropbot(1)).code == "BAD_ARG"
    run.order("ann", words.Dropbot())
    assert run.refused("ann", words.Dropbot()).code == "BAD_ARG"
    assert run.refused("ann", words.Addbot("godly")).code == "BAD_ARG"


def test_bots_are_always_ready() -> None:
    run = tables.opened(3, bots=2)
    assert [seat.ready for seat in run.table.seats] == [False, True, True]
    run.order("ann", words.Start())
    assert run.playing


def test_the_host_makes_somebody_else_the_host_but_no_bot() -> None:
    run = tables.seated(2, bots=1)
    for nobody in ("bot:steady", "zed"):
        assert run.refused("ann", words.Host(nobody)).code == "NO_SUCH_USER"
    assert run.order("ann", words.Host("bob")) == [Host_("bob")]
    assert run.refused("ann", words.Lock()).code == "NOT_HOST"
    run.order("bob", words.Lock())


def test_when_the_host_leaves_another_person_is_the_host() -> None:
    run = tables.opened(4, bots=1)
    run.order("bob", words.Join("t1"))
    assert run.order("ann", words.Leave()) == [Left(1, "ann", "left"), Host_("bob")]


def test_when_the_last_person_leaves_the_table_closes() -> None:
    run = tables.opened(4, bots=2)
    assert run.order("ann", words.Leave()) == [Left(1, "ann", "left"), Shut()]
    assert run.closed


def test_when_the_last_person_leaves_a_running_game_it_is_aborted() -> None:
    run = tables.started(1, bots=2)
    told = run.order("ann", words.Leave())
    assert [event.word.word for event in told] == ["LEFT", "REVEALED", "ABORTED", "SHUT"]
    assert run.closed


def test_closing_a_table_tells_everybody_who_sat_there() -> None:
    run = tables.seated(2, bots=1)
    told = run.order("ann", words.Close())
    assert told == [Left(1, "ann", "closed"), Left(3, "bob", "closed"), Shut()]
    assert run.closed


def test_a_running_game_cannot_be_closed() -> None:
    assert tables.started(2).refused("ann", words.Close()).code == "GAME_RUNNING"


# -------------------------------------------------------------------------------- options


def test_a_changed_option_is_told_with_who_changed_it_and_everybody_must_be_ready_again() -> None:
    run = tables.seated(2)
    digest = run.table.digest
    told = run.order("ann", words.Option("Exchange", "OFF"))
    assert told == [Option_("exchange", "off", "ann"), Ready_(1, False), Ready_(2, False)]
    assert run.table.digest != digest
    assert run.refused("ann", words.Start()).code == "NOT_READY"
    truth.check(run)


@together(
    ("key", "value", "code", "says"),
    [
        ("nothing", "1", "NO_SUCH_OPTION", "rules lists them."),
        ("heding", "mandatory", "NO_SUCH_OPTION", "did you mean heading?"),
        ("exchange", "perhaps", "BAD_ARG", "on or off"),
        ("limit", "9", "BAD_ARG", "10 to 100"),
        ("limit", "1_0", "BAD_ARG", "10 to 100"),
        ("straight_max", "1", "BAD_ARG", "0 for none"),
    ],
)
def test_an_option_that_will_not_do_is_refused_and_says_what_would(
    key: str, value: str, code: str, says: str
) -> None:
    run = tables.seated(2)
    wrong = run.refused("ann", words.Option(key, value))
    assert wrong.code == code
    assert says in wrong.text
    assert wrong.fields["arg"] == key


def test_options_that_do_not_go_together_are_refused() -> None:
    run = tables.opened(4)
    run.order("ann", words.Option("straights", "on"))
    assert run.refused("ann", words.Option("winner", "set")).code == "BAD_ARG"


def test_an_option_by_which_those_who_sit_there_could_not_play_is_refused() -> None:
    run = tables.seated(3)
    assert run.refused("ann", words.Option("max_players", "2")).code == "BAD_ARG"


def test_options_stay_as_they_are_while_a_game_runs() -> None:
    run = tables.started(2)
    assert run.refused("ann", words.Option("limit", "30")).code == "GAME_RUNNING"


def test_the_rules_of_a_game_are_those_told_before_it() -> None:
    run = tables.seated(2, options={"limit": "30"})
    run.order("ann", words.Start())
    game = run.model(None).game
    assert game is not None
    assert (game.ruleshash, game.target) == (run.table.digest, 30)


# --------------------------------------------------------------------------------- clocks


@together(
    ("word", "clock"),
    [
        ("0", None),
        ("60", TurnClock(60_000, 0)),
        ("60+120", TurnClock(60_000, 120_000)),
        ("5", TurnClock(5_000, 0)),
        ("86400+86400", TurnClock(86_400_000, 86_400_000)),
        ("60+0", TurnClock(60_000, 0)),
    ],
)
def test_a_clock_is_read_from_its_word(word: str, clock: TurnClock | None) -> None:
    assert read_clock(word) == clock


@together(
    "word",
    [
        "",
        "4",
        "86401",
        "60+86401",
        "60+",
        "+60",
        "-60",
        "6_0",
        "٦٠",
        "60+1+1",
        "0+10",
        "60 ",
        "000060",
        "9" * 5000,
        "1e3",
    ],
)
def test_what_is_no_clock_is_refused(word: str) -> None:
    with pytest.raises(Refused) as refused:
        read_clock(word)
    assert (refused.value.code, refused.value.fields) == ("BAD_ARG", {"arg": "clock"})


def test_the_clock_is_spelled_as_it_is_read() -> None:
    for word in ("60", "60+120", "5"):
        clock = read_clock(word)
        assert clock is not None
        assert clock.spelled == word


def test_nobody_sits_down_during_a_game_and_everybody_may_after_it() -> None:
    run = tables.started(2, seats=3)
    assert run.refused("cat", words.Join("t1")).code == "GAME_RUNNING"
    run.play(random.Random(3))
    assert run.table.phase is Phase.OVER
    run.order("cat", words.Join("t1"))
    truth.check(run)


def left_by_bob() -> Run:
    """A running game in which bob has left seat 2, and a bot keeps it."""
    run = tables.started(3, seats=3)
    run.order("bob", words.Leave())
    return run


def test_during_a_game_somebody_takes_over_the_seat_of_a_player_who_has_left() -> None:
    run = left_by_bob()
    assert [seat.number for seat in run.table.vacant] == [2]
    assert run.order("zed", words.Join("t1")) == [
        Left(2, "bot:steady", "replaced"),
        Joined(2, "zed", False),
    ]
    assert run.table.vacant == ()
    assert run.refused("eve", words.Join("t1")).code == "GAME_RUNNING"
    truth.check(run)


def test_only_that_seat_is_taken_over_and_not_another() -> None:
    run = left_by_bob()
    taken = run.refused("zed", words.Join("t1", 1))
    assert taken.code == "SEAT_TAKEN" and taken.text == "Seat 1 is taken; free: 2."
    run.order("zed", words.Join("t1", 2))


def test_whoever_knows_the_cards_of_a_seat_takes_no_other_seat_of_the_same_game() -> None:
    run = left_by_bob()
    run.order("cat", words.Leave())
    assert [seat.number for seat in run.table.vacant] == [2, 3]
    assert run.refused("bob", words.Join("t1", 3)).code == "SEAT_TAKEN"
    run.order("zed", words.Join("t1", 2))
    assert run.refused("bob", words.Join("t1")).code == "GAME_RUNNING"
    run.order("cat", words.Join("t1"))
    assert run.table.seat_of("cat") == run.table.at(3)


def test_a_new_name_does_not_hide_that_somebody_has_left_the_seat() -> None:
    run = left_by_bob()
    run.order("bob", words.Join("t1"))
    run.order("", Renamed("bob", "rob"))
    run.order("rob", words.Leave())
    run.order("cat", words.Leave())
    assert run.refused("rob", words.Join("t1", 3)).code == "SEAT_TAKEN"


@pytest.mark.parametrize("settings", [{"rated": True}, {"locked": True}])
def test_a_seat_is_not_taken_over_where_the_table_does_not_allow_it(
    settings: dict[str, bool],
) -> None:
    run = left_by_bob()
    if "locked" in settings:
        run.order("ann", words.Lock())
    else:
        run.table = tables.with_settings(run.table, rated=True)
    assert run.table.vacant == ()
    assert run.refused("zed", words.Join("t1")).code in ("TABLE_LOCKED", "GAME_RUNNING")


def test_the_seats_of_the_next_game_are_nobodys_from_before() -> None:
    run = left_by_bob()
    run.order("ann", cardplay.Abort())
    run.order("cat", cardplay.Abort())
    run.order("ann", words.Rematch())
    run.order("cat", words.Rematch())
    assert run.table.phase is Phase.PLAYING
    assert run.table.vacant == ()


def test_a_clock_runs_for_whoever_takes_over_the_seat_on_turn() -> None:
    run = tables.started(3, seats=3, clock=TurnClock(60_000, 0))
    mover = run.mover
    seat = run.table.seat_of(mover)
    assert seat is not None
    run.order(mover, words.Leave())
    assert not any(isinstance(each, Wake) for each in run.effects)
    run.order("zed", words.Join("t1"))
    assert any(isinstance(each, Wake) for each in run.effects)
