"""A random game as a script: the lines and times of each party, including illegal moves and
queries.

A `Case` determines the whole script. The game is generated from the rules alone, before any server
plays it; so is the knowledge of which moves are illegal.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from tests.laws.laws import Step
from twentytwo_protocol.cards import Card, NotACard
from twentytwo_protocol.games.twentytwo import Exchange
from twentytwo_protocol.games.whist22 import GAME_KEY as WHIST
from twentytwo_protocol.schema import Deed, Malformed
from twentytwo_protocol.words.cardplay import Bid, Play, Shuffle
from twentytwo_server.games.game import HOUSE, AnyGame
from twentytwo_server.games.options import BadOption
from twentytwo_server.games.registry import games

MOST = 40
"""Maximum number of moves in a script."""
TRIES = 0.3
"""Probability of an illegal attempt before a move."""
SHORT: Mapping[str, Sequence[Mapping[str, str]]] = {
    "twentytwo": ({}, {"first_hand": "3"}, {"first_hand": "5"}),
    "twentysix": ({}, {"first_hand": "4"}),
    "whist22": ({}, {"start_score": "40"}, {"blind_one": "yes"}),
    "twentyeight": ({}, {"call": "optional"}, {"pass_out": "yes"}),
}
"""Options that let more happen in a short script."""


@dataclass(frozen=True, slots=True)
class Case:
    """A game's key, a preset, and a number, which determine a random script."""

    game: str
    preset: str
    number: int

    def __str__(self) -> str:
        return f"{self.game}/{self.preset}#{self.number}"


@dataclass(frozen=True, slots=True)
class Party:
    """A party on a connection. `seat` is 0 for a watcher, None for a person not at the table."""

    name: str
    seat: int | None
    hello: str
    wishes: tuple[str, ...] = ()

    @property
    def viewer(self) -> int | None:
        """The seat whose cards this party may see, or None."""
        return self.seat or None

    @property
    def program(self) -> bool:
        """True if the party uses the program mode."""
        return self.hello.startswith("hello 1")


@dataclass(frozen=True, slots=True)
class Say:
    """A party says a line after a number of ms. `token` is an illegal or untimely move."""

    who: int
    wait: int
    line: str
    token: str = ""


@dataclass(frozen=True, slots=True)
class Return:
    """A party's connection breaks; it reconnects, with a part of the events already seen."""

    who: int
    wait: int
    seen: float


@dataclass(frozen=True, slots=True)
class Move:
    """The next move of the game: made after a number of ms, or left to the clock."""

    wait: int
    late: bool = False
    readable: bool = False


Act = Say | Return | Move


@dataclass(frozen=True, slots=True)
class Script:
    """The whole script. `acts` has a `Move` for every step except those of the house."""

    case: Case
    game: AnyGame
    rules: Any
    options: Mapping[str, str]
    seats: int
    bots: int
    practice: bool
    clock: int
    parties: tuple[Party, ...]
    steps: tuple[Step, ...]
    acts: tuple[Act, ...]


def asked(game: AnyGame, state: Any) -> tuple[int | None, str]:
    """The seat on turn and the kind of question, which are public."""
    return game.turn(state), game.moves(state).act


def packs(steps: Sequence[Step]) -> list[tuple[Card, ...]]:
    """The packs shuffled by the house in these steps, in order."""
    return [step.deed.cards for step in steps if isinstance(step.deed, Shuffle)]


def after(game: AnyGame, steps: Sequence[Step]) -> Any:
    """The state after the last of these steps."""
    return game.play(steps[-1].before, steps[-1].deed)[0]


def script(case: Case) -> Script:
    """The script of a case."""
    dice = random.Random(str(case))
    while not (found := _script(case, games()[case.game], dice)).steps:
        continue
    return found


def _script(case: Case, game: AnyGame, dice: random.Random) -> Script:
    rules, options, seats = _table(game, case.preset, dice)
    practice = dice.random() < 0.2
    bots = seats - 1 if practice else dice.choice((0, 0, 0, 1, 2))
    bots = min(bots, seats - 1)
    clock = 0 if practice else dice.choice((0, 20))
    late = [bool(clock) and dice.random() < 0.08 for _ in range(MOST)]
    people = set(range(1, seats + 1)) - set(range(2, 2 + bots))
    steps = _to_a_person(_steps(game, rules, seats, dice, late), late, people)
    parties = tuple(_parties(dice, sorted(people), watched=not practice))
    acts = (*_acts(game, steps, parties, dice, late), *_ending(parties, dice))
    return Script(case, game, rules, options, seats, bots, practice, clock, parties, steps, acts)


def _table(game: AnyGame, preset: str, dice: random.Random) -> tuple[Any, Any, int]:
    while True:
        options = dict(dice.choice(SHORT.get(game.key, ({},))))
        try:
            rules = game.rules(preset, options)
            seats = min(dice.choices(game.players(rules), k=2))
            game.new(rules, seats)
        except BadOption:
            continue
        return rules, options, seats


def _steps(
    game: AnyGame, rules: Any, seats: int, dice: random.Random, late: Sequence[bool]
) -> tuple[Step, ...]:
    """Random moves from the first shuffle to a question that stays open."""
    state, steps, made = _beginning(game, rules, seats, dice), list[Step](), 0
    most = dice.randint(2, dice.choice((8, MOST, MOST)))
    while (seat := game.turn(state)) is not None and (seat == HOUSE or made < most):
        deed: Deed | Shuffle
        if seat == HOUSE:
            pack = game.pack(state)
            deed = Shuffle(tuple(dice.sample(pack, len(pack))))
        else:
            moves = game.moves(state)
            deed = moves.default if late[made] else moves.any(dice.randrange)
            made += 1
        next_state, events = game.play(state, deed)
        steps.append(Step(state, seat, deed, tuple(events)))
        state = next_state
    if game.turn(state) is None:
        # The cards of a finished game are public.
        while steps and steps[-1].seat == HOUSE:
            steps.pop()
        steps.pop()
    return tuple(steps)


def _beginning(game: AnyGame, rules: Any, seats: int, dice: random.Random) -> Any:
    """A new game. For Whist 22 some hands have been played, so that hands of one card are near."""
    state = game.new(rules, seats)
    if game.key == WHIST:
        ones = [hand for hand in range(16) if rules.size_of(hand + 1, seats) == 1]
        before = dice.choice((ones[0], dice.randrange(8)))
        state = replace(state, standing=replace(state.standing, hand=before))
    return state


def _to_a_person(steps: Sequence[Step], late: Sequence[bool], people: Set[int]) -> tuple[Step, ...]:
    """The steps up to a question that stays open: to a person for whom no bot plays."""
    ends, asleep, slept = [0], set[int](), dict[int, bool]()
    turns = iter(late)
    for at, step in enumerate(steps, 1):
        if step.seat != HOUSE:
            is_late = next(turns)
            if is_late and slept.get(step.seat):
                asleep.add(step.seat)
            slept[step.seat] = is_late
        follows = steps[at].seat if at < len(steps) else HOUSE
        if follows in people - asleep:
            ends.append(at)
    return tuple(steps[: ends[-1]])


# ---------------------------------------------------------------------------------- the people

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ivy", "jo", "kim", "leo")
CAPS = ("", "", "json", "text", "time", "json,text,time")
WISHES = ("set width 60", "set colour on", "set terse on", "set bell turn", "set charset utf8")


def _parties(dice: random.Random, seats: Sequence[int], *, watched: bool) -> Iterator[Party]:
    others: list[int | None] = [0] * dice.randint(1, 3) if watched else []
    for number, seat in enumerate([*seats, *others, None]):
        name = f"{NAMES[number % len(NAMES)]}{number // len(NAMES) or ''}"
        if dice.random() < 0.4:
            yield Party(name, seat, name, tuple(dice.sample(WISHES, dice.randint(0, 2))))
        else:
            bot = " bot=1" if dice.random() < 0.3 else ""
            yield Party(name, seat, f"hello 1 client=t caps={dice.choice(CAPS)}{bot}")


# ------------------------------------------------------------------------------------ the acts


def _acts(
    game: AnyGame,
    steps: Sequence[Step],
    parties: Sequence[Party],
    dice: random.Random,
    late: Sequence[bool],
) -> Iterator[Act]:
    pack: Sequence[Card] = ()
    moves = iter(late)
    for step in steps:
        if isinstance(step.deed, Shuffle):
            pack = step.deed.cards
            continue
        if dice.random() < TRIES:
            yield from _try(game, step, pack, parties, dice)
        if dice.random() < 0.25:
            yield _look(parties, dice)
        if dice.random() < 0.03:
            yield Return(dice.randrange(len(parties)), dice.randint(100, 2000), dice.random())
        yield Move(dice.randint(50, 1500), next(moves), dice.random() < 0.5)
    for who in range(len(parties)):
        if dice.random() < 0.3:
            yield Return(who, dice.randint(100, 2000), dice.random())
        yield Say(who, dice.randint(100, 800), dice.choice(LOOKS))


def _ending(parties: Sequence[Party], dice: random.Random) -> Iterator[Act]:
    """The game is aborted, and a person without a seat takes a seat that was freed."""
    seated = [who for who, party in enumerate(parties) if party.seat]
    others = [who for who, party in enumerate(parties) if not party.seat]
    if len(seated) < 2 or dice.random() < 0.5:
        return
    for who in seated:
        yield Say(who, 100, "abort t1")
    gone, new = dice.choice(seated), dice.choice(others)
    yield Say(gone, 100, "leave t1")
    yield Say(new, 100, f"join t1 {parties[gone].seat}")
    for line in dice.sample(AFTERWARDS, 2):
        yield Say(new, 100, line)
    yield Return(new, 100, dice.random())


AFTERWARDS = ("state t1", "sync t1 from=0", "hand t1", "last t1")
"""Queries of a newcomer after the game, when its record is public."""

LOOKS = (
    "state t1",
    "state t1",
    "sync t1 from=0",
    "hand t1",
    "moves t1",
    "last t1",
    "score t1",
    "why 2",
    "why a a",
    "why jh",
    "why 16",
    "hint t1",
    "clock t1",
    "sync t1 from=3 n=5",
    "follow tables game=whist22",
    "history",
    "game g1",
    "fair log",
    "fair g1",
    "export g1",
    "export g1 seat=2",
    "replay g1 speed=20",
    "table t1",
    "tables",
    "watchers t1",
    "watch t1",
    "say :well well",
    "kibitz :look at that",
    "whoami",
)
"""Queries that the server may answer or refuse."""


def _look(parties: Sequence[Party], dice: random.Random) -> Say:
    return Say(dice.randrange(len(parties)), dice.randint(100, 800), dice.choice(LOOKS))


def _try(
    game: AnyGame,
    step: Step,
    pack: Sequence[Card],
    parties: Sequence[Party],
    dice: random.Random,
) -> Iterator[Say]:
    """A party at the table tries a move out of turn, or an illegal one."""
    seated = [who for who, party in enumerate(parties) if party.seat]
    who = dice.choice(seated)
    if dice.random() < 0.6:
        who = next((each for each in seated if parties[each].seat == step.seat), who)
    token = _any_token([*game.moves(step.before).hand, *pack], dice)
    if parties[who].seat != step.seat:
        yield Say(who, dice.randint(100, 800), f"move {token}")
    elif not lawful(game, step.before, token):
        yield Say(who, dice.randint(100, 800), f"move {token}", token)


def _any_token(cards: Sequence[Card], dice: random.Random) -> str:
    """A random token: cards held or not, ranks, bids, words."""
    some = dice.sample(cards, min(len(cards), dice.randint(1, 3)))
    ranks = [card[:1] for card in some]
    words = ("pass", "-", "call", "no", "redeal", "0", "3", "16", "99", "nonsense")
    return dice.choice(("+".join(some), "+".join(ranks), dice.choice(words)))


def lawful(game: AnyGame, state: Any, token: str) -> bool:
    """True if a token is a legal answer to the open question in a state."""
    moves = game.moves(state)
    try:
        deed = game.deeds.get(moves.act, Play).of(token)
        if (cards := getattr(deed, "cards", None)) is not None:
            spelled = game.deck.read(tuple(word for word in cards if word != "-"))
            deed = type(deed)(spelled)  # type: ignore[call-arg, arg-type]  # it has cards
    except (Malformed, NotACard):
        return False
    return deed.act == moves.act and moves.why(deed) is None


# ------------------------------------------------------------------------------------ as lines


def readable(deed: Deed) -> str:
    """A move as people type it."""
    match deed:
        case Play(cards=cards):
            return f"play {' '.join(cards)}"
        case Exchange(cards=()):
            return "keep"
        case Exchange(cards=cards):
            return f"exchange {' '.join(cards)}"
        case Bid(bid=bid):
            return f"bid {bid}"
    return f"move {deed.token}"
