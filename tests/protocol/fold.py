"""Streams of tables with what a viewer knows after each line, for models in any language.

    python -m tests.protocol.fold

writes them anew, one file for each of `SCENES`, to protocol/vectors/fold. The first line of a file
says whose view it is (`me`, null for a spectator). Every other has the line that was sent, and in
`model` those parts of what is known that are now another than before it, null for what is no
longer there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.kit.hosts import Peer, World
from twentytwo_protocol import wire
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Turn

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors" / "fold"


class Numbered(TableModel):
    """A model that knows the numbers of the events that stand."""

    __slots__ = ("numbers",)
    numbers: dict[int, int]

    @property
    def standing_at(self) -> Iterator[int]:
        """The numbers of the events that stand."""
        return (self.numbers[id(event)] for event in self.standing)


def known(model: Numbered) -> dict[str, Any]:
    """What a model holds, under the keys of STATE and SEAT; what there is not is left out.

    Cards of a hand are sorted as text, since their order means nothing; `standing` are the numbers
    of the events that still stand.
    """
    game, hand, promise = model.game, model.hand, model.promise
    found: dict[str, Any] = {
        "phase": model.phase,
        "host": model.host,
        "paused": model.paused,
        "game": game and _fields(game, "game id players version ruleshash target start sides"),
        "hand": hand and _fields(hand, "no dealer size stock"),
        "committed": promise and _fields(promise, "id no alg hash"),
        "stock": model.stock,
        "trick": model.trick,
        "leader": model.leader,
        "words": model.words,
        "options": dict(model.options),
        "standing": list(model.standing_at),
    }
    for number, seat in model.seats.items():
        fields = _fields(seat, "name bot ready here standin total out place tricks points")
        more: dict[str, Any] = {"word": seat.word or None, "sealed": seat.sealed or None}
        more["cards"] = sorted(model.holding) if number == model.me else None
        more["seen"] = sorted(seat.seen) or None
        found[f"seat {number}"] = _there(fields | {"n": seat.cards} | more)
    return _there(found)


def _fields(facts: object, keys: str) -> dict[str, Any]:
    return _there({key: getattr(facts, key) for key in keys.split()})


def _there(values: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}
    return {key: value for key, value in plain.items() if value is not None}


def folded(me: int | None, lines: list[str]) -> Iterator[dict[str, Any]]:
    """A vector for each line, as the viewer at seat `me` is sent them."""
    model = Numbered("t1", me)
    model.numbers = {}
    before: dict[str, Any] = {}
    for line in lines:
        record = wire.parse(line)
        event = wire.decode(record) if record else None
        assert record is not None and isinstance(event, Event), line
        model.numbers[id(event)] = record.seq
        model.see(event, record.seq)
        now = json.loads(json.dumps(known(model)))
        changed = {key: now.get(key) for key in now | before if now.get(key) != before.get(key)}
        yield {"line": line, "model": changed}
        before = now


# ------------------------------------------------------------------------------------- scenes

Choice = Callable[[Turn], str]
"""Which move answers a question."""
SECRET = "kitten"
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus")


def _default(asked: Turn) -> str:
    return asked.default or "-"


def play(world: World, choose: Choice = _default, *, turns: int = 10_000) -> None:
    """Answers questions at the table until the game is over, or so many."""
    for _ in range(turns):
        table = world.room().table
        if table.match is None or table.match.question is None:
            return
        seat = table.on_turn
        assert seat is not None
        if seat.played_by_bot:
            world.advance(1000)
        else:
            question = table.match.question
            world.on_turn().ok(f"move {choose(question)} turn={question.turn} t1")


def sent(viewer: Peer) -> list[str]:
    """All that the viewer is sent of the table, from its beginning."""
    viewer.ok("sync t1 from=0")
    return [line for line in viewer.lines if " on=t1 " in line and not line.startswith("@")]


def _evening() -> tuple[Peer, Peer]:
    """Everything that can happen at a table: two who have a seat there, or watch, to the end."""
    world = World(dev=True)
    ann, bob, cat, dan, eve = (world.program(name) for name in NAMES[:5])
    ann.ok("open twentytwo seats=5 options=limit:10,first_hand:3 clock=30+60")
    for peer, seat in ((bob, 2), (cat, 4), (dan, 5)):
        peer.ok(f"join t1 {seat}")
    eve.ok("watch t1")
    ann.ok("swap 4 t1")
    ann.ok("option exchange off t1")
    ann.ok("option exchange on t1")
    bob.ok(f"seed {SECRET} t1")
    cat.ok(f"seedhash {sha256(SECRET.encode()).hexdigest()} t1")
    for peer in (bob, cat, dan):
        peer.ok("ready t1")
    dan.ok("unready t1")
    dan.ok("ready t1")
    ann.ok("start t1")
    dan.ok("leave t1")
    cat.ok(f"seedhash {sha256(SECRET.encode()).hexdigest()} t1")
    bob.ok("ready t1")
    cat.ok("ready t1")
    ann.ok("start t1")
    cat.ok(f"seed {SECRET} t1")
    play(world, turns=2)
    for peer in (ann, bob, cat):
        peer.ok("pause t1")
    ann.ok("unpause t1")
    bob.drop()
    again = world.program()
    again.ok(f"resume {bob.token}")
    bob = again
    cat.ok("say :t1 :well")
    bob.ok("leave t1")
    play(world)
    ann.ok("host cat t1")
    ann.ok("register annie :three blind mice")
    cat.ok("ready t1")
    ann.ok("ready t1")
    play(world, turns=3)
    for peer in (ann, cat):
        peer.ok("abort t1")
    return ann, eve


def _game(options: str, viewer: int, choose: Choice, needs: str, seats: int) -> list[str]:
    """What a seat is sent of the first game by these options in which a line has what it needs."""
    for seed in range(1, 1000):
        world = World(dev=True)
        peers = [world.program(name) for name in NAMES[:seats]]
        peers[0].ok(f"open {options} seats={seats} clock=0 seed={seed}")
        for peer in peers[1:]:
            peer.ok("join t1")
            peer.ok("ready t1")
        peers[0].ok("start t1")
        play(world, choose)
        lines = sent(peers[viewer - 1])
        if all(any(part in line for line in lines) for part in needs.split("|")):
            return lines
    raise AssertionError(f"no game with {needs}")


def _jokers(asked: Turn) -> str:
    """A play with a joker where there is one, of more than one card where there is one."""
    return max(asked.legal or [_default(asked)], key=lambda move: ("X" in move, len(move)))


def _least(asked: Turn) -> str:
    """The Fool at its lowest, otherwise the default."""
    return "F0" if "F0" in (asked.legal or ()) else _default(asked)


def _redeal(asked: Turn) -> str:
    """A new deal where one may be asked for, and the trump called for."""
    wanted = {"redeal", "call"} & {*(asked.legal or ())}
    return min(wanted) if wanted else _default(asked)


def _asked_at_once() -> list[str]:
    """Two seats are asked at once. No game does so yet; these lines are written by hand."""
    lines = (
        "JOINED on=t1 seat=1 name=~ann bot=0",
        "JOINED on=t1 seat=2 name=~bob bot=0",
        "GAME on=t1 game=xhearts id=g1 players=2 version=1 ruleshash=0",
        "HAND on=t1 no=1 dealer=1 size=3 stock=46",
        "DEALT on=t1 seat=2 n=3",
        "DEALT on=t1 seat=1 n=3 cards=2C,9D,KH",
        "TURN on=t1 turn=1 seat=1 act=pass choose=subset min=2 max=2 cards=2C,9D,KH default=2C+9D",
        "TURN on=t1 turn=2 seat=2 act=pass",
        "ANSWERED on=t1 turn=2 seat=2",
        "ANSWERED on=t1 turn=1 seat=1",
        "EXCHANGED on=t1 seat=1 n=2 gave=9D,KH got=3S,4S",
        "EXCHANGED on=t1 seat=2 n=2",
    )
    return [line.replace(" on=t1", f" on=t1 seq={n}") for n, line in enumerate(lines, 1)]


def scenes() -> Iterator[tuple[str, int | None, list[str]]]:
    """Every file: its name, whose view it is, the lines."""
    ann, eve = _evening()
    yield "evening-seat", 4, sent(ann)
    yield "evening-watcher", None, sent(eve)
    yield "asked-at-once", 1, _asked_at_once()
    yield (
        "twentysix",
        2,
        _game("twentysix options=limit:10,first_hand:4", 2, _jokers, " seat=2 cards=XK|gave=", 2),
    )
    yield (
        "whist22",
        2,
        _game("whist22 rules=bga options=start_score:4", 2, _least, "cards=F0| seen=", 7),
    )
    yield (
        "twentyeight",
        1,
        _game(
            "twentyeight options=redeal_no_points:yes,target:1,loss_limit:1",
            1,
            _redeal,
            "REDEALT|TRUMP on=t1 seq=|CONTRACT|caller=",
            4,
        ),
    )


def files() -> dict[str, str]:
    """The text of every file, by its name."""
    found = {}
    for name, me, lines in scenes():
        vectors = [{"me": me}, *folded(me, lines)]
        found[f"{name}.jsonl"] = "".join(json.dumps(each) + "\n" for each in vectors)
    return found


def main() -> None:
    """Writes every file anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text)
        print(f"wrote {FOLDER / name}")


if __name__ == "__main__":
    main()
