"""Other worlds: the same script, with different places for cards that some viewers have not seen.

There are two kinds. Either cards that a viewer has not seen change places, or the cards of one hand
are dealt in another order, which nobody may notice, not even their owner. A player of one of the
changed cards plays the other one instead, as far as it remains unseen; all other acts are the same.
If this is impossible, there is no such world.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.laws.laws import Step
from tests.secrets.scripts import Move, Say, Script, after, asked, lawful
from tests.secrets.sights import Sights, Viewer, sights
from twentytwo_protocol.cards import Card
from twentytwo_protocol.games.twentyeight import Trump, Trump_
from twentytwo_protocol.games.twentytwo import Exchange
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Dealt, Exchanged, Play, Played, Shuffle
from twentytwo_server.games.game import HOUSE, AnyGame, Illegal

ATTEMPTS = 12
"""Number of permutations tried for a world."""


@dataclass(frozen=True, slots=True)
class Other:
    """Another world: its steps, and the viewers who cannot distinguish it from the first."""

    steps: tuple[Step, ...]
    blind: frozenset[Viewer]
    change: Mapping[Card, Card]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal of a script: its step, the next deal's step, and the cards seen by each viewer."""

    at: int
    end: int
    pack: tuple[Card, ...]
    seen: Sights


def other_world(script: Script, dice: random.Random) -> Other | None:
    """A world that some viewers cannot distinguish from the script's; None if none was found."""
    deals = list(_deals(script))
    for _ in range(ATTEMPTS):
        # Most cards of the last hand are still unseen.
        deal = deals[-1] if dice.random() < 0.7 else dice.choice(deals)
        found = (
            _reordered(script, deal, dice) if dice.random() < 0.1 else _swapped(script, deal, dice)
        )
        if found is not None:
            return found
    return None


def _deals(script: Script) -> Iterator[Deal]:
    steps = script.steps
    starts = [at for at, step in enumerate(steps) if _is_deal(step)]
    for at, end in zip(starts, [*starts[1:], len(steps)], strict=True):
        deed = steps[at].deed
        assert isinstance(deed, Shuffle)
        events = [event for step in steps[at:end] for event in step.events]
        yield Deal(at, end, deed.cards, sights(events, deed.cards, script.seats))


def _is_deal(step: Step) -> bool:
    # A shuffle may also be for the draw for the dealer, which is public.
    return step.seat == HOUSE and any(isinstance(event, Dealt) for event in step.events)


# --------------------------------------------------------------------------------- the worlds


def _swapped(script: Script, deal: Deal, dice: random.Random) -> Other | None:
    """A world in which some cards that a viewer has not seen change places."""
    viewer = dice.choice([None, *range(1, script.seats + 1)])
    count = Counter(deal.pack)
    unseen = sorted(set(deal.pack) - deal.seen[viewer])
    # A card that occurs twice is swapped with one that occurs as often.
    often = dice.choice([count[card] for card in unseen] or [0])
    like = [card for card in unseen if count[card] == often]
    if len(like) < 2:
        return None
    size = dice.choice((2, 2, 3, 5, len(like)))
    some = dice.sample(like, min(size, len(like)))
    change = dict(zip(some, [*some[1:], some[0]], strict=True))
    blind = {each for each, seen in deal.seen.items() if not seen & change.keys()}
    pack = tuple(change.get(card, card) for card in deal.pack)
    steps = _played(script, deal, pack, change)
    return Other(steps, frozenset(blind), change) if steps is not None else None


def _reordered(script: Script, deal: Deal, dice: random.Random) -> Other | None:
    """A world in which the cards of a seat come in another order."""
    dealt = [event for event in script.steps[deal.at].events if isinstance(event, Dealt)]
    cards = dice.choice(dealt).cards or ()
    places = [place for place, card in enumerate(deal.pack) if card in cards]
    if not 2 <= len(cards) == len(places):
        return None
    pack = list(deal.pack)
    for place, card in zip(places, dice.sample(cards, len(cards)), strict=True):
        pack[place] = card
    if tuple(pack) == deal.pack:
        return None
    steps = _played(script, deal, tuple(pack), {})
    return Other(steps, frozenset(deal.seen), {}) if steps is not None else None


# --------------------------------------------------------------------------------- playing on


def _played(
    script: Script, deal: Deal, pack: tuple[Card, ...], change: Mapping[Card, Card]
) -> tuple[Step, ...] | None:
    """The steps in the other world; None if a move or an illegal attempt does not fit there."""
    game, steps = script.game, list(script.steps[: deal.at])
    state = script.steps[deal.at].before
    tried, late = _tried(script)
    for at, step in enumerate(script.steps[deal.at :], deal.at):
        if game.turn(state) != step.seat or any(lawful(game, state, t) for t in tried[at]):
            return None
        deed: Deed | Shuffle = Shuffle(pack) if at == deal.at else step.deed
        try:
            if deal.at < at < deal.end and not isinstance(deed, Shuffle):
                deed = _mirrored(game, state, step, deed, change)
            later, events = game.play(state, deed)
        except Illegal:
            return None
        if _called(events) != _called(step.events):
            return None
        if at in late and game.play(state, game.moves(state).default)[1] != events:
            return None
        steps.append(Step(state, step.seat, deed, tuple(events)))
        state = later
    here = after(game, script.steps)
    return tuple(steps) if asked(game, state) == asked(game, here) else None


def _tried(script: Script) -> tuple[Mapping[int, list[str]], set[int]]:
    """The tokens of illegal attempts at each step, and the steps left to the clock."""
    tried: dict[int, list[str]] = defaultdict(list)
    late: set[int] = set()
    numbers = (at for at, step in enumerate(script.steps) if step.seat != HOUSE)
    at = next(numbers, len(script.steps))
    for act in script.acts:
        if isinstance(act, Say) and act.token:
            tried[at].append(act.token)
        elif isinstance(act, Move):
            if act.late:
                late.add(at)
            at = next(numbers, len(script.steps))
    return tried, late


def _called(events: Sequence[Event]) -> list[int | None]:
    """The callers of a hidden trump: under some rules a call is automatic and not a move."""
    return [event.caller for event in events if isinstance(event, Trump_)]


def _mirrored(
    game: AnyGame, state: Any, step: Step, deed: Deed, change: Mapping[Card, Card]
) -> Deed:
    """The same move as far as it is visible, made with the changed cards."""
    for event in step.events:
        if isinstance(event, Played) and isinstance(deed, Play):
            named = Play(event.cards)
            # A card that is played unseen cannot be named.
            return named if named in game.moves(state) else deed
        if isinstance(event, Exchanged) and event.gave is not None:
            return Exchange(tuple(change.get(card, card) for card in event.gave))
    if isinstance(deed, Trump):
        return Trump(tuple(change.get(card, card) for card in deed.cards))
    return deed
