"""Orders before a game: readiness, starting, rematches, opening words; and the first deal."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from twentytwo_protocol.fair import FAIR_ALG, TAKEN_ALG
from twentytwo_protocol.schema import Deed, Event, Refused
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Continued, Shuffle, Vote
from twentytwo_protocol.words.fairness import Seed
from twentytwo_protocol.words.seating import Ready_

from ..games.options import BadOption
from . import fairness, rated, teaching
from . import match as matches
from .deals import Pack
from .decision import Decision
from .match import Match, Words
from .playing import happen
from .table import Phase, Seat


def ready(d: Decision, _: words.Ready) -> None:
    """Marks a person as ready; after a game this is a vote for a rematch."""
    if d.table.phase is Phase.OVER:
        return rematch(d, words.Rematch())
    _set_ready(d, d.own_seat(), True)
    return None


def unready(d: Decision, _: words.Unready) -> None:
    """Marks a person as not ready."""
    _set_ready(d, d.own_seat(), False)


def _set_ready(d: Decision, seat: Seat, value: bool) -> None:
    if value:
        fairness.check_pair(d)
    d.put_seat(replace(seat, ready=value))
    d.tell(Ready_(seat.number, value))


ALREADY_RUNS = "A game is running already: hand shows where it stands, leave gets up from it."
"""The refusal of beginning a game while one is running."""


def rematch(d: Decision, order: words.Rematch) -> None:
    """Votes for another game, which begins when everybody has voted, at both tables of a pair.

    A person who plays only against bots gets it at once. A running game ends without a result; then
    the same command is given again and begins the next.
    """
    fairness.check_pair(d)
    if d.table.phase is Phase.PLAYING:
        kind = d.table.kind
        if len(d.table.people) > 1 or kind.rated or kind.paired or kind.taught:
            raise Refused("GAME_RUNNING", ALREADY_RUNS)
        d.end_without_result("agreed")
        d.then(order)
        return
    seat = d.own_seat()
    if d.table.phase is Phase.OPEN:
        raise Refused("NO_GAME", "There has been no game yet; ready and start begin one.")
    if not seat.ready:
        _set_ready(d, seat, True)
    people = d.table.people
    yes = sum(seat.ready for seat in people)
    if yes < len(people) or d.table.kind.paired:
        d.tell(Vote(d.who.name, "rematch", yes, 0, len(people)))
        return
    begin(d)


def start(d: Decision, _: words.Start) -> None:
    """Starts the game. Everybody but the host must be ready; the host need not be."""
    waiting = [s.name for s in d.table.people if not s.ready and s.name != d.who.name]
    if waiting:
        raise Refused("NOT_READY", f"Not ready yet: {', '.join(waiting)}.")
    begin(d)


def begin(d: Decision) -> None:
    """Begins a game, or first asks for sealed words to be opened.

    Raises `Refused` if the rules do not allow this number of players. Seats are renumbered without
    gaps.
    """
    table = d.table
    rated.check_begin(table)
    players = table.game.players(table.rules)
    if len(table.seats) < players.start:
        opened = table.match is not None or not table.kind.practice
        more = "addbot seats a bot" if opened else f"say bots={players.start - 1}"
        raise Refused(
            "NOT_ENOUGH_PLAYERS",
            f"{table.game.title} needs at least {players.start} players; {more}.",
        )
    try:
        table.game.new(table.rules, len(table.seats))
    except BadOption as wrong:
        raise Refused("BAD_ARG", wrong.text, arg=wrong.option) from None
    _close_gaps(d)
    if fairness.sealed(d):
        fairness.ask_to_open(d)
    else:
        _deal(d)


def seed(d: Decision, order: Seed) -> None:
    """Gives or opens a word for the shuffle; opening the last sealed word begins the game."""
    fairness.say_word(d, order)
    if d.table.phase is Phase.STARTING and not fairness.sealed(d):
        _deal(d)


def _deal(d: Decision) -> None:
    """Fixes the words for the shuffle, and deals the first cards."""
    happen(d, *_begun(d))


def begin_with(d: Decision, words: Words) -> None:
    """Begins a game whose shuffles use these words, of this table and of another."""
    happen(d, *_begun(d, words=words))


def go_on(d: Decision, deeds: Sequence[Deed | Shuffle], source: str, hand: int) -> None:
    """Begins a game with the first deeds of the game `source`; continues in hand `hand`."""
    packs = [deed.cards for deed in deeds if isinstance(deed, Shuffle)]
    match, events = _begun(d, packs)
    house = d.now.deals.house(match.terms.id, match.terms.words, packs)
    d.tell(Continued(source, hand))
    before = len(d.effects)
    happen(d, match, events)
    for deed in deeds:
        if isinstance(deed, Shuffle):
            continue
        after, events = match.play(deed, d.now.at, house)
        step = match.step(deed, events)
        d.keep(step.seat, deed)
        d.remember(step)
        match = after
        d.change(match=match)
        happen(d, match, events)
    # Only the last question needs an answer.
    d.drop_wakes(before)
    d.ask()


def _begun(
    d: Decision, packs: Sequence[Pack] = (), words: Words | None = None
) -> tuple[Match, list[Event]]:
    """Begins a game and announces it; returns its match and its first events.

    `words` are the words for the shuffles, if not those of the table's own seats.
    """
    table, promised = d.table, d.table.promised
    assert promised is not None
    if promised.alg == FAIR_ALG:
        words = tuple(seat.word or None for seat in table.seats)
    if words is not None:
        d.now.deals.freeze(promised.game, words)
    terms = matches.Terms(
        table.game,
        table.rules,
        promised.game,
        len(table.seats),
        table.settings.clock,
        words,
        table.most_hands,
        taken=promised.alg == TAKEN_ALG,
        guide=teaching.guide(table),
    )
    house = d.now.deals.house(promised.game, words, packs)
    match, events = matches.begin(terms, d.now.at, house)
    d.change(
        match=match,
        phase=Phase.PLAYING,
        votes=frozenset(),
        seats=tuple(map(_at_the_start, table.seats)),
        played=(),
        going_on=None,
        players=tuple(seat.name for seat in table.seats),
        began=d.now.at,
    )
    d.tell(matches.announced(match, table.digest))
    return match, events


def _at_the_start(seat: Seat) -> Seat:
    return replace(seat, ready=bool(seat.level), late=0, word="", sealed="", given=0, left=())


def _close_gaps(d: Decision) -> None:
    for number, seat in enumerate(d.table.seats, 1):
        if seat.number != number:
            d.remove_seat(seat)
            d.move_to(seat, number)
