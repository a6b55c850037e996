"""The same person on two connections, their bytes coming in between each other's in every way.

The newest connection wins. Whatever the older one said has its effect once, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.kit.length import times
from tests.races.house import PASSWORD, Caller, House
from twentytwo_protocol.wire import ParsedLine

pytestmark = pytest.mark.usefixtures("quiet")


def at_once(house: House) -> None:
    """What is to be kept is safe at once."""


def one_by_one(house: House) -> None:
    """With every packet something that came before is safe."""
    house.store.release_one()


def nothing_yet(house: House) -> None:
    """Nothing is safe until all packets are there."""


STORES = [at_once, one_by_one, nothing_yet]

Packets = Sequence[tuple[str, str]]
"""What comes in, in order: on the `old` or the `new` connection, and the bytes."""


STEP = times(8, long=1)
"""Bytes between two places at which a stream is cut within a line."""


def interleavings(old: str, new: str) -> Iterator[Packets]:
    """Both streams cut once: one anywhere, the other where a line ends, or just before."""
    for i, j in {*_cuts(old, new), *((i, j) for j, i in _cuts(new, old))}:
        yield [("old", old[:i]), ("new", new[:j]), ("old", old[i:]), ("new", new[j:])]
        yield [("new", new[:j]), ("old", old[:i]), ("new", new[j:]), ("old", old[i:])]


def _cuts(anywhere: str, at_ends: str) -> Iterator[tuple[int, int]]:
    for i in {*range(0, len(anywhere) + 1, STEP), *_near_ends(anywhere)}:
        for j in _near_ends(at_ends):
            yield i, j


def _near_ends(stream: str) -> set[int]:
    ends = [at for at, sign in enumerate(stream, 1) if sign == "\n"]
    return {0, *(end + by for end in ends for by in (-1, 0))}


@contextmanager
def told(packets: Packets) -> Iterator[None]:
    """A failure says what came in."""
    try:
        yield
    except AssertionError as wrong:
        wrong.add_note(f"{packets}")
        raise


class Race:
    """ann at a table with bob, it is her turn; she is on the old connection, and on a new one."""

    def __init__(self, come_back: Callable[[Race], str], *, account: bool = False) -> None:
        self.house, self.account = House(), account
        self.bob = self.house.guest("bob")
        self.old = self.house.account("ann") if account else self.house.guest("ann")
        self.house.game(self.bob, self.old)
        while self.house.on_turn(self.bob, self.old) is self.bob:
            self.bob.ask(f"move {self.house.moves()[0]}")
        self.new = self.house.caller()
        self.turn = self.house.match.turn
        self.one, self.two = self.house.moves()
        self.seen = self.house.room.stream.last
        for caller in (self.old, self.bob):
            caller.listen()
            caller.heard.clear()
        self.made = len(self.house.inputs("move"))
        self.lines = {
            "old": f"@m1 move {self.one} turn={self.turn}\n@s1 say :one\n",
            "new": f"@in {come_back(self)}\n@m2 move {self.two} turn={self.turn} t1\n"
            "@s2 say :two\n",
        }

    def run(self, packets: Packets, store: Callable[[House], None]) -> None:
        """The packets come in, then everything is safe."""
        self.house.store.late = store is not at_once
        for where, data in packets:
            self.old.send(data) if where == "old" else self.new.send(data)
            store(self.house)
        self.house.store.late = False
        self.house.store.release()
        self.house.world.advance(1000)

    def check(self) -> None:
        """The newest has won, and everything was done once or not at all."""
        assert (answer := self.new.answer("in")) is not None
        assert answer.word == "OK", answer
        assert self.old.byes == ["REPLACED"]
        assert not self.old.line.connected
        assert self.new.line.connected
        self._check_the_move()
        self._check_what_was_said()
        self._check_the_events(self.bob.events(), self.seen)
        # Who resumes is told what they missed; who logs in, where the table stands.
        rows = [at for at in self.new.heard if at.word == "AT" and at.on == "t1"]
        stands = int(rows[0].fields["seq"])
        self._check_the_events(self.new.events(), stands if self.account else self.seen)
        (ann,) = [seat for seat in self.house.room.table.seats if seat.name == self.old.name]
        assert ann.here

    def _check_the_move(self) -> None:
        made = self.house.inputs("move")[self.made :]
        assert len(made) == 1
        assert self.house.match.turn == self.turn + 1
        first, second = self.old.answer("m1"), self.new.answer("m2")
        assert second is not None
        assert (f'"{self.two}"' in made[0].order) == (second.word == "OK")
        if second.word == "OK":
            assert first is None or first.word == "ERR"
        else:
            assert second.fields["code"] in ("STALE_TURN", "NOT_YOUR_TURN")
        played = [each for each in self.bob.events() if each.word in ("EXCHANGED", "PLAYED")]
        assert len(played) == 1

    def _check_what_was_said(self) -> None:
        said = [each.text for each in self.bob.events() if each.word == "SAID"]
        for id, caller, text in (("s1", self.old, "one"), ("s2", self.new, "two")):
            answer = caller.answer(id)
            assert said.count(text) <= 1
            if answer is not None:
                assert (answer.word == "OK") == (text in said)
        assert "two" in said

    def _check_the_events(self, events: list[ParsedLine], after: int) -> None:
        numbers = [event.seq for event in events]
        assert numbers == list(range(after + 1, self.last + 1))

    @property
    def last(self) -> int:
        return self.house.room.stream.last


def resumes(race: Race) -> str:
    return f"resume {race.old.token} t1:{race.seen}"


def logs_in(race: Race) -> str:
    return f"login ann :{PASSWORD}"


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("come_back", [resumes, logs_in])
def test_whoever_comes_back_elsewhere_replaces_the_older_connection(
    come_back: Callable[[Race], str], store: Callable[[House], None]
) -> None:
    account = come_back is logs_in
    lines = Race(come_back, account=account).lines
    for packets in sorted(map(tuple, interleavings(lines["old"], lines["new"]))):
        race = Race(come_back, account=account)
        with told(packets):
            race.run(packets, store)
            race.check()


# ------------------------------------------------------------------------ three connections


@pytest.mark.parametrize("store", STORES)
def test_of_two_that_resume_with_one_token_the_newest_wins(store: Callable[[House], None]) -> None:
    first, second = "@in resume {token} t1:0\n@w whoami\n", "@in resume {token} t1:0\n@v whoami\n"
    length = len(first)
    for i in range(length + 1):
        house = House()
        bob, ann = house.guest("bob"), house.guest("ann")
        house.game(bob, ann)
        one, two = house.caller(), house.caller()
        lines = first.format(token=ann.token), second.format(token=ann.token)
        house.store.late = store is not at_once
        # The one whose whole line is there later has come later.
        for caller, data in ((one, lines[0][:i]), (two, lines[1]), (one, lines[0][i:])):
            caller.send(data)
            store(house)
        house.store.late = False
        house.store.release()
        house.world.advance(1000)
        later = one if "\n" not in lines[0][:i] else two
        with told([("one", lines[0][:i])]):
            waited = store is nothing_yet
            _check_one_of(house, ann, one, two, later, waited=waited)


def _check_one_of(
    house: House, ann: Caller, one: Caller, two: Caller, later: Caller, *, waited: bool
) -> None:
    earlier = two if later is one else one
    answer = later.answer("in")
    assert answer is not None
    assert answer.word == "OK"
    assert [caller.line.connected for caller in (ann, earlier, later)] == [False, False, True]
    assert ann.byes == earlier.byes == ["REPLACED"]
    refused = earlier.answer("in")
    assert refused is not None
    # Who is in already when the newer one comes was let in, and is sent away.
    assert refused.fields.get("code", "OK") == ("FORBIDDEN" if waited else "OK")
    assert later.ask("whoami").fields["name"] == "~ann"
    (person,) = [each for each in house.world.host.people if each.name == "~ann"]
    assert person.session is later.line.channel.session
