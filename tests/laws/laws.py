"""The laws: what must hold for every game, its presets, any options and any number of seats.

A `Case` is a number that stands for a whole random game: the rules, the seats, every shuffle
and every move follow from it, so that a failure is told by its case alone. Laws know nothing of
a game but the interface `Game` and the words that it uses.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from twentytwo_protocol import record as records
from twentytwo_protocol import wire
from twentytwo_protocol.cards import Card
from twentytwo_protocol.games.twentyeight import Trump, Trump_
from twentytwo_protocol.games.twentytwo import Exchange
from twentytwo_protocol.record import Record, RecordedMove
from twentytwo_protocol.schema import Deed, Event, Malformed, redact
from twentytwo_protocol.words.cardplay import (
    Dealt,
    Exchanged,
    Gameover,
    Hand_,
    Handover,
    Play,
    Played,
    Result,
    Shown,
    Shuffle,
)
from twentytwo_server.games.game import HOUSE, AnyGame, Illegal, Moves
from twentytwo_server.games.options import BadOption, knobs
from twentytwo_server.games.registry import games
from twentytwo_server.records.replay import replay

BOUND = 50_000
"""No game takes so many moves, if its scores only rise."""
ENOUGH = 200
"""Where they may fall, chance may never end it: it is broken off after so many."""
ENDING = {"twentyeight": {"target": range(1, 11), "loss_limit": range(1, 13)}}
"""Options by which such games come to their end, by game."""
SMALL = 300
"""So many legal moves are looked at one by one."""


class Broken(AssertionError):
    """A law does not hold."""


def require(holds: bool, law: str) -> None:
    """Raises `Broken` where a law does not hold."""
    if not holds:
        raise Broken(law)


# ---------------------------------------------------------------------------------- a random game


@dataclass(frozen=True, slots=True)
class Case:
    """A random game: its game's key, the preset that its rules start from, and a number."""

    game: str
    preset: str
    number: int

    def __str__(self) -> str:
        return f"{self.game}/{self.preset}#{self.number}"

    @property
    def chance(self) -> random.Random:
        """The source of all that is random about it."""
        return random.Random(str(self))


class Step(NamedTuple):
    """A move of a game: who made it, in which state, and what happened."""

    before: Any
    seat: int
    deed: Deed | Shuffle
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A game to its end, or until it was broken off."""

    game: AnyGame
    preset: str
    rules: Any
    seats: int
    steps: tuple[Step, ...]
    end: Any

    @property
    def events(self) -> list[Event]:
        """All that happened."""
        return [event for step in self.steps for event in step.events]

    @property
    def over(self) -> bool:
        """Whether it was played to its end."""
        return self.game.turn(self.end) is None

    @property
    def record(self) -> Record:
        """The record of the game."""
        options = {option.name: option.value for option in self.game.options(self.rules)}
        moves = tuple(
            RecordedMove(step.seat, step.deed.act, step.deed.token) for step in self.steps
        )
        return Record(
            self.game.key, self.game.version, self.preset, self.seats, options, moves=moves
        )


def every_preset() -> list[tuple[str, str]]:
    """Every game in the registry with each of its presets."""
    return [(game.key, preset) for game in games().values() for preset in game.presets]


def played(case: Case) -> Playthrough:
    """The game of a case. Raises `Broken` where it goes on and on though its scores rise."""
    chance = case.chance
    game = games()[case.game]
    rules = _any_rules(game, case.preset, chance)
    seats = _any_seats(game, rules, chance)
    state = game.new(rules, seats)
    steps: list[Step] = []
    random_number = chance.random

    def pick(choices: int) -> int:
        return int(random_number() * choices)

    fell, totals = False, game.totals(state)
    while (seat := game.turn(state)) is not None and not (fell and len(steps) >= ENOUGH):
        require(len(steps) < BOUND, f"a game ends within {BOUND} moves")
        deed: Deed | Shuffle
        if seat == HOUSE:
            deed = Shuffle(tuple(sorted(game.pack(state), key=lambda _: random_number())))
        else:
            deed = game.moves(state).any(pick)
        after, events = game.play(state, deed)
        steps.append(Step(state, seat, deed, tuple(events)))
        before, totals = totals, game.totals(after)
        fell = fell or _fell(before, totals)
        state = after
    return Playthrough(game, case.preset, rules, seats, tuple(steps), state)


def _fell(before: tuple[int, ...], now: tuple[int, ...]) -> bool:
    """Whether a score has become less."""
    return before != now and any(a > b for a, b in zip(before, now, strict=True))


def _any_rules(game: AnyGame, preset: str, chance: random.Random) -> Any:
    """The preset, or one time in five with options changed at random.

    Half of the games that chance may never end get limits by which they end soon.
    """
    rules = game.presets[preset]
    if game.key in ENDING and chance.randrange(2):
        limits = {name: str(chance.choice(values)) for name, values in ENDING[game.key].items()}
        return game.rules(preset, limits)
    while not chance.randrange(5):
        changed = chance.sample([*knobs(rules).items()], chance.randint(1, 4))
        changes = {name: str(chance.choice(knob.allowed)) for name, knob in changed}
        try:
            return game.rules(preset, changes)
        except BadOption:
            continue
    return rules


def _any_seats(game: AnyGame, rules: Any, chance: random.Random) -> int:
    """A number of players that the rules allow; large tables are rare."""
    players = game.players(rules)
    while True:
        seats = min(chance.choices(players, k=3))
        try:
            game.new(rules, seats)
        except BadOption:
            continue
        return seats


# ------------------------------------------------------------------------------------ light laws


def check_lightly(game: Playthrough) -> None:
    """The laws that look at every event once."""
    cards_are_conserved(game)
    a_game_ends_with_its_result(game)


def cards_are_conserved(game: Playthrough) -> None:
    """No card appears that was not in the pack, none is in two places, and hands are as said."""
    table = Cards()
    for step in game.steps:
        if isinstance(step.deed, Shuffle):
            table.pack = Counter(step.deed.cards)
        for event in step.events:
            table.see(event)


class Cards:
    """Where the cards are."""

    def __init__(self) -> None:
        self.pack: Counter[Card] = Counter()
        self.held: dict[int, list[Card]] = {}

    def see(self, event: Event) -> None:
        """Takes in an event. Raises `Broken` where it moves a card that is not there."""
        match event:
            case Hand_():
                self.held.clear()
            case Handover():
                require(not any(self.held.values()), "at the end of a hand nobody holds cards")
            case Dealt():
                cards = event.cards or event.seen or ()
                self._draw(event.seat, cards)
                require(len(cards) == event.n, "DEALT counts its cards")
            case Exchanged():
                self._drop(event.seat, event.gave or ())
                self._draw(event.seat, event.got or ())
                require(len(event.got or ()) == len(event.gave or ()) == event.n, "an exchange")
            case Played():
                self._drop(event.seat, event.cards)
                require(len(self.held[event.seat]) == event.left, "PLAYED counts what is left")
            case Shown():
                self._drop(event.seat, (event.card,))
                require(not self.held[event.seat], "the card shown is the last")
            case _:
                pass

    def _draw(self, seat: int, cards: Sequence[Card]) -> None:
        for card in cards:
            require(self.pack[card] > 0, f"{card} is drawn from the pack")
            self.pack[card] -= 1
            self.held.setdefault(seat, []).append(card)

    def _drop(self, seat: int, cards: Sequence[Card]) -> None:
        held = self.held.get(seat, [])
        for card in cards:
            # A wild card goes whatever it was played as.
            held_as = card if card in held else card[:1]
            require(held_as in held, f"seat {seat} holds {card}")
            held.remove(held_as)


def a_game_ends_with_its_result(game: Playthrough) -> None:
    """One RESULT for every seat, best first, with the totals; then GAMEOVER with the winners."""
    if not game.over:
        return
    *results, over = game.steps[-1].events[-game.seats - 1 :]
    require(isinstance(over, Gameover), "the last event is GAMEOVER")
    assert isinstance(over, Gameover)
    found = [event for event in results if isinstance(event, Result)]
    require(sorted(r.seat for r in found) == [*range(1, game.seats + 1)], "a RESULT for each seat")
    require([r.place for r in found] == sorted(r.place for r in found), "results in order")
    first = tuple(r.seat for r in found if r.place == 1)
    require(first == over.winners, "the winners have place 1")
    totals = game.game.totals(game.end)
    require(all(totals[r.seat - 1] == r.total for r in found), "results tell the totals")
    last = [event for event in game.events if isinstance(event, Handover)][-1]
    require(last.totals == totals, "so does the last HANDOVER")


# ------------------------------------------------------------------------------------ heavy laws


def check_heavily(game: Playthrough, chance: random.Random) -> int:
    """All the laws, on a sample of the game's states.

    Returns in how many worlds that a viewer cannot tell apart the game was played again.
    """
    check_lightly(game)
    a_record_replays(game)
    events_survive_both_encodings(game, chance)
    asked = [step for step in game.steps if step.seat != HOUSE]
    for step in chance.sample(asked, min(12, len(asked))):
        what_is_listed_is_playable(game, step)
        what_is_refused_changes_nothing(game, step, chance)
    a_shuffle_is_of_the_pack(game, chance)
    return sum(two_worlds_look_the_same(game, chance) for _ in range(6))


def a_record_replays(game: Playthrough) -> None:
    """The record, written and read, gives the same events and the same state."""
    text = records.write(game.record)
    again = records.read(text)
    require(again == game.record, "a record survives writing and reading")
    found = replay(again, games())
    require(list(found.events) == game.events, "a record replays to the same events")
    require(found.state == game.end, "and to the same state")


def events_survive_both_encodings(game: Playthrough, chance: random.Random) -> None:
    """As lines and as JSON, as every viewer sees them."""
    for event in chance.sample(game.events, min(60, len(game.events))):
        for viewer in (None, *range(1, game.seats + 1)):
            seen = redact(event, viewer)
            line = wire.parse(wire.write(seen, on="t1", seq=7))
            assert line is not None
            require(wire.decode(line) == seen, f"{seen} survives a line")
            again = wire.parse_json(wire.write_json(seen, on="t1", seq=7))
            require(wire.decode(again) == seen, f"{seen} survives JSON")


def what_is_listed_is_playable(game: Playthrough, step: Step) -> None:
    """Every legal move can be played; they are counted right; the default comes first."""
    moves = game.game.moves(step.before)
    require(moves.default in moves, "the default is legal")
    require(moves.why(moves.default) is None, "nothing is against the default")
    listed = list(islice(moves, SMALL))
    require(listed[0] == moves.default, "the default is the first of the moves")
    require(len({deed.token for deed in listed}) == len(listed), "no move is listed twice")
    require(len(listed) == min(len(moves), SMALL), "the moves are as many as are counted")
    for deed in listed:
        require(deed in moves, f"{deed.token} is legal")
        require(type(deed).of(deed.token) == deed, f"{deed.token} is the token of its move")
        game.game.play(step.before, deed)


def what_is_refused_changes_nothing(game: Playthrough, step: Step, chance: random.Random) -> None:
    """The predicate, the reason and `play` agree on any move; the state stays what it was."""
    moves = game.game.moves(step.before)
    before = repr(step.before)
    for deed in _tries(game, step, moves, chance):
        wrong = moves.why(deed)
        require((deed in moves) is (wrong is None), f"{deed.token}: legal or refused")
        try:
            game.game.play(step.before, deed)
        except Illegal as refused:
            require(wrong is not None, f"{deed.token} was legal")
            assert wrong is not None
            told, why = (refused.reason, refused.text), (wrong.reason, wrong.text)
            require(told == why, f"{deed.token} is refused for the same reason")
        else:
            require(wrong is None, f"{deed.token} was illegal")
    require(repr(step.before) == before, "a refused move changes nothing")


def _tries(game: Playthrough, step: Step, moves: Moves, chance: random.Random) -> Iterator[Deed]:
    """Moves that may be legal or not: of this game at other times, and of cards of the hand."""
    for other in chance.sample(game.steps, min(20, len(game.steps))):
        if not isinstance(other.deed, Shuffle):
            yield other.deed
    kind = game.game.deeds[moves.act]
    hand = moves.hand
    for _ in range(40):
        cards = chance.sample(hand, chance.randint(0, min(len(hand), 4)))
        words = (card if chance.randrange(3) else card[:1] for card in cards)
        try:
            yield kind.of("+".join(words) or "-")
        except Malformed:
            continue


def a_shuffle_is_of_the_pack(game: Playthrough, chance: random.Random) -> None:
    """The house cannot play a card too few, one twice, or one of another game."""
    step = chance.choice([step for step in game.steps if step.seat == HOUSE])
    assert isinstance(step.deed, Shuffle)
    cards = step.deed.cards
    for wrong in (cards[1:], (*cards, cards[0]), ("ZZ", *cards[1:]), ()):
        try:
            game.game.play(step.before, Shuffle(wrong))
        except ValueError:
            continue
        raise Broken(f"a shuffle is of the pack, not {wrong}")


# ------------------------------------------------------------------------------------ two worlds


def two_worlds_look_the_same(game: Playthrough, chance: random.Random) -> bool:
    """What a viewer is shown does not depend on what they cannot know.

    Two cards that the viewer is not shown between a deal and some later move change places in
    the shuffle. Every other seat makes the same moves, as far as they can be seen. Then the
    viewer sees the same. Returns whether the other world was possible; in an impossible one
    somebody would have had to play otherwise.
    """
    deals = [i for i, step in enumerate(game.steps) if _is_deal(step)]
    deal = chance.choice(deals)
    end = next((i for i in deals if i > deal), len(game.steps))
    last = chance.randint(deal + 1, end) if end > deal else end
    viewer = chance.choice([None, *range(1, game.seats + 1)])
    steps = game.steps[deal:last]
    swap = _hidden_pair(steps, viewer, chance)
    if swap is None:
        return False
    other = _in_the_other_world(game, steps, swap)
    if other is None:
        return False
    shown = [redact(event, viewer) for step in steps for event in step.events]
    require(
        shown == [redact(event, viewer) for event in other[0]],
        f"seat {viewer} sees no difference when {swap[0]} and {swap[1]} change places",
    )
    if viewer is not None and game.game.turn(other[1]) == viewer:
        here = game.game.moves(_after(game, steps))
        there = game.game.moves(other[1])
        require(_question(here) == _question(there), f"seat {viewer} is asked the same")
    return True


def _is_deal(step: Step) -> bool:
    # Cards that are dealt later come from the same shuffle.
    dealt = any(isinstance(event, Dealt) for event in step.events)
    return dealt and isinstance(step.deed, Shuffle)


def _after(game: Playthrough, steps: Sequence[Step]) -> Any:
    return game.game.play(steps[-1].before, steps[-1].deed)[0]


def _hidden_pair(
    steps: Sequence[Step], viewer: int | None, chance: random.Random
) -> tuple[Card, Card] | None:
    """Two cards of the pack, unlike, of which the viewer is shown none in these steps."""
    shuffle = steps[0].deed
    assert isinstance(shuffle, Shuffle)
    # A wild card is shown whatever it was played as.
    seen = {card if card in shuffle.cards else card[:1] for card in _shown(steps, viewer)}
    hidden = [card for card in shuffle.cards if card not in seen]
    # Where a card is there twice it does not tell which of the two is meant.
    single = [card for card in hidden if shuffle.cards.count(card) == 1]
    if len(single) < 2:
        return None
    one, other = chance.sample(single, 2)
    return one, other


def _shown(steps: Sequence[Step], viewer: int | None) -> Iterator[Card]:
    for step in steps:
        for event in step.events:
            seen = redact(event, viewer)
            for field in type(event).word.fields:
                value = getattr(seen, field.attr)
                if field.kind.name == "cards" and value:
                    yield from value
                elif field.kind.name == "card" and value:
                    yield value


def _in_the_other_world(
    game: Playthrough, steps: Sequence[Step], swap: tuple[Card, Card]
) -> tuple[list[Event], Any] | None:
    """What happens there, and the state then; None where a move is not possible there."""
    change = {swap[0]: swap[1], swap[1]: swap[0]}
    state, happened = steps[0].before, []
    for step in steps:
        try:
            state, events = game.game.play(state, _changed(game, step, change))
        except Illegal:
            return None
        if _called(events) != _called(step.events):
            return None
        happened += events
    return happened, state


def _called(events: Sequence[Event]) -> list[int | None]:
    """Who called for a hidden trump: by some rules that is no move, who cannot follow must."""
    return [event.caller for event in events if isinstance(event, Trump_)]


def _changed(game: Playthrough, step: Step, change: dict[Card, Card]) -> Deed | Shuffle:
    """The move with its cards named whole, and in the other world."""
    deed = step.deed
    if isinstance(deed, Shuffle):
        return Shuffle(tuple(change.get(card, card) for card in deed.cards))
    for event in step.events:
        if isinstance(event, Played) and isinstance(deed, Play):
            named = Play(event.cards)
            # A card that is played unseen cannot be named.
            return named if named in game.game.moves(step.before) else deed
        if isinstance(event, Exchanged) and event.gave is not None:
            return Exchange(tuple(change.get(card, card) for card in event.gave))
    if isinstance(deed, Trump):
        return Trump(tuple(change.get(card, card) for card in deed.cards))
    return deed


def _question(moves: Moves) -> tuple[object, ...]:
    listed = tuple(deed.token for deed in islice(moves, SMALL))
    also = repr(moves.also)
    return moves.act, moves.hand, moves.beat, moves.low, moves.default, len(moves), listed, also
