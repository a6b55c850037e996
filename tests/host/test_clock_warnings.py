"""People are told that their time runs out: when the reserve begins, and before the end."""

from __future__ import annotations

from tests.kit.hosts import Peer, World


def two(clock: str) -> tuple[World, Peer, Peer]:
    """A game of two people with that clock; who is asked first, and the other."""
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say(f"open seats=2 clock={clock}")
    bob.say("join t1", "ready")
    ann.say("start")
    mover = world.on_turn()
    ann.take()
    bob.take()
    return world, mover, bob if mover is ann else ann


def seconds(world: World, peers: list[Peer], count: int) -> dict[int, list[str]]:
    """What so many seconds bring, by second; each is one sweep over all connections."""
    heard: dict[int, list[str]] = {}
    for second in range(1, count + 1):
        world.advance(1000)
        for peer in peers:
            world.commands.each_second(peer.session)
            heard.setdefault(second, []).extend(peer.take())
    return {second: lines for second, lines in heard.items() if lines}


def test_the_end_is_announced_once_to_the_player_on_turn() -> None:
    world, mover, _ = two("60")
    assert seconds(world, [mover], 55) == {45: ["* 15 s left; then you keep your cards."]}


def test_the_others_hear_of_the_clock_too_but_not_which_card_it_would_play() -> None:
    world, mover, other = two("30+30")
    eve = world.person("eve")
    eve.say("watch t1")
    eve.take()
    name = mover.session.name
    assert f"It is {name}'s turn (30 s)." in other.say("hand")
    assert f"It is {name}'s turn (30 s)." in eve.say("score t1")
    heard = {
        30: [f"* The time for this move is up: {name}'s reserve runs, 30 s."] * 2,
        45: [f"* {name} has 15 s left."] * 2,
    }
    assert seconds(world, [other, eve], 55) == heard


def test_a_bot_that_thinks_has_no_clock_to_warn_of() -> None:
    world = World(pause=60_000)
    ann = world.person("ann")
    ann.say("open seats=2 clock=5", "addbot", "start", "keep")
    seat = world.room().table.on_turn
    assert seat is not None and seat.level
    ann.take()
    assert seconds(world, [ann], 5) == {}


def test_clocks_of_two_tables_are_each_warned_of_once() -> None:
    world, mover, _ = two("20")
    cat = world.person("cat")
    mover.say("open seats=2 clock=20")
    cat.say("join t2", "ready")
    mover.say("start")
    mover.take()
    heard = seconds(world, [mover], 15)
    assert [line[:4] for line in heard[10]] == [
        "[t1]",
        "* 10" if mover is world.on_turn("t2") else "* ~c",
    ]
    assert list(heard) == [10]


def test_the_reserve_is_announced_before_the_end() -> None:
    world, mover, _ = two("10+30")
    heard = seconds(world, [mover], 40)
    assert heard[10] == ["* The time for this move is up: your reserve runs, 30 s."]
    assert heard[35] == ["* 5 s left; then you keep your cards."]
    assert list(heard) == [10, 35]


def test_each_turn_is_announced_anew_with_what_will_be_played() -> None:
    world, mover, other = two("20")
    mover.say("keep")
    assert world.on_turn() is other
    other.say("keep")
    leader = world.on_turn()
    leader.take()
    heard = seconds(world, [leader], 12)
    default = world.room().table.match.question.default  # type: ignore[union-attr]  # it runs
    assert default is not None
    assert heard == {
        10: [f"* 10 s left; then {default.lower().replace('t', '10')} is played for you."]
    }


def test_a_clock_that_stands_still_warns_of_nothing() -> None:
    world, mover, other = two("20")
    for peer in (mover, other):
        peer.say("pause")
        peer.take()
    other.take()
    mover.take()
    assert seconds(world, [mover, other], 60) == {}
    mover.say("unpause")
    mover.take()
    assert list(seconds(world, [mover], 15)) == [10]


def test_where_no_clock_runs_nothing_is_said_and_another_table_is_named() -> None:
    ann = World().person("ann")
    ann.say("practice bots=1 seed=22")
    assert seconds(ann.world, [ann], 3) == {}
    world, mover, _ = two("20")
    mover.say("open twentytwo")
    mover.take()
    assert seconds(world, [mover], 11) == {10: ["[t1] * 10 s left; then you keep your cards."]}


def test_the_question_says_how_long_there_is_at_an_exchange_too() -> None:
    _, mover, _ = two("20")
    assert any(line.startswith("Your turn (20 s): exchange up to") for line in mover.say("hand"))


def test_a_secret_word_may_be_written_in_capitals() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    ann.say("open private=kiwi")
    assert any("You sit down in seat 2." in line for line in bob.say("join KIWI"))


def test_a_title_may_follow_the_options() -> None:
    world = World()
    for line, title in (
        ("open seats=3 Friday night", "Friday night"),
        (
            "open twentytwo seats=4 clock=30+60 rules=tvtropes straights=on Friday night",
            "Friday night",
        ),
        ("open seats=3 whist", ""),
    ):
        world.person(f"p{len(world.host.rooms)}").say(line)
        assert [*world.host.rooms.values()][-1].table.settings.title == title, line
    assert [*world.host.rooms.values()][-1].table.game.key == "whist22"
    assert "There is no game whits22" in "\n".join(world.person("cat").say("open whits22"))
    assert len(world.host.rooms) == 3
