"""The SDK against a scripted server, over a real socket."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from tests.client.kit import ENDING, SEATING, TRICKS, Peer, scripted
from twentytwo_client import (
    Dismissed,
    Refused,
    Timing,
    connect,
    events,
)
from twentytwo_client.sdk import session
from twentytwo_client.sdk.session import PATIENCE
from twentytwo_protocol.words.lobby import Watcher

HASTY = Timing(first=0)

GAME_LINES = [*SEATING, *TRICKS, *ENDING]


def _join(peer: Peer) -> None:
    id = peer.expect(" join t7")
    peer.send(f"{id} OK on=t7 seat=2 seq=2", *SEATING)


def _take(peer: Peer, move: str, seq: int, *events: str) -> None:
    id = peer.expect(f" move {re.escape(move)}")
    peer.send(f"{id} OK on=t7 seq={seq}", *events)


def _whole_game(peer: Peer) -> None:
    peer.greet()
    _join(peer)
    _take(peer, "- turn=2", 12, *TRICKS[:7])
    _take(peer, "2 turn=5", 19, *TRICKS[7:])
    _take(peer, "5+4 turn=9", 29, *ENDING[:4])
    _take(peer, "5 turn=10", 33, *ENDING[4:])
    peer.quit()


async def _play(address: str) -> tuple[list[int], dict[str, int]]:
    async with connect(address, name="bob", timing=HASTY) as bob:
        table = await bob.join("t7")
        turns = []
        async for question in table.questions():
            turns.append(question.event.turn)
            assert await question.play(question.default)  # whatever is lost, the server has it
        return turns, table.places


async def test_a_whole_game() -> None:
    with scripted(_whole_game) as server:
        turns, places = await _play(server.address)
    assert turns == [2, 5, 9, 10]
    assert places == {"~ann": 2, "~bob": 1, "~cat": 2}


async def test_a_connection_lost_at_every_turn_is_not_noticed_by_the_bot() -> None:
    resumes: list[str] = []

    def first(peer: Peer) -> None:
        peer.greet()
        _join(peer)
        peer.expect(" move - turn=2")  # the answer is lost with the connection

    def second(peer: Peer) -> None:
        resumes.append(peer.take_back())
        _take(peer, "- turn=2", 12, *TRICKS[:7])
        peer.expect(" move 2 turn=5")

    def third(peer: Peer) -> None:
        # This time the move did arrive: it comes with what was missed, and is answered as it was.
        resumes.append(peer.take_back(*TRICKS[7:]))
        id = peer.expect(" move 2 turn=5")
        peer.send(f"{id} OK on=t7 seq=19 again=1")
        _take(peer, "5+4 turn=9", 29, *ENDING[:4])

    def fourth(peer: Peer) -> None:
        resumes.append(peer.take_back())
        _take(peer, "5 turn=10", 33, *ENDING[4:])
        peer.quit()

    with scripted(first, second, third, fourth) as server:
        turns, places = await _play(server.address)
    assert turns == [2, 5, 9, 10]
    assert places["~bob"] == 1
    assert [re.findall(r"t7:\d+", line) for line in resumes] == [["t7:11"], ["t7:18"], ["t7:32"]]


@pytest.mark.parametrize("code", ["STALE_TURN", "NOT_YOUR_TURN", "XGLATE"])
async def test_a_move_that_comes_too_late_is_no_error(code: str) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        _join(peer)
        id = peer.expect(" move - turn=2")
        peer.send(
            *TRICKS[:7],
            f"{id} ERR code={code} class=turn turn=5 :That was for an earlier turn.",
        )
        peer.quit()

    with scripted(serve) as server:
        async with connect(server.address, name="bob", timing=HASTY) as bob:
            table = await bob.join("t7")
            question = await anext(table.questions())
            assert not await question.play(question.default)
            assert table.state.seq == 18


@pytest.mark.parametrize("code", ["WRONG_ACT class=turn", "ILLEGAL class=rule", "XGNO class=xgodd"])
async def test_a_move_that_is_wrong_is_an_error(code: str) -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        _join(peer)
        peer.send(f"{peer.expect(' move 9 turn=2')} ERR code={code} :Not that.")
        peer.quit()

    with scripted(serve) as server:
        async with connect(server.address, name="bob", timing=HASTY) as bob:
            table = await bob.join("t7")
            with pytest.raises(Refused, match=code.split()[0]):
                await table.play("9")


def _busy(peer: Peer) -> None:
    hello, guest = peer.expect("hello 1"), peer.expect("guest bob")
    peer.send(f"{hello} OK proto=1", f"{guest} ERR code=BUSY class=limit wait=100 :Too many.")
    peer.wait()


def _turns_away(peer: Peer) -> None:
    peer.send("BYE code=RATE resume=1 wait=100 :Too many new connections.")


@pytest.mark.parametrize("put_off", [_busy, _turns_away])
async def test_a_server_that_puts_us_off_at_first_is_come_back_to_when_it_says(
    put_off: Callable[[Peer], None],
) -> None:
    came: list[float] = []

    def later(peer: Peer) -> None:
        put_off(peer)
        came.append(time.monotonic())

    def serve(peer: Peer) -> None:
        came.append(time.monotonic())
        peer.greet()
        peer.quit()

    with scripted(later, serve) as server:
        async with connect(server.address, name="bob", timing=HASTY) as bob:
            assert bob.name == "~bob"
    left, back = came
    assert back - left >= 0.09


async def test_a_server_that_is_busy_and_does_not_say_for_how_long_says_why() -> None:
    def busy(peer: Peer) -> None:
        hello, guest = peer.expect("hello 1"), peer.expect("guest bob")
        peer.send(f"{hello} OK proto=1", f"{guest} ERR code=DRAINING class=server :Closing.")
        peer.wait()

    with scripted(busy) as server, pytest.raises(Refused, match="DRAINING"):
        async with connect(server.address, name="bob", timing=HASTY):
            pass


async def test_a_move_at_a_table_that_is_closed_meanwhile_is_no_error() -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        _join(peer)
        id = peer.expect(" move - turn=2")
        left = "LEFT on=t7 seq=12 seat=2 name=~bob why=closed"
        peer.send(left, f"{id} ERR code=NO_SUCH_TABLE class=missing :t7 is closed.")
        peer.quit()

    with scripted(serve) as server:
        async with connect(server.address, name="bob", timing=HASTY) as bob:
            table = await bob.join("t7")
            assert not await table.play("-")
            assert table.gone and table.on not in bob.tables


async def test_a_refusal_is_an_exception_with_its_code() -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        id = peer.expect(" join t9")
        peer.send(f"{id} ERR code=NO_SUCH_TABLE class=missing :There is no table t9.")
        peer.quit()

    with scripted(serve) as server:
        async with connect(server.address, name="bob", timing=HASTY) as bob:
            with pytest.raises(Refused) as refused:
                await bob.join("t9")
    assert refused.value.code == "NO_SUCH_TABLE"
    assert "There is no table t9." in str(refused.value)


async def test_where_the_server_asks_to_wait_it_waits_and_says_it_again() -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        for _ in range(2):
            id = peer.expect(" who")
            peer.send(f"{id} ERR code=RATE class=limit wait=50 :Too fast.")
        peer.send(f"{peer.expect(' who')} OK n=0")
        for _ in range(PATIENCE + 1):
            id = peer.expect(" games")
            peer.send(f"{id} ERR code=RATE class=limit wait=1 :Too fast.")
        peer.quit()

    with scripted(serve) as server:
        async with connect(server.address, name="bob", timing=HASTY) as bob:
            assert (await bob.command("who")).ok.n == 0
            with pytest.raises(Refused, match="RATE"):
                await bob.command("games")


async def test_a_listing_has_the_rows_of_all_pages_or_those_of_the_one_that_is_asked_for() -> None:
    asked = []

    def serve(peer: Peer) -> None:
        peer.greet()
        for page in (1, 2, 3, 1):
            id, _, line = peer.read().strip().partition(" ")
            asked.append(line)
            more = "" if page == 3 else f" next=~p{page}"
            peer.send(f"{id} WATCHER name=~p{page}", f"{id} OK n=1{more}")
        peer.quit()

    with scripted(serve) as server:
        async with connect(server.address, name="bob", timing=HASTY) as bob:
            whole = await bob.listing(Watcher, "watchers t7")
            page = await bob.listing(Watcher, "watchers t7 n=1")
    assert [row.name for row in whole] == ["~p1", "~p2", "~p3"]
    assert [row.name for row in page] == ["~p1"]
    pages = ["watchers t7", "watchers t7 after=~p1", "watchers t7 after=~p2"]
    assert asked == [*pages, "watchers t7 n=1"]


async def test_a_name_that_is_refused_ends_it_at_once() -> None:
    def serve(peer: Peer) -> None:
        hello, guest = peer.expect("hello 1"), peer.expect("guest admin")
        peer.send(f"{hello} OK proto=1", f"{guest} ERR code=BAD_NAME class=auth :Not that name.")

    with scripted(serve) as server, pytest.raises(Refused, match="BAD_NAME"):
        async with connect(server.address, name="admin"):
            pass


async def test_where_nobody_listens_there_is_no_connection() -> None:
    with pytest.raises(OSError):
        async with connect("127.0.0.1:1", name="bob", timing=HASTY):
            pass


async def test_where_another_server_goes_on_the_game_goes_on_there() -> None:
    resumes = []

    def goes_on(peer: Peer) -> None:
        resumes.append(peer.take_back(*TRICKS[:7]))
        _take(peer, "2 turn=5", 19, *TRICKS[7:])
        peer.drop()  # and this address is the one to come back to from now on

    def still(peer: Peer) -> None:
        resumes.append(peer.take_back(token="Zk83"))
        _take(peer, "5+4 turn=9", 29, *ENDING[:4])
        _take(peer, "5 turn=10", 33, *ENDING[4:])
        peer.quit()

    with scripted(goes_on, still) as other:

        def moves(peer: Peer) -> None:
            peer.greet()
            _join(peer)
            _take(peer, "- turn=2", 12)
            peer.move_to(other)

        with scripted(moves) as server:
            turns, places = await _play(server.address)
    assert resumes == [
        "resume Zk81 me:0 t7:11 boot=b1",
        "resume Zk82 me:0 t7:28 boot=b1",
    ]
    assert turns == [2, 5, 9, 10]
    assert places["~bob"] == 1


async def test_not_all_come_back_at_one_moment(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(session, "fraction", lambda: 1.0)

    def lose(peer: Peer) -> None:
        peer.greet()

    with scripted(lose) as server, caplog.at_level("INFO"):
        async with connect(server.address, name="bob", timing=Timing(first=0.2)) as bob:
            await bob.until(lambda: caplog.messages)
    assert caplog.messages == ["connection lost; trying again in 0.1 s"]


async def test_being_replaced_is_the_end() -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        _join(peer)
        peer.expect(" move")
        peer.send("BYE code=REPLACED resume=0 :You are connected from elsewhere now.")

    with scripted(serve) as server, pytest.raises(Dismissed, match="elsewhere"):
        await _play(server.address)


async def test_a_seat_that_was_not_kept_is_the_end() -> None:
    def first(peer: Peer) -> None:
        peer.greet()
        _join(peer)

    def second(peer: Peer) -> None:
        hello, resume = peer.expect("hello 1"), peer.expect("resume Zk81")
        peer.send(
            f"{hello} OK proto=1", f"{resume} ERR code=BAD_TOKEN class=auth :Nothing any more."
        )
        peer.wait()

    with scripted(first, second) as server, pytest.raises(Dismissed, match="not kept"):
        await _play(server.address)


async def test_what_is_said_in_the_lobby_comes_of_the_server() -> None:
    def serve(peer: Peer) -> None:
        peer.greet()
        peer.expect(" follow lobby")
        peer.send("@3 OK on=lobby", "SHOUTED on=lobby seq=7 by=~ann :anyone?")
        peer.quit()

    with scripted(serve) as server:
        async with connect(server.address, name="bob", timing=HASTY) as bob:
            await bob.command("follow lobby")
            assert await anext(bob) == events.Shouted("~ann", "anyone?")
        assert [event async for event in bob] == []  # we have left


# ------------------------------------------------------------------------- half-open connections

IMPATIENT = Timing(first=0, quiet=0.05, answer=0.2)


async def test_a_server_that_falls_silent_is_probed_and_left_and_the_seat_taken_back() -> None:
    resumed: list[str] = []

    def vanish(peer: Peer) -> None:
        # The connection stays open: nothing comes of it any more, as after a pulled cable.
        peer.greet()
        _join(peer)
        peer.expect(" ping")
        peer.wait()

    def again(peer: Peer) -> None:
        resumed.append(peer.take_back(*TRICKS[:7]))
        while True:
            line = peer.read()
            if " quit" in line or not line:
                break
            if " ping" in line:
                peer.send(f"{line.split()[0]} OK pong=-")
            if " move 2 turn=5" in line:
                peer.send(f"{line.split()[0]} OK on=t7 seq=19", *TRICKS[7:])
        peer.send(f"{line.split()[0]} OK", "BYE code=QUIT resume=0 :Goodbye.")

    with scripted(vanish, again, again, again) as server:
        async with connect(server.address, name="bob", timing=IMPATIENT) as bob:
            table = await bob.join("t7")
            turns = table.questions()
            assert (await anext(turns)).event.turn == 2
            second = await anext(turns)  # asked while we were away
            assert second.event.turn == 5
            await second.play("2")
    assert resumed[0] == "resume Zk81 me:0 t7:11 boot=b1"


async def test_a_server_that_answers_probes_is_kept() -> None:
    probes = 0

    def serve(peer: Peer) -> None:
        nonlocal probes
        peer.greet()
        asked = ""
        while probes < 3 or not asked:
            id, _, line = peer.read().partition(" ")
            if line.startswith("ping"):
                probes += 1
                peer.send(f"{id} OK pong=-")
            else:
                assert line.startswith("who"), line
                asked = id
        peer.send(f"{asked} OK n=0")
        peer.quit()

    patient = Timing(first=0, quiet=0.02, answer=30)
    with scripted(serve) as server:
        async with connect(server.address, name="bob", timing=patient) as bob:
            assert (await bob.command("who")).ok.n == 0
    assert probes >= 3


async def test_a_server_that_takes_the_connection_and_never_speaks_is_no_server() -> None:
    with (
        scripted(lambda peer: peer.wait()) as server,
        pytest.raises(ConnectionError, match="before it answered"),
    ):
        async with connect(server.address, name="bob", timing=Timing(first=0, greeting=0.05)):
            pass
