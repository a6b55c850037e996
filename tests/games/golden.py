"""Golden games: records that can be read, with what happened behind every move.

A playthrough is a record whose comments are its events, so that it replays as it stands.
`python -m tests.games.golden GAME-PRESET...` plays new ones between bots and writes them;
`GAME-PRESET:SEED` plays another one.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from twentytwo_protocol import wire
from twentytwo_protocol.record import Record, RecordedMove, read, write
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import Shuffle
from twentytwo_server.games.game import HOUSE, deed_of
from twentytwo_server.games.registry import games
from twentytwo_server.records.replay import begun
from twentytwo_server.table.match import question

FOLDER = Path(__file__).parent / "playthroughs"
NAMES = {1: "ann", 2: "bob", 3: "cat", 4: "dan"}
SEED = 22


def annotated(record: Record) -> str:
    """The record as text, each move followed by its events."""
    game = games()[record.game]
    state = begun(record, game)
    header, moves = write(record).split("\n\n")
    lines = [header, ""]
    for line, made in zip(moves.splitlines(), record.moves, strict=True):
        state, events = game.play(state, deed_of(game, made.seat, made.act, made.token))
        lines += [line, *(f"#   {wire.write(event)}" for event in events)]
    return "\n".join(lines) + "\n"


def playthroughs() -> Iterator[tuple[Path, Record]]:
    """Every golden game."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield path, read(path.read_text())


def new(key: str, preset: str, seed: int) -> Record:
    """A game of three between bots, two steady and an easy one; or of four, where it takes four."""
    game, chance = games()[key], random.Random(seed)
    rules = game.rules(preset, {})
    size = max(3, game.players(rules).start)
    names = {seat: name for seat, name in NAMES.items() if seat <= size}
    levels = {seat: "steady" if seat % 2 else "easy" for seat in names}
    bots = {s: game.bots.new(level, rules, s, chance.randrange) for s, level in levels.items()}
    state, moves = game.new(rules, size), []
    while (seat := game.turn(state)) is not None:
        if seat == HOUSE:
            pack = list(game.pack(state))
            chance.shuffle(pack)
            made = RecordedMove(HOUSE, "shuffle", Shuffle(tuple(pack)).token)
        else:
            asked = question(game.moves(state), turn=1, seat=seat, ms=None, bank=None)
            made = RecordedMove(seat, asked.act, bots[seat].choose(asked))
        moves.append(made)
        state, events = game.play(state, deed_of(game, made.seat, made.act, made.token))
        for number, bot in bots.items():
            for event in events:
                bot.see(redact(event, number))
    options = {option.name: option.value for option in game.options(rules)}
    return Record(key, game.version, preset, size, options, names, moves=tuple(moves))


def main(wanted: list[str]) -> None:
    """Writes new playthroughs: `twentytwo-pagat`, `twentyeight-denexa:7`."""
    for each in wanted:
        stem, _, seed = each.partition(":")
        key, _, preset = stem.partition("-")
        found = new(key, preset, int(seed or SEED))
        (FOLDER / f"{stem}.txt").write_text(annotated(found))


if __name__ == "__main__":
    main(sys.argv[1:])
